import Foundation
import TestSupport
import Testing

@testable import CatalogStore

/// Chances, by slower ways.
struct StatisticsTests {
  private static func choices(_ count: Int, of items: Int) -> Double {
    guard (0...items).contains(count) else { return 0 }
    return (0..<count).reduce(1.0) { $0 * Double(items - $1) / Double($1 + 1) }
  }

  @Test func `the probability of four common items is exact`() {
    #expect(abs(Statistics.together(4, [.init(items: 10, first: 5, second: 5)]) - 26.0 / 252) < 1e-12)
  }

  /// The chance of at least `together`, by all that can be.
  private static func tail(_ together: Int, _ draws: ArraySlice<Statistics.Draw>) -> Double {
    guard let draw = draws.first else { return together <= 0 ? 1 : 0 }
    return (0...min(draw.first, draw.second)).reduce(0) { sum, count in
      sum + choices(count, of: draw.first) * choices(draw.second - count, of: draw.items - draw.first)
        / choices(draw.second, of: draw.items) * tail(together - count, draws.dropFirst())
    }
  }

  /// Strata by chance.
  private static func draws(_ random: inout SplitMix) -> [Statistics.Draw] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let items = Int.random(in: 1...30, using: &random)
      return Statistics.Draw(
        items: items, first: Int.random(in: 1...items, using: &random),
        second: Int.random(in: 1...items, using: &random))
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func `the stratified tail is exact if it is small`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<Rounds.count(70, long: 200) {
      let draws = Self.draws(&random)
      let mean = draws.reduce(0) { $0 + Double($1.first * $1.second) / Double($1.items) }
      #expect(abs(draws.reduce(0) { $0 + $1.mean } - mean) < 1e-9)
      let most = draws.reduce(0) { $0 + min($1.first, $1.second) }
      #expect(abs(Statistics.leastChance(draws, isOneSided: true) - Self.tail(most, draws[...])) < 1e-9)
      for together in 0...20 {
        let exact = Self.tail(together, draws[...])
        let chance = Statistics.together(together, draws)
        if draws.reduce(0, { $0 + $1.variance }) < Statistics.someVariance || exact < 0.05 {
          #expect(abs(chance - exact) < 1e-9)
        } else {
          #expect(abs(chance - exact) < 0.03)
        }
      }
    }
  }

  @Test func `bothTails is twice the smaller tail`() {
    let draws = [Statistics.Draw(items: 20, first: 10, second: 5), .init(items: 8, first: 2, second: 3)]
    for count in 0...7 {
      let (upper, lower) = (Self.tail(count, draws[...]), 1 - Self.tail(count + 1, draws[...]))
      #expect(abs(Statistics.bothTails(count, draws) - min(1, 2 * min(upper, lower))) < 1e-9)
    }
  }

  @Test(arguments: [3.0, 4, 5])
  func `the corrected normal distribution is close to the exact tail`(_ score: Double) throws {
    // A rare genre, a fifth of the items recent: as skewed as it gets. The same variance once exactly and once not.
    for draw in [
      Statistics.Draw(items: 4_000, first: 800, second: 1_500), .init(items: 100_000, first: 20_000, second: 937),
    ] {
      #expect((145..<150.1).contains(draw.variance), "\(draw.variance)")
      let count = Int((draw.mean + score * draw.variance.squareRoot()).rounded())
      let exact = Statistics.together(count, [draw])
      // A stratum without news makes the variance no greater; one more item does.
      let more = Statistics.Draw(
        items: draw.items, first: draw.first, second: Int(Double(draw.second) * 1.06))
      #expect(more.variance >= Statistics.muchVariance)
      let near = Statistics.together(Int((more.mean + score * more.variance.squareRoot()).rounded()), [more])
      #expect(abs(log(near / exact)) < 0.35, "\(exact), \(near)")
    }
  }
}

struct FalseAlarmTests {
  private func significant(_ chances: [Double], of count: Int) -> [Bool] {
    FalseAlarms.significant(.init(chances, looked: count), rate: 0.05)
  }

  @Test func `a family is corrected for its number of tests`() {
    let chances = [0.001, 0.04, 0.012, 0.9, 0.02]
    // 0.05 · k ÷ 5: 0.01, 0.02, 0.03, 0.04, 0.05. The third is below its bound, and so are those before it.
    #expect(significant(chances, of: 5) == [true, true, true, false, true])
    // Limits for twenty: 0.0025, 0.005, 0.0075, 0.01.
    #expect(significant(chances, of: 20) == [true, false, false, false, false])
    #expect(significant([0.04, 0.05], of: 2) == [true, true])
    #expect(significant([], of: 0).isEmpty)
  }

  @Test func `a family among many gets a lower rate than one alone`() {
    let quiet = FalseAlarms.Family([0.5, 0.7])
    // Simes: 2 · 0.005.
    let found = FalseAlarms.Family([0.005, 0.6])
    #expect(FalseAlarms([found], rate: 0.04).rates == [0.04])
    #expect(FalseAlarms([quiet, found], rate: 0.04).rates == [0, 0.02])
    #expect(FalseAlarms([quiet, found, quiet, quiet, quiet], rate: 0.04).rates == [0, 0, 0, 0, 0])
  }

  @Test func `families without tests do not count, and selected ones raise the rate`() {
    let none = FalseAlarms.Family([])
    let found = FalseAlarms.Family([0.01])
    #expect(FalseAlarms([none, found, none], rate: 0.04).rates == [0, 0.04, 0])
    let rate = 0.04 * 2 / 3
    #expect(FalseAlarms([found, found, .init([0.9])], rate: 0.04).rates == [rate, rate, 0.0])
    #expect(FalseAlarms([], rate: 0.04).rates.isEmpty)
  }
}

/// An unchanged taste has a p below 5 per cent in 2 to 8 per cent of years.
struct DriftTests {
  /// A taste: what there is to choose from, each thing as likely as any other.
  struct Taste: CustomTestStringConvertible, Sendable {
    var name: String
    /// The branches of each thing, ascending.
    var things: [[Int]]
    var branches: Int
    var testDescription: String { name }

    /// - Parameters:
    ///   - slope: how much more frequent the first branches are: the weight of the n-th is n to the power of −slope.
    ///   - genres: how many branches a thing has.
    init(_ name: String, branches: Int, slope: Double, genres: ClosedRange<Int>) {
      (self.name, self.branches) = (name, branches)
      var random = SplitMix(seed: UInt64(branches))
      let sums = (1...branches).reduce(into: [0.0]) { $0.append(($0.last ?? 0) + pow(Double($1), -slope)) }.dropFirst()
      things = (0..<1000).map { _ in
        let count = Int.random(in: genres, using: &random)
        var mine: Set<Int> = []
        while mine.count < count {
          let number = Double.random(in: 0..<(sums.last ?? 1), using: &random)
          mine.insert(sums.count { $0 <= number })
        }
        return mine.sorted()
      }
    }
  }

  static let tastes = [
    Taste("one genre an item, 3 branches", branches: 3, slope: 1, genres: 1...1),
    Taste("one genre an item, 12 branches", branches: 12, slope: 1, genres: 1...1),
    Taste("one genre an item, 60 branches", branches: 60, slope: 1, genres: 1...1),
    Taste("one to three genres, 30 branches", branches: 30, slope: 0.7, genres: 1...3),
    Taste("five to eight genres, 40 branches", branches: 40, slope: 1, genres: 5...8),
  ]
  /// Items of the two years.
  static let sizes = [(10, 10), (25, 25), (10, 90), (100, 100), (250, 250), (1000, 1000), (5000, 5000)]

  /// Returns the number of false alarms: rounds in which two years of one taste differ significantly.
  private func alarms(_ taste: Taste, _ sizes: (Int, Int), rounds: Int) -> Int {
    var random = SplitMix(seed: UInt64(sizes.0 * 31 + sizes.1))
    let order = Set(taste.things).sorted { $0.lexicographicallyPrecedes($1) }
    let numbers = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    let things = taste.things.compactMap { numbers[$0] }
    var alarms = 0
    for _ in 0..<rounds {
      func year(_ items: Int) -> [Int] {
        var counts = Array(repeating: 0, count: order.count)
        for _ in 0..<items { counts[things[Int(truncatingIfNeeded: random.next() % UInt64(things.count))]] += 1 }
        return counts
      }
      let (first, second) = (year(sizes.0), year(sizes.1))
      var stratum = DriftStratum(branches: taste.branches)
      for place in order.indices where first[place] + second[place] > 0 {
        let share = ItemShare.of(order[place].count)
        stratum.add(order[place].map { ($0, share) }, first: first[place], second: second[place])
      }
      if DriftTest(kinds: [stratum]).chance < 0.05 { alarms += 1 }
    }
    return alarms
  }

  /// Few items and many, with one genre an item and with many.
  @Test(arguments: [0..<3, 3..<5, 5..<7], [0..<3, 3..<5])
  func `an unchanged taste has a significant drift in one year of twenty`(_ sizes: Range<Int>, _ tastes: Range<Int>) {
    let rounds = 240 / sizes.count / tastes.count
    var alarms = 0
    for size in Self.sizes[sizes] {
      for taste in Self.tastes[tastes] { alarms += self.alarms(taste, size, rounds: rounds) }
    }
    let share = Double(alarms) / Double(rounds * sizes.count * tastes.count)
    #expect((0.02...0.08).contains(share), "\(Self.sizes[sizes]): \(alarms), \(share)")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["DRIFT_ROUNDS"] != nil, "it takes minutes"))
  func `each simulated taste and size has a false-alarm rate near 5 %`() {
    let rounds = Int(ProcessInfo.processInfo.environment["DRIFT_ROUNDS"] ?? "") ?? 1000
    print("| taste |" + Self.sizes.map { " \($0.0) + \($0.1) |" }.joined())
    print("|---|" + Self.sizes.map { _ in "--:|" }.joined())
    for taste in Self.tastes {
      let cells = Self.sizes.map { size in
        let share = 100 * Double(alarms(taste, size, rounds: rounds)) / Double(rounds)
        #expect((2...8).contains(share), "\(taste.name), \(size): \(share) %")
        return String(format: " %.1f |", share)
      }
      print("| \(taste.name) |" + cells.joined())
    }
  }

  @Test func `permutations stop early only if p is above one per cent`() {
    var random = SplitMix(seed: 4)
    var changes = 0
    for round in 0..<60 {
      // Every third taste has moved.
      let slope = round.isMultiple(of: 3) ? 2 : 1
      var stratum = DriftStratum(branches: 6)
      for branch in 0..<6 {
        stratum.add(
          [(branch, ItemShare.unit)], first: Int.random(in: 0...(3 + branch * slope), using: &random),
          second: Int.random(in: 0...9, using: &random))
      }
      let (drift, chance) = (stratum.drift, DriftTest(kinds: [stratum]).chance)
      var dealer = PermutationTest(stratum)
      let all = dealer.deal(DriftTest.deals)
      let (above, equal) = (all.count { $0 > drift + 1e-9 }, all.count { abs($0 - drift) <= 1e-9 })
      let p = (Double(above) + Double(equal + 1) / 2) / Double(DriftTest.deals + 1)
      if chance < 0.01 { #expect(abs(chance - p) < 1e-12) } else { #expect(p > 0.004) }
      if p < 0.05 { changes += 1 }
    }
    #expect((5...30).contains(changes), "\(changes)")
  }

  @Test func `a changed taste has a significant drift`() {
    // Ten of one branch, then ten of another; and half of each, twice.
    func stratum(_ counts: [(Int, Int)]) -> DriftStratum {
      var stratum = DriftStratum(branches: counts.count)
      for (branch, count) in counts.enumerated() {
        stratum.add([(branch, ItemShare.unit)], first: count.0, second: count.1)
      }
      return stratum
    }
    let changed = DriftTest(kinds: [stratum([(10, 0), (0, 10)])])
    #expect(changed.drift == 1)
    #expect(changed.chance < 0.001)
    // The same numbers in every run.
    #expect(changed.chance == DriftTest(kinds: [stratum([(10, 0), (0, 10)])]).chance)
    let same = DriftTest(kinds: [stratum([(10, 10), (10, 10)])])
    #expect(same.drift == 0)
    #expect(same.chance > 0.5)
    #expect(DriftTest(kinds: [stratum([(600, 300), (400, 700)])]).chance < 0.001)
  }

  @Test func `a year of richer labels is not a drift`() {
    // One branch an item in the first year, two in the second: that spreads the weights.
    var stratum = DriftStratum(branches: 4)
    for (branch, items) in [200, 100, 60, 40].enumerated() {
      stratum.add([(branch, ItemShare.unit)], first: items, second: 0)
    }
    let half = ItemShare.of(2)
    for (one, other, items) in [(0, 1, 200), (0, 2, 100), (0, 3, 60), (1, 2, 40)] {
      stratum.add([(one, half), (other, half)], first: 0, second: items)
    }
    let test = DriftTest(kinds: [stratum])
    #expect(test.drift > 0.003)
    #expect(test.chance > 0.1)
  }

  @Test func `a shift from one kind to another is not a drift`() {
    // The first kind shrinks from 90 to 10 items, the second grows: both keep their mix.
    var (films, books) = (DriftStratum(branches: 4), DriftStratum(branches: 4))
    for branch in 0..<2 {
      films.add([(branch, ItemShare.unit)], first: 45, second: 5)
      books.add([(branch + 2, ItemShare.unit)], first: 5, second: 45)
    }
    let test = DriftTest(kinds: [films, books])
    #expect(test.drift == 0)
    #expect(test.branches.map(\.first) == [0.25, 0.25, 0.25, 0.25])
    #expect(test.chance > 0.5)
  }
}
