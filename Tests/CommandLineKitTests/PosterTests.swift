import Foundation
import TestSupport
import Testing

@testable import CommandLineKit

struct PosterTests {
  private static let hostile = [
    "<script>alert(1)</script>", "\"quoted\" & 'so'", "]]></style><image href=x onload=alert(1)/>", "👩‍👩‍👧 🇰🇷",
    "שלום עולם", "\u{202E}gnp.exe", "a\u{0}b\u{1B}[2Jc\u{FFFE}", String(repeating: "W", count: 300),
    String(repeating: "긴 이름 ", count: 80), String(repeating: "길", count: 300), "기생충",
  ]

  private static func picture(
    _ width: Int = 300, _ height: Int = 450, _ label: String = "A cover"
  ) -> CommandLineKit.Picture {
    CommandLineKit.Picture(bytes: [1, 2, 3, 4], mediaType: "image/jpeg", width: width, height: height, label: label)
  }

  private func poster(
    _ shape: Poster.Shape = .portrait, covers: Int = 8, words: String = "Jazz above all: 8 items.", sentences: Int = 4
  ) -> Poster {
    Poster(
      "2026 in review", topic: "Movies, books and records", shape: shape,
      covers: (0..<covers).map { Self.picture($0 % 2 == 0 ? 300 : 450, 450, "Cover \($0)") },
      sentences: (0..<sentences).map { _ in words },
      chart: BarChart("Items by genre", bars: [.init("Jazz", Amount(8)), .init("Rock", Amount(4))]),
      quote: Poster.Quote("So What never gets old.", about: "Kind of Blue ★★★★½"), footer: "catalog · 2026-11-21")
  }

  // MARK: What is on it

  @Test(arguments: Poster.Shape.allCases) func `a poster has covers, sentences, a chart and a quote`(
    _ shape: Poster.Shape
  ) throws {
    let svg = try MarkupElement(parsing: poster(shape).svg)
    #expect(svg.attributes["viewBox"] == (shape == .portrait ? "0 0 1080 1440" : "0 0 1080 1080"))
    let texts = svg.all("text").map(\.text)
    for words in ["2026 in review", "Movies, books and records", "Items by genre", "Rock", "catalog · 2026-11-21"] {
      #expect(texts.contains(words), "\(words)")
    }
    #expect(texts.joined(separator: " ").contains("“So What never gets old.” Kind of Blue ★★★★½"))
    #expect(texts.joined(separator: " ").contains("Jazz above all: 8 items."))
    let images = svg.all("image")
    #expect(images.count >= 4)
    #expect(images.count <= shape.mostCovers)
    #expect(images.allSatisfy { $0.attributes["href"] == "data:image/jpeg;base64,AQIDBA==" })
    #expect(images.first?.all("title").first?.text == "Cover 0")
    #expect(svg.all("rect").count { $0.attributes["class"] == "bar" } == 3, "two bars, and the line of the quote")
    #expect(svg.all("desc")[0].text.contains("Jazz above all: 8 items."))
  }

  @Test(arguments: Poster.Shape.allCases) func `a poster can consist of its title alone`(_ shape: Poster.Shape) throws {
    let svg = try MarkupElement(parsing: Poster("2026", topic: "", shape: shape, footer: "").svg)
    #expect(svg.all("text").map(\.text) == ["2026"])
    #expect(svg.all("image").isEmpty)
  }

  @Test func `a poster without covers has larger sentences`() throws {
    func size(_ covers: Int) throws -> Double {
      try MarkupElement(parsing: poster(covers: covers).svg).all("text").filter { $0.text.hasPrefix("Jazz above") }
        .compactMap { $0.attributes["font-size"].flatMap(Double.init) }.first ?? 0
    }
    #expect(try size(0) > size(8))
    #expect(try size(8) >= 27)
  }

  @Test func `a poster page loads nothing, contains its pictures and has no script`() throws {
    let html = try MarkupElement(parsing: poster().html)
    let policy = html.all("meta").compactMap { $0.attributes["content"] }.first { $0.hasPrefix("default-src 'none'") }
    #expect(policy?.contains("img-src data:") == true)
    #expect(html.all("svg").count == 1)
    #expect(html.all("script").isEmpty)
    #expect(html.all("title")[0].text == "2026 in review")
    let style = html.all("style").map(\.text).joined()
    #expect(style.contains("@media print"))
    #expect(style.contains("prefers-color-scheme:dark"))
  }

  // MARK: What has room

  /// The boxes of the texts outside the chart.
  private func boxes(_ svg: MarkupElement) throws -> [(x: Double, y: Double, width: Double, text: String)] {
    try svg.elements.filter { $0.name == "text" }.map { text in
      func number(_ name: String) throws -> Double { try #require(text.attributes[name].flatMap(Double.init)) }
      let factor = text.attributes["font-weight"] == nil ? 1 : 1.08
      let width = TextWidth.pixels(text.text, size: try number("font-size")) * factor
      return (try number("x"), try number("y"), width, text.text)
    }
  }

  @Test(arguments: Poster.Shape.allCases, 0..<11) func `hostile text stays within the poster`(
    _ shape: Poster.Shape, _ place: Int
  ) throws {
    let words = Self.hostile[place]
    let poster = Poster(
      words, topic: words, shape: shape, covers: (0..<8).map { _ in Self.picture(300, 450, words) },
      sentences: Array(repeating: words, count: 7),
      chart: BarChart(Message(verbatim: words), bars: Self.hostile.prefix(7).map { .init($0, Amount(3)) }),
      quote: .init(words, about: words), footer: words)
    let svg = try MarkupElement(parsing: poster.svg)
    for box in try boxes(svg) {
      #expect(box.x >= 72, "\(box.text)")
      #expect(box.x + box.width <= 1008.1, "\(box.text)")
      #expect(box.y > 72)
      #expect(box.y <= shape.size.height - 60)
    }
    for image in svg.all("image") {
      let numbers = ["x", "y", "width", "height"].compactMap { image.attributes[$0].flatMap(Double.init) }
      #expect(numbers.count == 4 && numbers[0] >= 72 && numbers[0] + numbers[2] <= 1008.2)
      #expect(numbers[3] > 60)
    }
    // A block begins below the end of the one before.
    let ys = try boxes(svg).map(\.y)
    if shape == .portrait { #expect(ys == ys.sorted()) }
    let everything = svg.everything
    #expect(everything.allSatisfy { $0.name != "script" && !$0.attributes.keys.contains { $0.hasPrefix("on") } })
    #expect(svg.all("image").allSatisfy { $0.attributes["href"]?.hasPrefix("data:image/jpeg;base64,") == true })
    if place == 0 { #expect(svg.all("text").contains { $0.text.contains("<script>") }) }
  }

  @Test func `a long quote is cut after a whole word`() throws {
    let words = (1...400).map { "word\($0)" }.joined(separator: " ")
    var poster = poster()
    poster.quote = .init(words, about: "Dune")
    let lines = try MarkupElement(parsing: poster.svg).all("text").map(\.text).filter { $0.contains("word") }
    let shown = lines.joined(separator: " ")
    #expect(shown.hasPrefix("“word1 word2 "))
    #expect(shown.hasSuffix("…”"))
    let last = try #require(shown.dropLast(2).split(separator: " ").last)
    #expect(words.contains("\(last) "), "\(last) is a whole word")
  }

  @Test func `sentences that do not fit on a poster are left out from the end`() throws {
    let long = "A sentence that is so long that it takes more than a line wherever it stands, and one more after that."
    var square = poster(.square, sentences: 0)
    square.sentences = (1...5).map { "\($0). \(long)" }
    let texts = try MarkupElement(parsing: square.svg).all("text").map(\.text)
    #expect(texts.contains { $0.hasPrefix("1. ") })
    #expect(texts.contains { $0.hasPrefix("2. ") })
    #expect(!texts.contains { $0.hasPrefix("5. ") })
    #expect(Poster("T", topic: "", sentences: Array(repeating: "x", count: 9), footer: "").sentences.count == 5)
  }

  @Test func `covers of extreme shapes keep a minimal width`() throws {
    var poster = poster()
    poster.covers = [Self.picture(10_000, 1), Self.picture(1, 10_000), Self.picture(0, 0), Self.picture()]
    let images = try MarkupElement(parsing: poster.svg).all("image")
    #expect(images.count == 4)
    #expect(images.allSatisfy { $0.attributes["width"].flatMap(Double.init) ?? 0 > 60 })
  }
}

struct PictureTests {
  @Test func `bytes are encoded as base64`() {
    #expect([UInt8]().base64 == "")
    for count in 1...70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ count) }
      #expect(bytes.base64 == Data(bytes).base64EncodedString())
    }
  }

  /// A folder with a program under another name.
  private func folder(_ name: String, _ program: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let found = try #require(
      ["/usr/bin", "/bin"].map { "\($0)/\(program)" }.first(where: FileManager.default.isExecutableFile))
    try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: found)
    return folder
  }

  @Test func `without a scaling program or with a failing one no picture is scaled`() throws {
    let empty = try TemporaryFolder()
    #expect(PictureScaler(along: empty.path("")) == nil)
    for (name, program) in [("vipsthumbnail", "false"), ("convert", "true"), ("magick", "false")] {
      let folder = try folder(name, program)
      let scaler = try #require(PictureScaler(along: folder.path("")))
      #expect(try scaler.scaled([1, 2], mediaType: "image/png", width: 10, height: 10) == nil)
    }
  }

  @Test func `a missing and a failing rsvg-convert are different errors`() throws {
    let empty = try TemporaryFolder()
    #expect(throws: RSVG.Failure.isMissing) { try RSVG(along: empty.path("")).png("<svg/>") }
    for program in ["false", "true", "cat"] {
      let folder = try folder("rsvg-convert", program)
      #expect(throws: RSVG.Failure.hasFailed) { try RSVG(along: folder.path("")).png("<svg/>") }
    }
  }
}
