internal import Glibc

/// Whether the items of two years differ by more than chance.
///
/// They are dealt out to the two years anew, up to ``deals`` times, and each time it is looked at how far the years are apart.
/// An unchanged taste is above the level that this gives in one case of twenty, with few items or many, of few genres or
/// many: a formula for it holds only where every branch has many items.
struct DriftTest {
  /// A branch, numbered from 0, and what it gets of an item: a part of ``ItemShare/unit``.
  typealias Part = (branch: Int, share: Int)

  /// Items that give the same to the same branches.
  struct Profile {
    /// Which of the parts it gives.
    var parts: Range<Int>
    /// How many of them are of either year.
    var first: Int
    var second: Int

    var items: Int { first + second }
  }

  static let deals = 199
  /// So many are made at a time, and no more as soon as the others could not make the years differ by more than chance.
  static let round = 40

  /// What the profiles give, one behind another.
  private(set) var parts: [Part] = []
  private(set) var profiles: [Profile] = []
  let branches: Int
  /// The items of either year, and what they give to each branch.
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

  // MARK: Chance

  /// The level that a drift must exceed, and the chance of one as great as that of the two years.
  ///
  /// Of values that chance makes again and again, as it does of few items, half count as exceeded (mid-p). As soon as so
  /// many exceed the drift that all deals would not make it a change, no more are made (Besag and Clifford): that an
  /// unchanged taste differs by chance is soon clear, and its level is then known less exactly.
  var chance: (level: Double, p: Double) {
    let drift = Self.grain(drift)
    var dealer = DriftDealer(self)
    var dealt: [Double] = []
    func p(above: Int, equal: Int, of deals: Int) -> Double {
      (Double(above) + Double(equal + 1) / 2) / Double(deals + 1)
    }
    func p(of deals: Int) -> Double {
      p(above: dealt.count { $0 > drift }, equal: dealt.count { $0 == drift }, of: deals)
    }
    repeat {
      dealt += dealer.deal(min(Self.round, Self.deals - dealt.count)).map(Self.grain)
    } while dealt.count < Self.deals && p(of: Self.deals) < Chance.level
    dealt.sort(by: >)
    var (level, above) = (0.0, 0)
    while above < dealt.count {
      let value = dealt[above]
      let equal = dealt[above...].prefix { $0 == value }.count
      if p(above: above + equal, equal: 0, of: dealt.count) >= Chance.level {
        // Just above the value, or just below it where the value itself is no chance.
        let isChance = p(above: above, equal: equal, of: dealt.count) >= Chance.level
        level = value + (isChance ? Self.grain : -Self.grain) / 2
        break
      }
      above += equal
    }
    return (level, p(of: dealt.count))
  }

  /// Values nearer to each other than this are equal, whatever order they were summed up in.
  private static let grain = 1e-10
  private static func grain(_ drift: Double) -> Double { (drift / grain).rounded() * grain }
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

  /// Of the normal distribution (Box and Muller).
  mutating func normal() -> Double {
    let (radius, angle) = (Double(next() >> 11) + 1, Double(next() >> 11))
    return (-2 * log(radius / 0x1p53)).squareRoot() * cos(2 * .pi * angle / 0x1p53)
  }
}
