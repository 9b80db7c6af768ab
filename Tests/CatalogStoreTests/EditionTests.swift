import CatalogModel
import SQLite
import Testing

@testable import CatalogStore

/// Which items are editions of one work.
struct EditionTests {
  let store: Store
  let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws {
    store = try Store.empty()
    for number in 1...6 { try store.add(Record(kind: .book, title: "Book \(number)"), now: now) }
    try store.add(Record(kind: .movie, title: "Movie"), now: now)
  }

  private func ids(_ numbers: Int64...) -> [ItemID] { numbers.map(ItemID.init) }
  private func editions(of id: Int64) throws -> [Int64] { try store.editions(of: ItemID(rawValue: id)).map(\.rawValue) }

  @Test func `editions joined with editions form one group, whichever is the work`() throws {
    #expect(try store.joinEditions(ids(1, 2)) == ids(2))
    #expect(try store.joinEditions(ids(4, 3)) == ids(3))
    #expect(try store.joinEditions(ids(2, 3, 1)) == ids(3))
    #expect(try editions(of: 4) == [1, 2, 3])
    #expect(try editions(of: 1) == [2, 3, 4])
    #expect(try editions(of: 5).isEmpty)
    #expect(try store.joinEditions(ids(1, 4)).isEmpty)
  }

  @Test(arguments: [1, 2, 3] as [Int64])
  func `a parted edition is alone and the others stay together`(id: Int64) throws {
    _ = try store.joinEditions(ids(1, 2, 3))
    #expect(try store.partEditions(ids(id, 5)) == ids(id))
    let others = [1, 2, 3].filter { $0 != id }
    #expect(try editions(of: id).isEmpty)
    #expect(try editions(of: others[0]) == [others[1]])
  }

  @Test(arguments: [1, 2, 3] as [Int64])
  func `removing an edition keeps the others together`(id: Int64) throws {
    _ = try store.joinEditions(ids(1, 2, 3))
    try store.db.run("DELETE FROM item WHERE id = \(id)")
    let others = [1, 2, 3].filter { $0 != id }
    #expect(try editions(of: others[0]) == [others[1]] && editions(of: others[1]) == [others[0]])
    #expect(try store.db.values("PRAGMA foreign_key_check", as: String.self).isEmpty)
  }

  @Test func `joining another kind, itself or a missing item is rejected without a change`() throws {
    #expect(throws: CatalogError.otherKind(ids(1)[0], ids(7)[0])) { try store.joinEditions(ids(1, 2, 7)) }
    #expect(throws: CatalogError.sameItem(ids(1)[0])) { try store.joinEditions(ids(1, 1)) }
    #expect(throws: CatalogError.noItem(ids(99)[0])) { try store.joinEditions(ids(1, 2, 99)) }
    #expect(throws: CatalogError.noItem(ids(99)[0])) { try store.partEditions(ids(1, 99)) }
    #expect(try editions(of: 1).isEmpty)
  }

  @Test func `the schema rejects edition chains and editions of two kinds`() throws {
    try store.db.run("INSERT INTO edition_of VALUES (1, 2)")
    for pair in [(2, 3), (3, 1), (3, 7), (4, 4)] as [(Int64, Int64)] {
      #expect(throws: SQLiteError.self, "\(pair)") {
        try store.db.run("INSERT INTO edition_of VALUES (\(pair.0), \(pair.1))")
      }
    }
    try store.db.run("INSERT INTO edition_of VALUES (3, 4)")
    #expect(throws: SQLiteError.self) { try store.db.run("UPDATE edition_of SET work_id = 1 WHERE item_id = 3") }
  }
}
