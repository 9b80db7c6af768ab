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
@testable import torture

/// Tests syncing with real repositories: its obstacles, and its messages.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct SyncCommandTests: TestOfTwoDevices {
  let devices: TestDevices

  init() throws { devices = try Self.makeDevices() }

  // MARK: The way there and back

  @Test func `changes reach the other device in both directions`() throws {
    try begin()
    #expect(desktop.run("list").output.split(separator: "\n").count == 3)
    #expect(desktop.run("edit", "1", "year=1961").status == 0)
    #expect(desktop.run("sync").output == "synced: 1 file changed here, sent\n")
    #expect(laptop.run("sync").output == "synced: 1 changed on other devices\n")
    #expect(laptop.run("show", "1", "--json").output.contains("1961"))
    #expect(laptop.run("sync").output == "synced: nothing new\n")
    // All that came is one operation.
    #expect(laptop.run("undo").status == 0)
    #expect(!laptop.run("show", "1", "--json").output.contains("1961"))
    #expect(laptop.run("sync").output == "synced: 1 file changed here, sent\n")
  }

  @Test func `a sync after an undone one asks before it deletes items on other devices`() throws {
    try begin()
    desktop.run("add", "book", "--title", "Solaris", "--stars", "4")
    desktop.run("card", "add", "1", "--stars", "3", "-c", "again")
    desktop.run("sync")
    #expect(laptop.run("sync").output == "synced: 1 new, 1 changed on other devices\n")
    #expect(laptop.run("undo").status == 0)
    // The history forgets it, and the sync does not.
    laptop.run("edit", "2", "year=1950")
    let words =
      "a sync was undone on this device, so this sync would remove from the other devices: 1 item, 1 card\n  Solaris\n"
    let dry = laptop.run("--dry-run", "sync")
    #expect(dry.status == 0)
    #expect(dry.errors == "catalog: " + words)
    for _ in 1...2 {
      let run = laptop.run("sync")
      #expect(run.status == 1)
      #expect(
        run.errors.hasPrefix("catalog: \(words)catalog: nothing was sent or removed\nhint: remove it everywhere: "))
    }
    #expect(desktop.run("sync").output == "synced: nothing new\n")
    #expect(laptop.run("sync", "--yes").output == "synced: 3 files changed here, sent\n")
    #expect(desktop.run("sync").output == "synced: 2 changed on other devices, 1 removed on other devices\n")
    // It was asked once.
    laptop.run("remove", "3", "--yes")
    #expect(laptop.run("sync").output == "synced: 1 file changed here, sent\n")
  }

  @Test func `a sync after an undone and redone one does not ask`() throws {
    try begin()
    desktop.run("add", "book", "--title", "Solaris")
    desktop.run("sync")
    laptop.run("sync")
    laptop.run("undo")
    #expect(laptop.run("sync").errors.contains("hint: bring it back: catalog redo; or remove it everywhere"))
    #expect(laptop.run("redo").status == 0)
    laptop.run("remove", "1", "--yes")
    #expect(laptop.run("sync").output == "synced: 1 file changed here, sent\n")
    #expect(desktop.run("list", "solaris").output.contains("Solaris"))
  }

  @Test func `a restored copy of the catalog is compared even with an equal change counter`() throws {
    try begin()
    let (file, copy) = (try #require(laptop.store.path), devices.folder.path("copy.db"))
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    for year in 1961...1966 { laptop.run("edit", "1", "year=\(year)") }
    laptop.run("sync")
    #expect(laptop.run("sync").output == "synced: nothing new\n")
    let counter = try bytes(of: file)[24..<28]
    try bytes(of: copy).withUnsafeBufferPointer { buffer in
      let descriptor = open(file, O_WRONLY | O_TRUNC)
      defer { close(descriptor) }
      try #require(write(descriptor, buffer.baseAddress, buffer.count) == buffer.count)
    }
    let restored = try TestCatalog(path: file)
    restored.places = laptop.places
    for number in 0..<1_000 {
      if try bytes(of: file)[24..<28] == counter { break }
      restored.run("card", "add", "2", "--stars", "3", "card \(number)")
    }
    try #require(try bytes(of: file)[24..<28] == counter)
    #expect(restored.run("sync").output.hasSuffix("1 file changed here, 1 changed on other devices, sent\n"))
    desktop.run("sync")
    #expect(desktop.run("card", "list").output.contains("card 0"))
  }

  private func bytes(of file: String) throws -> [UInt8] {
    Array(try #require(FileManager.default.contents(atPath: file)))
  }

  // MARK: What was ended

  @Test(arguments: [
    ["objects/", "refs/heads/"], ["HEAD.lock", "config.lock"], ["HEAD", "objects/pack/", "refs/tags/"],
    ["config", "objects/info/"], [], [".git/"], [".git/HEAD", ".git/objects/pack/"],
    // By such a file 'git init' learns whether there are links.
    ["HEAD", "tA1b2C3"],
  ])
  func `sync init and sync clone finish a tree that was cut short`(names: [String]) throws {
    try laptop.addThree()
    for (catalog, command) in [(laptop, "init"), (desktop, "clone")] {
      let tree = try #require(catalog.places.tree)
      for name in names + [""] {
        let path = "\(tree)/\(name)"
        if name.isEmpty || name.hasSuffix("/") {
          try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } else {
          try FileManager.default.createDirectory(atPath: path.folder, withIntermediateDirectories: true)
          _ = FileManager.default.createFile(atPath: path, contents: nil)
          var times = [timeval(tv_sec: time(nil) - 60, tv_usec: 0), timeval(tv_sec: time(nil) - 60, tv_usec: 0)]
          utimes(path, &times)
        }
      }
      let waiting = catalog.run("sync")
      #expect(waiting.status == 1)
      #expect(waiting.errors.contains("this catalog is not synced"))
      let run = catalog.run("sync", command, devices.remote)
      #expect(run.status == 0, "\(run.errors)")
      #expect(catalog.run("sync").output == "synced: nothing new\n")
    }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  @Test(arguments: [["objects/", "refs/"], ["HEAD", "config.lock"], ["branches/", "description", "hooks/x.sample"]])
  func `sync init finishes a remote that was cut short`(names: [String]) throws {
    try laptop.addThree()
    for name in names {
      let path = "\(devices.remote)/\(name)"
      try FileManager.default.createDirectory(
        atPath: name.hasSuffix("/") ? path : path.folder, withIntermediateDirectories: true)
      if !name.hasSuffix("/") {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        var times = [timeval(tv_sec: time(nil) - 60, tv_usec: 0), timeval(tv_sec: time(nil) - 60, tv_usec: 0)]
        utimes(path, &times)
      }
    }
    #expect(laptop.run("sync", "init", devices.remote).output == "synced: 8 files changed here, sent\n")
    #expect(desktop.run("sync", "clone", devices.remote).output == "synced: 3 new\n")
  }

  /// Tests a clone that was killed while it set the remote, after all other settings.
  @Test(arguments: ["init", "clone"])
  func `a lock that a killed git left on the settings stops no sync`(command: String) throws {
    try laptop.addThree()
    #expect(laptop.run("sync", "init", devices.remote).status == 0)
    let device = command == "init" ? laptop : desktop
    let tree = SyncTree(path: try #require(device.places.tree))
    if command == "clone" { try tree.make() }
    let lock = tree.gitFolder + "/config.lock"
    _ = FileManager.default.createFile(atPath: lock, contents: nil)
    var times = [timeval(tv_sec: time(nil) - 60, tv_usec: 0), timeval(tv_sec: time(nil) - 60, tv_usec: 0)]
    utimes(lock, &times)
    let run = device.run("sync", command, devices.remote)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: lock))
  }

  @Test func `sync init does not turn a folder with other files into a remote`() throws {
    try laptop.addThree()
    try FileManager.default.createDirectory(atPath: devices.remote + "/objects", withIntermediateDirectories: true)
    try "mine\n".write(toFile: devices.remote + "/objects/mine", atomically: false, encoding: .utf8)
    #expect(laptop.run("sync", "init", devices.remote).status == 3)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: devices.remote).sorted() == ["objects", "objects/mine"])
  }

  @Test func `a clone killed after applying all changes can be finished`() throws {
    try begin()
    let phone = try devices.add("phone")
    // Ended between the write of the catalog and that of the files.
    let tree = SyncTree(path: try #require(phone.places.tree))
    try tree.make()
    try tree.setRemote(devices.remote)
    _ = try tree.fetch(from: devices.remote)
    let commit = try #require(try tree.repository.commit(SyncTree.remote))
    var report = SyncReport()
    try Synchronizer(phone.store, tree: tree, device: "phone") { Timestamp(phone.now) }
      .apply(commit, since: nil, [:], [], &report)
    #expect(try tree.repository.commit(SyncTree.main) == nil)
    #expect(phone.run("sync", "clone", devices.remote).output == "synced: nothing new\n")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: phone))
    #expect(
      phone.run("sync", "clone", devices.remote + "2").errors.contains("this device already has a catalog"))
  }

  @Test func `every device shows the same newest rating, in any order of syncs`() throws {
    let three = try TestDevices([0, 0, 0])
    try three.catalogs[0].addThree()
    try three.begin()
    let noon = Date(timeIntervalSince1970: 1_795_262_400)
    for (place, stars) in ["5", "1", "3"].enumerated() {
      three.catalogs[place].now = noon + Double(place) * 2
      #expect(three.catalogs[place].run("rate", "1", stars).status == 0)
    }
    // Two rate within the same second.
    for catalog in three.catalogs { catalog.now = noon + 60 }
    for (catalog, stars) in zip(three.catalogs, ["2", "4"]) { #expect(catalog.run("rate", "2", stars).status == 0) }
    for _ in 0..<3 { for catalog in three.catalogs { #expect(catalog.run("sync").status == 0) } }
    let clone = try three.add("clone")
    #expect(clone.run("sync", "clone", three.remote, "--device", "clone").status == 0)
    for catalog in three.catalogs {
      #expect(
        catalog.run("list", "id:1..2", "--sort", "id", "--json=rating").output == #"[{"rating":60},{"rating":80}]"#
          + "\n")
      #expect(catalog.run("list", "rating:3", "--json=id").output == #"[{"id":1}]"# + "\n")
    }
  }

  @Test(arguments: [true, false])
  func `an item merged here and changed there stays, with a conflict`(mergerIsFirst: Bool) throws {
    try begin()
    laptop.run("add", "movie", "--title", "Parasite", "--year", "2019", "--creator", "봉준호", "--yes")
    laptop.run("sync")
    desktop.run("sync")
    #expect(laptop.run("merge", "1", "4", "--yes").status == 0)
    #expect(desktop.run("edit", "4", "note=on a plane").status == 0)
    #expect(desktop.run("card", "add", "4", "--stars", "3", "-c", "again").status == 0)
    for catalog in mergerIsFirst ? [laptop, desktop, laptop] : [desktop, laptop, desktop] {
      #expect(catalog.run("sync").status == 0)
    }
    let joiner = mergerIsFirst ? desktop : laptop
    #expect(joiner.run("sync", "conflicts").output.split(separator: "\n").count == 1)
    for catalog in devices.catalogs {
      #expect(catalog.run("sync").output == "synced: nothing new\n")
      #expect(catalog.run("list", "note:plane").output.hasPrefix("4\t"))
      #expect(catalog.run("card", "list").output.contains("again"))
    }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  /// After a merge of three devices, one item can have files under two uids. Copies in both files are different copies.
  @Test func `copies of two items stay two when the items are merged`() throws {
    try begin()
    let source = #""external_id":[{"source":"pack","value":"movie/heat-1995"}]"#
    laptop.run("add", "movie", "--title", "Heat", "--year", "1995", "--yes")
    try laptop.store.db.run("INSERT INTO external_id (item_id, source, value) VALUES (4, 'pack', 'movie/heat-1995')")
    laptop.run("sync")
    let clone = devices.folder.path + "/clone"
    try git("clone", "-q", devices.remote, clone)
    let uid = try #require(try laptop.store.uid(of: ItemID(rawValue: 4)))
    let name = "00000000-0000-7000-8000-000000000001"
    func write(_ uid: String, copy: String) throws {
      let path = "\(clone)/\(TreePath.item(uid).text)"
      try FileManager.default.createDirectory(atPath: path.folder, withIntermediateDirectories: true)
      let item =
        #"{"uid":"\#(uid)","kind":"movie","title":"Heat","year":1995,"created_at":"2026-11-20T09:00:00Z","updated_at":"2026-11-22T09:00:00Z"}"#
      let row = #"{"uid":"\#(copy)","created_at":"2026-11-22T09:00:00Z"}"#
      try #"{"item":\#(item),"movie":{},\#(source),"copy":[\#(row)]}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
    }
    try write(uid, copy: "00000000-0000-7000-8000-00000000000a")
    try write(name, copy: "00000000-0000-7000-8000-00000000000b")
    try git("-C", clone, "add", "-A")
    try git("-C", clone, "commit", "-qm", "as a join of three leaves it")
    try git("-C", clone, "push", "-q")
    #expect(laptop.run("sync").status == 0)
    #expect(try laptop.store.db.value("SELECT count(*) FROM item WHERE title = 'Heat'", as: Int.self) == 1)
    #expect(try laptop.store.db.value("SELECT count(*) FROM copy WHERE item_id = 4", as: Int.self) == 2)
    desktop.run("sync")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  /// The laptop merges its own book with the one that the desktop sent, while a third device edits the latter.
  @Test(arguments: [true, false])
  func `an edit during a merge of duplicates is applied to the merged item`(isUnitedFirst: Bool) throws {
    let dune = ["add", "book", "--title", "Dune", "--isbn", "9780441013593"]
    let late = try devices.add("late", skew: 90)
    try begin()
    #expect(desktop.run(dune + ["--comment", "spice"]).status == 0)
    #expect(desktop.run("sync").status == 0)
    #expect(late.run("sync").status == 0)
    #expect(laptop.run(dune + ["--stars", "4"]).status == 0)
    for line in [
      "edit 4 note=on~a~plane publisher=Ace", "card add 4 --stars 3 -c again", "tag add signed 4", "edit 4 genre+=Emo",
    ] {
      let words = line.split(separator: " ").map { String($0.replacing("~", with: " ")) }
      #expect(late.run(words).status == 0, "\(line)")
    }
    for catalog in isUnitedFirst ? [laptop, late] : [late, laptop] { #expect(catalog.run("sync").status == 0) }
    for _ in 1...2 { for catalog in devices.catalogs { #expect(catalog.run("sync").status == 0) } }
    for catalog in devices.catalogs {
      #expect(catalog.run("sync").output == "synced: nothing new\n")
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
      #expect(catalog.run("list", "dune").output.split(separator: "\n").count == 1)
      for query in ["note:plane", "publisher:ace", "tag:signed", "genre:emo"] {
        #expect(catalog.run("list", query).output.contains("Dune"), "\(query)")
      }
      let cards = catalog.run("card", "list").output
      #expect(["spice", "again", "\t80\t"].allSatisfy(cards.contains), "\(cards)")
    }
  }

  /// The file of an item in the clone of a device.
  private func file(_ title: String, of catalog: TestCatalog) throws -> String {
    let items = try clone(of: catalog) + "/items/"
    let files = try FileManager.default.subpathsOfDirectory(atPath: items).filter { $0.hasSuffix(".json") }
    return try #require(
      files.map { items + $0 }.first {
        try String(contentsOfFile: $0, encoding: .utf8).contains("\"title\": \"\(title)\"")
      })
  }

  /// Declares two items as merged by hand on the laptop.
  private func makeOne(_ title: String, with other: String) throws {
    let uid = try file(other, of: laptop).split(separator: "/").last?.dropLast(5) ?? ""
    try Data("{\n  \"same\": \"\(uid)\"\n}\n".utf8).write(to: URL(filePath: file(title, of: laptop)))
    try push(clone(of: laptop))
  }

  /// The laptop has merged two items and removed the result; `late` has changed both a little meanwhile.
  @Test func `items merged and removed here but changed there stay whole`() throws {
    let late = try devices.add("late", skew: 90)
    try begin()
    #expect(laptop.run("add", "book", "--title", "Solaris", "--stars", "4").status == 0)
    #expect(laptop.run("add", "book", "--title", "Solyaris", "--comment", "ocean", "--genre", "Jazz").status == 0)
    for catalog in [laptop, late, desktop] { #expect(catalog.run("sync").status == 0) }
    try makeOne("Solyaris", with: "Solaris")
    #expect(laptop.run("sync").status == 0)
    #expect(laptop.run("remove", "4", "--yes").status == 0)
    #expect(laptop.run("list", "sol").status == 1, "both are gone")
    for line in ["tag add signed 4", "tag add lent 5"] {
      #expect(late.run(line.split(separator: " ").map(String.init)).status == 0)
    }
    for _ in 1...2 { for catalog in devices.catalogs { #expect(catalog.run("sync").status == 0) } }
    for catalog in devices.catalogs {
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
      for query in ["tag:signed", "tag:lent", "genre:jazz"] {
        #expect(catalog.run("list", query).output.contains("Sol"), "\(query)")
      }
      let cards = catalog.run("card", "list").output
      #expect(["ocean", "\t80\t"].allSatisfy(cards.contains), "\(cards)")
    }
  }

  /// The laptop has merged two items and removed the result. Meanwhile `late` has changed the second item, which stays,
  /// and the desktop the merged one.
  @Test func `an item that is separate again is no longer an alias`() throws {
    let late = try devices.add("late", skew: 90)
    try begin()
    #expect(laptop.run("add", "book", "--title", "Solaris", "--stars", "4").status == 0)
    #expect(laptop.run("add", "book", "--title", "Solyaris", "--comment", "ocean").status == 0)
    for catalog in [laptop, late, desktop] { #expect(catalog.run("sync").status == 0) }
    try makeOne("Solyaris", with: "Solaris")
    for catalog in [laptop, desktop] { #expect(catalog.run("sync").status == 0) }
    #expect(laptop.run("remove", "4", "--yes").status == 0)
    #expect(late.run("tag", "add", "lent", "5").status == 0)
    #expect(desktop.run("tag", "add", "signed", "4").status == 0)
    for _ in 1...4 { for catalog in [laptop, late, desktop] { #expect(catalog.run("sync").status == 0) } }
    for catalog in devices.catalogs {
      #expect(catalog.run("sync").output == "synced: nothing new\n")
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
      #expect(catalog.run("list", "tag:signed").output.contains("Solaris"))
      #expect(catalog.run("list", "tag:lent").output.contains("Solyaris"))
      #expect(catalog.run("list", "sol").output.split(separator: "\n").count == 2)
    }
  }

  @Test func `an alias that two items claim belongs to the same item everywhere`() throws {
    try begin()
    #expect(laptop.run("add", "book", "--title", "Solaris").status == 0)
    #expect(laptop.run("add", "book", "--title", "Eden").status == 0)
    for catalog in [laptop, desktop] { #expect(catalog.run("sync").status == 0) }
    for (catalog, title) in [(laptop, "Eden"), (desktop, "Solaris")] {
      let path = try file(title, of: catalog)
      let text = try String(contentsOfFile: path, encoding: .utf8).trimmingBlanks
      let claim = ",\n  \"aliases\": [\n    \"01a1fd87-5438-700f-a6a2-2f68b238f505\"\n  ]\n}\n"
      try Data((text.dropLast(2) + claim).utf8).write(to: URL(filePath: path))
      try push(clone(of: catalog))
    }
    for _ in 1...4 { for catalog in devices.catalogs { #expect(catalog.run("sync").status == 0) } }
    for catalog in devices.catalogs { #expect(catalog.run("sync").output == "synced: nothing new\n") }
    let files = try TestDevices.files(of: laptop)
    #expect(try TestDevices.files(of: desktop) == files)
    #expect(files.values.count { String(decoding: $0, as: UTF8.self).contains("01a1fd87-5438-700f") } == 1)
  }

  /// The clock of `late` is an hour slow, so the uids of its new rows sort before the older ones.
  @Test func `a new open loan, wish or diary entry replaces a closed one`() throws {
    let late = try devices.add("late", skew: -3_600)
    #expect(laptop.run("add", "book", "--title", "Solaris").status == 0)
    for line in ["copy add 1", "lend c1 to Ann", "wish 1 --yes", "log 1 --ongoing"] {
      #expect(laptop.run(line.split(separator: " ").map(String.init)).status == 0, "\(line)")
    }
    try devices.begin()
    let lines = [
      "return c1", "lend c1 to Bo", "wishes remove w1 --yes", "wish 1 --up-to 9~EUR --yes", "diary edit 1 --dropped",
      "log 1 --ongoing",
    ]
    for line in lines {
      let run = late.run(line.split(separator: " ").map { String($0.replacing("~", with: " ")) })
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
    #expect(late.run("sync").status == 0)
    for catalog in devices.catalogs {
      let run = catalog.run("sync")
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.errors.contains("left alone"), "\(run.errors)")
      #expect(catalog.run("loans").output.contains("Bo"))
      #expect(catalog.run("wishes").output.contains("9"))
      #expect(catalog.run("diary").output.split(separator: "\n").count == 2)
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: late))
    }
  }

  @Test func `an edit by hand can exchange the cards of two diary entries`() throws {
    #expect(laptop.run("add", "book", "--title", "Solaris").status == 0)
    for words in [["-c", "good"], ["-c", "better", "--again"]] {
      #expect(laptop.run(["log", "1"] + words).status == 0)
    }
    try devices.begin()
    let path = try file("Solaris", of: laptop)
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    let entries = lines.indices.filter { lines[$0].contains("\"card\":\"") }
    let cards = entries.map { lines[$0].firstMatch(of: /"card":"([^"]+)"/)?.1.description ?? "" }
    #expect(entries.count == 2)
    #expect(Set(cards).count == 2)
    for (entry, (old, new)) in zip(entries, zip(cards, cards.reversed())) {
      lines[entry] = lines[entry].replacing(old, with: new)
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    try push(clone(of: laptop))
    let run = laptop.run("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("left alone"), "\(run.errors)")
    let said = try #require(TestDevices.files(of: laptop).first { path.hasSuffix($0.key) }?.value)
    #expect(String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init) == lines)
  }

  /// A row that a merge has moved is in the files of two items, but may belong to only one.
  @Test(arguments: [true, false], [["1", "2"], ["2", "1"]])
  func `rows of an item merged here and changed there have the same owner everywhere`(
    mergerIsFirst: Bool, merged: [String]
  ) throws {
    for title in ["기생충", "Parasite"] { laptop.run("add", "movie", "--title", title, "--yes") }
    let goes = merged[1]
    for line in ["log \(goes) --stars 4 -c good", "copy add \(goes) --place K1", "lend c1 to Kim --due 2w"] {
      #expect(laptop.run(line.split(separator: " ").map(String.init)).status == 0, "\(line)")
    }
    try devices.begin()
    #expect(laptop.run(["merge"] + merged + ["--yes"]).status == 0)
    #expect(desktop.run("edit", goes, "note=on a plane").status == 0)
    #expect(desktop.run("card", "edit", "1", "--stars", "5").status == 0)
    for catalog in mergerIsFirst ? [laptop, desktop] : [desktop, laptop] {
      let run = catalog.run("sync")
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.errors.contains("left alone"), "\(run.errors)")
    }
    #expect(try devices.repeatedRows() == [])
    // One that comes now reads both for the first time.
    let late = try devices.add("late")
    #expect(late.run("sync", "init", devices.remote, "--device", "late").status == 0)
    for _ in 1...3 { for catalog in devices.catalogs { #expect(catalog.run("sync").status == 0) } }
    for catalog in devices.catalogs {
      #expect(catalog.run("sync").output == "synced: nothing new\n")
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
      #expect(catalog.run("card", "list").output.contains("\t100\tgood"))
      #expect(catalog.run("diary").output.split(separator: "\n").count == 1)
      #expect(catalog.run("loans").output.split(separator: "\n").count == 1)
      #expect(try catalog.store.db.value("SELECT count(*) FROM card", as: Int.self) == 1)
      #expect(
        try catalog.store.db.value(
          "SELECT count(*) FROM log_entry JOIN card ON card.id = card_id WHERE card.item_id = log_entry.item_id",
          as: Int.self) == 1)
    }
  }

  /// Commands on two devices for an item that one of them merges. `IT` is the item; `ENTRY` and `CARD` are its diary
  /// entry and card.
  private struct Meanwhile {
    /// The commands before the devices diverge, on the merging device, and on the other.
    var before: [String], here: [String], there: [String]
    var list: [String]
    /// Words in the final list.
    var words: [String]

    static let all = [
      Meanwhile(
        before: ["lend cIT to Kim"], here: ["return cIT", "lend cIT to Park"],
        there: ["return cIT", "lend cIT to Lee"],
        list: ["loans", "--all"], words: ["Kim", "Park", "Lee"]),
      Meanwhile(
        before: [], here: [], there: ["copy add IT --place K2", "lend cIT to Choi"], list: ["loans"], words: ["Choi"]),
      Meanwhile(
        before: ["wish IT --note first --yes"], here: ["wish IT --note longer --yes"],
        there: ["GET", "wish IT --note second --yes"], list: ["wishes", "--all"], words: ["longer", "second"]),
      Meanwhile(
        before: ["log IT --page 10 -c slow"], here: ["log IT --page 20 -c quick"],
        there: ["log IT -c done", "log IT --page 5 -c again"], list: ["diary", "--json"],
        words: ["quick", "done", "again"]),
      Meanwhile(
        before: ["log IT"], here: [], there: ["diary edit ENTRY --stars 4 good"], list: ["diary", "--json"],
        words: [#""rating":80"#, #""comment":"good""#]),
      Meanwhile(
        before: ["card add IT --stars 3 -c one"], here: ["card edit CARD --stars 5"], there: ["card edit CARD other"],
        list: ["card", "list"], words: ["100\tother"]),
    ]
  }

  @Test(arguments: [true, false], [true, false])
  func `rows added to an item that another device merged are kept`(mergerIsFirst: Bool, olderGoes: Bool) throws {
    // Each with a copy of its own, and a number that the copy has, too.
    let pairs = Meanwhile.all.enumerated().map { index, meanwhile in
      let (older, newer) = (2 * index + 1, 2 * index + 2)
      return (meanwhile: meanwhile, stays: olderGoes ? newer : older, goes: olderGoes ? older : newer)
    }
    for number in 1...2 * pairs.count { laptop.run("add", "book", "--title", "Book \(number)", "--yes") }
    func perform(_ lines: [String], with it: Int, on catalog: TestCatalog) throws {
      let db = catalog.store.db
      for line in lines {
        catalog.now += 1
        if line == "GET" {
          try catalog.store.write {
            try db.run("UPDATE wish SET fulfilled_at = '2026-11-21T10:00:00Z' WHERE item_id = \(it)")
          }
          continue
        }
        func its(_ table: SQL) throws -> Int {
          try db.value("SELECT id FROM \(table) WHERE item_id = \(it)", as: Int.self) ?? 0
        }
        let words = line.replacing("IT", with: "\(it)").replacing("ENTRY", with: "\(try its("log_entry"))")
          .replacing("CARD", with: "\(try its("card"))")
        let run = catalog.run(words.split(separator: " ").map(String.init))
        #expect(run.status == 0, "\(line): \(run.errors)")
      }
    }
    for pair in pairs { try perform(pair.meanwhile.before, with: pair.goes, on: laptop) }
    try devices.begin()
    for pair in pairs {
      try perform(pair.meanwhile.here, with: pair.goes, on: laptop)
      #expect(laptop.run("merge", "\(pair.stays)", "\(pair.goes)", "--yes").status == 0)
      try perform(pair.meanwhile.there, with: pair.goes, on: desktop)
    }
    for catalog in mergerIsFirst ? [laptop, desktop] : [desktop, laptop] { #expect(catalog.run("sync").status == 0) }
    #expect(try devices.repeatedRows() == [])
    let late = try devices.add("late")
    #expect(late.run("sync", "init", devices.remote, "--device", "late").status == 0)
    for _ in 1...3 {
      for catalog in devices.catalogs {
        let run = catalog.run("sync")
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("left alone"), "\(run.errors)")
      }
    }
    for catalog in devices.catalogs {
      #expect(catalog.run("sync").output == "synced: nothing new\n")
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
      for meanwhile in Meanwhile.all {
        let list = catalog.run(meanwhile.list).output
        for word in meanwhile.words { #expect(list.contains(word), "\(list)") }
      }
    }
  }

  /// A device that has applied the merge gets the other file later. Its version of the card is older than the common
  /// base of both files.
  @Test(arguments: [["1", "2"], ["2", "1"]])
  func `an older file does not revert a card edited after a merge`(
    merged: [String]
  ) throws {
    let devices = try Self.makeDevices()
    let (laptop, desktop) = (devices.catalogs[0], devices.catalogs[1])
    for title in ["Land", "토지"] { laptop.run("add", "book", "--title", title, "--yes") }
    laptop.run("card", "add", merged[1], "--stars", "3", "-c", "early")
    try devices.begin()
    let late = try devices.add("late")
    #expect(late.run("sync", "init", devices.remote, "--device", "late").status == 0)
    laptop.now += 60
    #expect(laptop.run(["merge"] + merged + ["--yes"]).status == 0)
    laptop.now += 60
    #expect(laptop.run("card", "edit", "1", "--stars", "5", "later").status == 0)
    #expect(laptop.run("sync").status == 0)
    #expect(late.run("sync").status == 0)
    late.now += 120
    #expect(late.run("add", "movie", "--title", "Dune", "--yes").status == 0)
    // It goes on with what was merged.
    #expect(desktop.run("edit", merged[1], "year=1969", "--yes").status == 0)
    #expect(desktop.run("sync").status == 0)
    for catalog in [late, laptop, desktop, late, laptop, desktop] {
      #expect(catalog.run("sync").status == 0)
      #expect(try devices.repeatedRows() == [])
    }
    for catalog in devices.catalogs {
      let cards = catalog.run("card", "list").output
      #expect(cards.contains("later"), "\(cards)")
      #expect(cards.contains("100"), "\(cards)")
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
    }
  }

  /// The removal covered the rows that its device knew: those of the item before the merge, and the card as changed.
  @Test(arguments: [["1", "2"], ["2", "1"]])
  func `rows removed here and moved by a merge there stay where they were moved`(merged: [String]) throws {
    for title in ["Land", "토지"] { laptop.run("add", "book", "--title", title, "--no-copy", "--yes") }
    for words in [
      ["card", "add", "IT", "--stars", "3", "-c", "early"], ["copy", "add", "IT"], ["log", "IT"],
      ["wish", "IT", "--yes"],
    ] {
      #expect(laptop.run(words.map { $0 == "IT" ? merged[1] : $0 }).status == 0, "\(words)")
    }
    try devices.begin()
    let tables = ["card", "copy", "log_entry", "wish"]
    func counts(_ catalog: TestCatalog) throws -> [Int?] {
      try tables.map { try catalog.store.db.value("SELECT count(*) FROM \(identifier: $0)", as: Int.self) }
    }
    #expect(try counts(desktop) == [1, 1, 1, 1])
    laptop.now += 60
    #expect(laptop.run("card", "edit", "1", "--stars", "5", "later").status == 0)
    #expect(laptop.run("sync").status == 0)
    for words in [
      ["card", "remove", "1"], ["copy", "remove", "c1"], ["diary", "remove", "1"], ["wishes", "remove", "w1"],
    ] {
      #expect(laptop.run(words + ["--yes"]).status == 0, "\(words)")
    }
    #expect(try counts(laptop) == [0, 0, 0, 0])
    #expect(desktop.run(["merge"] + merged + ["--yes"]).status == 0)
    for catalog in [laptop, desktop, laptop] {
      #expect(catalog.run("sync").status == 0)
      #expect(try devices.repeatedRows() == [])
    }
    for catalog in devices.catalogs {
      #expect(try counts(catalog) == [1, 1, 1, 1])
      #expect(catalog.run("card", "list").output.contains("early"))
    }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  /// One device has moved the card of an entry to another item and entry, and removed the old item. The other has
  /// edited the old item meanwhile, which keeps it and the card.
  @Test(arguments: [true, false]) func `a card that entries of two items claim belongs to one of them`(
    removerIsFirst: Bool
  ) throws {
    for title in ["기생충", "Parasite"] { laptop.run("add", "movie", "--title", title, "--yes") }
    #expect(laptop.run("log", "1", "--stars", "4", "-c", "good").status == 0)
    #expect(laptop.run("log", "2").status == 0)
    try devices.begin()
    try desktop.store.write {
      try desktop.store.db.run("UPDATE log_entry SET card_id = NULL WHERE item_id = 1")
      try desktop.store.db.run("UPDATE card SET item_id = 2")
      try desktop.store.db.run("UPDATE log_entry SET card_id = 1 WHERE item_id = 2")
    }
    #expect(desktop.run("remove", "1", "--yes").status == 0)
    #expect(laptop.run("edit", "1", "note=on a plane").status == 0)
    let late = try devices.add("late")
    #expect(late.run("sync", "init", devices.remote, "--device", "late").status == 0)
    let catalogs = removerIsFirst ? [desktop, laptop, late] : [laptop, desktop, late]
    for catalog in catalogs + catalogs + catalogs {
      let run = catalog.run("sync")
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.errors.contains("left alone"), "\(run.errors)")
      #expect(try devices.repeatedRows() == [])
    }
    for catalog in catalogs {
      #expect(catalog.run("sync").output == "synced: nothing new\n")
      #expect(try TestDevices.files(of: catalog) == TestDevices.files(of: laptop))
      #expect(
        try catalog.store.db.values(
          "SELECT card.item_id = log_entry.item_id FROM card LEFT JOIN log_entry ON card_id = card.id", as: Bool.self)
          == [true])
    }
  }

  @Test func `a second catalog is merged, and an item that both had becomes one`() throws {
    let both = ["add", "book", "--title", "Dune", "--isbn", "9780441013593"]
    #expect(laptop.run(both + ["--stars", "4"]).status == 0)
    #expect(desktop.run(both + ["--comment", "spice"]).status == 0)
    desktop.run("add", "movie", "--title", "Heat")
    try devices.begin()
    laptop.run("sync")
    for catalog in devices.catalogs {
      #expect(catalog.run("list", "dune").output.split(separator: "\n").count == 1)
      #expect(catalog.run("card", "list", "1").output.split(separator: "\n").count == 2)
      #expect(catalog.run("list").output.split(separator: "\n").count == 2)
    }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  @Test(arguments: [true, false])
  func `a changed item that was also added again keeps all values`(
    isChangedHere: Bool
  ) throws {
    let dune = ["book", "--title", "Dune", "--isbn", "9780441013593"]
    #expect(laptop.run(["add"] + dune).status == 0)
    try laptop.store.write {
      _ = try laptop.store.db.run("INSERT INTO external_id (item_id, source, value) VALUES (1, 'openlibrary', 'W1')")
    }
    try devices.begin()
    // There it is changed, and loses its identifier to a second of it.
    desktop.run("edit", "1", "pages=412")
    try desktop.store.write { _ = try desktop.store.db.run("DELETE FROM external_id") }
    #expect(desktop.run("add", "book", "--title", "Arrakis", "--comment", "spice").status == 0)
    try desktop.store.write {
      _ = try desktop.store.db.run(
        "INSERT OR REPLACE INTO external_id (item_id, source, value) SELECT max(id), 'openlibrary', 'W1' FROM item")
    }
    if isChangedHere { laptop.run("edit", "1", "year=1965") }
    #expect(desktop.run("sync").status == 0)
    for catalog in [laptop, desktop, laptop, desktop] { #expect(catalog.run("sync").status == 0) }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    #expect(desktop.run("list").output.split(separator: "\n").count == 1)
    let values = try laptop.store.db.values("SELECT pages FROM book WHERE pages IS NOT NULL", as: Int.self)
    #expect(values == [412])
    #expect(laptop.run("show", "1", "--json").output.contains("1965") == isChangedHere)
  }

  @Test func `the sync report names each file once`() {
    var report = SyncReport()
    let merge = TreeMerge.Result(
      commit: ObjectID(rawValue: "c"), kept: ["items/a.json"], unknownEntries: ["tags.json"],
      unreadable: [("genres.json", DocumentProblem("it is cut short", line: 2))])
    for _ in 0..<3 { report.note(merge) }
    var applied = ApplyResult()
    applied.unreadable = [(.genres, DocumentProblem("it is cut short", line: 2)), (.tags, DocumentProblem("x"))]
    applied.rejected = [(.queries, "no")]
    report.note(applied)
    report.note(applied)
    #expect(report.strange == ["tags.json"])
    #expect(report.kept == ["items/a.json"])
    #expect(report.unreadable.map(\.path) == ["genres.json", "tags.json"])
    #expect(report.applied.rejected.map(\.path) == [.queries])
  }

  @Test func `a long step shows its progress and the time left`() {
    let (errors, clock) = (Output.memory(), Clock())
    var line = WorkLine(on: errors, Terminal(isErrorTerminal: true, width: 100)) { clock.now }
    line.show(.comparing, 0, of: 1_000_000)
    clock.now += .seconds(10)
    line.show(.comparing, 200_000, of: 1_000_000)
    line.show(.applying, 0, of: 500)
    clock.now += .seconds(600)
    line.show(.applying, 50, of: 500)
    line.finish()
    let shown = errors.text
    #expect(shown.contains("Comparing"))
    #expect(shown.contains("200000/1000000  about 41 s left"))
    #expect(shown.contains("Taking"))
    #expect(shown.contains("50/500  about 2 h left"))
    #expect(shown.hasSuffix("\r\u{1B}[K"))
  }

  private final class Clock: @unchecked Sendable {
    var now = Duration.zero
  }

  @Test func `a catalog file copied before the first sync adds no duplicates`() throws {
    try laptop.addThree()
    laptop.run("card", "add", "1", "--stars", "5", "-c", "again")
    laptop.run("log", "1", "--on", "2024")
    laptop.run("add", "movie", "--title", "Heat")
    let copy = devices.folder.path + "/copy.db"
    #expect(laptop.run("backup", copy).status == 0)
    let home = devices.folder.path + "/copied"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: copy, toPath: home + "/catalog.db")
    let copied = try TestCatalog(path: home + "/catalog.db")
    copied.places = Places(environment: ["HOME": home], option: home + "/catalog.db")
    copied.run("card", "add", "2", "--stars", "1", "-c", "new")
    #expect(laptop.run("sync", "init", devices.remote).status == 0)
    #expect(copied.run("sync", "init", devices.remote).status == 0)
    #expect(laptop.run("sync").status == 0)
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: copied))
    for catalog in [laptop, copied] {
      #expect(catalog.run("list").output.split(separator: "\n").count == 4)
      #expect(try catalog.store.db.value("SELECT count(*) FROM card WHERE item_id = 1", as: Int.self) == 1)
      #expect(try catalog.store.db.value("SELECT count(*) FROM log_entry", as: Int.self) == 1)
      #expect(try catalog.store.db.value("SELECT count(*) FROM card WHERE comment = 'new'", as: Int.self) == 1)
    }
  }

  @Test func `without a network the commit stays here and is pushed later`() throws {
    try begin()
    let away = devices.remote + ".away"
    rename(devices.remote, away)
    laptop.run("edit", "1", "year=1961")
    let run = laptop.run("sync")
    #expect(run.status == 3)
    #expect(run.output.contains("1 file changed here"))
    #expect(run.errors.contains("the remote cannot be reached"))
    rename(away, devices.remote)
    #expect(laptop.run("sync").output == "synced: sent\n" || laptop.run("sync").status == 0)
    #expect(desktop.run("sync").output == "synced: 1 changed on other devices\n")
  }

  @Test func `sync --dry-run shows the changes and applies none`() throws {
    try begin()
    laptop.run("edit", "1", "year=1961")
    laptop.run("sync")
    desktop.run("edit", "2", "year=1950")
    let before = try Undoing.rows(of: desktop.store.db)
    #expect(desktop.run("sync", "--dry-run").output == "would sync: 1 file changed here, 1 changed on other devices\n")
    #expect(try Undoing.rows(of: desktop.store.db) == before)
    #expect(desktop.run("sync").output == "synced: 1 file changed here, 1 changed on other devices, sent\n")
  }

  @Test func `a bundle works as a remote`() throws {
    try laptop.addThree()
    let bundle = devices.folder.path + "/catalog.bundle"
    #expect(laptop.run("sync", "init", bundle).status == 0)
    #expect(desktop.run("sync", "init", bundle).status == 0)
    #expect(desktop.run("list").output.split(separator: "\n").count == 3)
    desktop.run("edit", "1", "year=1961")
    desktop.run("sync")
    #expect(laptop.run("sync").output == "synced: 1 changed on other devices\n")
  }

  // MARK: What was said differently

  @Test func `a conflict is reported, stored and can be resolved`() throws {
    try begin()
    laptop.run("edit", "1", "year=1961")
    desktop.run("edit", "1", "year=1962")
    laptop.run("sync")
    let run = desktop.run("sync")
    #expect(run.errors.contains("year of "))
    #expect(run.errors.contains("1962 here, 1961 on device0: kept 1962"))
    let list = desktop.run("sync", "conflicts").output
    #expect(list.contains("item year\t1962\t1961\tdevice0\tmine"))
    #expect(desktop.run("sync", "conflicts", "1", "--take", "theirs").status == 0)
    #expect(desktop.run("show", "1", "--json").output.contains("1961"))
    #expect(desktop.run("sync", "conflicts").status == 1)
    desktop.run("sync")
    laptop.run("sync")
    #expect(laptop.run("show", "1", "--json").output.contains("1961"))
  }

  @Test func `an item removed here and changed there stays`() throws {
    try begin()
    laptop.run("remove", "1", "--yes")
    desktop.run("card", "add", "1", "--stars", "5")
    laptop.run("sync")
    #expect(desktop.run("sync").errors.contains("was changed here and removed on device0: it stays"))
    laptop.run("sync")
    #expect(laptop.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `a kept pile or item can be removed by resolving the conflict`() throws {
    try begin()
    laptop.run("pile", "add", "next", "1", "2")
    laptop.run("sync")
    desktop.run("sync")
    laptop.run("pile", "remove", "next", "--all", "--yes")
    laptop.run("remove", "3", "--yes")
    laptop.run("sync")
    desktop.run("pile", "move", "next", "2", "first")
    desktop.run("edit", "3", "year=1961")
    #expect(desktop.run("sync").errors.contains("next was changed here and removed on device0: it stays"))
    #expect(desktop.run("pile", "list").output == "next\t2\n")
    for number in ["1", "2"] { #expect(desktop.run("sync", "conflicts", number, "--take", "theirs").status == 0) }
    #expect(desktop.run("pile", "list").output.isEmpty)
    #expect(desktop.run("list").output.split(separator: "\n").count == 2)
    desktop.run("sync")
    laptop.run("sync")
    #expect(laptop.run("pile", "list").output.isEmpty)
    #expect(laptop.run("list").output.split(separator: "\n").count == 2)
  }

  @Test func `an item removed here and unchanged there is removed there`() throws {
    try begin()
    laptop.run("remove", "1", "--yes")
    laptop.run("sync")
    #expect(desktop.run("sync").output == "synced: 1 removed on other devices\n")
    #expect(desktop.run("list").output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    // A chain of which each knows a part, a ring, a work that was removed, and one whose place another takes.
    (["edition add 1 2"], ["edition add 2 3"], ["Dune"]),
    (["edition add 1 2"], ["edition add 2 1"], ["Dune"]),
    (["edition add 1 2"], ["remove 1 --yes"], []),
    (["edition add 1 2", "sync", "edition remove 2", "edition add 2 1"], ["list"], ["Heat"]),
  ])
  func `editions linked on two devices belong to one work`(mine: [String], others: [String], works: [String]) throws {
    for title in ["Dune", "Heat", "Night"] { laptop.run("add", "book", "--title", title, "--yes") }
    try devices.begin()
    for (catalog, lines) in [(laptop, mine), (desktop, others)] {
      for line in lines { #expect(catalog.run(line.split(separator: " ").map(String.init)).status == 0, "\(line)") }
    }
    for _ in 1...3 {
      for catalog in [laptop, desktop] {
        let run = catalog.run("sync")
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("left alone"), "\(run.errors)")
        // One that comes now has never heard of what is gone.
        let late = try devices.add("late\(devices.catalogs.count)")
        let first = late.run("sync", "init", devices.remote, "--device", "late")
        #expect(first.status == 0, "\(first.errors)")
        #expect(!first.errors.contains("left alone"), "\(first.errors)")
      }
    }
    for catalog in devices.catalogs { catalog.run("sync") }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    for catalog in devices.catalogs {
      #expect(catalog.run("sync").output == "synced: nothing new\n")
      let found = try catalog.store.db.values(
        "SELECT DISTINCT title FROM edition_of JOIN item ON item.id = work_id", as: String.self)
      #expect(found == works)
    }
  }

  @Test func `a genre can be moved below its former child`() throws {
    laptop.run("add", "book", "--title", "Dune", "--genre", "Above", "--genre", "Below", "--yes")
    #expect(laptop.run("genre", "parent", "Below", "Above", "--yes").status == 0)
    try devices.begin()
    laptop.run("genre", "parent", "Below", "--root", "--yes")
    #expect(laptop.run("genre", "parent", "Above", "Below", "--yes").status == 0)
    laptop.run("sync")
    #expect(desktop.run("sync").errors == "")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    // Each puts one under the other.
    for (catalog, one, other) in [(laptop, "Jazz", "Drama"), (desktop, "Drama", "Jazz")] {
      #expect(catalog.run("genre", "parent", one, other, "--yes").status == 0)
    }
    for _ in 1...3 { for catalog in devices.catalogs { #expect(!catalog.run("sync").errors.contains("left alone")) } }
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  // MARK: Remotes that are not as they were

  @Test func `an emptied remote deletes nothing and is filled again`() throws {
    try begin()
    let clone = devices.folder.path + "/clone"
    try git("clone", "--quiet", devices.remote, clone)
    try git("-C", clone, "rm", "--quiet", "-r", "items")
    try git("-C", clone, "commit", "--quiet", "-m", "empty")
    try git("-C", clone, "push", "--quiet")
    let run = laptop.run("sync")
    #expect(run.errors.contains("3 files are missing on other devices without having been removed, and kept"))
    #expect(laptop.run("list").output.split(separator: "\n").count == 3)
    desktop.run("sync")
    #expect(desktop.run("list").output.split(separator: "\n").count == 3)
    try git("-C", clone, "pull", "--quiet")
    let items = try FileManager.default.subpathsOfDirectory(atPath: clone + "/items").filter { $0.hasSuffix(".json") }
    #expect(items.count == 3)
  }

  @Test func `a rewritten remote is merged, and a new one is filled`() throws {
    try begin()
    laptop.run("edit", "1", "year=1961")
    laptop.run("sync")
    // The last commit is thrown away.
    try git("-C", devices.remote, "update-ref", "refs/heads/main", "main~1")
    desktop.run("edit", "2", "year=1962")
    #expect(desktop.run("sync").status == 0)
    #expect(laptop.run("sync").status == 0)
    desktop.run("sync")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    #expect(desktop.run("show", "1", "--json").output.contains("1961"))
    try FileManager.default.removeItem(atPath: devices.remote)
    try git("init", "--quiet", "--bare", "--initial-branch=main", devices.remote)
    #expect(laptop.run("sync").output == "synced: sent\n")
    #expect(desktop.run("sync").status == 0)
    #expect(desktop.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `a deleted tree is created again, and a restored catalog loses nothing`() throws {
    try begin()
    let backup = devices.folder.path + "/backup.db"
    #expect(laptop.run("backup", backup).status == 0)
    laptop.run("edit", "1", "year=1961")
    laptop.run("sync")
    try FileManager.default.removeItem(atPath: try #require(laptop.places.tree))
    laptop.run("edit", "2", "year=1962")
    #expect(laptop.run("sync", "init", devices.remote).status == 0)
    desktop.run("sync")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    // The laptop goes back to before, and goes on from there.
    let restored = try devices.add("restored")
    try FileManager.default.removeItem(atPath: devices.folder.path + "/restored/catalog.db")
    try FileManager.default.copyItem(atPath: backup, toPath: devices.folder.path + "/restored/catalog.db")
    let again = try TestCatalog(path: devices.folder.path + "/restored/catalog.db")
    again.places = restored.places
    again.run("edit", "3", "year=1963")
    #expect(again.run("sync", "init", devices.remote).status == 0)
    #expect(again.run("show", "1", "--json").output.contains("1961"))
    desktop.run("sync")
    #expect(try TestDevices.files(of: again) == TestDevices.files(of: desktop))
    #expect(desktop.run("show", "3", "--json").output.contains("1963"))
  }

  // MARK: Files that people touch

  /// Begins with three items on both devices.
  ///
  /// - Returns: their numbers in the order of their uids, in which their files are read and written.
  private func beginWithThree() throws -> [Int] {
    for title in ["토지", "Land", "채식주의자"] { laptop.run("add", "book", "--title", title, "--yes") }
    try devices.begin()
    return try laptop.store.db.values(
      "SELECT row_id FROM identity WHERE table_name = 'item' ORDER BY uid", as: Int.self)
  }

  /// The files of all items in the laptop's clone, in the order of their uids.
  private func files() throws -> [String] {
    let tree = try clone(of: laptop)
    return try laptop.store.db.values(
      "SELECT uid FROM identity WHERE table_name = 'item' ORDER BY uid", as: String.self
    ).map { "\(tree)/\(TreePath.item($0).text)" }
  }

  /// Adds a row to a list of a file.
  private func add(_ table: String, _ row: Substring, to file: String) throws {
    let (text, list) = (try String(contentsOfFile: file, encoding: .utf8), "\"\(table)\": [\n")
    let said =
      text.contains(list)
      ? text.replacing(list, with: "\(list)    \(row),\n")
      : text.replacing(/^{/, with: "{\n  \(list)    \(row)\n  ],")
    try said.write(toFile: file, atomically: true, encoding: .utf8)
  }

  /// The second item has a card of the third, and the third a copy of the first. Whatever happens to the card, the copy
  /// stays with the first, with the texts of both.
  @Test func `rows shared by three items are assigned pairwise`() throws {
    let ids = try beginWithThree()
    #expect(laptop.run("copy", "add", "\(ids[0])", "--note", "up here").status == 0)
    #expect(laptop.run("card", "add", "\(ids[2])", "--stars", "4").status == 0)
    #expect(laptop.run("sync").status == 0)
    let files = try files()
    func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
    let copy = try #require(try text(files[0]).firstMatch(of: /{.*"up here".*}/)).output
    let card = try #require(try text(files[2]).firstMatch(of: /{.*"rating".*}/)).output
    try add("copy", copy.replacing("up here", with: "there")[...], to: files[2])
    try add("card", card, to: files[1])
    try push(clone(of: laptop))
    let run = laptop.run("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("left alone"), "\(run.errors)")
    #expect(try laptop.store.db.values("SELECT item_id FROM card", as: Int.self) == [ids[1]])
    #expect(
      try laptop.store.db.values(
        "SELECT item_id FROM copy WHERE note = 'there' || char(10, 10) || 'up here'", as: Int.self)
        == [ids[0]])
    #expect(desktop.run("sync").status == 0)
    #expect(try TestDevices.files(of: desktop) == TestDevices.files(of: laptop))
  }

  /// The second item has an entry of the first, and with it a former card of the third; the first has not changed.
  @Test func `an entry assigned to an unchanged item keeps a card from a third item`() throws {
    let ids = try beginWithThree()
    #expect(laptop.run("log", "\(ids[0])", "--on", "2026-11").status == 0)
    #expect(laptop.run("card", "add", "\(ids[2])", "--stars", "4").status == 0)
    #expect(laptop.run("sync").status == 0)
    let files = try files()
    func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
    let entry = try #require(try text(files[0]).firstMatch(of: /{.*"started_on".*}|{.*"ended_on".*}/)).output
    let card = try #require(try text(files[2]).firstMatch(of: /{.*"rating".*}/)).output
    let uid = try #require(card.firstMatch(of: /"uid": ?"([^"]*)"/)).output.1
    try add("log_entry", entry.replacing(/}$/, with: ", \"card\": \"\(uid)\"}")[...], to: files[1])
    try add("card", card, to: files[1])
    try text(files[2]).replacing(#/\x20\x20"card": \[[^\]]*\],?\n/#, with: "")
      .write(toFile: files[2], atomically: true, encoding: .utf8)
    try push(clone(of: laptop))
    let run = laptop.run("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("left alone"), "\(run.errors)")
    #expect(try laptop.store.db.values("SELECT item_id FROM card", as: Int.self) == [ids[0]])
    #expect(
      try laptop.store.db.values("SELECT item_id FROM log_entry WHERE card_id IS NOT NULL", as: Int.self) == [ids[0]])
    #expect(desktop.run("sync").status == 0)
    #expect(try TestDevices.files(of: desktop) == TestDevices.files(of: laptop))
  }

  @Test func `an edit by hand is merged, and an invalid one is reported with its line`() throws {
    try begin()
    let tree = try clone(of: laptop)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: tree + "/items").filter { $0.hasSuffix(".json") }
      .sorted()
    func edit(_ path: String, _ change: (String) -> String) throws {
      let text = try String(contentsOfFile: "\(tree)/items/\(path)", encoding: .utf8)
      try change(text).write(toFile: "\(tree)/items/\(path)", atomically: true, encoding: .utf8)
    }
    func adding(_ field: String, to text: String) -> String {
      text.replacing("\"kind\":", with: "\(field),\n    \"kind\":")
    }
    try edit(paths[0]) { adding("\"url\": \"https://example.com\"", to: $0) }
    try edit(paths[1]) { $0.replacing("\"kind\":", with: "\"kind\"") }
    try edit(paths[2]) { adding("\"public_votes\": -5", to: $0) }
    try push(tree)
    let run = laptop.run("sync")
    #expect(run.status == 0)
    #expect(run.errors.contains("\(paths[1]), line 4, cannot be read and was written anew"))
    #expect(run.errors.contains("\(paths[2]) cannot be kept and was left alone"))
    #expect(try laptop.store.db.value("SELECT count(*) FROM item WHERE url = 'https://example.com'", as: Int.self) == 1)
    // It is mended, and edited anew.
    try git("-C", tree, "pull", "--quiet", "--ff-only")
    try edit(paths[1]) { adding("\"url\": \"https://example.org\"", to: $0) }
    try push(tree)
    #expect(laptop.run("sync").status == 0)
    #expect(try laptop.store.db.value("SELECT count(*) FROM item WHERE url = 'https://example.org'", as: Int.self) == 1)
  }

  @Test func `a sync does not follow links, and leaves other files alone`() throws {
    try begin()
    let clone = devices.folder.path + "/clone"
    try git("clone", "--quiet", devices.remote, clone)
    let secret = devices.folder.path + "/secret.json"
    try "{}".write(toFile: secret, atomically: true, encoding: .utf8)
    unlink(clone + "/tags.json")
    symlink(secret, clone + "/tags.json")
    symlink("/etc", clone + "/piles")
    try "notes".write(toFile: clone + "/notes.txt", atomically: true, encoding: .utf8)
    try git("-C", clone, "add", "--all")
    try git("-C", clone, "commit", "--quiet", "-m", "links")
    try git("-C", clone, "push", "--quiet")
    let run = laptop.run("sync")
    #expect(run.status == 0)
    #expect(run.errors.contains("tags.json is not a regular file, and was left unchanged"))
    let tree = try #require(laptop.places.tree)
    #expect(try git("-C", tree, "cat-file", "blob", "main:tags.json") == secret)
    #expect(try git("-C", tree, "ls-tree", "--name-only", "main").contains("notes.txt"))
  }

  @Test func `members that only a newer version knows survive edits by an older one`() throws {
    try begin()
    let clone = devices.folder.path + "/clone"
    try git("clone", "--quiet", devices.remote, clone)
    let path = try #require(
      FileManager.default.subpathsOfDirectory(atPath: clone + "/items").first { $0.hasSuffix(".json") })
    let file = "\(clone)/items/\(path)"
    let newer = try String(contentsOfFile: file, encoding: .utf8)
      .replacing("\"kind\":", with: "\"mood\": \"calm\",\n    \"kind\":")
      .replacing("{\n  \"item\"", with: "{\n  \"aura\": {\"colour\":\"red\"},\n  \"item\"")
    try newer.write(toFile: file, atomically: true, encoding: .utf8)
    try git("-C", clone, "commit", "--quiet", "--all", "-m", "newer")
    try git("-C", clone, "push", "--quiet")
    laptop.run("sync")
    for number in ["1", "2", "3"] { laptop.run("edit", number, "year=1950") }
    laptop.run("sync")
    desktop.run("sync")
    try git("-C", clone, "pull", "--quiet")
    let kept = try String(contentsOfFile: file, encoding: .utf8)
    #expect(kept.contains("\"mood\": \"calm\""))
    #expect(kept.contains("\"colour\": \"red\""))
    #expect(kept.contains("1950"))
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  @Test func `sync join merges a file by the rules of a sync`() throws {
    let folder = devices.folder.path
    for (name, text) in [
      ("b", #"{"item":{"title":"x","year":1}}"#), ("o", #"{"item":{"title":"x","year":2}}"#),
      ("t", #"{"item":{"title":"x","year":1,"url":"u"}}"#),
    ] {
      try text.write(toFile: "\(folder)/\(name).json", atomically: true, encoding: .utf8)
    }
    #expect(laptop.run("sync", "join", "\(folder)/b.json", "\(folder)/o.json", "\(folder)/t.json").status == 0)
    let joined = try Document(parsing: Array(try Data(contentsOf: URL(filePath: "\(folder)/o.json"))))
    #expect(
      joined["item"]
        == .object(Document([.init("title", .text("x")), .init("year", .integer(2)), .init("url", .text("u"))])))
  }

  @Test func `wishes, saved queries and piles are synced, with later changes`() throws {
    try begin()
    laptop.run("wish", "something", "nobody", "knows", "--up-to", "10 EUR", "--yes")
    laptop.run("shelf", "save", "old", "year:..1950")
    laptop.run("pile", "add", "next", "1", "2")
    laptop.run("sync")
    desktop.run("sync")
    #expect(desktop.run("wishes").output.contains("something nobody knows"))
    laptop.run("wishes", "edit", "1", "--up-to", "20 EUR")
    try laptop.store.db.run("UPDATE wish SET price_limit = 2000")
    laptop.run("pile", "move", "next", "2", "first")
    laptop.run("shelf", "save", "old", "year:..1940", "--yes")
    laptop.run("sync")
    let run = desktop.run("sync")
    #expect(run.errors == "")
    #expect(try desktop.store.db.value("SELECT price_limit FROM wish", as: Int.self) == 2_000)
    #expect(try desktop.store.db.value("SELECT query FROM saved_query", as: String.self)?.contains("1940") == true)
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    laptop.run("pile", "remove", "next", "1", "2")
    laptop.run("sync")
    desktop.run("sync")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  // MARK: Covers

  @Test func `covers are synced, and a device without covers removes none`() throws {
    try laptop.addThree()
    let cover = Cover(
      bytes: Array("a picture".utf8), mediaType: "image/jpeg", width: 2, height: 3, sourceURL: nil, etag: nil)
    try laptop.store.setCover(cover, of: ItemID(rawValue: 1))
    #expect(laptop.run("sync", "init", devices.remote).status == 0)
    #expect(desktop.run("sync", "init", devices.remote, "--no-covers").status == 0)
    let phone = try devices.add("phone")
    #expect(phone.run("sync", "clone", devices.remote).status == 0)
    #expect(try phone.store.cover(of: ItemID(rawValue: 1))?.bytes == cover.bytes)
    #expect(try desktop.store.cover(of: ItemID(rawValue: 1)) == nil)
    #expect(try git("-C", devices.remote, "ls-tree", "-r", "--name-only", "main").contains("covers/"))
    // One without covers changes the item, and one with them another part.
    desktop.run("edit", "1", "year=1961")
    desktop.run("sync")
    phone.run("sync")
    #expect(try phone.store.cover(of: ItemID(rawValue: 1))?.bytes == cover.bytes)
    #expect(phone.run("show", "1", "--json").output.contains("1961"))
    #expect(desktop.run("sync").output == "synced: nothing new\n")
    // A merge takes the cover along.
    #expect(phone.run("merge", "2", "1", "--yes").status != 0)
    phone.run("add", "movie", "--title", "기생충", "--year", "2019", "--yes")
    #expect(phone.run("merge", "4", "1", "--yes").status == 0)
    #expect(phone.run("undo").status == 0)
    // A cover that one device removes is gone on all.
    try phone.store.write { _ = try phone.store.db.run("DELETE FROM cover WHERE item_id = 1") }
    phone.run("sync")
    laptop.run("sync")
    #expect(try laptop.store.cover(of: ItemID(rawValue: 1)) == nil)
  }

  @Test func `a cover is found by its bytes, with any media type`() throws {
    try laptop.addThree()
    let cover = Cover(
      bytes: Array("a picture".utf8), mediaType: "image/jpeg", width: 2, height: 3, sourceURL: nil, etag: nil)
    try laptop.store.setCover(cover, of: ItemID(rawValue: 1))
    #expect(laptop.run("sync", "init", devices.remote).status == 0)
    try laptop.store.write { _ = try laptop.store.db.run("UPDATE cover SET media_type = 'image/png'") }
    #expect(laptop.run("sync").status == 0)
    #expect(desktop.run("sync", "clone", devices.remote).status == 0)
    #expect(try desktop.store.cover(of: ItemID(rawValue: 1))?.bytes == cover.bytes)
    // An unused one stays in the tree: the history keeps it anyway.
    try laptop.store.write { _ = try laptop.store.db.run("DELETE FROM cover") }
    #expect(laptop.run("sync").status == 0)
    #expect(try git("-C", devices.remote, "ls-tree", "-r", "--name-only", "main").contains("covers/"))
    #expect(desktop.run("sync").output == "synced: 1 changed on other devices\n")
    #expect(try desktop.store.cover(of: ItemID(rawValue: 1)) == nil)
  }

  // MARK: Keys

  @Test func `the repository contains no key in any file or message`() throws {
    laptop.environment = ["CATALOG_TMDB_TOKEN": "TOP-SECRET-TOKEN"]
    try laptop.configure("copies.currency", "KRW")
    try begin()
    laptop.run("source", "key", "tmdb", "--from", "env:TOP-SECRET-TOKEN")
    laptop.run("sync")
    let all = try git("-C", devices.remote, "log", "-p", "--all", "--text", "--format=raw", "--root")
    #expect(!all.contains("TOP-SECRET"))
    #expect(all.contains("items/"))
    let names = try git("-C", devices.remote, "ls-tree", "-r", "--name-only", "main")
    for name in names.split(separator: "\n") {
      #expect(TreePath(String(name)) != nil || ["README.md", ".gitattributes"].contains(name))
    }
  }

  @Test func `a password in an address is rejected, and never shown`() throws {
    let address = "https://ann:secret@127.0.0.1:1/c.git"
    for command in ["init", "clone"] {
      let run = laptop.run("sync", command, address)
      #expect(run.status == 2)
      #expect(run.errors.contains("the address contains a password, which others could read"))
      #expect(run.errors.contains("git config --global credential.helper store; then name https://127.0.0.1:1/c.git"))
      #expect(!(run.errors + run.output).contains("secret"))
    }
    #expect(try !SyncTree(path: #require(laptop.places.tree)).exists)
    #expect(!laptop.run("history").output.contains("secret"))
    try begin()
    let tree = try SyncTree(path: #require(laptop.places.tree))
    try tree.setRemote(address)
    for words in [["sync"], ["sync", "status"], ["sync", "--dry-run"]] {
      let run = laptop.run(words)
      #expect(!(run.errors + run.output).contains("secret"), "\(words)")
    }
    #expect(laptop.run("sync").status == 3)
    #expect(laptop.run("sync", "status").output.contains("remote    https://127.0.0.1:1/c.git"))
    let other = laptop.run("--dry-run", "sync", "init", "https://ann@example.org/c.git")
    #expect(other.output.contains("with 'https://example.org/c.git'"))
  }

  @Test(arguments: [
    ("", "the name of the device is empty"), ("  ", "the name of the device is empty"),
    ("a\nDevice: b", "a device's name is one line"), ("a\u{1B}[31m", "a device's name is one line"),
    ("a\u{202E}b", "a device's name is one line"), ("a\u{2028}b", "a device's name is one line"),
    (String(repeating: "x", count: 61), "a device's name has at most 60 characters"),
  ])
  func `an invalid device name is rejected`(name: String, words: String) throws {
    let run = laptop.run("sync", "init", "--device", name)
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try !SyncTree(path: #require(laptop.places.tree)).exists)
  }

  @Test func `a device name may be long and in any script`() throws {
    let name = String(repeating: "거실 ", count: 20).trimmingPrefix(" ").dropLast()
    #expect(laptop.run("sync", "init", devices.remote, "--device", String(name)).status == 0)
    #expect(laptop.run("sync", "status").output.contains("device    \(name)\n"))
    #expect(try git("-C", devices.remote, "log", "-1", "--format=%(trailers:key=Device,valueonly)").contains(name))
  }

  // MARK: How it was

  @Test func `the history of an item lists only the changes that each device made`() throws {
    try begin()
    desktop.run("card", "add", "1", "--stars", "5")
    laptop.run("edit", "1", "year=1961")
    desktop.run("sync")
    laptop.run("sync")
    // But for the time.
    let lines = laptop.run("history", "1", "--device").output.split(separator: "\n")
      .map { $0.split(separator: "\t").dropFirst().joined(separator: "\t") }
    #expect(lines.count == 3)
    #expect(lines.last == "device0\t+")
    #expect(Set(lines.dropLast()) == ["device0\tyear: 2019 → 1961", "device1\tcard: - → 100 half"])
  }

  @Test func `history names the device of a change, and restore writes an earlier day`() throws {
    try begin()
    desktop.run("edit", "1", "year=1961")
    desktop.run("card", "add", "1", "--stars", "5")
    desktop.run("sync")
    laptop.run("sync")
    let history = laptop.run("history", "1", "--device").output
    #expect(history.contains("device1"))
    #expect(history.contains("→ 1961"))
    #expect(history.contains("card: - → 100"))
    #expect(history.split(separator: "\n").count >= 2)
    #expect(laptop.run("history", "--device").status == 2)
    let file = devices.folder.path + "/then.db"
    // The clock of the tests stands at another day than git's.
    let day = try git("-C", devices.remote, "log", "-1", "--format=%cd", "--date=format:%Y-%m-%d", "main").prefix(10)
    #expect(laptop.run("restore", "--at", "2001-01-01", file).status == 1)
    #expect(laptop.run("restore", "--at", "2001", file).status == 2)
    let own = try #require(laptop.store.path)
    for ending in ["", "-journal", "-wal", "-shm"] {
      #expect(laptop.run("restore", "--at", String(day), own + ending).status == 1)
      #expect(FileKind(of: own + ending) == (ending.isEmpty ? .file : .missing))
    }
    #expect(laptop.run("restore", "--at", String(day), file).status == 0)
    #expect(laptop.run("restore", "--at", String(day), file).status == 1)
    let then = try Store.open(at: file, for: .reading)
    #expect(try then.db.value("SELECT year FROM item WHERE id = 1", as: Int.self) == 1961)
    #expect(try then.db.value("SELECT count(*) FROM item", as: Int.self) == 3)
  }

  // MARK: What may be typed

  @Test func `an impossible sync command names the next command`() throws {
    #expect(laptop.run("sync").errors.contains("hint: start with: catalog sync init REMOTE"))
    #expect(laptop.run("sync", "clone", devices.remote).status != 0)
    laptop.run("add", "movie", "--title", "Heat")
    #expect(laptop.run("sync", "clone", devices.remote).errors.contains("this device already has a catalog"))
    #expect(laptop.run("sync", "conflicts", "9").errors.contains("there is no conflict 9"))
    #expect(laptop.run("sync", "conflicts", "--take", "mine").status == 2)
    #expect(laptop.run("sync", "conflicts", "1", "--take", "yours").status == 2)
    #expect(laptop.run("sync", "--every", "often").status == 2)
    #expect(laptop.run("sync", "join", "/nowhere", "/nowhere", "/nowhere").status == 1)
  }
}
