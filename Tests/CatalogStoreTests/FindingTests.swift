import CatalogModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

struct ComparingTests {
  private func near(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-9 * max(1, b) }

  /// Summed by hand from binomial coefficients.
  @Test func `Fisher's test is exact`() {
    func fisher(_ part: Int, of group: Int, against other: Int, of rest: Int) -> Double {
      Statistics.bothTails(part, [.init(items: group + rest, first: part + other, second: group)])
    }
    #expect(near(fisher(8, of: 10, against: 1, of: 10), 0.005477494641581329))
    #expect(near(fisher(1, of: 10, against: 8, of: 10), 0.005477494641581329))
    #expect(near(fisher(26, of: 100, against: 45, of: 500), 2.1021694228717713e-05))
    #expect(fisher(5, of: 10, against: 5, of: 10) == 1)
    #expect(fisher(0, of: 10, against: 0, of: 10) == 1)
  }

  @Test func `none is the hypergeometric probability of no item`() {
    // C(15, 10) ÷ C(20, 10).
    #expect(near(Statistics.none(of: 5, among: 10, of: 20), 0.016253869969040248))
    #expect(near(Statistics.none(of: 5, among: 0, of: 20), 1))
    #expect(Statistics.none(of: 5, among: 16, of: 20) == 0)
  }

  /// 1, 2, 2, 3, 4, 5 above and 1 below.
  @Test func `signedRank leaves out equal pairs`() {
    let differences: [Int] = [0, 0, 0, 0, 1, 7, 1, 2, 1, 1, 1]
    #expect(near(Statistics.signedRank(differences), 0.04178516840392212))
    #expect(Statistics.signedRank([0, 9, 0]) == 1)
    #expect(Statistics.signedRank([]) == 1)
  }
}

struct FindingTests {
  let store: Store
  /// 2026-11-21T09:30:00Z.
  let now = Date(timeIntervalSince1970: 1_795_253_400)

  init() throws {
    store = try Store.empty()
    try store.db.run("DELETE FROM genre")
    for (id, name, parent) in [
      (1, "Fiction", 0), (2, "Horror", 1), (3, "Drama", 1), (4, "Comedy", 1), (5, "Body Horror", 2),
    ] {
      try store.db.run(
        "INSERT INTO genre (id, name, key, parent_id) VALUES (\(id), \(name), \(Folding.nameKey(name)), nullif(\(parent), 0))"
      )
    }
  }

  private func add(
    _ count: Int, _ genres: String..., kind: Kind = .movie, title: String = "Title", rating: Int? = nil,
    publicRating: Double? = nil, daysAgo: (Int) -> Int = { 100 + $0 }, by author: String? = nil
  ) throws {
    for number in 0..<count {
      let then = Timestamp(now.addingTimeInterval(-86_400 * Double(daysAgo(number))))
      var record = Record(kind: kind, title: title)
      record.publicRating = publicRating.map { PublicRating(value: $0, votes: 10) }
      if let author { record.credits = [Credit(name: author, role: .author)] }
      let id = try store.add(record, genres: genres, now: then).id
      if let rating = rating.flatMap({ Rating(value: $0, scale: .percent) }) {
        _ = try store.addCard(to: id, rating: rating, comment: nil, now: then)
      }
    }
  }

  private func findings(_ words: String...) throws -> [GenreFinding] {
    try store.genreReport(Query(words, now: now), now: now).findings
  }

  @Test func `genres that grew or shrank are trends`() throws {
    // 9 of 100 before, 26 of 100 in the last year; the rest is Drama.
    try add(9, "Horror", daysAgo: { 400 + 60 * $0 })
    try add(91, "Drama", daysAgo: { 400 + 6 * $0 })
    try add(40, "Horror", daysAgo: { 10 + 8 * $0 })
    try add(60, "Drama", daysAgo: { 10 + 5 * $0 })
    let found = try findings()
    #expect(Set(found.map(\.genre)) == ["Drama", "Horror"])
    #expect(
      found.first { $0.genre == "Horror" }?.claim
        == .trend(now: .init(items: 40, whole: 100), before: .init(items: 9, whole: 100)))
    #expect(found.allSatisfy { $0.test == .fisher })
    #expect(found.allSatisfy { $0.p < 1e-6 && $0.adjusted <= FalseAlarms.report })
  }

  @Test func `a trend needs thirty items and ten on each side`() throws {
    try add(9, "Horror", daysAgo: { 400 + $0 })
    try add(6, "Drama", daysAgo: { 10 + $0 })
    #expect(try findings().isEmpty)
    try add(200, "Horror", daysAgo: { 400 + $0 })
    #expect(try !findings().contains { $0.claim.name == "trend" }, "the last year has only six")
  }

  @Test func `a genre without recent items is quiet`() throws {
    // Every third was Horror until 300 days ago.
    try add(30, "Horror", daysAgo: { 300 + 10 * $0 })
    try add(60, "Drama", daysAgo: { 300 + 5 * $0 })
    try add(30, "Drama", daysAgo: { 10 + 9 * $0 })
    let quiet = try #require(try findings().first { $0.claim.name == "quiet" })
    #expect(quiet.genre == "Horror")
    #expect(quiet.claim == .quiet(since: try #require(PartialDate("2026-01-25")), items: 30, othersSince: 30))
    #expect(try !findings().contains { $0.claim.name == "trend" && $0.genre == "Horror" }, "said once")
    try add(1, "Horror", daysAgo: { _ in 89 })
    #expect(try !findings().contains { $0.claim.name == "quiet" })
  }

  @Test func `a genre that appeared late and stayed is new`() throws {
    try add(80, "Drama", daysAgo: { 200 + 9 * $0 })
    try add(20, "Drama", daysAgo: { 10 + 9 * $0 })
    try add(20, "Comedy", daysAgo: { 10 + 9 * $0 })
    let new = try #require(try findings().first { $0.claim.name == "new" })
    #expect(new.genre == "Comedy")
    #expect(new.claim == .new(since: try #require(PartialDate("2026-05-24")), items: 20, othersBefore: 80))
  }

  @Test func `a genre added on one day is not new`() throws {
    try add(80, "Drama", daysAgo: { 200 + $0 })
    try add(20, "Comedy", daysAgo: { _ in 30 })
    #expect(try !findings().contains { $0.claim.name == "new" })
  }

  @Test func `genres rated higher or lower than the rest are loved findings`() throws {
    try add(20, "Horror", rating: 90)
    try add(20, "Drama", rating: 60)
    try add(20, "Comedy", rating: 75)
    let found = try findings().filter { $0.claim.name == "loved" }
    // The second is compared without what was named first.
    #expect(found.map(\.genre) == ["Drama", "Comedy"])
    #expect(found.last?.claim == .loved(rating: .init(value: 75, items: 20), rest: .init(value: 90, items: 20)))
    #expect(found.first?.test == .rankSum)
  }

  @Test func `a genre and its parent give one finding`() throws {
    try add(20, "Body Horror", rating: 90)
    try add(20, "Drama", rating: 60)
    try add(20, "Comedy", rating: 60)
    let genres = try findings().filter { $0.claim.name == "loved" }.map(\.genre)
    #expect(genres.contains("Body Horror"))
    #expect(!genres.contains("Horror"))
  }

  @Test func `genres rated differently from the public are public findings`() throws {
    try add(20, "Horror", rating: 90, publicRating: 60)
    try add(20, "Drama", rating: 60, publicRating: 60)
    try add(10, "Horror", rating: 90, publicRating: 60)
    var found = try findings().filter { $0.claim.name == "public" }
    #expect(found.map(\.genre) == ["Drama", nil], "the rest differs from this alone")
    #expect(
      found.first?.claim == .publicly(difference: .init(value: 0, items: 20), rest: .init(value: 30, items: 30)))
    found = try findings("genre:horror")
    #expect(found.map(\.genre) == [nil], "of all that is selected")
    #expect(found.first?.claim == .publicly(difference: .init(value: 30, items: 30), rest: nil))
  }

  @Test func `a genre that is mostly unrated is waiting`() throws {
    try add(20, "Horror")
    try add(40, "Drama", rating: 60)
    let waits = try #require(try findings().first { $0.claim.name == "waiting" })
    #expect(waits.genre == "Horror")
    #expect(waits.claim == .waiting(part: .init(items: 20, whole: 20), rest: .init(items: 0, whole: 40)))
  }

  @Test func `what was watched and left without stars does not wait`() throws {
    try add(20, "Horror")
    try add(40, "Drama", rating: 60)
    for id in 1...20 {
      _ = try store.log(Occasion(.done, isUndated: true), of: ItemID(rawValue: Int64(id)), now: Timestamp(now))
    }
    #expect(try !store.genreReport(of: .all, now: now).findings.contains { $0.claim.name == "waiting" })
  }

  // MARK: Kinds

  @Test func `a kind that came after the others makes none of its genres new`() throws {
    try add(100, "Drama", daysAgo: { 700 + $0 })
    try add(100, "Comedy", kind: .book, daysAgo: { 10 + 3 * $0 })
    #expect(try findings().isEmpty)
  }

  @Test func `a kind that is rated higher makes none of its genres loved`() throws {
    try add(40, "Drama", rating: 60)
    try add(20, "Comedy", kind: .book, rating: 90)
    try add(20, "Horror", kind: .book, rating: 90)
    #expect(try findings().isEmpty)
  }

  @Test func `a kind that is never rated does not wait`() throws {
    try add(40, "Drama", rating: 60)
    try add(20, "Comedy", kind: .vinyl)
    try add(20, "Horror", kind: .vinyl)
    #expect(try findings().isEmpty)
  }

  @Test func `a public that is kinder to one kind differs on none of its genres`() throws {
    try add(40, "Drama", rating: 60, publicRating: 60)
    try add(20, "Comedy", kind: .book, rating: 60, publicRating: 80)
    try add(20, "Horror", kind: .book, rating: 60, publicRating: 80)
    // The finding is true of all books.
    #expect(try findings().map(\.genre) == [nil])
  }

  @Test func `no sentence is about a heading`() throws {
    try add(40, "Fiction", rating: 90)
    try add(40, "Other", rating: 30)
    #expect(try findings().map(\.genre) == ["Other"])
  }

  @Test func `books rated above the films of their stories are a story finding`() throws {
    for number in 0..<12 {
      try add(1, "Drama", kind: .book, title: "The Story \(number)", rating: 80, by: "An Author")
      try add(1, "Drama", kind: .movie, title: "The Story: \(number)", rating: 60, by: "An Author")
      try add(1, "Drama", kind: .movie, title: "The Story \(number)", rating: 10, by: "Somebody Else")
    }
    let story = try #require(try findings().first { $0.claim.name == "story" })
    guard case .story(let books, let films, let items) = story.claim else { return }
    #expect(books == .init(value: 80, items: 12))
    #expect(films == .init(value: 60, items: 12))
    #expect(items.count == 24)
    #expect(try !findings("kind:book").contains { $0.claim.name == "story" }, "both must be selected")
  }

  @Test func `there are at most seven findings and two of a kind`() throws {
    for (number, genre) in ["Horror", "Drama", "Comedy"].enumerated() {
      for rating in 0..<5 {
        try add(
          12, genre, rating: 30 * number + 5 * rating, publicRating: Double(90 - 30 * number),
          daysAgo: { 400 * (number % 2) + 3 * $0 + 1 })
      }
    }
    let found = try findings()
    #expect(!found.isEmpty)
    #expect(found.count <= GenreFinding.most)
    #expect(Dictionary(grouping: found, by: \.claim.name).values.allSatisfy { $0.count <= 2 })
    #expect(found.map(\.adjusted) == found.map(\.adjusted).sorted())
  }

  /// Tests random shelves without significant findings: genres, days, ratings and waiting times are drawn by chance,
  /// and the public rating is as often above as below. At most one report in twenty may have a finding.
  @Test(arguments: [(30, 1), (100, 1), (100, 3), (400, 2), (2000, 3)])
  func `an even taste has no findings`(items: Int, genresEach: Int) throws {
    try store.db.run("DELETE FROM genre")
    for id in 1...40 {
      // Four roots with nine genres each.
      let parent = id <= 4 ? 0 : (id - 1) % 4 + 1
      try store.db.run(
        "INSERT INTO genre (id, name, key, parent_id) VALUES (\(id), \("G\(id)"), \("g\(id)"), nullif(\(parent), 0))")
    }
    let tree = try GenreTree(store.db)
    var random = SplitMix(seed: UInt64(items * 10 + genresEach))
    let today = 20_000
    var wrong = 0
    let rounds = items < 1_000 ? Rounds.count(60, long: 100) : Rounds.count(20, long: 40)
    for _ in 0..<rounds {
      var tally = GenreTally(tree, today: today)
      for _ in 0..<items {
        var item = GenreScope.Member()
        item.kind = 0
        let day = today - Int.random(in: 0..<1000, using: &random)
        item.date = GenreScope.date(try #require(PartialDate(dayNumber: day)))
        if Int.random(in: 0..<3, using: &random) > 0 {
          let rating = Int8(Int.random(in: 0..<5, using: &random) * 10 + 50)
          item.rating = rating
          item.publicRating = rating + Int8(Int.random(in: 0..<21, using: &random) - 10)
        }
        // Some genres are frequent, some rare.
        var genres = Set<Int>()
        while genres.count < genresEach {
          genres.insert(4 + min(Int.random(in: 0..<36, using: &random), Int.random(in: 0..<36, using: &random)))
        }
        tally.count(item, Array(genres))
      }
      let statistics = GenreStatistics(tally)
      let comparisons = statistics.comparisons()
      if !statistics.findings(of: comparisons, rates: FalseAlarms(comparisons.all).rates).isEmpty { wrong += 1 }
    }
    #expect(wrong <= rounds / 20, "\(wrong) of \(rounds)")
  }
}
