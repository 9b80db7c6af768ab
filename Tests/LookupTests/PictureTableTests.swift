import Foundation
import SQLite
import TestSupport
import Testing

@testable import Lookup

/// Tests the rules for keeping pictures, in the file and in memory.
struct PictureTableTests {
  enum Tier: CaseIterable { case file, memory }

  let folder: TemporaryFolder
  let start = Date(timeIntervalSince1970: 1_795_253_400)

  init() throws { folder = try TemporaryFolder() }

  func cache(_ tier: Tier, limit: Int) -> PictureCache {
    switch tier {
    case .file: PictureCache(in: CacheDatabase(path: folder.path("cache.db"))) { limit }
    case .memory: PictureCache(inMemoryUpTo: limit)
    }
  }

  func hours(_ count: Double) -> Date { start.addingTimeInterval(count * 3600) }

  @Test func `the default limits are 400 MiB in the file and 10 MiB in memory`() {
    #expect(PictureCache(in: CacheDatabase(path: "")).byteLimit == 400 * 1024 * 1024)
    #expect(PictureCache(inMemoryUpTo: PictureCache.usualLimitInMemory).byteLimit == 10 * 1024 * 1024)
  }

  @Test(arguments: Tier.allCases) func `a picture expires 24 hours after its last use`(_ tier: Tier) {
    let cache = cache(tier, limit: 1000)
    cache.keep([1], for: "a", now: start)
    #expect(cache.hasExpired("a", now: hours(23.9)) == false)
    // The look was a use.
    #expect(cache.hasExpired("a", now: hours(47.8)) == false)
    #expect(cache.hasExpired("a", now: hours(71.8)) == true)
    #expect(cache.hasExpired("b", now: start) == nil)
    // Written by a clock that was wrong.
    cache.keep([1], for: "a", now: hours(1000))
    #expect(cache.hasExpired("a", now: start) == true)
  }

  @Test(arguments: Tier.allCases) func `the least recently used picture is evicted first`(_ tier: Tier) {
    let cache = cache(tier, limit: 30)
    for name in ["a", "b", "c"] { cache.keep(10, for: name, now: start) }
    _ = cache.bytes(for: "a", now: start)
    _ = cache.bytes(for: "b", now: start)
    _ = cache.bytes(for: "c", now: start)
    _ = cache.bytes(for: "a", now: start)
    // a 3, b 2, c 2: b is the first of those not used more often than the average.
    cache.keep(10, for: "d", now: start)
    #expect(cache.rows == ["c 2", "a 3", "d 1"])
  }

  @Test(arguments: Tier.allCases) func `a picture used more than average is skipped by eviction unless it has expired`(
    _ tier: Tier
  ) {
    let cache = cache(tier, limit: 30)
    cache.keep(10, for: "a", now: start)
    for _ in 0..<5 { _ = cache.bytes(for: "a", now: start) }
    cache.keep(10, for: "b", now: hours(1))
    cache.keep(10, for: "c", now: hours(2))
    cache.keep(10, for: "d", now: hours(3))
    #expect(cache.rows == ["a 6", "c 1", "d 1"])
    cache.keep(10, for: "e", now: hours(24))
    #expect(cache.rows == ["c 1", "d 1", "e 1"])
  }

  @Test(arguments: Tier.allCases) func `a new picture is not evicted to make room for itself`(_ tier: Tier) {
    let cache = cache(tier, limit: 20)
    for name in ["a", "b"] {
      cache.keep(10, for: name, now: start)
      for _ in 0..<4 { _ = cache.bytes(for: name, now: start) }
    }
    cache.keep(10, for: "c", now: start)
    #expect(cache.rows == ["b 5", "c 1"])
  }

  @Test(arguments: Tier.allCases) func `an overwritten picture counts once and keeps its use count`(_ tier: Tier) {
    let cache = cache(tier, limit: 100)
    for size in [60, 70, 80] { cache.keep(size, for: "a", now: start) }
    _ = cache.bytes(for: "a", now: start)
    cache.keep(90, for: "a", now: start)
    #expect(cache.rows == ["a 2"])
    #expect(cache.totals(now: start) == PictureTotals(pictures: 1, bytes: 90, uses: 2, expired: 0))
    #expect(cache.bytes(for: "a", now: start)?.count == 90)
  }

  @Test(arguments: Tier.allCases) func `a picture larger than the limit is not cached and removes the one it replaces`(
    _ tier: Tier
  ) {
    let cache = cache(tier, limit: 100)
    cache.keep(100, for: "a", now: start)
    #expect(cache.rows == ["a 1"])
    cache.keep(101, for: "b", now: start)
    #expect(cache.rows == ["a 1"])
    cache.keep(101, for: "a", now: start)
    #expect(cache.rows == [])
    let none = self.cache(tier, limit: 0)
    none.keep(1, for: "c", now: start)
    #expect(none.bytes(for: "c", now: start) == nil)
  }

  @Test func `the order and use counts of pictures survive a restart`() {
    let before = cache(.file, limit: 30)
    for name in ["a", "b", "c"] { before.keep(10, for: name, now: start) }
    _ = before.bytes(for: "a", now: start)
    let after = cache(.file, limit: 30)
    #expect(after.rows == ["b 1", "c 1", "a 2"])
    after.keep(10, for: "d", now: start)
    #expect(after.rows == ["c 1", "a 2", "d 1"])
  }

  @Test(arguments: Tier.allCases) func `wrong totals are recomputed from the rows`(_ tier: Tier) {
    let cache = cache(tier, limit: 30)
    for name in ["a", "b", "c"] { cache.keep(10, for: name, now: start) }
    func spoil() { _ = cache.use { try $0.db.run("UPDATE picture_total SET pictures = 0, bytes = -1000, uses = -9") } }
    // Within the day the triggers are believed: more than allowed is kept.
    spoil()
    cache.keep(10, for: "d", now: start)
    #expect(cache.rows.count == 4)
    // A day later the rows are counted.
    cache.keep(10, for: "e", now: hours(25))
    #expect(cache.rows == ["c 1", "d 1", "e 1"])
    spoil()
    #expect(cache.totals(now: hours(25)) == PictureTotals(pictures: 3, bytes: 30, uses: 3, expired: 2))
    spoil()
    #expect(cache.collect(now: hours(25)).map(\.url) == ["c", "d"])
    // Too high, so that no picture seems to be used as often as the average: still one goes.
    _ = cache.use { try $0.db.run("UPDATE picture_total SET pictures = 1000, bytes = 1000, uses = 1") }
    cache.keep(10, for: "f", now: hours(26))
    #expect(cache.rows == ["f 1"])
  }

  @Test(arguments: Tier.allCases) func `collecting removes expired and excess pictures and reports the reasons`(
    _ tier: Tier
  ) {
    let cache = cache(tier, limit: 30)
    cache.keep(10, for: "a", now: start)
    cache.keep(10, for: "b", now: hours(20))
    cache.keep(10, for: "c", now: hours(20))
    _ = cache.bytes(for: "b", now: hours(21))
    let gone = [PictureDeparture(url: "a", size: 10, uses: 1, usedAt: start, reason: .expired)]
    #expect(cache.collect(now: hours(30), isOnlyAsked: true) == gone)
    #expect(cache.rows == ["a 1", "c 1", "b 2"])
    #expect(cache.collect(now: hours(30)) == gone)
    #expect(cache.rows == ["c 1", "b 2"])
    #expect(cache.collect(now: hours(30)) == [])
  }

  @Test func `a lowered limit removes pictures on collection`() {
    for name in ["a", "b", "c", "d"] { cache(.file, limit: 40).keep(10, for: name, now: start) }
    _ = cache(.file, limit: 40).bytes(for: "a", now: start)
    let gone = cache(.file, limit: 20).collect(now: start)
    #expect(gone.map(\.url) == ["b", "c"])
    #expect(gone.map(\.reason) == [.usedNoMoreThanOthers(average: 1.25), .usedNoMoreThanOthers(average: 4.0 / 3)])
  }

  @Test func `removed pictures free disk space`() throws {
    let cache = cache(.file, limit: 10 << 20)
    for number in 0..<20 { cache.keep([UInt8](repeating: 1, count: 50_000), for: "\(number)", now: start) }
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: folder.path("cache.db"))[.size] as? Int ?? 0
    }
    #expect(try size() > 1_000_000)
    #expect(cache.collect(now: hours(24)).count == 20)
    #expect(try size() < 200_000)
    cache.keep([UInt8](repeating: 1, count: 500_000), for: "a", now: start)
    #expect(CacheDatabase(path: folder.path("cache.db")).clear([.pictures]))
    #expect(try size() < 200_000)
  }

  @Test func `many programs can use the picture cache at once`() {
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      for round in 0..<10 {
        let cache = self.cache(.file, limit: 200)
        cache.keep([UInt8](repeating: UInt8(number), count: 10), for: "\(number)", now: start)
        _ = cache.bytes(for: "\((number + round) % 16)", now: start)
      }
    }
    let cache = cache(.file, limit: 200)
    let before = cache.use { try $0.db.value("SELECT bytes FROM picture_total", as: Int.self) }
    #expect(before == cache.totals(now: start).bytes)
    for number in 0..<16 {
      #expect(cache.bytes(for: "\(number)", now: start) == [UInt8](repeating: UInt8(number), count: 10))
    }
  }

  // MARK: Against the rules in plain words

  /// A model of the rules without indexes, triggers and SQL.
  struct Model {
    struct Entry {
      var name: String
      var size: Int
      var uses: Int
      var usedAt: Date
    }

    let limit: Int
    /// The entries, the least recently used first.
    var entries: [Entry] = []

    mutating func use(_ name: String, _ now: Date) -> Bool {
      guard let index = entries.firstIndex(where: { $0.name == name }) else { return false }
      var entry = entries.remove(at: index)
      (entry.uses, entry.usedAt) = (entry.uses + 1, now)
      entries.append(entry)
      return true
    }

    mutating func keep(_ name: String, _ size: Int, _ now: Date) {
      let old = entries.first { $0.name == name }
      entries.removeAll { $0.name == name }
      guard size <= limit else { return }
      while entries.map(\.size).reduce(0, +) + size > limit {
        let average = Double(entries.map(\.uses).reduce(0, +)) / Double(entries.count)
        guard
          let index = entries.firstIndex(where: {
            Double($0.uses) <= average + 1e-9 || now.timeIntervalSince($0.usedAt) >= 86_400
          })
        else { return }
        entries.remove(at: index)
      }
      entries.append(Entry(name: name, size: size, uses: old?.uses ?? 1, usedAt: now))
    }
  }

  @Test(arguments: Tier.allCases) func `a thousand random uses agree with a model of the rules`(_ tier: Tier) {
    var random = SplitMix(seed: 11)
    let cache = cache(tier, limit: 100)
    var model = Model(limit: 100)
    var now = start
    for step in 0..<1000 {
      now += Double.random(in: 0..<(step % 100 < 90 ? 600 : 20_000), using: &random)
      let name = "\(Int.random(in: 0..<18, using: &random))"
      if Int.random(in: 0..<10, using: &random) < 6 {
        #expect((cache.bytes(for: name, now: now) != nil) == model.use(name, now))
      } else {
        let size = Int.random(in: 0..<110, using: &random) / (step % 3 + 1)
        cache.keep(size, for: name, now: now)
        model.keep(name, size, now)
      }
      let expected = model.entries.map { "\($0.name) \($0.uses)" }
      guard cache.rows == expected else {
        Issue.record("step \(step): \(cache.rows), and the rules say \(expected)")
        return
      }
    }
    #expect(cache.totals(now: now).bytes == model.entries.map(\.size).reduce(0, +))
  }
}

extension PictureCache {
  func keep(_ count: Int, for name: String, now: Date) {
    keep([UInt8](repeating: 7, count: count), for: name, now: now)
  }

  /// Name and uses, the least recently used first.
  var rows: [String] {
    use { table in
      try table.db.all("SELECT url, uses FROM picture ORDER BY place") { row in
        "\(try row.get("url", as: String.self)) \(try row.get("uses", as: Int.self))"
      }
    } ?? []
  }

  func hasExpired(_ name: String, now: Date) -> Bool? { use { try $0.use(name, now: now)?.hasExpired } ?? nil }
}
