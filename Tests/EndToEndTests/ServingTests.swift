import Foundation
import TestSupport
import Testing

/// Tests `catalog serve` with real requests, sent by curl.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct ServingTests {
  private struct Browser: Sendable {
    let url: String
    /// The file with the browser's cookies.
    let cookies: String

    /// The answer to a browser, with the status on the last line.
    func ask(_ words: [String]) throws -> String {
      let curl = Process()
      curl.executableURL = URL(filePath: "/usr/bin/curl")
      curl.arguments =
        ["-q", "-s", "-m", "60", "-b", cookies, "-c", cookies, "-H", "Origin: \(url)", "-w", "\n%{http_code}"]
        + words.dropLast() + [url + (words.last ?? "/")]
      let pipe = Pipe()
      curl.standardOutput = pipe
      try curl.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      curl.waitUntilExit()
      return String(decoding: output, as: UTF8.self)
    }
  }

  /// A running server and its address.
  private struct Server {
    let launch: Launch
    let url: String
    let code: String

    init(_ words: [String] = [], in sandbox: Sandbox, changing: [String: String?] = [:]) throws {
      let all = ["serve", "--port", "0"] + words
      launch = try sandbox.launch(all.map { Array($0.utf8) }, changing: changing)
      try #require(launch.waitForOutput("pair?code="), "\(String(decoding: launch.errorBytes, as: UTF8.self))")
      let output = String(decoding: launch.outputBytes, as: UTF8.self)
      let found = try #require(output.firstMatch(of: /(http:\/\/127\.0\.0\.1:\d+)\/pair\?code=([A-Z0-9-]+)/))
      (url, code) = (String(found.1), String(found.2))
    }

    func ask(_ words: String..., cookies: String) throws -> String {
      try Browser(url: url, cookies: cookies).ask(words)
    }

    /// Pairs a browser that keeps its cookies in a file.
    func pair(_ cookies: String, code: String) throws {
      #expect(try ask("-d", "code=\(code)&name=phone", "/pair", cookies: cookies).hasSuffix("\n303"))
    }

    func end(_ signal: Int32 = SIGTERM) -> Outcome {
      kill(launch.pid, signal)
      return launch.finish()
    }
  }

  @Test func `a paired browser searches, adds, comments and edits, each as an undoable operation`() throws {
    let sandbox = try Sandbox.current
    #expect(try sandbox.run("add", "movie", "--title", "Parasite", "--year", "2019").status == 0)
    let server = try Server(in: sandbox)
    let phone = sandbox.path("phone")
    #expect(try server.ask("/", cookies: phone).hasSuffix("\n403"))
    try server.pair(phone, code: server.code)
    #expect(try server.ask("/", cookies: phone).contains("Parasite"))
    // Only the pack answers in a sandbox.
    let found = try server.ask("/find?q=blade+runner&kind=movie", cookies: phone)
    let reference = try #require(found.firstMatch(of: /value="(pack:movie\/[^"]*)"/)?.1)
    #expect(try server.ask("-d", "what=\(reference)", "/add", cookies: phone).hasSuffix("\n303"))
    let shelf = try server.ask("/", cookies: phone)
    #expect(shelf.contains("added movie 2: Blade Runner"))
    #expect(try server.ask("-d", "stars=5&words=tears in rain", "/item/2/card", cookies: phone).hasSuffix("\n303"))
    // Meanwhile a command is typed.
    #expect(try sandbox.run("card", "list").output.contains("tears in rain"))
    #expect(try sandbox.run("edit", "1", "title=기생충").status == 0)
    #expect(try server.ask("/item/1", cookies: phone).contains("기생충"))
    // A form cannot do what a command may not do.
    let refused = try server.ask("-d", "year=x&was-year=2019", "/item/1/edit", cookies: phone)
    #expect(refused.hasSuffix("\n422"))
    #expect(refused.contains("value=\"x\""))
    let second = try sandbox.run("serve", "--port", String(server.url.split(separator: ":").last ?? ""))
    #expect(second.status == 1)
    #expect(second.errors.contains("is in use already"))
    let ended = server.end()
    #expect(ended.status == 0, "\(ended)")
    #expect(ended.errors == "", "\(ended)")
    // Each form was an operation, like each line.
    #expect(try sandbox.run("undo").output.contains("기생충"))
    #expect(try sandbox.run("undo").output.contains("card"))
  }

  @Test func `concurrent writes of browsers and a terminal are all kept`() throws {
    let sandbox = try Sandbox.current
    #expect(try sandbox.run("add", "movie", "--title", "Parasite", "--year", "2019").status == 0)
    let server = try Server(in: sandbox)
    let cookies = (0..<4).map { sandbox.path("browser\($0)") }
    for (number, jar) in cookies.enumerated() {
      let code = number == 0 ? server.code : try pairingCode(in: sandbox)
      try server.pair(jar, code: code)
    }
    let browsers = cookies.map { Browser(url: server.url, cookies: $0) }
    let gate = Gate(for: cookies.count + 1)
    let failures = Failures()
    let done = DispatchSemaphore(value: 0)
    @Sendable func write(_ number: Int) {
      defer { done.signal() }
      gate.pass()
      for round in 0..<8 {
        do {
          let words = "browser \(number), round \(round)"
          if number == cookies.count {
            if try sandbox.run("card", "add", "1", "--comment", words).status != 0 { failures.add(words) }
          } else if try !browsers[number].ask(["-d", "words=\(words)", "/item/1/card"]).hasSuffix("\n303") {
            failures.add(words)
          }
        } catch {
          failures.add("\(error)")
        }
      }
    }
    // A thread each: all stand at the gate.
    for number in 0...cookies.count { Thread.detachNewThread { write(number) } }
    for _ in 0...cookies.count { done.wait() }
    #expect(failures.all == [])
    let cards = try sandbox.run("card", "list", "--csv").output
    for number in 0...cookies.count {
      for round in 0..<8 { #expect(cards.contains("browser \(number), round \(round)")) }
    }
    #expect(try sandbox.run("doctor").status == 0)
    #expect(server.end(SIGINT).status == 0)
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []
    var all: [String] { lock.withLock { kept } }
    func add(_ words: String) { lock.withLock { kept.append(words) } }
  }

  private func pairingCode(in sandbox: Sandbox) throws -> String {
    let output = try sandbox.run("serve", "pair").output
    return String(try #require(output.firstMatch(of: /[A-Z0-9]{4}-[A-Z0-9]{4}/)?.0))
  }

  @Test func `a comment from a phone is synced to another device`() throws {
    let sandbox = try Sandbox.current
    let identity: [String: String?] = [
      "GIT_AUTHOR_NAME": "S", "GIT_AUTHOR_EMAIL": "s@example.org", "GIT_COMMITTER_NAME": "S",
      "GIT_COMMITTER_EMAIL": "s@example.org",
    ]
    let laptop = identity.merging(["HOME": sandbox.path("laptop")]) { $1 }
    try FileManager.default.createDirectory(atPath: sandbox.path("laptop"), withIntermediateDirectories: true)
    #expect(try sandbox.run("add", "movie", "--title", "Parasite", "--year", "2019").status == 0)
    let early = try sandbox.run("serve", "--port", "0", "--sync")
    #expect(early.status == 1)
    #expect(early.errors.contains("this catalog is not synced"))
    #expect(try sandbox.run(["sync", "init", sandbox.path("remote.git")], changing: identity).status == 0)
    #expect(try sandbox.run(["sync", "clone", sandbox.path("remote.git")], changing: laptop).status == 0)
    let server = try Server(["--sync"], in: sandbox, changing: identity)
    let phone = sandbox.path("phone")
    try server.pair(phone, code: server.code)
    #expect(try server.ask("-d", "stars=4&words=from the phone", "/item/1/card", cookies: phone).hasSuffix("\n303"))
    func arrives(_ words: String, _ look: () throws -> String) throws -> Bool {
      let end = Date(timeIntervalSinceNow: Patience.seconds)
      while Date() < end {
        if try look().contains(words) { return true }
        usleep(100_000)
      }
      return false
    }
    #expect(
      try arrives("from the phone") {
        _ = try sandbox.run(["sync"], changing: laptop)
        return try sandbox.run(["card", "list"], changing: laptop).output
      })
    #expect(try arrives("Synced") { try server.ask("/", cookies: phone) })
    #expect(server.end().status == 0)
  }
}
