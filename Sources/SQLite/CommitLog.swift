/// The state of the changes that a program has made through its connections. The connections update it, and error
/// messages read it.
public final class CommitLog {
  public enum State: Sendable, Hashable {
    /// Nothing was changed.
    case nothing
    /// Changes were committed.
    case something
    /// A commit failed, and may or may not have taken effect.
    case unknown
  }

  public private(set) var state = State.nothing

  public init() {}

  /// - Parameter changes: the number of rows that the transaction has changed.
  func noteCommit(changes: Int64) {
    if changes > 0, state == .nothing { state = .something }
  }

  func noteFailedCommit(_ error: SQLiteError) {
    // Without space SQLite writes nothing at all; after other I/O errors, an unfinished commit may or may not be
    // visible.
    if error.isIO, !error.findsNoRoom { state = .unknown }
  }
}

@available(*, unavailable) extension CommitLog: Sendable {}
