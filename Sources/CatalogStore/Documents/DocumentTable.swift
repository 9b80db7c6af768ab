internal import CatalogModel
internal import SQLite

/// The rows of a table as documents: a member for each column, without those that are NULL.
///
/// The tables are those that operations record, with the columns of the file. New columns need no change here.
struct DocumentTable {
  /// The names by which documents refer to rows.
  enum Form {
    /// Numbers, which are those of one file. A row that has a uid shows it beside its number.
    case numbered
    /// Uids, which are valid on every device. A digest stands for bytes, because they have files of their own.
    case portable
  }

  let schema: TableSchema
  let form: Form
  let columns: [Column]
  var name: String { schema.name }
  /// The names of the columns in the file, with commas between them.
  let names: SQL
  /// The names of the columns in documents.
  let keys: Set<String>
  /// Whether an item has at most one row.
  let isSingle: Bool
  /// The order of the rows of one item.
  private let order: SQL
  /// The query for whole rows.
  private let all: Reading
  /// The expression for the owner of a row, and a query for the owner and the other columns. Those are the row as the
  /// item's document has it, without the item. Nil if rows have no owner.
  private let own: (item: SQL, reading: Reading)?

  /// A query and the columns that it reads.
  private struct Reading {
    let columns: [Column]
    /// The query, up to the condition.
    let query: SQL
  }

  struct Column {
    /// The name in the file.
    let name: String
    /// The name in documents: `person` for `person_id`.
    let key: String
    /// Whether it holds bytes, which documents write as base64.
    let isBytes: Bool
    /// Whether a document may omit it, because the file has a default.
    let hasStandard: Bool
    /// The words that name the row to which it refers; nil for other columns.
    let naming: Naming?
    /// The table to whose rows it refers by uid; nil for other columns.
    let identified: String?
    /// Whether a digest stands for its bytes.
    let isDigest: Bool
  }

  /// The words that name a shared row, such as a person or a genre, instead of its number.
  struct Naming: Hashable {
    let table: String
    /// The columns with the words. The first ``keyCount`` of them are enough to find the row.
    let columns: [String]
    let keyCount: Int

    /// Nil for a table whose rows have no words that name them.
    init?(_ table: TableSchema) {
      guard case .words(let columns, let keyCount) = table.identity else { return nil }
      (self.table, self.columns, self.keyCount) = (table.name, columns, keyCount)
    }

    /// Whether documents also give the number of the row. People of items have no documents that would give it.
    func tellsNumber(in form: Form) -> Bool { table == "person" && form == .numbered }
    /// Whether a single word names the row.
    var isWord: Bool { columns.count == 1 }
  }

  /// The tables whose rows are in the document of their owner, in the order in which they can be written: a wish
  /// follows the rows that can fulfil it.
  static func ofItems(_ form: Form = .numbered, in db: Connection) throws -> [DocumentTable] {
    try TableSchema.recorded.filter { table in
      guard table.owner != nil else { return false }
      return switch table.place {
      case .withOwner, .ownFile: true
      case .withOwnerInExports: form == .numbered
      case .exportsOnly: false
      }
    }.map { try DocumentTable($0, form, in: db) }
  }

  static func named(_ name: String, _ form: Form = .numbered, in db: Connection) throws -> DocumentTable? {
    try TableSchema.recorded.first { $0.name == name }.map { try DocumentTable($0, form, in: db) }
  }

  private init(_ table: TableSchema, _ form: Form, in db: Connection) throws {
    (schema, self.form) = (table, form)
    let parents = Dictionary(
      try db.all("PRAGMA foreign_key_list(\(identifier: table.name))") {
        (try $0.get("from", as: String.self), try $0.get("table", as: String.self))
      }
    ) { first, _ in first }
    let columns = try db.all("PRAGMA table_info(\(identifier: table.name))") { row in
      let name: String = try row.get("name")
      let parent = parents[name]
      let naming = parent.flatMap(TableSchema.named).flatMap(Naming.init)
      let isBytes = try row.get("type", as: String.self) == "BLOB"
      let isDigest = form == .portable && isBytes
      var identified: String?
      if form == .portable {
        // The details of an item go by its number.
        let other = name == "id" ? table.name : parent.map { TableSchema.ofItemItself.contains($0) ? "item" : $0 }
        identified = other.flatMap { TableSchema.named($0)?.identity == .uid ? $0 : nil }
      }
      let isName = naming != nil || identified != nil
      return Column(
        name: name,
        key: name == "id" && identified != nil
          ? TableSchema.uid
          : isDigest ? Self.digest : isName && name.hasSuffix("_id") ? String(name.dropLast(3)) : name,
        isBytes: isBytes,
        hasStandard: try row.get("notnull", as: Bool.self) && row.get("dflt_value", as: String?.self) != nil,
        naming: naming, identified: identified, isDigest: isDigest)
    }
    let missing = zip(table.columns, columns.map(\.name) + table.columns.map { _ in "" }).first { $0 != $1 }
    if let missing { throw SQLiteError(noColumn: "\(table.name).\(missing.0)") }
    // A number that nothing else stands for is of no use elsewhere.
    self.columns = columns.filter { form == .numbered || $0.name != "id" || $0.identified != nil }
    names = self.columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
    var shown = self.columns
    if form == .numbered, table.identity == .uid {
      shown.insert(
        Column(
          name: "id", key: TableSchema.uid, isBytes: false, hasStandard: false, naming: nil, identified: table.name,
          isDigest: false), at: 1)
    }
    keys = Set(shown.map(\.key))
    let read = shown.enumerated().map { index, column in
      (column, values: Self.values(of: column, at: index, in: form).joined(separator: ", "))
    }
    // The rows of one item differ in these columns alone.
    let keyed = columns.prefix(table.keyCount).map(\.name).filter { table.keyCount == 1 || $0 != TableSchema.item }
    let ordered = read.filter { column, _ in
      keyed.contains(column.name) && (form == .portable || column.identified == nil)
    }.map { column, values in
      column.identified != nil || form == .portable && column.naming != nil
        ? values : "row.\(identifier: column.name)" as SQL
    }
    order = ordered.isEmpty ? "row.rowid" : ordered.joined(separator: ", ")
    let rows: SQL = "\(identifier: table.name) AS row"
    let joins = Self.joins(of: shown)
    all = Reading(
      columns: shown, query: "SELECT \(read.map(\.values).joined(separator: ", ")) FROM \(rows)\(joins)")
    guard let owner = table.owner else {
      (own, isSingle) = (nil, false)
      return
    }
    isSingle = table.keyCount == 1 && owner == table.columns.first
    let (item, others): (SQL, SQL) =
      if let other = table.ownerTable {
        (
          "\(identifier: other.name).item_id",
          " JOIN \(identifier: other.name) ON \(identifier: other.name).id = row.\(identifier: owner)"
        )
      } else {
        ("row.\(identifier: owner)", "")
      }
    // The item's document makes this column superfluous.
    let itemKey = form == .portable ? "item" : TableSchema.item
    let rest = read.filter { $0.0.key != itemKey }
    let values = ([item] + rest.map(\.values)).joined(separator: ", ")
    own = (item, Reading(columns: rest.map(\.0), query: "SELECT \(values) FROM \(rows)\(others)\(joins)"))
  }

  /// The member with the digest of bytes.
  static let digest = "sha256"

  // MARK: Reading rows

  /// Calls `body` with the documents of items, in the given order.
  static func forEachItem(
    of ids: [Int64], in tables: [DocumentTable], _ db: Connection, withCovers: Bool = true,
    _ body: (Int64, Document) throws -> Void
  ) throws {
    // Batches keep the statements few and the memory small. The bytes of covers are read one by one.
    func isHeavy(_ table: DocumentTable) -> Bool { table.name == "cover" && table.form == .numbered }
    var rest = ids[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(200))
      rest = rest.dropFirst(batch.count)
      var rows: [String: [Int64: [Document]]] = [:]
      for table in tables where !isHeavy(table) { rows[table.name] = try table.rows(of: batch, in: db) }
      for id in batch where rows["item"]?[id] != nil {
        var document = Document()
        for table in tables {
          let own = !isHeavy(table) ? rows[table.name]?[id] : withCovers ? try table.rows(of: [id], in: db)[id] : nil
          guard let own, let first = own.first else { continue }
          let value = table.isSingle ? .object(first) : JSON.list(own.map(JSON.object))
          document.members.append(JSON.Member(table.name, value))
        }
        try body(id, document)
      }
    }
  }

  /// Returns the rows that belong to these items, grouped by item.
  func rows(of items: [Int64], in db: Connection) throws -> [Int64: [Document]] {
    guard let (link, own) = own else { return [:] }
    var rows: [Int64: [Document]] = [:]
    let sql: SQL = """
      \(own.query) WHERE \(link) IN (\(list: items)) ORDER BY \(link), \(order)
      """
    let all = try db.all(sql) { (try $0.get(at: 0, as: Int64.self), document($0.all.dropFirst(), of: own.columns)) }
    for (item, row) in all { rows[item, default: []].append(row) }
    return rows
  }

  /// Adds the rows of this table to the fingerprints of their items. The rows are read in place, without making
  /// documents.
  ///
  /// Items that have no fingerprint yet get none.
  func addFingerprints(
    of items: ClosedRange<Int64>, to fingerprints: inout [Int64: DocumentFingerprint], in db: Connection
  ) throws {
    guard let (link, own) = own else { return }
    let key = DocumentFingerprintKey(name)
    let keys = own.columns.map {
      (DocumentFingerprintKey($0.key), $0.naming, ($0.naming?.columns ?? []).map(DocumentFingerprintKey.init))
    }
    var item: Int64?
    var rows: [DocumentFingerprint] = []
    func finish() {
      guard let item, let first = rows.first else { return }
      fingerprints[item]?.add(key) { hash in
        if isSingle { return hash.add(object: first) }
        hash.add(listOf: rows.count)
        for row in rows { hash.add(object: row) }
      }
      rows.removeAll(keepingCapacity: true)
    }
    try db.forEach(
      """
      \(own.query) WHERE \(link) BETWEEN \(items.lowerBound) AND \(items.upperBound) ORDER BY \(link), \(order)
      """
    ) { cursor in
      if cursor.integer(0) != item {
        finish()
        item = cursor.integer(0)
      }
      var row = DocumentFingerprint()
      var place = 1
      for (key, naming, names) in keys {
        defer { place += max(1, names.count) }
        if naming?.isWord ?? true {
          if !cursor.isNull(place) { row.add(key) { cursor.add(place, to: &$0) } }
          continue
        }
        var name = DocumentFingerprint()
        var isNamed = false
        for (offset, key) in names.enumerated() where !cursor.isNull(place + offset) {
          name.add(key) { cursor.add(place + offset, to: &$0) }
          isNamed = true
        }
        if isNamed { row.add(key) { $0.add(object: name) } }
      }
      rows.append(row)
      return true
    }
    finish()
  }

  /// Calls `body` with the rows that match a condition, sorted by key unless an order is given.
  func forEach(_ condition: SQL, order other: SQL? = nil, in db: Connection, _ body: (Document) throws -> Void) throws {
    try db.forEach("\(all.query) WHERE \(condition) ORDER BY \(other ?? order)") { cursor in
      try body(document(cursor.row.all[...], of: all.columns))
      return true
    }
  }

  /// The expressions for a column: its value, the uid or digest that replaces it, or the words that name the row.
  private static func values(of column: Column, at index: Int, in form: Form) -> [SQL] {
    if let table = column.identified {
      return [
        "(SELECT uid FROM identity WHERE table_name = \(table) AND row_id = row.\(identifier: column.name) AND is_alias = 0)"
      ]
    }
    if column.isDigest { return ["(SELECT sha256 FROM cover_digest WHERE item_id = row.item_id)"] }
    guard let naming = column.naming else { return ["row.\(identifier: column.name)"] }
    let named: SQL = "\(identifier: "named\(index)")"
    return (naming.tellsNumber(in: form) ? ["\(named).id"] : [])
      + naming.columns.map { "nullif(\(named).\(identifier: $0), '')" as SQL }
  }

  private static func joins(of columns: [Column]) -> SQL {
    columns.enumerated().reduce(into: "") { joins, column in
      guard let naming = column.element.naming else { return }
      let named: SQL = "\(identifier: "named\(column.offset)")"
      joins +=
        " LEFT JOIN \(identifier: naming.table) AS \(named) ON \(named).id = row.\(identifier: column.element.name)"
    }
  }

  private func document(_ values: ArraySlice<Value>, of columns: [Column]) -> Document {
    var values = values
    var row = Document()
    for column in columns {
      guard let naming = column.naming else {
        if let value = JSON(values.popFirst() ?? .null) {
          row.members.append(JSON.Member(column.key, value))
        }
        continue
      }
      var name = Document()
      for key in (naming.tellsNumber(in: form) ? ["id"] : []) + naming.columns {
        if let value = JSON(values.popFirst() ?? .null) { name.members.append(JSON.Member(key, value)) }
      }
      guard let first = name.members.first else { continue }
      row.members.append(JSON.Member(column.key, naming.isWord ? first.value : .object(name)))
    }
    return row
  }
}

extension Cursor {
  /// Adds the value of a column, with the same hash as its ``JSON``.
  fileprivate func add(_ index: Int, to hash: inout FNV1a) {
    switch storageClass(index) {
    case .null: break
    case .integer: hash.add(integer: integer(index))
    case .real: hash.add(real: real(index))
    case .text: withText(index) { hash.add(text: $0) }
    case .blob: JSON(row.all[index])?.add(to: &hash)
    }
  }
}
