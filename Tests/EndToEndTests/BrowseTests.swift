import Foundation
import SQLite
import TestSupport
import Testing

/// Tests `browse` with a person at a terminal, and sources on this computer.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct BrowseTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  private func browse(
    _ words: String..., at sources: SourceServer, width: Int = 80, height: Int = 24
  ) throws -> (PseudoTerminal, Launch) {
    // No deadline ends before the test does.
    try sandbox.configure(sources.configuration.merging(["network.deadline": "600"]) { given, _ in given })
    let terminal = try PseudoTerminal(width: width, height: height)
    let launch = try sandbox.launch((["browse"] + words).map { Array($0.utf8) }, terminal: terminal)
    #expect(terminal.waitUntil { $0.isOther && $0.lines[0].hasPrefix("[Movies]") }, "\(terminal.text)")
    return (terminal, launch)
  }

  /// Waits until the screen shows these texts.
  private func see(_ texts: String..., at terminal: PseudoTerminal, location: SourceLocation = #_sourceLocation) {
    for text in texts {
      #expect(
        terminal.waitUntil { $0.text.contains(text) }, "there stands:\n\(terminal.screen.text)",
        sourceLocation: location)
    }
  }

  private func searches(_ sources: SourceServer) -> [String] { sources.paths.filter { $0.contains("/search") } }

  // MARK: The whole way

  @Test func `browse searches, shows, adds and marks a favorite, then quits`() throws {
    let sources = try SourceServer()
    let (terminal, launch) = try browse(at: sources)
    let before = terminal.mode
    terminal.type("dune")
    see("iTunes · 2", "Dune (2021)", at: terminal)
    terminal.type("\r\r")
    see("2 h 35 min", "Sand, and what lives in it.", "Known as  itunes:track/1594582022", at: terminal)
    terminal.type("\u{1B}")
    see("▸ Dune (2021)", "Enter show", at: terminal)
    terminal.type("a")
    see("Added movie 1: Dune (2021)", "[on shelf 1]", at: terminal)
    terminal.type("f")
    see("Favorite: movie 1", at: terminal)
    terminal.type("q")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.screen.modes == [7, 25], "written at last: \(terminal.text.suffix(200).debugDescription)")
    #expect(terminal.mode != before)
    #expect(terminal.screen.scrolls == 0)
    #expect(terminal.screen.unknown == [])
    #expect(searches(sources).count == 1)
    let db = try sandbox.database()
    try sandbox.expectWhole(db)
    #expect(try db.values("SELECT title FROM item", as: String.self) == ["Dune (2021)"])
    #expect(try db.value("SELECT count(*) FROM favorite", as: Int.self) == 1)
    #expect(try db.value("SELECT item_id FROM recently_viewed", as: Int.self) == 1)
  }

  @Test func `browse sends one request for words typed at once`() throws {
    let sources = try SourceServer()
    let (terminal, launch) = try browse(at: sources)
    for character in "parasite" { terminal.type(String(character)) }
    see("iTunes · 2", at: terminal)
    // There and back: what was answered is there.
    terminal.type("\t")
    see("Open Library · 1", at: terminal)
    terminal.type("\u{1B}[Z")
    see("iTunes · 2", at: terminal)
    terminal.type("\u{3}")
    terminal.readToEnd()
    #expect(launch.wait() == 128 + SIGINT)
    #expect(searches(sources).count == 2)
    #expect(searches(sources)[0].contains("term=parasite&"))
  }

  @Test func `browse edits Korean by syllables and accepts Korean keys as commands`() throws {
    let sources = try SourceServer()
    let (terminal, launch) = try browse("--offline", at: sources)
    terminal.type("기생충")
    see(" › 기생충", "Built-in pack · 1", "Bong Joon-ho", at: terminal)
    #expect(terminal.screen.cursor.column == 9)
    #expect(terminal.screen.cursor.line == 1)
    terminal.type("\u{7F}\u{7F}")
    #expect(terminal.waitUntil { $0.lines[1] == " › 기" })
    terminal.type("생충\r")
    see("▸ Parasite", at: terminal)
    terminal.type("ㅁ")
    see("Added movie 1: Parasite — Bong Joon-ho (2019)", at: terminal)
    terminal.type("ㅂ")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(sources.paths == [])
  }

  // MARK: Sources that do not answer

  /// Never answers, and lets a test wait until the client has gone.
  private func hanging(_ gone: Gate) -> SourceServer.Reply {
    .init { connection in
      connection.waitForEnd()
      gone.pass()
    }
  }

  @Test func `newer words in browse are not delayed by older requests`() throws {
    let gone = Gate(for: 2)
    let sources = try SourceServer { [self] question in
      question.path.contains("term=slow") ? hanging(gone) : nil
    }
    let (terminal, launch) = try browse(at: sources)
    terminal.type("slow")
    #expect(terminal.waitUntil { _ in sources.paths.count == 1 })
    terminal.type("\u{15}dune\r")
    see("iTunes · 2", at: terminal)
    gone.pass()
    #expect(searches(sources).count == 2)
    terminal.type("q")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
  }

  enum WayOut: CaseIterable, CustomTestStringConvertible {
    case key, controlC, hangUp, kill, closedWindow

    var status: Int32 {
      switch self {
      case .key: 0
      case .controlC: 128 + SIGINT
      case .hangUp, .closedWindow: 128 + SIGHUP
      case .kill: 128 + SIGTERM
      }
    }
    var testDescription: String { "\(self)" }
  }

  @Test(arguments: WayOut.allCases)
  func `browse ends at once during a request and leaves no process`(_ way: WayOut) throws {
    let gone = Gate(for: 2)
    let sources = try SourceServer { [self] question in hanging(gone) }
    let (terminal, launch) = try browse("dune", at: sources)
    see("Asking iTunes", at: terminal)
    #expect(terminal.waitUntil { _ in !sources.paths.isEmpty })
    switch way {
    case .key: terminal.type("\u{1B}\u{1B}")
    case .controlC: terminal.type("\u{3}")
    case .hangUp: launch.send(SIGHUP)
    case .kill: launch.send(SIGTERM)
    case .closedWindow: terminal.close()
    }
    if way != .closedWindow {
      terminal.readToEnd()
      #expect(terminal.screen.modes == [7, 25])
    }
    #expect(launch.wait() == way.status)
    // The client of the source has gone too.
    gone.pass()
  }

  @Test func `browse shows known facts at once, and Esc cancels the request`() throws {
    let gone = Gate(for: 2)
    let sources = try SourceServer { [self] question in
      question.path.hasPrefix("/itunes/lookup") ? hanging(gone) : nil
    }
    let (terminal, launch) = try browse("dune", at: sources)
    see("iTunes · 2", at: terminal)
    terminal.type("\r\r")
    see("movie itunes:track/1594582022", "Asking for more", at: terminal)
    #expect(terminal.waitUntil { _ in sources.paths.contains { $0.hasPrefix("/itunes/lookup") } })
    terminal.type("\u{1B}")
    see("iTunes · 2", "Enter show", at: terminal)
    gone.pass()
    terminal.type("q")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
  }

  @Test func `a crash of browse restores the terminal`() throws {
    let sources = try SourceServer(always: .hang)
    let (terminal, launch) = try browse("dune", at: sources)
    #expect(terminal.waitUntil { _ in !sources.paths.isEmpty })
    launch.send(SIGSEGV)
    terminal.readToEnd()
    #expect(launch.wait() == 128 + SIGSEGV)
    #expect(terminal.screen.modes == [7, 25])
  }

  // MARK: Sizes

  @Test func `browse fits 40 columns and 10 lines, and grows again`() throws {
    let sources = try SourceServer()
    let (terminal, launch) = try browse("dune", at: sources)
    see("iTunes · 2", "David Lynch", at: terminal)
    terminal.resize(width: 40, height: 10)
    #expect(
      terminal.waitUntil { screen in
        screen.lines[0] == "[Movies] Books  Vinyl  Music  Podcasts" && screen.lines[1] == " › dune"
          && screen.lines[2] == "iTunes · 2" && screen.lines[9].hasPrefix("↓ list")
      }, "\(terminal.screen.text)")
    terminal.type("\r\u{1B}[B")
    see("▸ Dune (1984)", at: terminal)
    terminal.resize(width: 80, height: 24)
    #expect(
      terminal.waitUntil { $0.lines[5].hasPrefix("▸ Dune (1984)") && $0.lines[5].contains("David Lynch") },
      "\(terminal.screen.text)")
    terminal.type("q")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.screen.scrolls == 0)
  }
}
