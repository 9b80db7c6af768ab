public import FoundationEssentials

extension HTTPClient {
  /// Asks again, up to twice, when a source is busy (429, 503), after the time that the source names.
  ///
  /// A source that stays busy, or that names a longer time than `patience`, is ``HTTPError/throttled(host:retryAfter:)`` or
  /// ``HTTPError/busy(host:retryAfter:)``: being busy is never an answer.
  ///
  /// - Parameters:
  ///   - patience: how long all waits together may be, in seconds. The limits of sources count a minute at most.
  ///   - random: from 0 to 1. Programs that were refused together must not come back together.
  public func retrying(
    patience: Double = 65, now: @escaping @Sendable () -> Date, pause: Pause,
    random: @escaping @Sendable () -> Double
  ) -> HTTPClient {
    HTTPClient { requests in
      var results = send(requests)
      var patience = patience
      for attempt in 1...2 {
        let moment = now()
        var due: [Int] = []
        var wait = 0.0
        for (index, result) in results.enumerated() {
          guard case .success(let response) = result, response.isBusy else { continue }
          let asked = (response.retryAfter(moment) ?? Double(attempt)) + random() / 2
          guard asked <= patience else { continue }
          due.append(index)
          wait = max(wait, asked)
        }
        guard let first = due.first, case let source = requests[first].source, pause.wait(wait, for: source, .request)
        else { break }
        patience -= wait
        let again = pause.askingAgain(source) { send(due.map { requests[$0] }) }
        for (index, result) in zip(due, again) { results[index] = result }
      }
      let moment = now()
      return zip(requests, results).map { request, result in
        guard case .success(let response) = result, response.isThrottling else { return result }
        let seconds = response.retryAfter(moment).map { Int($0.rounded(.up)) }
        return .failure(response.refusal(by: request.host, retryAfter: seconds))
      }
    }
  }
}

extension Response {
  /// The source asks to come back later.
  var isBusy: Bool { status == 429 || status == 503 }

  /// The source refuses for now. iTunes says so with a 403 that has no body, and gives no time:
  /// <https://github.com/facundoolano/app-store-scraper/issues/194>. Coming back soon does not help then.
  var isThrottling: Bool { isBusy || status == 403 && body.isEmpty }

  /// Why there is no answer. 503 says that the source has too much to do; that we asked too much, it does not say.
  func refusal(by host: String, retryAfter seconds: Int?) -> HTTPError {
    status == 503 ? .busy(host: host, retryAfter: seconds) : .throttled(host: host, retryAfter: seconds)
  }

  /// In how many seconds to come back, where the source says so, in seconds or as a date.
  func retryAfter(_ now: Date) -> Double? {
    guard let text = header("retry-after") else { return nil }
    if let seconds = UInt32(text) { return Double(seconds) }
    return Date(http: text).map { max(0, $0.timeIntervalSince(now)) }
  }
}
