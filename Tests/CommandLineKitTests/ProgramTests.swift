import Synchronization
import Testing

@testable import CommandLineKit

/// Counts the calls.
private final class Asked: Sendable {
  private let counter = Mutex(0)
  var count: Int { counter.withLock { $0 } }

  func noting<T>(_ value: T) -> T {
    counter.withLock { $0 += 1 }
    return value
  }
}

private struct AskedCommand: Command {
  static let asked = Asked()
  static var info: CommandInfo<Self> { asked.noting(CommandInfo("asked", summary: "Count.")) }
  func run(in context: Notes) throws {}
}

struct ProgramTests {
  private func printed(_ words: [String], width: Int = 80) throws -> String {
    guard case .print(let text) = try program.parse(words).action else { return "" }
    return text(Terminal(width: width))
  }

  @Test func `a command runs in the context it is given`() throws {
    let invocation = try program.parse(["add", "movie", "Alien"])
    let notes = Notes()
    guard case .run(let command) = invocation.action else { throw UsageError("nothing to run") }
    try command.run(in: notes)
    #expect(notes.lines == ["add movie Alien"])
    #expect(invocation.path == ["add"])
  }

  @Test(arguments: [
    ["--db", "x", "card", "list", "words"], ["card", "--db=x", "list", "words"],
    ["card", "list", "--db", "x", "words"],
    ["card", "list", "words", "--db", "y", "--db", "x"],
  ])
  func `global options can stand anywhere`(_ words: [String]) throws {
    let invocation = try program.parse(words)
    #expect(invocation.globals.database == "x")
    #expect(invocation.path == ["card", "list"])
    guard case .run(let command) = invocation.action else { throw UsageError("nothing to run") }
    #expect((command as? ListCommand)?.query == ["words"])
  }

  @Test(arguments: [[], ["--no-pager"], ["--wide"], ["--db", "x", "--wide"]])
  func `without a command the default command runs`(_ words: [String]) throws {
    guard case .run(let command) = try program.parse(words).action else { throw UsageError("nothing to run") }
    #expect((command as? HomeCommand)?.wide == words.contains("--wide"))
  }

  @Test func `an alias runs its command`() throws {
    #expect(try program.parse(["put", "movie", "Alien"]).path == ["add"])
  }

  @Test(arguments: [
    (["ad"], "unknown command 'ad'; did you mean 'add'?", "see 'catalog --help'"),
    (["card"], "'card' needs a sub-command", "one of add, list, lend"),
    (["card", "lst"], "unknown command 'card lst'; did you mean 'card list'?", "one of add, list, lend"),
    (["card", "--yes"], "unknown option '--yes'", "see 'catalog card --help'"),
    (["--colour", "never"], "unknown option '--colour'; did you mean '--color'?", "see 'catalog --help'"),
    (["add", "movie"], "missing TITLE", "see 'catalog add --help'"),
    (
      ["list", "--color", "red"], "option '--color': 'red' is not one of auto, always, never",
      "see 'catalog list --help'"
    ),
    (["help", "ad"], "there is no help about 'ad'; did you mean 'add'?", "see 'catalog help --help'"),
    (["completion", "tcsh"], "SHELL: 'tcsh' is not one of bash, zsh, fish", "see 'catalog completion --help'"),
    (["completion"], "missing SHELL", "one of bash, zsh, fish"),
  ])
  func `a usage error has a message and a hint`(words: [String], message: Message, hint: Message) {
    let error = #expect(throws: UsageError.self) { try program.parse(words) }
    #expect(error?.message == message)
    #expect(error?.hint == hint)
  }

  @Test(arguments: [["--version"], ["-V"], ["--version", "add"], ["--db", "x", "--version"]])
  func `the version is one line`(_ words: [String]) throws {
    #expect(try printed(words) == "catalog 1.0\n")
  }

  @Test(arguments: [["--help"], ["-h"], ["help"], ["--db", "x", "--help"]])
  func `the first page of help groups the commands`(_ words: [String]) throws {
    #expect(
      try printed(words) == """
        A catalog of movies, books and records.

        Usage: catalog [OPTION…] COMMAND …

        It starts with no account, no key and no network.

        Find:
          list         Show the items.

        Keep:
          add          Add an item to the catalog.
          card         Comment cards.
          lend         Lend copies to someone.

        Set up:
          completion   Print the completion script for a shell.
          help         Explain a command or a topic.

        Options:
              --db FILE     The catalog to use.
              --color WHEN  When to use color. One of auto, always, never.
              --no-pager    Write without a pager.
          -h, --help        Show this help.
          -V, --version     Print the version.

        Topics of help:
          exit-status  What the exit status says.

        Example:
          catalog search 기생충
              Asks the sources for a movie.

        'catalog help WORD' explains a command or a topic.

        """)
  }

  @Test(arguments: [["add", "--help"], ["add", "movie", "--yaer", "-h"], ["help", "add"], ["help", "put"]])
  func `the help of a command shows its arguments, options and examples`(_ words: [String]) throws {
    #expect(
      try printed(words, width: 64) == """
        Add an item to the catalog.

        Usage: catalog add [OPTION…] KIND TITLE

        What a person typed is never overwritten.

        Also called 'put'.

        Arguments:
          KIND   What it is: movie, book or vinyl.
          TITLE  The title as printed on the item.

        Options:
          -y, --year NUMBER   Year of release.
          -d, --delta NUMBER  How far to move.
          -g, --genre GENRE   A genre; repeat for several.
              --kinds KINDS   Kinds, separated by commas. One of movie,
                              book, vinyl.
          -a, --all           Take all.
          -b, --brief         Say less.
          -c, --cover FILE    A picture.

        Output:
              --json[=FIELDS]  Print JSON, with all fields or only
                               these.
              --jsonl          Print one JSON object a line.
              --csv            Print comma-separated values with a
                               header.
              --tsv            Print tab-separated lines without a
                               header.

        Everywhere: --db --color -h …: catalog help options

        Example:
          catalog add movie Parasite --year 2019
              Adds a movie by hand.

        """)
  }

  @Test func `the help of a group lists its commands`() throws {
    let text = try printed(["card", "--help"])
    #expect(text.contains("Usage: catalog card COMMAND …\n"))
    #expect(text.contains("Commands:\n  add   Add a card.\n"))
    #expect(try printed(["help", "card", "add"]).contains("Usage: catalog card add --stars NUMBER REF\n"))
  }

  @Test func `a topic keeps its literal lines`() throws {
    let text = try printed(["help", "exit-status"])
    #expect(text.contains("\n  0  done\n  1  failed\n"))
  }

  @Test(arguments: [10, 60, 80, 100, 300])
  func `no line of help is wider than the terminal`(_ width: Int) throws {
    for words in [[], ["add"], ["card"], ["card", "add"], ["completion"], ["exit-status"]] {
      for line in try printed(["help"] + words, width: width).split(separator: "\n") {
        #expect(line.cellWidth <= min(max(width, 60), 100))
      }
    }
  }

  @Test func `--help after two dashes is a plain word`() throws {
    guard case .run(let command) = try program.parse(["list", "--", "--help"]).action else {
      throw UsageError("nothing to run")
    }
    #expect((command as? ListCommand)?.query == ["--help"])
  }

  @Test func `commands are listed and described only when needed`() throws {
    let asked = Asked()
    let unlisted = Program<Globals, Notes>(
      name: "catalog", version: "1.0", summary: "A catalog.",
      sections: asked.noting([CommandSection("Keep", [.command(AddCommand.self), .command(AskedCommand.self)])]),
      topics: asked.noting([]))
    guard case .print(let text) = try unlisted.parse(["--version"]).action else { throw UsageError("no version") }
    #expect(text(Terminal()) == "catalog 1.0\n")
    #expect(asked.count == 0)

    // A command says what it is when it is looked at, not when it is listed.
    #expect(try unlisted.parse(["add", "movie", "Alien"]).path == ["add"])
    #expect(asked.count == 1)
    #expect(AskedCommand.asked.count == 0)
    #expect(try unlisted.parse(["asked"]).path == ["asked"])
    #expect(AskedCommand.asked.count > 0)
  }

  @Test func `help text has flowing paragraphs and literal lines`() {
    #expect(
      Paragraph.all(of: "one\ntwo\n\n  a\n  b\nthree\n") == [
        .flowing("one two"), .literal(["  a", "  b"]), .flowing("three"),
      ])
  }

  @Test func `help prints a topic before a command of the same name and refers to both`() throws {
    let program = Program<Globals, Notes>(
      name: "catalog", version: "1.0", summary: "A catalog.", sections: program.sections,
      topics: [
        HelpTopic("card", summary: "What cards are for.", about: ["card", "lend"], text: "They are for words."),
        HelpTopic("exit-status", summary: "What it says.", about: ["add"], text: "Much."),
      ])
    func text(_ words: [String]) throws -> String {
      guard case .print(let text) = try program.parse(words).action else { throw UsageError("nothing is printed") }
      return text(Terminal())
    }
    let topic = try text(["help", "card"])
    #expect(topic.hasPrefix("What cards are for.\n"))
    #expect(topic.hasSuffix("See also: 'catalog card --help', 'catalog lend --help'.\n"))
    for words in [["card", "--help"], ["card", "lend", "--help"], ["help", "card", "lend"], ["help", "lend"]] {
      #expect(try text(words).hasSuffix("See also: 'catalog help card'.\n"), "\(words)")
    }
    #expect(try text(["help", "add"]).hasSuffix("See also: 'catalog help exit-status'.\n"))
    #expect(try !text(["help", "list"]).contains("See also"))
  }
}
