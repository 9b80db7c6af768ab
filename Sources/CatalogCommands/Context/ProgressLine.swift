internal import CatalogModel
internal import CommandLineKit

/// A line on a terminal with the current item, the number done, and the time left. It is hidden when standard error is
/// no terminal, and for a single item.
struct ProgressLine {
  /// The number of items; nil when it is not known before the end.
  private let count: Int?
  private let context: Context
  private let start: Duration

  init(of count: Int?, in context: Context) {
    (self.count, self.context, start) = (count, context, context.uptime())
  }

  private var isSeen: Bool { count != 1 && count != 0 && context.progressTerminal.isErrorTerminal }

  /// Shows the number done and the name of the next item.
  func show(_ done: Int, _ name: String) {
    guard isSeen else { return }
    context.output.flushIgnoringErrors()
    let line = context.text(words(done, context.safe(name)))
    try? context.errors.append("\r" + line.truncated(to: context.terminal.width - 1) + "\u{1B}[K")
    context.errors.flushIgnoringErrors()
  }

  /// Removes the line, before other output.
  func clear() {
    guard isSeen else { return }
    try? context.errors.append("\r\u{1B}[K")
    context.errors.flushIgnoringErrors()
  }

  /// Estimates the time left from the average so far.
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
