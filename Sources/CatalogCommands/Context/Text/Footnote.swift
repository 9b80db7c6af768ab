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

  /// Prints a report for a person.
  func print(_ report: Report) throws {
    if let onReport { onReport(report) } else { try report.write(to: output, terminal: terminal) }
  }

  /// Prints parts of a report for a person.
  func print(_ blocks: [Report.Block]) throws {
    guard let onReport else { return try blocks.write(to: output, terminal: terminal) }
    var report = Report("")
    for block in blocks { report.add(block) }
    onReport(report)
  }
}
