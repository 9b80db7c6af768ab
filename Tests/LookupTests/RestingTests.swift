import CatalogModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Lookup

/// Tests the pauses of sources after a refusal.
struct RestingTests {
  let clock = FakeClock()
  let folder: TemporaryFolder
  let cache: CacheDatabase
  static let named = Identity(program: "catalog/1.0", contact: "me@example.org")
  static let unnamed = Identity(program: "catalog/1.0")

  init() throws {
    folder = try TemporaryFolder()
    cache = CacheDatabase(path: folder.path("cache.db"))
  }

  /// Asks a source for a book, film or record called Dune.
  func ask(
    _ source: Source, _ network: FakeNetwork, as identity: Identity = named, key: String? = nil
  ) throws -> Result<Page, SourceError> {
    let client = network.client.resting(
      by: Source.all.policies, in: cache, as: identity, now: { [clock] in clock.now })
    var settings = source.settings()
    settings.key = key
    let search = Search(words: "dune", kind: try #require(source.kinds.first))
    return Result { () throws(SourceError) in try source.page(of: search, settings, using: client) }
  }

  func network(_ results: Result<Response, HTTPError>...) -> FakeNetwork {
    let results = results
    return FakeNetwork { _, times in results[min(times, results.count - 1)] }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var source: Source
    var result: Result<Response, HTTPError>
    var identity = RestingTests.named
    var key: String? = nil
    /// The duration of the pause in seconds; nil for none.
    var seconds: Int?
    var reason: Rest.Reason? = nil
    var testDescription: String { "\(source.id) \(result) \(identity.full)" }
  }

  static func later(_ status: Int, _ time: String) -> Response { Response(status, "{}", ["retry-after": time]) }
  static let page = Response(403, "<html>403 Forbidden</html>")
  static let day = """
    {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "errors": [{"reason": "rateLimitExceeded"}],
      "message": "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'"}}
    """
  // The clock stands at 13:46:40 on the twelfth day of 1970.
  static let cases: [Case] = [
    Case(source: .openLibrary, result: .success(page), identity: unnamed, seconds: 86_400, reason: .contact),
    Case(source: .openLibrary, result: .success(page), seconds: nil),
    Case(source: .openLibrary, result: .success(Response(429, "{}")), seconds: 600, reason: .throttled),
    Case(source: .openLibrary, result: .success(Response(422, "{}")), seconds: nil),
    Case(source: .openLibrary, result: .success(Response(502, "")), seconds: nil),
    Case(source: .openLibrary, result: .failure(.unreachable(host: "a")), seconds: nil),
    Case(
      source: .musicBrainz, result: .failure(.hungUp(host: "a")), identity: unnamed, seconds: 86_400,
      reason: .contact),
    Case(source: .musicBrainz, result: .failure(.hungUp(host: "a")), seconds: 600, reason: .hungUp),
    Case(
      source: .musicBrainz, result: .success(Response(200, #"{"count": 1, "releases": [{"id": "1", "title": "T"}]}"#)),
      identity: unnamed,
      seconds: 86_400, reason: .contact),
    Case(
      source: .musicBrainz, result: .success(Response(200, #"{"count": 1, "releases": [{"id": "1", "title": "T"}]}"#)),
      seconds: nil),
    Case(
      source: .musicBrainz, result: .failure(.unreachable(host: "a")), identity: unnamed, seconds: nil),
    Case(source: .itunes, result: .success(Response(403)), seconds: 300, reason: .throttled),
    Case(source: .itunes, result: .success(page), seconds: 300, reason: .throttled),
    Case(source: .googleBooks, result: .success(Response(429, day)), seconds: 65_600, reason: .quota),
    Case(source: .googleBooks, result: .success(Response(429, day)), key: "k", seconds: 65_600, reason: .quota),
    Case(
      source: .kakao, result: .success(Response(400, #"{"code": -10, "msg": "x"}"#)), key: "k", seconds: 4_400,
      reason: .quota),
    Case(source: .discogs, result: .success(page), key: "k", seconds: nil),
    // A source that asks for a pause gets one: as long as it says, else a minute.
    Case(source: .openLibrary, result: .success(later(429, "3600")), seconds: 3_600, reason: .throttled),
    Case(source: .openLibrary, result: .success(later(503, "120")), seconds: 120, reason: .busy),
    Case(source: .openLibrary, result: .success(later(429, "1000000")), seconds: 86_400, reason: .throttled),
    Case(source: .itunes, result: .success(later(429, "3600")), seconds: 3_600, reason: .throttled),
    Case(source: .tmdb, result: .success(Response(429, "{}")), key: "k", seconds: 60, reason: .throttled),
    Case(source: .tmdb, result: .success(later(429, "3600")), key: "k", seconds: 3_600, reason: .throttled),
    Case(source: .tmdb, result: .success(Response(504, "{}")), key: "k", seconds: nil),
    Case(source: .discogs, result: .success(Response(429, "{}")), key: "k", seconds: 60, reason: .throttled),
    Case(source: .discogs, result: .success(later(429, "7200")), key: "k", seconds: 7_200, reason: .throttled),
    Case(source: .musicBrainz, result: .success(Response(503, "{}")), seconds: 60, reason: .busy),
    Case(source: .musicBrainz, result: .success(later(429, "3600")), seconds: 3_600, reason: .throttled),
    Case(
      source: .musicBrainz, result: .success(later(503, "Mon, 12 Jan 1970 14:46:40 GMT")), seconds: 3_600,
      reason: .busy),
    Case(source: .wikidata, result: .success(later(429, "25")), seconds: 25, reason: .throttled),
    Case(
      source: .wikidata, result: .success(Response(200, #"{"error": {"code": "maxlag", "lag": 6.5}}"#)), seconds: 7,
      reason: .busy),
    Case(source: .inventaire, result: .success(Response(503, "")), seconds: 60, reason: .busy),
    Case(source: .kakao, result: .success(Response(503, #"{"code": -9798}"#)), key: "k", seconds: 60, reason: .busy),
  ]

  @Test(arguments: cases) func `a source pauses after a refusal as its policy says`(_ bad: Case) throws {
    let network = network(bad.result)
    let first = try ask(bad.source, network, as: bad.identity, key: bad.key)
    let second = try ask(bad.source, network, as: bad.identity, key: bad.key)
    if let seconds = bad.seconds, let reason = bad.reason {
      let host = Request.host(of: bad.source.defaultBaseURL)
      #expect(second == .failure(.network(.resting(host: host, seconds: seconds, reason))))
      #expect(network.calls.count == 1)
      clock.advance(Double(seconds) + 1)
      _ = try ask(bad.source, network, as: bad.identity, key: bad.key)
      #expect(network.calls.count == 2)
    } else {
      #expect(first == second)
      #expect(network.calls.count == 2)
    }
  }

  @Test func `the Internet Archive pauses after a refused connection and allows five requests a second`() {
    let network = network(.failure(.closed(host: "archive.org")))
    let client = network.client.resting(
      by: Source.all.policies, in: cache, as: Self.named, now: { [clock] in clock.now })
    let cover = Request(source: Source.archive, url: "https://archive.org/cover.jpg")
    _ = client.send([cover])
    #expect(
      client.send([cover]) == [.failure(.resting(host: "archive.org", seconds: 600, .closed))])
    #expect(network.calls.count == 1)
    let asked = FakeNetwork { _, _ in .success(Response()) }
    let limited = asked.client.limited(
      by: Source.all.limits(hasContact: true), in: cache, now: { [clock] in clock.now }, pause: clock.pause)
    for _ in 0..<5 { _ = limited.send([cover]) }
    #expect(clock.slept.isEmpty)
    _ = limited.send([cover])
    #expect(!clock.slept.isEmpty)
  }

  @Test func `a pause of a source holds for every program on this computer`() throws {
    _ = try ask(.itunes, network(.success(Response(403))))
    let other = network(.success(Response(200, #"{"results": []}"#)))
    #expect(throws: SourceError.self) { try ask(.itunes, other).get() }
    #expect(other.calls.isEmpty)
    #expect(CacheDatabase(path: cache.path).rest(of: "itunes", now: clock.now)?.reason == .throttled)
  }

  @Test func `setting a contact ends the pause that was due to its absence`() throws {
    let network = network(.success(Self.page), .success(Response(200, #"{"numFound": 0, "docs": []}"#)))
    _ = try ask(.openLibrary, network, as: Self.unnamed)
    #expect(try ask(.openLibrary, network, as: Self.named).get() == Page(total: 0))
  }

  @Test func `the pause of iTunes doubles up to an hour until it answers`() throws {
    let answers = Mutex(false)
    let network = FakeNetwork { _, _ in
      .success(answers.withLock { $0 } ? Response(200, #"{"results": []}"#) : Response(403))
    }
    for seconds in [300, 600, 1_200, 2_400, 3_600, 3_600] {
      _ = try ask(.itunes, network)
      let rest = try #require(cache.rest(of: "itunes", now: clock.now))
      #expect(rest.until.timeIntervalSince(clock.now) == Double(seconds))
      clock.advance(Double(seconds) + 1)
    }
    answers.withLock { $0 = true }
    #expect(try ask(.itunes, network).get() == Page(total: nil))
    answers.withLock { $0 = false }
    _ = try ask(.itunes, network)
    #expect(cache.rest(of: "itunes", now: clock.now)?.until.timeIntervalSince(clock.now) == 300)
  }

  @Test func `a test of a source ignores its pause, begins none and makes none longer`() throws {
    let network = network(.success(Response(403)))
    let client = network.client.resting(
      by: Source.all.policies, in: cache, as: Self.named, now: { [clock] in clock.now })
    var request = Source.itunes.request(Search(words: "dune", kind: .movie), Source.itunes.settings())
    request.ignoresRest = true
    for _ in 0..<4 { _ = client.send([request]) }
    #expect(network.calls.count == 4)
    #expect(cache.rest(of: "itunes", now: clock.now) == nil)
    _ = try ask(.itunes, network)
    for _ in 0..<2 { _ = client.send([request]) }
    #expect(cache.rest(of: "itunes", now: clock.now)?.until.timeIntervalSince(clock.now) == 300)
  }

  @Test func `a source that refuses three requests in a row rests for a minute`() throws {
    let good = Response(200, #"{"numFound": 0, "docs": []}"#)
    let bad = network(
      .success(Self.page), .success(Self.page), .success(good), .success(Self.page), .failure(.hungUp(host: "a")),
      .success(Response(502, "")), .success(good))
    let client = bad.client.resting(
      by: [Source.inventaire.id: RetryPolicy()], in: cache, as: Self.named, now: { [clock] in clock.now })
    func ask(_ count: Int = 1) -> [Result<Response, HTTPError>] {
      client.send(
        (0..<count).map { _ in
          var request = Request(source: Source.inventaire.id, url: "https://a/")
          request.reader = { $0.status == 200 ? nil : .refused(status: $0.status) }
          return request
        })
    }
    // Requests at once count as one.
    _ = ask(2)
    for _ in 0..<4 { #expect(ask() != [.failure(.resting(host: "a", seconds: 60, .forbidden))]) }
    #expect(ask() == [.failure(.resting(host: "a", seconds: 60, .forbidden))])
    clock.advance(61)
    #expect(ask() == [.success(good)])
  }

  @Test func `without a cache no source pauses`() throws {
    let network = network(.success(Response(403)))
    let client = network.client.resting(
      by: Source.all.policies, in: CacheDatabase(path: ""), as: Self.named, now: { [clock] in clock.now })
    let search = Search(words: "dune", kind: .movie)
    for _ in 0..<2 { _ = try? Source.itunes.page(of: search, Source.itunes.settings(), using: client) }
    #expect(network.calls.count == 2)
  }
}
