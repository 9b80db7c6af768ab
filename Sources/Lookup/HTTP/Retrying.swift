internal import CatalogModel
public import FoundationEssentials

extension HTTPClient {
  /// Asks again when a source is busy, as often as its policy says, after the time that the source names.
  ///
  /// The last response stands. One that no reader reads, such as of a picture, becomes
  /// ``HTTPError/throttled(host:retryAfter:)`` or ``HTTPError/busy(host:retryAfter:)``: being busy is never an answer.
  ///
  /// - Parameters:
  ///   - policies: by the source's id; the usual one for a source that has none.
  ///   - patience: how long all waits together may be, in seconds. The limits of sources count a minute at most.
  ///   - random: from 0 to 1. Programs that were refused together must not come back together.
  public func retrying(
    by policies: @autoclosure @escaping @Sendable () -> [String: RetryPolicy] = [:], patience: Double = 65,
    now: @escaping @Sendable () -> Date, pause: Pause, random: @escaping @Sendable () -> Double
  ) -> HTTPClient {
    HTTPClient { requests in
      var results = send(requests)
      var patience = patience
      var tries: [Int] = requests.map { _ in 0 }
      while true {
        let moment = now()
        var due: [Int] = []
        var wait = 0.0
        for (index, result) in results.enumerated() {
          let request = requests[index]
          guard case .success(let response) = result, let trouble = request.trouble(in: response) else { continue }
          let pauses = (policies()[request.source] ?? RetryPolicy()).pauses(after: trouble)
          guard tries[index] < pauses.count else { continue }
          let asked = (request.retryAfter(response, now: moment) ?? pauses[tries[index]]) + random() / 2
          let left = request.latest.map { $0.timeIntervalSince(moment) } ?? .infinity
          guard asked <= min(patience, left) else { continue }
          due.append(index)
          wait = max(wait, asked)
        }
        guard let first = due.first, case let source = requests[first].source, pause.wait(wait, for: source, .request)
        else { break }
        patience -= wait
        for index in due { tries[index] += 1 }
        let again = pause.askingAgain(source) { send(due.map { requests[$0] }) }
        for (index, result) in zip(due, again) { results[index] = result }
      }
      let moment = now()
      return zip(requests, results).map { request, result in
        guard request.reader == nil, case .success(let response) = result, response.isThrottling else { return result }
        let seconds = response.retryAfter(moment).map { Int(clamping: $0.rounded(.up)) }
        return .failure(response.refusal(by: request.host, retryAfter: seconds))
      }
    }
  }
}

extension Response {
  /// The source asks to come back later.
  private var isBusy: Bool { status == 429 || status == 503 }

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
