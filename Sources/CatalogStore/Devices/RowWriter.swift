internal import CatalogModel
internal import SQLite

/// Writes the rows of documents into the catalog. Equal rows are not touched.
struct RowWriter {
  private let store: Store
  private var db: Connection { store.db }
  private let uidMap: UIDMap
  private var names: NamedRows
  private let cover: (_ digest: String, _ ending: String) throws -> [UInt8]?

  /// - Parameter cover: reads the bytes of a cover by its digest and file ending; nil if they are missing.
  init(_ store: Store, cover: @escaping (_ digest: String, _ ending: String) throws -> [UInt8]?) {
    (self.store, self.cover) = (store, cover)
    uidMap = UIDMap(store.db)
    names = NamedRows(store.db, form: .portable)
  }

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
    var known: [(row: Document, uid: String, id: Int64?)] = []
    for row in rows {
      guard let uid = row[DocumentTable.uid]?.text, UUIDv7.isOne(uid) else {
        throw DocumentProblem("a '\(table.name)' has no uid")
      }
      known.append((row, uid, try uidMap.row(of: uid, in: table.name)))
    }
    present.subtract(known.compactMap(\.id))
    for id in present { try db.run("DELETE FROM \(identifier: table.name) WHERE id = \(id)") }
    // A row that ends is written before the row that takes its place.
    let ended = known.filter { $0.id != nil && table.schema.open?.holds(for: $0.row) != true }
    let others = known.filter { $0.id == nil || table.schema.open?.holds(for: $0.row) == true }
    for (row, uid, id) in ended + others {
      let exists = try id.flatMap { try self.owner(of: $0, in: table.schema) } != nil
      // A loan belongs to the item of its copy.
      if let item, let owner, let number = try number(of: owner.name, in: row, table),
        try self.owner(of: number, in: owner) != item
      {
        continue
      }
      let number = try write(row, of: table, as: id, exists: exists, item: item)
      if id == nil { try uidMap.assign(number, of: table.name, uid) }
    }
  }

  /// Writes rows without a uid: inserts the new ones and deletes the others.
  private mutating func writeList(_ rows: [Document], of table: DocumentTable, item: Int64?) throws {
    guard let item else { return }
    if rows.isEmpty {
      try db.run("DELETE FROM \(identifier: table.name) WHERE item_id = \(item)")
      return
    }
    let (columns, names) = (table.columns, table.names)
    let wanted = try Self.distinct(rows, by: table.schema.merge).map { row in
      try columns.map { try value(of: $0, in: row, table, item: item) }
    }
    let present = try db.all(
      "SELECT \(names) FROM \(identifier: table.name) WHERE item_id = \(item)"
    ) { $0.all }
    func isSame(_ a: [Value], _ b: [Value]) -> Bool { zip(a, b).allSatisfy { $0.isSame(as: $1) } }
    for row in present where !wanted.contains(where: { isSame($0, row) }) {
      let condition = zip(columns, row).map { "\(identifier: $0.0.name) IS \($0.1)" as SQL }.joined(separator: " AND ")
      try db.run("DELETE FROM \(identifier: table.name) WHERE \(condition)")
    }
    for row in wanted where !present.contains(where: { isSame($0, row) }) {
      // An external id may have moved from another item.
      let verb: SQL = table.name == "external_id" ? "INSERT OR REPLACE" : "INSERT"
      try db.run("\(verb) INTO \(identifier: table.name) (\(names)) VALUES (\(list: row))")
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
    let columns = table.columns.filter { $0.name != key }
    let values = try columns.map { try value(of: $0, in: row, table, item: table.isSingle ? id : item) }
    // Another row that refers to the same card loses the reference first.
    for link in table.schema.links where link.isExclusive {
      guard let other = zip(columns, values).first(where: { $0.0.name == link.column })?.1, other != .null else {
        continue
      }
      let column: SQL = "\(identifier: link.column)"
      try db.run(
        """
        UPDATE \(identifier: table.name) SET \(column) = NULL
        WHERE \(column) = \(other) AND id IS NOT \(exists ? id : nil)
        """)
    }
    if exists, let id {
      let names = columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
      let present =
        columns.isEmpty
        ? []
        : try db.one("SELECT \(names) FROM \(identifier: table.name) WHERE \(identifier: key) = \(id)") { $0.all } ?? []
      let changes = zip(zip(columns, values), present).filter {
        !$0.0.1.isSame(as: $0.1) && !($0.0.0.hasStandard && $0.0.1 == .null)
      }.map(\.0)
      if !changes.isEmpty {
        let sets = changes.map { "\(identifier: $0.0.name) = \($0.1)" as SQL }.joined(separator: ", ")
        try db.run("UPDATE \(identifier: table.name) SET \(sets) WHERE \(identifier: key) = \(id)")
      }
      return id
    }
    let given = zip(columns, values).filter { !($0.0.hasStandard && $0.1 == .null) }
    let names = ([key] + given.map(\.0.name)).map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    try db.run(
      "INSERT INTO \(identifier: table.name) (\(names)) VALUES (\(list: [id.map(Value.integer) ?? .null] + given.map(\.1)))"
    )
    return id ?? db.lastInsertedRowID
  }

  private mutating func value(
    of column: DocumentTable.Column, in row: Document, _ table: DocumentTable, item: Int64?
  ) throws -> Value {
    if column.name == DocumentTable.item { return item.map(Value.integer) ?? .null }
    guard let value = row[column.key], value != .null else {
      return .null
    }
    if column.identified != nil {
      guard let number = try number(of: column.key, in: row, table) else { return .null }
      // A row cannot refer to a card of another item.
      if let link = table.schema.links.first(where: { $0.column == column.name }), let item,
        let other = TableSchema.named(link.table), try owner(of: number, in: other) != item
      {
        return .null
      }
      return .integer(number)
    }
    if let naming = column.naming { return .integer(try names.number(of: value, by: naming)) }
    return try value.value(of: column, in: table, isBytes: false)
  }

  /// The number of the row that a column refers to by its uid; nil for none.
  private func number(of key: String, in row: Document, _ table: DocumentTable) throws -> Int64? {
    guard let value = row[key], value != .null else { return nil }
    guard let uid = value.text, let other = table.columns.first(where: { $0.key == key })?.identified,
      let number = try uidMap.row(of: uid, in: other)
    else { throw Self.isNowhere(key, of: table) }
    return number
  }

  static func isNowhere(_ key: String, of table: DocumentTable) -> DocumentProblem {
    DocumentProblem("the '\(key)' of a '\(table.name)' does not exist")
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
    let values = try columns.map { try value(of: $0, in: row, table, item: item) }
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
