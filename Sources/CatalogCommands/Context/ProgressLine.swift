internal import CatalogModel
internal import CommandLineKit

/// One line at a terminal that says what is being done of many things, how many are done, and how long it takes yet.
/// Nobody sees it where standard error is no terminal, or there is one thing alone.
struct ProgressLine {
  /// Nil where nobody knows before the end.
  private let count: Int?
  private let context: Context
  private let start: Duration

  init(of count: Int?, in context: Context) {
    (self.count, self.context, start) = (count, context, context.uptime())
  }

  private var isSeen: Bool { count != 1 && count != 0 && context.terminal.isErrorTerminal && context.listener == nil }

  /// Says that this many are done, and which is next.
  func show(_ done: Int, _ name: String) {
    guard isSeen else { return }
    context.output.passOn()
    let line = context.text(words(done, context.safe(name)))
    try? context.errors.append("\r" + line.truncated(to: context.terminal.width - 1) + "\u{1B}[K")
    context.errors.passOn()
  }

  /// Takes the line away, for whatever is to be said.
  func clear() {
    guard isSeen else { return }
    try? context.errors.append("\r\u{1B}[K")
    context.errors.passOn()
  }

  /// What one thing took is what the others will take.
  private func words(_ done: Int, _ name: String) -> Message {
    guard let count else { return "\(done + 1): \(name)" }
    guard done > 0 else { return "\(done + 1) of \(count): \(name)" }
    let left = Int(
      clamping: ((context.uptime() - start) / .seconds(1) / Double(done) * Double(count - done)).rounded(.up))
    return left < 60
      ? "\(done + 1) of \(count), \(left) s yet: \(name)"
      : "\(done + 1) of \(count), \(((left + 59) / 60).duration) yet: \(name)"
  }
}
