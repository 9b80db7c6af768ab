import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

/// Tests tags, piles, wishes, loans, and random picks.
struct CollectionTests {
  private typealias Tag = CatalogStore.Tag
  private static let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")
  private static let today = PartialDate("2026-11-21")
  private let store: Store
  private let items: [ItemID]

  init() throws {
    let store = try Store.empty()
    items = try (0..<6).map { number in
      try store.add(Record(kind: Kind.shelved[number % 3], title: "Title \(number)"), isOwned: false, now: Self.now).id
    }
    self.store = store
  }

  private func count(_ table: String) throws -> Int {
    try store.db.value("SELECT count(*) FROM \(SQL(stringLiteral: table))") ?? -1
  }

  // MARK: Tags

  @Test func `a tag ignores case, accents and hyphens`() throws {
    #expect(try store.addTag(" Für Später ", to: [items[0], items[1], items[0]]).new == [items[0], items[1]])
    let again = try store.addTag("fur-spater", to: [items[1], items[2]])
    #expect(again.tag == Tag("Für Später", items: 3) && again.new == [items[2]])
    #expect(try store.tags() == [Tag("Für Später", items: 3)])
    #expect(try store.item(items[2]).tags == ["Für Später"])
  }

  @Test func `a tag without items is deleted`() throws {
    try store.addTag("a", to: [items[0]])
    try store.addTag("b", to: [items[1]])
    try store.removeTag("A", from: [items[0], items[1]])
    #expect(try store.tags().map(\.name) == ["b"])
    #expect(try count("tag") == 1)
    // Its items are removed, by whomever.
    try store.remove([items[1]])
    #expect(try store.tags().isEmpty)
    #expect(throws: CatalogError.noTag("b")) { try store.tag(named: "b") }
    #expect(throws: CatalogError.noTag("b")) { try store.removeTag("b", from: [items[0]]) }
    #expect(throws: CatalogError.noTag("b")) { try store.renameTag("b", to: "c") }
    // Another may be called so.
    try store.addTag("c", to: [items[2]])
    try store.renameTag("c", to: "b")
    #expect(try store.tags() == [Tag("b", items: 1)])
    #expect(try count("tag") == 1)
  }

  @Test func `a tag is renamed, or merged into an existing one on request`() throws {
    try store.addTag("winter", to: [items[0], items[1]])
    try store.addTag("cold", to: [items[1], items[2]])
    #expect(try store.renameTag("winter", to: "WINTER").after == Tag("WINTER", items: 2))
    #expect(throws: CatalogError.tagExists("cold")) { try store.renameTag("winter", to: "Cold") }
    #expect(try store.renameTag("winter", to: "Cold", joins: true).after == Tag("cold", items: 3))
    #expect(try store.tags() == [Tag("cold", items: 3)])
    #expect(try store.renameTag("cold", to: "ice").before == Tag("cold", items: 3))
    #expect(try store.tags() == [Tag("ice", items: 3)])
    #expect(throws: CatalogError.emptyName) { try store.renameTag("ice", to: " ") }
  }

  @Test func `a tag is added to all items or to none`() throws {
    #expect(throws: CatalogError.noItem(ItemID(rawValue: 99))) {
      try store.addTag("a", to: [items[0], ItemID(rawValue: 99)])
    }
    #expect(throws: CatalogError.emptyName) { try store.addTag("\t", to: items) }
    #expect(try count("tag") == 0)
    #expect(try count("item_tag") == 0)
  }

  @Test func `items are found by words of their tags`() throws {
    try store.addTag("Sommerurlaub", to: [items[3]])
    #expect(try store.search("sommer") == [items[3]])
    try store.renameTag("Sommerurlaub", to: "Winter")
    #expect(try store.search("sommer").isEmpty && store.search("winter") == [items[3]])
  }

  // MARK: Piles

  private func pile(_ name: String = "next") throws -> [Int64] {
    let places = try store.db.values(
      "SELECT position FROM pile_item JOIN pile ON pile.id = pile_id WHERE name = \(name) ORDER BY position",
      as: Int.self)
    #expect(places == Array(1..<places.count + 1), "places without gaps")
    return try store.items(onPile: name).map(\.rawValue)
  }

  @Test func `a pile keeps its order without gaps`() throws {
    #expect(try store.addToPile("next", [items[2], items[0], items[2]]).new == [items[2], items[0]])
    #expect(try store.addToPile("Next", [items[1], items[0], items[3]]).new == [items[1], items[3]])
    #expect(try pile() == [3, 1, 2, 4])
    #expect(try store.move(items[3], onPile: "NEXT", to: .number(1)) == 1)
    #expect(try pile() == [4, 3, 1, 2])
    #expect(try store.move(items[3], onPile: "next", to: .number(3)) == 3)
    #expect(try pile() == [3, 1, 4, 2])
    #expect(try store.move(items[2], onPile: "next", to: .last) == 4)
    #expect(try pile() == [1, 4, 2, 3])
    #expect(try store.move(items[2], onPile: "next", to: .number(99)) == 4)
    #expect(try store.removeFromPile("next", [items[3], items[5]]).gone == [items[3]])
    #expect(try pile() == [1, 2, 3])
    try store.remove([items[0]])
    #expect(try pile() == [2, 3])
    #expect(try store.item(items[1]).piles == ["next"])
    #expect(throws: CatalogError.notOnPile(items[5], "next")) { try store.move(items[5], onPile: "next", to: .last) }
    #expect(throws: CatalogError.noPile("later")) { try store.items(onPile: "later") }
    #expect(throws: CatalogError.noItem(items[0])) { try store.addToPile("later", [items[1], items[0]]) }
    #expect(try store.removePile("next") == Pile("next", items: 2))
    #expect(try store.piles().isEmpty)
    #expect(try count("pile_item") == 0)
  }

  @Test(arguments: [UInt64(1), 2, 3]) func `random moves keep a pile in the order of a list`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var list: [ItemID] = []
    for _ in 0..<120 {
      let item = items[Int.random(in: 0..<6, using: &random)]
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        if !list.contains(item) { list.append(item) }
        try store.addToPile("next", [item])
      case 1:
        list.removeAll { $0 == item }
        _ = try? store.removeFromPile("next", [item])
      default:
        let place = Int.random(in: 1...8, using: &random)
        guard let old = list.firstIndex(of: item) else { continue }
        list.remove(at: old)
        list.insert(item, at: min(place - 1, list.count))
        try store.move(item, onPile: "next", to: .number(place))
      }
      if try !store.piles().isEmpty { #expect(try pile() == list.map(\.rawValue)) }
    }
  }

  // MARK: Wishes

  private func copies(of item: ItemID, _ count: Int = 1) throws -> [CopyID] {
    try (0..<count).map { _ in try store.addCopy(of: item, now: Self.now).id }
  }

  @Test func `wishing again changes the terms of the same wish`() throws {
    let limit = Price(minorUnits: 30000, currency: "KRW")
    let first = try store.wish(for: .item(items[2]), now: Self.now) { $0.limit = limit }
    #expect(first.before == nil)
    #expect(first.after.terms == Wish.Terms(limit: limit))
    let second = try store.wish(for: .item(items[2]), now: Self.now) { $0.note = " the first \n pressing " }
    #expect(second.before == first.after)
    #expect(second.after.id == first.after.id)
    #expect(second.after.terms == Wish.Terms(limit: limit, note: "the first \n pressing"))
    let third = try store.wish(for: .item(items[2]), now: Self.now)
    #expect(third.before == third.after)
    #expect(try store.item(items[2]).wishedSince == Self.now)
    #expect(try store.wishes().count == 1)
  }

  @Test func `a copy fulfils a wish, and a viewing fulfils the wish for a movie`() throws {
    for item in items { try store.wish(for: .item(item), now: Self.now) }
    _ = try copies(of: items[2])
    #expect(try store.wishes().count == 5)
    #expect(try store.wishes(withFulfilled: true).first { $0.subject == .item(items[2]) }?.fulfilledAt == Self.now)
    // Again is another wish.
    #expect(try store.wish(for: .item(items[2]), now: Self.now).before == nil)
    for item in items.prefix(2) {
      try store.db.run(
        "INSERT INTO log_entry (item_id, outcome, created_at) VALUES (\(item.rawValue), 'done', \(Self.now.rawValue))")
    }
    #expect(try Set(store.wishes().map(\.subject)) == Set(items.dropFirst().map(Wish.Subject.item)))
  }

  @Test func `words can be wished for and tied to an item later`() throws {
    let wish = try store.wish(for: .words(" A  demo tape ", .vinyl), now: Self.now).after
    #expect(wish.subject == .words("A  demo tape", .vinyl))
    #expect(try store.wish(for: .words("a Demo-Tape", nil), now: Self.now) { $0.note = "x" }.before?.id == wish.id)
    #expect(try store.wish(for: .words("a demo tape", .book), now: Self.now).before == nil)
    var record = Record(kind: .vinyl, title: "Demo")
    record.credits = [Credit(name: "A Tape", role: .artist)]
    #expect(try store.wishes(fitting: record).map(\.id) == [wish.id])
    record.credits = []
    #expect(try store.wishes(fitting: record).isEmpty)
    #expect(try store.tie(wish.id, to: items[2], now: Self.now).subject == .item(items[2]))
    #expect(throws: CatalogError.wishIsTied(wish.id)) { try store.tie(wish.id, to: items[5], now: Self.now) }
    let other = try store.wish(for: .words("y", nil), now: Self.now).after.id
    #expect(throws: CatalogError.wishedAlready(items[2], by: wish.id)) {
      try store.tie(other, to: items[2], now: Self.now)
    }
    _ = try copies(of: items[5])
    #expect(try store.tie(other, to: items[5], now: Self.now).fulfilledAt == Self.now)
  }

  @Test func `a wish changed in the meantime is not removed`() throws {
    let (one, two) = (
      try store.wish(for: .item(items[0]), now: Self.now).after,
      try store.wish(for: .item(items[1]), now: Self.now).after
    )
    try store.wish(for: .item(items[1]), now: Self.now) { $0.note = "wait" }
    #expect(try store.removeWishes([one, two]) == [one])
    #expect(try store.wishes().map(\.id) == [two.id])
    #expect(throws: CatalogError.noWish(one.id)) { try store.wish(one.id) }
  }

  @Test func `an invalid wish is rejected and nothing is written`() throws {
    let long = String(repeating: "é", count: 10_001)
    #expect(throws: CatalogError.noteTooLong(10_001)) {
      try store.wish(for: .item(items[0]), now: Self.now) { $0.note = long }
    }
    #expect(throws: CatalogError.emptyWish) { try store.wish(for: .words(" ", nil), now: Self.now) }
    #expect(throws: CatalogError.noItem(ItemID(rawValue: 99))) {
      try store.wish(for: .item(ItemID(rawValue: 99)), now: Self.now)
    }
    #expect(throws: CatalogError.notShelved(.app)) { try store.wish(for: .words("x", .app), now: Self.now) }
    #expect(try count("wish") == 0)
    #expect(try store.wish(for: .item(items[0]), now: Self.now) { $0.note = String(long.dropLast()) }.before == nil)
  }

  // MARK: Loans

  @Test func `a copy is lent to one person at a time`() throws {
    let copy = try copies(of: items[2])[0]
    let (today, due) = (try #require(Self.today), try #require(PartialDate("2026-12-05")))
    let loan = try store.lend(copy, to: " Anna ", on: today, due: due, note: "careful")
    #expect(loan.person == "Anna" && loan.dueOn == due && loan.item == items[2])
    #expect(throws: CatalogError.copyIsOut(copy, Copy.Holder(person: "Anna", since: today, due: due))) {
      try store.lend(copy, to: "Ben", on: today)
    }
    let early = try #require(PartialDate("2026-11-20"))
    #expect(throws: CatalogError.backBeforeLent(early, lent: today)) { try store.takeBack(copy, on: early) }
    #expect(try store.takeBack(copy, on: today).returnedOn == today)
    #expect(throws: CatalogError.copyIsIn(copy)) { try store.takeBack(copy, on: today) }
    #expect(throws: CatalogError.noCopy(CopyID(rawValue: 99))) { try store.takeBack(CopyID(rawValue: 99), on: today) }
    #expect(throws: CatalogError.dueBeforeLent(early, lent: today)) {
      try store.lend(copy, to: "Ben", on: today, due: early)
    }
    #expect(throws: CatalogError.emptyName) { try store.lend(copy, to: " ", on: today) }
    #expect(throws: CatalogError.noteTooLong(10_001)) {
      try store.lend(copy, to: "Ben", on: today, note: String(repeating: "x", count: 10_001))
    }
    #expect(try store.loans().isEmpty)
    #expect(try store.loans(withReturned: true).count == 1)
    try store.lend(copy, to: "Ben", on: today, due: today)
    #expect(try store.borrowers() == ["Ben", "Anna"])
    #expect(try store.loans()[0].isOverdue(on: today) == false)
    #expect(try store.loans()[0].isOverdue(on: #require(PartialDate("2026-11-22"))))
  }

  @Test func `loans are listed by due date, returned ones last`() throws {
    let today = try #require(Self.today)
    let copies = try copies(of: items[1], 4)
    for (copy, due) in zip(copies, ["2026-12-01", nil, "2026-11-25", "2026-11-22"]) {
      try store.lend(copy, to: "x", on: today, due: due.flatMap { PartialDate($0) })
    }
    try store.takeBack(copies[3], on: today)
    #expect(try store.loans(withReturned: true).map(\.copy) == [copies[2], copies[0], copies[1], copies[3]])
  }

  // MARK: Chance

  @Test func `random picks prefer items that are at hand and have no diary entries`() throws {
    // Two movies, two books, two records; one of each was watched, read or played; a record is owned, a book is lent.
    _ = try store.addCard(to: items[0], rating: nil, comment: "x", now: Self.now)
    for item in [items[1], items[2]] {
      try store.db.run(
        "INSERT INTO log_entry (item_id, outcome, created_at) VALUES (\(item.rawValue), 'ongoing', \(Self.now.rawValue))"
      )
    }
    _ = try copies(of: items[5])
    try store.lend(copies(of: items[4])[0], to: "x", on: #require(Self.today))
    let weights = [4, 1, 1, 32, 8, 32]
    var times = [ItemID: Int]()
    for seed in 0..<7_800 { times[try #require(store.pick(Query(), seed: seed).first), default: 0] += 1 }
    for (item, weight) in zip(items, weights) {
      // 100 for each part of 78: six times the standard deviation is far away.
      let expected = Double(weight) * 100
      #expect(abs(Double(times[item] ?? 0) - expected) < 6 * expected.squareRoot() + 1, "\(item): \(times[item] ?? 0)")
    }
  }

  @Test func `several random picks are distinct and repeatable by seed`() throws {
    for seed in 0..<20 {
      let picked = try store.pick(Query(), count: 4, seed: seed)
      #expect(Set(picked).count == 4)
      #expect(try store.pick(Query(), count: 4, seed: seed) == picked)
    }
    #expect(try Set(store.pick(Query(), count: 100, seed: 1)) == Set(items))
    #expect(try store.pick(Query(.kind(.book)), count: 9, seed: 1).count == 2)
    #expect(try store.pick(Query(.word("nothing")), seed: 1).isEmpty)
  }
}
