internal import CommandLineKit
internal import Lookup
internal import Synchronization

/// Warnings of the network layers or of opening a file, from any thread. They are printed at once, or held by a
/// full-screen command that shows them in its own place.
final class DeferredWarnings: Sendable {
  private let held = Mutex<Held?>(nil)
  private let say: @Sendable (Failure) -> Void

  /// - Parameter say: prints a warning at once.
  init(_ say: @escaping @Sendable (Failure) -> Void = { _ in }) { self.say = say }

  func note(_ notice: Failure) {
    let isHeld = held.withLock { held in
      held?.notices.append(notice)
      return held != nil
    }
    if !isHeld { say(notice) }
  }

  /// Stores the rate limit that the network waits for, in ``pause``.
  /// - Returns: false when there is no full-screen command, and the caller must print it at once.
  func hold(_ step: Pause.Step) -> Bool {
    held.withLock { held in
      held?.pause = step == .over ? nil : step
      return held != nil
    }
  }

  /// The rate limit that the network waits for now; nil without a full-screen command.
  var pause: Pause.Step? { held.withLock { $0?.pause } }

  /// Holds all warnings for ``taken()`` while `body` runs.
  func holding<T>(_ body: () throws -> T) rethrows -> T {
    held.withLock { $0 = Held() }
    defer { held.withLock { $0 = nil } }
    return try body()
  }

  /// Returns the held warnings and removes them.
  func taken() -> [Failure] {
    held.withLock { held in
      let taken = held?.notices ?? []
      held?.notices = []
      return taken
    }
  }

  private struct Held {
    var notices: [Failure] = []
    var pause: Pause.Step?
  }
}
