import Dispatch
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

/// What was acknowledged is there, and nothing is half there.
@Suite(.sandbox, .timeLimit(.minutes(10)))
struct TrustTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  // MARK: Killed at any moment

  enum Deed: CaseIterable {
    case add, edit, card

    func words(_ number: Int) -> [String] {
      switch self {
      case .add:
        [
          "add", "book", "--title", "Killed \(number)", "--creator", "Name \(number)", "--year", "2000", "--genre",
          "Drama", "--comment", "Words \(number)", "--stars", "3", "--favorite",
        ]
      case .edit:
        ["edit", "1", "title=Edited \(number)", "year=\(1000 + number)", "creator=Editor \(number)", "--yes"]
      case .card: ["card", "add", "1", "--stars", "4.5", "Card \(number)"]
      }
    }
  }

  @Test func `killed at any moment, what was acknowledged is there and nothing is half there`() throws {
    try sandbox.makeCatalog()
    var random = SplitMix(seed: 20_260)
    // How long each takes when it is left alone says when to kill it.
    var lasting: [Deed: UInt64] = [:]
    for (offset, deed) in Deed.allCases.enumerated() {
      let start = DispatchTime.now()
      let outcome = try sandbox.run(deed.words(500 + offset))
      try #require(outcome.status == 0, "\(deed): \(outcome.errors)")
      lasting[deed] = (DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1000
    }
    var edited = 501
    var killed = 0
    var acknowledged = 0
    for number in 1...200 {
      let deed = Deed.allCases[number % 3]
      let launch = try sandbox.launch(deed.words(number).map { Array($0.utf8) })
      // Not waiting for anything: any moment will do.
      usleep(UInt32.random(in: 0...UInt32((lasting[deed] ?? 20_000) * 6 / 5), using: &random))
      launch.send(SIGKILL)
      let outcome = launch.finish()
      if outcome.status == 128 + SIGKILL { killed += 1 }
      let isAcknowledged = !outcome.output.isEmpty
      if isAcknowledged { acknowledged += 1 }

      // The program itself must cope with what is left: each second time it is the first to look.
      if number.isMultiple(of: 2) {
        let listed = try sandbox.run("list", "--limit", "1")
        #expect(listed.status == 0, "\(deed) \(number): \(listed.errors)")
      }
      let db = try sandbox.database()
      switch deed {
      case .add:
        let ids = try db.values("SELECT id FROM item WHERE title = \("Killed \(number)")", as: Int64.self)
        #expect(ids.count == 1 || ids.isEmpty && !isAcknowledged, "add \(number)")
      case .edit:
        let found = try db.one(
          """
          SELECT title, year, (SELECT name FROM person JOIN credit ON person_id = person.id WHERE item_id = item.id)
            AS name FROM item WHERE id = 1
          """
        ) { row in
          [
            try row.get("title", as: String.self), "\(try row.get("year", as: Int.self))",
            try row.get("name", as: String.self),
          ]
        }
        let (new, old) = (Self.edited(number), Self.edited(edited))
        #expect(found == new || found == old && !isAcknowledged, "edit \(number)")
        if found == new { edited = number }
      case .card:
        let count = try db.value(
          "SELECT count(*) FROM card WHERE comment = \("Card \(number)") AND rating = 90", as: Int.self)
        #expect(count == 1 || count == 0 && !isAcknowledged, "card \(number)")
      }
      if number.isMultiple(of: 20) { try expectNothingHalf(db, "\(deed) \(number)") }
    }
    // Some moments must have been in the middle, and some late enough.
    #expect(killed > 50 && killed <= 200)
    #expect(acknowledged < 200)
    try expectNothingHalf(try sandbox.database(), "at the end")
    #expect(try sandbox.run("add", "book", "--title", "Afterwards").status == 0)
  }

  private static func edited(_ number: Int) -> [String] {
    ["Edited \(number)", "\(1000 + number)", "Editor \(number)"]
  }

  /// All that one addition writes is there together.
  private func expectNothingHalf(_ db: Connection, _ comment: Comment) throws {
    try sandbox.expectWhole(db, comment)
    let half = try db.values(
      """
      SELECT title FROM item WHERE title LIKE 'Killed %' AND NOT (
        id IN (SELECT item_id FROM book) AND id IN (SELECT item_id FROM credit)
        AND id IN (SELECT item_id FROM item_genre) AND id IN (SELECT item_id FROM favorite)
        AND id IN (SELECT item_id FROM item_text)
        AND id IN (SELECT item_id FROM card WHERE rating = 60 AND comment LIKE 'Words %'))
      """, as: String.self)
    #expect(half == [], comment)
    // And the index knows each of them, no more and no less.
    #expect(
      try db.value("SELECT count(*) FROM item_search WHERE item_search MATCH 'killed'", as: Int.self)
        == db.value("SELECT count(*) FROM item WHERE title LIKE 'Killed %'", as: Int.self), comment)
    #expect(
      try db.value(
        "SELECT count(*) FROM book WHERE item_id NOT IN (SELECT id FROM item WHERE kind = 'book')", as: Int.self) == 0,
      comment)
  }

  @Test func `what a crash in the middle of a write left is rolled back by whoever comes first`() throws {
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

  @Test func `eight programs that add a hundred each make eight hundred`() throws {
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

  @Test func `programs that start at once make one catalog`() throws {
    let problems = Mutex<[String]>([])
    let sandbox = sandbox
    DispatchQueue.concurrentPerform(iterations: 8) { writer in
      for number in 1...5 {
        let outcome = try? sandbox.run("add", "book", "--title", "Book \(writer)-\(number)", "--creator", "One of many")
        if outcome?.status != 0 || outcome?.errors != "" {
          problems.withLock { $0.append(outcome?.errors ?? "could not be started") }
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
    let db = try sandbox.database()
    #expect(try db.value("SELECT count(DISTINCT title) FROM item", as: Int.self) == 40)
    #expect(try db.value("SELECT count(*) FROM person", as: Int.self) == 1)
    try sandbox.expectWhole(db)
  }

  @Test func `readers see whole additions while others write`() throws {
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

  @Test func `a file that another program cuts while it is read ends in a message`() throws {
    try sandbox.makeCatalog()
    try sandbox.database().run(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 40000)
      INSERT INTO item (kind, title, created_at, updated_at)
      SELECT 'book', 'A title that takes its time ' || n, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' FROM number
      """)
    try sandbox.database().run("DELETE FROM search_pending")
    // What the pipe takes is far less than what is to come.
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

  /// Runs the program with one kind of system call failing from its `count`th use on.
  private func run(_ words: [String], failing call: String, with error: String, from count: Int) throws -> Outcome {
    let strace = try #require(Self.strace)
    let options = [
      "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=\(count)+",
    ]
    return try sandbox.launch(
      (options + [Launch.program] + words).map { Array($0.utf8) }, program: strace
    ).finish()
  }

  @Test(
    .enabled(if: strace != nil, "strace makes calls of the system fail"), arguments: ["pread64", "fdatasync", "unlink"])
  func `a disk that fails is said to fail, and what was written is not denied`(_ call: String) throws {
    try sandbox.makeCatalog()
    // The process must be one that may be traced.
    if try run(["help"], failing: "chroot", with: "EIO", from: 1).status != 0 {
      try Test.cancel("nothing is traced here")
    }
    var (cards, hasFailed, isDone) = (0, false, false)
    for count in 1...200 where !isDone {
      let outcome = try run(["card", "add", "1", "again"], failing: call, with: "EIO", from: count)
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
          !outcome.errors.contains("damaged") && !outcome.errors.contains("no SQLite file"),
          "\(count): \(outcome.errors)")
        if outcome.errors.contains("nothing was changed") { #expect(now == cards, "\(count): \(outcome.errors)") }
        if outcome.errors.contains("that stays") { #expect(now == cards + 1, "\(count): \(outcome.errors)") }
        #expect(outcome.errors.contains("failed; ") || outcome.errors.contains("cannot"), "\(count): \(outcome.errors)")
      }
      cards = now
    }
    #expect(isDone && hasFailed)
    try sandbox.expectWhole()
  }

  @Test func `a limit on the size of files is an error, and changes nothing`() throws {
    try sandbox.makeCatalog()
    let before = try sandbox.bytes(of: sandbox.catalog)
    let commands = [
      (
        "add book --title T",
        "catalog: the catalog '\(sandbox.catalog)' may not grow: a limit was reached; nothing was changed"
      ),
      (
        "card add 1 again",
        "may not grow: a limit was reached; nothing was changed\nhint: see what the limit is: ulimit -f"
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
