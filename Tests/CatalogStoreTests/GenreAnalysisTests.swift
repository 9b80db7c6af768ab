import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

struct GenreAnalysisTests {
  let store: Store
  /// 2026-11-21T09:30:00Z.
  let now = Date(timeIntervalSince1970: 1_795_253_400)

  init() throws {
    store = try Store.inMemory()
    // A small tree of our own instead of the shipped one.
    try store.db.run("DELETE FROM genre")
    for (id, name, parent) in [
      (1, "Music", 0), (2, "Jazz", 1), (3, "Hard Bop", 2), (4, "Rock", 1), (5, "Fiction", 0), (6, "Fantasy", 5),
    ] {
      try store.db.run(
        "INSERT INTO genre (id, name, key, parent_id) VALUES (\(id), \(name), \(Folding.labelKey(name)), nullif(\(parent), 0))"
      )
    }
  }

  private func add(
    _ genres: [String], kind: Kind = .vinyl, rating: Int? = nil, isFavorite: Bool = false, daysAgo: Int = 10
  ) throws {
    let then = Timestamp(now.addingTimeInterval(-86_400 * Double(daysAgo)))
    let id = try store.add(Record(kind: kind, title: "Title"), genres: genres, now: then).id
    if let rating = rating.flatMap({ Rating(value: $0, scale: .percent) }) {
      _ = try store.addCard(to: id, rating: rating, comment: nil, now: then)
    }
    if isFavorite { try store.favorite(id, now: then) }
  }

  private func genre(_ name: String, in report: GenreReport) throws -> GenreReport.Genre {
    try #require(report.genres.first { $0.name == name })
  }

  // MARK: Worked by hand

  @Test func `a parent counts the items below it once`() throws {
    try add(["Jazz", "Hard Bop"])
    try add(["Hard Bop"])
    try add(["Rock"])
    try add([])
    let report = try store.genreReport(now: now)
    #expect(report.items == 4)
    #expect(report.itemsWithGenre == 3)
    #expect(report.itemsWithoutGenre == 1)
    #expect(report.genres.map(\.name) == ["Music", "Hard Bop", "Jazz", "Rock"])
    #expect(report.genres.map(\.items) == [3, 2, 2, 1])
    #expect(report.genres.map(\.ownItems) == [0, 2, 1, 1])
    let shares: [Double] = [1, 2.0 / 3, 2.0 / 3, 1.0 / 3]
    #expect(report.genres.map(\.share) == shares)
    // Hard Bop: ½ of the first item and all of the second, of three items.
    let weights: [Double] = [0, 1.5 / 3, 0.5 / 3, 1.0 / 3]
    #expect(report.genres.map(\.weight) == weights)
    #expect(try genre("Hard Bop", in: report).ancestors == ["Music", "Jazz"])
    // Music is a heading. Jazz and Hard Bop have two items each; Hard Bop weighs more.
    #expect(report.top?.name == "Hard Bop")
    #expect(try store.topGenre()?.name == "Hard Bop")
    #expect(try store.topGenre()?.items == 2)
  }

  @Test func `ties go to the weight, then to the name`() throws {
    try add(["Rock"])
    try add(["Fantasy"], kind: .book)
    #expect(try store.topGenre()?.name == "Fantasy")
    try add(["Rock", "Jazz"])
    try add(["Fantasy"], kind: .book)
    // Two items each, but Rock shares one of them.
    #expect(try store.topGenre()?.name == "Fantasy")
    try add(["Rock"])
    #expect(try store.topGenre()?.name == "Rock")
  }

  @Test func `a root is the top genre when items have it themselves`() throws {
    try add(["Fiction"], kind: .book)
    try add(["Fiction"], kind: .book)
    try add(["Fantasy"], kind: .book)
    #expect(try store.topGenre()?.name == "Fiction")
    try add(["Fantasy"], kind: .book)
    try add(["Fantasy"], kind: .book)
    #expect(try store.topGenre()?.name == "Fantasy")
  }

  @Test func `one record of five stars does not top the list`() throws {
    try add(["Rock"], rating: 100)
    for rating in [90, 80, 90, 80, 90, 80, 90, 80] { try add(["Jazz"], rating: rating) }
    try add(["Fantasy"], kind: .book, rating: 10)
    let report = try store.genreReport(now: now)
    // (100 + 4 × 90 + 4 × 80 + 10) ÷ 10
    #expect(report.meanRating == 79)
    #expect(report.rated == 10)
    #expect(try genre("Rock", in: report).meanRating == 100)
    // (5 × 79 + 100) ÷ 6
    #expect(try genre("Rock", in: report).shrunkRating == 82.5)
    #expect(try genre("Jazz", in: report).meanRating == 85)
    // (5 × 79 + 680) ÷ 13
    #expect(try genre("Jazz", in: report).shrunkRating == 1075.0 / 13)
    #expect(try genre("Jazz", in: report).rated == 8)
  }

  @Test func `the newest card decides, by time and then by number`() throws {
    try add(["Jazz"], rating: 20)
    let id = ItemID(rawValue: 1)
    let early = Timestamp(rawValue: "2026-11-12T00:00:00Z")
    for (rating, time) in [(40, early), (60, early), (99, Timestamp(rawValue: "2026-01-01T00:00:00Z"))] {
      _ = try store.addCard(to: id, rating: Rating(value: rating, scale: .percent), comment: nil, now: time)
    }
    _ = try store.addCard(to: id, rating: nil, comment: "only words", now: Timestamp(now))
    #expect(try store.genreReport(now: now).meanRating == 60)
  }

  @Test func `affinity needs five items`() throws {
    for number in 0..<5 { try add(["Jazz"], isFavorite: number < 3) }
    for number in 0..<4 { try add(["Rock"], rating: number == 0 ? 80 : 70) }
    try add([])
    let report = try store.genreReport(now: now)
    // Three of five against four of ten.
    #expect(report.loved == 4)
    #expect(try abs(#require(genre("Jazz", in: report).affinity) - 1.5) < 1e-12)
    #expect(try genre("Rock", in: report).affinity == nil)
  }

  @Test func `momentum is the share of the last 365 days less the share before`() throws {
    for genre in ["Jazz", "Jazz", "Jazz", "Rock"] { try add([genre], daysAgo: 365) }
    for genre in ["Jazz", "Rock"] { try add([genre], daysAgo: 366) }
    let report = try store.genreReport(now: now)
    #expect(report.recentItems == 4)
    #expect(try genre("Jazz", in: report).momentum == 25)
    #expect(try genre("Rock", in: report).momentum == -25)
    #expect(try genre("Music", in: report).momentum == 0)
  }

  @Test func `diversity is the number of genres when all weigh the same`() throws {
    for genre in ["Jazz", "Rock", "Fantasy", "Hard Bop"] { try add([genre]) }
    let report = try store.genreReport(now: now)
    #expect(try abs(#require(report.effectiveGenres) - 4) < 1e-12)
    #expect(report.giniSimpson == 0.75)
  }

  @Test func `nothing, and items without genre, have no numbers to divide`() throws {
    var report = try store.genreReport(now: now)
    #expect(report == GenreReport())
    #expect(report.effectiveGenres == nil && report.giniSimpson == nil && report.top == nil)
    #expect(try store.topGenre() == nil)
    try add([], rating: 90)
    report = try store.genreReport(now: now)
    #expect(report.items == 1 && report.itemsWithoutGenre == 1 && report.genres.isEmpty)
    try add(["Rock"])
    report = try store.genreReport(now: now)
    let rock = try genre("Rock", in: report)
    #expect(rock.share == 1 && rock.meanRating == nil && rock.shrunkRating == nil)
    #expect(rock.affinity == nil && rock.momentum == nil)
    #expect(report.effectiveGenres == 1 && report.giniSimpson == 0)
  }

  @Test func `a query selects the items`() throws {
    for rating in [90, 70, 50] { try add(["Jazz"], rating: rating) }
    for _ in 0..<30 { try add(["Rock"]) }
    try add(["Fantasy"], kind: .book, rating: 10)
    let books = try store.genreReport(Query(["kind:book"], now: now), now: now)
    #expect(books.items == 1 && books.genres.map(\.name) == ["Fantasy", "Fiction"] && books.meanRating == 10)
    let rated = try store.genreReport(Query(["rating:>=3", "kind:vinyl"], now: now), now: now)
    #expect(rated.items == 2 && rated.meanRating == 80 && rated.genres.map(\.items) == [2, 2])
    #expect(try store.genreReport(Query(["kind:movie"], now: now), now: now) == GenreReport())
  }

  // MARK: By another way

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
  func `random catalogs agree with a slow computation in any order`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let things = (0..<Int.random(in: 1...120, using: &random)).map { _ in Thing(&random) }
    let store = try filled(with: things)
    for kind in [nil, Kind.movie] {
      let query = kind.map { Query([.init(.kind($0))]) } ?? Query()
      let report = try store.genreReport(query, now: now)
      let selected = things.filter { kind == nil || $0.kind == kind }
      try expect(report, of: selected)
      let shuffled = try filled(with: things.shuffled(using: &random))
      #expect(try shuffled.genreReport(query, now: now) == report)
    }
    let top = try store.genreReport(now: now).top
    #expect(try store.topGenre()?.name == top?.name)
    #expect(try store.topGenre()?.items == top?.items)
  }

  @Test(arguments: [UInt64(11), 12, 13])
  func `the view of the file agrees`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    // The view counts back from this moment, not from a moment of ours.
    let now = Date()
    let store = try filled(with: (0..<200).map { _ in Thing(&random) }, now: now)
    let report = try store.genreReport(now: now)
    let rows = try store.db.all("SELECT * FROM genre_share") { row in
      GenreReport.Genre(
        name: try row.get("genre"), items: try row.get("items"), ownItems: try row.get("own_items"),
        share: try row.get("share"), weight: try row.get("weight"), rated: try row.get("rated"),
        meanRating: try row.get("mean_rating"), shrunkRating: try row.get("shrunk_rating"),
        affinity: try row.get("affinity"), momentum: try row.get("momentum"))
    }
    #expect(rows.map(\.name) == report.genres.map(\.name))
    for (row, genre) in zip(rows, report.genres) {
      #expect(row.items == genre.items && row.ownItems == genre.ownItems && row.rated == genre.rated)
      expectClose(row.share, genre.share)
      expectClose(row.weight, genre.weight)
      expectClose(row.meanRating, genre.meanRating)
      expectClose(row.shrunkRating, genre.shrunkRating)
      expectClose(row.affinity, genre.affinity)
      expectClose(row.momentum, genre.momentum)
    }
    #expect(
      try store.db.value("SELECT genre FROM genre_share WHERE NOT is_heading LIMIT 1", as: String.self)
        == report.top?.name)
  }

  private func expectClose(_ a: Double?, _ b: Double?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect((a == nil) == (b == nil), sourceLocation: sourceLocation)
    if let a, let b { #expect(abs(a - b) < 1e-9, sourceLocation: sourceLocation) }
  }

  private static let tree = [
    "A": nil, "A1": "A", "A2": "A", "A11": "A1", "A12": "A1", "B": nil, "B1": "B", "C": nil, "가요": "C",
  ]

  private struct Thing {
    var kind: Kind
    var genres: [String]
    var rating: Int?
    var isFavorite: Bool
    var days: Int

    init(_ random: inout SplitMix) {
      kind = Kind.shelved.randomElement(using: &random) ?? .book
      let count = Int.random(in: 0...4, using: &random)
      genres = Array(GenreAnalysisTests.tree.keys.sorted().shuffled(using: &random).prefix(count))
      rating = Bool.random(using: &random) ? Int.random(in: 0...100, using: &random) : nil
      isFavorite = Int.random(in: 0...5, using: &random) == 0
      days = Int.random(in: 1...800, using: &random)
    }

    /// Its genres and all above them.
    var allGenres: Set<String> {
      var all = Set(genres)
      for genre in genres {
        var next = GenreAnalysisTests.tree[genre] ?? nil
        while let name = next {
          all.insert(name)
          next = GenreAnalysisTests.tree[name] ?? nil
        }
      }
      return all
    }
    var isLoved: Bool { isFavorite || rating ?? 0 >= 80 }
    var isRecent: Bool { days <= 365 }
  }

  private func filled(with things: [Thing], now: Date? = nil) throws -> Store {
    let store = try Store.inMemory()
    try store.db.run("DELETE FROM genre")
    // Short names come before the names below them.
    for name in Self.tree.keys.sorted(by: { ($0 == "가요" ? 9 : $0.count, $0) < ($1 == "가요" ? 9 : $1.count, $1) }) {
      let parent = Self.tree[name] ?? nil
      try store.db.run(
        "INSERT INTO genre (name, key, parent_id) VALUES (\(name), \(Folding.labelKey(name)), (SELECT id FROM genre WHERE name = \(parent)))"
      )
    }
    try store.write {
      for thing in things {
        let then = (now ?? self.now).addingTimeInterval(-86_400 * Double(thing.days) + 60)
        let id = try store.add(Record(kind: thing.kind, title: "T"), genres: thing.genres, now: Timestamp(then)).id
        if let rating = thing.rating.flatMap({ Rating(value: $0, scale: .percent) }) {
          _ = try store.addCard(to: id, rating: rating, comment: nil, now: Timestamp(then))
        }
        if thing.isFavorite { try store.favorite(id, now: Timestamp(then)) }
      }
    }
    return store
  }

  /// The definitions, word for word.
  private func expect(_ report: GenreReport, of things: [Thing]) throws {
    func mean(_ things: [Thing]) -> Double? {
      let ratings = things.compactMap(\.rating)
      return ratings.isEmpty ? nil : Double(ratings.reduce(0, +)) / Double(ratings.count)
    }
    let classified = things.filter { !$0.genres.isEmpty }
    #expect(report.items == things.count)
    #expect(report.itemsWithGenre == classified.count)
    #expect(report.rated == things.count { $0.rating != nil })
    #expect(report.loved == things.count(where: \.isLoved))
    expectClose(report.meanRating, mean(things))
    #expect(Set(report.genres.map(\.name)) == Set(classified.flatMap(\.allGenres)))
    for genre in report.genres {
      let mine = classified.filter { $0.allGenres.contains(genre.name) }
      #expect(genre.items == mine.count)
      #expect(genre.ownItems == classified.count { $0.genres.contains(genre.name) })
      expectClose(genre.share, Double(mine.count) / Double(classified.count))
      #expect((0...1).contains(genre.share) && (0...1).contains(genre.weight))
      let weight = classified.filter { $0.genres.contains(genre.name) }.reduce(0) { $0 + 1 / Double($1.genres.count) }
      expectClose(genre.weight, weight / Double(classified.count))
      expectClose(genre.meanRating, mean(mine))
      let ratings = mine.compactMap(\.rating)
      expectClose(
        genre.shrunkRating,
        ratings.isEmpty
          ? nil
          : mean(things).map { (5 * $0 + Double(ratings.reduce(0, +))) / Double(5 + ratings.count) })
      let loved = Double(things.count(where: \.isLoved)) / Double(max(1, things.count))
      let lovedHere = Double(mine.count(where: \.isLoved)) / Double(mine.count)
      expectClose(genre.affinity, mine.count >= 5 && loved > 0 ? lovedHere / loved : nil)
      let (recent, earlier) = (classified.filter(\.isRecent), classified.filter { !$0.isRecent })
      let shares = [recent, earlier].map { part in
        part.isEmpty ? nil : Double(part.count { $0.allGenres.contains(genre.name) }) / Double(part.count)
      }
      expectClose(genre.momentum, shares[0].flatMap { now in shares[1].map { (now - $0) * 100 } })
      #expect((-100...100).contains(genre.momentum ?? 0))
    }
    guard !classified.isEmpty else { return }
    #expect(abs(report.genres.reduce(0) { $0 + $1.weight } - 1) < 1e-9)
    let effective = try #require(report.effectiveGenres)
    #expect((1 - 1e-9...Double(report.genres.count) + 1e-9).contains(effective))
    #expect((0..<1).contains(try #require(report.giniSimpson)))
  }
}
