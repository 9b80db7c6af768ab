import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import CatalogStore
@testable import SQLite

struct HistoryTests {
  private let store: Store
  private var db: Connection { store.db }

  init() throws { store = try Store.empty() }

  private func recording(at time: String = "2026-11-21T09:30:00Z", line: String = "a line") -> OperationRecorder {
    OperationRecorder(command: "test", line: line) { Timestamp(rawValue: time) }
  }

  private func favorite(_ title: String, at time: String = "2026-11-21T09:30:00Z") throws {
    let now = Timestamp(rawValue: time)
    let recorded = store.recording(recording(at: time))
    _ = try recorded.add(Record(kind: .movie, title: title), now: now)
  }

  @Test func `every table is recorded for undo or excluded on purpose`() throws {
    let leftOut: Set = [
      "search_pending", "work_key", "setting", "step", "step_change", "trending", "trending_movie", "trending_cover",
      // The state of a sync is no change by a person.
      "identity", "synced_file", "sync_state", "sync_conflict", "cover_digest",
    ]
    let tables = try db.values(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'item_search*' AND name NOT GLOB 'sqlite*'",
      as: String.self)
    #expect(Set(tables) == Set(RecordedTable.all.map(\.name)).union(leftOut))
    #expect(Set(RecordedTable.all.map(\.name)).isDisjoint(with: leftOut))
    for table in RecordedTable.all {
      let columns = try db.all("PRAGMA table_info(\(identifier: table.name))") {
        (name: try $0.get("name", as: String.self), key: try $0.get("pk", as: Int.self))
      }
      #expect(columns.prefix(table.keyCount).map(\.key) == Array(1...table.keyCount), "\(table.name)")
      #expect(columns.dropFirst(table.keyCount).allSatisfy { $0.key == 0 }, "\(table.name)")
      #expect(
        table.touched.map { columns[$0].name } == (columns.contains { $0.name == "updated_at" } ? "updated_at" : nil))
      let owner = table.owner.map { columns[$0].name }
      #expect(
        owner == columns.map(\.name).first { $0 == "item_id" || table.name == "item" && $0 == "id" || $0 == "copy_id" },
        "\(table.name)")
    }
  }

  @Test func `the writes of one command form one operation, and a command without writes none`() throws {
    let recorded = store.recording(recording(line: "add 'a b'"))
    let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")
    try recorded.write {}
    #expect(try store.operations().isEmpty)
    let id = try recorded.add(Record(kind: .movie, title: "One"), now: now).id
    try recorded.favorite(id, now: now)
    #expect(try recorded.undoable(1).map(\.line) == ["add 'a b'"])
    #expect(try db.values("SELECT part FROM step_change ORDER BY part") == [1, 2])
    // Without a recording it is no operation.
    try store.unfavorite([id])
    #expect(try store.operations().count == 1)
  }

  @Test func `a command that writes again after another begins a new operation`() throws {
    let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")
    let (one, other) = (store.recording(recording(line: "one")), store.recording(recording(line: "other")))
    let id = try one.add(Record(kind: .movie, title: "One"), now: now).id
    try other.favorite(id, now: now)
    try one.unfavorite([id])
    #expect(try store.operations().map(\.line) == ["one", "other", "one"])
    _ = try store.undo(store.undoable(1), now: now)
    try one.unfavorite([id])
    #expect(try store.operations().map(\.line) == ["one", "other", "one"])
  }

  @Test func `a failed write records no operation`() throws {
    struct Stop: Error {}
    let recorded = store.recording(recording())
    let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")
    #expect(throws: Stop.self) {
      try recorded.write {
        _ = try recorded.add(Record(kind: .movie, title: "One"), now: now)
        throw Stop()
      }
    }
    #expect(try store.operations().isEmpty)
    _ = try recorded.add(Record(kind: .movie, title: "Two"), now: now)
    #expect(try db.values("SELECT part FROM step_change") == [1])
  }

  @Test func `a long operation has several parts and is undone as a whole`() throws {
    let records = (1...4_000).map { number in
      var record = Record(kind: .vinyl, title: "Title \(number)")
      record.credits = [Credit(name: "Name \(number % 50)", role: .artist)]
      record.labels = ["Jazz", "Bop \(number % 7)"]
      record.labelSource = "discogs"
      return (record: record, genres: [String]?.none)
    }
    let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")
    let before = try counts()
    #expect(try store.recording(recording()).addAll(records, now: now) == 4_000)
    let after = try counts()
    #expect(try db.value("SELECT max(part) FROM step_change", as: Int.self) ?? 0 > 1)
    #expect(try db.value("SELECT sum(length(changes)) FROM step_change", as: Int.self) ?? 0 < 4_000 * 110)
    let undone = try store.undo(store.undoable(1), now: now)
    #expect(undone[0].changes.removed == 4_000 && undone[0].conflicts.isEmpty)
    #expect(try counts() == before)
    let again = try store.redo(store.redoable(1))
    #expect(again[0].changes.added == 4_000)
    #expect(try counts() == after)
  }

  private func counts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in RecordedTable.all {
      counts[table.name] = try db.value("SELECT count(*) FROM \(identifier: table.name)", as: Int.self)
    }
    return counts
  }

  @Test func `a single operation takes little space`() throws {
    try favorite("One")
    #expect(try db.value("SELECT length(changes) FROM step_change", as: Int.self) ?? 0 < 100)
    let cover = Cover(bytes: [UInt8](repeating: 1, count: 100_000), mediaType: "image/png")
    try store.recording(recording()).write { try store.setCover(cover, of: ItemID(rawValue: 1)) }
    // A picture that came stands in one place; one that went in the history, to come back.
    #expect(try db.value("SELECT length(changes) FROM step_change WHERE step_id = 2", as: Int.self) ?? 0 < 100)
    try store.recording(recording()).remove([ItemID(rawValue: 1)])
    #expect(try db.value("SELECT length(changes) FROM step_change WHERE step_id = 3", as: Int.self) ?? 0 > 100_000)
    _ = try store.undo(store.undoable(1), now: Timestamp(rawValue: "2026-11-21T09:30:00Z"))
    #expect(try store.cover(of: ItemID(rawValue: 1)) == cover)
  }

  @Test func `operations older than 90 days are pruned except the last 20`() throws {
    for number in 1...31 { try favorite("Old \(number)", at: "2026-01-01T00:00:00Z") }
    try favorite("New")
    #expect(try store.operations().map(\.id) == (13...32).reversed().map { Int64($0) })
  }

  @Test func `operations beyond a tenth of the file are pruned except the last 20`() throws {
    let words = String(repeating: "words ", count: 1_500)
    for number in 1...64 {
      let recorded = store.recording(recording(line: "\(number)"))
      try recorded.write {
        try db.run("INSERT INTO genre (name, key) VALUES (\("\(words)\(number)"), \("\(number)"))")
        try db.run("DELETE FROM genre WHERE key = \("\(number)")")
      }
    }
    let sizes = try db.values("SELECT length(changes) FROM step_change", as: Int.self)
    #expect(sizes.count >= 20)
    #expect(sizes.count < 64)
    #expect(try store.operations().first?.line == "64")
  }

  @Test func `damaged change records are reported and nothing is undone`() throws {
    try favorite("One")
    try db.run("UPDATE step_change SET changes = x'00FF'")
    let operations = try store.undoable(1)
    #expect(throws: CatalogError.operationUnreadable(1)) {
      try store.undo(operations, now: Timestamp(rawValue: "2026-11-21T09:30:00Z"))
    }
    #expect(throws: CatalogError.operationUnreadable(1)) { try store.changes(of: operations) }
    #expect(try store.shelfCounts().total == 1)
    let findings = try store.examine(now: Date(timeIntervalSince1970: 1_795_253_400))
    #expect(findings.first { $0.check == .history }?.state == .wrong)
  }

  private func recordedRows(of store: Store) throws -> [String] {
    try RecordedTable.all.flatMap { table in
      try store.db.all("SELECT * FROM \(identifier: table.name) ORDER BY 1, 2") { "\(table.name) \($0.all)" }
    }
  }

  @Test(arguments: SavedCatalog.all) func `removed rows of older schema versions are restored by undo`(
    _ saved: SavedCatalog
  ) throws {
    let folder = try TemporaryFolder()
    try saved.copy(to: folder.path("catalog.db"))
    let store = try Store.open(at: folder.path("catalog.db"), for: .writing)
    let before = try recordedRows(of: store)
    let ids = try store.db.values("SELECT id FROM item", as: Int64.self).map(ItemID.init)
    let now = Timestamp(rawValue: "2026-12-21T09:30:00Z")
    let recorded = store.recording(recording())
    for id in ids.prefix(3) {
      try recorded.change(id, now: now) { ($0.record.title, $0.genres) = ("Changed", ["Jazz"]) }
    }
    try recorded.remove(ids)
    let results = try store.undo(store.undoable(1), now: now)
    #expect(results[0].conflicts.isEmpty)
    #expect(try recordedRows(of: store) == before)
    #expect(try store.examine(now: Date(timeIntervalSince1970: 1_795_253_400)).allSatisfy { $0.state != .wrong })
  }

  @Test(arguments: SavedCatalog.all.filter { $0.version >= 15 }) func `operations of older schema versions are undone`(
    _ saved: SavedCatalog
  ) throws {
    let folder = try TemporaryFolder()
    try saved.copy(to: folder.path("catalog.db"))
    let store = try Store.open(at: folder.path("catalog.db"), for: .writing)
    let before = try recordedRows(of: store)
    let now = Timestamp(rawValue: "2026-12-21T09:30:00Z")
    let undone = try store.operations().count { $0.undoneAt != nil }
    #expect(try store.redo(store.redoable(undone)).allSatisfy(\.conflicts.isEmpty))
    let count = undone + 12
    #expect(try store.undo(store.undoable(count), now: now).allSatisfy(\.conflicts.isEmpty))
    #expect(try recordedRows(of: store) != before)
    #expect(try store.examine(now: Date(timeIntervalSince1970: 1_795_253_400)).allSatisfy { $0.state != .wrong })
    #expect(try store.redo(store.redoable(count - undone)).allSatisfy(\.conflicts.isEmpty))
    #expect(try recordedRows(of: store) == before)
  }
}
