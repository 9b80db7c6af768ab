import CatalogModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Lookup

/// Tests which answers are cached: those that could be parsed, and none that contains a key.
struct KeepingTests {
  let clock = FakeClock()
  let folder: TemporaryFolder
  let cache: CacheDatabase

  init() throws {
    folder = try TemporaryFolder()
    cache = CacheDatabase(path: folder.path("cache.db"))
  }

  static let bad = [
    "", " \n", "<!DOCTYPE html><html>Please sign in</html>", "Service busy", #"{"results":[{"trackName":"A"#,
    #"{"message":"hello"}"#, "[1,2]", "null", #"{"results":{},"docs":7,"releases":"x","documents":null,"items":5}"#,
  ]

  /// The sources whose search takes one request.
  static let searchedAtOnce = Source.all.filter { $0.complete == nil }

  /// A network that gives one answer after the other, and repeats the last one.
  static func network(_ answers: [Response]) -> FakeNetwork {
    FakeNetwork { _, times in .success(answers[min(times, answers.count - 1)]) }
  }

  static func answer(_ body: String, status: Int = 200, _ control: String = "max-age=60") -> Response {
    Response(status, body, ["cache-control": control, "etag": "\"\(body.utf8.count)\""])
  }

  func client(_ network: FakeNetwork) -> HTTPClient { network.client.cached(in: cache, now: { [clock] in clock.now }) }
  var offline: HTTPClient { HTTPClient.offline.cached(in: cache, now: { [clock] in clock.now }) }

  func search(
    _ source: Source, _ http: HTTPClient, key: String? = "open-sesame"
  ) -> Result<Page, SourceError> {
    var settings = source.settings()
    settings.key = key
    let search = Search(words: "x", kind: source.kinds[0], pageSize: 1)
    return Result { () throws(SourceError) in try source.page(of: search, settings, using: http) }
  }

  func isUnreadable<T>(_ result: Result<T, SourceError>) -> Bool {
    if case .failure(.unreadable) = result { true } else { false }
  }

  // MARK: Pages instead of answers

  @Test(arguments: searchedAtOnce, bad)
  func `an unreadable answer is not cached`(source: Source, bad: String) throws {
    let good = try #require(MutationTests.searches[source.id])
    let network = Self.network([Self.answer(bad), Self.answer(good)])
    #expect(isUnreadable(search(source, client(network))))
    #expect(cache.totals().answers == 0)
    #expect(try !search(source, client(network)).get().candidates.isEmpty)
    #expect(cache.totals().answers == 1)
  }

  @Test(arguments: searchedAtOnce, bad)
  func `an unreadable answer keeps the cached one, which is served as old`(source: Source, bad: String) throws {
    let good = try #require(MutationTests.searches[source.id])
    let network = Self.network([Self.answer(good), Self.answer(bad), Self.answer(bad, "no-store")])
    let told = Mutex<[String]>([])
    let http = client(network).tellingOldAnswers { id in told.withLock { $0.append(id) } }
    let first = try search(source, http).get()
    #expect(!first.candidates.isEmpty)
    #expect(!first.isOld)
    for _ in 0..<2 {
      clock.advance(100)
      let page = try search(source, http).get()
      #expect(page.candidates == first.candidates)
      #expect(page.isOld)
    }
    #expect(network.calls.count == 3)
    #expect(told.withLock { $0 } == [source.id])
    #expect(try search(source, offline).get().candidates == first.candidates)
  }

  @Test func `an unreadable answer to a forced request is an error and keeps the cached one`() throws {
    let good = try #require(MutationTests.searches["tmdb"])
    let network = Self.network([Self.answer(good), Self.answer("<html>")])
    var settings = Source.tmdb.settings()
    settings.key = "sesame"
    #expect(try !Source.tmdb.trendingPage(settings, using: client(network)).candidates.isEmpty)
    #expect(throws: SourceError.unreadable("an HTML page instead of an answer")) {
      try Source.tmdb.trendingPage(settings, using: client(network))
    }
    #expect(cache.totals().answers == 1)
  }

  /// Tests one record of each source, by its id.
  @Test(arguments: MutationTests.records.keys.sorted { $0.description < $1.description })
  func `a fetched item keeps its cached answer when the source returns another shape`(id: ExternalID) throws {
    let source = try #require(Source.named(id.source))
    let fetch = try #require(source.fetch)
    let good = try #require(MutationTests.records[id])
    // Further requests of a look-up are not known.
    let isDamaged = Mutex(false)
    let things = [
      "/lookup", "/books/", "/isbn/", "/works/", "/ws/2/release/", "/volumes/", "/releases/", "/movie/",
      "wbgetentities", "/api/entities",
    ]
    let network = FakeNetwork { request, _ in
      guard things.contains(where: { request.url.contains($0) }), !request.url.contains("editions") else {
        return .success(Response(404))
      }
      return .success(Self.answer(isDamaged.withLock { $0 } ? #"{"status":"ok","data":{}}"# : good))
    }
    func record() throws -> Record { try fetch(id, source.kinds[0], source.settings(), client(network)).record }
    let first = try record()
    clock.advance(100)
    isDamaged.withLock { $0 = true }
    #expect(try record() == first)
    #expect(try fetch(id, source.kinds[0], source.settings(), offline).record == first)
    #expect(cache.clear([.answers]))
    #expect(throws: SourceError.self) { try record() }
    #expect(throws: SourceError.self) { try fetch(id, source.kinds[0], source.settings(), offline) }
  }

  @Test func `an error with status 200 is not cached and keeps the cached answer`() throws {
    let busy = Self.answer(#"{"error":{"code":"maxlag","info":"Waiting for a database","lag":6}}"#)
    let network = FakeNetwork { request, times in
      guard times != 1 else { return .success(busy) }
      return .success(Self.answer(request.url.contains("action=query") ? WikidataTests.search : WikidataTests.items))
    }
    let first = try search(.wikidata, client(network)).get()
    #expect(first.candidates.map(\.record.title) == ["Parasite", "Other"])
    clock.advance(100)
    let second = try search(.wikidata, client(network)).get()
    #expect(second.candidates == first.candidates)
    #expect(second.isOld)
    #expect(cache.clear([.answers]))
    let refusing = client(FakeNetwork { _, _ in .success(busy) })
    let error = SourceError.network(.busy(host: "www.wikidata.org", retryAfter: 6))
    #expect(throws: error) { try search(.wikidata, refusing).get() }
    #expect(cache.totals().answers == 0)
  }

  // MARK: What was kept by others

  @Test(arguments: bad)
  func `an unreadable cached answer is requested again`(bad: String) throws {
    let good = try #require(MutationTests.searches["openlibrary"])
    let network = FakeNetwork { request, _ in
      #expect(!request.headers.contains { $0.name == "if-none-match" }, "nobody is told of what cannot be read")
      return .success(Self.answer(good))
    }
    let request = Source.openLibrary.request(Search(words: "x", kind: .book), Source.openLibrary.settings())
    cache.keep(
      [(request.cacheKey, KeptAnswer(response: Self.answer(bad), freshUntil: clock.now + 1000))], now: clock.now)
    #expect(try !search(.openLibrary, client(network)).get().candidates.isEmpty)
    #expect(network.calls.count == 1)
    #expect(try !search(.openLibrary, offline).get().candidates.isEmpty)
  }

  @Test func `an unreadable cached answer is ignored offline`() {
    let request = Source.openLibrary.request(Search(words: "x", kind: .book), Source.openLibrary.settings())
    cache.keep(
      [(request.cacheKey, KeptAnswer(response: Self.answer("<html>"), freshUntil: clock.now + 1000))], now: clock.now)
    #expect(search(.openLibrary, offline) == .failure(.network(.offline(host: "openlibrary.org"))))
  }

  // MARK: There is no such thing

  @Test func `a not found answer is cached without its words`() throws {
    let network = Self.network([Self.answer(#"{"error": "not found, sesame"}"#, status: 404)])
    let fetch = try #require(Source.openLibrary.fetch)
    let id = ExternalID.openLibrary("OL1M")
    for _ in 0..<2 {
      #expect(throws: SourceError.notFound) { try fetch(id, .book, Source.openLibrary.settings(), client(network)) }
    }
    #expect(network.calls.count == 1)
    #expect(throws: SourceError.notFound) { try fetch(id, .book, Source.openLibrary.settings(), offline) }
    #expect(!(try bytes()).contains("sesame"))
  }

  @Test func `a not found page is neither cached nor replaces a cached answer`() throws {
    let good = try #require(MutationTests.records.first { $0.key.value.hasSuffix("M") })
    let isGone = Mutex(true)
    let network = FakeNetwork { request, _ in
      isGone.withLock { $0 } || !request.url.contains("/books/")
        ? .success(Self.answer("<html>404</html>", status: 404)) : .success(Self.answer(good.value))
    }
    let fetch = try #require(Source.openLibrary.fetch)
    func record(_ http: HTTPClient) throws -> Record {
      try fetch(good.key, .book, Source.openLibrary.settings(), http).record
    }
    #expect(throws: SourceError.notFound) { try record(client(network)) }
    #expect(cache.totals().answers == 0)
    isGone.withLock { $0 = false }
    let first = try record(client(network))
    isGone.withLock { $0 = true }
    clock.advance(100)
    #expect(try record(client(network)) == first)
    #expect(try record(offline) == first)
  }

  // MARK: Keys

  static let key = #"s3same/op+en="me"#

  @Test(arguments: [
    key, #"s3same\/op+en=\"me"#, #"s3same\/op\u002Ben\u003d\u0022me"#, "s3same%2Fop%2Ben%3D%22me",
    "s3same%2fop%2ben%3d%22me",
  ])
  func `an answer that contains the key is redacted and not cached`(_ echo: String) throws {
    let isRaw = echo == Self.key
    for source in [Source.googleBooks, .discogs, .kakao, .tmdb] {
      let good = try #require(MutationTests.searches[source.id])
      // In a text if it can be there, else in an unread member.
      let body =
        isRaw
        ? good + String(repeating: " ", count: 3)
        : good.replacing("{", with: #"{"echo":"=\#(echo)&","#, maxReplacements: 1)
      let network = FakeNetwork { _, _ in
        var answer = Self.answer(body)
        if isRaw { answer.headers.append(Header("link", "<https://x.example/?key=\(echo)>")) }
        return .success(answer)
      }
      #expect(try !search(source, client(network), key: Self.key).get().candidates.isEmpty)
      let times = network.calls.count
      #expect(try !search(source, client(network), key: Self.key).get().candidates.isEmpty)
      #expect(network.calls.count == 2 * times, "\(source.id)")
      #expect(cache.totals().answers == 0)
      #expect(try !bytes().contains("s3same"))
    }
  }

  @Test(.timeLimit(.minutes(Patience.minutes))) func `an answer of a million keys is redacted in linear time`() {
    let key = "sesame"
    var response = Response(status: 200, body: Array(String(repeating: key, count: 1_000_000).utf8))
    #expect(Secret.parameter("key", key).redact(from: &response))
    #expect(response.body == Array(String(repeating: "•", count: 1_000_000).utf8))
  }

  @Test func `the key is redacted from records`() throws {
    let key = "open-sesame-123"
    let good = try #require(MutationTests.searches["discogs"])
    let title = try #require(try Source.discogs.page(good, .vinyl).candidates.first?.record.title)
    let network = FakeNetwork { _, _ in .success(Self.answer(good.replacing(title, with: "\(title) \(key)"))) }
    let page = try search(.discogs, client(network), key: key).get()
    #expect(!page.candidates.isEmpty)
    #expect(page.candidates.allSatisfy { !"\($0)".contains(key) })
  }

  @Test func `a key in the headers of a 304 is not stored`() throws {
    let good = try #require(MutationTests.searches["discogs"])
    let network = FakeNetwork { request, times in
      guard times > 0 else { return .success(Self.answer(good)) }
      return .success(Response(304, "", ["etag": "\"\(Self.key)\"", "cache-control": "max-age=50"]))
    }
    _ = try search(.discogs, client(network), key: Self.key).get()
    clock.advance(100)
    #expect(try !search(.discogs, client(network), key: Self.key).get().candidates.isEmpty)
    #expect(try !bytes().contains("s3same"))
  }

  private func bytes() throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: cache.path)), as: UTF8.self)
  }
}
