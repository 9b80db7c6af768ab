import Foundation
import SQLite
import Synchronization
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
      by: limits, in: cache, now: { [clock] in clock.now }, pause: clock.pause)
  }

  @Test func `a rate limit may be used at once, and further requests wait in every process`() {
    for _ in 0..<3 {
      #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    }
    clock.advance(20.5)
    #expect(clock.slept.isEmpty)
    #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    #expect(clock.slept.reduce(0, +) == 39.5)
    #expect(network.requests.count == 4)
  }

  /// Tests three requests a minute: the hundredth is sent after 33 minutes, and none is refused.
  @Test func `a hundred requests finish in the time of the rate limit`() {
    let start = clock.now
    for _ in 0..<100 {
      #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    }
    #expect(clock.now.timeIntervalSince(start) == 33 * 60)
  }

  @Test func `requests whose turn has come are sent first`() {
    let urls = ["https://o/1", "https://o/2", "https://x/", "https://o/3", "https://o/4", "https://o/5", "https://m/"]
    let sources = ["one", "one", "free", "one", "one", "one", "many"]
    let results = client.send(zip(urls, sources).map { ask($0, source: $1) })
    #expect(
      network.calls == [
        ["https://o/1", "https://x/", "https://m/"], ["https://o/2"], ["https://o/3"], ["https://o/4"], ["https://o/5"],
      ])
    #expect(clock.slept == [1, 1, 1, 1])
    #expect(results == urls.map { .success(Response(200, $0)) })
  }

  @Test func `a long wait is reported each second, a short one is not`() {
    let told = Mutex<[Pause.Step]>([])
    let reservation = Pause.Reason.rateLimit(RateLimit(requests: 3, per: 60))
    let telling = network.client.limited(
      by: limits, in: cache, now: { [clock] in clock.now },
      pause: Pause(sleep: { [clock] in clock.sleep($0) }, tell: { step in told.withLock { $0.append(step) } }))
    for _ in 0..<3 { _ = telling.send([ask("https://o/", source: "one")]) }
    #expect(told.withLock { $0 } == [])
    for _ in 0..<3 { _ = telling.send([ask("https://m/", source: "many")]) }
    clock.advance(56.5)
    _ = telling.send([ask("https://m/", source: "many")])
    #expect(
      told.withLock { $0 } == [
        .waiting(source: "many", seconds: 4, reservation), .waiting(source: "many", seconds: 3, reservation),
        .waiting(source: "many", seconds: 2, reservation), .waiting(source: "many", seconds: 1, reservation), .over,
      ])
  }

  @Test func `an interrupted wait sends no request and releases its reservation`() {
    let patience = Mutex(5)
    let hasty = network.client.limited(
      by: limits, in: cache, now: { [clock] in clock.now },
      pause: Pause(
        sleep: { [clock] seconds in
          clock.sleep(seconds)
          patience.withLock { $0 -= 1 }
        }, isInterrupted: { patience.withLock { $0 <= 0 } }))
    let requests = (0..<5).map { _ in ask("https://m/", source: "many") }
    let results = hasty.send(requests)
    #expect(results.prefix(3) == Array(repeating: .success(Response(200, "https://m/")), count: 3)[...])
    #expect(results.suffix(2) == [.failure(.interrupted), .failure(.interrupted)])
    #expect(clock.slept == [1, 1, 1, 1, 1])
    #expect(network.requests.count == 3)
    #expect(cache.requestsToday(now: clock.now) == ["many": 3])
    // The next is the fourth, not the sixth.
    _ = client.send([ask("https://m/", source: "many")])
    #expect(clock.slept.reduce(0, +) == 60)
  }

  @Test func `programs that alternate share the rate limit of a source evenly`() {
    // Eight programs, each of which asks again after its answer.
    let limit = RateLimit(requests: 3, per: 60)
    var asked: [Int] = []
    var free = (0..<8).map { (time: Double($0) / 10_000, program: $0) }
    while asked.count < 80 {
      let index = free.indices.min { free[$0].time < free[$1].time } ?? 0
      let (time, program) = free[index]
      let reservation = CacheDatabase(path: cache.path).reserve(
        [("shared", limit)], now: Date(timeIntervalSince1970: 1_000_000 + time))[0]
      free[index].time = time + reservation.wait + 0.001
      asked.append(program)
    }
    for program in 0..<8 { #expect(asked.count { $0 == program } == 10) }
  }

  @Test func `a slow request counts from the time it reached the source`() {
    // Three, of which each is on the way for longer than the one before, and one that waits for the first of them.
    let slow = FakeNetwork { [clock] request, _ in
      clock.advance(request.url.hasSuffix("slow") ? 2 : 0.5)
      return .success(Response(200, request.url))
    }
    let client = slow.client.limited(by: limits, in: cache, now: { [clock] in clock.now }, pause: clock.pause)
    let start = clock.now
    let waiting = CacheDatabase(path: cache.path)
    _ = client.send([ask("https://m/slow", source: "many")])
    for _ in 0..<2 { _ = client.send([ask("https://m/", source: "many")]) }
    #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    // Asked at 0, counted at 2: the fourth is asked at 62, and answered half a second later.
    #expect(clock.now.timeIntervalSince(start) == 62.5)
    // One that took its turn before that was known hears of it when it is due.
    let limit = RateLimit(requests: 1, per: 60)
    let reservations = waiting.reserve([("slow", limit), ("slow", limit)], now: clock.now)
    #expect(reservations.map(\.wait) == [0, 60])
    waiting.commit([(reservations[0], limit)], now: clock.now.addingTimeInterval(4))
    #expect(waiting.wait(of: [(reservations[1], limit)], now: clock.now.addingTimeInterval(60)) == 4)
    #expect(waiting.wait(of: [(reservations[1], limit)], now: clock.now.addingTimeInterval(64)) == 0)
    // More than a tenth of the stretch is not counted: a slow source does not become slower by it.
    let once = RateLimit(requests: 1, per: 1)
    waiting.commit(waiting.reserve([("other", once)], now: clock.now).map { ($0, once) }, now: clock.now + 0.5)
    let next = waiting.reserve([("other", once)], now: clock.now + 0.5).map(\.wait)
    #expect(next.allSatisfy { abs($0 - 0.6) < 1e-6 })
  }

  @Test func `reservations of another process count`() {
    // The other process is asleep until its turn, two seconds from now.
    let one = ("one", RateLimit(requests: 1, per: 1))
    #expect(cache.reserve([one, one, one], now: clock.now).map(\.wait) == [0, 1, 2])
    #expect(client.send([ask("https://o/", source: "one")]) == [.success(Response(200, "https://o/"))])
    #expect(clock.slept == [1, 1, 1])
  }

  @Test func `no stretch of time has more requests than the rate limit`() {
    var random = SplitMix(seed: 7)
    for limit in [RateLimit(requests: 1, per: 1), RateLimit(requests: 5, per: 3), RateLimit(requests: 20, per: 60)] {
      var taken: [Double] = []
      var now = 0.0
      for _ in 0..<500 {
        now += Double.random(in: 0..<1, using: &random)
        taken.append(limit.nextSlot(after: taken, now: now))
      }
      taken.sort()
      for (first, last) in zip(taken, taken.dropFirst(limit.requests)) {
        #expect(last - first >= Double(limit.interval) - 1e-9)
      }
    }
  }

  @Test func `requests of today are counted per source with retries and across processes`() throws {
    // 12 seconds before midnight.
    clock.advance(36_788)
    #expect(cache.requestsToday(now: clock.now) == [:])
    for source in ["many", "one", "one", "free"] { _ = client.send([ask("https://x/", source: source)]) }
    #expect(cache.requestsToday(now: clock.now) == ["many": 1, "one": 2])
    _ = client.send((0..<2).map { _ in ask("https://m/", source: "many") })
    #expect(CacheDatabase(path: cache.path).requestsToday(now: clock.now) == ["many": 3, "one": 2])
    let busy = FakeNetwork { _, times in .success(Response(times == 0 ? 503 : 200)) }
    let retrying = busy.client.limited(
      by: limits, in: cache, now: { [clock] in clock.now }, pause: clock.pause
    ).retrying(now: { [clock] in clock.now }, pause: clock.pause, random: { 0 })
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

  @Test func `answers from the cache are not counted as requests`() throws {
    let network = FakeNetwork { _, _ in .success(Response(200, "x", ["cache-control": "max-age=60"])) }
    let client = network.client.limited(
      by: limits, in: cache, now: { [clock] in clock.now }, pause: clock.pause
    ).cached(in: cache, now: { [clock] in clock.now })
    for _ in 0..<3 { _ = client.send([ask("https://m/", source: "many")]) }
    #expect(cache.requestsToday(now: clock.now) == ["many": 1])
  }

  @Test func `a clock that was ahead does not block a source for long`() {
    clock.advance(1_000_000)
    for _ in 0..<3 { _ = client.send([ask("https://m/", source: "many")]) }
    clock.advance(-1_000_000)
    #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
  }

  @Test func `without a cache requests are not limited`() {
    let client = network.client.limited(
      by: limits, in: CacheDatabase(path: folder.path), now: { [clock] in clock.now },
      pause: clock.pause)
    for _ in 0..<5 {
      #expect(client.send([ask("https://m/", source: "many")]) == [.success(Response(200, "https://m/"))])
    }
  }

  @Test func `a rate limit of zero is treated as one`() {
    #expect(RateLimit(requests: 0, per: 1).nextSlot(after: [], now: 5) == 5)
    #expect(RateLimit(requests: 0, per: 1).nextSlot(after: [5], now: 5) == 6)
  }
}
