/// A note below a table or a picture, with an optional command that shows more.
public struct Footnote: Sendable {
  public var words: Message
  /// A command that shows more; it stays in one piece, to be copied.
  public var command: String?

  public init(_ words: Message, command: String? = nil) { (self.words, self.command) = (words, command) }

  /// The words without the command.
  public var sentence: Message { words.text(in: nil).hasSuffix(".") ? words : words + "." }

  /// The words and the command in one line, for a page.
  public var line: Message { command.map { "\(words): \(code: $0)" } ?? words }

  /// The words as lines of at most this width. The command follows them, or stands below if it does not fit.
  public func lines(on terminal: Terminal, indent: Int = 0) -> [String] {
    let width = max(20, terminal.width - indent)
    let words = words.text(on: terminal)
    guard let command else { return words.wrapped(to: width) }
    let whole = "\(words): \(command)"
    return whole.cellWidth <= width ? [whole] : "\(words):".wrapped(to: width) + ["  \(command)"]
  }
}
