import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import Lookup

/// Tests the imitated services with the real parsers over the real curl.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct ServicesTests {
  let services: Services
  /// The agent of a program that names a contact.
  let http = HTTPClient.curl(identity: Identity(program: "catalog/9.9 (me@example.org)"), environment: [:])
  /// The agent of a program without a contact.
  let stranger = HTTPClient.curl(identity: Identity(program: "catalog/9.9"), environment: [:])

  init() throws { services = try Services() }

  /// The settings of an imitated source.
  func settings(_ source: Source, key: String? = "sesame") -> SourceSettings {
    let configuration = services.configuration()
    var settings = source.settings()
    settings.baseURL = configuration["sources.\(source.id).base_url"] ?? ""
    settings.imageBaseURL = configuration["sources.\(source.id).image_base_url"]
    settings.key = key
    return settings
  }

  func page(
    _ source: Source, _ words: String, _ kind: Kind, field: Search.Field? = nil, key: String? = "sesame"
  ) throws(SourceError) -> Page {
    let search = Search(words: words, kind: kind, scope: field.map(Search.Scope.field))
    return try source.page(of: search, settings(source, key: key), using: http)
  }

  /// The answer to a plain request.
  func ask(_ service: Service, _ path: String, by http: HTTPClient? = nil) throws -> Response {
    var request = Request(source: "test", url: services.url(of: service) + path)
    request.deadline = 20
    return try (http ?? self.http).send(request)
  }

  // MARK: Answers

  struct Hit: CustomTestStringConvertible, Sendable {
    var source: Source
    var words: String
    var kind: Kind
    var field: Search.Field?
    var titles: [String]
    var testDescription: String { "\(source.id): \(words)" }

    init(_ source: Source, _ words: String, _ kind: Kind, field: Search.Field? = nil, _ titles: [String]) {
      (self.source, self.words, self.kind, self.field, self.titles) = (source, words, kind, field, titles)
    }
  }

  static let hits = [
    Hit(.itunes, "dune", .movie, ["Dune", "Dune"]), Hit(.itunes, "kind of blue", .music, ["Kind of Blue"]),
    Hit(.openLibrary, "dune herbert", .book, ["Dune"]), Hit(.openLibrary, "It", .book, ["It"]),
    Hit(.openLibrary, "흰", .book, ["흰"]), Hit(.openLibrary, "godfather", .book, field: .title, ["The Godfather"]),
    Hit(.musicBrainz, "kind of blue", .vinyl, ["Kind of Blue"]), Hit(.musicBrainz, "beatles", .music, ["Abbey Road"]),
    Hit(.musicBrainz, "shvl 804", .vinyl, field: .catalogNumber, []),
    Hit(.musicBrainz, "harvest", .vinyl, field: .publisher, ["The Dark Side of the Moon"]),
    Hit(.tmdb, "dune", .movie, ["Dune", "Dune"]), Hit(.tmdb, "기생충", .movie, ["Parasite"]),
    Hit(.kakao, "채식주의자", .book, ["채식주의자"]), Hit(.kakao, "한강", .book, field: .creator, ["채식주의자", "흰"]),
    Hit(.discogs, "dark side", .vinyl, ["The Dark Side of the Moon"]),
    Hit(.discogs, "miles davis", .music, field: .creator, ["Kind of Blue"]),
    Hit(.googleBooks, "it king", .book, []), Hit(.googleBooks, "it", .book, field: .title, ["It"]),
    Hit(.wikidata, "matrix", .movie, ["The Matrix"]), Hit(.inventaire, "dune", .book, ["Dune"]),
    Hit(.itunes, "kind of blue", .vinyl, ["Kind of Blue"]), Hit(.itunes, "dune", .book, ["Dune"]),
    Hit(.openLibrary, "no such book", .book, []), Hit(.tmdb, "no such movie", .movie, []),
  ]

  @Test(arguments: hits) func `a search finds works by title and creator`(_ hit: Hit) throws {
    let page = try page(hit.source, hit.words, hit.kind, field: hit.field)
    #expect(page.candidates.map(\.record.title) == hit.titles)
    #expect(page.unreadable == 0)
  }

  @Test(arguments: [Source.openLibrary, .musicBrainz, .tmdb, .discogs, .googleBooks, .itunes])
  func `all facts of a search result are fetched`(_ source: Source) throws {
    let kinds: [String: Kind] = ["tmdb": .movie, "itunes": .music, "musicbrainz": .vinyl, "discogs": .vinyl]
    let kind = kinds[source.id] ?? .book
    let words = kind == .book ? "dune" : kind == .movie ? "matrix" : "kind of blue"
    let field = source.id == "googlebooks" ? Search.Field.title : nil
    let hit = try #require(try page(source, words, kind, field: field).candidates.first)
    let fetch = try #require(source.fetch)
    let fetched = try fetch(hit.id, kind, settings(source), http)
    #expect(fetched.partialFailures == [])
    #expect(fetched.record.title == hit.record.title)
    #expect(
      fetched.record.credits.map(\.name).contains { ["Frank Herbert", "Lana Wachowski", "Miles Davis"].contains($0) })
    #expect(fetched.record.artworkURL?.hasPrefix(services.url) == true)
  }

  @Test func `an ISBN is found by every service with books`() throws {
    let isbn = try ISBN("9788936433598")
    for source in [Source.openLibrary, .kakao, .googleBooks, .inventaire, .itunes] {
      let lookUp = try #require(source.lookUp)
      let found = try lookUp(.isbn(isbn), settings(source), http)
      #expect(found.map(\.record.title) == ["채식주의자"], "\(source.id)")
      let missing = try lookUp(.isbn(try ISBN("9780140328721")), settings(source), http)
      #expect(missing == [], "\(source.id)")
    }
  }

  @Test func `a barcode is found by every service with records`() throws {
    let barcode = try Barcode("074646493519")
    for source in [Source.musicBrainz, .discogs, .itunes] {
      let lookUp = try #require(source.lookUp)
      #expect(
        try lookUp(.barcode(barcode), settings(source), http).map(\.record.title) == ["Kind of Blue"], "\(source.id)")
    }
    let found = try ask(.itunes, "/lookup?upc=074646493519&entity=song")
    #expect(found.text.contains("\"resultCount\":6"))
  }

  @Test func `a movie is found by its IMDb id with all its parts`() throws {
    let find = try #require(Source.tmdb.find)
    let imdb = try #require(ExternalID(imdb: "tt1160419"))
    let movie = try #require(try find(imdb, settings(.tmdb), http))
    #expect(movie.record.year == 2021)
    let movieParts = try #require(Source.tmdb.movieParts)
    let parts = movieParts(movie.id, Set(MovieParts.Part.allCases), settings(.tmdb), http)
    #expect(parts.failures.isEmpty)
    #expect(parts.similar?.map(\.record.title) == ["Blade Runner", "Dune", "A Trip to the Moon"])
    #expect(parts.videos?.map(\.name) == ["Trailer"])
    #expect(try Source.tmdb.trendingPage(settings(.tmdb), using: http).candidates.count == 8)
  }

  @Test func `the pressings of an album are read`() throws {
    let pressings = try Source.discogs.pressings(
      of: ExternalID(source: "discogs", value: "master/900017"), isAll: true, settings(.discogs), using: http)
    #expect(pressings?.candidates.map(\.record.title) == ["Kind of Blue"])
  }

  @Test(arguments: [
    (Service.covers, "/b/id/8000011-L.jpg", [Service.covers, .archive, .archive]),
    (
      .coverArtArchive, "/release/00000000-0000-4000-8000-000000000017/front-500",
      [.coverArtArchive, .archive, .archive]
    ),
    (.tmdbImages, "/w500/poster2.jpg", [.tmdbImages]), (.itunes, "/image/thumb/2/600x600bb.jpg", [.itunes]),
    (.kakao, "/image/15", [.kakao]), (.googleBooks, "/content/11?zoom=1", [.googleBooks]),
  ])
  func `a picture is reached through its redirects`(_ service: Service, _ path: String, _ way: [Service]) throws {
    let answer = try ask(service, path)
    #expect(answer.status == 200)
    #expect(answer.header("content-type") == "image/jpeg")
    #expect(ImageInfo(answer.body)?.mediaType == "image/jpeg")
    #expect(services.questions.map(\.service) == way)
  }

  @Test func `Open Library puts the hits last and marks an inexact count`() throws {
    let path = "/search.json?q=%ED%95%9C%EA%B0%95+%22%22&limit=1&fields=title"
    let exact = try ask(.openLibrary, path).text
    #expect(exact.hasPrefix(#"{"numFound":2,"start":0,"numFoundExact":true,"num_found":2,"#))
    #expect(exact.hasSuffix(#","docs":[{"title":"채식주의자"}]}"#))
    services.set(.openLibrary, to: .inexact)
    #expect(try ask(.openLibrary, path).text.hasPrefix(#"{"numFound":1,"start":0,"numFoundExact":false,"#))
  }

  @Test func `iTunes finds e-books only without a medium and has no shop in Antarctica`() throws {
    #expect(try ask(.itunes, "/search?term=dune&entity=ebook").text.contains("\"resultCount\":1"))
    #expect(try ask(.itunes, "/search?term=dune&entity=ebook&media=ebook").text.contains("\"resultCount\":0"))
    #expect(try ask(.itunes, "/search?term=dune&entity=ebook&attribute=titleTerm").status == 400)
    #expect(try ask(.itunes, "/lookup?isbn=9780441172719").text.contains("\"kind\":\"ebook\""))
    #expect(throws: SourceError.noShop(country: "AQ")) {
      var settings = settings(.itunes)
      settings.country = "AQ"
      _ = try Source.itunes.page(of: Search(words: "dune", kind: .movie), settings, using: http)
    }
  }

  @Test func `Wikidata has films with a year, an unknown date or no date`() throws {
    let films = "haswbstatement:P31=Q11424%7CP31=Q24869"
    let found = try ask(.wikidata, "/w/api.php?action=query&list=search&srsearch=dune+\(films)&srlimit=1").text
    #expect(found.contains(#""title":"Q60834962""#))
    #expect(found.contains(#""continue":{"sroffset":1"#))
    let byID = "/w/api.php?action=query&list=search&srsearch=haswbstatement:P345=tt0133093"
    #expect(try ask(.wikidata, byID).text.contains(#""title":"Q83495""#))
    #expect(try ask(.wikidata, "?action=query&list=search&srsearch=nothing").text.contains(#""search":[]"#))
    func entity(_ id: String) throws -> String {
      try ask(.wikidata, "/w/api.php?action=wbgetentities&ids=\(id)&props=labels%7Cclaims").text
    }
    #expect(try entity("Q184843").contains(#""time":"+1982-06-25T00:00:00Z""#))
    #expect(try entity("Q900008").contains(#""time":"+1902-00-00T00:00:00Z""#))
    #expect(try entity("Q900009").contains(#""snaktype":"somevalue","property":"P577""#))
    #expect(try entity("Q9000010").contains("P57\""))
    #expect(try !entity("Q9000010").contains("P577"))
    #expect(try entity("Q56005%7CQ7").contains(#""value":"Ridley Scott"}},"claims":{}},"Q7":{"id":"Q7","missing":""}"#))
  }

  @Test func `Inventaire leads from an ISBN to the work and its author`() throws {
    #expect(try ask(.inventaire, "/api/search?types=works&search=dune").text.contains(#""uri":"wd:Q190192""#))
    let edition = try ask(.inventaire, "/api/entities?action=by-uris&uris=isbn:9780441172719").text
    #expect(edition.contains(#""wdt:P629":["wd:Q190192"]"#))
    let work = try ask(.inventaire, "/api/entities?action=by-uris&uris=wd:Q190192").text
    #expect(work.contains(#""wdt:P50":["wd:Q7934"]"#))
    #expect(try ask(.inventaire, "/api/entities?action=by-uris&uris=wd:Q7934").text.contains("Frank Herbert"))
  }

  // MARK: Usual refusals

  @Test func `services that want a contact refuse a user agent without one`() throws {
    #expect(try ask(.openLibrary, "/search.json?q=dune", by: stranger).status == 403)
    #expect(try ask(.wikidata, "/w/api.php?action=query", by: stranger).text.hasPrefix("Please set a user-agent"))
    #expect(try ask(.inventaire, "/api/search?search=dune", by: stranger).status == 403)
    #expect(throws: HTTPError.self) { try ask(.musicBrainz, "/release?query=dune", by: stranger) }
    #expect(services.questions.map(\.outcome) == ["403", "403", "403", "hung up"])
    #expect(services.questions.allSatisfy { $0.userAgent == "catalog/9.9" })
  }

  @Test func `services that want a key refuse a request without one`() throws {
    let asked: [(Service, String, Int, String)] = [
      (.tmdb, "/search/movie?query=dune", 401, #"{"status_code":7,"#),
      (.kakao, "/v3/search/book?query=dune", 401, #"{"errorType":"AccessDeniedError","#),
      (.discogs, "/database/search?q=dune", 401, #"{"message":"You must authenticate"#),
      (.googleBooks, "/volumes?q=dune", 429, #"{"error":{"code":429,"message":"Quota exceeded"#),
    ]
    for (service, path, status, words) in asked {
      let answer = try ask(service, path)
      #expect(answer.status == status, "\(service)")
      #expect(answer.text.hasPrefix(words), "\(answer.text)")
    }
  }

  @Test(arguments: ["it", "%ED%9D%B0", "the", "+The+"])
  func `Open Library refuses words that are too short`(_ words: String) throws {
    let answer = try ask(.openLibrary, "/search.json?q=\(words)")
    #expect(answer.status == 422)
    #expect(answer.text.hasPrefix(#"{"detail":[{"type":"value_error","loc":["query","q"],"msg":"Value error, "#))
  }

  @Test func `each service has its own answer to an unknown id`() throws {
    let missing: [(Service, String, Int, String?)] = [
      (.openLibrary, "/isbn/9780140328721.json", 404, "text/html"),
      (.openLibrary, "/works/OL1W.json", 404, "application/json"), (.covers, "/b/id/1-L.jpg?default=false", 404, nil),
      (.coverArtArchive, "/release/00000000-0000-4000-8000-000000000099/front-500", 404, "text/html"),
      (.coverArtArchive, "/release/1/front-500", 400, "text/html"), (.musicBrainz, "/release/1", 404, nil),
      (.tmdb, "/movie/1?api_key=1", 404, nil), (.tmdb, "/search/movie?api_key=1&query=dune&page=501", 400, nil),
      (.discogs, "/releases/1", 404, nil), (.googleBooks, "/volumes/1?key=1", 404, nil), (.itunes, "/", 404, nil),
    ]
    for (service, path, status, type) in missing {
      let answer = try ask(service, path)
      #expect(answer.status == status, "\(service)\(path)")
      if let type { #expect(answer.header("content-type") == type, "\(service)\(path)") }
    }
  }

  // MARK: Refusals that are set

  static let statuses: [(Service, Refusal, Int, String)] = [
    (.openLibrary, .forbidden, 403, "nginx/1.30.1"), (.openLibrary, .throttled, 429, #""status":429"#),
    (.openLibrary, .unprocessable, 422, "FastAPI"), (.openLibrary, .busy, 503, "<h1>503"),
    (.openLibrary, .serverError(502), 502, "<h1>502 Bad Gateway"), (.covers, .throttled, 429, "info@archive.org"),
    (.musicBrainz, .throttled, 503, "allowable rate limit"), (.musicBrainz, .busy, 503, "readonly mode"),
    (.coverArtArchive, .serverError(500), 500, "Whoops. Our bad."), (.itunes, .forbidden, 403, "Access Denied"),
    (.itunes, .forbiddenEmpty, 403, "no-store"), (.itunes, .throttled, 429, ""),
    (.tmdb, .forbidden, 403, "cloudfront"), (.tmdb, .throttled, 429, #""status_code":25"#),
    (.tmdb, .serverError(504), 504, #""status_code":24"#), (.tmdb, .busy, 503, #""status_code":9"#),
    (.tmdb, .keyRefused, 401, #""status_code":7"#), (.googleBooks, .throttled, 429, "Queries per minute"),
    (.googleBooks, .quotaUsedUp, 429, "Queries per day"), (.googleBooks, .busy, 503, "backendFailed"),
    (.googleBooks, .invalidKey, 400, "API_KEY_INVALID"), (.googleBooks, .keyNotAllowed, 403, "SERVICE_DISABLED"),
    (.kakao, .throttled, 429, "RequestThrottled"), (.kakao, .quotaUsedUp, 400, #""code":-10"#),
    (.kakao, .keyNotAllowed, 403, #""code":-3"#), (.kakao, .busy, 503, #""code":-9798"#),
    (.kakao, .keyRefused, 401, "AccessDeniedError"), (.discogs, .forbidden, 403, "security of your connection"),
    (.discogs, .throttled, 429, "too quickly"), (.discogs, .keyRefused, 401, "token"),
    (.wikidata, .forbidden, 403, "w.wiki/4wJS"), (.wikidata, .throttled, 429, "retry-after: 5"),
    (.wikidata, .maxlag, 200, #""code":"maxlag""#), (.deezer, .throttled, 200, #""code":4"#),
    (.inventaire, .page, 200, "<!DOCTYPE html>"), (.tmdb, .empty, 200, ""),
  ]

  @Test(arguments: statuses)
  func `a service refuses in its own form`(_ service: Service, _ refusal: Refusal, _ status: Int, _ words: String)
    throws
  {
    services.set(service, to: refusal)
    let answer = try ask(service, "/")
    #expect(answer.status == status)
    let head = answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    if words == "" {
      #expect(answer.body == [])
    } else {
      #expect((head + answer.text).contains(words), "\(answer.text)")
    }
    services.set(service, to: nil)
    #expect(services.questions(to: service).map(\.outcome) == ["\(status)"])
  }

  @Test func `Retry-After is sent only when it is set`() throws {
    services.set(.openLibrary, to: .throttled)
    #expect(try ask(.openLibrary, "/search.json?q=dune").header("retry-after") == nil)
    services.set(.musicBrainz, to: .busy(retryAfter: 7))
    #expect(try ask(.musicBrainz, "/release?query=dune").header("retry-after") == "7")
  }

  @Test func `a flickering service and an empty Discogs answer recover`() throws {
    services.set(.googleBooks, to: .flickering(count: 2))
    services.set(.discogs, to: .empty)
    let statuses = try (0..<3).map { _ in try ask(.googleBooks, "/volumes?q=intitle:dune&key=1").status }
    #expect(statuses == [503, 503, 200])
    let lengths = try (0..<2).map { _ in try ask(.discogs, "/database/search?q=blue&token=1").body.isEmpty }
    #expect(lengths == [true, false])
  }

  @Test func `Open Library answers only an ISBN with an exception`() throws {
    services.set(.openLibrary, to: .exceptionText)
    #expect(try ask(.openLibrary, "/isbn/9780441172719.json").text.hasPrefix("Exception("))
    #expect(try page(.openLibrary, "dune", .book).candidates.count == 1)
  }

  @Test(arguments: [Refusal.hangUp, .reset, .cutShort, .away])
  func `a failing redirect target fails the request and no other service`(_ refusal: Refusal) throws {
    services.set(.archive, to: refusal)
    #expect(throws: HTTPError.self) { try ask(.covers, "/b/id/8000011-L.jpg") }
    #expect(services.questions(to: .covers).count == 1)
    // No request comes if the connection is refused.
    #expect(services.questions(to: .archive).count == (refusal == .away ? 0 : 1))
    #expect(try ask(.tmdbImages, "/w500/poster2.jpg").status == 200)
  }

  /// The exit status of curl after a failed connection: <https://curl.se/docs/manpage.html#EXIT>.
  @Test(arguments: [(Refusal.hangUp, 52 as Int32), (.reset, 56), (.cutShort, 18), (.away, 7)])
  func `each failed connection has the right exit status of curl`(_ refusal: Refusal, _ exit: Int32) throws {
    services.set(.itunes, to: refusal)
    let curl = Process()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments = [
      "curl", "-q", "--silent", "--output", "/dev/null", services.url(of: .itunes) + "/search?term=dune",
    ]
    try curl.run()
    curl.waitUntilExit()
    #expect(curl.terminationStatus == exit)
  }

  @Test func `the port refuses connections while all services are away`() throws {
    let address = services.url(of: .itunes)
    let request = Request(source: "test", url: address + "/search?term=dune&entity=movie")
    #expect(try http.send(request).status == 200)
    services.setAll(to: .away)
    #expect(throws: HTTPError.self) { try http.send(request) }
    #expect(services.questions.count == 1)
    services.setAll(to: nil)
    #expect(services.url(of: .itunes) == address)
    #expect(try http.send(request).status == 200)
  }

  @Test func `a slow service answers after its delay`() throws {
    services.set(.kakao, to: .slow(seconds: 1))
    let start = ContinuousClock.now
    #expect(try ask(.kakao, "/v3/search/book?query=dune").status == 401)
    #expect(ContinuousClock.now - start >= .seconds(1))
    #expect(services.questions.map(\.outcome) == ["401 after 1.0 s"])
  }

  @Test func `a refusal is parsed from its name and number`() {
    #expect(Refusal("hangup") == .hangUp)
    #expect(Refusal("slow:2") == .slow(seconds: 2))
    #expect(Refusal("slow:") == nil)
    #expect(Refusal("nothing") == nil)
    #expect(!Service.itunes.refusals.contains(.maxlag))
  }
}
