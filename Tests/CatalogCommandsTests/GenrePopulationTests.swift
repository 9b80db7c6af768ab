import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests of which items a genre report is about, and by which dates: docs/genres.md, "Of what, and when".
struct GenrePopulationTests {
  let catalog: TestCatalog
  private var store: Store { catalog.store }

  init() throws { catalog = try TestCatalog() }

  @discardableResult
  private func add(_ kind: Kind, _ title: String, on day: String, _ genres: String...) throws -> ItemID {
    try store.add(Record(kind: kind, title: title), genres: genres, now: Timestamp(rawValue: "\(day)T10:00:00Z")).id
  }

  private func log(_ id: ItemID, on day: String?) throws {
    _ = try store.log(
      Occasion(.done, endedOn: day.flatMap { PartialDate($0) }, isUndated: day == nil), of: id, now: catalog.clock)
  }

  /// The date of each item in the report, by its number.
  private func dates(_ population: GenrePopulation? = nil) throws -> [Int64: Int32] {
    let (_, scope) = try store.genreScope(population, Query())
    var dates: [Int64: Int32] = [:]
    for id in try store.db.values("SELECT id FROM item", as: Int64.self) {
      if let place = scope.members.place(of: id), scope.members[place].date >= 0 {
        dates[id] = scope.members[place].date
      }
    }
    return dates
  }

  /// The same in the view.
  private func view() throws -> [Int64: Int32] {
    let rows = try store.db.all("SELECT id, ifnull(came, '') FROM taste") {
      (try $0.get(at: 0, as: Int64.self), try $0.get(at: 1, as: String.self))
    }
    return Dictionary(
      uniqueKeysWithValues: rows.map { id, came in (id, Array(came.utf8).withUnsafeBufferPointer(GenreScope.date)) })
  }

  @Test func `of a kind that the diary tells of, what was watched counts by its last day`() throws {
    for number in 1...8 { try add(.movie, "Film \(number)", on: "2026-01-01", "Drama") }
    try log(ItemID(rawValue: 1), on: "2024-03-01")
    try log(ItemID(rawValue: 1), on: "2025-03-01")
    try log(ItemID(rawValue: 2), on: nil)
    try add(.book, "Book", on: "2023-05-06", "Fiction")
    #expect(try dates() == [1: 20_250_301, 2: 0, 9: 20_230_506])
    #expect(try view() == dates())
  }

  @Test func `a diary of less than a quarter of a kind does not decide`() throws {
    for number in 1...9 { try add(.movie, "Film \(number)", on: "2026-01-01", "Drama") }
    for number in 1...2 { try log(ItemID(rawValue: Int64(number)), on: "2024-03-01") }
    #expect(try dates().count == 9)
    #expect(try dates()[1] == 20_260_101)
    #expect(try view() == dates())
  }

  @Test func `--of names another population`() throws {
    for number in 1...3 { try add(.vinyl, "Record \(number)", on: "2026-01-01", "Jazz") }
    try store.db.run("DELETE FROM copy WHERE item_id = 3")
    try store.db.run("UPDATE copy SET acquired_on = '2019-02' WHERE item_id = 2")
    catalog.run("rate", "3", "4")
    try log(ItemID(rawValue: 1), on: "2025-03-01")
    #expect(try dates(.watched) == [1: 20_250_301])
    #expect(try dates(.owned) == [1: 20_260_101, 2: 20_190_200])
    #expect(try dates(.rated) == [3: 20_261_121])
    #expect(try dates(.all).count == 3)
  }

  @Test func `the moment of an import dates nothing`() throws {
    try add(.movie, "Heat", on: "2026-01-01", "Crime")
    try add(.movie, "Ronin", on: "2026-02-01", "Crime")
    try store.db.run("INSERT INTO import_batch (format, file, at) VALUES ('x', 'x', '2026-01-01T10:00:00Z')")
    #expect(try dates() == [1: 0, 2: 20_260_201])
    #expect(try view() == dates())
  }

  @Test func `a day on which a hundred items of a kind came dates nothing`() throws {
    for number in 1...100 { try add(.movie, "Film \(number)", on: "2026-01-01", "Drama") }
    for number in 1...99 { try add(.book, "Book \(number)", on: "2026-01-01", "Drama") }
    #expect(try dates()[1] == 0)
    #expect(try dates()[101] == 20_260_101)
    #expect(try view() == dates())
    // A query that selects some of them changes nothing.
    let few = try store.genreReport(store.query(["title:\"Film 1\""], now: catalog.now), now: catalog.now)
    #expect(few.parts.map(\.dated) == [0])
  }

  @Test func `editions of one work count once, the one that was read or rated`() throws {
    try add(.book, "Dune", on: "2020-01-01", "Science Fiction")
    try add(.book, "Dune (new)", on: "2021-01-01", "Science Fiction")
    try add(.book, "Dune (old)", on: "2022-01-01", "Science Fiction")
    try store.addEdition(ItemID(rawValue: 2), to: ItemID(rawValue: 1))
    try store.addEdition(ItemID(rawValue: 3), to: ItemID(rawValue: 1))
    #expect(try dates() == [1: 20_200_101])
    catalog.run("rate", "3", "4")
    #expect(try dates() == [3: 20_220_101])
    #expect(try view() == dates())
    #expect(try dates(.owned).count == 3)
  }

  @Test func `wishes are in no report`() throws {
    try add(.movie, "Heat", on: "2026-01-01", "Crime")
    try add(.movie, "Ronin", on: "2026-02-01", "Crime")
    catalog.run("wish", "2")
    #expect(try dates() == [1: 20_260_101])
    #expect(try view() == dates())
  }

  @Test func `the heading names what the report is about`() throws {
    for number in 1...4 {
      let id = try add(.movie, "Film \(number)", on: "2026-01-01", "Drama")
      try log(id, on: "202\(number)-03-01")
    }
    try add(.vinyl, "Record", on: "2019-01-01", "Jazz")
    catalog.atTerminal()
    #expect(
      catalog.run("--no-pager", "genres").output.hasPrefix(
        "Genres  4 movies watched since 2021 · 1 record on the shelf since 2019\n"))
    #expect(
      catalog.run("--no-pager", "genres", "--of", "owned").output.hasPrefix("Genres  1 record owned since 2019\n"))
  }
}
