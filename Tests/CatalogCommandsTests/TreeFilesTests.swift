import CatalogModel
import FoundationEssentials
import Git
import Glibc
import Processes
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that an edit to a file of the tree, saved at any moment of a sync, is merged and never overwritten.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct TreeFilesTests: TestOfTwoDevices {
  let devices: TestDevices

  init() throws { devices = try Self.makeDevices() }

  private func tree() throws -> SyncTree { SyncTree(path: try #require(laptop.places.tree)) }

  /// The tree's files, with what Synchronizer knows of them.
  private func files() throws -> TreeFiles {
    let tree = try tree()
    return TreeFiles(tree: tree, reader: ObjectReader(tree.repository))
  }

  /// The path of an item's file in the laptop's tree.
  private func path(of item: Int64) throws -> String {
    let uid = try #require(try laptop.store.uid(of: ItemID(rawValue: item)))
    return TreePath.item(uid).text
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(tree().path)/\(path)", encoding: .utf8)
  }

  /// Saves an edit as an editor does that writes into the file.
  private func edit(_ item: Int64, year: Int) throws {
    let path = try path(of: item)
    let text = try text(path).replacing(/"year": \d+/, with: "\"year\": \(year)")
    try text.write(toFile: "\(tree().path)/\(path)", atomically: false, encoding: .utf8)
  }

  private func year(_ item: Int64, on catalog: TestCatalog) throws -> Int? {
    try catalog.store.db.value("SELECT year FROM item WHERE id = \(item)", as: Int.self)
  }

  private func beginWithYears() throws {
    try laptop.addThree()
    for (number, year) in ["1951", "1952", "1953"].enumerated() { laptop.run("edit", "\(number + 1)", "year=\(year)") }
    try devices.begin()
  }

  private func expectClean() throws {
    #expect(try git("-C", tree().path, "status", "--porcelain") == "")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  // MARK: Edits during a sync

  @Test func `an edit saved while the remote answers is merged by that sync`() throws {
    try beginWithYears()
    desktop.run("edit", "1", "note=from the desktop")
    desktop.run("sync")
    laptop.run("edit", "2", "note=from the laptop")
    // The remote's program is a script that saves an edit first.
    let script = devices.folder.path("serve")
    let file = "\(try tree().path)/\(try path(of: 1))"
    try "#!/bin/sh\nsed -i 's/\"year\": 1951/\"year\": 1961/' '\(file)'\nexec git-upload-pack \"$@\"\n"
      .write(toFile: script, atomically: false, encoding: .utf8)
    chmod(script, 0o755)
    try git("-C", tree().path, "config", "remote.origin.uploadpack", script)
    #expect(laptop.run("sync").output == "synced: 1 file changed here, 1 changed on other devices, sent\n")
    #expect(desktop.run("sync").status == 0)
    for catalog in devices.catalogs {
      #expect(try year(1, on: catalog) == 1961)
      #expect(catalog.run("list", "note:desktop").output.hasPrefix("1\t"))
    }
    try expectClean()
  }

  @Test(arguments: [1, 2]) func `an edit saved while changes are applied is merged by that sync`(item: Int64) throws {
    try beginWithYears()
    desktop.run("edit", "1", "note=from the desktop")
    desktop.run("sync")
    var synchronizer = Synchronizer(laptop.store, tree: try tree(), device: "device0") { Timestamp(laptop.now) }
    var isSaved = false
    synchronizer.progress = { _, _, _ in
      if !isSaved { isSaved = (try? edit(item, year: 1961)) != nil }
      return true
    }
    let report = try synchronizer.run()
    #expect(isSaved)
    #expect(report.offline == nil)
    #expect(laptop.run("sync").status == 0)
    #expect(desktop.run("sync").status == 0)
    for catalog in devices.catalogs {
      #expect(try year(item, on: catalog) == 1961)
      #expect(catalog.run("list", "note:desktop").output.hasPrefix("1\t"))
    }
    try expectClean()
  }

  /// Tests the times that git compares, in whole seconds.
  @Test func `an edit of the same second and size as the index is taken`() throws {
    try beginWithYears()
    desktop.run("edit", "1", "note=from the desktop")
    desktop.run("sync")
    // The time of a file's last change cannot be set.
    try git("-C", tree().path, "config", "core.trustctime", "false")
    let file = "\(try tree().path)/\(try path(of: 2))"
    func setTime(of path: String) {
      var times = [timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0)]
      utimes(path, &times)
    }
    setTime(of: file)
    try git("-C", tree().path, "update-index", "-q", "--refresh")
    setTime(of: "\(try tree().path)/.git/index")
    var synchronizer = Synchronizer(laptop.store, tree: try tree(), device: "device0") { Timestamp(laptop.now) }
    var isSaved = false
    synchronizer.progress = { _, _, _ in
      if !isSaved {
        isSaved = (try? edit(2, year: 1962)) != nil
        setTime(of: file)
      }
      return true
    }
    _ = try synchronizer.run()
    #expect(isSaved)
    #expect(laptop.run("sync").status == 0)
    #expect(try year(2, on: laptop) == 1962)
  }

  @Test func `an edit saved before its file is replaced stays, and the branch stays behind`() throws {
    try beginWithYears()
    let before = try #require(try tree().repository.commit(SyncTree.main))
    laptop.run("edit", "1", "year=1971")
    laptop.run("sync")
    let after = try #require(try tree().repository.commit(SyncTree.main))
    // Back to the version before, which the files have, too.
    try git("-C", tree().path, "reset", "--quiet", "--hard", before.rawValue)
    let files = try files()
    var edits = try files.edits()
    #expect(edits.commit == nil)
    try edit(1, year: 1981)
    #expect(try !files.checkOut(after, after: &edits))
    #expect(try text(path(of: 1)).contains("\"year\": 1981"))
    #expect(try tree().repository.commit(SyncTree.main) == before)
    // The next look finds just this edit.
    let found = try #require(try files.edits().commit)
    let changed = try git("-C", tree().path, "diff", "--name-only", before.rawValue, found.rawValue)
    #expect(changed == "\(try path(of: 1))\n")
  }

  @Test func `a file that an editor has open for writing is not replaced`() throws {
    try beginWithYears()
    let before = try #require(try tree().repository.commit(SyncTree.main))
    laptop.run("edit", "1", "year=1971")
    laptop.run("sync")
    let after = try #require(try tree().repository.commit(SyncTree.main))
    try git("-C", tree().path, "reset", "--quiet", "--hard", before.rawValue)
    let files = try files()
    var edits = try files.edits()
    let file = "\(try tree().path)/\(try path(of: 1))"
    let descriptor = open(file, O_WRONLY)
    try #require(descriptor >= 0)
    #expect(try !files.checkOut(after, after: &edits))
    // The editor writes into the tree now.
    #expect(pwrite(descriptor, "#", 1, 0) == 1)
    close(descriptor)
    #expect(try text(path(of: 1)).hasPrefix("#"))
  }

  @Test func `a sync that was ended while it replaced files makes no edit of its own work`() throws {
    try beginWithYears()
    let before = try #require(try tree().repository.commit(SyncTree.main))
    for number in ["1", "2"] { laptop.run("edit", number, "year=1971") }
    laptop.run("sync")
    let after = try #require(try tree().repository.commit(SyncTree.main))
    try git("-C", tree().path, "reset", "--quiet", "--hard", before.rawValue)
    // One of two files is replaced, another one is set aside, and a person has edited the third.
    let (first, second) = (try path(of: 1), try path(of: 2))
    try git("-C", tree().path, "show", "\(after):\(first)")
      .write(toFile: "\(tree().path)/\(first)", atomically: false, encoding: .utf8)
    let folder = try tree().gitFolder
    try "\(after)\n".write(toFile: folder + "/catalog-is-writing", atomically: false, encoding: .utf8)
    try second.write(toFile: folder + "/catalog-aside.path", atomically: false, encoding: .utf8)
    rename("\(try tree().path)/\(second)", folder + "/catalog-aside")
    try edit(3, year: 1999)
    #expect(laptop.run("sync").output == "synced: 1 changed on other devices, sent\n")
    #expect(try [1, 2, 3].map { try year($0, on: laptop) } == [1971, 1971, 1999])
    #expect(try git("-C", tree().path, "log", "--format=%s", "-1", SyncTree.edited) == "edited by hand\n")
    let changed = try git("-C", tree().path, "diff", "--name-only", "\(SyncTree.edited)~", SyncTree.edited)
    #expect(changed == "\(try path(of: 3))\n")
    desktop.run("sync")
    try expectClean()
  }

  // MARK: Other versions and branches

  @Test func `an old version that somebody looks at stays, and an edit of it is merged`() throws {
    try beginWithYears()
    laptop.run("edit", "1", "note=newer")
    laptop.run("sync")
    let tree = try tree()
    try git("-C", tree.path, "checkout", "--quiet", "HEAD~1")
    let old = try git("-C", tree.path, "rev-parse", "HEAD")
    try edit(1, year: 1961)
    let run = laptop.run("sync")
    #expect(run.output == "synced: 1 changed on other devices, sent\n")
    #expect(run.errors.hasPrefix("the files of the tree stay at an old version\nhint: back to what is synced: git -C"))
    laptop.run("edit", "2", "note=later")
    #expect(laptop.run("sync").output == "synced: 1 file changed here, sent\n")
    #expect(laptop.run("sync").output == "synced: nothing new\n")
    #expect(try git("-C", tree.path, "rev-parse", "HEAD") == old)
    #expect(try text(path(of: 1)).contains("1961"))
    #expect(desktop.run("sync").status == 0)
    #expect(try year(1, on: desktop) == 1961)
    #expect(desktop.run("list", "note:newer").output.hasPrefix("1\t"))
    // Back again, it is as all have it.
    try git("-C", tree.path, "checkout", "--quiet", "--force", "main")
    #expect(laptop.run("sync").output == "synced: nothing new\n")
    try expectClean()
  }

  @Test func `a branch of the person's own is neither moved nor sent`() throws {
    try beginWithYears()
    let tree = try tree()
    try git("-C", tree.path, "switch", "--quiet", "-c", "mine")
    try "private\n".write(toFile: tree.path + "/diary.txt", atomically: false, encoding: .utf8)
    try git("-C", tree.path, "add", "diary.txt")
    try git("-C", tree.path, "commit", "--quiet", "-m", "mine")
    let mine = try git("-C", tree.path, "rev-parse", "mine")
    desktop.run("edit", "1", "year=1961")
    desktop.run("sync")
    let run = laptop.run("sync")
    #expect(run.output == "synced: 1 changed on other devices\n")
    #expect(run.errors.contains("the files of the tree stay at the branch 'mine'"))
    #expect(try git("-C", tree.path, "rev-parse", "mine") == mine)
    #expect(try git("-C", devices.remote, "branch", "--format=%(refname)") == "refs/heads/main\n")
    #expect(try git("-C", tree.path, "rev-parse", "main") == git("-C", devices.remote, "rev-parse", "main"))
  }

  @Test func `a merge that a person has begun by hand stays theirs`() throws {
    try beginWithYears()
    let tree = try tree()
    try git("-C", tree.path, "config", "merge.catalog.driver", "false")
    try git("-C", tree.path, "switch", "--quiet", "-c", "mine")
    try edit(1, year: 1961)
    try git("-C", tree.path, "commit", "--quiet", "-am", "mine")
    try git("-C", tree.path, "switch", "--quiet", "main")
    try edit(1, year: 1971)
    laptop.run("sync")
    #expect(throws: Repository.Problem.self) { try git("-C", tree.path, "merge", "--quiet", "mine") }
    let before = try text(path(of: 1))
    desktop.run("edit", "2", "year=1981")
    desktop.run("sync")
    let run = laptop.run("sync")
    #expect(run.status == 0)
    #expect(run.errors.contains("a merge is going on in the tree: its files stay as they are"))
    #expect(try text(path(of: 1)) == before)
    #expect(try year(2, on: laptop) == 1981)
  }

  // MARK: Foreign files

  @Test func `files in the tree are named, and travel only when somebody has committed them`() throws {
    try beginWithYears()
    let tree = try tree()
    for name in ["diary.txt", "items/.x.json.swp", "notes.txt"] {
      try "private\n".write(toFile: "\(tree.path)/\(name)", atomically: false, encoding: .utf8)
    }
    let run = laptop.run("sync")
    #expect(run.output == "synced: nothing new\n")
    #expect(
      run.errors
        == "not sent, since it is not committed: 3 other files in the tree: diary.txt, items/.x.json.swp, notes.txt\n"
    )
    try git("-C", tree.path, "add", "notes.txt")
    #expect(laptop.run("sync").errors.contains("3 other files"))
    try git("-C", tree.path, "commit", "--quiet", "-m", "notes")
    #expect(laptop.run("sync").output == "synced: sent\n")
    let sent = try git("-C", devices.remote, "ls-tree", "-r", "--name-only", "main")
    #expect(sent.contains("notes.txt"))
    #expect(!sent.contains("diary"))
    #expect(!sent.contains("swp"))
    // Another device has a file of that name already: both stay.
    let other = try #require(desktop.places.tree)
    try "mine\n".write(toFile: other + "/notes.txt", atomically: false, encoding: .utf8)
    #expect(desktop.run("sync").status == 0)
    #expect(try String(contentsOfFile: other + "/notes.txt", encoding: .utf8) == "private\n")
    #expect(try String(contentsOfFile: other + "/notes.txt.2", encoding: .utf8) == "mine\n")
  }

  @Test func `a file that was saved with other ends of lines is no edit`() throws {
    try beginWithYears()
    let path = try path(of: 1)
    let dos = try text(path).replacing("\n", with: "\r\n")
    try dos.write(toFile: "\(tree().path)/\(path)", atomically: false, encoding: .utf8)
    let run = laptop.run("sync")
    #expect(run.output == "synced: nothing new\n")
    desktop.run("edit", "1", "year=1961")
    desktop.run("sync")
    #expect(laptop.run("sync").output == "synced: 1 changed on other devices\n")
    try expectClean()
  }

  @Test(arguments: ["repository", "files", "file"])
  func `sync init takes over nothing that it did not make`(sort: String) throws {
    try laptop.addThree()
    let path = try #require(laptop.places.tree)
    switch sort {
    case "repository":
      try git("init", "--quiet", "-b", "master", path)
      try "v1\n".write(toFile: path + "/diary.txt", atomically: false, encoding: .utf8)
      try git("-C", path, "add", "diary.txt")
      try git("-C", path, "commit", "--quiet", "-m", "v1")
      try "private\n".write(toFile: path + "/diary.txt", atomically: false, encoding: .utf8)
    case "files":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try "private\n".write(toFile: path + "/diary.txt", atomically: false, encoding: .utf8)
    default: try "private\n".write(toFile: path, atomically: false, encoding: .utf8)
    }
    let before = try? git("-C", path, "rev-parse", "HEAD", "master")
    for words in [["sync", "init", devices.remote], ["--dry-run", "sync", "init", devices.remote]] {
      let run = laptop.run(words)
      #expect(run.status == 1)
      #expect(
        run.errors.hasPrefix(
          "catalog: '\(path)' was not made by 'catalog sync', and is left unchanged\nhint: move it away"))
    }
    #expect(laptop.run("sync").status == 1)
    #expect((try? git("-C", path, "rev-parse", "HEAD", "master")) == before)
    let file = sort == "file" ? path : path + "/diary.txt"
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "private\n")
    #expect(!FileManager.default.fileExists(atPath: devices.remote))
  }

  @Test func `the path of a tree is absolute, since git runs in the tree`() {
    #expect(SyncTree(path: "catalog.tree").path == FileManager.default.currentDirectoryPath + "/catalog.tree")
    #expect(SyncTree(path: "/a/catalog.tree").path == "/a/catalog.tree")
  }
}
