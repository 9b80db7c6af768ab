import Foundation
import TestSupport
import Testing

@testable import CommandLineKit

struct HTMLPageTests {
  /// Foreign texts that try to break out of their context.
  private static let hostile = [
    "<script>alert(1)</script>", "\"quoted\" & 'so'", "]]></style><img src=x onerror=alert(1)>", "👩‍👩‍👧 🇰🇷", "שלום עולם",
    "\u{202E}gnp.exe", "a\u{0}b\u{1B}[2Jc\u{FFFE}", String(repeating: "W", count: 300), "&lt;b&gt;", "기생충",
  ]

  private let table = Table(
    columns: [
      .init("genre", "Genre", importance: 9), .init("items", "Items", alignment: .right, importance: 8),
      .init("share", "Share", alignment: .right), .init("secret", isHidden: true), .init("empty", "Empty"),
      .init("note", "Note", importance: 0),
    ],
    rows: hostile.enumerated().map { place, text in
      [
        .init(text, style: .bold), .init(place), .init(value: .number(0.25), shown: "25.0 %", style: .green), "x", "",
        .init(String(repeating: "long ", count: 9)),
      ]
    })

  private func page(_ words: [String]) -> HTMLPage {
    var page = HTMLPage(
      Message(verbatim: words.joined(separator: " ")), subtitle: "About \(words[0])", footer: "Made & done")
    let title = Message(verbatim: words[0])
    page.add(.heading(title))
    page.add(.facts(words.map { .init(Message(verbatim: $0), "\($0)", note: "\($0) and \(code: $0)") }))
    page.add(.list(words.map { Footnote("\($0)") }))
    page.add(.note("Words <of> ours, \("one of \(words[4])" as Message), \(12): \(code: words[0])"))
    page.add(
      .figure(BarChart(title, notes: words.map { Message(verbatim: $0) }, bars: words.map { .init($0, Amount(1, $0)) }))
    )
    page.add(
      .figure(
        HeatMap(
          title, columns: words.map { .init($0) },
          rows: words.map { word in .init(word, words.map { _ in 1 }) }
        )))
    page.add(.figure(Timeline(title, moments: words, series: words.map { .init($0, [Amount(1, $0), nil]) })))
    page.add(.table(table, caption: title))
    return page
  }

  @Test func `hostile text is escaped and shown in a well-formed page`() throws {
    let html = try MarkupElement(parsing: page(Self.hostile).text)
    #expect(html.name == "html")
    let items = html.all("li").map(\.text)
    #expect(items == Self.hostile.map { $0.sanitized.replacing("\u{FFFE}", with: "\u{FFFD}") })
    // The only script is ours, the only style sheet too.
    #expect(html.all("script").map(\.text) == ["\n\(HTMLPage.script)"])
    #expect(html.all("style").count == 1)
    #expect(html.all("img").isEmpty)
    let note = try #require(html.all("p").first { $0.text.hasPrefix("Words") })
    #expect(note.text == "Words <of> ours, one of \(Self.hostile[4]), 12: \(Self.hostile[0])")
    #expect(note.all("bdi").map(\.text) == [Self.hostile[4]])
    #expect(note.all("code").map(\.text) == [Self.hostile[0]])
  }

  @Test func `random text gives a well-formed page`() throws {
    var random = SplitMix(seed: 21)
    for _ in 0..<40 {
      let words = (0..<5).map { _ in random.text(upTo: 60) }
      let html = try MarkupElement(parsing: page(words).text)
      #expect(html.all("h2").map(\.text) == [words[0].sanitized.replacing("\u{FFFF}", with: "\u{FFFD}")])
    }
  }

  @Test func `an HTML page loads nothing and has a strict content policy`() throws {
    let text = page(Self.hostile).text
    let html = try MarkupElement(parsing: text)
    for element in html.everything where element.name != "script" { #expect(element.isHarmless, "\(element.name)") }
    #expect(!text.contains("://"))
    #expect(!text.contains("url("))
    #expect(!text.contains("@import"))
    for word in ["fetch", "XMLHttpRequest", "import", "eval", "innerHTML", "location", "<", "&"] {
      #expect(!"\(HTMLPage.script)".contains(word))
    }
    let policy = html.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
    #expect(policy?.attributes["content"]?.hasPrefix("default-src 'none';") ?? false)
  }

  @Test func `a table in an HTML page has shown texts and sort values`() throws {
    let html = try MarkupElement(parsing: page(Array(repeating: "one", count: 5)).text)
    let element = try #require(html.all("table").first)
    #expect(element.all("caption").map(\.text) == ["one"])
    // Hidden and empty columns are left out.
    #expect(element.all("thead")[0].all("th").map(\.text) == ["Genre", "Items", "Share", "Note"])
    let rows = element.all("tbody")[0].all("tr")
    #expect(rows.count == Self.hostile.count)
    #expect(rows[3].elements[0].attributes["scope"] == "row")
    #expect(rows[3].all("td").map(\.text).prefix(2) == ["3", "25.0 %"])
    #expect(rows[3].all("td").map { $0.attributes["data-value"] } == ["3", "0.25", nil])
    #expect(rows[4].elements[0].attributes["dir"] == "auto")
    #expect(rows[3].all("td")[1].attributes["class"] == "right up")
    // A phone has no room for the least important.
    #expect(rows[3].all("td")[2].attributes["class"] == "spare")
    #expect(html.all("p").contains { $0.text == "A wider window shows 1 more column." })
  }

  @Test func `an HTML page has each chart for wide and for narrow windows`() throws {
    let html = try MarkupElement(parsing: page(["one", "two", "three", "four", "five"]).text)
    for figure in html.all("figure") {
      #expect(figure.all("svg").map { $0.attributes["class"] } == ["chart wide", "chart narrow"])
      #expect(figure.all("svg").map { $0.attributes["width"] } == ["720", "358"])
      #expect(figure.all("figcaption").map(\.text) == ["one"])
      for svg in figure.all("svg") { #expect(svg.elements.prefix(2).map(\.name) == ["title", "desc"]) }
    }
  }

  @Test func `an HTML page without a table has no script`() throws {
    let html = try MarkupElement(parsing: HTMLPage("Empty").text)
    #expect(html.all("script").isEmpty)
    #expect(html.all("main")[0].text.contains("Empty"))
  }
}
