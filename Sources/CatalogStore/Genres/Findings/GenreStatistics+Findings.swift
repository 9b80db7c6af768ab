internal import CatalogModel
internal import Glibc

/// One genre held against the rest of its kinds, before it is known how many comparisons were made.
struct GenreComparison {
  /// −1 for all items.
  var genre: Int
  var kinds: [Kind]
  var claim: GenreFinding.Claim
  var test: GenreFinding.Test
  var p: Double
}

/// All comparisons, a family for each kind of claim.
struct GenreComparisons {
  var families: [[GenreComparison]]

  /// p of the genres whose trend was tested; theirs is the first family.
  var trends: [Int: Double] { Dictionary(families[0].map { ($0.genre, $0.p) }) { a, _ in a } }
  var all: [FalseAlarms.Family] {
    zip(families, GenreFinding.Claim.weights).map { .init($0.map(\.p), weight: $1) }
  }
}

extension GenreStatistics {
  /// - Parameter stories: a book and a film of the same story, both rated.
  func comparisons(stories: [Story] = []) -> GenreComparisons {
    guard classified >= GenreFinding.leastItems else {
      return GenreComparisons(families: Array(repeating: [], count: GenreFinding.Claim.weights.count))
    }
    let numbers = (0..<tree.count).filter { !tree.isHeading($0) && totals[$0].items >= GenreFinding.leastOfGenre }
    let moves = GenreMoves(tally.facts, tree, runs)
    let (ratings, differences) = (Opinion.rating, Opinion.difference)
    return GenreComparisons(families: [
      numbers.compactMap(trend), numbers.compactMap(quiet), numbers.compactMap(new),
      numbers.compactMap { slow($0, moves.move(of: $0)) },
      ranked(numbers, by: ratings),
      ranked(numbers, by: differences) + Kind.shelved.indices.compactMap(publicly(ofKind:)),
      numbers.compactMap(waiting), [story(stories)].compactMap(\.self),
    ])
  }

  private func comparison(
    _ genre: Int, _ kinds: [Int], _ claim: GenreFinding.Claim, _ test: GenreFinding.Test, _ p: Double
  ) -> GenreComparison {
    let kinds = Kind.shelved.indices.filter(kinds.contains).map { Kind.shelved[$0] }
    return GenreComparison(genre: genre, kinds: kinds, claim: claim, test: test, p: p)
  }

  private func trend(_ number: Int) -> GenreComparison? {
    let parts = parts(of: number).filter {
      runs.kinds[$0.kind].tellsTime && $0.draw(\.recent, among: \.dated).isInformative
    }
    let draws = parts.map { $0.draw(\.recent, among: \.dated) }
    let (recent, dated) = (draws.reduce(0) { $0 + $1.first }, draws.reduce(0) { $0 + $1.items })
    guard min(recent, dated - recent) >= GenreFinding.leastToCompare,
      draws.reduce(0, { $0 + $1.second }) >= GenreFinding.leastOfGenre,
      Statistics.leastChance(draws) <= FalseAlarms.leastReachable
    else { return nil }
    let now = parts.map { GenreFinding.Share(items: $0.own.recent, whole: $0.whole.recent) }
    let before = parts.map { GenreFinding.Share(items: $0.own.earlier, whole: $0.whole.earlier) }
    let weights = zip(now, before).map { Double($0.whole) * Double($1.whole) / Double($0.whole + $1.whole) }
    return comparison(
      number, parts.map(\.kind), .trend(now: .mean(of: now, weights), before: .mean(of: before, weights)), .fisher,
      Statistics.divided(
        Statistics.bothTails(now.reduce(0) { $0 + $1.items }, draws), by: runs.divisor(of: number)))
  }

  private func slow(_ number: Int, _ move: GenreMoves.Move) -> GenreComparison? {
    guard min(move.items, move.others) >= GenreFinding.leastToCompare else { return nil }
    let weights = zip(move.last, move.first).map {
      Double($0.whole) * Double($1.whole) / Double(max(1, $0.whole + $1.whole))
    }
    return comparison(
      number, Array(move.kinds), .slow(now: .mean(of: move.last, weights), before: .mean(of: move.first, weights)),
      .rankSum, move.chance(runs.divisor(of: number)))
  }

  /// The strata that have dated items of a genre, and others, of the kinds in which anything tells time.
  private func datedParts(of number: Int) -> [Part] {
    parts(of: number).filter { runs.kinds[$0.kind].tellsTime && $0.isMixed(\.dated) }
  }

  private func quiet(_ number: Int) -> GenreComparison? {
    let parts = datedParts(of: number)
    guard let lastDay = parts.map(\.own.lastDay).max(), let date = PartialDate(dayNumber: lastDay) else { return nil }
    return came(number, parts) {
      days[$0].count - count(of: $0, through: lastDay)
    } claim: {
      .quiet(since: date, items: $0, othersSince: $1)
    }
  }

  private func new(_ number: Int) -> GenreComparison? {
    let parts = datedParts(of: number)
    guard let firstDay = parts.map(\.own.firstDay).min(), let date = PartialDate(dayNumber: firstDay) else {
      return nil
    }
    return came(number, parts) {
      count(of: $0, through: firstDay - 1)
    } claim: {
      .new(since: date, items: $0, othersBefore: $1)
    }
  }

  /// The number of items of a stratum that came up to a day. Items of one day have no order: people add whole shelves.
  private func count(of stratum: Int, through day: Int) -> Int {
    var (low, high) = (0, days[stratum].count)
    while low < high {
      let middle = (low + high) / 2
      if days[stratum][middle] <= day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// None of a genre's items is among the first, or the last, of its strata.
  /// - Parameter others: how many of a stratum came before the first, or after the last.
  private func came(
    _ number: Int, _ parts: [Part], others: (Int) -> Int,
    claim: (_ items: Int, _ others: Int) -> GenreFinding.Claim
  ) -> GenreComparison? {
    func chance(_ others: (Part) -> Int) -> Double {
      parts.reduce(1.0) { $0 * Statistics.none(of: $1.own.dated, among: others($1), of: $1.whole.dated) }
    }
    let items = parts.reduce(0) { $0 + $1.own.dated }
    // All items at one end: no order could be less even.
    guard items >= GenreFinding.leastOfGenre,
      chance({ $0.whole.dated - $0.own.dated }) <= FalseAlarms.leastReachable
    else { return nil }
    return comparison(
      number, parts.map(\.kind), claim(items, parts.reduce(0) { $0 + others($1.place) }), .hypergeometric,
      pow(chance { others($0.place) }, runs.part(of: number, items: items)))
  }

  /// A number that a person gave to items: a rating, or its difference from the public's.
  private enum Opinion {
    case rating, difference

    func value(of fact: GenreFacts.Fact) -> Int? { (self == .rating ? fact.rating : fact.difference).map(Int.init) }

    func claim(_ genre: GenreFinding.Mean, _ rest: GenreFinding.Mean) -> GenreFinding.Claim {
      self == .rating ? .loved(rating: genre, rest: rest) : .publicly(difference: genre, rest: rest)
    }
  }

  /// Genres against the rest of their kinds.
  /// - Parameter named: genres whose items are left out.
  private func ranked(_ numbers: [Int], by opinion: Opinion, without named: [Int] = []) -> [GenreComparison] {
    let opinions = GenreOpinions(tally.facts, tree, without: named, opinion.value)
    return numbers.compactMap { number in
      let against = opinions.against(number)
      guard min(against.own, against.others) >= GenreFinding.leastToCompare, against.hasEnoughMakers else { return nil }
      let rest = GenreFinding.Mean(value: against.othersMean, items: against.others)
      return comparison(
        number, against.kinds, opinion.claim(.init(against.ownSum, against.own), rest), .rankSum, against.chance)
    }
  }

  /// The comparisons of a family without echoes: next to a genre that is loved, all others look a little worse. So the
  /// rest is compared without the items of what is named, the surest first.
  private func withoutEchoes(_ family: [GenreComparison], by opinion: Opinion, rate: Double) -> [GenreComparison] {
    var (family, named) = (family, [Int]())
    while named.count < GenreFinding.most {
      let adjusted = FalseAlarms.Family(family.map { named.contains($0.genre) ? 0 : $0.p }).adjusted
      let surest = family.indices.filter {
        family[$0].genre >= 0 && !named.contains(family[$0].genre) && adjusted[$0] <= rate
      }.min { order(family[$0], family[$0].p) < order(family[$1], family[$1].p) }
      guard let surest else { break }
      named.append(family[surest].genre)
      let rest = Dictionary(
        ranked(family.map(\.genre).filter { $0 >= 0 && !named.contains($0) }, by: opinion, without: named).map {
          ($0.genre, $0)
        }
      ) { one, _ in one }
      for place in family.indices where family[place].genre >= 0 && !named.contains(family[place].genre) {
        if let again = rest[family[place].genre] { family[place] = again } else { family[place].p = 1 }
      }
    }
    return family
  }

  /// The public's scale is another one for each kind.
  private func publicly(ofKind kind: Int) -> GenreComparison? {
    let all = tally.facts.all.filter { $0.kind == kind }.compactMap(Opinion.difference.value)
    guard all.count >= GenreFinding.leastToCompare else { return nil }
    return comparison(
      -1, [kind], .publicly(difference: .init(all.reduce(0, +), all.count), rest: nil), .signedRank,
      Statistics.signedRank(of: all.map { (value: $0, count: 1) }))
  }

  private func waiting(_ number: Int) -> GenreComparison? {
    let parts = parts(of: number).filter { $0.draw(\.waiting, among: \.items).isInformative }
    let draws = parts.map { $0.draw(\.waiting, among: \.items) }
    let (waiting, all) = (draws.reduce(0) { $0 + $1.first }, draws.reduce(0) { $0 + $1.items })
    guard min(waiting, all - waiting) >= GenreFinding.leastToCompare,
      Statistics.leastChance(draws, isOneSided: true) <= FalseAlarms.leastReachable
    else { return nil }
    let own = parts.map { GenreFinding.Share(items: $0.own.waiting, whole: $0.own.items) }
    let rest = parts.map { part in
      GenreFinding.Share(items: part.whole.waiting - part.own.waiting, whole: part.whole.items - part.own.items)
    }
    let weights = own.map { Double($0.whole) }
    return comparison(
      number, parts.map(\.kind), .waiting(part: .mean(of: own, weights), rest: .mean(of: rest, weights)), .fisher,
      Statistics.together(own.reduce(0) { $0 + $1.items }, draws))
  }

  private func story(_ stories: [Story]) -> GenreComparison? {
    guard stories.count >= GenreFinding.leastStories else { return nil }
    let books = stories.reduce(0) { $0 + $1.bookRating }
    let films = stories.reduce(0) { $0 + $1.filmRating }
    let claim = GenreFinding.Claim.story(
      books: .init(books, stories.count), films: .init(films, stories.count),
      items: stories.flatMap { [$0.book, $0.film] })
    return GenreComparison(
      genre: -1, kinds: [.book, .movie], claim: claim, test: .signedRank,
      p: Statistics.signedRank(of: stories.map { (value: $0.bookRating - $0.filmRating, count: 1) }))
  }

  // MARK: What is said

  /// The surest of each family, none twice in other words.
  /// - Parameter rates: at which each family chooses.
  func findings(of comparisons: GenreComparisons, rates: [Double]) -> [GenreFinding] {
    var families = comparisons.families
    for (place, opinion) in [(GenreFinding.Claim.loved, Opinion.rating), (GenreFinding.Claim.publicly, .difference)]
    where rates[place] > 0 {
      families[place] = withoutEchoes(families[place], by: opinion, rate: rates[place])
    }
    var sure: [(comparison: GenreComparison, adjusted: Double)] = []
    for (family, rate) in zip(families, rates) where rate > 0 {
      for (comparison, adjusted) in zip(family, FalseAlarms.Family(family.map(\.p)).adjusted)
      where adjusted <= rate && isWorthSaying(comparison) {
        // On the scale of the page.
        sure.append((comparison, adjusted * FalseAlarms.report / rate))
      }
    }
    sure.sort { order($0.comparison, $0.adjusted) < order($1.comparison, $1.adjusted) }
    // The share of a genre that came or went says nothing more, and neither does a slow move of what changed at once.
    func moved(_ names: Set<String>) -> Set<Int> {
      Set(sure.filter { names.contains($0.comparison.claim.name) }.map(\.comparison.genre))
    }
    let (cameOrWent, changed) = (moved(["quiet", "new"]), moved(["quiet", "new", "trend"]))
    var said: [GenreComparison] = []
    var findings: [GenreFinding] = []
    for (comparison, adjusted) in sure where findings.count < GenreFinding.most {
      if case .trend = comparison.claim, cameOrWent.contains(comparison.genre) { continue }
      if case .slow = comparison.claim, changed.contains(comparison.genre) { continue }
      let alike = said.filter { $0.claim.name == comparison.claim.name }
      guard alike.count < GenreFinding.mostOfAKind, !alike.contains(where: { areInLine($0.genre, comparison.genre) })
      else {
        continue
      }
      said.append(comparison)
      findings.append(
        GenreFinding(
          genre: name(comparison.genre), kinds: comparison.kinds, claim: comparison.claim, test: comparison.test,
          p: comparison.p, adjusted: adjusted))
    }
    return findings
  }

  /// The surest first; of equals the larger effect, then the name. Values that differ in the last digits alone are
  /// equal.
  private func order(_ comparison: GenreComparison, _ p: Double) -> (Double, Double, String) {
    (
      (log(max(p, .leastNormalMagnitude)) * 1e6).rounded(), -(comparison.claim.size * 1e6).rounded(),
      name(comparison.genre) ?? ""
    )
  }

  /// Whether a person would care, chance or not. It is asked behind the correction: every comparison made counts.
  private func isWorthSaying(_ comparison: GenreComparison) -> Bool {
    let days = comparison.genre < 0 ? [] : datedParts(of: comparison.genre).map(\.own)
    switch comparison.claim {
    case .quiet: return tally.today - (days.map(\.lastDay).max() ?? tally.today) >= GenreFinding.quietDays
    case .new(_, _, let before):
      guard before >= GenreReport.leastBeforeNew, let first = days.map(\.firstDay).min() else { return false }
      return tally.today - first <= GenreFinding.newDays
        && days.reduce(0, { $0 | $1.stretches }).nonzeroBitCount >= GenreFinding.newStretches
    case .loved, .publicly:
      // Ranks may say one thing and the means another, or nothing that shows.
      return comparison.claim.size >= 0.01
    case .trend, .slow, .waiting, .story: return true
    }
  }

  private func areInLine(_ a: Int, _ b: Int) -> Bool {
    a == b || a >= 0 && b >= 0 && tree.areInLine(a, b)
  }

  private func name(_ genre: Int) -> String? { genre >= 0 ? tree.names[genre] : nil }
}

extension GenreFinding.Mean {
  init(_ sum: Int, _ items: Int) { self.init(value: Double(sum) / Double(items), items: items) }
}

extension GenreFinding.Share {
  /// The weighted mean of the shares of several kinds, of all their items.
  static func mean(of shares: [Self], _ weights: [Double]) -> Self {
    let whole = weights.reduce(0, +)
    let sum = zip(shares, weights).reduce(0) { $0 + $1.0.value * $1.1 }
    return Self(
      items: shares.reduce(0) { $0 + $1.items }, whole: shares.reduce(0) { $0 + $1.whole },
      value: whole > 0 ? sum / whole : 0)
  }
}
