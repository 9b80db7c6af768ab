internal import CommandLineKit

extension Footnote {
  /// - Parameters:
  ///   - query: the query that the command gets as arguments.
  ///   - end: the text after the query.
  init(_ words: Message, command: String, _ query: [String], _ end: String? = nil) {
    self.init(words, command: ([command] + query.map(\.shellWord) + [end].compactMap(\.self)).joined(separator: " "))
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
