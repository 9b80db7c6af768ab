import Foundation
import Synchronization

@testable import Lookup

/// A clock that advances when a client sleeps.
final class FakeClock: Sendable {
  private let state = Mutex((now: 1_000_000.0, slept: [Double]()))

  var now: Date { Date(timeIntervalSince1970: state.withLock { $0.now }) }
  var slept: [Double] { state.withLock { $0.slept } }

  func sleep(_ seconds: Double) {
    state.withLock { state in
      state.now += seconds
      state.slept.append(seconds)
    }
  }

  /// A pause that uses this clock.
  var pause: Pause { Pause(sleep: { self.sleep($0) }) }

  func advance(_ seconds: Double) { state.withLock { $0.now += seconds } }
}

/// A client with answers of the test, which records the requests.
final class FakeNetwork: Sendable {
  private let sent = Mutex<[[Request]]>([])
  private let answer: @Sendable (Request, _ times: Int) -> Result<Response, HTTPError>

  /// - Parameter answer: called with the request and the number of earlier requests to its address.
  init(_ answer: @escaping @Sendable (Request, _ times: Int) -> Result<Response, HTTPError>) { self.answer = answer }

  /// The addresses, a list for each call.
  var calls: [[String]] { sent.withLock { $0.map { $0.map(\.url) } } }
  var requests: [Request] { sent.withLock { $0.flatMap { $0 } } }

  var client: HTTPClient {
    HTTPClient { requests in
      let before = self.requests.map(\.url)
      self.sent.withLock { $0.append(requests) }
      return requests.map { request in self.answer(request, before.count { $0 == request.url }) }
    }
  }
}

/// A request that accepts any answer, unless its status is a refusal.
func ask(_ url: String, source: String = "test") -> Request {
  var request = Request(source: source, url: url)
  request.reader = { response in
    switch response.status {
    case 429, 503: .network(response.refusal(by: "a", retryAfter: nil))
    case 403 where response.body.isEmpty: .network(.throttled(host: "a", retryAfter: nil))
    case 403, 500...: .refused(status: response.status)
    default: nil
    }
  }
  return request
}

extension Response {
  init(_ status: Int = 200, _ text: String = "", _ headers: [String: String] = [:], origin: Origin = .network) {
    self.init(
      status: status, headers: headers.sorted { $0.key < $1.key }.map { Header($0.key, $0.value) },
      body: Array(text.utf8), origin: origin)
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}
