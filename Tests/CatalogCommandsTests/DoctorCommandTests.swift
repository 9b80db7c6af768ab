import CatalogModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct DoctorCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
  }

  @Test func `doctor --json without a catalog prints an empty list`() throws {
    let run = try TestCatalog().run("doctor", "--json")
    #expect(run.output == "[]\n")
    #expect(run.status == 1)
  }

  private func add(_ title: String, year: Int? = nil, isbn: String? = nil) throws -> ItemID {
    var record = Record(kind: .book, title: title)
    record.year = year
    record.credits = [Credit(name: "한강", role: .author)]
    if let isbn {
      var book = Book()
      book.isbn = try ISBN(isbn)
      record.details = .book(book)
    }
    return try catalog.store.add(record, genres: ["Fiction"], now: Timestamp(catalog.now)).id
  }

  @Test func `doctor of a healthy catalog ends with status 0`() throws {
    _ = try add("소년이 온다", year: 2014, isbn: "9788936434120")
    let run = catalog.run("doctor")
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.split(separator: "\n").count == 18)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.contains("\tok\t0\t") })
  }

  @Test func `a missing contact is a hint and not an error`() throws {
    _ = try add("소년이 온다", year: 2014, isbn: "9788936434120")
    catalog.forgetContact()
    let run = catalog.run("doctor")
    #expect(run.status == 0)
    #expect(run.output.contains("contact\thint\t1\tno contact for Open Library, "))
    catalog.atTerminal()
    #expect(catalog.run("doctor").output.contains("catalog config set contact me@example.org"))
  }

  @Test func `doctor reports errors, and --fix repairs those that lose no data`() throws {
    let id = try add("소년이 온다", isbn: "9788936434120")
    let db = catalog.store.db
    try db.run("INSERT INTO person (name) VALUES ('Nobody')")
    try db.run("UPDATE book SET isbn13 = '9788936434121' WHERE item_id = \(id.rawValue)")
    try db.run("UPDATE item SET released = '0000', title = 'Other' WHERE id = \(id.rawValue)")
    try db.run("INSERT INTO item_search (rowid, words) VALUES (999, 'ghost')")
    catalog.atTerminal()
    var run = catalog.run("doctor")
    #expect(run.status == 1)
    for words in [
      "✗  people         1 person belongs to no item", "✗  ISBNs          1 ISBN has a wrong check digit",
      "1  9788936434121",
      "✗  dates          1 date is impossible", "·  search         1 item not indexed yet",
      "✗  search index   out of date",
      "'catalog doctor --fix' repairs",
    ] { #expect(run.output.contains(words), "\(words) in \(run.output)") }
    #expect(catalog.run("doctor", "--fix", "--dry-run").output == run.output)
    run = catalog.run("doctor", "--fix")
    // The ISBN and the date are a person's to mend.
    #expect(run.status == 1)
    #expect(run.output.contains("(repaired)"))
    try db.run("UPDATE book SET isbn13 = NULL")
    try db.run("UPDATE item SET released = NULL")
    run = catalog.run("doctor", "--json=check,state")
    #expect(run.status == 0)
    #expect(!run.output.contains("wrong"))
    #expect(try catalog.store.search("other") == [id])
  }

  @Test func `doctor --fix rebuilds an empty search index`() throws {
    let id = try add("소년이 온다")
    _ = try catalog.store.add(Record(kind: .movie, title: "???"), now: Timestamp(catalog.now))
    #expect(catalog.run("doctor", "--fix").status == 0)
    try catalog.store.db.run("INSERT INTO item_search (item_search) VALUES ('delete-all')")
    #expect(try catalog.store.search("년이").isEmpty)
    #expect(catalog.run("doctor").output.contains("search_index\twrong\t1\t"))
    #expect(catalog.run("doctor", "--fix").output.contains("search_index\tfixed\t1\t"))
    #expect(try catalog.store.search("년이") == [id])
    #expect(catalog.run("doctor").status == 0)
  }

  @Test func `doctor reports unusual data without failing`() throws {
    _ = try add("토지", year: 1969)
    // An item of another program, or of a version that did not ask.
    _ = try catalog.store.partEditions([try add("토지", year: 1969)])
    _ = try catalog.store.add(Record(kind: .movie, title: "기생충"), now: Timestamp(catalog.now))
    _ = try catalog.store.addCard(
      to: ItemID(rawValue: 1), rating: nil, comment: "early", seenOn: PartialDate("1950"), now: Timestamp(catalog.now))
    catalog.atTerminal()
    let run = catalog.run("doctor")
    #expect(run.status == 0)
    for words in [
      "1 item has no genre: catalog list genre:none", "1 item has no creator",
      "1 pair is probably a duplicate: catalog merge",
      "catalog merge 1 2  토지 (1969)", "seen on 1950, before it came out in 1969",
    ] { #expect(run.output.contains(words), "\(words) in \(run.output)") }
  }

  @Test(arguments: [0.3, 0.6, 0.95]) func `doctor reports a damaged file`(_ part: Double) throws {
    for number in 1...50 { _ = try add("토지 \(number)") }
    let path = try #require(catalog.store.path)
    let whole = try Data(contentsOf: URL(filePath: path))
    let cut = folder.path("cut.db")
    try whole.prefix(Int(Double(whole.count) * part)).write(to: URL(filePath: cut))
    catalog.openStore = { try Store.open(at: cut, for: $0) }
    catalog.atTerminal()
    let run = catalog.run("doctor")
    #expect(run.status == 1)
    #expect(run.output.contains("✗  file           damaged"))
    #expect(run.output.contains("sqlite3 FILE .recover"))
    #expect(catalog.run("list").errors.contains("'catalog doctor' says more"))
  }
}

struct BackupCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
    for number in 1...3 {
      try catalog.store.add(Record(kind: .book, title: "토지 \(number)"), now: Timestamp(catalog.now))
    }
  }

  @Test func `backup writes a catalog beside the original`() throws {
    let run = catalog.run("backup")
    let target = folder.path("catalog-2026-11-21.db")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("copied 3 items to \(target) ("))
    #expect(try Store.open(at: target, for: .reading).shelfCounts().books == 3)
    #expect(try names() == ["catalog-2026-11-21.db", "catalog.db"])
  }

  @Test func `backup overwrites a file only after a yes`() throws {
    let target = folder.path("copy.db")
    try Data("precious".utf8).write(to: URL(filePath: target))
    let run = catalog.run("backup", target)
    #expect(run.status == 2)
    #expect(run.errors.contains("--yes"))
    #expect(try Data(contentsOf: URL(filePath: target)) == Data("precious".utf8))
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run("backup", target).status == 1)
    #expect(try Data(contentsOf: URL(filePath: target)) == Data("precious".utf8))
    #expect(catalog.run("backup", target, "--yes").status == 0)
    #expect(try Store.open(at: target, for: .reading).shelfCounts().books == 3)
    #expect(try names() == ["catalog.db", "copy.db"])
  }

  @Test func `an impossible backup is explained`() throws {
    var run = catalog.run("backup", folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("is a folder\nhint: name a file in it: catalog backup \(folder.path)/catalog-2026"))
    run = catalog.run("backup", folder.path("none/copy.db"))
    #expect(run.status == 1)
    #expect(run.errors.contains("/none' does not exist\nhint: make it: mkdir -p "))
    run = catalog.run("backup", folder.path("catalog.db"), "--yes")
    #expect(run.status == 1)
    #expect(run.errors.contains("is the catalog itself"))
    for journal in ["catalog.db-journal", "catalog.db-wal"] {
      run = catalog.run("backup", folder.path(journal))
      #expect(run.status == 1)
      #expect(run.errors.contains("' is where SQLite keeps the journal of the catalog\n"))
    }
    run = catalog.run("export", "markdown", "-o", folder.path("catalog.db-journal") + "/")
    #expect(run.errors.contains("' is where SQLite keeps the journal of the catalog\n"), "\(run.errors)")
    run = catalog.run("backup", "/dev/null", "--yes")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("wrote /dev/null ("))
    #expect(catalog.run("backup", "").status == 2)
    run = catalog.run("backup", "--dry-run")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("would copy"))
    #expect(try names() == ["catalog.db"])
    catalog.openStore = { _ in try Store.empty() }
    #expect(catalog.run("backup").errors.contains("there is no catalog to copy yet"))
  }

  @Test func `an aborted backup leaves no file`() throws {
    #expect(throws: SQLiteError.self) {
      try catalog.store.backup(to: folder.path("copy.db")) { _, _ in false }
    }
    #expect(try names() == ["catalog.db"])
    // /dev/full takes nothing.
    #expect(throws: (any Error).self) { try catalog.store.backup(to: "/proc/copy.db") }
  }

  @Test func `backup works while another program writes`() throws {
    let other = try Connection(.file(folder.path("catalog.db")))
    try other.transaction(.immediate) {
      try other.run("UPDATE item SET url = 'https://example.org'")
      #expect(catalog.run("backup").status == 0)
    }
    let copy = try Store.open(at: folder.path("catalog-2026-11-21.db"), for: .reading)
    #expect(try copy.db.value("SELECT count(*) FROM item WHERE url IS NOT NULL", as: Int.self) == 0)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
}
