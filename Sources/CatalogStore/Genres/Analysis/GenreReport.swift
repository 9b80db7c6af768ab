public import CatalogModel
internal import Glibc

/// The genres of a selection of items. docs/genres.md says what each number means, and how SQL makes it.
public struct GenreReport: Sendable, Hashable {
  public struct Genre: Sendable, Hashable {
    public var name: String
    /// The names of the genres above it, the root first.
    public var ancestors: [String] = []
    /// Items that have it or a genre below it, each counted once.
    public var items = 0
    /// Items that have it itself.
    public var ownItems = 0
    /// `items` ÷ the items with any genre.
    public var share = 0.0
    /// An item's weight of 1 is split evenly among its own genres: Σ 1 ÷ how many it has, ÷ the items with any genre.
    public var weight = 0.0
    /// Items with a rating.
    public var rated = 0
    /// 0 … 100.
    public var meanRating: Double?
    /// The mean drawn towards the mean of the selection, as if ``GenreReport/priorRatings`` more had given just that.
    public var shrunkRating: Double?
    /// Items that are favorites, or rated 80 or more.
    public var loved = 0
    /// How many times as often as elsewhere its items are loved; nil below ``GenreReport/leastForAffinity`` items.
    public var affinity: Double?
    /// Share of the items added in the last 365 days − share before, in percentage points. Nil when one of them is empty.
    public var momentum: Double?
    /// A root such as Music or Fiction, most of whose items have only a genre below it. It is never the top genre.
    public var isHeading: Bool { ancestors.isEmpty && ownItems * 2 < items }
  }

  /// Two genres that items have together, neither of them above the other.
  public struct Pair: Sendable, Hashable {
    /// The first by name.
    public var genre: String
    public var other: String
    /// Items that have both themselves: at least ``GenreReport/leastTogether``.
    public var together: Int
    /// How many times as often as chance would have it: P(both) ÷ (P(genre) · P(other)).
    public var lift: Double
  }

  /// What was added in one year (UTC).
  public struct Year: Sendable, Hashable {
    public var year: Int
    public var items: Int
    public var itemsWithGenre: Int
    /// The last year before it in which something with a genre was added.
    public var comparedWith: Int?
    /// How far its genres are from those of ``comparedWith``, 0 (the same) … 1 (none in common): the Jensen–Shannon
    /// divergence of the weights. Nil for the first year, and for one without genres.
    public var drift: Double?
    /// A drift up to this is no more than chance makes of one and the same taste: 0 … 1, the smaller the more items.
    public var chance: Double?
    /// Whether both years have ``GenreReport/leastToCompare`` items with a genre. Below, chance makes most of the drift.
    public var isTelling: Bool
    /// The genres that no item of an earlier year has itself, by name.
    public var newGenres: [String]
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
    /// The cosine of the two kinds' weights: 0 (no genre in common) … 1 (the same genres in the same proportions).
    public var similarity: Double
    /// Whether both kinds have ``GenreReport/leastToCompare`` items with a genre.
    public var isTelling: Bool
    /// The genres that both have, the one that adds most to the similarity first.
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

  /// C of the shrunk rating.
  public static let priorRatings = 5
  public static let leastForAffinity = 5
  public static let lovedFrom = 80
  public static let recentDays = 365
  public static let leastTogether = 3
  /// Items with a genre that a year or a kind needs before comparing it says more than chance.
  public static let leastToCompare = 10

  /// Items in the selection.
  public var items = 0
  public var itemsWithGenre = 0
  public var rated = 0
  /// Of the whole selection, 0 … 100.
  public var meanRating: Double?
  public var loved = 0
  /// Items with a genre that were added in the last 365 days.
  public var recentItems = 0
  /// Most items first; of equals the higher weight, then the name. Only those that have items.
  public var genres: [Genre] = []
  /// The highest lift first; of equals those that are together most often, then the names.
  public var pairs: [Pair] = []
  /// The years in which items were added, in order.
  public var years: [Year] = []
  /// The kinds that there are items of: movies, books, vinyl.
  public var kinds: [KindCount] = []
  /// Each two kinds that have genres, by name.
  public var kindPairs: [KindPair] = []
  /// What can be said in words, the surest first.
  public var findings: [GenreFinding] = []

  public var itemsWithoutGenre: Int { items - itemsWithGenre }

  /// The genre with most items that is no heading.
  public var top: Genre? { genres.first { !$0.isHeading } }

  /// e to the Shannon entropy of the weights: so many genres of equal weight would be as diverse. Nil without genres.
  public var effectiveGenres: Double? {
    guard !genres.isEmpty else { return nil }
    return exp(-genres.reduce(0) { $1.weight > 0 ? $0 + $1.weight * log($1.weight) : $0 })
  }

  /// The chance that two genres drawn by weight differ: 1 − Σ w². Nil without genres.
  public var giniSimpson: Double? {
    genres.isEmpty ? nil : max(0, 1 - genres.reduce(0) { $0 + $1.weight * $1.weight })
  }
}
