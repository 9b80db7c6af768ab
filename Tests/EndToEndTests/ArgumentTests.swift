import Foundation
import SQLite
import TestSupport
import Testing

/// Tests arguments that cannot be valid.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct ArgumentTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  @Test func `an argument that is not UTF-8 is refused`() throws {
    let broken: [UInt8] = Array("Caf".utf8) + [0xE9]
    let added = try sandbox.launch([
      Array("add".utf8), Array("book".utf8), Array("--title".utf8), broken,
    ]).finish()
    #expect(added.status == 2)
    #expect(added.errors == "catalog: argument 4 is not valid UTF-8\n")
    #expect(!FileManager.default.fileExists(atPath: sandbox.catalog))
  }

  struct Misuse: CustomTestStringConvertible, Sendable {
    var words: [String]
    var message: String
    var hint: String?
    var status: Int32 = 2
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Misuse(words: ["serach", "dune"], message: "unknown command 'serach'; did you mean 'search'?"),
    Misuse(words: ["search", "dune", "--knid", "book"], message: "unknown option '--knid'; did you mean '--kind'?"),
    Misuse(words: ["search", "dune", "--kind", "boks"], message: "there is no kind 'boks'"),
    Misuse(words: ["search", "dune", "--limit", "0"], message: "'--limit 0' is out of range: it goes from 1 to 200"),
    Misuse(
      words: ["search", "dune", "--source", "itune"], message: "there is no source 'itune'; did you mean 'itunes'?"),
    Misuse(words: ["add", "book", "--title", "T", "--year", "99999"], message: "invalid year '99999'"),
    Misuse(words: ["add", "book", "--title", "T", "--year", "19x9"], message: "invalid year '19x9'"),
    Misuse(words: ["add", "book", "--title", "  "], message: "the title is empty"),
    Misuse(words: ["add", "--isbn", "9780441172710"], message: "check digit"),
    Misuse(words: ["add", "--barcode", "abcdefgh"], message: "abcdefgh"),
    Misuse(words: ["add"], message: "no item to add was named"),
    Misuse(words: ["add", "book", "--title", "T", "--stars", "6"], message: "6"),
    Misuse(words: ["add", "book", "--title", "T", "--stars", "2.3"], message: "2.3"),
    Misuse(words: ["show"], message: "missing REF"),
    Misuse(words: ["config", "set", "network.deadline", "0"], message: "invalid timeout '0'"),
    Misuse(words: ["config", "set", "sources.itunes.base_url", "http://example.com"], message: "is not a web address"),
    Misuse(
      words: ["show", "r1"], message: "there is no result r1: nothing was found yet",
      hint: "search first: catalog search WORDS", status: 1),
    Misuse(words: ["add", "r7"], message: "there is no result r7: nothing was found yet", status: 1),
    Misuse(words: ["show", "99"], message: "there is no item 99", status: 1),
    Misuse(words: ["show", "@1"], message: "nothing was viewed yet", status: 1),
    Misuse(words: ["list"], message: "the catalog is empty", hint: "look something up: catalog search dune", status: 1),
    Misuse(words: ["list", "year:19x9"], message: "19x9"),
  ])
  func `misuse is explained with a message and a hint`(_ bad: Misuse) throws {
    let outcome = try sandbox.run(bad.words)
    #expect(outcome.status == bad.status, "\(outcome.errors)")
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("catalog: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(bad.message), "\(outcome.errors)")
    if let hint = bad.hint { #expect(outcome.errors.contains("hint: \(hint)\n"), "\(outcome.errors)") }
    // Nothing of how the program is made.
    for word in ["SELECT", "SQLite error", "Swift", "Fatal", "nil"] { #expect(!outcome.errors.contains(word)) }
  }

  @Test(arguments: [[""], ["   "], ["\t", "\n"], ["\u{3000}"]]) func `empty words send no request`(
    _ words: [String]
  ) throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run(["search"] + words)
    #expect(found.status == 2)
    #expect(found.errors.hasPrefix("catalog: the words to search for are empty\nhint: "), "\(found.errors)")
    #expect(try sandbox.run(["add"] + words).status != 0)
    #expect(sources.paths == [])
  }

  @Test func `a result number beyond the last search is explained`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "dune", "--kind", "movie").status == 0)
    for number in ["r3", "r0", "r99999999999999999999"] {
      let shown = try sandbox.run("show", number)
      #expect(shown.status != 0, "\(number)")
      #expect(shown.errors.hasPrefix("catalog: "))
    }
    #expect(try sandbox.run("show", "r3").errors.contains("there is no result r3: the last search found 2"))
  }

  @Test func `words that match several items are listed without a terminal`() throws {
    for (title, year) in [("Dune", "1965"), ("Dune Messiah", "1969"), ("Children of Dune", "1976")] {
      #expect(
        try sandbox.run("add", "book", "--title", title, "--creator", "Frank Herbert", "--year", year).status == 0)
    }
    let shown = try sandbox.run("show", "herbert")
    #expect(shown.status == 1)
    #expect(shown.output == "")
    #expect(shown.errors.contains("catalog: 'herbert' matches 3 items:"))
    for line in [
      "1  book Dune — Frank Herbert (1965)", "2  book Dune Messiah — Frank Herbert (1969)",
      "3  book Children of Dune — Frank Herbert (1976)",
    ] { #expect(shown.errors.contains("  \(line)\n"), "\(shown.errors)") }
    #expect(shown.errors.hasSuffix("hint: type what stands before it instead: 3\n"))
    // A title typed in full is that one.
    #expect(try sandbox.run("show", "dune").output.hasPrefix("Dune  book 1\n"))
  }

  @Test func `words with several results are listed without a terminal`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    let added = try sandbox.run("add", "dune")
    #expect(added.status == 1)
    #expect(added.errors.contains("r2  movie  Dune (1984) — David Lynch (1984)\n"), "\(added.errors)")
    #expect(!FileManager.default.fileExists(atPath: sandbox.catalog))
  }

  @Test(arguments: [["remove", "1"], ["edit", "1"]]) func `a question without a terminal ends the command`(
    _ words: [String]
  ) throws {
    try sandbox.makeCatalog()
    // Its input stays open: a program that waited would be killed.
    let launch = try sandbox.launch(words.map { Array($0.utf8) })
    _ = launch.waitForOutput("\n")
    launch.closeInput()
    let outcome = launch.finish()
    #expect(outcome.status == 2 || outcome.status == 1, "\(outcome.errors)")
    #expect(try sandbox.database().value("SELECT title FROM item", as: String.self) == "토지")
  }
}
