import Lookup
import Synchronization

/// Records the requests to a client.
final class Asked: Sendable {
  private let kept = Mutex<[Request]>([])

  var requests: [Request] { kept.withLock { $0 } }

  func note(_ request: Request) { kept.withLock { $0.append(request) } }
}
