public import CatalogModel
internal import Glibc
internal import SQLite

/// The ratings of a selection and their difference from public ratings. docs/reports.md defines each number.
public struct RatingReport: Sendable, Hashable {
  /// The number of half-star steps: 0, ½, 1, … 5 stars.
  public static let steps = 11

  /// The items in the selection.
  public internal(set) var whole = Tally()
  /// The numbers of items with a rating of 0, 1, … 100.
  private var counts = Array(repeating: 0, count: 101)
  /// The kinds with items.
  public internal(set) var kinds: [KindTally] = []

  public struct KindTally: Sendable, Hashable {
    public var kind: Kind
    public var tally: Tally
    /// The comparison with public ratings, whose scale differs between kinds; nil if no item has both.
    public var comparison: Comparison?
  }

  /// The items of one kind with both your rating and a public one.
  public struct Comparison: Sendable, Hashable {
    public var items = 0
    /// The mean of your ratings of these items, 0 … 100.
    public var mean = 0.0
    public var publicMean = 0.0
    /// The mean absolute difference of the two ratings.
    public var distance = 0.0
    /// The correlation of the ratings (Pearson): 1 for the same order and proportion, 0 for none, −1 for the reverse.
    /// Nil below ``leastForCorrelation`` items, and if all ratings of one side are equal.
    public var correlation: Double?
    /// The items with the largest difference above and below the public rating, the largest first.
    public var above = TopList<Difference>.none
    public var below = TopList<Difference>.none

    /// The difference of the means, yours minus the public one, in points of 100.
    public var difference: Double { mean - publicMean }

    public static let leastForCorrelation = 5
  }

  /// An item with different ratings.
  public struct Difference: Sendable, Hashable {
    public var item: ItemID
    public var rating: Int
    public var publicRating: Double
    /// The difference, yours minus the public one.
    public var points: Double { Double(rating) - publicRating }
  }

  /// The numbers of items at the nearest half star, rounded up.
  public var histogram: [Int] {
    var histogram = Array(repeating: 0, count: Self.steps)
    for (rating, count) in counts.enumerated() { histogram[Self.step(of: rating)] += count }
    return histogram
  }

  /// The step of a rating: 9 for 4½ stars.
  public static func step(of rating: Int) -> Int { min(max(rating, 0) + 5, 100) / 10 }

  public var median: Double? {
    guard whole.rated > 0 else { return nil }
    return Double(rating(at: (whole.rated - 1) / 2) + rating(at: whole.rated / 2)) / 2
  }

  /// The standard deviation of the ratings (of the population).
  public var deviation: Double? {
    guard let mean = whole.meanRating else { return nil }
    let sum = counts.enumerated().reduce(0.0) { sum, entry in
      sum + Double(entry.element) * (Double(entry.offset) - mean) * (Double(entry.offset) - mean)
    }
    return sqrt(sum / Double(whole.rated))
  }

  /// The rating at an index, from 0, in ascending order.
  private func rating(at place: Int) -> Int {
    var rest = place
    return counts.firstIndex { count in
      rest -= count
      return rest < 0
    } ?? 0
  }

  mutating func count(_ item: ItemFigures) {
    whole.count(item)
    if item.rating >= 0 { counts[min(100, Int(item.rating))] += 1 }
  }
}

extension Store {
  /// The ratings of the selected items.
  public func ratingReport(_ query: Query = Query()) throws -> RatingReport {
    let (selection, figures) = try figures(query)
    var report = RatingReport()
    var kinds: [Kind: Tally] = [:]
    for item in figures.all {
      report.count(item)
      if let kind = item.kind { kinds[kind, default: Tally()].count(item) }
    }
    var pairs: [Kind: [RatingReport.Difference]] = [:]
    let narrow: SQL = selection.narrow.text.isEmpty ? "" : " AND (\(selection.condition ?? "true"))"
    try db.forEach("SELECT id, public_rating FROM item WHERE public_rating IS NOT NULL\(narrow) ORDER BY id") { row in
      if let place = figures.place(of: row.integer(0)), case let figure = figures[place], figure.rating >= 0,
        let kind = figure.kind
      {
        pairs[kind, default: []].append(
          .init(item: ItemID(rawValue: row.integer(0)), rating: Int(figure.rating), publicRating: row.real(1)))
      }
      return true
    }
    report.kinds = Kind.shelved.compactMap { kind in
      kinds[kind].map { .init(kind: kind, tally: $0, comparison: .init(pairs[kind] ?? [])) }
    }
    return report
  }
}

extension RatingReport.Comparison {
  init?(_ pairs: [RatingReport.Difference]) {
    guard !pairs.isEmpty else { return nil }
    let count = Double(pairs.count)
    items = pairs.count
    mean = Double(pairs.reduce(0) { $0 + $1.rating }) / count
    publicMean = pairs.reduce(0) { $0 + $1.publicRating } / count
    distance = pairs.reduce(0) { $0 + abs($1.points) } / count
    if pairs.count >= Self.leastForCorrelation {
      correlation = Statistics.correlation(pairs.map { (Double($0.rating), $0.publicRating) })
    }
    let sorted = pairs.filter { $0.points != 0 }.sorted { (-abs($0.points), $0.item) < (-abs($1.points), $1.item) }
    above = TopList(of: sorted.lazy.filter { $0.points > 0 }, by: \.points)
    below = TopList(of: sorted.lazy.filter { $0.points < 0 }, by: \.points)
  }
}
