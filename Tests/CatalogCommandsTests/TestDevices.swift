import CatalogModel
import CommandLineKit
import FoundationEssentials
import Git
import Glibc
import Processes
import SQLite
import TestSupport

@testable import CatalogCommands
@testable import CatalogStore

/// Several devices with one catalog each and real git repositories between them.
final class TestDevices {
  let folder: TemporaryFolder
  private(set) var catalogs: [TestCatalog] = []
  var remote: String { folder.path + "/remote.git" }

  /// - Parameters:
  ///   - skews: the clock errors of the devices, in seconds.
  ///   - place: the place of all files.
  init(_ skews: [Double], in place: TemporaryFolder.Place = .usual) throws {
    Self.introduce
    folder = try TemporaryFolder(in: place)
    for (number, skew) in skews.enumerated() { try add("device\(number)", skew: skew) }
  }

  /// Gives git an author, and hides the configuration of the person who runs the tests.
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
    let catalog = try make(name)
    catalog.now += skew
    catalogs.append(catalog)
    return catalog
  }

  /// A catalog that is not synced.
  private func make(_ name: String) throws -> TestCatalog {
    let home = "\(folder.path)/\(name)"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let catalog = try TestCatalog(path: home + "/catalog.db")
    // The tests do not wait for the disk.
    try catalog.store.db.execute(script: "PRAGMA synchronous = OFF")
    catalog.places = Places(environment: ["HOME": home], option: home + "/catalog.db")
    return catalog
  }

  /// The sync files of a clone made now.
  func filesOfClone(_ name: String) throws -> [String: [UInt8]] {
    let clone = try make(name)
    let run = clone.run("sync", "init", remote, "--device", name)
    guard run.status == 0, !run.errors.contains("left alone") else { throw Failure("\(run.errors)") }
    return try Self.files(of: clone)
  }

  /// Starts the sync on the first device, and clones it on the others.
  func begin() throws {
    for (number, catalog) in catalogs.enumerated() {
      let run = catalog.run("sync", "init", remote, "--device", "device\(number)")
      guard run.status == 0 else { throw Failure("\(run.errors)") }
    }
  }

  /// The uids of rows that are in more than one file of the last push.
  func repeatedRows() throws -> [String] {
    let said = try Repository.run(["--git-dir", remote, "grep", "-ho", "\"uid\": *\"[^\"]*\"", "main", "--", "items"])
    let names = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
    return Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
  }

  /// The sync files of a device.
  static func files(of catalog: TestCatalog) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    struct Rollback: Error {}
    do {
      try catalog.store.recording(nil).write {
        try catalog.store.forgetSyncs()
        _ = try catalog.store.exportChanges(now: catalog.now.stamp) { files[$0.path.text] = $0.document.text }
        throw Rollback()
      }
    } catch is Rollback {}
    return files
  }
}

extension Date {
  fileprivate var stamp: Timestamp { Timestamp(self) }
}

/// Tests with a laptop and a desktop whose clock is a minute ahead.
protocol TestOfTwoDevices {
  var devices: TestDevices { get }
}

extension TestOfTwoDevices {
  static func makeDevices() throws -> TestDevices { try TestDevices([0, 60]) }

  var laptop: TestCatalog { devices.catalogs[0] }
  var desktop: TestCatalog { devices.catalogs[1] }

  /// Gives both devices the same three items.
  func begin() throws {
    try laptop.addThree()
    try devices.begin()
  }

  /// A clone of a device's repository as of its last sync, in which a person edits files.
  func clone(of catalog: TestCatalog) throws -> String {
    let tree = catalog.places.tree ?? ""
    let clone = tree + "-files"
    if FileManager.default.fileExists(atPath: clone) {
      try git("-C", clone, "pull", "--quiet", "--ff-only")
    } else {
      try git("clone", "--quiet", tree, clone)
    }
    return clone
  }

  /// Commits the edits of a clone, and pushes them.
  func push(_ clone: String) throws {
    try git("-C", clone, "add", "--all")
    try git("-C", clone, "commit", "--quiet", "-m", "by hand")
    try git("-C", clone, "push", "--quiet")
  }

  @discardableResult
  func git(_ words: String...) throws -> String { String(decoding: try Repository.run(words), as: UTF8.self) }
}
