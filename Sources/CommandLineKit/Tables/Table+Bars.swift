extension Table {
  /// A bar in each row, for people at a terminal: a page shows a chart instead.
  public struct Bars: Hashable, Sendable {
    /// The key of the column before the bars.
    var key: String
    /// The amount of each row.
    var amounts: [Double]
    /// The style of each row's bar.
    var styles: [Style]

    public init(behind key: String, of amounts: [Double], styles: [Style]) {
      (self.key, self.amounts, self.styles) = (key, amounts, styles)
    }

    /// Bars of one style.
    public init(behind key: String, of amounts: [Double], style: Style = .cyan) {
      self.init(behind: key, of: amounts, styles: amounts.map { _ in style })
    }
  }

  /// The columns that fit, by importance, with a column of bars in the remaining space.
  public func adding(_ bars: Bars, on terminal: Terminal) -> Table {
    let least = 8
    var widths = columns.indices.map { place in
      ([columns[place].title.text(on: terminal)] + rows.map { $0[place].text.sanitized }).map(\.cellWidth).max() ?? 0
    }
    // A long name is cut before a column is left out.
    for place in columns.indices where columns[place].isFlexible {
      widths[place] = min(widths[place], max(columns[place].minimumWidth, terminal.width * 2 / 5))
    }
    var places: [Int] = []
    var left = terminal.width - least
    for place in columns.indices.sorted(by: { (columns[$1].importance, $0) < (columns[$0].importance, $1) }) {
      // Columns that are empty in all rows are left out anyway.
      guard !rows.allSatisfy({ $0[place].text.isEmpty }) else { continue }
      guard left - widths[place] - 2 >= 0 else { continue }
      left -= widths[place] + 2
      places.append(place)
    }
    var table = Table(
      columns: places.sorted().map { columns[$0] }, rows: rows.map { row in places.sorted().map { row[$0] } })
    let width = min(left + least, 32)
    let most = bars.amounts.max() ?? 0
    let position = (table.columns.firstIndex { $0.key == bars.key } ?? -1) + 1
    table.columns.insert(Column("bar", "", importance: 1), at: position)
    for (place, (amount, style)) in zip(bars.amounts, bars.styles).enumerated() where table.rows.indices.contains(place)
    {
      let bar = terminal.bar(most > 0 ? amount / most : 0, width: width)
      table.rows[place].insert(Cell(value: .none, shown: bar, style: style), at: position)
    }
    return table
  }
}
