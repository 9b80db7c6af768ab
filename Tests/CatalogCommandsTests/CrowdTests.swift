import CommandLineKit
import Foundation
import Lookup
import Processes
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests many runs at once on one catalog, one cache and one source.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct CrowdTests {
  /// The clock of one run, which advances while the run waits or its request is on the way.
  private final class Clock: Sendable {
    private let time = Mutex(1_795_253_400.0)
    var now: Date { Date(timeIntervalSince1970: time.withLock { $0 }) }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
  }

  /// Blocks the requests that wait a minute until all others are done.
  private final class Minute: Sendable {
    private let finished = DispatchSemaphore(value: 0)
    private let turnstile = Mutex(())

    func isDoneWithoutWaiting() { finished.signal() }

    func pass() {
      turnstile.withLock { _ in
        for _ in 1...20 { _ = finished.wait(timeout: .now() + Patience.seconds) }
        for _ in 1...20 { finished.signal() }
      }
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `24 concurrent show commands stay within the rate limit and lose no answer`() throws {
    let times = Mutex<[Double]>([])
    // As Apple does: 20 questions in any minute, and for each other 403 without a word. What time it is, a question
    // says.
    let server = try LoopbackServer { question in
      let time = question.headers["x-time"].flatMap { Double($0) } ?? 0
      let isAllowed = times.withLock { times in
        times.append(time)
        return times.count { $0 > time - 60 && $0 <= time } <= 20
      }
      let number = ITunesStore.parameters(of: question.path)["id"].flatMap { Int($0) } ?? 0
      return isAllowed
        ? .answer(text: #"{"resultCount": 1, "results": [\#(ITunesStore.movie(number, "Movie \(number)"))]}"#)
        : .answer(403)
    }
    _ = try TestCatalog(path: folder.path("catalog.db"))
    let minute = Minute()
    let works = try (1...24).map { [folder, url = server.url] number in
      try BackgroundWork {
        let run = try Self.show(number, at: url, in: folder, minute)
        if run.errors == "" { minute.isDoneWithoutWaiting() }
        return run
      }
    }
    var waited = 0
    for (number, work) in zip(1..., works) {
      work.wait(atMost: Patience.time)
      let run = try #require(work.result).get()
      #expect(run.status == 0, "\(run)")
      #expect(run.output.hasPrefix("Movie \(number)  movie itunes:track/\(number)\n"), "\(run)")
      // The time of the answers before is unknown.
      let isWaiting = run.errors.wholeMatch(of: /catalog: waiting 6[0-9] s: iTunes allows 20 a minute\n/) != nil
      #expect(isWaiting || run.errors == "", "\(run.errors)")
      if isWaiting { waited += 1 }
    }
    #expect(waited == 4)
    #expect(server.questions.count == 24)
    let views = try TestCatalog(path: folder.path("catalog.db")).store.recents()
    #expect(views.count == 10)
  }

  /// Runs `show` with all layers of the network that the program has.
  private static func show(
    _ number: Int, at url: String, in folder: TemporaryFolder, _ minute: Minute
  ) throws -> TestCatalog.Run {
    let catalog = try TestCatalog(path: folder.path("catalog.db"))
    let (clock, said) = (Clock(), Said())
    let line = PauseLine(on: Terminal()) { said.add($0) }
    let pause = Pause(
      sleep: { seconds in
        minute.pass()
        clock.pass(seconds)
      }, tell: { line.tell($0) })
    let curl = HTTPClient.curl(identity: Identity(program: "catalog"), environment: ProcessInfo.processInfo.environment)
    let network = HTTPClient { requests in
      // A computer with so much to do is slow to start curl, sometimes more and sometimes less.
      clock.pass(Double(number % 7) / 4)
      return curl.send(
        requests.map { request in
          var request = request
          request.headers.append(Header("x-time", "\(clock.now.timeIntervalSince1970)"))
          return request
        })
    }
    let cache = CacheDatabase(path: folder.path("cache.db"))
    catalog.http = network.limited(by: Source.all.limits(hasContact: true), in: cache, now: { clock.now }, pause: pause)
      .retrying(now: { clock.now }, pause: pause, random: { 0 }).cached(in: cache, now: { clock.now })
    catalog.pictures = .offline
    try catalog.configure("sources.itunes.base_url", url)
    var run = catalog.run("show", "itunes:track/\(number)")
    run.errors += said.text
    return run
  }

  private final class Said: Sendable {
    private let kept = Mutex("")
    var text: String { kept.withLock { $0 } }
    func add(_ text: String) { kept.withLock { $0 += text } }
  }
}
