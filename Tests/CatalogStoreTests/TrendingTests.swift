import CatalogModel
import SQLite
import Testing

@testable import CatalogStore

struct TrendingTests {
  let store: Store
  let week = ISOWeek(rawValue: "2026-W47")

  init() throws { store = try Store.empty() }

  static func movie(_ number: Int, _ change: (inout Record) -> Void = { _ in }) -> Record {
    var record = Record(kind: .movie, title: "Movie \(number)")
    record.externalIDs = [ExternalID(source: "tmdb", value: "\(number)")]
    record.artworkURL = "https://image.tmdb.org/t/p/w500/\(number).jpg"
    change(&record)
    return record
  }

  private func cover(of number: Int) -> Cover {
    Cover(bytes: [1, 2, 3], mediaType: "image/png", sourceURL: "https://image.tmdb.org/t/p/w500/\(number).jpg")
  }

  private var written: Int { get throws { try store.db.value("SELECT total_changes()", as: Int.self) ?? 0 } }

  @Test func `a trending list is read as it was written`() throws {
    let whole = Self.movie(1) {
      $0.originalTitle = "기생충"
      ($0.year, $0.released) = (2019, PartialDate("2019-05-30"))
      $0.labels = ["Comedy", "Thriller"]
      $0.summary = "All\nunemployed."
      $0.url = "https://www.themoviedb.org/movie/1"
      $0.publicRating = PublicRating(value: 85, votes: 17)
    }
    let bare = Self.movie(2) { $0.artworkURL = nil }
    #expect(try store.trendingWeek() == nil)
    try store.setTrending([whole, bare], in: week)
    #expect(try store.trending(in: week) == [whole, bare])
    #expect(try store.trendingWeek() == week)
    #expect(try store.trendingWeek(before: week) == nil)
    #expect(try store.trending(in: ISOWeek(rawValue: "2026-W46")).isEmpty)
  }

  @Test func `only the differences of a trending list are written`() throws {
    try store.setTrending((1...20).map { Self.movie($0) }, in: week)
    let before = try written
    try store.setTrending((1...20).map { Self.movie($0) }, in: week)
    #expect(try written == before, "the same list again")

    // Two change places, one gets another rating, one goes and one comes.
    var next = (1...20).map { Self.movie($0) }
    next.swapAt(0, 1)
    next[4].publicRating = PublicRating(value: 50, votes: 1)
    next[19] = Self.movie(21) { $0.artworkURL = nil }
    try store.setTrending(next, in: week)
    // Two ranks, two facts, one row that goes, and the movie and the row that come.
    #expect(try written == before + 7)
    #expect(try store.trending(in: week) == next)
  }

  @Test func `a new trending week leaves the week before unchanged`() throws {
    try store.setTrending((1...3).map { Self.movie($0) }, in: week)
    let next = ISOWeek(rawValue: "2026-W48")
    let before = try written
    try store.setTrending((2...4).map { number in Self.movie(number) { $0.artworkURL = nil } }, in: next)
    // Movie 4 and three rows; the two that stay have lost their picture's address.
    #expect(try written == before + 4 + 2)
    #expect(try store.trending(in: week).map(\.title) == ["Movie 1", "Movie 2", "Movie 3"])
    #expect(try store.trending(in: next).map(\.title) == ["Movie 2", "Movie 3", "Movie 4"])
    #expect(try store.trendingWeek() == next)
    #expect(try store.trendingWeek(before: next) == week)
  }

  @Test func `a movie listed twice keeps its first place`() throws {
    try store.setTrending([Self.movie(1), Self.movie(2), Self.movie(1)], in: week)
    #expect(try store.trending(in: week).map(\.title) == ["Movie 1", "Movie 2"])
    let nameless = Record(kind: .movie, title: "No id")
    try store.setTrending([nameless, Self.movie(2)], in: week)
    #expect(try store.trending(in: week).map(\.title) == ["Movie 2"])
  }

  @Test func `covers are kept for the newest trending week and requested when missing or changed`() throws {
    try store.setTrending((1...3).map { Self.movie($0) }, in: week)
    #expect(try store.trendingWithoutCover(in: week).map(\.title) == ["Movie 1", "Movie 2", "Movie 3"])
    for number in [1, 2] {
      try store.setTrendingCover(cover(of: number), of: ExternalID(source: "tmdb", value: "\(number)"))
    }
    #expect(try store.trendingWithoutCover(in: week).map(\.title) == ["Movie 3"])
    #expect(try store.trendingCover(of: ExternalID(source: "tmdb", value: "1")) == cover(of: 1))
    var newer = cover(of: 1)
    (newer.bytes, newer.etag) = ([4], "new")
    try store.renewTrendingCover(newer)
    #expect(try store.trendingCover(at: "https://image.tmdb.org/t/p/w500/1.jpg") == newer)
    #expect(try store.trendingCover(at: "https://image.tmdb.org/t/p/w500/2.jpg") == cover(of: 2))
    #expect(try store.trendingCover(at: "https://image.tmdb.org/t/p/w500/3.jpg") == nil)
    try store.renewTrendingCover(cover(of: 1))

    let next = ISOWeek(rawValue: "2026-W48")
    try store.setTrending([Self.movie(2), Self.movie(4)], in: next)
    #expect(try store.trendingWithoutCover(in: next).map(\.title) == ["Movie 4"], "what stays is not fetched again")
    #expect(try store.trendingCover(of: ExternalID(source: "tmdb", value: "1")) == nil, "what went is let go")
    try store.setTrending([Self.movie(2) { $0.artworkURL = "https://other" }], in: next)
    #expect(try store.trendingWithoutCover(in: next).map(\.title) == ["Movie 2"], "another picture")
    // A movie of no list has none.
    try store.setTrendingCover(cover(of: 9), of: ExternalID(source: "tmdb", value: "9"))
    #expect(try store.db.value("SELECT count(*) FROM trending_cover", as: Int.self) == 1)
  }
}
