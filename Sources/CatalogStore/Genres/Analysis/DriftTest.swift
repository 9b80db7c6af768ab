internal import Glibc

/// Whether the items of two years differ by more than chance, within each kind.
///
/// The items of each kind are dealt out to the two years at random, up to ``deals`` times. Each deal gives a drift to
/// compare with the real one. A formula would be accurate only if every branch had many items.
struct DriftTest {
  static let deals = 1999
  /// The number of deals made at a time.
  static let round = 40
  /// Dealing stops after this many deals with at least the real drift: p is then above 1 %, and known well enough
  /// (Besag and Clifford 1991).
  static let enough = 20

  /// A stratum for each kind that both years have.
  var kinds: [DriftStratum] = []

  /// The items of either year, of the kinds that both have.
  var first: Int { kinds.reduce(0) { $0 + $1.first } }
  var second: Int { kinds.reduce(0) { $0 + $1.second } }

  /// The weight of each kind: together 1. A kind of which a year has few items says little.
  private var weights: [Double] {
    let sizes = kinds.map { Double($0.first) * Double($0.second) / Double($0.first + $0.second) }
    let whole = sizes.reduce(0, +)
    return sizes.map { whole > 0 ? $0 / whole : 0 }
  }

  /// The Jensen–Shannon divergence (base 2) of the two years within each kind, the weighted mean of the kinds.
  var drift: Double { zip(weights, kinds).reduce(0) { $0 + $1.0 * $1.1.drift } }
  /// The same with each kind's divergence divided by how much more unevenly genres come than chance.
  private var evenDrift: Double { zip(weights, kinds).reduce(0) { $0 + $1.0 * $1.1.drift / $1.1.divisor } }

  /// The weight of each branch in either year, and its part of the drift, by the numbers of the strata's branches.
  var branches: [(first: Double, second: Double, part: Double)] {
    var sums: [(first: Double, second: Double, part: Double)] = []
    for (weight, kind) in zip(weights, kinds) {
      if sums.isEmpty { sums = Array(repeating: (0, 0, 0), count: kind.branches) }
      for (branch, own) in kind.weights.enumerated() {
        sums[branch].first += weight * own.first
        sums[branch].second += weight * own.second
        sums[branch].part += weight * own.part
      }
    }
    return sums
  }

  /// The chance of a drift as great as that of the two years with an unchanged taste. Of values that chance makes again
  /// and again, as it does of few items, half count as exceeded (mid-p).
  var chance: Double {
    let drift = Self.grain(evenDrift)
    let weights = weights
    var dealers = kinds.map(PermutationTest.init)
    var (made, above, equal) = (0, 0, 0)
    repeat {
      let deals = min(Self.round, Self.deals - made)
      var sums = Array(repeating: 0.0, count: deals)
      for place in dealers.indices {
        for (deal, value) in dealers[place].deal(deals).enumerated() { sums[deal] += weights[place] * value }
      }
      for sum in sums.map(Self.grain) where sum >= drift {
        if sum > drift { above += 1 } else { equal += 1 }
      }
      made += deals
    } while made < Self.deals && above + equal < Self.enough
    return (Double(above) + Double(equal + 1) / 2) / Double(made + 1)
  }

  /// Values nearer to each other than this are equal, whatever order they were summed up in.
  private static let grain = 1e-10
  private static func grain(_ drift: Double) -> Double { (drift / grain).rounded() * grain }
}

/// The items of one kind in two years.
struct DriftStratum {
  /// A branch, numbered from 0, and what it gets of an item: a part of ``ItemShare/unit``.
  typealias Part = (branch: Int, share: Int)

  /// Items that give the same to the same branches.
  struct Profile {
    /// The range of its parts in ``DriftStratum/parts``.
    var parts: Range<Int>
    /// The number of these items in the first year.
    var first: Int
    var second: Int

    var items: Int { first + second }
  }

  /// The parts of all profiles, one profile after another.
  private(set) var parts: [Part] = []
  private(set) var profiles: [Profile] = []
  let branches: Int
  /// The number of items that count as one.
  var divisor = 1.0
  /// The number of items in each year; ``firstSums`` and ``secondSums`` have what they give to each branch.
  private(set) var (first, second) = (0, 0)
  private(set) var firstSums: [Int]
  private(set) var secondSums: [Int]

  init(branches: Int) {
    self.branches = branches
    firstSums = Array(repeating: 0, count: branches)
    secondSums = firstSums
  }

  /// Adds items of both years; not in an order that depends on that of the items.
  mutating func add(_ parts: some Sequence<Part>, first: Int, second: Int) {
    let start = self.parts.count
    for part in parts {
      self.parts.append(part)
      firstSums[part.branch] += part.share * first
      secondSums[part.branch] += part.share * second
    }
    profiles.append(Profile(parts: start..<self.parts.count, first: first, second: second))
    self.first += first
    self.second += second
  }

  // MARK: The divergence

  /// The weight of each branch in either year, and its part of the divergence.
  var weights: [(first: Double, second: Double, part: Double)] {
    zip(firstSums, secondSums).map {
      let (p, q) = (Double($0) / Self.whole(first), Double($1) / Self.whole(second))
      return (p, q, Self.part(p, q))
    }
  }

  /// The Jensen–Shannon divergence (base 2) of the two years.
  var drift: Double { Self.divergence(firstSums, first, secondSums, second) }

  private static func whole(_ items: Int) -> Double { Double(ItemShare.unit) * Double(items) }

  static func divergence(_ a: [Int], _ n: Int, _ b: [Int], _ m: Int) -> Double {
    let (wholeA, wholeB) = (whole(n), whole(m))
    var sum = 0.0
    for branch in a.indices { sum += part(Double(a[branch]) / wholeA, Double(b[branch]) / wholeB) }
    return min(1, max(0, sum))
  }

  @inline(__always)
  private static func part(_ p: Double, _ q: Double) -> Double {
    if p <= 0 { return max(0, q) / 2 }
    if q <= 0 { return p / 2 }
    let middle = (p + q) / 2
    return (p * log2(p / middle) + q * log2(q / middle)) / 2
  }
}

/// Numbers that look random and are the same in every run (Steele, Lea and Flood: SplitMix64).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Each bit of what comes changes about half of what goes.
  static func mixed(_ bits: UInt64) -> UInt64 {
    var mixed = bits
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// 0 ..< `bound`.
  @inline(__always)
  mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

  /// Returns a number of the standard normal distribution (Box and Muller).
  mutating func normal() -> Double {
    let (radius, angle) = (Double(next() >> 11) + 1, Double(next() >> 11))
    return (-2 * log(radius / 0x1p53)).squareRoot() * cos(2 * .pi * angle / 0x1p53)
  }
}
