import CatalogModel
import FoundationEssentials
import SQLite
import Testing

@testable import CatalogStore

/// Tests the copies of an item.
struct OwningTests {
  let store: Store
  let item: ItemID
  let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws {
    store = try Store.empty()
    item = try store.add(Record(kind: .movie, title: "기생충"), now: now).id
  }

  private let facts = Copy.Facts(
    format: "LP, 180 g", media: .veryGoodPlus, sleeve: .noCover, place: "K2/3",
    price: Price(minorUnits: 25_000, currency: "KRW"), acquiredOn: PartialDate("2019-03"), acquiredFrom: "the market",
    note: "a scratch\non side B")

  @Test func `a copy is read as it was written`() throws {
    let copy = try store.addCopy(facts, of: item, now: now)
    #expect(copy == Copy(id: CopyID(rawValue: 1), item: item, facts: facts, createdAt: now))
    let other = try store.addCopy(of: item, now: now)
    #expect(try store.copies(of: item) == [copy, other])
    #expect(try store.copies() == [copy, other])
    #expect(try store.copies(newest: 1) == [other])
    #expect(try store.copies(of: Query(["kind:vinyl"], now: Date())).isEmpty)
    #expect(throws: CatalogError.noItem(ItemID(rawValue: 9))) {
      try store.addCopy(facts, of: ItemID(rawValue: 9), now: now)
    }
  }

  @Test func `a change to a copy writes only its changed columns`() throws {
    let copy = try store.addCopy(facts, of: item, now: now)
    let changed = try store.changeCopy(copy.id) {
      $0.place = "  K3 "
      $0.price = nil
      $0.acquiredOn = PartialDate("2020")
    }
    #expect(changed.before == copy)
    #expect(changed.after.facts.place == "K3")
    #expect(changed.after.facts.price == nil)
    #expect(changed.after.facts.note == facts.note)
    #expect(try store.copy(copy.id) == changed.after)
    // A value of another program in an unchanged column is left alone, even if this program cannot read it.
    try store.db.run("UPDATE copy SET currency = 'ABC', price = 1")
    try store.changeCopy(copy.id) { $0.place = nil }
    #expect(try store.db.value("SELECT currency FROM copy WHERE place IS NULL") == "ABC")
    #expect(throws: CatalogError.noCopy(CopyID(rawValue: 9))) { try store.changeCopy(CopyID(rawValue: 9)) { _ in } }
  }

  @Test func `a text that is too long or a sleeve grade for media is rejected and nothing is written`() throws {
    let long = String(repeating: "글", count: 10_001)
    #expect(throws: CatalogError.noteTooLong(10_001)) { try store.addCopy(Copy.Facts(note: long), of: item, now: now) }
    #expect(throws: CatalogError.noteTooLong(10_001)) { try store.addCopy(Copy.Facts(place: long), of: item, now: now) }
    #expect(throws: CatalogError.sleeveOnly(.generic)) {
      try store.addCopy(Copy.Facts(media: .generic), of: item, now: now)
    }
    #expect(try store.copies().isEmpty)
    let copy = try store.addCopy(Copy.Facts(note: String(long.dropLast())), of: item, now: now)
    #expect(throws: CatalogError.noteTooLong(10_001)) { try store.changeCopy(copy.id) { $0.note = long } }
    #expect(try store.copy(copy.id) == copy)
  }

  @Test func `a copy changed in the meantime is not removed`() throws {
    let copies = try (1...3).map { _ in try store.addCopy(facts, of: item, now: now) }
    try store.changeCopy(copies[0].id) { $0.place = "elsewhere" }
    #expect(try store.removeCopies([copies[0], copies[2]]) == [copies[2]])
    #expect(try store.copies().map(\.id) == [copies[0].id, copies[1].id])
    // A number is never given again.
    #expect(try store.addCopy(of: item, now: now).id == CopyID(rawValue: 4))
  }

  @Test func `a copy has its current borrower as holder`() throws {
    let copy = try store.addCopy(facts, of: item, now: now)
    try store.db.run(
      "INSERT INTO loan (copy_id, person, lent_on, returned_on) VALUES (1, 'Min', '2025-01-01', '2025-02-01')")
    #expect(try store.copy(copy.id).holder == nil)
    try store.db.run(
      "INSERT INTO loan (copy_id, person, lent_on, due_on) VALUES (1, 'Ada', '2026-11-01', '2026-12-01')")
    let lent = try store.copies(of: item)
    #expect(
      lent.map(\.holder) == [
        Copy.Holder(person: "Ada", since: PartialDate("2026-11-01"), due: PartialDate("2026-12-01"))
      ])
    // It was seen at home.
    #expect(try store.removeCopies([copy]).isEmpty)
    #expect(try store.removeCopies(lent) == lent)
  }

  @Test func `prices are added up per currency`() throws {
    for price in [(100, "USD"), (25_000, "KRW"), (5_000, "KRW"), (.max, "EUR"), (1, "EUR")] {
      _ = try store.addCopy(Copy.Facts(price: Price(minorUnits: price.0, currency: price.1)), of: item, now: now)
    }
    _ = try store.addCopy(of: item, now: now)
    #expect(
      try Store.totals(of: store.copies()).map(\.description)
        == ["\(Int.max / 100).07 EUR", "30000 KRW", "1.00 USD"])
  }
}
