import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

/// Tests each argument that names a file, by the list of the declarations.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct FileArgumentTests {
  /// A line with each argument whose file is read: `{}` is the file, `{folder}` the folder of the test.
  static let read = [
    "genres --compare": ["genres", "--compare", "{}"], "cover set file": ["cover", "set", "1", "{}"],
    "restore file": ["restore", "{}", "--yes"], "source build file": ["source", "build", "imdb", "{}", "--yes"],
    "edit --resume": ["edit", "1", "--resume", "{}"], "import file": ["import", "{}", "--kind", "book", "--yes"],
    "import --apply": ["import", "{folder}/rows.csv", "--kind", "book", "--apply", "{}", "--yes"],
    "sync join base": ["sync", "join", "{}", "{folder}/item.json", "{folder}/item.json"],
    "sync join ours": ["sync", "join", "{folder}/item.json", "{}", "{folder}/item.json"],
    "sync join theirs": ["sync", "join", "{folder}/item.json", "{folder}/item.json", "{}"],
  ]

  /// The same where it is written: ``SavingTests``.
  static let written = [
    "backup file": ["backup", "{}"], "export --output": ["export", "csv", "-o", "{}"],
    "genres --svg": ["genres", "--svg", "{}"], "genres --html": ["genres", "--html", "{}"],
    "genres --poster": ["genres", "--poster", "{}"], "report year --html": ["report", "year", "2026", "--html", "{}"],
    "report year --poster": ["report", "year", "2026", "--poster", "{}"],
    "cover --save": ["cover", "1", "--save", "{}"], "cover show --save": ["cover", "show", "1", "--save", "{}"],
    "sync init remote": ["sync", "init", "{}"],
    "import --review": ["import", "{folder}/rows.csv", "--kind", "book", "--review", "{}"],
  ]

  /// The arguments whose files need a remote, a network, a player or a reader of barcodes: RemoteTests, SyncFilesTests,
  /// PreviewCommandTests, PhotographTests.
  static let elsewhere: Set = ["sync clone remote", "sync files dir", "preview --save", "add --photo"]

  @Test func `the list has each argument that names a file`() {
    let declared = CatalogProgram.program.commandPaths().flatMap { path, node -> [String] in
      guard case .command = node else { return [] }
      return node.arguments.filter { $0.completion == .files }.map {
        (path + [$0.kind == .option ? "--\($0.name)" : $0.name]).joined(separator: " ")
      }
    }
    // A group's own command has the arguments of the group.
    let groups = ["import": ImportCommand.info.arguments.map(\.info), "cover": CoverCommand.info.arguments.map(\.info)]
      .flatMap { name, infos in
        infos.filter { $0.completion == .files }.map { "\(name) \($0.kind == .option ? "--\($0.name)" : $0.name)" }
      }
    #expect(Set(declared + groups) == Self.elsewhere.union(Self.read.keys).union(Self.written.keys))
  }

  /// The things that may lie at a path.
  static let oddities = ["pipe", "folder", "none", "empty", "bytes", "nothing.db", "cut.db", "views.db", "link"]

  @Test(arguments: read.keys.sorted(), oddities)
  func `no odd file harms a command that reads one, or stops it`(name: String, oddity: String) throws {
    let folder = try TemporaryFolder()
    let catalog = try TestCatalog(path: folder.path("catalog.db"))
    catalog.places = Places(environment: ["HOME": folder.path], option: folder.path("catalog.db"))
    try catalog.addThree()
    _ = try folder.write("title,author\nEmma,Jane Austen\n", to: "rows.csv")
    _ = try folder.write("{}\n", to: "item.json")
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: true)
    _ = try folder.write("", to: "empty")
    try Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 7) }).write(
      to: URL(filePath: folder.path("bytes")))
    try Connection(.file(folder.path("nothing.db"))).execute(script: "CREATE TABLE a (b)")
    _ = try catalog.store.backup(to: folder.path("whole.db"))
    try Data(contentsOf: URL(filePath: folder.path("whole.db"))).dropLast(50_000).write(
      to: URL(filePath: folder.path("cut.db")))
    try FileManager.default.copyItem(atPath: folder.path("whole.db"), toPath: folder.path("views.db"))
    try Connection(.file(folder.path("views.db"))).execute(script: "DROP TABLE log_entry")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "pipe")
    let items = try catalog.store.count(Query())
    let file = folder.path(oddity)
    let words = Self.read[name, default: []].map {
      $0 == "{}" ? file : $0.replacing("{folder}", with: folder.path)
    }
    let run = catalog.run(words + ["--offline"])
    // An ancestor that says nothing is none, and an empty file is a text without words.
    let isTaken = name == "sync join base" || oddity == "empty" && ["edit --resume", "import --apply"].contains(name)
    #expect((run.status == 0) == isTaken, "\(run)")
    guard !isTaken else { return }
    #expect(!run.errors.contains("catalog.db"), "the wrong file is named: \(run.errors)")
    // A folder is searched for the files of a dump, and bytes are nothing at all.
    let isNameless = name == "source build file" || (name, oddity) == ("import file", "bytes")
    #expect(run.errors.contains(oddity) || isNameless, "the file is not named: \(run.errors)")
    #expect(try catalog.store.count(Query()) == items)
  }
}
