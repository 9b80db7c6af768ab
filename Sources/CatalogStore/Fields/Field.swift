public import CatalogModel
internal import SQLite

/// A field of an item, declared once in ``all``. Editing, listings, pages, JSON, queries, sorting, completion and the
/// rows of the file derive from it.
public struct Field: Sendable {
  /// The name in the file, which never changes.
  public let key: String
  /// The name in JSON, CSV and `--columns`, in `snake_case`: the same for the same thing in every document.
  public private(set) var name: String
  /// The word for queries and edits: `genre` for `genres`.
  public let word: String
  /// Other words that people try.
  public let aliases: [String]
  /// The heading on pages and in tables for people.
  public let heading: String
  public let type: FieldType
  /// The kinds that have the field; nil for all kinds, including those without a shelf.
  public let kinds: [Kind]?
  /// Whether a listing of all fields leaves it out, because each row needs a subquery.
  public let isOnRequest: Bool
  /// Whether every item has it.
  public let isAlwaysThere: Bool
  /// The columns that store it, one for each kind or one for all; empty if other tables store it.
  let columns: [Column]
  /// The rows with further values beside its columns. Queries search them, too.
  private var others: (@Sendable () -> Rows)?
  /// The SQL of its value if it has no columns: an expression or rows.
  private let made: Made
  /// The rows that give a listing of everything the value of an expression, which costs a subquery for each item.
  private var scanned: (@Sendable () -> (rows: Rows, fold: Rows.Fold))?
  private let reading: @Sendable (Draft) -> FieldValue
  private let writing: (@Sendable (inout Draft, [String]) throws -> Void)?

  /// Creates a field that columns store.
  /// - Parameter others: the rows with further values.
  init(
    _ key: String, _ heading: String, name: String? = nil, word: String? = nil, aliases: [String] = [],
    _ type: FieldType, isOnRequest: Bool = false,
    isAlwaysThere: Bool = false, isEditable: Bool = true, others: (@Sendable () -> Rows)? = nil, _ columns: Column...
  ) {
    self.others = others
    (self.key, self.name, self.heading, self.word) = (key, name ?? key, heading, word ?? key)
    (self.aliases, self.type) = (aliases, type)
    (self.isOnRequest, self.isAlwaysThere, self.columns) = (isOnRequest, isAlwaysThere, columns)
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

  /// Creates a field from an SQL expression.
  /// - Parameters:
  ///   - scanned: the rows that have the value for all items, faster than the expression.
  ///   - set: changes the field; nil if `edit` cannot change it.
  init(
    _ key: String, _ heading: String, name: String? = nil, word: String? = nil, aliases: [String] = [],
    _ type: FieldType,
    of kinds: [Kind]? = nil, isOnRequest: Bool = false, isAlwaysThere: Bool = false,
    sql: @autoclosure @escaping @Sendable () -> SQL,
    scanned: (@Sendable () -> (rows: Rows, fold: Rows.Fold))? = nil, get: @escaping @Sendable (Draft) -> FieldValue,
    set: (@Sendable (inout Draft, [String]) throws -> Void)? = nil
  ) {
    self.scanned = scanned
    (self.key, self.name, self.heading, self.word) = (key, name ?? key, heading, word ?? key)
    (self.aliases, self.type) = (aliases, type)
    (self.kinds, self.isOnRequest, self.isAlwaysThere, columns) = (kinds, isOnRequest, isAlwaysThere, [])
    (made, reading, writing) = (.value(sql), get, set)
  }

  /// Creates a field from the rows of another table: one value per row, or one value for all of them.
  /// - Parameters:
  ///   - fold: combines the rows into the value of a listing.
  ///   - get: reads the value from a draft; no value by default.
  ///   - set: changes the field; nil if `edit` cannot change it.
  init(
    _ key: String, _ heading: String, name: String? = nil, word: String? = nil, aliases: [String] = [],
    _ type: FieldType,
    of kinds: [Kind]? = nil, isOnRequest: Bool = true, _ fold: Rows.Fold = .list,
    rows: @autoclosure @escaping @Sendable () -> Rows,
    get: @escaping @Sendable (Draft) -> FieldValue = { _ in .none },
    set: (@Sendable (inout Draft, [String]) throws -> Void)? = nil
  ) {
    (self.key, self.name, self.heading, self.word) = (key, name ?? key, heading, word ?? key)
    (self.aliases, self.type) = (aliases, type)
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
  /// The same field under another of its names.
  public func named(_ other: String) -> Field {
    var field = self
    if names.contains(other) { field.name = other }
    return field
  }

  public static func == (a: Field, b: Field) -> Bool { a.key == b.key }
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

// MARK: - Finding one

extension Field {
  /// All names of the field, the one in JSON first.
  public var names: [String] { (word == name ? [name] : [name, word]) + aliases }

  /// The field with this name, in any case, in English or Korean.
  public static func named(_ name: String) -> Field? {
    let typed = name.lowercased()
    let name = KoreanWords.fields[typed] ?? typed
    return all.first { $0.name == name } ?? all.first { $0.word == name || $0.aliases.contains(name) }
  }

  /// The field that the file calls so.
  static func kept(_ key: String) -> Field? { all.first { $0.key == key } }

  /// The form in which the file keeps a typed value: `ko` for `한국어`. Nil for an unknown one, and for fields that keep
  /// any text as it is.
  func kept(_ value: String) -> String? {
    switch key {
    case "language": Language.code(named: value)
    case "countries": Country.code(named: value)
    default: nil
    }
  }

  /// Whether items of this kind have the field.
  public func isOf(_ kind: Kind) -> Bool { kinds?.contains(kind) ?? true }

  public var isEditable: Bool { writing != nil }

  /// Whether queries mostly ask if the field has a value at all.
  public var isYesOrNo: Bool { type == .flag || self == .favorite || self == .wished }

  /// The fields that `edit` can change in items of this kind, in the order of the editor.
  public static func editable(of kind: Kind) -> [Field] { all.filter { $0.isEditable && $0.isOf(kind) } }

  /// Whether a listing can be sorted by the field. Of the lists, only the names beside a title have an order.
  public var isSortable: Bool { !type.form.isList || type == .people(nil) }

  /// The form of its value in a listing. With further rows beside its column it has several.
  public var form: FieldType.Form { others == nil ? type.form : .list }
}

// MARK: - Values

extension Field {
  public func value(of draft: Draft) -> FieldValue { reading(draft) }

  /// The value as a listing has it: a list has no value, one or several.
  public func listedValue(of draft: Draft) -> FieldValue {
    let value = value(of: draft)
    guard form.isList else { return value }
    return .list(others == nil ? value.texts : draft.record.recordLabels)
  }

  /// Sets the field to the texts that the user typed: several for a list, none to clear it.
  /// - Throws: ``Problem``, or the error of an invalid code such as an ISBN.
  public func assign(_ texts: [String], to draft: inout Draft) throws { try writing?(&draft, texts) }

  /// An invalid value, described in the user's words.
  public struct Problem: MessageError, Equatable {
    public let message: Message
    /// A hint on what to type instead.
    public var hint: Message?
  }
}

// MARK: - SQL

extension Field {
  /// The expression for its value in a statement about `item` that joins ``tables``.
  var listed: SQL {
    guard !columns.isEmpty else { return made.sql }
    let first = Self.first(columns.map { $0.shown ?? $0.listed })
    guard let others else { return first }
    let rows = others()
    return """
      CASE WHEN \(first) IS NULL THEN \(rows.folded(.list))
        ELSE \(first) || coalesce(char(31) || \(rows.folded(.list, except: first)), '') END
      """
  }

  /// The rows that hold the field and their fold; nil for columns, and for expressions without a scan.
  var folded: (rows: Rows, fold: Rows.Fold)? {
    guard case .rows(let rows, let fold) = made else { return scanned?() }
    return (rows(), fold)
  }

  /// The tables of single kinds that ``listed`` reads.
  var tables: [Table] { columns.map(\.table).filter { $0 != .item } }

  /// The expression for its value in any statement about `item`.
  var scalar: SQL {
    guard !columns.isEmpty else { return made.sql }
    return Self.first(
      columns.map { column in
        guard column.table != .item else { return column.listed }
        let table = SQL(stringLiteral: column.table.rawValue)
        return "(SELECT \(column.listed) FROM \(table) WHERE \(table).item_id = item.id)"
      })
  }

  /// The places of its single values: in `item` itself, or in rows that belong to it.
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
