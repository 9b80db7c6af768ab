import CatalogModel
import FoundationEssentials
import SQLite
import Testing

@testable import CatalogStore

/// Tests that a merge moves all rows of two items to one.
struct MergingTests {
  let store: Store
  let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")
  let kept = ItemID(rawValue: 1)
  let gone = ItemID(rawValue: 2)

  init() throws {
    store = try Store.empty()
    try add("Dune", year: 1965, "tmdb:1")
    try add("Düne", year: nil, "pack:2")
    try add("Other", year: nil, "pack:3")
  }

  private func add(_ title: String, year: Int?, _ id: String) throws {
    var record = Record(kind: .vinyl, title: title)
    record.year = year
    let parts = id.split(separator: ":").map(String.init)
    record.externalIDs = [ExternalID(source: parts[0], value: parts[1])]
    try store.add(record, genres: [], isOwned: false, now: now)
  }

  private func run(_ script: String) throws { try store.write { try store.db.execute(script: Array(script.utf8)) } }
  private func values(_ sql: SQL) throws -> [String] { try store.db.values(sql) }

  @discardableResult
  private func merge() throws -> Merging {
    let merging = try store.merge(gone, into: kept, now: now)
    #expect(try store.db.values("PRAGMA foreign_key_check", as: String.self).isEmpty)
    #expect(try !store.exists(gone))
    return merging
  }

  @Test func `merging items moves cards, copies, loans, diary, tags and cover`() throws {
    try run(
      """
      INSERT INTO card (item_id, comment, created_at, updated_at) VALUES (1, 'mine', '\(now)', '\(now)'), (2, 'words', '\(now)', '\(now)');
      INSERT INTO copy (id, item_id, note, created_at) VALUES (1, 2, 'a note', '\(now)');
      INSERT INTO loan (copy_id, person, lent_on) VALUES (1, 'Ann', '2026-01-01');
      INSERT INTO log_entry (item_id, outcome, card_id, created_at) VALUES (2, 'done', 2, '\(now)');
      INSERT INTO tag (id, name, key) VALUES (1, 'a', 'a'), (2, 'b', 'b');
      INSERT INTO item_tag VALUES (1, 1), (2, 1), (2, 2);
      INSERT INTO cover (item_id, bytes, media_type) VALUES (2, x'01', 'image/png');
      INSERT INTO representative VALUES (1, 2);
      """)
    let merging = try merge()
    #expect(
      merging.moves.map { "\($0.count) \($0.thing)" }
        == ["1 cards", "1 copies", "1 log", "1 tags", "1 cover", "1 representative"])
    for table in ["card", "copy", "log_entry", "item_tag", "cover", "representative"] {
      #expect(try values("SELECT DISTINCT CAST(item_id AS TEXT) FROM \(identifier: table)") == ["1"], "\(table)")
    }
    #expect(try values("SELECT person FROM loans WHERE item_id = 1") == ["Ann"])
    #expect(try store.cards(of: kept).map(\.comment) == ["words", "mine"])
  }

  @Test func `merging items combines shared rows, and the kept item's values win`() throws {
    try run(
      """
      INSERT INTO pile (id, name, key) VALUES (1, 'next', 'next'), (2, 'later', 'later');
      INSERT INTO pile_item VALUES (1, 2, 1), (1, 3, 2), (1, 1, 3), (2, 2, 1), (2, 3, 2);
      INSERT INTO wish (item_id, note, price_limit, currency, created_at) VALUES (1, NULL, NULL, NULL, '2026-02-01T00:00:00Z');
      INSERT INTO wish (item_id, note, price_limit, currency, created_at) VALUES (2, 'mono', 5, 'EUR', '2026-01-01T00:00:00Z');
      INSERT INTO wish (item_id, note, created_at, fulfilled_at) VALUES (2, 'old', '2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z');
      INSERT INTO cover (item_id, bytes, media_type) VALUES (1, x'01', 'image/png'), (2, x'02', 'image/png');
      """)
    try store.favorite(gone, now: Timestamp(rawValue: "2026-01-01T00:00:00Z"))
    try store.favorite(ItemID(rawValue: 3), now: Timestamp(rawValue: "2026-02-01T00:00:00Z"))
    try store.favorite(kept, now: Timestamp(rawValue: "2026-03-01T00:00:00Z"))
    for id in [kept, ItemID(rawValue: 3), gone] { try store.recordView(of: id, now: now) }
    try merge()
    #expect(
      try values("SELECT pile_id || ' ' || item_id || ' ' || position FROM pile_item ORDER BY pile_id, position")
        == ["1 3 1", "1 1 2", "2 1 1", "2 3 2"])
    #expect(
      try values(
        "SELECT coalesce(note, '') || ' ' || coalesce(price_limit, '') || ' ' || created_at FROM wish ORDER BY id")
        == ["mono 5 2026-01-01T00:00:00Z", "old  2025-01-01T00:00:00Z"])
    #expect(try store.cover(of: kept)?.bytes == [1])
    // The first mark of the two, in its place.
    #expect(try store.favorites() == [ItemID(rawValue: 3), kept])
    #expect(try store.item(kept).favoriteSince?.rawValue == "2026-01-01T00:00:00Z")
    #expect(try store.recents().map(\.item) == [kept, ItemID(rawValue: 3)])
    #expect(try store.recents().map(\.title) == ["Dune", "Other"])
  }

  @Test func `merging items fills gaps and keeps known and locked values`() throws {
    try store.change(gone, now: now) { draft in
      (draft.record.year, draft.record.released, draft.record.summary) = (1966, PartialDate("1966-05"), "words")
      draft.record.credits = [Credit(name: "Toto", role: .artist)]
      (draft.record.vinyl.label, draft.record.vinyl.format, draft.record.vinyl.speed) = ("Polydor", "LP", "33 ⅓ RPM")
      draft.record.vinyl.tracks = [Track(position: "A1", title: "Main Title")]
      draft.genres = ["Soundtrack"]
    }
    try run(
      """
      INSERT OR REPLACE INTO field_value VALUES (1, 'label', 'hand', '\(now)', 1), (2, 'format', 'hand', '\(now)', 1),
        (2, 'year', 'hand', '\(now)', 1);
      INSERT INTO item_refresh VALUES (1, 'discogs', '2026-01-01T00:00:00Z'), (2, 'discogs', '2026-02-01T00:00:00Z'),
        (2, 'tmdb', '2026-03-01T00:00:00Z');
      """)
    let merging = try merge()
    #expect(
      merging.fields.map(\.field.key)
        == ["creator", "genres", "format", "speed", "tracks", "external_ids", "description"])
    let item = try store.item(kept)
    #expect(item.record.title == "Dune")
    #expect(item.record.year == 1965)
    #expect(item.record.released == nil)
    #expect(item.record.creators == ["Toto"])
    #expect(item.genres == ["Soundtrack"])
    #expect(item.record.summary == "words")
    #expect(item.record.vinyl.label == nil)
    #expect(item.record.vinyl.format == "LP")
    #expect(item.record.vinyl.tracks.map(\.title) == ["Main Title"])
    // Typed values of both items stay typed.
    #expect(
      try values("SELECT field FROM field_value WHERE item_id = 1 AND is_locked ORDER BY field")
        == ["creator", "description", "format", "label", "speed", "tracks"])
    #expect(
      try values("SELECT source || ' ' || substr(asked_at, 1, 7) FROM item_refresh WHERE item_id = 1 ORDER BY source")
        == ["discogs 2026-02", "tmdb 2026-03"])
  }

  @Test func `external ids of a merged item find the kept item, and its number is not used again`() throws {
    try merge()
    #expect(try store.itemID(of: ExternalID(source: "pack", value: "2")) == kept)
    #expect(try store.itemID(of: ExternalID(source: "tmdb", value: "1")) == kept)
    #expect(try store.add(Record(kind: .vinyl, title: "New"), now: now).id == ItemID(rawValue: 4))
  }

  @Test func `merging items joins their editions`() throws {
    for number in 4...6 { try add("Title \(number)", year: nil, "pack:\(number)") }
    func ids(_ numbers: Int64...) -> [ItemID] { numbers.map(ItemID.init) }
    _ = try store.joinEditions(ids(2, 3, 4))
    _ = try store.joinEditions(ids(5, 1))
    let merging = try merge()
    #expect(merging.moves == [Merging.Move(thing: .editions, count: 2)])
    #expect(try store.editions(of: kept) == ids(3, 4, 5))
    // Two editions of one work that are one.
    #expect(try store.merge(ids(5)[0], into: kept, now: now).moves.isEmpty)
    #expect(try store.editions(of: kept) == ids(3, 4))
  }

  @Test func `words of both merged items find the kept item`() throws {
    _ = try store.addCard(to: gone, rating: nil, comment: "sandworms", now: now)
    try merge()
    #expect(try store.search("sandworms") == [kept])
    #expect(try store.search("Düne") == [kept])
    let findings = try store.examine(now: Date(timeIntervalSince1970: 1_795_253_400))
    #expect(findings.filter { $0.state == .wrong }.isEmpty)
  }

  @Test func `merging another kind, itself, a changed or a removed item is rejected`() throws {
    let movie = try store.add(Record(kind: .movie, title: "Dune"), now: now).id
    #expect(throws: CatalogError.otherKind(kept, movie)) { try store.merge(movie, into: kept, now: now) }
    #expect(throws: CatalogError.sameItem(kept)) { try store.merge(kept, into: kept, now: now) }
    let seen = try store.merging(gone, into: kept)
    _ = try store.addCard(to: gone, rating: nil, comment: "meanwhile", now: now)
    #expect(throws: CatalogError.changedMeanwhile) { try store.merge(gone, into: kept, seen: seen, now: now) }
    try store.remove([gone])
    #expect(throws: CatalogError.noItem(gone)) { try store.merge(gone, into: kept, seen: seen, now: now) }
  }

  @Test func `every table with items is handled by a merge`() throws {
    let tables = try store.db.values(
      """
      SELECT DISTINCT m.name FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f
      WHERE m.type = 'table' AND f."from" IN ('item_id', 'work_id') ORDER BY m.name
      """, as: String.self)
    // The rows of fields and editions are not moved one by one.
    let others = [
      "book", "credit", "edition_of", "field_value", "item_genre", "item_label", "item_refresh", "movie",
      "recently_viewed", "track", "vinyl",
      // It follows the cover.
      "cover_digest",
    ]
    #expect(Set(tables) == Set(TableSchema.recorded.filter(\.movesInMerges).map(\.name) + others))
  }

  @Test func `every reference between rows is covered by an index`() throws {
    let links = try store.db.all(
      """
      SELECT m.name, f."from" FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f
      WHERE m.type = 'table' AND f."table" IN ('item', 'book', 'vinyl', 'copy', 'log_entry', 'card', 'cover', 'person')
      """
    ) { (table: try $0.get(at: 0, as: String.self), column: try $0.get(at: 1, as: String.self)) }
    #expect(links.count > 20)
    // A genre has one of these at most.
    for (table, column) in links where table != "representative" {
      let plan = try store.db.all(
        "EXPLAIN QUERY PLAN SELECT 1 FROM \(identifier: table) WHERE \(identifier: column) = 1"
      ) { try $0.get("detail", as: String.self) }
      #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(table).\(column): \(plan)")
    }
  }
}
