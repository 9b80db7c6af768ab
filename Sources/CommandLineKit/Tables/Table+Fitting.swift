extension Table {
  /// The blanks between two columns.
  private static let gap = 2

  /// Writes headings and rows so that no line is wider than the terminal. A column that is empty in every row is left
  /// out.
  func writeFitted(to output: Output, terminal: Terminal) throws {
    let whole = bars.map { adding($0, on: terminal) } ?? self
    let visible = whole.choosing(
      whole.columns.indices.filter { place in
        !whole.columns[place].isHidden
          && (rows.isEmpty || whole.rows.contains { $0.indices.contains(place) && !$0[place].text.isEmpty })
      })
    let texts = visible.rows.map { row in
      zip(visible.columns, row).map { column, cell in
        column.words(of: cell, in: terminal.translation).sanitized
      }
    }
    let headings = visible.columns.map { hasHeadings ? $0.title.text(on: terminal).sanitized : "" }
    let (places, widths) = visible.fit(natural(headings, texts), texts, into: terminal.width)
    guard !places.isEmpty else { return }

    func append(_ text: (Int) -> String, _ style: (Int) -> Style) throws {
      var line = ""
      // Behind the last text of a line there is nothing, not even blanks.
      let last = places.lastIndex { !text($0).isEmpty } ?? -1
      for (position, place) in places.enumerated().prefix(last + 1) {
        if position > 0 { line += String(repeating: " ", count: Table.gap) }
        let alignment = visible.columns[place].alignment
        let fitted = text(place).truncated(to: widths[position])
        let blanks = fitted.blanks(to: widths[position], alignment)
        // The blanks have no style: a line under a heading is as long as its words.
        line += String(repeating: " ", count: blanks.before) + style(place)(fitted.isolated, on: terminal)
        if position < last || alignment != .left { line += String(repeating: " ", count: blanks.behind) }
      }
      try output.append(line + "\n")
    }

    if !headings.allSatisfy(\.isEmpty) { try append({ headings[$0] }, { _ in .heading }) }
    for (number, (row, cells)) in zip(texts, visible.rows).enumerated() {
      if let section = sections[number] {
        let words = section.text(on: terminal).sanitized.truncated(to: terminal.width)
        try output.append((number > 0 ? "\n" : "") + Style.bold(words, on: terminal) + "\n")
      }
      try append({ row[$0] }, { cells[$0].style })
    }
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
  private func fit(_ natural: [Int], _ texts: [[String]], into width: Int) -> (places: [Int], widths: [Int]) {
    func room(_ places: [Int]) -> Int { width - Table.gap * (places.count - 1) }
    var places = Array(columns.indices)
    if natural.reduce(0, +) <= room(places) { return (places, natural) }
    let telling = columnsTellingApart(texts)
    let most = columns.filter { !$0.isReference }.map(\.importance).max() ?? 0
    // A column that alone distinguishes rows, such as a record's catalog number, is dropped only before the most
    // important column.
    func rank(_ place: Int) -> Int {
      telling.contains(place) ? max(columns[place].importance * 2, most * 2 - 1) : columns[place].importance * 2
    }
    while !places.isEmpty {
      // And it is cut when nothing else is left to be cut, or to go.
      let others = places.filter { !telling.contains($0) }
      let hasSpare = others.contains { !columns[$0].isReference && columns[$0].importance < most }
      var widths = natural
      var excess = places.reduce(0) { $0 + natural[$1] } - room(places)
      for group in others.count == places.count || hasSpare ? [others] : [others, places.filter(telling.contains)] {
        let steps = Set(group.map { columns[$0].importance }).sorted()
        for importance in steps where excess > 0 {
          shrink(group.filter { columns[$0].importance == importance }, &widths, by: &excess)
        }
      }
      if excess <= 0 { return (places, places.map { widths[$0] }) }
      if places.count == 1 { return (places, [max(1, width)]) }
      // `last` of the least important: the array is in order, so ties go from the right.
      let least = places.map(rank).min()
      if let last = places.lastIndex(where: { rank($0) == least }) { places.remove(at: last) }
    }
    return ([], [])
  }

  /// Takes cells from the widest of these columns, as far as they are flexible.
  private func shrink(_ places: [Int], _ widths: inout [Int], by excess: inout Int) {
    while excess > 0 {
      let shrinkable = places.filter { columns[$0].isFlexible && widths[$0] > columns[$0].minimumWidth }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return }
      // Shrink to the next narrower column in one step, or by the excess; at least by one.
      let next = shrinkable.map { widths[$0] }.filter { $0 < widths[widest] }.max() ?? 0
      let floor = max(columns[widest].minimumWidth, next, widths[widest] - excess)
      let step = max(1, widths[widest] - floor)
      widths[widest] -= step
      excess -= step
    }
  }

  /// The columns without which two rows would look the same, apart from their references.
  private func columnsTellingApart(_ rows: [[String]]) -> Set<Int> {
    guard columns.contains(where: \.isReference), rows.count > 1 else { return [] }
    let places = columns.indices.filter { !columns[$0].isReference }
    return Set(
      places.filter { place in
        var first: [[String]: String] = [:]
        return rows.contains { row in
          let others = places.filter { $0 != place }.map { row[$0] }
          defer { first[others] = first[others] ?? row[place] }
          return first[others].map { $0 != row[place] } ?? false
        }
      })
  }
}
