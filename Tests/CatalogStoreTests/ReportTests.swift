import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

struct ReportTests {
  let store: Store
  /// 2026-11-21T09:30:00Z.
  let now = Date(timeIntervalSince1970: 1_795_253_400)

  init() throws { store = try Store.empty() }

  @discardableResult
  private func add(
    _ kind: Kind, _ title: String = "Title", by creators: String..., year: Int? = nil, at time: String = "2026-05-01",
    rating: Int? = nil, _ change: (inout Record) -> Void = { _ in }
  ) throws -> ItemID {
    var record = Record(kind: kind, title: title)
    record.credits = creators.map { Credit(name: $0, role: Credit.Role(main: kind)) }
    record.year = year
    change(&record)
    let id = try store.add(record, now: Self.moment(time)).id
    if let rating { try rate(id, rating, at: time) }
    return id
  }

  private func rate(_ item: ItemID, _ rating: Int?, at time: String, seen: String? = nil) throws {
    _ = try store.addCard(
      to: item, rating: rating.flatMap { Rating(value: $0, scale: .percent) }, comment: rating == nil ? "words" : nil,
      seenOn: seen.flatMap { PartialDate($0) }, now: Self.moment(time))
  }

  /// A day, or a whole time.
  private static func moment(_ text: String) -> Timestamp {
    Timestamp(rawValue: text.utf8.count == 10 ? text + "T12:00:00Z" : text)
  }

  private func book(
    _ year: Int?, pages: Int? = nil, price: Price? = nil, publisher: String? = nil, rating: Int? = nil
  ) throws {
    try add(.book, year: year, rating: rating) { record in
      var book = Book()
      (book.pages, book.price, book.publisher) = (pages, price, publisher)
      record.details = .book(book)
    }
  }

  private func movie(_ year: Int?, minutes: Int? = nil, rating: Int? = nil) throws {
    try add(.movie, year: year, rating: rating) { record in
      var movie = Movie()
      movie.minutes = minutes
      record.details = .movie(movie)
    }
  }

  private func record(_ label: String?, year: Int? = nil, rating: Int? = nil) throws {
    try add(.vinyl, year: year, rating: rating) { record in
      var vinyl = Vinyl()
      vinyl.label = label
      record.details = .vinyl(vinyl)
    }
  }

  private func query(_ words: String...) throws -> Query { try Query(words, now: now) }

  // MARK: Worked by hand

  @Test func `a year has its items, ratings, pages, minutes and prices`() throws {
    try book(1959, pages: 200, price: Price(minorUnits: 14_800, currency: "KRW"), rating: 80)
    try book(1959, pages: 100, price: Price(minorUnits: 1_250, currency: "USD"), rating: 70)
    try book(1959, price: Price(minorUnits: 200, currency: "KRW"))
    try movie(1959, minutes: 90, rating: 60)
    try movie(1979)
    try record("Columbia")
    let report = try store.tallyYears()
    #expect(report.rows.map(\.heading) == [1959, 1979])
    let tally = report.rows[0].tally
    #expect(tally.items == 4)
    #expect(tally.books == 3)
    #expect(tally.movies == 1)
    #expect(tally.records == 0)
    #expect(tally.rated == 3)
    #expect(tally.meanRating == 70)
    #expect(tally.pages == 300)
    #expect(tally.booksWithPages == 2)
    #expect(tally.minutes == 90)
    #expect(tally.moviesWithMinutes == 1)
    // Won and dollars are never added.
    #expect(tally.prices == [Price(minorUnits: 15_000, currency: "KRW"), Price(minorUnits: 1_250, currency: "USD")])
    #expect(tally.booksWithPrice == 3)
    // (10 × 70 + 210) ÷ 13
    #expect(tally.shrunkRating(towards: report.whole.meanRating) == 70)
    #expect(report.whole.items == 6)
    #expect(report.without == 1)
    #expect(report.whole.records == 1)
    #expect(report.rows[1].tally.meanRating == nil)
    #expect(report.rows[1].tally.shrunkRating(towards: report.whole.meanRating) == nil)
    #expect(report.median == 1959)
  }

  @Test func `the median year is that of the lower middle item`() throws {
    for year in [1950, 1960, 1970, 1980] { try movie(year) }
    #expect(try store.tallyYears().median == 1960)
    try movie(1990)
    #expect(try store.tallyYears().median == 1970)
    try movie(nil)
    #expect(try store.tallyYears().median == 1970)
    #expect(try store.tallyYears(query("year:none")).median == nil)
  }

  @Test func `a decade is ten years, also before Christ`() throws {
    for year in [1950, 1959, 1960, 9, 1, -1, -10, -11] { try movie(year) }
    let report = try store.tallyDecades()
    #expect(report.rows.map(\.heading) == [-20, -10, 0, 1950, 1960])
    #expect(report.rows.map(\.tally.items) == [1, 2, 2, 2, 1])
  }

  @Test func `years of addition end in UTC`() throws {
    try add(.movie, at: "2025-12-31T23:59:59Z")
    try add(.movie, at: "2026-01-01T00:00:00Z")
    let report = try store.tallyYears(of: .addition)
    #expect(report.rows.map(\.heading) == [2025, 2026])
    #expect(report.rows.map(\.tally.items) == [1, 1])
    #expect(report.without == 0)
  }

  @Test func `an item with two creators counts once for each`() throws {
    try add(.book, by: "Terry Pratchett", "Neil Gaiman", year: 1990, rating: 90)
    try add(.book, by: "Neil Gaiman", year: 2001)
    // Two sources call him by two ids.
    try add(.book) { record in
      for source in ["a", "b"] {
        record.credits.append(
          Credit(name: "Neil Gaiman", role: .author, externalID: ExternalID(source: source, value: "1")))
      }
      // He translates nothing here, and plays in no book.
      record.credits.append(Credit(name: "Translator", role: .translator))
    }
    try add(.movie, by: "Neil Gaiman") { $0.credits.append(Credit(name: "Actor", role: .cast)) }
    try add(.vinyl)
    let report = try store.tallyCreators()
    #expect(report.rows.map(\.heading) == ["Neil Gaiman", "Terry Pratchett"])
    #expect(report.rows.map(\.tally.items) == [4, 1])
    #expect(report.rows[0].tally.firstYear == 1990 && report.rows[0].tally.lastYear == 2001)
    #expect(report.whole.items == 5)
    #expect(report.without == 1)
    #expect(try store.tallyCreators(query("kind:movie")).rows.map(\.tally.items) == [1])
  }

  @Test func `a creator is counted under all spellings of the name, once an item`() throws {
    try add(.vinyl, "Help!", by: "Beatles, The")
    try add(.vinyl, "Revolver", by: "The Beatles (2)", "The Beatles")
    try add(.movie, "괴물", by: "봉준호")
    try add(.movie, "Okja", by: "Bong Joon-ho")
    let report = try store.tallyCreators()
    #expect(report.rows.map(\.heading) == ["The Beatles", "봉준호"])
    #expect(report.rows.map(\.tally.items) == [2, 2])
    let matrix = try store.genreMatrix(of: .all, by: .creator)
    #expect(matrix.buckets.map(\.items) == [2, 2])
    #expect(try ["Bong Joon Ho", "봉준호", "the beatles"].map { try store.items(by: $0).count } == [2, 2, 2])
    for words in ["creator:봉준호", "creator:\"Bong Joon-ho\"", "봉준호", "director:=봉준호"] {
      #expect(try store.count(query(words)) == 2, "\(words)")
    }
  }

  @Test func `labels that differ only in case are counted together`() throws {
    for label in ["Blue Note", "BLUE NOTE", "blue note", "Impulse!", "가요", " "] { try record(label) }
    try record(nil)
    try book(nil, publisher: "Blue Note")
    let report = try store.tallyLabels()
    #expect(report.rows.map(\.heading) == ["Blue Note", "Impulse!", "가요"])
    #expect(report.rows.map(\.tally.items) == [3, 1, 1])
    #expect(report.whole.items == 7)
    #expect(report.without == 2)
    #expect(try store.tallyPublishers().rows.map(\.heading) == ["Blue Note"])
  }

  @Test func `a record counts once for each of its labels`() throws {
    try record("EMI")
    for labels in [["EMI", "Capitol Records"], ["Impulse!", "impulse!", "emi"]] {
      try add(.vinyl) { $0.set(labels: labels.map { Credit(name: $0, role: .label) }) }
    }
    let report = try store.tallyLabels()
    #expect(report.rows.map(\.heading) == ["EMI", "Capitol Records", "Impulse!"])
    #expect(report.rows.map(\.tally.items) == [3, 1, 1])
    #expect(report.whole.items == 3)
    #expect(report.without == 0)
  }

  @Test func `sums of extreme values do not overflow`() throws {
    for _ in 0..<2 { try book(1959, pages: Int.max, price: Price(minorUnits: Int.max, currency: "ZZZ")) }
    let tally = try store.tally()
    #expect(tally.pages == Int.max)
    #expect(tally.prices == [Price(minorUnits: Int.max, currency: "ZZZ")])
    #expect(try store.tallyYears().rows[0].tally.pages == Int.max)
  }

  @Test func `a rating report has mean, median, deviation and histogram`() throws {
    for rating in [100, 80, 80, 60, 30] { try movie(nil, rating: rating) }
    try movie(nil)
    let report = try store.ratingReport()
    #expect(report.whole.rated == 5)
    #expect(report.whole.items == 6)
    #expect(report.whole.meanRating == 70)
    #expect(report.median == 80)
    // √((900 + 100 + 100 + 100 + 1600) ÷ 5)
    #expect(report.deviation == 560.0.squareRoot())
    #expect(report.histogram == [0, 0, 0, 1, 0, 0, 1, 0, 2, 0, 1])
    try movie(nil, rating: 50)
    #expect(try store.ratingReport().median == 70)
    #expect(report.kinds.map(\.comparison) == [nil])
  }

  @Test(arguments: [(0, 0), (4, 0), (5, 1), (14, 1), (15, 2), (85, 9), (94, 9), (95, 10), (100, 10)])
  func `a rating counts for the nearest half star`(_ rating: Int, _ step: Int) {
    #expect(RatingReport.step(of: rating) == step)
  }

  private func rated(_ rating: Int?, public other: Double?, _ kind: Kind = .movie) throws {
    try add(kind, rating: rating) { $0.publicRating = other.map { PublicRating(value: $0) } }
  }

  private func compared(_ kind: Kind = .movie) throws -> RatingReport.Comparison? {
    try store.ratingReport().kinds.first { $0.kind == kind }?.comparison
  }

  @Test func `a rating report compares with public ratings in both directions`() throws {
    for (own, other) in [(90, 70.0), (50, 70.0), (80, 80.0)] { try rated(own, public: other) }
    try rated(100, public: nil)
    try rated(nil, public: 10)
    let comparison = try #require(try compared())
    #expect(comparison.items == 3)
    #expect(comparison.difference == 0)
    #expect(abs(comparison.distance - 40.0 / 3) < 1e-12)
    #expect(comparison.correlation == nil)
    #expect(comparison.above.map(\.item.rawValue) == [1])
    #expect(comparison.above.map(\.points) == [20])
    #expect(comparison.below.map(\.item.rawValue) == [2])
  }

  @Test func `each kind is compared with the public of that kind`() throws {
    for own in [40, 50, 60, 70, 80] {
      try rated(own, public: Double(own) - 20)
      try rated(own, public: Double(own) + 10, .book)
    }
    try rated(80, public: nil, .vinyl)
    #expect(try compared()?.difference == 20)
    #expect(try compared(.book)?.difference == -10)
    #expect(try compared(.book)?.above.isEmpty == true)
    #expect(try compared(.vinyl) == nil)
  }

  @Test func `the correlation with public ratings needs five ratings that vary`() throws {
    for rating in [20, 40, 60, 80] { try rated(rating, public: 50 + Double(rating) / 10) }
    #expect(try #require(try compared()).correlation == nil)
    try rated(100, public: 60)
    #expect(try abs(#require(try compared()?.correlation) - 1) < 1e-12)
    try store.db.run("UPDATE item SET public_rating = 100 - public_rating")
    #expect(try abs(#require(try compared()?.correlation) + 1) < 1e-12)
    try store.db.run("UPDATE item SET public_rating = 61.3")
    #expect(try #require(try compared()).correlation == nil)
  }

  // MARK: The year in review

  @Test func `a card belongs to the year of its date, and to a month only with a full date`() throws {
    let movie = try add(.movie, at: "2025-03-01")
    try rate(movie, 60, at: "2026-02-01", seen: "2025")
    try rate(movie, 70, at: "2026-02-02", seen: "2026")
    try rate(movie, 80, at: "2026-02-03", seen: "2026-07")
    try rate(movie, 90, at: "2026-02-04")
    try rate(movie, nil, at: "2026-02-05", seen: "2026-08-09")
    let review = try store.yearReview(2026, now: now)
    #expect(review.figures.cards == 4)
    #expect(review.before.cards == 1)
    // One of the four is a rating: without a date it does not say that the movie was seen then.
    #expect(review.figures.times == 3)
    #expect(review.before.times == 1)
    #expect(review.figures.again == 3)
    #expect(review.before.again == 0)
    #expect(review.figures.timesWithoutMonth == 1)
    #expect(review.before.timesWithoutMonth == 1)
    #expect(review.figures.months.map(\.times) == [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0])
    #expect(review.before.months.allSatisfy { $0.times == 0 })
    // Four cards of one movie: the rating of the last viewing counts, even if another was written later.
    #expect(review.figures.seen.items == 1)
    #expect(review.figures.seen.meanRating == 80)
    #expect(review.figures.rated.items == 1)
    #expect(review.figures.rated.meanRating == 80)
    #expect(review.before.seen.meanRating == 60)
    #expect(review.best.map(\.on.description) == ["2026-07"])
    #expect(review.firstSeen?.on.description == "2026-08-09")
    #expect(review.lastSeen?.on.description == "2026-08-09")
    #expect(review.figures.added.items == 0)
    #expect(review.before.added.items == 1)
    #expect(review.firstAdded == nil)
  }

  @Test func `entries count once with their cards, and only finished ones count as seen`() throws {
    let written = Self.moment("2026-11-01")
    let movie = try add(.movie, at: "2024-01-01") { $0.movie.minutes = 100 }
    let book = try add(.book, at: "2024-01-01") { $0.book.pages = 200 }
    func log(_ item: ItemID, _ end: String?, rating: Int? = nil, _ outcome: LogEntry.Outcome = .done) throws {
      _ = try store.log(
        Occasion(
          outcome, endedOn: end.flatMap { PartialDate($0) }, isUndated: end == nil,
          rating: rating.flatMap { Rating(value: $0, scale: .percent) }, isAnother: outcome != .ongoing),
        of: item, now: written)
    }
    try log(movie, "2026-02-01", rating: 80)
    try log(movie, "2026-03-05", rating: 60)
    try log(book, "2026-04", .dropped)
    try log(book, "2025-05-05", rating: 40)
    try log(book, "2026")
    try log(book, nil, rating: 100)
    try log(book, nil, .ongoing)
    let review = try store.yearReview(2026, now: now)
    #expect(review.figures.times == 3)
    #expect(review.figures.again == 2)
    #expect(review.figures.dropped == 1)
    #expect(review.figures.seen.items == 2)
    #expect(review.figures.seen.movies == 1)
    // Twice the movie, once the book.
    #expect(review.figures.seen.minutes == 200)
    #expect(review.figures.seen.pages == 200)
    // The stars count in the year of the view, or of the card if that is unknown.
    #expect(review.figures.cards == 3)
    #expect(review.figures.rated.items == 2)
    #expect(review.figures.rated.meanRating == 80)
    #expect(review.best.map(\.item) == [book, movie])
    #expect(review.before.times == 1)
    #expect(review.before.rated.meanRating == 40)
    #expect(review.before.again == 1)
    #expect(review.figures.timesWithoutMonth == 1)
    #expect(review.firstSeen?.on.description == "2026-02-01")
    #expect(review.lastSeen?.on.description == "2026-03-05")
    #expect(try store.yearReview(2026, query("kind:book"), now: now).figures.times == 1)
  }

  @Test func `an item that was only rated is not seen`() throws {
    let movie = try add(.movie, at: "2024-01-01")
    _ = try store.rate(movie, Rating("4"), now: Self.moment("2026-05-01"))
    let review = try store.yearReview(2026, now: now)
    #expect(review.figures.rated.items == 1)
    #expect(review.figures.seen.items == 0)
    #expect(review.figures.times == 0)
    #expect(!review.figures.isEmpty)
    #expect(review.firstSeen == nil)
    #expect(review.best.count == 1)
  }

  @Test func `the best rated come first, and equal ones in the order of their cards`() throws {
    for (rating, day) in [(80, 3), (100, 9), (100, 2), (90, 1), (80, 4), (80, 2), (80, 1), (20, 1)] {
      let item = try add(.movie, at: "2026-01-01")
      try rate(item, rating, at: "2026-06-0\(day)")
    }
    let review = try store.yearReview(2026, now: now)
    // By the clock of the third, the second was written later. Four tie for the fourth place.
    #expect(review.best.map(\.item.rawValue) == [2, 3, 4, 1, 5, 6, 7])
    #expect(review.best.map { $0.rating?.value } == [100, 100, 90, 80, 80, 80, 80])
    #expect(review.best.more == 0)
    #expect(review.figures.histogram == [0, 0, 1, 0, 0, 0, 0, 0, 4, 1, 2])
  }

  @Test func `ties with the last leader are included up to ten`() {
    func leaders(_ merits: [Int]) -> (shown: [Int], more: Int) {
      let leaders = TopList(of: merits) { $0 }
      return (Array(leaders), leaders.more)
    }
    #expect(leaders([]) == ([], 0))
    #expect(leaders([3, 3, 1]) == ([3, 3, 1], 0))
    #expect(leaders([9, 8, 7, 6, 5, 4]) == ([9, 8, 7, 6, 5], 0))
    #expect(leaders([9, 8, 7, 6, 5, 5, 5, 4]) == ([9, 8, 7, 6, 5, 5, 5], 0))
    #expect(leaders(Array(repeating: 5, count: 10)) == (Array(repeating: 5, count: 10), 0))
    #expect(leaders([9] + Array(repeating: 5, count: 13) + [4]) == ([9] + Array(repeating: 5, count: 9), 4))
    #expect(leaders([9, 9, 9, 9, 9, 5]) == ([9, 9, 9, 9, 9], 0))
  }

  @Test func `genres and creators that tie are all listed`() throws {
    for number in 0..<7 {
      for _ in 0..<2 {
        var record = Record(kind: .book, title: "T")
        record.credits = [Credit(name: "Author \(number)", role: .author)]
        _ = try store.add(record, genres: ["Genre \(number)"], now: Self.moment("2026-01-01"))
      }
    }
    let review = try store.yearReview(2026, now: now)
    #expect(review.genres.map(\.items) == Array(repeating: 2, count: 7))
    #expect(review.genres.more == 0)
    #expect(review.creators.count == 7)
    #expect(review.creators.more == 0)
  }

  // MARK: What stands for a year

  private func cover(_ item: ItemID) throws {
    try store.setCover(Cover(bytes: [1], mediaType: "image/png"), of: item)
  }

  @Test func `covers are sorted by ratings and favorites, the newest of equals first`() throws {
    func item(_ rating: Int?, at time: String = "2026-01-01", hasCover: Bool = true) throws -> ItemID {
      let item = try add(.movie, at: time, rating: rating)
      if hasCover { try cover(item) }
      return item
    }
    let low = try item(20)
    let plain = try item(nil)
    let good = try item(90)
    let favorite = try item(nil)
    try store.favorite(favorite, now: Self.moment("2026-01-02"))
    let best = try item(100)
    let newer = try item(nil)
    _ = try item(100, hasCover: false)
    let old = try item(100, at: "2025-01-01")
    let expected = [best, good, favorite, low, newer, plain]
    #expect(try store.itemsWithCover(Query(), in: 2026, limit: 9) == expected)
    #expect(try store.itemsWithCover(Query(), in: 2026, limit: 2) == [best, good])
    #expect(try store.itemsWithCover(Query(), limit: 9) == [best, old] + expected.dropFirst())
    #expect(try store.itemsWithCover(query("kind:book"), in: 2026, limit: 9).isEmpty)
    // A card brings an old thing into the year, with the rating that it gives there.
    try rate(old, 30, at: "2026-02-01")
    #expect(try store.itemsWithCover(Query(), in: 2026, limit: 9) == [best, good, favorite, old, low, newer, plain])
    #expect(try store.itemsWithCover(Query(), in: 2025, limit: 9) == [old])
  }

  @Test func `the quote of a year is the newest comment of the best rating`() throws {
    let movie = try add(.movie, at: "2026-01-01")
    func card(_ rating: Int?, _ words: String?, seen: String? = nil) throws {
      _ = try store.addCard(
        to: movie, rating: rating.flatMap { Rating(value: $0, scale: .percent) }, comment: words,
        seenOn: seen.flatMap { PartialDate($0) }, now: Self.moment("2026-02-01"))
    }
    #expect(try store.bestWords(Query()) == nil)
    try card(nil, "unrated")
    #expect(try store.bestWords(Query())?.comment == "unrated")
    try card(90, "first")
    try card(90, "second")
    try card(80, "worse")
    try card(100, nil)
    try card(100, "of last year", seen: "2025-05")
    #expect(try store.bestWords(Query(), in: 2026)?.comment == "second")
    #expect(try store.bestWords(Query(), in: 2025)?.comment == "of last year")
    #expect(try store.bestWords(Query())?.comment == "of last year")
    #expect(try store.bestWords(query("kind:book")) == nil)
  }

  @Test func `a rating of another year does not count for the year`() throws {
    let old = try add(.movie, at: "2024-01-01", rating: 100)
    try rate(old, nil, at: "2026-01-01", seen: "2026-01-01")
    let review = try store.yearReview(2026, now: now)
    #expect(review.figures.seen.items == 1)
    #expect(review.figures.seen.rated == 0)
    #expect(review.best.isEmpty)
    #expect(!review.isOver)
    #expect(try store.yearReview(2025, now: now).isOver)
  }

  @Test func `a year in review has its first and last items, favorites, releases and months`() throws {
    try add(.movie, "C", year: 2026, at: "2026-03-05T10:00:00Z")
    let first = try add(.movie, "A", year: 2025, at: "2026-03-04T10:00:00Z")
    let last = try add(.movie, "B", year: 2026, at: "2026-12-31T23:59:59Z")
    try add(.movie, "D", year: 2026, at: "2027-01-01T00:00:00Z")
    try store.favorite(first, now: Self.moment("2026-04-01"))
    try store.favorite(last, now: Self.moment("2025-04-01"))
    let review = try store.yearReview(2026, now: now)
    #expect(review.firstAdded?.item == first)
    #expect(review.firstAdded?.on.description == "2026-03-04")
    #expect(review.lastAdded?.item == last)
    #expect(review.figures.favorites == 1)
    #expect(review.before.favorites == 1)
    #expect(review.figures.released == 3)
    #expect(review.before.released == 1)
    #expect(review.figures.months.map(\.added) == [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(!review.tellsNewGenres)
    let narrowed = try store.yearReview(2026, query("title:a"), now: now)
    #expect(narrowed.figures.added.items == 1)
    #expect(narrowed.before.favorites == 0)
  }

  @Test func `a genre is new in a year when no earlier item had it or a genre below it`() throws {
    func add(_ genres: [String], at time: String) throws {
      _ = try store.add(Record(kind: .vinyl, title: "T"), genres: genres, now: Self.moment(time))
    }
    try add(["Hard Bop"], at: "2024-01-01")
    for _ in 0..<18 { try add(["Rock"], at: "2025-01-01") }
    for _ in 0..<3 { try add(["Jazz", "Rock"], at: "2026-01-01") }
    try add(["Doom Metal"], at: "2026-01-02")
    // 19 items came before: the first year was too small for anything to be new.
    #expect(try store.yearReview(2026, now: now).newGenres.isEmpty)
    #expect(try !store.yearReview(2026, now: now).tellsNewGenres)
    try add(["Rock"], at: "2025-01-01")
    let review = try store.yearReview(2026, now: now)
    #expect(review.tellsNewGenres)
    // Jazz stands above Hard Bop, and Music above all.
    let fresh = review.newGenres.map(\.name)
    #expect(fresh.contains("Doom Metal"))
    #expect(!fresh.contains("Jazz"))
    #expect(!fresh.contains("Rock"))
    #expect(!fresh.contains("Music"))
    let rock = try #require(review.genres.first { $0.name == "Rock" })
    #expect(rock.items == 4)
    #expect(rock.share == 1)
    #expect(rock.shareBefore == 1)
    let jazz = try #require(review.genres.first { $0.name == "Jazz" })
    #expect(jazz.share == 0.75)
    #expect(jazz.shareBefore == 0)
    #expect(try store.yearReview(2024, now: now).genres.allSatisfy { $0.shareBefore == nil })
  }

  @Test func `reports work for the first and the last year of the calendar`() throws {
    for year in [1, 2, 9999] {
      try add(.movie, year: nil, at: "\(String(repeating: "0", count: 4 - "\(year)".count))\(year)-12-31T00:00:00Z")
    }
    let last = try store.yearReview(9999, now: now)
    #expect(last.figures.added.items == 1 && last.figures.months[11].added == 1 && last.lastAdded != nil)
    let first = try store.yearReview(1, now: now)
    #expect(first.figures.added.items == 1)
    #expect(first.before.added.items == 0)
    #expect(first.before.released == 0)
    #expect(try store.yearReview(2, now: now).before.added.items == 1)
  }

  @Test func `an empty catalog has no means and no medians`() throws {
    let report = try store.tallyYears()
    #expect(report.rows.isEmpty)
    #expect(report.median == nil)
    #expect(report.whole == Tally())
    let ratings = try store.ratingReport()
    #expect(ratings.median == nil)
    #expect(ratings.deviation == nil)
    #expect(ratings.kinds.isEmpty)
    let review = try store.yearReview(2026, now: now)
    #expect(review.figures.isEmpty)
    #expect(review.before.isEmpty)
    #expect(review.best.isEmpty)
    #expect(review.genres.isEmpty)
  }

  // MARK: By another way

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
  func `reports of random catalogs agree with a slow computation`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var things = (0..<Int.random(in: 1...90, using: &random)).map { _ in Thing(&random) }
    try store.write {
      for place in things.indices { things[place].id = try add(things[place]) }
    }
    // Gaps among the ids, as removals leave them.
    for place in things.indices.reversed() where Int.random(in: 0...9, using: &random) == 0 {
      try store.remove([things[place].id])
      things.remove(at: place)
    }
    for words in [[], ["kind:book"], ["year:1950..1969"], ["^kind:book", "rating:>=2"]] {
      let query = try Query(words, now: now)
      let selected = things.filter { thing in
        switch words {
        case []: true
        case ["kind:book"]: thing.kind == .book
        case ["year:1950..1969"]: (1950...1969).contains(thing.year ?? 0)
        default: thing.kind != .book && thing.rating ?? -1 >= 40
        }
      }
      try expectYears(query, of: selected)
      try expectNames(query, of: selected)
      try expectRatings(query, of: selected)
      try expectReview(query, of: selected)
    }
  }

  private struct Thing {
    var id = ItemID(rawValue: 0)
    var kind: Kind
    var year: Int?
    var added: String
    var creators: [String]
    var maker: String?
    var length: Int?
    var price: Price?
    var publicRating: Double?
    /// The cards in the order in which they were written.
    var cards: [WrittenCard]
    /// The finished and dropped entries without a card.
    var entries: [(outcome: LogEntry.Outcome, ended: String?, written: String)]

    typealias WrittenCard = (rating: Int?, seen: String?, written: String, hasEntry: Bool)

    init(_ random: inout SplitMix) {
      func maybe<T>(_ value: T, in chances: Int = 4) -> T? {
        Int.random(in: 0..<chances, using: &random) == 0 ? nil : value
      }
      func day(_ years: ClosedRange<Int>) -> String {
        let parts = [(years, 4), (1...12, 2), (1...28, 2)].map { range, width in
          let text = "\(Int.random(in: range, using: &random))"
          return String(repeating: "0", count: width - text.count) + text
        }
        return parts.joined(separator: "-")
      }
      kind = Kind.shelved.randomElement(using: &random) ?? .book
      year = maybe(Int.random(in: 1945...1975, using: &random))
      added = day(2024...2026)
      creators = ["한강", "Ann", "Bob", "Cy"].shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map(
        \.self)
      maker = maybe(["Blue Note", "blue note", "민음사", "Verve"].randomElement(using: &random) ?? "")
      length = maybe(Int.random(in: 1...900, using: &random))
      price = maybe(
        Price(
          minorUnits: Int.random(in: 0...30_000, using: &random),
          currency: ["KRW", "USD", "EUR"].randomElement(using: &random) ?? "KRW"))
      publicRating = maybe(Double(Int.random(in: 0...1000, using: &random)) / 10)
      cards = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        let seen = maybe(day(2024...2026), in: 2).map {
          String($0.prefix([4, 7, 10].randomElement(using: &random) ?? 4))
        }
        // By a clock that goes forth and back.
        let hasEntry = Int.random(in: 0...2, using: &random) == 0
        return (maybe(Int.random(in: 0...100, using: &random)), seen, day(2024...2026), hasEntry)
      }
      entries = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        let ended = maybe(day(2024...2026), in: 3).map {
          String($0.prefix([4, 7, 10].randomElement(using: &random) ?? 4))
        }
        return (Int.random(in: 0...2, using: &random) == 0 ? .dropped : .done, ended, day(2024...2026))
      }
    }

    /// The date of each time it was finished; nil for an unknown one.
    var times: [String?] {
      cards.filter { $0.hasEntry || $0.seen != nil }.map(\.seen) + entries.filter { $0.outcome == .done }.map(\.ended)
    }

    /// The times in this period, and the number of repeated ones.
    func times(in period: Period) -> (all: [String], again: Int) {
      let all = times.compactMap(\.self).filter { period.contains($0) }
      // The time with the earliest date is the first.
      let first = times.map { $0 ?? "" }.min()
      return (all, all.count - (first.map { period.contains($0) } == true ? 1 : 0))
    }

    /// The cards in the order of the days they speak of; those of one day in the order of writing.
    var cardsInOrder: [WrittenCard] {
      cards.enumerated().sorted { (day($0.1), $0.1.written, $0.0) < (day($1.1), $1.1.written, $1.0) }.map(\.1)
    }
    var rating: Int? { cardsInOrder.last { $0.rating != nil }?.rating }
    func day(_ card: WrittenCard) -> String { card.seen ?? card.written }
  }

  /// A year, or its part up to a day.
  private struct Period {
    var year: Int
    var until: String?

    func contains(_ date: String) -> Bool {
      Int(date.prefix(4)) == year && (until.map { date.prefix($0.count) <= $0 } ?? true)
    }
  }

  private func add(_ thing: Thing) throws -> ItemID {
    var record = Record(kind: thing.kind, title: "T\(try store.shelfCounts().total)")
    record.year = thing.year
    record.credits = thing.creators.map { Credit(name: $0, role: Credit.Role(main: thing.kind)) }
    record.publicRating = thing.publicRating.map { PublicRating(value: $0) }
    switch thing.kind {
    case .movie:
      var movie = Movie()
      movie.minutes = thing.length
      record.details = .movie(movie)
    case .book:
      var book = Book()
      (book.pages, book.price, book.publisher) = (thing.length, thing.price, thing.maker)
      record.details = .book(book)
    default:
      var vinyl = Vinyl()
      vinyl.label = thing.maker
      record.details = .vinyl(vinyl)
    }
    let id = try store.add(record, now: Self.moment(thing.added)).id
    func enter(_ outcome: LogEntry.Outcome, _ ended: String?, _ card: Int64?, at time: String) throws {
      try store.db.run(
        """
        INSERT INTO log_entry (item_id, ended_on, outcome, card_id, created_at)
        VALUES (\(id.rawValue), \(ended), \(outcome.rawValue), \(card), \(Self.moment(time).rawValue))
        """)
    }
    for card in thing.cards {
      try rate(id, card.rating, at: card.written, seen: card.hasEntry ? nil : card.seen)
      guard card.hasEntry else { continue }
      let written = try store.cards(of: id).map(\.id.rawValue).max()
      try enter(.done, card.seen, written, at: card.written)
    }
    for entry in thing.entries { try enter(entry.outcome, entry.ended, nil, at: entry.written) }
    return id
  }

  private func mean(_ values: [Int]) -> Double? {
    values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
  }

  private func expect(
    _ tally: Tally, of things: [Thing], ratings: [Int]? = nil, read: [Thing]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let read = read ?? things
    let books = things.filter { $0.kind == .book }
    let movies = things.filter { $0.kind == .movie }
    let ratings = ratings ?? things.compactMap(\.rating)
    var prices: [String: Int] = [:]
    for price in books.compactMap(\.price) { prices[price.currency, default: 0] += price.minorUnits }
    #expect(tally.items == things.count, sourceLocation: sourceLocation)
    #expect(tally.movies == movies.count, sourceLocation: sourceLocation)
    #expect(tally.books == books.count, sourceLocation: sourceLocation)
    #expect(tally.records == things.count - movies.count - books.count, sourceLocation: sourceLocation)
    #expect(tally.rated == ratings.count, sourceLocation: sourceLocation)
    #expect(tally.meanRating == mean(ratings), sourceLocation: sourceLocation)
    #expect(
      tally.pages == read.filter { $0.kind == .book }.compactMap(\.length).reduce(0, +), sourceLocation: sourceLocation)
    #expect(tally.booksWithPages == books.count { $0.length != nil }, sourceLocation: sourceLocation)
    #expect(
      tally.minutes == read.filter { $0.kind == .movie }.compactMap(\.length).reduce(0, +),
      sourceLocation: sourceLocation)
    #expect(
      tally.prices.map { "\($0)" }
        == prices.sorted { $0.key < $1.key }.map { "\(Price(minorUnits: $0.value, currency: $0.key))" },
      sourceLocation: sourceLocation)
    #expect(tally.firstYear == things.compactMap(\.year).min(), sourceLocation: sourceLocation)
    #expect(tally.lastYear == things.compactMap(\.year).max(), sourceLocation: sourceLocation)
  }

  private func expectYears(_ query: Query, of things: [Thing]) throws {
    let reports: [(TallyReport<Int>, (Thing) -> Int?)] = [
      (try store.tallyYears(query), { $0.year }), (try store.tallyDecades(query), { $0.year.map { $0 / 10 * 10 } }),
      (try store.tallyYears(query, of: .addition), { Int($0.added.prefix(4)) }),
    ]
    for (report, year) in reports {
      #expect(report.rows.map(\.heading) == Set(things.compactMap(year)).sorted())
      for row in report.rows { expect(row.tally, of: things.filter { year($0) == row.heading }) }
      #expect(report.without == things.count { year($0) == nil })
      expect(report.whole, of: things)
      let dated = things.compactMap(year).sorted()
      #expect(report.median == (dated.isEmpty ? nil : dated[(dated.count - 1) / 2]))
    }
  }

  private func expectNames(_ query: Query, of things: [Thing]) throws {
    let creators = try store.tallyCreators(query)
    #expect(Set(creators.rows.map(\.heading)) == Set(things.flatMap(\.creators)))
    for row in creators.rows { expect(row.tally, of: things.filter { $0.creators.contains(row.heading) }) }
    #expect(creators.without == things.count { $0.creators.isEmpty })
    for (report, kind) in [(try store.tallyLabels(query), Kind.vinyl), (try store.tallyPublishers(query), .book)] {
      let made = things.filter { $0.kind == kind }
      expect(report.whole, of: made)
      #expect(report.without == made.count { $0.maker == nil })
      #expect(Set(report.rows.map { $0.heading.lowercased() }) == Set(made.compactMap { $0.maker?.lowercased() }))
      for row in report.rows {
        let mine = made.filter { $0.maker?.lowercased() == row.heading.lowercased() }
        expect(row.tally, of: mine)
        #expect(mine.min { $0.id < $1.id }?.maker == row.heading)
      }
      let order = report.rows.map { (-$0.tally.items, $0.heading) }
      #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  private func expectRatings(_ query: Query, of things: [Thing]) throws {
    let report = try store.ratingReport(query)
    let ratings = things.compactMap(\.rating).sorted()
    expect(report.whole, of: things)
    for (step, count) in report.histogram.enumerated() {
      // The nearest half star: at least five below, less than five above.
      #expect(count == ratings.count { $0 >= step * 10 - 5 && $0 < step * 10 + 5 })
    }
    #expect(report.histogram.reduce(0, +) == ratings.count)
    if let mean = mean(ratings) {
      let middle = [ratings[(ratings.count - 1) / 2], ratings[ratings.count / 2]]
      #expect(report.median == Double(middle[0] + middle[1]) / 2)
      let squares = ratings.map { (Double($0) - mean) * (Double($0) - mean) }
      #expect(try abs(#require(report.deviation) - (squares.reduce(0, +) / Double(ratings.count)).squareRoot()) < 1e-9)
    }
    for kind in Kind.shelved {
      try expect(report.kinds.first { $0.kind == kind }?.comparison, of: things.filter { $0.kind == kind })
    }
  }

  private func expect(_ comparison: RatingReport.Comparison?, of things: [Thing]) throws {
    let pairs = things.compactMap { thing in
      thing.rating.flatMap { own in thing.publicRating.map { (id: thing.id, own: Double(own), other: $0) } }
    }
    guard !pairs.isEmpty else { return #expect(comparison == nil) }
    let comparison = try #require(comparison)
    let count = Double(pairs.count)
    let (own, other) = (pairs.reduce(0) { $0 + $1.own } / count, pairs.reduce(0) { $0 + $1.other } / count)
    #expect(comparison.items == pairs.count)
    #expect(abs(comparison.difference - (own - other)) < 1e-9)
    #expect(abs(comparison.distance - pairs.reduce(0) { $0 + abs($1.own - $1.other) } / count) < 1e-9)
    #expect((comparison.correlation != nil) == (pairs.count >= 5))
    if let correlation = comparison.correlation {
      // By the other formula: (n Σxy − Σx Σy) ÷ √((n Σx² − (Σx)²) (n Σy² − (Σy)²)).
      func sum(_ term: ((id: ItemID, own: Double, other: Double)) -> Double) -> Double {
        pairs.reduce(0) { $0 + term($1) }
      }
      let (x, y) = (sum { $0.own }, sum { $0.other })
      let top = count * sum { $0.own * $0.other } - x * y
      let bottom = (count * sum { $0.own * $0.own } - x * x) * (count * sum { $0.other * $0.other } - y * y)
      #expect(abs(correlation - top / bottom.squareRoot()) < 1e-6)
    }
    let above = pairs.filter { $0.own > $0.other }.sorted { ($1.own - $1.other, $0.id) < ($0.own - $0.other, $1.id) }
    let fifth = above.count > 5 ? above[4].own - above[4].other : -.infinity
    #expect(comparison.above.map(\.item) == above.filter { $0.own - $0.other >= fifth }.prefix(10).map(\.id))
  }

  private func expectReview(_ query: Query, of things: [Thing]) throws {
    for year in 2024...2027 {
      let review = try store.yearReview(year, query, now: now)
      // The year that goes on is compared with the same days of the year before.
      let today = LocalTime.utc.day(of: Timestamp(now))
      let until = today.hasPrefix("\(year)") ? "\(year - 1)" + today.dropFirst(4) : nil
      let periods = [
        (review.figures, Period(year: year)), (review.before, Period(year: year - 1, until: until)),
      ]
      for (figures, period) in periods {
        let year = period.year
        expect(figures.added, of: things.filter { period.contains($0.added) })
        let cards = things.map { thing in thing.cardsInOrder.filter { period.contains(thing.day($0)) } }
        #expect(figures.cards == cards.reduce(0) { $0 + $1.count })
        let newest = cards.map { $0.last { $0.rating != nil }?.rating }
        let ratings = newest.compactMap(\.self)
        expect(figures.rated, of: zip(things, newest).filter { $1 != nil }.map(\.0), ratings: ratings)
        #expect(figures.histogram.reduce(0, +) == ratings.count)
        let seen = zip(things, newest).filter { !$0.0.times(in: period).all.isEmpty }
        let days = things.flatMap { $0.times(in: period).all }
        #expect(figures.times == days.count)
        #expect(figures.again == things.reduce(0) { $0 + $1.times(in: period).again })
        expect(
          figures.seen, of: seen.map(\.0), ratings: seen.compactMap(\.1),
          read: things.flatMap { thing in thing.times(in: period).all.map { _ in thing } })
        #expect(
          figures.dropped
            == things.flatMap(\.entries).count { $0.outcome == .dropped && period.contains($0.ended ?? "") })
        #expect(figures.timesWithoutMonth == days.count { $0.count == 4 })
        for month in 1...12 {
          let start = "\(year)-\(month < 10 ? "0" : "")\(month)"
          #expect(figures.months[month - 1].times == days.count { $0.hasPrefix(start) })
          #expect(
            figures.months[month - 1].added == things.count { $0.added.hasPrefix(start) && period.contains($0.added) })
        }
        if year == review.year {
          let sorted = ratings.sorted(by: >)
          let leading = sorted.filter { $0 >= (sorted.count > 5 ? sorted[4] : 0) }
          #expect(review.best.map { $0.rating?.value } == Array(leading.prefix(10)))
          #expect(review.best.more == max(0, leading.count - 10))
          #expect(review.firstSeen?.on.description == days.filter { $0.count == 10 }.min())
          #expect(review.lastSeen?.on.description == days.filter { $0.count == 10 }.max())
          #expect(review.firstAdded?.on.description == things.map(\.added).filter { $0.hasPrefix("\(year)") }.min())
        }
      }
    }
  }
}
