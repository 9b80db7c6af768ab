import CatalogModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests where a file of output may be written.
struct SavingTests {
  private let folder: TemporaryFolder
  private let catalog: TestCatalog
  private var data: String { folder.path(".local/share/catalog") }

  init() throws {
    folder = try TemporaryFolder()
    let data = folder.path(".local/share/catalog")
    catalog = try TestCatalog(path: data + "/catalog.db")
    catalog.places = Places(environment: ["HOME": folder.path])
    try catalog.addThree()
    _ = try TestCatalog(path: data + "/profiles/club/catalog.db")
    _ = try TestCatalog(path: folder.path("friend.db"))
    for file in [
      "catalog.browsers", "catalog.tree/items/1.json", "../../../.config/catalog/config.json", "../../../notes-journal",
    ] { try write("{}", to: "\(data)/\(file)") }
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("link.db"), withDestinationPath: data + "/catalog.db")
    try manager.createSymbolicLink(atPath: folder.path("folder"), withDestinationPath: data)
    try manager.createSymbolicLink(atPath: folder.path("empty.db"), withDestinationPath: "folder/catalog.db-wal")
    try manager.createSymbolicLink(atPath: folder.path("round.db"), withDestinationPath: "round.db")
    try manager.linkItem(atPath: data + "/catalog.db", toPath: folder.path("hard.db"))
    try manager.linkItem(atPath: data + "/catalog.browsers", toPath: folder.path("hard.json"))
  }

  private func write(_ text: String, to path: String) throws {
    let path = (path as NSString).standardizingPath
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// The paths below the home of the test that belong to the program, or to a database.
  static let taken = [
    "folder/catalog.db", ".local/share/../share//catalog/./catalog.db", "link.db", "hard.db",
    ".local/share/catalog/catalog.db-journal", "folder/catalog.db-wal", "folder/catalog.db-shm/", "empty.db",
    "link.db-journal", "folder/profiles/club/catalog.db", "folder/profiles/club/catalog.db-journal",
    "folder/catalog.tree", "folder/catalog.tree/items/1.json", "folder/catalog.tree.lock", "folder/catalog.browsers",
    "hard.json", "folder/catalog.browsers.lock", ".config/catalog/config.json", ".config/catalog/config.json.lock",
    ".config/catalog/profile", ".cache/catalog/cache.db", ".cache/catalog/cache.db-wal",
    ".cache/catalog/copies/imdb.db", ".cache/catalog/copies/imdb.db.staging", "friend.db-journal", "friend.db-WAL",
  ]

  @Test(arguments: taken) func `no output is written over the program's files, however the path is spelled`(
    path: String
  ) throws {
    for name in [".cache/catalog/copies", "folder/profiles/club"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    #expect(throws: Failure.self) { try catalog.context().requireFree(folder.path(path), of: catalog.store.path) }
  }

  @Test(arguments: [
    "new.db", "friend.db", "folder/catalog.csv", "folder/catalog.db.bak", "folder/catalog-2026-11-21.db",
    "folder/catalog.tree.csv", "notes-journal", "none.db-wal", "none/x.csv", "round.db", "folder/profiles/list.csv",
  ])
  func `other output may be written`(path: String) throws {
    try catalog.context().requireFree(folder.path(path), of: catalog.store.path)
  }

  @Test(
    arguments: FileArgumentTests.written.values.map(\.self)
      + ExportFormat.names.map { ["export", $0, "-o", "{}"] })
  func `every command that writes a file asks the same`(words: [String]) throws {
    let cover = Cover(bytes: Picture.png(width: 20, height: 20), mediaType: "image/png")
    try catalog.store.setCover(cover, of: ItemID(rawValue: 1))
    try write("title\n", to: folder.path("rows.csv"))
    for (ending, reason) in [("-journal", "keeps the journal"), ("-wal", "keeps the journal"), ("", "catalog itself")] {
      let target = data + "/catalog.db" + ending
      // A poster has a name of its own kind.
      if words.contains("--poster") {
        try FileManager.default.createSymbolicLink(
          atPath: folder.path("poster\(ending).svg"), withDestinationPath: target)
      }
      let file = words.contains("--poster") ? folder.path("poster\(ending).svg") : target
      let run = catalog.run(
        words.map { $0 == "{}" ? file : $0.replacing("{folder}", with: folder.path) } + ["--yes"])
      #expect(run.status == 1, "\(run)")
      #expect(run.errors.contains(reason), "\(run)")
      #expect(FileKind(of: target) == (ending.isEmpty ? .file : .missing))
    }
    #expect(try catalog.store.count(Query()) == 3)
  }

  @Test(arguments: [["backup"], ["export", "sqlite", "-o"]])
  func `a database is not written beside the journal of another`(words: [String]) throws {
    for ending in ["-journal", "-wal", "-shm"] {
      try write("mine", to: folder.path("copy.db" + ending))
      let run = catalog.run(words + [folder.path("copy.db")])
      #expect(run.status == 1, "\(run)")
      #expect(run.errors.contains("SQLite would take it for a part"), "\(run)")
      try FileManager.default.removeItem(atPath: folder.path("copy.db" + ending))
    }
    #expect(catalog.run(words + [folder.path("copy.db")]).status == 0)
  }

  @Test func `git's merge writes no file of the program's`() throws {
    let item = folder.path("clone/items/1.json")
    try write("{}", to: item)
    #expect(catalog.run("sync", "join", item, item, item).status == 0)
    let settings = folder.path(".config/catalog/config.json")
    #expect(catalog.run("sync", "join", item, settings, item).errors.contains("belongs to this program"))
    #expect(try String(contentsOfFile: settings, encoding: .utf8) == "{}")
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(catalog.run("sync", "join", item, folder.path("pipe"), item).status == 1)
  }
}
