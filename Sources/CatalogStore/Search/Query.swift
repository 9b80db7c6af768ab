public import CatalogModel
internal import FoundationEssentials

/// A query for items. docs/queries.md has the grammar.
///
///     blue kind:vinyl (year:1950s or rating:4..) -genre:pop
///
/// Equivalent queries are equal, no matter how they were typed.
public struct Query: Sendable, Hashable {
  /// A condition on an item.
  public indirect enum Condition: Sendable, Hashable {
    /// All of these hold. Without parts, it always holds.
    case all([Condition])
    /// At least one of these holds.
    case any([Condition])
    case not(Condition)
    /// A word, or its beginning, in titles, names, genres and codes, on cards or in tracks.
    case word(String)
    /// At least one of the comparisons holds for the field.
    case field(Field, [Comparison])
    /// A saved query with its name and condition.
    case saved(String, Condition)

    public static func kind(_ kind: Kind) -> Condition { .field(.kind, [.equals(kind.rawValue)]) }
    public static func missing(_ field: Field) -> Condition { .field(field, [.missing]) }
    public static func present(_ field: Field) -> Condition { .field(field, [.present]) }
    public static var isFavorite: Condition { .present(.favorite) }
    /// An open wish for an item that is not owned and was never watched, read or played.
    public static var isMereWish: Condition {
      .all([.present(.wished), .field(.copies, [.numbers(0...0)]), .missing(.seen)])
    }
  }

  /// A comparison with the value of a field.
  public enum Comparison: Sendable, Hashable {
    case present, missing
    /// A part of the text, ignoring case and accents. In names, cards and tracks it starts at a word, in places at the
    /// beginning. A genre includes all genres below it.
    case contains(String)
    /// The whole text, ignoring case and accents; a kind; a genre without those below it.
    case equals(String)
    /// One of these adjacent grades.
    case grades([Grade])
    /// Whole numbers; a rating is 0 … 100.
    case numbers(ClosedRange<Int>)
    case reals(ClosedRange<Double>)
    /// From the start of the first date to the end of the second. An open end is nil.
    case dates(PartialDate?, PartialDate?)
    /// Amounts in thousandths of the main unit, of one currency or, if nil, of any.
    case amounts(ClosedRange<Int>, currency: String?)
  }

  public private(set) var condition: Condition
  /// The typed words with the 'and', 'or' and 'not' between them, which rank titles.
  public private(set) var phrase: String

  public init(_ condition: Condition = .all([])) {
    self.init(condition, phrase: condition.words.joined(separator: " "))
  }

  init(_ condition: Condition, phrase: String) { (self.condition, self.phrase) = (condition, phrase) }

  public static func == (one: Query, other: Query) -> Bool { one.condition == other.condition }
  public func hash(into hasher: inout Hasher) { hasher.combine(condition) }

  /// Whether it matches all items.
  public var isEverything: Bool { condition == .all([]) }

  /// Adds a required condition.
  public mutating func require(_ other: Condition) { condition = condition && other }

  /// Whether it asks about wishes, so that these are not left out.
  public var asksForWishes: Bool {
    var asks = false
    _ = condition.flatMapComparisons { field, comparison in
      if field == .wished || field == .status { asks = true }
      return [comparison]
    }
    return asks
  }

  /// The words to search for.
  public var words: [String] { condition.words }

  /// The kind of all results, if the query names it.
  public var onlyKind: Kind? { condition.onlyKind }

  public func replacing(_ word: (String) -> String) -> Query {
    let words = phrase.split(separator: " ").map { word(String($0)) }
    return Query(condition.replacing(word), phrase: words.joined(separator: " "))
  }

  /// An error in a query, in the user's words.
  public struct Problem: MessageError, Equatable {
    public let message: Message
    /// The typed query, with a blank between its arguments.
    public let typed: String
    /// The range of the error, in Unicode scalars from the start.
    public let range: Range<Int>
    /// The unknown field before a colon.
    public var unknownField: String?
    /// The unknown saved query after an `@`.
    public var unknownSaved: UnknownName?
    /// The saved query that has the error; ``range`` is then the place of its name.
    public var savedQuery: String?
  }

  /// An unknown name, and the names that exist.
  public struct UnknownName: Sendable, Equatable {
    public let name: String
    public let among: [String]
  }
}

// MARK: - Conditions

extension Query.Condition {
  /// Combines two conditions; both must hold.
  static func && (one: Self, other: Self) -> Self { all(of: [one, other]) }

  /// Combines conditions; all must hold. Nested conjunctions are flattened.
  static func all(of parts: [Self]) -> Self {
    let parts = parts.flatMap { if case .all(let parts) = $0 { parts } else { [$0] } }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  static func any(of parts: [Self]) -> Self {
    let parts = parts.flatMap { if case .any(let parts) = $0 { parts } else { [$0] } }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  fileprivate var words: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.words)
    case .word(let word): [word]
    case .not, .field, .saved: []
    }
  }

  fileprivate var onlyKind: Kind? {
    switch self {
    case .all(let parts): parts.lazy.compactMap(\.onlyKind).first
    case .field(.kind, let kinds):
      if kinds.count == 1, case .equals(let kind)? = kinds.first { Kind(rawValue: kind) } else { nil }
    case .saved(_, let part): part.onlyKind
    case .any, .not, .word, .field: nil
    }
  }

  fileprivate func replacing(_ other: (String) -> String) -> Self {
    switch self {
    case .all(let parts): .all(parts.map { $0.replacing(other) })
    case .any(let parts): .any(parts.map { $0.replacing(other) })
    case .word(let word): .word(other(word))
    case .not, .field, .saved: self
    }
  }

  /// Returns the condition with each comparison replaced by those from `change`, one of which must hold.
  func flatMapComparisons(_ change: (Field, Query.Comparison) throws -> [Query.Comparison]) rethrows -> Self {
    switch self {
    case .all(let parts): .all(try parts.map { try $0.flatMapComparisons(change) })
    case .any(let parts): .any(try parts.map { try $0.flatMapComparisons(change) })
    case .not(let part): .not(try part.flatMapComparisons(change))
    case .saved(let name, let part): .saved(name, try part.flatMapComparisons(change))
    case .word: self
    case .field(let field, let comparisons): .field(field, try comparisons.flatMap { try change(field, $0) })
    }
  }
}

// MARK: - Reading

extension Query {
  /// The words before a colon that are not fields.
  static let tests = ["has", "is"]

  /// All names before a colon. A `-` before one of them does not start an option.
  public static let names = Field.all.flatMap(\.names) + tests + KoreanWords.fields.keys.sorted()

  /// The field names shown to the user.
  public static let fields = Field.all.map(\.word) + ["has"]

  /// The maximum number of words and values in a query, and the maximum depth of parentheses.
  static let (mostTerms, mostNested) = (1_000, 50)

  /// Parses the arguments of a command line. The words of one argument belong together: `title:pride and prejudice` is
  /// a title, though `genre:jazz or genre:blues` is two terms.
  ///
  /// - Parameters:
  ///   - now: the reference time of `added:-2w..`.
  ///   - saved: the saved queries for `@name`. Commands use ``Store/query(_:now:)``, which reads them.
  init(_ arguments: [String], now: Date, saved: SavedQueries = SavedQueries()) throws(Problem) {
    try self.init(QueryLexer.read(arguments), now: now, saved: saved)
  }

  /// Parses a query in one line, as `--where` takes it. A blank ends a value outside double quotes.
  init(line: String, now: Date, saved: SavedQueries = SavedQueries()) throws(Problem) {
    try self.init(QueryLexer.read(line: line), now: now, saved: saved)
  }

  /// - Parameter own: the saved query that is being parsed, which must not refer to itself.
  init(
    _ lexer: QueryLexer, now: Date, at localTime: LocalTime = .utc, saved: SavedQueries, of own: SavedQuery? = nil
  ) throws(Problem) {
    var parser = QueryParser(lexer, now: now, at: localTime, saved: saved, within: own.map { [$0] } ?? [])
    self = try parser.query()
  }
}
