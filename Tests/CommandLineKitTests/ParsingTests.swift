import TestSupport
import Testing

@testable import CommandLineKit

struct ParsingTests {
  @Test func `words on the command line set their declared properties`() throws {
    let add = try AddCommand.parse(["book", "Pachinko", "--year", "2017", "-g", "Family", "--genre=Saga", "-a"])
    #expect(add.kind == .book)
    #expect(add.title == "Pachinko")
    #expect(add.year == 2017)
    #expect(add.genres == ["Family", "Saga"])
    #expect(add.all)
  }

  @Test func `an argument that is not given keeps its default`() throws {
    let add = try AddCommand.parse(["movie", "Alien"])
    #expect(add.year == nil)
    #expect(add.genres == ["Unknown"])
    #expect(add.kinds == [.movie])
    #expect(add.output.format == nil)
  }

  @Test(arguments: [
    ["--year", "1979"], ["--year=1979"], ["-y", "1979"], ["-y1979"], ["-ay1979"], ["-ay", "1979"],
    ["--year", "3", "-y", "1979"],
  ])
  func `an option can be written in several ways and the last one wins`(_ words: [String]) throws {
    #expect(try AddCommand.parse(["movie", "Alien"] + words).year == 1979)
    #expect(try AddCommand.parse(words + ["movie", "Alien"]).year == 1979)
    #expect(try AddCommand.parse(["movie"] + words + ["--", "Alien"]).year == 1979)
  }

  @Test func `a word with a dash is a value where the option allows it`() throws {
    struct Sorted: OptionGroup {
      static var arguments: [Argument<Sorted>] {
        [
          .option("sort", short: "s", \.order, value: "FIELDS", help: "In which order.").dashed { $0 == "-year" },
          .flag("yes", short: "y", \.isSure, help: "Sure."),
        ]
      }
      var order: String?
      var isSure = false
    }
    func parse(_ words: String...) throws -> Sorted {
      var sorted = Sorted()
      let arguments = Sorted.arguments
      try ArgumentMatcher.match(words[...], with: arguments.map { $0.info }).assign(to: &sorted, with: arguments)
      return sorted
    }
    #expect(try parse("--sort", "-year").order == "-year")
    #expect(try parse("-s", "-year", "-y").isSure)
    #expect(try parse("-y", "--sort=-year").order == "-year")
    #expect(throws: UsageError.self) { try parse("--sort", "-y") }
  }

  @Test func `a command with subcommands keeps its own words`() throws {
    let program = Program<Globals, Notes>(
      name: "catalog", version: "1.0", summary: "A catalog.",
      sections: [
        CommandSection("Find", [.group(CommandGroup("find", of: ListCommand.self, [.command(CardAddCommand.self)]))])
      ])
    func command(_ words: String...) throws -> (any Command<Notes>)? {
      if case .run(let command) = try program.parse(words).action { command } else { nil }
    }
    #expect(try (command("find", "kind", "of", "blue") as? ListCommand)?.query == ["kind", "of", "blue"])
    #expect(try (command("find", "-y1960") as? ListCommand)?.year == "1960")
    #expect(try (command("find", "add", "42", "--stars", "4") as? CardAddCommand)?.reference == "42")
    #expect(throws: UsageError.self) { try command("find", "add") }
    let help = try program.help(for: ["find"])(Terminal())
    #expect(help.contains("Usage: catalog find [OPTION…]"))
    #expect(help.contains("  add  Add a card."))
  }

  @Test func `numbers below zero are values`() throws {
    #expect(try AddCommand.parse(["movie", "Alien", "--delta", "-5"]).delta == -5)
    #expect(try AddCommand.parse(["movie", "Alien", "-d-.5"]).delta == -0.5)
    #expect(try AddCommand.parse(["movie", "-5"]).title == "-5")
    #expect(try AddCommand.parse(["movie", "-2w"]).title == "-2w")
  }

  @Test func `an unknown option named like a query term suggests the term`() throws {
    func said(_ words: String...) -> String {
      do { return "\(try ListCommand.parse(words))" } catch { return error.description }
    }
    #expect(said("--genre", "jazz") == "unknown option '--genre'; did you mean 'genre:jazz'?")
    #expect(said("--genre=jazz") == "unknown option '--genre'; did you mean 'genre:jazz'?")
    #expect(said("--genre") == "unknown option '--genre'; did you mean 'genre:…'?")
    // Two letters of four are no slip of the fingers.
    #expect(Suggestion.closest(to: "--year", among: ["--yes"]) == nil)
    #expect(Suggestion.closest(to: "--yer", among: ["--year"]) == "--year")
  }

  @Test func `a query term with a dash is a word where terms are allowed`() throws {
    let list = try ListCommand.parse(["blue", "-genre:pop", "-Year:1959", "-w", "-genre:jazz", "-y1960"])
    #expect(list.query == ["blue", "-genre:pop", "-Year:1959"])
    #expect(list.conditions == "-genre:jazz")
    #expect(list.year == "1960")
    #expect(try ListCommand.parse(["-yyear:1"]).year == "year:1", "the name is between dash and colon")
    for word in ["-genre", "-gnre:pop", "--genre:pop", "-:pop", "-x:genre:"] {
      let error = #expect(throws: UsageError.self) { try ListCommand.parse([word]) }
      #expect(error?.description.hasPrefix("unknown option") == true)
    }
    #expect(throws: UsageError("unknown option '-e'")) { try AddCommand.parse(["movie", "Alien", "-genre:pop", "-e"]) }
  }

  @Test func `words after a group go to its default command only where allowed`() throws {
    func group(takesWords: Bool) -> CommandNode<Notes> {
      .group(
        CommandGroup(
          "diary", summary: "", default: AnyCommand(ListCommand.self), takingWords: takesWords,
          [.command(LendCommand.self)]))
    }
    func parse(_ node: CommandNode<Notes>, _ words: String...) throws -> Invocation<Globals, Notes>.Action {
      try Program<Globals, Notes>(
        name: "catalog", version: "1", summary: "", sections: [CommandSection("All", [node])]
      ).parse(["diary"] + words).action
    }
    guard case .run(let command) = try parse(group(takesWords: true), "blue", "-genre:pop") else {
      Issue.record("nothing runs")
      return
    }
    #expect((command as? ListCommand)?.query == ["blue", "-genre:pop"])
    #expect(throws: UsageError.self) { try parse(group(takesWords: true), "lend", "--nonsense") }
    let error = #expect(throws: UsageError.self) { try parse(group(takesWords: false), "blue") }
    #expect(error?.description.hasPrefix("unknown command 'diary blue'") == true)
  }

  @Test func `a phrase argument joins its words into one value`() throws {
    struct Show {
      var number: Int?
      var title: String?
      static let arguments: [Argument<Self>] = [
        .positional("number", \.number, help: ""), .phrase("title", \.title, help: ""),
      ]
      static func parse(_ words: [String]) throws -> Show {
        var show = Show()
        try ArgumentMatcher.match(words[...], with: arguments.map(\.info)).assign(to: &show, with: arguments)
        return show
      }
    }
    #expect(try Show.parse(["7", "kind", "of", "blue"]).title == "kind of blue")
    #expect(try Show.parse(["7", "kind", "of", "--", "-blue"]).title == "kind of -blue")
    #expect(throws: UsageError("missing TITLE")) { try Show.parse([]) }
    #expect(Show.arguments[1].info.usage == "TITLE…")
  }

  @Test func `two dashes end the options, and a single dash is a word`() throws {
    #expect(try AddCommand.parse(["movie", "--", "--year"]).title == "--year")
    #expect(try AddCommand.parse(["movie", "-"]).title == "-")
    #expect(try AddCommand.parse(["movie", "--", "--"]).title == "--")
  }

  @Test func `values of a separated list accumulate`() throws {
    let add = try AddCommand.parse(["movie", "Alien", "--kinds", "book,vinyl", "--kinds", "movie"])
    #expect(add.kinds == [.book, .vinyl, .movie])
  }

  @Test func `an optional value needs an equals sign`() throws {
    #expect(try AddCommand.parse(["movie", "--json", "Alien"]).title == "Alien")
    #expect(try AddCommand.parse(["movie", "--json", "Alien"]).output.json == .all)
    #expect(try AddCommand.parse(["movie", "Alien", "--json=title,year"]).output.json == .only(["title", "year"]))
    #expect(try AddCommand.parse(["movie", "Alien", "--csv"]).output.format == .csv)
    #expect(try AddCommand.parse(["movie", "Alien", "--csv", "--json"]).output.format == .json)
  }

  @Test func `a repeated argument leaves enough words for the ones after it`() throws {
    let lend = try LendCommand.parse(["1", "2", "3", "Ana"])
    #expect(lend.copies == [1, 2, 3])
    #expect(lend.name == "Ana")
  }

  struct Case: CustomTestStringConvertible {
    var words: [String]
    var message: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Case(words: [], message: "missing KIND"),
    Case(words: ["movie"], message: "missing TITLE"),
    Case(words: ["movie", "Alien", "Aliens"], message: "unexpected word 'Aliens'"),
    Case(words: ["movie", "Alien", "--yaer", "3"], message: "unknown option '--yaer'; did you mean '--year'?"),
    Case(words: ["movie", "Alien", "--zzzzzz"], message: "unknown option '--zzzzzz'"),
    Case(words: ["movie", "Alien", "-x"], message: "unknown option '-x'"),
    Case(words: ["movie", "Alien", "-ax"], message: "unknown option '-x'"),
    Case(words: ["movie", "Alien", "--year"], message: "option '--year' needs a value"),
    Case(words: ["movie", "Alien", "--year", "--all"], message: "option '--year' needs a value"),
    Case(words: ["movie", "Alien", "-y", "-a"], message: "option '-y' needs a value"),
    Case(words: ["movie", "Alien", "--year", "--", "3"], message: "option '--year' needs a value"),
    Case(words: ["movie", "Alien", "--year="], message: "option '--year': '' is not a whole number"),
    Case(words: ["movie", "Alien", "--year", "soon"], message: "option '--year': 'soon' is not a whole number"),
    Case(words: ["movie", "Alien", "--delta", "nan"], message: "option '--delta': 'nan' is not a number"),
    Case(words: ["movie", "Alien", "--all=yes"], message: "option '--all' takes no value"),
    Case(words: ["movie", "Alien", "-ab"], message: "'--all' and '--brief' exclude each other"),
    Case(words: ["movie", "Alien", "--kinds", ","], message: "option '--kinds': the value is empty"),
    Case(words: ["movie", "Alien", "--secrt"], message: "unknown option '--secrt'"),
    Case(
      words: ["moovie", "Alien"],
      message: "KIND: 'moovie' is not one of movie, book, vinyl; did you mean 'movie'?"),
    Case(words: ["movie", "a", "b\u{1B}[2J\n\u{202E}"], message: "unexpected word 'b␛[2J\\n�'"),
  ])
  func `a usage error names the word and the reason`(_ bad: Case) {
    let error = #expect(throws: UsageError.self) { try AddCommand.parse(bad.words) }
    #expect(error?.description == bad.message)
  }

  @Test func `a missing required option is an error`() {
    let error = #expect(throws: UsageError.self) { try CardAddCommand.parse(["42"]) }
    #expect(error?.message == "missing option '--stars'")
  }

  @Test func `an argument that is not UTF-8 is refused by its number`() throws {
    func words(_ arguments: [[UInt8]]) throws -> [String] {
      let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count)
      for (index, bytes) in arguments.enumerated() {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (place, byte) in (bytes + [0]).enumerated() { copy[place] = CChar(bitPattern: byte) }
        pointers[index] = copy
      }
      defer {
        for index in arguments.indices { pointers[index]?.deallocate() }
        pointers.deallocate()
      }
      return try CommandLine.words(pointers, count: arguments.count)
    }
    #expect(try words([Array("catalog".utf8), Array("기생충".utf8), []]) == ["기생충", ""])
    #expect(try words([]) == [])
    let error = #expect(throws: UsageError.self) { try words([[99], [97], [98], [0xEA, 0xB8]]) }
    #expect(error?.message == "argument 3 is not valid UTF-8")
  }

  @Test(
    arguments: [
      ("serch", "search"), ("shwo", "show"), ("lst", "list"), ("SEARCH", "search"), ("xyz", nil), ("s", nil), ("", nil),
    ] as [(String, String?)])
  func `a misspelled word suggests the closest known one`(word: String, meant: String?) {
    #expect(Suggestion.closest(to: word, among: ["search", "show", "list"]) == meant)
  }

  @Test func `random words never crash the parser`() {
    var random = SplitMix(seed: 7)
    let known = [
      "add", "card", "list", "--year", "--json=", "-y", "--", "-", "-ab", "movie", "--help", "help", "=", "-5",
    ]
    for _ in 0..<10_000 {
      let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Bool.random(using: &random) ? known.randomElement(using: &random) ?? "" : random.text(upTo: 6)
      }
      do {
        _ = try program.parse(words)
        _ = try AddCommand.parse(words)
      } catch {
        #expect(!error.message.isEmpty)
        let text = "\(error)"
        #expect(text == text.sanitized)
      }
    }
  }
}
