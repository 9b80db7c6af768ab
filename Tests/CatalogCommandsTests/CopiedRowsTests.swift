import CatalogModel
import CommandLineKit
import FoundationEssentials
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that rows copied for another thread are written like the rows themselves.
struct CopiedRowsTests {
  @Test(arguments: [0, 1, 199, 200, 201, 1_234])
  func `JSON of a long list is the same written in batches as row by row`(count: Int) throws {
    let catalog = try TestCatalog()
    let now = Timestamp(rawValue: "2026-01-01T00:00:00Z")
    let records = (0..<count).map { number -> (record: Record, genres: [String]?) in
      let kind = Kind.shelved[number % 3]
      var record = Record(kind: kind, title: number % 7 == 0 ? "제목 \"\(number)\"\n\u{1B}" : "Title \(number)")
      record.year = number % 5 == 0 ? nil : 1900 + number % 100
      record.credits = (0..<number % 4).map {
        // The second is not named beside the title.
        Credit(name: "Person \($0)", role: $0 == 1 ? .translator : Credit.Role(main: kind))
      }
      return (record, number % 2 == 0 ? ["Jazz", "Bebop"] : nil)
    }
    _ = try catalog.store.addAll(records, now: now)
    for id in try catalog.store.ids(Query()) where id.rawValue % 6 == 0 {
      _ = try catalog.store.addCard(to: id, rating: Rating("4.5"), comment: "again", now: now)
      if id.rawValue % 12 == 0 { _ = try catalog.store.addCard(to: id, rating: Rating("20%"), comment: nil, now: now) }
      if id.rawValue % 18 == 0 { _ = try catalog.store.addCard(to: id, rating: nil, comment: "and again", now: now) }
      if id.rawValue % 5 == 0 { try catalog.store.setCover(Cover(bytes: [1], mediaType: "image/png"), of: id) }
      if id.rawValue % 4 == 0 { _ = try catalog.store.favorite(id, now: now) }
    }
    // Another program counts as it likes, and leaves gaps.
    try catalog.store.db.run("DELETE FROM item WHERE id IN (4, 5, 6)")
    for id in count > 200 ? [-3, 0] : [] {
      try catalog.store.db.run(
        """
        INSERT INTO item (id, kind, title, created_at, updated_at)
        VALUES (\(id), 'book', 'Before all', \(now.rawValue), \(now.rawValue))
        """)
      try catalog.store.db.run("INSERT INTO item_genre (item_id, position, genre_id) VALUES (\(id), 1, 1)")
    }
    let context = Context(
      terminal: Terminal(), output: .memory(), errors: .memory(), places: catalog.places, now: { Date() },
      openStore: { _ in catalog.store }, http: catalog.http,
      results: LastResults(load: { [] }, save: { _ in true }))
    let listing = Listing(query: Query(), fields: Field.listed(of: nil), order: [ListingOrder(.id)])
    _ = try listing.write(as: .format(.json), from: catalog.store, in: context)
    let output = Output.memory()
    try listing.writeLongJSON(from: catalog.store, to: output)
    #expect(output.text == context.output.text)
    let left = count + (count > 200 ? 2 : 0) - (count >= 6 ? 3 : 0)
    #expect(output.text.split(separator: "},{").count == max(left, 1))
  }
}
