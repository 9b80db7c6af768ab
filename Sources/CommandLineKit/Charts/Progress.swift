public import Processes

/// The progress of long work on one line of standard error: name, bar, count, remaining time.
///
///     var progress = Progress("Importing", total: rows.count, on: context.error, terminal: terminal)
///     for row in rows { …; try progress.advance() }
///     try progress.finish()
///
/// It is drawn only when standard error is a terminal, and at most ten times a second.
public struct Progress {
  /// The name of the work.
  public var title: Message
  /// The total amount of work; nil when unknown.
  public var total: Int?
  /// The completed amount of work.
  public private(set) var done = 0

  private let output: Output
  private let terminal: Terminal
  private let now: () -> Duration
  private let start: Duration
  private var lastDrawn: Duration
  private var isVisible = false

  /// Progress that begins now. The clock counts from any moment in the past.
  public init(
    _ title: Message, total: Int?, on error: Output, terminal: Terminal, now: @escaping () -> Duration = Uptime.now
  ) {
    self.title = title
    self.total = total
    output = error
    self.terminal = terminal
    self.now = now
    start = now()
    lastDrawn = start
  }

  /// Some more is done.
  public mutating func advance(by count: Int = 1) throws {
    try update(done: done + count)
  }

  /// Sets the completed amount of work.
  public mutating func update(done: Int) throws {
    self.done = done
    guard terminal.isErrorTerminal else { return }
    let time = now()
    // Short work needs no line.
    guard time - lastDrawn >= .milliseconds(100) else { return }
    lastDrawn = time
    isVisible = true
    try output.append("\r" + line(after: time - start) + "\u{1B}[K")
  }

  /// Removes the line, for the end and before something else is written there.
  public mutating func finish() throws {
    guard isVisible else { return }
    isVisible = false
    try output.append("\r\u{1B}[K")
  }

  /// `Importing  ████▌     450/1000  about 12 s left`
  func line(after elapsed: Duration) -> String {
    let name = title.text(on: terminal)
    guard let total, total > 0 else { return "\(name)  \(done)".truncated(to: terminal.width - 1) }
    let share = min(1, Double(done) / Double(total))
    let bar = terminal.bar(share, width: 20).padded(to: 20)
    var line = "\(name)  \(bar)  \(done)/\(total)"
    if let left = timeLeft(share, elapsed) { line += "  " + left.text(on: terminal) }
    return line.truncated(to: terminal.width - 1)
  }

  private func timeLeft(_ share: Double, _ elapsed: Duration) -> Message? {
    guard share > 0, share < 1, elapsed >= .seconds(1) else { return nil }
    let seconds = Int((elapsed / .seconds(1)) * (1 - share) / share) + 1
    return switch seconds {
    case ..<90: "about \(seconds) s left"
    case ..<5400: "about \((seconds + 30) / 60) min left"
    default: "about \((seconds + 1800) / 3600) h left"
    }
  }
}
