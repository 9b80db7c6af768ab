internal import CatalogModel
internal import SQLite

/// How the rows of a table stand in documents: by the names of its columns, without those that are NULL.
///
/// The tables are those that steps record, and their columns those of the file: a new one follows by itself.
struct DocumentTable {
  let name: String
  let columns: [Column]
  /// What its columns are called in documents.
  let keys: Set<String>
  /// Which item a row hangs on, and the tables that must be read to know it; nil for what hangs on none.
  private let link: (item: SQL, tables: SQL)?
  /// Whether an item has one row of it at most.
  let isSingle: Bool
  /// What tells rows of one item apart.
  private let order: SQL

  struct Column {
    /// As in the file.
    let name: String
    /// As in documents: `person` for `person_id`.
    let key: String
    /// Bytes stand there as base64.
    let isBytes: Bool
    /// Whether it must be there, unless the file knows what stands for nothing.
    let hasStandard: Bool
    /// What is said of the row that it names.
    let naming: Naming?
  }

  /// How a row is named that several others may name: by words, not by its number.
  struct Naming: Hashable {
    let table: String
    /// Its columns, the first of which are enough to find it.
    let columns: [String]
    let keyCount: Int
    /// Whether its number, too, is told: nowhere else is.
    var tellsNumber: Bool { table == "person" }
    /// Whether one word says all.
    var isWord: Bool { columns.count == 1 }

    static let all = [
      Naming(table: "person", columns: ["name", "external_id"], keyCount: 2),
      Naming(table: "genre", columns: ["name"], keyCount: 1),
      Naming(table: "genre_label", columns: ["source", "kind", "key", "label"], keyCount: 3),
      Naming(table: "tag", columns: ["name"], keyCount: 1),
      Naming(table: "pile", columns: ["name"], keyCount: 1),
    ]
  }

  /// The tables whose rows stand in the document of the item that they hang on, in the order in which they can be written: a wish
  /// behind what would fulfil it.
  static func ofItems(in db: Connection) throws -> [DocumentTable] {
    // A selection has items, and not what they came with.
    let ofNone: Set = ["representative", "recently_viewed", "import_row"]
    return try RecordedTable.all.filter { $0.owner != nil && !ofNone.contains($0.name) }.map {
      try DocumentTable($0, in: db)
    }
  }

  static func named(_ name: String, in db: Connection) throws -> DocumentTable? {
    try RecordedTable.all.first { $0.name == name }.map { try DocumentTable($0, in: db) }
  }

  private init(_ table: RecordedTable, in db: Connection) throws {
    name = table.name
    let parents = Dictionary(
      try db.all("PRAGMA foreign_key_list(\(identifier: table.name))") {
        (try $0.get("from", as: String.self), try $0.get("table", as: String.self))
      }
    ) { first, _ in first }
    let columns = try db.all("PRAGMA table_info(\(identifier: table.name))") { row in
      let name: String = try row.get("name")
      let naming = Naming.all.first { $0.table == parents[name] }
      return Column(
        name: name, key: naming != nil && name.hasSuffix("_id") ? String(name.dropLast(3)) : name,
        isBytes: try row.get("type", as: String.self) == "BLOB",
        hasStandard: try row.get("notnull", as: Bool.self) && row.get("dflt_value", as: String?.self) != nil,
        naming: naming)
    }
    self.columns = columns
    keys = Set(columns.map(\.key))
    let ordered = columns.prefix(table.keyCount).map { "row.\(identifier: $0.name)" as SQL }
    order = ordered.joined(separator: ", ")
    if let owner = table.owner.map({ columns[$0].name }) {
      // Of a loan the file says only whose copy it is.
      link =
        owner == "copy_id"
        ? ("copy.item_id", " JOIN copy ON copy.id = row.copy_id") : ("row.\(identifier: owner)", "")
      isSingle = table.keyCount == 1 && table.owner == 0
    } else {
      (link, isSingle) = (nil, false)
    }
  }

  /// The column that says of which item a row is, which a document need not repeat.
  static let item = "item_id"

  // MARK: Reading rows

  /// The rows that hang on these items, those of each together.
  func rows(of items: [Int64], in db: Connection) throws -> [Int64: [Document]] {
    guard let link else { return [:] }
    var rows: [Int64: [Document]] = [:]
    let sql: SQL = """
      SELECT \(link.item), \(values.joined(separator: ", ")) FROM \(identifier: name) AS row\(link.tables)\(joins)
      WHERE \(link.item) IN (\(list: items)) ORDER BY \(link.item), \(order)
      """
    for (item, row) in try db.all(sql, { (try $0.get(at: 0, as: Int64.self), document($0.all.dropFirst())) }) {
      rows[item, default: []].append(row.without(Self.item))
    }
    return rows
  }

  /// Calls `body` with the rows that hold to a condition, the first by its key first.
  func forEach(_ condition: SQL, order other: SQL? = nil, in db: Connection, _ body: (Document) throws -> Void) throws {
    try db.forEach(
      """
      SELECT \(values.joined(separator: ", ")) FROM \(identifier: name) AS row\(joins)
      WHERE \(condition) ORDER BY \(other ?? order)
      """
    ) { cursor in
      try body(document(cursor.row.all[...]))
      return true
    }
  }

  private var values: [SQL] {
    columns.enumerated().flatMap { index, column -> [SQL] in
      guard let naming = column.naming else { return ["row.\(identifier: column.name)"] }
      let named: SQL = "\(identifier: "named\(index)")"
      return (naming.tellsNumber ? ["\(named).id"] : [])
        + naming.columns.map { "nullif(\(named).\(identifier: $0), '')" as SQL }
    }
  }

  private var joins: SQL {
    columns.enumerated().reduce(into: "") { joins, column in
      guard let naming = column.element.naming else { return }
      let named: SQL = "\(identifier: "named\(column.offset)")"
      joins +=
        " LEFT JOIN \(identifier: naming.table) AS \(named) ON \(named).id = row.\(identifier: column.element.name)"
    }
  }

  private func document(_ values: ArraySlice<Value>) -> Document {
    var values = values
    var row = Document()
    for column in columns {
      guard let naming = column.naming else {
        if let value = DocumentValue(values.popFirst() ?? .null) {
          row.members.append(Document.Member(column.key, value))
        }
        continue
      }
      var name = Document()
      for key in (naming.tellsNumber ? ["id"] : []) + naming.columns {
        if let value = DocumentValue(values.popFirst() ?? .null) { name.members.append(Document.Member(key, value)) }
      }
      guard let first = name.members.first else { continue }
      row.members.append(Document.Member(column.key, naming.isWord ? first.value : .object(name)))
    }
    return row
  }
}

extension Document {
  func without(_ key: String) -> Document { Document(members.filter { $0.key != key }) }
}
