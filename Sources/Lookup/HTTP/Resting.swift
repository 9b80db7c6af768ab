internal import CatalogModel
public import FoundationEssentials

extension HTTPClient {
  /// Stops asking a source after a refusal, for the time in its policy, shared by all programs on this computer.
  ///
  /// A request to a resting source fails at once with ``HTTPError/resting(host:seconds:_:)``. A rest ends early when the
  /// program asks with a new contact or a new key.
  ///
  /// - Parameters:
  ///   - policies: by source id.
  ///   - identity: the contact in the requests.
  public func resting(
    by policies: @autoclosure @escaping @Sendable () -> [String: RetryPolicy], in cache: CacheDatabase,
    as identity: @autoclosure @escaping @Sendable () -> Identity, now: @escaping @Sendable () -> Date
  ) -> HTTPClient {
    HTTPClient { requests in
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
      for (index, result) in zip(due, answers) {
        let request = requests[index]
        results[index] = result
        let old = rest(of: request)
        let policy = policies[request.source]
        if let reason = request.restReason(result, identity, policy), let rest = policy?.rests[reason] {
          let count = (old?.count ?? 0) + 1
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
    case .failure: return nil
    case .success(let response):
      switch reader?(response) {
      case .network(.throttled), .quota(.minute): return .throttled
      case .quota: return .quota
      case .refused(403, _): return isUnknown ? .contact : .forbidden
      default: return nil
      }
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
