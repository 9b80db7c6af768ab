import CatalogModel
import Foundation
import Lookup
import TestSupport
import Testing
import Web

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

/// Barcodes in photographs, read by an imitated program, and by the real one where it is installed.
struct PhotographTests {
  let site: TestSite
  private var catalog: TestCatalog { site.catalog }
  private static let (one, two, record) = ("9780140328721", "9788936434120", "724384960650")

  init() throws {
    site = try TestSite()
    catalog.environment["PATH"] = site.folder.path("programs")
    try FileManager.default.createDirectory(atPath: site.folder.path("programs"), withIntermediateDirectories: true)
    site.restart()
  }

  /// Installs an imitation that finds these codes, each time others.
  private func install(_ readings: [[String]], otherwise status: Int = 4) throws {
    let (program, runs) = (site.folder.path("programs/zbarimg"), site.folder.path("runs"))
    for (number, codes) in zip(1..., readings) where !codes.isEmpty {
      _ = try site.folder.write(codes.joined(separator: "\n") + "\n", to: "reading-\(number)")
    }
    let script = """
      #!/bin/sh
      /bin/cat >/dev/null
      echo "$*" >>\(runs)
      n=$(/usr/bin/wc -l <\(runs))
      [ -f \(site.folder.path)/reading-$n ] || exit \(status)
      /bin/cat \(site.folder.path)/reading-$n

      """
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
  }

  private var runs: [Substring] {
    ((try? String(contentsOfFile: site.folder.path("runs"), encoding: .utf8)) ?? "").split(separator: "\n")
  }

  /// Links the real programs; nil where zbarimg is not installed.
  private func installReal() throws -> Bool {
    for name in ["zbarimg", "vipsthumbnail"] where FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)") {
      try FileManager.default.createSymbolicLink(
        atPath: site.folder.path("programs/\(name)"), withDestinationPath: "/usr/bin/\(name)")
    }
    let isThere = FileManager.default.fileExists(atPath: site.folder.path("programs/zbarimg"))
    if !isThere { print("skipped: zbar-tools is not installed") }
    return isThere
  }

  private func photograph(
    _ bytes: [UInt8] = Picture.png(width: 30, height: 20), named name: String = "shelf.png"
  ) throws -> String {
    let path = site.folder.path(name)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func codes() throws -> PhotographedCodes {
    try PhotographedCodes(
      in: Picture.png(width: 30, height: 20), named: "the picture", along: catalog.environment["PATH"])
  }

  struct Reading: CustomTestStringConvertible, Sendable {
    var readings: [[String]]
    var sure: [String] = []
    var doubtful: [String] = []
    /// The number of times that the picture is read.
    var count: Int
    var testDescription: String { "\(readings)" }
  }

  @Test(arguments: [
    Reading(readings: [[one, two], [two, one]], sure: [one, two], count: 2),
    Reading(readings: [[one], [one, two], [two]], sure: [one, two], count: 3),
    Reading(readings: [[one], [], [two], [one]], sure: [one], doubtful: [two], count: 5),
    Reading(readings: [[], [], [], [one], [one]], sure: [one], count: 5),
    Reading(readings: [[one]], doubtful: [one], count: 5),
    Reading(readings: [[one, one]], doubtful: [one], count: 5),
    // A wrong check digit, and no code at all.
    Reading(readings: [["9780140328720", "x", "", one], [one, "9780140328720"]], sure: [one], count: 2),
    // A UPC is its EAN.
    Reading(readings: [[record], ["0\(record)"]], sure: [record], count: 2),
    Reading(readings: [], count: 5),
  ])
  func `a code counts if two readings agree`(_ reading: Reading) throws {
    try install(reading.readings)
    let codes = try codes()
    #expect(codes.sure.map(\.digits) == reading.sure)
    #expect(codes.doubtful.map(\.digits) == reading.doubtful)
    #expect(runs.count == reading.count)
    #expect(Set(runs).count == runs.count, "each reading looks at other lines")
  }

  @Test func `a photograph with several barcodes adds several, and a doubtful one is not added`() throws {
    for (kind, option, code) in [("book", "--isbn", Self.one), ("vinyl", "--barcode", Self.record)] {
      try #require(catalog.run("add", kind, "--title", "Title of \(code)", option, code).status == 0)
    }
    try install([[Self.one, "0\(Self.record)", Self.two], [Self.one, Self.record]])
    let run = catalog.run("add", "--photo", try photograph())
    #expect(run.status == 1)
    #expect(
      run.errors == """
        catalog: already on the shelf: book 1: Title of \(Self.one)
        catalog: already on the shelf: vinyl 2: Title of \(Self.record)
        catalog: not added, since it was read only once: ISBN \(Self.two)

        """)
    // Standard input has the picture.
    catalog.bytes = Picture.png(width: 30, height: 20)
    try FileManager.default.removeItem(atPath: site.folder.path("runs"))
    #expect(catalog.run("add", "--photo", "-").errors == run.errors)
  }

  @Test(arguments: [("y", "Open Library was not asked"), ("n", "nothing was changed")])
  func `a doubtful code is asked about on a terminal`(_ answer: String, _ words: String) throws {
    try install([[Self.two]])
    catalog.atTerminal()
    catalog.input = [answer]
    let run = catalog.run("add", "--offline", "--photo", try photograph())
    #expect(run.errors.contains("ISBN \(Self.two) was read only once. Is it right?"))
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.status == 1)
  }

  @Test func `a photograph that cannot be read is explained`() throws {
    let run = catalog.run("add", "--photo", try photograph())
    #expect(run.status == 1)
    #expect(
      run.errors == """
        catalog: barcodes in pictures are read by the program zbarimg, which is not installed
        hint: apt-get install zbar-tools

        """)
    try install([])
    for (path, words) in [
      (site.folder.path("none.jpg"), "there is no file"), (try photograph(), "no barcode could be read in '"),
      (try site.folder.write("words", to: "a.jpg"), "is not a picture"),
      (
        try photograph(CoverCommandTests.png(width: 255, height: 255, high: 255), named: "a.png"), "has too many pixels"
      ),
      (try photograph([UInt8](repeating: 0, count: 17 << 20), named: "b.png"), "is larger than 16.8 MB"),
    ] {
      let run = catalog.run("add", "--photo", path)
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(run.status != 0)
    }
    try install([], otherwise: 1)
    #expect(catalog.run("add", "--photo", try photograph()).errors.contains("zbarimg could not read the picture"))
    for words in [["--title", "x"], ["-"]] { #expect(catalog.run(["add", "--photo", "-"] + words).status == 2) }
  }

  @Test func `the real program reads several barcodes in a picture`() throws {
    guard try installReal() else { return }
    for codes in [[Self.one], [Self.two, Self.one, "0\(Self.record)"]] {
      let found = try PhotographedCodes(
        in: Picture.barcodes(codes), named: "the picture", along: catalog.environment["PATH"])
      #expect(Set(found.sure.map(\.digits)) == Set(codes))
      #expect(found.doubtful == [])
    }
    let none = try PhotographedCodes(
      in: Picture.png(width: 400, height: 300), named: "the picture", along: catalog.environment["PATH"])
    #expect(none.sure == [])
    #expect(none.doubtful == [])
  }

  // MARK: In a browser

  @Test func `a photograph from a browser offers each code`() throws {
    try site.pair()
    try #require(catalog.run("add", "book", "--title", "Matilda", "--isbn", Self.one).status == 0)
    try install([[Self.one, Self.two, Self.record, "9788937460449"], [Self.one, Self.two, Self.record]])
    let form = try #require(try site.get("/find").html.all("form").first { $0.attributes["enctype"] != nil })
    #expect(form.attributes["enctype"] == "multipart/form-data")
    let field = try #require(form.all("input").first { $0.attributes["type"] == "file" })
    #expect(field.attributes["capture"] == "environment")
    let page = try site.upload("/find", "photo", Picture.png(width: 30, height: 20))
    #expect(page.status == 200)
    let html = try page.html
    #expect(html.all("a").contains { $0.attributes["href"] == "/item/1" && $0.text.contains("Matilda") })
    let forms = html.all("form").filter { $0.attributes["action"] == "/add" }.map { form in
      form.all("input").filter { $0.attributes["name"] == "what" }.compactMap { $0.attributes["value"] }
    }
    #expect(forms == [[Self.two, Self.record], [Self.two], [Self.record], ["9788937460449"]])
    #expect(page.text.contains("read only once"))
    site.result = CommandResult()
    _ = try site.post("/add", ["what": Self.two, "what": Self.record])
    #expect(site.typed == [["add", "--", Self.two, Self.record]])
  }

  @Test func `a picture in which nothing can be read is explained on a page`() throws {
    try site.pair()
    let picture = Picture.png(width: 30, height: 20)
    #expect(try site.upload("/find", "photo", picture).text.contains("zbarimg, which is not installed"))
    try install([])
    for (name, bytes, words) in [
      ("photo", picture, "No barcode could be read in the file"), ("photo", [1, 2], "The file is not a picture"),
      ("photo", [], "No picture was chosen"), ("other", picture, "No picture was chosen"),
    ] {
      let page = try site.upload("/find", name, bytes)
      #expect(page.status == 422)
      #expect(page.text.contains(words), "\(page.text.suffix(300))")
    }
  }

  @Test func `a cover can be sent from a browser, and a form sent twice writes once`() throws {
    try #require(catalog.run("add", "book", "--title", "Matilda").status == 0)
    try site.pair()
    let (first, second) = (Picture.png(width: 30, height: 45), Picture.png(width: 45, height: 30))
    let token = ["once": "abc"]
    for (picture, count) in [(first, 1), (first, 1), (second, 2), (second, 2)] {
      #expect(try site.upload("/item/1/cover", "cover", picture, token).location == "/item/1")
      #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == picture)
      #expect(site.typed.count == count)
    }
    #expect(site.typed.last == ["cover", "set", "--", "1", "-"])
    #expect(try site.upload("/item/1/cover", "cover", [], token).status == 422)
    #expect(try site.upload("/item/1/cover", "cover", Array("<html>".utf8), token).status == 422)
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == second)
  }
}
