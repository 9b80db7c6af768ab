internal import CatalogModel
internal import Glibc

/// Counts items for the findings. All counts are whole numbers, so that the order of the items changes nothing.
struct FindingTally {
  /// The counts of the items of one ``DateStratum`` with one genre or a genre below it.
  private struct Counts {
    var items = 0
    var waiting = 0
    /// Items with a day, and those of the last 365 days.
    var dated = 0
    var recent = 0
    var firstDay = Int32.max
    var lastDay = Int32.min
    /// A bit for each of the last stretches of 30 days that something is dated by, the newest lowest.
    var stretches: UInt32 = 0
    /// The item counted last, as its place among all that have genres.
    var lastItem = 0
  }

  /// One genre held against the rest of its kinds, before it is known how many comparisons were made.
  struct Comparison {
    /// −1 for all items.
    var genre: Int
    var kinds: [Kind]
    var claim: GenreFinding.Claim
    var test: GenreFinding.Test
    var p: Double
  }

  /// All comparisons, a family for each kind of claim.
  struct Comparisons {
    var families: [[Comparison]]

    /// p of the genres whose trend was tested; theirs is the first family.
    var trends: [Int: Double] { Dictionary(families[0].map { ($0.genre, $0.p) }) { a, _ in a } }
    var all: [FalseAlarms.Family] {
      zip(families, GenreFinding.Claim.weights).map { .init($0.map(\.p), weight: $1) }
    }
  }

  private static let kinds = Kind.shelved.count + 1

  private let tree: GenreTree
  /// The day of the report.
  private let today: Int32
  /// A row of all genres for each stratum.
  private var counts: [Counts]
  /// The counts of all items of each stratum.
  private var wholes = Array(repeating: Counts(), count: DateStratum.count)
  private var items = 0
  /// The days of the items of each stratum.
  private var days = Array(repeating: [Int32](), count: DateStratum.count)
  private var ratings: Histograms
  private var differences: Histograms

  /// The number of items with each of the values −n … n, or 0 … n, a row for each kind and each of its genres.
  private struct Histograms {
    let lowest: Int
    let width: Int
    /// For each kind a row of all its items, then one a genre; empty until there is something to count.
    private var counts: [Int32] = []
    private let rows: Int

    init(_ values: ClosedRange<Int>, genres: Int) {
      (lowest, width, rows) = (values.lowerBound, values.count, genres + 1)
    }

    /// - Parameter genre: −1 for all items of the kind.
    mutating func count(_ value: Int, of genre: Int, _ kind: Int) {
      if counts.isEmpty { counts = Array(repeating: 0, count: rows * width * FindingTally.kinds) }
      counts[(kind * rows + genre + 1) * width + value - lowest] += 1
    }

    func row(of genre: Int, _ kind: Int) -> ArraySlice<Int32> {
      guard !counts.isEmpty else { return [] }
      let start = (kind * rows + genre + 1) * width
      return counts[start..<start + width]
    }

    /// Returns the number of items of a kind with a genre, and the sum of their values.
    func sums(of genre: Int, _ kind: Int) -> (items: Int, sum: Int) {
      zip(lowest..., row(of: genre, kind)).reduce((0, 0)) { ($0.0 + Int($1.1), $0.1 + $1.0 * Int($1.1)) }
    }
  }

  /// - Parameter today: counted from 1970-01-01.
  init(_ tree: GenreTree, today: Int32) {
    (self.tree, self.today) = (tree, today)
    counts = Array(repeating: Counts(), count: tree.count * DateStratum.count)
    ratings = Histograms(0...100, genres: tree.count)
    differences = Histograms(-100...100, genres: tree.count)
  }

  /// Counts an item with its own genres, of which there is at least one.
  mutating func count(_ facts: ItemFacts, _ genres: UnsafeBufferPointer<Int>) {
    let kind = Int(facts.kind)
    let stratum = DateStratum.of(kind: kind, genres: genres.count)
    let row = stratum * tree.count
    let rated = facts.rating >= 0
    let age = facts.isDated ? (today - facts.day) / 30 : -1
    let stretch: UInt32 = (0..<32).contains(age) ? 1 << UInt32(truncatingIfNeeded: age) : 0
    let difference = rated && facts.publicRating >= 0 ? Int(facts.rating) - Int(facts.publicRating) : nil
    func add(to counts: inout Counts) {
      counts.items += 1
      counts.waiting += facts.isWaiting ? 1 : 0
      guard facts.isDated else { return }
      counts.dated += 1
      counts.recent += facts.isRecent ? 1 : 0
      counts.firstDay = min(counts.firstDay, facts.day)
      counts.lastDay = max(counts.lastDay, facts.day)
      counts.stretches |= stretch
    }
    add(to: &wholes[stratum])
    items += 1
    if facts.isDated { days[stratum].append(facts.day) }
    if rated { ratings.count(Int(facts.rating), of: -1, kind) }
    if let difference { differences.count(difference, of: -1, kind) }
    for genre in genres {
      var number = genre
      // The genres above a counted genre were counted for this item, too.
      while number >= 0, counts[row + number].lastItem != items {
        counts[row + number].lastItem = items
        add(to: &counts[row + number])
        if rated { ratings.count(Int(facts.rating), of: number, kind) }
        if let difference { differences.count(difference, of: number, kind) }
        number = tree.parents[number]
      }
    }
  }

  // MARK: What came out

  /// - Parameter stories: a book and a film of the same story, both rated.
  func comparisons(stories: [Story] = []) -> Comparisons {
    guard items >= GenreFinding.leastItems else {
      return Comparisons(families: Array(repeating: [], count: GenreFinding.Claim.families))
    }
    let added = days.map(AddedBefore.init)
    let numbers = (0..<tree.count).filter { !tree.isHeading($0) && total($0, \.items) >= GenreFinding.leastOfGenre }
    return Comparisons(families: [
      numbers.compactMap(trend), numbers.compactMap { quiet($0, added) }, numbers.compactMap { new($0, added) },
      numbers.compactMap(loved), numbers.compactMap(publicly(of:)) + Kind.shelved.indices.compactMap(publicly(ofKind:)),
      numbers.compactMap(waiting), [story(stories)].compactMap(\.self),
    ])
  }

  private func count(_ genre: Int, _ stratum: Int) -> Counts { counts[stratum * tree.count + genre] }

  private func total(_ genre: Int, _ part: (Counts) -> Int) -> Int {
    (0..<DateStratum.count).reduce(0) { $0 + part(count(genre, $1)) }
  }

  /// The strata that have some items of a genre, and others.
  private func mixed(_ genre: Int, _ part: (Counts) -> Int) -> [Int] {
    (0..<DateStratum.count).filter { stratum in
      let own = part(count(genre, stratum))
      return own > 0 && own < part(wholes[stratum])
    }
  }

  private func names(_ kinds: [Int]) -> [Kind] {
    Set(kinds).sorted().compactMap { $0 < Kind.shelved.count ? Kind.shelved[$0] : nil }
  }

  private func trend(_ number: Int) -> Comparison? {
    // A stratum without items on both sides compares nothing.
    let strata = mixed(number, \.dated).filter { wholes[$0].recent > 0 && wholes[$0].recent < wholes[$0].dated }
    let draws = strata.map { stratum in
      Statistics.Draw(items: wholes[stratum].dated, first: wholes[stratum].recent, second: count(number, stratum).dated)
    }
    let (recent, dated) = (draws.reduce(0) { $0 + $1.first }, draws.reduce(0) { $0 + $1.items })
    guard min(recent, dated - recent) >= GenreFinding.leastToCompare,
      draws.reduce(0, { $0 + $1.second }) >= GenreFinding.leastOfGenre,
      Statistics.leastChance(draws) <= FalseAlarms.leastReachable
    else { return nil }
    let now = strata.map { GenreFinding.Share(items: count(number, $0).recent, whole: wholes[$0].recent) }
    let before = strata.map { stratum in
      GenreFinding.Share(
        items: count(number, stratum).dated - count(number, stratum).recent,
        whole: wholes[stratum].dated - wholes[stratum].recent)
    }
    let weights = zip(now, before).map { Double($0.whole) * Double($1.whole) / Double($0.whole + $1.whole) }
    return Comparison(
      genre: number, kinds: names(strata.map(DateStratum.kind)),
      claim: .trend(now: .mean(of: now, weights), before: .mean(of: before, weights)), test: .fisher,
      p: Statistics.bothTails(now.reduce(0) { $0 + $1.items }, draws))
  }

  private func quiet(_ number: Int, _ added: [AddedBefore]) -> Comparison? {
    let strata = mixed(number, \.dated)
    guard let lastDay = strata.map({ count(number, $0).lastDay }).max() else { return nil }
    return came(number, strata) {
      added[$0].count - added[$0].through(lastDay)
    } claim: { items, others in
      PartialDate(dayNumber: Int(lastDay)).map { .quiet(since: $0, items: items, othersSince: others) }
    }
  }

  private func new(_ number: Int, _ added: [AddedBefore]) -> Comparison? {
    let strata = mixed(number, \.dated)
    guard let firstDay = strata.map({ count(number, $0).firstDay }).min() else { return nil }
    return came(number, strata) {
      added[$0].through(firstDay - 1)
    } claim: { items, others in
      PartialDate(dayNumber: Int(firstDay)).map { .new(since: $0, items: items, othersBefore: others) }
    }
  }

  /// None of a genre's items is among the first, or the last, of its strata.
  /// - Parameter others: how many of a stratum came before the first, or after the last.
  private func came(
    _ number: Int, _ strata: [Int], others: (Int) -> Int,
    claim: (_ items: Int, _ others: Int) -> GenreFinding.Claim?
  ) -> Comparison? {
    let items = strata.reduce(0) { $0 + count(number, $1).dated }
    // All items at one end: no order could be less even.
    let least = strata.reduce(1.0) { least, stratum in
      let (own, all) = (count(number, stratum).dated, wholes[stratum].dated)
      return least * Statistics.none(of: own, among: all - own, of: all)
    }
    guard items >= GenreFinding.leastOfGenre, least <= FalseAlarms.leastReachable else { return nil }
    let counts = strata.map { ($0, others($0)) }
    let p = counts.reduce(1.0) { p, stratum in
      p * Statistics.none(of: count(number, stratum.0).dated, among: stratum.1, of: wholes[stratum.0].dated)
    }
    return claim(items, counts.reduce(0) { $0 + $1.1 }).map {
      Comparison(genre: number, kinds: names(strata.map(DateStratum.kind)), claim: $0, test: .hypergeometric, p: p)
    }
  }

  private func loved(_ number: Int) -> Comparison? {
    ranked(number, ratings) { .loved(rating: $0, rest: $1) }
  }

  private func publicly(of number: Int) -> Comparison? {
    ranked(number, differences) { .publicly(difference: $0, rest: $1) }
  }

  /// Values of a genre against those of the rest of its kinds, which is weighed as the genre's items are.
  private func ranked(
    _ number: Int, _ histograms: Histograms,
    claim: (GenreFinding.Mean, GenreFinding.Mean) -> GenreFinding.Claim
  ) -> Comparison? {
    var (own, ownSum, others, mean) = (0, 0, 0, 0.0)
    var kinds: [Int] = []
    for kind in 0..<Self.kinds {
      let ((n, sum), (whole, wholeSum)) = (histograms.sums(of: number, kind), histograms.sums(of: -1, kind))
      guard n > 0, whole > n else { continue }
      kinds.append(kind)
      own += n
      ownSum += sum
      others += whole - n
      mean += Double(n) * Double(wholeSum - sum) / Double(whole - n)
    }
    guard min(own, others) >= GenreFinding.leastToCompare else { return nil }
    return Comparison(
      genre: number, kinds: names(kinds),
      claim: claim(.init(ownSum, own), .init(value: mean / Double(own), items: others)),
      test: .rankSum,
      p: Statistics.rankSum(kinds.map { (histograms.row(of: number, $0), histograms.row(of: -1, $0)) }))
  }

  /// The public's scale is another one for each kind.
  private func publicly(ofKind kind: Int) -> Comparison? {
    let (n, sum) = differences.sums(of: -1, kind)
    guard n >= GenreFinding.leastToCompare else { return nil }
    return Comparison(
      genre: -1, kinds: names([kind]), claim: .publicly(difference: .init(sum, n), rest: nil), test: .signedRank,
      p: Statistics.signedRank(Array(differences.row(of: -1, kind))))
  }

  private func waiting(_ number: Int) -> Comparison? {
    let strata = mixed(number, \.items).filter { wholes[$0].waiting > 0 && wholes[$0].waiting < wholes[$0].items }
    let draws = strata.map { stratum in
      Statistics.Draw(
        items: wholes[stratum].items, first: wholes[stratum].waiting, second: count(number, stratum).items)
    }
    let (waiting, all) = (draws.reduce(0) { $0 + $1.first }, draws.reduce(0) { $0 + $1.items })
    guard min(waiting, all - waiting) >= GenreFinding.leastToCompare,
      Statistics.leastChance(draws, isOneSided: true) <= FalseAlarms.leastReachable
    else { return nil }
    let part = strata.map { GenreFinding.Share(items: count(number, $0).waiting, whole: count(number, $0).items) }
    let rest = zip(strata, part).map { stratum, part in
      GenreFinding.Share(items: wholes[stratum].waiting - part.items, whole: wholes[stratum].items - part.whole)
    }
    return Comparison(
      genre: number, kinds: names(strata.map(DateStratum.kind)),
      claim: .waiting(
        part: .mean(of: part, part.map { Double($0.whole) }), rest: .mean(of: rest, part.map { Double($0.whole) })),
      test: .fisher, p: Statistics.together(part.reduce(0) { $0 + $1.items }, draws))
  }

  private func story(_ stories: [Story]) -> Comparison? {
    guard stories.count >= GenreFinding.leastStories else { return nil }
    var histogram = Array(repeating: Int32(0), count: 201)
    for story in stories { histogram[100 + story.bookRating - story.filmRating] += 1 }
    let books = stories.reduce(0) { $0 + $1.bookRating }
    let films = stories.reduce(0) { $0 + $1.filmRating }
    let claim = GenreFinding.Claim.story(
      books: .init(books, stories.count), films: .init(films, stories.count),
      items: stories.flatMap { [$0.book, $0.film] })
    return Comparison(
      genre: -1, kinds: [.book, .movie], claim: claim, test: .signedRank, p: Statistics.signedRank(histogram))
  }

  // MARK: What is said

  /// The surest of each family, none twice in other words.
  /// - Parameter rates: at which each family chooses.
  func findings(of comparisons: Comparisons, rates: [Double]) -> [GenreFinding] {
    var sure: [(comparison: Comparison, adjusted: Double)] = []
    for (family, rate) in zip(comparisons.families, rates) where rate > 0 {
      for (comparison, adjusted) in zip(family, FalseAlarms.Family(family.map(\.p)).adjusted)
      where adjusted <= rate && isWorthSaying(comparison) {
        // On the scale of the page.
        sure.append((comparison, adjusted * FalseAlarms.report / rate))
      }
    }
    sure.sort { a, b in
      // Values that differ only in the last digits are equal.
      func rank(_ p: Double) -> Double { (log(max(p, .leastNormalMagnitude)) * 1e6).rounded() }
      func size(_ comparison: Comparison) -> Double { (comparison.claim.size * 1e6).rounded() }
      let (nameA, nameB) = (name(a.comparison.genre) ?? "", name(b.comparison.genre) ?? "")
      return (rank(a.adjusted), size(b.comparison), nameA) < (rank(b.adjusted), size(a.comparison), nameB)
    }
    // The share of a genre that came or went says nothing more.
    let moved = Set(
      sure.compactMap { (comparison, _) -> Int? in
        switch comparison.claim {
        case .quiet, .new: comparison.genre
        default: nil
        }
      })
    var said: [Comparison] = []
    var findings: [GenreFinding] = []
    for (comparison, adjusted) in sure where findings.count < GenreFinding.most {
      if case .trend = comparison.claim, moved.contains(comparison.genre) { continue }
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

  /// Whether a person would care, chance or not. It is asked behind the correction: every comparison made counts.
  private func isWorthSaying(_ comparison: Comparison) -> Bool {
    switch comparison.claim {
    case .quiet:
      let last = mixed(comparison.genre, \.dated).map { count(comparison.genre, $0).lastDay }.max()
      return today - (last ?? today) >= Int32(truncatingIfNeeded: GenreFinding.quietDays)
    case .new(_, _, let before):
      guard before >= GenreReport.leastBeforeNew else { return false }
      let strata = mixed(comparison.genre, \.dated).map { count(comparison.genre, $0) }
      guard let first = strata.map(\.firstDay).min() else { return false }
      return today - first <= Int32(truncatingIfNeeded: GenreFinding.newDays)
        && strata.reduce(0, { $0 | $1.stretches }).nonzeroBitCount >= GenreFinding.newStretches
    case .loved, .publicly:
      // Ranks may say one thing and the means another, or nothing that shows.
      return comparison.claim.size >= 0.01
    case .trend, .waiting, .story: return true
    }
  }

  private func areInLine(_ a: Int, _ b: Int) -> Bool {
    a == b || a >= 0 && b >= 0 && tree.areInLine(a, b)
  }

  private func name(_ genre: Int) -> String? { genre >= 0 ? tree.names[genre] : nil }
}

/// A book and a film of one story, both rated.
struct Story: Hashable {
  var book: ItemID
  var film: ItemID
  /// 0 … 100.
  var bookRating: Int
  var filmRating: Int
}

/// The number of items added up to a day. Items of one day have no order: people add a whole shelf at once.
private struct AddedBefore {
  private let days: [Int32]

  /// - Parameter days: of all items. They are mostly in order already, which makes sorting quick.
  init(_ days: [Int32]) { self.days = days.sorted() }

  var count: Int { days.count }

  func through(_ day: Int32) -> Int {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle] <= day { low = middle + 1 } else { high = middle }
    }
    return low
  }
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
