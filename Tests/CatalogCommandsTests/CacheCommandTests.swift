import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct CacheCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let pictures: PictureCache

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    catalog.cache = CacheDatabase(path: folder.path("cache.db"))
    catalog.places = Places(environment: ["HOME": folder.path])
    pictures = PictureCache(in: catalog.cache)
    for (name, age) in [("old", 30.0), ("new", 2), ("newer", 1)] {
      pictures.keep(
        [UInt8](repeating: 1, count: 1000), for: "https://p.example/\(name)", now: catalog.now - age * 3600)
    }
    _ = pictures.bytes(for: "https://p.example/newer", now: catalog.now - 3600)
  }

  /// Sets the size limit of pictures in the file that the cache reads.
  func setLimit(_ text: String) throws {
    try Configuration.change(at: try #require(catalog.places.configuration)) {
      try $0.set("cache.pictures", to: text)
    }
  }

  @Test func `cache stats prints the entries and sizes beside their limits`() {
    catalog.atTerminal()
    #expect(
      catalog.run("cache", "stats").output == """
        What      Entries    Size  At most  Expired  Mean uses
        pictures        3  3.0 kB  400 MiB        1        1.3
        answers         0     0 B   64 MiB
        results         0

        """)
    catalog.terminal.isOutputTerminal = false
    #expect(
      catalog.run("cache", "--json").output.hasPrefix(
        #"[{"what":"pictures","entries":3,"bytes":3000,"byte_limit":419430400,"expired":1,"mean_uses":1.33"#))
  }

  @Test func `cache gc removes just the pictures that gc --explain lists with a reason`() throws {
    let old = "https://p.example/old\t1000\t1\t2026-11-20T03:30:00Z\texpired: not used for 24 hours\n"
    #expect(
      catalog.run("cache", "gc", "--explain")
        == .init(output: old, errors: "1 picture would be removed (1.0 kB)\n", status: 0))
    try setLimit("1500")
    #expect(
      catalog.run("cache", "gc", "--explain")
        == .init(
          output: old + """
            https://p.example/new\t1000\t1\t2026-11-21T07:30:00Z\t\
            too little room: longest unused of those used at most 1.5 times, the average

            """, errors: "2 pictures would be removed (2.0 kB)\n", status: 0))
    #expect(catalog.run("cache", "gc", "--dry-run").output == "would remove 2 pictures (2.0 kB)\n")
    #expect(pictures.totals(now: catalog.now).pictures == 3)
    #expect(catalog.run("cache", "gc").output == "removed 2 pictures (2.0 kB)\n")
    #expect(pictures.bytes(for: "https://p.example/newer", now: catalog.now) != nil)
    #expect(pictures.totals(now: catalog.now).pictures == 1)
    #expect(catalog.run("cache", "gc").output == "removed 0 pictures (0 B)\n")
  }

  @Test func `cache clear removes pictures, answers or both, and keeps the result numbers`() {
    catalog.cache.saveResults([SavedResult(number: 1, source: "pack", sourceID: "x", kind: "movie", payload: [])])
    #expect(catalog.run("cache", "clear", "answers").output == "removed 0 B\n")
    #expect(catalog.run("cache", "clear", "--dry-run").output == "would remove 3.0 kB\n")
    #expect(pictures.totals(now: catalog.now).pictures == 3)
    #expect(catalog.run("cache", "clear").output == "removed 3.0 kB\n")
    #expect(pictures.totals(now: catalog.now).pictures == 0)
    #expect(catalog.cache.lastResults().count == 1)
    #expect(catalog.run("cache", "clear", "covers").status == 2)
  }

  @Test func `a cache file that cannot be used is reported by clear and ignored by stats and gc`() {
    catalog.cache = CacheDatabase(path: "/dev/full")
    #expect(catalog.run("cache", "clear").errors.hasPrefix("catalog: the cache cannot be used"))
    #expect(catalog.run("cache", "stats").status == 0)
    #expect(catalog.run("cache", "gc").output == "removed 0 pictures (0 B)\n")
  }

  @Test func `a size is a number of bytes with an optional unit`() {
    #expect(
      ["12", "400M", "400 MiB", "1G", "64kB", "2GB", "0", "8k"].map(ByteCount.parse) == [
        12, 400 << 20, 400 << 20, 1 << 30, 64_000, 2_000_000_000, 0, 8192,
      ])
    for bad in ["", "M", "-1", "1.5G", "many", "99999999999999999999", "9999G", "4 00"] {
      #expect(ByteCount.parse(bad) == nil, "\(bad)")
    }
  }

  @Test(arguments: [
    ("cache.pictures", "lots", "invalid size 'lots'"), ("graphics", "png", "'png'"),
    ("player", " , ", "names no program"),
  ])
  func `config set rejects an invalid value of a cache, graphics or player setting`(
    _ name: String, _ value: String, _ errors: String
  ) {
    let run = catalog.run("config", "set", name, value)
    #expect(run.errors.contains(errors), "\(run.errors)")
    #expect(run.status == 2)
  }
}
