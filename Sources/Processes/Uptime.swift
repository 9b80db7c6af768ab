internal import Glibc

/// The monotonic clock for waiting, limits and progress.
public enum Uptime {
  /// The time since the machine started, independent of changes to the date.
  public static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The time until `end` for `poll`, in milliseconds: rounded up, so that it does not wake early, and at most
  /// `longest`.
  package static func milliseconds(until end: Duration?, longest: Int32 = 3_600_000) -> Int32 {
    guard let end else { return longest }
    return Int32(min(max(0, ((end - now()) / .milliseconds(1)).rounded(.up)), Double(longest)))
  }
}
