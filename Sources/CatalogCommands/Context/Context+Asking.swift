internal import CommandLineKit

extension Context {
  /// Shows what is about to happen and asks whether it shall. `--yes` answers; without a terminal it fails and names
  /// that option.
  /// - Throws: ``SilentFailure`` when the answer is no, which is said.
  func ask(_ question: String, about lines: [String]) throws {
    if !globals.saysYes && terminal.isInputTerminal {
      for line in Self.shortened(lines) { note(line) }
    }
    guard try confirm(question) else {
      warn("nothing was changed")
      throw SilentFailure(status: .failed)
    }
  }

  /// The first lines of many, and how many more there are.
  static func shortened(_ lines: [String], to count: Int = 40) -> [String] {
    lines.count <= count ? lines : lines.prefix(count - 1) + ["… and \(lines.count - count + 1) more lines"]
  }
}
