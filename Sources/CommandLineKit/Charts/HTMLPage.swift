/// A self-contained page of text, charts and sortable tables. Style, script and pictures are inside the page, and its
/// security policy forbids all requests.
///
/// Its words are messages, translated when the page is written. Values in them are escaped, and right-to-left text in a
/// name does not affect its surroundings. The page adapts to the color scheme, fits a phone, prints, and is readable
/// without the script. It is also well-formed XML.
///
/// It shows a ``Report``, or what a server adds to the blocks of one: links, pictures, forms.
///
///     var page = HTMLPage("Genres")
///     page.add(.paragraph("Most of all \(name): \(code: "catalog list genre:jazz")"))
///     page.add(.links([HTMLPage.Link("Edit", "/item/3/edit")]))
///     try output.append(page.text)
public struct HTMLPage: Sendable {
  public var title: Message
  /// The subject of the page, below the title.
  public var subtitle: Message?
  /// The origin of the page, at its end.
  public var footer: Message?
  /// The language of the page; nil is English.
  public var translation: Translation?
  public var blocks: [Block]
  /// The navigation links of a page from a server. Such a page loads only from that server, and its policy is sent as a
  /// header, ``sitePolicy(hash:)``, instead of in the page.
  public var navigation: [Link]?

  public init(
    _ title: Message, subtitle: Message? = nil, footer: Message? = nil, in translation: Translation? = nil,
    blocks: [Block] = []
  ) {
    (self.title, self.subtitle, self.footer) = (title, subtitle, footer)
    (self.translation, self.blocks) = (translation, blocks)
  }

  public init(_ report: Report, in translation: Translation? = nil) {
    self.init(report.title, subtitle: report.subtitle, footer: report.footer, in: translation)
    blocks = report.blocks.map(Block.part)
  }

  /// A part of the page.
  public enum Block: Sendable {
    case part(Report.Block)
    /// Pictures side by side, all of the same height.
    case pictures([Picture])
    /// The result of the user's last action, or its error, one paragraph each.
    case told([Message])
    /// Text that a user wrote, with its line breaks.
    case quote(String)
    /// A picture of the same server, by path.
    case picture(address: String, label: String)
    /// Links to other pages, side by side.
    case links([Link])
    /// Links to items, one below the other.
    case things([Thing])
    case form(Form)

    fileprivate var hasTable: Bool {
      if case .part(.table) = self { true } else { false }
    }
  }

  public mutating func add(_ part: Report.Block) { blocks.append(.part(part)) }

  public mutating func add(_ block: Block) { blocks.append(block) }

  /// The page in UTF-8.
  public var text: String {
    Self.document(
      title.text(in: translation), language: translation.language,
      style: navigation == nil ? Self.style + Palette.chartStyle : Self.siteStyle,
      policy: navigation == nil ? Self.policy : nil
    ) { page in
      if let navigation { page.element("nav") { write(navigation, to: &$0) } }
      page.element("main", body: writeMain)
      if blocks.contains(where: \.hasTable) {
        page.append(literal: "\n<script>\n")
        page.append(literal: Self.script)
        page.append(literal: "</script>\n")
      }
    }
  }

  /// A page with the contents that `body` writes, without permission for requests.
  /// - Parameter policy: nil when the server sends the policy.
  static func document(
    _ title: String, language: String, style: String, policy: String? = policy, body: (inout Markup) -> Void
  ) -> String {
    var page = Markup()
    page.append(literal: "<!DOCTYPE html>\n")
    page.element("html", [("lang", language)]) { page in
      page.append(literal: "\n")
      page.element("head") { writeHead(to: &$0, title, style, policy) }
      page.append(literal: "\n")
      page.element("body") { page in
        page.append(literal: "\n")
        body(&page)
      }
    }
    page.append(literal: "\n")
    return page.text
  }

  // MARK: Parts

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    + "form-action 'none'"

  private static func writeHead(to page: inout Markup, _ title: String, _ style: String, _ policy: String?) {
    page.append(literal: "\n")
    page.element("meta", [("charset", "utf-8")])
    page.append(literal: "\n")
    if let policy {
      page.element("meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)])
      page.append(literal: "\n")
    }
    page.element("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
    page.append(literal: "\n")
    page.element("meta", [("name", "color-scheme"), ("content", "light dark")])
    page.append(literal: "\n")
    page.element("title", text: title)
    page.append(literal: "\n")
    page.append(style: style)
    page.append(literal: "\n")
  }

  private func writeMain(to page: inout Markup) {
    page.append(literal: "\n")
    page.element("header") { page in
      page.element("h1") { write(title, to: &$0) }
      if let subtitle { page.element("p", [("class", "faint")]) { write(subtitle, to: &$0) } }
    }
    page.append(literal: "\n")
    for block in blocks {
      write(block, to: &page)
      page.append(literal: "\n")
    }
    if let footer {
      page.element("footer") { $0.element("p") { write(footer, to: &$0) } }
      page.append(literal: "\n")
    }
  }

  private func write(_ block: Block, to page: inout Markup) {
    switch block {
    case .part(let part): write(part, to: &page)
    case .pictures(let pictures):
      page.element("div", [("class", "pictures")]) { page in
        for picture in pictures {
          page.element(
            "img",
            [
              ("src", picture.address), ("alt", picture.label.sanitized), ("width", String(picture.width)),
              ("height", String(picture.height)),
            ])
        }
      }
    case .told(let lines):
      page.element("div", [("class", "told"), ("role", "status")]) { page in
        for line in lines { page.element("p") { write(line, to: &$0) } }
      }
    case .quote(let words): page.element("blockquote", [("dir", "auto")], lines: words)
    case .picture(let address, let label):
      page.element("img", [("class", "cover"), ("src", address), ("alt", label.sanitized)])
    case .links(let links): page.element("p", [("class", "links")]) { write(links, to: &$0) }
    case .things(let things): page.element("ul", [("class", "things")]) { write(things, to: &$0) }
    case .form(let form): form.write(to: &page, in: translation)
    }
  }

  private func write(_ part: Report.Block, to page: inout Markup) {
    switch part {
    case .heading(let words): page.element("h2") { write(words, to: &$0) }
    case .paragraph(let words): page.element("p") { write(words, to: &$0) }
    case .lead(let words): page.element("p", [("class", "lead")]) { write(words, to: &$0) }
    case .note(let note): write(note, to: &page)
    case .list(let items):
      page.element("ul") { page in
        for item in items { page.element("li") { write(item.line, to: &$0) } }
      }
    case .facts(let facts):
      page.element("dl", [("class", "facts")]) { page in
        for fact in facts {
          page.element("div") { page in
            page.element("dt") { write(fact.name, to: &$0) }
            page.element("dd", [("class", "fact")]) { write(fact.text, to: &$0) }
            if let note = fact.note {
              page.element("dd", [("class", "faint")]) { write(Footnote(note, command: fact.command).line, to: &$0) }
            }
          }
        }
      }
    case .entries(let entries):
      page.element("dl", [("class", "entries")]) { page in
        for entry in entries {
          page.element("dt") { write(entry.name, to: &$0) }
          page.element("dd") { write(entry.text, to: &$0) }
        }
      }
    case .figure(let chart, let notes):
      write(chart, to: &page)
      write(notes, to: &page)
    case .table(let table, let caption, let notes):
      TableElement(table, caption: caption, in: translation).write(to: &page)
      write(notes, to: &page)
    }
  }

  private func write(_ notes: [Footnote], to page: inout Markup) {
    for note in notes {
      page.append(literal: "\n")
      write(note, to: &page)
    }
  }

  private func write(_ note: Footnote, to page: inout Markup) {
    page.element("p", [("class", "faint")]) { write(note.line, to: &$0) }
  }

  private func write(_ words: Message, to page: inout Markup) { page.append(words, in: translation) }

  /// As wide as a page of this program shows it, and as wide as a phone does.
  private static let (figureWidth, phoneWidth) = (720.0, 358.0)

  /// A chart drawn twice, since letters that shrink with it could not be read on a phone.
  private func write(_ chart: some Chart, to page: inout Markup) {
    page.element("figure") { page in
      page.element("figcaption", text: chart.title.text(in: translation))
      page.append(literal: "\n")
      chart.write(to: &page, width: Self.figureWidth, class: "wide", in: translation)
      chart.write(to: &page, width: Self.phoneWidth, class: "narrow", in: translation)
      for note in chart.notes { page.element("p", [("class", "faint")]) { write(note, to: &$0) } }
    }
  }
}

/// A table as an element of a page. Each cell has its displayed text, and its number in an attribute.
private struct TableElement {
  var columns: [Table.Column]
  var rows: [[Table.Cell]]
  var caption: Message
  var translation: Translation?
  /// The translated heading of each column.
  private var headings: [String]

  init(_ table: Table, caption: Message, in translation: Translation?) {
    (columns, rows, self.caption, self.translation) = (table.columns, table.rows, caption, translation)
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
            many: "A wider window shows \(spare) more columns."), in: translation)
      }
    }
  }

  private func writeAll(_ places: [Int], _ left: Set<Int>, to page: inout Markup) {
    page.element("table") { page in
      page.element("caption") { $0.append(caption, in: translation) }
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
              let text = columns[place].words(of: cell, in: translation)
              if position == 0 {
                page.element("th", [("scope", "row")] + attributes, text: text)
              } else {
                page.element("td", attributes, text: text)
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
