internal import CatalogModel
internal import Glibc

/// Deals the items of one kind out to two years at random, and returns how far apart the years are then.
///
/// Each year keeps its number of items of one branch, of two, and so on: a source with richer labels is no other taste.
struct PermutationTest {
  private typealias Profile = DriftStratum.Profile

  private let test: DriftStratum
  /// Those of one branch first, then of two, and so on; of these the most frequent first: few items are then left to
  /// deal.
  private let profiles: [Profile]
  /// The profiles with equally many branches.
  private let strata: [Stratum]
  /// The items of the smaller year.
  private let few: Int
  /// The weight of each branch in both years.
  private let whole: [Int]
  private var random: SplitMix64
  private var way: Way

  private struct Stratum {
    var profiles: Range<Int>
    /// The number of its items in the smaller year, and in both.
    var few: Int
    var items: Int
  }

  private enum Way {
    /// The profile of each item, one behind another, for each stratum.
    case exactly([[Int]])
    /// The distribution of the number of items of each profile in the smaller year.
    case each([Binomial])
  }

  /// With at least this many items in the smaller year, each item is dealt on its own.
  private static let many = 200

  init(_ test: DriftStratum) {
    self.test = test
    let profiles = test.profiles.sorted {
      ($0.parts.count, $1.items, $0.parts.lowerBound) < ($1.parts.count, $0.items, $1.parts.lowerBound)
    }
    few = min(test.first, test.second)
    var strata: [Stratum] = []
    for (place, profile) in profiles.enumerated() {
      if place == 0 || profiles[place - 1].parts.count != profile.parts.count {
        strata.append(Stratum(profiles: place..<place, few: 0, items: 0))
      }
      let last = strata.count - 1
      strata[last].profiles = strata[last].profiles.lowerBound..<place + 1
      strata[last].few += test.first <= test.second ? profile.first : profile.second
      strata[last].items += profile.items
    }
    (self.profiles, self.strata) = (profiles, strata)
    whole = zip(test.firstSums, test.secondSums).map(+)
    // The same for the same years; and another one for others, so that no luck with the numbers is the luck of all
    // years.
    random = SplitMix64(
      seed: profiles.reduce(0) { seed, profile in
        var mixed = SplitMix64(seed: seed ^ UInt64(profile.first) << 32 ^ UInt64(profile.second))
        return mixed.next()
      })
    if few < Self.many {
      way = .exactly(
        strata.map { stratum in
          stratum.profiles.flatMap { Array(repeating: $0, count: profiles[$0].items) }
        })
    } else {
      var binomials: [Binomial] = []
      for stratum in strata {
        let chance = Double(stratum.few) / Double(stratum.items)
        for place in stratum.profiles {
          // As many as of the one before, mostly.
          if place > stratum.profiles.lowerBound, let last = binomials.last, last.items == profiles[place].items {
            binomials.append(last)
          } else {
            binomials.append(Binomial(profiles[place].items, chance))
          }
        }
      }
      way = .each(binomials)
    }
  }

  /// Deals the items out `deals` times and returns the drift between the years for each deal.
  mutating func deal(_ deals: Int) -> [Double] {
    // The items of the smaller year: a row of all deals for each branch.
    var dealt = Array(repeating: 0, count: test.branches * deals)
    var sizes = Array(repeating: few, count: deals)
    switch way {
    case .exactly(var strata):
      for place in strata.indices { deal(deals, &strata[place], few: self.strata[place].few, to: &dealt) }
      way = .exactly(strata)
    case .each(let binomials): sizes = deal(deals, binomials, to: &dealt)
    }
    var (a, b) = (whole, whole)
    return sizes.enumerated().map { deal, size in
      for branch in whole.indices {
        a[branch] = dealt[branch * deals + deal]
        b[branch] = whole[branch] - a[branch]
      }
      return DriftStratum.divergence(a, size, b, test.first + test.second - size)
    }
  }

  /// Draws just as many items of a stratum as the smaller year has.
  private mutating func deal(_ deals: Int, _ items: inout [Int], few: Int, to dealt: inout [Int]) {
    for deal in 0..<deals {
      for place in 0..<few {
        items.swapAt(place, place + random.below(items.count - place))
        for (branch, share) in test.parts[profiles[items[place]].parts] { dealt[branch * deals + deal] += share }
      }
    }
  }

  /// Gives each item to the smaller year with the chance that it is there: of many items nearly as many, and much
  /// faster, since those of a profile are dealt out together.
  /// - Returns: how many each deal has drawn.
  private mutating func deal(_ deals: Int, _ binomials: [Binomial], to dealt: inout [Int]) -> [Int] {
    var sizes = Array(repeating: 0, count: deals)
    for (profile, binomial) in zip(profiles, binomials) {
      let counts = binomial.draw(deals, using: &random)
      for deal in 0..<deals { sizes[deal] += counts[deal] }
      for (branch, share) in test.parts[profile.parts] {
        for deal in 0..<deals { dealt[branch * deals + deal] &+= share &* counts[deal] }
      }
    }
    return sizes
  }

  /// The number of successes among items that each have the same chance.
  private struct Binomial {
    private let mean: Double
    private let deviation: Double
    let items: Int
    /// The random number below which at most that many items succeed, by count. Empty where the normal distribution is
    /// accurate enough.
    private var bounds: [UInt32] = []

    init(_ items: Int, _ chance: Double) {
      self.items = items
      mean = Double(items) * chance
      deviation = (mean * (1 - chance)).squareRoot()
      guard chance > 0, chance < 1, deviation * deviation <= 25 else { return }
      var (mass, sum) = (pow(1 - chance, Double(items)), 0.0)
      for count in 0..<items {
        sum += mass
        bounds.append(UInt32(clamping: min(sum * 0x1p32, 0xFFFF_FFFF)))
        mass *= Double(items - count) / Double(count + 1) * chance / (1 - chance)
      }
    }

    /// Returns a number for each deal.
    func draw(_ deals: Int, using random: inout SplitMix64) -> [Int] {
      guard !bounds.isEmpty else {
        return (0..<deals).map { _ in
          min(max(0, Int(clamping: (mean + deviation * random.normal()).rounded())), items)
        }
      }
      let start = min(Int(mean), bounds.count - 1)
      // A random number is two of them.
      var numbers: UInt64 = 0
      return (0..<deals).map { deal in
        numbers = deal.isMultiple(of: 2) ? random.next() : numbers >> 32
        let number = UInt32(truncatingIfNeeded: numbers)
        var count = start
        while count > 0, number < bounds[count - 1] { count -= 1 }
        while count < bounds.count, number >= bounds[count] { count += 1 }
        return count
      }
    }
  }
}
