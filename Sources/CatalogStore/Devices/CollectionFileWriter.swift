internal import CatalogModel
internal import SQLite

/// Writes the files of the tree that are no items.
struct CollectionFileWriter {
  private let db: Connection
  private let uidMap: UIDMap

  init(_ db: Connection) { (self.db, uidMap) = (db, UIDMap(db)) }

  private typealias NamedRow = (name: String, key: String, row: Document)

  /// The rows of a table by their names. Of several spellings of one name, the last in the order of texts counts, as in
  /// a merge.
  private func named(_ table: String, in document: Document) throws -> [NamedRow] {
    var found: [String: (name: String, row: Document)] = [:]
    for row in document.rows(of: table) {
      guard let name = row["name"]?.text else { throw DocumentProblem("a '\(table)' has no name") }
      let key = Folding.nameKey(name)
      if let other = found[key]?.name, !other.utf8.lexicographicallyPrecedes(name.utf8) { continue }
      found[key] = (name, row)
    }
    let rows = found.map { (name: $1.name, key: $0, row: $1.row) }
    return rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Writes a row, or changes the row with the same key.
  private func write(_ values: [(column: String, value: Value)], by key: [String], to table: String) throws {
    let table: SQL = "\(identifier: table)"
    let names = values.map { "\(identifier: $0.column)" as SQL }
    let keys = key.map { "\(identifier: $0)" as SQL }
    let others = names.filter { !keys.contains($0) }
    try db.run(
      """
      INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(list: values.map(\.value)))
      ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE
      SET \(others.map { "\($0) = excluded.\($0)" as SQL }.joined(separator: ", "))
      WHERE \(others.map { "\(table).\($0) IS NOT excluded.\($0)" as SQL }.joined(separator: " OR "))
      """)
  }

  /// Writes the rows that have a name.
  private func write(_ rows: [NamedRow], to table: String) throws {
    for row in rows { try write([("name", .text(row.name)), ("key", .text(row.key))], by: ["key"], to: table) }
  }

  /// Deletes the rows that a document lacks, unless an item or a label has them.
  func drop(from table: String, not document: Document) throws {
    let keys = Set(try named(table, in: document).map(\.key))
    let isUsed: SQL =
      switch table {
      case "genre": "id IN (SELECT genre_id FROM item_genre UNION SELECT genre_id FROM genre_label_target)"
      case "tag": "id IN (SELECT tag_id FROM item_tag)"
      default: "false"
      }
    for key in try db.values("SELECT key FROM \(identifier: table)", as: String.self) where !keys.contains(key) {
      try db.run("DELETE FROM \(identifier: table) WHERE key = \(key) AND NOT \(isUsed)")
    }
  }

  // MARK: Genres and tags

  func writeVocabulary(_ document: Document) throws {
    let genres = try named("genre", in: document)
    try write(genres, to: "genre")
    // A former parent may become a child: all lose their parent before any gets a new one.
    let parents = genres.map { (key: $0.key, parent: $0.row["parent"]?.text.map(Folding.nameKey)) }
    for (key, parent) in parents {
      try db.run(
        """
        UPDATE genre SET parent_id = NULL WHERE key = \(key) AND parent_id IS NOT NULL
          AND parent_id IS NOT (SELECT id FROM genre WHERE key = \(parent))
        """)
    }
    for (key, parent) in parents {
      try db.run(
        """
        UPDATE genre SET parent_id = (SELECT id FROM genre WHERE key = \(parent))
        WHERE key = \(key) AND parent_id IS NOT (SELECT id FROM genre WHERE key = \(parent))
        """)
    }
    for row in document.rows(of: "genre_label") { try writeLabel(row) }
  }

  /// Writes a label and the genres that it means.
  private func writeLabel(_ row: Document) throws {
    func text(_ column: String) -> Value { row[column]?.text.map(Value.text) ?? .null }
    let (source, kind, key) = (text("source"), Value.text(row["kind"]?.text ?? ""), text("key"))
    try write(
      [
        ("source", source), ("kind", kind), ("key", key), ("label", text("label")),
        ("is_known", .integer(row["is_known"]?.integer ?? 1)), ("by_hand", .integer(row["by_hand"]?.integer ?? 0)),
      ], by: ["source", "kind", "key"], to: "genre_label")
    let id = try db.value(
      "SELECT id FROM genre_label WHERE source = \(source) AND kind = \(kind) AND key = \(key)", as: Int64.self)
    let wanted = try (row["genres"]?.list ?? []).compactMap(\.text).compactMap {
      try db.value("SELECT id FROM genre WHERE key = \(Folding.nameKey($0))", as: Int64.self)
    }.withoutRepeats
    let present = try db.values(
      "SELECT genre_id FROM genre_label_target WHERE label_id = \(id) ORDER BY position", as: Int64.self)
    guard wanted != present else { return }
    try db.run("DELETE FROM genre_label_target WHERE label_id = \(id)")
    for (place, genre) in wanted.enumerated() {
      try db.run(
        "INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (\(id), \(place + 1), \(genre))")
    }
  }

  func writeTags(_ document: Document) throws { try write(try named("tag", in: document), to: "tag") }

  // MARK: Queries and piles

  func writeQueries(_ document: Document) throws {
    try drop(from: "saved_query", not: document)
    for (name, key, row) in try named("saved_query", in: document) {
      try write(
        [("key", .text(key)), ("name", .text(name)), ("query", row["query"]?.text.map(Value.text) ?? .null)],
        by: ["key"], to: "saved_query")
    }
  }

  func writePile(_ document: Document) throws {
    guard let pile = try named("pile", in: document).first else { throw DocumentProblem("the pile has no name") }
    try write([pile], to: "pile")
    let id = try db.value("SELECT id FROM pile WHERE key = \(pile.key)", as: Int64.self)
    let wanted = try (document["items"]?.list ?? []).compactMap(\.text).compactMap { uid in
      try uidMap.row(of: uid, in: "item").flatMap {
        try db.value("SELECT id FROM item WHERE id = \($0)", as: Int64.self)
      }
    }.withoutRepeats
    let present = try db.values("SELECT item_id FROM pile_item WHERE pile_id = \(id) ORDER BY position", as: Int64.self)
    guard wanted != present else { return }
    // From the end, since the items behind a gap move up.
    for item in present.reversed() { try db.run("DELETE FROM pile_item WHERE pile_id = \(id) AND item_id = \(item)") }
    for (place, item) in wanted.enumerated() {
      try db.run("INSERT INTO pile_item (pile_id, item_id, position) VALUES (\(id), \(item), \(place + 1))")
    }
  }

  func removePile(_ path: TreePath) throws {
    for key in try db.values("SELECT key FROM pile", as: String.self) where TreePath.pile(key: key) == path {
      try db.run("DELETE FROM pile WHERE key = \(key)")
    }
  }

  func writeRepresentative(_ document: Document) throws {
    let item = try document["representative"]?.text.flatMap { try uidMap.row(of: $0, in: "item") }
    let present = try db.value("SELECT item_id FROM representative", as: Int64.self)
    guard item != present else { return }
    try db.run("DELETE FROM representative")
    if let item {
      try db.run("INSERT INTO representative (only, item_id) SELECT 1, item_id FROM vinyl WHERE item_id = \(item)")
    }
  }
}
