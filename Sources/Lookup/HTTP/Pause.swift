internal import CatalogModel

/// A wait of the network: for a rate limit, or for the time that a busy source asked for.
///
/// It waits in steps of at most one second, so that the program can show the source and the time left.
public struct Pause: Sendable {
  /// A step of a pause, for display.
  public enum Step: Sendable, Hashable {
    /// `seconds` seconds are left, rounded up.
    case waiting(source: String, seconds: Int, Reason)
    /// The pause that a source wanted is over, and the request is being retried.
    case askingAgain(source: String)
    case over
  }

  public enum Reason: Sendable, Hashable {
    /// The rate limit is used up.
    case rateLimit(RateLimit)
    /// The source has asked for a pause.
    case request
  }

  /// Sleeps for a number of seconds, or less when the user interrupts.
  private var sleep: @Sendable (Double) -> Void
  let isInterrupted: @Sendable () -> Bool
  private var tell: @Sendable (Step) -> Void

  /// - Parameter tell: called on the waiting thread with each step of a pause longer than three seconds, with each
  ///   retry, and at the end.
  public init(
    sleep: @escaping @Sendable (Double) -> Void, isInterrupted: @escaping @Sendable () -> Bool = { false },
    tell: @escaping @Sendable (Step) -> Void = { _ in }
  ) {
    (self.sleep, self.isInterrupted, self.tell) = (sleep, isInterrupted, tell)
  }

  /// The longest pause that is not displayed, in seconds.
  private static let shortest = 3.0

  /// Waits for a source.
  /// - Returns: false when the user interrupted.
  func wait(_ seconds: Double, for source: String, _ reason: Reason) -> Bool {
    let isLong = seconds > Self.shortest
    defer { if isLong { tell(.over) } }
    var left = seconds
    while left > 0, !isInterrupted() {
      if isLong { tell(.waiting(source: source, seconds: Int(clamping: left.rounded(.up)), reason)) }
      let step = min(left, 1)
      sleep(step)
      left -= step
    }
    return !isInterrupted()
  }

  /// Runs `body`, which retries a request to a source.
  func askingAgain<T>(_ source: String, _ body: () -> T) -> T {
    tell(.askingAgain(source: source))
    defer { tell(.over) }
    return body()
  }
}
