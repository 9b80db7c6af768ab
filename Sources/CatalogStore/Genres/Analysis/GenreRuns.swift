internal import CatalogModel

/// A measure of how unevenly genres come, as a ratio to chance. People watch in runs, so a trilogy is one decision. The
/// evidence of every test of time is divided by it. docs/genre-mathematics.md has the formulas.
struct GenreRuns {
  /// Items of one kind with a genre and a day.
  struct KindRuns {
    var items = 0
    /// The blocks of 30 days with items, and the windows of 12 blocks.
    var blocks = 0
    var windows = 0
    /// The ratio to the unevenness by chance.
    var effect = 1.0

    /// Whether there are enough blocks to tell when a taste changed.
    var tellsTime: Bool { blocks - windows >= GenreRuns.leastBlocks }
  }

  static let blockDays = 30
  static let windowBlocks = 12
  static let leastBlocks = 8
  /// A factor for the measured excess, since a measure of few blocks may be too small.
  static let margin = 1.25
  /// Blocks that are further back than a hundred years are one.
  private static let mostBlocks = 100 * windowBlocks
  /// The weight of the effect of the kind against that of one genre.
  private static let prior = 40.0

  /// By the place among ``Kind/shelved``.
  let kinds: [KindRuns]
  /// The effect of each genre, the weighted mean of its kinds.
  private let effects: [Double]
  /// The runs of the items of each genre: a new one begins after more than 30 days without.
  private let chains: [Int]

  /// - Parameter today: counted from 1970-01-01; nil for the newest day of an item.
  init(_ facts: GenreFacts, _ tree: GenreTree, today: Int? = nil) {
    let today = today ?? Int(facts.all.compactMap(\.day).max() ?? 0)
    var runs = Array(repeating: KindRuns(), count: Kind.shelved.count)
    var (sums, weights) = (Array(repeating: 0.0, count: tree.count), Array(repeating: 0.0, count: tree.count))
    for kind in Kind.shelved.indices {
      let blocks = KindBlocks(facts, kind: kind, tree, today: today)
      runs[kind] = blocks.runs
      for genre in 0..<tree.count where blocks.items[genre] > 0 {
        let weight = blocks.weight(of: genre)
        sums[genre] += weight * blocks.effect(of: genre)
        weights[genre] += weight
      }
    }
    kinds = runs
    effects = zip(sums, weights).map { $1 > 0 ? $0 / $1 : 1 }
    chains = Self.chains(facts, tree)
  }

  /// The items that count as one in a test of time.
  func divisor(of genre: Int, margin: Double = GenreRuns.margin) -> Double { 1 + margin * (effects[genre] - 1) }

  /// The same for the items of a kind.
  func divisor(ofKind kind: Int) -> Double { 1 + Self.margin * (max(1, kinds[kind].effect) - 1) }

  /// The part of the evidence of a genre's `items` that is left where each run counts as one.
  func part(of genre: Int, items: Int) -> Double {
    items > 0 ? min(1, max(Double(items) / divisor(of: genre), Double(chains[genre])) / Double(items)) : 1
  }

  /// For each kind that has items with a genre and a day.
  var report: [GenreReport.Runs] {
    zip(Kind.shelved, kinds).enumerated().compactMap { place, kind in
      guard kind.1.items > 0 else { return nil }
      return .init(
        kind: kind.0, items: kind.1.items,
        countAs: max(1, Int(clamping: (Double(kind.1.items) / divisor(ofKind: place)).rounded())),
        effect: kind.1.tellsTime ? kind.1.effect : nil)
    }
  }

  private static func chains(_ facts: GenreFacts, _ tree: GenreTree) -> [Int] {
    var chains = Array(repeating: 0, count: tree.count)
    var last = Array(repeating: Int32?.none, count: tree.count * Kind.shelved.count)
    for (fact, day) in facts.inOrderOfDays {
      facts.forEachGenre(of: fact) { genre in
        let place = genre * Kind.shelved.count + fact.kind
        if last[place].map({ day - $0 > Int32(clamping: blockDays) }) ?? true { chains[genre] += 1 }
        last[place] = day
      }
    }
    return chains
  }

  /// The blocks of one kind.
  private struct KindBlocks {
    var runs = KindRuns()
    /// The dated items of each genre.
    private(set) var items: [Int]
    private let variances: [Double]
    private let squares: [Double]
    /// The value of ``squares`` by chance, for a variance of 1.
    private let expected: Double

    init(_ facts: GenreFacts, kind: Int, _ tree: GenreTree, today: Int) {
      let (genres, labels) = (tree.count, GenreStratum.mostGenres + 1)
      let mine = facts.all.filter { $0.kind == kind && $0.day != nil }
      func block(_ fact: GenreFacts.Fact) -> Int {
        min(max(0, today - Int(fact.day ?? 0)) / GenreRuns.blockDays, GenreRuns.mostBlocks - 1)
      }
      let count = (mine.map(block).max() ?? -1) + 1
      // By block: all items, those with so many genres, those of each genre. By number of genres: the genre's items.
      var sizes = Array(repeating: 0, count: count)
      var byLabels = Array(repeating: 0, count: count * labels)
      var byGenre = Array(repeating: Int32(0), count: count * genres)
      var (strata, ofStratum) = (Array(repeating: 0, count: labels), Array(repeating: 0, count: labels * genres))
      for fact in mine {
        let block = block(fact)
        sizes[block] += 1
        byLabels[block * labels + fact.labels] += 1
        strata[fact.labels] += 1
        facts.forEachGenre(of: fact) {
          byGenre[$0 * count + block] += 1
          ofStratum[$0 * labels + fact.labels] += 1
        }
      }
      let windows = stride(from: 0, to: count, by: GenreRuns.windowBlocks).map {
        $0..<min($0 + GenreRuns.windowBlocks, count)
      }
      let windowSizes = windows.map { sizes[$0].reduce(0, +) }
      runs.items = mine.count
      runs.blocks = sizes.count { $0 > 0 }
      runs.windows = windowSizes.count { $0 > 0 }
      let all = sizes.map(Double.init)
      expected = zip(windows, windowSizes).reduce(0) { sum, window in
        window.1 > 0 ? sum + Double(window.1) - Self.near(all, window.0) / Double(window.1) : sum
      }
      var (items, variances) = (Array(repeating: 0, count: genres), Array(repeating: 0.0, count: genres))
      var squares = variances
      var surplus = Array(repeating: 0.0, count: count)
      var (above, below) = (0.0, 0.0)
      for genre in 0..<genres {
        let counts = ofStratum[genre * labels..<(genre + 1) * labels]
        items[genre] = counts.reduce(0, +)
        guard items[genre] > 0 else { continue }
        let shares = zip(counts, strata).map { $1 > 0 ? Double($0) / Double($1) : 0 }
        variances[genre] = zip(shares, strata).reduce(0) { $0 + $1.0 * (1 - $1.0) * Double($1.1) } / Double(mine.count)
        for block in 0..<count where sizes[block] > 0 {
          surplus[block] = Double(byGenre[genre * count + block])
          for label in 1..<labels { surplus[block] -= Double(byLabels[block * labels + label]) * shares[label] }
        }
        // A real move is no run: what a whole window has more is left out.
        for (window, size) in zip(windows, windowSizes) where size > 0 {
          let mean = surplus[window].reduce(0, +) / Double(size)
          for block in window { surplus[block] -= mean * all[block] }
          squares[genre] += Self.near(surplus, window)
        }
        if !tree.isHeading(genre) {
          above += squares[genre]
          below += variances[genre] * expected
        }
      }
      (self.items, self.variances, self.squares) = (items, variances, squares)
      runs.effect = below > 0 ? above / below : 1
    }

    /// The squares of blocks, and the products with the two blocks behind: a run may end in the next one.
    private static func near(_ values: [Double], _ window: Range<Int>) -> Double {
      window.reduce(0) { sum, block in
        let next = block + 1 < window.upperBound ? values[block + 1] : 0
        let third = block + 2 < window.upperBound ? values[block + 2] : 0
        return sum + values[block] * (values[block] + 4 * next / 3 + 2 * third / 3)
      }
    }

    func weight(of genre: Int) -> Double { Double(items[genre]) * (1 - Double(items[genre]) / Double(runs.items)) }

    /// The genre's own effect, drawn towards that of the kind: few items measure little.
    func effect(of genre: Int) -> Double {
      let expected = variances[genre] * expected
      guard expected > 0 else { return max(1, runs.effect) }
      let freedom = 1 / (1 / Double(runs.blocks) + 1 / (2 * Double(items[genre])))
      return max(1, (prior * runs.effect + freedom * squares[genre] / expected) / (prior + freedom))
    }
  }
}

extension GenreFacts {
  /// The items with a day, the first first.
  var inOrderOfDays: [(fact: Fact, day: Int32)] {
    all.compactMap { fact in fact.day.map { (fact, $0) } }.sorted { $0.day < $1.day }
  }
}
