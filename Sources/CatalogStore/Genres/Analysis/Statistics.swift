internal import Glibc

/// Statistical tests: the chance of counts without any effect. docs/genre-mathematics.md has the formulas.
enum Statistics {
  /// A stratum: items of one kind that are exchangeable when nothing is going on, and how many of them have each of two
  /// properties.
  struct Draw {
    var items: Int
    var first: Int
    var second: Int

    /// The expected number of items with both properties: the mean of the hypergeometric distribution.
    var mean: Double { items > 0 ? Double(first) * Double(second) / Double(items) : 0 }
    var variance: Double {
      guard items > 1 else { return 0 }
      return mean * Double(items - first) / Double(items) * Double(items - second) / Double(items - 1)
    }

    /// The third central moment.
    fileprivate var skewness: Double {
      guard items > 2 else { return 0 }
      let size = Double(items)
      return variance * (size - 2 * Double(first)) / size * (size - 2 * Double(second)) / (size - 2)
    }

    /// Whether more than one count is possible: other strata tell nothing.
    var isInformative: Bool { min(first, second) > 0 && max(first, second) < items }

    private var range: ClosedRange<Int> { max(0, first + second - items)...min(first, second) }

    /// The chances of the smallest and of the greatest possible count.
    fileprivate var extremes: (least: Double, most: Double) { (mass(of: range.lowerBound), mass(of: range.upperBound)) }

    private func mass(of count: Int) -> Double {
      exp(
        logChoices(count, of: first) + logChoices(second - count, of: items - first) - logChoices(second, of: items))
    }

    /// The chances of each count from `lowest` on; what is left out is less than a part in 10¹⁵.
    fileprivate var masses: (lowest: Int, masses: [Double]) {
      let reach = 8 * sqrt(variance) + 12
      let lowest = max(range.lowerBound, Int(mean - reach))
      let highest = min(range.upperBound, Int(mean + reach) + 1)
      guard lowest < highest else { return (lowest, [1]) }
      var mass = mass(of: lowest)
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

  /// From this variance on the normal distribution, corrected for skewness, is near enough.
  static let muchVariance = 150.0
  /// From this variance on the approximation is accurate enough for a chance above ``noSmallChance``.
  static let someVariance = 5.0
  static let noSmallChance = 0.06

  /// The chance that at least `together` items have both properties when these are dealt out anew within each stratum:
  /// the upper tail of a sum of hypergeometric distributions. Exact, but for great variances, and moderate ones where
  /// it is not small.
  static func together(_ together: Int, _ draws: [Draw]) -> Double {
    let variance = draws.reduce(0) { $0 + $1.variance }
    if variance >= someVariance {
      let mean = draws.reduce(0) { $0 + $1.mean }
      let score = (Double(together) - 0.5 - mean) / sqrt(variance)
      // Cornish and Fisher.
      let skewness = draws.reduce(0) { $0 + $1.skewness } / (variance * sqrt(variance))
      let chance = erfc((score - skewness * (score * score - 1) / 6) / sqrt(2)) / 2
      if variance >= muchVariance || chance > noSmallChance { return chance }
    }
    let parts = draws.map(\.masses).sorted { $0.masses.count < $1.masses.count }
    // The least sum of the remaining parts.
    let needed = together - parts.reduce(0) { $0 + $1.lowest }
    guard needed > 0 else { return 1 }
    // The chances of 0, 1, … more than the least; from `needed` on they are added up.
    var (sum, enough) = ([1.0], 0.0)
    for part in parts {
      var next = Array(repeating: 0.0, count: min(needed, sum.count + part.masses.count - 1))
      for (place, mass) in sum.enumerated() {
        for (more, other) in part.masses.enumerated() {
          if place + more < needed { next[place + more] += mass * other } else { enough += mass * other }
        }
      }
      sum = next
    }
    return min(1, enough)
  }

  /// The chance of a count as far from the expected one, either way: twice the smaller tail.
  static func bothTails(_ count: Int, _ draws: [Draw]) -> Double {
    let others = draws.map { Draw(items: $0.items, first: $0.items - $0.first, second: $0.second) }
    let rest = draws.reduce(0) { $0 + $1.second } - count
    return min(1, 2 * min(together(count, draws), together(rest, others)))
  }

  /// The smallest p that the test can give with these strata, for any count.
  static func leastChance(_ draws: [Draw], isOneSided: Bool = false) -> Double {
    let extremes = draws.map(\.extremes)
    let most = extremes.reduce(1) { $0 * $1.most }
    return isOneSided ? most : min(1, 2 * min(most, extremes.reduce(1) { $0 * $1.least }))
  }

  /// The chance of a standard score as far from 0, either way, corrected for a longer tail on its side (Cornish and
  /// Fisher). From the highest point of their correction on the chance stays.
  static func bothTails(_ score: Double, skewness: Double = 0) -> Double {
    let score = skewness > 0 ? min(score, 3 / skewness) : score
    return erfc(max(0, score - skewness * (score * score - 1) / 6) / sqrt(2))
  }

  /// The chance that is left of `chance`, of both tails, where so many items count as one.
  static func divided(_ chance: Double, by items: Double) -> Double {
    guard items > 1, chance < 1 else { return chance }
    return erfc(score(ofTails: chance) / sqrt(items))
  }

  /// The same for one tail.
  static func dividedTail(_ chance: Double, by items: Double) -> Double {
    chance < 0.5 ? divided(2 * chance, by: items) / 2 : chance
  }

  /// The inverse of `erfc`, for 0 … 1 (Newton, from above).
  private static func score(ofTails chance: Double) -> Double {
    // Less is as good as none.
    let target = log(max(chance, 1e-280))
    var score = sqrt(-target)
    for _ in 0..<60 {
      let tails = erfc(score)
      let step = (log(tails) - target) * tails * sqrt(Double.pi) / 2 * exp(score * score)
      score += step
      if abs(step) <= 1e-13 * max(1, score) { break }
    }
    return max(0, score)
  }

  static func logChoices(_ count: Int, of items: Int) -> Double {
    lgamma(Double(items) + 1) - lgamma(Double(count) + 1) - lgamma(Double(items - count) + 1)
  }

  /// The correlation of two values (Pearson); nil where one of them is always the same.
  static func correlation(_ pairs: [(Double, Double)]) -> Double? {
    let count = Double(pairs.count)
    let (x, y) = (pairs.reduce(0) { $0 + $1.0 } / count, pairs.reduce(0) { $0 + $1.1 } / count)
    var (both, first, second) = (0.0, 0.0, 0.0)
    for (one, other) in pairs {
      both += (one - x) * (other - y)
      first += (one - x) * (one - x)
      second += (other - y) * (other - y)
    }
    // Rounding can leave a tiny spread where there is none.
    guard min(first, second) > 1e-9 * count else { return nil }
    return max(-1, min(1, both / (first * second).squareRoot()))
  }
}
