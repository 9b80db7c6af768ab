extension Table {
  /// A bar in each row, for people at a terminal: a page shows a chart instead.
  public struct Bars: Hashable, Sendable {
    /// The key of the column before the bars.
    var key: String
    /// The amount of each row.
    var amounts: [Double]
    /// The style of each row's bar.
    var styles: [Style]
    /// The least width of a bar in cells. Columns that leave less are left out.
    var least: Int

    public init(behind key: String, of amounts: [Double], styles: [Style], least: Int = 8) {
      (self.key, self.amounts, self.styles, self.least) = (key, amounts, styles, least)
    }

    public init(behind key: String, of amounts: [Double], style: Style = .cyan, least: Int = 8) {
      self.init(behind: key, of: amounts, styles: amounts.map { _ in style }, least: least)
    }
  }

  /// The columns that fit, by importance, with a column of bars in the remaining space.
  public func adding(_ bars: Bars, on terminal: Terminal) -> Table {
    // Missing cells are empty.
    let rows = choosing(Array(columns.indices)).rows
    var widths = columns.indices.map { place in
      ([columns[place].title.text(on: terminal)] + rows.map { $0[place].text.sanitized }).map(\.cellWidth).max() ?? 0
    }
    // A long name is cut before a column is left out.
    for place in columns.indices where columns[place].isFlexible {
      widths[place] = min(widths[place], max(columns[place].minimumWidth, terminal.width * 2 / 5))
    }
    var places: [Int] = []
    var left = terminal.width - bars.least
    for place in columns.indices.sorted(by: { (columns[$1].importance, $0) < (columns[$0].importance, $1) }) {
      // Columns that are empty in all rows are left out anyway.
      guard !rows.allSatisfy({ $0[place].text.isEmpty }) else { continue }
      guard left - widths[place] - 2 >= 0 else { continue }
      left -= widths[place] + 2
      places.append(place)
    }
    var table = Table(
      columns: places.sorted().map { columns[$0] }, rows: rows.map { row in places.sorted().map { row[$0] } })
    let width = min(left + bars.least, 32)
    let most = bars.amounts.max() ?? 0
    let position = (table.columns.firstIndex { $0.key == bars.key } ?? -1) + 1
    table.columns.insert(Column("bar", "", importance: 1), at: position)
    for place in table.rows.indices {
      var bar = Cell(nil as String?)
      if bars.amounts.indices.contains(place), bars.styles.indices.contains(place), most > 0 {
        bar.shown = terminal.bar(bars.amounts[place] / most, width: width)
        bar.style = bars.styles[place]
      }
      table.rows[place].insert(bar, at: position)
    }
    return table
  }
}
