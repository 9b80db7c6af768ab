internal import Glibc

/// Tests that hold a group against the rest: how often chance alone would make what was counted, or something further from
/// an even taste. docs/genres.md says which is used for what.
extension Chance {
  enum Tail {
    case upper, both
  }

  /// Whether a property is more (or less) frequent in one group than in another: Fisher's exact test on a table of two
  /// by two. The two-sided p is twice that of the smaller tail.
  /// - Parameters:
  ///   - part: how many of the `group` have it.
  ///   - other: how many of the `rest` have it.
  static func fisher(_ part: Int, of group: Int, against other: Int, of rest: Int, _ tail: Tail = .both) -> Double {
    let upper = hypergeometricTail(from: part, draws: group, marked: part + other, of: group + rest)
    guard tail == .both else { return upper }
    let lower = hypergeometricTail(from: other, draws: rest, marked: part + other, of: group + rest)
    return min(1, 2 * min(upper, lower))
  }

  /// How likely none of the `marked` ones is among `draws` of `all`, drawn without putting back.
  static func none(of marked: Int, among draws: Int, of all: Int) -> Double {
    guard draws <= all - marked else { return 0 }
    return exp(
      logFactorial(all - marked) - logFactorial(all - marked - draws) - logFactorial(all) + logFactorial(all - draws))
  }

  /// How likely at least `count` of the `marked` ones are among `draws` of `all`, drawn without putting back.
  static func hypergeometricTail(from count: Int, draws: Int, marked: Int, of all: Int) -> Double {
    let most = min(draws, marked)
    let least = max(0, draws + marked - all)
    guard count > least else { return 1 }
    guard count <= most else { return 0 }
    var term = exp(
      logChoices(count, of: marked) + logChoices(draws - count, of: all - marked) - logChoices(draws, of: all))
    var sum = term
    for k in count..<most {
      let ratio =
        Double(marked - k) * Double(draws - k) / (Double(k + 1) * Double(all - marked - draws + k + 1))
      term *= ratio
      sum += term
      // Beyond the most likely count the terms only fall.
      if ratio < 1, term < sum * 1e-15 { break }
    }
    return min(1, sum)
  }

  /// Whether the values of a group are higher or lower than those of the others: the rank-sum test of Wilcoxon, Mann and
  /// Whitney, with the correction for ties and the normal approximation.
  /// - Parameters:
  ///   - group: how many of the group have each value, in ascending order of the values.
  ///   - all: the same of everybody, the group included.
  static func rankSum(_ group: some Collection<Int32>, among all: some Collection<Int32>) -> Double {
    let (n, size) = (Double(group.reduce(0, +)), Double(all.reduce(0, +)))
    guard n > 0, size > n else { return 1 }
    var (below, ranks, ties) = (0.0, 0.0, 0.0)
    for (mine, count) in zip(group, all) where count > 0 {
      let count = Double(count)
      ranks += Double(mine) * (below + (count + 1) / 2)
      ties += count * count * count - count
      below += count
    }
    let variance = n * (size - n) / 12 * (size + 1 - ties / (size * (size - 1)))
    return twoSided(ranks - n * (size + 1) / 2, variance: variance)
  }

  /// Whether differences lie to one side of zero: Wilcoxon's signed-rank test, with the normal approximation. Those of zero
  /// say nothing and are left out.
  /// - Parameter differences: how many there are of each, from −n to n.
  static func signedRank(_ differences: [Int32]) -> Double {
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

  /// The p of each, corrected for there being so many: any that stays below 5 % is wrong in at most one family of twenty
  /// (Holm 1979).
  static func holm(_ ps: [Double]) -> [Double] {
    var adjusted = ps
    var most = 0.0
    for (rank, place) in ps.indices.sorted(by: { ps[$0] < ps[$1] }).enumerated() {
      most = max(most, min(1, ps[place] * Double(ps.count - rank)))
      adjusted[place] = most
    }
    return adjusted
  }

  /// p of a statistic that is normal around zero and moves in steps of one half or one: half a step is given to chance.
  private static func twoSided(_ distance: Double, variance: Double) -> Double {
    guard variance > 0 else { return 1 }
    return erfc(max(0, abs(distance) - 0.5) / sqrt(2 * variance))
  }

  private static func logFactorial(_ n: Int) -> Double {
    var sign: Int32 = 0
    return lgamma_r(Double(n) + 1, &sign)
  }
}
