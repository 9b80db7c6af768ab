internal import CatalogModel
internal import CommandLineKit

extension Browser {
  /// A line of the list.
  enum Line: Equatable {
    case blank
    /// A heading; at least one row follows it.
    case heading(Row.Section)
    case row(Row)
    /// The state of the search.
    case state(State)
  }

  /// The state of the search in a source.
  enum State: Equatable {
    /// No query, and no recently viewed items.
    case invitation
    /// The source is asked when the person stops typing.
    case waiting
    case asking
    case failed(Failure)
    /// A source found nothing for these words.
    case nothing(String, source: String)
    case askingMore
    case moreFailed(Failure)
  }

  /// The state to show above or below the results; nil when there is none.
  var state: State? {
    guard query != nil else { return recents.isEmpty ? .invitation : nil }
    if let asked, asked.query == query { return asked.page == 1 ? .asking : .askingMore }
    guard let current else { return .waiting }
    // A failure that all sections share is shown once.
    if let failure = current.sections.first?.failure, current.sections.allSatisfy({ $0.failure == failure }) {
      return .failed(failure)
    }
    if let failure = current.moreFailure { return .moreFailed(failure) }
    return current.sections.count == 1 ? current.sections.first.flatMap(Self.state) : nil
  }

  /// The state of a section without results; nil when it has some.
  private static func state(of section: SearchSection) -> State? {
    guard section.candidates.isEmpty else { return nil }
    guard var failure = section.failure else { return .nothing(section.words, source: section.source) }
    if section.season != nil { failure.message = "\(section.words): \(failure.message)" }
    return .failed(failure)
  }

  /// All lines of the list from its top, without regard to the height of the screen.
  var lines: [Line] {
    var lines: [Line] = []
    func add(_ section: [Line]) {
      if !lines.isEmpty, !section.isEmpty, size.lines >= 20 { lines.append(.blank) }
      lines += section
    }
    let rows = rows
    for section in [Row.Section.recent, .shelf] {
      let own = rows.filter { $0.section == section }
      if !own.isEmpty { add([.heading(section)] + own.map { .row($0) }) }
    }
    // The reason why the pack answers stands above its results; the state of the next page stands below.
    var (before, behind): ([Line], [Line]) = ([], [])
    switch state {
    case .askingMore, .moreFailed: behind = state.map { [.state($0)] } ?? []
    default: before = state.map { [.state($0)] } ?? []
    }
    let blocks =
      query == nil
      ? []
      : (current?.sections ?? []).map { section -> [Line] in
        let results = rows.filter { $0.section == .source(section.season) }
        if !results.isEmpty { return [.heading(.source(section.season))] + results.map { .row($0) } }
        // A state that all sections share is shown above.
        return state == nil ? Self.state(of: section).map { [.state($0)] } ?? [] : []
      }
    add(before + (blocks.first ?? []) + (blocks.count > 1 ? [] : behind))
    for block in blocks.dropFirst() { add(block) }
    let copied = rows.filter { $0.section == .copies }
    if !copied.isEmpty { add([.heading(.copies)] + copied.map { .row($0) }) }
    return lines
  }

  /// The number of lines above the list: the kinds, the field, and a blank line on a tall screen.
  var listTop: Int { size.lines >= 14 ? 3 : 2 }
  /// The last message and the progress of the sources, at most three lines, above the line of the keys.
  var messageLines: [String] {
    let said = message?.sanitized.wrapped(to: size.columns) ?? []
    let progress = progress.map { [$0.truncated(to: size.columns)] } ?? []
    return said.prefix(3 - progress.count) + progress
  }
  /// The number of visible lines of the list. The last line of the screen shows the keys.
  var listHeight: Int { max(1, size.lines - listTop - 1 - messageLines.count) }
  var sheetHeight: Int { max(1, size.lines - 1 - messageLines.count) }

  /// The least number of columns for a pane beside the list.
  static let leastWithPane = 110
  /// The width of the pane in columns; 0 without a pane.
  var paneWidth: Int { size.columns < Self.leastWithPane ? 0 : min(64, size.columns * 2 / 5) }
  /// The width of the list in columns. Three columns separate it from the pane.
  var listWidth: Int { paneWidth == 0 ? size.columns : size.columns - paneWidth - 3 }

  /// The most rows of the shelf above the results: a third of the list, from 1 to 20.
  var mostOfShelf: Int { max(1, min(20, listHeight / 3)) }

  /// The visible part of the list.
  var visibleLines: ArraySlice<Line> { lines.dropFirst(scroll).prefix(listHeight) }

  /// Scrolls as little as needed to show the selected row, with the heading above it.
  mutating func follow() {
    let lines = lines
    guard let selected, let line = lines.firstIndex(of: .row(selected)) else {
      scroll = min(scroll, max(0, lines.count - listHeight))
      return
    }
    var first = line
    if first > 0, case .heading = lines[first - 1] { first -= 1 }
    if first == 1 { first = 0 }
    if scroll > first { scroll = first }
    // The line below the last row is shown with it.
    let last = line == lines.count - 2 && listHeight > 1 ? line + 1 : line
    if scroll + listHeight <= last { scroll = last - listHeight + 1 }
    scroll = max(0, min(scroll, lines.count - listHeight))
  }

  /// Scrolls the sheet by this number of lines.
  mutating func scrollSheet(by count: Int) {
    guard let sheet else { return }
    let last = sheet.lines.count - sheetHeight
    self.sheet?.scroll = max(0, min(sheet.scroll + count, last))
  }
}
