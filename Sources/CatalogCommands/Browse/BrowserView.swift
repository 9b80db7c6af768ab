internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// Draws a ``Browser`` as lines for a terminal, none wider than the screen.
struct BrowserView {
  let browser: Browser
  let terminal: Terminal
  /// The language for prices.
  var moneyLanguage = "en"
  /// The lines beside the list on a wide screen, none wider than the pane.
  var pane: [String] = []
  /// Returns the marks of a row; nil when it has none.
  let marks: (Browser.Row) -> String?

  private var width: Int { browser.size.columns }
  private var height: Int { browser.size.lines }

  /// The lines of the screen, from the top.
  var lines: [String] {
    if browser.helpScroll != nil { return screen(help) }
    if let sheet = browser.sheet { return screen(page(of: sheet)) }
    var lines = [tabs, field.text]
    if browser.listTop > lines.count { lines.append("") }
    return screen(lines + (pane.isEmpty ? list : beside(list)))
  }

  /// The cursor in the field; nil while keys are commands.
  var cursor: Screen.Place? {
    guard browser.focus == .field, browser.sheet == nil, browser.helpScroll == nil else { return nil }
    return Screen.Place(column: min(field.cursor, width - 1), line: 1)
  }

  /// Adds the message and the keys below these lines.
  private func screen(_ lines: [String]) -> [String] {
    let below = browser.messageLines.map { styled($0, .bold) } + [styled(keys.truncated(to: width), .dim)]
    let room = max(0, height - below.count)
    let above = lines.prefix(room) + Array(repeating: "", count: max(0, room - lines.count))
    return (above + below).suffix(height).map { $0.fitted(to: width).text }
  }

  private func styled(_ text: String, _ style: Style) -> String { style(text, on: terminal) }

  private func said(_ message: Message) -> String { message.text(on: terminal) }

  // MARK: Above the list

  /// The kinds, the chosen one in brackets; as many as fit.
  private var tabs: String {
    let names = browser.tabs.map { " \(said($0.plurals).capitalizedFirst)\($0 == browser.kind ? category : "") " }
    guard let chosen = browser.tabs.firstIndex(of: browser.kind) else { return "" }
    // Starts at the first kind if the chosen one fits then, and shows as many as fit.
    var shown = names.startIndex..<chosen + 1
    while shown.count > 1, names[shown].reduce(0, { $0 + $1.cellWidth }) > width { shown.removeFirst() }
    while shown.upperBound < names.count,
      names[shown.lowerBound...shown.upperBound].reduce(0, { $0 + $1.cellWidth }) <= width
    {
      shown = shown.lowerBound..<shown.upperBound + 1
    }
    return shown.map { place in
      let name = names[place]
      guard place == chosen else { return styled(name.truncated(to: width), .dim) }
      return styled("[\(name.dropFirst().dropLast())]".truncated(to: width), .bold)
    }.joined()
  }

  /// The chosen category, as a suffix of a name.
  private var category: String { browser.category == .all ? "" : " · \(browser.category.word)" }

  private var field: (text: String, cursor: Int) {
    let sign = terminal.usesUnicode ? " › " : " > "
    let (text, cursor) = browser.field.visible(in: max(1, width - 4))
    let isActive = browser.focus == .field
    if browser.field.isEmpty, !isActive { return (styled(sign, .dim), 3) }
    return (styled(sign, isActive ? .cyan : .dim) + styled(text, isActive ? .bold : .plain), 3 + cursor)
  }

  /// The list with the pane to its right.
  private func beside(_ list: [String]) -> [String] {
    let edge = styled(terminal.usesUnicode ? " │ " : " | ", .dim)
    return (0..<browser.listHeight).map { number in
      let (line, width) = number < list.count ? list[number].fitted(to: listWidth) : ("", 0)
      return line + String(repeating: " ", count: listWidth - width) + edge + (number < pane.count ? pane[number] : "")
    }
  }

  // MARK: The list

  private var listWidth: Int { browser.listWidth }

  private var list: [String] {
    let layout = Layout(
      width: listWidth, price: browser.rows.compactMap { price($0)?.cellWidth }.max() ?? 0,
      marks: browser.rows.compactMap { marks($0)?.cellWidth }.max() ?? 0)
    return browser.visibleLines.flatMap { line -> [String] in
      switch line {
      case .blank: return [""]
      case .heading(let section): return [heading(section)]
      case .row(let row): return [self.row(row, layout)]
      case .state(let state):
        let words = words(of: state)
        // Above results, the state takes one line.
        return browser.rows.contains { if case .source = $0.section { true } else { false } }
          ? Array(words.prefix(1)) : words
      }
    }
  }

  private func heading(_ section: Browser.Row.Section) -> String {
    switch section {
    case .recent: return styled(said("Recent"), .bold)
    case .shelf: return styled(said("On your shelf"), .bold)
    case .copies:
      let names = browser.localResults.copies.joined(separator: ", ")
      return styled(said("On this computer: \(names)").truncated(to: listWidth), .bold)
    case .source(let season):
      guard let found = browser.current?.sections.first(where: { $0.season == season }) else { return "" }
      var count = category
      if let total = found.total {
        count +=
          total > found.candidates.count ? said(" · \(found.candidates.count) of \(total)") : " · \(total)"
      } else {
        count += " · \(found.candidates.count)\(found.hasMore ? "+" : "")"
      }
      if found.isOld { count += said(" · earlier answer") }
      let name = (season == nil ? found.source : "\(found.words.capitalizedFirst) · \(found.source)")
        .truncated(to: listWidth)
      return styled(name, .bold) + styled(count.truncated(to: max(0, listWidth - name.cellWidth)), .dim)
    }
  }

  /// The widths of the columns of a row: equal for all rows, so that nothing jumps while scrolling.
  private struct Layout {
    var title: Int
    var creator = 0
    var year = 0
    var more = 0
    var price = 0
    var marks: Int

    init(width: Int, price: Int, marks: Int) {
      // The marks are shown whole as long as a title fits beside them.
      self.marks = width - marks >= 40 ? marks : min(marks, width / 3)
      var rest = width - 2 - (self.marks > 0 ? self.marks + 2 : 0)
      if rest >= 22 {
        year = 6
        rest -= year
      }
      if rest >= 50, price > 0 {
        self.price = price
        rest -= price + 2
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

  private func genres(of record: Record) -> String {
    record.labels.prefix(2).map(terminal.translation.genreName).joined(separator: ", ")
  }

  private func row(_ row: Browser.Row, _ layout: Layout) -> String {
    let record = row.record
    let isSelected = browser.focus == .list && row == browser.selected
    func cell(_ text: String, _ width: Int, _ style: Style) -> String {
      let text = text.sanitized.truncated(to: width)
      return styled(text, isSelected ? Style(.cyan, isBold: true) : style)
        + String(repeating: " ", count: width - text.cellWidth)
    }
    var line = isSelected ? cell(terminal.usesUnicode ? "▸ " : "> ", 2, .plain) : "  "
    line += cell(record.title, layout.title, .plain)
    // A recent row of another kind shows its kind.
    let kind = row.section == .recent && record.kind != browser.kind ? said(record.kind.singular) : nil
    if layout.creator > 0 {
      let names = record.creators.joined(separator: ", ")
      line += "  " + cell([kind, names].compactMap(\.self).joined(separator: " · "), layout.creator, .dim)
    }
    if layout.year > 0 { line += "  " + cell((record.year ?? record.released?.year)?.description ?? "", 4, .dim) }
    if layout.more > 0 {
      line += "  " + cell(record.pressing ?? genres(of: record), layout.more, .dim)
    }
    if layout.price > 0 {
      let price = price(row) ?? ""
      line += "  " + String(repeating: " ", count: max(0, layout.price - price.cellWidth))
      line += cell(price, min(layout.price, price.cellWidth), .plain)
    }
    if layout.marks > 0 {
      let marks = marks(row) ?? ""
      // If not all marks fit, the first one is shown whole.
      let shown = marks.cellWidth > layout.marks ? String(marks.prefix { $0 != "]" }) + "]" : marks
      line += "  " + cell(shown, layout.marks, .green)
    }
    return line
  }

  /// The price of a result; nil for a row of the shelf or the recents.
  private func price(_ row: Browser.Row) -> String? {
    guard case .source = row.section else { return nil }
    return row.record.cost?.cost(in: moneyLanguage)
  }

  private func words(of state: Browser.State) -> [String] {
    let source = browser.localResults.source
    let ellipsis = terminal.usesUnicode ? "…" : "..."
    func lines(_ text: String, _ style: Style = .dim) -> [String] {
      text.sanitized.wrapped(to: max(2, listWidth - 2)).map { "  " + styled($0, style) }
    }
    switch state {
    case .invitation: return lines(said("Type a title or a name."))
    case .waiting: return lines("\(source) \(ellipsis)")
    case .asking: return lines(said("Asking \(source) \(ellipsis)"))
    case .nothing(let words, let source):
      return lines(said("No result was found for \(words.quoted) at \(source)."))
    case .askingMore: return lines(said("Asking for more \(ellipsis)"))
    case .failed(let failure):
      return lines(failure.spoken(on: terminal), .yellow) + (failure.advice(on: terminal).map { lines($0) } ?? [])
    case .moreFailed(let failure): return lines(said("\(failure.spoken(on: terminal)) Go down to ask again."), .yellow)
    }
  }

  // MARK: Over the list

  private func page(of sheet: Browser.Sheet) -> [String] {
    var lines = Array(sheet.lines.dropFirst(sheet.scroll).prefix(browser.sheetHeight))
    if sheet.isLoading, lines.count < browser.sheetHeight {
      lines += ["", styled(said("Asking for more \(terminal.usesUnicode ? "…" : "...")"), .dim)]
    }
    return lines
  }

  private var keys: String {
    if browser.helpScroll != nil { return fitted([("↑↓ scroll", 1), ("any other key goes back", 2)]) }
    let doing: [(Message, Int)] = [
      ("a add", 7), ("f favorite", 6), ("c card", 5), ("l log", 5), ("w wish", 4), ("p preview", 3), ("o page", 2),
    ]
    if let sheet = browser.sheet {
      return fitted((sheet.lines.count > browser.sheetHeight ? [("↑↓ scroll", 4)] : []) + doing + [("Esc back", 8)])
    }
    switch browser.focus {
    case .field:
      return fitted(
        [
          ("↓ list", 6), ("Enter search", 5), ("Tab kind", 4),
        ] + choices("Ctrl-T", "Ctrl-S") + [(escape, 3)])
    case .list:
      return fitted(
        [("Enter show", 8)] + doing + choices("t", "s") + [("/ words", 4), ("? help", 10), ("q quit", 9)])
    }
  }

  private var escape: Message {
    if browser.query?.isSeasonal == true { return "Esc back" }
    return browser.field.isEmpty ? "Esc quit" : "Esc clear"
  }

  /// The keys for categories and seasons, when the kind has them.
  private func choices(_ category: String, _ seasons: String) -> [(Message, Int)] {
    (browser.choices.categories[browser.kind] == nil ? [] : [("\(category) category", 1)])
      + (browser.choices.seasonal.contains(browser.kind) ? [("\(seasons) seasons", 0)] : [])
  }

  /// The most important keys that fit into one line.
  private func fitted(_ keys: [(words: Message, importance: Int)]) -> String {
    var keys = keys
    while true {
      let line = keys.map { said($0.words) }.joined(separator: " · ")
      guard line.cellWidth > width, keys.count > 1,
        let least = keys.indices.min(by: { keys[$0].importance < keys[$1].importance })
      else { return line }
      keys.remove(at: least)
    }
  }

  private var help: [String] {
    browser.help.dropFirst(browser.helpScroll ?? 0).map { line in
      switch line {
      case .heading(let text): styled(text, .bold)
      case .keys(let text, let width): "  " + styled(text.padded(to: width), .cyan)
      case .meaning(let text, let keys, let width): "  " + styled(keys.padded(to: width), .cyan) + "  " + text
      }
    }
  }
}

extension Failure {
  /// The hint as a sentence.
  fileprivate func advice(on terminal: Terminal) -> String? {
    hint.map { $0.text(on: terminal).capitalizedFirst + "." }
  }
}

extension Record {
  /// The pressing of a vinyl record: `LP · US · Columbia`, `LP · Japan · CBS`.
  var pressing: String? {
    guard case .vinyl(let vinyl) = details else { return nil }
    let number = [vinyl.label, vinyl.catalogNumber].compactMap(\.self).joined(separator: " ")
    let parts = [vinyl.format, vinyl.country.flatMap(Country.shortName), number.isEmpty ? nil : number].compactMap(
      \.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
