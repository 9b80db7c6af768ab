public import CatalogModel
internal import Glibc

/// The genres of a selection of items. docs/genres.md says what each number means, and how SQL makes it.
///
/// A number comes with what it takes to judge it: of how many items it is, its standard error or the chance of one as
/// great, and whether it is more than chance.
public struct GenreReport: Sendable, Hashable {
  public struct Genre: Sendable, Hashable {
    public var name: String
    /// The names of the genres above it, the root first.
    public var ancestors: [String] = []
    /// A root with genres below it, such as Music or Fiction: it says what kind of thing an item is. Never the top
    /// genre.
    public var isHeading = false
    /// Items that have it or a genre below it, each counted once.
    public var items = 0
    /// Items that have it itself.
    public var ownItems = 0
    /// `items` ÷ the items with any genre.
    public var share = 0.0
    /// An item's weight of 1 is split evenly among its lowest genres, those with none of its genres below them: the sum
    /// of what they give ÷ the items with any genre.
    public var weight = 0.0
    /// Items with a rating.
    public var rated = 0
    /// 0 … 100.
    public var meanRating: Double?
    /// The mean drawn towards the person's mean of the same kinds, as if ``GenreReport/priorItems`` more had given just
    /// that.
    public var shrunkRating: Double?
    /// Items that are rated or favorites.
    public var judged = 0
    /// Items that are favorites, or rated 80 or more.
    public var loved = 0
    /// The ratio of the genre's loved share to that of the judged items of the same kinds, shrunk towards 1 by
    /// ``GenreReport/priorItems`` items loved at the average rate. Nil below ``GenreReport/leastForAffinity`` judged
    /// items.
    public var affinity: Double?
    /// The chance of so many loved items, or as few, within each kind. Nil for a heading, and where so few items are
    /// judged that no count would be significant.
    public var affinityChance: Double?
    /// Whether it is loved more often, or less often, than chance makes one of the genres.
    public var isAffinitySignificant = false
    /// Items dated by the last 365 days, of the kinds that have some on both sides.
    public var recent = 0
    /// The expected number of these items if the genre kept its share of each kind. Nil where ``momentum`` is nil.
    public var recentExpected: Double?
    /// Share of the items of the last 365 days − share before, in percentage points, the weighted mean of the kinds.
    /// Nil where no kind has items on both sides.
    public var momentum: Double?
    /// The chance of a trend as strong, either way, within each kind. Nil for a heading and where there is too little
    /// to test.
    public var trendChance: Double?
    public var isTrendSignificant = false
  }

  /// A measure of runs for one kind.
  public struct Runs: Sendable, Hashable {
    public var kind: Kind
    /// Items with a genre and a day, and as how many they count where a taste moves: what comes in runs comes together.
    public var items: Int
    public var countAs: Int
    /// The ratio to the unevenness by chance. Nil where there are too few days to tell when a taste changed.
    public var effect: Double?

    /// The least effect that the page mentions.
    public static let much = 1.5
  }

  /// Two genres that items have together more often than chance has it: neither of them above the other, and no label
  /// stands for both.
  public struct Pair: Sendable, Hashable {
    /// The first by name.
    public var genre: String
    public var other: String
    /// Items that have both themselves: at least ``GenreReport/leastTogether``.
    public var together: Int
    /// The number expected by chance, among the items of each kind with as many genres.
    public var expected: Double
    /// The chance of at least so many, computed the same way.
    public var chance: Double

    /// Items beyond chance.
    public var surplus: Double { Double(together) - expected }
    /// The ratio of the observed to the expected number.
    public var lift: Double { Double(together) / expected }
  }

  /// The items dated by one year.
  public struct Year: Sendable, Hashable {
    public var year: Int
    public var items: Int
    public var itemsWithGenre: Int
    /// The last year before it that has items with a genre.
    public var comparedWith: Int?
    /// The distance of its branches from those of ``comparedWith``, 0 (the same) … 1 (none in common): the
    /// Jensen–Shannon divergence of the weights within each kind. Nil for the first year, for a year without genres,
    /// and for years with no kind in common.
    public var drift: Double?
    /// Whether both years have ``GenreReport/leastToCompare`` items with a genre, of the kinds that both have.
    public var hasEnoughItems: Bool
    /// The chance of a drift as great with an unchanged taste. Nil with too few items.
    public var chance: Double?
    /// Whether taste has changed.
    public var isSignificant = false
    /// The branches by their part of the drift, the greatest first.
    public var moved: [Move]
    /// The genres that no item of an earlier year has itself, by name. Nil until ``GenreReport/leastBeforeNew`` items
    /// with a genre came before.
    public var newGenres: [String]?

    /// A branch, its weight in the year before and in the year, and its part of the drift: these add up to it.
    public struct Move: Sendable, Hashable {
      public var genre: String
      public var before: Double
      public var weight: Double
      public var part: Double
    }
  }

  /// One kind of the selected items.
  public struct KindCount: Sendable, Hashable {
    public var kind: Kind
    public var items: Int
    public var itemsWithGenre: Int
  }

  /// The similarity of the genres of two kinds.
  public struct KindPair: Sendable, Hashable {
    /// The first by name.
    public var kind: Kind
    public var other: Kind
    /// The cosine of the two kinds' branch weights: 0 (none in common) … 1 (the same proportions). Branches with fewer
    /// than ``GenreReport/leastTogether`` items of either kind do not count.
    public var similarity: Double
    /// Whether both kinds have ``GenreReport/leastToCompare`` items with a genre.
    public var hasEnoughItems: Bool
    /// The branches that both have, the one that adds most to the similarity first.
    public var shared: [Shared]

    public struct Shared: Sendable, Hashable {
      public var genre: String
      /// Its weight among the items of the one kind, and of the other.
      public var weight: Double
      public var otherWeight: Double
      /// Its part of the similarity: these add up to it.
      public var contribution: Double
    }
  }

  /// C of what is shrunk.
  public static let priorItems = 10
  public static let leastForAffinity = 5
  public static let lovedFrom = 80
  public static let recentDays = 365
  public static let leastTogether = 3
  /// Items with a genre that a year, a kind or a side of a trend needs before comparing it says something.
  public static let leastToCompare = 10
  public static let leastForDiversity = 20
  public static let leastBeforeNew = 20

  /// Items in the selection.
  public var items = 0
  public var itemsWithGenre = 0
  public var rated = 0
  /// The mean rating of the whole selection, 0 … 100.
  public var meanRating: Double?
  /// Items that are rated or favorites, and those of them that are loved.
  public var judged = 0
  public var loved = 0
  /// Items with a genre that are dated by the last 365 days, and before.
  public var recentItems = 0
  public var earlierItems = 0
  /// The smaller side of those that have some of their kind, with as many genres, on the other side.
  public var comparableItems = 0
  /// Most items first; of equals the higher weight, then the name. Only those that have items.
  public var genres: [Genre] = []
  /// Most items beyond chance first, then the names. Only what is significant.
  public var pairs: [Pair] = []
  /// The number of pairs that were tested: two genres that ``leastTogether`` items could have together.
  public var pairsLookedAt = 0
  /// The years in which items were added, in order.
  public var years: [Year] = []
  /// The kinds that there are items of: movies, books, vinyl.
  public var kinds: [KindCount] = []
  /// Each two kinds that have genres, by name.
  public var kindPairs: [KindPair] = []
  /// The number of equally weighted branches that would be as diverse: e to the Shannon entropy of the weights, with an
  /// estimate for unseen branches (Chao and Shen). Nil below ``leastForDiversity`` items with a genre.
  public var effectiveBranches: Double?
  /// The chance that two branches drawn by weight differ: 1 − Σ w². Nil where ``effectiveBranches`` is nil.
  public var giniSimpson: Double?
  /// A measure of runs for each kind.
  public var runs: [Runs] = []
  /// All tests, if they were asked for.
  public var tests: [Tested] = []
  /// The findings, the surest first.
  public var findings: [GenreFinding] = []
  /// Which items the report is about; nil for what a person lives with.
  public var population: GenrePopulation?
  /// The items of each kind, and what dates them.
  public var parts: [Part] = []
  /// The first of the last 365 days; nil without findings.
  public var yearAgo: PartialDate?

  public var itemsWithoutGenre: Int { items - itemsWithGenre }

  /// The genre with most items that is no heading.
  public var top: Genre? { genres.first { !$0.isHeading } }

  /// Whether there are enough items in the last 365 days, and before, for a trend.
  public var hasMomentum: Bool { comparableItems >= Self.leastToCompare }
}

extension GenreReport {
  /// A test of a report, significant or not: for simulations.
  public struct Tested: Sendable, Hashable {
    /// `trend`, `quiet`, `new`, `loved`, `public`, `waiting`, `story`, `favorites`, `pairs` or `drift`.
    public var family: String
    /// The genre, two genres, or the year.
    public var name: String
    public var p: Double
  }

  /// The tests behind what a report marks.
  struct Families {
    private(set) var affinity: FalseAlarms.Family
    private(set) var pairs: FalseAlarms.Family
    private(set) var drift: FalseAlarms.Family

    init(_ report: GenreReport) {
      affinity = .init(report.genres.compactMap(\.affinityChance), weight: 0.75)
      pairs = .init(report.pairs.map(\.chance), looked: report.pairsLookedAt)
      drift = .init(report.years.compactMap(\.chance), weight: 0.75)
    }

    static let count = 3
    var all: [FalseAlarms.Family] { [affinity, pairs, drift] }
  }

  /// Marks the significant findings.
  /// - Parameters:
  ///   - rates: at which the families choose, in their order.
  ///   - trendRate: at which the trends are chosen.
  mutating func mark(_ families: Families, rates: ArraySlice<Double>, trendRate: Double) {
    let rates = Array(rates)
    guard rates.count == Families.count else { return }
    FalseAlarms.mark(&genres, \.isTrendSignificant, by: \.trendChance, rate: trendRate)
    FalseAlarms.mark(&genres, \.isAffinitySignificant, by: \.affinityChance, rate: rates[0])
    pairs = zip(pairs, FalseAlarms.significant(families.pairs, rate: rates[1])).filter(\.1).map(\.0)
    FalseAlarms.mark(&years, \.isSignificant, by: \.chance, rate: rates[2])
  }
}
