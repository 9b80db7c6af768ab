internal import CatalogModel
public import FoundationEssentials

extension HTTPClient {
  /// Limits the requests to each source by its rate limit, shared by all programs on this computer.
  ///
  /// A request that exceeds the limit waits, without delaying the other requests of the same call. When the user
  /// interrupts the wait, the reservation is released and the request fails with ``HTTPError/interrupted``.
  ///
  /// - Parameter limits: by source id; a source without an entry has no limit. Read at the first request.
  public func limited(
    by limits: @autoclosure @escaping @Sendable () -> [String: RateLimit], in cache: CacheDatabase,
    now: @escaping @Sendable () -> Date, pause: Pause
  ) -> HTTPClient {
    HTTPClient { requests in
      let (start, limits) = (now(), limits())
      let limited = requests.indices.filter { limits[requests[$0].source] != nil }
      let taken = cache.reserve(
        limited.compactMap { index in limits[requests[index].source].map { (requests[index].source, $0) } }, now: start)
      var reservations = requests.map { _ in Reservation(wait: 0) }
      for (index, reservation) in zip(limited, taken) { reservations[index] = reservation }

      var results = requests.map { _ in Result<Response, HTTPError>.failure(.interrupted) }
      // A reservation after the time limit of the request is of no use.
      let late = limited.filter { index in
        requests[index].latest.map { start.addingTimeInterval(reservations[index].wait) > $0 } ?? false
      }
      cache.release(late.map { reservations[$0] }, now: start)
      for index in late {
        let wait = Int(clamping: reservations[index].wait.rounded(.up))
        results[index] = .failure(.resting(host: requests[index].host, seconds: wait, .limit))
      }
      let timely = requests.indices.filter { !late.contains($0) }
      for wait in Set(timely.map { reservations[$0].wait }).sorted() {
        let due = timely.filter { reservations[$0].wait == wait }
        let asked = due.compactMap { index in limits[requests[index].source].map { (reservations[index], $0) } }
        var left = wait - now().timeIntervalSince(start)
        while left > 0, let limit = limits[requests[due[0]].source] {
          guard pause.wait(left, for: requests[due[0]].source, .rateLimit(limit)) else {
            cache.release(timely.map { reservations[$0] }.filter { $0.wait >= wait }, now: now())
            return results
          }
          // Earlier requests may have been answered late.
          left = cache.wait(of: asked, now: now())
        }
        for (index, result) in zip(due, send(due.map { requests[$0] })) { results[index] = result }
        cache.commit(asked, now: now())
      }
      return results
    }
  }
}

/// A reservation for one request to a source.
struct Reservation: Sendable, Hashable {
  /// The wait in seconds.
  var wait: Double
  /// The id of the reservation's row; nil when it is not stored.
  var id: Int64?
}

extension RateLimit {
  /// Returns the next time at which the source may be asked: at most `requests` times within any `interval` seconds.
  /// - Parameter taken: the times of past and reserved requests, earliest first.
  func nextSlot(after taken: [Double], now: Double) -> Double {
    let last = taken.count - max(1, requests)
    return last < 0 ? now : max(now, taken[last] + Double(interval))
  }

  /// The maximum delay added to the time of a slow request, in seconds. A slow request may reach the source late, which
  /// affects the next ones; the maximum keeps a slow source from becoming much slower.
  var grace: Double { Double(interval) / 10 }
}
