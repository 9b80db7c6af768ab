import CatalogModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

struct GenreAnalysisTests {
  let store: Store
  /// 2026-11-21T09:30:00Z.
  let now = Date(timeIntervalSince1970: 1_795_253_400)

  init() throws {
    store = try Store.empty()
    // A small tree of our own instead of the shipped one.
    try store.db.run("DELETE FROM genre")
    for (id, name, parent) in [
      (1, "Music", 0), (2, "Jazz", 1), (3, "Hard Bop", 2), (4, "Rock", 1), (5, "Fiction", 0), (6, "Fantasy", 5),
    ] {
      try store.db.run(
        "INSERT INTO genre (id, name, key, parent_id) VALUES (\(id), \(name), \(Folding.nameKey(name)), nullif(\(parent), 0))"
      )
    }
  }

  private func add(
    _ genres: [String], kind: Kind = .vinyl, rating: Int? = nil, isFavorite: Bool = false, daysAgo: Int = 10,
    year: Int? = nil, by creators: [String] = []
  ) throws {
    let then = Timestamp(now.addingTimeInterval(-86_400 * Double(daysAgo)))
    var record = Record(kind: kind, title: "Title \(try store.count(Query()))")
    record.year = year
    record.credits = creators.map { Credit(name: $0, role: Credit.Role(main: kind)) }
    let id = try store.add(record, genres: genres, now: then).id
    if let rating = rating.flatMap({ Rating(value: $0, scale: .percent) }) {
      _ = try store.addCard(to: id, rating: rating, comment: nil, now: then)
    }
    if isFavorite { try store.favorite(id, now: then) }
  }

  private func genre(_ name: String, in report: GenreReport) throws -> GenreReport.Genre {
    try #require(report.genres.first { $0.name == name })
  }

  // MARK: Worked by hand

  @Test(
    arguments: [
      ("seen:2025", ["2025": 3]), ("seen:2026", ["2026": 1]), ("", ["2026": 1, "2025": 2]),
      ("seen:2024..2025", ["2025": 3]), ("seen:2025 rating:1..", [:]), ("(seen:2024 or seen:2025)", ["2025": 3]),
      ("-seen:2024", ["2026": 1, "2025": 2]),
    ] as [(String, [String: Int])])
  func `what a query chooses by days of the diary is dated by these days`(words: String, years: [String: Int]) throws {
    for number in 1...3 {
      try add(["Rock"], kind: .movie)
      _ = try store.log(
        Occasion(endedOn: PartialDate("2025-0\(number)-03")), of: ItemID(rawValue: Int64(number)), now: Timestamp(now))
    }
    _ = try store.log(Occasion(endedOn: PartialDate("2026-01-05")), of: ItemID(rawValue: 1), now: Timestamp(now))
    let matrix = try store.genreMatrix(store.query([words], now: now), by: .yearAdded)
    #expect(
      Dictionary(uniqueKeysWithValues: matrix.buckets.map { ("\($0.value)".filter(\.isNumber), $0.items) }) == years)
  }

  @Test func `a parent genre counts each item below it once`() throws {
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
    // Hard Bop is the lowest genre of the first two.
    let weights: [Double] = [0, 2.0 / 3, 0, 1.0 / 3]
    #expect(report.genres.map(\.weight) == weights)
    #expect(try genre("Hard Bop", in: report).ancestors == ["Music", "Jazz"])
    // Music is a heading. Jazz and Hard Bop have two items each; Hard Bop weighs more.
    #expect(report.top?.name == "Hard Bop")
    #expect(try store.topGenre()?.name == "Hard Bop")
    #expect(try store.topGenre()?.items == 2)
  }

  @Test func `ties of the top genre go to the weight, then to the name`() throws {
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

  @Test func `a root is never the top genre only because of its own label`() throws {
    for _ in 0..<5 { try add(["Fiction"], kind: .book) }
    #expect(try store.topGenre() == nil)
    #expect(try store.genreReport(now: now).top == nil)
    try add(["Fantasy"], kind: .book)
    #expect(try store.topGenre()?.name == "Fantasy")
    // A genre of one's own has nothing below it.
    for _ in 0..<2 { try add(["Skaldic"], kind: .book) }
    #expect(try store.topGenre()?.name == "Skaldic")
    #expect(try store.genreReport(now: now).genres.map(\.isHeading) == [true, false, false])
  }

  @Test func `only the lowest genres of an item have weight`() throws {
    try add(["Music", "Jazz", "Hard Bop", "Rock"])
    let report = try store.genreReport(now: now)
    #expect(try genre("Hard Bop", in: report).weight == 0.5)
    #expect(try genre("Rock", in: report).weight == 0.5)
    #expect(try genre("Jazz", in: report).weight == 0)
    #expect(try genre("Music", in: report).weight == 0)
    // Items of the genre itself are counted all the same.
    #expect(try genre("Music", in: report).ownItems == 1)
    let names = try store.db.values("SELECT genre FROM genre_share", as: String.self)
    #expect(names == report.genres.map(\.name))
    #expect(names == ["Hard Bop", "Rock", "Jazz", "Music"])
  }

  @Test func `genres of equal weight are sorted by name, in the views too`() throws {
    // A third thrice is 1 in whole numbers, and 0.9999999999999999 or 1 for SQL.
    for _ in 0..<3 { try add(["Rock", "Fantasy", "Jazz"]) }
    for name in ["Rock", "Fantasy", "Jazz"] { try add([name]) }
    let report = try store.genreReport(now: now)
    let names = try store.db.values("SELECT genre FROM genre_share WHERE NOT is_heading", as: String.self)
    #expect(names == ["Fantasy", "Jazz", "Rock"])
    #expect(report.genres.filter { !$0.isHeading }.map(\.name) == names)
  }

  @Test func `one record of five stars does not make its genre the best`() throws {
    try add(["Rock"], rating: 100)
    for rating in [90, 80, 90, 80, 90, 80, 90, 80] { try add(["Jazz"], rating: rating) }
    try add(["Fantasy"], kind: .book, rating: 10)
    let report = try store.genreReport(now: now)
    // (100 + 4 × 90 + 4 × 80 + 10) ÷ 10
    #expect(report.meanRating == 79)
    #expect(report.rated == 10)
    // The mean of the nine records is 780 ÷ 9.
    let prior: Double = 7800 / 9
    let (rock, jazz) = (try genre("Rock", in: report), try genre("Jazz", in: report))
    #expect(rock.meanRating == 100)
    expectClose(rock.shrunkRating, (prior + 100) / 11)
    #expect(jazz.meanRating == 85)
    expectClose(jazz.shrunkRating, (prior + 680) / 18)
    #expect(try genre("Jazz", in: report).rated == 8)
  }

  @Test func `the latest card gives the rating, at equal times the last written`() throws {
    try add(["Jazz"], rating: 20)
    let id = ItemID(rawValue: 1)
    let early = Timestamp(rawValue: "2026-11-12T00:00:00Z")
    for (rating, time) in [(40, early), (60, early), (99, Timestamp(rawValue: "2026-01-01T00:00:00Z"))] {
      // The last one is of an earlier time.
      _ = try store.addCard(to: id, rating: Rating(value: rating, scale: .percent), comment: nil, now: time)
    }
    _ = try store.addCard(to: id, rating: nil, comment: "only words", now: Timestamp(now))
    #expect(try store.genreReport(now: now).meanRating == 60)
  }

  @Test func `affinity counts judged items, is drawn towards 1 and needs five`() throws {
    for number in 0..<6 { try add(["Jazz"], isFavorite: number < 3) }
    for number in 0..<2 { try add(["Jazz"], rating: number == 0 ? 80 : 70) }
    for number in 0..<4 { try add(["Rock"], rating: number == 0 ? 80 : 70) }
    try add([], rating: 20)
    for _ in 0..<50 { try add(["Fantasy"]) }
    let report = try store.genreReport(now: now)
    // Three favorites, seven with a rating, of which two are loved.
    #expect(report.judged == 10)
    #expect(report.loved == 5)
    let jazz = try genre("Jazz", in: report)
    #expect(jazz.judged == 5)
    #expect(jazz.loved == 4)
    // (10 × ½ + 4) ÷ 15 ÷ ½
    #expect(try abs(#require(jazz.affinity) - 1.2) < 1e-12)
    // Five of ten are loved: no count of five among them could be significant.
    #expect(jazz.affinityChance == nil)
    #expect(!jazz.isAffinitySignificant)
    #expect(try genre("Rock", in: report).affinity == nil)
    #expect(try genre("Fantasy", in: report).affinity == nil)
    #expect(try genre("Fantasy", in: report).shrunkRating == nil)
  }

  @Test func `significant affinities are marked, corrected for all tested genres`() throws {
    for _ in 0..<20 { try add(["Jazz"], rating: 90) }
    for _ in 0..<30 { try add(["Rock"], rating: 50) }
    for number in 0..<10 { try add(["Fantasy"], kind: .book, rating: number < 5 ? 90 : 50) }
    let report = try store.genreReport(now: now)
    let significant = report.genres.filter(\.isAffinitySignificant).map(\.name)
    #expect(significant == ["Rock", "Jazz"])
    #expect(try #require(genre("Jazz", in: report).affinity) > 1.4)
    #expect(try #require(genre("Rock", in: report).affinity) < 0.7)
    // With so few of them it may be chance.
    let few = try store.genreReport(Query(["id:19..24"], now: now), now: now)
    #expect(few.genres.allSatisfy { !$0.isAffinitySignificant })
  }

  @Test func `a kind that is rated higher does not make its genres loved`() throws {
    for _ in 0..<40 { try add(["Jazz"], rating: 50) }
    for number in 0..<40 { try add([number < 20 ? "Fantasy" : "Fiction"], kind: .book, rating: 90) }
    let report = try store.genreReport(now: now)
    #expect(report.genres.allSatisfy { !$0.isAffinitySignificant })
    #expect(report.findings.allSatisfy { $0.claim.name != "loved" })
    #expect(try genre("Fantasy", in: report).affinity == 1)
    // Drawn towards the mean of books.
    #expect(try genre("Fantasy", in: report).shrunkRating == 90)
  }

  @Test func `momentum is the share of the last 365 days minus the share before`() throws {
    for genre in ["Jazz", "Jazz", "Jazz", "Rock"] { try add([genre], daysAgo: 365) }
    for genre in ["Jazz", "Rock"] { try add([genre], daysAgo: 366) }
    let report = try store.genreReport(now: now)
    #expect(report.recentItems == 4)
    #expect(report.earlierItems == 2)
    let jazz = try genre("Jazz", in: report)
    #expect(try abs(#require(jazz.momentum) - 25) < 1e-9)
    #expect(jazz.recent == 3)
    // Four of six are of this year, and four are Jazz.
    #expect(try abs(#require(jazz.recentExpected) - 16.0 / 6) < 1e-12)
    #expect(try abs(#require(genre("Rock", in: report).momentum) + 25) < 1e-9)
    #expect(try genre("Music", in: report).momentum == 0)
    #expect(report.genres.allSatisfy { !$0.isTrendSignificant && $0.trendChance == nil })
    #expect(!report.hasMomentum)
  }

  @Test func `kinds added one after another, or with more labels, make no trend`() throws {
    // The same mix of records and of books; the books came this year, and the last records with more genres each.
    try store.write {
      for number in 0..<60 {
        try add([number % 3 == 0 ? "Jazz" : "Rock"], daysAgo: 500)
        try add([number % 3 == 0 ? "Fantasy" : "Fiction"], kind: .book, daysAgo: 5)
      }
      for _ in 0..<20 { try add(["Jazz", "Rock"], daysAgo: 9) }
    }
    let report = try store.genreReport(now: now)
    #expect(report.findings == [])
    #expect(report.genres.allSatisfy { !$0.isTrendSignificant && $0.momentum == nil })
    #expect(report.years.allSatisfy { !$0.isSignificant })
  }

  @Test(arguments: [(6, 2, 10, false), (60, 20, 100, true), (9, 1, 9, false), (14, 2, 20, true), (0, 3, 10, false)])
  func `a significant trend with ten items on each side is marked`(
    _ recent: Int, _ before: Int, _ items: Int, _ isSignificant: Bool
  ) throws {
    try store.write {
      for number in 0..<items {
        // In no order: what comes in runs would count as fewer.
        try add([number < recent ? "Jazz" : "Rock"], daysAgo: 5 + number * 37 % 300)
        try add([number < before ? "Jazz" : "Rock"], daysAgo: 500 + number * 37 % 300)
      }
    }
    let report = try store.genreReport(now: now)
    #expect(report.hasMomentum == (items >= 10))
    #expect(try genre("Jazz", in: report).isTrendSignificant == isSignificant)
    #expect(try genre("Music", in: report).isTrendSignificant == false)
  }

  @Test func `diversity of equal branches is their number, and needs twenty items`() throws {
    for genre in ["Jazz", "Rock", "Fantasy", "Jazz", "Rock", "Fantasy", "Hard Bop"] { try add([genre]) }
    #expect(try store.genreReport(now: now).effectiveBranches == nil)
    #expect(try store.genreReport(now: now).giniSimpson == nil)
    for _ in 0..<20 { for genre in ["Hard Bop", "Rock", "Fantasy"] { try add([genre]) } }
    for genre in ["Rock", "Fantasy"] { try add([genre]) }
    let report = try store.genreReport(now: now)
    #expect(report.itemsWithGenre == 69)
    // Hard Bop is in the branch Jazz: 23 items each.
    #expect(try abs(#require(report.effectiveBranches) - 3) < 1e-9)
    #expect(try abs(#require(report.giniSimpson) - 2.0 / 3) < 1e-12)
  }

  @Test func `diversity is much the same with twenty items as with thousands`() throws {
    var random = SplitMix(seed: 5)
    let names = (1...12).map { "Branch \($0)" }
    func mean(_ items: Int, rounds: Int) throws -> Double {
      var sum = 0.0
      for _ in 0..<rounds {
        let store = try Store.empty()
        try store.db.run("DELETE FROM genre")
        try store.write {
          for name in names {
            try store.db.run("INSERT INTO genre (name, key) VALUES (\(name), \(Folding.nameKey(name)))")
          }
          for number in 0..<items {
            // The first branches are the most frequent.
            let mine = (0..<Int.random(in: 1...2, using: &random)).map { _ in
              names[min(Int.random(in: 0..<12, using: &random), Int.random(in: 0..<12, using: &random))]
            }
            _ = try store.add(
              Record(kind: .book, title: "Title \(number)"), genres: Set(mine).sorted(), now: Timestamp(now))
          }
        }
        sum += try #require(store.genreReport(now: now).effectiveBranches)
      }
      return sum / Double(rounds)
    }
    let many = try mean(2000, rounds: 1)
    #expect((9...11).contains(many))
    for (items, rounds) in [(20, 30), (60, 10), (300, 3)] {
      #expect(try abs(mean(items, rounds: rounds) / many - 1) < 0.1, "\(items)")
    }
  }

  @Test func `pairs compare the common items of two genres with chance`() throws {
    for _ in 0..<12 { try add(["Jazz", "Rock"]) }
    for _ in 0..<8 { try add(["Jazz", "Polka"]) }
    for _ in 0..<20 { try add(["Fantasy", "Polka"]) }
    for _ in 0..<30 { try add(["Polka"]) }
    try add([])
    let report = try store.genreReport(now: now)
    let pair = try #require(report.pairs.first { $0.genre == "Jazz" && $0.other == "Rock" })
    // Twenty of seventy items have Jazz, and twelve have Rock.
    #expect(pair.together == 12)
    #expect(abs(pair.expected - 240.0 / 70) < 1e-12)
    #expect(abs(pair.surplus - 600.0 / 70) < 1e-12)
    #expect(pair.lift == 3.5)
    // All twelve of the rock among the twenty of jazz: C(20, 12) ÷ C(70, 12).
    // Each work without a maker stands alone, which is 70 ÷ 69 of the unevenness by chance.
    let left = Statistics.dividedTail(125_970.0 / 10_638_894_058_520, by: 1 + GenreRuns.margin / 69)
    #expect(abs(pair.chance / left - 1) < 1e-6)
    // Jazz and Rock, Fantasy or Polka, Rock and Fantasy or Polka, Fantasy and Polka.
    #expect(report.pairsLookedAt == 6)
  }

  @Test func `items with more labels make no pairs`() throws {
    // Half of the items have one of six genres, half have four of them, each four as often.
    let names = ["Jazz", "Rock", "Fantasy", "P", "Q", "R"]
    let fours = (0..<64).filter { $0.nonzeroBitCount == 4 }
    try store.write {
      for number in 0..<60 {
        try add([names[number % 6]])
        let four = fours[number % fours.count]
        try add(names.indices.filter { four & 1 << $0 != 0 }.map { names[$0] })
      }
    }
    #expect(try store.genreReport(now: now).pairs.isEmpty)
  }

  @Test func `pairs are expected within their kind`() throws {
    // Among books and records alone Jazz and Rock, Fantasy and Rock meet as chance has it, though over both they seem
    // to seek each other.
    for _ in 0..<4 {
      for genres in [["Jazz", "Rock"], ["Jazz", "Polka"], ["Rock", "Polka"]] { try add(genres) }
    }
    for _ in 0..<100 { try add(["Fantasy", "Fiction"], kind: .book) }
    let report = try store.genreReport(now: now)
    #expect(report.pairs.isEmpty)
    #expect(report.pairsLookedAt == 3)
    #expect(try store.db.value("SELECT count(*) FROM genre_pair", as: Int.self) == 0)
  }

  @Test func `two genres of one label are not a pair`() throws {
    for _ in 0..<12 { try add(["Fantasy", "Rock"]) }
    for _ in 0..<20 { try add(["Jazz", "Fiction"]) }
    #expect(try store.genreReport(now: now).pairs.count == 2)
    try store.db.run(
      "INSERT INTO genre_label (id, source, key, label, is_known) VALUES (900, 'any', 'rockfantasy', 'Rock & Fantasy', 1)"
    )
    for (position, id) in [(1, 4), (2, 6)] {
      try store.db.run("INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (900, \(position), \(id))")
    }
    let report = try store.genreReport(now: now)
    #expect(report.pairs.map(\.genre) == ["Fiction"])
    #expect(report.pairsLookedAt == 4)
    #expect(try store.db.value("SELECT count(*) FROM genre_pair", as: Int.self) == 1)
  }

  @Test func `a genre and its parent are not a pair`() throws {
    for _ in 0..<5 { try add(["Jazz", "Hard Bop", "Music"]) }
    #expect(try store.genreReport(now: now).pairs.isEmpty)
  }

  @Test func `drift compares a year with the one before it`() throws {
    // 2023: Jazz. 2024: nothing with a genre. 2025: half Jazz, half Rock. 2026: the same.
    for number in 0..<10 { try add(["Jazz"], daysAgo: 1100 + 25 * number) }
    try add([], daysAgo: 800)
    for number in 0..<5 {
      for genre in ["Jazz", "Rock"] { try add([genre], daysAgo: 400 + 50 * number) }
      try add(["Rock", "Jazz"])
    }
    let years = try store.genreReport(now: now).years
    #expect(years.map(\.year) == [2023, 2024, 2025, 2026])
    #expect(years.map(\.items) == [10, 1, 10, 5])
    #expect(years.map(\.itemsWithGenre) == [10, 0, 10, 5])
    #expect(years.map(\.comparedWith) == [nil, 2023, 2023, 2025])
    // Until twenty items with a genre came before, nothing is new.
    #expect(years.map(\.newGenres) == [nil, nil, nil, []])
    #expect(years.map(\.hasEnoughItems) == [false, false, true, false])
    #expect(years[0].drift == nil && years[1].drift == nil && years[3].drift == 0)
    // P = (½, ½), Q = (1, 0), their middle (¾, ¼): ½ (½ log₂ ⅔ + ½ log₂ 2) + ½ log₂ 4⁄3.
    #expect(try abs(#require(years[2].drift) - 0.311278124459133) < 1e-12)
    // All of it is due to two branches.
    #expect(years[2].moved.map(\.genre) == ["Rock", "Jazz"] && years[2].moved.map(\.before) == [0, 1])
    #expect(years[2].moved.map(\.weight) == [0.5, 0.5])
    #expect(try abs(years[2].moved.reduce(0) { $0 + $1.part } - #require(years[2].drift)) < 1e-12)
    #expect(years.map { $0.chance == nil } == [true, true, false, true])
    #expect(try #require(years[2].chance) < 0.05)
  }

  @Test func `years without a kind in common are not compared`() throws {
    for _ in 0..<20 { try add(["Jazz"], daysAgo: 500) }
    for _ in 0..<20 { try add(["Fantasy"], kind: .book, daysAgo: 5) }
    let year = try #require(store.genreReport(now: now).years.last)
    #expect(year.drift == nil)
    #expect(year.comparedWith == 2025)
    #expect(!year.hasEnoughItems)
    // One record more has something to be compared with.
    try add(["Rock"], daysAgo: 5)
    #expect(try store.genreReport(now: now).years.last?.drift == 1)
  }

  @Test func `genres are new after twenty earlier items`() throws {
    for _ in 0..<19 { try add(["Jazz"], daysAgo: 900) }
    try add(["Rock"], daysAgo: 500)
    try add(["Fantasy"], daysAgo: 5)
    let years = try store.genreReport(now: now).years
    #expect(years.map(\.newGenres) == [nil, nil, ["Fantasy"]])
  }

  @Test func `years without a common genre have a drift of 1`() throws {
    try add(["Jazz"], daysAgo: 400)
    try add(["Rock"])
    #expect(try store.genreReport(now: now).years.last?.drift == 1)
  }

  @Test func `the similarity of kinds is the cosine of their weights`() throws {
    for _ in 0..<6 { try add(["Jazz"]) }
    for _ in 0..<8 { try add(["Rock"]) }
    for _ in 0..<3 { try add(["Jazz"], kind: .book) }
    for _ in 0..<4 { try add(["Fantasy"], kind: .book) }
    for _ in 0..<20 { try add(["Fantasy"], kind: .movie) }
    let report = try store.genreReport(now: now)
    #expect(report.kinds.map(\.kind) == [.movie, .book, .vinyl])
    #expect(report.kinds.map(\.items) == [20, 7, 14])
    let pairs = report.kindPairs
    #expect(pairs.map(\.kind) == [.book, .book, .movie])
    #expect(pairs.map(\.other) == [.movie, .vinyl, .vinyl])
    // Books (3, 4) of Jazz and Fantasy, records (6, 8) of Jazz and Rock: 3 · 6 ÷ (5 · 10).
    #expect(abs(pairs[1].similarity - 0.36) < 1e-12)
    #expect(pairs[1].shared.map(\.genre) == ["Jazz"])
    #expect(abs(pairs[1].shared[0].weight - 3.0 / 7) < 1e-12 && abs(pairs[1].shared[0].otherWeight - 6.0 / 14) < 1e-12)
    #expect(abs(pairs[1].shared[0].contribution - 0.36) < 1e-12)
    #expect(abs(pairs[0].similarity - 0.8) < 1e-12)
    #expect(pairs[2].similarity == 0 && pairs[2].shared.isEmpty)
    #expect(pairs.map(\.hasEnoughItems) == [false, false, true])
  }

  @Test func `genres of one or two items do not make kinds similar`() throws {
    for _ in 0..<12 { try add(["Jazz"]) }
    for _ in 0..<12 { try add(["Fantasy"], kind: .book) }
    for _ in 0..<2 { try add(["Jazz"], kind: .book) }
    var pair = try #require(store.genreReport(now: now).kindPairs.first)
    #expect(pair.similarity == 0)
    #expect(pair.shared.isEmpty)
    #expect(pair.hasEnoughItems)
    try add(["Hard Bop"], kind: .book)
    pair = try #require(store.genreReport(now: now).kindPairs.first)
    // Three books of the branch Jazz beside twelve of Fantasy.
    #expect(abs(pair.similarity - 3 / 153.0.squareRoot()) < 1e-12)
    #expect(pair.shared.map(\.genre) == ["Jazz"])
  }

  @Test func `the weights of an item with 37 genres add to one`() throws {
    let names = (1...37).map { "Genre \($0)" }
    try add(names)
    try add(["Genre 1", "Genre 2", "Genre 3"])
    let report = try store.genreReport(now: now)
    #expect(try abs(genre("Genre 1", in: report).weight - (1.0 / 37 + 1.0 / 3) / 2) < 1e-9)
    #expect(abs(report.genres.reduce(0) { $0 + $1.weight } - 1) < 1e-12)
  }

  @Test func `a matrix counts each item of a parent genre once per decade`() throws {
    try add(["Jazz", "Hard Bop"], year: 1959)
    try add(["Rock"], year: 1950)
    try add(["Hard Bop"], year: 1960)
    try add(["Fantasy"], kind: .book, year: -701)
    try add(["Fantasy"], kind: .book)
    try add([], year: 1999)
    let matrix = try store.genreMatrix(by: .decade)
    #expect(matrix.items == 6)
    #expect(matrix.itemsWithGenre == 5)
    #expect(matrix.itemsWithoutBucket == 1)
    #expect(matrix.buckets.map(\.value) == [.number(-710), .number(1950), .number(1960), .number(1990)])
    #expect(matrix.buckets.map(\.items) == [1, 2, 1, 1])
    #expect(matrix.buckets.map(\.itemsWithGenre) == [1, 2, 1, 0])
    #expect(matrix.rows.map(\.genre) == ["Music", "Fantasy", "Hard Bop", "Fiction", "Jazz", "Rock"])
    #expect(matrix.rows.map(\.items) == [3, 2, 2, 2, 2, 1])
    #expect(
      matrix.rows.map(\.counts) == [
        [0, 2, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0],
      ])
    #expect(matrix.rows.map(\.isHeading) == [true, false, false, true, false, false])
    let books = try store.genreMatrix(Query(["kind:book"], now: now), by: .decade)
    #expect(books.rows.map(\.counts) == [[1], [1]])
    #expect(books.items == 2)
    #expect(books.itemsWithoutBucket == 1)
  }

  @Test func `a matrix rounds ratings to the nearest half star`() throws {
    for rating in [0, 4, 5, 84, 85, 94, 95, 100] { try add(["Rock"], rating: rating) }
    try add(["Rock"])
    let matrix = try store.genreMatrix(by: .rating)
    #expect(matrix.buckets.map(\.value) == [0, 10, 80, 90, 100].map(GenreMatrix.Bucket.Value.number))
    #expect(matrix.buckets.map(\.items) == [2, 1, 1, 2, 2])
    #expect(matrix.itemsWithoutBucket == 1)
  }

  @Test func `creators with most items have columns, and the others are counted`() throws {
    for number in 0..<12 { try add(["Rock"], by: ["Band \(number)"]) }
    try add(["Jazz"], by: ["Band 11", "Band 10", "Band 11"])
    try add(["Jazz"], by: ["Band 11"])
    try add(["Fantasy"], kind: .book, by: ["Band 11"])
    try add(["Fantasy"], kind: .book)
    let matrix = try store.genreMatrix(by: .creator)
    let names = ["Band 11", "Band 10", "Band 0", "Band 1"] + (2...7).map { "Band \($0)" }
    #expect(matrix.buckets.map(\.value) == names.map(GenreMatrix.Bucket.Value.name))
    #expect(matrix.buckets.prefix(3).map(\.items) == [4, 2, 1])
    #expect(matrix.otherCreators == 2)
    #expect(matrix.itemsOfOthers == 2)
    #expect(matrix.itemsWithoutBucket == 1)
    let jazz = try #require(matrix.rows.first { $0.genre == "Jazz" })
    #expect(jazz.counts == [2, 1] + Array(repeating: 0, count: 8))
  }

  @Test func `items with distant ids are counted`() throws {
    for year in [1959, 1960] { try add(["Jazz"], rating: 90, year: year) }
    try store.db.run("UPDATE sqlite_sequence SET seq = \(Int64.max / 2) WHERE name = 'item'")
    try add(["Rock"], isFavorite: true, year: 1970)
    let report = try store.genreReport(now: now)
    #expect(report.items == 3)
    #expect(report.rated == 2)
    #expect(report.loved == 3)
    #expect(report.genres.map(\.items) == [3, 2, 1])
    #expect(try store.genreMatrix(by: .decade).rows.map(\.counts) == [[1, 1, 1], [1, 1, 0], [0, 0, 1]])
    // Genres too.
    try store.db.run("INSERT INTO genre (id, name, key) VALUES (\(Int64.max - 1), 'Far', 'far')")
    try add(["Far", "Rock"], year: 1970)
    #expect(try store.genreReport(now: now).genres.map(\.items) == [4, 2, 2, 1])
    #expect(try store.genreReport(now: now).genres.last?.name == "Far")
    #expect(try store.genreMatrix(by: .rating).buckets.map(\.items) == [2])
  }

  @Test func `without items or genres the quotients are nil`() throws {
    var report = try store.genreReport(now: now)
    #expect(report == GenreReport())
    #expect(report.effectiveBranches == nil)
    #expect(report.giniSimpson == nil)
    #expect(report.top == nil)
    #expect(try store.topGenre() == nil)
    try add([], rating: 90)
    report = try store.genreReport(now: now)
    #expect(report.items == 1)
    #expect(report.itemsWithoutGenre == 1)
    #expect(report.genres.isEmpty)
    try add(["Rock"])
    report = try store.genreReport(now: now)
    let rock = try genre("Rock", in: report)
    #expect(rock.share == 1)
    #expect(rock.meanRating == nil)
    #expect(rock.shrunkRating == nil)
    #expect(rock.affinity == nil)
    #expect(rock.momentum == nil)
    #expect(report.effectiveBranches == nil)
  }

  @Test func `open wishes do not count unless the query asks for them`() throws {
    try add(["Jazz"], kind: .movie)
    for _ in 0..<3 { try add(["Rock"], kind: .movie) }
    for id in 2...4 { _ = try store.wish(for: .item(ItemID(rawValue: Int64(id))), now: Timestamp(now)) }
    let report = try store.genreReport(now: now)
    #expect(report.items == 1)
    #expect(report.top?.name == "Jazz")
    #expect(try store.topGenre()?.name == "Jazz")
    #expect(try store.genreMatrix(by: .kind).items == 1)
    #expect(try store.db.value("SELECT genre FROM genre_share WHERE NOT is_heading LIMIT 1", as: String.self) == "Jazz")
    #expect(try store.genreReport(Query(["wished:yes"], now: now), now: now).top?.name == "Rock")
    // Items that were played or bought are no wishes any more.
    _ = try store.db.run("INSERT INTO copy (item_id, created_at) VALUES (2, '2026-01-01T00:00:00Z')")
    #expect(try store.genreReport(now: now).items == 2)
  }

  @Test func `a query limits the genre report to its items`() throws {
    for rating in [90, 70, 50] { try add(["Jazz"], rating: rating) }
    for _ in 0..<30 { try add(["Rock"]) }
    try add(["Fantasy"], kind: .book, rating: 10)
    let books = try store.genreReport(Query(["kind:book"], now: now), now: now)
    #expect(books.items == 1)
    #expect(books.genres.map(\.name) == ["Fantasy", "Fiction"])
    #expect(books.meanRating == 10)
    let rated = try store.genreReport(Query(["rating:3..", "kind:vinyl"], now: now), now: now)
    #expect(rated.items == 2)
    #expect(rated.meanRating == 80)
    #expect(rated.genres.map(\.items) == [2, 2])
    #expect(try store.genreReport(Query(["kind:movie"], now: now), now: now) == GenreReport())
  }

  // MARK: By another way

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
  func `random catalogs match a slow computation in any order`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let things = (0..<Int.random(in: 1...120, using: &random)).map { _ in Thing(&random) }
    let store = try filled(with: things)
    for kind in [nil, Kind.movie] {
      let query = kind.map { Query(.kind($0)) } ?? Query()
      let report = try store.genreReport(query, now: now)
      let selected = things.filter { kind == nil || $0.kind == kind }
      try expect(report, of: selected)
      try expectComparisons(report, of: selected)
      let shuffled = try filled(with: things.shuffled(using: &random))
      #expect(try shuffled.genreReport(query, now: now) == report)
      for dimension in GenreMatrix.Dimension.allCases {
        let matrix = try store.genreMatrix(query, by: dimension)
        expect(matrix, of: selected)
        #expect(matrix.rows.map(\.genre) == report.genres.map(\.name))
        #expect(matrix.rows.map(\.isHeading) == report.genres.map(\.isHeading))
        #expect(try shuffled.genreMatrix(query, by: dimension) == matrix)
      }
    }
    let top = try store.genreReport(now: now).top
    #expect(try store.topGenre()?.name == top?.name)
    #expect(try store.topGenre()?.items == top?.items)
  }

  @Test(arguments: [UInt64(11), 12, 13])
  func `the views of the file match the report`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    // The view counts back from this moment, not from a moment of ours.
    let now = Date()
    let store = try filled(with: (0..<200).map { _ in Thing(&random) }, now: now)
    let report = try store.genreReport(now: now)
    let rows = try store.db.all("SELECT * FROM genre_share") { row in
      var genre = GenreReport.Genre(
        name: try row.get("genre"), isHeading: try row.get("is_heading"), items: try row.get("items"),
        ownItems: try row.get("own_items"), share: try row.get("share"), weight: try row.get("weight"),
        rated: try row.get("rated"), meanRating: try row.get("mean_rating"),
        shrunkRating: try row.get("shrunk_rating"), judged: try row.get("judged"), loved: try row.get("loved"),
        affinity: try row.get("affinity"))
      (genre.momentum, genre.recent) = (try row.get("momentum"), try row.get("recent_items"))
      genre.recentExpected = try row.get("recent_expected")
      return genre
    }
    #expect(rows.map(\.name) == report.genres.map(\.name))
    for (row, genre) in zip(rows, report.genres) {
      #expect(row.items == genre.items)
      #expect(row.ownItems == genre.ownItems)
      #expect(row.rated == genre.rated)
      #expect(row.judged == genre.judged)
      #expect(row.loved == genre.loved)
      #expect(row.isHeading == genre.isHeading)
      expectClose(row.share, genre.share)
      expectClose(row.weight, genre.weight)
      expectClose(row.meanRating, genre.meanRating)
      expectClose(row.shrunkRating, genre.shrunkRating)
      expectClose(row.affinity, genre.affinity)
      expectClose(row.momentum, genre.momentum)
      expectClose(row.recentExpected, genre.recentExpected)
      #expect(row.recent == genre.recent)
    }
    #expect(
      try store.db.value("SELECT genre FROM genre_share WHERE NOT is_heading LIMIT 1", as: String.self)
        == report.top?.name)

    // The view has what may be chance too.
    let pairs = try store.db.all("SELECT * FROM genre_pair") { row in
      GenreReport.Pair(
        genre: try row.get("genre"), other: try row.get("other"), together: try row.get("together"),
        expected: try row.get("expected"), chance: try row.get("deviation"))
    }
    #expect(pairs.map(\.surplus) == pairs.map(\.surplus).sorted(by: >))
    #expect(!pairs.isEmpty)
    let places = report.pairs.map { pair in pairs.firstIndex { $0.genre == pair.genre && $0.other == pair.other } }
    for (pair, place) in zip(report.pairs, places) {
      let row = pairs[try #require(place)]
      #expect(row.together == pair.together)
      expectClose(row.expected, pair.expected)
      #expect(pair.surplus > 1.6 * row.chance)
    }

    let diversity = try #require(
      try store.db.one("SELECT * FROM genre_diversity") {
        (try $0.get("effective_branches", as: Double.self), try $0.get("gini_simpson", as: Double.self))
      })
    expectClose(diversity.0, report.effectiveBranches)
    expectClose(diversity.1, report.giniSimpson)

    let years = report.years.filter { $0.drift != nil }
    let drift = try store.db.all("SELECT * FROM genre_drift") {
      (
        year: try $0.get("year", as: Int.self), with: try $0.get("compared_with", as: Int.self),
        drift: try $0.get("drift", as: Double.self)
      )
    }
    #expect(drift.map(\.year) == years.map(\.year))
    #expect(drift.map(\.with) == years.map(\.comparedWith))
    for (row, year) in zip(drift, years) { expectClose(row.drift, year.drift) }

    let overlap = try store.db.all("SELECT kind, other, genre, contribution FROM kind_overlap") {
      (
        try $0.get("kind", as: String.self) + $0.get("other", as: String.self) + $0.get("genre", as: String.self),
        try $0.get("contribution", as: Double.self)
      )
    }
    let shared = report.kindPairs.flatMap { pair in
      pair.shared.map { (pair.kind.rawValue + pair.other.rawValue + $0.genre, $0.contribution) }
    }
    #expect(overlap.map(\.0) == shared.map(\.0))
    #expect(!shared.isEmpty)
    for (row, own) in zip(overlap, shared) { expectClose(row.1, own.1) }

    let matrix = try store.genreMatrix(by: .decade)
    let cells = try store.db.all("SELECT * FROM genre_by_decade") {
      "\(try $0.get("decade", as: Int.self)) \(try $0.get("genre", as: String.self)) \(try $0.get("items", as: Int.self))"
    }
    #expect(
      Set(cells)
        == Set(
          zip(matrix.buckets, matrix.buckets.indices).flatMap { bucket, place in
            matrix.rows.filter { $0.counts[place] > 0 }.map { row in
              guard case .number(let decade) = bucket.value else { return "" }
              return "\(decade) \(row.genre) \(row.counts[place])"
            }
          }))
  }

  @Test func `the genre views of an empty catalog are empty`() throws {
    for view in ["genre_share", "genre_pair", "genre_diversity", "genre_drift", "kind_overlap", "genre_by_decade"] {
      #expect(try store.db.all("SELECT * FROM \(identifier: view)", \.all).isEmpty, "\(view)")
    }
  }

  private func expectClose(_ a: Double?, _ b: Double?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect((a == nil) == (b == nil), sourceLocation: sourceLocation)
    if let a, let b { #expect(abs(a - b) < 1e-9, sourceLocation: sourceLocation) }
  }

  private static let tree = [
    "A": nil, "A1": "A", "A2": "A", "A11": "A1", "A12": "A1", "B": nil, "B1": "B", "C": nil, "가요": "C",
  ]

  /// A genre and those above it, the root last.
  private static func line(of name: String) -> [String] {
    [name] + ((tree[name] ?? nil).map(line) ?? [])
  }

  private static func branch(of name: String) -> String { line(of: name).dropLast().last ?? name }

  private struct Thing {
    var kind: Kind
    var genres: [String]
    var rating: Int?
    var isFavorite: Bool
    var days: Int
    var year: Int?
    var creators: [String]

    init(_ random: inout SplitMix) {
      kind = Kind.shelved.randomElement(using: &random) ?? .book
      let count = Int.random(in: 0...4, using: &random)
      genres = Array(GenreAnalysisTests.tree.keys.sorted().shuffled(using: &random).prefix(count))
      rating = Bool.random(using: &random) ? Int.random(in: 0...100, using: &random) : nil
      isFavorite = Int.random(in: 0...5, using: &random) == 0
      days = Int.random(in: 1...1500, using: &random)
      year = Bool.random(using: &random) ? Int.random(in: 1960...2020, using: &random) : nil
      creators = (0..<Int.random(in: 0...2, using: &random)).map { _ in "P\(Int.random(in: 10...30, using: &random))" }
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
    /// The lowest of its genres: none of them is above another.
    var lowest: [String] {
      genres.filter { genre in
        !genres.contains { other in other != genre && GenreAnalysisTests.line(of: other).contains(genre) }
      }
    }
    /// The share of the item in each branch.
    var branches: [String: Double] {
      lowest.reduce(into: [:]) {
        $0[GenreAnalysisTests.branch(of: $1), default: 0] += 1 / Double(lowest.count)
      }
    }
    var isJudged: Bool { isFavorite || rating != nil }
    var isLoved: Bool { isFavorite || rating ?? 0 >= 80 }
    var isRecent: Bool { days <= 365 }

    func added(_ now: Date) -> Date { now.addingTimeInterval(-86_400 * Double(days) + 60) }
    func yearAdded(_ now: Date) -> Int { Int(Timestamp(added(now)).rawValue.prefix(4)) ?? 0 }

    func buckets(_ dimension: GenreMatrix.Dimension, _ now: Date) -> Set<GenreMatrix.Bucket.Value> {
      switch dimension {
      case .decade: Set(year.map { [.number(Int((Double($0) / 10).rounded(.down)) * 10)] } ?? [])
      case .yearAdded: [.number(yearAdded(now))]
      case .kind: [.kind(kind)]
      case .creator: Set(creators.map { .name($0) })
      case .rating: Set(rating.map { [.number(Int((Double($0) / 10).rounded()) * 10)] } ?? [])
      }
    }
  }

  private func filled(with things: [Thing], now: Date? = nil) throws -> Store {
    let store = try Store.empty()
    try store.db.run("DELETE FROM genre")
    // Short names come before the names below them.
    for name in Self.tree.keys.sorted(by: { ($0 == "가요" ? 9 : $0.count, $0) < ($1 == "가요" ? 9 : $1.count, $1) }) {
      let parent = Self.tree[name] ?? nil
      try store.db.run(
        "INSERT INTO genre (name, key, parent_id) VALUES (\(name), \(Folding.nameKey(name)), (SELECT id FROM genre WHERE name = \(parent)))"
      )
    }
    try store.write {
      for thing in things {
        let then = thing.added(now ?? self.now)
        var record = Record(kind: thing.kind, title: "T \(try store.count(Query()))")
        record.year = thing.year
        record.credits = thing.creators.map { Credit(name: $0, role: Credit.Role(main: thing.kind)) }
        let id = try store.add(record, genres: thing.genres, now: Timestamp(then)).id
        if let rating = thing.rating.flatMap({ Rating(value: $0, scale: .percent) }) {
          _ = try store.addCard(to: id, rating: rating, comment: nil, now: Timestamp(then))
        }
        if thing.isFavorite { try store.favorite(id, now: Timestamp(then)) }
      }
    }
    return store
  }

  /// Checks the report against the literal definitions.
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
      #expect((0...1).contains(genre.share))
      #expect((0...1).contains(genre.weight))
      let weight = classified.filter { $0.lowest.contains(genre.name) }.reduce(0) { $0 + 1 / Double($1.lowest.count) }
      expectClose(genre.weight, weight / Double(classified.count))
      expectClose(genre.meanRating, mean(mine))
      let ratings = mine.compactMap(\.rating)
      // Drawn towards what each would have got at the mean of its kind.
      let expected = mine.filter { $0.rating != nil }.compactMap { thing in
        mean(things.filter { $0.kind == thing.kind })
      }
      expectClose(
        genre.shrunkRating,
        ratings.isEmpty
          ? nil
          : (10 * expected.reduce(0, +) / Double(ratings.count) + Double(ratings.reduce(0, +)))
            / Double(10 + ratings.count))
      let judged = mine.filter(\.isJudged)
      let loved = judged.reduce(0.0) { sum, thing in
        let others = things.filter { $0.kind == thing.kind && $0.isJudged }
        return sum + Double(others.count(where: \.isLoved)) / Double(others.count)
      }
      #expect(genre.judged == judged.count)
      #expect(genre.loved == judged.count(where: \.isLoved))
      let prior = judged.isEmpty ? 0 : 10 * loved / Double(judged.count)
      expectClose(
        genre.affinity, judged.count >= 5 && loved > 0 ? (prior + Double(genre.loved)) / (prior + loved) : nil)
      expectMomentum(genre, of: classified)
      #expect((-100...100).contains(genre.momentum ?? 0))
    }
    guard !classified.isEmpty else { return }
    #expect(abs(report.genres.reduce(0) { $0 + $1.weight } - 1) < 1e-9)
    try expectDiversity(report, of: classified)
  }

  /// Within the items of one kind with as many genres, six and more being one.
  private func expectMomentum(_ genre: GenreReport.Genre, of things: [Thing]) {
    let strata = Dictionary(grouping: things) { "\($0.kind) \(min(6, $0.genres.count))" }.values
    var (sum, whole, expected, count) = (0.0, 0.0, 0.0, 0)
    for stratum in strata {
      let (recent, earlier) = (stratum.filter(\.isRecent), stratum.filter { !$0.isRecent })
      guard !recent.isEmpty, !earlier.isEmpty else { continue }
      func mine(_ things: [Thing]) -> Double { Double(things.count { $0.allGenres.contains(genre.name) }) }
      let (n, m) = (Double(recent.count), Double(earlier.count))
      sum += n * m / (n + m) * (mine(recent) / n - mine(earlier) / m)
      whole += n * m / (n + m)
      expected += mine(stratum) * n / (n + m)
      count += Int(mine(recent))
    }
    expectClose(genre.momentum, whole > 0 ? 100 * sum / whole : nil)
    expectClose(genre.recentExpected, whole > 0 ? expected : nil)
    #expect(genre.recent == count)
  }

  private func expectDiversity(_ report: GenreReport, of things: [Thing]) throws {
    guard things.count >= 20 else { return #expect(report.effectiveBranches == nil && report.giniSimpson == nil) }
    let n = Double(things.count)
    var (weights, carriers): ([String: Double], [String: Double]) = ([:], [:])
    for thing in things {
      for (branch, share) in thing.branches {
        weights[branch, default: 0] += share / n
        carriers[branch, default: 0] += 1
      }
    }
    let coverage = max(1 / n, 1 - weights.filter { carriers[$0.key] == 1 }.values.reduce(0, +))
    let entropy = weights.reduce(0) { sum, branch in
      let w = coverage * branch.value
      let unseen = Foundation.pow(1 - coverage * (carriers[branch.key] ?? 0) / n, n)
      return sum - w * Foundation.log(w) / (1 - unseen)
    }
    let branches = Set(Self.tree.keys.map(Self.branch))
    expectClose(report.effectiveBranches, min(Foundation.exp(entropy), Double(branches.count)))
    expectClose(report.giniSimpson, 1 - weights.values.reduce(0) { $0 + $1 * $1 })
  }

  /// Checks pairs, drift and kinds against the literal definitions.
  private func expectComparisons(_ report: GenreReport, of things: [Thing]) throws {
    let classified = things.filter { !$0.genres.isEmpty }
    let names = Self.tree.keys.sorted()
    func above(_ name: String) -> Set<String> {
      var all: Set<String> = []
      var next = Self.tree[name] ?? nil
      while let name = next {
        all.insert(name)
        next = Self.tree[name] ?? nil
      }
      return all
    }
    var looked = 0
    var found: [GenreReport.Pair] = []
    for a in names {
      for b in names where a < b && !above(a).contains(b) && !above(b).contains(a) {
        let strata = Dictionary(grouping: classified.filter { $0.genres.count > 1 }) {
          "\($0.kind) \($0.genres.count)"
        }.values
        let parts = strata.map { mine in
          let (first, second) = (mine.count { $0.genres.contains(a) }, mine.count { $0.genres.contains(b) })
          let places = mine.reduce(0) { $0 + $1.genres.count } - max(first, second)
          return Statistics.Draw(
            items: max(places / (mine[0].genres.count - 1), first, second), first: first, second: second)
        }
        if parts.reduce(0, { $0 + min($1.first, $1.second) }) >= 3 { looked += 1 }
        let together = classified.count { $0.genres.contains(a) && $0.genres.contains(b) }
        let expected = parts.reduce(0) { $0 + Double($1.first * $1.second) / Double($1.items) }
        guard together >= 3, Double(together) > expected else { continue }
        let chance = Statistics.together(together, parts.filter { min($0.first, $0.second) > 0 })
        found.append(.init(genre: a, other: b, together: together, expected: expected, chance: chance))
      }
    }
    #expect(report.pairsLookedAt == looked)
    // Which of them are listed is a matter of the whole page; those that are come before the others.
    let most = report.pairs.map(\.chance).max() ?? 0
    let surer = found.filter { $0.chance < most - 1e-12 }.map { [$0.genre, $0.other] }
    #expect(Set(surer).isSubset(of: report.pairs.map { [$0.genre, $0.other] }))
    for own in report.pairs {
      let pair = try #require(found.first { $0.genre == own.genre && $0.other == own.other })
      #expect(own.together == pair.together)
      expectClose(own.expected, pair.expected)
      expectClose(own.chance, pair.chance)
    }
    #expect(report.pairs.map(\.surplus) == report.pairs.map(\.surplus).sorted(by: >))

    let branches = Set(names.map(Self.branch)).sorted()
    func weights(_ things: [Thing]) -> [Double] {
      branches.map { branch in things.reduce(0) { $0 + ($1.branches[branch] ?? 0) } / Double(things.count) }
    }
    func entropy(_ weights: [Double]) -> Double { -weights.reduce(0) { $1 > 0 ? $0 + $1 * Foundation.log2($1) : $0 } }
    var before: (year: Int, things: [Thing])?
    var met: Set<String> = []
    var earlier = 0
    #expect(report.years.map(\.year) == Set(things.map { $0.yearAdded(now) }).sorted())
    for year in report.years {
      let added = things.filter { $0.yearAdded(now) == year.year }
      let mine = added.filter { !$0.genres.isEmpty }
      #expect(year.items == added.count)
      #expect(year.itemsWithGenre == mine.count)
      #expect(year.comparedWith == before?.year)
      #expect(year.newGenres == (earlier < 20 ? nil : Set(mine.flatMap(\.genres)).subtracting(met).sorted()))
      earlier += mine.count
      met.formUnion(mine.flatMap(\.genres))
      guard let last = before, !mine.isEmpty else {
        #expect(year.drift == nil)
        #expect(year.chance == nil)
        #expect(!year.hasEnoughItems)
        #expect(year.moved.isEmpty)
        if !mine.isEmpty { before = (year.year, mine) }
        continue
      }
      // The entropy of the middle less the mean of the entropies: the same number by another way.
      var (drift, whole, sizes) = (0.0, 0.0, (0, 0))
      var (p, q) = (branches.map { _ in 0.0 }, branches.map { _ in 0.0 })
      for kind in Kind.shelved {
        let (a, b) = (last.things.filter { $0.kind == kind }, mine.filter { $0.kind == kind })
        guard !a.isEmpty, !b.isEmpty else { continue }
        let weight = Double(a.count * b.count) / Double(a.count + b.count)
        let (x, y) = (weights(a), weights(b))
        drift += weight * (entropy(zip(x, y).map { ($0 + $1) / 2 }) - (entropy(x) + entropy(y)) / 2)
        whole += weight
        sizes = (sizes.0 + a.count, sizes.1 + b.count)
        for place in branches.indices {
          p[place] += weight * x[place]
          q[place] += weight * y[place]
        }
      }
      expectClose(year.drift, whole > 0 ? drift / whole : nil)
      // In no test of time are kinds that came on few days.
      if report.runs.allSatisfy({ $0.effect != nil }) {
        #expect((year.chance == nil) == (min(sizes.0, sizes.1) < 10))
      } else {
        #expect(year.chance == nil || min(sizes.0, sizes.1) >= 10)
      }
      #expect(year.hasEnoughItems == (min(sizes.0, sizes.1) >= 10))
      expectClose(year.moved.reduce(0) { $0 + $1.part }, year.drift ?? 0)
      for move in year.moved {
        let place = try #require(branches.firstIndex(of: move.genre))
        expectClose(move.before, p[place] / whole)
        expectClose(move.weight, q[place] / whole)
      }
      before = (year.year, mine)
    }

    #expect(report.kinds.reduce(0) { $0 + $1.items } == things.count)
    #expect(report.kinds.reduce(0) { $0 + $1.itemsWithGenre } == classified.count)
    let present = ["book", "movie", "vinyl"].filter { kind in classified.contains { $0.kind.rawValue == kind } }
    #expect(report.kindPairs.count == present.count * (present.count - 1) / 2)
    for pair in report.kindPairs {
      #expect(pair.kind.rawValue < pair.other.rawValue)
      let (a, b) = (
        weights(classified.filter { $0.kind == pair.kind }), weights(classified.filter { $0.kind == pair.other })
      )
      func product(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      func carriers(_ kind: Kind) -> [Int] {
        branches.map { branch in classified.count { $0.kind == kind && $0.branches[branch] != nil } }
      }
      let both = zip(carriers(pair.kind), carriers(pair.other)).map { min($0, $1) >= 3 }
      let shared = zip(branches.indices, both).filter(\.1).map(\.0)
      expectClose(
        pair.similarity, shared.reduce(0) { $0 + a[$1] * b[$1] } / (product(a, a) * product(b, b)).squareRoot())
      #expect((0...1).contains(pair.similarity))
      expectClose(pair.shared.reduce(0) { $0 + $1.contribution }, pair.similarity)
      #expect(Set(pair.shared.map(\.genre)) == Set(shared.map { branches[$0] }))
    }
  }

  /// Checks a matrix against the literal definitions.
  private func expect(_ matrix: GenreMatrix, of things: [Thing]) {
    let buckets = things.map { $0.buckets(matrix.dimension, now) }
    #expect(matrix.items == things.count)
    #expect(matrix.itemsWithGenre == things.count { !$0.genres.isEmpty })
    #expect(matrix.itemsWithoutBucket == buckets.count(where: \.isEmpty))
    let all = Set(buckets.flatMap(\.self))
    let shown = Set(matrix.buckets.map(\.value))
    if matrix.dimension == .creator {
      #expect(shown.isSubset(of: all))
      #expect(shown.count == min(all.count, GenreMatrix.mostCreators))
      #expect(matrix.otherCreators == all.count - shown.count)
      #expect(matrix.itemsOfOthers == buckets.count { !$0.isEmpty && $0.isDisjoint(with: shown) })
      let least = matrix.buckets.map(\.items).min() ?? 0
      for other in all.subtracting(shown) { #expect(buckets.count { $0.contains(other) } <= least) }
    } else {
      #expect(shown == all)
      #expect(matrix.otherCreators == 0)
    }
    for (place, bucket) in matrix.buckets.enumerated() {
      let mine = zip(things, buckets).filter { $1.contains(bucket.value) }.map(\.0)
      #expect(bucket.items == mine.count)
      #expect(bucket.itemsWithGenre == mine.count { !$0.genres.isEmpty })
      for row in matrix.rows { #expect(row.counts[place] == mine.count { $0.allGenres.contains(row.genre) }) }
    }
    for row in matrix.rows { #expect(row.items == things.count { $0.allGenres.contains(row.genre) }) }
  }
}
