import CatalogModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the part of an error that tells which changes were made before it.
struct CommitWordsTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
    try catalog.store.add(Record(kind: .book, title: "토지"), now: Timestamp(catalog.now))
  }

  /// The content of the tables with a person's data.
  private func contents() throws -> [[Value]] {
    try ["item", "card", "favorite"].flatMap { table in
      try catalog.store.db.all("SELECT * FROM \(identifier: table) ORDER BY 1", \.all)
    }
  }

  @Test(arguments: [
    ["add", "book", "--title", "Dune", "--comment", "words", "--favorite"], ["card", "add", "1", "--comment", "again"],
    ["card", "add", "pack:book/1q84-2009", "--comment", "again"], ["favorite", "1"], ["remove", "1", "--yes"],
    ["show", "1"],
    ["list"],
  ])
  func `an error says that nothing was changed only when the catalog is unchanged`(_ words: [String]) throws {
    for failing in 1...6 {
      let before = try contents()
      var opened = 0
      catalog.openStore = { [store = catalog.store] _ in
        opened += 1
        guard opened < failing else { throw CatalogError.io("/c.db") }
        return store
      }
      let run = catalog.run(words)
      let changed = try contents() != before
      if run.errors.contains("failed; nothing was changed\nhint: check the disk") { #expect(!changed, "\(failing)") }
      if run.errors.contains("failed; what was done before that stays") { #expect(changed, "\(failing)") }
      if run.status == 0 { break }
      #expect(run.status == 1, "\(failing): \(run.errors)")
      #expect(run.errors.contains("reading or writing"), "\(failing): \(run.errors)")
    }
  }

  @Test func `a full disk changes nothing, and says so`() throws {
    let pages = try #require(try catalog.store.db.value("PRAGMA page_count", as: Int.self))
    #expect(try catalog.store.db.value("PRAGMA max_page_count = 1", as: Int.self) == pages)
    let before = try contents()
    let run = catalog.run("card", "add", "1", String(repeating: "long ", count: 1900))
    #expect(
      run
        == .init(
          output: "", errors: "catalog: the disk is full; nothing was changed\nhint: make room and try again\n",
          status: 1))
    #expect(try contents() == before)
  }

  @Test func `the commit log records whether a transaction was committed`() throws {
    let db = try Connection(.memory)
    let log = CommitLog()
    db.commits = log
    try db.execute(script: "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT")
    #expect(try db.transaction { try db.value("SELECT count(*) FROM t", as: Int.self) } == 0)
    #expect(log.state == .nothing)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(log.state == .nothing)
    try db.transaction {
      let count = try db.transaction { try db.run("INSERT INTO t VALUES (1)") }
      #expect(count == 1)
      #expect(log.state == .nothing)
    }
    #expect(log.state == .something)
  }
}
