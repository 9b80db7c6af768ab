import CatalogModel
import CommandLineKit
import FoundationEssentials
import Glibc
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests `restore BACKUP`, the way back from a backup.
struct RestoreCommandTests {
  private let folder: TemporaryFolder
  private let catalog: TestCatalog
  private var path: String { folder.path("catalog.db") }
  private var backup: String { folder.path("backup.db") }
  private var kept: String { path + ".before-restore.bak" }

  /// A catalog with three items, of which a backup has been made, and then a fourth item.
  init() throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
    catalog.places = Places(environment: ["HOME": folder.path], option: path)
    try catalog.addThree()
    #expect(catalog.run("backup", backup).status == 0)
    try catalog.add(.book, "Solaris")
  }

  private func items(_ path: String) -> Int? { Store.itemCount(at: path) }
  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  private func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }
  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try #require(FileManager.default.contents(atPath: path)))
  }

  @Test func `a backup takes the place of the catalog, of which a copy is kept`() throws {
    let run = catalog.run("restore", backup, "--yes")
    #expect(run.output == "restored 3 items from \(backup)\n")
    #expect(
      run.errors == """
        the catalog as it was is kept as '\(kept)'
        hint: to go back: catalog restore \(kept)

        """)
    // The connection that was open before sees it, too.
    #expect(try catalog.store.count(Query()) == 3)
    #expect((items(path), items(kept)) == (3, 4))
    #expect(catalog.run("restore", kept, "--yes").output == "restored 4 items from \(kept)\n")
    #expect(try catalog.store.count(Query()) == 4)
    #expect(catalog.run("restore", backup, "-y", "-q") == .init(output: "", errors: "", status: 0))
    #expect(catalog.run("add", "book", "--title", "Blindsight").status == 0)
    #expect(try catalog.store.db.values("PRAGMA integrity_check", as: String.self) == ["ok"])
    #expect(try !names().contains { $0.hasSuffix(".new") || $0.hasSuffix("-journal") })
  }

  @Test func `restore asks, and changes nothing without a yes`() throws {
    let before = try bytes(path)
    catalog.atTerminal()
    catalog.input = ["n"]
    let run = catalog.run("restore", backup)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("the backup: 3 items\nthe catalog, of which a copy is kept: 4 items\nPut "))
    catalog.terminal = Terminal()
    #expect(catalog.run("restore", backup).errors.contains("--yes"))
    let dry = catalog.run("restore", backup, "-n")
    #expect(dry.output == "would put '\(backup)', with 3 items, in the place of '\(path)'\n")
    #expect(dry.status == 0)
    #expect(try bytes(path) == before)
    #expect(try names() == ["backup.db", "catalog.db"])
    catalog.atTerminal()
    catalog.input = ["y"]
    #expect(catalog.run("restore", backup).status == 0)
    #expect(items(path) == 3)
  }

  @Test func `restore answers in JSON`() {
    let dry = catalog.run("restore", backup, "-n", "--json").output.filter { !$0.isWhitespace }
    #expect(dry == #"{"changed":false,"would_change":true,"file":"\#(backup)","items":3,"kept_file":null}"#)
    let run = catalog.run("restore", backup, "--yes", "--json").output.filter { !$0.isWhitespace }
    #expect(run == #"{"changed":true,"file":"\#(backup)","items":3,"kept_file":"\#(kept)"}"#)
  }

  @Test func `a backup comes through a pipe`() throws {
    catalog.bytes = try bytes(backup)
    #expect(catalog.run("restore", "-", "--yes").output == "restored 3 items from standard input\n")
    #expect(items(path) == 3)
    catalog.bytes = []
    #expect(catalog.run("restore", "-", "--yes").errors.hasPrefix("catalog: 'standard input' is no backup"))
    #expect(items(path) == 3)
  }

  @Test func `a missing catalog is made without a question`() throws {
    catalog.places = Places(environment: ["HOME": folder.path], option: folder.path("new/catalog.db"))
    #expect(catalog.run("restore", backup) == .init(output: "restored 3 items from \(backup)\n", errors: "", status: 0))
    #expect(items(folder.path("new/catalog.db")) == 3)
    catalog.places = Places(environment: ["HOME": folder.path], option: folder.path("other.db"))
    try write([1], to: folder.path("other.db-journal"))
    #expect(catalog.run("restore", backup).errors.contains("SQLite would take it for a part"))
  }

  @Test func `what is no backup is refused, and nothing changes`() throws {
    try write(Array("Title,Author\nDune,Herbert\n".utf8), to: folder.path("list.csv"))
    try write([], to: folder.path("empty.db"))
    try write(Array(try bytes(backup).dropLast(40_000)), to: folder.path("cut.db"))
    var damaged = try bytes(backup)
    for place in stride(from: 5_000, to: damaged.count, by: 700) { damaged[place] ^= 0xFF }
    try write(damaged, to: folder.path("damaged.db"))
    try Connection(.file(folder.path("other.db"))).execute(script: "CREATE TABLE a (b)")
    #expect(catalog.run("backup", folder.path("newer.db")).status == 0)
    try Connection(.file(folder.path("newer.db"))).execute(script: "PRAGMA user_version = 9999")
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.db"), withDestinationPath: path)
    let before = try bytes(path)
    for (name, words) in [
      ("list.csv", "is no backup of a catalog"), ("empty.db", "is no backup of a catalog"),
      ("other.db", "is no backup of a catalog"), ("cut.db", "is damaged"), ("damaged.db", "is damaged"),
      ("newer.db", "was written by a newer program"), ("none.db", "there is no file"), ("", "is a folder"),
      ("pipe", "is not a regular file"), ("catalog.db", "is the catalog itself"),
      ("./catalog.db", "is the catalog itself"),
      ("link.db", "is the catalog itself"),
    ] {
      let run = catalog.run("restore", folder.path(name), "--yes")
      #expect(run.status == 1, "\(name): \(run)")
      #expect(run.errors.contains(words), "\(name): \(run.errors)")
      #expect(run.output.isEmpty, "\(name)")
    }
    #expect(try bytes(path) == before)
    #expect(try !names().contains { $0.contains("before-restore") })
  }

  @Test func `a backup of an older version is migrated, and stays as it is`() throws {
    let old = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "CatalogStoreTests/Databases/v1.db").path
    let copy = folder.path("old.db")
    try FileManager.default.copyItem(atPath: old, toPath: copy)
    let before = try bytes(copy)
    #expect(catalog.run("restore", copy, "--yes").status == 0)
    #expect(try bytes(copy) == before)
    #expect(try catalog.store.db.value("PRAGMA user_version", as: Int.self) ?? 0 > 20)
    #expect(catalog.run("doctor").status == 0)
    #expect(try !names().contains { $0.hasPrefix("old.db.") })
  }

  @Test func `a damaged catalog is moved aside, with its journal`() throws {
    let size = try bytes(path).count
    for cut in [4_096, size / 2] {
      let broken = folder.path("broken\(cut)")
      try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: false)
      let lost = broken + "/catalog.db"
      try write(Array(try bytes(path).prefix(cut)), to: lost)
      try write([1, 2, 3], to: lost + "-journal")
      catalog.places = Places(environment: ["HOME": folder.path], option: lost)
      let run = catalog.run("restore", backup, "--yes")
      #expect(run.status == 0, "\(run)")
      #expect(items(lost) == 3)
      #expect(try Store.open(at: lost, for: .reading).count(Query()) == 3)
      #expect(try bytes(lost + ".before-restore.bak").count == cut)
      #expect(FileKind(of: lost + "-journal") == .missing)
    }
  }

  @Test func `a file that is no catalog is not replaced`() throws {
    for content in ["my notes, which are long enough", ""] {
      let notes = folder.path("notes.txt")
      try write(Array(content.utf8), to: notes)
      catalog.places = Places(environment: ["HOME": folder.path], option: notes)
      let run = catalog.run("restore", backup, "--yes")
      #expect((run.status == 0) == content.isEmpty, "\(run)")
      if !content.isEmpty { #expect(try bytes(notes) == Array(content.utf8)) }
    }
  }

  @Test func `another program that uses the catalog is waited for, and nothing changes if it does not end`() throws {
    catalog.environment = ["CATALOG_BUSY_TIMEOUT": "0"]
    let before = try bytes(path)
    let other = try Connection(.file(path), mode: .readWrite)
    try other.transaction {
      #expect(catalog.run("restore", backup, "--yes").errors.hasPrefix("catalog: another program is writing"))
    }
    #expect(try bytes(path) == before)
    #expect(catalog.run("restore", backup, "--yes").status == 0)
  }

  @Test func `the copies get names of their own`() throws {
    for number in 1...3 {
      try catalog.add(.book, "Solaris \(number)")
      #expect(catalog.run("restore", backup, "--yes").status == 0)
    }
    #expect(
      try names().filter { $0.contains("before") } == [
        "catalog.db.before-restore.2.bak", "catalog.db.before-restore.3.bak", "catalog.db.before-restore.bak",
      ])
  }
}

/// Tests what a restore means to the other devices.
struct RestoredDeviceTests: TestOfTwoDevices {
  let devices: TestDevices

  init() throws { devices = try Self.makeDevices() }

  @Test func `the sync after a restore removes nothing on either device`() throws {
    try begin()
    let backup = devices.folder.path("backup.db")
    #expect(laptop.run("backup", backup).status == 0)
    laptop.run("remove", "1", "--yes")
    laptop.run("edit", "2", "year=1999")
    laptop.run("sync")
    desktop.run("sync")
    desktop.run("add", "book", "--title", "Solaris")
    desktop.run("sync")
    laptop.run("sync")
    let run = laptop.run("restore", backup, "--yes")
    #expect(run.errors.hasPrefix("the next sync removes nothing"))
    #expect(try laptop.store.syncState("device") == "device0")
    #expect(laptop.run("sync").status == 0)
    #expect(try laptop.store.count(Query()) == 4)
    #expect(laptop.run("list", "solaris").output.contains("Solaris"))
    #expect(laptop.run("show", "2", "--json").output.contains("1999"))
    #expect(desktop.run("sync").status == 0)
    #expect(try desktop.store.count(Query()) == 4)
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    #expect(laptop.run("sync").output == "synced: nothing new\n")
  }

  @Test func `what is said anew within a second is based on nothing`() throws {
    try begin()
    for _ in 1...4 {
      try laptop.store.forgetSyncs()
      #expect(laptop.run("sync").status == 0)
    }
    let tree = try #require(laptop.places.tree)
    #expect(try git("-C", tree, "rev-list", "--max-parents=0", "main").split(separator: "\n").count == 5)
  }

  @Test func `the backup of another device takes the name of this one`() throws {
    try begin()
    let backup = devices.folder.path("backup.db")
    #expect(desktop.run("backup", backup).status == 0)
    #expect(laptop.run("restore", backup, "--yes").status == 0)
    #expect(try laptop.store.syncState("device") == "device0")
    #expect(laptop.run("sync").status == 0)
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }
}
