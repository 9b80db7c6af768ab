import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

/// Tests the import of rows. The module Exchange reads the files.
struct ImportSessionTests {
  let store: Store
  let now = Timestamp(rawValue: "2026-11-21T09:30:05Z")

  init() throws { store = try Store.empty() }

  private func film(_ title: String, _ year: Int, by director: String? = nil) -> Entry {
    var record = Record(kind: .movie, title: title)
    record.year = year
    record.credits = director.map { [Credit(name: $0, role: .director)] } ?? []
    return Entry(record)
  }

  private func row(_ entry: Entry, key: String? = nil, line: Int = 2) -> ImportRow {
    let words = "\(entry.record.title) (\(entry.record.year ?? 0))"
    return ImportRow(line: line, key: key ?? words, words: words, content: .success(entry))
  }

  @discardableResult
  private func importRows(
    _ rows: [ImportRow], _ target: RowTarget = .new, format: String = "letterboxd", at now: Timestamp? = nil
  ) throws -> [ImportSession.RowResult] {
    var session = ImportSession(format: format, file: "a.zip", to: store, now: now ?? self.now) { reason in
      switch reason {
      case .rejected(let rejection): rejection.description
      case .refused(let error): "\(error)"
      case .adjusted(let remark): remark.message.text(in: nil)
      }
    }
    return try session.write(rows.map { ($0, target) }, isLast: true, now: now ?? self.now)
  }

  @Test func `all values of an imported row are kept`() throws {
    var entry = film("Heat", 1995)
    entry.times = [
      .init(endedOn: PartialDate("1996-02"), opinion: .init(rating: try Rating("4"))),
      .init(endedOn: PartialDate("2020-05-01"), opinion: .init(rating: try Rating("4.5"), comment: "Still great.")),
    ]
    entry.tags = ["heist", "LA"]
    entry.piles = [.init("best", position: 2)]
    entry.isFavorite = true
    entry.addedOn = PartialDate("2019-01-02")
    entry.notes = ["Seen with: Anna", "Screen: 7"]
    var other = film("Collateral", 2004)
    other.wish = Wish.Terms(note: "on a big screen")
    other.piles = [.init("best", position: 1)]
    let results = try importRows([row(entry), row(other)])
    #expect(results.map(\.outcome) == [.added, .added])
    let heat = try #require(results.first?.item)
    let item = try store.item(heat)
    #expect(item.record.note == "Seen with: Anna; Screen: 7")
    #expect(item.createdAt.rawValue == "2019-01-02T00:00:00Z")
    #expect(item.tags == ["heist", "LA"])
    #expect(item.favoriteSince != nil)
    #expect(
      try store.diary(of: heat).map { "\($0.day?.description ?? "") \($0.rating?.description ?? "")" } == [
        "2020-05-01 4.5", "1996-02 4",
      ])
    #expect(try store.items(onPile: "best") == [try #require(results.last?.item), heat])
    #expect(try store.wishes().map(\.terms.note) == ["on a big screen"])
    #expect(try store.search("anna") == [heat])
  }

  @Test func `a truncated value is noted with its import row and is no difference`() throws {
    var entry = film("Heat", 1995)
    entry.remark(.tooLong("review"))
    #expect(try importRows([row(entry)]).map(\.differences) == [[]])
    #expect(try store.importedRows(of: 1).map(\.reason) == [Entry.Remark.tooLong("review").message.text(in: nil)])
  }

  @Test func `unrefreshed items of an import are listed with the means to look them up`() throws {
    var known = film("Heat", 1995)
    known.record.externalIDs = [ExternalID(source: "tmdb", value: "949")]
    let results = try importRows([row(known), row(film("Ran", 1985, by: "Kurosawa Akira"))])
    let ids = results.compactMap(\.item)
    func unasked(_ file: String) throws -> [ItemID: UnaskedThing] {
      var things: [ItemID: UnaskedThing] = [:]
      try store.forEachUnaskedThing(ofFile: file, format: "letterboxd") { things[$0] = $1 }
      return things
    }
    #expect(
      try unasked("a.zip") == [
        ids[0]: UnaskedThing(kind: .movie, sources: ["tmdb"], hasCode: false, hasYear: true, hasCreator: false),
        ids[1]: UnaskedThing(kind: .movie, sources: [], hasCode: false, hasYear: true, hasCreator: true),
      ])
    #expect(try unasked("b.zip").isEmpty)
    try store.noteRefresh(of: ids[0], at: ["tmdb"], now: now)
    #expect(try unasked("a.zip").keys.map(\.self) == [ids[1]])
  }

  @Test func `importing the same rows again changes nothing and adds no batch`() throws {
    var entry = film("Heat", 1995)
    entry.times = [.init(), .init()]
    entry.opinions = [try #require(.init(rating: try Rating("4")))]
    entry.copies = [.init(Copy.Facts(format: "Blu-ray"))]
    let rows = [
      row(entry), row(film("Ronin", 1998)),
      ImportRow(line: 9, key: "?", words: "?", content: .failure(.init("no title"))),
    ]
    #expect(try importRows(rows).map(\.outcome) == [.added, .added, .rejected])
    let before = try store.dump()
    #expect(try importRows(rows).map(\.outcome) == [nil, nil, nil])
    #expect(try store.dump() == before)
    #expect(try store.importBatches().map(\.rows) == [3])
    #expect(try store.importedRows(of: 1).map(\.reason) == [nil, nil, "no title"])
    #expect(throws: CatalogError.noImport(2)) { try store.importedRows(of: 2) }
  }

  @Test func `importing into an existing item fills gaps and keeps its values`() throws {
    var record = film("Heat", 1995, by: "Michael Mann").record
    record.movie.minutes = 170
    let id = try #require(try store.add(record, now: now).added)
    _ = try store.addCard(to: id, rating: try Rating("3"), comment: nil, now: now)
    var entry = film("Heat", 1996)
    entry.record.movie.minutes = 171
    entry.record.url = "https://boxd.it/1"
    entry.record.externalIDs = [ExternalID(source: "imdb", value: "tt0113277")]
    entry.opinions = [try #require(.init(rating: try Rating("4"), comment: "So tense."))]
    let results = try importRows([row(entry)], .item(id))
    #expect(results.first?.outcome == .joined)
    #expect(results.first?.differences == ["year: 1996", "minutes: 171", "rating: 4"])
    let item = try store.item(id)
    #expect(item.record.year == 1995)
    #expect(item.record.movie.minutes == 170)
    #expect(item.record.url == "https://boxd.it/1")
    #expect(item.rating == (try Rating("3")))
    #expect(try store.cards(of: id).map(\.comment) == ["So tense.", nil])
    #expect(try store.itemID(of: ExternalID(source: "imdb", value: "tt0113277")) == id)
  }

  @Test func `a newer export updates imported values but not edited ones`() throws {
    func version(_ rating: String, seen: [String]) throws -> [ImportRow] {
      try ["Heat", "Ronin"].map { title in
        var entry = film(title, 1995)
        entry.opinions = [try #require(.init(rating: try Rating(rating)))]
        entry.times = seen.map { .init(endedOn: PartialDate($0)) }
        return row(entry)
      }
    }
    let first = try importRows(version("3", seen: ["2020-01-01"]))
    let (heat, ronin) = (try #require(first[0].item), try #require(first[1].item))
    let card = try #require(try store.cards(of: ronin).first)
    try store.changeCard(card.id, now: Timestamp(rawValue: "2026-11-22T00:00:00Z")) { $0.rating = try Rating("5") }
    let second = try importRows(
      version("4", seen: ["2020-01-01", "2021-01-01"]), at: Timestamp(rawValue: "2026-12-01T00:00:00Z"))
    #expect(second.map(\.outcome) == [.joined, .joined])
    #expect(try store.rating(of: heat) == (try Rating("4")))
    #expect(try store.rating(of: ronin) == (try Rating("5")))
    #expect(second[1].differences == ["rating: 4"])
    #expect(try store.diary(of: heat).compactMap(\.day?.description) == ["2021-01-01", "2020-01-01"])
  }

  @Test func `an import keeps a known year and fields that were emptied by hand`() throws {
    let id = try #require(try store.add(film("Heat", 1995).record, now: now).added)
    try store.change(id, now: now) { $0.record.url = "https://example.org" }
    try store.change(id, now: now) { $0.record.url = nil }
    var entry = film("Heat", 1996)
    (entry.record.released, entry.record.url) = (PartialDate("1996-02-01"), "https://boxd.it/1")
    #expect(try importRows([row(entry)], .item(id)).first?.differences == ["year: 1996"])
    let record = try store.item(id).record
    #expect(record.year == 1995)
    #expect(record.released == nil)
    #expect(record.url == nil)
    // The date of the same year says more.
    entry.record.released = PartialDate("1995-12-15")
    entry.record.year = 1995
    try importRows([row(entry, key: "again")], .item(id))
    #expect(try store.item(id).record.released?.description == "1995-12-15")
  }

  @Test func `an imported viewing without a date matches an existing one`() throws {
    let id = try #require(try store.add(film("Heat", 1995).record, now: now).added)
    for day in ["2019", "2020-05-01"] { _ = try store.log(Occasion(endedOn: PartialDate(day)), of: id, now: now) }
    var entry = film("Heat", 1995)
    entry.times = [.init(), .init(), .init(endedOn: PartialDate("2020-05-01"))]
    try importRows([row(entry)], .item(id))
    #expect(try store.diary(of: id).map { $0.day?.description ?? "?" } == ["2020-05-01", "2019", "?"])
  }

  @Test func `a changed rating in an export is applied unless it was edited here`() throws {
    func version(_ stars: String) throws -> [ImportRow] {
      try ["Heat", "Ronin"].map { title in
        var entry = film(title, 1995)
        entry.times = [.init(endedOn: PartialDate("2020-05-01"), opinion: .init(rating: try Rating(stars)))]
        return row(entry)
      }
    }
    let ids = try importRows(version("3")).compactMap(\.item)
    let card = try #require(try store.cards(of: ids[1]).first)
    try store.changeCard(card.id, now: Timestamp(rawValue: "2026-11-22T00:00:00Z")) { $0.rating = try Rating("5") }
    for (stars, month) in [("4", 12), ("4.5", 11)] {
      let results = try importRows(version(stars), at: Timestamp(rawValue: "2027-\(month)-01T00:00:00Z"))
      #expect(results.map(\.differences) == [[], ["rating: \(stars)"]])
      #expect(try store.rating(of: ids[0]) == (try Rating(stars)))
      #expect(try store.rating(of: ids[1]) == (try Rating("5")))
    }
    #expect(try store.cards().count == 2)
  }

  @Test func `copies, loans and wishes removed here do not come back when their row changes`() throws {
    func version(_ year: Int) throws -> ImportRow {
      var entry = Entry(Record(kind: .book, title: "Emma"))
      entry.record.year = year
      entry.copies = [.init(Copy.Facts(place: "K2"), holder: .init(person: "Anna")), .init()]
      return row(entry, key: "1")
    }
    func wanted(_ year: Int) throws -> ImportRow {
      var entry = film("Heat", 1995)
      (entry.wish, entry.record.url) = (Wish.Terms(), "https://boxd.it/\(year)")
      return row(entry, key: "2")
    }
    let ids = try importRows([version(1815), wanted(1)]).compactMap(\.item)
    // A loan of which no day is known is one of today.
    let lent = try #require(try store.loans().first)
    #expect(lent.person == "Anna")
    #expect(lent.lentOn.description == "2026-11-21")
    _ = try store.takeBack(lent.copy, on: try #require(PartialDate("2026-11-22")))
    try store.removeCopies([try #require(try store.copies(of: ids[0]).last)])
    _ = try store.log(Occasion(), of: ids[1], now: now)
    #expect(try importRows([version(1816), wanted(2)]).map(\.outcome) == [.joined, .joined])
    #expect(try store.copies(of: ids[0]).map(\.facts.place) == ["K2"])
    #expect(try store.loans().isEmpty)
    #expect(try store.wishes().isEmpty)
  }

  @Test func `rows with the same key but another title are different items`() throws {
    let first = try #require(try importRows([row(film("Heat", 1995), key: "1")]).first?.item)
    let other = try #require(try importRows([row(film("Ronin", 1998), key: "1")]).first?.item)
    #expect(first != other)
    // The same one with another year is the same.
    #expect(try importRows([row(film("Ronin", 1999), key: "1")]).first?.item == other)
  }

  @Test func `pile orders are written after an interrupted import is resumed`() throws {
    let rows = (1...3).map { number in
      var entry = film("Film \(number)", 2000)
      entry.piles = [.init("best", position: 4 - number)]
      return (row: row(entry), target: RowTarget.new)
    }
    var stopped = ImportSession(format: "letterboxd", file: "a.zip", to: store, now: now) { "\($0)" }
    _ = try stopped.write(Array(rows.prefix(2)), isLast: false)
    #expect(try store.piles().isEmpty)
    var again = ImportSession(format: "letterboxd", file: "a.zip", to: store, now: now) { "\($0)" }
    #expect(try again.write(rows, isLast: true).map(\.outcome) == [nil, nil, .added])
    #expect(try store.items(onPile: "best").map(\.rawValue) == [3, 2, 1])
  }

  @Test func `the row of an item removed here stays known without an item`() throws {
    let entry = film("Heat", 1995)
    let id = try #require(try importRows([row(entry)]).first?.item)
    try store.remove([id])
    let before = try #require(try KnownRows(of: "letterboxd", in: store).row(like: row(entry)))
    #expect(before.item == nil)
    #expect(!before.isSaid(by: row(entry)))
  }

  @Test func `rows of one format have separate copies, and rows of another format share them`() throws {
    var record = Record(kind: .vinyl, title: "Kind of Blue")
    record.externalIDs = [ExternalID(source: "discogs", value: "release/1")]
    var entry = Entry(record)
    entry.copies = [.init(Copy.Facts(media: .veryGoodPlus))]
    try importRows([row(entry, key: "1 A 1")], format: "discogs")
    try importRows([row(entry, key: "1 A 2")], .item(ItemID(rawValue: 1)), format: "discogs")
    #expect(try store.copies().map(\.facts.media) == [.veryGoodPlus, .veryGoodPlus])
    var bare = entry
    bare.copies = [.init()]
    try importRows([row(bare, key: "x")], .item(ItemID(rawValue: 1)), format: "tellico")
    #expect(try store.copies().count == 2)
    // Facts about a copy that had none.
    let other = try #require(try store.add(Record(kind: .vinyl, title: "Blue Train"), isOwned: true, now: now).added)
    var told = Entry(Record(kind: .vinyl, title: "Blue Train"))
    told.copies = [.init(Copy.Facts(place: "K2"), holder: .init(person: "Anna", since: PartialDate("2026-01-01")))]
    try importRows([row(told, key: "y")], .item(other), format: "tellico")
    #expect(try store.copies(of: other).map(\.facts.place) == ["K2"])
    #expect(try store.loans().map(\.person) == ["Anna"])
  }

  @Test func `an invalid value goes into the note and the rest of the row is kept`() throws {
    var late = film("Late", 0, by: "Somebody New")
    late.times = [
      .init(endedOn: PartialDate("2031-01-01"), opinion: .init(rating: try Rating("5"))),
      .init(startedOn: PartialDate("2025-04-14"), endedOn: PartialDate("2025-04-04")),
      .init(.ongoing, startedOn: PartialDate("2025-05-01"), endedOn: PartialDate("2025-05-02"), page: 7),
    ]
    // SQLite counts each of several combining signs.
    late.opinions = [try #require(.init(comment: String(repeating: "e\u{323}\u{301}", count: 6_000)))]
    late.notes = [String(repeating: "a", count: 10_001)]
    let results = try importRows([row(late), row(film("Heat", 1995, by: "Somebody New"))])
    #expect(results.map(\.outcome) == [.added, .added])
    let id = try #require(results.first?.item)
    #expect(try store.diary(of: id).map { $0.endedOn?.description } == [nil, "2025-04-04", nil])
    #expect(try store.rating(of: id) == (try Rating("5")))
    #expect(try store.item(id).record.year == nil)
    #expect(
      try store.importedRows(of: 1).first?.reason?.split(separator: "; ").map(String.init) == [
        "an impossible year goes into the note", "a date in the future goes into the note",
        "a start date after the end date goes into the note", "the end date of an entry in progress goes into the note",
        "a page beyond the end of the book goes into the note",
        "the review is longer than 10000 characters, and its end is left out",
        "the note is longer than 10000 characters, and its end is left out",
      ])
  }

  @Test func `batched rows are all written before the import ends`() throws {
    let directors = ["Ada", "Bo", "Cy", "Di", "Eve", "Flo", "Gus"]
    let rows = try (1...40).map { number in
      var entry = film("Film \(number)", 1960 + number, by: directors[number % 7])
      entry.copies = [Entry.CopyOwned(Copy.Facts(place: "shelf \(number)"), holder: nil)]
      entry.record.labels = ["Drama", "Western"]
      if number.isMultiple(of: 9) { entry.opinions = [try #require(.init(comment: "seen \(number)"))] }
      return row(entry, key: "\(number)")
    }
    let items = try importRows(rows).compactMap(\.item)
    #expect(items.count == 40)
    for (number, id) in zip(1..., items) {
      let item = try store.item(id)
      #expect(item.record.creators == [directors[number % 7]])
      #expect(item.genres == ["Drama", "Western"])
      #expect(try store.copies(of: id).map(\.facts.place) == ["shelf \(number)"])
      #expect(try store.cards(of: id).count == (number.isMultiple(of: 9) ? 1 : 0))
    }
    #expect(try store.importedRows(of: 1).map(\.item) == items)
    #expect(try store.search("cy").count == 6)
  }

  @Test func `a long row key is recognized in its hashed and its former form`() throws {
    let name = "movie|heat|michael mann and quite some others|1995"
    let first = try importRows([row(film("Heat", 1995), key: name)])
    #expect(try store.importedRows(of: 1).map(\.key.utf8.count).allSatisfy { $0 < 26 })
    try store.db.run("UPDATE import_row SET key = \("letterboxd \(name)")")
    #expect(try importRows([row(film("Heat", 1995), key: name)]).map(\.outcome) == [nil])
    let later = try importRows([row(film("Heat", 1995, by: "Michael Mann"), key: name)])
    #expect(later.map(\.outcome) == [.joined])
    #expect(later.first?.item == first.first?.item)
    #expect(try store.db.value("SELECT count(DISTINCT key) FROM import_row", as: Int.self) == 1)
    #expect(try importRows([row(film("Heat", 1995, by: "Michael Mann"), key: name)]).map(\.outcome) == [nil])
  }

  @Test func `a row of another edition becomes an item joined as an edition`() throws {
    let first = try #require(try importRows([row(film("Heat", 1995))]).first?.item)
    let other = try #require(
      try importRows([row(film("Heat (Director's Cut)", 1995))], .edition(first, entry: nil)).first?.item)
    #expect(other != first)
    #expect(try store.editions(of: first) == [other])
  }

  @Test func `a copied selection has only the import rows of its items`() throws {
    try importRows([row(film("Heat", 1995)), row(film("Ronin", 1998))])
    let folder = try TemporaryFolder()
    let path = folder.path("some.db")
    _ = try store.copySelection(of: try Query(["ronin"], now: .now), to: path)
    let copy = try Store.open(at: path, for: .reading)
    #expect(try copy.importedRows(of: 1).map(\.words) == ["Ronin (1998)"])
  }

  @Test func `a skipped row is recorded with its reason`() throws {
    #expect(try importRows([row(film("Heat", 1995))], .left("two are alike")).map(\.outcome) == [.skipped])
    #expect(try store.importedRows(of: 1).map(\.reason) == ["two are alike"])
  }
}

extension Store {
  /// All rows of the tables of the catalog.
  fileprivate func dump() throws -> [String] {
    try ["item", "card", "log_entry", "copy", "wish", "item_tag", "pile_item", "import_batch", "import_row"].flatMap {
      table in
      try db.all("SELECT * FROM \(identifier: table) ORDER BY 1, 2") { "\(table) \($0.all)" }
    }
  }
}

extension Store.Addition {
  fileprivate var added: ItemID? { if case .added(let id) = self { id } else { nil } }
}
