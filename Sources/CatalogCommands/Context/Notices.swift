internal import Synchronization

/// What is said from below while a command runs, on any thread: by the way to the sources, by a file that is opened. It is
/// said at once, or held by who has the whole screen, to be said where there is room.
final class Notices: Sendable {
  private let held = Mutex<[Failure]?>(nil)
  private let say: @Sendable (Failure) -> Void

  /// - Parameter say: how it is said at once.
  init(_ say: @escaping @Sendable (Failure) -> Void = { _ in }) { self.say = say }

  func note(_ notice: Failure) {
    let isHeld = held.withLock { held in
      held?.append(notice)
      return held != nil
    }
    if !isHeld { say(notice) }
  }

  /// Whether somebody has the whole screen.
  var isHeld: Bool { held.withLock { $0 != nil } }

  /// From now on everything is held for ``taken()``, while `body` runs.
  func holding<T>(_ body: () throws -> T) rethrows -> T {
    held.withLock { $0 = [] }
    defer { held.withLock { $0 = nil } }
    return try body()
  }

  /// What was held and not taken before.
  func taken() -> [Failure] {
    held.withLock { held in
      let taken = held ?? []
      if !taken.isEmpty { held = [] }
      return taken
    }
  }
}
