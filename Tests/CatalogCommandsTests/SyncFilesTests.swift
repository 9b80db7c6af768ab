import CatalogModel
import CommandLineKit
import FoundationEssentials
import Git
import Glibc
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests `sync files`, and the commits that are pushed from there, at any moment of a sync.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct SyncFilesTests: TestOfTwoDevices {
  let devices: TestDevices
  private let folder: String

  init() throws {
    devices = try Self.makeDevices()
    folder = devices.folder.path("shelf")
  }

  private func file(of item: Int64) throws -> String {
    "\(folder)/" + TreePath.item(try #require(try laptop.store.uid(of: ItemID(rawValue: item)))).text
  }

  private func text(_ item: Int64) throws -> String { try String(contentsOfFile: file(of: item), encoding: .utf8) }

  private func edit(_ item: Int64, year: Int) throws {
    try text(item).replacing(/"year": \d+/, with: "\"year\": \(year)")
      .write(toFile: file(of: item), atomically: true, encoding: .utf8)
  }

  private func commit() throws { try git("-C", folder, "commit", "--quiet", "--all", "-m", "by hand") }

  private func year(_ item: Int64, on catalog: TestCatalog) throws -> Int? {
    try catalog.store.db.value("SELECT year FROM item WHERE id = \(item)", as: Int.self)
  }

  private func beginWithFiles() throws {
    try begin()
    #expect(laptop.run("sync", "files", folder).output == "wrote the files to '\(folder)'\n")
  }

  // MARK: There and back

  @Test(arguments: [false, true]) func `what is pushed from the files is merged`(isFolderThere: Bool) throws {
    if isFolderThere { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }
    try beginWithFiles()
    let sent = try git("-C", devices.remote, "ls-tree", "-r", "--name-only", "main")
    #expect(try git("-C", folder, "ls-files") == sent)
    #expect(try git("-C", folder, "config", "merge.catalog.driver") == "catalog sync join %O %A %B\n")
    try edit(1, year: 1961)
    try commit()
    try git("-C", folder, "push", "--quiet")
    #expect(laptop.run("sync").output == "synced: 1 changed on other devices, sent\n")
    #expect(desktop.run("sync").output == "synced: 1 changed on other devices\n")
    #expect(try devices.catalogs.map { try year(1, on: $0) } == [1961, 1961])
    // The same command brings the files up to date.
    desktop.run("edit", "2", "note=from the desktop")
    for catalog in [desktop, laptop] { #expect(catalog.run("sync").status == 0) }
    #expect(try !text(2).contains("from the desktop"))
    #expect(laptop.run("sync", "files", folder).output == "wrote the files to '\(folder)'\n")
    #expect(try text(2).contains("from the desktop"))
    #expect(try git("-C", folder, "status", "--porcelain") == "")
  }

  @Test func `links that others sent are written as texts`() throws {
    try begin()
    let clone = try clone(of: laptop)
    symlink("/etc/passwd", clone + "/link")
    try push(clone)
    #expect(laptop.run("sync").status == 0)
    #expect(laptop.run("sync", "files", folder).status == 0)
    #expect(FileKind(of: folder + "/link") != .link)
  }

  @Test func `the merge driver merges what is pulled there`() throws {
    try beginWithFiles()
    try edit(1, year: 1961)
    try commit()
    desktop.run("edit", "2", "note=from the desktop")
    for catalog in [desktop, laptop] { #expect(catalog.run("sync").status == 0) }
    let run = laptop.run("sync", "files", folder)
    #expect(run.status == 1)
    #expect(run.errors.contains("are not merged with what was synced since\nhint: git -C \(folder) pull --no-rebase"))
    try git("-C", folder, "pull", "--quiet", "--no-rebase", "--no-edit")
    let unpushed = laptop.run("sync", "files", folder)
    #expect(unpushed.status == 0)
    #expect(unpushed.errors.contains("your commits in '\(folder)' are not pushed yet\nhint: git -C \(folder) push"))
    try git("-C", folder, "push", "--quiet")
    #expect(laptop.run("sync").status == 0)
    #expect(desktop.run("sync").status == 0)
    #expect(try year(1, on: desktop) == 1961)
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  // MARK: What is left alone

  @Test(arguments: ["files", "file", "repository", "clone of another", "edited", "staged", "branch", "old version"])
  func `edits and other files are not overwritten`(sort: String) throws {
    try begin()
    let other = folder + "/own.txt"
    var words = "is not empty, and no clone of this catalog's files"
    func writeOwn() throws { try "private\n".write(toFile: other, atomically: false, encoding: .utf8) }
    switch sort {
    case "files":
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try writeOwn()
    case "file": try "private\n".write(toFile: folder, atomically: false, encoding: .utf8)
    case "repository":
      try git("init", "--quiet", folder)
      try writeOwn()
    case "clone of another":
      try git("clone", "--quiet", devices.remote, folder)
      try writeOwn()
    case "edited", "staged":
      #expect(laptop.run("sync", "files", folder).status == 0)
      try edit(1, year: 1961)
      if sort == "staged" { try git("-C", folder, "add", ".") }
      words = "1 edited file in '\(folder)': the files stay as they are"
    case "branch":
      #expect(laptop.run("sync", "files", folder).status == 0)
      try git("-C", folder, "switch", "--quiet", "-c", "mine")
      words = "are of another branch or version, and stay as they are"
    default:
      laptop.run("edit", "1", "note=newer")
      laptop.run("sync")
      #expect(laptop.run("sync", "files", folder).status == 0)
      try git("-C", folder, "checkout", "--quiet", "HEAD~1")
      words = "are of another branch or version, and stay as they are"
    }
    desktop.run("edit", "2", "note=from the desktop")
    for catalog in [desktop, laptop] { #expect(catalog.run("sync").status == 0) }
    func facts() throws -> [String: [UInt8]] {
      if FileKind(of: folder) == .file { return ["": try #require(try AtomicFile.read(folder))] }
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".git") }
      return Dictionary(
        uniqueKeysWithValues: try names.compactMap { name in
          FileKind(of: "\(folder)/\(name)") == .file ? (name, try AtomicFile.read("\(folder)/\(name)") ?? []) : nil
        })
    }
    let before = try facts()
    let run = laptop.run("sync", "files", folder)
    #expect(run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try facts() == before)
  }

  @Test func `files are written nowhere else`() throws {
    #expect(laptop.run("sync", "files", folder).errors.contains("this catalog is not synced"))
    try begin()
    let run = laptop.run("--dry-run", "sync", "files", folder)
    #expect(run.output == "would write the files to '\(folder)'\n")
    #expect(FileKind(of: folder) == .missing)
    let tree = try #require(laptop.places.tree)
    for path in [tree, tree + "/items", try #require(laptop.places.catalog)] {
      #expect(laptop.run("sync", "files", path).status == 1)
    }
    #expect(try git("-C", tree, "rev-parse", "--is-bare-repository") == "true\n")
  }

  // MARK: During a sync

  @Test func `what is pushed while the remote answers is merged by that sync`() throws {
    try beginWithFiles()
    desktop.run("edit", "1", "note=from the desktop")
    desktop.run("sync")
    laptop.run("edit", "2", "note=from the laptop")
    try edit(1, year: 1961)
    try commit()
    // The remote's program is a script that pushes first.
    let (script, tree) = (devices.folder.path("serve"), try #require(laptop.places.tree))
    try "#!/bin/sh\ngit -C '\(folder)' push -q >&2\nexec git-upload-pack \"$@\"\n"
      .write(toFile: script, atomically: false, encoding: .utf8)
    chmod(script, 0o755)
    try git("-C", tree, "config", "remote.origin.uploadpack", script)
    #expect(laptop.run("sync").output == "synced: 1 file changed here, 1 changed on other devices, sent\n")
    #expect(desktop.run("sync").status == 0)
    for catalog in devices.catalogs {
      #expect(try year(1, on: catalog) == 1961)
      #expect(catalog.run("list", "note:desktop").output.hasPrefix("1\t"))
    }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  @Test(arguments: [1, 2, nil]) func `what is pushed while changes are applied is merged by that sync`(
    item: Int64?
  ) throws {
    try beginWithFiles()
    desktop.run("edit", "1", "note=from the desktop")
    desktop.run("sync")
    let head = try git("-C", devices.remote, "rev-parse", "main")
    if let item {
      try edit(item, year: 1961)
    } else {
      try "{\n  \"catalog\": 9\n}\n".write(toFile: folder + "/catalog.json", atomically: true, encoding: .utf8)
    }
    try commit()
    let tree = SyncTree(path: try #require(laptop.places.tree))
    var synchronizer = Synchronizer(laptop.store, tree: tree, device: "device0") { Timestamp(laptop.now) }
    var isPushed = false
    synchronizer.progress = { _, _, _ in
      if !isPushed { isPushed = (try? git("-C", folder, "push", "--quiet")) != nil }
      return true
    }
    guard let item else {
      #expect(throws: Failure.self) { try synchronizer.run() }
      #expect(isPushed)
      #expect(laptop.run("sync").errors.contains("was written by a newer version of catalog"))
      #expect(try git("-C", devices.remote, "rev-parse", "main") == head)
      return
    }
    #expect(try synchronizer.run().offline == nil)
    #expect(isPushed)
    #expect(laptop.run("sync").output == "synced: nothing new\n")
    #expect(desktop.run("sync").status == 0)
    for catalog in devices.catalogs {
      #expect(try year(item, on: catalog) == 1961)
      #expect(catalog.run("list", "note:desktop").output.hasPrefix("1\t"))
    }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }
}
