import CatalogModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

/// Tests the doctor's findings in a file that is damaged, or that cannot be written.
struct HealthTests {
  let folder: TemporaryFolder
  let path: String
  private static let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("catalog.db")
    let store = try Store.open(at: path, for: .writing)
    for number in 1...5 {
      var record = Record(kind: .book, title: "토지 \(number)")
      record.credits = [Credit(name: "박경리", role: .author)]
      try store.add(record, genres: ["Fiction"], now: Self.now)
    }
  }

  private func finding(_ check: Finding.Check) throws -> Finding? {
    try Store.open(at: path, for: .reading).examine(now: Date()).first { $0.check == check }
  }

  @Test func `the health check needs no write access and changes nothing`() throws {
    let before = try Data(contentsOf: URL(filePath: path))
    let store = try Store.open(at: path, for: .reading)
    #expect(!store.isWritable)
    let findings = try store.examine(now: Date())
    #expect(
      findings.map(\.check).sorted { $0.rawValue < $1.rawValue }
        == Finding.Check.allCases.sorted { $0.rawValue < $1.rawValue })
    #expect(findings.allSatisfy { $0.state == .ok })
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["catalog.db"])
  }

  @Test func `an inconsistent search index is found without writing`() throws {
    let db = try Connection(.file(path))
    try db.run("UPDATE item_search_data SET block = \([UInt8](repeating: 0xFF, count: 40)) WHERE id > 1000")
    #expect(try finding(.searchIndex)?.state == .wrong)
  }

  @Test(
    arguments: [
      ("DROP INDEX item_title", "index item_title is missing"),
      ("DROP VIEW cards", "view cards is missing"),
      (
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'original_title', 'original_tjtle') "
          + "WHERE name = 'item'", "table item was changed"
      ),
    ])
  func `missing and altered schema objects are reported`(_ script: String, _ words: String) throws {
    try Connection(.file(path)).execute(script: Array(script.utf8))
    let finding = try finding(.schema)
    #expect(finding?.state == .wrong)
    #expect(finding?.examples.contains(words) == true, "\(finding?.examples ?? [])")
  }

  @Test func `tables and views added by the user are reported as a hint`() throws {
    let db = try Connection(.file(path))
    try db.execute(script: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE); CREATE VIEW mine AS SELECT 1")
    try db.execute(script: "ANALYZE")
    let finding = try finding(.schema)
    #expect(finding?.state == .hint)
    #expect(finding?.examples == ["table note is not part of this program", "view mine is not part of this program"])
  }

  /// The raw schema of the file; nil when SQLite cannot read it.
  private func schema() -> [[Value]]? {
    guard let db = try? Connection(.file(path), mode: .readOnly) else { return nil }
    return try? db.all("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema", \.all)
  }

  @Test func `a flipped bit in the schema is never reported as healthy`() throws {
    let pages = try Connection(.file(path)).values(
      "SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' ORDER BY pageno", as: Int.self)
    try #require(pages.count > 3)
    let before = try #require(schema())
    let file = open(path, O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    var random = SplitMix(seed: 9)
    var (found, unseen) = (0, 0)
    let flips = Rounds.count(80, long: 250)
    for number in 1...flips {
      // A header and the beginning of each page are small and matter most.
      let page = try #require(pages.randomElement(using: &random))
      let byte =
        number.isMultiple(of: 4) ? Int.random(in: 0..<120, using: &random) : .random(in: 0..<4096, using: &random)
      let offset = off_t((page - 1) * 4096 + byte)
      var value: UInt8 = 0
      try #require(pread(file, &value, 1, offset) == 1)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      var flipped = value ^ bit
      try #require(pwrite(file, &flipped, 1, offset) == 1)
      defer { _ = pwrite(file, &value, 1, offset) }
      let differs = schema() != before
      do {
        let findings = try Store.open(at: path, for: .reading).examine(now: Date())
        let isWrong = findings.contains { $0.state == .wrong }
        #expect(
          isWrong || !differs,
          "\(zip(before, schema() ?? []).filter { $0 != $1 }), page \(page), byte \(byte), bit \(bit)")
        if isWrong { found += 1 } else { unseen += 1 }
      } catch let error as CatalogError {
        found += 1
        if let findings = Store.examine(unopened: error) {
          #expect(findings.contains { $0.state == .wrong }, "\(error): page \(page), byte \(byte), bit \(bit)")
        }
      }
    }
    // The others are in bytes that nothing uses.
    #expect(found > flips / 3, "\(unseen) are in bytes that nothing uses")
  }
}
