internal import Glibc

/// How likely chance alone makes what was counted. docs/genres.md has the formulas.
enum Chance {
  /// A result that chance makes more often than this is not said.
  static let level = 0.05

  /// Both tails of a binomial distribution: twice the chance of a count as far out on its side as `count`, at most 1.
  static func binomial(_ count: Int, of items: Int, _ probability: Double) -> Double {
    guard items > 0, probability > 0, probability < 1 else { return 1 }
    let odds = probability / (1 - probability)
    let mass = exp(
      logChoices(count, of: items) + Double(count) * log(probability) + Double(items - count) * log1p(-probability))
    // Outwards from the mean the terms only shrink.
    var (sum, term) = (mass, mass)
    if Double(count) >= Double(items) * probability {
      var next = count
      while next < items, term > sum * 1e-17 {
        term *= Double(items - next) / Double(next + 1) * odds
        (sum, next) = (sum + term, next + 1)
      }
    } else {
      var next = count
      while next > 0, term > sum * 1e-17 {
        term *= Double(next) / Double(items - next + 1) / odds
        (sum, next) = (sum + term, next - 1)
      }
    }
    return min(1, 2 * sum)
  }

  /// The items of one kind, and how many of them have each of two genres.
  struct Draw {
    var items: Int
    var first: Int
    var second: Int

    /// How many have both by chance: the mean of the hypergeometric distribution.
    var mean: Double { Double(first) * Double(second) / Double(items) }
    var variance: Double {
      guard items > 1 else { return 0 }
      return mean * Double(items - first) / Double(items) * Double(items - second) / Double(items - 1)
    }

    /// The chances of each count from `lowest` on; what is left out is less than a part in 10¹⁵.
    fileprivate var masses: (lowest: Int, masses: [Double]) {
      let (least, most) = (max(0, first + second - items), min(first, second))
      let reach = 9 * sqrt(variance) + 20
      let lowest = max(least, Int(mean - reach))
      let highest = min(most, Int(mean + reach) + 1)
      guard lowest < highest else { return (lowest, [1]) }
      var mass = exp(
        logChoices(lowest, of: first) + logChoices(second - lowest, of: items - first)
          - logChoices(second, of: items))
      var masses = [mass]
      for count in lowest..<highest {
        mass *=
          Double(first - count) / Double(count + 1) * Double(second - count)
          / Double(items - first - second + count + 1)
        masses.append(mass)
      }
      return (lowest, masses)
    }
  }

  /// From this variance on the normal distribution is near enough.
  static let muchVariance = 1000.0

  /// The chance that genres fall together on at least `together` items when they are dealt out anew within each kind: the
  /// upper tail of a sum of hypergeometric distributions. Exact, but for the normal tail where the variance is great.
  static func together(_ together: Int, _ draws: [Draw]) -> Double {
    let variance = draws.reduce(0) { $0 + $1.variance }
    if variance >= muchVariance {
      let mean = draws.reduce(0) { $0 + $1.mean }
      return erfc((Double(together) - 0.5 - mean) / sqrt(2 * variance)) / 2
    }
    let parts = draws.map(\.masses).sorted { $0.masses.count < $1.masses.count }
    guard var sum = parts.first else { return 1 }
    for part in parts.dropFirst().dropLast() {
      var masses = Array(repeating: 0.0, count: sum.masses.count + part.masses.count - 1)
      for (place, mass) in sum.masses.enumerated() {
        for (other, more) in part.masses.enumerated() { masses[place + other] += mass * more }
      }
      sum = (sum.lowest + part.lowest, masses)
    }
    guard parts.count > 1, let last = parts.last else {
      return min(1, sum.masses.dropFirst(max(0, together - sum.lowest)).reversed().reduce(0, +))
    }
    // The tails of the longest one, so that each count of the others meets one number.
    var tails = last.masses
    for place in tails.indices.dropLast().reversed() { tails[place] += tails[place + 1] }
    var chance = 0.0
    for (place, mass) in sum.masses.enumerated() {
      let needed = max(0, together - sum.lowest - place - last.lowest)
      if needed < tails.count { chance += mass * tails[needed] }
    }
    return min(1, chance)
  }

  /// Which of many results are said, when one in twenty of those said may be wrong (Benjamini and Hochberg).
  /// - Parameters:
  ///   - chances: of the results that may be said.
  ///   - count: how many were looked at, these among them.
  static func telling(_ chances: [Double], of count: Int) -> [Bool] {
    let ranked = chances.sorted()
    let last = ranked.indices.last { ranked[$0] <= level * Double($0 + 1) / Double(max(1, count)) }
    guard let bound = last.map({ ranked[$0] }) else { return chances.map { _ in false } }
    return chances.map { $0 <= bound }
  }

  static func logChoices(_ count: Int, of items: Int) -> Double {
    lgamma(Double(items) + 1) - lgamma(Double(count) + 1) - lgamma(Double(items - count) + 1)
  }
}
