import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

/// Tests that keys are accepted, and never shown or stored elsewhere.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct KeyTests {
  let sandbox: Sandbox
  static let key = "sesame-0123456789-of-mine"

  init() throws { sandbox = try Sandbox.current }

  private func settings() -> String? { try? String(contentsOfFile: sandbox.configuration, encoding: .utf8) }

  // MARK: At the terminal

  @Test func `a typed key is not echoed, and the echo is restored afterwards`() throws {
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch("source", "key", "tmdb", terminal: terminal)
    #expect(terminal.waitFor("Key (it is not shown): "))
    #expect(!terminal.echoes)
    terminal.type(Self.key + "\n")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(!terminal.text.contains("sesame"), "\(terminal.text)")
    #expect(terminal.text.contains("https://www.themoviedb.org/settings/api"))
    #expect(terminal.text.contains("the key of TMDB is kept in"))
    #expect(settings()?.contains("\"sources.tmdb.key\" : \"\(Self.key)\"") == true)
    let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.configuration)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  enum WayOut: String, CaseIterable, CustomTestStringConvertible {
    case controlC, term, hangUp, endOfInput, empty, noKey
    var testDescription: String { rawValue }
  }

  @Test(arguments: WayOut.allCases) func `the key prompt restores the echo on every way out`(_ way: WayOut) throws {
    let terminal = try PseudoTerminal(width: 80)
    #expect(terminal.echoes)
    let launch = try sandbox.launch("source", "key", "tmdb", terminal: terminal)
    #expect(terminal.waitFor("shown): "))
    terminal.type("half-a-key")
    let status: Int32
    switch way {
    case .controlC:
      terminal.type("\u{3}")
      status = 130
    case .term:
      launch.send(SIGTERM)
      status = 143
    case .hangUp:
      launch.send(SIGHUP)
      status = 129
    case .endOfInput:
      // Ctrl-U forgets what was typed, Ctrl-D ends the input.
      terminal.type("\u{15}\u{4}")
      status = 1
    case .empty:
      terminal.type("\u{15}\n")
      status = 1
    case .noKey:
      terminal.type(" and another word\n")
      status = 2
    }
    terminal.readToEnd()
    #expect(launch.wait() == status, "\(terminal.text)")
    #expect(terminal.echoes)
    #expect(!terminal.text.contains("half"))
    #expect(settings() == nil)
  }

  @Test func `Ctrl-Z and Ctrl-backslash at the key prompt do not leave the echo off`() throws {
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch("source", "key", "tmdb", terminal: terminal)
    #expect(terminal.waitFor("shown): "))
    terminal.type("\u{1A}\u{1C}\u{15}\(Self.key)\n")
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    #expect(terminal.echoes)
    #expect(settings()?.contains(Self.key) == true)
  }

  // MARK: From elsewhere

  @Test func `a key is piped in or printed by a program started without a shell`() throws {
    let piped = try sandbox.run("source", "key", "kakao", input: "\(Self.key)\nlogin: me\n")
    #expect(piped.status == 0)
    #expect(piped.output == "")
    #expect(settings()?.contains(Self.key) == true)
    let file = sandbox.path("my key.txt")
    try sandbox.write(Array("\(Self.key)\nlogin: me\n".utf8), to: file)
    let program = "cat '\(file)'"
    #expect(try sandbox.run("source", "key", "kakao", "--command", program).status == 0)
    #expect(settings()?.contains(Self.key) == false)
    let sources = try SourceServer()
    let kept = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: sandbox.configuration)))
        as? [String: String])
    try sandbox.configure(sources.configuration.merging(kept) { $1 })
    #expect(try sandbox.run("search", "한강", "--kind", "book").output.contains("소년이 온다"))
    #expect(sources.server.questions.first?.headers["authorization"] == "KakaoAK \(Self.key)")
    // No shell runs the command.
    let touched = sandbox.path("touched")
    _ = try sandbox.run("source", "key", "kakao", "--command", "echo k; touch \(touched)")
    _ = try sandbox.run("source", "key", "kakao", "--command", "echo $(touch \(touched))")
    #expect(!FileManager.default.fileExists(atPath: touched))
  }

  @Test func `standard input goes to the command and not to the key program`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration.merging(["sources.tmdb.key_command": "sh -c 'cat; echo key'"]) { $1 })
    let added = try sandbox.run("add", "-", input: "tmdb:438631\n")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output == "added movie 1: Dune — Denis Villeneuve (2021)  Science Fiction, Adventure\n")
  }

  // MARK: And nowhere else

  @Test func `no program that is started gets a key from the environment`() throws {
    let file = sandbox.path("variables")
    let program = sandbox.path("program")
    try sandbox.write(Array("#!/bin/sh\nenv > '\(file)'\necho key\n".utf8), to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration.merging(["sources.tmdb.key_command": program]) { $1 })
    let added = try sandbox.run(
      ["add", "tmdb:438631"], changing: ["CATALOG_KAKAO_KEY": Self.key, "CATALOG_DISCOGS_TOKEN": Self.key])
    #expect(added.status == 0, "\(added.errors)")
    let variables = try String(contentsOfFile: file, encoding: .utf8)
    #expect(variables.contains("HOME="))
    #expect(!variables.contains(Self.key))
  }

  /// Every way to ask with a key, and everything that is written meanwhile.
  @Test(arguments: ["environment", "settings", "program"])
  func `a key never appears in arguments, output, cache, catalog or backup`(_ place: String) throws {
    let lines = Mutex<Set<String>>([])
    let isDown = Mutex(false)
    let sources = try SourceServer { question in
      for pid in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
        guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { continue }
        lines.withLock { _ = $0.insert(String(decoding: line, as: UTF8.self)) }
      }
      return isDown.withLock { $0 } ? SourceServer.refusal(401, SourceServer.invalidKey) : nil
    }
    var configuration = sources.configuration
    var changes: [String: String?] = [:]
    // The short key goes into the address of TMDB.
    let short = "0123456789abcdef0123456789abcdef"
    let file = sandbox.path("key")
    switch place {
    case "environment":
      changes = [
        "CATALOG_TMDB_TOKEN": short, "CATALOG_KAKAO_KEY": Self.key, "CATALOG_DISCOGS_TOKEN": Self.key,
        "CATALOG_GOOGLEBOOKS_KEY": short,
      ]
    case "settings":
      configuration["sources.tmdb.key"] = Self.key
      configuration["sources.kakao.key"] = Self.key
      configuration["sources.discogs.key"] = Self.key
      configuration["sources.googlebooks.key"] = short
    default:
      try sandbox.write(Array(Self.key.utf8), to: file)
      configuration["sources.tmdb.key_command"] = "cat \(file)"
      configuration["sources.kakao.key_command"] = "cat \(file)"
      configuration["sources.discogs.key_command"] = "cat \(file)"
      configuration["sources.googlebooks.key_command"] = "cat \(file)"
    }
    try sandbox.configure(configuration)
    var said = ""
    func run(_ words: String...) throws -> Outcome {
      let outcome = try sandbox.run(words, changing: changes)
      said += outcome.output + outcome.errors
      return outcome
    }
    #expect(try run("search", "dune", "--kind", "movie").status == 0)
    #expect(try run("show", "r1").output.contains("Timothée Chalamet (Paul Atreides)"))
    #expect(try run("add", "r1").status == 0)
    #expect(try run("trending").status == 0)
    #expect(try run("search", "한강", "--source", "kakao").status == 0)
    #expect(try run("add", "r1").status == 0)
    #expect(try run("search", "kind of blue", "--kind", "vinyl").status == 0)
    #expect(try run("add", "r1").status == 0)
    #expect(try run("search", "dune", "--source", "googlebooks").status == 0)
    #expect(try run("source", "test").output.contains("tmdb\ttrue\taccepted"))
    for words in [
      ["source", "list", "--json"], ["config", "list"], ["list", "--json"], ["recent", "--json"],
      ["show", "1", "--json"],
      ["doctor"], ["backup", sandbox.path("backup.db")], ["show", "1", "--offline"],
    ] {
      said += try sandbox.run(words, changing: changes).errors
      said += try sandbox.run(words, changing: changes).output
    }
    isDown.withLock { $0 = true }
    #expect(try run("search", "other words", "--kind", "movie").status == 4)
    #expect(try run("show", "tmdb:7").status == 4)
    #expect(try run("trending", "--refresh").errors.contains("does not accept the key"))

    #expect(sources.server.questions.contains { $0.headers["authorization"] == "KakaoAK \(Self.key)" })
    #expect(sources.server.questions.contains { $0.headers["authorization"] == "Discogs token=\(Self.key)" })
    let secrets = [Self.key, short]
    let toGoogle = sources.server.questions.filter { $0.path.hasPrefix("/googlebooks/") }
    #expect(toGoogle.contains { $0.headers["x-goog-api-key"].map(secrets.contains) == true })
    #expect(!toGoogle.contains { question in secrets.contains { question.path.contains($0) } })
    for secret in secrets {
      #expect(!said.contains(secret))
      #expect(lines.withLock { all in !all.contains { $0.contains(secret) } })
    }
    #expect(lines.withLock { $0.contains { $0.hasPrefix("curl\0-q") } }, "curl was seen")
    var files = 0
    let home = sandbox.path("")
    for case let name as String in FileManager.default.enumerator(atPath: home) ?? .init() {
      let path = home + "/" + name
      guard path.hasSuffix("config.json") == false, !path.hasSuffix("/key"),
        let bytes = FileManager.default.contents(atPath: path)
      else { continue }
      files += 1
      for secret in secrets { #expect(!Array(bytes).contains(secret), "\(secret) stands in \(name)") }
    }
    #expect(files >= 3, "the catalog, its backup and the cache")
  }

  @Test func `a redirect to another host does not get the key`() throws {
    let other = try LoopbackServer { _ in SourceServer.json(SourceServer.found) }
    for key in [Self.key, "0123456789abcdef0123456789abcdef"] {
      let sources = try SourceServer { question in
        .redirect(to: other.url + question.path)
      }
      try sandbox.configure(sources.configuration)
      let before = other.questions.count
      let found = try sandbox.run(
        "search", "dune \(key.count)", "--kind", "movie", changing: ["CATALOG_TMDB_TOKEN": key])
      #expect(found.status == 0, "\(found.errors)")
      #expect(sources.server.questions.count == 1)
      let asked = Array(other.questions.dropFirst(before))
      #expect(asked.count == 1)
      for question in asked {
        #expect(!question.path.contains(key))
        #expect(!question.headers.values.contains { $0.contains(key) })
      }
    }
  }
}
