/// What became of the changes that one run of a program made through its connections. Each of them tells it, and whoever
/// explains a failure asks: nobody else knows.
public final class CommitLog {
  public enum State: Sendable, Hashable {
    /// Nothing was changed.
    case nothing
    /// What was committed stays.
    case something
    /// A commit failed in a way that leaves open whether it was one.
    case unknown
  }

  public private(set) var state = State.nothing

  public init() {}

  /// - Parameter changes: how many rows the transaction has changed.
  func noteCommit(changes: Int64) {
    if changes > 0, state == .nothing { state = .something }
  }

  func noteFailedCommit(_ error: SQLiteError) {
    // Of what finds no room SQLite writes nothing at all; others may or may not see what could not be finished.
    if error.isIO, !error.findsNoRoom { state = .unknown }
  }
}

@available(*, unavailable) extension CommitLog: Sendable {}
