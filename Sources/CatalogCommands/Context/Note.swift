internal import CommandLineKit

/// What a table or a picture does not say by itself, and perhaps what to type to see more.
struct Note {
  var words: Message
  /// A command that shows more; it is kept in one piece, to be copied.
  var command: String?

  init(_ words: Message, command: String? = nil) { (self.words, self.command) = (words, command) }

  /// - Parameters:
  ///   - query: what the command shall be about, too.
  ///   - end: what stands behind the query.
  init(_ words: Message, command: String, _ query: [String], _ end: String? = nil) {
    self.init(words, command: ([command] + query.map(\.shellWord) + [end].compactMap(\.self)).joined(separator: " "))
  }

  /// Without the command.
  var sentence: Message { words.text(in: nil).hasSuffix(".") ? words : words + "." }

  /// The words and the command in one line, for a page.
  var line: Message { command.map { "\(words): \(code: $0)" } ?? words }

  /// The words in lines of so many cells; the command stands behind them, or below where it does not fit.
  func lines(on terminal: Terminal, indent: Int = 0) -> [String] {
    let width = max(20, terminal.width - indent)
    let words = words.text(on: terminal)
    guard let command else { return words.wrapped(to: width) }
    let whole = "\(words): \(command)"
    return whole.cellWidth <= width ? [whole] : "\(words):".wrapped(to: width) + ["  \(command)"]
  }
}

extension Context {
  /// Shows a note to a person, under what it is about.
  func print(_ note: Note) throws {
    for line in note.lines(on: terminal) { try print(verbatim: styled(verbatim: safe(line), .dim)) }
  }

  /// A name, and what there is to say about it.
  /// - Parameter command: what to type next.
  func printLine(_ name: Message, _ text: Message, command: String? = nil) throws {
    let start = self.text(name).padded(to: 11)
    for (number, line) in Note(text, command: command).lines(on: terminal, indent: start.cellWidth).enumerated() {
      try print(
        verbatim: number == 0
          ? styled(verbatim: start, .dim) + line : String(repeating: " ", count: start.cellWidth) + line)
    }
  }
}
