import TestSupport
import Testing

@testable import CommandLineKit

struct ReportTests {
  private var report: Report {
    var report = Report("Genres", subtitle: "Since 2024, 12 records", footer: "Made today")
    report.add(.lead("A year of jazz."))
    report.add(.lead("And of 대하소설, most of all."))
    report.add(.list([Footnote("More Jazz: 60 %", command: "catalog list genre:Jazz"), Footnote("Nothing new")]))
    report.add(
      .facts([
        .init("Top", "Jazz", note: "with 9 of 12 items"),
        .init("Coverage", "12 of 13", note: "with a genre; the rest", command: "catalog list genre:none"),
      ]))
    var table = TableBuilder(of: [("Jazz", 9), ("대하소설", 3)])
    table.add(.init("genre", "Genre", isFlexible: true)) { .init($0.0, style: .bold) }
    table.add(.init("items", "Items", alignment: .right, importance: 2)) { .init($0.1) }
    var bars = table.table
    bars.bars = .init(behind: "items", of: [9, 3])
    report.add(.table(bars, caption: "All genres", notes: [Footnote("1 more", command: "catalog genres --top 3")]))
    report.add(.note("An item may have several genres."))
    report.add(.heading("Most by"))
    report.add(.figure(BarChart("Items", bars: [.init("Anna", Amount(2))]), notes: [Footnote("Of all.")]))
    report.add(.paragraph("Look something up: \(code: "catalog search dune")"))
    report.add(.entries([.init("New", "Blues, Funk")]))
    return report
  }

  private func text(_ terminal: Terminal) throws -> String {
    let output = Output.memory()
    try report.write(to: output, terminal: terminal)
    return output.text
  }

  @Test func `a report on a terminal parts its blocks by blank lines`() throws {
    #expect(
      try text(Terminal(width: 80)) == """
        Genres  Since 2024, 12 records

        A year of jazz.
        And of 대하소설, most of all.

        • More Jazz: 60 %
          catalog list genre:Jazz
        • Nothing new

        Top        Jazz with 9 of 12 items
        Coverage   12 of 13 with a genre; the rest: catalog list genre:none

        Genre     Items
        Jazz          9  ████████████████████████████████
        대하소설      3  ██████████▋
        1 more: catalog genres --top 3

        An item may have several genres.

        Most by
        Items
        Anna  2  ████████████████████████████████████████
        Of all.

        Look something up: catalog search dune

        New        Blues, Funk

        """)
  }

  @Test func `a report on a narrow terminal keeps commands in one piece`() throws {
    #expect(
      try text(Terminal(width: 31, usesUnicode: false)).hasPrefix(
        """
        Genres  Since 2024, 12 records

        A year of jazz.
        And of 대하소설, most of all.

        * More Jazz: 60 %
          catalog list genre:Jazz
        * Nothing new

        Top        Jazz with 9 of 12
                   items
        Coverage   12 of 13 with a
                   genre; the rest:
                     catalog list genre:none

        Genre     Items
        Jazz          9  ##############

        """))
  }

  @Test func `a report on a terminal with colour has bold headings and figures, and dim notes`() throws {
    var terminal = Terminal(width: 80)
    terminal.usesColor = true
    let lines = try text(terminal).split(separator: "\n")
    #expect(lines.first == "\u{1B}[1mGenres\u{1B}[0m  \u{1B}[2mSince 2024, 12 records\u{1B}[0m")
    #expect(lines.contains("\u{1B}[2mTop        \u{1B}[0m\u{1B}[1mJazz\u{1B}[0m with 9 of 12 items"))
    #expect(lines.contains("\u{1B}[2mAn item may have several genres.\u{1B}[0m"))
    #expect(lines.contains("  \u{1B}[2mcatalog list genre:Jazz\u{1B}[0m"))
  }

  @Test func `a report on a page has an element for each block`() throws {
    let html = try MarkupElement(parsing: HTMLPage(report).text)
    #expect(
      html.all("main")[0].elements.map(\.name).filter { $0 != "p" } == [
        "header", "ul", "dl", "div", "h2", "figure", "dl", "footer",
      ])
    #expect(html.all("p").map(\.text).contains("1 more: catalog genres --top 3"))
    #expect(html.all("li").map(\.text) == ["More Jazz: 60 %: catalog list genre:Jazz", "Nothing new"])
    #expect(html.all("dd").map(\.text).contains("with a genre; the rest: catalog list genre:none"))
    // A page has charts in place of bars.
    #expect(html.all("thead")[0].all("th").map(\.text) == ["Genre", "Items"])
  }

  @Test func `controls in a name are replaced on a terminal`() throws {
    var report = Report(Message(verbatim: "a\u{1B}[2Jb"))
    report.add(.facts([.init("Top", Message(verbatim: "c\u{1B}d"), note: Message(verbatim: "e\u{202E}f"))]))
    report.add(.list([Footnote(Message(verbatim: "g\u{7}"), command: "h\u{7}")]))
    report.add(.note(Message(verbatim: "i\nj")))
    let output = Output.memory()
    try report.write(to: output, terminal: Terminal(isOutputTerminal: true))
    #expect(output.text == "a␛[2Jb\n\nTop        c␛d e\u{FFFD}f\n\n• g␇\n  h␇\n\ni j\n")
  }
}
