import Foundation
import TestSupport
import Testing

@testable import CatalogStore

/// Tests probabilities against slower computations.
struct ChanceTests {
  private static func choices(_ count: Int, of items: Int) -> Double {
    guard (0...items).contains(count) else { return 0 }
    return (0..<count).reduce(1.0) { $0 * Double(items - $1) / Double($1 + 1) }
  }

  private static func binomial(_ count: Int, of items: Int, _ probability: Double) -> Double {
    choices(count, of: items) * pow(probability, Double(count)) * pow(1 - probability, Double(items - count))
  }

  @Test(arguments: [1, 2, 5, 12, 40], [0.01, 0.3, 0.5, 0.85])
  func `both tails of a binomial`(_ items: Int, _ probability: Double) {
    for count in 0...items {
      let low = (0...count).reduce(0) { $0 + Self.binomial($1, of: items, probability) }
      let high = (count...items).reduce(0) { $0 + Self.binomial($1, of: items, probability) }
      // The tail on the side of the mean is the greater one, but for the count next to the mean.
      let chance = Chance.binomial(count, of: items, probability)
      let tail = Double(count) >= Double(items) * probability ? high : low
      #expect(abs(chance - min(1, 2 * tail)) < 1e-9 && (0...1).contains(chance))
    }
    #expect(Chance.binomial(3, of: 3, 1) == 1 && Chance.binomial(0, of: 0, 0.5) == 1)
  }

  @Test func `the example of the page`() {
    #expect(abs(Chance.binomial(11, of: 12, 0.4) - 0.00064) < 1e-5)
    #expect(abs(Chance.together(4, [.init(items: 10, first: 5, second: 5)]) - 26.0 / 252) < 1e-12)
  }

  /// The probability of at least `together`, by enumeration.
  private static func tail(_ together: Int, _ draws: ArraySlice<Chance.Draw>) -> Double {
    guard let draw = draws.first else { return together <= 0 ? 1 : 0 }
    return (0...min(draw.first, draw.second)).reduce(0) { sum, count in
      sum + choices(count, of: draw.first) * choices(draw.second - count, of: draw.items - draw.first)
        / choices(draw.second, of: draw.items) * tail(together - count, draws.dropFirst())
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func `genres that fall together within kinds`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      let draws = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let items = Int.random(in: 1...30, using: &random)
        return Chance.Draw(
          items: items, first: Int.random(in: 1...items, using: &random),
          second: Int.random(in: 1...items, using: &random))
      }
      let mean = draws.reduce(0) { $0 + Double($1.first * $1.second) / Double($1.items) }
      #expect(abs(draws.reduce(0) { $0 + $1.mean } - mean) < 1e-9)
      for together in 0...20 {
        #expect(abs(Chance.together(together, draws) - Self.tail(together, draws[...])) < 1e-9)
      }
    }
  }

  @Test func `of very many items the normal distribution is near enough`() {
    let draw = Chance.Draw(items: 30_000, first: 8_000, second: 9_000)
    #expect(draw.variance > Chance.muchVariance)
    let small = Chance.Draw(items: 30_000, first: 2_000, second: 9_000)
    #expect(small.variance < Chance.muchVariance)
    // The exact one of nearly the same variance, at as many standard deviations.
    for score in [1.0, 2, 3] {
      func chance(_ draw: Chance.Draw) -> Double {
        Chance.together(Int((draw.mean + score * draw.variance.squareRoot()).rounded()), [draw])
      }
      #expect(abs(chance(draw) / chance(small) - 1) < 0.15)
    }
  }

  @Test func `what is said is corrected for how many were looked at`() {
    let chances = [0.001, 0.04, 0.012, 0.9, 0.02]
    // 0.05 · k ÷ 5: 0.01, 0.02, 0.03, 0.04, 0.05. The third is below its bound, and so are those before it.
    #expect(Chance.telling(chances, of: 5) == [true, true, true, false, true])
    // Of twenty: 0.0025, 0.005, 0.0075, 0.01.
    #expect(Chance.telling(chances, of: 20) == [true, false, false, false, false])
    #expect(Chance.telling([0.04, 0.05], of: 2) == [true, true])
    #expect(Chance.telling([], of: 0).isEmpty)
  }

  /// Computes by enumeration how often an unchanged share gets an arrow.
  @Test(arguments: [(10, 10), (10, 100), (12, 60), (40, 40)], [0.02, 0.1, 0.3, 0.5])
  func `an unchanged share rarely has an arrow`(_ sizes: (Int, Int), _ share: Double) {
    let (n, m) = sizes
    var alarms = 0.0
    for x in 0...n {
      for y in 0...m {
        let (p, q) = (Double(x + 1) / Double(n + 2), Double(y + 1) / Double(m + 2))
        let error = (p * (1 - p) / Double(n + 2) + q * (1 - q) / Double(m + 2)).squareRoot()
        guard abs(p - q) > GenreReport.tellingScore * error else { continue }
        alarms += Self.binomial(x, of: n, share) * Self.binomial(y, of: m, share)
      }
    }
    #expect(alarms < 0.063, "\(alarms)")
  }
}

/// Tests that an unchanged taste appears changed in 2 to 8 per cent of years.
struct DriftTests {
  /// A taste: a set of items to draw from, each equally likely.
  struct Taste: CustomTestStringConvertible, Sendable {
    var name: String
    /// The branches of each item, ascending.
    var things: [[Int]]
    var branches: Int
    var testDescription: String { name }

    /// - Parameters:
    ///   - slope: the decline of frequency: the weight of the n-th branch is n to the power of −slope.
    ///   - genres: the number of branches of an item.
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
  /// The numbers of items in the two years.
  static let sizes = [(10, 10), (25, 25), (10, 90), (100, 100), (250, 250), (1000, 1000), (5000, 5000)]

  /// The number of rounds in which two years of one taste appear to differ.
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
      var test = DriftTest(branches: taste.branches)
      for place in order.indices where first[place] + second[place] > 0 {
        let share = ItemShare.of(order[place].count)
        test.add(order[place].map { ($0, share) }, first: first[place], second: second[place])
      }
      let (drift, chance) = (test.drift, test.chance)
      #expect((drift > chance.level) == (chance.p < Chance.level))
      if drift > chance.level { alarms += 1 }
    }
    return alarms
  }

  /// Tests few items and many, with one genre for each item and with many.
  @Test(arguments: [0..<3, 3..<5, 5..<7], [0..<3, 3..<5])
  func `an unchanged taste is above chance in one year of twenty`(_ sizes: Range<Int>, _ tastes: Range<Int>) {
    let rounds = 240 / sizes.count / tastes.count
    var alarms = 0
    for size in Self.sizes[sizes] {
      for taste in Self.tastes[tastes] { alarms += self.alarms(taste, size, rounds: rounds) }
    }
    let share = Double(alarms) / Double(rounds * sizes.count * tastes.count)
    #expect((0.02...0.08).contains(share), "\(Self.sizes[sizes]): \(alarms), \(share)")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["DRIFT_ROUNDS"] != nil, "it takes minutes"))
  func `the table of the page`() {
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

  @Test func `what is soon clear is what all deals would say`() {
    var random = SplitMix(seed: 4)
    var changes = 0
    for round in 0..<120 {
      // Every third taste has moved.
      let slope = round.isMultiple(of: 3) ? 2 : 1
      var test = DriftTest(branches: 6)
      for branch in 0..<6 {
        test.add(
          [(branch, ItemShare.unit)], first: Int.random(in: 0...(3 + branch * slope), using: &random),
          second: Int.random(in: 0...9, using: &random))
      }
      let (drift, chance) = (test.drift, test.chance)
      var dealer = DriftDealer(test)
      let all = dealer.deal(DriftTest.deals)
      let (above, equal) = (all.count { $0 > drift + 1e-9 }, all.count { abs($0 - drift) <= 1e-9 })
      let p = (Double(above) + Double(equal + 1) / 2) / Double(DriftTest.deals + 1)
      #expect((p < Chance.level) == (drift > chance.level) && (p < Chance.level) == (chance.p < Chance.level))
      if p < Chance.level { changes += 1 }
    }
    #expect((10...60).contains(changes), "\(changes)")
  }

  @Test func `a changed taste is found`() {
    // Ten of one branch, then ten of another; and half of each, twice.
    func test(_ counts: [(Int, Int)]) -> DriftTest {
      var test = DriftTest(branches: counts.count)
      for (branch, count) in counts.enumerated() {
        test.add([(branch, ItemShare.unit)], first: count.0, second: count.1)
      }
      return test
    }
    let changed = test([(10, 0), (0, 10)])
    #expect(changed.drift == 1 && changed.chance.level < 1 && changed.chance.p < 0.01)
    let same = test([(10, 10), (10, 10)])
    #expect(same.drift == 0 && same.chance.p > 0.5)
    // The same numbers in every run.
    #expect(changed.chance.level == test([(10, 0), (0, 10)]).chance.level)
    #expect(test([(600, 300), (400, 700)]).chance.p < 0.01)
  }
}
