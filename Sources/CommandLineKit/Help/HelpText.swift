/// A page of help being laid out: paragraphs, headings and two-column lists in the width of the terminal.
struct HelpText {
  private(set) var text = ""
  private let width: Int
  private let translation: Translation?

  /// A page for a terminal, with lines of 60 to 100 cells.
  init(on terminal: Terminal) {
    width = min(max(terminal.width, 60), 100)
    translation = terminal.translation
  }

  /// The translation of an English text of the program.
  func said(_ words: String) -> String { Message.text(of: words, in: translation) }

  /// Adds paragraphs separated by empty lines, which have one translation together. A line that begins with a space is
  /// not wrapped.
  mutating func paragraphs(_ body: String) { add(said(body)) }

  /// Adds the paragraphs of a message with interpolated values.
  mutating func paragraph(_ message: Message) { add(message.text(in: translation)) }

  private mutating func add(_ body: String) {
    for paragraph in Paragraph.all(of: body) {
      separate()
      switch paragraph {
      case .flowing(let words): lines(words.wrapped(to: width))
      case .literal(let lines): self.lines(fitted(lines))
      }
    }
  }

  /// Wraps the second column of lines that are too wide; other lines stay unchanged. Lines below the second column
  /// continue it.
  private func fitted(_ lines: [String]) -> [String] {
    var rows: [(words: [Substring], start: String?, lines: [String])] = []
    for line in lines {
      let indent = line.prefix { $0 == " " }
      if let column = rows.last?.start?.cellWidth, column == indent.count {
        rows[rows.count - 1].words.append(line.dropFirst(column))
        rows[rows.count - 1].lines.append(line)
      } else {
        // A line with a deep indentation is part of a second column, too.
        let start = Self.firstColumn(of: line) ?? (indent.count >= 12 ? indent : nil)
        rows.append(([line.dropFirst(start?.count ?? 0)], start.map { String($0) }, [line]))
      }
    }
    return rows.flatMap { words, start, lines in
      guard let start, case let column = start.cellWidth, column <= width * 2 / 3,
        lines.contains(where: { $0.cellWidth > width })
      else { return lines }
      let margin = String(repeating: " ", count: column)
      return words.joined(separator: " ").wrapped(to: width - column).enumerated().map { place, part in
        (place == 0 ? start : margin) + part
      }
    }
  }

  /// A line up to its second column, which follows two or more spaces.
  private static func firstColumn(of line: String) -> Substring? {
    guard let gap = line.drop(while: { $0 == " " }).ranges(of: "  ").first else { return nil }
    return line.prefix(upTo: line[gap.upperBound...].firstIndex { $0 != " " } ?? line.endIndex)
  }

  /// `Usage: catalog add [OPTION…] KIND TITLE`, with later lines indented to the first word.
  mutating func usage(_ command: String, _ parts: [String]) {
    separate()
    let start = ("Usage: \(command)" as Message).text(in: translation)
    let indent = min(start.cellWidth + 1, width / 2)
    var line = start
    for part in parts {
      if line.cellWidth + 1 + part.cellWidth > width {
        lines([line])
        line = String(repeating: " ", count: indent - 1)
      }
      line += " " + part
    }
    lines([line])
  }

  /// A heading and the lines under it: names on the left, explanations on the right.
  mutating func list(_ heading: String, _ entries: [(name: String, text: String)], column: Int? = nil) {
    if entries.isEmpty { return }
    separate()
    lines(["\(said(heading)):"])
    let column = column ?? HelpText.column(for: entries.map(\.name))
    for (name, text) in entries {
      let explanation = text.wrapped(to: width - column)
      let indent = String(repeating: " ", count: column)
      if name.cellWidth + 4 <= column, let first = explanation.first {
        lines([("  " + name).padded(to: column) + first])
        lines(explanation.dropFirst().map { indent + $0 })
      } else {
        lines(["  " + name] + explanation.map { indent + $0 })
      }
    }
  }

  /// A heading, and a row of cells for each entry. The last cells are left out where the rows are too wide.
  mutating func rows(_ heading: String, _ rows: [[String]], _ columns: [Int]) {
    lines([said(heading)])
    for row in rows {
      let padded = zip(row, columns).map { "  " + $0.padded(to: $1) }.joined()
      let line = padded + row.dropFirst(columns.count).map { "  " + $0 }.joined()
      lines([line.cellWidth <= width ? line : String(padded.reversed().drop { $0 == " " }.reversed())])
    }
  }

  /// The widths of the columns of some rows.
  static func columns(of rows: [[String]]) -> [Int] {
    (0..<(rows.first?.count ?? 0)).map { place in rows.map { $0[place].cellWidth }.max() ?? 0 }
  }

  /// An argument and its explanation, for ``list(_:_:column:)``.
  func entry(_ argument: ArgumentInfo) -> (name: String, text: String) {
    (argument.helpName, argument.helpWithChoices(in: translation))
  }

  /// The column of the explanations, which leaves room for all but very long names.
  static func column(for names: [String]) -> Int {
    (names.map(\.cellWidth).filter { $0 <= 26 }.max() ?? 10) + 4
  }

  /// Worked examples.
  mutating func examples(_ examples: [Example]) {
    if examples.isEmpty { return }
    separate()
    lines([said(examples.count == 1 ? "Example:" : "Examples:")])
    for example in examples {
      lines(["  " + example.line] + said(example.explanation).wrapped(to: width - 6).map { "      " + $0 })
    }
  }

  /// Adds a line with related commands.
  mutating func seeAlso(_ commands: [String]) {
    if !commands.isEmpty { paragraph("See also: \(commands.map(\.quoted).joined(separator: ", ")).") }
  }

  /// An empty line between what is there and what follows.
  mutating func separate() {
    if !text.isEmpty { text += "\n" }
  }

  private mutating func lines(_ lines: some Sequence<String>) {
    for line in lines { text += line + "\n" }
  }
}

/// A part of a longer text.
enum Paragraph: Equatable {
  /// Words that fill lines.
  case flowing(String)
  /// Lines to be kept unchanged, each beginning with a space.
  case literal([String])

  static func all(of text: String) -> [Paragraph] {
    var paragraphs: [Paragraph] = []
    var endsHere = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let isLiteral = line.first == " "
      if line.allSatisfy({ $0 == " " }) {
        endsHere = true
        continue
      }
      switch (paragraphs.last, isLiteral, endsHere) {
      case (.literal(let lines), true, false): paragraphs[paragraphs.count - 1] = .literal(lines + [line])
      case (.flowing(let words), false, false): paragraphs[paragraphs.count - 1] = .flowing(words + " " + line)
      default: paragraphs.append(isLiteral ? .literal([line]) : .flowing(line))
      }
      endsHere = false
    }
    return paragraphs
  }
}
