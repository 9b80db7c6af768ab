import CatalogModel
import Lookup
import Testing

struct SourceSearchTests {
  static let web = [
    "itunes.apple.com": ITunesTests.results(ITunesTests.movie, ITunesTests.movie, ITunesTests.album),
    "openlibrary.org": OpenLibraryTests.search,
  ]

  static func part(_ source: Source, _ kind: Kind, _ words: String = "dune") -> SourceSearch {
    SourceSearch(source, Search(words: words, kind: kind), source.settings())
  }

  @Test func `several sources are asked at once and answer in the order of the requests`() throws {
    let web = FakeWeb(Self.web)
    let pages = web.client.pages(of: [
      Self.part(.musicBrainz, .vinyl), Self.part(.itunes, .movie), Self.part(.openLibrary, .book),
    ])
    #expect(web.asked.map(\.count) == [3])
    #expect(pages.map { (try? $0.get())?.candidates.count } == [nil, 2, 2])
    #expect(pages.first == .failure(.refused(status: 404)), "a failed one takes no other with it")
  }

  @Test func `an item that appears twice on a page is kept once`() throws {
    let page = try Source.itunes.page(
      of: Search(words: "x", kind: .movie), Source.itunes.settings(), using: FakeWeb(Self.web).client)
    #expect(page.candidates.map(\.id) == [.itunes("track/101"), .itunes("collection/101")])
    #expect(page.unreadable == 0)
  }

  @Test(arguments: ["", " ", "\t\n\u{3000}"])
  func `blank words are not sent`(words: String) {
    let web = FakeWeb(Self.web)
    let pages = web.client.pages(of: [Self.part(.itunes, .movie, words), Self.part(.openLibrary, .book)])
    #expect(web.asked.map(\.count) == [1])
    #expect(pages.first == .success(Page()))
    #expect((try? pages.last?.get())?.candidates.count == 2)
  }

  @Test func `missing answers of the network are reported as unreachable`() {
    let mute = HTTPClient { _ in [] }
    #expect(
      mute.pages(of: [Self.part(.itunes, .movie)]) == [.failure(.network(.unreachable(host: "itunes.apple.com")))])
  }

  @Test func `every kind has a standard source that supports it`() {
    for kind in Kind.allCases { #expect(Source.standard(for: kind).kinds.contains(kind)) }
    #expect(Source.standard(for: .movie).id == "itunes")
    #expect(Source.standard(for: .book).id == "openlibrary")
    #expect(Source.standard(for: .vinyl).id == "musicbrainz")
    #expect(
      Source.all.map(\.id) == [
        "itunes", "tmdb", "openlibrary", "kakao", "googlebooks", "discogs", "musicbrainz", "wikidata", "inventaire",
        "aladin", "dnb", "bnf",
      ])
    #expect(Source.named("musicbrainz")?.name == "MusicBrainz")
    #expect(Source.named("nobody") == nil)
    #expect(Source.all.allSatisfy { $0.defaultBaseURL.hasPrefix("https://") })
  }

  @Test func `available keys decide the standard source`() {
    func standard(_ kind: Kind, _ words: String = "", _ country: String = "US", keys: String...) -> String {
      Source.standard(for: kind, words: words, country: country, keys: Set(keys)).id
    }
    #expect(standard(.movie, keys: "tmdb") == "tmdb")
    #expect(standard(.movie, keys: "kakao") == "itunes")
    #expect(standard(.vinyl, keys: "discogs") == "discogs")
    #expect(standard(.vinyl, keys: "tmdb") == "musicbrainz")
    #expect(standard(.music, keys: "discogs") == "itunes")
    #expect(standard(.book, keys: "googlebooks") == "openlibrary")
    #expect(standard(.book, "토지", keys: "kakao") == "kakao")
    #expect(standard(.book, "ㅌㅈ", keys: "kakao") == "kakao")
    #expect(standard(.book, "dune", "KR", keys: "kakao") == "kakao")
    #expect(standard(.book, "dune", keys: "kakao") == "openlibrary")
    #expect(standard(.book, "토지", "KR", keys: "tmdb") == "openlibrary")
  }

  @Test func `every search field of a source changes its request`() {
    for source in Source.all {
      for kind in source.kinds {
        let whole = source.request(Search(words: "9788936434120", kind: kind), source.settings()).url
        for field in source.fields(kind) {
          let url = source.request(Search(words: "9788936434120", kind: kind, scope: .field(field)), source.settings())
            .url
          // Some search nothing but titles; some know an ISBN by itself.
          let isAnyway =
            (source.id, field) == ("tmdb", .title)
            || field == .isbn && ["kakao", "aladin", "dnb", "bnf"].contains(source.id)
          #expect((url != whole) == !isAnyway, "\(source.id) \(kind) \(field)")
        }
      }
    }
  }

  @Test func `a source is requested at the configured address`() {
    for source in Source.all {
      var settings = source.settings(country: "KR")
      settings.baseURL = "http://127.0.0.1:9/mirror"
      let request = source.request(Search(words: "x", kind: .book), settings)
      #expect(request.url.hasPrefix("http://127.0.0.1:9/mirror/"))
      #expect(request.source == source.id)
    }
  }

  @Test func `of two results with one ISBN the fuller one is kept at the first place`() throws {
    let rows = #"""
      {"totalItems":3,"items":[
       {"id":"thin","volumeInfo":{"title":"Dune","industryIdentifiers":[{"type":"ISBN_13","identifier":"9780441478125"}]}},
       {"id":"other","volumeInfo":{"title":"Other"}},
       {"id":"full","volumeInfo":{"title":"Dune","authors":["Frank Herbert"],"pageCount":600,
        "industryIdentifiers":[{"type":"ISBN_10","identifier":"0441478123"}]}}]}
      """#
    let web = FakeWeb(["/volumes": rows])
    let page = try Source.googleBooks.page(
      of: Search(words: "dune", kind: .book), Source.googleBooks.settings(), using: web.client)
    #expect(page.candidates.map(\.id.value) == ["full", "other"])
  }

  // MARK: Several pages together

  /// A source with this number of hits, which answers with the requested page.
  static func network(of total: Int) -> FakeNetwork {
    FakeNetwork { request, _ in
      func number(_ name: String) -> Int? {
        request.url.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix("\(name)=") }
          .flatMap { Int($0.dropFirst(name.count + 1)) }
      }
      let size = number("limit") ?? number("size") ?? 20
      let page = number("page") ?? 1
      func hits(_ hit: (Int) -> String) -> String {
        (1...total).dropFirst((page - 1) * size).prefix(size).map(hit).joined(separator: ",")
      }
      let json =
        switch request.source {
        case "itunes": #"{"results": [\#(hits { ITunesTests.movie.replacing("101", with: "\($0)") })]}"#
        case "tmdb":
          #"{"results": [\#(hits { #"{"id": \#($0), "title": "T"}"# })], "total_pages": \#((total + 19) / 20)}"#
        case "openlibrary":
          #"{"numFound": \#(total), "docs": [\#(hits { #"{"key": "/works/OL\#($0)W", "title": "T"}"# })]}"#
        default:
          #"{"documents": [\#(hits { #"{"title": "T", "url": "https://x/?bookId=\#($0)"}"# })], "#
            + #""meta": {"is_end": \#(page * size >= total)}}"#
        }
      return .success(Response(json: json))
    }
  }

  struct All: CustomTestStringConvertible {
    var source: Source
    var total: Int
    var page = 1
    var size = 10
    var count: Int
    var questions: Int
    var hasMore = false
    var stop: Page.Stop?
    var testDescription: String { "\(source.id): \(count) of \(total) from page \(page) of \(size)" }
  }

  @Test(arguments: [
    All(source: .itunes, total: 44, count: 44, questions: 1),
    All(source: .itunes, total: 900, count: 200, questions: 1, stop: .bound),
    All(source: .itunes, total: 900, page: 3, count: 180, questions: 1, stop: .bound),
    All(source: .itunes, total: 900, size: 2, count: 40, questions: 1, hasMore: true),
    All(source: .tmdb, total: 44, count: 44, questions: 3),
    All(source: .tmdb, total: 900, count: 200, questions: 10, hasMore: true),
    All(source: .tmdb, total: 900, page: 2, count: 200, questions: 11, hasMore: true),
    All(source: .openLibrary, total: 199, count: 199, questions: 2),
    All(source: .openLibrary, total: 900, page: 2, count: 200, questions: 3, hasMore: true),
    All(source: .openLibrary, total: 900, size: 100, count: 900, questions: 9),
    All(source: .kakao, total: 3000, size: 200, count: 1000, questions: 20, hasMore: true),
    All(source: .kakao, total: 3000, page: 31, size: 50, count: 1000, questions: 20, stop: .bound),
  ])
  func `all pages are read with few requests and no result twice`(all: All) throws {
    let network = Self.network(of: all.total)
    var settings = all.source.settings()
    settings.key = "key"
    let search = Search(words: "x", kind: all.source.kinds[0], page: all.page, pageSize: all.size)
    let part = SourceSearch(all.source, search, settings, pages: 20)
    let page = try #require(try network.client.pages(of: [part]).first?.get())
    let first = (all.page - 1) * min(all.size, all.source.paging.mostOnPage) + 1
    #expect(
      page.candidates.map { $0.id.value.filter(\.isNumber) } == (first..<first + all.count).map { "\($0)" })
    #expect(network.requests.count == all.questions)
    #expect(Set(network.requests.map(\.url)).count == all.questions)
    #expect(page.hasMore == all.hasMore)
    #expect(page.stop == all.stop)
  }

  @Test(arguments: [("itunes", 10, 20), ("itunes", 200, 1), ("tmdb", 20, 500), ("tmdb", 50, 200), ("kakao", 10, 50)])
  func `a page beyond the last is an error with the number of the last`(id: String, size: Int, last: Int) throws {
    let source = try #require(Source.named(id))
    var settings = source.settings()
    settings.key = "key"
    let web = FakeWeb([String: Response]())
    #expect(throws: SourceError.noPage(last: last)) {
      try source.page(
        of: Search(words: "x", kind: source.kinds[0], page: last + 1, pageSize: size), settings, using: web.client)
    }
    #expect(web.asked.isEmpty)
  }
}
