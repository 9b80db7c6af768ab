public import CatalogModel
internal import Glibc

/// The genres of a selection of items. docs/genres.md says what each number means, and how SQL makes it.
///
/// A number comes with what it takes to judge it: of how many items it is, its standard error or the chance of one as great,
/// and whether it is more than chance.
public struct GenreReport: Sendable, Hashable {
  public struct Genre: Sendable, Hashable {
    public var name: String
    /// The names of the genres above it, the root first.
    public var ancestors: [String] = []
    /// A root with genres below it, such as Music or Fiction: it says what kind of thing an item is. Never the top genre.
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
    /// The mean drawn towards the mean of the selection, as if ``GenreReport/priorItems`` more had given just that.
    public var shrunkRating: Double?
    /// Items that are rated or favorites.
    public var judged = 0
    /// Items that are favorites, or rated 80 or more.
    public var loved = 0
    /// How many times as often as others its judged items are loved, drawn towards 1 as if ``GenreReport/priorItems`` more were
    /// loved as often as all. Nil below ``GenreReport/leastForAffinity`` judged items.
    public var affinity: Double?
    /// The chance of so many loved items, or as few; of a binomial distribution, both tails. Nil where ``affinity`` is.
    public var affinityChance: Double?
    /// Whether it is loved more often, or less often, than chance makes one of the genres.
    public var isAffinityTelling = false
    /// Share of the items added in the last 365 days − share before, in percentage points. Nil when one of them is empty.
    public var momentum: Double?
    /// The standard error of ``momentum``, each side with one more item that has the genre and one that has not.
    public var momentumError: Double?
    /// How many of these errors the two shares are apart, with the same two items more.
    public var momentumScore: Double?
    /// Whether that is more than ``GenreReport/tellingScore``, with ``GenreReport/leastToCompare`` items on each side.
    public var isMomentumTelling = false
  }

  /// Two genres that items have together more often than chance has it: neither of them above the other, and no label stands for
  /// both.
  public struct Pair: Sendable, Hashable {
    /// The first by name.
    public var genre: String
    public var other: String
    /// Items that have both themselves: at least ``GenreReport/leastTogether``.
    public var together: Int
    /// How many would by chance, within each kind: Σ n(genre) · n(other) ÷ n.
    public var expected: Double
    /// The chance of so many, within each kind (hypergeometric).
    public var chance: Double

    /// Items beyond chance.
    public var surplus: Double { Double(together) - expected }
    /// How many times as often as chance has it.
    public var lift: Double { Double(together) / expected }
  }

  /// What was added in one year (UTC).
  public struct Year: Sendable, Hashable {
    public var year: Int
    public var items: Int
    public var itemsWithGenre: Int
    /// The last year before it in which something with a genre was added.
    public var comparedWith: Int?
    /// How far its branches are from those of ``comparedWith``, 0 (the same) … 1 (none in common): the Jensen–Shannon
    /// divergence of the weights. Nil for the first year, and for one without genres.
    public var drift: Double?
    /// Whether both years have ``GenreReport/leastToCompare`` items with a genre.
    public var isTelling: Bool
    /// An unchanged taste drifts farther than this in one case of twenty (``DriftTest``). Nil with too few items.
    public var level: Double?
    /// The chance of a drift as great with an unchanged taste.
    public var chance: Double?
    /// The branches by their part of the drift, the greatest first.
    public var moved: [Move]
    /// The genres that no item of an earlier year has itself, by name. Nil until ``GenreReport/leastBeforeNew`` items with
    /// a genre came before.
    public var newGenres: [String]?

    /// Whether taste has changed.
    public var isBeyondChance: Bool { isTelling && (drift ?? 0) > (level ?? 1) }

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

  /// How alike the genres of two kinds are.
  public struct KindPair: Sendable, Hashable {
    /// The first by name.
    public var kind: Kind
    public var other: Kind
    /// The cosine of the two kinds' branch weights: 0 (none in common) … 1 (the same in the same proportions). What fewer
    /// than ``GenreReport/leastTogether`` items of either kind have does not count.
    public var similarity: Double
    /// Whether both kinds have ``GenreReport/leastToCompare`` items with a genre.
    public var isTelling: Bool
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
  /// A trend of more standard errors than these is no chance.
  public static let tellingScore = 2.0

  /// Items in the selection.
  public var items = 0
  public var itemsWithGenre = 0
  public var rated = 0
  /// Of the whole selection, 0 … 100.
  public var meanRating: Double?
  /// Items that are rated or favorites, and those of them that are loved.
  public var judged = 0
  public var loved = 0
  /// Items with a genre that were added in the last 365 days.
  public var recentItems = 0
  /// Most items first; of equals the higher weight, then the name. Only those that have items.
  public var genres: [Genre] = []
  /// Most items beyond chance first, then the names. Only what is more than chance.
  public var pairs: [Pair] = []
  /// How many pairs could have been among them: those of two genres that could be on ``leastTogether`` items together.
  public var pairsLookedAt = 0
  /// The years in which items were added, in order.
  public var years: [Year] = []
  /// The kinds that there are items of: movies, books, vinyl.
  public var kinds: [KindCount] = []
  /// Each two kinds that have genres, by name.
  public var kindPairs: [KindPair] = []
  /// So many branches of equal weight would be as diverse: e to the Shannon entropy of their weights, with what the
  /// unseen branches of so small a selection add (Chao and Shen). Nil below ``leastForDiversity`` items with a genre.
  public var effectiveBranches: Double?
  /// The chance that two branches drawn by weight differ: 1 − Σ w². Nil where ``effectiveBranches`` is.
  public var giniSimpson: Double?
  /// What can be said in words, the surest first.
  public var findings: [GenreFinding] = []
  /// The first of the last 365 days, where findings speak of them.
  public var yearAgo: PartialDate?

  public var itemsWithoutGenre: Int { items - itemsWithGenre }
  /// Items with a genre that were added before the last 365 days.
  public var earlierItems: Int { itemsWithGenre - recentItems }

  /// The genre with most items that is no heading.
  public var top: Genre? { genres.first { !$0.isHeading } }

  /// Whether there are enough items in the last 365 days, and before, for a trend.
  public var hasMomentum: Bool { min(recentItems, earlierItems) >= Self.leastToCompare }
}
