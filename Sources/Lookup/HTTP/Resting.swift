internal import CatalogModel
public import FoundationEssentials
internal import Synchronization

extension HTTPClient {
  /// Stops asking a source after a refusal, for the time in its policy, shared by all programs on this computer.
  ///
  /// A request to a resting source fails at once with ``HTTPError/resting(host:seconds:_:)``. A rest ends early when
  /// the program asks with a new contact or a new key. A time that the source names replaces that of the policy. A
  /// request that ``Request/ignoresRest`` begins no rest, but its answer ends one. A source that refuses several
  /// requests in a row, as from a list of codes, rests too: ``RefusalCount``.
  ///
  /// - Parameters:
  ///   - policies: by source id.
  ///   - identity: the contact in the requests.
  public func resting(
    by policies: @autoclosure @escaping @Sendable () -> [String: RetryPolicy], in cache: CacheDatabase,
    as identity: @autoclosure @escaping @Sendable () -> Identity, now: @escaping @Sendable () -> Date
  ) -> HTTPClient {
    let refusals = RefusalCount()
    return HTTPClient { requests in
      guard !requests.isEmpty else { return [] }
      let (moment, identity) = (now(), identity())
      let kept = cache.rests(of: Set(requests.map(\.source)), now: moment)
      func rest(of request: Request) -> KeptRest? {
        kept[request.source].flatMap { $0.askedAs == request.asker(identity) ? $0 : nil }
      }
      var results = requests.map { request -> Result<Response, HTTPError> in
        let rest = rest(of: request)
        let seconds = rest.map { Int(clamping: $0.until.timeIntervalSince(moment).rounded(.up)) } ?? 0
        return .failure(.resting(host: request.host, seconds: seconds, rest?.reason ?? .throttled))
      }
      let due = requests.indices.filter { index in
        requests[index].ignoresRest || rest(of: requests[index]).map { $0.until <= moment } ?? true
      }
      guard !due.isEmpty else { return results }
      let policies = policies()
      var news: [String: KeptRest?] = [:]
      let answers = send(due.map { requests[$0] })
      let received = now()
      let refused = refusals.count(zip(due, answers).map { (requests[$0], $1) })
      for (index, result) in zip(due, answers) {
        let request = requests[index]
        results[index] = result
        let old = rest(of: request)
        let policy = policies[request.source]
        let reason =
          request.restReason(result, identity, policy).flatMap { policy?.rests[$0] == nil ? nil : $0 }
          ?? (policy != nil && refused.contains(request.source) ? .forbidden : nil)
        if let reason {
          guard !request.ignoresRest else { continue }
          let count = (old?.count ?? 0) + 1
          let isNamed = reason == .throttled || reason == .busy
          let named = isNamed ? request.namedPause(result, now: received) : nil
          let rest = named.map { .seconds(min($0, Rest.longest)) } ?? policy?.rests[reason] ?? .standard
          news[request.source] = KeptRest(
            until: rest.end(from: received, count: count), reason: reason, askedAs: request.asker(identity),
            count: count)
        } else if old != nil, news[request.source] == nil, case .success(let response) = result, response.status < 400 {
          news[request.source] = .some(nil)
        }
      }
      cache.keepRests(news)
      return results
    }
  }
}

/// The requests in a row that each source refused, in this run of the program.
private final class RefusalCount: Sendable {
  // A type of its own, since the type of a dictionary would be looked up at the end of every command.
  private struct Counts {
    var bySource: [String: Int] = [:]
  }

  private let counts = Mutex(Counts())
  /// The number after which a source rests.
  private static let patience = 3

  /// Counts results that came together, which count once for a source.
  /// - Returns: the sources that refused too often.
  func count(_ answers: [(request: Request, result: Result<Response, HTTPError>)]) -> Set<String> {
    let bySource = Dictionary(grouping: answers, by: \.request.source)
    return counts.withLock { counts in
      Set(
        bySource.compactMap { source, answers in
          let isRefused = answers.allSatisfy { $0.request.isRefused($0.result) }
          counts.bySource[source] = isRefused ? (counts.bySource[source] ?? 0) + 1 : 0
          guard counts.bySource[source, default: 0] >= Self.patience else { return nil }
          counts.bySource[source] = 0
          return source
        })
    }
  }
}

/// A rest as stored in the cache.
struct KeptRest: Sendable, Hashable {
  var until: Date
  var reason: Rest.Reason
  /// The contact and whether there was a key: ``Request/asker(_:)``.
  var askedAs: String
  /// The number of consecutive rests.
  var count: Int
}

extension Request {
  /// The identity of the request: its contact and whether it has a key, without the key itself.
  fileprivate func asker(_ identity: Identity) -> String {
    (asksForContact ? identity.full : identity.program) + (secret == nil ? "" : " with a key")
  }

  /// Returns why the source must rest after this result; nil when it need not.
  fileprivate func restReason(
    _ result: Result<Response, HTTPError>, _ identity: Identity, _ policy: RetryPolicy?
  ) -> Rest.Reason? {
    let isUnknown = asksForContact && !identity.hasContact
    if isUnknown, policy?.restsWithoutContact == true, result.isFromNetwork { return .contact }
    switch result {
    case .failure(.hungUp): return isUnknown ? .contact : .hungUp
    case .failure(.closed): return .closed
    case .failure(.throttled): return .throttled
    case .failure(.busy): return .busy
    case .failure: return nil
    case .success(let response):
      switch reader?(response) {
      case .network(.throttled), .quota(.minute): return .throttled
      case .network(.busy): return .busy
      case .quota: return .quota
      case .refused(403, _): return isUnknown ? .contact : .forbidden
      default: return nil
      }
    }
  }

  /// The seconds of the pause that a refusal names.
  fileprivate func namedPause(_ result: Result<Response, HTTPError>, now: Date) -> Int? {
    switch result {
    case .success(let response): retryAfter(response, now: now).map { Int(clamping: $0.rounded(.up)) }
    case .failure(.throttled(_, let seconds)), .failure(.busy(_, let seconds)): seconds
    case .failure: nil
    }
  }

  /// Whether the source answered that it does not want to.
  fileprivate func isRefused(_ result: Result<Response, HTTPError>) -> Bool {
    switch result {
    case .success(let response):
      if case .refused? = reader?(response) { reader?(response)?.isAway == true } else { false }
    case .failure(.hungUp): true
    case .failure: false
    }
  }
}

extension Result<Response, HTTPError> {
  /// Whether the request probably reached the source.
  fileprivate var isFromNetwork: Bool {
    switch self {
    case .success, .failure(.hungUp), .failure(.timedOut), .failure(.tooLarge): true
    case .failure: false
    }
  }
}
