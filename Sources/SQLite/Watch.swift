internal import Glibc

/// A watch that ends statements: when the user interrupts, or when a statement gives no row for too long.
///
/// The file may come from anyone and contain an endless view, a trigger that calls itself or a computed column of
/// gigabytes. SQLite calls the watch every few thousand steps.
final class Watch {
  var isInterrupted: (@Sendable () -> Bool)?
  /// The longest time that a statement may work between two rows, in nanoseconds; nil for no limit.
  var patience: UInt64?
  /// Asked once when ``patience`` is over: whether to end the statement. A large catalog may need more time.
  var isHostile: () -> Bool = { true }
  /// The time of SQLite's first call since the last row, in nanoseconds.
  private var began: UInt64?
  /// Whether the last statement was ended because it gave no row in time.
  private(set) var isEndless = false

  /// Notes that a statement begins or has given a row.
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
