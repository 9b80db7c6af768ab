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
    for (isbn, own) in [
      ("9783161484100", ["openlibrary", "dnb"]), ("9782070360024", ["openlibrary", "bnf"]),
      ("9791090724006", ["openlibrary", "bnf"]), ("9788936434120", ["kakao", "aladin", "openlibrary"]),
      ("9791164790005", ["kakao", "aladin", "openlibrary"]),
      ("9780441172719", ["openlibrary", "kakao", "googlebooks"]),
      ("9784101010014", ["openlibrary", "kakao", "googlebooks"]),
    ] {
      let asked = Source.chain(for: .isbn(try ISBN(isbn)), keys: ["kakao", "aladin", "googlebooks"]).map(\.id)
      #expect(Array(asked.prefix(own.count)) == own, "\(isbn)")
      #expect(Set(asked).count == asked.count)
    }
    #expect(Source.chain(for: .isbn(korean), keys: ["aladin"]).map(\.id).prefix(2) == ["aladin", "openlibrary"])
    let barcode = try Barcode("5099969944925")
    #expect(Source.chain(for: .barcode(barcode)).map(\.id) == ["musicbrainz", "itunes"])
    #expect(Source.chain(for: .barcode(barcode), keys: ["discogs"]).first?.id == "discogs")
    #expect(Source.chainForIMDb().map(\.id) == ["wikidata"])
    #expect(Source.chainForIMDb(keys: ["tmdb"]).map(\.id) == ["tmdb", "wikidata"])
  }

  @Test func `every source in a chain supports the requested operation`() throws {
    let keys = Set(Source.all.map(\.id))
    for isbn in ["9780441172719", "9783161484100", "9782070360024", "9788936434120"] {
      #expect(Source.chain(for: .isbn(try ISBN(isbn)), keys: keys).allSatisfy { $0.lookUp != nil })
    }
    #expect(Source.chain(for: .barcode(try Barcode("5099969944925")), keys: keys).allSatisfy { $0.lookUp != nil })
    #expect(Source.chainForIMDb(keys: keys).allSatisfy { $0.find != nil })
  }

  @Test(
    arguments: [
      ([], [], ["openlibrary", "itunes"]),
      (["nlk", "openlibrary"], [], ["openlibrary", "itunes", "openlibrary*", "nlk*"]),
      (["nlk", "openlibrary"], ["openlibrary"], ["openlibrary*", "openlibrary", "itunes", "nlk*"]),
      (["nlk", "openlibrary"], ["nlk"], ["nlk*", "openlibrary", "itunes", "openlibrary*"]),
      (["nlk", "openlibrary"], ["nlk", "openlibrary"], ["openlibrary*", "nlk*", "openlibrary", "itunes"]),
      (["nlk"], ["imdb"], ["openlibrary", "itunes", "nlk*"]),
    ] as [([String], Set<String>, [String])])
  func `copies are before and behind the web, those of the chain before others`(
    copied: [String], first: Set<String>, order: [String]
  ) {
    let copy = BuiltIn(search: { _ throws(SourceError) in Page() }, record: { _ in nil })
    let copies = copied.compactMap { Source.offered($0)?.answered(by: copy) }
    let asked = [Source.openLibrary, .itunes].order(with: copies, first: first)
    #expect(asked.map { $0.id + ($0.isBuiltIn ? "*" : "") } == order)
  }

  // MARK: Searching

  static let books = #"{"numFound": 1, "docs": [{"key": "/works/OL1W", "title": "Dune"}]}"#
  static let ebooks = #"{"results": [{"kind": "ebook", "trackId": 1, "trackName": "Dune"}]}"#

  /// The answer of Open Library, then iTunes, then the pack, to a search for a book.
  func answer(
    _ openLibrary: Result<Response, HTTPError>, _ itunes: Result<Response, HTTPError> = Self.nothing,
    words: String = "dune", page: Int = 1, isNamed: Bool = false, old: Result<Response, HTTPError> = Self.offline
  ) -> ChainSearch.Answer {
    let links = (isNamed ? [Source.openLibrary, .pack] : [.openLibrary, .itunes, .pack]).map {
      SourceSearch($0, Search(words: words, kind: .book, page: page), $0.settings())
    }
    let http = HTTPClient { requests in
      requests.map { request in
        if request.oldAnswer == .only { return request.source == "openlibrary" ? old : Self.offline }
        return request.source == "openlibrary" ? openLibrary : itunes
      }
    }
    return ChainSearch(links, isNamed: isNamed).answer(using: http)
  }

  static let offline = Result<Response, HTTPError>.failure(.offline(host: "a"))
  static let nothing = Result<Response, HTTPError>.success(
    Response(200, #"{"numFound": 0, "docs": [], "results": []}"#))
  static let found = Result<Response, HTTPError>.success(Response(200, ebooks))
  static let trouble: [Result<Response, HTTPError>] =
    [204, 400, 401, 403, 404, 405, 408, 410, 414, 418, 421, 422, 429, 451, 500, 502, 503, 504]
    .map { .success(Response($0, "<html>")) } + [
      .success(Response(200, "<html>")), .success(Response(200, "")), .success(Response(200, "{}")),
      .failure(.unreachable(host: "a")), .failure(.closed(host: "a")), .failure(.hungUp(host: "a")),
      .failure(.timedOut(host: "a")), .failure(.resting(host: "a", seconds: 60, .throttled)), offline,
    ]

  @Test(arguments: trouble)
  func `whatever the trouble of a source is, the next one answers, or the pack`(
    _ trouble: Result<Response, HTTPError>
  ) {
    let answer = answer(trouble, Self.found)
    #expect(answer.link?.source.id == "itunes")
    #expect(answer.page.candidates.count == 1)
    #expect(answer.misses.map(\.source) == ["openlibrary"])
    #expect(answer.misses.allSatisfy { $0.error != nil })
    let pack = self.answer(trouble, trouble)
    #expect(pack.link?.source.id == "pack")
    #expect(pack.misses.map(\.source) == ["openlibrary", "itunes"])
    #expect(self.answer(trouble, isNamed: true).link?.source.id == (trouble.isKeyRefusal ? nil : "pack"))
  }

  @Test func `a source that has nothing is passed over, a named one is not`() {
    #expect(answer(Self.nothing, Self.found).link?.source.id == "itunes")
    #expect(answer(Self.nothing, Self.found).misses == [Miss(.openLibrary)])
    let pack = answer(Self.nothing, .failure(.timedOut(host: "a")))
    #expect(pack.link?.source.id == "pack")
    #expect(pack.misses == [Miss(.openLibrary), Miss(.itunes, .network(.timedOut(host: "a")))])
    let named = answer(Self.nothing, isNamed: true)
    #expect(named.link?.source.id == "openlibrary")
    #expect(named.page.candidates.isEmpty)
    // Pages of another source are others.
    #expect(answer(Self.nothing, Self.found, page: 2).link?.source.id == "openlibrary")
    let none = answer(Self.nothing, words: "no such book")
    #expect(none.link?.source.id == "openlibrary")
    #expect(none.misses.map(\.source) == ["openlibrary", "itunes", "pack"])
  }

  @Test func `an earlier answer is used when no source answers, unless it is empty`() {
    let old = Result<Response, HTTPError>.success(Response(200, Self.books, origin: .staleCache))
    #expect(answer(.success(Response(502)), Self.found, old: old).link?.source.id == "itunes")
    let kept = answer(.success(Response(502)), .failure(.timedOut(host: "a")), old: old)
    #expect(kept.link?.source.id == "openlibrary")
    #expect(kept.page.isOld)
    #expect(kept.misses.map(\.source) == ["openlibrary", "itunes"])
    #expect(answer(Self.offline, Self.offline, old: old).link?.source.id == "openlibrary")
    #expect(answer(Self.offline, Self.offline, old: Self.nothing).link?.source.id == "pack")
  }

  @Test func `a by between title and maker is left out where nothing has it`() {
    #expect(answer(Self.nothing, words: "dune by frank herbert").page.candidates.first?.record.title == "Dune")
    #expect(answer(Self.nothing, words: "dune by jane austen").page.candidates.isEmpty)
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

extension Result<Response, HTTPError> {
  fileprivate var isKeyRefusal: Bool { (try? get())?.status == 401 }
}
