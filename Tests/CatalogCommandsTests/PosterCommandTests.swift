import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

struct PosterCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    // No program is there that makes pictures smaller, or draws.
    try FileManager.default.createDirectory(atPath: folder.path("programs"), withIntermediateDirectories: true)
    catalog.environment["PATH"] = folder.path("programs")
  }

  private func link(_ name: String, to program: String) throws {
    let found = try #require(
      ["/usr/bin", "/bin"].map { "\($0)/\(program)" }.first(where: FileManager.default.isExecutableFile))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("programs/\(name)"), withDestinationPath: found)
  }

  private func cover(_ item: ItemID, _ bytes: [UInt8] = CoverCommandTests.png(width: 30, height: 45)) throws {
    try catalog.store.setCover(Cover(bytes: bytes, mediaType: "image/png", sourceURL: "https://x.example/1"), of: item)
  }

  private func rate(_ item: ItemID, _ rating: String, _ words: String? = nil) throws {
    _ = try catalog.store.addCard(to: item, rating: Rating(rating), comment: words, now: catalog.clock)
  }

  /// Records of two genres and a book, some with covers and cards.
  private func fill() throws {
    for (number, title) in ["Kind of Blue", "Blue Train", "Moanin'", "Time Out"].enumerated() {
      let item = try catalog.add(.vinyl, title, by: "Artist \(number)", year: 1959, genres: ["Jazz"])
      if number != 2 { try cover(item) }
      if number == 1 { try rate(item, "4.5", "The horns come in like weather.") }
    }
    for title in ["Abbey Road", "Pet Sounds"] {
      try cover(catalog.add(.vinyl, title, by: "A Band", year: 1969, genres: ["Rock"]))
    }
    let book = try catalog.add(.book, "소년이 온다", by: "한강", year: 2014, genres: ["Literary Fiction"])
    try rate(book, "5", "잊을 수 없다")
  }

  private func labels(_ svg: MarkupElement) -> [String] { svg.all("image").map { $0.all("title")[0].text } }

  private func poster(_ words: String...) throws -> MarkupElement {
    let run = catalog.run(words + ["--poster", "-"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    return try MarkupElement(parsing: run.output)
  }

  private static let commands = [["genres"], ["report", "year"]]

  @Test func `the record named by represent comes first on a poster and in its footer`() throws {
    try fill()
    catalog.run("represent", "time out")
    let genres = try poster("genres")
    #expect(labels(genres).first == "Time Out — Artist 3 (1959)")
    #expect(Set(labels(genres)).count == labels(genres).count)
    for poster in [genres, try poster("report", "year")] {
      #expect(poster.text.contains("Time Out — Artist 3 (1959) · catalog · 2026-11-21"))
    }
  }

  // MARK: What is on it

  @Test func `the poster of a year shows covers, sentences and months`() throws {
    try fill()
    let svg = try poster("report", "year")
    #expect(
      labels(svg) == [
        "Blue Train — Artist 1 (1959)", "Pet Sounds — A Band (1969)", "Abbey Road — A Band (1969)",
        "Time Out — Artist 3 (1959)", "Kind of Blue — Artist 0 (1959)",
      ])
    let texts = svg.all("text").map(\.text).joined(separator: " ")
    for words in [
      "Books and records", "2026 so far", "You added 1 book and 6 records.",
      "Rated: 1 book and 1 record, 4.75 stars on average.",
      "Best of all: 소년이 온다, with 5 stars.", "Mostly added: Jazz, 4 items.", "Most added by A Band: 2 items.",
      "Added, month by month", "Nov", "“잊을 수 없다” 소년이 온다 ★★★★★", "catalog · 2026-11-21",
    ] { #expect(texts.contains(words), "\(words)") }
    #expect(svg.all("rect").contains { $0.all("title").first?.text == "Nov: 7" })
  }

  @Test func `the poster of genres shows a cover of each genre, then others`() throws {
    try fill()
    let svg = try poster("genres")
    #expect(
      labels(svg) == [
        "Blue Train — Artist 1 (1959)", "Pet Sounds — A Band (1969)", "Time Out — Artist 3 (1959)",
        "Abbey Road — A Band (1969)", "Kind of Blue — Artist 0 (1959)",
      ])
    let texts = svg.all("text").map(\.text)
    for words in ["My genres", "7 items", "Items by genre", "Jazz", "Rock", "“잊을 수 없다”"] {
      #expect(texts.contains(words), "\(words)")
    }
    #expect(texts.joined(separator: " ").contains("Jazz above all: 4 of 7 items."))
    // For seven items, numbers say how many and no more.
    #expect(!texts.contains { $0.contains("branches") || $0.contains("average") })
    let records = try poster("genres", "kind:vinyl", "^genre:rock", "--shape=square")
    #expect(records.attributes["height"] == "1080")
    #expect(records.all("text").contains { $0.text == "4 items: kind:vinyl ^genre:rock" })
    #expect(labels(records).count == 3)
    #expect(records.all("text").contains { $0.text.contains("like weather") })
  }

  @Test(arguments: commands) func `without covers, genres and cards there is still a poster`(_ words: [String]) throws {
    try catalog.add(.movie, "Alien")
    for shape in ["portrait", "square"] {
      let svg = try MarkupElement(parsing: catalog.run(words + ["--poster=-", "--shape", shape]).output)
      #expect(svg.all("image").isEmpty)
      #expect(svg.all("text").count > 2)
      for word in ["nan", "inf", "nil", "Optional"] { #expect(!svg.text.contains(word)) }
    }
  }

  @Test(arguments: commands) func `the poster contains no path or URL`(_ words: [String]) throws {
    let own = try TestCatalog(path: folder.path("secret-name.db"))
    own.environment = catalog.environment
    try cover2(own)
    for format in ["svg", "html"] {
      let path = folder.path("p.\(format)")
      #expect(own.run(words + ["--poster", path]).status == 0)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("data:image/png"))
      #expect(!text.contains("secret-name"))
      #expect(!text.contains(folder.path))
      #expect(!text.replacing("http://www.w3.org/2000/svg", with: "").contains("://"))
    }
  }

  private func cover2(_ catalog: TestCatalog) throws {
    let item = try catalog.add(.vinyl, "Kind of Blue", genres: ["Jazz"])
    let cover = Cover(
      bytes: CoverCommandTests.png(), mediaType: "image/png", sourceURL: "https://x.example/1?token=5")
    try catalog.store.setCover(cover, of: item)
  }

  @Test func `a poster is in Korean in a Korean locale`() throws {
    try fill()
    catalog.terminal.translation = SpokenLanguage.all.first { $0.code == "ko" }?.translation()
    catalog.environment["LANG"] = "ko_KR.UTF-8"
    let texts = try poster("report", "year").all("text").map(\.text).joined(separator: " ")
    for words in ["2026년, 지금까지", "책 1권, 음반 6장을 추가했습니다.", "가장 많이 추가한 장르: 재즈 (항목 4개).", "월별 추가", "11월"] {
      #expect(texts.contains(words), "\(texts)")
    }
    let path = folder.path("genres.html")
    #expect(catalog.run("genres", "--poster", path).status == 0)
    let page = try MarkupElement(parsing: String(contentsOfFile: path, encoding: .utf8))
    #expect(page.attributes["lang"] == "ko")
    #expect(page.all("title")[0].text == "나의 장르")
  }

  // MARK: Covers

  @Test func `an invalid or too large cover is skipped on a poster`() throws {
    let items = try (1...4).map { try catalog.add(.vinyl, "Title \($0)", genres: ["Jazz"]) }
    try cover(items[0])
    try cover(items[1], Array("<html>".utf8))
    try cover(items[2], CoverCommandTests.png(width: 255, height: 255, high: 255))
    try cover(items[3], CoverCommandTests.png() + Array(repeating: 0, count: 3 << 20))
    #expect(labels(try poster("genres")) == ["Title 1"])
    // A cover that the program cannot make smaller is skipped, too.
    try link("vipsthumbnail", to: "false")
    #expect(labels(try poster("genres")) == [])
  }

  @Test func `large covers that cannot be shrunk are reported with a hint`() throws {
    for number in 1...3 {
      try cover(
        catalog.add(.vinyl, "Title \(number)", genres: ["Jazz"]),
        CoverCommandTests.png() + Array(repeating: 0, count: 1 << 20))
    }
    let run = catalog.run("genres", "--poster", "-")
    #expect(run.status == 0)
    #expect(
      run.errors == """
        catalog: the covers are as large as they are, 3.1 MB: no program is installed that makes them smaller
        hint: apt-get install libvips-tools

        """)
  }

  // MARK: Files

  @Test(arguments: commands) func `the file name extension selects the format of a poster`(_ words: [String]) throws {
    try fill()
    let svg = catalog.run(words + ["--poster", folder.path("a.SVG")])
    #expect(svg.status == 0)
    #expect(svg.output.hasPrefix("wrote \(folder.path("a.SVG")) ("))
    #expect(try String(contentsOfFile: folder.path("a.SVG"), encoding: .utf8).hasPrefix("<?xml"))
    #expect(catalog.run(words + ["--poster", folder.path("a.html")]).status == 0)
    #expect(try String(contentsOfFile: folder.path("a.html"), encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    for name in ["a.jpg", "a", "svg", "a.svg.gz"] {
      let run = catalog.run(words + ["--poster", name])
      #expect(run.status == 2)
      #expect(run.output == "")
      #expect(run.errors.contains("a poster ends in .svg, .html or .png"), "\(run.errors)")
    }
    #expect(catalog.run(words + ["--poster", folder.path("a.html")]).errors.contains("--yes"))
    #expect(catalog.run(words + ["--poster", folder.path("b.svg"), "--dry-run"]).output.hasPrefix("would write"))
  }

  @Test func `a PNG poster needs rsvg-convert, and a missing or failed one is reported`() throws {
    try fill()
    let path = folder.path("a.png")
    #expect(
      catalog.run("genres", "--poster", path)
        == .init(
          output: "",
          errors: """
            catalog: a PNG is drawn by the program rsvg-convert, which is not installed
            hint: apt-get install librsvg2-bin; or name a file that ends in .svg or .html

            """, status: 1))
    try link("rsvg-convert", to: "false")
    #expect(catalog.run("genres", "--poster", path).errors.contains("rsvg-convert could not draw the poster\nhint: "))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `poster options that exclude each other are rejected`() throws {
    try fill()
    for words in [
      ["genres", "--shape", "square"], ["report", "year", "--shape", "square"],
      ["genres", "--poster", "-", "--json"], ["report", "year", "--poster", "-", "--csv"],
      ["genres", "--poster", "-", "--html", "-"], ["report", "year", "--poster", "-", "--html", "-"],
      ["genres", "--poster", "-", "--by", "decade"], ["genres", "--poster", "-", "--shape", "round"],
      ["genres", "--poster", ""],
    ] {
      let run = catalog.run(words)
      #expect(run.status == 2, "\(words)")
      #expect(run.output == "", "\(words)")
    }
    #expect(catalog.run("genres", "--poster=-", "--shape=sqare").errors.contains("did you mean 'square'"))
  }

  @Test(arguments: commands) func `an empty catalog or query makes no poster`(_ words: [String]) throws {
    let run = catalog.run(words + ["--poster", "-"])
    #expect(
      run
        == .init(
          output: "",
          errors: """
            catalog: the catalog is empty, so there is nothing to draw
            hint: look something up: catalog search dune

            """, status: 1))
    try fill()
    #expect(catalog.run(words + ["kind:movie", "--poster", "-"]).status == 1)
  }

  // MARK: The page of the year

  @Test func `the HTML page of a year begins with covers and sentences and ends with the comparison`() throws {
    try fill()
    let html = try MarkupElement(parsing: catalog.run("report", "year", "--html", "-").output)
    #expect(html.all("img").map { $0.attributes["alt"] }.first == "Blue Train — Artist 1 (1959)")
    #expect(html.all("img").count == 5)
    let main = html.all("main")[0].elements.map { $0.attributes["class"] ?? $0.name }
    #expect(main.prefix(4) == ["header", "pictures", "lead", "lead"])
    #expect(
      html.all("p").first { $0.attributes["class"] == "lead" }?.text == "You added 1 book and 6 records.")
    let headings = html.all("h2").map(\.text)
    #expect(headings == ["By month", "Best", "First and last", "Genres", "Most by", "2026 and 2025"])
    #expect(html.all("table").last?.all("caption").first?.text == "What can be counted")
  }

  @Test func `a cut list with equal entries reports how many more tie`() throws {
    for number in 1...12 {
      try rate(try catalog.add(.movie, "Movie \(number)", genres: ["Genre \(number)"]), "4")
    }
    catalog.atTerminal()
    let text = catalog.run("report", "year", "--no-pager").output
    #expect(text.contains("Movie 10\n") || text.contains("Movie 10 "))
    #expect(!text.contains(" Movie 11 "))
    #expect(text.contains("and 2 more with the rating of the last\n"))
    #expect(text.contains("and 2 more with 1 item\n"))
    #expect(text.contains("12 titles got the year's highest rating, 4 stars.\n"))
    catalog.terminal = Terminal()
    #expect(
      catalog.run("report", "year", "--json=more_as_good,more_genres,more_creators").output
        == "{\"more_as_good\":2,\"more_genres\":2,\"more_creators\":0}\n")
    let html = catalog.run("report", "year", "--html", "-").output
    #expect(html.contains("and 2 more with the rating of the last<"))
    #expect(html.contains("and 2 more with 1 item<"))
  }

  @Test func `the bars of a poster report how many more tie`() throws {
    for number in 1...9 { try catalog.add(.movie, "Movie \(number)", genres: ["Genre \(number)"]) }
    let svg = try poster("genres")
    #expect(svg.all("text").contains { $0.text == "Items by genre, and 2 more with 1 item" })
    #expect(svg.all("text").contains { $0.text == "Genre 7" })
    #expect(!svg.all("text").contains { $0.text == "Genre 8" })
  }

  @Test func `the year report compares the additions with the year before`() throws {
    catalog.now = Date(timeIntervalSince1970: 1_760_000_000)  // 2025-10-09
    for number in 1...3 { try catalog.add(.book, "Old \(number)", by: "Ann") }
    catalog.now = Date(timeIntervalSince1970: 1_795_253_400)
    func first() -> String {
      String(catalog.run("report", "year", "--no-pager").output.split(separator: "\n").dropFirst().first ?? "")
    }
    catalog.atTerminal()
    try catalog.add(.book, "New", by: "Ann")
    #expect(first() == "You added 1 book, 2 fewer than in 2025 up to this day.")
    for number in 1...2 { try catalog.add(.book, "New \(number)", by: "Ann") }
    #expect(first() == "You added 3 books, as many as in 2025 up to this day.")
    try catalog.add(.movie, "Alien")
    #expect(first() == "You added 1 movie and 3 books, 1 more than in 2025 up to this day.")
  }
}
