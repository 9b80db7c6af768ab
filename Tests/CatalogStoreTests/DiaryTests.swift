import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

/// Tests the diary: entries and dated cards, one for each time something was watched, read or played.
struct DiaryTests {
  private let store: Store
  private let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")
  private let movie: ItemID
  private let book: ItemID

  init() throws {
    store = try Store.empty()
    movie = try store.add(Record(kind: .movie, title: "기생충"), now: now).id
    var record = Record(kind: .book, title: "소년이 온다")
    record.book.pages = 216
    book = try store.add(record, now: now).id
  }

  private func date(_ text: String) throws -> PartialDate { try #require(PartialDate(text)) }

  private func days(_ events: [DiaryEvent]) -> [String] { events.map { $0.day?.description ?? "" } }

  // MARK: Writing

  @Test func `a diary entry is finished today by default`() throws {
    let entry = try store.log(Occasion(), of: movie, now: now).entry
    #expect(entry.outcome == .done)
    #expect(entry.endedOn == PartialDate("2026-11-21"))
    #expect(entry.startedOn == nil)
    #expect(try store.log(Occasion(isUndated: true), of: movie, now: now).entry.endedOn == nil)
    #expect(
      try store.log(Occasion(.dropped, endedOn: date("2025"), startedOn: date("2024-03")), of: movie, now: now).entry
        .startedOn == date("2024-03"))
    #expect(try store.diary(of: movie).count == 3)
    #expect(try store.cards().isEmpty)
    #expect(try store.entry(entry.id) == entry)
  }

  @Test func `watching a wished movie to its end fulfils the wish`() throws {
    func isOpen(_ item: ItemID) throws -> Bool {
      try store.db.value("SELECT fulfilled_at IS NULL FROM wish WHERE item_id = \(item.rawValue)") ?? false
    }
    for item in [movie, book] { try store.wish(for: .item(item), now: now) }
    for item in [movie, book] { _ = try store.log(Occasion(.ongoing), of: item, now: now) }
    #expect(try isOpen(movie))
    for item in [movie, book] { _ = try store.log(Occasion(), of: item, now: now) }
    #expect(try !isOpen(movie))
    // To have read a book is not to own it.
    #expect(try isOpen(book))
  }

  @Test func `a rating and comment of an entry are written on its card in one transaction`() throws {
    let logged = try store.log(Occasion(rating: Rating("4.5"), comment: "again"), of: movie, now: now)
    let card = try #require(logged.card)
    #expect(card.rating?.value == 90)
    #expect(card.comment == "again")
    #expect(card.seenOn == nil)
    #expect(logged.entry.card == card.id)
    #expect(try store.entry(logged.entry.id) == logged.entry)
    // The entry and its card are one event.
    let events = try store.diary()
    #expect(events.count == 1 && events[0].entry == logged.entry.id && events[0].card == card.id)
    #expect(events[0].rating?.value == 90 && events[0].comment == "again")
    // A text that the card cannot have is not in the diary either.
    #expect(throws: CatalogError.commentTooLong(10_001)) {
      try store.log(Occasion(comment: String(repeating: "가", count: 10_001)), of: movie, now: now)
    }
    #expect(try store.diary().count == 1)
    // The date is the entry's.
    #expect(throws: CatalogError.cardOfEntry(card.id, logged.entry.id)) {
      try store.changeCard(card.id, now: now) { $0.seenOn = PartialDate("2020") }
    }
    try store.changeCard(card.id, now: now) { $0.comment = "and again" }
    // Without its card an entry stays; without its entry a card is a rating.
    try store.removeCards([store.card(card.id)])
    #expect(try store.entry(logged.entry.id).card == nil)
  }

  @Test func `an entry in progress is continued and finished as the same entry`() throws {
    let first = try store.log(Occasion(.ongoing, page: 120), of: book, now: now)
    #expect(first.before == nil)
    #expect(first.entry.startedOn == PartialDate("2026-11-21"))
    #expect(first.entry.page == 120)
    let later = Timestamp(rawValue: "2026-11-25T09:30:00Z")
    let second = try store.log(Occasion(.ongoing, page: 180, comment: "slow"), of: book, now: later)
    #expect(second.before == first.entry)
    #expect(second.entry.page == 180)
    #expect(second.entry.startedOn == PartialDate("2026-11-21"))
    #expect(try store.status(of: book) == "ongoing")
    // Words are added, and nothing is lost.
    let third = try store.log(Occasion(note: "on the bus", rating: Rating("5"), comment: "good"), of: book, now: later)
    #expect(third.entry.id == first.entry.id)
    #expect(third.entry.outcome == .done)
    #expect(third.entry.page == nil)
    #expect(third.entry.endedOn == PartialDate("2026-11-25"))
    #expect(third.entry.note == "on the bus")
    #expect(third.card?.id == second.card?.id)
    #expect(third.card?.comment == "slow\n\ngood")
    #expect(try store.diary(of: book).count == 1)
    #expect(try store.status(of: book) == "done")
    // The next is another time.
    #expect(try store.log(Occasion(), of: book, now: later).entry.id != first.entry.id)
  }

  @Test func `an item has several finished entries but only one in progress`() throws {
    let reading = try store.log(Occasion(.ongoing), of: book, now: now).entry
    let before = try store.log(Occasion(endedOn: date("2019"), isAnother: true), of: book, now: now)
    #expect(before.before == nil)
    #expect(before.entry.id != reading.id)
    #expect(throws: CatalogError.inProgressAlready(reading.id)) {
      try store.log(Occasion(.ongoing, isAnother: true), of: book, now: now)
    }
    #expect(throws: CatalogError.inProgressAlready(reading.id)) {
      try store.changeEntry(before.entry.id, now: now) { entry, _ in (entry.outcome, entry.endedOn) = (.ongoing, nil) }
    }
    // Whatever program writes.
    #expect(throws: SQLiteError.self) {
      try store.db.run(
        "INSERT INTO log_entry (item_id, outcome, created_at) VALUES (\(book.rawValue), 'ongoing', \(now.rawValue))")
    }
    #expect(try store.diary(of: book).count == 2)
  }

  @Test func `a dropped entry keeps its page`() throws {
    try _ = store.log(Occasion(.ongoing, page: 120), of: book, now: now)
    let entry = try store.log(Occasion(.dropped), of: book, now: now).entry
    #expect(entry.outcome == .dropped)
    #expect(entry.page == 120)
    #expect(entry.endedOn == PartialDate("2026-11-21"))
    #expect(try store.status(of: book) == "dropped")
  }

  @Test func `an impossible entry is rejected and nothing is written`() throws {
    func refuses(_ occasion: Occasion, of item: ItemID? = nil, _ error: CatalogError) {
      #expect(throws: error) { try store.log(occasion, of: item ?? book, now: now) }
    }
    refuses(Occasion(), of: ItemID(rawValue: 99), .noItem(ItemID(rawValue: 99)))
    refuses(
      Occasion(endedOn: try date("2026-03"), startedOn: try date("2026-04-01")),
      .endsBeforeStart(try date("2026-04-01"), try date("2026-03")))
    refuses(Occasion(endedOn: try date("2026-11-23")), .yetToCome(try date("2026-11-23")))
    refuses(Occasion(endedOn: try date("2027")), .yetToCome(try date("2027")))
    refuses(Occasion(.ongoing, startedOn: try date("2026-12")), .yetToCome(try date("2026-12")))
    refuses(Occasion(.ongoing, page: 3), of: movie, .pageOfNoBook(.movie))
    refuses(Occasion(.ongoing, page: 217), .pageBeyond(217, of: 216))
    refuses(Occasion(note: String(repeating: "가", count: 10_001)), .noteTooLong(10_001))
    #expect(try store.diary().isEmpty)
    #expect(try store.cards().isEmpty)
    // Partial dates are compared as far as both are known, and in the east it is tomorrow already.
    for (start, end) in [("2026", "2026-01-01"), ("2026-03", "2026"), ("2026-03", "2026-03-01")] {
      _ = try store.log(Occasion(endedOn: date(end), startedOn: date(start)), of: book, now: now)
    }
    _ = try store.log(Occasion(endedOn: date("2026-11-22")), of: book, now: now)
    _ = try store.log(Occasion(.ongoing, page: 216), of: book, now: now)
    #expect(try store.diary().count == 5)
  }

  @Test func `an entry is changed with its card and removed without it`() throws {
    let entry = try store.log(Occasion(), of: movie, now: now).entry
    let changed = try store.changeEntry(entry.id, now: now) { entry, card in
      entry.endedOn = PartialDate("2020-05")
      card.rating = try Rating("3")
    }
    #expect(changed.entry.endedOn == PartialDate("2020-05"))
    #expect(changed.card?.rating?.value == 60)
    #expect(try store.entry(entry.id) == changed.entry)
    #expect(throws: CatalogError.inProgressWithEnd(entry.id)) {
      try store.changeEntry(entry.id, now: now) { entry, _ in entry.outcome = .ongoing }
    }
    #expect(throws: CatalogError.emptyCard) { try store.changeEntry(entry.id, now: now) { $1.rating = nil } }
    #expect(throws: CatalogError.noEntry(LogEntryID(rawValue: 9))) {
      try store.changeEntry(LogEntryID(rawValue: 9), now: now) { _, _ in }
    }
    // An entry that has changed since it was seen stays.
    #expect(try store.removeEntries([entry]).isEmpty)
    #expect(try store.removeEntries([changed.entry]) == [changed.entry])
    #expect(try store.diary().isEmpty)
    #expect(try store.cards().count == 1)
  }

  @Test func `a rating adds no diary entry, and a second one on a day replaces the first`() throws {
    let first = try store.rate(movie, Rating("4"), now: now)
    #expect(first.isNew)
    #expect(first.card.comment == nil)
    #expect(first.card.seenOn == nil)
    let second = try store.rate(movie, Rating("4.5"), now: now)
    #expect(!second.isNew)
    #expect(second.card.id == first.card.id)
    #expect(second.card.rating?.value == 90)
    #expect(try store.diary().isEmpty)
    // The next day, and behind a card that says more, it is another.
    #expect(try store.rate(movie, Rating("3"), now: Timestamp(rawValue: "2026-11-22T00:00:00Z")).isNew)
    let others: [(comment: String?, seenOn: PartialDate?)] = [("words", nil), (nil, try date("2026"))]
    for other in others {
      _ = try store.addCard(to: movie, rating: Rating("2"), comment: other.comment, seenOn: other.seenOn, now: now)
      #expect(try store.rate(movie, Rating("3"), now: now).isNew)
    }
    _ = try store.log(Occasion(rating: Rating("1")), of: movie, now: now)
    #expect(try store.rate(movie, Rating("3"), now: now).isNew)
    #expect(throws: CatalogError.noItem(ItemID(rawValue: 9))) {
      try store.rate(ItemID(rawValue: 9), Rating("1"), now: now)
    }
  }

  // MARK: Reading

  @Test func `the diary is sorted by date, the latest first and undated entries last`() throws {
    for end in ["2025", "2026-11-20", "2026-11", "2019-06"] {
      _ = try store.log(Occasion(endedOn: date(end)), of: movie, now: now)
    }
    _ = try store.log(Occasion(isUndated: true), of: movie, now: now)
    _ = try store.log(Occasion(.ongoing, startedOn: date("2026-10")), of: book, now: now)
    _ = try store.addCard(to: book, rating: nil, comment: "dated", seenOn: date("2025-03"), now: now)
    _ = try store.addCard(to: book, rating: Rating("5"), comment: "not dated", now: now)
    let all = ["2026-11-20", "2026-11", "2026-10", "2025-03", "2025", "2019-06", ""]
    #expect(days(try store.diary()) == all)
    #expect(days(try store.diary(limit: 3)) == Array(all.prefix(3)))
    #expect(days(try store.diary(in: Period(date("2026")))) == ["2026-11-20", "2026-11", "2026-10"])
    #expect(days(try store.diary(in: Period(date("2025-03")))) == ["2025-03"])
    func query(_ words: String...) throws -> Query { try Query(words, now: #require(now.date)) }
    #expect(days(try store.diary(query("kind:book"))) == ["2026-10", "2025-03"])
    #expect(days(try store.diary(query("소년이"))) == ["2026-10", "2025-03"])
    #expect(days(try store.diary(query("kind:movie"), in: Period(date("2025")), limit: 1)) == ["2025"])
    // The undated one was the first: nothing says that it was later.
    let movies = try store.diary(of: movie)
    #expect(movies.map(\.isAgain) == [true, true, true, true, false])
    #expect(try store.diary(of: book).map(\.isAgain) == [true, false])
    #expect(try store.diary(of: book)[1].card != nil)
    #expect(try store.diary(of: book)[1].entry == nil)
  }

  @Test func `finishing an item that was dropped before is not marked as again`() throws {
    _ = try store.log(Occasion(.dropped, endedOn: date("2020")), of: book, now: now)
    _ = try store.log(Occasion(), of: book, now: now)
    #expect(try store.diary(of: book).map(\.isAgain) == [false, false])
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `the diary view and a slow computation agree`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    // The last is none.
    let dates = ["2024", "2024-05", "2024-05-03", "2026-01", "2026-11-21", "2026-11-21", ""]
    for number in 0..<40 {
      let item = number % 3 == 0 ? movie : book
      let time = Timestamp(rawValue: "2026-11-21T09:30:\(10 + number)Z")
      let end = PartialDate(dates.randomElement(using: &random) ?? "")
      if number % 4 == 0 {
        _ = try store.addCard(to: item, rating: Rating("3"), comment: nil, seenOn: end, now: time)
      } else {
        let rating = Bool.random(using: &random) ? try Rating("4") : nil
        _ = try store.log(
          Occasion(
            number % 5 == 0 ? .dropped : .done, endedOn: end, isUndated: end == nil, rating: rating, isAnother: true),
          of: item, now: time)
      }
    }
    let events = try store.diary()
    let rows = try store.db.all("SELECT entry_id, card_id, rating FROM diary") { row in
      [
        try row.get("entry_id", as: Int64?.self), try row.get("card_id", as: Int64?.self),
        try row.get("rating", as: Int64?.self),
      ]
    }
    #expect(rows == events.map { [$0.entry?.rawValue, $0.card?.rawValue, $0.rating.map { Int64($0.value) }] })
    for (place, event) in events.enumerated() {
      let earlier = events[(place + 1)...].contains { $0.item == event.item && $0.outcome == .done }
      #expect(event.isAgain == earlier)
    }
    for item in [movie, book] { #expect(try store.diary(of: item) == events.filter { $0.item == item }) }
    let times = events.count { $0.item == movie && $0.outcome == .done }
    #expect(try store.ids(Query(["times:\(times)", "kind:movie"], now: #require(now.date))) == [movie])
  }

  /// Tests that indexes answer the listing, so that it stays fast in a diary of a million entries.
  @Test func `the latest diary entries are found by indexes`() throws {
    let plan = try store.db.all(
      """
      EXPLAIN QUERY PLAN SELECT * FROM event ORDER BY day DESC, created_at DESC, entry_id DESC, card_id DESC LIMIT 50
      """
    ) { try $0.get("detail", as: String.self) }
    #expect(plan.contains("MERGE (UNION ALL)"))
    #expect(plan.contains { $0.contains("log_entry USING INDEX log_entry_day") })
    #expect(plan.contains { $0.contains("card USING INDEX card_seen") })
    #expect(!plan.contains("USE TEMP B-TREE FOR ORDER BY"))
    // Whether it had been done before is asked of the item alone.
    let again = try store.db.all(
      "EXPLAIN QUERY PLAN SELECT \(Store.isAgain("page")) FROM (SELECT * FROM event LIMIT 50) AS page"
    ) { try $0.get("detail", as: String.self) }
    #expect(again.contains { $0.contains("log_entry USING INDEX log_entry_item") })
    #expect(again.contains { $0.contains("card USING INDEX card_item") })
  }
}
