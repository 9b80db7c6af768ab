internal import Glibc

/// What may end the statements of a connection: a person, and a time within which nothing came of one.
///
/// A view without end, a trigger that calls itself and a computed column of gigabytes stand in the file, where anybody may have
/// written them. SQLite asks here every few thousand steps.
final class Watch {
  var isInterrupted: (@Sendable () -> Bool)?
  /// How long a statement may work between two rows, in nanoseconds; nil for as long as it takes.
  var patience: UInt64?
  /// Asked once when that time is over: whether to end the statement. A large catalog may take its time.
  var isHostile: () -> Bool = { true }
  /// When SQLite first asked since the last row.
  private var began: UInt64?
  /// Whether the last statement was ended because nothing came of it.
  private(set) var isEndless = false

  /// A statement begins, or gave a row.
  @inline(__always)
  func progress() { began = nil }

  /// Whether to end the statement.
  func isOver() -> Bool {
    if isInterrupted?() == true { return true }
    guard let patience else { return false }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    guard let began else {
      began = now
      return false
    }
    guard now &- began > patience else { return false }
    isEndless = isHostile()
    if !isEndless { self.patience = nil }
    return isEndless
  }
}
