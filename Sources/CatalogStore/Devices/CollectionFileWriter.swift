internal import CatalogModel
internal import SQLite

/// Makes what hangs on no item what documents say.
struct CollectionFileWriter {
  private let db: Connection
  private let uidMap: UIDMap

  init(_ db: Connection) { (self.db, uidMap) = (db, UIDMap(db)) }

  func writeVocabulary(_ document: Document) throws {
    let rows = document.rows(of: "genre")
    for row in rows {
      guard let name = row["name"]?.text, let key = row["key"]?.text else {
        throw DocumentProblem("a genre has no name")
      }
      try db.run("INSERT INTO genre (name, key) VALUES (\(name), \(key)) ON CONFLICT DO NOTHING")
    }
    // One that was above another may come under it: none is above any before each is where it belongs.
    for row in rows {
      try db.run(
        """
        UPDATE genre SET parent_id = NULL WHERE name = \(row["name"]?.text) AND parent_id IS NOT NULL
          AND parent_id IS NOT (SELECT id FROM genre WHERE name = \(row["parent"]?.text))
        """)
    }
    for row in rows {
      let (name, parent) = (row["name"]?.text, row["parent"]?.text)
      try db.run(
        """
        UPDATE genre SET parent_id = (SELECT id FROM genre WHERE name = \(parent))
        WHERE name = \(name) AND parent_id IS NOT (SELECT id FROM genre WHERE name = \(parent))
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
      let wanted = (row["genres"]?.list ?? []).compactMap(\.text)
      let present = try db.values(
        "SELECT name FROM genre_label_target JOIN genre ON genre.id = genre_id WHERE label_id = \(id) ORDER BY position",
        as: String.self)
      guard wanted != present else { continue }
      try db.run("DELETE FROM genre_label_target WHERE label_id = \(id)")
      for (place, name) in wanted.enumerated() {
        try db.run(
          """
          INSERT INTO genre_label_target (label_id, position, genre_id)
          SELECT \(id), \(place + 1), id FROM genre WHERE name = \(name)
          """)
      }
    }
  }

  /// Removes the genres that a document lacks, unless an item or a label has them.
  func dropGenres(not document: Document) throws {
    let names = Set(document.rows(of: "genre").compactMap { $0["name"]?.text })
    for name in try db.values("SELECT name FROM genre", as: String.self) where !names.contains(name) {
      try db.run(
        """
        DELETE FROM genre WHERE name = \(name) AND id NOT IN (SELECT genre_id FROM item_genre)
          AND id NOT IN (SELECT genre_id FROM genre_label_target)
        """)
    }
  }

  func writeTags(_ document: Document) throws {
    for row in document.rows(of: "tag") {
      try db.run(
        """
        INSERT INTO tag (name, key) VALUES (\(row["name"]?.text), \(row["key"]?.text))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
        """)
    }
  }

  func dropTags(not document: Document) throws {
    let keys = Set(document.rows(of: "tag").compactMap { $0["key"]?.text })
    for key in try db.values("SELECT key FROM tag", as: String.self) where !keys.contains(key) {
      try db.run("DELETE FROM tag WHERE key = \(key) AND id NOT IN (SELECT tag_id FROM item_tag)")
    }
  }

  func writeQueries(_ document: Document) throws {
    let rows = document.rows(of: "saved_query")
    let keys = Set(rows.compactMap { $0["key"]?.text })
    for key in try db.values("SELECT key FROM saved_query", as: String.self) where !keys.contains(key) {
      try db.run("DELETE FROM saved_query WHERE key = \(key)")
    }
    for row in rows {
      try db.run(
        """
        INSERT INTO saved_query (key, name, query) VALUES (\(row["key"]?.text), \(row["name"]?.text), \(row["query"]?.text))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name, query = excluded.query
        WHERE name <> excluded.name OR query <> excluded.query
        """)
    }
  }

  func writePile(_ document: Document) throws {
    guard let row = document.rows(of: "pile").first, let key = row["key"]?.text else {
      throw DocumentProblem("the pile has no name")
    }
    try db.run(
      """
      INSERT INTO pile (name, key) VALUES (\(row["name"]?.text), \(key))
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
    // From the end on: what stands behind a gap moves up.
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
