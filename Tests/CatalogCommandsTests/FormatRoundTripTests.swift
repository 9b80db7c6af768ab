import CatalogModel
import CatalogStore
import FoundationEssentials
import TestSupport
import Testing

@testable import CatalogCommands

/// Tests long files with every column filled, by format: import, export in the same format, and import again.
struct FormatRoundTripTests {
  /// A generator of the files of one format.
  struct Format: Sendable, CustomTestStringConvertible {
    var id: String
    /// The columns that an export changes, each with the reason.
    var others: [String: String] = [:]
    /// Returns the cells of a row by column. Rows are numbered from 0.
    var row: @Sendable (Int, inout Generator) -> KeyValuePairs<String, String>

    var testDescription: String { id }
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Self.formats)
  func `a file with every column filled is exported as it was imported`(format: Format) throws {
    var generator = Generator(seed: 43)
    let rows = (0..<Rounds.count(60, long: 500)).map { format.row($0, &generator) }
    let header = try #require(rows.first).map(\.key)
    let path = folder.path("first")
    try Data(Self.table([header] + rows.map { $0.map(\.value) }).utf8).write(to: URL(filePath: path))

    let first = try TestCatalog()
    let taken = first.run("import", path, "--yes")
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(!taken.errors.contains("rejected"), "\(taken.errors)")
    let out = first.run("export", format.id)
    let cells = Self.cells(of: out.output)
    #expect(cells.first == header, "\(cells.first ?? []) \(cells.count)")
    #expect(cells.count == rows.count + 1, "\(cells.first ?? []) \(cells.count)")
    guard cells.count == rows.count + 1 else { return }
    for (place, column) in header.enumerated() {
      let pairs = zip(rows, cells.dropFirst()).filter { $0[place].value != $1[place] }
      if let reason = format.others[column] {
        #expect(pairs.count > 0, "\(column) comes back: \(reason)")
      } else {
        let (row, line) = pairs.first.map { ($0[place].value, $1[place]) } ?? ("", "")
        #expect(
          pairs.count == 0, "\(pairs.count) of \(column): \(row.debugDescription) became \(line.debugDescription)")
      }
    }

    let again = folder.path("again")
    try Data(out.output.utf8).write(to: URL(filePath: again))
    let second = try TestCatalog()
    #expect(second.run("import", again, "--yes").status == 0)
    #expect(second.run("export", format.id).output == out.output)
    // The same file is nothing new, in its first form and in the second.
    #expect(second.run("import", again, "--yes").output.contains("nothing new"))
  }

  /// A generated file of a format.
  static func file(of format: Format) throws -> String {
    var generator = Generator(seed: 43)
    let rows = (0..<500).map { format.row($0, &generator) }
    return table([try #require(rows.first).map(\.key)] + rows.map { $0.map(\.value) })
  }

  // MARK: Tables

  static func table(_ rows: [[String]]) -> String {
    rows.map { row in
      row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\r\n"
    }.joined()
  }

  /// The cells of a table.
  private static func cells(of text: String) -> [[String]] {
    var (rows, row, cell): ([[String]], [String], [UInt8]) = ([], [], [])
    var (isQuoted, isAfterQuote) = (false, false)
    func end() {
      row.append(String(decoding: cell, as: UTF8.self))
      cell = []
    }
    for byte in text.utf8 {
      let wasAfterQuote = isAfterQuote
      isAfterQuote = false
      switch byte {
      case UInt8(ascii: "\"") where isQuoted: (isQuoted, isAfterQuote) = (false, true)
      case UInt8(ascii: "\""):
        if wasAfterQuote { cell.append(byte) }
        isQuoted = true
      case UInt8(ascii: ",") where !isQuoted: end()
      case UInt8(ascii: "\r") where !isQuoted: break
      case UInt8(ascii: "\n") where !isQuoted:
        end()
        rows.append(row)
        row = []
      default: cell.append(byte)
      }
    }
    return rows
  }
}

// MARK: - What stands in the cells

extension FormatRoundTripTests {
  /// Generates names, titles, days and texts, the same in each run.
  struct Generator {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func one(_ words: [String]) -> String { words[number(0...words.count - 1)] }

    mutating func word() -> String {
      one([
        "Lantern", "Harbour", "Été", "Сад", "겨울", "나무", "Straße", "Nº 5", "Salt", "Winter", "Élan", "River", "夜",
        "Over",
      ])
    }

    /// A title that no other row has.
    mutating func title(_ number: Int) -> String {
      one(["\(word()) & \(word())", "The \(word()), \(word())", "\"\(word())\" \(word())", "\(word()): \(word())"])
        + " \(number + 1_001)"
    }

    mutating func name() -> String {
      one(["Ada", "Björn", "Chloé", "Dmitri", "Esi", "Farid", "Gül", "Hana", "J. R."]) + " "
        + one(["Okafor", "Ørsted", "Le Guin", "Petrov", "Yılmaz", "Sato", "van Dam", "O'Neil", "Kim"])
    }

    /// Several people.
    mutating func names(_ range: ClosedRange<Int>) -> [String] {
      var names: [String] = []
      let count = number(range)
      while names.count < count {
        let name = name()
        if !names.contains(name) { names.append(name) }
      }
      return names
    }

    mutating func day(_ years: ClosedRange<Int> = 1995...2024, _ mark: String = "-") -> String {
      let parts = [number(1...12), number(1...28)].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return ["\(number(years))", parts[0], parts[1]].joined(separator: mark)
    }

    mutating func text() -> String {
      one([
        "Good, and \"long\".", "Two\nlines; and more.", "좋았다. 다시 볼 것!", "5 < 6 & 7 > 3", "=1+1", "— dash … and 🎬",
        "A comma, a semicolon; a tab", "Read on the train",
      ])
    }

    /// Tags in the catalog's order.
    mutating func words(_ range: ClosedRange<Int>) -> [String] {
      let all = ["winter", "sci-fi", "to lend", "한국", "été", "club 12", "signed by her"]
      let start = number(0...all.count - 1)
      return (0..<number(range)).map { all[(start + $0) % all.count] }
        .sorted { Folding.fold($0) < Folding.fold($1) }
    }

    /// The ISBN with this number, with check digits: of 13 digits, and of 10.
    func isbn(_ number: Int) -> (long: String, short: String) {
      let digits = "0306" + String("\(100_000 + number)".suffix(5))
      let long = "978" + digits
      let sum = zip(long.utf8, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]).reduce(0) { $0 + Int($1.0 - 48) * $1.1 }
      let weighed = zip(digits.utf8, (2...10).reversed()).reduce(0) { $0 + Int($1.0 - 48) * $1.1 }
      let last = (11 - weighed % 11) % 11
      return (long + "\((10 - sum % 10) % 10)", digits + (last == 10 ? "X" : "\(last)"))
    }
  }

  static let formats = [letterboxd, goodreads, storygraph, discogs, imdb]

  /// Each film twice, the second time as a rewatch.
  private static let letterboxd = Format(id: "letterboxd") { number, generator in
    let film = number / 2
    var same = Generator(seed: UInt64(film))
    let (title, directors, tags) = (same.title(film), same.names(1...2), same.words(1...3))
    return [
      "tmdbID": "\(film + 11)", "imdbID": "tt\(7_000_000 + film)", "Title": title, "Year": "\(1950 + film % 60)",
      "Directors": directors.joined(separator: ", "),
      "Rating": generator.one(["0.5", "1.0", "2.5", "3.0", "4.5", "5.0"]),
      "WatchedDate": generator.day(number % 2 == 0 ? 1995...2009 : 2010...2024),
      "Rewatch": number % 2 == 0 ? "" : "true", "Tags": tags.joined(separator: ", "), "Review": generator.text(),
    ]
  }

  static let goodreads = Format(
    id: "goodreads",
    others: [
      "Average Rating": "the rating of others is not kept", "Spoiler": "how a service shows a review is not kept",
      "Bookshelves with positions": "Goodreads counts the books of a shelf itself",
    ]
  ) { number, generator in
    let isbn = generator.isbn(number)
    let (authors, year) = (generator.names(1...1), generator.number(1900...1990))
    let status = generator.one(["read", "read", "read", "currently-reading", "to-read", "did-not-finish"])
    let (isRead, isOver) = (status == "read", ["read", "did-not-finish"].contains(status))
    let (shelves, copies) = (generator.words(1...3), status == "to-read" ? 0 : generator.number(0...2))
    let parts = authors[0].split(separator: " ").map(String.init)
    let start =
      parts.count > 2 && ["Le", "van"].contains(parts[parts.count - 2]) ? parts.count - 2 : parts.count - 1
    return [
      "Book Id": "\(number + 500)",
      "Title": "\(generator.title(number)) (\(generator.word()) Saga, #\(generator.number(1...12)))",
      "Author": authors[0],
      "Author l-f":
        "\(parts[start...].joined(separator: " ")), \(parts[..<start].joined(separator: " "))",
      "Additional Authors": generator.names(2...3).filter { $0 != authors[0] }.joined(separator: ", "),
      "ISBN": "=\"\(isbn.short)\"", "ISBN13": "=\"\(isbn.long)\"",
      "My Rating": isOver ? "\(generator.number(1...5))" : "0", "Average Rating": "3.\(number % 90 + 10)",
      "Publisher": "\(generator.word()) Press, Ltd.", "Binding": generator.one(["Hardcover", "Paperback", "ebook"]),
      "Number of Pages": "\(generator.number(80...900))", "Year Published": "\(year + generator.number(0...30))",
      "Original Publication Year": "\(year)", "Date Read": isOver ? generator.day(2011...2024, "/") : "",
      "Date Added": generator.day(2006...2010, "/"), "Bookshelves": shelves.joined(separator: ", "),
      "Bookshelves with positions": shelves.map { "\($0) (#\(number + 1))" }.joined(separator: ", "),
      "Exclusive Shelf": status, "My Review": generator.text().asPage, "Spoiler": "true",
      "Private Notes": isRead ? generator.text() : "", "Read Count": isRead ? "\(generator.number(1...3))" : "0",
      "Recommended For": generator.name(), "Recommended By": generator.name(),
      "Owned Copies": "\(copies)", "Original Purchase Date": copies > 0 ? generator.day(1995...2010, "/") : "",
      "Original Purchase Location": copies > 0 ? "\(generator.word()) & Sons" : "",
      "Condition": copies > 0 ? generator.one(["like new", "very good", "acceptable"]) : "",
      "Condition Description": copies > 0 ? generator.text() : "",
      "BCID": "\(number)-\(number + 7)",
    ]
  }

  private static let storygraph = Format(
    id: "storygraph", others: ["Moods": "moods are tags", "Pace": "the pace is a tag", "Tags": "they have the moods"]
  ) { number, generator in
    let status = generator.one(["read", "read", "currently-reading", "to-read", "did-not-finish"])
    let isOver = ["read", "did-not-finish"].contains(status)
    let (first, last) = (generator.day(2010...2015, "/"), generator.day(2016...2024, "/"))
    return [
      "Title": generator.title(number), "Authors": generator.names(1...2).joined(separator: ", "),
      "Contributors": "\(generator.name()) (Translator), \(generator.name()) (Illustrator)",
      "ISBN/UID": generator.isbn(number).long, "Format": generator.one(["hardcover", "digital", "audio"]),
      "Read Status": status, "Date Added": generator.day(2004...2009, "/"), "Last Date Read": isOver ? last : "",
      "Dates Read": isOver ? "\(first)-\(last)" : "", "Read Count": status == "read" ? "1" : "0",
      "Moods": "dark, tense", "Pace": "slow",
      "Character- or Plot-Driven?": "A mix", "Strong Character Development?": "Yes", "Loveable Characters?": "No",
      "Diverse Characters?": "Yes", "Flawed Characters?": "It's complicated",
      "Star Rating": isOver ? generator.one(["0.25", "3.0", "4.75", "5.0"]) : "",
      "Review": isOver ? generator.text().asPage : "", "Content Warnings": "Graphic: Death; Minor: War",
      "Content Warning Description": "see the last chapter", "Tags": generator.words(1...2).joined(separator: ", "),
      "Owned?": status == "to-read" ? "No" : "Yes",
    ]
  }

  private static let discogs = Format(
    id: "discogs", others: ["Date Added": "of a time the day is kept"]
  ) { number, generator in
    [
      "Catalog#": "CL \(number + 1_000)", "Artist": generator.name() + generator.one(["", " Trio", " & The Band"]),
      "Title": generator.title(number), "Label": "\(generator.word()) Records, \(generator.word()) \(number)",
      "Format": generator.one(["LP, Album, RE", "2xLP, Comp", "7\", Single"]), "Rating": "\(generator.number(1...5))",
      "Released": "\(generator.number(1950...2020))", "release_id": "\(number + 900_000)",
      "CollectionFolder": generator.one(["Jazz", "한국", "To Clean"]),
      "Date Added": generator.day() + " 10:20:30",
      "Collection Media Condition": generator.one(["Mint (M)", "Very Good Plus (VG+)", "Good (G)"]),
      "Collection Sleeve Condition": generator.one(["Near Mint (NM or M-)", "Generic", "Not Graded", "Poor (P)"]),
      "Collection Notes": generator.text(),
    ]
  }

  private static let imdb = Format(
    id: "imdb",
    others: [
      "Modified": "only IMDb needs it", "IMDb Rating": "the rating of others is not kept",
      "Num Votes": "the votes of others are not kept",
    ]
  ) { number, generator in
    let year = generator.number(1930...2020)
    return [
      "Position": "\(number + 1)", "Const": "tt\(8_000_000 + number)", "Created": generator.day(2001...2010),
      "Modified": generator.day(2011...2012), "Description": generator.text(), "Title": generator.title(number),
      "Original Title": generator.title(number + 7_000), "URL": "https://www.imdb.com/title/tt\(8_000_000 + number)/",
      "Title Type": "Movie", "IMDb Rating": "7.\(number % 10)", "Runtime (mins)": "\(generator.number(60...240))",
      "Year": "\(year)", "Genres": generator.one(["Drama", "Comedy, Drama", "Horror, Science Fiction"]),
      "Num Votes": "\(number * 17 + 5)", "Release Date": generator.day(year...year),
      "Directors": generator.names(1...2).joined(separator: ", "), "Your Rating": "\(generator.number(1...10))",
      "Date Rated": generator.day(2011...2024),
    ]
  }
}

extension String {
  /// The text as services format it on a page.
  fileprivate var asPage: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\n", with: "<br/>")
  }
}
