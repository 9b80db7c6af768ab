internal import Glibc

/// Whether the items of two years differ by more than chance.
///
/// They are dealt out to the two years anew, ``deals`` times, and each time it is looked at how far the years are apart. An
/// unchanged taste is above the level that this gives in one case of twenty, with few items or many, of few genres or many:
/// a formula for it holds only where every branch has many items.
struct DriftTest {
  /// Items that give the same to the same branches.
  struct Profile {
    /// The branches, numbered from 0, and what each gets of an item: a part of ``ItemShare/unit``.
    var parts: [(branch: Int, share: Int)]
    /// How many of them are of either year.
    var first: Int
    var second: Int
  }

  static let deals = 199

  private let profiles: [Profile]
  private let branches: Int
  private let first: Int
  private let second: Int

  /// - Parameter profiles: in an order that does not depend on that of the items.
  init(_ profiles: [Profile], branches: Int) {
    // The frequent ones first: what is left is soon dealt out.
    self.profiles = profiles.enumerated().sorted {
      ($1.element.first + $1.element.second, $0.offset) < ($0.element.first + $0.element.second, $1.offset)
    }.map(\.element)
    self.branches = branches
    first = profiles.reduce(0) { $0 + $1.first }
    second = profiles.reduce(0) { $0 + $1.second }
  }

  // MARK: The divergence

  /// The weight of each branch in either year, and its part of the divergence.
  var parts: [(first: Double, second: Double, part: Double)] {
    zip(sums { $0.first }, sums { $0.second }).map {
      let (p, q) = (Double($0) / Self.whole(first), Double($1) / Self.whole(second))
      return (p, q, Self.part(p, q))
    }
  }

  /// The Jensen–Shannon divergence (base 2) of the two years.
  var drift: Double { Self.divergence(sums { $0.first }, first, sums { $0.second }, second) }

  private func sums(_ count: (Profile) -> Int) -> [Int] {
    var sums = Array(repeating: 0, count: branches)
    for profile in profiles {
      for part in profile.parts { sums[part.branch] += part.share * count(profile) }
    }
    return sums
  }

  private static func whole(_ items: Int) -> Double { Double(ItemShare.unit) * Double(items) }

  private static func divergence(_ a: [Int], _ n: Int, _ b: [Int], _ m: Int) -> Double {
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
  /// Of values that chance makes again and again, as it does of few items, half count as exceeded (mid-p).
  var chance: (level: Double, p: Double) {
    let drift = Self.grain(drift)
    let dealt = dealt().map(Self.grain).sorted(by: >)
    func p(above: Int, equal: Int) -> Double { (Double(above) + Double(equal + 1) / 2) / Double(Self.deals + 1) }
    var (level, above) = (0.0, 0)
    while above < dealt.count {
      let value = dealt[above]
      let equal = dealt[above...].prefix { $0 == value }.count
      if p(above: above + equal, equal: 0) >= Chance.level {
        // Just above the value, or just below it where the value itself is no chance.
        level = value + (p(above: above, equal: equal) >= Chance.level ? Self.grain : -Self.grain) / 2
        break
      }
      above += equal
    }
    return (level, p(above: dealt.count { $0 > drift }, equal: dealt.count { $0 == drift }))
  }

  /// Values nearer to each other than this are equal, whatever order they were summed up in.
  private static let grain = 1e-10
  private static func grain(_ drift: Double) -> Double { (drift / grain).rounded() * grain }

  /// The same for the same years; and another one for others, so that no luck with the numbers is the luck of all years.
  private var seed: UInt64 {
    profiles.reduce(0) { seed, profile in
      var mixed = SplitMix64(seed: seed ^ UInt64(profile.first) << 32 ^ UInt64(profile.second))
      return mixed.next()
    }
  }

  // MARK: Dealing

  /// How far the years are apart each time that their items are dealt out anew.
  private func dealt() -> [Double] {
    let few = min(first, second)
    // What the smaller year gets: a row of all deals for each branch.
    var mine = Array(repeating: 0, count: branches * Self.deals)
    let sizes = few < Self.many ? dealExactly(few, &mine) : dealEach(few, &mine)
    let whole = sums { $0.first + $0.second }
    var (a, b) = (whole, whole)
    return sizes.enumerated().map { deal, size in
      for branch in whole.indices {
        a[branch] = mine[branch * Self.deals + deal]
        b[branch] = whole[branch] - a[branch]
      }
      return Self.divergence(a, size, b, first + second - size)
    }
  }

  /// From so many items in the smaller year on, each item is dealt out by itself.
  private static let many = 200

  /// Draws just as many items as the smaller year has.
  /// - Returns: how many each deal has drawn.
  private func dealExactly(_ few: Int, _ mine: inout [Int]) -> [Int] {
    var random = SplitMix64(seed: seed)
    // One behind another: what each profile gives, and the profile of each item.
    let parts = profiles.flatMap(\.parts)
    let starts = profiles.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.parts.count) }
    var items = profiles.indices.flatMap { Array(repeating: $0, count: profiles[$0].first + profiles[$0].second) }
    items.withUnsafeMutableBufferPointer { items in
      mine.withUnsafeMutableBufferPointer { mine in
        for deal in 0..<Self.deals {
          for place in 0..<few {
            items.swapAt(place, place + random.below(items.count - place))
            for part in starts[items[place]]..<starts[items[place] + 1] {
              mine[parts[part].branch * Self.deals + deal] += parts[part].share
            }
          }
        }
      }
    }
    return Array(repeating: few, count: Self.deals)
  }

  /// Gives each item to the smaller year with the chance that it is there: of many items nearly as many, and much faster,
  /// since those of a profile are dealt out together.
  /// - Returns: how many each deal has drawn.
  private func dealEach(_ few: Int, _ mine: inout [Int]) -> [Int] {
    var random = SplitMix64(seed: seed)
    let chance = Double(few) / Double(first + second)
    var sizes = Array(repeating: 0, count: Self.deals)
    var counts = sizes
    var binomials: [Int: Binomial] = [:]
    for profile in profiles {
      let count = profile.first + profile.second
      let binomial = binomials[count] ?? Binomial(count, chance)
      binomials[count] = binomial
      binomial.draw(into: &counts, using: &random)
      for deal in sizes.indices { sizes[deal] += counts[deal] }
      for part in profile.parts {
        let row = part.branch * Self.deals
        mine.withUnsafeMutableBufferPointer { mine in
          for deal in counts.indices { mine[row + deal] += part.share * counts[deal] }
        }
      }
    }
    return sizes
  }

  /// How many of some items go one way, each with the same chance.
  private struct Binomial {
    private let mean: Double
    private let deviation: Double
    private let items: Int
    /// Below which random number there are at most so many; empty where the normal distribution is near enough.
    private var bounds: [UInt32] = []

    init(_ items: Int, _ chance: Double) {
      self.items = items
      mean = Double(items) * chance
      deviation = (mean * (1 - chance)).squareRoot()
      guard deviation * deviation <= 25 else { return }
      var (mass, sum) = (pow(1 - chance, Double(items)), 0.0)
      for count in 0..<items {
        sum += mass
        bounds.append(UInt32(min(sum * 0x1p32, 0xFFFF_FFFF)))
        mass *= Double(items - count) / Double(count + 1) * chance / (1 - chance)
      }
    }

    func draw(into counts: inout [Int], using random: inout SplitMix64) {
      guard !bounds.isEmpty else {
        for deal in counts.indices {
          counts[deal] = min(max(0, Int((mean + deviation * random.normal()).rounded())), items)
        }
        return
      }
      let (last, start) = (bounds.count, min(Int(mean), bounds.count - 1))
      bounds.withUnsafeBufferPointer { bounds in
        for deal in counts.indices {
          let number = UInt32(truncatingIfNeeded: random.next())
          var count = start
          while count > 0, number < bounds[count - 1] { count -= 1 }
          while count < last, number >= bounds[count] { count += 1 }
          counts[deal] = count
        }
      }
    }
  }
}

/// Numbers that look random and are the same in every run (Steele, Lea and Flood: SplitMix64).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
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
