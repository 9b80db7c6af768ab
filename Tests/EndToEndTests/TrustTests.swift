import Foundation
import SQLite
import TestSupport
import Testing

/// Tests that acknowledged changes are stored, and interrupted ones leave no trace.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct TrustTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  // MARK: A crash

  @Test func `a crash during a write is rolled back by the next command`() throws {
    for words in [["list"], ["show", "1"], ["add", "book", "--title", "T"]] {
      let file = sandbox.path("\(words[0]).db")
      try sandbox.makeCatalog()
      let db = try sandbox.database()
      // The moment of the crash, kept: some pages are written, and the journal knows what they were.
      try db.execute(script: "PRAGMA cache_size = 1")
      try? db.transaction {
        try db.run(
          """
          WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
          INSERT INTO item (kind, title, created_at, updated_at)
          SELECT 'book', 'Half ' || n, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' FROM number
          """)
        try db.run("UPDATE item SET title = 'Half' WHERE id = 1")
        for suffix in ["", "-journal"] {
          try FileManager.default.copyItem(atPath: sandbox.catalog + suffix, toPath: file + suffix)
        }
        throw CancellationError()
      }
      let journal = try sandbox.bytes(of: "\(file)-journal")
      try #require(journal.starts(with: [0xD9, 0xD5, 0x05, 0xF9]), "no journal of a crash")
      let outcome = try sandbox.run(["--db", file] + words)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
      let rolledBack = try sandbox.database(at: file)
      #expect(try rolledBack.value("SELECT count(*) FROM item WHERE title LIKE 'Half%'", as: Int.self) == 0)
      try sandbox.expectWhole(rolledBack)
      try FileManager.default.removeItem(atPath: sandbox.catalog)
    }
  }

  // MARK: Several writers

  @Test func `eight programs that add a hundred items each add eight hundred`() throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Data/pack.tsv")
    let ids = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .prefix(800).compactMap { $0.split(separator: "\t").first }
    try #require(ids.count == 800)
    let launches = try (0..<8).map { number in
      let launch = try sandbox.launch("add", "-")
      launch.type(ids[number * 100..<number * 100 + 100].map { "pack:\($0)\n" }.joined())
      launch.closeInput()
      return launch
    }
    for launch in launches {
      let outcome = launch.finish()
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      #expect(outcome.lines.count == 100)
    }
    let db = try sandbox.database()
    #expect(try db.value("SELECT count(*) FROM item", as: Int.self) == 800)
    #expect(try db.value("SELECT count(DISTINCT value) FROM external_id", as: Int.self) == 800)
    try sandbox.expectWhole(db)
  }

  @Test func `programs that start at once create one catalog`() throws {
    for number in 1...5 {
      let launches = try (0..<8).map { writer in
        try sandbox.launch("add", "book", "--title", "Book \(writer)-\(number)", "--creator", "One of many")
      }
      for launch in launches {
        let outcome = launch.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "", "\(outcome.errors)")
      }
    }
    let db = try sandbox.database()
    #expect(try db.value("SELECT count(DISTINCT title) FROM item", as: Int.self) == 40)
    #expect(try db.value("SELECT count(*) FROM person", as: Int.self) == 1)
    try sandbox.expectWhole(db)
  }

  @Test func `readers succeed while another program writes`() throws {
    try sandbox.makeCatalog()
    let writer = try sandbox.launch("add", "-")
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Data/pack.tsv")
    let ids = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .prefix(50).compactMap { $0.split(separator: "\t").first }
    writer.type(ids.map { "pack:\($0)\n" }.joined())
    writer.closeInput()
    for _ in 1...20 {
      let listed = try sandbox.run("list")
      #expect(listed.status == 0, "\(listed.errors)")
      #expect(listed.errors == "")
      #expect(listed.output.hasSuffix("\n"))
    }
    #expect(writer.finish().status == 0)
    #expect(try sandbox.run("list").lines.count == 51)
  }

  // MARK: The system's limits

  @Test func `a catalog truncated while it is read is reported as damaged`() throws {
    try sandbox.makeCatalog()
    try sandbox.database().run(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 40000)
      INSERT INTO item (kind, title, created_at, updated_at)
      SELECT 'book', 'A title that takes its time ' || n, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' FROM number
      """)
    try sandbox.database().run("DELETE FROM search_pending")
    // The pipe holds far less than the whole output.
    let listing = try sandbox.launch("list")
    #expect(listing.waitForOutput("A title"))
    #expect(truncate(sandbox.catalog, 8192) == 0)
    let outcome = listing.finish()
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("catalog: the catalog '\(sandbox.catalog)' is damaged\n"), "\(outcome.errors)")
  }

  private static let strace = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Runs the program with one kind of system call failing from its `count`th call on.
  private func run(_ words: [String], failing call: String, with error: String, from count: Int) throws -> Outcome {
    let strace = try #require(Self.strace)
    let options = [
      "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=\(count)+",
    ]
    return try sandbox.launch(
      (options + [Launch.program] + words).map { Array($0.utf8) }, program: strace
    ).finish()
  }

  @Test(.enabled(if: strace != nil, "strace makes calls of the system fail"))
  func `a program that cannot learn where it is starts all the same`() throws {
    if try run(["help"], failing: "chroot", with: "EIO", from: 1).status != 0 {
      try Test.cancel("nothing is traced here")
    }
    #expect(try run(["--version"], failing: "readlink", with: "EIO", from: 1).status == 0)
  }

  @Test(arguments: [
    ["search", "godfather", "--offline"], ["list"], ["genres", "--html", "-"], ["show", "1"], ["doctor"],
    ["add", "movie", "--title", "Heat"], ["sync", "status"], ["help"],
  ])
  func `a small stack is enough`(_ words: [String]) throws {
    try sandbox.makeCatalog()
    let limited = ["-c", "ulimit -s 64; exec \"$0\" \"$@\"", Launch.program] + words
    let outcome = try sandbox.launch(limited.map { Array($0.utf8) }, program: "/bin/sh").finish()
    #expect([0, 1].contains(outcome.status), "\(outcome.status): \(outcome.errors)")
  }

  @Test func `Ctrl-C ends a program with a small stack`() throws {
    try sandbox.makeCatalog()
    let limited = ["-c", "ulimit -s 64; exec \"$0\" \"$@\"", Launch.program, "add", "-"]
    let launch = try sandbox.launch(limited.map { Array($0.utf8) }, program: "/bin/sh")
    launch.type("pack:movie/parasite-2019\n")
    #expect(launch.waitForOutput("added movie"))
    launch.send(SIGINT)
    // Its input stays open until it has ended: at the end of its input it would be done.
    launch.waitForOutput("nothing that it writes")
    #expect(launch.finish().status == 128 + SIGINT)
  }

  @Test(
    .enabled(if: strace != nil, "strace makes calls of the system fail"), arguments: ["pread64", "fdatasync", "unlink"])
  func `a failing disk is reported and a finished write is not denied`(_ call: String) throws {
    try sandbox.makeCatalog()
    // The process must be one that may be traced.
    if try run(["help"], failing: "chroot", with: "EIO", from: 1).status != 0 {
      try Test.cancel("nothing is traced here")
    }
    var (cards, hasFailed, isDone) = (0, false, false)
    for count in 1...200 where !isDone {
      let outcome = try run(["card", "add", "1", "--comment", "again"], failing: call, with: "EIO", from: count)
      let now = try sandbox.database().value("SELECT count(*) FROM card", as: Int.self) ?? 0
      // Not even the loader could read.
      if outcome.status == 127 { continue }
      if outcome.status == 0 {
        #expect(now == cards + 1)
        isDone = true
      } else {
        hasFailed = true
        #expect(outcome.status == 1, "\(count): \(outcome.status)")
        #expect(
          !outcome.errors.contains("damaged"),
          "\(count): \(outcome.errors)")
        #expect(
          !outcome.errors.contains("not an SQLite file"),
          "\(count): \(outcome.errors)")
        if outcome.errors.contains("nothing was changed") { #expect(now == cards, "\(count): \(outcome.errors)") }
        if outcome.errors.contains("that stays") { #expect(now == cards + 1, "\(count): \(outcome.errors)") }
        #expect(outcome.errors.contains("failed; ") || outcome.errors.contains("cannot"), "\(count): \(outcome.errors)")
      }
      cards = now
    }
    #expect(isDone)
    #expect(hasFailed)
    try sandbox.expectWhole()
  }

  @Test func `a file size limit is an error and changes nothing`() throws {
    try sandbox.makeCatalog()
    let before = try sandbox.bytes(of: sandbox.catalog)
    let commands = [
      (
        "add book --title T",
        "catalog: the catalog '\(sandbox.catalog)' cannot grow: a limit was reached; nothing was changed"
      ),
      (
        "card add 1 -c again",
        "cannot grow: a limit was reached; nothing was changed\nhint: see what the limit is: ulimit -f"
      ),
      ("backup", "no copy was made"), ("genres --html genres.html", "File too large"), ("help query", "File too large"),
    ]
    for (command, message) in commands {
      // In units of 512 bytes, as sh counts.
      let launch = try sandbox.launch(
        ["-c", "cd \"$HOME\" && ulimit -f 1 && exec \"$0\" \(command) >out", Launch.program].map { Array($0.utf8) },
        program: "/bin/sh")
      let outcome = launch.finish()
      #expect(outcome.status == 1, "\(command): \(outcome.status)")
      #expect(outcome.errors.contains(message), "\(command): \(outcome.errors)")
    }
    #expect(try sandbox.bytes(of: sandbox.catalog) == before)
    try sandbox.expectWhole()
  }
}
