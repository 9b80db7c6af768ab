import Foundation
import SQLite
import TestSupport
import Testing

@testable import Lookup

struct CacheDatabaseTests {
  let folder: TemporaryFolder
  let path: String
  let cache: CacheDatabase
  let results = [
    SavedResult(number: 1, source: "itunes", sourceID: "9", kind: "movie", payload: [0, 1, 255]),
    SavedResult(number: 2, source: "pack", sourceID: "기생충", kind: "book", payload: []),
  ]
  let now = Date(timeIntervalSince1970: 1_000)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("deep/er/cache.db")
    cache = CacheDatabase(path: path)
  }

  func put(_ bytes: [UInt8]) throws {
    try FileManager.default.createDirectory(atPath: folder.path("deep/er"), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
  }

  func database(_ script: StaticString) throws {
    try put([])
    try Connection(.file(path)).execute(script: script)
  }

  @Test func `saved results are kept until the next search replaces them`() {
    #expect(cache.lastResults().isEmpty)
    #expect(cache.saveResults(results))
    #expect(cache.lastResults() == results)
    #expect(cache.saveResults([results[1]]))
    #expect(cache.lastResults() == [results[1]])
    #expect(cache.saveResults([]))
    #expect(cache.lastResults().isEmpty)
  }

  @Test func `only the owner can read the cache file and its folder`() throws {
    cache.saveResults(results)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let folderMode = try FileManager.default.attributesOfItem(atPath: folder.path("deep"))[.posixPermissions] as? Int
    #expect(folderMode == 0o700)
  }

  @Test func `a deleted cache file is created again`() throws {
    cache.saveResults(results)
    try FileManager.default.removeItem(atPath: path)
    #expect(cache.lastResults().isEmpty)
    #expect(cache.saveResults(results))
  }

  @Test func `a cache file of garbage is replaced`() throws {
    try put(Array("This is no database, but it is long enough to be one. ".utf8) + Array(repeating: 7, count: 5_000))
    #expect(cache.saveResults(results))
    #expect(cache.lastResults() == results)
  }

  @Test func `a truncated or corrupted cache file causes no error and is replaced`() throws {
    cache.keep(
      [("a", KeptAnswer(response: Response(200, String(repeating: "x", count: 20_000)), freshUntil: now))], now: now)
    cache.saveResults(results)
    let whole = Array(try Data(contentsOf: URL(filePath: path)))
    var random = SplitMix(seed: 3)
    for round in 0..<60 {
      var bytes = whole
      if round % 2 == 0 {
        bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
      } else {
        for _ in 0..<200 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
      }
      try put(bytes)
      _ = cache.lastResults()
      _ = cache.answers(for: ["a"], now: now)
      #expect(cache.saveResults(results))
      #expect(cache.lastResults() == results)
    }
  }

  @Test func `a cache of another version or another application or with wrong tables is replaced`() throws {
    for script: StaticString in [
      "PRAGMA application_id = 0x77656263; PRAGMA user_version = 2; CREATE TABLE turn (source TEXT, at REAL)",
      "PRAGMA application_id = 0x77656263; PRAGMA user_version = 5; CREATE TABLE answer (key)",
      "CREATE TABLE other (a); INSERT INTO other VALUES (1)",
      "PRAGMA application_id = 0x77656263; PRAGMA user_version = 4",
      "PRAGMA application_id = 0x77656263; PRAGMA user_version = 4; CREATE TABLE result (number, source, source_id, kind, payload); INSERT INTO result VALUES (1, 2, 3, 4, 5)",
    ] {
      try database(script)
      #expect(cache.lastResults().isEmpty)
      #expect(cache.saveResults(results))
      #expect(cache.lastResults() == results)
    }
  }

  @Test func `a catalog at the cache path is never replaced`() throws {
    try database("PRAGMA application_id = 0x63746C67; CREATE TABLE item (a)")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(!cache.saveResults(results))
    #expect(cache.lastResults().isEmpty)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `an unwritable cache path causes no error and stores nothing`() throws {
    for path in [
      folder.path, "/proc/nowhere/cache.db", "/dev/null", "/dev/full", folder.path("file/cache.db"), "", "a\0b",
    ] {
      try Data([1]).write(to: folder.url.appending(path: "file"))
      let cache = CacheDatabase(path: path)
      #expect(!cache.saveResults(results))
      #expect(cache.lastResults().isEmpty)
      cache.keep([("a", KeptAnswer(response: Response(200, "x"), freshUntil: now))], now: now)
      #expect(cache.answers(for: ["a"], now: now) == [nil])
      #expect(cache.reserve([("x", RateLimit(requests: 1, per: 1))], now: now).map(\.wait) == [0])
    }
    #expect(FileManager.default.fileExists(atPath: "/dev/null"))
  }

  @Test func `the least recently used answer is evicted first`() throws {
    var cache = cache
    cache.answerLimit = 10_000
    func keep(_ key: String, count: Int = 3_000, at seconds: Double) {
      let answer = KeptAnswer(response: Response(200, String(repeating: "x", count: count)), freshUntil: now)
      cache.keep([(key, answer)], now: now.addingTimeInterval(seconds))
    }
    func known() throws -> [String] {
      try Connection(.file(path)).values("SELECT key FROM answer ORDER BY key")
    }
    keep("a", at: 0)
    keep("b", at: 100)
    keep("c", at: 200)
    _ = cache.answers(for: ["a"], now: now.addingTimeInterval(290))
    keep("d", at: 300)
    #expect(try known() == ["a", "c", "d"])
    // Larger than the whole cache: served and not kept, and what it replaces is gone.
    keep("d", count: 10_001, at: 300)
    #expect(try known() == ["a", "c"])
    keep("e", count: 9_900, at: 300)
    #expect(try known() == ["e"])
    // An overwrite does not count twice.
    keep("e", count: 4_000, at: 300)
    keep("a", count: 4_000, at: 300)
    #expect(try known() == ["a", "e"])
  }

  @Test func `many threads can use the cache at once`() {
    DispatchQueue.concurrentPerform(iterations: 32) { index in
      cache.keep([("\(index)", KeptAnswer(response: Response(200, "\(index)"), freshUntil: now))], now: now)
    }
    let found = cache.answers(for: (0..<32).map { "\($0)" }, now: now)
    #expect(found.map { $0?.response.text } == (0..<32).map { "\($0)" })
  }
}
