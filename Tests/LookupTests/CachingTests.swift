import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Lookup

struct CachingTests {
  let clock = FakeClock()
  let folder: TemporaryFolder
  let cache: CacheDatabase

  init() throws {
    folder = try TemporaryFolder()
    cache = CacheDatabase(path: folder.path("cache.db"))
  }

  func client(_ network: FakeNetwork) -> HTTPClient { network.client.cached(in: cache, now: { [clock] in clock.now }) }

  @Test func `a fresh answer is served from the cache until it expires`() {
    let network = FakeNetwork { _, times in
      .success(Response(200, "\(times)", ["cache-control": "public, max-age=100"]))
    }
    #expect(client(network).send([ask("https://a/")]).texts == ["0 network"])
    clock.advance(99)
    #expect(client(network).send([ask("https://a/")]).texts == ["0 cache"])
    clock.advance(1)
    #expect(client(network).send([ask("https://a/")]).texts == ["1 network"])
    #expect(network.calls.count == 2)
  }

  @Test func `cached answers are served and the rest is requested in one call`() {
    let network = FakeNetwork { request, _ in .success(Response(200, request.url, ["cache-control": "max-age=9"])) }
    _ = client(network).send([ask("b"), ask("d")])
    #expect(
      client(network).send(["a", "b", "c", "d"].map { ask($0) }).texts == [
        "a network", "b cache", "c network", "d cache",
      ])
    #expect(network.calls == [["b", "d"], ["a", "c"]])
  }

  @Test func `status 304 keeps the cached body and renews its lifetime`() {
    let network = FakeNetwork { request, times in
      times == 0
        ? .success(Response(200, "body", ["cache-control": "max-age=10", "etag": "\"1\"", "last-modified": "then"]))
        : .success(Response(304, "", ["cache-control": "max-age=50", "etag": "\"1\""]))
    }
    _ = client(network).send([ask("a")])
    clock.advance(10)
    #expect(client(network).send([ask("a")]).texts == ["body cache"])
    #expect(network.requests[1].headers == [Header("if-none-match", "\"1\""), Header("if-modified-since", "then")])
    clock.advance(49)
    #expect(client(network).send([ask("a")]).texts == ["body cache"])
    #expect(network.calls.count == 2)
    clock.advance(1)
    #expect(client(network).send([ask("a")]).texts == ["body cache"])
    #expect(network.requests[2].headers.first == Header("if-none-match", "\"1\""))
  }

  @Test func `a changed answer replaces the cached one`() {
    let network = FakeNetwork { _, times in .success(Response(200, "\(times)", ["etag": "\"\(times)\""])) }
    _ = client(network).send([ask("a")])
    #expect(client(network).send([ask("a")]).texts == ["1 network"])
    #expect(client(network).send([ask("a")]).texts == ["2 network"])
    #expect(network.requests[2].headers == [Header("if-none-match", "\"1\"")])
  }

  @Test(arguments: ["no-store", "max-age=100, NO-STORE", "private,no-store,max-age=1"])
  func `an answer with no-store is not cached`(_ control: String) {
    let network = FakeNetwork { _, times in .success(Response(200, "\(times)", ["cache-control": control])) }
    _ = client(network).send([ask("a")])
    #expect(client(network).send([ask("a")]).texts == ["1 network"])
    #expect(
      HTTPClient.offline.cached(in: cache, now: { clock.now }).send([ask("a")]) == [.failure(.offline(host: "a"))])
  }

  @Test func `an answer without cache headers is requested each time and served stale on failure`() {
    let network = FakeNetwork { _, times in
      times < 2 ? .success(Response(200, "\(times)")) : .failure(.unreachable(host: "a"))
    }
    #expect(client(network).send([ask("a")]).texts == ["0 network"])
    #expect(client(network).send([ask("a")]).texts == ["1 network"])
    #expect(client(network).send([ask("a")]).texts == ["1 staleCache"])
  }

  @Test(arguments: [
    HTTPError.unreachable(host: "a"), .timedOut(host: "a"), .curlMissing, .throttled(host: "a", retryAfter: 5),
    .offline(host: "a"), .insecure(host: "a"), .tooManyRedirects(host: "a"), .curlTooOld(found: "1", needed: "2"),
  ])
  func `a cached answer is served as stale when the request fails`(_ error: HTTPError) {
    let network = FakeNetwork { request, times in
      request.url == "b" || times > 0 ? .failure(error) : .success(Response(200, "old"))
    }
    _ = client(network).send([ask("a")])
    #expect(
      client(network).send([ask("a"), ask("b")]) == [
        .success(Response(200, "old", origin: .staleCache)), .failure(error),
      ])
  }

  @Test(arguments: [500, 502, 503, 429])
  func `a cached answer is served as stale when the source returns a server error`(_ status: Int) {
    let network = FakeNetwork { _, times in .success(times == 0 ? Response(200, "old") : Response(status, "oops")) }
    _ = client(network).send([ask("a")])
    #expect(client(network).send([ask("a")]).texts == ["old staleCache"])
    #expect(client(network).send([ask("b")]).texts == ["old network"])
  }

  @Test func `an interrupted request is not answered from the cache`() {
    let network = FakeNetwork { _, times in times == 0 ? .success(Response(200, "old")) : .failure(.interrupted) }
    _ = client(network).send([ask("a")])
    #expect(client(network).send([ask("a")]) == [.failure(.interrupted)])
  }

  @Test(arguments: [
    (403, ""), (503, "busy"), (429, ""), (401, "who?"), (500, ""), (302, ""), (206, "half"), (403, "no"),
  ])
  func `an indefinite answer is not cached`(_ status: Int, _ body: String) {
    let network = FakeNetwork { _, _ in .success(Response(status, body, ["cache-control": "max-age=1000"])) }
    _ = client(network).send([ask("a")])
    _ = client(network).send([ask("a")])
    #expect(network.calls.count == 2)
    #expect(
      HTTPClient.offline.cached(in: cache, now: { clock.now }).send([ask("a")]) == [.failure(.offline(host: "a"))])
  }

  @Test(arguments: [404, 410])
  func `a not found answer is cached without its body`(_ status: Int) {
    let network = FakeNetwork { _, _ in .success(Response(status, #"{"error":1}"#, ["cache-control": "max-age=1000"])) }
    _ = client(network).send([ask("a")])
    #expect(
      client(network).send([ask("a")]) == [
        .success(Response(status, "", ["cache-control": "max-age=1000"], origin: .cache))
      ])
  }

  @Test func `throttling keeps the cached answer and is returned when there is none`() {
    let network = FakeNetwork { _, times in
      .success(
        times == 0
          ? Response(200, "hits", ["cache-control": "max-age=1"]) : Response(403, "", ["cache-control": "no-store"]))
    }
    let client = network.client.retrying(now: { clock.now }, pause: clock.pause, random: { 0 })
      .cached(in: cache, now: { clock.now })
    _ = client.send([ask("https://itunes/")])
    clock.advance(10)
    #expect(client.send([ask("https://itunes/")]).texts == ["hits staleCache"])
    let other = FakeNetwork { _, _ in .success(Response(403)) }.client
      .retrying(now: { clock.now }, pause: clock.pause, random: { 0 }).cached(in: cache, now: { clock.now })
    #expect(other.send([ask("https://other/")]) == [.success(Response(403))])
  }

  @Test func `offline requests are answered from the cache only, however old`() {
    let network = FakeNetwork { _, _ in .success(Response(200, "kept", ["cache-control": "max-age=10"])) }
    _ = client(network).send([ask("https://a/?q=1")])
    let offline = HTTPClient.offline.cached(in: cache, now: { clock.now })
    #expect(
      offline.send([ask("https://a/?q=1"), ask("https://b/?q=1")]) == [
        .success(Response(200, "kept", ["cache-control": "max-age=10"], origin: .cache)), .failure(.offline(host: "b")),
      ])
    clock.advance(1e9)
    #expect(offline.send([ask("https://a/?q=1")]).texts == ["kept staleCache"])
  }

  @Test func `an answer without a reader is not cached`() {
    let network = FakeNetwork { _, times in .success(Response(200, "\(times)", ["cache-control": "max-age=100"])) }
    let request = Request(source: "test", url: "https://a/")
    #expect(client(network).send([request]).texts == ["0 network"])
    #expect(client(network).send([request]).texts == ["1 network"])
    #expect(cache.totals().answers == 0)
  }

  @Test func `request headers are part of the cache key and secrets are not`() {
    let network = FakeNetwork { _, times in .success(Response(200, "\(times)", ["cache-control": "max-age=10"])) }
    var korean = ask("a")
    korean.headers = [Header("accept-language", "ko")]
    var keyed = ask("a")
    keyed.secret = .header("authorization", "Bearer sesame")
    #expect(client(network).send([ask("a")]).texts == ["0 network"])
    #expect(client(network).send([korean]).texts == ["1 network"])
    #expect(client(network).send([keyed]).texts == ["0 cache"])
  }

  @Test func `a request that must reach the source is never answered from the cache`() {
    let isDown = Mutex(false)
    let network = FakeNetwork { request, times in
      isDown.withLock { $0 }
        ? .failure(.timedOut(host: request.host))
        : .success(Response(200, "\(times)", ["cache-control": "max-age=10", "etag": "e"]))
    }
    var must = ask("https://a/")
    must.bypassesCache = true
    #expect(client(network).send([ask("https://a/")]).texts == ["0 network"])
    #expect(client(network).send([must]).texts == ["1 network"])
    #expect(network.requests.last?.headers == [Header("if-none-match", "e")])
    #expect(client(network).send([ask("https://a/")]).texts == ["1 cache"], "what it said is kept for the others")
    isDown.withLock { $0 = true }
    #expect(client(network).send([must]) == [.failure(.timedOut(host: "a"))])
    let offline = HTTPClient.offline.cached(in: cache, now: { [clock] in clock.now })
    #expect(offline.send([must]) == [.failure(.offline(host: "a"))])
  }

  @Test func `the cache file contains no key and no cookie`() throws {
    let network = FakeNetwork { _, _ in
      .success(Response(200, "body", ["cache-control": "max-age=10", "set-cookie": "session=sesame", "etag": "mark"]))
    }
    var request = ask("https://me:sesame@example.org/search?q=1")
    request.secret = .header("authorization", "Bearer sesame")
    _ = client(network).send([request])
    let bytes = String(decoding: try Data(contentsOf: URL(filePath: cache.path)), as: UTF8.self)
    #expect(bytes.contains("https://example.org/search?q=1"))
    #expect(bytes.contains("mark"))
    #expect(!bytes.contains("sesame"))
  }

  static let lives: [(headers: [String: String], seconds: Double)] = [
    (["cache-control": "max-age=60"], 60.0), (["cache-control": "max-age=60", "age": "20"], 40),
    (["cache-control": "max-age=20", "age": "60"], 0), (["cache-control": "max-age=x"], 0),
    (["cache-control": "max-age=-5"], 0), (["cache-control": "max-age=99999999999999999999"], 0),
    (["cache-control": "max-age=4294967295"], 30 * 86_400), (["cache-control": "no-cache, max-age=60"], 0), ([:], 0),
    (["expires": "Mon, 12 Jan 1970 13:47:40 GMT"], 60), (["expires": "0"], 0),
    (["expires": "Mon, 12 Jan 2970 13:47:40 GMT"], 30 * 86_400),
    (["cache-control": "max-age=5", "expires": "Mon, 12 Jan 1970 13:47:40 GMT"], 5), (["cache-control": " , ,=,"], 0),
  ]

  @Test(arguments: lives)
  func `the lifetime of an answer follows its headers within limits`(_ headers: [String: String], _ seconds: Double) {
    #expect(Response(200, "", headers).freshUntil(clock.now) == clock.now.addingTimeInterval(seconds))
  }
}

extension [Result<Response, HTTPError>] {
  /// The body and the origin of each result, in a short form to compare.
  fileprivate var texts: [String] {
    map { result in
      switch result {
      case .success(let response): "\(response.text) \(response.origin)"
      case .failure(let error): "\(error)"
      }
    }
  }
}
