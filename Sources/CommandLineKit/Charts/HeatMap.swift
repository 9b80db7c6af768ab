/// Counts by row and column. A field has its number, and a shade that is the stronger the more there are than expected.
/// A count that chance may make has the weakest shade.
public struct HeatMap: Chart {
  public var title: Message
  public var notes: [Message]
  public var columns: [Column]
  public var rows: [Row]
  /// Whether the columns are times. If not all fit on a terminal, the first are dropped; for other columns, the last.
  public var showsTimes: Bool
  /// The same map with more and more of its first columns joined, for a terminal without room for all numbers.
  public var narrower: [HeatMap] = []
  public var summary: Message {
    let fields = rows.flatMap { row in zip(columns, row.counts).map { (row.label, $0.label, $1 ?? 0) } }
    let greatest = fields.filter { $0.2 > 0 }.max { $0.2 < $1.2 }
    guard let (row, column, count) = greatest else { return "\(rows.count) rows, \(columns.count) columns." }
    return "\(rows.count) rows, \(columns.count) columns. The greatest is \(row), \(column): \(count)."
  }

  /// A column: its heading, and its total.
  public struct Column: Hashable, Sendable {
    public var label: String
    /// For where the label does not fit: `70s`.
    public var short: String?
    /// Stands for times that are left out.
    public var isGap = false

    public init(_ label: String, short: String? = nil) { (self.label, self.short) = (label, short) }

    /// A column for a period without entries.
    public static let gap = {
      var column = Column("…")
      column.isGap = true
      return column
    }()
  }

  /// A row: its name, and a count for each column. Nil means that there is no value, and leaves the place blank.
  public struct Row: Hashable, Sendable {
    public var label: String
    public var counts: [Int?]
    /// The ratio of each count to the expected one, if it is significant; nil for the others.
    public var times: [Double?]

    public init(_ label: String, _ counts: [Int?], times: [Double?] = []) {
      (self.label, self.counts, self.times) = (label, counts, times)
    }

    fileprivate var sum: Int { counts.reduce(0) { $0 + ($1 ?? 0) } }
  }

  public init(
    _ title: Message, notes: [Message] = [], columns: [Column] = [], rows: [Row] = [], showsTimes: Bool = false
  ) {
    (self.title, self.notes, self.columns, self.rows) = (title, notes, columns, rows)
    self.showsTimes = showsTimes
  }

  // MARK: More than expected

  /// From how many times the expected the two strongest shades are.
  private static let steps = [1.5, 2.5]

  /// The shade of each field, by row and column: 0 for no items, 1 for a count that may be chance, then 2 … 4.
  var levels: [[Int]] {
    rows.map { row in
      row.counts.enumerated().map { column, count in
        guard (count ?? 0) > 0 else { return 0 }
        guard row.times.indices.contains(column), let times = row.times[column] else { return 1 }
        return 2 + Self.steps.count { times >= $0 }
      }
    }
  }

  /// A shade: blank for nothing, then ever darker; of ` .:*#` without Unicode.
  static func shade(_ level: Int, usesUnicode: Bool = true) -> Character {
    let shades: [Character] = usesUnicode ? [" ", "░", "▒", "▓", "█"] : [" ", ".", ":", "*", "#"]
    return shades.indices.contains(level) ? shades[level] : " "
  }

  /// The legend of the shades, from the lightest on.
  private static let meanings: [Message] = [
    "may be chance", Message("more", context: "shade"), "1.5 times", "2.5 times",
  ]
  private static let explanation: Message = "Stronger: more than the genre's share of all, beyond chance."

  // MARK: On a terminal

  /// The layout of the columns: headings, widths, and whether the numbers are shown.
  private struct Layout {
    var headings: [String]
    var widths: [Int]
    var showsNumbers: Bool
    /// The shown columns.
    var places: Range<Int>
    /// The full headings, when the columns have letters.
    var key: [String] = []

    /// The number of spaces before each column.
    var gap: Int { HeatMap.gap(showsNumbers: showsNumbers) }
  }

  private static func gap(showsNumbers: Bool) -> Int { showsNumbers ? 2 : 1 }

  /// The width of the shade beside a number.
  private static let shadeWidth = 2

  public func lines(on terminal: Terminal) -> [String] {
    guard !rows.isEmpty, !columns.isEmpty else { return [] }
    let labels = rows.map(\.label.sanitized)
    let labelWidth = min(labels.map(\.cellWidth).max() ?? 0, max(10, terminal.width * 3 / 10))
    return joiningEarly(in: terminal.width - labelWidth).lines(labels, labelWidth, on: terminal)
  }

  /// The map with so many of the first times in one column that the numbers have room.
  private func joiningEarly(in room: Int) -> HeatMap {
    guard !layout(in: room).showsNumbers else { return self }
    return narrower.first { $0.columns.count >= Self.fewTimes && $0.layout(in: room).showsNumbers } ?? self
  }

  /// With fewer columns than these nothing is seen to change.
  private static let fewTimes = 5

  private func lines(_ labels: [String], _ labelWidth: Int, on terminal: Terminal) -> [String] {
    let layout = layout(in: terminal.width - labelWidth)
    let gap = String(repeating: " ", count: layout.gap)
    let headings = zip(layout.headings, layout.widths).map { heading, width in
      gap + heading.truncated(to: width).padded(to: width, layout.showsNumbers ? .right : .left)
    }
    let heading = String(repeating: " ", count: labelWidth) + headings.joined()
    var lines = [Style.dim(heading.withoutTrailingBlanks, on: terminal)]
    let levels = levels
    for (place, label) in labels.enumerated() {
      var line = label.truncated(to: labelWidth).padded(to: labelWidth)
      for (column, width) in zip(layout.places, layout.widths) {
        let counts = rows[place].counts
        let count = counts.indices.contains(column) && !columns[column].isGap ? counts[column] : nil
        line += gap
        line +=
          count.map { field($0, levels[place][column], column, width, layout, on: terminal) }
          ?? String(repeating: " ", count: width)
      }
      lines.append(line.withoutTrailingBlanks)
    }
    return lines + legend(layout, on: terminal)
  }

  /// The width of a column's numbers.
  private func numberWidth(_ column: Int) -> Int {
    rows.compactMap { $0.counts.indices.contains(column) ? $0.counts[column] : nil }.map { String($0).count }.max() ?? 1
  }

  private func field(
    _ count: Int, _ level: Int, _ column: Int, _ width: Int, _ layout: Layout, on terminal: Terminal
  ) -> String {
    guard level > 0 else {
      let nothing = (terminal.usesUnicode ? "·" : "-").padded(to: width, layout.showsNumbers ? .right : .left)
      return Style.dim(nothing, on: terminal)
    }
    let number = layout.showsNumbers ? " " + String(count).padded(to: numberWidth(column), .right) : ""
    // Below the heading, which is right-aligned with the numbers.
    let shadeWidth = layout.showsNumbers ? Self.shadeWidth : width
    let shade = String(repeating: Self.shade(level, usesUnicode: terminal.usesUnicode), count: shadeWidth)
    let blanks = String(repeating: " ", count: max(0, width - shadeWidth - number.cellWidth))
    // A difference that may be chance has no color.
    return blanks + (level > 1 ? Style.cyan(shade, on: terminal) : Style.dim(shade, on: terminal)) + number
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
    if rows.contains(where: { $0.sum > 0 }) {
      let shades = Self.meanings.enumerated().map { level, meaning in
        "\(Self.shade(level + 1, usesUnicode: terminal.usesUnicode)) " + meaning.text(on: terminal)
      }
      for text in [shades.joined(separator: "  "), Self.explanation.text(on: terminal)] {
        lines += text.wrapped(to: terminal.width).map { Style.dim($0, on: terminal) }
      }
    }
    let missing = columns.count - layout.places.count
    if missing > 0 {
      let words =
        showsTimes
        ? Message(
          counting: missing, one: "\(missing) earlier column does not fit",
          many: "\(missing) earlier columns do not fit")
        : Message(
          counting: missing, one: "\(missing) more column does not fit", many: "\(missing) more columns do not fit")
      lines.append(Style.dim(words.text(on: terminal).truncated(to: terminal.width), on: terminal))
    }
    return lines
  }

  /// The fullest layout that fits: all of the labels before short ones, numbers before none.
  private func layout(in room: Int) -> Layout {
    let full = columns.map(\.label.sanitized)
    let short = columns.map { ($0.short ?? $0.label).sanitized }
    let letters = columns.indices.map(Self.letter)
    let key = zip(letters, full).map { "\($0) \($1)" }
    func widths(_ headings: [String], _ showsNumbers: Bool) -> [Int] {
      let common = max(headings.map(\.cellWidth).max() ?? 1, 2)
      return zip(columns.indices, headings).map { place, heading in
        if columns[place].isGap { return 1 }
        guard showsNumbers else { return common }
        return max(heading.cellWidth, Self.shadeWidth + 1 + numberWidth(place))
      }
    }
    // Letters would hide that columns are times.
    let candidates = showsTimes ? [(full, []), (short, [])] : [(full, []), (short, []), (letters, key)]
    for (headings, key) in candidates {
      for showsNumbers in [true, false] {
        let widths = widths(headings, showsNumbers)
        if widths.reduce(0, +) + Self.gap(showsNumbers: showsNumbers) * columns.count <= room {
          return Layout(
            headings: headings, widths: widths, showsNumbers: showsNumbers, places: columns.indices, key: key)
        }
      }
    }
    // Not even so: as many as fit.
    let headings = showsTimes ? short : letters
    let widths = widths(headings, false)
    let count = min(columns.count, max(1, room / ((widths.max() ?? 2) + Self.gap(showsNumbers: false))))
    let places = showsTimes ? columns.count - count..<columns.count : 0..<count
    return Layout(
      headings: Array(headings[places]), widths: Array(widths[places]), showsNumbers: false, places: places,
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
    let gap = step > 12 ? 2.0 : 0.5
    let levels = levels
    // Some of the numbers would mislead.
    let showsNumbers = rows.flatMap { $0.counts.prefix(columns.count) }.compactMap(\.self).allSatisfy {
      TextWidth.pixels(String($0), size: small) <= step - gap + 0.5
    }
    for (place, row) in rows.enumerated() {
      let top = drawing.height
      drawing.text(row.label, x: Drawing.margin, y: top + 18, limit: labelWidth)
      for (column, heading) in columns.enumerated() {
        guard !heading.isGap, row.counts.indices.contains(column), let count = row.counts[column] else { continue }
        let level = levels[place][column]
        let x = start + Double(column) * step
        drawing.rectangle(
          x: x, y: top + 1, width: step - gap, height: rowHeight - 2,
          level > 0 ? Palette.levels[level - 1] : Palette.none, hint: "\(row.label), \(heading.label): \(count)")
        if level > 0, showsNumbers {
          drawing.text(
            String(count), x: x + (step - gap) / 2, y: top + 17, Palette.onLevels[level - 1], .small, anchor: .middle)
        }
      }
      drawing.skip(max(0, top + rowHeight - drawing.height))
    }
    drawLegend(in: &drawing)
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

  private func drawLegend(in drawing: inout Drawing) {
    guard rows.contains(where: { $0.sum > 0 }) else { return }
    drawing.skip(10)
    let (width, size) = (26.0, Drawing.Size.small.pixels)
    var (x, top) = (Drawing.margin, drawing.height)
    for (paint, message) in zip([Palette.none] + Palette.levels, [Message("none", context: "shade")] + Self.meanings) {
      let meaning = message.text(in: drawing.translation)
      let end = x + width + 2 + TextWidth.pixels(meaning, size: size)
      if end > drawing.width - Drawing.margin, x > Drawing.margin { (x, top) = (Drawing.margin, top + 18) }
      drawing.rectangle(x: x, y: top, width: width - 2, height: 12, paint)
      drawing.text(meaning, x: x + width + 2, y: top + 10, Palette.faint, .small)
      x += width + TextWidth.pixels(meaning, size: size) + 14
    }
    drawing.skip(6)
    drawing.paragraph(Self.explanation, Palette.faint, .small)
  }
}
