import CatalogModel
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import CatalogStore
@testable import Migrations

/// Tests copies of the whole file: before a migration, and for `backup`.
struct CopiesTests {
  let folder: TemporaryFolder
  let path: String
  private static let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("catalog.db")
  }

  // MARK: What is put there

  /// Writes a catalog of version 1.
  private func putOldCatalog() throws {
    let saved = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases/v1.db").path
    try FileManager.default.copyItem(atPath: saved, toPath: path)
  }

  /// Writes a current catalog with this number of books.
  private func putCatalog(_ count: Int = 3) throws {
    let store = try Store.open(at: path, for: .writing)
    for number in 1...count { try store.add(Record(kind: .book, title: "토지 \(number)"), now: Self.now) }
  }

  /// Opens the old catalog, which migrates it.
  /// - Returns: the names of the reported copies.
  private func migrate() throws -> [String] {
    var copies: [String] = []
    _ = try Store.open(at: path, for: .reading) { notice in
      if case .migrated(let copy) = notice { copies.append(String(copy.dropFirst(folder.path.count + 1))) }
    }
    return copies
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path(name))) }
  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(stat(folder.path(name), &status) == 0)
    return status.st_mode & 0o7777
  }

  private func expectOldCatalog(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let copy = try Connection(.file(folder.path(name)), mode: .readOnly)
    let old = try Connection(
      .file(URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases/v1.db").path),
      mode: .readOnly)
    #expect(try copy.values("PRAGMA integrity_check", as: String.self) == ["ok"], sourceLocation: sourceLocation)
    #expect(try copy.value("PRAGMA user_version", as: Int.self) == 1, sourceLocation: sourceLocation)
    let query: SQL = "SELECT * FROM item ORDER BY id"
    #expect(try copy.all(query, \.all) == old.all(query, \.all), sourceLocation: sourceLocation)
  }

  private func version(_ name: String) throws -> Int? {
    try Connection(.file(folder.path(name)), mode: .readOnly).value("PRAGMA user_version", as: Int.self)
  }

  // MARK: Who may read them

  @Test func `a new catalog, its copies and the folders made for it are their owner's alone`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let deep = folder.path("one/two/catalog.db")
    let store = try Store.open(at: deep, for: .writing)
    _ = try store.backup(to: folder.path("backup.db"))
    _ = try store.copySelection(of: nil, to: folder.path("some.db"))
    for name in ["one", "one/two"] { #expect(try mode(name) == 0o700, "\(name)") }
    for name in ["one/two/catalog.db", "backup.db", "some.db"] { #expect(try mode(name) == 0o600, "\(name)") }
    #expect(try mode("") == 0o755, "what was there keeps its mode")
  }

  @Test(arguments: [0o640, 0o644, 0o660, 0o600] as [mode_t])
  func `a file that exists keeps the mode that its owner chose`(_ chosen: mode_t) throws {
    try putCatalog()
    for name in ["backup.db", "some.db"] { try Data("x".utf8).write(to: URL(filePath: folder.path(name))) }
    for name in ["catalog.db", "backup.db", "some.db"] { chmod(folder.path(name), chosen) }
    try putCatalog()
    let store = try Store.open(at: path, for: .writing)
    chmod(path, 0o604)
    _ = try store.backup(to: folder.path("backup.db"), replaces: true)
    _ = try store.copySelection(of: nil, to: folder.path("some.db"), replaces: true)
    _ = try store.backup(to: folder.path("new.db"))
    chmod(path, chosen)
    for name in ["catalog.db", "backup.db", "some.db"] { #expect(try mode(name) == chosen, "\(name)") }
    #expect(try mode("new.db") == 0o604, "a new copy has the mode of the catalog")
  }

  // MARK: Before a migration

  @Test func `the backup before a migration is kept beside the catalog`() throws {
    try putOldCatalog()
    #expect(try migrate() == ["catalog.db.v1.bak"])
    try expectOldCatalog("catalog.db.v1.bak")
    #expect(try version("catalog.db") == Migration.all.count)
    #expect(try names() == ["catalog.db", "catalog.db.v1.bak"])
    #expect(try migrate() == [])
  }

  struct Rubbish: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var put: @Sendable (_ folder: TemporaryFolder) throws -> Void
  }

  @Test(arguments: [
    Rubbish(testDescription: "nothing, as a copy that was ended left it") {
      try Data().write(to: URL(filePath: $0.path("catalog.db.v1.bak")))
    },
    Rubbish(testDescription: "garbage") {
      try Data("precious words of a person".utf8).write(to: URL(filePath: $0.path("catalog.db.v1.bak")))
    },
    Rubbish(testDescription: "the first half") {
      let whole = try Data(contentsOf: URL(filePath: $0.path("catalog.db")))
      try whole.prefix(whole.count / 2).write(to: URL(filePath: $0.path("catalog.db.v1.bak")))
    },
    Rubbish(testDescription: "a damaged page") {
      var data = try Data(contentsOf: URL(filePath: $0.path("catalog.db")))
      data[data.count - 100] ^= 0xFF
      try data.write(to: URL(filePath: $0.path("catalog.db.v1.bak")))
    },
    Rubbish(testDescription: "the catalog as it was before a change that kept all counts") {
      try FileManager.default.copyItem(atPath: $0.path("catalog.db"), toPath: $0.path("catalog.db.v1.bak"))
      try Connection(.file($0.path("catalog.db"))).run("UPDATE item SET title = 'Another' WHERE id = 1")
      try Connection(.file($0.path("catalog.db"))).run("UPDATE item SET title = 'Dune' WHERE id = 1")
      try Connection(.file($0.path("catalog.db.v1.bak"))).run("UPDATE item SET title = 'Older' WHERE id = 1")
    },
    Rubbish(testDescription: "a catalog of another version") {
      _ = try Store.open(at: $0.path("catalog.db.v1.bak"), for: .writing)
    },
  ])
  func `a file that only has the backup's name is kept, and the backup gets another name`(_ rubbish: Rubbish) throws {
    try putOldCatalog()
    try rubbish.put(folder)
    let before = try bytes("catalog.db.v1.bak")
    #expect(try migrate() == ["catalog.db.v1.2.bak"])
    #expect(try bytes("catalog.db.v1.bak") == before)
    #expect(try version("catalog.db.v1.2.bak") == 1)
    #expect(try names() == ["catalog.db", "catalog.db.v1.2.bak", "catalog.db.v1.bak"])
  }

  @Test func `a folder or pipe with the backup's name is left alone`() throws {
    try putOldCatalog()
    try FileManager.default.createDirectory(atPath: folder.path("catalog.db.v1.bak"), withIntermediateDirectories: true)
    try #require(mkfifo(folder.path("catalog.db.v1.2.bak"), 0o600) == 0)
    #expect(try migrate() == ["catalog.db.v1.3.bak"])
    try expectOldCatalog("catalog.db.v1.3.bak")
  }

  @Test func `a valid backup of an interrupted migration is used again`() throws {
    try putOldCatalog()
    _ = try migrate()
    // The moment between the copy and the end of the migration.
    try FileManager.default.removeItem(atPath: path)
    try putOldCatalog()
    #expect(try migrate() == ["catalog.db.v1.bak"])
    #expect(try names() == ["catalog.db", "catalog.db.v1.bak"])
    // A copy that a person made is as good.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.removeItem(atPath: folder.path("catalog.db.v1.bak"))
    try putOldCatalog()
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("catalog.db.v1.bak"))
    #expect(try migrate() == ["catalog.db.v1.bak"])
    #expect(try names() == ["catalog.db", "catalog.db.v1.bak"])
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o660] as [mode_t])
  func `backups have the file mode of the catalog`(_ mode: mode_t) throws {
    try putOldCatalog()
    chmod(path, mode)
    #expect(try migrate() == ["catalog.db.v1.bak"])
    #expect(try self.mode("catalog.db.v1.bak") == mode)
    _ = try Store.open(at: path, for: .reading).backup(to: folder.path("backup.db"))
    #expect(try self.mode("backup.db") == mode)
  }

  @Test func `eight programs that open an old catalog at once make one backup`() throws {
    try putOldCatalog()
    let gate = Gate(for: 8)
    let copies = Mutex<[String]>([])
    let errors = Mutex<[String]>([])
    let threads = DispatchGroup()
    for _ in 1...8 {
      threads.enter()
      let path = path
      Thread {
        gate.pass()
        do {
          _ = try Store.open(at: path, for: .writing, busyTimeout: 60_000) { notice in
            if case .migrated(let copy) = notice { copies.withLock { $0.append(copy) } }
          }
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
        threads.leave()
      }.start()
    }
    threads.wait()
    #expect(errors.withLock { $0 } == [])
    #expect(copies.withLock { $0 } == [folder.path("catalog.db.v1.bak")])
    #expect(try names() == ["catalog.db", "catalog.db.v1.bak"])
    try expectOldCatalog("catalog.db.v1.bak")
  }

  @Test func `a catalog that cannot be backed up is not migrated`() throws {
    try putOldCatalog()
    var data = try bytes("catalog.db")
    // A page in the middle that SQLite must find when it checks the copy, and not before.
    let middle = data.count / 4096 / 2 * 4096
    data.replaceSubrange(middle..<middle + 4096, with: repeatElement(0xAA, count: 4096))
    try data.write(to: URL(filePath: path))
    #expect(throws: CatalogError.notCopied(path, because: .damaged(path))) { try migrate() }
    #expect(try bytes("catalog.db") == data)
    #expect(try names() == ["catalog.db"])
  }

  @Test(.enabled(if: Modes.hold, "this process may open files of any mode"))
  func `where modes hold, a catalog in a read-only folder is not migrated`() throws {
    try putOldCatalog()
    let before = try bytes("catalog.db")
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    #expect(throws: (any Error).self) { try migrate() }
    #expect(try bytes("catalog.db") == before)
  }

  // MARK: backup

  @Test func `files with names similar to a backup survive it`() throws {
    try putCatalog()
    for name in ["copy.db.partial", "copy.db-journal", "copy.db.partial-journal"] {
      try Data("mine".utf8).write(to: URL(filePath: folder.path(name)))
    }
    let store = try Store.open(at: path, for: .reading)
    #expect(try store.backup(to: folder.path("copy.db")).items == 3)
    #expect(throws: SQLiteError.self) { try store.backup(to: folder.path("other.db")) { _, _ in false } }
    #expect(throws: CatalogError.cannotOpen(folder.path("copy.db"))) { try store.backup(to: folder.path("copy.db")) }
    #expect(
      try names() == ["catalog.db", "copy.db", "copy.db-journal", "copy.db.partial", "copy.db.partial-journal"])
    for name in ["copy.db.partial", "copy.db-journal", "copy.db.partial-journal"] {
      #expect(try bytes(name) == Data("mine".utf8))
    }
  }

  /// Tests damage that counting the rows reveals, and damage that only a check of every page does.
  @Test(arguments: 2...9) func `a damaged catalog cannot be backed up`(tenth: Int) throws {
    try putCatalog(200)
    let whole = try bytes("catalog.db")
    var data = whole
    let start = data.count / 4096 * tenth / 10 * 4096
    data.replaceSubrange(start..<start + 4096, with: repeatElement(0xAA, count: 4096))
    try data.write(to: URL(filePath: path))
    do {
      let store = try Store.open(at: path, for: .reading)
      #expect(throws: CatalogError.damaged(path)) { try store.backup(to: folder.path("copy.db")) }
    } catch CatalogError.damaged(path) {}
    #expect(try names() == ["catalog.db"])
  }

  // MARK: A new catalog

  @Test func `a new catalog appears complete`() throws {
    try putCatalog()
    #expect(try names() == ["catalog.db"])
  }
}
