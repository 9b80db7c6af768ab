import CatalogModel
import CommandLineKit
import Foundation
import Processes
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import Lookup

struct ProfileCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  private var data: String { folder.path(".local/share/catalog") }
  private var club: String { data + "/profiles/club" }
  private var choice: String { folder.path(".config/catalog/profile") }

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    settle()
    catalog.readsConfiguration = true
  }

  /// Sets the environment of the next run.
  private func settle(_ environment: [String: String] = [:], profile: Profile? = nil) {
    catalog.places = Places(environment: environment.merging(["HOME": folder.path]) { $1 }, profile: profile)
  }

  /// Runs a command, and reads the places again for the next run.
  private func run(_ words: String...) -> TestCatalog.Run {
    defer { settle() }
    return catalog.run(words)
  }

  /// Makes a catalog with this number of items.
  @discardableResult
  private func make(_ path: String, items: Int) throws -> Store {
    let catalog = try TestCatalog(path: path)
    for number in 0..<items { try catalog.add(.book, "Book \(number)") }
    return catalog.store
  }

  private func write(_ text: String, to path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func exists(_ path: String) -> Bool { FileKind(of: path) != .missing }

  /// Makes a sync tree: a repository, and a file of an earlier version.
  private func makeTree(_ path: String) throws {
    try write("[merge \"catalog\"]\n  driver = catalog sync join %O %A %B\n", to: path + "/config")
    try write("{}\n", to: path + "/items/ab/1.json")
    try write("ref: refs/heads/main\n", to: path + "/HEAD")
  }

  // MARK: Where

  @Test(arguments: [
    ("/a/catalog.db", "/a/catalog.tree"), ("x", "x.tree"), ("a.b/x", "a.b/x.tree"), ("/a/.db", "/a/.db.tree"),
    ("old.catalog.sqlite", "old.catalog.tree"),
  ])
  func `the tree path is beside the catalog`(catalog: String, tree: String) {
    #expect(Places(environment: [:], option: catalog).tree == tree)
  }

  @Test func `options win over variables, files over profiles, and all over the chosen profile`() throws {
    try write("club\n", to: choice)
    let home = ["HOME": folder.path]
    func catalog(_ more: [String: String] = [:], option: String? = nil, profile: Profile? = nil) -> String? {
      Places(environment: home.merging(more) { $1 }, option: option, profile: profile).catalog
    }
    let both = ["CATALOG_DB": "/x.db", "CATALOG_PROFILE": "other"]
    #expect(catalog() == club + "/catalog.db")
    #expect(catalog(["CATALOG_PROFILE": "other"]) == data + "/profiles/other/catalog.db")
    #expect(catalog(both) == "/x.db")
    #expect(catalog(both, profile: .first) == data + "/catalog.db")
    #expect(catalog(both, option: "/y.db", profile: .first) == "/y.db")
    // The profiles are where the other data are.
    #expect(catalog(["XDG_DATA_HOME": "/data"]) == "/data/catalog/profiles/club/catalog.db")
  }

  @Test(arguments: ["../club", "", "a b", "-n", ".hidden", "all", String(repeating: "x", count: 41)])
  func `an invalid profile name opens no catalog`(word: String) throws {
    try write(word + "\n", to: choice)
    settle()
    #expect(catalog.places.catalog == nil)
    #expect(catalog.places.problem != nil)
    #expect(run("profile", "use", word).status == 2)
    #expect(run("profile", "wipe").status == 2)
    #expect(run("profile", "list").errors.contains("should name the profile in use"))
    #expect(run("profile", "use", "default").status == 0)
    #expect(catalog.places.catalog == data + "/catalog.db")
  }

  // MARK: One name

  /// Names in two Unicode forms: composed, and decomposed or as an older character.
  @Test(arguments: [
    ("\u{BAA8}\u{C784}", "\u{1106}\u{1169}\u{110B}\u{1175}\u{11B7}"), ("\u{E9}cole", "e\u{301}cole"),
    ("\u{C5}se", "\u{212B}se"), ("\u{C5}se", "A\u{30A}se"), ("K2", "\u{212A}2"), ("\u{1EC7}", "e\u{302}\u{323}"),
  ])
  func `a profile has one name in every Unicode form`(composed: String, other: String) throws {
    for (first, second) in [(composed, other), (other, composed)] {
      #expect(run("profile", "use", "--new", first).status == 0)
      #expect(catalog.places.catalog.map { Array($0.utf8) } == Array("\(data)/profiles/\(composed)/catalog.db".utf8))
      #expect(run("profile", "use", "--new", second).errors.contains("already exists"))
      #expect(run("profile", "use", second).status == 0)
      #expect(Places(environment: ["HOME": folder.path, "CATALOG_PROFILE": second]).catalog == catalog.places.catalog)
      #expect(run("profile", "list", "--json=profile").output.utf8.contains { $0 > 0x7F } == (composed != "K2"))
      #expect(run("profile", "use", "default").status == 0)
      #expect(run("config", "set", "locale.country", "KR").status == 0)
      // The last profile takes the settings with it.
      #expect(run("profile", "wipe", second, "--confirm", second).status == 0)
      #expect(!exists(data + "/profiles"))
      #expect(!exists(folder.path(".config/catalog/config.json")))
    }
  }

  @Test func `a folder that an earlier version named in another form is its profile's`() throws {
    let (composed, other) = ("\u{BAA8}\u{C784}", "\u{1106}\u{1169}\u{110B}\u{1175}\u{11B7}")
    try make("\(data)/profiles/\(other)/catalog.db", items: 2)
    #expect(run("profile", "use", composed).status == 0)
    #expect(run("profile", "list", "--json=profile,items").output.contains("{\"profile\":\"\(composed)\",\"items\":2}"))
    // Two of a name: one is used, and the other is neither lost nor hidden.
    try make("\(data)/profiles/\(composed)/catalog.db", items: 1)
    try write("{}", to: folder.path(".config/catalog/config.json"))
    settle()
    let list = run("profile", "list", "--json=items")
    #expect(list.output == "[{\"items\":null},{\"items\":1}]\n")
    #expect(list.errors.contains("not shown, since another profile has the same name"))
    let wiped = run("profile", "wipe", composed, "--confirm", other)
    #expect(wiped.status == 0, "\(wiped)")
    #expect(wiped.errors.contains("stays: it is another profile of the same name"))
    #expect(run("profile", "list", "--json=items").output == "[{\"items\":null},{\"items\":2}]\n")
    #expect(exists(folder.path(".config/catalog/config.json")))
    #expect(run("profile", "wipe", composed, "--confirm", composed).status == 0)
    #expect(!exists(folder.path(".config/catalog/config.json")))
  }

  // MARK: use, list

  @Test func `profile use --new creates a profile and uses it from then on`() throws {
    try make(data + "/catalog.db", items: 1)
    let unknown = run("profile", "use", "clbu")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("there is no profile 'clbu'\n"))
    #expect(run("profile", "use", "--new", "club", "--dry-run").output == "would make and use the profile club\n")
    #expect(!exists(choice))
    #expect(!exists(club))
    #expect(
      run("profile", "use", "--new", "club").output
        == "the profile club is new, and in use from now on: \(club)/catalog.db\n")
    #expect(catalog.places.profile?.name == "club")
    #expect(run("profile", "use", "--new", "club").errors.contains("the profile 'club' already exists"))
    #expect(run("profile", "use", "clbu").errors.contains("; did you mean 'club'?"))
    try make(club + "/catalog.db", items: 2)
    #expect(
      run("profile", "list", "--json=profile,in_use,items,remote").output == """
        [{"profile":"default","in_use":false,"items":1,"remote":null},\
        {"profile":"club","in_use":true,"items":2,"remote":null}]

        """)
    #expect(run("profile", "use", "default").status == 0)
    #expect(!exists(choice))
    #expect(catalog.places.profile == .first)
    #expect(run("profile", "use", "default").status == 0)
  }

  @Test func `profile use names a variable that wins over the chosen profile`() throws {
    try make(club + "/catalog.db", items: 0)
    catalog.environment = ["CATALOG_DB": "/x.db"]
    #expect(catalog.run("profile", "use", "club").errors == "catalog: CATALOG_DB is set, and takes precedence\n")
    settle(["CATALOG_DB": "/x.db"])
    let list = catalog.run("profile", "list", "--json=in_use")
    #expect(list.output == "[{\"in_use\":false},{\"in_use\":false}]\n")
    #expect(list.errors == "no profile is in use: the file '/x.db' is named directly\n")
    #expect(catalog.run("profile", "wipe").status == 2)
  }

  @Test func `no other command creates a missing profile`() throws {
    let path = club + "/catalog.db"
    settle(profile: try Profile("club"))
    catalog.openStore = { try Store.open(at: path, for: $0) }
    for words in [["list"], ["add", "book", "--title", "토지"], ["show", "1"]] {
      let run = catalog.run(words)
      #expect(run.status == 1, "\(run)")
      #expect(run.errors.contains("there is no profile 'club'"), "\(run)")
    }
    #expect(!exists(club))
  }

  // MARK: wipe

  /// Makes two profiles with all the program's files, a file of the person's, and links.
  private func fill() throws {
    try make(data + "/catalog.db", items: 1)
    let store = try make(club + "/catalog.db", items: 3)
    _ = try store.backup(to: club + "/catalog-2026-11-22.db")
    _ = try store.backup(to: club + "/catalog.db.v15.bak")
    _ = try store.backup(to: club + "/catalog.db.v15.2.bak")
    _ = try store.backup(to: club + "/my copy.db")
    try write("draft", to: club + "/.catalog-1f0c.new")
    try write("no catalog", to: club + "/catalog-2026-11-23.db")
    try write("{}", to: club + "/catalog.browsers")
    try makeTree(club + "/catalog.tree")
    try write("elsewhere", to: folder.path("elsewhere/file"))
    try FileManager.default.createSymbolicLink(
      atPath: club + "/catalog.tree/items/link", withDestinationPath: folder.path("elsewhere"))
    try FileManager.default.createSymbolicLink(
      atPath: club + "/catalog-2026-11-24.db", withDestinationPath: data + "/catalog.db")
    try write("{}", to: folder.path(".config/catalog/config.json"))
    try write("club\n", to: choice)
    _ = CacheDatabase(path: folder.path(".cache/catalog/cache.db")).totals()
    settle()
  }

  @Test func `profile wipe lists its files and removes only these`() throws {
    try fill()
    catalog.atTerminal(width: 1000)
    let dry = run("profile", "wipe", "--dry-run").output.split(separator: "\n").map {
      String($0.dropFirst("would remove ".count).replacing(club + "/", with: "").prefix { $0 != ":" })
    }
    #expect(
      dry == [
        "the local tree 'catalog.tree'", "unfinished files", "the copy 'catalog-2026-11-22.db'",
        "the link 'catalog-2026-11-24.db', not what it leads to", "the copy 'catalog.db.v15.2.bak'",
        "the copy 'catalog.db.v15.bak'", "the browsers that are paired", "the catalog 'catalog.db'",
      ])
    for answer in ["", "y", "Club", "default", "all"] {
      catalog.input = [answer]
      let refused = run("profile", "wipe", "--yes")
      #expect(refused.status == 1, "\(refused)")
      #expect(refused.errors.hasSuffix("catalog: nothing was changed\n"), "\(refused)")
      #expect(refused.errors.contains("goes: the catalog '\(club)/catalog.db': 3 items, "))
      #expect(refused.errors.contains("cache, settings and keys stay: they are shared with default\n"))
    }
    #expect(exists(club + "/catalog.tree/items/link"))
    #expect(exists(choice))
    catalog.input = [" club "]
    let wiped = run("profile", "wipe")
    #expect(wiped.status == 0, "\(wiped)")
    #expect(wiped.output.split(separator: "\n").count == dry.count, "\(wiped)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: club).sorted() == ["catalog-2026-11-23.db", "my copy.db"])
    #expect(exists(folder.path("elsewhere/file")))
    #expect(Store.itemCount(at: data + "/catalog.db") == 1)
    #expect(exists(folder.path(".cache/catalog/cache.db")))
    #expect(exists(folder.path(".config/catalog/config.json")))
    #expect(!exists(choice))
    #expect(catalog.places.profile == .first)
    #expect(run("profile", "wipe", "club").status == 1)
  }

  @Test func `without a terminal profile wipe needs --confirm with the name`() throws {
    try fill()
    for words in [["profile", "wipe"], ["profile", "wipe", "--yes"], ["profile", "wipe", "--confirm", "default"]] {
      let run = catalog.run(words)
      #expect(run.status == 2, "\(run)")
      #expect(run.errors.contains("--confirm"), "\(run)")
    }
    #expect(Store.itemCount(at: club + "/catalog.db") == 3)
    #expect(run("profile", "wipe", "--confirm", "club", "--keep-tree").status == 0)
    #expect(exists(club + "/catalog.tree/HEAD"))
    #expect(!exists(club + "/catalog.db"))
    #expect(run("profile", "wipe", "--all", "default").status == 2)
  }

  @Test func `wiping the last profile or all also removes the shared files`() throws {
    try fill()
    #expect(run("profile", "wipe", "club", "--confirm", "all").status == 2)
    #expect(run("profile", "wipe", "--all", "--confirm", "all").status == 0)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: data).sorted() == [
        "profiles", "profiles/club", "profiles/club/catalog-2026-11-23.db", "profiles/club/my copy.db",
      ])
    #expect(!exists(folder.path(".cache/catalog")))
    #expect(!exists(folder.path(".config/catalog")))
    #expect(run("profile", "wipe", "--all").status == 1)

    try make(data + "/catalog.db", items: 1)
    try write("{}", to: folder.path(".config/catalog/config.json"))
    try write("own", to: folder.path(".cache/catalog/cache.db"))
    let last = run("profile", "wipe", "--confirm", "default")
    #expect(last.status == 0)
    #expect(last.errors.contains("left, since it is not part of a profile: '\(folder.path(".cache"))"))
    #expect(exists(folder.path(".cache/catalog/cache.db")))
    #expect(!exists(folder.path(".config/catalog")))
  }

  @Test func `an unreadable catalog counts as another profile`() throws {
    try fill()
    // A catalog beyond a link that leads in a circle may be one.
    let other = data + "/profiles/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: other + "/catalog.db", withDestinationPath: "catalog.db")
    #expect(run("profile", "wipe", "default", "--confirm", "default").status == 0)
    #expect(run("profile", "wipe", "club", "--confirm", "club").errors.contains("they are shared with other\n"))
    #expect(exists(folder.path(".config/catalog/config.json")))
    #expect(run("profile", "wipe", "other", "--confirm", "other").status == 0)
    #expect(!exists(folder.path(".config/catalog")))
  }

  @Test func `profile wipe removes nothing if the catalog changed during the question`() throws {
    try fill()
    catalog.atTerminal(width: 200)
    catalog.input = ["club"]
    let club = club
    catalog.beforeLine = { _ = try? TestCatalog(path: club + "/catalog.db").add(.book, "new") }
    let wiped = run("profile", "wipe")
    #expect(wiped.status == 1, "\(wiped)")
    #expect(wiped.errors.contains("it was changed in the meantime, and nothing was removed"), "\(wiped)")
    #expect(exists(club + "/catalog.tree"))
    #expect(Store.itemCount(at: club + "/catalog.db") == 4)
  }

  @Test func `withoutOthers fails while another program writes`() throws {
    try make(club + "/catalog.db", items: 1)
    let other = try Connection(.file(club + "/catalog.db"), mode: .readWrite)
    try other.run("BEGIN IMMEDIATE")
    #expect(throws: CatalogError.locked(club + "/catalog.db")) {
      try Store.withoutOthers(at: club + "/catalog.db", busyTimeout: 0) { Issue.record("alone") }
    }
    try other.run("ROLLBACK")
    let another = try Connection(.file(club + "/catalog.db"), mode: .readWrite, busyTimeout: 0)
    try Store.withoutOthers(at: club + "/catalog.db", busyTimeout: 0) {
      #expect(throws: SQLiteError.self) { try another.value("SELECT count(*) FROM item", as: Int.self) }
    }
  }

  @Test func `the same command finishes a wipe that was cut short`() throws {
    // A tree that was on its way out, and what SQLite left of a catalog that is gone.
    try write("{}", to: club + "/.catalog-1f.gone/items/1.json")
    try write("journal", to: club + "/catalog.db-journal")
    try write("club\n", to: choice)
    try make(data + "/catalog.db", items: 1)
    settle()
    #expect(run("profile", "wipe", "club", "--confirm", "club").status == 0)
    #expect(!exists(data + "/profiles"))
    #expect(!exists(choice))
  }

  @Test func `profile wipe removes a damaged catalog, but no other program's database`() throws {
    try make(club + "/catalog.db", items: 1)
    let file = try FileHandle(forUpdating: URL(filePath: club + "/catalog.db"))
    try file.truncate(atOffset: 5_000)
    try file.close()
    #expect(run("profile", "wipe", "club", "--confirm", "club").status == 0)
    #expect(!exists(club))
    try FileManager.default.createDirectory(atPath: club, withIntermediateDirectories: true)
    try Connection(.file(club + "/catalog.db")).execute(script: "CREATE TABLE moz_places (id INTEGER)")
    try write("{}", to: club + "/catalog.tree/items/1.json")
    #expect(run("profile", "wipe", "club", "--confirm", "club").status == 1)
    #expect(exists(club + "/catalog.db"))
    #expect(exists(club + "/catalog.tree/items/1.json"))
  }

  // MARK: Mounts

  /// A line of the kernel's list for a folder mounted at a path.
  private static func mount(at path: String) -> String {
    "36 35 98:0 /mnt1 \(path.replacing(" ", with: "\\040")) rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n"
  }

  @Test(arguments: [
    // The mounted place, and the one that stays.
    ("profiles/club/catalog.tree/mine", "profiles/club/catalog.tree"),
    ("profiles/club/catalog.tree/items/a b/기록", "profiles/club/catalog.tree"),
    ("profiles/club/catalog.tree", "profiles/club/catalog.tree"),
    ("profiles/club/catalog.db", "profiles/club/catalog.db"),
    ("profiles/club/catalog-2026-11-22.db", "profiles/club/catalog-2026-11-22.db"),
    ("profiles/club", "profiles/club"), ("profiles/club/catalog.treehouse", nil), ("other", nil), ("", nil),
  ])
  func `what something is mounted in stays, and the settings with it`(point: String, stays: String?) throws {
    try fill()
    let real = AtomicFile.target(of: data)
    let list = Self.mount(at: "/") + Self.mount(at: point.isEmpty ? real : "\(real)/\(point)")
    let removal = try ProfileRemoval(
      catalog.places.profiles(), withShared: true, keepsTree: false, in: catalog.places,
      mounts: MountPoints(Array(list.utf8)))
    #expect(removal.held.map(\.path) == [stays.map { "\(data)/\($0)" }].compactMap(\.self))
    #expect(!removal.things.contains { thing in removal.held.contains { "\(thing.path)/".hasPrefix("\($0.path)/") } })
    #expect(removal.things.contains { $0.isShared } == (stays == nil))
  }

  @Test func `the places of mounts are read with the kernel's escapes`() {
    let list = ["/", "/a\\040b", "/tab\\011x", "/back\\134slash", "/\\", "/x\\0"].map { "1 2 3:4 / \($0) rw - a b c" }
    let mounts = MountPoints(Array((list + ["short line", ""]).joined(separator: "\n").utf8))
    for path in ["/", "/a b", "/tab\tx", "/back\\slash", "/\\", "/x\\0"] { #expect(mounts.isOne(path), "\(path)") }
    #expect(!mounts.isOne("/a"))
    #expect(mounts.first(in: "/nowhere") == nil)
  }

  // MARK: The tree

  private static let hasGit = (try? Executable.path(of: "git", along: nil)) != nil

  @Test(.enabled(if: hasGit, "git is not installed"))
  func `profiles show the remote without its key and the unpushed changes`() throws {
    try make(data + "/catalog.db", items: 1)
    let tree = data + "/catalog.tree"
    func git(_ words: String...) throws {
      let identity = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
      let status = try Spawn.run(["git", "-C", tree] + identity + words, output: .null, error: .null)
      try #require(status.isSuccess, "\(words)")
    }
    func warning() -> String {
      run("profile", "wipe", "--dry-run").errors.split(separator: "\n").first.map(String.init) ?? ""
    }
    try write("{\"catalog\": 1}\n", to: tree + "/catalog.json")
    try git("init", "-b", "main")
    try git("config", "merge.catalog.driver", "catalog sync join %O %A %B")
    #expect(warning() == "catalog: the tree has no remote: its contents are nowhere else")
    try git("add", ".")
    try git("commit", "-m", "one")
    try git("init", "--bare", folder.path("remote.git"))
    try git("remote", "add", "origin", folder.path("remote.git"))
    #expect(warning() == "catalog: 1 change of the tree was never pushed")
    try git("push", "origin", "main")
    #expect(warning() == "")
    for number in 2...3 { try git("commit", "--allow-empty", "-m", "\(number)") }
    #expect(warning() == "catalog: 2 changes of the tree were never pushed")
    #expect(run("profile", "list", "--json=remote").output == "[{\"remote\":\"\(folder.path("remote.git"))\"}]\n")
    try git("remote", "set-url", "origin", "https://me:key@host.example/my%40catalog.git")
    #expect(
      run("profile", "list", "--json=remote").output == "[{\"remote\":\"https://host.example/my%40catalog.git\"}]\n")
    try write("gone", to: tree + "/.git/HEAD")
    #expect(warning() == "catalog: it is not known whether all of the tree was pushed")
  }
}
