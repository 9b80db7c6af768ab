internal import CatalogModel

/// The places of each genre's items among all days of their strata. They show slow moves, which no comparison of the
/// last year with all before finds.
struct GenreMoves {
  /// Items of one stratum: of a genre, or all.
  private struct Counts {
    var items = 0
    var first = 0
    var last = 0
  }

  private let strata: Int
  private let kinds: [GenreRuns.KindRuns]
  /// By stratum, and by genre and stratum.
  private var whole: [Counts]
  private var own: [Counts]
  private var ties: [Double]
  /// By genre: the sum of the ranks of its items, as parts of the stratum, 0 in the middle.
  private var distances: [Double]

  /// - Parameter runs: items of kinds in which nothing tells time do not count.
  init(_ facts: GenreFacts, _ tree: GenreTree, _ runs: GenreRuns) {
    let labels = GenreStratum.mostGenres + 1
    strata = Kind.shelved.count * labels
    kinds = runs.kinds
    whole = Array(repeating: Counts(), count: strata)
    own = Array(repeating: Counts(), count: strata * tree.count)
    (ties, distances) = (Array(repeating: 0, count: strata), Array(repeating: 0, count: tree.count))
    let all = facts.inOrderOfDays.filter { kinds[$0.fact.kind].tellsTime }
    func stratum(_ fact: GenreFacts.Fact) -> Int { fact.kind * labels + fact.labels }
    for (fact, _) in all { whole[stratum(fact)].items += 1 }
    var below = Array(repeating: 0, count: strata)
    var start = 0
    while start < all.count {
      // Items of one day share a rank.
      let end = all[start...].firstIndex { $0.day != all[start].day } ?? all.count
      var today = Array(repeating: 0, count: strata)
      for (fact, _) in all[start..<end] { today[stratum(fact)] += 1 }
      for (fact, _) in all[start..<end] {
        let stratum = stratum(fact)
        let rank = Double(below[stratum]) + Double(today[stratum] + 1) / 2
        let part = rank / Double(whole[stratum].items + 1)
        let (isFirst, isLast) = (part < 1 / 3.0 ? 1 : 0, part > 2 / 3.0 ? 1 : 0)
        whole[stratum].first += isFirst
        whole[stratum].last += isLast
        facts.forEachGenre(of: fact) { genre in
          distances[genre] += part - 0.5
          own[genre * strata + stratum].items += 1
          own[genre * strata + stratum].first += isFirst
          own[genre * strata + stratum].last += isLast
        }
      }
      for stratum in 0..<strata where today[stratum] > 0 {
        let count = Double(today[stratum])
        ties[stratum] += count * count * count - count
        below[stratum] += today[stratum]
      }
      start = end
    }
  }

  /// One genre against the rest of its strata.
  struct Move {
    var kinds: Set<Int> = []
    var items = 0
    var others = 0
    /// Its shares of the first and of the last third of each stratum.
    var first: [GenreFinding.Share] = []
    var last: [GenreFinding.Share] = []
    fileprivate var distance = 0.0
    fileprivate var variance = 0.0

    /// - Parameter items: how many count as one.
    func chance(_ items: Double) -> Double {
      variance > 0 ? Statistics.bothTails(abs(distance) / (variance * items).squareRoot()) : 1
    }
  }

  func move(of genre: Int) -> Move {
    var move = Move()
    move.distance = distances[genre]
    for stratum in 0..<strata {
      let (mine, all) = (own[genre * strata + stratum], whole[stratum])
      guard mine.items > 0, mine.items < all.items else { continue }
      move.kinds.insert(stratum / (strata / Kind.shelved.count))
      move.items += mine.items
      move.others += all.items - mine.items
      move.first.append(.init(items: mine.first, whole: all.first))
      move.last.append(.init(items: mine.last, whole: all.last))
      let (n, size) = (Double(mine.items), Double(all.items))
      let ranks = n * (size - n) / 12 * (size + 1 - ties[stratum] / (size * (size - 1)))
      move.variance += ranks / ((size + 1) * (size + 1))
    }
    return move
  }
}
