internal import CatalogModel
public import FoundationEssentials
internal import Glibc
internal import Processes
internal import Synchronization

extension HTTPClient {
  /// A client that answers each request separately. It has no cache.
  public init(each answer: @escaping @Sendable (Request) -> Result<Response, HTTPError>) {
    self.init { requests in
      requests.map { $0.oldAnswer == .only ? .failure(.offline(host: $0.host)) : answer($0) }
    }
  }

  /// A client that never sends a request.
  public static let offline = HTTPClient(each: { .failure(.offline(host: $0.host)) })

  /// The client that the program uses: curl, with rate limits and retries.
  ///
  /// - Parameters:
  ///   - limits: by source id. Read at the first request, since most commands send none.
  ///   - identity: the contents of the `User-Agent`, read at each request.
  ///   - policies: which requests are retried and how long a source rests, by source id.
  ///   - isOffline: no request is sent.
  ///   - isInterrupted: called many times a second on the sending thread. Returning true ends a request, and the pause
  ///     before it.
  ///   - tell: called with each step of a pause.
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

  /// Sets the deadline of each request to the user's setting. Nil keeps the request's own deadline, and so does a
  /// deadline that is not ``Request/usualDeadline``.
  ///
  /// - Parameter seconds: called when there is a request to send, so that a command without requests reads no setting.
  public func within(_ seconds: @escaping @Sendable () -> Int?) -> HTTPClient {
    HTTPClient { requests in
      guard !requests.isEmpty, let deadline = seconds() else { return send(requests) }
      return changing { if $0.deadline == Request.usualDeadline { $0.deadline = deadline } }.send(requests)
    }
  }

  /// Sets ``Request/latest`` of each request to `latest`, the time at which the whole command must be done, or leaves
  /// an earlier one.
  public func until(_ latest: Date) -> HTTPClient { changing { $0.latest = min($0.latest ?? latest, latest) } }

  /// Gives each request without a ``Request/latest`` a total time in seconds, including retries and the pauses before
  /// them.
  /// - Parameter seconds: called when there is a request to send.
  public func answering(
    within seconds: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> Date
  ) -> HTTPClient {
    HTTPClient { requests in
      guard !requests.isEmpty else { return [] }
      let latest = now().addingTimeInterval(seconds())
      return changing { $0.latest = $0.latest ?? latest }.send(requests)
    }
  }

  /// Sets the use of outdated answers for each request.
  public func takingOldAnswers(_ use: Request.OldAnswer) -> HTTPClient { changing { $0.oldAnswer = use } }

  /// The same client, for requests that are changed first.
  private func changing(_ change: @escaping @Sendable (inout Request) -> Void) -> HTTPClient {
    HTTPClient { requests in
      send(
        requests.map { request in
          var request = request
          change(&request)
          return request
        })
    }
  }

  /// The same client without a limit on pauses. For work in the background.
  public var patient: HTTPClient { until(.distantFuture) }

  /// Shortens the deadline of each request to its ``Request/latest``. A request that is too late fails with
  /// ``HTTPError/timedOut(host:)``.
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

  /// Calls `tell` with each source whose outdated answer was used because the source failed, once per source.
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

  /// Sleeps until the time is over or the user interrupts: a signal ends the pause at once, anything else within 0.1 s.
  private static func sleep(_ seconds: Double, until isInterrupted: () -> Bool) {
    let end = Uptime.now() + .seconds(seconds)
    while case let left = (end - Uptime.now()) / .seconds(1), left > 0, !isInterrupted() {
      var time = timespec(tv_sec: 0, tv_nsec: Int(min(left, 0.1) * 1e9))
      nanosleep(&time, nil)
    }
  }
}
