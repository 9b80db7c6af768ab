/// A table as an element of a page. Each cell has its displayed text, and its number in an attribute.
struct HTMLTable {
  var columns: [Table.Column]
  var rows: [[Table.Cell]]
  var caption: Message
  /// The translated heading of each column.
  private var headings: [String]

  init(_ table: Table, caption: Message, in translation: Translation?) {
    (columns, rows, self.caption) = (table.columns, table.rows, caption)
    headings = columns.map { $0.title.text(in: translation) }
  }

  func write(to page: inout Markup) {
    let places = columns.indices.filter { place in
      !columns[place].isHidden && rows.contains { $0.indices.contains(place) && !$0[place].text.isEmpty }
    }
    let left = phonePlaces(of: places)
    page.element("div", [("class", "table")]) { writeAll(places, left, to: &$0) }
    let spare = places.count - left.count
    if spare > 0 {
      page.append(literal: "\n")
      page.element("p", [("class", "narrow faint")]) {
        $0.append(
          Message(
            counting: spare, one: "A wider window shows \(spare) more column.",
            many: "A wider window shows \(spare) more columns."))
      }
    }
  }

  private func writeAll(_ places: [Int], _ left: Set<Int>, to page: inout Markup) {
    page.element("table") { page in
      page.element("caption") { $0.append(caption) }
      page.append(literal: "\n")
      page.element("thead") { page in
        page.element("tr") { page in
          for place in places {
            page.element(
              "th", [("scope", "col")] + classes(of: place, spare: !left.contains(place)), text: headings[place])
          }
        }
      }
      page.append(literal: "\n")
      page.element("tbody") { page in
        for row in rows {
          page.append(literal: "\n")
          page.element("tr") { page in
            for (position, place) in places.enumerated() {
              let cell = row.indices.contains(place) ? row[place] : ""
              let attributes = classes(of: place, spare: !left.contains(place), cell) + cell.attributes
              let text = columns[place].words(of: cell, in: page.translation)
              if position == 0 {
                page.element("th", [("scope", "row")] + attributes) { $0.link(to: cell.query) { $0.append(text) } }
              } else {
                page.element("td", attributes) { $0.link(to: cell.query) { $0.append(text) } }
              }
            }
          }
        }
      }
    }
  }

  private func classes(of place: Int, spare: Bool, _ cell: Table.Cell = "") -> [Markup.Attribute] {
    let style = cell.style
    var classes: [String] = []
    // A word without an end is broken anywhere, all others where they end.
    if cell.text.split(separator: " ").contains(where: { TextWidth.pixels($0, size: 14) > 150 }) {
      classes.append("long")
    }
    if columns[place].alignment == .right { classes.append("right") }
    if spare { classes.append("spare") }
    if style.isDim { classes.append("faint") }
    if style.isBold { classes.append("strong") }
    if style.color == .green { classes.append("up") }
    if style.color == .red { classes.append("down") }
    if classes.isEmpty { return [] }
    return [("class", classes.joined(separator: " "))]
  }

  /// The places of the columns that a phone has room for; the first always.
  private func phonePlaces(of places: [Int]) -> Set<Int> {
    let size = 14.0
    var widths: [Int: Double] = [:]
    for place in places {
      // Text goes on in a second line, numbers do not.
      let isText = columns[place].alignment == .left
      let texts = rows.map { $0.indices.contains(place) ? TextWidth.pixels($0[place].text, size: size) : 0 }
        .map { isText ? min($0, 100) : $0 }
      let words = headings[place].split(separator: " ").map { TextWidth.pixels($0, size: size) + 14 }
      widths[place] = max(texts.max() ?? 0, words.max() ?? 0) + 12
    }
    var left = places
    while left.count > 1, left.reduce(0, { $0 + (widths[$1] ?? 0) }) > 358 {
      let least = left.dropFirst().map { columns[$0].importance }.min()
      guard let last = left.lastIndex(where: { columns[$0].importance == least && $0 != left.first }) else { break }
      left.remove(at: last)
    }
    return Set(left)
  }
}

extension Table.Cell {
  /// The number to sort by, and the direction of text that may run from right to left.
  fileprivate var attributes: [Markup.Attribute] {
    switch value {
    case .integer(let number): [("data-value", String(number))]
    case .number(let number) where number.isFinite: [("data-value", number.description)]
    default: text.utf8.allSatisfy { $0 < 0x80 } ? [] : [("dir", "auto")]
    }
  }
}
