import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import Processes

struct AddCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test func `an item added by hand appears on its shelf`() throws {
    #expect(
      catalog.run("add", "book", "--title", "토지", "--creator", "박경리", "--year", "1969", "--genre", "historical fiction")
        == .init(output: "added book 1: 토지 — 박경리 (1969)  Historical Fiction\n", errors: "", status: 0))
  }

  @Test func `adding a result a second time names the item already on the shelf`() throws {
    var record = Record(kind: .vinyl, title: "Kind of Blue")
    record.credits = [Credit(name: "Miles Davis", role: .artist)]
    let id = ExternalID(source: "pack", value: "vinyl/kind-of-blue-1959")
    record.externalIDs = [id]
    catalog.results([Candidate(id: id, record: record)])
    #expect(catalog.run("add", "r1").output == "added vinyl 1: Kind of Blue — Miles Davis\n")
    #expect(
      catalog.run("add", "r1")
        == .init(
          output: "", errors: "catalog: already on the shelf: vinyl 1: Kind of Blue — Miles Davis\n", status: 0))
    #expect(try catalog.store.shelfCounts().total == 1)
  }

  @Test(arguments: 1...3) func `adding that is stopped half-way tells what it wrote, without a gap`(count: Int) throws {
    let titles = ["greed-1924", "metropolis-1927", "the-general-1926"]
    catalog.input = titles.map { "pack:movie/\($0)" }
    catalog.isPiped = true
    // The command is stopped while an item is written.
    let cancellation = Interrupt.Cancellation()
    try catalog.store.db.define("stop", argumentCount: 0, isDeterministic: false) { _ in
      cancellation.request()
      return .null
    }
    try catalog.store.db.execute(
      script: Array(
        """
        CREATE TEMP TRIGGER stopping AFTER INSERT ON item WHEN (SELECT count(*) FROM item) = \(count)
        BEGIN SELECT stop(); END
        """.utf8))
    let run = Interrupt.cancelled(by: cancellation) { catalog.run("add", "-", "--offline", "--no-cover") }
    #expect(run.status != 0)
    #expect(run.output.split(separator: "\n").count == count, "\(run)")
    let added = try catalog.store.db.values("SELECT value FROM external_id WHERE source = 'pack'", as: String.self)
    #expect(Set(added) == Set(titles.prefix(count).map { "movie/\($0)" }))
  }

  struct Bad: CustomTestStringConvertible {
    var words: [String]
    var errors: String
    var status: Int32
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Bad(words: ["add", "r9"], errors: "there is no result r9: nothing was found yet", status: 1),
    Bad(words: ["add", "--isbn", "9788936434121"], errors: "has a wrong check digit", status: 2),
    Bad(words: ["add", "--barcode", "abc"], errors: "'abc' is not a barcode", status: 2),
    Bad(words: ["add", "book", "--title", " "], errors: "the title is empty", status: 2),
    Bad(words: ["add", "book", "--title", "x", "--year", "99999"], errors: "invalid year '99999'", status: 2),
    Bad(words: ["add", "book", "--title", "x", "--year", "19x9"], errors: "invalid year '19x9'", status: 2),
    Bad(words: ["add", "podcast", "--title", "x"], errors: "there is no shelf 'podcast'", status: 2),
    Bad(words: ["add", "book", "--title", "x", "--stars", "6"], errors: "stars go from 0 to 5", status: 2),
    Bad(words: ["add"], errors: "no item to add was named", status: 2),
  ])
  func `bad input is explained, and nothing is written`(_ bad: Bad) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.shelfCounts().total == 0)
  }

  @Test func `a result number out of range is answered with the number of results`() {
    catalog.addResult()
    #expect(
      catalog.run("add", "r9").errors
        == "catalog: there is no result r9: the last search found 1\nhint: it is r1\n")
  }

  // MARK: Titles

  @Test(arguments: [
    (["blade runner", "kind of blue"], [["blade runner"], ["kind of blue"]]),
    (["kind", "of", "blue"], [["kind", "of", "blue"]]),
    (["2001", "a", "space", "odyssey"], [["2001", "a", "space", "odyssey"]]),
    (["kind", "of", "blue", "blade runner", "dune"], [["kind", "of", "blue"], ["blade runner"], ["dune"]]),
    (["Vertigo", "Chinatown"], [["Vertigo", "Chinatown"]]), (["vinyl", "kind of blue"], [["vinyl", "kind of blue"]]),
  ])
  func `unquoted words form one title and each quoted argument its own title`(
    words: [String], titles: [[String]]
  ) throws {
    #expect(try TypedReferences(words: words).parts(sources: []) == titles.map(TypedReferences.Part.title))
  }

  @Test func `references between title words stay references`() throws {
    let typed: TypedReferences = ["r1", "kind", "of", "blue", "@2", "7", "8"]
    #expect(
      try typed.parts(sources: []) == [
        .reference(.result(1)), .title(["kind", "of", "blue"]), .reference(.recent(2)),
        .reference(.item(ItemID(rawValue: 7))), .reference(.item(ItemID(rawValue: 8))),
      ])
  }

  @Test func `one-word titles that match nothing together are added as separate titles`() throws {
    catalog.http = .offline
    let run = catalog.run("add", "Vertigo", "Chinatown", "--source", "pack")
    #expect(run.status == 0)
    #expect(
      run.output.split(separator: "\n").map { $0.prefix(24) }
        == ["added movie 1: Vertigo — ", "added movie 2: Chinatown "].map { $0.prefix(24) })
    #expect(run.errors == "There is no 'Vertigo Chinatown': searching for 2 titles.\n")
    // Items on the shelf can be named so, too.
    #expect(catalog.run("favorite", "vertigo", "chinatown").output.split(separator: "\n").count == 2)
    let none = catalog.run("add", "Vertigo", "Nowheretown", "--source", "pack")
    #expect(none.errors.hasPrefix("catalog: no result was found for 'Vertigo Nowheretown'\n"))
    #expect(none.status == 1)
  }

  @Test func `a title of several words is one title, quoted or not`() throws {
    catalog.http = .offline
    #expect(
      catalog.run("add", "kind", "of", "blue", "--source", "pack").output.hasPrefix("added vinyl 1: Kind of Blue"))
    let two = catalog.run("add", "a love supreme", "blade runner 2049", "--source", "pack")
    #expect(two.output.split(separator: "\n").count == 2, "\(two)")
  }

  // MARK: Lines

  @Test(arguments: [
    #"="0140328726""#, "[0140328726]", "\u{FEFF}0140328726", "ISBN 0-14-032872-6", #""9780140328721""#,
    "\u{FEFF}=\"9780140328721\"", "ISBN-13: 978‐0‐14‐032872‐1 (pbk.)", "0-14-032872-6 (hardcover)", "０１４０３２８７２６",
    "ISBN-10: 0–14–032872–6", "[978‐0‐14‐032872‐1]",
  ])
  func `add reads an ISBN in the spellings of spreadsheets and lists`(line: String) throws {
    #expect(catalog.run("add", "book", "--title", "Matilda", "--isbn", "0140328726").status == 0)
    catalog.input = [line]
    #expect(catalog.run("add", "-").errors == "catalog: already on the shelf: book 1: Matilda\n")
  }

  @Test(arguments: [
    "978‐0‐14‐032872‐2", "ISBN-13: 978-0-14-032872-2 (pbk.)", "ISBN 978 0 14 032872 2", "[978-0-14-032872-2]",
  ])
  func `add rejects a pasted ISBN with a wrong check digit instead of searching it as a title`(line: String) {
    catalog.input = [line]
    let run = catalog.run("add", "-", "--offline")
    #expect(run.errors.contains("has a wrong check digit"))
    #expect(run.status == 2)
  }

  @Test(arguments: ["1967–1970", "1967-1970 (Remastered)", "ISBN Blues"])
  func `a title with numbers is no code`(title: String) {
    guard case .title(let words) = AddRequest(TypedLine(1, title)) else {
      Issue.record("\(AddRequest(TypedLine(1, title)))")
      return
    }
    #expect(words == [title])
  }

  @Test func `a line already on the shelf is no failure, a line without a result is`() throws {
    try catalog.add(.book, "Matilda", by: "Roald Dahl") { $0.book.isbn = try? ISBN("0140328726") }
    catalog.input = ["0140328726", "# a remark"]
    #expect(
      catalog.run("add", "-")
        == .init(output: "", errors: "catalog: already on the shelf: book 1: Matilda — Roald Dahl\n", status: 0))
    catalog.http = .offline
    catalog.input = ["0140328726", "pack:nothing"]
    #expect(catalog.run("add", "-", "--offline").status == 1)
  }

  @Test func `each failed line is reported with its line number and text`() {
    catalog.input = [
      "# a list", "pack:nothing", "", "9788936434121", "Title,Author,Year Published", "tt0111161,9,2020-01-01",
      String(repeating: "r0", count: 50),
    ]
    catalog.http = .offline
    for isPiped in [false, true] {
      catalog.isPiped = isPiped
      let run = catalog.run("add", "-", "--offline")
      let lines = run.errors.split(separator: "\n").map(String.init)
      #expect(lines[0] == "catalog: line 2, 'pack:nothing': the pack has no 'nothing'")
      #expect(lines[1].hasPrefix("catalog: line 4, '9788936434121': ISBN '9788936434121' has a wrong check digit"))
      #expect(lines[2].hasPrefix("catalog: line 5, 'Title,Author,Year Published': that is a row of a table"))
      #expect(lines[3].hasPrefix("catalog: line 6, 'tt0111161,9,2020-01-01': that is a row"))
      #expect(lines[4].hasPrefix("catalog: line 7, '\(String(repeating: "r0", count: 29))"))
      #expect(run.status == 1)
    }
  }

  @Test(arguments: ["The Good, the Bad and the Ugly", "1,000,000 Years B.C.", "Rock; Paper; Scissors", "[REC]"])
  func `a title with commas is no row of a table`(title: String) {
    guard case .title(let words) = AddRequest(TypedLine(1, title)) else {
      Issue.record("\(AddRequest(TypedLine(1, title)))")
      return
    }
    #expect(words == [title])
  }

  // MARK: Writing

  private static let five = [
    "pack:book/1q84-2009", "pack:book/2666-2004", "pack:book/2001-a-space-odyssey-1968", "pack:movie/vertigo-1958",
    "pack:movie/chinatown-1974",
  ]

  /// The number of commits to the file: bytes 24 to 27 (https://sqlite.org/fileformat2.html#file_change_counter).
  private func commits(_ path: String) throws -> Int {
    try Data(contentsOf: URL(filePath: path))[24..<28].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `piped lines are committed together and typed lines one by one`() throws {
    let folder = try TemporaryFolder()
    for isPiped in [true, false] {
      let path = folder.path("\(isPiped).db")
      let catalog = try TestCatalog(path: path)
      (catalog.input, catalog.isPiped) = (Self.five + ["pack:book/1q84-2009"], isPiped)
      let before = try commits(path)
      let run = catalog.run("add", "-")
      #expect(run.output.split(separator: "\n").count == 5)
      #expect(run.status == 0)
      #expect(run.errors.hasPrefix("catalog: already on the shelf: book 1: 1Q84"))
      #expect(try commits(path) - before == (isPiped ? 1 : 5))
    }
  }

  @Test func `when the database rejects one of several lines the others are added`() throws {
    try catalog.store.db.execute(
      script: """
        CREATE TEMP TRIGGER refusal BEFORE INSERT ON item WHEN NEW.title = '2666'
        BEGIN SELECT RAISE(ABORT, 'not this one'); END
        """)
    (catalog.input, catalog.isPiped) = (Self.five, true)
    let run = catalog.run("add", "-")
    #expect(run.output.split(separator: "\n").count == 4)
    #expect(run.errors == "catalog: line 2, 'pack:book/2666-2004': the catalog cannot store that: not this one\n")
    #expect(try catalog.store.shelfCounts().total == 4)
    #expect(try catalog.store.item(ItemID(rawValue: 4)).record.creators == ["Roman Polanski"])
  }

  @Test func `no item is reported as added when the catalog cannot be written`() throws {
    catalog.openStore = { [store = catalog.store] purpose in
      if purpose == .writing { throw CatalogError.locked("/c.db") }
      return store
    }
    (catalog.input, catalog.isPiped) = (Self.five, true)
    let run = catalog.run("add", "-")
    #expect(run.output == "")
    #expect(run.errors.split(separator: "\n").count == 5)
    #expect(try catalog.store.shelfCounts().total == 0)
  }

  @Test func `each command opens the catalog once`() throws {
    let path = try TemporaryFolder().path("c.db")
    let catalog = try TestCatalog(path: path)
    catalog.http = .offline
    var opened = 0
    catalog.openStore = { purpose in
      opened += 1
      return try Store.open(at: path, for: purpose)
    }
    for words in [
      ["add", "pack:book/1q84-2009"], ["add", "pack:book/1q84-2009", "pack:book/2666-2004"],
      ["add", "vertigo", "--source", "pack"], ["add", "book", "--title", "토지"], ["favorite", "1", "2"],
      ["favorite", "pack:movie/chinatown-1974"], ["card", "add", "1", "--stars", "4"],
      ["card", "add", "pack:movie/stalker-1979", "again"], ["card", "remove", "1", "--yes"], ["unfavorite", "1"],
      ["show", "1"], ["remove", "1", "--yes"],
    ] {
      opened = 0
      let run = catalog.run(words)
      #expect(opened == 1, "\(words): \(run)")
    }
  }

  @Test func `the catalog file is created by the first added item and by no read, failure or dry run`() throws {
    let path = try TemporaryFolder().path("c.db")
    catalog.openStore = { try Store.open(at: path, for: $0) }
    #expect(catalog.run("add", "r9").status == 1)
    #expect(catalog.run("add", "pack:book/1q84-2009", "--dry-run").status == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(
      catalog.run("favorite", "pack:book/1q84-2009").output.hasSuffix(
        "favorite: book 1: 1Q84 — Haruki Murakami (2009)\n"))
    #expect(catalog.run("list").output.contains("1Q84"))
  }

  @Test func `adding a book without its authors warns and exits with status 3`() throws {
    catalog.http = HTTPClient(each: { request in
      if request.url.contains("/authors/") { return .success(Response(status: 503)) }
      guard request.url.hasSuffix("/books/OL20M.json") else { return .success(Response(status: 404)) }
      let body = #"{"key":"/books/OL20M","title":"Dune","authors":[{"key":"/authors/OL1A"}],"publish_date":"1965"}"#
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
    let run = catalog.run("add", "openlibrary:OL20M")
    #expect(run.output.hasPrefix("added book 1: Dune (1965)"))
    #expect(
      run.errors == "catalog: Open Library is busy; not available: authors\nhint: try again in a minute\n")
    #expect(run.status == 3)
  }
}
