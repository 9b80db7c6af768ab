internal import CatalogModel
internal import SQLite

/// The order of titles, the best known first.
///
/// Titles with more points come first; of those with equal points, those of a creator with more titles, where the dump
/// asks for that; then those with lower numbers, so that rows are read nearly in the order in which they lie.
final class Ranking: Sendable {
  /// The numbers of all titles, sorted.
  private let numbers: [Int]
  /// The rank of each of them, from 1; 0 for those that are left out.
  private let ranks: [UInt32]
  /// The places in `numbers`, by rank.
  private let order: [UInt32]
  private let redirects: [Int: Int]

  /// The number of ranked titles.
  var count: Int { order.count }

  /// - Parameter most: the most titles to rank.
  init(_ staging: Staging, _ dump: Dump, most: Int?) throws {
    let db = staging.db
    var numbers: [Int] = []
    numbers.reserveCapacity(try db.value("SELECT count(*) FROM title", as: Int.self) ?? 0)
    var makers: [UInt32] = []
    try db.forEach(dump.ranksByCreator ? "SELECT number, by FROM title" : "SELECT number FROM title") { row in
      numbers.append(Int(row.integer(0)))
      if dump.ranksByCreator { makers.append(UInt32(clamping: row.integer(1))) }
      return true
    }
    var redirects: [Int: Int] = [:]
    try db.forEach("SELECT old, new FROM redirect") { row in
      redirects[Int(row.integer(0))] = Int(row.integer(1))
      return true
    }
    self.redirects = redirects

    var points = [UInt32](repeating: 0, count: numbers.count)
    try staging.forEachPoints { number, more in
      if let index = Self.index(of: Self.resolved(number, redirects), in: numbers) {
        points[index] = UInt32(clamping: min(Int(points[index]) + max(0, more), Self.mostPoints))
      }
    }
    let works = Self.counts(of: makers, anonymous: dump.anonymous)
    var keys = [UInt64](repeating: 0, count: numbers.count)
    for index in keys.indices {
      let maker = dump.ranksByCreator ? Int(makers[index]) : 0
      let score = points[index] << 8 | UInt32(clamping: works.indices.contains(maker) ? works[maker] : 0)
      keys[index] = UInt64(UInt32.max - score) << 32 | UInt64(index)
    }
    makers = []
    points = []
    keys.sort()
    if let most, most < keys.count { keys.removeSubrange(most...) }
    var ranks = [UInt32](repeating: 0, count: numbers.count)
    var order: [UInt32] = []
    order.reserveCapacity(keys.count)
    for (place, key) in keys.enumerated() {
      let index = UInt32(truncatingIfNeeded: key)
      order.append(index)
      ranks[Int(index)] = UInt32(clamping: place + 1)
    }
    (self.numbers, self.ranks, self.order) = (numbers, ranks, order)
  }

  /// The number of the title with a rank.
  func number(at rank: Int) -> Int { numbers[Int(order[rank - 1])] }

  /// The rank of a title; 0 for one that is not in the copy.
  func rank(of number: Int) -> Int {
    Self.index(of: Self.resolved(number, redirects), in: numbers).map { Int(ranks[$0]) } ?? 0
  }

  /// Defines `rank_of(number)` for queries on the staged rows.
  func define(on db: Connection) throws {
    try db.define("rank_of", argumentCount: 1) { [self] values in
      guard case .integer(let number)? = values.first else { return .integer(0) }
      return .integer(Int64(rank(of: Int(number))))
    }
  }

  /// Points above these count as these.
  private static let mostPoints = 1 << 24 - 1

  /// The number of titles of each creator, at most 255; none for those that are no persons, and for large numbers.
  private static func counts(of makers: [UInt32], anonymous: Set<Int>) -> [UInt8] {
    let largest = 1 << 26
    var counts = [UInt8](repeating: 0, count: makers.reduce(0) { Int($1) < largest ? max($0, Int($1) + 1) : $0 })
    for maker in makers.lazy.map({ Int($0) }) where maker > 0 && maker < largest && counts[maker] < .max {
      counts[maker] += 1
    }
    for number in anonymous where counts.indices.contains(number) { counts[number] = 0 }
    return counts
  }

  /// The number behind redirects, of which there may be circles.
  private static func resolved(_ number: Int, _ redirects: [Int: Int]) -> Int {
    guard !redirects.isEmpty else { return number }
    var number = number
    for _ in 0..<10 {
      guard let next = redirects[number] else { break }
      number = next
    }
    return number
  }

  private static func index(of number: Int, in numbers: [Int]) -> Int? {
    numbers.withUnsafeBufferPointer { numbers in
      var (low, high) = (0, numbers.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[middle] < number { low = middle + 1 } else { high = middle }
      }
      return low < numbers.count && numbers[low] == number ? low : nil
    }
  }
}
