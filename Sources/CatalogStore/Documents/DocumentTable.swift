internal import CatalogModel
internal import SQLite

/// How the rows of a table stand in documents: by the names of its columns, without those that are NULL.
///
/// The tables are those that steps record, and their columns those of the file: a new one follows by itself.
struct DocumentTable {
  /// What rows are called by.
  enum Form {
    /// By their numbers, which are those of one file.
    case numbered
    /// By what they are called on every device; bytes by their digest, since they stand in files of their own.
    case travelling
  }

  let name: String
  let form: Form
  let columns: [Column]
  /// Their names in the file, with commas between them.
  let names: SQL
  /// What its columns are called in documents.
  let keys: Set<String>
  /// Whether an item has one row of it at most.
  let isSingle: Bool
  /// What tells rows of one item apart.
  private let order: SQL
  /// Reads whole rows.
  private let all: Reading
  /// Which item a row hangs on; what reads that, and behind it what stands in the item's document, which need not say of which item it
  /// is. Nil for what hangs on none.
  private let own: (item: SQL, reading: Reading)?

  /// What is read of rows.
  private struct Reading {
    let columns: [Column]
    /// Up to the condition.
    let query: SQL
  }

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
    /// The table whose rows it names by what they are called on every device; nil for what has a number, or none.
    let identified: String?
    /// Whether the digest of its bytes stands for them.
    let isDigest: Bool
  }

  /// How a row is named that several others may name: by words, not by its number.
  struct Naming: Hashable {
    let table: String
    /// Its columns, the first of which are enough to find it.
    let columns: [String]
    let keyCount: Int
    /// Whether its number, too, is told: nowhere else is.
    func tellsNumber(in form: Form) -> Bool { table == "person" && form == .numbered }
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
  static func ofItems(_ form: Form = .numbered, in db: Connection) throws -> [DocumentTable] {
    // A selection has items, and not what they came with. What travels has the order of piles, which is one, elsewhere.
    let ofNone: Set = ["representative", "recently_viewed", "import_row"]
    return try RecordedTable.all.filter {
      $0.owner != nil && !ofNone.contains($0.name) && (form == .numbered || $0.name != "pile_item")
    }.map { try DocumentTable($0, form, in: db) }
  }

  static func named(_ name: String, _ form: Form = .numbered, in db: Connection) throws -> DocumentTable? {
    try RecordedTable.all.first { $0.name == name }.map { try DocumentTable($0, form, in: db) }
  }

  /// The tables whose rows are called the same on every device.
  static let identified: Set = ["item", "card", "copy", "log_entry", "wish", "loan"]

  private init(_ table: RecordedTable, _ form: Form, in db: Connection) throws {
    name = table.name
    self.form = form
    let parents = Dictionary(
      try db.all("PRAGMA foreign_key_list(\(identifier: table.name))") {
        (try $0.get("from", as: String.self), try $0.get("table", as: String.self))
      }
    ) { first, _ in first }
    let known = KnownTables.columns(of: table.name)
    let columns = try db.all("PRAGMA table_info(\(identifier: table.name))") { row in
      let name: String = try row.get("name")
      let parent = parents[name]
      let naming = Naming.all.first { $0.table == parent }
      let isBytes = try row.get("type", as: String.self) == "BLOB"
      let isDigest = form == .travelling && isBytes
      var identified: String?
      if form == .travelling {
        identified = name == "id" ? table.name : parent == "vinyl" ? "item" : parent
        if !Self.identified.contains(identified ?? "") { identified = nil }
      }
      let isName = naming != nil || identified != nil
      return Column(
        name: name,
        key: name == "id" && identified != nil
          ? Self.uid : isDigest ? Self.digest : isName && name.hasSuffix("_id") ? String(name.dropLast(3)) : name,
        isBytes: isBytes,
        hasStandard: try row.get("notnull", as: Bool.self) && row.get("dflt_value", as: String?.self) != nil,
        naming: naming, identified: identified, isDigest: isDigest)
    }
    let missing = zip(known, columns.map(\.name) + known.map { _ in "" }).first { $0 != $1 }
    if let missing { throw SQLiteError(noColumn: "\(table.name).\(missing.0)") }
    // A number that nothing else stands for is of no use elsewhere.
    self.columns = columns.filter { form == .numbered || $0.name != "id" || $0.identified != nil }
    names = self.columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
    keys = Set(self.columns.map(\.key))
    let read = self.columns.enumerated().map { index, column in
      (column, values: Self.values(of: column, at: index, in: form).joined(separator: ", "))
    }
    // Of one item there are these alone.
    let keyed = columns.prefix(table.keyCount).map(\.name).filter { table.keyCount == 1 || $0 != Self.item }
    let ordered = read.filter { keyed.contains($0.0.name) }.map { column, values in
      column.identified != nil || form == .travelling && column.naming != nil
        ? values : "row.\(identifier: column.name)" as SQL
    }
    order = ordered.isEmpty ? "row.rowid" : ordered.joined(separator: ", ")
    let rows: SQL = "\(identifier: table.name) AS row"
    let joins = Self.joins(of: self.columns)
    all = Reading(
      columns: self.columns, query: "SELECT \(read.map(\.values).joined(separator: ", ")) FROM \(rows)\(joins)")
    guard let owner = table.owner.map({ columns[$0].name }) else {
      (own, isSingle) = (nil, false)
      return
    }
    isSingle = table.keyCount == 1 && table.owner == 0
    // Of a loan the file says only whose copy it is.
    let (item, others): (SQL, SQL) =
      owner == "copy_id" ? ("copy.item_id", " JOIN copy ON copy.id = row.copy_id") : ("row.\(identifier: owner)", "")
    // What says of which item a row is in these documents.
    let itemKey = form == .travelling ? "item" : Self.item
    let rest = read.filter { $0.0.key != itemKey }
    let values = ([item] + rest.map(\.values)).joined(separator: ", ")
    own = (item, Reading(columns: rest.map(\.0), query: "SELECT \(values) FROM \(rows)\(others)\(joins)"))
  }

  /// The column that says of which item a row is, which a document need not repeat.
  static let item = "item_id"
  /// What a row is called on every device.
  static let uid = "uid"
  /// What bytes are called.
  static let digest = "sha256"

  // MARK: Reading rows

  /// Calls `body` with these items, as documents, in the order in which they are given.
  static func forEachItem(
    of ids: [Int64], in tables: [DocumentTable], _ db: Connection, withCovers: Bool = true,
    _ body: (Int64, Document) throws -> Void
  ) throws {
    // So many at a time that statements are few, and memory little: the bytes of covers are read one by one.
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
          let value = table.isSingle ? .object(first) : DocumentValue.list(own.map(DocumentValue.object))
          document.members.append(Document.Member(table.name, value))
        }
        try body(id, document)
      }
    }
  }

  /// The rows that hang on these items, those of each together.
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

  /// Adds what documents of these items say in this table to their fingerprints, without making documents: the rows are read in place.
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

  /// Calls `body` with the rows that hold to a condition, the first by its key first.
  func forEach(_ condition: SQL, order other: SQL? = nil, in db: Connection, _ body: (Document) throws -> Void) throws {
    try db.forEach("\(all.query) WHERE \(condition) ORDER BY \(other ?? order)") { cursor in
      try body(document(cursor.row.all[...], of: all.columns))
      return true
    }
  }

  /// What is read of a column: the value, what names it, or the words that do.
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
        if let value = DocumentValue(values.popFirst() ?? .null) {
          row.members.append(Document.Member(column.key, value))
        }
        continue
      }
      var name = Document()
      for key in (naming.tellsNumber(in: form) ? ["id"] : []) + naming.columns {
        if let value = DocumentValue(values.popFirst() ?? .null) { name.members.append(Document.Member(key, value)) }
      }
      guard let first = name.members.first else { continue }
      row.members.append(Document.Member(column.key, naming.isWord ? first.value : .object(name)))
    }
    return row
  }
}

extension Cursor {
  /// Adds what stands in a column as ``DocumentValue`` would.
  fileprivate func add(_ index: Int, to hash: inout FNV1a) {
    switch storageClass(index) {
    case .null: break
    case .integer: hash.add(integer: integer(index))
    case .real: hash.add(real: real(index))
    case .text: withText(index) { hash.add(text: $0) }
    case .blob: DocumentValue(row.all[index])?.add(to: &hash)
    }
  }
}

extension Document {
  func without(_ key: String) -> Document { Document(members.filter { $0.key != key }) }
}
