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

  var isJudged: Bool { isFavorite || rating >= 0 }
  var isLoved: Bool { isFavorite || rating >= GenreReport.lovedFrom }
}

/// Counts items for a ``GenreReport``. All counts are whole numbers, so that the order of the items changes nothing.
struct GenreTally {
  /// What is counted of one genre, and but for `own`, `weight` and `firstYear` of those below it.
  private struct Counts {
    var own = 0
    /// In ``ItemShare`` units, over the items whose lowest genre it is.
    var weight = 0
    /// The first year in which an item was added that has it itself.
    var firstYear = Int.max
    var items = 0
    var rated = 0
    var ratings = 0
    var judged = 0
    var loved = 0
    var recent = 0
    /// The item counted last, as its place among all that have genres; and the last one that has a genre below it.
    var lastItem = 0
    var lastBelow = 0
  }

  /// A kind and a year.
  private struct Slot {
    /// Its place among ``Kind/shelved``; the one behind them is unknown.
    var kind = Kind.shelved.count
    var year = 0
    var items = 0
    var classified = 0
  }

  private let tree: GenreTree
  /// Genres that one label stands for.
  private let oneLabel: [(Int, Int)]
  private var counts: [Counts]
  /// Items that have the genre itself: a row of all genres for each kind.
  private var ownOfKind: [Int]
  private var slots = [Slot()]
  /// The slots of the kinds, numbered as ``Kind/shelved``, in each year from 0 to 9999.
  private var slotNumbers = [UInt16](repeating: 0, count: 40_000)
  private var pairs = PairCounts()
  private var profiles: BranchProfiles
  /// Of each item with a genre.
  private var places: [(slot: UInt16, profile: Int32)] = []
  private var recentClassified = 0
  /// The branches of the item that is being counted.
  private var branches: [Int] = []

  /// - Parameter oneLabel: genres that one label stands for.
  init(_ tree: GenreTree, oneLabel: [(Int, Int)] = []) {
    self.tree = tree
    self.oneLabel = oneLabel
    counts = Array(repeating: Counts(), count: tree.count)
    ownOfKind = Array(repeating: 0, count: tree.count * (Kind.shelved.count + 1))
    profiles = BranchProfiles(branches: tree.count)
  }

  /// The number of a kind, by its place in ``Kind/shelved``, and a year of four digits.
  mutating func slot(_ kind: Int, year: Int) -> UInt16 {
    let place = year * 4 + kind
    guard slotNumbers.indices.contains(place) else { return 0 }
    if slotNumbers[place] == 0 {
      slots.append(Slot(kind: kind, year: year))
      slotNumbers[place] = UInt16(truncatingIfNeeded: slots.count - 1)
    }
    return slotNumbers[place]
  }

  private var classified: Int { places.count }

  /// Counts an item with its own genres, of which there is at least one.
  mutating func count(_ facts: ItemFacts, _ genres: UnsafeBufferPointer<Int>) {
    let (item, parents, slot) = (classified + 1, tree.parents, slots[Int(facts.slot)])
    let (rated, rating) = facts.rating >= 0 ? (1, Int(facts.rating)) : (0, 0)
    let judged = facts.isJudged ? 1 : 0
    let loved = facts.isLoved ? 1 : 0
    let recent = facts.isRecent ? 1 : 0
    recentClassified += recent
    slots[Int(facts.slot)].classified += 1
    branches.removeAll(keepingCapacity: true)
    counts.withUnsafeMutableBufferPointer { counts in
      for genre in genres {
        counts[genre].own += 1
        counts[genre].firstYear = min(counts[genre].firstYear, slot.year)
        var number = genre
        // Whoever is above a genre that was counted for this item was counted too.
        while number >= 0, counts[number].lastItem != item {
          counts[number].lastItem = item
          counts[number].items += 1
          counts[number].rated += rated
          counts[number].ratings += rating
          counts[number].judged += judged
          counts[number].loved += loved
          counts[number].recent += recent
          number = parents[number]
          if number >= 0 { counts[number].lastBelow = item }
        }
      }
      for genre in genres where counts[genre].lastBelow != item { branches.append(genre) }
      let share = ItemShare.of(branches.count)
      for place in branches.indices {
        counts[branches[place]].weight += share
        branches[place] = tree.branches[branches[place]]
      }
    }
    places.append((facts.slot, profiles.number(of: &branches)))
    let row = slot.kind * tree.count
    ownOfKind.withUnsafeMutableBufferPointer { own in for genre in genres { own[row + genre] += 1 } }
    for place in 1..<genres.count {
      for other in 0..<place { pairs.add(genres[other], genres[place]) }
    }
  }

  // MARK: What came out

  /// The genre with most items that is no heading.
  consuming func top() -> (name: String, items: Int)? {
    ranked.first { !tree.isHeading($0) }.map { (tree.names[$0], counts[$0].items) }
  }

  /// - Parameters:
  ///   - count: how many items were selected.
  ///   - facts: of all of them, with or without genres; those of slot 0 are not looked at.
  consuming func report(items count: Int, _ facts: [ItemFacts]) -> GenreReport {
    let ranks = profiles.sort()
    for place in places.indices { places[place].profile = ranks[Int(places[place].profile)] }
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
      if fact.isJudged { report.judged += 1 }
      if fact.isLoved { report.loved += 1 }
    }
    report.meanRating = Self.ratio(ratings, report.rated)
    addGenres(to: &report)
    addPairs(to: &report)
    addYears(to: &report)
    addBranches(to: &report)
    return report
  }

  /// The genres that have items: most items first; of equals the higher weight, then the name.
  private var ranked: [Int] {
    counts.indices.filter { counts[$0].items > 0 }.sorted {
      (counts[$1].items, counts[$1].weight, tree.names[$0]) < (counts[$0].items, counts[$0].weight, tree.names[$1])
    }
  }

  private func addGenres(to report: inout GenreReport) {
    // That of all items, but for those with so many genres that they do not share evenly.
    let whole = Double(counts.reduce(0) { $0 + $1.weight })
    for number in ranked {
      let counted = counts[number]
      var genre = GenreReport.Genre(name: tree.names[number])
      genre.ancestors = tree.ancestors(of: number)
      genre.isHeading = tree.isHeading(number)
      genre.items = counted.items
      genre.ownItems = counted.own
      genre.share = Self.ratio(counted.items, classified) ?? 0
      genre.weight = Double(counted.weight) / whole
      genre.rated = counted.rated
      genre.meanRating = Self.ratio(counted.ratings, counted.rated)
      if let mean = report.meanRating, counted.rated > 0 {
        let prior = Double(GenreReport.priorItems)
        genre.shrunkRating = (prior * mean + Double(counted.ratings)) / (prior + Double(counted.rated))
      }
      (genre.judged, genre.loved) = (counted.judged, counted.loved)
      addAffinity(to: &genre, Self.ratio(report.loved, report.judged) ?? 0)
      addMomentum(to: &genre, recent: counted.recent)
      report.genres.append(genre)
    }
    let looked = report.genres.indices.filter { report.genres[$0].affinityChance != nil }
    let telling = Chance.telling(looked.map { report.genres[$0].affinityChance ?? 1 }, of: looked.count)
    for (place, isTelling) in zip(looked, telling) { report.genres[place].isAffinityTelling = isTelling }
  }

  /// - Parameter overall: how often a judged item is loved.
  private func addAffinity(to genre: inout GenreReport.Genre, _ overall: Double) {
    guard genre.judged >= GenreReport.leastForAffinity, overall > 0 else { return }
    let prior = Double(GenreReport.priorItems)
    genre.affinity = (prior * overall + Double(genre.loved)) / (prior + Double(genre.judged)) / overall
    genre.affinityChance = Chance.binomial(genre.loved, of: genre.judged, overall)
  }

  private func addMomentum(to genre: inout GenreReport.Genre, recent: Int) {
    let (before, earlier) = (genre.items - recent, classified - recentClassified)
    guard let now = Self.ratio(recent, recentClassified), let then = Self.ratio(before, earlier) else { return }
    genre.momentum = (now - then) * 100
    // With one item more that has the genre and one that has not: a share of 0 or 1 of few items is not certain.
    func share(_ part: Int, _ whole: Int) -> Double { Double(part + 1) / Double(whole + 2) }
    let (p, q) = (share(recent, recentClassified), share(before, earlier))
    let error = sqrt(p * (1 - p) / Double(recentClassified + 2) + q * (1 - q) / Double(earlier + 2))
    genre.momentumError = error * 100
    let score = (p - q) / error
    genre.momentumScore = score
    genre.isMomentumTelling =
      min(recentClassified, earlier) >= GenreReport.leastToCompare && abs(score) > GenreReport.tellingScore
  }

  // MARK: Pairs

  private func addPairs(to report: inout GenreReport) {
    let sizes = kindSizes
    let kinds = sizes.indices.filter { sizes[$0].classified > 0 }
    func own(_ genre: Int, _ kind: Int) -> Int { ownOfKind[kind * tree.count + genre] }
    func couldMeet(_ a: Int, _ b: Int) -> Bool {
      kinds.reduce(0) { $0 + min(own(a, $1), own(b, $1)) } >= GenreReport.leastTogether
    }
    let excluded = trivialPairs
    let genres = counts.indices.filter { counts[$0].own >= GenreReport.leastTogether }
    for (place, genre) in genres.enumerated() {
      report.pairsLookedAt += genres[..<place].count { couldMeet($0, genre) }
    }
    report.pairsLookedAt -= excluded.count { couldMeet($0 / tree.count, $0 % tree.count) }
    let pairs = pairs.all.compactMap { a, b, together -> GenreReport.Pair? in
      guard together >= GenreReport.leastTogether, !excluded.contains(a * tree.count + b) else { return nil }
      let draws = kinds.compactMap { kind in
        min(own(a, kind), own(b, kind)) > 0
          ? Chance.Draw(items: sizes[kind].classified, first: own(a, kind), second: own(b, kind)) : nil
      }
      let expected = draws.reduce(0) { $0 + $1.mean }
      guard Double(together) > expected else { return nil }
      let names = [tree.names[a], tree.names[b]].sorted()
      return GenreReport.Pair(
        genre: names[0], other: names[1], together: together, expected: expected,
        chance: Chance.together(together, draws))
    }
    let telling = Chance.telling(pairs.map(\.chance), of: report.pairsLookedAt)
    report.pairs = zip(pairs, telling).filter(\.1).map(\.0).sorted {
      ($1.surplus, $0.genre, $0.other) < ($0.surplus, $1.genre, $1.other)
    }
  }

  /// Pairs whose meeting says nothing of taste: a genre and one above it, and two that one label stands for. The smaller
  /// number × ``GenreTree/count`` + the greater.
  private var trivialPairs: Set<Int> {
    var pairs = Set(oneLabel.map { min($0, $1) * tree.count + max($0, $1) })
    for genre in counts.indices where counts[genre].own > 0 {
      var above = tree.parents[genre]
      while above >= 0 {
        if counts[above].own > 0 { pairs.insert(min(genre, above) * tree.count + max(genre, above)) }
        above = tree.parents[above]
      }
    }
    return pairs
  }

  /// By the number of a kind; the last is unknown.
  private var kindSizes: [(items: Int, classified: Int)] {
    var sizes = Array(repeating: (items: 0, classified: 0), count: Kind.shelved.count + 1)
    for slot in slots {
      sizes[slot.kind].items += slot.items
      sizes[slot.kind].classified += slot.classified
    }
    return sizes
  }

  // MARK: Years

  private func addYears(to report: inout GenreReport) {
    let years = Set(slots.dropFirst().map(\.year)).sorted()
    let profiles = profilesByYear(years)
    var before: (year: Int, profiles: ProfileCounts, items: Int)?
    var itemsBefore = 0
    for (place, year) in years.enumerated() {
      let slots = slots.dropFirst().filter { $0.year == year }
      let classified = slots.reduce(0) { $0 + $1.classified }
      var row = GenreReport.Year(
        year: year, items: slots.reduce(0) { $0 + $1.items }, itemsWithGenre: classified, comparedWith: before?.year,
        isTelling: min(before?.items ?? 0, classified) >= GenreReport.leastToCompare, moved: [])
      if itemsBefore >= GenreReport.leastBeforeNew {
        row.newGenres = counts.indices.filter { counts[$0].firstYear == year }.map { tree.names[$0] }.sorted()
      }
      if let before, classified > 0 { addDrift(to: &row, before.profiles, profiles[place]) }
      report.years.append(row)
      itemsBefore += classified
      if classified > 0 { before = (year, profiles[place], classified) }
    }
  }

  private func addDrift(to year: inout GenreReport.Year, _ before: ProfileCounts, _ now: ProfileCounts) {
    // Both are in order, and so is what they make together.
    var counts: [(profile: Int, first: Int, second: Int)] = []
    var (left, right) = (before.startIndex, now.startIndex)
    while left < before.count || right < now.count {
      let next = min(
        left < before.count ? before[left].profile : .max, right < now.count ? now[right].profile : .max)
      let isFirst = left < before.count && before[left].profile == next
      let isSecond = right < now.count && now[right].profile == next
      counts.append((next, isFirst ? before[left].count : 0, isSecond ? now[right].count : 0))
      if isFirst { left += 1 }
      if isSecond { right += 1 }
    }
    let parts = profiles.parts
    // The branches that either year has are numbered from 0.
    var known = Array(repeating: false, count: tree.count)
    for (profile, _, _) in counts { for part in parts[profile] { known[part.branch] = true } }
    let branches = known.indices.filter { known[$0] }
    let numbers = known.indices.reduce(into: [0]) { $0.append($0[$1] + (known[$1] ? 1 : 0)) }
    var test = DriftTest(branches: branches.count)
    for (profile, first, second) in counts {
      test.add(parts[profile].lazy.map { (numbers[$0.branch], $0.share) }, first: first, second: second)
    }
    year.drift = test.drift
    if year.isTelling { (year.level, year.chance) = test.chance }
    year.moved = zip(branches, test.weights).filter { $1.part > 0 }.map {
      .init(genre: tree.names[$0], before: $1.first, weight: $1.second, part: $1.part)
    }.sorted { ($1.part, $0.genre) < ($0.part, $1.genre) }
  }

  private typealias ProfileCounts = [(profile: Int, count: Int)]

  /// How many items of each profile were added in each year.
  private func profilesByYear(_ years: [Int]) -> [ProfileCounts] {
    let numbers = Dictionary(uniqueKeysWithValues: zip(years, 0...))
    let yearOfSlot = slots.enumerated().map { $0 > 0 ? numbers[$1.year] ?? -1 : -1 }
    var byYear = Array(repeating: [Int32](), count: years.count)
    for (slot, profile) in places where yearOfSlot[Int(slot)] >= 0 { byYear[yearOfSlot[Int(slot)]].append(profile) }
    var counts = Array(repeating: 0, count: profiles.parts.count)
    return byYear.map { items in
      var met: [Int] = []
      for profile in items.lazy.map(Int.init) {
        if counts[profile] == 0 { met.append(profile) }
        counts[profile] += 1
      }
      defer { for profile in met { counts[profile] = 0 } }
      return met.sorted().map { ($0, counts[$0]) }
    }
  }

  // MARK: Branches

  /// What a kind gives to the branches.
  private struct KindBranches {
    var kind: Kind
    /// Items with a genre.
    var items: Int
    /// By branch, of the kind's items.
    var weights: [Double]
    /// Items with a genre in the branch.
    var carriers: [Int]
  }

  /// Diversity, and how alike the kinds are.
  private func addBranches(to report: inout GenreReport) {
    let parts = profiles.parts
    let kinds = Kind.shelved.count + 1
    var counts = Array(repeating: 0, count: parts.count * kinds)
    for (slot, profile) in places { counts[slots[Int(slot)].kind * parts.count + Int(profile)] += 1 }
    var sums = Array(repeating: 0, count: tree.count * kinds)
    var carriers = sums
    for kind in 0..<kinds {
      for (profile, parts) in parts.enumerated() {
        let count = counts[kind * profiles.parts.count + profile]
        guard count > 0 else { continue }
        for part in parts {
          sums[kind * tree.count + part.branch] += part.share * count
          carriers[kind * tree.count + part.branch] += count
        }
      }
    }
    addDiversity(to: &report, sums, carriers)
    var all: [KindBranches] = []
    for (number, (kind, size)) in zip(Kind.shelved, kindSizes).enumerated() where size.items > 0 {
      report.kinds.append(.init(kind: kind, items: size.items, itemsWithGenre: size.classified))
      guard size.classified > 0 else { continue }
      let row = number * tree.count..<(number + 1) * tree.count
      all.append(
        .init(
          kind: kind, items: size.classified,
          weights: sums[row].map { Double($0) / (Double(ItemShare.unit) * Double(size.classified)) },
          carriers: Array(carriers[row])))
    }
    all.sort { $0.kind.rawValue < $1.kind.rawValue }
    for (place, kind) in all.enumerated() {
      for other in all[(place + 1)...] { report.kindPairs.append(pair(kind, other)) }
    }
  }

  private func pair(_ kind: KindBranches, _ other: KindBranches) -> GenreReport.KindPair {
    func square(_ kind: KindBranches) -> Double { kind.weights.reduce(0) { $0 + $1 * $1 } }
    let length = sqrt(square(kind) * square(other))
    let shared = kind.weights.indices.compactMap { branch -> GenreReport.KindPair.Shared? in
      // One or two items of a kind may be there by a label that means something else.
      guard min(kind.carriers[branch], other.carriers[branch]) >= GenreReport.leastTogether else { return nil }
      let (a, b) = (kind.weights[branch], other.weights[branch])
      return .init(genre: tree.names[branch], weight: a, otherWeight: b, contribution: a * b / length)
    }.sorted { ($1.contribution, $0.genre) < ($0.contribution, $1.genre) }
    return .init(
      kind: kind.kind, other: other.kind, similarity: min(1, shared.reduce(0) { $0 + $1.contribution }),
      isTelling: min(kind.items, other.items) >= GenreReport.leastToCompare, shared: shared)
  }

  /// - Parameters:
  ///   - sums: what each branch gets, a row a kind.
  ///   - carriers: the items with a genre in the branch, likewise.
  private func addDiversity(to report: inout GenreReport, _ sums: [Int], _ carriers: [Int]) {
    guard classified >= GenreReport.leastForDiversity else { return }
    let n = Double(classified)
    var branches: [(weight: Double, carriers: Int)] = []
    for branch in 0..<tree.count {
      let places = stride(from: branch, to: sums.count, by: tree.count)
      let (sum, count) = (places.reduce(0) { $0 + sums[$1] }, places.reduce(0) { $0 + carriers[$1] })
      if sum > 0 { branches.append((Double(sum) / (Double(ItemShare.unit) * n), count)) }
    }
    // What is seen but once tells how much has not been seen.
    let once = branches.reduce(0) { $1.carriers == 1 ? $0 + $1.weight : $0 }
    let coverage = max(1 - once, 1 / n)
    let entropy = branches.reduce(0) { sum, branch in
      let (weight, presence) = (coverage * branch.weight, coverage * Double(branch.carriers) / n)
      return sum - weight * log(weight) / (1 - pow(1 - presence, n))
    }
    report.effectiveBranches = min(exp(entropy), Double(Set(tree.branches).count))
    report.giniSimpson = max(0, 1 - branches.reduce(0) { $0 + $1.weight * $1.weight })
  }

  /// Nil instead of a division by zero.
  private static func ratio(_ part: Int, _ whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

/// What an item gives to each of its genres, as a whole number: sums are then the same in any order.
enum ItemShare {
  /// The least common multiple of 1 … 28, so that the share of up to 28 genres is exact. A hundred million items fit.
  static let unit = 80_313_433_200
  private static let small = [0] + (1...32).map { unit / $0 }

  @inline(__always)
  static func of(_ genres: Int) -> Int { genres < small.count ? small[genres] : unit / max(1, genres) }
}
