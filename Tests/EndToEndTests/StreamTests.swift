import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

/// Pipes, terminals, signals.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct StreamTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  /// Adds many books at once, as another program would.
  private func fill(_ count: Int) throws {
    try sandbox.makeCatalog()
    let db = try sandbox.database()
    try db.transaction {
      try db.run(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
        INSERT INTO item (kind, title, year, created_at, updated_at)
        SELECT 'book', 'A title that is long enough to fill a pipe soon, number ' || n, 1900 + n % 100,
          '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' FROM number
        """)
      try db.run("INSERT INTO book (item_id) SELECT id FROM item WHERE id NOT IN (SELECT item_id FROM book)")
    }
    // The program indexes what another one wrote.
    let found = try sandbox.run("list", "토지")
    try #require(found.status == 0, "\(found.errors)")
  }

  private func onTerminal(
    _ words: String..., width: Int = 80, changing: [String: String?] = [:]
  ) throws -> (status: Int32, text: String) {
    let terminal = try PseudoTerminal(width: width)
    let launch = try sandbox.launch(words.map { Array($0.utf8) }, changing: changing, terminal: terminal)
    terminal.readToEnd()
    return (launch.wait(), terminal.text)
  }

  // MARK: Pipes

  @Test func `a reader that closes the pipe early causes no error`() throws {
    try fill(20_000)
    let launch = try sandbox.launch("list")
    #expect(launch.waitForOutput("\n"))
    launch.closeOutput()
    let outcome = launch.finish()
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
  }

  @Test func `a pipe gets lines without header, colour or pager`() throws {
    try fill(200)
    let marker = sandbox.path("paged")
    let pager = try script("echo paged > '\(marker)'; cat")
    let piped = try sandbox.run(["list"], changing: ["PAGER": pager])
    #expect(piped.status == 0)
    #expect(piped.lines.count == 201)
    #expect(!piped.output.contains("\u{1B}"))
    #expect(piped.lines.first?.contains("\t토지\t박경리\t1969") == true)
    #expect(!FileManager.default.fileExists(atPath: marker))

    let shown = try onTerminal("list", changing: ["PAGER": pager])
    #expect(shown.status == 0)
    #expect(shown.text.contains("Title"))
    #expect(FileManager.default.fileExists(atPath: marker))

    try FileManager.default.removeItem(atPath: marker)
    #expect(try onTerminal("list", "--no-pager", changing: ["PAGER": pager]).status == 0)
    #expect(try onTerminal("list", "--limit", "5", changing: ["PAGER": pager]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: marker))
  }

  @Test func `colour is printed only on terminals that support it`() throws {
    try sandbox.makeCatalog()
    let escape = "\u{1B}["
    #expect(try onTerminal("show", "1").text.contains(escape))
    #expect(try !onTerminal("show", "1", changing: ["NO_COLOR": "1"]).text.contains(escape))
    #expect(try onTerminal("show", "1", changing: ["NO_COLOR": ""]).text.contains(escape))
    #expect(try !onTerminal("show", "1", changing: ["TERM": "dumb"]).text.contains(escape))
    #expect(try !onTerminal("--color", "never", "show", "1").text.contains(escape))
    #expect(try !sandbox.run("show", "1").output.contains(escape))
    #expect(try sandbox.run(["show", "1", "--color", "always"], changing: ["NO_COLOR": "1"]).output.contains(escape))
  }

  @Test func `results go to standard output and messages to standard error`() throws {
    try sandbox.makeCatalog()
    #expect(try sandbox.run("list").errors == "")
    let missing = try sandbox.run("show", "99")
    #expect(missing.output == "")
    #expect(missing.errors.hasPrefix("catalog: there is no item 99\nhint: "))
  }

  @Test(arguments: [["--version"], ["--help"], ["completion", "bash"], ["help", "search"]])
  func `commands without a catalog work in an empty environment`(_ words: [String]) throws {
    let outcome = try Launch(words.map { Array($0.utf8) }, environment: [:]).finish()
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("catalog"))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  // MARK: Work and its output

  /// References of the built-in pack, which need no network.
  private static let references = [
    "pack:book/1q84-2009", "pack:book/2666-2004", "pack:book/28-2013", "pack:book/a-little-life-2015",
  ]

  private func count(_ table: SQL) throws -> Int? {
    try sandbox.database().value("SELECT count(*) FROM \(table)", as: Int.self)
  }

  @Test func `add answers each line of standard input before reading the next`() throws {
    let launch = try sandbox.launch("add", "-", "--no-cover")
    for (number, reference) in Self.references.enumerated() {
      launch.type(reference + "\n")
      #expect(launch.waitForOutput("added book \(number + 1): "))
    }
    // A failure is reported at once, too, and the others go on.
    launch.type("pack:book/no-such-book\n")
    #expect(launch.waitForOutput("no-such-book"))
    launch.type("\(Self.references[0])\n")
    #expect(launch.waitForOutput("already on the shelf: book 1: "))
    launch.closeInput()
    #expect(launch.finish().status == 1)
    #expect(try count("item") == Self.references.count)
  }

  @Test func `add continues to the end of its input after the reader closes the pipe`() throws {
    let launch = try sandbox.launch("add", "-", "--no-cover")
    launch.type("# what to read\n\n\(Self.references[0])\n")
    #expect(launch.waitForOutput("added book 1: "))
    launch.closeOutput()
    launch.type(Self.references.dropFirst().map { $0 + "\n" }.joined())
    launch.closeInput()
    let outcome = launch.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "", "\(outcome.errors)")
    #expect(try count("item") == Self.references.count)
    try sandbox.expectWhole()
  }

  @Test func `a command continues after the reader closes the pipe, however long its output`() throws {
    try sandbox.makeCatalog()
    let db = try sandbox.database()
    // Their lines together are more than waits in the program.
    let title = String(repeating: "long ", count: 2_000)
    for _ in 1...20 {
      try db.run(
        """
        INSERT INTO item (kind, title, created_at, updated_at)
        VALUES ('book', \(title), '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
        """)
    }
    try db.run("INSERT INTO book (item_id) SELECT id FROM item WHERE id NOT IN (SELECT item_id FROM book)")
    let launch = try sandbox.launch((["favorite"] + (2...21).map(String.init)).map { Array($0.utf8) })
    launch.closeOutput()
    let outcome = launch.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "", "\(outcome.errors)")
    #expect(try count("favorite") == 20)
  }

  /// Runs the program by a shell that redirects its streams: `>/dev/full`, `>&-`.
  private func run(_ words: [String], redirected redirection: String, input: String = "") throws -> Outcome {
    let launch = ["-c", "exec \"$@\" \(redirection)", "sh", Launch.program] + words
    return try sandbox.launch(launch.map { Array($0.utf8) }, program: "/bin/sh").finish(input: Array(input.utf8))
  }

  static let lost = [
    (">/dev/full", "catalog: the output could not be written: No space left on device\n"),
    (">&-", "catalog: standard output is closed, and nothing could be printed\n"),
  ]

  @Test(arguments: lost) func `lost output of a command that changes is a failure, and the change is kept`(
    _ redirection: String, _ message: String
  ) throws {
    let steps: [(words: [String], input: String, holds: SQL)] = [
      (["add", "book", "--title", "토지"], "", "count(*) = 1 FROM item"),
      (["add", "-", "--no-cover"], Self.references.joined(separator: "\n"), "count(*) = 5 FROM item"),
      (["card", "add", "1", "--comment", "again", "--stars", "4"], "", "count(*) = 1 FROM card"),
      (["favorite", "1", "2"], "", "count(*) = 2 FROM favorite"),
      (["edit", "1", "year=1970"], "", "count(*) = 1 FROM item WHERE year = 1970"),
      (["unfavorite", "2"], "", "count(*) = 1 FROM favorite"),
      (["remove", "2", "3", "--yes"], "", "count(*) = 3 FROM item"),
    ]
    for (words, input, holds) in steps {
      let outcome = try run(words, redirected: redirection, input: input)
      #expect(outcome.status == 1, "\(words)")
      #expect(
        outcome.errors == message + "hint: the change was saved: there is no need to repeat it\n",
        "\(words)")
      #expect(try sandbox.database().value("SELECT \(holds)", as: Int.self) == 1, "\(words)")
    }
    try sandbox.expectWhole()
  }

  @Test(arguments: lost) func `lost output of a command that prints is a failure`(
    _ redirection: String, _ message: String
  ) throws {
    try fill(2_000)
    for words in [
      ["list"], ["list", "--json"], ["list", "--limit", "1"], ["show", "1"], ["level"], ["--version"], ["--help"],
      ["help", "query"], ["completion", "bash"], ["config", "path"],
    ] {
      let outcome = try run(words, redirected: redirection)
      #expect(outcome.status == 1, "\(words)")
      #expect(outcome.errors == message, "\(words)")
    }
    // An error comes first, and decides.
    let failed = try run(["show", "9999"], redirected: redirection)
    #expect(failed.errors.hasPrefix("catalog: there is no item 9999\n"))
    #expect(failed.status == 1)
  }

  @Test(arguments: [("<&-", 0), (">&-", 1), ("2>&-", 0), ("<&- >&-", 1), ("<&- >&- 2>&-", 1)])
  func `no file gets the descriptor of a closed stream`(_ closed: String, _ status: Int32) throws {
    _ = try run(["config", "set", "locale.country", "KR"], redirected: closed)
    let added = try run(["add", "book", "--title", "토지"], redirected: closed)
    #expect(added.status == status, "\(added.errors)")
    let copy = sandbox.path("copy.db")
    _ = try run(["backup", copy], redirected: closed)
    for file in [sandbox.catalog, copy] { try sandbox.expectWhole(sandbox.database(at: file)) }
    #expect(try sandbox.run("list", "--json=title").output == #"[{"title":"토지"}]"# + "\n")
    #expect(try sandbox.run("config", "get", "locale.country").output == "KR\n")
    // Standard input is closed.
    #expect(try run(["add", "-"], redirected: closed).status == 1)
  }

  // MARK: Terminals

  @Test(arguments: [80, 120, 40]) func `a table fits the terminal and aligns Korean titles`(_ width: Int) throws {
    let books = [
      ("토지", "박경리", "1969"), ("채식주의자", "한강", "2007"), ("Middlemarch", "George Eliot", "1871"),
      ("칼의 노래", "김훈", "2001"),
      ("百年の孤独", "Gabriel García Márquez", "1967"),
      ("The Life and Opinions of Tristram Shandy, Gentleman, in nine volumes", "Laurence Sterne", "1759"),
      ("우리가 빛의 속도로 갈 수 없다면 그리고 아주 긴 제목이 하나 더 있다면 어떻게 될까", "김초엽", "2019"),
    ]
    for (title, creator, year) in books {
      #expect(try sandbox.run("add", "book", "--title", title, "--creator", creator, "--year", year).status == 0)
    }
    let shown = try onTerminal("list", width: width, changing: ["NO_COLOR": "1"])
    #expect(shown.status == 0)
    let lines = shown.text.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { Self.cells($0) <= width }, "\(shown.text)")
    #expect(lines.contains { $0.contains("토지") })
    // The years end at the same cell in each line.
    let ends = Set(
      books.compactMap { book in
        lines.lazy.compactMap { line in line.range(of: book.2).map { Self.cells(String(line[..<$0.upperBound])) } }
          .first
      })
    #expect(ends.count == 1, "\(shown.text)")
  }

  /// The width of a text on a terminal, in cells.
  private static func cells(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { width, scalar in
      switch scalar.value {
      case 0x0300...0x036F: width
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60: width + 2
      default: width + 1
      }
    }
  }

  @Test func `show asks at a terminal when words match several items`() throws {
    for title in ["Dune", "Dune Messiah", "Children of Dune"] {
      #expect(try sandbox.run("add", "book", "--title", title, "--creator", "Frank Herbert").status == 0)
    }
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch("show", "herbert", changing: ["NO_COLOR": "1"], terminal: terminal)
    #expect(terminal.waitFor("Which one? [1-3]"))
    terminal.type("2\n")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.text.contains("Dune Messiah  book 2\n"), "\(terminal.text)")
    // The item that was looked at is the chosen one.
    #expect(
      try sandbox.database().values("SELECT title FROM recently_viewed", as: String.self) == ["Dune Messiah"])
  }

  @Test(arguments: ["", "7", "x"])
  func `an invalid answer is asked again, and an empty one chooses none`(_ answer: String) throws {
    for title in ["Dune", "Dune Messiah"] {
      #expect(try sandbox.run("add", "book", "--title", title, "--creator", "Frank Herbert").status == 0)
    }
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch("show", "herbert", terminal: terminal)
    #expect(terminal.waitFor("Which one? [1-2]"))
    if !answer.isEmpty {
      terminal.type(answer + "\n")
      #expect(terminal.waitFor("Please type a number between 1 and 2, or nothing."))
    }
    terminal.type("\n")
    terminal.readToEnd()
    #expect(launch.wait() == 1)
    #expect(terminal.text.contains("none was chosen"), "\(terminal.text)")
  }

  @Test func `remove asks for confirmation at a terminal`() throws {
    try sandbox.makeCatalog()
    for (answer, rest) in [("n", 1), ("y", 0)] {
      let terminal = try PseudoTerminal(width: 80)
      let launch = try sandbox.launch("remove", "1", changing: ["NO_COLOR": "1"], terminal: terminal)
      #expect(terminal.waitFor("[y/N]"))
      #expect(terminal.text.contains("토지"))
      terminal.type("\(answer)\n")
      terminal.readToEnd()
      _ = launch.wait()
      #expect(try sandbox.database().value("SELECT count(*) FROM item", as: Int.self) == rest)
    }
    try sandbox.expectWhole()
  }

  // MARK: Signals

  @Test func `Ctrl-C at a question ends the command`() throws {
    for title in ["Dune", "Dune Messiah"] {
      #expect(try sandbox.run("add", "book", "--title", title, "--creator", "Frank Herbert").status == 0)
    }
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch("show", "herbert", terminal: terminal)
    #expect(terminal.waitFor("Which one?"))
    terminal.type("\u{3}")
    terminal.readToEnd()
    #expect(launch.wait() == 130)
    try sandbox.expectWhole()
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal stops a long listing`(_ signal: Int32, _ status: Int32) throws {
    try fill(20_000)
    let launch = try sandbox.launch("list")
    #expect(launch.waitForOutput("\n"))
    launch.send(signal)
    let outcome = launch.finish()
    #expect(outcome.status == status)
    #expect(outcome.lines.count < 20_001)
    #expect(outcome.errors == "catalog: stopped; what was done stays\n")
    try sandbox.expectWhole()
  }

  @Test func `Ctrl-C during many additions keeps the finished ones`() throws {
    let pid = Mutex<pid_t>(0)
    let sources = try SourceServer { question in
      guard question.path.contains("/lookup?id=1&") else { return SourceServer.json(SourceServer.movies) }
      return .init { connection in
        pid.withLock { _ = kill($0, SIGINT) }
        connection.waitForEnd()
      }
    }
    try sandbox.configure(sources.configuration.merging(["network.deadline": "60"]) { $1 })
    let launch = try pid.withLock { pid in
      let launch = try sandbox.launch("add", "-", "--no-cover")
      pid = launch.pid
      return launch
    }
    let references = ["track/1594582022", "track/284910350"] + (1...50).map { "track/\($0)" }
    let outcome = launch.finish(input: Array(references.map { "itunes:\($0)\n" }.joined().utf8))
    #expect(outcome.status == 130)
    #expect(outcome.lines.count == 2, "\(outcome.output)")
    #expect(outcome.errors == "catalog: stopped; what was done stays\n")
    #expect(
      try sandbox.database().values("SELECT title FROM item ORDER BY id", as: String.self)
        == ["Dune (2021)", "Dune (1984)"])
    try sandbox.expectWhole()
  }

  @Test func `Ctrl-C during a refresh keeps finished items, and the next run continues`() throws {
    let sandbox = try Sandbox.current
    let pid = Mutex<pid_t>(0)
    let isStopped = Mutex(false)
    let server = try SourceServer { question in
      guard let id = question.path.split(whereSeparator: { "/?".contains($0) }).compactMap({ Int($0) }).first else {
        return nil
      }
      let stops = isStopped.withLock { isStopped in
        defer { isStopped = isStopped || id == 2 }
        return id == 2 && !isStopped
      }
      if stops {
        pid.withLock { _ = kill($0, SIGINT) }
        return .hang
      }
      return SourceServer.json(#"{"id": \#(id), "title": "Film \#(id)"}"#)
    }
    try sandbox.configure(server.configuration)
    for number in 1...3 {
      #expect(try sandbox.run("add", "movie", "--title", "Movie \(number)").status == 0)
      // As if it had come from TMDB.
      try sandbox.database().run(
        "INSERT INTO external_id (source, value, item_id) VALUES ('tmdb', \("\(number)"), \(number))")
    }
    let words = ["refresh", "--where", "kind:movie", "--yes"]
    let key = ["CATALOG_TMDB_TOKEN": "any"]
    let launch = try pid.withLock { pid in
      let launch = try sandbox.launch(words.map { Array($0.utf8) }, changing: key)
      pid = launch.pid
      return launch
    }
    let outcome = launch.finish()
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.errors.hasSuffix("catalog: stopped; what was done stays\n"))
    #expect(try sandbox.run("list", "--sort", "id", "-c", "title").output == "Movie 1\nMovie 2\nFilm 3\n")
    let rest = try sandbox.run(words, changing: key)
    #expect(rest.errors.contains("1 item of 3 asked for within the last day"))
    #expect(rest.output.hasSuffix("refreshed 2 items\n"))
    #expect(try sandbox.run("list", "--sort", "id", "-c", "title").output == "Film 1\nFilm 2\nFilm 3\n")
  }

  @Test func `Ctrl-C during a request ends the search`() throws {
    let pid = Mutex<pid_t>(0)
    let sources = try SourceServer(
      always: .init { connection in
        pid.withLock { _ = kill($0, SIGINT) }
        connection.waitForEnd()
      })
    try sandbox.configure(sources.configuration.merging(["network.deadline": "60"]) { $1 })
    let launch = try pid.withLock { pid in
      let launch = try sandbox.launch("search", "dune", "--kind", "movie")
      pid = launch.pid
      return launch
    }
    let outcome = launch.finish()
    #expect(outcome.status == 130)
    #expect(outcome.output == "")
    #expect(outcome.errors == "catalog: stopped; what was done stays\n")
  }

  private func script(_ text: String) throws -> String {
    let path = sandbox.path("script")
    try sandbox.write(Array("#!/bin/sh\n\(text)\n".utf8), to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }
}
