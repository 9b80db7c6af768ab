import CatalogModel
import CommandLineKit
import FoundationEssentials
import Glibc
import Processes
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import torture

/// Several devices with one catalog each and real git repositories between them.
final class TestDevices {
  let folder: TemporaryFolder
  private(set) var catalogs: [TestCatalog] = []
  var remote: String { folder.path + "/remote.git" }

  /// - Parameter skews: by how many seconds the clocks of the devices are wrong.
  init(_ skews: [Double]) throws {
    Self.introduce
    folder = try TemporaryFolder()
    for (number, skew) in skews.enumerated() { try add("device\(number)", skew: skew) }
  }

  /// Git knows who commits, and nothing of whoever runs the tests.
  private static let introduce: Void = {
    BrokenPipe.ignoreSignal()
    for (name, value) in [
      ("GIT_AUTHOR_NAME", "Somebody"), ("GIT_AUTHOR_EMAIL", "somebody@example.org"), ("GIT_COMMITTER_NAME", "Somebody"),
      ("GIT_COMMITTER_EMAIL", "somebody@example.org"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"),
      ("GIT_SSH_COMMAND", "'\(StandIn.ssh)'"), ("GIT_SSH_VARIANT", "ssh"), ("GIT_TERMINAL_PROMPT", "0"),
    ] { setenv(name, value, 1) }
  }()

  @discardableResult
  func add(_ name: String, skew: Double = 0) throws -> TestCatalog {
    let home = "\(folder.path)/\(name)"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let catalog = try TestCatalog(path: home + "/catalog.db")
    // Somebody else's disk need not be waited for.
    try catalog.store.db.execute(script: "PRAGMA synchronous = OFF")
    catalog.places = Places(environment: ["HOME": home], option: home + "/catalog.db")
    catalog.now += skew
    catalogs.append(catalog)
    return catalog
  }

  /// The first begins, the others take it from there.
  func begin() throws {
    for (number, catalog) in catalogs.enumerated() {
      let run = catalog.run("sync", "init", remote, "--device", "device\(number)")
      guard run.status == 0 else { throw Failure("\(run.errors)") }
    }
  }

  /// What a device says in its files.
  static func files(of catalog: TestCatalog) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    struct Enough: Error {}
    do {
      try catalog.store.recording(nil).write {
        try catalog.store.forgetSyncs()
        _ = try catalog.store.leave(now: catalog.now.stamp) { files[$0.path.text] = $0.document.text }
        throw Enough()
      }
    } catch is Enough {}
    return files
  }
}

extension Date {
  fileprivate var stamp: Timestamp { Timestamp(self) }
}

@Suite(.timeLimit(.minutes(20)))
struct FleetTests {
  /// How many commands three devices do together, with each seed: CONTRIBUTING.md.
  private static let operations = getenv("CATALOG_FLEET").flatMap { Int(String(cString: $0)) } ?? 1_000

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `devices that did what they pleased agree in the end, and nothing is lost`(seed: UInt64) throws {
    // One is a day late, and one in 2099.
    let devices = try TestDevices([0, -86_400, 2_300_000_000])
    try devices.catalogs[0].addThree()
    try devices.begin()
    var fleet = Fleet(
      devices.catalogs.enumerated().map { number, catalog in
        Fleet.Device(
          name: "device\(number)", db: catalog.store.db, tree: catalog.places.tree ?? "",
          seed: seed * 100 + UInt64(number)
        ) { words in
          catalog.now += 1
          let run = catalog.run(words)
          return (run.status, run.output + run.errors)
        }
      }, seed: seed)
    let problem = try fleet.run(operations: Self.operations) ?? fleet.meet()
    #expect(problem == nil, "seed \(seed)")
    let files = try devices.catalogs.map(TestDevices.files)
    for other in files.dropFirst() {
      #expect(files[0].keys.sorted() == other.keys.sorted())
      for (path, text) in files[0] { #expect(other[path] == text, "\(path)") }
    }
    let edits = try LostEdits(
      tree: devices.catalogs[0].places.tree ?? "", databases: devices.catalogs.map(\.store.db)
    ).find()
    #expect(edits.lost == [])
    #expect(edits.checked > 100)
    // By the latest of the clocks, nothing is yet to come.
    let latest = try #require(devices.catalogs.map(\.now).max())
    for catalog in devices.catalogs {
      let wrong = try catalog.store.examine(now: latest).filter { $0.state == .wrong }.map { "\($0)" }
      #expect(wrong == [])
    }
  }
}
