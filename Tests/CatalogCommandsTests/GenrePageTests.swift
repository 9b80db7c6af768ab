import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

struct GenrePageTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  private func add(
    _ kind: Kind = .vinyl, _ title: String = "Title", by creator: String = "Somebody", year: Int? = 1959,
    genres: [String], rating: String? = nil, daysAgo: Int = 10
  ) throws {
    let then = Timestamp(catalog.now.addingTimeInterval(-86_400 * Double(daysAgo)))
    // Equal titles of one person would be editions of one work.
    var record = Record(kind: kind, title: "\(title) \(try catalog.store.count(Query()))")
    record.credits = [Credit(name: creator, role: Credit.Role(main: kind))]
    record.year = year
    let id = try catalog.store.add(record, genres: genres, now: then).id
    if let rating { _ = try catalog.store.addCard(to: id, rating: Rating(rating), comment: nil, now: then) }
  }

  /// Adds items of two kinds and years, enough for every section.
  private func fill() throws {
    for number in 0..<14 {
      try add(
        by: "Artist \(number % 3)", year: 1950 + number * 3, genres: ["Jazz", "Hard Bop"], rating: "4.5",
        daysAgo: 10 + number * 50)
      try add(
        .book, "토지", by: "박경리", year: 1994, genres: ["Historical Fiction", number < 4 ? "Jazz" : "대하소설"],
        rating: number % 2 == 0 ? "3" : nil, daysAgo: 700)
    }
    try add(.movie, "기생충", by: "봉준호", year: nil, genres: [])
  }

  private func page(_ words: String...) throws -> MarkupElement {
    let run = catalog.run(["genres", "--html", "-"] + words)
    #expect(run.status == 0)
    #expect(run.errors == "")
    return try MarkupElement(parsing: run.output)
  }

  private func picture(_ words: String...) throws -> MarkupElement {
    let run = catalog.run(["genres", "--svg", "-"] + words)
    #expect(run.status == 0)
    #expect(run.errors == "")
    return try MarkupElement(parsing: run.output)
  }

  // MARK: What is on the page

  @Test func `the genre page has every number of the report`() throws {
    try fill()
    for number in 0..<20 {
      try add(by: "Band \(number)", genres: ["Rock", "Soul"], rating: "5", daysAgo: 15 + 20 * number)
    }
    let report = try catalog.store.genreReport(now: catalog.now)
    let html = try page()
    #expect(
      html.all("h2").map(\.text) == [
        "Often together", "Where they are", "From year to year", "Across kinds", "All genres",
      ])
    let tables = html.all("table").map { table in
      table.all("tbody")[0].all("tr").map { row in
        row.elements.map { $0.attributes["data-value"] ?? $0.text }
      }
    }
    try #require(tables.count == 4)
    let pairs = report.pairs.map {
      [$0.genre, $0.other, String($0.together), $0.expected.description, $0.lift.description]
    }
    #expect(tables[0] == pairs)
    #expect(!pairs.isEmpty)
    #expect(tables[1].map(\.first) == report.years.map { String($0.year) })
    #expect(tables[1].map { $0[3] } == report.years.map { $0.drift?.description ?? "" })
    #expect(tables[2].map { $0[1] } == report.kindPairs.map(\.similarity.description))
    #expect(tables[3].map(\.first) == report.genres.map(\.name))
    for (row, genre) in zip(tables[3], report.genres) {
      // A column without numbers is left out: no kind has items on both sides of a trend.
      let trend = report.hasMomentum ? [genre.momentum] : []
      let numbers = [genre.share, genre.weight, genre.shrunkRating, genre.affinity] + trend
      #expect(row[2] == String(genre.items))
      #expect(row.dropFirst(3) == numbers.map { $0?.description ?? "" }[...])
    }
    let facts = html.all("dd").filter { $0.attributes["class"] == "fact" }.map(\.text)
    #expect(facts == ["Rock", report.effectiveBranches?.fixed(1), "48 of 49", "4.49 stars"])
  }

  @Test func `the genre page has all charts`() throws {
    try fill()
    for _ in 0..<2 { try add(genres: ["Jazz"]) }
    let html = try page()
    #expect(
      html.all("figure").map { $0.elements[0].text } == [
        "Items by genre", "Items by genre and decade", "Items by genre and kind",
        "Items by genre and director, author or artist", "Items by genre and rating in stars",
        "Genres year by year",
      ])
    let notes = html.all("p").map(\.text)
    #expect(notes.contains("1 item of 31 without year: catalog list year:none"))
    #expect(notes.contains("1 item of 31 without genre: catalog list genre:none"))
    #expect(notes.contains("Not in the map, because they say only what kind of thing it is: Music, Fiction."))
  }

  @Test func `the page and the picture show the query`() throws {
    try fill()
    let html = try page("year:1950..1994", "^title:x")
    let title = "14 books on the shelf since 2024 · 14 records on the shelf since 2025: year:1950..1994 ^title:x"
    #expect(html.all("header")[0].text.contains(title))
    #expect(html.all("footer")[0].text.contains("catalog genres --html FILE year:1950..1994 ^title:x. What"))
    #expect(try picture("kind:book").elements[0].text == "Items by genre – kind:book")
  }

  // MARK: Pictures

  @Test func `genres --svg draws the chart that --by names`() throws {
    try fill()
    let bars = try picture()
    #expect(bars.all("rect").count { $0.attributes["class"] == "bar" } == 3)
    #expect(bars.all("rect").count { $0.attributes["class"] == "sum" } == 2)
    #expect(bars.all("text").contains { $0.text == "18" })
    for (dimension, columns) in [
      ("decade", ["1950", "1990"]), ("kind", ["books", "vinyl"]), ("rating", ["3", "4½"]),
    ] {
      let map = try picture("--by", dimension)
      #expect(map.elements[0].text.hasPrefix("Items by genre and \(dimension)"))
      for column in columns { #expect(map.all("text").contains { $0.text == column }, "\(dimension)") }
      #expect(map.all("rect").contains { $0.attributes["class"] == "l4" })
    }
    #expect(try picture("--by", "creator").all("text").contains { $0.text == "박경리" })
    let years = try picture("--by=year-added")
    #expect(years.elements[0].text == "Genres year by year")
    #expect(years.elements[1].text.hasPrefix("From 2024 to 2026. Jazz: most in 2024, 28.6 %; "))
    // It counts what the report counts.
    let matrix = try catalog.store.genreMatrix(by: .kind)
    let fields = Set(try picture("--by", "kind").all("rect").flatMap { $0.all("title") }.map(\.text))
    for row in matrix.rows where !row.isHeading {
      for (bucket, count) in zip(["movies", "books", "vinyl"], row.counts) {
        #expect(fields.contains("\(row.genre), \(bucket): \(count)"))
      }
    }
  }

  @Test func `the timeline leaves out and names years with few items`() throws {
    try fill()
    try add(genres: ["Polka"], daysAgo: 1500)
    let years = try picture("--by=year-added")
    #expect(years.elements[1].text.contains("Polka: nothing"))
    let genres = try catalog.store.genreMatrix(by: .yearAdded).rows.count { !$0.isHeading }
    let two = try picture("--by=year-added", "--top", "2").all("text").map(\.text)
    #expect(two.contains("The 2 genres with most items, of \(genres)."))
    #expect(years.all("text").map(\.text).joined(separator: " ").contains("fewer than 10 items say little: 2022 (1)"))
  }

  @Test func `--top limits the visible rows of a picture`() throws {
    try fill()
    for words in [["--by", "decade"], ["--by", "kind"], []] {
      for top in [1, 2] {
        let picture = try MarkupElement(
          parsing: catalog.run(["genres", "--svg", "-", "--top", "\(top)"] + words).output)
        let names = Set(picture.all("text").map(\.text)).intersection([
          "Jazz", "Hard Bop", "Historical Fiction", "대하소설", "Music", "Fiction",
        ])
        #expect(names.count == top, "\(words), \(names)")
      }
    }
    catalog.atTerminal()
    let rows = catalog.run("genres", "--by", "kind", "--top", "2").output.split(separator: "\n")
    #expect(rows.count { $0.hasPrefix("Jazz ") || $0.hasPrefix("Hard Bop ") } == 2)
    #expect(!rows.contains { $0.hasPrefix("Historical Fiction ") })
  }

  @Test func `shades of a heat map show the excess over the expected count`() throws {
    try fill()
    for _ in 0..<10 { try add(.book, "토지", by: "박경리", year: 1994, genres: ["Historical Fiction", "Romance"]) }
    let map = try picture("--by", "kind")
    // Hard Bop is on vinyl alone, which is no news. Of 28 items with two genres, Jazz is on 14 records and 4 books.
    let fields = map.all("rect").compactMap { field in
      field.all("title").first.map { ($0.text, field.attributes["class"] ?? "") }
    }
    let levels = Dictionary(uniqueKeysWithValues: fields)
    #expect(levels["Hard Bop, vinyl: 14"] == "l1")
    #expect(levels["Hard Bop, books: 0"] == "none")
    #expect(levels["Jazz, vinyl: 14"] == "l3")
    #expect(levels["Jazz, books: 4"] == "l1")
    let texts = map.all("text").map(\.text)
    for words in ["may be chance", "more", "1.5 times", "2.5 times"] { #expect(texts.contains(words)) }
    #expect(texts.contains("Stronger: more than the genre's share of all, beyond chance."))
    let style = map.all("style").map(\.text).joined()
    for level in 1...4 { #expect(style.components(separatedBy: ".chart .l\(level){fill:").count == 3) }
    #expect(style.contains("prefers-color-scheme:dark"))
  }

  // MARK: Whatever there is

  @Test func `hostile titles, names and genres are escaped`() throws {
    let hostile = [
      "<script>alert(1)</script>", "\"so\" & 'so'", "👩‍👩‍👧🇰🇷", "שלום עולם", "]]></style><img src=x onerror=alert(1)>",
      "\u{202E}gnp\u{1B}[2J", String(repeating: "W", count: 300), String(repeating: "긴 이름 ", count: 60),
    ]
    for word in hostile {
      for kind in [Kind.vinyl, .book] {
        for _ in 0..<3 { try add(kind, word, by: word, genres: [word, "Jazz"], rating: "4", daysAgo: 500) }
      }
    }
    let html = try page()
    let names = html.all("tbody").last?.all("tr").compactMap(\.elements.first?.text) ?? []
    let genres = try catalog.store.genreReport(now: catalog.now).genres.map(\.name.sanitized)
    #expect(names == genres && genres.contains(hostile[0]))
    #expect(html.all("script").count == 1)
    #expect(html.all("img").isEmpty)
    for element in html.everything where element.name != "script" {
      #expect(!element.attributes.keys.contains { $0.hasPrefix("on") || ["href", "src", "style"].contains($0) })
    }
    for by in [[], ["--by=creator"], ["--by=decade"], ["--by=year-added"]] {
      let run = catalog.run(["genres", "--svg", "-"] + by)
      let svg = try MarkupElement(parsing: run.output)
      #expect(svg.all("script").isEmpty)
      #expect(svg.all("img").isEmpty)
      #expect(svg.all("text").contains { $0.text == hostile[0] })
    }
  }

  @Test(arguments: [0, 1, 2, 7, 40], [[], ["Jazz"], ["Rock", "Jazz", "Fantasy"]])
  func `pages and pictures work with any number of items`(_ count: Int, _ genres: [String]) throws {
    for number in 0..<count { try add(genres: genres, rating: number == 3 ? "4" : nil) }
    let words = try page().text
    for word in ["nan", "inf", "-0.0", "nil", "Optional"] {
      #expect(!words.replacing("Infinity", with: "").contains(word))
    }
    #expect(words.contains("The catalog is empty") == (count == 0))
    #expect(words.contains("Without genres") == (count > 0 && genres.isEmpty))
    #expect(words.contains("Top genre") == (count > 0 && !genres.isEmpty))
    let hasEnoughItems = count == 40 && !genres.isEmpty
    for statistic in ["Diversity", "Mean rating", "Weight", "1 (100.0 %)"] where count > 0 {
      #expect(!words.contains(statistic) || hasEnoughItems, "\(statistic)")
    }
    #expect(words.contains("Mean rating") == hasEnoughItems)
    #expect(words.contains("Come back with 30 items") == (!hasEnoughItems && count > 0 && !genres.isEmpty))
    #expect(words.contains("No clear change.") == hasEnoughItems)
    #expect(words.contains("no two genres have 3 items") == (hasEnoughItems && genres.count == 1))
    #expect(words.contains("No two genres are together more often") == (hasEnoughItems && genres.count == 3))
    #expect(words.contains("Everything dated is of 2026.") == hasEnoughItems)
    #expect(words.contains("Nothing to compare: all items with a genre are vinyl.") == hasEnoughItems)
    for dimension in GenreMatrix.Dimension.allCases {
      let svg = try picture("--by", dimension.rawValue)
      for word in ["nan", "inf"] { #expect(!svg.text.contains(word)) }
    }
  }

  // MARK: Files

  @Test func `files are written completely, and replaced only after a yes`() throws {
    try fill()
    let folder = try TemporaryFolder()
    let file = folder.path("genres.html")
    var run = catalog.run("genres", "--html", file, "--dry-run")
    #expect(run.status == 0)
    #expect(run.output == "would write '\(file)'\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    run = catalog.run("genres", "--html", file, "--svg", folder.path("genres.svg"))
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("wrote \(folder.path("genres.svg")) ("))
    #expect(run.output.contains("\nwrote \(file) ("))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == catalog.run("genres", "--html=-").output)
    try Data("precious".utf8).write(to: URL(filePath: file))
    run = catalog.run("genres", "--html", file)
    #expect(run.status == 2)
    #expect(run.errors.contains("--yes"))
    catalog.atTerminal()
    catalog.input = ["n"]
    run = catalog.run("genres", "--html", file)
    #expect(run.status == 1)
    #expect(
      run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "already exists, and was not replaced"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    #expect(catalog.run("genres", "--html", file, "--yes").status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["genres.html", "genres.svg"])
  }

  @Test func `a file that cannot be written is explained`() throws {
    let folder = try TemporaryFolder()
    func errors(_ words: String...) -> String { catalog.run(["genres"] + words).errors }
    #expect(errors("--svg", folder.path("none/a.svg")).contains("none' does not exist\nhint: make it: mkdir -p "))
    #expect(
      errors("--html", folder.path).contains(
        "is a folder\nhint: name a file in it: catalog genres --html \(folder.path)/genres.html\n"))
    #expect(errors("--svg", "").contains("the name of the file is empty"))
    let own = try TestCatalog(path: folder.path("catalog.db"))
    #expect(own.run("genres", "--svg", folder.path("catalog.db"), "--yes").errors.contains("is the catalog itself"))
    // A folder in which not even root can make a file.
    #expect(errors("--html", "/sys/genres.html").contains("'/sys/genres.html' cannot be written\nhint: check who may"))
    #expect(try Store.open(at: folder.path("catalog.db"), for: .reading).shelfCounts().books == 0)
  }

  @Test func `conflicting output options are rejected`() throws {
    for words in [
      ["--svg", "-", "--json"], ["--html", "-", "--csv"], ["--html", "-", "--svg", "-"],
      ["--html", "-", "--by", "kind"],
      ["--svg", "-", "--table", "pairs"],
    ] {
      let run = catalog.run(["genres"] + words)
      #expect(run.status == 2, "\(words)")
      #expect(run.output == "", "\(words)")
    }
    let none = catalog.run("genres", "kind:movie", "--svg", "-")
    #expect(none.status == 1)
    #expect(none.output == "")
    #expect(none.errors.contains("no item matches kind:movie"))
  }
}
