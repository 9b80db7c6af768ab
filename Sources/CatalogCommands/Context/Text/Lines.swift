internal import CommandLineKit

/// The styled lines of a page, or a part of one, for a terminal or a pipe. The context prints them; a full-screen
/// command draws them.
struct Lines {
  /// The terminal whose width, colours and characters the lines use.
  let terminal: Terminal
  private(set) var all: [String] = []

  init(on terminal: Terminal) { self.terminal = terminal }

  /// The greatest width of running text, in cells.
  var width: Int { min(terminal.width, 100) }

  /// Adds a line that is safe for the terminal already.
  mutating func add(verbatim line: String = "") { all.append(line) }

  /// Adds a message of the program.
  mutating func add(_ message: Message) { all.append(text(message)) }

  /// The message in the language of the person.
  func text(_ message: Message) -> String { message.text(on: terminal) }

  /// Adds foreign text, wrapped and indented by this number of cells.
  mutating func add(text: String, indent: Int = 0) {
    let margin = String(repeating: " ", count: indent)
    all += text.paragraphs(wrappedTo: width - indent, safe).map { $0.isEmpty ? $0 : margin + $0 }
  }

  /// Foreign text, made safe for the terminal.
  func safe(_ text: String) -> String { terminal.sanitizing.line(text) }

  func styled(_ message: Message, _ style: Style) -> String { style(text(message), on: terminal) }

  func styled(verbatim text: String, _ style: Style) -> String { style(text, on: terminal) }
}

extension Context {
  /// Prints lines, through the pager when they do not fit the screen.
  func print(_ lines: Lines) throws {
    let text = lines.all.map { $0 + "\n" }.joined()
    try Pager.write(Array(text.utf8), to: output, terminal: terminal, pager: try pager())
  }
}

extension String {
  /// The lines of the text, each wrapped to at most `width` cells. Blank lines between paragraphs stay.
  /// - Parameter safe: makes a line safe for its output.
  func paragraphs(wrappedTo width: Int, _ safe: (String) -> String) -> [String] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { paragraph in
      // Direction marks without an end must not reach the next line.
      let lines = safe(String(paragraph)).wrapped(to: width).map(safe)
      return lines.isEmpty ? [""] : lines
    }
  }
}

extension String {
  /// The text, which may contain styles, cut to this width in cells; and its width then.
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
        // Sequences beyond the cut still switch styles off.
        isFull = isFull || used + cells > width
        if isFull { continue }
        used += cells
      }
      kept.append(character)
    }
    return (kept, used)
  }
}
