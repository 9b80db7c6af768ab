/// Amounts by row and column, as fields that are darker the greater they are in their column: one with much of everything does
/// not pale the others.
public struct HeatMap: Chart {
  public var title: Message
  public var notes: [Message]
  public var columns: [Column]
  public var rows: [Row]
  /// Whether the columns are times: when not all fit on a terminal, the first go. Otherwise the last.
  public var showsTimes: Bool
  public var summary: String {
    let fields = rows.flatMap { row in zip(columns, row.amounts).map { (row.label, $0.label, $1 ?? Amount(0)) } }
    let greatest = fields.filter { $0.2.share(of: 1) > 0 }.max { $0.2.value < $1.2.value }
    return "\(rows.count) rows, \(columns.count) columns."
      + (greatest.map { " The greatest is \($0.0), \($0.1): \($0.2.text)." } ?? "")
  }

  /// A column's heading.
  public struct Column: Hashable, Sendable {
    public var label: String
    /// For where the label does not fit: `70s`.
    public var short: String?

    public init(_ label: String, short: String? = nil) { (self.label, self.short) = (label, short) }
  }

  /// A row: its name, and an amount for each column. Nil says that there is nothing to compare, and stays blank.
  public struct Row: Hashable, Sendable {
    public var label: String
    public var amounts: [Amount?]

    public init(_ label: String, _ amounts: [Amount?]) { (self.label, self.amounts) = (label, amounts) }
  }

  public init(
    _ title: Message, notes: [Message] = [], columns: [Column] = [], rows: [Row] = [], showsTimes: Bool = false
  ) {
    (self.title, self.notes, self.columns, self.rows) = (title, notes, columns, rows)
    self.showsTimes = showsTimes
  }

  /// What the darkest field of each column stands for: its greatest value; 0 where there is nothing. One item, alone in its
  /// column, is not dark.
  private var greatest: [Double] {
    columns.indices.map { place in
      let greatest = rows.lazy.compactMap { $0.amounts.indices.contains(place) ? $0.amounts[place] : nil }.greatest
      guard let greatest else { return 0 }
      return Int(greatest.text) == nil ? greatest.value : max(greatest.value, 4)
    }
  }

  /// 0 for nothing, then 1 … 4: a quarter each.
  static func level(_ share: Double) -> Int {
    share.isFinite && share > 0 ? min(4, 1 + Int(min(share, 1) * 4)) : 0
  }

  /// A shade for a share between 0 and 1: blank for nothing, then ever darker; of ` .:*#` without Unicode.
  public static func shade(_ share: Double, usesUnicode: Bool = true) -> Character {
    let shades: [Character] = usesUnicode ? [" ", "░", "▒", "▓", "█"] : [" ", ".", ":", "*", "#"]
    return shades[level(share)]
  }

  // MARK: On a terminal

  /// How the columns are laid out: what stands above them, how wide they are, and whether the numbers are shown.
  private struct Layout {
    var headings: [String]
    var width: Int
    var showsNumbers: Bool
    /// Which columns are shown.
    var places: Range<Int>
    /// What the headings stand for, when they are letters.
    var key: [String] = []

    /// Blanks before each column.
    var gap: Int { HeatMap.gap(showsNumbers: showsNumbers) }
  }

  private static func gap(showsNumbers: Bool) -> Int { showsNumbers ? 2 : 1 }

  /// Shades of a field beside its number.
  private static let shadeWidth = 2

  public func lines(on terminal: Terminal) -> [String] {
    guard !rows.isEmpty, !columns.isEmpty else { return [] }
    let labels = rows.map(\.label.sanitized)
    let labelWidth = min(labels.map(\.cellWidth).max() ?? 0, max(10, terminal.width * 3 / 10))
    let (map, joined) = joiningEarly(in: terminal.width - labelWidth, usesUnicode: terminal.usesUnicode)
    return map.lines(labels, labelWidth, on: terminal)
      + joined.map { Style.dim($0.truncated(to: terminal.width), on: terminal) }
  }

  /// The map with so many of the first times in one column that the numbers have room, and what was joined.
  private func joiningEarly(in room: Int, usesUnicode: Bool) -> (map: HeatMap, note: [String]) {
    let counts = rows.map { row in row.amounts.prefix(columns.count).map { $0.map { Int($0.text) } ?? 0 } }
    guard showsTimes, !layout(in: room).showsNumbers, counts.allSatisfy({ !$0.contains(nil) }) else {
      return (self, [])
    }
    for joined in stride(from: 2, through: columns.count - Self.fewTimes + 1, by: 1) {
      let last = columns[joined - 1]
      let sign = usesUnicode ? "≤" : "<="
      var map = self
      map.columns = [Column(sign + last.label, short: last.short.map { sign + $0 })] + columns.dropFirst(joined)
      map.rows = zip(rows, counts).map { row, counts in
        Row(row.label, [Amount(counts.prefix(joined).reduce(0) { $0 + ($1 ?? 0) })] + row.amounts.dropFirst(joined))
      }
      if map.layout(in: room).showsNumbers {
        return (map, ["the first column joins \(columns[0].label) to \(last.label)".sanitized])
      }
    }
    return (self, [])
  }

  /// With fewer columns than these nothing is seen to change.
  private static let fewTimes = 5

  private func lines(_ labels: [String], _ labelWidth: Int, on terminal: Terminal) -> [String] {
    let layout = layout(in: terminal.width - labelWidth)
    let gap = String(repeating: " ", count: layout.gap)
    let headings = layout.headings.map {
      gap + $0.truncated(to: layout.width).padded(to: layout.width, layout.showsNumbers ? .right : .left)
    }
    let heading = String(repeating: " ", count: labelWidth) + headings.joined()
    var lines = [Style.dim(heading.withoutTrailingBlanks, on: terminal)]
    let greatest = greatest
    for (row, label) in zip(rows, labels) {
      var line = label.truncated(to: labelWidth).padded(to: labelWidth)
      for place in layout.places {
        let amount = row.amounts.indices.contains(place) ? row.amounts[place] : nil
        line += gap + field(amount, greatest[place], layout, on: terminal)
      }
      lines.append(line.withoutTrailingBlanks)
    }
    return lines + legend(layout, on: terminal)
  }

  private func field(_ amount: Amount?, _ greatest: Double, _ layout: Layout, on terminal: Terminal) -> String {
    guard let amount else { return String(repeating: " ", count: layout.width) }
    let share = amount.share(of: greatest)
    guard share > 0 else {
      let nothing = (terminal.usesUnicode ? "·" : "-").padded(to: layout.width, layout.showsNumbers ? .right : .left)
      return Style.dim(nothing, on: terminal)
    }
    let number = layout.showsNumbers ? " " + amount.text.sanitized : ""
    // Under its heading, which stands at the right with the numbers.
    let shadeWidth = layout.showsNumbers ? Self.shadeWidth : layout.width
    let shade = String(repeating: Self.shade(share, usesUnicode: terminal.usesUnicode), count: shadeWidth)
    let blanks = String(repeating: " ", count: max(0, layout.width - shadeWidth - number.cellWidth))
    return layout.showsNumbers ? Style.cyan(shade, on: terminal) + blanks + number : Style.cyan(shade, on: terminal)
  }

  private func legend(_ layout: Layout, on terminal: Terminal) -> [String] {
    var lines: [String] = []
    var line = ""
    for entry in layout.key.map({ $0.truncated(to: terminal.width) }) {
      if !line.isEmpty, line.cellWidth + 3 + entry.cellWidth > terminal.width {
        lines.append(Style.dim(line, on: terminal))
        line = ""
      }
      line += (line.isEmpty ? "" : "   ") + entry
    }
    if !line.isEmpty { lines.append(Style.dim(line, on: terminal)) }
    if greatest.contains(where: { $0 > 0 }) {
      let shades = (1...4).map { Self.shade(Double($0) / 4 - 0.1, usesUnicode: terminal.usesUnicode) }
      let text = "\(String(shades)) quarters of the column's greatest, or of 4"
      lines.append(Style.dim(text.truncated(to: terminal.width), on: terminal))
    }
    let missing = columns.count - layout.places.count
    if missing > 0 {
      let text = "\(missing) \(showsTimes ? "earlier" : "more") \(missing == 1 ? "column does" : "columns do") not fit"
      lines.append(Style.dim(text.truncated(to: terminal.width), on: terminal))
    }
    return lines
  }

  /// The fullest layout that fits: all of the labels before short ones, numbers before none.
  private func layout(in room: Int) -> Layout {
    let full = columns.map(\.label.sanitized)
    let short = columns.map { ($0.short ?? $0.label).sanitized }
    let letters = columns.indices.map(Self.letter)
    let key = zip(letters, full).map { "\($0) \($1)" }
    let number = rows.flatMap(\.amounts).compactMap { $0?.text.sanitized.cellWidth }.max() ?? 1
    func width(_ headings: [String], _ showsNumbers: Bool) -> Int {
      max(headings.map(\.cellWidth).max() ?? 1, showsNumbers ? Self.shadeWidth + 1 + number : 2)
    }
    // Letters would hide that columns are times.
    let candidates = showsTimes ? [(full, []), (short, [])] : [(full, []), (short, []), (letters, key)]
    for (headings, key) in candidates {
      for showsNumbers in [true, false] {
        let width = width(headings, showsNumbers)
        if (width + Self.gap(showsNumbers: showsNumbers)) * columns.count <= room {
          return Layout(
            headings: headings, width: width, showsNumbers: showsNumbers, places: columns.indices, key: key)
        }
      }
    }
    // Not even so: as many as fit.
    let headings = showsTimes ? short : letters
    let width = width(headings, false)
    let count = min(columns.count, max(1, room / (width + Self.gap(showsNumbers: false))))
    let places = showsTimes ? columns.count - count..<columns.count : 0..<count
    return Layout(
      headings: Array(headings[places]), width: width, showsNumbers: false, places: places,
      key: showsTimes ? [] : Array(key[places]))
  }

  /// A … Z, AA, AB, …
  private static func letter(_ place: Int) -> String {
    let last = String(Character(Unicode.Scalar(UInt8(65 + place % 26))))
    return place < 26 ? last : letter(place / 26 - 1) + last
  }

  // MARK: As a picture

  public func draw(in drawing: inout Drawing) {
    guard !rows.isEmpty, !columns.isEmpty else { return }
    let (rowHeight, small) = (26.0, Drawing.Size.small.pixels)
    let room = drawing.width - 2 * Drawing.margin
    let size = Drawing.Size.normal.pixels
    let labelWidth = min(rows.map { TextWidth.pixels($0.label, size: size) }.max() ?? 0, room * 0.34)
    let start = Drawing.margin + labelWidth + 10
    let step = min((drawing.width - Drawing.margin - start) / Double(columns.count), 84)
    drawHeadings(in: &drawing, start: start, step: step)
    let greatest = greatest
    let gap = step > 12 ? 2.0 : 0.5
    // Some of the numbers would mislead.
    let texts = rows.flatMap { $0.amounts.prefix(columns.count) }.compactMap(\.self).filter { $0.share(of: 1) > 0 }
    let showsNumbers = texts.allSatisfy { TextWidth.pixels($0.text, size: small) <= step - gap + 0.5 }
    for row in rows {
      let top = drawing.height
      drawing.text(row.label, x: Drawing.margin, y: top + 18, limit: labelWidth)
      for (place, column) in columns.enumerated() {
        guard row.amounts.indices.contains(place), let amount = row.amounts[place] else { continue }
        let level = Self.level(amount.share(of: greatest[place]))
        let x = start + Double(place) * step
        drawing.rectangle(
          x: x, y: top + 1, width: step - gap, height: rowHeight - 2,
          level > 0 ? Palette.levels[level - 1] : Palette.none, hint: "\(row.label), \(column.label): \(amount.text)")
        if level > 0, showsNumbers {
          drawing.text(
            amount.text, x: x + (step - gap) / 2, y: top + 17, Palette.onLevels[level - 1], .small, anchor: .middle)
        }
      }
      drawing.skip(max(0, top + rowHeight - drawing.height))
    }
    drawLegend(in: &drawing, start: start)
  }

  /// The headings side by side where they fit, in a few lines if need be; else upright, or only some of them.
  private func drawHeadings(in drawing: inout Drawing, start: Double, step: Double) {
    let size = Drawing.Size.small.pixels
    func width(_ label: String) -> Double { TextWidth.pixels(label, size: size) }
    func middle(_ place: Int) -> Double { start + (Double(place) + 0.5) * step - 1 }
    let full = columns.map { $0.label.sanitized.wrapped(to: Int(step / (size * 0.62))) }
    let short = columns.map { [($0.short ?? $0.label).sanitized] }
    let words = columns.flatMap { $0.label.split(separator: " ") }
    let fitting = [full, short].first { headings in
      headings.allSatisfy { lines in lines.count <= 3 && lines.allSatisfy { width($0) <= step - 4 } }
    }
    if let headings = fitting, headings == short || words.allSatisfy({ width(String($0)) <= step - 4 }) {
      let top = drawing.height
      let most = headings.map(\.count).max() ?? 1
      for (place, lines) in headings.enumerated() {
        for (line, words) in lines.enumerated() {
          let base = top + 14 * Double(most - lines.count + line + 1)
          drawing.text(words, x: middle(place), y: base, Palette.faint, .small, anchor: .middle)
        }
      }
    } else {
      let labels = columns.map(\.label)
      let height = min(labels.map(width).max() ?? 0, 110)
      let base = drawing.height + height + 4
      let every = max(1, Int(((size + 2) / step).rounded(.up)))
      for (place, label) in labels.enumerated() where place % every == 0 {
        drawing.text(
          label, x: middle(place) + 4, y: base, Palette.faint, .small, limit: height + 1, isUpright: true)
      }
    }
    drawing.skip(6)
  }

  private func drawLegend(in drawing: inout Drawing, start: Double) {
    guard greatest.contains(where: { $0 > 0 }) else { return }
    drawing.skip(10)
    let (top, width) = (drawing.height, 26.0)
    for (place, paint) in ([Palette.none] + Palette.levels).enumerated() {
      drawing.rectangle(x: Drawing.margin + Double(place) * width, y: top, width: width - 2, height: 12, paint)
    }
    drawing.text(
      "none, then quarters of the column's greatest, or of 4", x: Drawing.margin + 5 * width + 6, y: top + 10,
      Palette.faint,
      .small, limit: drawing.width - 2 * Drawing.margin - 5 * width - 6)
  }
}
