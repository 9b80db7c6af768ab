public import CatalogModel

/// How many items each genre has in each decade, year, kind, … of a selection.
public struct GenreMatrix: Sendable, Hashable {
  /// What the columns are.
  public enum Dimension: String, CaseIterable, Sendable {
    /// Ten years in which the items came out, by the first of them.
    case decade
    /// The year in which they were added (UTC).
    case yearAdded = "year-added"
    case kind
    /// Directors, authors and artists: the ``GenreMatrix/mostCreators`` with most items. An item of two counts for both.
    case creator
    /// 0 … 100, to the nearest half star: 0, 10, … 100.
    case rating
  }

  /// One column.
  public struct Bucket: Sendable, Hashable {
    public enum Value: Sendable, Hashable {
      case number(Int)
      case kind(Kind)
      case name(String)
    }
    public var value: Value
    /// Its items, with and without genre.
    public var items = 0
    public var itemsWithGenre = 0
  }

  /// One genre.
  public struct Row: Sendable, Hashable {
    public var genre: String
    /// The names of the genres above it, the root first.
    public var ancestors: [String]
    /// Items of the whole selection that have it or a genre below it, each counted once: also those in no bucket.
    public var items: Int
    /// A root with genres below it, such as Music or Fiction.
    public var isHeading: Bool
    /// Its items in each of the matrix's buckets.
    public var counts: [Int]
  }

  public static let mostCreators = 10

  public var dimension: Dimension
  /// Items in the selection.
  public var items = 0
  public var itemsWithGenre = 0
  /// Items that have no year, no rating, no creator.
  public var itemsWithoutBucket = 0
  /// Creators that are no bucket, and the items by them alone.
  public var otherCreators = 0
  public var itemsOfOthers = 0
  /// In their order; creators by how many items they have. Only those that have items.
  public var buckets: [Bucket] = []
  /// Most items first; of equals the higher weight, then the name. Only genres that have items.
  public var rows: [Row] = []

  public init(_ dimension: Dimension) { self.dimension = dimension }

  public var itemsWithoutGenre: Int { items - itemsWithGenre }
}
