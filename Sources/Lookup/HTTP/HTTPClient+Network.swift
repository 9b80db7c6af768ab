public import FoundationEssentials
internal import Glibc
internal import Processes
internal import Synchronization

extension HTTPClient {
  /// A client for each request by itself.
  public init(each answer: @escaping @Sendable (Request) -> Result<Response, HTTPError>) {
    self.init { $0.map(answer) }
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
  ///   - identity: the `User-Agent`, read when there is a request.
  ///   - isOffline: nobody is asked.
  ///   - isInterrupted: asked many times a second, on the thread that sends; yes ends a request, and a pause before it.
  ///   - tell: hears who is waited for.
  public static func network(
    identity: @autoclosure @escaping @Sendable () -> String, environment: [String: String],
    limits: @autoclosure @escaping @Sendable () -> [String: RateLimit], cache: CacheDatabase, isOffline: Bool = false,
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
    return curl.limited(by: limits(), in: cache, now: now, pause: pause)
      .retrying(now: now, pause: pause, random: { Double.random(in: 0..<1) })
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

  /// Says of which source an older answer was taken because it could not be asked, of each once.
  public func tellingOldAnswers(_ tell: @escaping @Sendable (_ source: String) -> Void) -> HTTPClient {
    let told = Told()
    return HTTPClient { requests in
      let results = send(requests)
      for (request, result) in zip(requests, results) {
        guard case .success(let response) = result, response.origin == .staleCache else { continue }
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
