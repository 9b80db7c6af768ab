import Foundation
import Synchronization
import Testing

@testable import Lookup

struct RetryingTests {
  let clock = FakeClock()

  func client(_ network: FakeNetwork, random: Double = 0) -> HTTPClient {
    network.client.retrying(now: { [clock] in clock.now }, pause: clock.pause, random: { random })
  }

  @Test func `a busy source is asked again after the time it names`() {
    let network = FakeNetwork { _, times in .success(times < 1 ? Response(503, "", ["retry-after": "2"]) : Response()) }
    #expect(client(network, random: 0.5).send([ask("https://a/")]) == [.success(Response())])
    #expect(clock.slept == [1, 1, 0.25])
  }

  @Test func `that a source is asked again is told, with the pause before it and until it has answered`() {
    let told = Mutex<[Pause.Step]>([])
    let network = FakeNetwork { _, times in
      told.withLock { #expect($0.last == (times == 0 ? nil : .askingAgain(source: "test"))) }
      return .success(times < 1 ? Response(429, "", ["retry-after": "4"]) : Response())
    }
    let pause = Pause(sleep: { [clock] in clock.sleep($0) }, tell: { step in told.withLock { $0.append(step) } })
    _ = network.client.retrying(now: { [clock] in clock.now }, pause: pause, random: { 0 }).send([ask("https://a/")])
    #expect(
      told.withLock { $0 } == [4, 3, 2, 1].map { .waiting(source: "test", seconds: $0, .request) } + [
        .over, .askingAgain(source: "test"), .over,
      ])
  }

  @Test func `a busy source may name a date`() {
    let date = "Mon, 12 Jan 1970 13:46:43 GMT"
    let network = FakeNetwork { _, times in .success(times < 1 ? Response(429, "", ["retry-after": date]) : Response())
    }
    #expect(client(network).send([ask("https://a/")]) == [.success(Response())])
    #expect(clock.slept == [1, 1, 1])
  }

  @Test func `a source that names no time is asked twice more, ever later`() {
    let network = FakeNetwork { _, _ in .success(Response(503, "busy")) }
    #expect(client(network).send([ask("https://a/?key=1")]) == [.failure(.busy(host: "a", retryAfter: nil))])
    #expect(clock.slept.reduce(0, +) == 3)
    #expect(network.calls.count == 3)
  }

  @Test(arguments: ["66", "3600", "4294967295", "Mon, 12 Jan 1970 14:46:40 GMT"])
  func `nobody waits longer than limits count`(_ time: String) {
    let network = FakeNetwork { _, _ in .success(Response(429, "", ["retry-after": time])) }
    let seconds = Int(time) ?? 3600
    #expect(client(network).send([ask("https://a/")]) == [.failure(.throttled(host: "a", retryAfter: seconds))])
    #expect(clock.slept.isEmpty)
    #expect(network.calls.count == 1)
  }

  @Test func `a refusal that lasts is one`() {
    let network = FakeNetwork { _, _ in .success(Response(429, "", ["retry-after": "40"])) }
    #expect(client(network).send([ask("https://a/")]) == [.failure(.throttled(host: "a", retryAfter: 40))])
    #expect(clock.slept.reduce(0, +) == 40)
    #expect(network.calls.count == 2)
  }

  @Test func `an empty 403 is throttling and is not tried again`() {
    let network = FakeNetwork { _, _ in .success(Response(403)) }
    #expect(client(network).send([ask("https://itunes/")]) == [.failure(.throttled(host: "itunes", retryAfter: nil))])
    #expect(network.calls.count == 1)
  }

  @Test func `who stops waiting does not ask again`() {
    let network = FakeNetwork { _, _ in .success(Response(429, "", ["retry-after": "40"])) }
    let pause = Pause(sleep: { [clock] in clock.sleep($0) }, isInterrupted: { [clock] in clock.slept.count >= 3 })
    _ = network.client.retrying(now: { [clock] in clock.now }, pause: pause, random: { 0 }).send([ask("https://a/")])
    #expect(clock.slept == [1, 1, 1])
    #expect(network.calls.count == 1)
  }

  @Test func `other answers and errors go through as they are`() {
    for answer: Result<Response, HTTPError> in [
      .success(Response(403, "who are you?")), .success(Response(500)), .success(Response(404)),
      .failure(.timedOut(host: "a")), .failure(.interrupted),
    ] {
      #expect(client(FakeNetwork { _, _ in answer }).send([ask("https://a/")]) == [answer])
    }
    #expect(clock.slept.isEmpty)
  }

  @Test func `only what was busy is asked again, together and in order`() {
    let network = FakeNetwork { request, times in
      .success(request.url < "https://c" && times == 0 ? Response(503, "") : Response(200, request.url))
    }
    let urls = ["https://c/", "https://a/", "https://d/", "https://b/"]
    #expect(client(network).send(urls.map { ask($0) }) == urls.map { .success(Response(200, $0)) })
    #expect(network.calls == [urls, ["https://a/", "https://b/"]])
  }

  @Test(arguments: [
    "", "soon", "-1", "1.5", "99999999999999999999", "Mon, 99 Jan 1970 14:46:40 GMT", "Mon, 12 Foo 1970 14:46:40 GMT",
  ])
  func `a time that makes no sense is none`(_ time: String) {
    let network = FakeNetwork { _, _ in .success(Response(503, "", ["retry-after": time])) }
    #expect(client(network).send([ask("https://a/")]) == [.failure(.busy(host: "a", retryAfter: nil))])
  }
}
