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

/// Tests that a tree of an earlier version, with files that people edit, becomes a bare repository and loses nothing.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct FormerFilesTests: TestOfTwoDevices {
  let devices: TestDevices

  init() throws { devices = try Self.makeDevices() }

  private func tree() throws -> SyncTree { SyncTree(path: try #require(laptop.places.tree)) }

  /// The path of an item's file.
  private func path(of item: Int64) throws -> String {
    TreePath.item(try #require(try laptop.store.uid(of: ItemID(rawValue: item)))).text
  }

  private func year(_ item: Int64, on catalog: TestCatalog) throws -> Int? {
    try catalog.store.db.value("SELECT year FROM item WHERE id = \(item)", as: Int.self)
  }

  /// Gives both devices three items in two versions, and the laptop a tree as an earlier version had it.
  private func beginWithFiles() throws {
    try begin()
    laptop.run("edit", "1", "note=newer")
    for catalog in devices.catalogs { try #require(catalog.run("sync").status == 0) }
    try giveFiles()
  }

  /// Puts the repository into `.git`, and the files beside it.
  private func giveFiles() throws {
    let path = try tree().path
    try FileManager.default.moveItem(atPath: path, toPath: path + ".bare")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: path + ".bare", toPath: path + "/.git")
    for name in ["core.bare", "core.symlinks", "core.autocrlf"] { try git("-C", path, "config", name, "false") }
    try git("-C", path, "reset", "--quiet", "--hard", "main")
  }

  /// Begins to make a bare repository of the tree.
  @discardableResult
  private func leave(isDryRun: Bool) throws -> FormerFiles.Outcome {
    try FormerFiles(tree(), ObjectReader(tree().repository)) { _, _ in [] }.leave(isDryRun: isDryRun)
  }

  /// Runs a script of a person's in the tree. `$ITEM` is the file of Kind of Blue, `$OTHER` that of another item.
  @discardableResult
  private func run(_ script: String) throws -> String {
    let words = "cd '\(try tree().path)' && ITEM='\(try path(of: 3))' OTHER='\(try path(of: 1))' && \(script)"
    var program = try ChildProcess(["sh", "-ec", words], environment: .ours)
    while !program.isSilent {
      ChildProcess.wait(for: [program])
      program.read()
    }
    let said = String(decoding: program.error.bytes, as: UTF8.self)
    #expect(program.waitOrEnd(after: 10) == .exited(0), "\(said)")
    return String(decoding: program.output.bytes, as: UTF8.self)
  }

  /// The files that lie in the tree beside the repository.
  private func left() throws -> [String] {
    try run("find . -path ./.git -prune -o ! -type d -print | LC_ALL=C sort | cut -c3-").split(separator: "\n").map(
      String.init)
  }

  /// Checks that the repository is alone, and that all devices have the same.
  private func expectLeft(_ files: [String] = [], year: Int = 1959) throws {
    #expect(try left() == files)
    #expect(try git("-C", tree().path, "rev-parse", "--is-bare-repository") == "true\n")
    #expect(try git("-C", tree().path, "symbolic-ref", "HEAD") == "refs/heads/main\n")
    #expect(try tree().repository.commit(SyncTree.edited) == nil)
    let run = laptop.run("sync")
    #expect(run.output == "synced: nothing new\n")
    #expect(run.errors == "")
    #expect(desktop.run("sync").status == 0)
    #expect(try devices.catalogs.map { try self.year(3, on: $0) } == [year, year])
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    // A person who wants the files takes a clone.
    let clone = devices.folder.path("shelf")
    #expect(laptop.run("sync", "files", clone).status == 0)
    #expect(try git("-C", clone, "status", "--porcelain") == "")
    #expect(try String(contentsOfFile: "\(clone)/\(path(of: 3))", encoding: .utf8).contains("\"year\": \(year)"))
  }

  // MARK: Edits

  struct Edit: CustomTestStringConvertible {
    let testDescription: String
    let script: String
    var output = "synced: nothing new\n"
    /// The number of files in the commit of the edits.
    var edited = 0
    /// The message, with the file of the item for `ITEM`.
    var told = ""
    /// The files that stay.
    var left: [String] = []
    var year = 1959

    init(
      _ name: String, _ script: String, output: String = "synced: nothing new\n", edited: Int = 0, told: String = "",
      left: [String] = [], year: Int = 1959
    ) {
      (testDescription, self.script, self.output, self.edited) = (name, script, output, edited)
      (self.told, self.left, self.year) = (told, left, year)
    }
  }

  static let taken = "synced: 1 changed on other devices, sent\n"
  static let setYear = #"sed -i 's/"year": 1959/"year": 1961/' $ITEM"#

  static let edits = [
    Edit("nothing", "true"),
    Edit("an edit", setYear, output: taken, edited: 1, year: 1961),
    Edit("two edits", "\(setYear); echo more >> README.md", output: taken, edited: 2, year: 1961),
    Edit("other ends of lines", #"sed -i 's/$/\r/' $ITEM"#),
    Edit(
      "an edit with other ends of lines", #"\#(setYear); sed -i 's/$/\r/' $ITEM"#, output: taken, edited: 1, year: 1961),
    Edit("another mode", "chmod 700 $ITEM"),
    Edit("a staged edit", "\(setYear); git add $ITEM", output: taken, edited: 1, year: 1961),
    Edit(
      "a missing item", "rm $ITEM", output: "synced: sent\n", edited: 1,
      told: "1 file is missing on other devices without having been removed, and kept"),
    Edit(
      "files of the person's own", "echo a > diary.txt; echo b > items/.x.swp", left: ["diary.txt", "items/.x.swp"]),
    Edit("a staged file", "echo private > notes.txt; git add notes.txt", left: ["notes.txt"]),
    Edit(
      "a committed file", "echo a > notes.txt; git add notes.txt; git commit -qm a; echo b > notes.txt",
      output: "synced: sent\n", edited: 1),
    Edit(
      "a committed file with bytes for a name",
      #"f=$(printf 'n\377'); echo a > $f; git add .; git commit -qm a; echo b > $f"#, output: "synced: sent\n",
      left: ["n\u{FFFD}"]),
    Edit(
      "a damaged file", #"printf '{\n' > $ITEM"#, told: "ITEM, line 2, cannot be read and was left alone",
      left: ["ITEM"]),
    Edit(
      "a value that cannot be kept", #"sed -i 's/"year": 1959/"public_votes": -5/' $ITEM"#,
      told: "ITEM cannot be kept and was left alone", left: ["ITEM"]),
    Edit(
      "a damaged file beside an edit", "cp $OTHER $ITEM; echo more >> README.md", output: "synced: sent\n", edited: 1,
      told: "ITEM cannot be kept and was left alone", left: ["ITEM"]),
    Edit("a large file", "truncate -s 65M $ITEM", told: "larger than 64 MiB", left: ["ITEM"]),
    Edit("a link", "mv $ITEM ../kept.json; ln -s $PWD/../kept.json $ITEM", left: ["ITEM"]),
    Edit("a link for a folder", "mv items ../kept; ln -s $PWD/../kept items", left: ["items"]),
    Edit("a folder for a file", "rm $ITEM; mkdir $ITEM; echo a > $ITEM/a", left: ["ITEM/a"]),
    Edit("an old version", "git checkout -q HEAD~1; \(setYear)", output: taken, edited: 1, year: 1961),
    Edit("another branch", "git switch -qc mine; echo a > diary.txt; git add .; git commit -qm mine"),
    Edit("an edit at another branch", "git switch -qc mine; \(setYear)", output: taken, edited: 1, year: 1961),
    Edit("a damaged index", "\(setYear); echo no > .git/index", output: taken, edited: 1, year: 1961),
    Edit(
      "a folder that git was told of", "\(setYear); git config core.worktree $PWD", output: taken, edited: 1, year: 1961
    ),
  ]

  @Test(arguments: edits) func `edits become a commit, and the repository stays alone`(edit: Edit) throws {
    try beginWithFiles()
    try run(edit.script)
    let kept = try run("cat ../kept.json ../kept/*/* 2>/dev/null || true")
    func named(_ text: String) throws -> String { text.replacing("ITEM", with: try path(of: 3)) }
    let run = laptop.run("sync")
    #expect(run.output == edit.output)
    #expect(run.errors.contains("made a commit of") == (edit.edited > 0))
    if edit.edited > 0 {
      let count = edit.edited == 1 ? "1 edited file" : "\(edit.edited) edited files"
      #expect(run.errors.hasPrefix("made a commit of \(count) in the tree\n"), "\(run.errors)")
    }
    #expect(try run.errors.contains(named(edit.told)) || edit.told.isEmpty, "\(run.errors)")
    #expect(run.errors.contains("catalog.tree' is a bare repository from now on"), "\(run.errors)")
    #expect(run.errors.contains("since no commit has them") == !edit.left.isEmpty, "\(run.errors)")
    try expectLeft(edit.left.map(named), year: edit.year)
    // Files behind a link are left alone.
    #expect(try self.run("cat ../kept.json ../kept/*/* 2>/dev/null || true") == kept)
    let sent = try git("-C", devices.remote, "ls-tree", "-r", "--name-only", "main")
    for name in ["diary", "swp"] { #expect(!sent.contains(name)) }
    #expect(try git("-C", devices.remote, "branch", "--format=%(refname)") == "refs/heads/main\n")
  }

  @Test func `a dry run says what would become a commit, and touches no file`() throws {
    try beginWithFiles()
    try run(Self.setYear)
    let before = try left()
    let run = laptop.run("--dry-run", "sync")
    #expect(run.output == "would sync: 1 changed on other devices\n")
    #expect(run.errors == "would make a commit of 1 edited file in the tree\n")
    #expect(try left() == before)
    #expect(try year(3, on: laptop) == 1959)
    #expect(laptop.run("sync").output == Self.taken)
    try expectLeft(year: 1961)
  }

  @Test func `an edit of an old version that was merged already is not merged again`() throws {
    try beginWithFiles()
    try run("git checkout -q HEAD~1; \(Self.setYear)")
    // An earlier version made this commit, merged it, and left the files.
    let commit = try #require(try leave(isDryRun: true).commit)
    try run("git push -q origin \(commit):refs/heads/edited")
    try git("clone", "--quiet", devices.remote, devices.folder.path("clone"))
    try git("-C", devices.folder.path("clone"), "merge", "--quiet", "--no-edit", "origin/edited")
    try git("-C", devices.folder.path("clone"), "push", "--quiet", "origin", "main", ":edited")
    try run("git fetch -q origin main:main")
    desktop.run("sync")
    desktop.run("edit", "3", "year=1971")
    desktop.run("sync")
    #expect(laptop.run("sync").status == 0)
    #expect(laptop.run("sync", "conflicts").output == "")
    try expectLeft(year: 1971)
  }

  @Test func `edits and files are told also where the sync then asks and ends`() throws {
    try beginWithFiles()
    desktop.run("add", "book", "--title", "Solaris")
    desktop.run("sync")
    // The tree is one of an earlier version again, after a sync that is undone.
    laptop.run("sync")
    laptop.run("undo")
    try FileManager.default.moveItem(atPath: tree().gitFolder, toPath: tree().path + ".git")
    rmdir(try tree().path)
    try FileManager.default.moveItem(atPath: tree().path + ".git", toPath: tree().path)
    try giveFiles()
    try run(Self.setYear)
    let run = laptop.run("sync")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("made a commit of 1 edited file in the tree\n"), "\(run.errors)")
    #expect(laptop.run("sync", "--yes").status == 0)
    try expectLeft(year: 1961)
  }

  // MARK: What was ended

  /// The stage that a sync reached before it was ended.
  enum Stage: CaseIterable { case committed, bare, someFilesGone, allFilesGone, left }

  @Test(arguments: Stage.allCases) func `a sync that was ended goes on`(stage: Stage) throws {
    try beginWithFiles()
    try run("\(Self.setYear); echo a > diary.txt; printf '{\\n' > $OTHER")
    try leave(isDryRun: stage != .left)
    if stage == .committed { try run("sed -i 's/1961/1962/' $ITEM") }
    if [.bare, .someFilesGone, .allFilesGone].contains(stage) { try run("git config core.bare true") }
    if stage == .someFilesGone { try run("rm $ITEM tags.json; touch -d 2020-01-01 .git/catalog-files.lock") }
    if stage == .allFilesGone { try run("find . -name '*.json' ! -path ./$OTHER -delete; rm README.md .gitattributes") }
    let run = laptop.run("sync")
    #expect(run.output == Self.taken)
    if stage != .left { #expect(run.errors.contains("made a commit of 1 edited file in the tree\n"), "\(run.errors)") }
    try expectLeft(["diary.txt", path(of: 1)].sorted(), year: stage == .committed ? 1962 : 1961)
  }

  @Test func `what an earlier version was writing when it was ended is no edit`() throws {
    try begin()
    let before = try #require(try tree().repository.commit(SyncTree.main))
    for number in ["1", "2"] { laptop.run("edit", number, "year=1971") }
    laptop.run("sync")
    let after = try #require(try tree().repository.commit(SyncTree.main))
    try giveFiles()
    // One of two files is replaced, another one is set aside, and a person has edited the third.
    let second = try path(of: 2)
    try run(
      """
      git reset -q --hard \(before); git show \(after):$OTHER > $OTHER; echo \(after) > .git/catalog-is-writing
      printf %s \(second) > .git/catalog-aside.path; mv \(second) .git/catalog-aside; \(Self.setYear)
      """)
    let run = laptop.run("sync")
    #expect(run.output == Self.taken)
    #expect(run.errors.hasPrefix("made a commit of 1 edited file in the tree\n"), "\(run.errors)")
    #expect(try [1, 2, 3].map { try year($0, on: laptop) } == [1971, 1971, 1961])
    try expectLeft(year: 1961)
  }

  @Test(arguments: ["merge", "cherry-pick", "rebase"])
  func `a merge that a person has begun by hand is left alone`(sort: String) throws {
    try beginWithFiles()
    try run(
      """
      git config merge.catalog.driver false; git switch -qc mine
      sed -i 's/1959/1961/' $ITEM; git commit -qam mine; git switch -q main
      sed -i 's/1959/1971/' $ITEM; git commit -qam main; ! git \(sort) mine >/dev/null 2>&1
      """)
    let before = try left()
    let text = try run("cat $ITEM")
    desktop.run("edit", "2", "year=1981")
    desktop.run("sync")
    let told = laptop.run("sync")
    #expect(told.status == 0)
    #expect(told.errors.hasPrefix("a merge is going on in the tree: its files stay as they are\nhint: end it: git -C"))
    #expect(try year(2, on: laptop) == 1981)
    #expect(try left() == before && run("cat $ITEM") == text)
    #expect(laptop.run("sync", "files", devices.folder.path("shelf")).errors.contains("the files are still in"))
    try run(
      "git \(sort) --abort; git reset -q --hard main; git config merge.catalog.driver 'catalog sync join %O %A %B'")
    #expect(laptop.run("sync").status == 0)
    try expectLeft(year: 1971)
  }

  // MARK: What is refused

  @Test func `a newer format in the files is refused, and they stay`() throws {
    try beginWithFiles()
    try run("printf '{\\n  \"catalog\": 9\\n}\\n' > catalog.json; \(Self.setYear)")
    let (before, head) = (try left(), try git("-C", devices.remote, "rev-parse", "main"))
    for _ in 1...2 {
      let run = laptop.run("sync")
      #expect(run.status == 1)
      #expect(run.errors.contains("was written by a newer version of catalog, and is left unchanged"))
      #expect(try left() == before)
    }
    #expect(try git("-C", devices.remote, "rev-parse", "main") == head)
    try run("git checkout -q -- catalog.json")
    #expect(laptop.run("sync").output == Self.taken)
    try expectLeft(year: 1961)
  }

  @Test func `the files of a repository elsewhere are not ours`() throws {
    try beginWithFiles()
    try run("mv .git ../own; git --git-dir ../own config core.bare true; rm -r *; rm .gitattributes; rmdir $PWD")
    let (path, own) = (try tree().path, try tree().path.folder + "/own")
    try git("--git-dir", own, "worktree", "add", "--quiet", "--detach", path, "main")
    #expect(laptop.run("sync").errors.contains("was not made by 'catalog sync', and is left unchanged"))
    #expect(try git("-C", path, "status", "--porcelain") == "")
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
