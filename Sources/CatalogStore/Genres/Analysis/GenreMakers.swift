internal import CatalogModel

/// A measure of makers that keep to a genre, as against works dealt by chance.
struct GenreMakers {
  /// By the place among ``Kind/shelved``, and of all kinds together: 1 or more.
  let kinds: [Double]
  let whole: Double

  init(_ facts: GenreFacts, _ tree: GenreTree) {
    var (kinds, above, below) = ([Double](), 0.0, 0.0)
    for kind in Kind.shelved.indices {
      let groups = facts.byMaker(ofKind: kind) { _ in true }
      let sums = Self.sums(facts, groups, tree)
      kinds.append(sums.below > 0 ? max(1, sums.above / sums.below) : 1)
      above += sums.above
      below += sums.below
    }
    self.kinds = kinds
    whole = below > 0 ? max(1, above / below) : 1
  }

  /// The number of items that count as one in a map.
  var divisor: Double { 1 + GenreRuns.margin * (whole - 1) }

  private static func sums(
    _ facts: GenreFacts, _ groups: [ArraySlice<Int>], _ tree: GenreTree
  ) -> (above: Double, below: Double) {
    let items = Double(groups.reduce(0) { $0 + $1.count })
    // Sums over the makers: the square of their items of a genre, and the product with all of their items.
    var (squares, products) = (Array(repeating: 0, count: tree.count), Array(repeating: 0, count: tree.count))
    var (counts, mine) = (squares, squares)
    var ofMakers = 0
    for group in groups {
      ofMakers += group.count * group.count
      for place in group {
        facts.forEachGenre(of: facts.all[place]) { genre in
          squares[genre] += 2 * mine[genre] + 1
          mine[genre] += 1
          products[genre] += group.count
          counts[genre] += 1
        }
      }
      for place in group { facts.forEachGenre(of: facts.all[place]) { mine[$0] = 0 } }
    }
    var (above, variance) = (0.0, 0.0)
    for genre in 0..<tree.count where counts[genre] > 0 && !tree.isHeading(genre) {
      let share = Double(counts[genre]) / items
      above += Double(squares[genre]) - 2 * share * Double(products[genre]) + share * share * Double(ofMakers)
      variance += share * (1 - share)
    }
    return (above, items > 0 ? variance * (items - Double(ofMakers) / items) : 0)
  }
}

/// The ratings of each genre against those of the rest of its kinds, by ranks. Works of one maker with much the same
/// ratings count as fewer. docs/genre-mathematics.md has the formulas.
struct GenreOpinions {
  /// The sums of one kind, and those of each genre in it.
  private struct KindSums {
    var kind: Int
    var items = 0
    var sum = 0
    /// The correlation of the ranks of one maker's works.
    var common = 0.0
    var variance = 0.0
    var cubes = 0.0
    var whole = Weights()
    var genres: [Weights]
  }

  private struct Weights {
    var items = 0
    var sum = 0
    var weight = 0.0
    var ranks = 0.0
    var squares = 0.0
    /// Over the makers: the square of their weights, and the product with those of all their works.
    var makers = 0.0
    var products = 0.0
    /// The number of makers.
    var people = 0
  }

  private var kinds: [KindSums] = []

  /// - Parameters:
  ///   - named: genres whose items are left out.
  ///   - value: −100 … 100; nil for items that do not count.
  init(_ facts: GenreFacts, _ tree: GenreTree, without named: [Int] = [], _ value: (GenreFacts.Fact) -> Int?) {
    for kind in Kind.shelved.indices {
      let groups = facts.byMaker(ofKind: kind) { fact in
        value(fact) != nil && !named.contains { facts.has(fact, $0) }
      }
      if !groups.isEmpty { kinds.append(Self.sums(facts, groups, kind, tree, value)) }
    }
  }

  private static func sums(
    _ facts: GenreFacts, _ groups: [ArraySlice<Int>], _ kind: Int, _ tree: GenreTree,
    _ value: (GenreFacts.Fact) -> Int?
  ) -> KindSums {
    let most = Rating.range.upperBound
    func number(_ place: Int) -> Int { min(max(value(facts.all[place]) ?? 0, -most), most) }
    var sums = KindSums(kind: kind, genres: Array(repeating: Weights(), count: tree.count))
    var counts = Array(repeating: 0, count: 2 * most + 1)
    for place in groups.joined() { counts[most + number(place)] += 1 }
    sums.items = counts.reduce(0, +)
    // The rank of each value, 0 in the middle.
    var (ranks, below) = ([Double](), 0)
    for count in counts {
      ranks.append((Double(below) + Double(count + 1) / 2) / Double(sums.items + 1) - 0.5)
      below += count
    }
    func rank(_ place: Int) -> Double { ranks[most + number(place)] }
    sums.common = common(facts, groups, tree, rank)
    func weight(_ group: ArraySlice<Int>) -> Double { 1 / (1 + Double(group.count - 1) * sums.common) }
    sums.whole.people = groups.count
    for group in groups {
      let weight = weight(group)
      sums.whole.weight += weight * Double(group.count)
      sums.whole.squares += weight * weight * Double(group.count)
      sums.whole.makers += weight * weight * Double(group.count * group.count)
      for place in group { sums.whole.ranks += weight * rank(place) }
    }
    let mean = sums.whole.ranks / sums.whole.weight
    var mine = Array(repeating: 0, count: tree.count)
    for group in groups {
      let weight = weight(group)
      for place in group {
        let (rank, value) = (rank(place) - mean, number(place))
        sums.variance += rank * rank
        sums.cubes += rank * rank * rank
        sums.sum += value
        facts.forEachGenre(of: facts.all[place]) { genre in
          sums.genres[genre].items += 1
          sums.genres[genre].sum += value
          sums.genres[genre].weight += weight
          sums.genres[genre].ranks += weight * rank
          sums.genres[genre].squares += weight * weight
          sums.genres[genre].makers += weight * weight * Double(2 * mine[genre] + 1)
          sums.genres[genre].products += weight * weight * Double(group.count)
          if mine[genre] == 0 { sums.genres[genre].people += 1 }
          mine[genre] += 1
        }
      }
      for place in group { facts.forEachGenre(of: facts.all[place]) { mine[$0] = 0 } }
    }
    sums.variance /= Double(max(1, sums.items - 1))
    sums.cubes /= Double(sums.items)
    return sums
  }

  /// The correlation of the ranks of one maker's works, 0 … 0.95, after the genre that they may share.
  private static func common(
    _ facts: GenreFacts, _ groups: [ArraySlice<Int>], _ tree: GenreTree, _ rank: (Int) -> Double
  ) -> Double {
    var firsts = Array(repeating: (items: 5.0, sum: 0.0), count: tree.count)
    for place in groups.joined() {
      let first = Int(facts.all[place].first)
      firsts[first].items += 1
      firsts[first].sum += rank(place)
    }
    var (products, several, squares, items) = (0.0, 0.0, 0.0, 0.0)
    for group in groups {
      var (sum, own) = (0.0, 0.0)
      for place in group {
        let first = firsts[Int(facts.all[place].first)]
        let rest = rank(place) - first.sum / first.items
        sum += rest
        own += rest * rest
      }
      squares += own
      items += Double(group.count)
      guard group.count > 1 else { continue }
      products += (sum * sum - own) / Double(group.count - 1)
      several += Double(group.count)
    }
    guard several > 0, squares > 0 else { return 0 }
    return min(0.95, max(0, 1.5 * products / (squares / items * several)))
  }

  /// A genre against the rest of its kinds, which is weighed as the genre's items are.
  struct Against {
    var kinds: [Int] = []
    var own = 0
    var ownSum = 0
    var others = 0
    fileprivate var othersMeans = 0.0
    fileprivate var distance = 0.0
    fileprivate var variance = 0.0
    fileprivate var skewness = 0.0
    fileprivate var step = Double.infinity
    /// The variance if no maker's works had anything in common.
    fileprivate var independent = 0.0
    /// The makers of the genre, and of the rest.
    fileprivate var people = (own: 0, others: 0)

    /// Whether there are enough: ratings of few makers say nothing about a genre if works of one are rated alike.
    var hasEnoughMakers: Bool {
      divisor <= 1 || min(people.own, people.others) >= GenreFinding.leastMakers
    }
    var othersMean: Double { othersMeans / Double(max(1, own)) }
    var divisor: Double { independent > 0 ? max(1, variance / independent) : 1 }

    /// The chance of ranks as high or as low.
    var chance: Double {
      guard variance > 0 else { return 1 }
      let score = max(0, abs(distance) - step / 2) / variance.squareRoot()
      // Cornish and Fisher, where the long tail is on that side; the formula holds up to its highest point.
      let skewness = (distance < 0 ? -1 : 1) * skewness / (variance * variance.squareRoot())
      return Statistics.bothTails(score, skewness: max(0, skewness))
    }
  }

  func against(_ genre: Int) -> Against {
    var against = Against()
    for sums in kinds {
      let own = sums.genres[genre]
      let others = sums.items - own.items
      guard own.items > 0, others > 0 else { continue }
      against.kinds.append(sums.kind)
      against.own += own.items
      against.ownSum += own.sum
      against.others += others
      against.people.own += own.people
      against.people.others += sums.whole.people - own.people
      against.othersMeans += Double(own.items) * Double(sums.sum - own.sum) / Double(others)
      let share = own.weight / sums.whole.weight
      let squares = own.squares * (1 - 2 * share) + share * share * sums.whole.squares
      let makers = own.makers - 2 * share * own.products + share * share * sums.whole.makers
      against.distance += own.ranks
      against.variance += sums.variance * ((1 - sums.common) * squares + sums.common * makers)
      against.independent += sums.variance * squares
      let (n, all) = (Double(own.items), Double(sums.items))
      if sums.items > 2 {
        against.skewness += n * (all - n) * (all - 2 * n) / ((all - 1) * (all - 2)) * sums.cubes
      }
      against.step = min(against.step, 1 / (all + 1))
    }
    return against
  }
}
