import Foundation
import SQLite
import TestSupport
import Testing

/// A command that takes the whole terminal.
struct FullScreenCommand: Sendable, CustomTestStringConvertible {
  var words: [String]
  /// A text that is on its screen as soon as it is drawn, and nowhere else.
  var shows: String
  /// The keys that quit it.
  var quit: String
  var testDescription: String { words.joined(separator: " ") }

  static let all = [
    FullScreenCommand(words: ["card", "deck"], shows: "1/2", quit: "q"),
    FullScreenCommand(words: ["shelf", "books"], shows: "page 1/1", quit: "q"),
    FullScreenCommand(words: ["browse", "--offline"], shows: "[Movies]", quit: "\u{1B}"),
  ]
}

/// Whatever happens, a command that takes the whole terminal leaves it as it found it.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct FullScreenTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox.current
    try sandbox.makeCatalog()
    for comment in ["우리 땅의 이야기", "once more"] {
      try #require(try sandbox.run("card", "add", "1", "--stars", "4", comment).status == 0)
    }
  }

  private func start(_ command: FullScreenCommand, on terminal: PseudoTerminal) throws -> Launch {
    let launch = try sandbox.launch(command.words.map { Array($0.utf8) }, terminal: terminal)
    #expect(terminal.waitUntil { $0.text.contains(command.shows) }, "\(terminal.text)")
    return launch
  }

  enum WayOut: Sendable, CustomTestStringConvertible {
    case key, controlC
    case signal(Int32)

    static let all: [WayOut] =
      [.key, .controlC]
      + [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT].map(WayOut.signal)

    var status: Int32 {
      switch self {
      case .key: 0
      case .controlC: 128 + SIGINT
      case .signal(let number): 128 + number
      }
    }

    var testDescription: String {
      switch self {
      case .key: "key"
      case .controlC: "Ctrl-C"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  @Test(arguments: FullScreenCommand.all, WayOut.all)
  func `a full-screen command restores the terminal on every way out`(
    _ command: FullScreenCommand, _ way: WayOut
  ) throws {
    let terminal = try PseudoTerminal(width: 80)
    let before = terminal.mode
    let launch = try start(command, on: terminal)
    #expect(terminal.screen.isOther)
    #expect(!terminal.screen.modes.contains(7))
    #expect(terminal.mode != before)
    switch way {
    case .key: terminal.type(command.quit)
    case .controlC: terminal.type("\u{3}")
    case .signal(let number): launch.send(number)
    }
    terminal.readToEnd()
    #expect(launch.wait() == way.status)
    #expect(terminal.mode == before)
    #expect(terminal.screen.modes == [7, 25], "it wraps, the cursor is seen, and it is the ordinary screen")
    #expect(!terminal.screen.text.contains(command.shows))
    #expect(terminal.screen.scrolls == 0)
    #expect(terminal.screen.unknown == [])
  }

  @Test(arguments: FullScreenCommand.all)
  func `closing the window ends a full-screen command`(_ command: FullScreenCommand) throws {
    let terminal = try PseudoTerminal(width: 80)
    let launch = try start(command, on: terminal)
    terminal.close()
    #expect(launch.wait() == 128 + SIGHUP)
  }

  /// A hang-up sends no signal to a program in another session: it only sees the end of its input.
  @Test(arguments: FullScreenCommand.all)
  func `the end of the input ends a full-screen command`(_ command: FullScreenCommand) throws {
    let terminal = try PseudoTerminal(width: 80)
    let script = "trap '' HUP; setsid -w \"$0\" \"$@\"; exit $?"
    let words = ["-c", script, Launch.program] + command.words
    let launch = try sandbox.launch(words.map { Array($0.utf8) }, terminal: terminal, program: "/bin/sh")
    #expect(terminal.waitUntil { $0.text.contains(command.shows) })
    terminal.close()
    #expect(launch.wait() == 128 + SIGHUP)
  }

  @Test(arguments: FullScreenCommand.all)
  func `a full-screen command follows the window size`(_ command: FullScreenCommand) throws {
    let terminal = try PseudoTerminal(width: 80)
    let launch = try start(command, on: terminal)
    for (width, height) in [(40, 10), (1, 1), (2, 30), (120, 40)] {
      let drawn = terminal.bytes.count
      terminal.resize(width: width, height: height)
      #expect(terminal.waitUntil { _ in terminal.bytes.count > drawn }, "\(width)×\(height)")
    }
    #expect(terminal.waitUntil { $0.text.contains(command.shows) })
    #expect(terminal.screen.scrolls == 0)
    terminal.type(command.quit)
    terminal.readToEnd()
    #expect(launch.wait() == 0)
  }

  @Test(arguments: FullScreenCommand.all, [(40, 10), (1, 1)])
  func `a full-screen command starts in a small window`(_ command: FullScreenCommand, _ size: (Int, Int)) throws {
    let terminal = try PseudoTerminal(width: size.0, height: size.1)
    let launch = try sandbox.launch(command.words.map { Array($0.utf8) }, terminal: terminal)
    #expect(terminal.waitUntil { $0.isOther && $0.lines != [String](repeating: "", count: size.1) })
    terminal.type(command.quit)
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.screen.scrolls == 0)
  }

  @Test(arguments: FullScreenCommand.all)
  func `Ctrl-Z gives the terminal to the shell until fg`(_ command: FullScreenCommand) throws {
    let terminal = try PseudoTerminal(width: 80)
    let before = terminal.mode
    let script = "set -m; \"$0\" \"$@\"; echo paused; read line; fg >/dev/null; echo done $?"
    let words = ["-c", script, Launch.program] + command.words
    let launch = try sandbox.launch(words.map { Array($0.utf8) }, terminal: terminal, program: "/bin/sh")
    #expect(terminal.waitUntil { $0.text.contains(command.shows) })
    terminal.type("\u{1A}")
    #expect(terminal.waitUntil { $0.text.contains("paused") }, "\(terminal.screen.text)")
    #expect(terminal.screen.modes == [7, 25])
    #expect(terminal.mode == before)
    terminal.type("\n")
    #expect(terminal.waitUntil { $0.isOther && $0.text.contains(command.shows) })
    terminal.type(command.quit)
    #expect(terminal.waitUntil { $0.text.contains("done 0") })
    #expect(launch.wait() == 0)
    #expect(terminal.screen.modes == [7, 25])
    #expect(terminal.mode == before)
  }

  @Test(arguments: FullScreenCommand.all)
  func `a full-screen command is drawn again after SIGSTOP and SIGCONT`(_ command: FullScreenCommand) throws {
    let terminal = try PseudoTerminal(width: 80)
    let launch = try start(command, on: terminal)
    launch.send(SIGSTOP)
    launch.send(SIGCONT)
    #expect(terminal.waitUntil { _ in terminal.text.components(separatedBy: "\u{1B}[?1049h").count == 3 })
    terminal.type(command.quit)
    terminal.readToEnd()
    #expect(launch.wait() == 0)
  }

  @Test(arguments: FullScreenCommand.all)
  func `keys typed ahead reach a full-screen command`(_ command: FullScreenCommand) throws {
    let terminal = try PseudoTerminal(width: 80)
    terminal.type(command.quit)
    let launch = try sandbox.launch(command.words.map { Array($0.utf8) }, terminal: terminal)
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.screen.modes == [7, 25])
  }

  @Test func `keys page through the card deck and only changes are drawn`() throws {
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch("card", "deck", changing: ["NO_COLOR": "1"], terminal: terminal)
    #expect(terminal.waitUntil { $0.text.contains("1/2") })
    #expect(terminal.screen.lines[1].hasPrefix("│ 토지 "))
    let drawn = terminal.bytes.count
    terminal.type("\u{1B}[C ")
    #expect(terminal.waitUntil { $0.lines[1].hasPrefix("│ 우리 땅의 이야기 ") })
    #expect(terminal.screen.lines[15].hasPrefix("2/2 · "))
    #expect(!String(decoding: terminal.bytes[drawn...], as: UTF8.self).contains("\u{1B}[2J"))
    terminal.type("ㅂ")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
  }

  @Test func `keys page through the shelf and show a book`() throws {
    for number in 1...9 { try #require(try sandbox.run("add", "book", "--title", "Book \(number)").status == 0) }
    let terminal = try PseudoTerminal(width: 80)
    let before = terminal.mode
    let launch = try sandbox.launch("shelf", "books", changing: ["NO_COLOR": "1"], terminal: terminal)
    #expect(terminal.waitUntil { $0.text.contains("page 1/2") })
    #expect(terminal.screen.lines[0].hasPrefix("╭─ 10 "))
    terminal.type("\u{1B}[C")
    #expect(terminal.waitUntil { $0.text.contains("page 2/2") && $0.lines[1].hasPrefix("│ 토지 ") })
    terminal.type("1")
    #expect(terminal.waitUntil { $0.lines[0].hasPrefix("┏━ 1 ") })
    terminal.type("\r")
    #expect(terminal.waitUntil { $0.text.contains("once more") && $0.lines[0] == "토지  book 1" })
    terminal.type("\u{1B}")
    #expect(terminal.waitUntil { $0.lines[0].hasPrefix("┏━ 1 ") })
    terminal.type("ㅂ")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.mode == before)
    #expect(terminal.screen.modes == [7, 25])
    #expect(terminal.screen.scrolls == 0)
    #expect(try sandbox.run("recent").output.hasPrefix("@1\tbook\t토지\t"))
  }

  @Test func `pixel covers are drawn one by one and stay while the selection moves`() throws {
    for number in 2...3 { try #require(try sandbox.run("add", "book", "--title", "Book \(number)").status == 0) }
    try sandbox.database().run(
      """
      INSERT INTO cover (item_id, bytes, media_type) SELECT id, \(Picture.png(width: 30, height: 20)), 'image/png' FROM item
      """)
    let programs = sandbox.path("programs")
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: programs + "/chafa", withDestinationPath: StandIn.path)
    let terminal = try PseudoTerminal(width: 120, height: 40)
    let changing = [
      "PATH": programs + ":/usr/bin:/bin", "TERM": "foot", "STAND_IN": "printf '\\033Pq%s\\033\\\\' \"$2\"",
    ]
    let launch = try sandbox.launch("shelf", "books", changing: changing, terminal: terminal)
    #expect(terminal.waitUntil { $0.pictures.count == 3 }, "\(terminal.text)")
    #expect(terminal.screen.pictures == Array(repeating: Array("q14x7".utf8), count: 3))
    #expect(terminal.text.components(separatedBy: "\u{1B}[2J").count == 2)
    terminal.type("q")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.screen.scrolls == 0)
    #expect(terminal.screen.unknown == [])
  }
}
