import CatalogModel
import Foundation
import Testing

@testable import Lookup

/// Tests the order in which sources are asked.
struct ChainTests {
  static func ids(_ kind: Kind, _ words: String = "dune", country: String = "US", keys: String...) -> [String] {
    Source.chain(for: kind, words: words, country: country, keys: Set(keys)).map(\.id)
  }

  @Test func `each kind has its sources in order of preference`() {
    #expect(Self.ids(.movie) == ["itunes", "wikidata"])
    #expect(Self.ids(.movie, keys: "tmdb") == ["tmdb", "itunes", "wikidata"])
    #expect(Self.ids(.book) == ["openlibrary", "inventaire", "itunes"])
    #expect(Self.ids(.book, keys: "kakao", "googlebooks") == ["openlibrary", "googlebooks", "inventaire", "itunes"])
    #expect(Self.ids(.book, "토지", keys: "kakao") == ["kakao", "openlibrary", "inventaire", "itunes"])
    #expect(Self.ids(.book, country: "KR", keys: "kakao").first == "kakao")
    #expect(Self.ids(.vinyl) == ["musicbrainz", "itunes"])
    #expect(Self.ids(.vinyl, keys: "discogs") == ["discogs", "musicbrainz", "itunes"])
    #expect(Self.ids(.music) == ["itunes", "musicbrainz"])
    #expect(Self.ids(.podcast) == ["itunes"])
  }

  @Test func `each kind of code has its sources in order of preference`() throws {
    let (english, korean) = (try ISBN("9780441172719"), try ISBN("9788936434120"))
    #expect(Source.chain(for: .isbn(english)).map(\.id) == ["openlibrary", "inventaire", "itunes"])
    #expect(Source.chain(for: .isbn(english), keys: ["kakao"]).map(\.id).prefix(2) == ["openlibrary", "kakao"])
    #expect(Source.chain(for: .isbn(korean), keys: ["kakao"]).map(\.id).prefix(2) == ["kakao", "openlibrary"])
    let barcode = try Barcode("5099969944925")
    #expect(Source.chain(for: .barcode(barcode)).map(\.id) == ["musicbrainz", "itunes"])
    #expect(Source.chain(for: .barcode(barcode), keys: ["discogs"]).first?.id == "discogs")
    #expect(Source.chainForIMDb().map(\.id) == ["wikidata"])
    #expect(Source.chainForIMDb(keys: ["tmdb"]).map(\.id) == ["tmdb", "wikidata"])
  }

  @Test func `every source in a chain supports the requested operation`() throws {
    let keys = Set(Source.all.map(\.id))
    #expect(Source.chain(for: .isbn(try ISBN("9780441172719")), keys: keys).allSatisfy { $0.lookUp != nil })
    #expect(Source.chain(for: .barcode(try Barcode("5099969944925")), keys: keys).allSatisfy { $0.lookUp != nil })
    #expect(Source.chainForIMDb(keys: keys).allSatisfy { $0.find != nil })
  }

  // MARK: Searching

  static let books = #"{"numFound": 1, "docs": [{"key": "/works/OL1W", "title": "Dune"}]}"#
  static let ebooks = #"{"results": [{"kind": "ebook", "trackId": 1, "trackName": "Dune"}]}"#

  /// The answer of Open Library, then iTunes, to a search for a book.
  func answer(
    _ openLibrary: Result<Response, HTTPError>, _ itunes: Result<Response, HTTPError>, goesOnWhenEmpty: Bool = false,
    old: Result<Response, HTTPError> = .failure(.offline(host: "a"))
  ) -> ChainSearch.Answer {
    let links = [Source.openLibrary, .itunes].map {
      SourceSearch($0, Search(words: "dune", kind: .book), $0.settings())
    }
    let http = HTTPClient { requests in
      requests.map { request in
        if request.oldAnswer == .only { return request.source == "openlibrary" ? old : .failure(.offline(host: "a")) }
        return request.source == "openlibrary" ? openLibrary : itunes
      }
    }
    return ChainSearch(links, goesOnWhenEmpty: goesOnWhenEmpty).answer(using: http)
  }

  static let away: [Result<Response, HTTPError>] =
    [403, 408, 421, 429, 451, 500, 502, 503, 504].map { .success(Response($0, "<html>")) } + [
      .success(Response(200, "<html>")), .success(Response(200, "")), .success(Response(200, "{}")),
      .success(Response(401, "{}")),
      .failure(.unreachable(host: "a")), .failure(.closed(host: "a")), .failure(.hungUp(host: "a")),
      .failure(.timedOut(host: "a")), .failure(.resting(host: "a", seconds: 60, .throttled)),
    ]

  @Test(arguments: away)
  func `the next source answers when the first one fails`(_ trouble: Result<Response, HTTPError>) {
    let answer = answer(trouble, .success(Response(200, Self.ebooks)))
    #expect(answer.link?.source.id == "itunes")
    #expect(answer.page.candidates.count == 1)
    #expect(answer.misses.map(\.source) == ["openlibrary"])
  }

  @Test(arguments: [400, 404, 405, 410, 414, 422])
  func `a rejected question ends the search`(status: Int) {
    let answer = answer(.success(Response(status, "{}")), .success(Response(200, Self.ebooks)))
    #expect(answer.link == nil)
    #expect(answer.misses == [Miss(.openLibrary, .refused(status: status))])
  }

  @Test func `a stale answer is used only when no source answers`() {
    let old = Result<Response, HTTPError>.success(Response(200, Self.books, origin: .staleCache))
    let answered = answer(.success(Response(502)), .success(Response(200, Self.ebooks)), old: old)
    #expect(answered.link?.source.id == "itunes")
    let answer = answer(.success(Response(502)), .failure(.timedOut(host: "a")), old: old)
    #expect(answer.link?.source.id == "openlibrary")
    #expect(answer.page.isOld)
    #expect(answer.misses.map(\.source) == ["openlibrary", "itunes"])
  }

  @Test func `an empty answer leads to the next source only when requested`() {
    let empty = Result<Response, HTTPError>.success(Response(200, #"{"numFound": 0, "docs": []}"#))
    let ebooks = Result<Response, HTTPError>.success(Response(200, Self.ebooks))
    #expect(answer(empty, ebooks).link?.source.id == "openlibrary")
    let next = answer(empty, ebooks, goesOnWhenEmpty: true)
    #expect(next.link?.source.id == "itunes")
    #expect(next.misses == [Miss(.openLibrary)])
    let none = answer(empty, .failure(.timedOut(host: "a")), goesOnWhenEmpty: true)
    #expect(none.link?.source.id == "openlibrary")
    #expect(none.page.candidates.isEmpty)
  }

  @Test func `the first sources of several searches are asked in one call`() {
    let network = FakeNetwork { request, _ in
      request.source == "itunes" ? .success(Response(200, Self.ebooks)) : .failure(.timedOut(host: request.host))
    }
    let chain = ChainSearch(
      [Source.openLibrary, .itunes].map { SourceSearch($0, Search(words: "dune", kind: .book), $0.settings()) })
    let answers = ChainSearch.answers(to: [chain, chain], using: network.client)
    #expect(answers.map { $0.link?.source.id } == ["itunes", "itunes"])
    #expect(network.calls.map(\.count) == [2, 1, 1])
  }

  @Test func `cached answers are read in one call and the first that is not empty is used`() {
    let network = FakeNetwork { request, _ in
      switch request.source {
      case "openlibrary": .success(Response(200, #"{"numFound": 0, "docs": []}"#))
      case "itunes": .success(Response(200, Self.ebooks))
      default: .failure(.offline(host: request.host))
      }
    }
    let chain = ChainSearch(
      [Source.inventaire, .openLibrary, .itunes].map {
        SourceSearch($0, Search(words: "dune", kind: .book), $0.settings())
      })
    let answers = ChainSearch.keptAnswers(to: [chain], using: network.client)
    #expect(answers.map { $0.link?.source.id } == ["itunes"])
    #expect(network.calls.map(\.count) == [3])
  }

  @Test func `without curl no further source is asked`() {
    let answer = answer(.failure(.curlMissing), .success(Response(200, Self.ebooks)))
    #expect(answer.link == nil)
    #expect(answer.misses.count == 1)
  }

  @Test func `a fallback source has a deadline of five seconds`() {
    let links = [Source.openLibrary, .itunes].map {
      SourceSearch($0, Search(words: "dune", kind: .book), $0.settings())
    }
    let network = FakeNetwork { request, _ in .failure(.timedOut(host: request.host)) }
    _ = ChainSearch(links).answer(using: network.client)
    let asked = network.requests.filter { $0.oldAnswer == .never }
    #expect(asked.map(\.deadline) == [10, 5])
  }

  // MARK: Codes

  @Test func `a lookup by code continues after a failure and after an empty answer`() throws {
    let isbn = Code.isbn(try ISBN("9780441172719"))
    let http = HTTPClient { requests in
      requests.map { request in
        switch request.source {
        case "openlibrary": .success(Response(403, "<html>"))
        case "itunes": .success(Response(200, Self.ebooks))
        default: .success(Response(200, #"{"entities": {}}"#))
        }
      }
    }
    let sources = [Source.openLibrary, .inventaire, .itunes].map { ($0, $0.settings()) }
    let answer = http.ask(sources) { source, settings, http throws(SourceError) -> [Candidate]? in
      let found = try source.lookUp?(isbn, settings, http) ?? []
      return found.isEmpty ? nil : found
    }
    #expect(answer.found?.source.id == "itunes")
    #expect(answer.misses == [Miss(.openLibrary, .refused(status: 403)), Miss(.inventaire)])
  }
}
