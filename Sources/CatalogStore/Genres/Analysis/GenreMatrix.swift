public import CatalogModel

/// The number of items of each genre in each decade, year, kind, … of a selection.
public struct GenreMatrix: Sendable, Hashable {
  /// The field whose values are the columns.
  public enum Dimension: String, CaseIterable, Sendable {
    /// Ten years in which the items came out, by the first of them.
    case decade
    /// The year in which they were added.
    case yearAdded = "year-added"
    case kind
    /// Directors, authors and artists: the ``GenreMatrix/mostCreators`` with most items. An item of two counts for
    /// both.
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
    /// Its items with a genre, a number for each kind.
    var byKind: [Int] = []
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
    /// Its items of the whole selection, and in each bucket, a number for each kind.
    var byKind: [Int]
    var countsByKind: [[Int]]
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
  /// Items with a genre of the whole selection, a number for each kind.
  var withGenreByKind: [Int] = []
}

extension GenreMatrix {
  /// A field of a heat map: a genre in one bucket, or in several joined.
  public struct Cell: Sendable, Hashable {
    public var count: Int
    /// The genre's share of the items of each kind, out of those of the buckets.
    public var expected: Double
    /// The chance of so many within each kind, or more; 1 where there are no more than expected. Nil where no count
    /// would be significant.
    public var chance: Double?
    /// Whether that is more than chance, of all fields of the map.
    public var isSignificant = false
  }

  /// Fewer items than these are no news.
  static let leastInCell = 3

  /// The highest rate at which a map of an unchanged taste marks a field: for a map alone, and for each of several on a
  /// page.
  public static let rateAlone = FalseAlarms.page
  public static func rate(maps: Int) -> Double { FalseAlarms.maps / Double(max(1, maps)) }

  /// The fields of a map.
  /// - Parameters:
  ///   - columns: the places of the buckets of each column; none for a gap.
  ///   - rate: how often a map of an unchanged taste may mark a field.
  public func cells(_ rows: [Row], columns: [[Int]], rate: Double) -> [[Cell]] {
    // Items of two creators are in two columns, and most are in none: there the whole is all. An item's kind tells
    // nothing where the columns are kinds.
    let strata = dimension == .kind ? 1 : withGenreByKind.count
    func merged(_ counts: [Int]) -> [Int] { strata == 1 ? [counts.reduce(0, +)] : counts }
    func sum(_ parts: [[Int]]) -> [Int] {
      parts.reduce(into: Array(repeating: 0, count: strata)) { sums, part in
        for (place, count) in merged(part).enumerated() { sums[place] += count }
      }
    }
    let totals = columns.map { sum($0.map { buckets[$0].byKind }) }
    let wholes = dimension == .creator ? merged(withGenreByKind) : sum(buckets.map(\.byKind))
    var cells = rows.map { row in
      let mine = dimension == .creator ? merged(row.byKind) : sum(row.countsByKind)
      return zip(columns, totals).map { column, total -> Cell in
        let draws = wholes.indices.filter { min(total[$0], mine[$0]) > 0 }.map {
          Statistics.Draw(items: wholes[$0], first: total[$0], second: mine[$0])
        }
        var cell = Cell(
          count: column.reduce(0) { $0 + row.counts[$1] }, expected: draws.reduce(0) { $0 + $1.mean }, chance: nil)
        if Statistics.leastChance(draws, isOneSided: true) <= FalseAlarms.leastReachable {
          cell.chance = Double(cell.count) > cell.expected ? Statistics.together(cell.count, draws) : 1
        }
        return cell
      }
    }
    let family = FalseAlarms.Family(cells.joined().compactMap(\.chance))
    var significant = FalseAlarms.significant(family, rate: rate).makeIterator()
    for row in cells.indices {
      for column in cells[row].indices where cells[row][column].chance != nil {
        let isSignificant = significant.next() ?? false
        cells[row][column].isSignificant = isSignificant && cells[row][column].count >= Self.leastInCell
      }
    }
    return cells
  }
}
