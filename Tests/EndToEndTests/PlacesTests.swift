import Foundation
import SQLite
import TestSupport
import Testing

/// Tests the place of the catalog, and other things found there.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct PlacesTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  // MARK: Where

  @Test func `the --db option wins over CATALOG_DB, and that over the home folder`() throws {
    let (option, variable) = (sandbox.path("option.db"), sandbox.path("a/b/variable.db"))
    let words = ["add", "book", "--title", "토지"]
    #expect(try sandbox.run(["--db", option] + words, changing: ["CATALOG_DB": variable]).status == 0)
    #expect(exists(option))
    #expect(!exists(variable))
    #expect(!exists(sandbox.catalog))
    #expect(try sandbox.run(words, changing: ["CATALOG_DB": variable]).status == 0)
    #expect(exists(variable))
    #expect(!exists(sandbox.catalog))
    #expect(try sandbox.run(words, changing: ["CATALOG_DB": ""]).status == 0)
    #expect(exists(sandbox.catalog))
  }

  @Test func `XDG folders are used, and relative ones are ignored`() throws {
    let xdg = [
      "XDG_DATA_HOME": sandbox.path("data"), "XDG_CACHE_HOME": sandbox.path("cache"),
      "XDG_CONFIG_HOME": sandbox.path("config"),
    ]
    #expect(try sandbox.run(["add", "book", "--title", "토지"], changing: xdg).status == 0)
    #expect(try sandbox.run(["search", "dune", "--offline"], changing: xdg).status == 0)
    #expect(try sandbox.run(["config", "set", "locale.country", "KR"], changing: xdg).status == 0)
    #expect(exists(sandbox.path("data/catalog/catalog.db")))
    #expect(exists(sandbox.path("cache/catalog/cache.db")))
    #expect(exists(sandbox.path("config/catalog/config.json")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("home")) == [])

    #expect(try sandbox.run(["add", "book", "--title", "토지"], changing: ["XDG_DATA_HOME": "data"]).status == 0)
    #expect(exists(sandbox.catalog))
  }

  @Test func `a profile is used permanently, for a shell or for one command`() throws {
    #expect(try sandbox.run("add", "book", "--title", "토지").status == 0)
    #expect(try sandbox.run("profile", "use", "--new", "club").status == 0)
    #expect(try sandbox.run("add", "vinyl", "--title", "Kind of Blue").status == 0)
    #expect(try sandbox.run("list", "--columns", "title").output == "Kind of Blue\n")
    #expect(try sandbox.run("--profile", "default", "list", "--columns", "title").output == "토지\n")
    #expect(try sandbox.run("list", "--columns", "title", changing: ["CATALOG_PROFILE": "default"]).output == "토지\n")
    let slip = try sandbox.run("--profile=clib", "add", "book", "--title", "x")
    #expect(slip.status == 1)
    #expect(slip.errors.contains("there is no profile 'clib'; did you mean 'club'?"))
    // The line is kept without --profile: it may be typed again.
    #expect(try sandbox.run("--profile", "default", "favorite", "1").status == 0)
    #expect(try sandbox.run("--profile", "default", "history", "--limit", "1").output.contains("\tfavorite 1\t"))
    #expect(try sandbox.run("profile", "wipe", "--confirm", "club").status == 0)
    #expect(try sandbox.run("list", "--columns", "title").output == "토지\n")
    #expect(try sandbox.run("profile", "wipe", "--confirm", "default").status == 0)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: sandbox.path("home")).filter { $0.contains("catalog") } == [])
  }

  @Test func `without HOME the catalog needs the --db option`() throws {
    let lost = try sandbox.run(["list"], changing: ["HOME": nil])
    #expect(lost.status == 1)
    #expect(
      lost.errors == """
        catalog: there is no place for the catalog: HOME is not set
        hint: use --db FILE, or set CATALOG_DB

        """)
    let file = sandbox.path("here.db")
    #expect(
      try sandbox.run(["--db", file, "add", "book", "--title", "토지"], changing: ["HOME": nil]).status == 0)
    #expect(try sandbox.run(["--db", file, "list"], changing: ["HOME": nil]).output.contains("토지"))
    // Results cannot be kept, and that is said.
    let found = try sandbox.run(["--db", file, "search", "dune", "--offline"], changing: ["HOME": nil])
    #expect(found.status == 0)
    #expect(found.errors.contains("the results could not be saved"))
  }

  @Test func `reading commands create no file`() throws {
    for (words, status) in [(["list"], 1), (["show", "1"], 1), ([], 0), (["search", "dune", "--offline"], 0)] {
      let outcome = try sandbox.run(words)
      #expect(outcome.status == Int32(status), "\(words): \(outcome)")
    }
    #expect(!exists(sandbox.catalog))
  }

  // MARK: What is there instead

  struct Wrong: CustomTestStringConvertible, Sendable {
    var name: String
    var message: String
    var hint: String
    /// Puts another file at the path of a good catalog.
    var spoil: @Sendable (_ path: String) throws -> Void
    var testDescription: String { name }
  }

  static let wrong: [Wrong] = [
    Wrong(
      name: "a pipe", message: "is not a regular file, and was left unchanged", hint: "name another file with --db FILE"
    ) {
      try FileManager.default.removeItem(atPath: $0)
      guard mkfifo($0, 0o600) == 0 else { throw LaunchFailure(call: "mkfifo") }
    },
    Wrong(name: "a folder", message: "is a folder, not a catalog file", hint: "name a file in it: --db") { path in
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    },
    Wrong(
      name: "a text", message: "is not a catalog: it is not an SQLite file", hint: "name another file with --db FILE"
    ) {
      try String(repeating: "to whom it may concern\n", count: 100).write(
        toFile: $0, atomically: false, encoding: .utf8)
    },
    Wrong(name: "cut in half", message: "is damaged", hint: "'catalog doctor' says more") { path in
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: path))
    },
    Wrong(
      name: "another program's", message: "is a database of another program; it was not touched",
      hint: "name another file with --db FILE"
    ) { path in
      try FileManager.default.removeItem(atPath: path)
      let db = try Connection(.file(path))
      try db.execute(script: "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT)")
    },
    Wrong(
      name: "another program's with a number", message: "is a database of another program; it was not touched",
      hint: "name another file with --db FILE"
    ) { path in
      let db = try Connection(.file(path))
      try db.execute(script: "PRAGMA application_id = 252006675")
    },
    Wrong(
      name: "of a newer version", message: "was written by a newer program (version 99", hint: "upgrade catalog"
    ) { path in
      let db = try Connection(.file(path))
      try db.execute(script: "PRAGMA user_version = 99")
    },
    Wrong(
      name: "with a header of garbage", message: "is not a catalog: it is not an SQLite file",
      hint: "name another file with --db FILE"
    ) { path in
      var data = try Data(contentsOf: URL(fileURLWithPath: path))
      data.replaceSubrange(0..<16, with: Data("SQLite formax 3\0".utf8))
      try data.write(to: URL(fileURLWithPath: path))
    },
  ]

  @Test(arguments: wrong) func `a file that is no catalog is explained and left unchanged`(_ wrong: Wrong) throws {
    try sandbox.makeCatalog()
    try wrong.spoil(sandbox.catalog)
    // A reader of a pipe waits for ever.
    func contents() throws -> [UInt8]? {
      let type = try FileManager.default.attributesOfItem(atPath: sandbox.catalog)[.type] as? FileAttributeType
      return type == .typeRegular ? try sandbox.bytes(of: sandbox.catalog) : nil
    }
    let before = try contents()
    let others = [
      ["list"], ["show", "1"], ["add", "book", "--title", "T"], ["remove", "1", "--yes"], ["genres"], [],
    ]
    for words in others {
      let outcome = try sandbox.run(words)
      #expect(outcome.status == 1, "\(words): \(outcome.errors)")
      #expect(outcome.output == "", "\(words)")
      #expect(outcome.errors.contains("catalog: "), "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains(wrong.message), "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("hint: \(wrong.hint)"), "\(words): \(outcome.errors)")
      #expect(try contents() == before, "\(words)")
    }
    // No journal, copy or half-written file beside it.
    let folder = String(sandbox.catalog.dropLast("/catalog.db".count))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["catalog.db"])
  }

  @Test func `an empty catalog file is reported and becomes a catalog when written`() throws {
    let file = sandbox.path("empty.db")
    try sandbox.write([], to: file)
    let words =
      "catalog: the catalog file '\(file)' is empty\nhint: if it should not be, put a backup in its place: "
    let listed = try sandbox.run("--db", file, "list")
    #expect(listed.status == 1)
    #expect(listed.errors.hasPrefix(words))
    #expect(try sandbox.bytes(of: file) == [])
    let added = try sandbox.run("--db", file, "add", "book", "--title", "토지")
    #expect(added.status == 0)
    #expect(added.errors.hasPrefix(words))
    #expect(try sandbox.run("--db", file, "list").errors == "")
    try sandbox.expectWhole(try sandbox.database(at: file))
  }

  static let isRoot = geteuid() == 0

  @Test(.enabled(if: Modes.hold, "this process may open files of any mode"))
  func `where modes hold, a read-only catalog is read and not written`() throws {
    try sandbox.makeCatalog()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: sandbox.catalog)
    let before = try sandbox.bytes(of: sandbox.catalog)
    let shown = try sandbox.run("show", "1")
    #expect(shown.status == 0)
    #expect(shown.output.contains("토지"))
    #expect(shown.errors.contains("the view was not recorded"))
    let added = try sandbox.run("add", "book", "--title", "T")
    #expect(added.status == 1)
    #expect(added.errors.contains("cannot be written\nhint: check who may write it and its folder"))
    #expect(try sandbox.bytes(of: sandbox.catalog) == before)
  }

  @Test func `a catalog path below a file is explained`() throws {
    let file = sandbox.path("file")
    try sandbox.write([], to: file)
    let added = try sandbox.run("--db", "\(file)/below/catalog.db", "add", "book", "--title", "T")
    #expect(added.status == 1)
    #expect(added.errors.hasPrefix("catalog: "))
    #expect(added.errors.contains("hint: "))
    #expect(try sandbox.bytes(of: file) == [])
  }

  @Test func `a locked catalog is waited for until the timeout`() throws {
    try sandbox.makeCatalog()
    let other = try sandbox.database()
    let before = try sandbox.bytes(of: sandbox.catalog)
    try other.transaction(.exclusive) {
      for words in [["list"], ["show", "1"], ["add", "book", "--title", "T"]] {
        let outcome = try sandbox.run(words, changing: ["CATALOG_BUSY_TIMEOUT": "0.2"])
        #expect(outcome.status == 1)
        #expect(
          outcome.errors == "catalog: another program is writing to the catalog\nhint: try again when it is done\n")
      }
      #expect(try sandbox.bytes(of: sandbox.catalog) == before)
    }
    // One that only keeps the right to write lets others read.
    try other.transaction(.immediate) {
      let shown = try sandbox.run("show", "1", changing: ["CATALOG_BUSY_TIMEOUT": "0.2"])
      #expect(shown.status == 0)
      #expect(shown.output.contains("토지"))
      #expect(shown.errors.contains("the view was not recorded: another program is writing to the catalog"))
    }
    // The lock goes while the program waits.
    let waiting = try other.transaction(.exclusive) { try sandbox.launch("add", "book", "--title", "T") }
    #expect(waiting.finish().status == 0)
    try sandbox.expectWhole()
  }

  @Test func `a malformed settings file is explained`() throws {
    try sandbox.configure([:])
    try sandbox.write(Array("{\"locale.country\": ".utf8), to: sandbox.configuration)
    let found = try sandbox.run("search", "dune")
    #expect(found.status == 1)
    #expect(found.errors.contains("is not a JSON object of strings"))
    #expect(found.errors.contains("hint: fix it"))
    // Commands that need no source go on.
    #expect(try sandbox.run("add", "book", "--title", "T").status == 0)
    #expect(try sandbox.run("list").status == 0)
  }

  @Test func `a malformed cache file is replaced`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "dune").status == 0)
    try sandbox.write(Array("garbage, and more than sixteen bytes of it".utf8), to: sandbox.cache)
    #expect(try sandbox.run("search", "dune").status == 0)
    #expect(try sandbox.run("show", "r1").status == 0)
  }

  // MARK: A full disk

  /// Runs `body` with a disk of one mebibyte, which only root can mount.
  private func withSmallDisk(_ body: (String) throws -> Void) throws {
    let path = sandbox.path("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    guard mount("tmpfs", path, "tmpfs", 0, "size=1m") == 0 else {
      try Test.cancel("no file system can be mounted here: \(String(cString: strerror(errno)))")
    }
    defer { umount2(path, 2) }
    try body(path)
  }

  @Test(.enabled(if: isRoot, "only the administrator can mount a small disk"))
  func `a full disk is reported and the catalog unchanged`() throws {
    try withSmallDisk { disk in
      let file = "\(disk)/catalog.db"
      #expect(try sandbox.run("--db", file, "add", "book", "--title", "토지", "--comment", "좋다").status == 0)
      // Something else takes all that is left.
      let filler = "\(disk)/filler"
      let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
      let block = [UInt8](repeating: 0, count: 4096)
      while write(descriptor, block, block.count) > 0 {}
      close(descriptor)
      let before = try sandbox.bytes(of: file)

      let words: [[String]] = [
        ["add", "book", "--title", "T", "--comment", String(repeating: "w", count: 9000)],
        ["card", "add", "1", "--comment", String(repeating: "w", count: 9000)],
        ["backup", "\(disk)/copy.db"],
      ]
      for words in words {
        let outcome = try sandbox.run(["--db", file] + words)
        #expect(outcome.status == 1, "\(words[0]): \(outcome.errors)")
        #expect(outcome.errors.hasPrefix("catalog: the disk is full"), "\(words[0]): \(outcome.errors)")
        #expect(outcome.errors.contains("\nhint: make room"), "\(words[0]): \(outcome.errors)")
        #expect(try sandbox.bytes(of: file) == before)
      }
      // A view cannot be kept, and the item is shown.
      let shown = try sandbox.run("--db", file, "show", "1")
      #expect(shown.status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk).sorted() == ["catalog.db", "filler"])

      try FileManager.default.removeItem(atPath: filler)
      try sandbox.expectWhole(try sandbox.database(at: file))
      #expect(try sandbox.run("--db", file, "add", "book", "--title", "T").status == 0)
    }
  }

  @Test(.enabled(if: isRoot, "only the administrator can mount a disk"))
  func `doctor checks a catalog on a read-only disk and reports unchecked parts`() throws {
    try withSmallDisk { disk in
      let file = "\(disk)/catalog.db"
      #expect(try sandbox.run("--db", file, "add", "book", "--title", "토지", "--creator", "박경리").status == 0)
      let saved = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../CatalogStoreTests/Databases/v1.db")
      try sandbox.write(try sandbox.bytes(of: saved.path), to: "\(disk)/old.db")
      guard mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
        try Test.cancel("it cannot be made read-only: \(String(cString: strerror(errno)))")
      }
      let whole = try sandbox.run("--db", file, "doctor", "--json=check,state")
      #expect(whole.status == 0, "\(whole.errors)")
      #expect(whole.errors == "", "\(whole.errors)")
      #expect(whole.output.contains(#"{"check":"search_index","state":"ok"}"#), "\(whole.output)")
      #expect(!whole.output.contains("unchecked"))
      // The gaps of an older catalog are known only after its upgrade.
      let old = try sandbox.run("--db", "\(disk)/old.db", "doctor")
      #expect(old.lines.first == "file\tok\t0\tintact\t\t")
      // The last is about the contact, which is no part of the catalog.
      #expect(old.lines.dropFirst().dropLast().allSatisfy { $0.contains("\tunchecked\t0\tnot checked\t") })
      #expect(try sandbox.run("--db", file, "doctor", "--fix").status == 0)
    }
  }

  @Test func `a missing catalog at a named path is reported, and add creates it`() throws {
    let file = sandbox.path("new.db")
    for words in [["list"], ["genres"], ["show", "1"], ["report", "years"], ["edit", "1", "year=1969"], []] {
      let outcome = try sandbox.run(["--db", file] + words)
      #expect(outcome.status == 1, "\(words)")
      #expect(outcome.output == "", "\(words)")
      #expect(
        outcome.errors
          == "catalog: there is no catalog '\(file)'\nhint: check the name; 'catalog --db \(file) add …' makes a new one\n"
      )
      #expect(!FileManager.default.fileExists(atPath: file))
    }
    #expect(try sandbox.run("--db", file, "search", "dune", "--offline").errors.contains("no catalog") == false)
    let added = try sandbox.run("--db", file, "add", "book", "--title", "토지")
    #expect(added.status == 0)
    #expect(added.errors.contains("catalog: '\(file)' is a new catalog\n"))
    #expect(try sandbox.run("--db", file, "add", "book", "--title", "흙").errors.contains("new catalog") == false)
    // The usual place is empty until something is added.
    #expect(try sandbox.run("list", "id:1..").errors.contains("there is no catalog") == false)
  }
}
