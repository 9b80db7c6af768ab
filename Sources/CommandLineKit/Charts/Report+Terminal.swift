extension Report {
  /// Writes the report for a person at a terminal, without its footer.
  public func write(to output: Output, terminal: Terminal) throws {
    let writer = ReportWriter(output: output, terminal: terminal)
    try writer.writeTitle(title, subtitle)
    if !blocks.isEmpty { try writer.write("") }
    try writer.write(blocks)
  }
}

extension [Report.Block] {
  /// Writes the blocks for a person at a terminal.
  public func write(to output: Output, terminal: Terminal) throws {
    try ReportWriter(output: output, terminal: terminal).write(self)
  }
}

/// The writer of a report in lines.
private struct ReportWriter {
  let output: Output
  let terminal: Terminal

  private var width: Int { max(20, terminal.width) }

  func write(_ blocks: [Report.Block]) throws {
    var last: Report.Block?
    for block in blocks {
      if !block.isJoined(to: last) { try write("") }
      try write(block)
      last = block
    }
  }

  /// Writes the title, with the subtitle beside it if there is room.
  func writeTitle(_ title: Message, _ subtitle: Message?) throws {
    let (title, subtitle) = (text(title), subtitle.map(text) ?? "")
    if title.cellWidth + 2 + subtitle.cellWidth <= width {
      let end = subtitle.isEmpty ? "" : "  " + Style.dim(subtitle, on: terminal)
      return try write(Style.bold(title, on: terminal) + end)
    }
    try write(title.wrapped(to: width), .bold)
    try write(subtitle.wrapped(to: width), .dim)
  }

  private func write(_ block: Report.Block) throws {
    switch block {
    case .heading(let words): try write(text(words).wrapped(to: width), .bold)
    case .paragraph(let words): try write(text(words).wrappedLines(to: width, keeping: "catalog"))
    case .lead(let words): try write(text(words).wrapped(to: min(width, 100)))
    case .note(let note): try write(note)
    case .list(let items): for item in items { try write(item: item) }
    case .facts(let facts): try write(facts, .bold)
    case .entries(let entries): try write(entries, .plain)
    case .figure(let chart, let notes):
      try chart.write(to: output, terminal: terminal)
      for note in notes { try write(note) }
    case .table(let table, _, let notes):
      try table.write(as: .fitted, to: output, terminal: terminal)
      for note in notes { try write(note) }
    }
  }

  private func write(_ note: Footnote) throws {
    try write(note.lines(on: terminal).map(terminal.sanitizing.line), .dim)
  }

  /// Writes the words behind a bullet, and the command below them.
  private func write(item: Footnote) throws {
    for (number, line) in text(item.words).wrapped(to: width - 2).enumerated() {
      try write((number > 0 ? "  " : terminal.usesUnicode ? "• " : "* ") + line)
    }
    if let command = item.command { try write("  " + Style.dim(terminal.sanitizing.line(command), on: terminal)) }
  }

  /// Writes the facts, one below the other, with their texts in one column.
  private func write(_ facts: [Report.Fact], _ style: Style) throws {
    let names = facts.map { text($0.name) }
    let indent = max(11, 2 + (names.map(\.cellWidth).max() ?? 0))
    for (name, fact) in zip(names, facts) {
      let words = fact.note.map { [fact.text, $0].joined(separator: " ") } ?? fact.text
      let lines = Footnote(words, command: fact.command).lines(on: terminal, indent: indent)
        .map(terminal.sanitizing.line)
      let start = text(fact.text)
      for (number, line) in lines.enumerated() {
        let isWhole = number == 0 && line.hasPrefix(start)
        let line = isWhole ? style(start, on: terminal) + line.dropFirst(start.count) : line
        try write(Style.dim(number == 0 ? name.padded(to: indent) : "".padded(to: indent), on: terminal) + line)
      }
    }
  }

  private func text(_ message: Message) -> String { terminal.sanitizing.line(message.text(on: terminal)) }

  private func write(_ lines: [String], _ style: Style = .plain) throws {
    for line in lines { try write(style(line, on: terminal)) }
  }

  func write(_ line: String) throws { try output.append(line + "\n") }
}

extension Report.Block {
  /// Whether no blank line parts the block from the one above it.
  fileprivate func isJoined(to last: Report.Block?) -> Bool {
    switch (last, self) {
    case (nil, _), (.heading, _), (.paragraph, .paragraph), (.lead, .lead), (.note, .note), (.list, .list): true
    default: false
    }
  }
}
