import CatalogModel
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import CatalogStore
@testable import Migrations

/// Tests that a new version's labels change the genres of existing items.
struct LabelUpgradeTests {
  let folder: TemporaryFolder
  let path: String
  private static let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("catalog.db")
  }

  private func open(_ purpose: Store.Purpose = .writing) throws -> (store: Store, notices: [Store.Notice]) {
    var notices: [Store.Notice] = []
    let store = try Store.open(at: path, for: purpose) { notices.append($0) }
    return (store, notices)
  }

  @discardableResult
  private static func add(
    _ kind: Kind, _ source: String, _ labels: [String], genres: [String]? = nil, to store: Store
  ) throws -> ItemID {
    var record = Record(kind: kind, title: "Title")
    (record.labels, record.labelSource) = (labels, source)
    return try store.add(record, genres: genres, now: now).id
  }

  /// Turns the catalog into one of a version with other labels, given by key and former genre.
  private func forget(_ known: [String: String?], in store: Store) throws {
    for (key, name) in known {
      let id = try #require(try store.db.value("SELECT id FROM genre_label WHERE key = \(key)", as: Int64.self))
      try store.db.run("DELETE FROM genre_label_target WHERE label_id = \(id)")
      guard let name else { continue }
      let genre = try GenreLabels(store.db).genre(named: name)
      try store.db.run("INSERT INTO genre_label_target VALUES (\(id), 1, \(genre))")
    }
    try store.write {
      let itemGenres = ItemGenres(GenreLabels(store.db))
      try itemGenres.write(itemGenres.changes())
    }
    try store.db.run("UPDATE setting SET value = 'another version' WHERE name = 'labels'")
  }

  @Test func `items follow a new version's labels except for genres chosen by the user`() throws {
    do {
      let store = try open().store
      for labels in [["Funk / Soul"], ["Funk / Soul", "Jazz"], ["Jazz"]] {
        try Self.add(.vinyl, "discogs", labels, to: store)
      }
      try Self.add(.vinyl, "discogs", ["Funk / Soul"], genres: ["Funk"], to: store)
      try Self.add(.vinyl, "discogs", ["Glitch"], to: store)
      try store.apply(.alias("Glitch", source: "discogs", genres: ["Ambient"]))
      try forget(["funksoul": "Funk"], in: store)
      #expect(
        try (1...5).map { try store.genres(of: ItemID(rawValue: $0)) } == [
          ["Funk"], ["Funk", "Jazz"], ["Jazz"], ["Funk"], ["Ambient"],
        ])
    }
    // A command that only reads changes nothing.
    #expect(try open(.reading).store.genres(of: ItemID(rawValue: 1)) == ["Funk"])
    // Most commands that write look first.
    let (store, notices) = try open(.viewing)
    #expect(notices == [.genresFollowed(items: 2)])
    #expect(
      try (1...5).map { try store.genres(of: ItemID(rawValue: $0)) } == [
        ["Soul & R&B"], ["Soul & R&B", "Jazz"], ["Jazz"], ["Funk"], ["Ambient"],
      ])
    #expect(try store.search("soul").count == 2)
    #expect(try open().notices == [])
  }

  @Test func `a label that becomes known replaces the genre made from it`() throws {
    do {
      let store = try open().store
      try Self.add(.vinyl, "discogs", ["Boom Bap"], to: store)
      try Self.add(.vinyl, "discogs", ["Never Heard"], to: store)
      try store.db.run("INSERT INTO genre (name, key) VALUES ('Prog Rock', 'progrock')")
      try Self.add(.vinyl, "discogs", ["Prog Rock"], to: store)
      try store.db.run("UPDATE genre_label SET is_known = 0 WHERE key = 'progrock'")
      try forget(["progrock": "Prog Rock", "boombap": nil], in: store)
      #expect(try store.genres(of: ItemID(rawValue: 3)) == ["Prog Rock"])
    }
    let (store, notices) = try open()
    #expect(notices == [.genresFollowed(items: 2)])
    #expect(try store.genres(of: ItemID(rawValue: 3)) == ["Progressive Rock"])
    #expect(try !store.genreNames().contains("Prog Rock"))
    #expect(try store.genreNames().contains("Never Heard"))
    let unknown = try store.unknownLabels().map(\.label)
    #expect(unknown == ["Never Heard"])
  }

  @Test func `a genre made from a label gets its parent when a version ships it`() throws {
    do {
      let store = try open().store
      try store.db.run("UPDATE genre SET parent_id = NULL WHERE name = 'Volksmusik'")
      try Self.add(.vinyl, "discogs", ["Volksmusik"], to: store)
      try store.db.run("UPDATE genre_label SET is_known = 0")
      try store.db.run("UPDATE setting SET value = 'another version' WHERE name IN ('labels', 'genres')")
    }
    let (store, notices) = try open()
    #expect(notices == [])
    #expect(try store.genreList().first { $0.name == "Volksmusik" }?.ancestors == ["Music", "Folk"])
    #expect(try store.unknownLabels().isEmpty)
  }

  @Test func `concurrent programs upgrade the labels once`() throws {
    do {
      let store = try open().store
      for _ in 0..<200 { try Self.add(.vinyl, "discogs", ["Funk / Soul"], to: store) }
      try forget(["funksoul": "Funk"], in: store)
    }
    let told = Mutex<[Store.Notice]>([])
    let gate = Gate(for: 8)
    let threads = DispatchGroup()
    for _ in 0..<8 {
      threads.enter()
      Thread { [path] in
        gate.pass()
        _ = try? Store.open(at: path, for: .writing) { notice in told.withLock { $0.append(notice) } }
        threads.leave()
      }.start()
    }
    threads.wait()
    #expect(told.withLock { $0 } == [.genresFollowed(items: 200)])
  }

  /// Makes a catalog of the version before labels had kinds.
  private func old(_ script: String) throws {
    let store = Store(db: try Connection(.file(path)), path: path, isWritable: true)
    try store.db.defineQueryFunctions()
    try store.migrate(Array(Migration.all.prefix { $0.name != "label kinds" }))
    let start = """
      INSERT INTO genre (id, name, key) VALUES (1, 'Fiction', 'fiction'), (2, 'Music', 'music'), (3, 'Soul', 'soul'),
        (4, 'Funk', 'funk'), (5, 'Comedy', 'comedy'), (6, 'Crime', 'crime'), (7, 'Film Noir', 'filmnoir'),
        (8, 'Hardcore', 'hardcore'), (9, 'Glitch', 'glitch'), (10, 'Ambient', 'ambient'),
        (11, 'Podcasts & Apps', 'podcastsandapps'), (12, 'Reference', 'reference'), (13, 'Nonfiction', 'nonfiction'), (14, 'Rock', 'rock');
      UPDATE genre SET parent_id = 1 WHERE id IN (5, 6); UPDATE genre SET parent_id = 6 WHERE id = 7;
      UPDATE genre SET parent_id = 11 WHERE id = 12;
      INSERT INTO item (id, kind, title, created_at, updated_at)
        SELECT value, CASE value WHEN 1 THEN 'movie' WHEN 2 THEN 'book' ELSE 'vinyl' END, 'T', '2026-01-01T00:00:00Z',
          '2026-01-01T00:00:00Z' FROM json_each('[1,2,3,4,5]');
      """
    try store.db.execute(script: Array((start + script).utf8))
  }

  @Test func `migrated labels are split by kind and keep the meanings set by the user`() throws {
    try old(
      """
      INSERT INTO genre_label (id, source, key, label, is_known) VALUES (1, 'itunes', 'comedy', 'Comedy', 1),
        (2, 'discogs', 'funksoul', 'Funk / Soul', 1), (3, 'discogs', 'glitch', 'Glitch', 1), (4, 'any', 'mine', 'mine', 1),
        (5, 'discogs', 'hardcore', 'Hardcore', 1), (6, 'discogs', 'rock', 'Rock', 1), (7, 'itunes', 'gone', 'Gone', 0),
        (8, 'discogs', 'mine', 'Mine', 1);
      INSERT INTO genre_label_target VALUES (1, 1, 5), (2, 1, 4), (2, 2, 3), (3, 1, 10), (4, 1, 9), (6, 1, 14),
        (8, 1, 9);
      INSERT INTO item_label VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (3, 2, 2), (4, 1, 3), (5, 1, 6), (5, 2, 5), (5, 3, 8);
      INSERT INTO item_genre VALUES (1, 1, 5), (2, 1, 5), (3, 1, 5), (3, 2, 4), (3, 3, 3), (4, 1, 10), (5, 1, 14), (5, 2, 9);
      """)
    let (store, notices) = try open()
    guard case .migrated? = notices.first else { return #expect(Bool(false), "\(notices)") }
    #expect(notices.dropFirst() == [.genresFollowed(items: 2)])
    let genres = try (1...5).map { try store.genres(of: ItemID(rawValue: $0)) }
    #expect(genres[0] == ["Comedy"] && genres[1] == ["Comedy"])
    #expect(genres[2] == ["Comedy & Novelty", "Soul & R&B"])
    #expect(genres[3] == ["Ambient"], "a person said so of Discogs alone")
    #expect(genres[4] == ["Rock", "Hardcore Punk", "Glitch"])
    let rows = try store.db.values(
      "SELECT source || ' ' || kind || ' ' || key || ' ' || by_hand FROM genre_label ORDER BY 1", as: String.self)
    #expect(
      rows == [
        "any  mine 1", "discogs vinyl funksoul 0", "discogs vinyl glitch 1", "discogs vinyl hardcore 0",
        "discogs vinyl mine 1", "discogs vinyl rock 0", "itunes book comedy 0", "itunes movie comedy 0",
        "itunes vinyl comedy 0",
      ])
    let parents = Dictionary(
      uniqueKeysWithValues: try store.genreList().map { ($0.name, $0.ancestors.last) })
    #expect(parents["Reference"] == "Nonfiction")
    #expect(parents["Noir"] == "Crime")
    #expect(parents["Film Noir"] == "Noir")
    #expect(parents["Hardcore Punk"] != nil)
    #expect(parents["Hardcore"] == nil)
    #expect(try store.genre(named: "hardcore") == "Hardcore Punk")
    #expect(try store.db.all("PRAGMA foreign_key_check") { _ in 0 } == [])
  }

  @Test func `genres moved by the user stay in place during an upgrade`() throws {
    try old(
      """
      UPDATE genre SET parent_id = 2 WHERE id IN (7, 12);
      INSERT INTO genre_label (source, key, label) VALUES ('any', 'noir', 'noir');
      """)
    let store = try open().store
    let list = try store.genreList()
    #expect(list.first { $0.name == "Reference" }?.ancestors == ["Music"])
    #expect(list.first { $0.name == "Film Noir" }?.ancestors == ["Music"])
    #expect(!list.contains { $0.name == "Noir" })
  }

  @Test func `many items are upgraded in one pass`() throws {
    let store = try Store.empty()
    let records = (0..<3_000).lazy.map { number in
      var record = Record(kind: .vinyl, title: "Title \(number)")
      (record.labels, record.labelSource) = (["Rock", number.isMultiple(of: 3) ? "Funk / Soul" : "Pop"], "discogs")
      return (record: record, genres: [String]?.none)
    }
    #expect(try store.addAll(records, now: Self.now) == 3_000)
    try forget(["funksoul": "Funk"], in: store)
    #expect(try store.takeShipped() == 1_000)
    #expect(try store.takeShipped() == 0)
  }
}
