extension Report.Block: PagePart {
  /// Writes the block as elements of a page.
  public func write(to page: inout Markup) {
    switch self {
    case .heading(let words): page.element("h2", words)
    case .paragraph(let words): page.element("p", words)
    case .lead(let words): page.element("p", [("class", "lead")], words)
    case .note(let note): Self.write([note], to: &page)
    case .list(let items):
      page.element("ul") { page in
        for item in items { page.element("li", item.line) }
      }
    case .facts(let facts):
      page.element("dl", [("class", "facts")]) { page in
        for fact in facts {
          page.element("div") { page in
            page.element("dt", fact.name)
            page.element("dd", [("class", "fact")], fact.text)
            if let note = fact.note {
              page.element("dd", [("class", "faint")], Footnote(note, command: fact.command).line)
            }
          }
        }
      }
    case .entries(let entries):
      page.element("dl", [("class", "entries")]) { page in
        for entry in entries {
          page.element("dt", entry.name)
          // Only pages of the web: another address may be a script.
          if let address = entry.address, address.hasPrefix("https://") || address.hasPrefix("http://") {
            page.element("dd") { page in
              page.element("a", [("href", address), ("rel", "noreferrer")], entry.text)
            }
          } else {
            page.element("dd", entry.text)
          }
        }
      }
    case .figure(let chart, let notes):
      Self.write(chart, to: &page)
      Self.write(notes, to: &page)
    case .table(let table, let caption, let notes):
      HTMLTable(table, caption: caption, in: page.translation).write(to: &page)
      Self.write(notes, to: &page)
    }
  }

  private static func write(_ notes: [Footnote], to page: inout Markup) {
    for note in notes {
      page.append(literal: "\n")
      page.element("p", [("class", "faint")], note.line)
    }
  }

  /// As wide as a page of this program shows it, and as wide as a phone does.
  private static let (figureWidth, phoneWidth) = (720.0, 358.0)

  /// A chart drawn twice, since letters that shrink with it could not be read on a phone.
  private static func write(_ chart: some Chart, to page: inout Markup) {
    page.element("figure") { page in
      page.element("figcaption", text: chart.title.text(in: page.translation))
      page.append(literal: "\n")
      chart.write(to: &page, width: figureWidth, class: "wide")
      chart.write(to: &page, width: phoneWidth, class: "narrow")
      for note in chart.notes { page.element("p", [("class", "faint")], note) }
    }
  }
}
