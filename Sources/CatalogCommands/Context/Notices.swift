internal import CommandLineKit
internal import Lookup
internal import Synchronization

/// What is said from below while a command runs, on any thread: by the way to the sources, by a file that is opened. It is
/// said at once, or held by who has the whole screen, to be said where there is room.
final class Notices: Sendable {
  private let held = Mutex<Held?>(nil)
  private let say: @Sendable (Failure) -> Void

  /// - Parameter say: how it is said at once.
  init(_ say: @escaping @Sendable (Failure) -> Void = { _ in }) { self.say = say }

  func note(_ notice: Failure) {
    let isHeld = held.withLock { held in
      held?.notices.append(notice)
      return held != nil
    }
    if !isHeld { say(notice) }
  }

  /// Keeps whom the network waits for, for ``pause``.
  /// - Returns: false when nobody has the whole screen, and who says it must do so at once.
  func hold(_ step: Pause.Step) -> Bool {
    held.withLock { held in
      held?.pause = step == .over ? nil : step
      return held != nil
    }
  }

  /// Whom the network waits for just now, while somebody has the whole screen.
  var pause: Pause.Step? { held.withLock { $0?.pause } }

  /// From now on everything is held for ``taken()``, while `body` runs.
  func holding<T>(_ body: () throws -> T) rethrows -> T {
    held.withLock { $0 = Held() }
    defer { held.withLock { $0 = nil } }
    return try body()
  }

  /// What was held and not taken before.
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
