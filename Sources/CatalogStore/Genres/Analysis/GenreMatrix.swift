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
    /// Its items with a genre, a number for each stratum.
    var byStratum: [Int] = []
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
    /// Its items of the whole selection, and in each bucket, a number for each stratum.
    var byStratum: [Int]
    var countsByStratum: [[Int]]
    /// The number of items that count as one where years are compared, since items come in runs.
    var divisor = 1.0

    /// Its items of the whole selection, a number for each kind.
    var byKind: [Int] { GenreMatrix.byKind(byStratum) }
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
  /// Items with a genre of the whole selection, a number for each stratum, and for each kind.
  var withGenreByStratum: [Int] = []
  var withGenreByKind: [Int] { Self.byKind(withGenreByStratum) }
  /// The number of items that count as one where decades or ratings are compared, since makers keep to them and to a
  /// genre.
  var makersDivisor = 1.0
  /// The kinds in which there are too few days to tell when a taste changed, by their place among ``Kind/shelved``.
  var timelessKinds: Set<Int> = []

  /// The strata of one kind are by the number of genres that items have themselves.
  static let strataOfKind = GenreStratum.mostGenres

  private static func byKind(_ strata: [Int]) -> [Int] {
    stride(from: 0, to: strata.count, by: strataOfKind).map { strata[$0..<$0 + strataOfKind].reduce(0, +) }
  }
}

extension GenreMatrix {
  /// A field of a heat map: a genre in one bucket, or in several joined.
  public struct Cell: Sendable, Hashable {
    public var count: Int
    /// The genre's share of the items of each kind with as many genres, out of those of the buckets.
    public var expected: Double
    /// The chance of so many within each stratum, or more; 1 where there are no more than expected. Nil where no count
    /// would be significant, and where every count would be: of kinds, only those are compared that both have a genre.
    public var chance: Double?
    /// Whether that is more than chance, of all fields of the map.
    public var isSignificant = false
  }

  /// Fewer items than these are no news.
  static let leastInCell = 3

  /// The highest rate at which a map of an unchanged taste marks a field: for a map alone, and for each of several on a
  /// page.
  public var rateAlone: Double { dimension == .yearAdded ? FalseAlarms.report : FalseAlarms.page }
  public static func rate(maps: Int) -> Double { FalseAlarms.maps / Double(max(1, maps)) }

  /// The fields of a map.
  /// - Parameters:
  ///   - columns: the places of the buckets of each column; none for a gap.
  ///   - rate: how often a map of an unchanged taste may mark a field.
  public func cells(_ rows: [Row], columns: [[Int]], rate: Double) -> [[Cell]] {
    let totals = columns.map { sum($0.map { buckets[$0].byStratum }) }
    // Items of two creators are in two columns, and most are in none: there the whole is all.
    let wholes = dimension == .creator ? withGenreByStratum : sum(buckets.map(\.byStratum))
    var cells = rows.map { row in
      let mine = dimension == .creator ? row.byStratum : sum(row.countsByStratum)
      let own = columns.map { column in sum(column.map { row.countsByStratum[$0] }) }
      let compared = compared(own)
      return columns.indices.map { place -> Cell in
        let count = own[place].reduce(0, +)
        let all = strata(wholes, totals[place], mine).map {
          Draw(items: wholes[$0], first: totals[place][$0], second: mine[$0])
        }
        var cell = Cell(count: count, expected: all.reduce(0) { $0 + $1.mean }, chance: nil)
        guard compared.contains(place) else { return cell }
        // The columns of a map of kinds are those that have the genre.
        let (wholes, mine) =
          dimension == .kind ? (sum(compared.map { totals[$0] }), sum(compared.map { own[$0] })) : (wholes, mine)
        let tested = strata(wholes, totals[place], mine).filter {
          dimension != .yearAdded || !timelessKinds.contains($0 / Self.strataOfKind)
        }
        let draws = tested.map { Draw(items: wholes[$0], first: totals[place][$0], second: mine[$0]) }
        if Statistics.leastChance(draws, isOneSided: true) <= FalseAlarms.leastReachable {
          let found = tested.reduce(0) { $0 + own[place][$1] }
          cell.chance =
            Double(found) > draws.reduce(0) { $0 + $1.mean }
            ? Statistics.dividedTail(Statistics.together(found, draws), by: divisor(row)) : 1
        }
        return cell
      }
    }
    let family = FalseAlarms.Family(cells.joined().compactMap(\.chance))
    var significant = FalseAlarms.significant(family, rate: rate).makeIterator()
    for row in cells.indices {
      for column in cells[row].indices where cells[row][column].chance != nil {
        let isSignificant = significant.next() ?? false
        let least = Double(Self.leastInCell) * (dimension == .yearAdded ? divisor(rows[row]) : 1)
        cells[row][column].isSignificant = isSignificant && Double(cells[row][column].count) >= least
      }
    }
    return cells
  }
  private typealias Draw = Statistics.Draw

  /// The number of items that count as one.
  private func divisor(_ row: Row) -> Double {
    switch dimension {
    case .yearAdded: row.divisor
    case .decade, .rating: makersDivisor
    case .kind, .creator: 1
    }
  }

  /// The columns in which a genre is compared with the others: of kinds, those that have it.
  private func compared(_ own: [[Int]]) -> [Int] {
    guard dimension == .kind else { return Array(own.indices) }
    let having = own.indices.filter { own[$0].reduce(0, +) >= GenreReport.leastTogether }
    return having.count > 1 ? having : []
  }

  /// The strata that a column and a genre both have items of.
  private func strata(_ wholes: [Int], _ total: [Int], _ mine: [Int]) -> [Int] {
    wholes.indices.filter { min(total[$0], mine[$0]) > 0 }
  }

  /// The sums by stratum; those of kinds by the number of genres alone.
  private func sum(_ parts: [[Int]]) -> [Int] {
    let count = dimension == .kind ? Self.strataOfKind : withGenreByStratum.count
    return parts.reduce(into: Array(repeating: 0, count: count)) { sums, part in
      for (place, items) in part.enumerated() { sums[place % count] += items }
    }
  }
}
