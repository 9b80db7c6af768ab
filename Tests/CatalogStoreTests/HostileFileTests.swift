import CatalogModel
import Foundation
import Glibc
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

/// Catalogs that another program changed, by mistake or on purpose: a message, never a crash, a hang or all the memory.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct HostileFileTests {
  let folder: TemporaryFolder
  let path: String
  private static let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("catalog.db")
    let store = try Store.open(at: path, for: .writing)
    var record = Record(kind: .movie, title: "Heat")
    record.year = 1995
    record.credits = [Credit(name: "Michael Mann", role: .director)]
    try store.add(record, genres: ["Crime"], now: Self.now)
  }

  /// Runs SQL that no rule of the file holds back.
  private func change(_ script: String) throws {
    let db = try Connection(.file(path))
    try db.execute(script: Array(("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;" + script).utf8))
  }

  private func problem(_ purpose: Store.Purpose = .reading) -> CatalogError? {
    #expect(throws: CatalogError.self) { _ = try Store.open(at: path, for: purpose) }
  }

  // MARK: Tables

  @Test func `the known tables and columns are those of a new catalog`() throws {
    let db = try Store.empty().db
    let tables = try db.values(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'item_search%'
      """, as: String.self)
    #expect(TableSchema.all.map(\.name).sorted() == tables.sorted())
    for table in tables {
      #expect(
        try TableSchema.named(table)?.columns
          == db.all("PRAGMA table_info(\(identifier: table))") { try $0.get("name", as: String.self) })
    }
  }

  @Test(arguments: [Store.Purpose.reading, .writing, .viewing])
  func `a missing table is named when the catalog is opened`(_ purpose: Store.Purpose) throws {
    try change("DROP TABLE track")
    #expect(problem(purpose) == .otherSchema(path, "no such table: track"))
  }

  @Test func `a view in the place of a table is not asked`() throws {
    try change(
      "ALTER TABLE track RENAME TO old; CREATE VIEW track AS SELECT 1 AS item_id, zeroblob(1000000000) AS title")
    #expect(problem() == .otherSchema(path, "no such table: track"))
  }

  @Test(arguments: ["ALTER TABLE card RENAME COLUMN comment TO words", "ALTER TABLE track RENAME COLUMN seconds TO s"])
  func `a column of another name is no document`(_ script: String) throws {
    try change(script)
    let store = try Store.open(at: path, for: .reading)
    #expect(throws: SQLiteError.self) { try store.documents { _ in true } }
  }

  @Test func `the doctor names every missing table`() throws {
    try change("DROP TABLE track; DROP TABLE cover")
    let findings = Store.examine(unopened: try #require(problem()))
    #expect(findings?.last?.examples.contains("table track is missing") == true)
    #expect(findings?.last?.examples.contains("table cover is missing") == true)
  }

  // MARK: Beside the file

  @Test(arguments: ["-journal", "-wal"])
  func `a pipe in the place of a journal is named, without waiting`(_ suffix: String) throws {
    try #require(mkfifo(path + suffix, 0o600) == 0)
    #expect(problem() == .obstructed(path + suffix))
    #expect(problem(.writing) == .obstructed(path + suffix))
  }

  @Test func `a folder in the place of a journal is named`() throws {
    try FileManager.default.createDirectory(atPath: path + "-journal", withIntermediateDirectories: false)
    #expect(problem() == .obstructed(path + "-journal"))
  }

  @Test(arguments: ["-journal", "-wal", "-shm", "-WAL"])
  func `no catalog is made where SQLite keeps the journal of another`(_ ending: String) throws {
    #expect(throws: CatalogError.isJournal(path + ending, of: path)) {
      _ = try Store.open(at: path + ending, for: .writing)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["catalog.db"])
    _ = try Store.open(at: folder.path("none.db") + ending, for: .writing)
  }

  @Test func `the items of a file whose table is a view without end are not counted`() throws {
    try change(
      """
      DROP TABLE item; CREATE VIEW item AS
      WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n
      """)
    #expect(Store.itemCount(at: path) == nil)
  }

  // MARK: Values

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "9e999", "101", "-1"])
  func `numbers beyond any sense are left out of reports`(_ number: String) throws {
    try change(
      """
      UPDATE item SET public_rating = \(number), public_votes = 9223372036854775807;
      UPDATE item SET year = CAST(\(number) AS INTEGER);
      INSERT INTO card (item_id, rating, scale, comment, created_at, updated_at)
      VALUES (1, CAST(\(number) AS INTEGER), 'percent', 'x', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
      """)
    let store = try Store.open(at: path, for: .reading)
    #expect(try store.item(ItemID(rawValue: 1)).record.publicRating == nil)
    let report = try store.genreReport(now: Date())
    #expect(report.items == 1)
    for dimension in GenreMatrix.Dimension.allCases {
      let matrix = try store.genreMatrix(by: dimension)
      #expect(matrix.buckets.count <= 1)
    }
  }

  @Test func `an amount of any size is compared`() {
    #expect(Price(minorUnits: .max, currency: "KRW").thousandths == .max)
    #expect(Price(minorUnits: .min, currency: "KRW").thousandths == .min)
    #expect(Price(minorUnits: 1250, currency: "EUR").thousandths == 12_500)
  }

  @Test func `a value that is larger than any of a catalog is refused`() throws {
    try change("UPDATE item SET summary = NULL".replacing("summary", with: "description"))
    try change("UPDATE item SET description = CAST(zeroblob(30000000) AS TEXT)")
    let store = try Store.open(at: path, for: .reading)
    let error = #expect(throws: SQLiteError.self) { try store.item(ItemID(rawValue: 1)) }
    #expect(error?.isTooBig == true)
    #expect(error.map { CatalogError($0, path: path) } == .tooLargeValue(path))
  }

  // MARK: What does not end

  @Test func `only what others wrote is ended for taking long`() throws {
    #expect(!Store.hasForeignCode(at: path))
    try change("CREATE TABLE mine (a); CREATE INDEX mine_a ON mine (a)")
    #expect(!Store.hasForeignCode(at: path))
    try change("CREATE TRIGGER mine_too AFTER UPDATE ON item BEGIN SELECT 1; END")
    #expect(Store.hasForeignCode(at: path))
  }

  // MARK: Mending

  @Test func `a rule of a table that a row breaks is found by a doctor who only reads`() throws {
    try change("UPDATE item SET created_at = '2026-01-01T00:00:00R'")
    let before = try Data(contentsOf: URL(filePath: path))
    let findings = try Store.open(at: path, for: .reading).examine(now: Date())
    #expect(findings.first?.state == .wrong)
    #expect(findings.first?.examples == ["CHECK constraint failed in item"])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `an index that was dropped, and one that was emptied, are made anew`() throws {
    let db = try Connection(.file(path))
    let page = try #require(
      try db.value("SELECT rootpage FROM sqlite_schema WHERE name = 'item_title'", as: Int.self))
    try db.execute(script: "DROP INDEX item_year; DROP VIEW cards")
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    // An empty leaf of an index.
    let empty: [UInt8] = [10, 0, 0, 0, 0, 0x10, 0, 0]
    try #require(pwrite(file, empty, empty.count, off_t((page - 1) * 4096)) == empty.count)
    #expect(try Store.open(at: path, for: .reading).examine(now: Date()).first?.state == .wrong)
    #expect(try Store.mendStructure(at: path) == [.file, .schema])
    #expect(try Store.mendStructure(at: path) == [])
    let findings = try Store.open(at: path, for: .reading).examine(now: Date())
    #expect(findings.allSatisfy { $0.state == .ok }, "\(findings.filter { $0.state != .ok })")
  }

  @Test func `deeper damage is left as it is`() throws {
    try change("DROP TABLE track; DROP INDEX item_year")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(try Store.mendStructure(at: path) == [])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a table that counts too far is found, and counts on from its last row`() throws {
    try change("UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'item'")
    let store = try Store.open(at: path, for: .writing)
    let findings = try store.fix(try store.examine(now: Date()))
    #expect(findings.first { $0.check == .numbers }?.state == .fixed)
    #expect(findings.first { $0.check == .numbers }?.examples == ["item"])
    try store.add(Record(kind: .movie, title: "Ronin"), genres: ["Crime"], now: Self.now)
    #expect(try store.item(ItemID(rawValue: 2)).record.title == "Ronin")
  }
}

/// Indexes of words that another program has damaged.
struct DamagedSearchIndexTests {
  static let harms = SearchIndex.allCases.map(\.rawValue).flatMap { name in
    [
      "DROP TABLE \(name)", "DELETE FROM \(name)_data", "DELETE FROM \(name)_config",
      "UPDATE \(name)_config SET v = 99",
    ]
      + ["data", "idx", "config"].map { "DROP TABLE \(name)_\($0)" }
  }

  @Test(arguments: harms) func `an index of words is made anew from the items`(_ harm: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("catalog.db")
    let now = Timestamp(rawValue: "2026-01-01T00:00:00Z")
    func open() throws -> Store { try Store.open(at: path, for: .writing) }
    try open().add(Record(kind: .book, title: "Onlyone"), genres: ["Crime"], now: now)
    try Connection(.file(path)).run(SQL(stringLiteral: harm))
    _ = try Store.mendStructure(at: path)
    let store = try open()
    let findings = try store.fix(try store.examine(now: Date()))
    #expect(findings.allSatisfy { $0.state != .wrong && $0.state != .unchecked }, "\(findings)")
    try store.add(Record(kind: .book, title: "Another"), genres: ["Crime"], now: now)
    for title in ["onlyone", "another"] { #expect(try store.search(title, kinds: [.book], limit: 9).count == 1) }
    #expect(try store.examine(now: Date()).allSatisfy { $0.state != .wrong })
  }
}

/// Numbers from outside that would keep the catalog from counting on.
struct ForeignNumberTests {
  private func problem(_ lines: String) -> String? {
    var rest = lines.split(separator: "\n").enumerated().map { (line: $0.offset + 1, text: String($0.element)) }[...]
    let error = #expect(throws: DocumentProblem.self) {
      try Store.empty().restore {
        try rest.popFirst().map { (line: $0.line, document: try Document(parsing: Array($0.text.utf8))) }
      }
    }
    return error.map { $0.description }
  }

  @Test(arguments: [
    (#"{"catalog":1,"numbers":{"item":9223372036854775807}}"#, "numbers.item"),
    (#"{"catalog":1,"numbers":{"item":9007199254740993}}"#, "numbers.item"),
    (#"{"catalog":1}"# + "\n" + #"{"item":{"id":9007199254740993,"kind":"book","title":"T"}}"#, "item.id"),
    (#"{"catalog":1}"# + "\n" + #"{"item":{"id":-9223372036854775808,"kind":"book","title":"T"}}"#, "item.id"),
    (
      #"{"catalog":1}"# + "\n"
        + #"{"item":{"id":1,"kind":"book","title":"T","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"},"credit":[{"position":1,"person":{"id":9007199254740993,"name":"A"},"role":"author"}]}"#,
      "person.id"
    ),
    (#"{"catalog":1}"# + "\n" + #"{"tag":{"id":9007199254740993,"name":"a","key":"a"}}"#, "tag.id"),
  ])
  func `a number beyond 2^53 is refused, and named`(_ lines: String, _ name: String) {
    #expect(problem(lines)?.contains("'\(name)' is ") == true)
  }

  @Test(arguments: [-1, -5, -9_007_199_254_740_992])
  func `a highest number below 0 leaves nothing to find`(_ number: Int) throws {
    let store = try Store.empty()
    var lines = [#"{"catalog":1,"numbers":{"item":\#(number),"card":\#(number),"copy":\#(number)}}"#][...]
    try store.restore { try lines.popFirst().map { (line: 1, document: try Document(parsing: Array($0.utf8))) } }
    #expect(try store.examine(now: Date()).allSatisfy { $0.state != .wrong })
    try store.add(
      Record(kind: .movie, title: "Ronin"), genres: ["Crime"], now: Timestamp(rawValue: "2026-01-01T00:00:00Z"))
    #expect(try store.item(ItemID(rawValue: 1)).record.title == "Ronin")
  }

  @Test func `a number of 2^53 is taken`() throws {
    #expect(try JSON.integer(1 << 53).checked("item.id") == .integer(1 << 53))
  }
}
