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

  /// p of a statistic that is normal around zero and moves in steps of 1: half a step is given to chance.
  private static func twoSided(_ distance: Double, variance: Double) -> Double {
    variance > 0 ? bothTails(max(0, abs(distance) - 0.5) / sqrt(variance)) : 1
  }

  private static func logFactorial(_ n: Int) -> Double {
    var sign: Int32 = 0
    return lgamma_r(Double(n) + 1, &sign)
  }
}
