import Lookup
import Synchronization

/// What a client was asked.
final class Asked: Sendable {
  private let kept = Mutex<[Request]>([])

  var requests: [Request] { kept.withLock { $0 } }

  func note(_ request: Request) { kept.withLock { $0.append(request) } }
}
