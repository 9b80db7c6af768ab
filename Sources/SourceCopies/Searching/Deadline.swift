internal import Processes
internal import Synchronization

/// The moment at which long work should stop, for the thread that does it and the one that watches.
final class Deadline: Sendable {
  private let end = Mutex<Duration?>(nil)

  var isOver: Bool { end.withLock { $0.map { Uptime.now() > $0 } ?? false } }

  /// Calls `body` with a deadline.
  func within<T>(_ time: Duration, _ body: () throws -> T) rethrows -> T {
    end.withLock { $0 = Uptime.now() + time }
    defer { end.withLock { $0 = nil } }
    return try body()
  }
}
