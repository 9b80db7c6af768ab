internal import CatalogModel

/// The items with a genre one by one, for tests that depend on the day and the maker of each.
struct GenreFacts {
  struct Fact {
    var kind: Int
    /// The number of its own genres, as strata of dates have it: 1 … ``GenreStratum/mostGenres``.
    var labels: Int
    var day: Int32?
    /// 0 … 100, and less the public's.
    var rating: Int16?
    var difference: Int16?
    var isJudged: Bool
    var isLoved: Bool
    /// The person named first as its maker; 0 for none.
    var maker: Int32
    /// The first of its own genres.
    var first: Int32
    fileprivate var line: Range<Int32>
  }

  private(set) var all: [Fact] = []
  /// The genres of one item after another, with all above them.
  private var lines: [Int32] = []

  /// - Parameters:
  ///   - genres: its own, at least one.
  ///   - line: these and all above them; the row of all items may be behind.
  mutating func add(_ item: GenreScope.Member, _ genres: [Int], line: [Int], of tree: GenreTree) {
    let start = Int32(clamping: lines.count)
    for genre in line where genre < tree.count { lines.append(Int32(truncatingIfNeeded: genre)) }
    let rating = item.rating.map(Int16.init)
    all.append(
      Fact(
        kind: Int(item.kind), labels: min(genres.count, GenreStratum.mostGenres),
        day: item.day.map { Int32(clamping: $0) },
        rating: rating, difference: rating.flatMap { rating in item.publicRating.map { rating - Int16($0) } },
        isJudged: item.isJudged, isLoved: item.isLoved, maker: item.maker,
        first: Int32(truncatingIfNeeded: genres.first ?? 0), line: start..<Int32(clamping: lines.count)))
  }

  /// The genres of an item and all above them, each once.
  @inline(__always)
  func forEachGenre(of fact: Fact, _ body: (Int) -> Void) {
    for place in fact.line { body(Int(lines[Int(place)])) }
  }

  func has(_ fact: Fact, _ genre: Int) -> Bool {
    fact.line.contains { lines[Int($0)] == genre }
  }

  /// The items of a kind that have a value, those of one maker behind each other. An item without a maker is alone.
  func byMaker(ofKind kind: Int, where isIn: (Fact) -> Bool) -> [ArraySlice<Int>] {
    let order = all.indices.filter { all[$0].kind == kind && isIn(all[$0]) }.sorted {
      (all[$0].maker, $0) < (all[$1].maker, $1)
    }
    var (groups, start): ([ArraySlice<Int>], Int) = ([], 0)
    for place in order.indices {
      let next = place + 1
      if next == order.count || all[order[place]].maker == 0 || all[order[next]].maker != all[order[place]].maker {
        groups.append(order[start..<next])
        start = next
      }
    }
    return groups
  }
}
