internal import CatalogModel
public import FoundationEssentials

extension HTTPClient {
  /// Asks each source no more often than its limit allows, all programs on this computer taken together.
  ///
  /// A request whose turn is not now waits for it, however long; the others of the same call do not wait with it. Who
  /// stops waiting gives the turn back, and the request is ``HTTPError/interrupted``.
  ///
  /// - Parameter limits: by the source's id; a source that is not in it may always be asked. Made when there is a request.
  public func limited(
    by limits: @autoclosure @escaping @Sendable () -> [String: RateLimit], in cache: CacheDatabase,
    now: @escaping @Sendable () -> Date, pause: Pause
  ) -> HTTPClient {
    HTTPClient { requests in
      let (start, limits) = (now(), limits())
      let limited = requests.indices.filter { limits[requests[$0].source] != nil }
      let taken = cache.takeTurns(
        limited.compactMap { index in limits[requests[index].source].map { (requests[index].source, $0) } }, now: start)
      var turns = requests.map { _ in Turn(wait: 0) }
      for (index, turn) in zip(limited, taken) { turns[index] = turn }

      var results = requests.map { _ in Result<Response, HTTPError>.failure(.interrupted) }
      // A turn after the time at which the answer is wanted is of no use.
      let late = limited.filter { index in
        requests[index].latest.map { start.addingTimeInterval(turns[index].wait) > $0 } ?? false
      }
      cache.giveBack(late.map { turns[$0] }, now: start)
      for index in late {
        let wait = Int(clamping: turns[index].wait.rounded(.up))
        results[index] = .failure(.throttled(host: requests[index].host, retryAfter: wait))
      }
      let timely = requests.indices.filter { !late.contains($0) }
      for wait in Set(timely.map { turns[$0].wait }).sorted() {
        let due = timely.filter { turns[$0].wait == wait }
        let asked = due.compactMap { index in limits[requests[index].source].map { (turns[index], $0) } }
        var left = wait - now().timeIntervalSince(start)
        while left > 0, let limit = limits[requests[due[0]].source] {
          guard pause.wait(left, for: requests[due[0]].source, .turn(limit)) else {
            cache.giveBack(timely.map { turns[$0] }.filter { $0.wait >= wait }, now: now())
            return results
          }
          // Who asked before may have been answered late.
          left = cache.wait(of: asked, now: now())
        }
        for (index, result) in zip(due, send(due.map { requests[$0] })) { results[index] = result }
        cache.settle(asked, now: now())
      }
      return results
    }
  }
}

/// A turn at asking a source.
struct Turn: Sendable, Hashable {
  /// In how many seconds it is.
  var wait: Double
  /// Where it stands among those that are taken; nil when it is in no list.
  var id: Int64?
}

extension RateLimit {
  /// When the source may be asked next, never more than `requests` times in any stretch of `interval` seconds.
  /// - Parameter taken: when it was asked, or will be, earliest first.
  func nextTurn(after taken: [Double], now: Double) -> Double {
    let last = taken.count - max(1, requests)
    return last < 0 ? now : max(now, taken[last] + Double(interval))
  }

  /// How much later than it was asked a question counts, in seconds, when its answer takes long: nobody knows when it came
  /// to the source, and that counts for what is asked next. A slow source shall not become much slower by it.
  var grace: Double { Double(interval) / 10 }
}
