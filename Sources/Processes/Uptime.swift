internal import Glibc

/// The one clock for waiting, limits and progress: nobody sets it.
public enum Uptime {
  /// The time since the machine started, unmoved by changes of its date.
  public static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The time until `end` for `poll`, in milliseconds: rounded up, so that it does not wake before, and `longest` at most.
  package static func milliseconds(until end: Duration?, longest: Int32 = 3_600_000) -> Int32 {
    guard let end else { return longest }
    return Int32(min(max(0, ((end - now()) / .milliseconds(1)).rounded(.up)), Double(longest)))
  }
}
