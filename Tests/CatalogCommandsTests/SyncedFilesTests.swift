import CatalogModel
import FoundationEssentials
import Git
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests what a sync takes and sends: names in several spellings, damaged files, and trees of newer versions.
@Suite(.timeLimit(.minutes(10)))
struct SyncedFilesTests: TestOfTwoDevices {
  let devices: TestDevices

  init() throws { devices = try Self.makeDevices() }

  private func sync(times: Int) {
    for _ in 1...times {
      for catalog in devices.catalogs {
        let run = catalog.run("sync")
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("left alone"), "\(run.errors)")
      }
    }
  }

  /// Runs a command that writes; a tilde is a blank in a word.
  private func run(_ line: String, on catalog: TestCatalog) {
    let words: [String] = line.split(separator: " ").map { String($0.replacing("~", with: " ")) }
    let run = catalog.run(words + ["--yes"])
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Expects that all devices, and a clone made now, have the same files.
  private func expectOneCatalog(items: Int = 3) throws {
    for catalog in devices.catalogs { #expect(catalog.run("sync").output == "synced: nothing new\n") }
    let clone = try devices.add("clone\(devices.catalogs.count)")
    let run = clone.run("sync", "clone", devices.remote)
    #expect(run.output == "synced: \(items) new\n")
    #expect(run.errors == "")
    for catalog in devices.catalogs {
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
    }
  }

  // MARK: Spellings

  @Test(
    arguments: [
      ["tag add Café ITEM", "tag add cafe ITEM", "tag add CAFÉ ITEM"],
      ["edit ITEM genre=New~Noise", "edit ITEM genre=new-noise", "edit ITEM genre=NEWNOISE"],
      ["pile add Café ITEM", "pile add cafe ITEM", "pile add CAFÉ ITEM"],
      ["shelf save Café year:..1950", "shelf save cafe year:..1950", "shelf save CAFÉ year:..1950"],
    ], [false, true])
  func `a name in three spellings on three devices is one name with all items`(lines: [String], isOne: Bool) throws {
    try devices.add("third", skew: -60)
    try begin()
    for (number, (catalog, line)) in zip(devices.catalogs, lines).enumerated() {
      run(line.replacing("ITEM", with: isOne ? "1" : "\(number + 1)"), on: catalog)
    }
    sync(times: 3)
    try expectOneCatalog()
    let table = ["tag": "item_tag", "edit": "item_genre", "pile": "pile_item"][lines[0].prefix { $0 != " " }]
    guard let table else { return }
    let (column, key) = table == "item_genre" ? ("genre", "newnoise") : (String(lines[0].prefix { $0 != " " }), "cafe")
    for catalog in devices.catalogs {
      let count = try catalog.store.db.value(
        """
        SELECT count(DISTINCT item_id) FROM \(identifier: table)
        JOIN \(identifier: column) AS named ON named.id = \(identifier: column + "_id") WHERE key = \(key)
        """, as: Int.self)
      #expect(count == (isOne ? 1 : 3))
    }
  }

  @Test(arguments: [
    ["tag add summer 1 2", "tag rename summer SUMMER", "tag rename summer Summer", "tag rename summer sUmmer"],
    [
      "edit 1 genre=New~Noise", "genre rename New~Noise NEW~NOISE", "genre rename New~Noise new-noise",
      "genre rename New~Noise NewNoise",
    ],
  ])
  func `a name renamed in three spellings stays on its items`(lines: [String]) throws {
    try laptop.addThree()
    let third = try devices.add("third", skew: -60)
    run(lines[0], on: laptop)
    try devices.begin()
    for (catalog, line) in zip([laptop, desktop, third], lines.dropFirst()) { run(line, on: catalog) }
    sync(times: 3)
    try expectOneCatalog()
    let clone = try #require(devices.catalogs.last)
    let part: SQL = lines[0].hasPrefix("tag") ? "item_tag" : "item_genre"
    let counts = try [clone, laptop].map { try $0.store.db.value("SELECT count(*) FROM \(part)", as: Int.self) }
    #expect(counts[0] == counts[1])
  }

  // MARK: One file on two devices

  @Test func `two films of one title added in one second stay two, and one film becomes one`() throws {
    for (catalog, director, year) in [(laptop, "Dario Argento", 1977), (desktop, "Luca Guadagnino", 2018)] {
      catalog.now = Date(timeIntervalSince1970: 1_714_521_600)
      try catalog.add(.movie, "Suspiria", by: director, year: year)
      catalog.now = Date(timeIntervalSince1970: 1_714_521_700)
      try catalog.add(.movie, "Stalker", by: "Andrei Tarkovsky", year: 1979)
    }
    try devices.begin()
    sync(times: 2)
    for catalog in devices.catalogs {
      let films = try catalog.store.db.values(
        "SELECT title || ' ' || year || ' ' || creator FROM item JOIN item_creator ON item_id = id ORDER BY year",
        as: String.self)
      #expect(
        films == ["Suspiria 1977 Dario Argento", "Stalker 1979 Andrei Tarkovsky", "Suspiria 2018 Luca Guadagnino"])
    }
  }

  // MARK: Damaged files

  /// The kinds of files, and what may become of them.
  private static let files = [
    "items/", "piles/next.json", "tags.json", "genres.json", "queries.json", "wishes.json", "catalog.json",
  ]

  private func damage(_ text: String, _ sort: String) -> String {
    switch sort {
    case "cut": String(text.prefix(text.count / 2))
    case "marked": "<<<<<<< ours\n\(text)=======\n\(text)>>>>>>> theirs\n"
    default: "{}\n"
    }
  }

  private func beginWithAll() throws {
    try laptop.addThree()
    for line in ["tag add foo 1", "pile add next 1", "shelf save old year:..1950", "wish something nobody knows"] {
      run(line, on: laptop)
    }
    try devices.begin()
  }

  /// The path of a file in a tree; for a folder, its first file.
  private func path(_ file: String, in tree: String) throws -> String {
    guard file == "items/" else { return file }
    let files = try FileManager.default.subpathsOfDirectory(atPath: tree + "/items").sorted()
    return try "items/" + #require(files.first { $0.hasSuffix(".json") })
  }

  @Test(arguments: files, ["cut here", "emptied here", "cut elsewhere", "emptied elsewhere"])
  func `a damaged file that was committed is written anew`(file: String, sort: String) throws {
    let isElsewhere = sort.hasSuffix("elsewhere")
    try beginWithAll()
    let tree: String
    if isElsewhere {
      tree = devices.folder.path + "/clone"
      try git("clone", "--quiet", devices.remote, tree)
    } else {
      tree = try clone(of: laptop)
    }
    let path = try path(file, in: tree)
    let text = try String(contentsOfFile: "\(tree)/\(path)", encoding: .utf8)
    try damage(text, String(sort.prefix { $0 != " " }))
      .write(toFile: "\(tree)/\(path)", atomically: true, encoding: .utf8)
    try push(tree)
    var run = laptop.run("--version")
    if isElsewhere {
      // Not even one that has nothing of it needs another device.
      run = try devices.add("late").run("sync", "clone", devices.remote)
      #expect(run.output == "synced: 3 new, sent\n")
    } else {
      run = laptop.run("sync")
    }
    #expect(run.errors.contains(path) && run.errors.contains("was written anew"), "\(run.errors)")
    #expect(try git("-C", devices.remote, "show", "main:\(path)") == text)
    sync(times: 2)
    try expectOneCatalog()
  }

  /// Changes of others since the last sync of this device survive, as those that were made here do.
  @Test(arguments: [true, false]) func `a damaged file keeps what was in it before`(isChangedHere: Bool) throws {
    try beginWithAll()
    #expect(desktop.run("shelf", "save", "new", "year:2000..").status == 0)
    #expect(desktop.run("edit", "1", "note=there").status == 0)
    #expect(desktop.run("sync").status == 0)
    let clone = devices.folder.path + "/clone"
    try git("clone", "--quiet", devices.remote, clone)
    let uid = try #require(try desktop.store.uid(of: ItemID(rawValue: 1)))
    for path in ["queries.json", TreePath.item(uid).text] {
      try "{\n".write(toFile: "\(clone)/\(path)", atomically: true, encoding: .utf8)
    }
    try git("-C", clone, "commit", "--quiet", "-am", "by hand")
    try git("-C", clone, "push", "--quiet")
    if isChangedHere {
      #expect(laptop.run("shelf", "save", "here", "kind:book").status == 0)
      #expect(laptop.run("edit", "1", "year=1951").status == 0)
    }
    #expect(laptop.run("sync").errors.contains("queries.json, line 2, cannot be read and was written anew"))
    sync(times: 2)
    for catalog in devices.catalogs {
      let queries = try catalog.store.db.values("SELECT name FROM saved_query ORDER BY name", as: String.self)
      #expect(queries == (isChangedHere ? ["here", "new", "old"] : ["new", "old"]))
      #expect(catalog.run("list", "note:there", "--json=id").output == "[{\"id\":1}]\n")
    }
    try expectOneCatalog()
  }

  @Test func `a file that no version can be read of is named each time, until it is mended`() throws {
    try begin()
    let clone = devices.folder.path + "/clone"
    try git("clone", "--quiet", devices.remote, clone)
    let path = TreePath.item("01a20484-5498-701f-a34d-ec2ccf3049c5").text
    try FileManager.default.createDirectory(atPath: "\(clone)/\(path)".folder, withIntermediateDirectories: true)
    try "{\n".write(toFile: "\(clone)/\(path)", atomically: true, encoding: .utf8)
    try git("-C", clone, "add", "--all")
    try git("-C", clone, "commit", "--quiet", "-m", "by hand")
    try git("-C", clone, "push", "--quiet")
    for command in [["sync"], ["sync"], ["sync", "status"]] {
      let run = laptop.run(command)
      #expect(run.errors.contains("\(path), line 2, cannot be read and was left alone"), "\(run.errors)")
    }
    let item = #"{"uid":"01a20484-5498-701f-a34d-ec2ccf3049c5","kind":"movie","title":"Heat""#
    try #"{"item":\#(item),"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"},"movie":{}}"#
      .write(toFile: "\(clone)/\(path)", atomically: true, encoding: .utf8)
    try git("-C", clone, "commit", "--quiet", "-am", "mended")
    try git("-C", clone, "push", "--quiet")
    #expect(laptop.run("sync").output == "synced: 1 new\n")
    for command in [["sync"], ["sync", "status"]] { #expect(laptop.run(command).errors == "") }
  }

  @Test func `an edit of a file is merged with a card that no device knows yet`() throws {
    try beginWithAll()
    let tree = try clone(of: laptop)
    let uid = try #require(try laptop.store.uid(of: ItemID(rawValue: 1)))
    let file = "\(tree)/\(TreePath.item(uid).text)"
    #expect(laptop.run("card", "add", "1", "new words").status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing(/"year": \d+/) { _ in #""year": 1234"# }.write(toFile: file, atomically: true, encoding: .utf8)
    try push(tree)
    let run = laptop.run("sync")
    #expect(run.errors == "")
    #expect(try laptop.store.db.value("SELECT year FROM item WHERE id = 1", as: Int.self) == 1234)
    #expect(try laptop.store.db.values("SELECT comment FROM card WHERE item_id = 1", as: String.self) == ["new words"])
    #expect(desktop.run("sync").status == 0)
    try expectOneCatalog()
  }

  // MARK: Newer versions

  @Test(arguments: ["{\"catalog\": 2}\n", "<<<<<<<\n{\"catalog\": 1}\n=======\n{\"catalog\": 2}\n>>>>>>>\n"])
  func `a tree of a newer format is refused by every command and left alone`(text: String) throws {
    try begin()
    let clone = devices.folder.path + "/clone"
    try git("clone", "--quiet", devices.remote, clone)
    try text.write(toFile: clone + "/catalog.json", atomically: true, encoding: .utf8)
    try git("-C", clone, "commit", "--quiet", "-am", "newer")
    try git("-C", clone, "push", "--quiet")
    let head = try git("-C", devices.remote, "rev-parse", "main")
    #expect(laptop.run("edit", "1", "note=here").status == 0)
    let (new, full) = (try devices.add("new"), try devices.add("full"))
    try full.addThree()
    let item = try path("items/", in: clone)
    let file = clone + "/" + item
    for (catalog, command) in [
      (laptop, ["sync"]), (laptop, ["sync", "--dry-run"]), (laptop, ["sync", "status"]), (laptop, ["sync"]),
      (new, ["sync", "clone", devices.remote]), (full, ["sync", "init", devices.remote]),
      (laptop, ["sync", "join", file, file, file]),
    ] {
      let run = catalog.run(command)
      #expect(run.status == 1, "\(command)")
      #expect(run.errors.contains("was written by a newer version of catalog, and is left unchanged"), "\(run.errors)")
    }
    for catalog in [new, full] {
      let tree = try #require(catalog.places.tree)
      #expect(!FileManager.default.fileExists(atPath: tree))
      #expect(catalog.run("sync").errors.contains("this catalog is not synced"))
    }
    #expect(try git("-C", devices.remote, "rev-parse", "main") == head)
    // One whose own tree is of that format writes and reads nothing of it either.
    let tree = try #require(desktop.places.tree)
    try git("-C", tree, "fetch", "--quiet", "origin", "main:main")
    for command in [
      ["sync"], ["sync", "status"], ["sync", "init"], ["history", "1", "--device"],
      ["restore", "--at", "today", devices.folder.path("then.db")],
    ] {
      let run = desktop.run(command)
      #expect(run.status == 1, "\(command)")
      #expect(run.errors.contains("was written by a newer version of catalog"), "\(command): \(run.errors)")
    }
    #expect(try git("-C", tree, "rev-parse", "main") == head)
    // It is the number alone.
    try "{\n  \"catalog\": 1\n}\n".write(toFile: clone + "/catalog.json", atomically: true, encoding: .utf8)
    try git("-C", clone, "commit", "--quiet", "-am", "older")
    try git("-C", clone, "push", "--quiet")
    #expect(laptop.run("sync").output == "synced: 1 file changed here, sent\n")
  }

  @Test func `an edit of the format by hand is refused until it is taken back`() throws {
    try begin()
    let clone = try clone(of: laptop)
    try "{\n  \"catalog\": 9\n}\n".write(toFile: clone + "/catalog.json", atomically: true, encoding: .utf8)
    try push(clone)
    let head = try git("-C", devices.remote, "rev-parse", "main")
    #expect(laptop.run("sync").status == 1)
    #expect(try git("-C", devices.remote, "rev-parse", "main") == head)
    try git("-C", clone, "revert", "--no-edit", "HEAD")
    try git("-C", clone, "push", "--quiet")
    #expect(laptop.run("sync").output == "synced: sent\n")
  }
}
