internal import CatalogModel
public import FoundationEssentials
internal import Glibc
internal import Processes
internal import Synchronization

extension HTTPClient {
  /// A client for each request by itself. It keeps no answers.
  public init(each answer: @escaping @Sendable (Request) -> Result<Response, HTTPError>) {
    self.init { requests in
      requests.map { $0.oldAnswer == .only ? .failure(.offline(host: $0.host)) : answer($0) }
    }
  }

  /// Never asks anybody.
  public static let offline = HTTPClient(each: { .failure(.offline(host: $0.host)) })

  /// Answers from what was recorded, by address; what was not is ``HTTPError/offline(host:)``. For tests.
  public static func recorded(_ answers: [String: Response]) -> HTTPClient {
    HTTPClient(each: { request in
      answers[request.url].map { .success($0) } ?? .failure(.offline(host: request.host))
    })
  }

  /// The network as the program asks it: curl, and around it the rate limits and the retries.
  ///
  /// - Parameters:
  ///   - limits: by the source's id. Made when there is a request: most commands have none.
  ///   - identity: what the `User-Agent` says, read when there is a request.
  ///   - policies: what is asked again, and how long a source rests, by the source's id.
  ///   - isOffline: nobody is asked.
  ///   - isInterrupted: asked many times a second, on the thread that sends; yes ends a request, and a pause before it.
  ///   - tell: hears who is waited for.
  public static func network(
    identity: @autoclosure @escaping @Sendable () -> Identity, environment: [String: String],
    limits: @autoclosure @escaping @Sendable () -> [String: RateLimit],
    policies: @autoclosure @escaping @Sendable () -> [String: RetryPolicy] = [:],
    cache: CacheDatabase, isOffline: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() },
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    tellingPauses tell: @escaping @Sendable (Pause.Step) -> Void = { _ in }
  ) -> HTTPClient {
    guard !isOffline else { return offline }
    let pause = Pause(
      sleep: { sleep($0, until: isInterrupted) }, isInterrupted: isInterrupted, tell: tell)
    let curl = HTTPClient { requests in
      HTTPClient.curl(identity: identity(), environment: environment, isInterrupted: isInterrupted).send(requests)
    }
    return curl.timely(now: now).limited(by: limits(), in: cache, now: now, pause: pause)
      .retrying(by: policies(), now: now, pause: pause, random: { Double.random(in: 0..<1) })
      .resting(by: policies(), in: cache, as: identity(), now: now)
  }

  /// Gives each request as many seconds as the person wants to wait; nil leaves it its own deadline, and one that is not
  /// the usual deadline stays.
  ///
  /// - Parameter seconds: asked when there is something to send, so that what sends nothing reads no setting.
  public func within(_ seconds: @escaping @Sendable () -> Int?) -> HTTPClient {
    HTTPClient { requests in
      guard !requests.isEmpty, let deadline = seconds() else { return send(requests) }
      return send(
        requests.map { request in
          var request = request
          if request.deadline == Request.usualDeadline { request.deadline = deadline }
          return request
        })
    }
  }

  /// Sends requests whose answers are of no use after `latest`, the time at which the whole command wants to be done.
  public func until(_ latest: Date) -> HTTPClient {
    HTTPClient { requests in
      send(
        requests.map { request in
          var request = request
          request.latest = min(request.latest ?? latest, latest)
          return request
        })
    }
  }

  /// Gives requests without a ``Request/latest`` so many seconds in all, further tries and the pauses before them included.
  /// - Parameter seconds: asked when there is something to send.
  public func answering(
    within seconds: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> Date
  ) -> HTTPClient {
    HTTPClient { requests in
      guard !requests.isEmpty else { return [] }
      let latest = now().addingTimeInterval(seconds())
      return send(
        requests.map { request in
          var request = request
          request.latest = request.latest ?? latest
          return request
        })
    }
  }

  /// The same that pauses as long as sources ask for: for work that nobody waits for at the keyboard.
  public var patient: HTTPClient { until(.distantFuture) }

  /// Gives each request no more time than there is until its ``Request/latest``; one for which it is too late fails.
  func timely(now: @escaping @Sendable () -> Date) -> HTTPClient {
    HTTPClient { requests in
      let moment = now()
      var results = requests.map { Result<Response, HTTPError>.failure(.timedOut(host: $0.host)) }
      var due: [(index: Int, request: Request)] = []
      for (index, request) in requests.enumerated() {
        let left = request.latest.map { $0.timeIntervalSince(moment) } ?? .infinity
        guard left > 0 else { continue }
        var request = request
        if left < Double(request.deadline) { request.deadline = max(1, Int(clamping: left.rounded(.up))) }
        due.append((index, request))
      }
      for (place, result) in zip(due, send(due.map(\.request))) { results[place.index] = result }
      return results
    }
  }

  /// Says of which source an older answer was taken because it could not be asked, of each once.
  public func tellingOldAnswers(_ tell: @escaping @Sendable (_ source: String) -> Void) -> HTTPClient {
    let told = Told()
    return HTTPClient { requests in
      let results = send(requests)
      for (request, result) in zip(requests, results) {
        guard case .success(let response) = result, response.origin == .staleCache,
          request.oldAnswer == .afterFailure
        else { continue }
        let isNew = told.sources.withLock { sources in
          defer { if !sources.contains(request.source) { sources.append(request.source) } }
          return !sources.contains(request.source)
        }
        if isNew { tell(request.source) }
      }
      return results
    }
  }

  private final class Told: Sendable {
    let sources = Mutex<[String]>([])
  }

  /// Waits, or less when somebody asks to stop: a signal ends the pause at once, anything else within a tenth of a second.
  private static func sleep(_ seconds: Double, until isInterrupted: () -> Bool) {
    let end = Uptime.now() + .seconds(seconds)
    while case let left = (end - Uptime.now()) / .seconds(1), left > 0, !isInterrupted() {
      var time = timespec(tv_sec: 0, tv_nsec: Int(min(left, 0.1) * 1e9))
      nanosleep(&time, nil)
    }
  }
}
