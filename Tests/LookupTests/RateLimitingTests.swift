import Foundation
import SQLite
import TestSupport
import Testing

@testable import Lookup

struct RateLimitingTests {
  let clock = FakeClock()
  let folder: TemporaryFolder
  let cache: CacheDatabase
  let network = FakeNetwork { request, _ in .success(Response(200, request.url)) }
  let limits = ["one": RateLimit(requests: 1, per: 1), "many": RateLimit(requests: 3, per: 60)]

  init() throws {
    folder = try TemporaryFolder()
    cache = CacheDatabase(path: folder.path("cache.db"))
  }

  var client: HTTPClient {
    network.client.limited(
      by: limits, in: cache, now: { [clock] in clock.now }, sleep: { [clock] in clock.sleep($0) })
  }

  @Test func `a budget may be spent at once, and then it is refused, over processes`() {
    for _ in 0..<3 {
      #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    }
    clock.advance(20)
    #expect(client.send([ask("https://m/", source: "many")]) == [.failure(.throttled(host: "m", retryAfter: 40))])
    #expect(network.requests.count == 3)
    clock.advance(40)
    #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    #expect(clock.slept.isEmpty)
  }

  @Test func `a refused request does not spend anything`() {
    for _ in 0..<50 { _ = client.send([ask("https://m/", source: "many")]) }
    clock.advance(60)
    #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
  }

  @Test func `a short wait is waited, and those whose turn it is go first`() {
    let urls = ["https://o/1", "https://o/2", "https://x/", "https://o/3", "https://o/4", "https://o/5", "https://m/"]
    let sources = ["one", "one", "free", "one", "one", "one", "many"]
    let results = client.send(zip(urls, sources).map { ask($0, source: $1) })
    #expect(
      network.calls == [
        ["https://o/1", "https://x/", "https://m/"], ["https://o/2"], ["https://o/3"], ["https://o/4"],
      ])
    #expect(clock.slept == [1, 1, 1])
    #expect(results[5] == .failure(.throttled(host: "o", retryAfter: 4)))
    #expect(results[4] == .success(Response(200, "https://o/4")))
    #expect(results[6] == .success(Response(200, "https://m/")))
  }

  @Test func `what another process will ask counts`() {
    // The other process is asleep until its turn, two seconds from now.
    #expect(
      cache.takeTurns((0..<3).map { _ in ("one", RateLimit(requests: 1, per: 1)) }, now: clock.now, patience: 3) == [
        0, 1, 2,
      ])
    #expect(client.send([ask("https://o/", source: "one")]) == [.success(Response(200, "https://o/"))])
    #expect(clock.slept == [3])
  }

  @Test func `never more than allowed in any stretch of time`() {
    var random = SplitMix(seed: 7)
    for limit in [RateLimit(requests: 1, per: 1), RateLimit(requests: 5, per: 3), RateLimit(requests: 20, per: 60)] {
      var taken: [Double] = []
      var now = 0.0
      for _ in 0..<500 {
        now += Double.random(in: 0..<1, using: &random)
        taken.append(limit.nextTurn(after: taken, now: now))
      }
      taken.sort()
      for (first, last) in zip(taken, taken.dropFirst(limit.requests)) {
        #expect(last - first >= Double(limit.interval) - 1e-9)
      }
    }
  }

  @Test func `what went to a source today is counted, each try, over processes`() throws {
    // 12 seconds before midnight.
    clock.advance(36_788)
    #expect(cache.requestsToday(now: clock.now) == [:])
    for source in ["many", "one", "one", "free"] { _ = client.send([ask("https://x/", source: source)]) }
    #expect(cache.requestsToday(now: clock.now) == ["many": 1, "one": 2])
    // One of four is refused, and was not asked.
    let results = client.send((0..<4).map { _ in ask("https://m/", source: "many") })
    #expect(results.count { (try? $0.get()) != nil } == 2)
    #expect(CacheDatabase(path: cache.path).requestsToday(now: clock.now) == ["many": 3, "one": 2])
    let busy = FakeNetwork { _, times in .success(Response(times == 0 ? 503 : 200)) }
    let retrying = busy.client.limited(
      by: limits, in: cache, now: { [clock] in clock.now }, sleep: { [clock] in clock.sleep($0) }
    ).retrying(now: { [clock] in clock.now }, sleep: { [clock] in clock.sleep($0) }, random: { 0 })
    let cached = retrying.cached(in: cache, now: { [clock] in clock.now })
    _ = cached.send([ask("https://o/", source: "one")])
    #expect(cache.requestsToday(now: clock.now) == ["many": 3, "one": 4])
    clock.advance(20)
    #expect(cache.requestsToday(now: clock.now) == [:])
    _ = client.send([ask("https://o/", source: "one")])
    #expect(cache.requestsToday(now: clock.now) == ["one": 1])
    #expect(try Connection(.file(cache.path)).values("SELECT count(*) FROM usage", as: Int.self) == [2], "no old days")
    #expect(CacheDatabase(path: "").requestsToday(now: clock.now) == nil)
  }

  @Test func `what the cache answers does not count`() throws {
    let network = FakeNetwork { _, _ in .success(Response(200, "x", ["cache-control": "max-age=60"])) }
    let client = network.client.limited(
      by: limits, in: cache, now: { [clock] in clock.now }, sleep: { [clock] in clock.sleep($0) }
    ).cached(in: cache, now: { [clock] in clock.now })
    for _ in 0..<3 { _ = client.send([ask("https://m/", source: "many")]) }
    #expect(cache.requestsToday(now: clock.now) == ["many": 1])
  }

  @Test func `a clock that was ahead does not lock a source for long`() {
    clock.advance(1_000_000)
    for _ in 0..<3 { _ = client.send([ask("https://m/", source: "many")]) }
    clock.advance(-1_000_000)
    #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
  }

  @Test func `without a cache everybody may ask`() {
    let client = network.client.limited(
      by: limits, in: CacheDatabase(path: folder.path), now: { [clock] in clock.now },
      sleep: { [clock] in clock.sleep($0) })
    for _ in 0..<5 {
      #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    }
  }

  @Test func `a limit of nothing is taken for one`() {
    #expect(RateLimit(requests: 0, per: 1).nextTurn(after: [], now: 5) == 5)
    #expect(RateLimit(requests: 0, per: 1).nextTurn(after: [5], now: 5) == 6)
  }
}
