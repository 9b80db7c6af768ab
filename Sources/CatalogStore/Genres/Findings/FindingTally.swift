internal import CatalogModel
internal import Glibc

/// Counts items for the findings. All counts are whole numbers, so that the order of the items changes nothing.
struct FindingTally {
  /// What is counted of one genre and those below it.
  private struct Counts {
    var items = 0
    var recent = 0
    var rated = 0
    var firstDay = Int32.max
    var lastDay = Int32.min
    /// A bit for each of the last stretches of 30 days in which something was added, the newest lowest.
    var stretches: UInt32 = 0
    /// The item counted last, as its place among all that have genres.
    var lastItem = 0
  }

  /// One genre held against the rest, before it is known how many comparisons were made.
  private struct Comparison {
    /// −1 for all items.
    var genre: Int
    var claim: GenreFinding.Claim
    var test: GenreFinding.Test
    var p: Double
  }

  private let tree: GenreTree
  /// The day of the report.
  private let today: Int32
  private var counts: [Counts]
  private var all = Counts()
  /// When each item was added.
  private var days: [Int32] = []
  private var ratings: Histograms
  private var differences: Histograms

  /// How many have each of the values −n … n, or 0 … n: of everybody, and of each genre.
  private struct Histograms {
    let lowest: Int
    let width: Int
    /// A row for everybody, then one a genre; empty until there is something to count.
    var counts: [Int32] = []
    private let rows: Int

    init(_ values: ClosedRange<Int>, genres: Int) {
      (lowest, width, rows) = (values.lowerBound, values.count, genres + 1)
    }

    /// - Parameter genre: −1 for everybody.
    mutating func count(_ value: Int, of genre: Int) {
      if counts.isEmpty { counts = Array(repeating: 0, count: rows * width) }
      counts[(genre + 1) * width + value - lowest] += 1
    }

    func row(of genre: Int) -> ArraySlice<Int32> {
      counts.isEmpty ? [] : counts[(genre + 1) * width..<(genre + 2) * width]
    }

    /// How many of a genre there are, and their sum.
    func sums(of genre: Int) -> (items: Int, sum: Int) {
      zip(lowest..., row(of: genre)).reduce((0, 0)) { ($0.0 + Int($1.1), $0.1 + $1.0 * Int($1.1)) }
    }
  }

  /// - Parameter today: counted from 1970-01-01.
  init(_ tree: GenreTree, today: Int32) {
    (self.tree, self.today) = (tree, today)
    counts = Array(repeating: Counts(), count: tree.count)
    ratings = Histograms(0...100, genres: tree.count)
    differences = Histograms(-100...100, genres: tree.count)
  }

  /// Counts an item with its own genres, of which there is at least one.
  mutating func count(_ facts: ItemFacts, _ genres: UnsafeBufferPointer<Int>) {
    let recent = facts.isRecent ? 1 : 0
    let rated = facts.rating >= 0
    let age = (today - facts.day) / 30
    let stretch: UInt32 = (0..<32).contains(age) ? 1 << UInt32(truncatingIfNeeded: age) : 0
    let difference = rated && facts.publicRating >= 0 ? Int(facts.rating) - Int(facts.publicRating) : nil
    func add(to counts: inout Counts) {
      counts.items += 1
      counts.recent += recent
      counts.rated += rated ? 1 : 0
      counts.firstDay = min(counts.firstDay, facts.day)
      counts.lastDay = max(counts.lastDay, facts.day)
      counts.stretches |= stretch
    }
    add(to: &all)
    days.append(facts.day)
    if rated { ratings.count(Int(facts.rating), of: -1) }
    if let difference { differences.count(difference, of: -1) }
    let item = all.items
    for genre in genres {
      var number = genre
      // Whoever is above a genre that was counted for this item was counted too.
      while number >= 0, counts[number].lastItem != item {
        counts[number].lastItem = item
        add(to: &counts[number])
        if rated { ratings.count(Int(facts.rating), of: number) }
        if let difference { differences.count(difference, of: number) }
        number = tree.parents[number]
      }
    }
  }

  // MARK: What came out

  /// - Parameter stories: a book and a film of the same story, both rated.
  func findings(stories: [Story] = []) -> [GenreFinding] {
    guard all.items >= GenreFinding.leastItems else { return [] }
    let added = AddedBefore(days)
    let numbers = counts.indices.filter {
      counts[$0].items >= GenreFinding.leastOfGenre && counts[$0].items < all.items
    }
    let families = [
      numbers.compactMap(trend), numbers.compactMap { quiet($0, added) }, numbers.compactMap { new($0, added) },
      numbers.compactMap(loved), numbers.compactMap(publicly) + [publicly].compactMap(\.self),
      numbers.compactMap(unrated), [story(stories)].compactMap(\.self),
    ]
    return chosen(of: families)
  }

  private func trend(_ number: Int) -> Comparison? {
    let (recent, before) = (all.recent, all.items - all.recent)
    guard min(recent, before) >= GenreFinding.leastToCompare else { return nil }
    let genre = counts[number]
    let (now, then) = (
      GenreFinding.Share(items: genre.recent, whole: recent),
      GenreFinding.Share(items: genre.items - genre.recent, whole: before)
    )
    return Comparison(
      genre: number, claim: .trend(now: now, before: then), test: .fisher,
      p: Chance.fisher(now.items, of: now.whole, against: then.items, of: then.whole))
  }

  private func quiet(_ number: Int, _ added: AddedBefore) -> Comparison? {
    let genre = counts[number]
    let others = all.items - added.through(genre.lastDay)
    return PartialDate(dayNumber: Int(genre.lastDay)).map { day in
      Comparison(
        genre: number, claim: .quiet(since: day, items: genre.items, othersSince: others), test: .hypergeometric,
        p: Chance.none(of: genre.items, among: others, of: all.items))
    }
  }

  private func new(_ number: Int, _ added: AddedBefore) -> Comparison? {
    let genre = counts[number]
    let others = added.through(genre.firstDay - 1)
    return PartialDate(dayNumber: Int(genre.firstDay)).map { day in
      Comparison(
        genre: number, claim: .new(since: day, items: genre.items, othersBefore: others), test: .hypergeometric,
        p: Chance.none(of: genre.items, among: others, of: all.items))
    }
  }

  private func loved(_ number: Int) -> Comparison? {
    let ((n, sum), (whole, wholeSum)) = (ratings.sums(of: number), ratings.sums(of: -1))
    guard min(n, whole - n) >= GenreFinding.leastToCompare else { return nil }
    return Comparison(
      genre: number, claim: .loved(rating: .init(sum, n), rest: .init(wholeSum - sum, whole - n)), test: .rankSum,
      p: Chance.rankSum(ratings.row(of: number), among: ratings.row(of: -1)))
  }

  private func publicly(_ number: Int) -> Comparison? {
    let ((n, sum), (whole, wholeSum)) = (differences.sums(of: number), differences.sums(of: -1))
    guard min(n, whole - n) >= GenreFinding.leastToCompare else { return nil }
    return Comparison(
      genre: number, claim: .publicly(difference: .init(sum, n), rest: .init(wholeSum - sum, whole - n)),
      test: .rankSum,
      p: Chance.rankSum(differences.row(of: number), among: differences.row(of: -1)))
  }

  private var publicly: Comparison? {
    let (n, sum) = differences.sums(of: -1)
    guard n >= GenreFinding.leastToCompare else { return nil }
    return Comparison(
      genre: -1, claim: .publicly(difference: .init(sum, n), rest: nil), test: .signedRank,
      p: Chance.signedRank(Array(differences.row(of: -1))))
  }

  private func unrated(_ number: Int) -> Comparison? {
    let genre = counts[number]
    guard min(all.rated, all.items - all.rated) >= GenreFinding.leastToCompare else { return nil }
    let part = GenreFinding.Share(items: genre.items - genre.rated, whole: genre.items)
    let rest = GenreFinding.Share(items: all.items - all.rated - part.items, whole: all.items - genre.items)
    return Comparison(
      genre: number, claim: .unrated(part: part, rest: rest), test: .fisher,
      p: Chance.fisher(part.items, of: part.whole, against: rest.items, of: rest.whole, .upper))
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
    return Comparison(genre: -1, claim: claim, test: .signedRank, p: Chance.signedRank(histogram))
  }

  // MARK: What is said

  /// The surest of each family, none twice in other words.
  private func chosen(of families: [[Comparison]]) -> [GenreFinding] {
    var sure: [(comparison: Comparison, adjusted: Double)] = []
    for family in families {
      for (comparison, adjusted) in zip(family, Chance.holm(family.map(\.p)))
      where adjusted <= GenreFinding.level && isWorthSaying(comparison) {
        sure.append((comparison, adjusted))
      }
    }
    sure.sort { a, b in
      // What differs in the last digits alone is equal.
      func rank(_ p: Double) -> Double { (log(max(p, .leastNormalMagnitude)) * 1e6).rounded() }
      func size(_ comparison: Comparison) -> Double { (comparison.claim.size * 1e6).rounded() }
      let (nameA, nameB) = (name(a.comparison.genre) ?? "", name(b.comparison.genre) ?? "")
      return (rank(a.adjusted), size(b.comparison), nameA) < (rank(b.adjusted), size(a.comparison), nameB)
    }
    // Of a genre that came or went, its share says nothing more.
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
          genre: name(comparison.genre), claim: comparison.claim, test: comparison.test, p: comparison.p,
          adjusted: adjusted))
    }
    return findings
  }

  /// Whether a person would care, chance or not. It is asked behind the correction: every comparison made counts.
  private func isWorthSaying(_ comparison: Comparison) -> Bool {
    switch comparison.claim {
    case .quiet: return today - counts[comparison.genre].lastDay >= Int32(truncatingIfNeeded: GenreFinding.quietDays)
    case .new:
      let genre = counts[comparison.genre]
      guard case .new(_, _, let before) = comparison.claim, before >= GenreReport.leastBeforeNew else { return false }
      return today - genre.firstDay <= Int32(truncatingIfNeeded: GenreFinding.newDays)
        && genre.stretches.nonzeroBitCount >= GenreFinding.newStretches
    case .loved, .publicly:
      // Ranks may say one thing and the means another, or nothing that shows.
      return comparison.claim.size >= 0.01
    case .trend, .unrated, .story: return true
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

/// How many items were added up to a day. Those of one day have no order: people add a whole shelf at once.
private struct AddedBefore {
  private let days: [Int32]

  /// - Parameter days: of all items. They are mostly in order already, which makes sorting quick.
  init(_ days: [Int32]) { self.days = days.sorted() }

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
