import CatalogModel
import CommandLineKit
import Lookup
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests references by words in commands that write: nothing is changed on a guess.
struct TitleReferenceTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    for (title, maker, year) in [
      ("The Godfather Part II", "Francis Ford Coppola", "1974"), ("The Taste of Things", "Tran Anh Hung", "2023"),
      ("Aliens", "James Cameron", "1986"), ("Once Upon a Time in Hollywood", "Quentin Tarantino", "2019"),
      ("Blade Runner 2049", "Denis Villeneuve", "2017"), ("Se7en", "David Fincher", "1995"),
      ("1917", "Sam Mendes", "2019"), ("WALL·E", "Andrew Stanton", "2008"),
    ] {
      catalog.run("add", "movie", "--title", title, "--creator", maker, "--year", year)
    }
    catalog.run("add", "vinyl", "--title", "Blue", "--creator", "Joni Mitchell")
    catalog.run("add", "vinyl", "--title", "Blue Train", "--creator", "John Coltrane")
  }

  /// The whole content of the catalog.
  private func content() -> String { catalog.run("export", "jsonl", "-o", "-").output }

  /// Commands that write, with words as references.
  static let commands: [[String]] = [
    ["log", "WORDS", "--stars", "5"], ["rate", "WORDS", "5"], ["card", "add", "WORDS", "--stars", "3"],
    ["favorite", "WORDS"], ["unfavorite", "WORDS"], ["remove", "WORDS"], ["edit", "WORDS", "year=1972"],
    ["pile", "add", "next", "WORDS"], ["tag", "add", "new", "WORDS"], ["copy", "add", "WORDS"],
    ["lend", "WORDS", "to", "Bob"], ["represent", "WORDS"], ["refresh", "WORDS"],
  ]

  @Test(arguments: commands) func `a changing command does not accept a similar title`(_ command: [String]) throws {
    let before = content()
    for words in ["the godfather", "the thing", "alien", "up", "blade runner", "blu"] {
      let run = catalog.run(command.map { $0 == "WORDS" ? words : $0 })
      #expect(run.status == 1, "\(words): \(run)")
      #expect(run.output.isEmpty, "\(words): \(run)")
      #expect(content() == before, "\(command) \(words)")
    }
    let run = catalog.run(command.map { $0 == "WORDS" ? "the godfather" : $0 })
    #expect(run.errors.contains("nothing in the catalog is called 'the godfather':\n"), "\(run.errors)")
    #expect(run.errors.contains("movie The Godfather Part II — Francis Ford Coppola (1974)\n"))
    #expect(run.errors.contains("hint: type what stands before it instead: "))
  }

  @Test(arguments: [
    ("the godfather part ii", 1), ("godfather part II", 1), ("GODFATHER, part ii", 1), ("taste of things", 2),
    ("a taste of things", 2), ("aliens", 3), ("aliens cameron", 3), ("james cameron aliens", 3),
    ("once upon a time in hollywood", 4), ("blade runner 2049", 5), ("wall-e", 8), ("wall e", 8), ("wall·e", 8),
    ("blue", 9), ("blue train", 10), ("joni mitchell blue", 9),
  ]) func `a title reference ignores articles and punctuation, and may include the creator`(
    _ words: String, _ item: Int
  ) {
    let run = catalog.run("log", words, "--dry-run")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(" \(item): "), "\(run.output)")
    #expect(run.errors.isEmpty)
  }

  @Test func `the pack's title is among the candidates of a reference and can be added`() throws {
    let run = catalog.run("log", "the godfather")
    #expect(
      run.errors.contains(
        "  pack:movie/the-godfather-1972  movie The Godfather — Francis Ford Coppola (1972), not in the"))
    catalog.atTerminal()
    catalog.http = .offline
    catalog.input = ["1"]
    let logged = catalog.run("log", "the godfather", "--stars", "5")
    #expect(logged.status == 0, "\(logged)")
    #expect(logged.output.contains("The Godfather — Francis Ford Coppola (1972)"), "\(logged)")
    #expect(try store.item(ItemID(rawValue: 11)).record.title == "The Godfather")
    #expect(try store.item(ItemID(rawValue: 1)).rating == nil)
  }

  private var store: Store { catalog.store }

  @Test func `remove and edit offer no candidates from the pack`() {
    for command in [["remove", "the godfather"], ["edit", "the godfather", "year=1972"]] {
      #expect(!catalog.run(command).errors.contains("pack:"))
    }
  }

  @Test func `on a terminal a single candidate is answered with y, n, Enter or its number`() throws {
    catalog.atTerminal()
    catalog.input = ["n"]
    let before = content()
    let none = catalog.run("edit", "the godfather", "year=1972")
    #expect(none.status == 1)
    #expect(none.errors.contains("This one? [Y/n] "))
    #expect(content() == before)
    for (answer, year) in [("y", 1973), ("", 1974), ("1", 1975)] {
      catalog.input = [answer]
      #expect(catalog.run("edit", "the godfather", "year=\(year)").status == 0)
      #expect(try store.item(ItemID(rawValue: 1)).record.year == year)
    }
  }

  @Test(arguments: commands) func `--yes chooses no item`(_ command: [String]) throws {
    let before = content()
    for words in ["the godfather", "coppola", "begun"] {
      #expect(catalog.run(command.map { $0 == "WORDS" ? words : $0 } + ["--yes"]).status == 1)
    }
    #expect(content() == before)
  }

  @Test func `a number without an item that is a title is asked about`() throws {
    let run = catalog.run("log", "1917")
    #expect(run.status == 1)
    #expect(run.errors.contains("catalog: there is no item 1917; called so:\n  7  movie 1917 — Sam Mendes (2019)\n"))
    #expect(catalog.run("show", "1917").output.hasPrefix("1917"))
    #expect(catalog.run("rate", "999", "4").errors.hasPrefix("catalog: there is no item 999\n"))
    // A number that is an item means it.
    #expect(catalog.run("log", "7", "--dry-run").output.contains("movie 7: 1917"))
    catalog.atTerminal()
    catalog.input = ["1"]
    #expect(catalog.run("log", "1917").status == 0)
    #expect(catalog.run("list", "id:7", "--tsv", "--columns", "times").output == "1\n")
  }

  @Test func `show and history accept a similar title and report it`() {
    let run = catalog.run("show", "the godfather")
    #expect(run.status == 0)
    #expect(run.errors == "'the godfather' taken for movie 1: The Godfather Part II — Francis Ford Coppola (1974)\n")
    #expect(catalog.run("show", "godfather part ii").errors.isEmpty)
    #expect(catalog.run("history", "hollywood").errors.hasPrefix("'hollywood' taken for movie 4: "))
  }

  @Test func `a title of two items is ambiguous until the creator is added`() throws {
    catalog.run("add", "vinyl", "--title", "Blue", "--creator", "Diana Ross", "--yes")
    let run = catalog.run("rate", "blue", "4")
    #expect(run.status == 1)
    #expect(run.errors.contains("'blue' matches 2 items:\n"))
    #expect(catalog.run("rate", "blue diana ross", "4").status == 0)
  }

  // MARK: Codes

  @Test(arguments: ["9788936434120", "978-89-364-3412-0", "8936434128", "89-364-3412-8", "ISBN 978-89-364-3412-0"])
  func `a pasted ISBN is a book wherever a reference goes`(_ code: String) throws {
    catalog.run("add", "book", "--title", "소년이 온다", "--isbn", "9788936434120")
    for command in [
      ["show", code], ["rate", code, "4"], ["favorite", code], ["log", code], ["card", "add", code, "--comment", "좋다"],
    ] {
      let run = catalog.run(command)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    #expect(catalog.run("add", code).errors.hasPrefix("catalog: already on the shelf: book 11: "))
    // A query of two words is two words.
    guard !code.hasPrefix("ISBN") else { return }
    #expect(catalog.run("list", code, "--json=title").output == "[{\"title\":\"소년이 온다\"}]\n")
  }

  @Test func `an ISBN of no item is looked up by log and only hinted at by show`() throws {
    let isbn = "9788936434120"
    #expect(catalog.run("show", isbn).errors.contains("hint: add it: catalog add \(isbn)\n"))
    #expect(catalog.run("log", isbn).errors.contains("add it by hand: catalog add book --isbn \(isbn) --title …"))
  }
}
