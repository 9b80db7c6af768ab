internal import CommandLineKit

/// A note below a table or a picture, with an optional command that shows more.
struct Footnote {
  var words: Message
  /// A command that shows more; it stays in one piece, to be copied.
  var command: String?

  init(_ words: Message, command: String? = nil) { (self.words, self.command) = (words, command) }

  /// - Parameters:
  ///   - query: the query that the command gets as arguments.
  ///   - end: the text after the query.
  init(_ words: Message, command: String, _ query: [String], _ end: String? = nil) {
    self.init(words, command: ([command] + query.map(\.shellWord) + [end].compactMap(\.self)).joined(separator: " "))
  }

  /// The words without the command.
  var sentence: Message { words.text(in: nil).hasSuffix(".") ? words : words + "." }

  /// The words and the command in one line, for a page.
  var line: Message { command.map { "\(words): \(code: $0)" } ?? words }

  /// The words as lines of at most this width. The command follows them, or stands below if it does not fit.
  func lines(on terminal: Terminal, indent: Int = 0) -> [String] {
    let width = max(20, terminal.width - indent)
    let words = words.text(on: terminal)
    guard let command else { return words.wrapped(to: width) }
    let whole = "\(words): \(command)"
    return whole.cellWidth <= width ? [whole] : "\(words):".wrapped(to: width) + ["  \(command)"]
  }
}

extension Context {
  /// Prints a note for a person.
  func print(_ note: Footnote) throws {
    for line in note.lines(on: terminal) { try print(verbatim: styled(verbatim: safe(line), .dim)) }
  }

  /// Prints a name and the text about it.
  /// - Parameter command: the next command to type.
  func printLine(_ name: Message, _ text: Message, command: String? = nil) throws {
    let start = self.text(name).padded(to: 11)
    for (number, line) in Footnote(text, command: command).lines(on: terminal, indent: start.cellWidth).enumerated() {
      try print(
        verbatim: number == 0
          ? styled(verbatim: start, .dim) + line : String(repeating: " ", count: start.cellWidth) + line)
    }
  }
}
