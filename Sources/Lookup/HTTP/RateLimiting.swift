public import FoundationEssentials

extension HTTPClient {
  /// Asks each source no more often than its limit allows, all programs on this computer taken together.
  ///
  /// A request whose turn is soon waits for it; the others of the same call do not wait with it. One whose turn is far
  /// is ``HTTPError/throttled(host:retryAfter:)`` and not sent.
  ///
  /// - Parameters:
  ///   - limits: by the source's id; a source that is not in it may always be asked. Made when there is a request.
  ///   - patience: the longest wait, in seconds.
  public func limited(
    by limits: @autoclosure @escaping @Sendable () -> [String: RateLimit], in cache: CacheDatabase,
    patience: Double = 3,
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Double) -> Void
  ) -> HTTPClient {
    HTTPClient { requests in
      let (start, limits) = (now(), limits())
      var waits = requests.map { _ in 0.0 }
      let limited = requests.indices.filter { limits[requests[$0].source] != nil }
      let turns = limited.compactMap { index in
        limits[requests[index].source].map { (source: requests[index].source, limit: $0) }
      }
      if !turns.isEmpty {
        let taken = cache.takeTurns(turns, now: start, patience: patience)
        for (index, wait) in zip(limited, taken) { waits[index] = wait }
      }

      var results = requests.indices.map { index in
        Result<Response, HTTPError>.failure(
          .throttled(host: requests[index].host, retryAfter: Int(waits[index].rounded(.up))))
      }
      for wait in Set(waits).sorted() where wait <= patience {
        let pause = min(wait - now().timeIntervalSince(start), patience)
        if pause > 0 { sleep(pause) }
        let due = requests.indices.filter { waits[$0] == wait }
        for (index, result) in zip(due, send(due.map { requests[$0] })) { results[index] = result }
      }
      return results
    }
  }
}

extension RateLimit {
  /// When the source may be asked next, never more than `requests` times in any stretch of `interval` seconds.
  /// - Parameter taken: when it was asked, or will be, earliest first.
  func nextTurn(after taken: [Double], now: Double) -> Double {
    let last = taken.count - max(1, requests)
    return last < 0 ? now : max(now, taken[last] + Double(interval))
  }
}
