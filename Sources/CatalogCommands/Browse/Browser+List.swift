internal import CatalogModel
internal import CommandLineKit

extension Browser {
  /// A line of the list.
  enum Line: Equatable {
    case blank
    /// Above rows; never without.
    case heading(Row.Section)
    case row(Row)
    /// How things stand with the source.
    case state(State)
  }

  /// How things stand with the source.
  enum State: Equatable {
    /// Nothing is looked for, and nothing was viewed yet.
    case invitation
    /// It is not asked before the person stops typing.
    case waiting
    case asking
    case failed(Failure)
    /// A source found nothing for these words.
    case nothing(String, source: String)
    case askingMore
    case moreFailed(Failure)
  }

  /// How things stand; nil where the results say it all.
  var state: State? {
    guard query != nil else { return recents.isEmpty ? .invitation : nil }
    if let asked, asked.query == query { return asked.page == 1 ? .asking : .askingMore }
    guard let current else { return .waiting }
    // What is wrong with all of them is said once.
    if let failure = current.sections.first?.failure, current.sections.allSatisfy({ $0.failure == failure }) {
      return .failed(failure)
    }
    if let failure = current.moreFailure { return .moreFailed(failure) }
    return current.sections.count == 1 ? current.sections.first.flatMap(Self.state) : nil
  }

  /// What there is to say of a section without results.
  private static func state(of section: SearchSection) -> State? {
    guard section.candidates.isEmpty else { return nil }
    guard var failure = section.failure else { return .nothing(section.words, source: section.source) }
    if section.season != nil { failure.message = "\(section.words): \(failure.message)" }
    return .failed(failure)
  }

  /// The list from its top, as it would be on an endless screen.
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
    // Why the pack answers stands before its answer, that there is more behind it.
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
        // How things stand with all of them is said above.
        return state == nil ? Self.state(of: section).map { [.state($0)] } ?? [] : []
      }
    add(before + (blocks.first ?? []) + (blocks.count > 1 ? [] : behind))
    for block in blocks.dropFirst() { add(block) }
    return lines
  }

  /// How many lines stand above the list: the kinds, the field, and a blank where there is room.
  var listTop: Int { size.lines >= 14 ? 3 : 2 }
  /// What was said last, and what the sources wait for, as it stands above the line of the keys.
  var messageLines: [String] {
    let said = message?.sanitized.wrapped(to: size.columns) ?? []
    let progress = progress.map { [$0.truncated(to: size.columns)] } ?? []
    return said.prefix(3 - progress.count) + progress
  }
  /// How many lines of the list are seen. The last line of the screen is that of the keys.
  var listHeight: Int { max(1, size.lines - listTop - 1 - messageLines.count) }
  var sheetHeight: Int { max(1, size.lines - 1 - messageLines.count) }

  /// From so many columns on there is a pane beside the list.
  static let leastWithPane = 110
  /// How wide the pane is; 0 where there is none.
  var paneWidth: Int { size.columns < Self.leastWithPane ? 0 : min(64, size.columns * 2 / 5) }
  /// How wide the list is. Three columns stand between the two.
  var listWidth: Int { paneWidth == 0 ? size.columns : size.columns - paneWidth - 3 }

  /// How much of the shelf stands above the results: a third of the list, and never nothing.
  var mostOfShelf: Int { max(1, min(20, listHeight / 3)) }

  /// The part of the list that is seen.
  var visibleLines: ArraySlice<Line> { lines.dropFirst(scroll).prefix(listHeight) }

  /// Moves the list as little as needed to see what is chosen, with the heading above it.
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
    // The line behind the last row is seen with it.
    let last = line == lines.count - 2 && listHeight > 1 ? line + 1 : line
    if scroll + listHeight <= last { scroll = last - listHeight + 1 }
    scroll = max(0, min(scroll, lines.count - listHeight))
  }

  /// Moves what is shown by so many lines.
  mutating func scrollSheet(by count: Int) {
    guard let sheet else { return }
    let last = sheet.lines.count - sheetHeight
    self.sheet?.scroll = max(0, min(sheet.scroll + count, last))
  }
}
