import CatalogModel
import SQLite
import Testing

@testable import CatalogStore

struct SearchIndexTests {
  let store: Store
  let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws { store = try Store.empty() }

  /// Adds two items with text in every searched field.
  private func fill() throws {
    for number in 1...2 {
      var book = Book()
      book.isbn = number == 1 ? try ISBN("9788936434120") : nil
      var record = Record(kind: .book, title: "소년이 온다 \(number)", details: .book(book))
      record.originalTitle = "Human Acts"
      record.otherTitles = ["Actes humains"]
      record.credits = [Credit(name: "한강", role: .author), Credit(name: "Deborah Smith", role: .translator)]
      var vinyl = Vinyl()
      vinyl.catalogNumber = "CL \(number)"
      vinyl.barcode = "502949924141\(number)"
      vinyl.tracks = [Track(position: "A1", title: "All I Want"), Track(position: "A2", title: "봄날")]
      var blue = Record(kind: .vinyl, title: "Blue \(number)", details: .vinyl(vinyl))
      blue.credits = [Credit(name: "Miles Davis", role: .artist)]
      let records = [(record: record, genres: ["Classics", "Fiction"]), (record: blue, genres: ["Jazz", "Fiction"])]
      for (record, genres) in records {
        let id = try store.add(record, genres: genres, now: now).id
        _ = try store.addCard(to: id, rating: nil, comment: "Never gets old, \(number)", now: now)
        _ = try store.addCard(to: id, rating: Rating("4"), comment: nil, now: now)
      }
    }
  }

  @Test func `the search text of one item is read without a table scan`() throws {
    let plan = try store.db.all("EXPLAIN QUERY PLAN SELECT * FROM item_text WHERE item_id = 1") {
      try $0.get("detail", as: String.self)
    }
    #expect(plan.count > 10)
    let scans = plan.filter { $0.hasPrefix("SCAN") && $0 != "SCAN CONSTANT ROW" && !$0.hasPrefix("SCAN (") }
    #expect(scans == [])
  }

  /// Each word of an index with the items that contain it.
  private func words(_ table: SQL) throws -> Set<String> {
    try store.db.run("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, \(table), instance)")
    defer { _ = try? store.db.run("DROP TABLE temp.vocabulary") }
    return Set(try store.db.values("SELECT term || ' ' || doc FROM temp.vocabulary", as: String.self))
  }

  @Test(arguments: [
    "UPDATE item SET title = 'Red' WHERE id = 2", "UPDATE item SET original_title = NULL",
    "UPDATE item SET other_titles = NULL WHERE id = 1", "UPDATE item SET other_titles = 'Blau' || char(10) || '푸른'",
    "REPLACE INTO item (id, kind, title, created_at, updated_at) VALUES (2, 'vinyl', 'Red', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')",
    "DELETE FROM item WHERE id = 1", "UPDATE book SET isbn13 = NULL", "DELETE FROM book",
    "REPLACE INTO book (item_id, isbn13) VALUES (1, NULL)", "UPDATE vinyl SET barcode = '1' WHERE item_id = 2",
    "DELETE FROM vinyl", "UPDATE credit SET item_id = 3, position = 7 WHERE item_id = 1 AND position = 1",
    "REPLACE INTO credit (item_id, position, person_id, role) VALUES (1, 1, 2, 'author')", "DELETE FROM credit",
    "UPDATE person SET name = 'Han Kang' WHERE name = '한강'", "DELETE FROM item_genre WHERE item_id = 2",
    "UPDATE item_genre SET item_id = 3, position = 5 WHERE item_id = 2 AND position = 1",
    "REPLACE INTO item_genre VALUES (1, 1, 3)", "UPDATE genre SET name = 'Novel' WHERE name = 'Fiction'",
    "DELETE FROM genre WHERE name = 'Fiction'",
    "REPLACE INTO genre (id, name, key) SELECT id, 'Novel', 'novel' FROM genre WHERE name = 'Fiction'",
    "DELETE FROM item", "UPDATE card SET comment = 'again'", "UPDATE card SET comment = 'first' WHERE id = 2",
    "UPDATE card SET comment = NULL, rating = 10, scale = 'half' WHERE id = 1",
    "UPDATE card SET item_id = 3 WHERE id = 1",
    "DELETE FROM card WHERE id = 1", "DELETE FROM card", "UPDATE card SET rating = 20 WHERE id = 2",
    """
    REPLACE INTO card (id, item_id, comment, created_at, updated_at)
    VALUES (1, 2, 'Moved', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
    """,
    "INSERT INTO card (item_id, comment, created_at, updated_at) VALUES (2, 'New', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')",
    "UPDATE track SET title = 'Carey' WHERE item_id = 2 AND number = 2", "DELETE FROM track WHERE item_id = 2",
    "REPLACE INTO track VALUES (2, 1, 'A1', 'California', NULL)", "INSERT INTO track VALUES (4, 3, 'B1', '강', 200)",
    "UPDATE track SET number = number + 10", "UPDATE item SET title = 'Red'; UPDATE card SET comment = 'Red'",
    "UPDATE item SET title = title || '!'; UPDATE item SET title = 'Blue'; DELETE FROM item WHERE id = 2",
    """
    INSERT INTO item (id, kind, title, created_at, updated_at)
    VALUES (9, 'movie', 'Gone at once', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
    DELETE FROM item WHERE id = 9
    """,
    """
    DELETE FROM item WHERE id = 2;
    INSERT INTO item (id, kind, title, created_at, updated_at)
    VALUES (2, 'movie', 'In its place', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
    """,
  ])
  func `the search index follows every change by another program`(_ change: String) throws {
    try fill()
    try store.db.execute(script: Array(change.utf8))
    try store.refreshIndex()
    for index in SearchIndex.allCases { try expectFresh(index) }
  }

  private func expectFresh(_ index: SearchIndex) throws {
    try store.db.run(
      """
      CREATE VIRTUAL TABLE fresh USING fts5 (words, content = '', columnsize = 0, detail = none,
        tokenize = 'unicode61 remove_diacritics 2')
      """)
    try store.db.forEach("SELECT item_id, \(index.text) FROM item_text") { row in
      try store.db.run(
        "INSERT INTO fresh (rowid, words) VALUES (\(Int(row.integer(0))), \(SearchText.indexed(row.text(1))))")
      return true
    }
    #expect(try words(index.table) == words("fresh"), "\(index)")
    try store.db.run("INSERT INTO \(index.table) (\(index.table)) VALUES ('integrity-check')")
    try store.db.run("DROP TABLE fresh")
  }

  @Test func `an unchanged item is not indexed again`() throws {
    try fill()
    func pages() throws -> String? {
      try store.db.value("SELECT group_concat(id || hex(block)) FROM item_search_data", as: String.self)
    }
    let before = try pages()
    _ = try store.addCard(to: ItemID(rawValue: 1), rating: nil, comment: "And again", now: now)
    #expect(try pages() == before)
    #expect(try store.search("again").count == 1)
  }

  @Test func `comments can be removed and indexed again`() throws {
    try fill()
    for comment in ["again", "and again"] {
      try store.write { try store.db.run("DELETE FROM card") }
      try expectFresh(.own)
      _ = try store.addCard(to: ItemID(rawValue: 1), rating: nil, comment: comment, now: now)
      try expectFresh(.own)
    }
    #expect(try store.search("again") == [ItemID(rawValue: 1)])
  }

  /// The index has no positions, so a word that its tokenizer splits in two could not be found.
  @Test func `query words are split as the index tokenizer splits them`() throws {
    for value in UInt32(0x21)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), let expression = SearchText.expression(for: ["a\(scalar)b"]) else {
        continue
      }
      do {
        _ = try store.db.values("SELECT rowid FROM item_search WHERE item_search MATCH \(expression)", as: Int64.self)
      } catch {
        Issue.record("U+\(String(value, radix: 16)): \(error)")
      }
    }
  }

  @Test(arguments: [
    ("miles davis", "davis", true), ("miles davis", "avis", false), ("davis avis", "avis", true), ("ac/dc", "dc", true),
    ("never gets old", "gets o", true), ("forever, ever", "ever", true), ("해리 포터", "터", true),
    ("(500) days", "(500", true),
    ("x", "xy", false), ("", "x", false), ("x", "", true), ("lp33", "33", false), ("bts방탄", "방탄", true),
  ])
  func `a part of a text is found from the start of a word`(_ text: String, _ part: String, _ stands: Bool) {
    #expect(SearchText.hasWords(text, part) == stands)
  }

  @Test func `a bulk insert leaves the same schema as single inserts`() throws {
    let schema: SQL = "SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)"
    let before = try store.db.value(schema, as: String.self)
    let records = (1...1_500).map { (record: Record(kind: .movie, title: "Night \($0)"), genres: ["Drama"]) }
    #expect(try store.addAll(records.map { ($0.record, $0.genres) }, now: now) == 1_500)
    #expect(try store.db.value(schema, as: String.self) == before)
    #expect(try !store.hasPendingText())
    #expect(try store.search("night 1499").count == 1)
  }

  @Test func `detail rows must belong to an item of their kind`() throws {
    try fill()
    #expect(throws: SQLiteError.self) { try store.db.run("INSERT INTO movie (item_id) VALUES (1)") }
    #expect(throws: SQLiteError.self) { try store.db.run("UPDATE vinyl SET item_id = 1 WHERE item_id = 2") }
    #expect(throws: SQLiteError.self) { try store.db.run("UPDATE item SET kind = 'movie' WHERE id = 1") }
    #expect(throws: SQLiteError.self) { try store.db.run("INSERT INTO book (item_id) VALUES (99)") }
  }
}
