internal import Glibc

/// Tests that hold a group against the rest: how often chance alone would make what was counted, or something further
/// from an even taste. docs/genre-mathematics.md says which is used for what.
extension Statistics {
  /// The chance that none of the `marked` items is among `draws` of `all`, drawn without replacement.
  static func none(of marked: Int, among draws: Int, of all: Int) -> Double {
    guard draws <= all - marked else { return 0 }
    return exp(
      logFactorial(all - marked) - logFactorial(all - marked - draws) - logFactorial(all) + logFactorial(all - draws))
  }

  /// Whether the values of a group are higher or lower than those of the others of the same kind: the rank-sum test of
  /// Wilcoxon, Mann and Whitney within each stratum, combined by van Elteren's weights, with the correction for ties
  /// and the normal approximation.
  /// - Parameter strata: the numbers of the group that have each value, in ascending order of the values, and those of
  ///   all, the group included.
  static func rankSum(_ strata: [(group: [Int], all: [Int])]) -> Double {
    var (distance, variance, step) = (0.0, 0.0, Double.infinity)
    for (group, all) in strata {
      let (n, size) = (Double(group.reduce(0, +)), Double(all.reduce(0, +)))
      guard n > 0, size > n else { continue }
      var (below, ranks, ties) = (0.0, 0.0, 0.0)
      for (own, count) in zip(group, all) where count > 0 {
        let count = Double(count)
        ranks += Double(own) * (below + (count + 1) / 2)
        ties += count * count * count - count
        below += count
      }
      let weight = 1 / (size + 1)
      distance += weight * (ranks - n * (size + 1) / 2)
      variance += weight * weight * n * (size - n) / 12 * (size + 1 - ties / (size * (size - 1)))
      step = min(step, weight)
    }
    return variance > 0 ? twoSided(distance, step: step, variance: variance) : 1
  }

  /// Whether differences lie to one side of zero: Wilcoxon's signed-rank test, with the normal approximation. Those of
  /// zero say nothing and are left out.
  /// - Parameter differences: how many there are of each, from −n to n.
  static func signedRank(_ differences: [Int]) -> Double {
    let middle = differences.count / 2
    var (below, positive, mean, variance) = (0.0, 0.0, 0.0, 0.0)
    for size in 1..<max(2, middle + 1) where middle + size < differences.count {
      let (up, down) = (Double(differences[middle + size]), Double(differences[middle - size]))
      let rank = below + (up + down + 1) / 2
      positive += up * rank
      mean += (up + down) * rank / 2
      variance += (up + down) * rank * rank / 4
      below += up + down
    }
    return twoSided(positive - mean, variance: variance)
  }

  /// The same for values in any order, and how often each is there.
  static func signedRank(of values: [(value: Int, count: Int)]) -> Double {
    let most = values.map { abs($0.value) }.max() ?? 0
    var differences = Array(repeating: 0, count: 2 * most + 1)
    for (value, count) in values { differences[most + value] += count }
    return signedRank(differences)
  }

  /// p of a statistic that is normal around zero and moves in steps of at least `step`: half a step is given to chance.
  private static func twoSided(_ distance: Double, step: Double = 1, variance: Double) -> Double {
    guard variance > 0 else { return 1 }
    return erfc(max(0, abs(distance) - step / 2) / sqrt(2 * variance))
  }

  private static func logFactorial(_ n: Int) -> Double {
    var sign: Int32 = 0
    return lgamma_r(Double(n) + 1, &sign)
  }
}
