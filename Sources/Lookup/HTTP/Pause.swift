internal import CatalogModel

/// How the network waits: for its turn at a source, or for the time that a busy source has named.
///
/// It waits in steps of at most a second, so that whoever looks on sees who is waited for and how long yet.
public struct Pause: Sendable {
  /// Who is waited for.
  public enum Step: Sendable, Hashable {
    /// So many seconds are left, rounded up.
    case waiting(source: String, seconds: Int, Reason)
    /// A source that wanted a pause has had it, and is asked once more.
    case askingAgain(source: String)
    case over
  }

  public enum Reason: Sendable, Hashable {
    /// It is not our turn: the source allows so many questions.
    case turn(RateLimit)
    /// The source has asked for a pause.
    case request
  }

  /// Waits so many seconds, or less when somebody asks to stop.
  private var sleep: @Sendable (Double) -> Void
  /// Whether somebody asks to stop.
  let isInterrupted: @Sendable () -> Bool
  private var tell: @Sendable (Step) -> Void

  /// - Parameter tell: hears of each step of a wait that is longer than three seconds, of what is asked again, and that it
  ///   is over; on the thread that waits.
  public init(
    sleep: @escaping @Sendable (Double) -> Void, isInterrupted: @escaping @Sendable () -> Bool = { false },
    tell: @escaping @Sendable (Step) -> Void = { _ in }
  ) {
    (self.sleep, self.isInterrupted, self.tell) = (sleep, isInterrupted, tell)
  }

  /// Nobody is kept from the keyboard by a word about less.
  private static let shortest = 3.0

  /// Waits for a source.
  /// - Returns: false when somebody asked to stop.
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

  /// Runs `body`, which asks a source again.
  func askingAgain<T>(_ source: String, _ body: () -> T) -> T {
    tell(.askingAgain(source: source))
    defer { tell(.over) }
    return body()
  }
}
