extension Table {
  /// The blanks between two columns.
  private static let gap = 2

  /// Writes headings and rows so that no line is wider than the terminal. A column that is empty in every row is left
  /// out.
  func writeFitted(to output: Output, terminal: Terminal) throws {
    let visible = choosing(
      columns.indices.filter { place in
        !columns[place].isHidden
          && (rows.isEmpty || rows.contains { $0.indices.contains(place) && !$0[place].text.isEmpty })
      })
    let texts = visible.rows.map { row in row.map(\.text.sanitized) }
    let headings = visible.columns.map(\.title.sanitized)
    let (places, widths) = visible.fit(natural(headings, texts), into: terminal.width)
    guard !places.isEmpty else { return }

    func append(_ text: (Int) -> String, _ style: (Int) -> Style) throws {
      var line = ""
      // Behind the last text of a line there is nothing, not even blanks.
      let last = places.lastIndex { !text($0).isEmpty } ?? -1
      for (position, place) in places.enumerated().prefix(last + 1) {
        if position > 0 { line += String(repeating: " ", count: Table.gap) }
        let alignment = visible.columns[place].alignment
        let fitted = text(place).truncated(to: widths[position])
        let isRagged = position == last && alignment == .left
        line += style(place)(isRagged ? fitted : fitted.padded(to: widths[position], alignment), on: terminal)
      }
      try output.append(line + "\n")
    }

    if !headings.allSatisfy(\.isEmpty) { try append({ headings[$0] }, { _ in .heading }) }
    for (row, cells) in zip(texts, visible.rows) { try append({ row[$0] }, { cells[$0].style }) }
  }

  /// The width each column would like.
  private func natural(_ headings: [String], _ rows: [[String]]) -> [Int] {
    var widths = headings.map(\.cellWidth)
    for row in rows {
      for (place, text) in row.enumerated() { widths[place] = max(widths[place], text.cellWidth) }
    }
    return widths
  }

  /// The places of the columns that are shown in `width` cells, and how wide each is.
  private func fit(_ natural: [Int], into width: Int) -> (places: [Int], widths: [Int]) {
    var places = Array(columns.indices)
    while !places.isEmpty {
      let widths = shrink(places.map { natural[$0] }, places, to: width - Table.gap * (places.count - 1))
      if let widths { return (places, widths) }
      if places.count == 1 { return (places, [max(1, width)]) }
      // `last` of the least important: the array is in order, so ties go from the right.
      let least = places.map { columns[$0].importance }.min()
      if let last = places.lastIndex(where: { columns[$0].importance == least }) { places.remove(at: last) }
    }
    return ([], [])
  }

  /// The widths with cells taken from the widest flexible columns, or nil when that is not enough.
  private func shrink(_ natural: [Int], _ places: [Int], to total: Int) -> [Int]? {
    var widths = natural
    var excess = widths.reduce(0, +) - total
    while excess > 0 {
      let shrinkable = widths.indices.filter {
        columns[places[$0]].isFlexible && widths[$0] > columns[places[$0]].minimumWidth
      }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return nil }
      // Down to the next one in one step, or by what is too much; at least by one.
      let next = shrinkable.lazy.filter { widths[$0] < widths[widest] }.map { widths[$0] }.max() ?? 0
      let floor = max(columns[places[widest]].minimumWidth, next, widths[widest] - excess)
      let step = max(1, widths[widest] - floor)
      widths[widest] -= step
      excess -= step
    }
    return widths
  }
}
