public import CatalogModel
internal import SQLite

/// What the program knows of one field of an item, declared once in ``all``: editing, listings, pages, JSON, queries,
/// sorting, completion and the rows of the file take theirs from here.
public struct Field: Sendable {
  /// The name in JSON, CSV and `--columns`, in `snake_case`: a promise.
  public let key: String
  /// What a person types in queries and changes: `genre` for `genres`.
  public let word: String
  /// Other words that people try.
  public let aliases: [String]
  /// What a page and a table for people call it.
  public let heading: String
  public let type: FieldType
  /// The kinds that have it; nil for all, those without a shelf too.
  public let kinds: [Kind]?
  /// Whether a listing of everything leaves it out, because each row would ask for it on its own.
  public let isOnRequest: Bool
  /// Whether every item has it.
  public let isAlwaysThere: Bool
  /// The columns of the file in which it is kept, one for each kind or one for all; none for what other tables hold.
  let columns: [Column]
  /// The rows that hold further values of it beside its columns: a query looks for these, too.
  private var others: (@Sendable () -> Rows)?
  /// How SQL makes its value of `item`, where it has no columns: in one piece, or of rows.
  private let made: Made
  private let reading: @Sendable (Draft) -> FieldValue
  private let writing: (@Sendable (inout Draft, [String]) throws -> Void)?

  /// A field that columns hold.
  /// - Parameter others: the rows with further values.
  init(
    _ key: String, _ heading: String, word: String? = nil, aliases: [String] = [], _ type: FieldType,
    isAlwaysThere: Bool = false, isEditable: Bool = true, others: (@Sendable () -> Rows)? = nil, _ columns: Column...
  ) {
    self.others = others
    (self.key, self.heading, self.word, self.aliases, self.type) = (key, heading, word ?? key, aliases, type)
    (self.isOnRequest, self.isAlwaysThere, self.columns) = (false, isAlwaysThere, columns)
    let kinds = columns.compactMap { $0.table.kind }
    self.kinds = kinds.isEmpty ? nil : kinds
    made = .value { "NULL" }
    reading = { draft in Self.column(columns, of: draft.record.kind)?.get(draft.record) ?? FieldValue.none }
    guard isEditable else {
      writing = nil
      return
    }
    writing = { draft, texts in try Self.column(columns, of: draft.record.kind)?.set(&draft.record, texts) }
  }

  /// A field that a statement makes.
  /// - Parameter set: how it is changed; nil when `edit` does not change it.
  init(
    _ key: String, _ heading: String, word: String? = nil, aliases: [String] = [], _ type: FieldType,
    of kinds: [Kind]? = nil, isOnRequest: Bool = false, isAlwaysThere: Bool = false,
    sql: @autoclosure @escaping @Sendable () -> SQL, get: @escaping @Sendable (Draft) -> FieldValue,
    set: (@Sendable (inout Draft, [String]) throws -> Void)? = nil
  ) {
    (self.key, self.heading, self.word, self.aliases, self.type) = (key, heading, word ?? key, aliases, type)
    (self.kinds, self.isOnRequest, self.isAlwaysThere, columns) = (kinds, isOnRequest, isAlwaysThere, [])
    (made, reading, writing) = (.value(sql), get, set)
  }

  /// A field that rows of another table hold, a value in each, or that is made of these rows.
  /// - Parameters:
  ///   - fold: what is made of them.
  ///   - get: what a draft knows of it; nothing unless it is given.
  ///   - set: how it is changed; nil when `edit` does not change it.
  init(
    _ key: String, _ heading: String, word: String? = nil, aliases: [String] = [], _ type: FieldType,
    of kinds: [Kind]? = nil, isOnRequest: Bool = true, _ fold: Rows.Fold = .list,
    rows: @autoclosure @escaping @Sendable () -> Rows,
    get: @escaping @Sendable (Draft) -> FieldValue = { _ in .none },
    set: (@Sendable (inout Draft, [String]) throws -> Void)? = nil
  ) {
    (self.key, self.heading, self.word, self.aliases, self.type) = (key, heading, word ?? key, aliases, type)
    (self.kinds, self.isOnRequest, isAlwaysThere, columns) = (kinds, isOnRequest, false, [])
    (made, reading, writing) = (.rows(rows, fold), get, set)
  }

  private enum Made: Sendable {
    case value(@Sendable () -> SQL)
    case rows(@Sendable () -> Rows, Rows.Fold)

    var sql: SQL {
      switch self {
      case .value(let sql): sql()
      case .rows(let rows, let fold): rows().folded(fold)
      }
    }
  }

  private static func column(_ columns: [Column], of kind: Kind) -> Column? {
    columns.first { $0.table == .item || $0.table.kind == kind }
  }
}

extension Field: Hashable {
  public static func == (a: Field, b: Field) -> Bool { a.key == b.key }
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

// MARK: - Finding one

extension Field {
  /// All names by which it is known, the first being its key.
  public var names: [String] { (word == key ? [key] : [key, word]) + aliases }

  /// The field of this name, in any case.
  public static func named(_ name: String) -> Field? {
    let typed = name.lowercased()
    let name = KoreanWords.fields[typed] ?? typed
    return all.first { $0.key == name || $0.word == name || $0.aliases.contains(name) }
  }

  /// Whether things of this kind have it.
  public func isOf(_ kind: Kind) -> Bool { kinds?.contains(kind) ?? true }

  public var isEditable: Bool { writing != nil }

  /// Whether it is asked mostly whether there is one at all.
  public var isYesOrNo: Bool { type == .flag || self == .favorite || self == .wished }

  /// What `edit` changes of things of this kind, in the order in which the editor shows it.
  public static func editable(of kind: Kind) -> [Field] { all.filter { $0.isEditable && $0.isOf(kind) } }

  /// Whether a listing can be sorted by it. Of several values, only the names beside a title have an order.
  public var isSortable: Bool { type.form != .list || type == .people(nil) }
}

// MARK: - Values

extension Field {
  public func value(of draft: Draft) -> FieldValue { reading(draft) }

  /// Sets it to what a person typed, several texts for several values, none to clear it.
  /// - Throws: ``Problem``, or what the code that it holds says of a wrong one.
  public func assign(_ texts: [String], to draft: inout Draft) throws { try writing?(&draft, texts) }

  /// What is wrong with a value, in the user's words.
  public struct Problem: WordedError, Equatable {
    public let words: Wording
    /// What to type instead.
    public var hint: Wording?
  }
}

// MARK: - SQL

extension Field {
  /// Its value of `item` in a statement that has joined ``tables``.
  var listed: SQL { columns.isEmpty ? made.sql : Self.first(columns.map(\.listed)) }

  /// The rows that it is made of, and what is made of them; nil where it is kept or made in one piece.
  var folded: (rows: Rows, fold: Rows.Fold)? {
    guard case .rows(let rows, let fold) = made else { return nil }
    return (rows(), fold)
  }

  /// The tables of single kinds that ``listed`` reads.
  var tables: [Table] { columns.map(\.table).filter { $0 != .item } }

  /// Its value of `item` wherever there is an `item`.
  var scalar: SQL {
    guard !columns.isEmpty else { return made.sql }
    return Self.first(
      columns.map { column in
        guard column.table != .item else { return column.listed }
        let table = SQL(stringLiteral: column.table.rawValue)
        return "(SELECT \(column.listed) FROM \(table) WHERE \(table).item_id = item.id)"
      })
  }

  /// Where single values of `item` stand: in the item itself, or in rows that hang on it.
  var places: [(value: SQL, rows: Rows?)] {
    guard columns.isEmpty else {
      return columns.map { column in
        guard column.table != .item else { return (column.listed, nil) }
        let table = SQL(stringLiteral: column.table.rawValue)
        return (column.listed, Rows(table, column.listed))
      } + (others.map { [$0()] } ?? []).map { ($0.value, $0) }
    }
    switch made {
    case .value(let sql): return [(sql(), nil)]
    case .rows(let rows, .list):
      let rows = rows()
      return [(rows.value, rows)]
    case .rows: return [(made.sql, nil)]
    }
  }

  private static func first(_ values: [SQL]) -> SQL {
    values.count == 1 ? values[0] : "coalesce(\(values.joined(separator: ", ")))"
  }
}
