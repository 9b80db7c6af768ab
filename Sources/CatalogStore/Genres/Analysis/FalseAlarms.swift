/// One false-alarm rate for all that a page colours, marks with an arrow or says in words.
///
/// The tests of one idea, such as the trends of all genres, are a family. A family is opened where the best of its
/// tests is good enough for the page (Simes, then Benjamini and Hochberg over the families, weighted by what people
/// look at), and within it the tests are chosen by Benjamini and Hochberg at the page's rate times the weighted share
/// of families that were opened (Benjamini and Bogomolov 2014). So an unchanged taste colours anything on at most
/// `rate` of all pages.
struct FalseAlarms {
  /// A page shows something coloured about an unchanged taste no more often than this.
  static let page = 0.05
  /// The part of it that the report has, and the part that the heat maps of a page have together.
  static let report = 0.04
  static let maps = 0.01
  /// The bound for the smallest p that a test can give. A test above it is left out of its family: no page would show
  /// it.
  static let leastReachable = 0.005

  /// The tests of one idea.
  struct Family {
    /// p of the tests that may be shown.
    var chances: [Double]
    /// The number of tests that were made, including those in ``chances``.
    var looked: Int
    /// The part of the page's rate that it gets, against those of the other families.
    var weight: Double

    init(_ chances: [Double], looked: Int = 0, weight: Double = 1) {
      (self.chances, self.looked, self.weight) = (chances, max(looked, chances.count), weight)
    }

    /// The p of the family as a whole: the chance that any of its tests gives as small a p (Simes 1986).
    fileprivate var simes: Double { adjusted.min() ?? 1 }

    /// The p of each test, corrected for how many there were (Benjamini and Hochberg 1995).
    var adjusted: [Double] {
      var adjusted = chances
      var least = 1.0
      for (rank, place) in chances.indices.sorted(by: { chances[$0] < chances[$1] }).enumerated().reversed() {
        least = min(least, chances[place] * Double(looked) / Double(rank + 1))
        adjusted[place] = least
      }
      return adjusted
    }
  }

  /// The rate at which each family chooses; 0 for one that stays closed.
  let rates: [Double]

  init(_ families: [Family], rate: Double = report) {
    let tested = families.filter { $0.looked > 0 }
    let mean = tested.reduce(0) { $0 + $1.weight } / Double(max(1, tested.count))
    // p over weight: families that people look at need less to be opened.
    func weighed(_ family: Family) -> Double { family.simes * mean / family.weight }
    let ranked = tested.map(weighed).sorted()
    let opened = ranked.indices.last { ranked[$0] <= rate * Double($0 + 1) / Double(ranked.count) }.map { $0 + 1 } ?? 0
    let bound = opened > 0 ? ranked[opened - 1] : -1
    let part = rate * Double(opened) / Double(max(1, ranked.count))
    rates = families.map { family in
      family.looked > 0 && weighed(family) <= bound ? min(rate, part * family.weight / mean) : 0
    }
  }

  /// Which results of a family of its own are significant.
  static func significant(_ family: Family, rate: Double) -> [Bool] { family.adjusted.map { $0 <= rate } }

  /// Marks those of a family of its own that are significant.
  static func mark<Tested>(
    _ all: inout [Tested], _ isSignificant: WritableKeyPath<Tested, Bool>, by chance: KeyPath<Tested, Double?>,
    rate: Double
  ) {
    let places = all.indices.filter { all[$0][keyPath: chance] != nil }
    let marks = significant(Family(places.compactMap { all[$0][keyPath: chance] }), rate: rate)
    for (place, isIn) in zip(places, marks) { all[place][keyPath: isSignificant] = isIn }
  }
}
