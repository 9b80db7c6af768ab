internal import CatalogModel
internal import SQLite

/// Writes the files of the tree that are no items.
struct CollectionFileWriter {
  private let db: Connection
  private let uidMap: UIDMap

  init(_ db: Connection) { (self.db, uidMap) = (db, UIDMap(db)) }

  /// The rows of a table by their names. Of several spellings of one name, the last in the order of texts counts, as in
  /// a merge.
  private func named(_ table: String, in document: Document) throws -> [(name: String, key: String, row: Document)] {
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

  func writeVocabulary(_ document: Document) throws {
    let genres = try named("genre", in: document)
    for (name, key, _) in genres {
      try db.run(
        """
        INSERT INTO genre (name, key) VALUES (\(name), \(key))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
        """)
    }
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
    for row in document.rows(of: "genre_label") {
      let label = (
        source: row["source"]?.text, kind: row["kind"]?.text ?? "", key: row["key"]?.text, label: row["label"]?.text
      )
      try db.run(
        """
        INSERT INTO genre_label (source, kind, key, label, is_known, by_hand)
        VALUES (\(label.source), \(label.kind), \(label.key), \(label.label), \(row["is_known"]?.integer ?? 1), \(row["by_hand"]?.integer ?? 0))
        ON CONFLICT (source, kind, key) DO UPDATE SET is_known = excluded.is_known, by_hand = excluded.by_hand,
          label = excluded.label
        WHERE is_known <> excluded.is_known OR by_hand <> excluded.by_hand OR label <> excluded.label
        """)
      let id = try db.value(
        "SELECT id FROM genre_label WHERE source = \(label.source) AND kind = \(label.kind) AND key = \(label.key)",
        as: Int64.self)
      var wanted: [Int64] = []
      for name in (row["genres"]?.list ?? []).compactMap(\.text) {
        let genre = try db.value("SELECT id FROM genre WHERE key = \(Folding.nameKey(name))", as: Int64.self)
        if let genre, !wanted.contains(genre) { wanted.append(genre) }
      }
      let present = try db.values(
        "SELECT genre_id FROM genre_label_target WHERE label_id = \(id) ORDER BY position", as: Int64.self)
      guard wanted != present else { continue }
      try db.run("DELETE FROM genre_label_target WHERE label_id = \(id)")
      for (place, genre) in wanted.enumerated() {
        try db.run(
          "INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (\(id), \(place + 1), \(genre))")
      }
    }
  }

  /// Removes the genres that a document lacks, unless an item or a label has them.
  func dropGenres(not document: Document) throws {
    let keys = Set(try named("genre", in: document).map(\.key))
    for key in try db.values("SELECT key FROM genre", as: String.self) where !keys.contains(key) {
      try db.run(
        """
        DELETE FROM genre WHERE key = \(key) AND id NOT IN (SELECT genre_id FROM item_genre)
          AND id NOT IN (SELECT genre_id FROM genre_label_target)
        """)
    }
  }

  func writeTags(_ document: Document) throws {
    for (name, key, _) in try named("tag", in: document) {
      try db.run(
        """
        INSERT INTO tag (name, key) VALUES (\(name), \(key))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
        """)
    }
  }

  func dropTags(not document: Document) throws {
    let keys = Set(try named("tag", in: document).map(\.key))
    for key in try db.values("SELECT key FROM tag", as: String.self) where !keys.contains(key) {
      try db.run("DELETE FROM tag WHERE key = \(key) AND id NOT IN (SELECT tag_id FROM item_tag)")
    }
  }

  func writeQueries(_ document: Document) throws {
    let queries = try named("saved_query", in: document)
    let keys = Set(queries.map(\.key))
    for key in try db.values("SELECT key FROM saved_query", as: String.self) where !keys.contains(key) {
      try db.run("DELETE FROM saved_query WHERE key = \(key)")
    }
    for (name, key, row) in queries {
      try db.run(
        """
        INSERT INTO saved_query (key, name, query) VALUES (\(key), \(name), \(row["query"]?.text))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name, query = excluded.query
        WHERE name <> excluded.name OR query <> excluded.query
        """)
    }
  }

  func writePile(_ document: Document) throws {
    guard let (name, key, _) = try named("pile", in: document).first else {
      throw DocumentProblem("the pile has no name")
    }
    try db.run(
      """
      INSERT INTO pile (name, key) VALUES (\(name), \(key))
      ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
      """)
    let id = try db.value("SELECT id FROM pile WHERE key = \(key)", as: Int64.self)
    var wanted: [Int64] = []
    for uid in (document["items"]?.list ?? []).compactMap(\.text) {
      guard let item = try uidMap.row(of: uid, in: "item"), !wanted.contains(item),
        try db.value("SELECT 1 FROM item WHERE id = \(item)", as: Int.self) != nil
      else { continue }
      wanted.append(item)
    }
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
