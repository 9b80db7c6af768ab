/// A listing, as commands make it of ``CommandLineKit/Column``s and every output format reads it.
///
/// People see `shown`, fitted to their terminal. Pipes, CSV and JSON get the `value`.
public struct Table: Hashable, Sendable {
  public var columns: [Column]
  /// The rows, each with a cell per column; missing cells are empty.
  public var rows: [[Cell]]
  /// The headings before rows, by row number from 0: the month that begins there.
  public var sections: [Int: Message] = [:]
  /// Whether a terminal shows the headings; a page always does.
  public var hasHeadings = true
  /// The bars between two columns.
  public var bars: Bars?

  public init(columns: [Column], rows: [[Cell]] = []) {
    self.columns = columns
    self.rows = rows
  }

  public struct Column: Hashable, Sendable {
    /// The name in JSON and CSV, in `snake_case`: a promise.
    public var key: String
    /// The heading people see.
    public var title: Message
    /// The alignment of the text.
    public var alignment: Alignment
    /// Whether long text may be cut so that everything fits.
    public var isFlexible: Bool
    /// To how many cells it may be cut.
    public var minimumWidth: Int
    /// The least important columns are cut first, and of those that do not fit they go first, of equals the last.
    public var importance: Int
    /// Whether only programs see it.
    public var isHidden: Bool
    /// Whether it is a reference such as `r1`, which is not a field of the row.
    public var isReference: Bool
    /// Whether its cells hold words of the program's own, such as `movie`, which people read in their language.
    public var isWord: Bool
    /// Whether an object has no such member where the cell is empty; others have null.
    var isLeftOutIfEmpty = false

    /// A column; without a title people see its key.
    public init(
      _ key: String, _ title: Message? = nil, alignment: Alignment = .left, isFlexible: Bool = false,
      minimumWidth: Int = 8, importance: Int = 1, isHidden: Bool = false,
      isReference: Bool = false, isWord: Bool = false
    ) {
      self.key = key
      self.title = title ?? Message(verbatim: key)
      self.alignment = alignment
      self.isFlexible = isFlexible
      self.minimumWidth = minimumWidth
      self.importance = importance
      self.isHidden = isHidden
      self.isReference = isReference
      self.isWord = isWord
    }

    /// The text of a cell of this column, for a person.
    func words(of cell: Cell, in translation: Translation?) -> String {
      isWord ? Message.text(of: cell.text, in: translation) : cell.text
    }
  }

  /// The value of a cell for programs.
  public enum Value: Hashable, Sendable {
    /// Nothing: null in JSON, empty elsewhere.
    case none
    /// Any text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case number(Double)
    /// True or false.
    case flag(Bool)
    /// Several texts: an array in JSON, parted by `; ` in CSV and in pipes and by commas for people.
    case list([String])
    /// Several whole numbers, as a list of texts is written.
    case numbers([Int64])
    /// Money: an object in JSON, `12.50 EUR` elsewhere.
    case amount(Amount)
    /// Money in several currencies.
    case amounts([Amount])
    /// Rows of their own: an array of objects in JSON, elsewhere the texts of their first column.
    indirect case table(Table)
    /// The one row of a table: an object in JSON, nothing elsewhere.
    indirect case row(Table)
  }

  /// An amount of money for programs.
  public struct Amount: Hashable, Sendable {
    /// The digits, with the decimals of the currency: `12.50`.
    public var number: String
    /// The code of the currency: `EUR`.
    public var currency: String

    public init(_ number: String, _ currency: String) { (self.number, self.currency) = (number, currency) }

    /// `12.50 EUR`
    public var text: String { "\(number) \(currency)" }
  }

  public struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The value in machine-readable output.
    public var value: Value
    /// The displayed text in place of the value, such as `★★★★½` for 90.
    public var shown: String?
    /// The style of the displayed text.
    public var style: Style
    /// The sort key, if it is not the value: grades do not sort by their letters.
    public var rank: Double?
    /// The query for the items behind the cell.
    public var query: String?

    /// A cell of any value.
    public init(value: Value, shown: String? = nil, style: Style = .plain) {
      self.value = value
      self.shown = shown
      self.style = style
    }

    /// A cell of text, empty for nil.
    public init(_ text: String?, style: Style = .plain) {
      self.init(value: text.map(Value.text) ?? .none, style: style)
    }

    /// A cell with a whole number, empty for nil.
    public init(_ number: Int?, shown: String? = nil, style: Style = .plain) {
      self.init(value: number.map { .integer(Int64($0)) } ?? .none, shown: shown, style: style)
    }

    /// A cell with a whole number.
    public init(_ number: Int64, shown: String? = nil, style: Style = .plain) {
      self.init(value: .integer(number), shown: shown, style: style)
    }

    /// A cell with a number, empty for nil.
    public init(_ number: Double?, shown: String? = nil, style: Style = .plain) {
      self.init(value: number.map(Value.number) ?? .none, shown: shown, style: style)
    }

    /// A cell that is true or false.
    public init(_ flag: Bool, shown: String? = nil, style: Style = .plain) {
      self.init(value: .flag(flag), shown: shown, style: style)
    }

    /// A cell with several texts.
    public init(_ list: [String], shown: String? = nil, style: Style = .plain) {
      self.init(value: .list(list), shown: shown, style: style)
    }

    /// A cell of plain text.
    public init(stringLiteral text: String) { self.init(text) }

    /// The same cell, sorted by a number.
    public func ranked(by rank: Double?) -> Cell {
      var cell = self
      cell.rank = rank
      return cell
    }

    /// The displayed text, before it is sanitized and cut.
    public var text: String { shown ?? value.text(separator: ", ") }
  }

  /// Only the columns a selection names, in its order.
  public func selecting(_ selection: FieldSelection) throws(UsageError) -> Table {
    guard case .only(let keys) = selection else { return self }
    var places: [Int] = []
    for key in keys { places.append(try place(of: key)) }
    return choosing(places)
  }

  /// The index of a column.
  /// - Throws: ``UsageError`` for an unknown key.
  public func place(of key: String) throws(UsageError) -> Int {
    if let place = columns.firstIndex(where: { $0.key == key }) { return place }
    let known = columns.map(\.key)
    throw .noField(key, among: known)
  }

  /// The columns at these places.
  func choosing(_ places: [Int]) -> Table {
    var table = Table(
      columns: places.map { columns[$0] },
      rows: rows.map { row in places.map { row.indices.contains($0) ? row[$0] : "" } })
    table.sections = sections
    return table
  }
}

extension UsageError {
  /// A field that a listing or a document does not have.
  public static func noField(_ key: String, among known: [String]) -> UsageError {
    UsageError(
      "there is no field \(key.quoted)" + Suggestion.phrase(for: key, among: known),
      hint: "the fields are \(known.joined(separator: ", "))")
  }
}

extension Table.Value {
  /// The separator of several values in a cell for programs, where `, ` would split `Earth, Wind & Fire`.
  static let separator = "; "

  /// The value as text, for a pipe or CSV.
  public var text: String { text(separator: Self.separator) }

  func text(separator: String) -> String {
    switch self {
    case .none, .row: ""
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): number.description
    case .flag(let flag): flag ? "true" : "false"
    case .list(let texts): texts.joined(separator: separator)
    case .numbers(let numbers): numbers.map(String.init).joined(separator: separator)
    case .amount(let amount): amount.text
    case .amounts(let amounts): amounts.map(\.text).joined(separator: separator)
    case .table(let table): table.rows.compactMap { $0.first?.value.text }.joined(separator: separator)
    }
  }
}

/// The fields that `--json=title,year` asks for.
public enum FieldSelection: Hashable, ArgumentValue {
  /// Whatever there is.
  case all
  /// These, in this order.
  case only([String])

  /// Keys separated by commas.
  public init(argument word: String) throws {
    let keys = word.split(separator: ",").map(String.init)
    if keys.isEmpty { throw UsageError("the list of fields is empty") }
    self = .only(keys)
  }

  /// `FIELDS`.
  public static var valueName: String? { "FIELDS" }
  /// The members of the documents that the command prints.
  public static var completion: CompletionKind { .dynamic("members") }
}
