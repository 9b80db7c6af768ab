internal import CommandLineKit

extension Context {
  /// Shows what is about to happen and asks whether it shall. `--yes` answers; without a terminal it fails and names
  /// that option.
  /// - Throws: ``SilentFailure`` when the answer is no, which is said.
  func ask(_ question: Message, about lines: [String]) throws {
    if !globals.saysYes && terminal.isInputTerminal {
      for line in shortened(lines) { note(verbatim: line) }
    }
    guard try confirm(question) else {
      warn("nothing was changed")
      throw SilentFailure(status: .failed)
    }
  }

  /// The first lines of many, and how many more there are.
  func shortened(_ lines: [String], to count: Int = 40) -> [String] {
    guard lines.count > count else { return lines }
    return lines.prefix(count - 1) + [text("… and \(lines.count - count + 1) more lines")]
  }
}
