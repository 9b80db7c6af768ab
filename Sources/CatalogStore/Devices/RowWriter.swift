internal import CatalogModel
internal import SQLite

/// Writes the rows of documents into the catalog, for sync and restore. Equal rows are not touched.
struct RowWriter {
  private let store: Store
  private var db: Connection { store.db }
  private let uidMap: UIDMap
  private var names: NamedRows
  private let cover: (_ digest: String, _ ending: String) throws -> [UInt8]?
  /// The statements that insert rows.
  private var statements: [String: PreparedStatement] = [:]

  /// - Parameter cover: reads the bytes of a cover by its digest and file ending; nil if they are missing.
  init(_ store: Store, cover: @escaping (_ digest: String, _ ending: String) throws -> [UInt8]? = { _, _ in nil }) {
    (self.store, self.cover) = (store, cover)
    uidMap = UIDMap(store.db)
    names = NamedRows(store.db)
  }

  // MARK: New rows

  /// The values of columns that a document omits, because its place says them.
  typealias Given = [(column: String, value: Value)]

  /// Inserts a row, with its uid if it has one.
  /// - Returns: its number.
  @discardableResult
  mutating func insert(_ row: Document, of table: DocumentTable, _ given: Given = []) throws -> Int64 {
    try insert(row, of: table, try values(of: row, table, given))
  }

  private mutating func insert(_ row: Document, of table: DocumentTable, _ values: [Value]) throws -> Int64 {
    let number = try insert(values, into: table)
    if table.schema.identity == .uid, let uid = try Self.uid(of: row, table) {
      try uidMap.assign(number, of: table.name, uid)
    }
    return number
  }

  /// The uid of a row; nil if it has none.
  /// - Throws: ``DocumentProblem`` for anything else in its place.
  private static func uid(of row: Document, _ table: DocumentTable) throws -> String? {
    guard let value = row[TableSchema.uid] else { return nil }
    guard let uid = value.text, UUIDv7.isOne(uid) else { throw DocumentProblem("a '\(table.name)' has no uid") }
    return uid
  }

  private mutating func insert(
    _ values: [Value], into table: DocumentTable, as verb: SQL = "INSERT"
  ) throws -> Int64 {
    let given = zip(table.columns, values).filter { !($0.hasStandard && $1 == .null) }
    let missing = given.count == values.count ? "" : given.map(\.0.name).joined(separator: " ")
    let key = table.name + " " + missing
    if statements[key] == nil {
      let names = given.map { "\(identifier: $0.0.name)" as SQL }.joined(separator: ", ")
      let marks = given.map { _ in "?" as SQL }.joined(separator: ", ")
      statements[key] = try db.prepare("\(verb) INTO \(identifier: table.name) (\(names)) VALUES (\(marks))")
    }
    return try statements[key]?.run(given.map(\.1)) ?? 0
  }

  // MARK: The rows of an item

  /// Replaces the rows of a table that belong to an item, or to none.
  mutating func write(_ rows: [Document], of table: DocumentTable, item: Int64?) throws {
    if table.isSingle {
      guard let row = rows.first else {
        try db.run("DELETE FROM \(identifier: table.name) WHERE item_id = \(item)")
        return
      }
      let exists =
        try db.value("SELECT 1 FROM \(identifier: table.name) WHERE item_id = \(item)", as: Int.self) != nil
      if table.name == "cover" { return try writeCover(row, of: table, item: item, exists: exists) }
      _ = try write(row, of: table, as: item, exists: exists)
    } else if table.schema.identity == .uid {
      try writeIdentified(rows, of: table, item: item)
    } else {
      try writeList(rows, of: table, item: item)
    }
  }

  /// Writes rows that have a uid each: only the changed columns of each.
  private mutating func writeIdentified(_ rows: [Document], of table: DocumentTable, item: Int64?) throws {
    let owner = table.schema.ownerTable
    let owned: SQL =
      if let owner, let column = table.schema.owner {
        "\(identifier: column) IN (SELECT id FROM \(identifier: owner.name) WHERE item_id = \(item))"
      } else {
        item.map { "item_id = \($0)" } ?? "item_id IS NULL"
      }
    if rows.isEmpty {
      try db.run("DELETE FROM \(identifier: table.name) WHERE \(owned)")
      return
    }
    var present = Set(try db.values("SELECT id FROM \(identifier: table.name) WHERE \(owned)", as: Int64.self))
    var known: [(row: Document, id: Int64?)] = []
    for row in rows {
      guard let uid = try Self.uid(of: row, table) else { throw DocumentProblem("a '\(table.name)' has no uid") }
      known.append((row, try uidMap.row(of: uid, in: table.name)))
    }
    present.subtract(known.compactMap(\.id))
    for id in present { try db.run("DELETE FROM \(identifier: table.name) WHERE id = \(id)") }
    // A row that ends is written before the row that takes its place.
    let ended = known.filter { $0.id != nil && table.schema.open?.holds(for: $0.row) != true }
    let others = known.filter { $0.id == nil || table.schema.open?.holds(for: $0.row) == true }
    for (row, id) in ended + others {
      let exists = try id.flatMap { try self.owner(of: $0, in: table.schema) } != nil
      // A loan belongs to the item of its copy.
      if let item, let owner, let number = try number(of: owner.name, in: row, table),
        try self.owner(of: number, in: owner) != item
      {
        continue
      }
      _ = try write(row, of: table, as: id, exists: exists, item: item)
    }
  }

  /// Writes rows without a uid: inserts the new ones and deletes the others.
  private mutating func writeList(_ rows: [Document], of table: DocumentTable, item: Int64?) throws {
    guard let item else { return }
    if rows.isEmpty {
      try db.run("DELETE FROM \(identifier: table.name) WHERE item_id = \(item)")
      return
    }
    let columns = table.columns
    let wanted = try Self.distinct(rows, by: table.schema.merge).map {
      try values(of: $0, table, [(TableSchema.item, .integer(item))])
    }
    let present = try db.all(
      "SELECT \(table.names) FROM \(identifier: table.name) WHERE item_id = \(item)"
    ) { $0.all }
    func isSame(_ a: [Value], _ b: [Value]) -> Bool { zip(a, b).allSatisfy { $0.isSame(as: $1) } }
    for row in present where !wanted.contains(where: { isSame($0, row) }) {
      let condition = zip(columns, row).map { "\(identifier: $0.0.name) IS \($0.1)" as SQL }.joined(separator: " AND ")
      try db.run("DELETE FROM \(identifier: table.name) WHERE \(condition)")
    }
    for row in wanted where !present.contains(where: { isSame($0, row) }) {
      // An external id may have moved from another item.
      _ = try insert(row, into: table, as: table.name == "external_id" ? "INSERT OR REPLACE" : "INSERT")
    }
  }

  /// The rows with each genre, tag or label once, in any spelling, and their positions without gaps.
  private static func distinct(_ rows: [Document], by rule: TableSchema.MergeRule) -> [Document] {
    var seen = Set<[String]>()
    let some = rows.filter { row in
      let key = rule.key(of: row)
      return key.isEmpty || seen.insert(key).inserted
    }
    return some.count == rows.count ? rows : some.enumerated().map { $1.placed($0 + 1) }
  }

  /// Writes one row and returns its number.
  /// - Parameter id: its present or former number; nil for a new row.
  mutating func write(
    _ row: Document, of table: DocumentTable, as id: Int64?, exists: Bool, item: Int64? = nil
  ) throws -> Int64 {
    let key = table.isSingle && table.name != "item" ? "item_id" : "id"
    let item = table.isSingle ? id : item
    let given = [
      (column: key, value: id.map(Value.integer) ?? .null), (TableSchema.item, item.map(Value.integer) ?? .null),
    ]
    let values = try values(of: row, table, given)
    // Another row that refers to the same card loses the reference first.
    for link in table.schema.links where link.isExclusive {
      guard let other = zip(table.columns, values).first(where: { $0.0.name == link.column })?.1, other != .null else {
        continue
      }
      let column: SQL = "\(identifier: link.column)"
      try db.run(
        """
        UPDATE \(identifier: table.name) SET \(column) = NULL
        WHERE \(column) = \(other) AND id IS NOT \(exists ? id : nil)
        """)
    }
    guard exists, let id else { return try insert(row, of: table, values) }
    let present = try db.one(
      "SELECT \(table.names) FROM \(identifier: table.name) WHERE \(identifier: key) = \(id)"
    ) { $0.all }
    let changes = zip(zip(table.columns, values), present ?? []).filter { new, old in
      !new.1.isSame(as: old) && !(new.0.hasStandard && new.1 == .null)
    }.map(\.0)
    if !changes.isEmpty {
      let sets = changes.map { "\(identifier: $0.0.name) = \($0.1)" as SQL }.joined(separator: ", ")
      try db.run("UPDATE \(identifier: table.name) SET \(sets) WHERE \(identifier: key) = \(id)")
    }
    return id
  }

  private mutating func values(of row: Document, _ table: DocumentTable, _ given: Given) throws -> [Value] {
    try table.columns.map { try value(of: $0, in: row, table, given) }
  }

  private mutating func value(
    of column: DocumentTable.Column, in row: Document, _ table: DocumentTable, _ given: Given
  ) throws -> Value {
    if let given = given.first(where: { $0.column == column.name }) { return given.value }
    guard let value = row[column.key], value != .null else { return .null }
    if column.identified != nil {
      guard let number = try number(of: column.key, in: row, table) else { return .null }
      // A row cannot refer to a card of another item.
      if let link = table.schema.links.first(where: { $0.column == column.name }),
        let other = TableSchema.named(link.table),
        case .integer(let item)? = given.first(where: {
          $0.column == TableSchema.item
        })?.value, try owner(of: number, in: other) != item
      {
        return .null
      }
      return .integer(number)
    }
    if let naming = column.naming { return .integer(try names.number(of: value, by: naming)) }
    return try value.value(of: column, in: table)
  }

  /// The number of the row that a column refers to by its uid; nil for none.
  private func number(of key: String, in row: Document, _ table: DocumentTable) throws -> Int64? {
    guard let value = row[key], value != .null else { return nil }
    guard let uid = value.text, let other = table.columns.first(where: { $0.key == key })?.identified,
      let number = try uidMap.row(of: uid, in: other)
    else { throw Self.isNowhere(key, of: table.name) }
    return number
  }

  static func isNowhere(_ key: String, of table: String) -> DocumentProblem {
    DocumentProblem("the '\(key)' of a '\(table)' does not exist")
  }

  private mutating func writeCover(_ row: Document, of table: DocumentTable, item: Int64?, exists: Bool) throws {
    guard let item, let digest = row[DocumentTable.digest]?.text else { return }
    let ending = Document.ending(ofCover: row)
    let present = try db.value("SELECT sha256 FROM cover_digest WHERE item_id = \(item)", as: String.self)
    var bytes: [UInt8]?
    if present != digest {
      // Missing bytes remove no cover.
      guard let found = try store.cover(digest: digest) ?? cover(digest, ending),
        SHA256.hexadecimal(of: found) == digest
      else {
        return
      }
      bytes = found
    }
    let columns = table.columns.filter { $0.name != "item_id" && !$0.isDigest }
    let values = try columns.map { try value(of: $0, in: row, table, []) }
    if let bytes {
      let names = columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
      try db.run("DELETE FROM cover WHERE item_id = \(item)")
      try db.run("INSERT INTO cover (item_id, bytes, \(names)) VALUES (\(item), \(bytes), \(list: values))")
      try db.run("INSERT OR REPLACE INTO cover_digest (item_id, sha256) VALUES (\(item), \(digest))")
    } else {
      let sets = zip(columns, values).map { "\(identifier: $0.0.name) = \($0.1)" as SQL }.joined(separator: ", ")
      try db.run("UPDATE cover SET \(sets) WHERE item_id = \(item)")
    }
  }

  /// The item of a row, 0 for none; nil if the row does not exist.
  private func owner(of row: Int64, in table: TableSchema) throws -> Int64? {
    let name: SQL = "\(identifier: table.name)"
    let joined: SQL =
      if let owner = table.ownerTable?.name, let column = table.owner {
        " JOIN \(identifier: owner) ON \(identifier: owner).id = \(name).\(identifier: column)"
      } else {
        ""
      }
    return try db.value("SELECT coalesce(item_id, 0) FROM \(name)\(joined) WHERE \(name).id = \(row)", as: Int64.self)
  }
}
