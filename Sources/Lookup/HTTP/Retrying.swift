internal import CatalogModel
public import FoundationEssentials

extension HTTPClient {
  /// Retries requests to an overloaded source, as often as its policy says, after the time that the source names.
  ///
  /// The last response is returned. If its request has no reader, as for a picture, it becomes
  /// ``HTTPError/throttled(host:retryAfter:)`` or ``HTTPError/busy(host:retryAfter:)``, never an answer.
  ///
  /// - Parameters:
  ///   - policies: by source id; other sources have the default policy.
  ///   - patience: the maximum sum of all waits, in seconds. The sources' limits cover at most a minute.
  ///   - random: from 0 to 1, so that programs refused at the same time do not retry at the same time.
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

  /// Whether the source refuses for now. iTunes does so with a 403 without a body or a time:
  /// <https://github.com/facundoolano/app-store-scraper/issues/194>. An early retry does not help then.
  var isThrottling: Bool { isBusy || status == 403 && body.isEmpty }

  /// The error of a refusal. 503 means that the source is overloaded, not that this program has asked too often.
  func refusal(by host: String, retryAfter seconds: Int?) -> HTTPError {
    status == 503 ? .busy(host: host, retryAfter: seconds) : .throttled(host: host, retryAfter: seconds)
  }

  /// The seconds until a retry, if the source gives them, as a number or a date.
  func retryAfter(_ now: Date) -> Double? {
    guard let text = header("retry-after") else { return nil }
    if let seconds = UInt32(text) { return Double(seconds) }
    return Date(http: text).map { max(0, $0.timeIntervalSince(now)) }
  }
}
