import CatalogModel
import Foundation
import Lookup
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// The covers of pages, and the small copies of them.
struct SiteCoverTests {
  let site: TestSite
  private var catalog: TestCatalog { site.catalog }
  private let item = ItemID(rawValue: 1)

  init() throws {
    site = try TestSite()
    try #require(catalog.run("--yes", "add", "book", "--title", "The Hobbit").status == 0)
    catalog.cache = CacheDatabase(path: site.folder.path("cache.db"))
    catalog.environment["PATH"] = site.folder.path("programs")
    try FileManager.default.createDirectory(atPath: site.folder.path("programs"), withIntermediateDirectories: true)
    site.restart()
    try site.pair()
    try setCover(0)
  }

  /// A picture that each number makes another one.
  private func picture(_ number: UInt8) -> [UInt8] {
    Picture.jpeg(width: 640, height: 960) + [UInt8](repeating: number, count: 20_000)
  }

  private func setCover(_ number: UInt8) throws { try setCover(picture(number), "image/jpeg") }

  private func setCover(_ bytes: [UInt8], _ mediaType: String) throws {
    try catalog.store.setCover(Cover(bytes: bytes, mediaType: mediaType), of: item)
  }

  /// Installs a scaler that writes a small picture, and a line for each time that it runs.
  private func installScaler(_ result: String = "printf small") throws {
    let program = site.folder.path("programs/vipsthumbnail")
    let script = "#!/bin/sh\n/bin/cat >/dev/null\necho \"$*\" >>\(site.folder.path("runs"))\n\(result)\n"
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
  }

  /// The arguments of each run of the scaler.
  private var runs: [String] {
    let text = try? String(contentsOfFile: site.folder.path("runs"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// The address of the picture on a page.
  private func address(on page: String) throws -> String {
    try #require(try site.get(page).html.all("img").first?.attributes["src"])
  }

  @Test func `a list and a page have a copy of their size, which is made once`() throws {
    try installScaler()
    for (page, size) in [("/", 320), ("/item/1", 800)] {
      let address = try address(on: page)
      #expect(address.hasPrefix("/cover/1/\(size)?v="))
      for _ in 0..<2 { #expect(try site.get(address).text == "small") }
      site.restart()
      #expect(try site.get(address).text == "small", "it is kept in a file")
      #expect(try site.get(address).headers["Content-Type"] == "image/jpeg")
    }
    #expect(runs.map { $0.split(separator: " ")[2] } == ["320x320>", "800x800>"])
  }

  // It fails, writes nothing, and makes it larger.
  @Test(arguments: [nil, "exit 1", "exit 0", "/usr/bin/head -c 90000 /dev/zero"])
  func `a cover is sent whole where no program makes it smaller`(_ result: String?) throws {
    if let result { try installScaler(result) }
    let page = try site.get(address(on: "/"))
    #expect(page.body == picture(0))
    #expect(page.headers["Content-Type"] == "image/jpeg")
  }

  @Test func `a small cover is sent as it is`() throws {
    try installScaler()
    let small = Picture.png(width: 100, height: 150)
    try setCover(small, "image/png")
    #expect(try site.get("/cover/1/320").body == small)
    #expect(runs == [])
  }

  @Test func `an address with the version of a cover is kept, and a new cover has another one`() throws {
    let address = try address(on: "/")
    let first = try site.get(address)
    #expect(first.headers["Cache-Control"] == "private, max-age=31536000, immutable")
    try setCover(1)
    let second = try self.address(on: "/")
    #expect(second != address)
    #expect(try site.get(second).body == picture(1))
    // An old page gets the new cover, and a browser asks again.
    for old in [address, "/cover/1/320", "/cover/1", "/cover/1?v=\(String(repeating: "0", count: 16))"] {
      let page = try site.get(old)
      #expect(page.body == picture(1), "\(old)")
      #expect(page.headers["Cache-Control"] == "private, no-cache", "\(old)")
      let tag = try #require(page.headers["ETag"])
      #expect(tag != first.headers["ETag"])
      let again = try site.get(old, adding: [("If-None-Match", tag)])
      #expect(again.status == 304)
      #expect(again.body == [])
    }
  }

  @Test func `the version of a cover is computed once`() throws {
    #expect(try catalog.store.coverDigests(of: [item]).computed == [item])
    _ = try site.get("/")
    #expect(try catalog.store.coverDigests(of: [item, ItemID(rawValue: 2)]).computed == [])
    try setCover(1)
    #expect(try catalog.store.coverDigests(of: [item]).digests[item] == SHA256.hexadecimal(of: picture(1)))
    #expect(try catalog.store.coverDigests(of: []).digests == [:])
  }

  @Test(arguments: ["/cover/2", "/cover/2/320", "/cover/1/321", "/cover/1/-320", "/cover/1/x", "/cover/1/320/1"])
  func `what is no cover is not found`(_ path: String) throws {
    #expect(try site.get(path).status == 404)
  }

  @Test func `a cover that is no picture is sent in no size`() throws {
    try installScaler()
    try setCover(Array("<svg onload='x'/>".utf8), "image/svg+xml")
    for path in ["/cover/1", "/cover/1/320", "/cover/1/800"] { #expect(try site.get(path).status == 404) }
    #expect(runs == [])
  }

  @Test func `the real program makes it smaller`() throws {
    let programs = ["/usr/bin/vipsthumbnail", "/usr/bin/convert"]
    let found = programs.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { return print("skipped: neither libvips-tools nor imagemagick is installed") }
    try FileManager.default.createSymbolicLink(
      atPath: site.folder.path("programs/\(found.split(separator: "/")[2])"), withDestinationPath: found)
    for size in [320, 800] {
      let info = try #require(ImageInfo(try site.get("/cover/1/\(size)").body))
      #expect(max(info.width, info.height) == size)
      #expect(info.mediaType == "image/jpeg")
    }
  }
}
