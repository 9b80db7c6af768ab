internal import CatalogModel
public import FoundationEssentials

extension HTTPClient {
  /// Retries requests to an overloaded source, as often as its policy says. The time that the source names replaces
  /// that of the policy; if it is longer than ``RetryPolicy/longestWait``, there is no retry. Of several requests to
  /// one source, one is sent again first, and the others only if it is answered.
  ///
  /// The last response is returned. If its request has no reader, as for a picture, it becomes
  /// ``HTTPError/throttled(host:retryAfter:)`` or ``HTTPError/busy(host:retryAfter:)``, never an answer.
  ///
  /// - Parameters:
  ///   - policies: by source id; other sources have the default policy.
  ///   - random: from 0 to 1, so that programs refused at the same time do not retry at the same time.
  public func retrying(
    by policies: @autoclosure @escaping @Sendable () -> [String: RetryPolicy] = [:],
    now: @escaping @Sendable () -> Date, pause: Pause, random: @escaping @Sendable () -> Double
  ) -> HTTPClient {
    HTTPClient { requests in
      var results = send(requests)
      var tries: [String: Int] = [:]
      let policies = policies()
      func pauses(_ index: Int) -> [Double]? {
        guard case .success(let response) = results[index] else { return nil }
        return (policies[requests[index].source] ?? RetryPolicy()).pauses(after: response, to: requests[index])
      }
      while true {
        let moment = now()
        var due: [Int] = []
        var wait = 0.0
        for (index, result) in results.enumerated() {
          let request = requests[index]
          guard case .success(let response) = result,
            let planned = pauses(index)?.dropFirst(tries[request.source] ?? 0).first
          else { continue }
          let named = request.retryAfter(response, now: moment)
          if let named, named > RetryPolicy.longestWait { continue }
          let asked = (named ?? planned) + random() / 2
          let left = request.latest.map { $0.timeIntervalSince(moment) } ?? .infinity
          guard asked <= left else { continue }
          due.append(index)
          wait = max(wait, asked)
        }
        guard let first = due.first, case let source = requests[first].source, pause.wait(wait, for: source, .request)
        else { break }
        let scouts = due.withoutRepeats { requests[$0].source }
        for index in scouts { tries[requests[index].source, default: 0] += 1 }
        func sendAgain(_ again: [Int]) {
          guard !again.isEmpty else { return }
          let answers = pause.askingAgain(source) { send(again.map { requests[$0] }) }
          for (index, result) in zip(again, answers) { results[index] = result }
        }
        sendAgain(scouts)
        let answering = Set(
          scouts.filter { pauses($0) == nil && (try? results[$0].get()) != nil }.map { requests[$0].source })
        sendAgain(due.filter { !scouts.contains($0) && answering.contains(requests[$0].source) })
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
