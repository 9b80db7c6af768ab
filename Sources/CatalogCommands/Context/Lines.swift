internal import CommandLineKit

/// Lines for a terminal or a pipe, in the styles that it shows: a page, or a part of one. The context prints them; who has
/// the whole screen draws them.
struct Lines {
  /// Whose width, colours and letters they are made for.
  let terminal: Terminal
  private(set) var all: [String] = []

  init(on terminal: Terminal) { self.terminal = terminal }

  /// How wide running text is at most, in cells.
  var width: Int { min(terminal.width, 100) }

  /// Adds a line, which is fit for the terminal already.
  mutating func add(verbatim line: String = "") { all.append(line) }

  /// Adds a line of our words.
  mutating func add(_ message: Message) { all.append(text(message)) }

  /// The words in the language of the person.
  func text(_ message: Message) -> String { message.text(on: terminal) }

  /// Adds running text from elsewhere, so many cells from the left.
  mutating func add(text: String, indent: Int = 0) {
    let margin = String(repeating: " ", count: indent)
    all += text.paragraphs(wrappedTo: width - indent, safe).map { $0.isEmpty ? $0 : margin + $0 }
  }

  /// Text from elsewhere, fit for the terminal.
  func safe(_ text: String) -> String { terminal.sanitizing.line(text) }

  func styled(_ message: Message, _ style: Style) -> String { style(text(message), on: terminal) }

  func styled(verbatim text: String, _ style: Style) -> String { style(text, on: terminal) }
}

extension Context {
  /// Prints lines; through the pager when there are more than a terminal is high.
  func print(_ lines: Lines) throws {
    let text = lines.all.map { $0 + "\n" }.joined()
    try Pager.write(Array(text.utf8), to: output, terminal: terminal, pager: try pager())
  }
}

extension String {
  /// The lines of the text, each broken to at most `width` cells. What is empty between paragraphs stays.
  /// - Parameter safe: makes a line fit for where it is shown.
  func paragraphs(wrappedTo width: Int, _ safe: (String) -> String) -> [String] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { paragraph in
      let lines = safe(String(paragraph)).wrapped(to: width)
      return lines.isEmpty ? [""] : lines
    }
  }
}

extension String {
  /// The text, which may have styles in it, cut to so many cells, and how many it has then.
  func fitted(to width: Int) -> (text: String, width: Int) {
    var kept = ""
    var used = 0
    var isFull = false
    var isSequence = false
    for character in self {
      if character == "\u{1B}" {
        isSequence = true
      } else if isSequence {
        isSequence = character != "m"
      } else {
        let cells = String(character).cellWidth
        // Sequences behind the edge still switch styles off.
        isFull = isFull || used + cells > width
        if isFull { continue }
        used += cells
      }
      kept.append(character)
    }
    return (kept, used)
  }
}
