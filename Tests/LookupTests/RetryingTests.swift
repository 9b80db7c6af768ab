import CatalogModel
import Foundation
import Synchronization
import Testing

@testable import Lookup

struct RetryingTests {
  let clock = FakeClock()

  func client(_ network: FakeNetwork, random: Double = 0) -> HTTPClient {
    network.client.retrying(now: { [clock] in clock.now }, pause: clock.pause, random: { random })
  }

  /// A request without a parser for its answer.
  func unread(_ url: String) -> Request { Request(source: "test", url: url) }

  @Test func `a busy source is asked again after its Retry-After`() {
    let network = FakeNetwork { _, times in .success(times < 1 ? Response(503, "", ["retry-after": "2"]) : Response()) }
    #expect(client(network, random: 0.5).send([unread("https://a/")]) == [.success(Response())])
    #expect(clock.slept == [1, 1, 0.25])
  }

  @Test func `a retry is reported with the wait before it and until the answer`() {
    let told = Mutex<[Pause.Step]>([])
    let network = FakeNetwork { _, times in
      told.withLock { #expect($0.last == (times == 0 ? nil : .askingAgain(source: "test"))) }
      return .success(times < 1 ? Response(429, "", ["retry-after": "3"]) : Response())
    }
    let pause = Pause(sleep: { [clock] in clock.sleep($0) }, tell: { step in told.withLock { $0.append(step) } })
    _ = network.client.retrying(now: { [clock] in clock.now }, pause: pause, random: { 1 }).send([unread("https://a/")])
    #expect(
      told.withLock { $0 } == [4, 3, 2, 1].map { .waiting(source: "test", seconds: $0, .request) } + [
        .over, .askingAgain(source: "test"), .over,
      ])
  }

  @Test func `a Retry-After may be a date`() {
    let date = "Mon, 12 Jan 1970 13:46:43 GMT"
    let network = FakeNetwork { _, times in .success(times < 1 ? Response(429, "", ["retry-after": date]) : Response())
    }
    #expect(client(network).send([unread("https://a/")]) == [.success(Response())])
    #expect(clock.slept == [1, 1, 1])
  }

  @Test func `a busy source without a Retry-After is asked twice more with growing waits`() {
    let network = FakeNetwork { _, _ in .success(Response(503, "busy")) }
    #expect(client(network).send([unread("https://a/?key=1")]) == [.failure(.busy(host: "a", retryAfter: nil))])
    #expect(clock.slept.reduce(0, +) == 3)
    #expect(network.calls.count == 3)
  }

  @Test(arguments: ["4", "66", "3600", "4294967295", "Mon, 12 Jan 1970 14:46:40 GMT"])
  func `no retry is made after a longer Retry-After, however patient the request`(_ time: String) {
    let network = FakeNetwork { _, _ in .success(Response(429, "", ["retry-after": time])) }
    let seconds = Int(time) ?? 3600
    #expect(
      client(network).patient.send([unread("https://a/")]) == [.failure(.throttled(host: "a", retryAfter: seconds))])
    #expect(clock.slept.isEmpty)
    #expect(network.calls.count == 1)
  }

  @Test func `a refusal that repeats is returned after one retry`() {
    let network = FakeNetwork { _, _ in .success(Response(429, "", ["retry-after": "3"])) }
    #expect(client(network).send([unread("https://a/")]) == [.failure(.throttled(host: "a", retryAfter: 3))])
    #expect(clock.slept.reduce(0, +) == 3)
    #expect(network.calls.count == 2)
  }

  @Test func `an empty 403 is throttling and is not retried`() {
    let network = FakeNetwork { _, _ in .success(Response(403)) }
    #expect(
      client(network).send([unread("https://itunes/")]) == [.failure(.throttled(host: "itunes", retryAfter: nil))])
    #expect(network.calls.count == 1)
  }

  @Test func `an interrupted wait sends no retry`() {
    let network = FakeNetwork { _, _ in .success(Response(429, "", ["retry-after": "3"])) }
    let pause = Pause(sleep: { [clock] in clock.sleep($0) }, isInterrupted: { [clock] in clock.slept.count >= 2 })
    _ = network.client.retrying(now: { [clock] in clock.now }, pause: pause, random: { 0 }).send([unread("https://a/")])
    #expect(clock.slept == [1, 1])
    #expect(network.calls.count == 1)
  }

  @Test func `other answers and errors are returned without a retry`() {
    for answer: Result<Response, HTTPError> in [
      .success(Response(403, "who are you?")), .success(Response(404)),
      .failure(.timedOut(host: "a")), .failure(.interrupted),
    ] {
      #expect(client(FakeNetwork { _, _ in answer }).send([unread("https://a/")]) == [answer])
    }
    #expect(clock.slept.isEmpty)
  }

  @Test func `of several refused requests one is sent again, and the others when it is answered`() {
    let network = FakeNetwork { request, _ in
      .success(request.url < "https://c" ? Response(503, "") : Response(200, request.url))
    }
    let urls = ["https://c/", "https://a/", "https://d/", "https://b/"]
    let answers = client(network).send(urls.map { unread($0) })
    #expect(answers.map { (try? $0.get()) != nil } == [true, false, true, false])
    #expect(network.calls == [urls, ["https://a/"], ["https://a/"]])
    let fresh = FakeNetwork { request, times in .success(times == 0 ? Response(503, "") : Response(200, request.url)) }
    #expect(client(fresh).send(urls.map { unread($0) }) == urls.map { .success(Response(200, $0)) })
    #expect(fresh.calls == [urls, ["https://c/"], ["https://a/", "https://d/", "https://b/"]])
  }

  @Test(arguments: [
    "", "soon", "-1", "1.5", "99999999999999999999", "Mon, 99 Jan 1970 14:46:40 GMT", "Mon, 12 Foo 1970 14:46:40 GMT",
  ])
  func `an invalid Retry-After is ignored`(_ time: String) {
    let network = FakeNetwork { _, _ in .success(Response(503, "", ["retry-after": time])) }
    #expect(client(network).send([unread("https://a/")]) == [.failure(.busy(host: "a", retryAfter: nil))])
  }

  // MARK: By source

  struct Case: CustomTestStringConvertible, Sendable {
    var source: Source
    var response: Response
    /// The seconds before each further try.
    var pauses: [Double]
    var key: String? = nil
    var testDescription: String { "\(source.id) \(response.status) \(response.text.prefix(40))" }
  }

  static let backend = #"{"error": {"code": 503, "errors": [{"reason": "backendFailed"}]}}"#
  static let day = """
    {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "errors": [{"reason": "rateLimitExceeded"}],
      "message": "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'"}}
    """
  static let cases: [Case] = [
    Case(source: .openLibrary, response: Response(429, "{}"), pauses: [3]),
    Case(source: .openLibrary, response: Response(502, "<html>"), pauses: [1]),
    Case(source: .openLibrary, response: Response(403, "<html>"), pauses: []),
    Case(source: .openLibrary, response: Response(422, "{}"), pauses: []),
    Case(source: .musicBrainz, response: Response(503, "{}"), pauses: [2]),
    Case(source: .musicBrainz, response: Response(503, "{}", ["retry-after": "4"]), pauses: []),
    Case(source: .musicBrainz, response: Response(503, "{}", ["retry-after": "1"]), pauses: [1]),
    Case(source: .musicBrainz, response: Response(403, ""), pauses: []),
    Case(source: .itunes, response: Response(403), pauses: []),
    Case(source: .itunes, response: Response(403, "<html>"), pauses: []),
    Case(source: .itunes, response: Response(500), pauses: [1]),
    Case(source: .tmdb, response: Response(429, #"{"status_code": 25}"#), pauses: [1], key: "k"),
    Case(source: .tmdb, response: Response(504, #"{"status_code": 24}"#), pauses: [0.5, 2], key: "k"),
    Case(source: .googleBooks, response: Response(429, day), pauses: []),
    Case(source: .googleBooks, response: Response(429, day), pauses: [], key: "k"),
    Case(
      source: .googleBooks, response: Response(503, backend), pauses: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], key: "k"),
    Case(source: .kakao, response: Response(400, #"{"code": -1, "msg": "x"}"#), pauses: [1], key: "k"),
    Case(source: .kakao, response: Response(400, #"{"code": -10, "msg": "x"}"#), pauses: [], key: "k"),
    Case(source: .discogs, response: Response(200, ""), pauses: [0], key: "k"),
    Case(source: .discogs, response: Response(403, "<html>"), pauses: [], key: "k"),
  ]

  @Test(arguments: cases) func `each source is retried as its policy says`(_ bad: Case) throws {
    let network = FakeNetwork { _, _ in .success(bad.response) }
    let client = network.client.retrying(
      by: Source.all.policies, now: { [clock] in clock.now }, pause: clock.pause, random: { 0 })
    var settings = bad.source.settings()
    settings.key = bad.key
    let kind = try #require(bad.source.kinds.first)
    #expect(throws: SourceError.self) {
      try bad.source.page(of: Search(words: "dune", kind: kind), settings, using: client)
    }
    #expect(network.calls.count == bad.pauses.count + 1)
    #expect(clock.slept.reduce(0, +) == bad.pauses.reduce(0, +))
  }

  @Test func `a flickering Google Books backend succeeds after several retries`() throws {
    let network = FakeNetwork { _, times in
      .success(times < 6 ? Response(503, Self.backend) : Response(200, #"{"totalItems": 0}"#))
    }
    let client = network.client.retrying(
      by: Source.all.policies, now: { [clock] in clock.now }, pause: clock.pause, random: { 0 })
    var settings = Source.googleBooks.settings()
    settings.key = "k"
    let search = Search(words: "dune", kind: .book, scope: .field(.title))
    #expect(try Source.googleBooks.page(of: search, settings, using: client) == Page(total: 0))
    #expect(clock.slept.reduce(0, +) == 3)
  }

  @Test func `no retry is made after the deadline of the search`() {
    let network = FakeNetwork { _, _ in .success(Response(503)) }
    let request = unread("https://a/")
    let client = client(network).until(clock.now.addingTimeInterval(2.5))
    #expect(client.send([request]) == [.failure(.busy(host: "a", retryAfter: nil))])
    #expect(network.calls.count == 2)
  }
}
