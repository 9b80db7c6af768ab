internal import CatalogModel
internal import Glibc

/// What the report needs to know of an item beside its genres.
struct ItemFacts {
  /// The kind and year added, as the tally numbers them; 0 is unknown.
  var slot: UInt16 = 0
  /// 0 … 100, −1 without.
  var rating: Int8 = -1
  var isFavorite = false
  var isRecent = false
  /// The day it was added, counted from 1970-01-01.
  var day: Int32 = 0
  /// Of the public, 0 … 100, −1 without.
  var publicRating: Int8 = -1

  var isLoved: Bool { isFavorite || rating >= GenreReport.lovedFrom }
}

/// Counts items for a ``GenreReport``. All counts are whole numbers, so that the order of the items changes nothing.
struct GenreTally {
  /// What is counted of one genre, and but for `own` of those below it.
  private struct Counts {
    var own = 0
    var items = 0
    var rated = 0
    var ratings = 0
    var loved = 0
    var recent = 0
    /// The item counted last, as its place among all that have genres.
    var lastItem = 0
  }

  /// A kind and a year.
  private struct Slot {
    var kind: Kind?
    var year: Int
    var items = 0
    var classified = 0
  }

  private let tree: GenreTree
  private var counts: [Counts]
  /// What items give to the genre itself, in ``ItemShare`` units: a row of all genres for each slot.
  private var weights: [Int]
  private var slots = [Slot(kind: nil, year: 0)]
  /// The slots of the kinds, numbered as ``Kind/shelved``, in each year from 0 to 9999.
  private var slotNumbers = [UInt16](repeating: 0, count: 40_000)
  private var pairs = PairCounts()
  private var classified = 0
  private var recentClassified = 0

  init(_ tree: GenreTree) {
    self.tree = tree
    counts = Array(repeating: Counts(), count: tree.count)
    weights = Array(repeating: 0, count: tree.count)
  }

  /// The number of a kind, by its place in ``Kind/shelved``, and a year of four digits.
  mutating func slot(_ kind: Int, year: Int) -> UInt16 {
    let place = year * 4 + kind
    guard slotNumbers.indices.contains(place) else { return 0 }
    if slotNumbers[place] == 0 {
      slots.append(Slot(kind: Kind.shelved[kind], year: year))
      weights.append(contentsOf: repeatElement(0, count: tree.count))
      slotNumbers[place] = UInt16(slots.count - 1)
    }
    return slotNumbers[place]
  }

  /// Counts an item with its own genres, of which there is at least one.
  mutating func count(_ facts: ItemFacts, _ genres: UnsafeBufferPointer<Int>) {
    classified += 1
    let (item, parents) = (classified, tree.parents)
    let (rated, rating) = facts.rating >= 0 ? (1, Int(facts.rating)) : (0, 0)
    let loved = facts.isLoved ? 1 : 0
    let recent = facts.isRecent ? 1 : 0
    recentClassified += recent
    counts.withUnsafeMutableBufferPointer { counts in
      for genre in genres {
        counts[genre].own += 1
        var number = genre
        // Whoever is above a genre that was counted for this item was counted too.
        while number >= 0, counts[number].lastItem != item {
          counts[number].lastItem = item
          counts[number].items += 1
          counts[number].rated += rated
          counts[number].ratings += rating
          counts[number].loved += loved
          counts[number].recent += recent
          number = parents[number]
        }
      }
    }
    let slot = Int(facts.slot)
    slots[slot].classified += 1
    let (row, share) = (slot * tree.count, ItemShare.of(genres.count))
    weights.withUnsafeMutableBufferPointer { weights in for genre in genres { weights[row + genre] += share } }
    for place in 1..<genres.count {
      for other in 0..<place { pairs.add(genres[other], genres[place]) }
    }
  }

  // MARK: What came out

  /// - Parameters:
  ///   - count: how many items were selected.
  ///   - facts: of all of them, with or without genres; those of slot 0 are not looked at.
  consuming func report(items count: Int, _ facts: [ItemFacts]) -> GenreReport {
    var report = GenreReport()
    report.items = count
    report.itemsWithGenre = classified
    report.recentItems = recentClassified
    var ratings = 0
    for fact in facts where fact.slot > 0 {
      slots[Int(fact.slot)].items += 1
      if fact.rating >= 0 {
        report.rated += 1
        ratings += Int(fact.rating)
      }
      if fact.isLoved { report.loved += 1 }
    }
    report.meanRating = Self.ratio(ratings, report.rated)
    let numbers = addGenres(to: &report)
    addPairs(to: &report)
    addYears(to: &report, numbers)
    addKinds(to: &report, numbers)
    return report
  }

  /// - Returns: the genres' numbers in the order of the report.
  private func addGenres(to report: inout GenreReport) -> [Int] {
    let weights = weights(of: slots.indices)
    let whole = Double(weights.reduce(0, +))
    let genres = counts.indices.filter { counts[$0].items > 0 }.map { number in
      let counted = counts[number]
      var genre = GenreReport.Genre(name: tree.names[number])
      genre.ancestors = tree.ancestors(of: number)
      genre.items = counted.items
      genre.ownItems = counted.own
      genre.share = Self.ratio(counted.items, classified) ?? 0
      genre.weight = Double(weights[number]) / whole
      genre.rated = counted.rated
      genre.meanRating = Self.ratio(counted.ratings, counted.rated)
      if let mean = report.meanRating, counted.rated > 0 {
        let prior = Double(GenreReport.priorRatings)
        genre.shrunkRating = (prior * mean + Double(counted.ratings)) / (prior + Double(counted.rated))
      }
      genre.loved = counted.loved
      if genre.items >= GenreReport.leastForAffinity, let overall = Self.ratio(report.loved, report.items), overall > 0
      {
        genre.affinity = (Self.ratio(counted.loved, counted.items) ?? 0) / overall
      }
      if let now = Self.ratio(counted.recent, recentClassified),
        let before = Self.ratio(counted.items - counted.recent, classified - recentClassified)
      {
        genre.momentum = (now - before) * 100
      }
      return (number, genre)
    }.sorted { ($1.1.items, $1.1.weight, $0.1.name) < ($0.1.items, $0.1.weight, $1.1.name) }
    report.genres = genres.map(\.1)
    return genres.map(\.0)
  }

  private func addPairs(to report: inout GenreReport) {
    report.pairs = pairs.all.compactMap { a, b, together in
      guard together >= GenreReport.leastTogether, !tree.areInLine(a, b) else { return nil }
      let names = [tree.names[a], tree.names[b]].sorted()
      // Two divisions of whole numbers: equal lifts are equal to the last bit, whatever the order of the two.
      let lift = Double(together) * Double(classified) / (Double(counts[a].own) * Double(counts[b].own))
      return GenreReport.Pair(genre: names[0], other: names[1], together: together, lift: lift)
    }.sorted { ($1.lift, $1.together, $0.genre, $0.other) < ($0.lift, $0.together, $1.genre, $1.other) }
  }

  private func addYears(to report: inout GenreReport, _ numbers: [Int]) {
    var met = Array(repeating: false, count: tree.count)
    var before: (year: Int, weights: [Int], count: Int)?
    var last: Int?
    for year in slots.dropFirst().map(\.year).sorted() where year != last {
      last = year
      let places = slots.indices.filter { $0 > 0 && slots[$0].year == year }
      let classified = places.reduce(0) { $0 + slots[$1].classified }
      let weights = weights(of: places)
      let own = numbers.filter { weights[$0] > 0 }
      let drift = before.flatMap { Self.divergence($0.weights, weights, of: numbers) }
      let chance = before.map { before in
        let either = numbers.count { weights[$0] > 0 || before.weights[$0] > 0 }
        return Self.chanceOfDrift(among: either, items: before.count, classified)
      }
      report.years.append(
        GenreReport.Year(
          year: year, items: places.reduce(0) { $0 + slots[$1].items }, itemsWithGenre: classified,
          comparedWith: before?.year, drift: drift, chance: drift == nil ? nil : chance,
          isTelling: min(before?.count ?? 0, classified) >= GenreReport.leastToCompare,
          newGenres: own.filter { !met[$0] }.map { tree.names[$0] }.sorted()))
      for genre in own { met[genre] = true }
      if classified > 0 { before = (year, weights, classified) }
    }
  }

  private func addKinds(to report: inout GenreReport, _ numbers: [Int]) {
    var all: [(kind: Kind, weights: [Double], count: Int)] = []
    for kind in Kind.shelved {
      let places = slots.indices.filter { slots[$0].kind == kind }
      let count = places.reduce(0) { $0 + slots[$1].items }
      guard count > 0 else { continue }
      let classified = places.reduce(0) { $0 + slots[$1].classified }
      report.kinds.append(.init(kind: kind, items: count, itemsWithGenre: classified))
      guard classified > 0 else { continue }
      let weights = weights(of: places)
      let whole = Double(weights.reduce(0, +))
      all.append((kind, weights.map { Double($0) / whole }, classified))
    }
    all.sort { $0.kind.rawValue < $1.kind.rawValue }
    for (place, kind) in all.enumerated() {
      for other in all[(place + 1)...] {
        func product(_ a: [Double], _ b: [Double]) -> Double { numbers.reduce(0) { $0 + a[$1] * b[$1] } }
        let length = sqrt(product(kind.weights, kind.weights)) * sqrt(product(other.weights, other.weights))
        let shared = numbers.compactMap { number -> GenreReport.KindPair.Shared? in
          let (a, b) = (kind.weights[number], other.weights[number])
          guard a > 0, b > 0 else { return nil }
          return .init(genre: tree.names[number], weight: a, otherWeight: b, contribution: a * b / length)
        }.sorted { ($1.contribution, $0.genre) < ($0.contribution, $1.genre) }
        report.kindPairs.append(
          .init(
            kind: kind.kind, other: other.kind, similarity: min(1, product(kind.weights, other.weights) / length),
            isTelling: min(kind.count, other.count) >= GenreReport.leastToCompare, shared: shared))
      }
    }
  }

  /// The weights of some slots together, for each genre.
  private func weights(of slots: some Sequence<Int>) -> [Int] {
    var sums = Array(repeating: 0, count: tree.count)
    for slot in slots {
      for genre in sums.indices { sums[genre] += weights[slot * tree.count + genre] }
    }
    return sums
  }

  /// The Jensen–Shannon divergence (base 2) of two distributions over `genres`; nil when one of them is empty.
  private static func divergence(_ a: [Int], _ b: [Int], of genres: [Int]) -> Double? {
    let (wholeA, wholeB) = (a.reduce(0, +), b.reduce(0, +))
    guard wholeA > 0, wholeB > 0 else { return nil }
    var sum = 0.0
    for genre in genres {
      let (p, q) = (Double(a[genre]) / Double(wholeA), Double(b[genre]) / Double(wholeB))
      let middle = (p + q) / 2
      if p > 0 { sum += p / 2 * log2(p / middle) }
      if q > 0 { sum += q / 2 * log2(q / middle) }
    }
    return min(1, max(0, sum))
  }

  /// What the divergence of two samples of one distribution over so many genres stays below nine times in ten.
  ///
  /// Its mean is (k − 1) ÷ (8 ln 2) · (1 ÷ n + 1 ÷ m) where each item has one genre; where items share out their weight
  /// among several it is about a third less, and this is near the ninth decile.
  private static func chanceOfDrift(among genres: Int, items n: Int, _ m: Int) -> Double {
    let sizes = 1 / Double(max(1, n)) + 1 / Double(max(1, m))
    return min(1, Double(max(0, genres - 1)) / (8 * log(2)) * sizes)
  }

  /// Nil instead of a division by zero.
  private static func ratio(_ part: Int, _ whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

/// What an item gives to each of its genres, as a whole number: sums are then the same in any order.
enum ItemShare {
  /// The least common multiple of 1 … 28, so that the share of up to 28 genres is exact. A hundred million items fit.
  private static let unit = 80_313_433_200
  private static let small = [0] + (1...32).map { unit / $0 }

  @inline(__always)
  static func of(_ genres: Int) -> Int { genres < small.count ? small[genres] : unit / max(1, genres) }
}
