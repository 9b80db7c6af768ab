import CatalogModel
import CatalogStore
import CommandLineKit
import Dispatch
import Exchange
import FoundationEssentials
import Processes
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands

/// A number of films, followed by the end or an error.
private struct Films: RowSource {
  let formatID = "films"
  let formatName = "Films"
  let uses: [ColumnUse] = []
  var count: Int
  var error: ImportProblem?
  /// The length of each note in letters.
  var noteLength = 0
  /// Called before each row is read.
  var willRead: @Sendable (Int) -> Void = { _ in }

  func rows(_ each: (ImportRow) throws -> Bool) throws {
    for number in 0..<count {
      willRead(number)
      var record = Record(kind: .movie, title: "Film \(number)")
      record.note = String(repeating: "x", count: noteLength)
      let row = ImportRow(line: number + 1, key: "\(number)", words: record.title, content: .success(Entry(record)))
      guard try each(row) else { return }
    }
    if let error { throw error }
  }
}

/// Tests that reading rows ahead in another thread does not change their order or errors.
struct RowReaderTests {
  private func lines(_ reader: RowReader<ImportRow>) throws -> [Int] {
    var lines: [Int] = []
    while let row = try reader.next() { lines.append(row.line - 1) }
    return lines
  }

  @Test(arguments: [0, 1, 99, 100, 101, 1_234])
  func `the row reader returns all rows in their order`(count: Int) throws {
    let reader = try RowReader(Films(count: count))
    #expect(try lines(reader) == Array(0..<count))
    // Behind the end is nothing, as often as one asks.
    #expect(try reader.next() == nil)
  }

  @Test func `the row reader returns all rows with long texts`() throws {
    #expect(try lines(RowReader(Films(count: 40, noteLength: 100_000))) == Array(0..<40))
  }

  @Test(arguments: [0, 1, 100, 150, 300, 301]) func `the row reader can begin at a later row`(start: Int) throws {
    #expect(try lines(RowReader(Films(count: 300), from: start)) == Array(min(start, 300)..<300))
  }

  @Test func `an error of the file is thrown after the batches before it`() throws {
    let problem = ImportProblem(.missing, "the disk is gone")
    let reader = try RowReader(Films(count: 250, error: problem))
    var count = 0
    #expect(throws: problem) { while try reader.next() != nil { count += 1 } }
    #expect(count == 200)
  }

  @Test func `the row reader can stop before the end of the file`() throws {
    let reader = try RowReader(Films(count: 1_000_000_000))
    #expect(try (0..<3).map { _ in try reader.next()?.line } == [1, 2, 3])
  }
}

/// Tests that rows are written in batches, and that a rejected row does not affect the others.
struct ImportWriterTests {
  let catalog: TestCatalog
  private let context: Context

  init() throws {
    let catalog = try TestCatalog()
    self.catalog = catalog
    context = Context(
      terminal: Terminal(), output: .memory(), errors: .memory(), places: catalog.places, now: { Date() },
      openStore: { _ in catalog.store }, http: catalog.http,
      results: LastResults(load: { [] }, save: { _ in true }))
  }

  @Test(arguments: [1, 3, 4, 10, 100], [[], [0], [4], [3, 4, 9], Array(0..<10)])
  func `rows that are refused are left out and all others written once, at any batch size`(
    together: Int, refused: [Int]
  ) throws {
    for isPlanned in [true, false] {
      let test = try ImportWriterTests()
      try test.write(together: together, refused: refused, isPlanned: isPlanned)
    }
  }

  private func write(together: Int, refused: [Int], isPlanned: Bool) throws {
    let films = Films(count: 10)
    let titles = refused.map { "'Film \($0)'" }.joined(separator: ", ")
    try catalog.store.db.execute(
      script: Array(
        """
        CREATE TEMP TRIGGER refusal BEFORE INSERT ON item WHEN NEW.title IN (\(titles))
        BEGIN SELECT RAISE(ABORT, 'not this one'); END
        """.utf8))
    let decider = try RowDecider(films, in: catalog.store)
    let plan = isPlanned ? try ImportPlan(films, decider, context) : nil
    let writer = try ImportWriter(films, "films", decider, plan: plan, together: together, context)
    let outcome = try writer.write(to: catalog.store)
    #expect(outcome.tally.rows == 10)
    let rest = (0..<10).filter { !refused.contains($0) }
    let listed = catalog.run("list", "--tsv", "--columns", "title").output.split(separator: "\n")
    #expect(listed.sorted() == rest.map { "Film \($0)" })
    #expect(outcome.remarks(isPlanned: false).count == refused.count)
    let batches = try catalog.store.importBatches()
    let batch = try #require(batches.first)
    #expect(batches.count == 1)
    #expect(batch.counts[.added] ?? 0 == rest.count)
    #expect(batch.counts[.rejected] ?? 0 == refused.count)
    // The same again is nothing new.
    let again = try ImportPlan(films, RowDecider(films, in: catalog.store), context)
    #expect(again.tally.count(.known) == 10)
  }

  @Test(arguments: [2, 7, 100, 20_000]) func `a file that ends in an error imports nothing`(together: Int) throws {
    // Behind what would have been written by then, and before.
    for count in [5, 3_000] {
      let problem = ImportProblem(.damaged, "it breaks off")
      let films = Films(count: count, error: problem)
      let writer = try ImportWriter(
        films, "films", RowDecider(films, in: catalog.store), together: together, context)
      #expect(throws: problem) { try writer.write(to: catalog.store) }
      #expect(try catalog.store.importBatches().isEmpty)
      #expect(catalog.run("list").output.isEmpty)
    }
  }

  @Test func `another writer gets its turn between two batches of an import`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("catalog.db")
    let store = try Store.open(at: path, for: .writing)
    let isBegun = DispatchSemaphore(value: 0)
    let other = try BackgroundWork {
      isBegun.wait()
      let store = try Store.open(at: path, for: .writing, busyTimeout: Int(Patience.milliseconds))
      return try store.write {
        try store.db.run("INSERT INTO tag (name, key) VALUES ('in between', 'in between')")
        return try store.db.value("SELECT count(*) FROM import_row", as: Int.self) ?? 0
      }
    }
    let films = Films(count: 3_000, willRead: { if $0 == 200 { isBegun.signal() } })
    let writer = try ImportWriter(films, "films", RowDecider(films, in: store), together: 1_000, context)
    _ = try writer.write(to: store)
    other.wait(atMost: Patience.time)
    let written = try #require(other.result).get()
    #expect((0..<3_000).contains(written))
    #expect(try store.db.value("SELECT count(*) FROM tag", as: Int.self) == 1)
    #expect(try store.importedRows(of: 1).count == 3_000)
  }

  @Test(arguments: [true, false])
  func `a row equal in title to one above is the same item unless their codes differ`(isPlanned: Bool) throws {
    func film(_ title: String, _ line: Int, code: String? = nil) -> ImportRow {
      var record = Record(kind: .movie, title: title)
      record.year = 1995
      if let code { record.externalIDs = [ExternalID(source: "imdb", value: code)] }
      return ImportRow(line: line, key: "\(line)", words: title, content: .success(Entry(record)))
    }
    let rows = [
      film("Amélie", 1), film("AMéLIE", 2), film("Blue Anchor", 3, code: "tt1"), film("Blue Anchor", 4),
      film("Blue Anchor", 5, code: "tt2"),
      film("Other Anchor", 6),
    ]
    let file = Rows(list: rows)
    let decider = try RowDecider(file, in: catalog.store)
    let plan = isPlanned ? try ImportPlan(file, decider, context) : nil
    _ = try ImportWriter(file, "rows", decider, plan: plan, together: 2, context).write(to: catalog.store)
    let items = try catalog.store.importedRows(of: 1).map { $0.item?.rawValue ?? 0 }
    #expect(items == [1, 1, 2, 2, 3, 4])
  }
}

private struct Rows: RowSource {
  let formatID = "rows"
  let formatName = "Rows"
  let uses: [ColumnUse] = []
  var list: [ImportRow]

  func rows(_ each: (ImportRow) throws -> Bool) throws {
    for row in list where try !each(row) { return }
  }
}
