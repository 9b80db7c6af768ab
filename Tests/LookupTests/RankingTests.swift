import CatalogModel
import Foundation
import Synchronization
import Testing

@testable import Lookup

/// Tests the order of results.
struct RankingTests {
  static func candidate(_ title: String, _ popularity: Int = 0, year: Int? = nil) -> Candidate {
    var record = Record(kind: .book, title: title)
    record.year = year
    return Candidate(
      id: ExternalID(source: "a", value: "\(title) \(popularity)"), record: record, popularity: popularity)
  }

  static let orders: [(String, [(String, Int)], [Int])] = [
    // With an article or without, the better known one is first; among equals the first of the source.
    ("lord of the rings", [("Lord of the Rings", 1), ("The Lord of the Rings", 120)], [1, 0]),
    ("the lord of the rings", [("Lord of the Rings", 1), ("The Lord of the Rings", 120)], [1, 0]),
    ("lord of the rings", [("The Lord of the Rings", 0), ("Lord of the Rings", 0)], [0, 1]),
    ("dune", [("Dune Messiah", 900), ("Dune", 3), ("Dune", 70), ("Sandworms of Dune", 999)], [2, 1, 0, 3]),
    // Fame does not put what only begins so before what is called so, nor change the order of the others.
    ("it", [("It Follows", 999), ("It", 1)], [1, 0]), ("han kang", [("Greek Lessons", 1), ("Human Acts", 9)], [0, 1]),
  ]

  @Test(arguments: orders) func `titles come first, of equals the better known`(
    _ words: String, _ titles: [(String, Int)], _ order: [Int]
  ) {
    let candidates = titles.map { Self.candidate($0.0, $0.1) }
    #expect(candidates.ranked(for: SearchWords(words)) == order.map { candidates[$0] })
  }

  @Test(arguments: [1, 5, 10, 20, 100, 150]) func `the order does not depend on how many are wanted`(
    _ size: Int
  ) throws {
    let network = FakeNetwork { request, _ in
      let page = URLComponents(string: request.url)?.queryItems?.first { $0.name == "page" }?.value == "2" ? 2 : 1
      let rows = (0..<(page == 1 ? 100 : 60)).map { place in
        let title = page == 1 && place == 40 ? "Garden" : page == 2 && place == 0 ? "The Garden" : "Garden of \(place)"
        return #"{"key": "/works/OL\#(page * 1_000 + place)W", "title": "\#(title)", "edition_count": \#(page)}"#
      }
      return .success(
        Response(200, #"{"numFound": 160, "numFoundExact": true, "docs": [\#(rows.joined(separator: ","))]}"#))
    }
    func page(_ number: Int, _ size: Int) throws -> Page {
      let search = Search(words: "garden", kind: .book, page: number, pageSize: size)
      return try #require(
        try network.client.pages(of: [SourceSearch(.openLibrary, search, Source.openLibrary.settings(), isRanked: true)]
        )
        .first?.get())
    }
    let first = try page(1, size)
    #expect(first.candidates.count == size)
    #expect(first.candidates.first?.record.title == "Garden")
    #expect(first.hasMore)
    #expect(network.requests.count == (size > 100 ? 2 : 1))
    if size > 100 { #expect(first.candidates[100].record.title == "The Garden") }
    guard size < 100 else { return }
    #expect(try page(2, size).candidates.first == page(1, 2 * size).candidates[size])
  }

  @Test(arguments: [1, 5, 10, 14, 15, 30, 50])
  func `nor does it for hits that have to be completed`(_ size: Int) throws {
    let completed = Mutex(0)
    // Sixty hits, of which the thirteenth is called as the words are.
    let source = Source(
      id: "a", name: "A", kinds: [.book], paging: Paging(mostOnPage: 50), limit: nil, defaultBaseURL: "https://a",
      request: { search, settings in Request(source: "a", url: "\(settings.baseURL)/\(search.offset(atMost: 50))") },
      read: { _, search, _ in
        let places = search.offset(atMost: 50)..<min(60, search.offset(atMost: 50) + search.size(atMost: 50))
        let hits = places.map { Self.candidate("\($0)") }
        return Page(candidates: hits, total: 60, hasMore: places.upperBound < 60)
      },
      complete: { page, _, _, _ in
        completed.withLock { $0 += page.candidates.count }
        var page = page
        for place in page.candidates.indices {
          let name = page.candidates[place].record.title
          page.candidates[place].record.title = name == "12" ? "Garden" : "Garden of \(name)"
        }
        return page
      })
    let network = FakeNetwork { _, _ in .success(Response(200, "{}")) }
    func titles(_ number: Int, _ size: Int) throws -> [String] {
      let search = Search(words: "garden", kind: .book, page: number, pageSize: size)
      let part = SourceSearch(source, search, source.settings(), isRanked: true)
      return try #require(try network.client.pages(of: [part]).first?.get()).candidates.map(\.record.title)
    }
    let first = try titles(1, size)
    #expect(first.count == size)
    #expect(first.first == "Garden")
    #expect(completed.withLock { $0 } == (size - 1) / 14 * 14 + 14, "no more than whole lots")
    guard size < 30 else { return }
    #expect(try first + titles(2, size) == titles(1, 2 * size))
  }

  @Test func `more than a page of the source is fetched as several`() throws {
    let network = FakeNetwork { request, _ in
      let page = request.url.contains("page=2") ? 2 : 1
      let rows = (0..<(page == 1 ? 100 : 60)).map { #"{"key": "/works/OL\#(page * 1_000 + $0)W", "title": "T"}"# }
      return .success(
        Response(200, #"{"numFound": 160, "numFoundExact": true, "docs": [\#(rows.joined(separator: ","))]}"#))
    }
    let search = Search(words: "ann bee", kind: .book, pageSize: 150, scope: .field(.creator))
    let page = try #require(
      try network.client.pages(of: [SourceSearch(.openLibrary, search, Source.openLibrary.settings(), isRanked: true)])
        .first?.get())
    #expect(page.candidates.count == 150)
  }
}
