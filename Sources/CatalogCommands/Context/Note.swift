internal import CommandLineKit

/// What a table or a picture does not say by itself, and perhaps what to type to see more.
struct Note: ExpressibleByStringInterpolation {
  var words: String
  /// A command that shows more; it is kept in one piece, to be copied.
  var command: String?

  init(_ words: String, command: String? = nil) { (self.words, self.command) = (words, command) }

  init(stringLiteral words: String) { self.init(words) }

  /// - Parameters:
  ///   - query: what the command shall be about, too.
  ///   - end: what stands behind the query.
  init(_ words: String, command: String, _ query: [String], _ end: String? = nil) {
    self.init(words, command: ([command] + query.map(\.shellWord) + [end].compactMap(\.self)).joined(separator: " "))
  }

  /// Without the command.
  var sentence: String { words.hasSuffix(".") ? words : words + "." }

  var html: HTMLText { command.map { "\(HTMLText(words)): \(code: $0)" } ?? HTMLText(words) }

  /// The words in lines of so many cells; the command stands behind them, or below where it does not fit.
  func lines(width: Int) -> [String] {
    let width = max(20, width)
    guard let command else { return words.wrapped(to: width) }
    let whole = "\(words): \(command)"
    return whole.cellWidth <= width ? [whole] : "\(words):".wrapped(to: width) + ["  \(command)"]
  }
}

extension Context {
  /// Shows a note to a person, under what it is about.
  func print(_ note: Note) throws {
    for line in note.lines(width: terminal.width) { try print(styled(safe(line), .dim)) }
  }
}
