internal import CatalogModel
internal import CommandLineKit

/// What a ``Browser`` looks like: lines for a terminal, none wider than it.
struct BrowserView {
  let browser: Browser
  let terminal: Terminal
  /// What the person has of a thing.
  let marks: (Browser.Row) -> String?

  private var width: Int { browser.size.columns }
  private var height: Int { browser.size.lines }

  /// The screen, from its top.
  var lines: [String] {
    if browser.showsHelp { return screen(help) }
    if let sheet = browser.sheet { return screen(page(of: sheet)) }
    var lines = [tabs, field.text]
    if browser.listTop > lines.count { lines.append("") }
    return screen(lines + list)
  }

  /// Where typing goes; nil where keys are commands.
  var cursor: Screen.Place? {
    guard browser.focus == .field, browser.sheet == nil, !browser.showsHelp else { return nil }
    return Screen.Place(column: min(field.cursor, width - 1), line: 1)
  }

  /// The lines above, and what was said and the keys below.
  private func screen(_ lines: [String]) -> [String] {
    let below = browser.messageLines.map { styled($0, .bold) } + [styled(keys.truncated(to: width), .dim)]
    let room = max(0, height - below.count)
    let above = lines.prefix(room) + Array(repeating: "", count: max(0, room - lines.count))
    return (above + below).suffix(height).map { $0.cut(to: width) }
  }

  private func styled(_ text: String, _ style: Style) -> String { style(text, on: terminal) }

  // MARK: Above the list

  /// The kinds, the chosen one in brackets. On a narrow terminal those around it.
  private var tabs: String {
    let names = browser.tabs.map { " \($0.plural.capitalizedFirst) " }
    guard let chosen = browser.tabs.firstIndex(of: browser.kind) else { return "" }
    var shown = chosen..<chosen + 1
    var used = names[chosen].cellWidth
    // To the right first, then to the left, as far as there is room.
    while shown.upperBound < names.count, used + names[shown.upperBound].cellWidth <= width {
      used += names[shown.upperBound].cellWidth
      shown = shown.lowerBound..<shown.upperBound + 1
    }
    while shown.lowerBound > 0, used + names[shown.lowerBound - 1].cellWidth <= width {
      used += names[shown.lowerBound - 1].cellWidth
      shown = shown.lowerBound - 1..<shown.upperBound
    }
    return shown.map { place in
      let name = names[place]
      guard place == chosen else { return styled(name.truncated(to: width), .dim) }
      return styled("[\(name.dropFirst().dropLast())]".truncated(to: width), .bold)
    }.joined()
  }

  private var field: (text: String, cursor: Int) {
    let sign = terminal.usesUnicode ? " › " : " > "
    let (text, cursor) = browser.field.visible(in: max(1, width - 4))
    let isActive = browser.focus == .field
    if browser.field.isEmpty, !isActive { return (styled(sign, .dim), 3) }
    return (styled(sign, isActive ? .cyan : .dim) + styled(text, isActive ? .bold : .plain), 3 + cursor)
  }

  // MARK: The list

  private var list: [String] {
    let visible = browser.visibleLines
    var have: [Browser.Row.ID: String] = [:]
    for case .row(let row) in visible { have[row.id] = marks(row) }
    let layout = Layout(width: width, marks: have.values.map(\.cellWidth).max() ?? 0)
    return visible.flatMap { line -> [String] in
      switch line {
      case .blank: return [""]
      case .heading(let section): return [heading(section)]
      case .row(let row): return [self.row(row, have[row.id], layout)]
      case .state(let state):
        let words = words(of: state)
        // Above results there is one line for it.
        return browser.current?.section.candidates.isEmpty == false ? Array(words.prefix(1)) : words
      }
    }
  }

  private func heading(_ section: Browser.Row.Section) -> String {
    switch section {
    case .recent: return styled("Recent", .bold)
    case .shelf: return styled("On your shelf", .bold)
    case .source:
      guard let found = browser.current?.section else { return "" }
      var count = ""
      if let total = found.total {
        count = total > found.candidates.count ? " · \(found.candidates.count) of \(total)" : " · \(total)"
      } else {
        count = " · \(found.candidates.count)\(found.hasMore ? "+" : "")"
      }
      if found.isOld { count += " · what it said before" }
      let name = found.source.truncated(to: width)
      return styled(name, .bold) + styled(count.truncated(to: max(0, width - name.cellWidth)), .dim)
    }
  }

  /// How wide the parts of a row are. It depends on the terminal and the marks alone, so that nothing jumps when rows
  /// come.
  private struct Layout {
    var title: Int
    var creator = 0
    var year = 0
    var more = 0
    var marks: Int

    init(width: Int, marks: Int) {
      self.marks = min(marks, width / 3)
      var rest = width - 2 - (self.marks > 0 ? self.marks + 2 : 0)
      if rest >= 24 {
        year = 6
        rest -= year
      }
      if rest >= 72 {
        more = min(28, rest / 5)
        rest -= more + 2
      }
      if rest >= 34 {
        creator = min(32, rest * 2 / 5)
        rest -= creator + 2
      }
      title = max(1, rest)
    }
  }

  private func row(_ row: Browser.Row, _ have: String?, _ layout: Layout) -> String {
    let record = row.record
    let isSelected = browser.focus == .list && row == browser.selected
    func cell(_ text: String, _ width: Int, _ style: Style) -> String {
      let text = text.sanitized.truncated(to: width)
      return styled(text, isSelected ? Style(.cyan, isBold: true) : style)
        + String(repeating: " ", count: width - text.cellWidth)
    }
    var line = isSelected ? cell(terminal.usesUnicode ? "▸ " : "> ", 2, .plain) : "  "
    line += cell(record.title, layout.title, .plain)
    if layout.creator > 0 { line += "  " + cell(record.creators.joined(separator: ", "), layout.creator, .dim) }
    if layout.year > 0 { line += "  " + cell((record.year ?? record.released?.year)?.description ?? "", 4, .dim) }
    if layout.more > 0 { line += "  " + cell(more(of: row), layout.more, .dim) }
    if layout.marks > 0 { line += "  " + cell(have ?? "", layout.marks, .green) }
    return line
  }

  /// What tells a row from others like it: the kind among others, the pressing of a record, or genres.
  private func more(of row: Browser.Row) -> String {
    if row.section == .recent, row.record.kind != browser.kind { return row.record.kind.rawValue }
    return row.record.pressing ?? row.record.labels.prefix(2).joined(separator: ", ")
  }

  private func words(of state: Browser.State) -> [String] {
    let source = browser.surroundings.source
    let ellipsis = terminal.usesUnicode ? "…" : "..."
    func lines(_ text: String, _ style: Style = .dim) -> [String] {
      text.sanitized.wrapped(to: max(2, width - 2)).map { "  " + styled($0, style) }
    }
    switch state {
    case .invitation: return lines("Type a title or a name.")
    case .waiting: return lines("\(source) \(ellipsis)")
    case .asking: return lines("Asking \(source) \(ellipsis)")
    case .nothing:
      return lines(
        "No result was found for \(browser.query?.words.quoted ?? "") at \(browser.current?.section.source ?? source).")
    case .askingMore: return lines("Asking for more \(ellipsis)")
    case .failed(let failure):
      return lines(failure.spoken, .yellow) + (failure.advice.map { lines($0) } ?? [])
    case .moreFailed(let failure): return lines("\(failure.spoken) Go down to ask again.", .yellow)
    }
  }

  // MARK: Over the list

  private func page(of sheet: Browser.Sheet) -> [String] {
    var lines = Array(sheet.lines.dropFirst(sheet.scroll).prefix(browser.sheetHeight))
    if sheet.isLoading, lines.count < browser.sheetHeight {
      lines += ["", styled("Asking for more \(terminal.usesUnicode ? "…" : "...")", .dim)]
    }
    return lines
  }

  private var keys: String {
    if browser.showsHelp { return "any key goes back" }
    if let sheet = browser.sheet {
      let isLong = sheet.lines.count > browser.sheetHeight
      return (isLong ? "↑↓ scroll · " : "") + "a add · f favorite · c card · p preview · o page · Esc back"
    }
    switch browser.focus {
    case .field: return "↓ list · Tab kind · Enter search · Esc \(browser.field.isEmpty ? "quit" : "clear")"
    case .list: return "Enter show · a add · f favorite · c card · p preview · / search · ? help · q quit"
    }
  }

  private var help: [String] {
    let sections: [(String, [(String, String)])] = [
      (
        "While you type",
        [
          ("Enter", "ask at once, and go to the results"), ("↓", "go to the list"),
          ("Tab  Shift-Tab", "the next kind, the one before"),
          ("Ctrl-U  Ctrl-W", "delete what is before the cursor, a word"),
          ("Esc", "clear; with nothing typed, quit"),
        ]
      ),
      (
        "In the list",
        [
          ("↑ ↓  PgUp PgDn  Home End", "move; also k j, space, g G"), ("← →  Tab", "other kinds"),
          ("Enter", "show everything; it counts as viewed"), ("a", "add to your shelf"), ("f", "make a favorite"),
          ("c", "write a card: stars and words"), ("p", "play the preview"), ("o", "open the page"),
          ("/  Esc", "back to the search field"), ("q", "quit; Ctrl-C quits from anywhere"),
        ]
      ),
    ]
    let column = min(26, width / 3)
    return sections.flatMap { name, keys in
      [styled(name, .bold)]
        + keys.map { key, meaning in
          "  " + styled(key.truncated(to: column).padded(to: column), .cyan) + "  "
            + meaning.truncated(to: max(1, width - column - 4))
        }
    }
  }
}

extension String {
  /// The text, which may have styles in it, cut to so many cells.
  fileprivate func cut(to width: Int) -> String {
    var kept = ""
    var used = 0
    var isSequence = false
    for character in self {
      if character == "\u{1B}" {
        isSequence = true
      } else if isSequence {
        isSequence = character != "m"
      } else {
        let cells = String(character).cellWidth
        // Sequences behind the edge still switch styles off.
        if used + cells > width {
          used = width
          continue
        }
        used += cells
      }
      kept.append(character)
    }
    return kept
  }
}

extension Failure {
  /// As a sentence.
  var spoken: String { message.capitalizedFirst + (message.hasSuffix(".") ? "" : ".") }

  /// What to do, as a sentence.
  fileprivate var advice: String? { hint.map { $0.capitalizedFirst + "." } }
}

extension String {
  /// Begins with a capital letter, as a sentence does, unless a name such as iTunes begins it.
  var capitalizedFirst: String {
    dropFirst().first?.isUppercase == true ? self : prefix(1).uppercased() + dropFirst()
  }
}

extension Record {
  /// The pressing of a record: `LP · US · Columbia`.
  var pressing: String? {
    guard case .vinyl(let vinyl) = details else { return nil }
    let parts = [vinyl.format, vinyl.country, vinyl.label].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
