import Foundation
import SQLite
import TestSupport
import Testing

/// What was acknowledged is there, and nothing is half there.
@Suite(.sandbox, .timeLimit(.minutes(10)))
struct TrustTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  // MARK: A crash

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
    for number in 1...5 {
      let launches = try (0..<8).map { writer in
        try sandbox.launch("add", "book", "--title", "Book \(writer)-\(number)", "--creator", "One of many")
      }
      for launch in launches {
        let outcome = launch.finish()
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
      }
    }
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
}
