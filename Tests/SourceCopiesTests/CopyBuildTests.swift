import CatalogModel
import Foundation
import Lookup
import SQLite
import TestSupport
import Testing

@testable import SourceCopies

struct CopyBuildTests {
  /// Dumps with enough records that a build has many moments.
  private static let dumps: [String: (Dump, [String: String])] = [
    "imdb": (.imdb, imdb(1_000)), "discogs": (.discogs, discogs(700)), "openlibrary": (.openLibrary, works(700)),
    "musicbrainz": (.musicBrainz, [:]),
  ]

  static func title(_ number: Int) -> String {
    let words = ["Night", "River", "Blue", "Garden", "기생충", "바다", "Echo", "Ash", "Björk", "Train", "of", "the"]
    return (0...(number % 4)).map { words[(number * 7 + $0 * 5 + number / 12) % words.count] }.joined(separator: " ")
  }

  private static func imdb(_ count: Int) -> [String: String] {
    var files = IMDbDumpTests.files
    for number in 1...count {
      let id = "tt\(1_000_000 + number)"
      files["title.basics.tsv", default: ""] += table([
        [
          id, number % 5 == 0 ? "short" : "movie", title(number), title(number), "0", "\(1950 + number % 70)", "\\N",
          "90", "Drama",
        ]
      ])
      files["title.ratings.tsv", default: ""] += table([[id, "7.1", "\(number * 7919 % 1_000)"]])
      files["title.crew.tsv", default: ""] += table([[id, "nm\(500 + number % 40)", "\\N"]])
      files["title.akas.tsv", default: ""] += table([
        [id, "1", "제목 \(number)", "KR", "\\N", "imdbDisplay", "\\N", "0"]
      ])
    }
    for number in 0..<40 {
      files["name.basics.tsv", default: ""] += table([
        ["nm\(500 + number)", "Person \(number)", "\\N", "\\N", "\\N", "\\N"]
      ])
    }
    return files
  }

  private static func discogs(_ count: Int) -> [String: String] {
    var (masters, releases) = ("<masters>\n", "<releases>\n")
    for number in 1...count {
      let artists = "<artists><artist><id>\(number % 50 + 1)</id><name>Artist \(number % 50)</name></artist></artists>"
      masters += "<master id=\"\(number)\">\(artists)<year>1980</year><title>\(title(number))</title></master>\n"
      releases += """
        <release id="\(number)">\(artists)<title>\(title(number))</title><labels><label name="Label \(number % 9)" \
        catno="L \(number)" id="\(number % 9 + 1)"/></labels><formats><format name="Vinyl" qty="1"/></formats>\
        <master_id>\(number % 3 == 0 ? 0 : number * 31 % count)</master_id></release>\n
        """
      if number % 100 == 0 { releases += "<release id=\"9\"><title>damaged\n" }
    }
    return ["masters.xml": masters + "</masters>\n", "releases.xml": releases + "</releases>\n"]
  }

  private static func works(_ count: Int) -> [String: String] {
    var (works, editions) = ("", "")
    for number in 1...count {
      works +=
        "/type/work\t/works/OL\(number)W\t1\t2020\t{\"title\": \"\(title(number))\", \"subjects\": [\"Fiction\"]}\n"
      editions +=
        "/type/edition\t/books/OL\(number)M\t1\t2020\t{\"works\": [{\"key\": \"/works/OL\(number * 31 % count)W\"}]}\n"
    }
    return ["works.txt": works, "editions.txt": editions]
  }

  private struct Stopped: Error {}

  /// Builds with an error at every n-th call, and goes on each time, until the copy is there.
  private func finish(_ build: CopyBuild, stoppingEvery calls: Int) throws -> Int {
    var stops = 0
    while true {
      var count = 0
      do {
        try build.run { _ in
          count += 1
          if count == calls { throw Stopped() }
        }
        return stops
      } catch is Stopped {
        stops += 1
        try #require(stops < 10_000)
      }
    }
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func made(_ name: String) throws -> MadeDump {
    if name == "musicbrainz" { return try MusicBrainzDumpTests.made() }
    let (dump, files) = try #require(Self.dumps[name])
    return try MadeDump(dump, files)
  }

  @Test(arguments: ["imdb", "discogs", "openlibrary", "musicbrainz"])
  func `a build that is interrupted again and again makes the file of an undisturbed build`(_ name: String) throws {
    let made = try made(name)
    let whole = try bytes(made.build().run().path)
    #expect(whole.count > 10_000)
    // Each run must get behind a commit, or it would never end.
    // The tables of MusicBrainz are short.
    for (rows, calls) in name == "musicbrainz" ? [(1, 5), (2, 9)] : [(10, 12), (60, 40)] {
      var build = try made.build(into: "interrupted-\(rows)")
      build.batch = .init(rows: rows, time: .seconds(60), look: max(1, rows / 4))
      let stops = try finish(build, stoppingEvery: calls)
      #expect(stops > 0)
      #expect(try bytes(build.path) == whole, "\(rows) rows, \(stops) interruptions")
      #expect(try FileManager.default.contentsOfDirectory(atPath: build.folder) == ["\(made.dump.id).db"])
    }
  }

  @Test(arguments: ["imdb", "discogs"])
  func `a build that was killed goes on from its last commit`(_ name: String) throws {
    let made = try made(name)
    let whole = try bytes(made.build().run().path)
    var build = try made.build(into: "running")
    build.batch = .init(rows: 50, time: .seconds(60), look: 10)
    var (count, kills) = (0, 0)
    try build.run { _ in
      count += 1
      guard count % 23 == 0 else { return }
      // The files as they are when the process is killed now.
      kills += 1
      let killed = try made.build(into: "killed-\(kills)")
      for suffix in [".staging", ".staging-wal"] where FileManager.default.fileExists(atPath: build.path + suffix) {
        try FileManager.default.copyItem(atPath: build.path + suffix, toPath: killed.path + suffix)
      }
      if kills % 3 == 0 {
        #expect(try bytes(killed.run().path) == whole, "killed at call \(count)")
      }
    }
    #expect(kills > 3)
    #expect(try bytes(build.path) == whole)
  }

  @Test func `other files of the same names begin anew`() throws {
    let made = try made("openlibrary")
    var build = try made.build()
    build.batch = .init(rows: 10, time: .seconds(60), look: 5)
    #expect(throws: Stopped.self) { try build.run { if $0.rows > 200 { throw Stopped() } } }
    _ = try made.folder.write("/type/work\t/works/OL1W\t1\t2020\t{\"title\": \"Alone\"}\n", to: "dump/works.txt")
    try FileManager.default.removeItem(atPath: made.folder.path("dump/editions.txt"))
    let copy = try made.copy()
    #expect(copy.about.titles == 1)
    #expect(try copy.record(at: 1)?.title == "Alone")
  }

  // MARK: Files

  @Test func `a packed file is unpacked, and one that is cut off is refused`() throws {
    let made = try made("openlibrary")
    let path = made.folder.path("dump/works.txt")
    let whole = try bytes(made.build(into: "plain").run().path)
    let gzip = Process()
    gzip.executableURL = URL(filePath: "/usr/bin/env")
    gzip.arguments = ["gzip", path]
    try gzip.run()
    gzip.waitUntilExit()
    #expect(try SourceCopy(path: made.build().run().path).about.titles == 700)
    // The sizes of the files are in it.
    #expect(try abs(bytes(made.build().path).count - whole.count) <= 4_096)
    let packed = try bytes(path + ".gz")
    try packed.prefix(packed.count / 2).write(to: URL(filePath: path + ".gz"))
    let error = #expect(throws: DumpProblem.self) { try made.build(into: "cut").run() }
    #expect(error?.reason == .damaged)
    #expect(!FileManager.default.fileExists(atPath: made.folder.path("cut/openlibrary.db")))
  }

  @Test(arguments: ["imdb", "discogs", "openlibrary"])
  func `plain files that are cut off are refused`(_ name: String) throws {
    let (dump, files) = try #require(Self.dumps[name])
    for (file, text) in files {
      var cut = files
      cut[file] = String(text.dropLast(3))
      let made = try MadeDump(dump, cut)
      let error = #expect(throws: DumpProblem.self, "\(file)") { try made.build().run() }
      #expect(error?.description.contains("cut off") == true)
    }
  }

  @Test func `a page of a web server saved under the name of a dump is refused`() throws {
    let made = try MadeDump(.imdb, ["title.basics.tsv.gz": "<!DOCTYPE html><title>Too many requests</title>"])
    let path = made.folder.path("dump/title.basics.tsv.gz")
    let error = #expect(throws: DumpProblem.self) {
      try CopyBuild(.imdb, files: [path], folder: made.folder.path("copies"))
    }
    #expect(error?.reason == .unknown)
    #expect(throws: DumpProblem.self) { try made.build() }
  }

  @Test func `a damaged part in a folder is refused, and a damaged file of another name ignored`() throws {
    let made = try MadeDump(.imdb, IMDbDumpTests.files)
    let damaged = Data([0x1F, 0x8B, 8, 0, 1, 2, 3])
    try damaged.write(to: URL(filePath: made.folder.path("dump/holiday.jpg.gz")))
    try damaged.write(to: URL(filePath: made.folder.path("dump/.hidden.title.basics.gz")))
    _ = try made.build()
    try damaged.write(to: URL(filePath: made.folder.path("dump/title.principals.tsv.gz")))
    _ = try made.build()
    try damaged.write(to: URL(filePath: made.folder.path("dump/2026-11-01.title.ratings.tsv.gz")))
    let error = #expect(throws: DumpProblem.self) { try made.build() }
    #expect(error?.reason == .damaged)
  }

  @Test(arguments: ["<html><body>Please log in</body></html>", "", "\0\0\0\0", "tconst and more"])
  func `a file that is not what its name says is named, and not called missing`(_ content: String) throws {
    for name in ["title.basics.tsv", "title.basics (1).tsv.gz"] {
      let made = try MadeDump(
        .imdb, [name: content, "title.ratings.tsv": IMDbDumpTests.files["title.ratings.tsv"] ?? ""])
      let error = #expect(throws: DumpProblem.self) { try made.build() }
      #expect(error?.reason == .damaged)
      #expect(error?.message.text(in: nil).contains(name) == true)
      #expect(error?.message.text(in: nil).contains("missing") == false)
    }
  }

  @Test func `an optional file with wrong content is reported as wrong, a missing one as missing`() throws {
    var files = IMDbDumpTests.files
    files["title.ratings.tsv"] = "<html>"
    files["title.crew.tsv"] = nil
    let build = try MadeDump(.imdb, files).build()
    #expect(build.wrong.keys.sorted() == ["title.ratings.tsv.gz"])
    #expect(build.missing.map(\.name).contains("title.crew.tsv.gz"))
  }

  @Test func `a build that keeps nothing leaves nothing behind`() throws {
    let heading = IMDbDumpTests.files["title.basics.tsv"]?.split(separator: "\n").first ?? ""
    let made = try MadeDump(.imdb, ["title.basics.tsv": heading + "\n"])
    #expect(throws: DumpProblem.self) { try made.build().run() }
    let left = try FileManager.default.contentsOfDirectory(atPath: made.folder.path("copies"))
    #expect(left.filter { !$0.hasSuffix(".lock") } == [])
  }

  @Test func `the same part twice, a missing file and a folder without a dump are refused`() throws {
    var files = IMDbDumpTests.files
    files["again.tsv"] = files["title.basics.tsv"]
    #expect(throws: DumpProblem.self) { try MadeDump(.imdb, files).build() }
    files = IMDbDumpTests.files
    files["title.basics.tsv"] = nil
    #expect(throws: DumpProblem.self) { try MadeDump(.imdb, files).build() }
    #expect(throws: DumpProblem.self) { try MadeDump(.imdb, [:]).build() }
    #expect(throws: DumpProblem.self) { try CopyBuild(.imdb, files: ["/no/such/file"], folder: "/tmp") }
  }

  @Test func `a build that would not fit on the disk is refused with the numbers before anything is read`() throws {
    let made = try MadeDump(.imdb, IMDbDumpTests.files)
    // A hole of a petabyte takes no space.
    #expect(truncate(made.folder.path("dump/title.basics.tsv"), 1 << 50) == 0)
    let error = #expect(throws: DumpProblem.self) { try made.build().run() }
    #expect(error?.reason == .space)
    #expect(try FileManager.default.contentsOfDirectory(atPath: made.folder.path("copies")).isEmpty)
  }

  @Test func `SQLite sorts in the first folder that the environment names and that can be written`() throws {
    let folder = try TemporaryFolder()
    #expect(CopyBuild.sortingFolder(named: [nil, folder.path]) == folder.path)
    #expect(CopyBuild.sortingFolder(named: [folder.path("none"), folder.path]) == folder.path)
    #expect(CopyBuild.sortingFolder(named: [folder.path, "/tmp"]) == folder.path)
    #expect(["/var/tmp", "/usr/tmp", "/tmp"].contains(CopyBuild.sortingFolder(named: [nil, nil])))
  }

  @Test func `a second build of the same copy is refused while the first one runs`() throws {
    let made = try MadeDump(.imdb, IMDbDumpTests.files)
    var error: DumpProblem?
    try made.build().run { _ in
      guard error == nil else { return }
      error = #expect(throws: DumpProblem.self) { try made.build().run() }
    }
    #expect(error?.reason == .busy)
  }

  @Test func `a file with mostly damaged records is refused`() throws {
    let lines = (0..<200).map { "/type/work\t/works/OL\($0)W\t1\t2020\t{\"title\": \"a\"\($0 % 2 == 0 ? "" : "}")\n" }
    let error = #expect(throws: DumpProblem.self) { try MadeDump(.openLibrary, ["w": lines.joined()]).copy() }
    #expect(error?.description.contains("100 of 200") == true)
  }

  @Test func `the best known titles alone are kept when a number is given`() throws {
    let copy = try MadeDump(.imdb, IMDbDumpTests.files).copy(SourceCopyOptions(most: 2))
    #expect(try copy.db.values("SELECT title FROM title ORDER BY id") == ["The Godfather", "The Godfather Part II"])
    #expect(try copy.record(ExternalID(source: "imdb", value: "tt6751668")) == nil)
  }

  @Test func `damaged dumps are read or refused`() throws {
    var random = SplitMix(seed: 11)
    let samples: [(Dump, [String: String])] = [
      (.imdb, IMDbDumpTests.files), (.openLibrary, OpenLibraryDumpTests.files), (.nlk, NLKDumpTests.files),
      (.discogs, ["masters.xml": DiscogsDumpTests.masters, "releases.xml": DiscogsDumpTests.releases]),
    ]
    for round in 0..<60 {
      let (dump, files) = samples[round % samples.count]
      let made = try MadeDump(dump, [:])
      for (name, text) in files {
        let bytes = Bool.random(using: &random) ? Mutation.of(Array(text.utf8), &random) : Array(text.utf8)
        try Data(bytes).write(to: URL(filePath: made.folder.path("dump/\(name)")))
      }
      do {
        let copy = try made.copy()
        for rank in 1...copy.about.titles { #expect(try copy.record(at: rank)?.title.isEmpty == false) }
      } catch is DumpProblem {}
    }
  }

  // MARK: Opening

  @Test func `a new build replaces a copy that is open, which is read on`() throws {
    let made = try MadeDump(.imdb, IMDbDumpTests.files)
    let old = try made.copy()
    _ = try made.copy(SourceCopyOptions(most: 1))
    #expect(try old.suggest(Search(words: "parasite", kind: .movie)).titles == ["Parasite"])
    #expect(try SourceCopy(path: made.build().path).about.titles == 1)
  }

  @Test func `a file that is no copy, or one of another version, is refused`() throws {
    let made = try MadeDump(.imdb, IMDbDumpTests.files)
    _ = try made.copy()
    let path = try made.build().path
    try Connection(.file(path)).run("PRAGMA user_version = 1")
    let error = #expect(throws: DumpProblem.self) { try SourceCopy(path: path) }
    #expect(error?.description.contains("catalog source build imdb FOLDER") == true)
    #expect(throws: DumpProblem.self) { try SourceCopy(path: made.folder.path("nothing")) }
    #expect(throws: DumpProblem.self) { try SourceCopy(path: try made.folder.write("text", to: "text.db")) }
    try Connection(.file(made.folder.path("other.db"))).run("CREATE TABLE about (name TEXT, value TEXT)")
    #expect(throws: DumpProblem.self) { try SourceCopy(path: made.folder.path("other.db")) }
  }

  @Test func `a copy that was damaged gives errors or fewer rows, and never crashes`() throws {
    let made = try MadeDump(.imdb, IMDbDumpTests.files)
    let path = try made.build().run().path
    let whole = try bytes(path)
    var random = SplitMix(seed: 5)
    let search = Search(words: "the godfather", kind: .movie)
    let most = try SourceCopy(path: path).search(search).candidates.count
    var (errors, answers) = (0, 0)
    for _ in 0..<300 {
      var damaged = whole
      for _ in 0..<20 {
        damaged[Int.random(in: 100..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      let broken = made.folder.path("broken.db")
      try damaged.write(to: URL(filePath: broken))
      do {
        let copy = try SourceCopy(path: broken)
        _ = try copy.suggest(Search(words: "god", kind: .movie))
        #expect(try copy.search(search).candidates.count <= most)
        _ = try copy.record(ExternalID(source: "imdb", value: "tt6751668"))
        _ = try copy.lookUp(.isbn(try ISBN("9788936434120")))
        answers += 1
      } catch  where error is DumpProblem || error is SQLiteError || error is ColumnError {
        errors += 1
      }
    }
    #expect(most > 0 && errors > 0 && answers > 0, "\(errors) errors, \(answers) answers")
  }

  @Test(arguments: [
    ("discogs_20261001_masters.xml.gz", "2026-10-01"), ("ol_dump_works_2026-08-31.txt.gz", "2026-08-31"),
    ("title.basics.tsv.gz", nil), ("20269901.gz", nil),
  ])
  func `the date of a dump is in the names of its files`(_ name: String, _ date: String?) {
    #expect(CopyBuild.date(in: name) == date)
  }
}
