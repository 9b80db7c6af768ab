internal import CatalogModel
internal import Glibc

/// The fields of an item that the report needs besides its genres.
struct ItemFacts {
  /// The kind and year, as the tally numbers them; 0 is an item that does not count.
  var slot: UInt16 = 0
  /// The place of the kind among ``Kind/shelved``; the one behind them is unknown.
  var kind = UInt8(truncatingIfNeeded: Kind.shelved.count)
  /// The user's rating, 0 … 100; −1 without.
  var rating: Int8 = -1
  /// The public rating, 0 … 100; −1 without.
  var publicRating: Int8 = -1
  var isFavorite = false
  /// Whether it was watched, read or played.
  var isSeen = false
  /// Whether its day is among the last 365. False without a day.
  var isRecent = false
  /// The day that it is dated by, counted from 1970-01-01; ``undated`` without.
  var day = undated

  static let undated = Int32.min

  var isDated: Bool { day != Self.undated }
  var isJudged: Bool { isFavorite || rating >= 0 }
  var isLoved: Bool { isFavorite || rating >= GenreReport.lovedFrom }
  var isWaiting: Bool { rating < 0 && !isSeen }
}

/// The items of one kind with about as many genres: what came when is compared among them, since a source that gives
/// more labels than another would make every genre grow.
enum DateStratum {
  /// Items with so many genres, or more, are one stratum.
  static let mostGenres = 6
  static let count = (Kind.shelved.count + 1) * mostGenres

  @inline(__always)
  static func of(kind: Int, genres: Int) -> Int { kind * mostGenres + min(genres, mostGenres) - 1 }
  static func kind(of stratum: Int) -> Int { stratum / mostGenres }
}

/// Counts items for a ``GenreReport``. All counts are whole numbers, so that the order of the items changes nothing.
struct GenreTally {
  /// The counts of one genre among the items of one kind. All but `own`, `weight` and `firstYear` include the genres
  /// below it.
  private struct Counts {
    var own = 0
    /// In ``ItemShare`` units, over the items whose lowest genre it is.
    var weight = 0
    /// The first year that an item is dated by that has it itself: 0 for one without a date.
    var firstYear = Int.max
    var items = 0
    var rated = 0
    var ratings = 0
    var judged = 0
    var loved = 0
    /// The item counted last, as its place among all that have genres; and the last one that has a genre below it.
    var lastItem = 0
    var lastBelow = 0

    mutating func add(_ other: Counts) {
      own += other.own
      weight += other.weight
      firstYear = min(firstYear, other.firstYear)
      items += other.items
      rated += other.rated
      ratings += other.ratings
      judged += other.judged
      loved += other.loved
    }
  }

  /// A kind and a year; year 0 is of the items without a date.
  private struct Slot {
    var kind = Kind.shelved.count
    var year = 0
    var items = 0
    var classified = 0
  }

  /// The items of one kind, with and without genres.
  private struct KindCounts {
    var rated = 0
    var ratings = 0
    var judged = 0
    var loved = 0
  }

  /// Items with a genre and a day among the last 365, or before.
  private struct Sides {
    var recent: Int32 = 0
    var earlier: Int32 = 0
  }

  /// The items of a kind that have so many genres themselves: among these, pairs are dealt out.
  private struct PairStratum: Hashable {
    var kind: Int
    var genres: Int
  }

  private static let kinds = Kind.shelved.count + 1

  private let tree: GenreTree
  /// Genres that one label stands for.
  private let oneLabel: [(Int, Int)]
  /// A row of all genres for each kind.
  private var counts: [Counts]
  /// The counts of all genres, a row for each kind; filled in after the last item.
  private var totals: [Counts] = []
  private var kindCounts = Array(repeating: KindCounts(), count: kinds)
  /// The counts of all items of each ``DateStratum``; then of each genre, a row of all genres for each stratum.
  private var sides = Array(repeating: Sides(), count: DateStratum.count)
  private var genreSides: [Sides]
  private var strata: [PairStratum: Int] = [:]
  /// Items of each stratum; and those that have a genre themselves, a row of all genres for each stratum.
  private var stratumItems: [Int] = []
  private var ownOfStratum: [Int32] = []
  private var slots = [Slot()]
  /// The slots of the kinds, numbered as ``Kind/shelved``, in each year from 0 to 9999.
  private var slotNumbers = [UInt16](repeating: 0, count: 40_000)
  private var pairs = PairCounts()
  private var profiles: BranchProfiles
  /// The slot and profile of each item with a genre.
  private var places: [(slot: UInt16, profile: Int32)] = []
  /// The branches of the item that is being counted.
  private var branches: [Int] = []

  /// - Parameter oneLabel: genres that one label stands for.
  init(_ tree: GenreTree, oneLabel: [(Int, Int)] = []) {
    self.tree = tree
    self.oneLabel = oneLabel
    counts = Array(repeating: Counts(), count: tree.count * Self.kinds)
    genreSides = Array(repeating: Sides(), count: tree.count * DateStratum.count)
    profiles = BranchProfiles(branches: tree.count)
  }

  /// The number of a kind, by its place in ``Kind/shelved``, and a year of four digits, 0 for none.
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
    let row = slot.kind * tree.count
    let (rated, rating) = facts.rating >= 0 ? (1, Int(facts.rating)) : (0, 0)
    let judged = facts.isJudged ? 1 : 0
    let loved = facts.isLoved ? 1 : 0
    let recent: Int32 = facts.isRecent ? 1 : 0
    let earlier: Int32 = facts.isDated ? 1 - recent : 0
    let stratum = DateStratum.of(kind: slot.kind, genres: genres.count)
    sides[stratum].recent += recent
    sides[stratum].earlier += earlier
    let dateRow = stratum * tree.count
    slots[Int(facts.slot)].classified += 1
    branches.removeAll(keepingCapacity: true)
    counts.withUnsafeMutableBufferPointer { counts in
      for genre in genres {
        counts[row + genre].own += 1
        counts[row + genre].firstYear = min(counts[row + genre].firstYear, slot.year)
        var number = genre
        // The genres above a counted genre were counted for this item, too.
        while number >= 0, counts[row + number].lastItem != item {
          counts[row + number].lastItem = item
          counts[row + number].items += 1
          counts[row + number].rated += rated
          counts[row + number].ratings += rating
          counts[row + number].judged += judged
          counts[row + number].loved += loved
          genreSides[dateRow + number].recent += recent
          genreSides[dateRow + number].earlier += earlier
          number = parents[number]
          if number >= 0 { counts[row + number].lastBelow = item }
        }
      }
      for genre in genres where counts[row + genre].lastBelow != item { branches.append(genre) }
      let share = ItemShare.of(branches.count)
      for place in branches.indices {
        counts[row + branches[place]].weight += share
        branches[place] = tree.branches[branches[place]]
      }
    }
    places.append((facts.slot, profiles.number(of: &branches)))
    guard genres.count > 1 else { return }
    let pairStratum = pairStratum(slot.kind, genres.count)
    stratumItems[pairStratum] += 1
    let start = pairStratum * tree.count
    ownOfStratum.withUnsafeMutableBufferPointer { own in for genre in genres { own[start + genre] += 1 } }
    for place in 1..<genres.count {
      for other in 0..<place { pairs.add(genres[other], genres[place]) }
    }
  }

  private mutating func pairStratum(_ kind: Int, _ genres: Int) -> Int {
    let stratum = PairStratum(kind: kind, genres: genres)
    if let number = strata[stratum] { return number }
    strata[stratum] = stratumItems.count
    stratumItems.append(0)
    ownOfStratum.append(contentsOf: repeatElement(0, count: tree.count))
    return stratumItems.count - 1
  }

  // MARK: What came out

  /// The genre with most items that is no heading.
  consuming func top() -> (name: String, items: Int)? {
    addUp()
    return ranked.first { !tree.isHeading($0) }.map { (tree.names[$0], totals[$0].items) }
  }

  private mutating func addUp() {
    totals = Array(counts[..<tree.count])
    for kind in 1..<Self.kinds {
      for number in totals.indices { totals[number].add(counts[kind * tree.count + number]) }
    }
  }

  /// - Parameters:
  ///   - facts: of all items, with or without genres; those of slot 0 do not count.
  ///   - trends: p of the genres whose trend was tested.
  /// - Returns: the report, of which nothing is significant yet, and its families of tests.
  consuming func report(_ facts: [ItemFacts], trends: [Int: Double] = [:]) -> (GenreReport, GenreReport.Families) {
    let ranks = profiles.sort()
    for place in places.indices { places[place].profile = ranks[Int(places[place].profile)] }
    addUp()
    var report = GenreReport()
    report.itemsWithGenre = classified
    for fact in facts where fact.slot > 0 {
      report.items += 1
      slots[Int(fact.slot)].items += 1
      let kind = Int(fact.kind)
      if fact.rating >= 0 {
        kindCounts[kind].rated += 1
        kindCounts[kind].ratings += Int(fact.rating)
      }
      if fact.isJudged { kindCounts[kind].judged += 1 }
      if fact.isLoved { kindCounts[kind].loved += 1 }
    }
    for kind in kindCounts {
      report.rated += kind.rated
      report.judged += kind.judged
      report.loved += kind.loved
    }
    report.recentItems = sides.reduce(0) { $0 + Int($1.recent) }
    report.earlierItems = sides.reduce(0) { $0 + Int($1.earlier) }
    // A stratum without items on both sides compares nothing.
    let both = sides.filter { min($0.recent, $0.earlier) > 0 }
    report.comparableItems = min(both.reduce(0) { $0 + Int($1.recent) }, both.reduce(0) { $0 + Int($1.earlier) })
    report.meanRating = Self.ratio(kindCounts.reduce(0) { $0 + $1.ratings }, report.rated)
    addGenres(to: &report, trends)
    addPairs(to: &report)
    addYears(to: &report)
    addBranches(to: &report)
    let families = GenreReport.Families(report)
    return (report, families)
  }

  /// The genres that have items: most items first; of equals the higher weight, then the name.
  private var ranked: [Int] {
    totals.indices.filter { totals[$0].items > 0 }.sorted {
      (totals[$1].items, totals[$1].weight, tree.names[$0]) < (totals[$0].items, totals[$0].weight, tree.names[$1])
    }
  }

  /// The counts of a genre within each kind that has it.
  private func byKind(_ number: Int) -> [(genre: Counts, kind: KindCounts)] {
    (0..<Self.kinds).compactMap { kind in
      let counts = counts[kind * tree.count + number]
      return counts.items > 0 ? (counts, kindCounts[kind]) : nil
    }
  }

  private func addGenres(to report: inout GenreReport, _ trends: [Int: Double]) {
    // The weight of all items, except for those with so many genres that they do not share evenly.
    let whole = Double(totals.reduce(0) { $0 + $1.weight })
    for number in ranked {
      let counted = totals[number]
      var genre = GenreReport.Genre(name: tree.names[number])
      genre.ancestors = tree.ancestors(of: number)
      genre.isHeading = tree.isHeading(number)
      genre.items = counted.items
      genre.ownItems = counted.own
      genre.share = Self.ratio(counted.items, classified) ?? 0
      genre.weight = Double(counted.weight) / whole
      genre.rated = counted.rated
      genre.meanRating = Self.ratio(counted.ratings, counted.rated)
      if counted.rated > 0 {
        let prior = Double(GenreReport.priorItems)
        let expected = byKind(number).reduce(0.0) { sum, counts in
          sum + Double(counts.genre.rated) * (Self.ratio(counts.kind.ratings, counts.kind.rated) ?? 0)
        }
        genre.shrunkRating =
          (prior * expected / Double(counted.rated) + Double(counted.ratings)) / (prior + Double(counted.rated))
      }
      (genre.judged, genre.loved) = (counted.judged, counted.loved)
      addAffinity(to: &genre, byKind(number))
      addMomentum(to: &genre, number)
      genre.trendChance = trends[number]
      report.genres.append(genre)
    }
  }

  private func addAffinity(to genre: inout GenreReport.Genre, _ kinds: [(genre: Counts, kind: KindCounts)]) {
    guard genre.judged >= GenreReport.leastForAffinity else { return }
    let draws = kinds.filter { $0.genre.judged > 0 }.map {
      Statistics.Draw(items: $0.kind.judged, first: $0.kind.loved, second: $0.genre.judged)
    }
    let expected = draws.reduce(0) { $0 + $1.mean }
    guard expected > 0 else { return }
    let prior = Double(GenreReport.priorItems) * expected / Double(genre.judged)
    genre.affinity = (prior + Double(genre.loved)) / (prior + expected)
    if !genre.isHeading, Statistics.leastChance(draws) <= FalseAlarms.leastReachable {
      genre.affinityChance = Statistics.bothTails(genre.loved, draws)
    }
  }

  /// The shares now and before are compared within each stratum that has items on both sides.
  private func addMomentum(to genre: inout GenreReport.Genre, _ number: Int) {
    var (sum, whole, expected) = (0.0, 0.0, 0.0)
    for (stratum, sizes) in sides.enumerated() where min(sizes.recent, sizes.earlier) > 0 {
      let counts = genreSides[stratum * tree.count + number]
      let (recent, earlier) = (Double(sizes.recent), Double(sizes.earlier))
      let weight = recent * earlier / (recent + earlier)
      sum += weight * (Double(counts.recent) / recent - Double(counts.earlier) / earlier)
      whole += weight
      genre.recent += Int(counts.recent)
      expected += Double(counts.recent + counts.earlier) * recent / (recent + earlier)
    }
    guard whole > 0 else { return }
    genre.momentum = 100 * sum / whole
    genre.recentExpected = expected
  }

  // MARK: Pairs

  private func addPairs(to report: inout GenreReport) {
    let strata = strata.sorted { ($0.key.kind, $0.key.genres) < ($1.key.kind, $1.key.genres) }
    func own(_ genre: Int, _ stratum: Int) -> Int { Int(ownOfStratum[stratum * tree.count + genre]) }
    func couldMeet(_ a: Int, _ b: Int) -> Bool {
      var met = 0
      for (_, stratum) in strata {
        met += min(own(a, stratum), own(b, stratum))
        if met >= GenreReport.leastTogether { return true }
      }
      return false
    }
    let excluded = trivialPairs
    let genres = totals.indices.filter { totals[$0].own >= GenreReport.leastTogether }
    for (place, genre) in genres.enumerated() {
      report.pairsLookedAt += genres[..<place].count { couldMeet($0, genre) }
    }
    report.pairsLookedAt -= excluded.count { couldMeet($0 / tree.count, $0 % tree.count) }
    report.pairs = pairs.all.compactMap { a, b, together -> GenreReport.Pair? in
      guard together >= GenreReport.leastTogether, !excluded.contains(a * tree.count + b) else { return nil }
      let draws = strata.compactMap { stratum, number -> Statistics.Draw? in
        let (first, second) = (own(a, number), own(b, number))
        guard min(first, second) > 0 else { return nil }
        // The places beside one genre among the items of the stratum, and how many of these an item has left.
        let places = (stratumItems[number] * stratum.genres - max(first, second)) / (stratum.genres - 1)
        return Statistics.Draw(items: max(places, first, second), first: first, second: second)
      }
      let expected = draws.reduce(0) { $0 + $1.mean }
      guard Double(together) > expected else { return nil }
      let names = [tree.names[a], tree.names[b]].sorted()
      return GenreReport.Pair(
        genre: names[0], other: names[1], together: together, expected: expected,
        chance: Statistics.together(together, draws))
    }.sorted { ($1.surplus, $0.genre, $0.other) < ($0.surplus, $1.genre, $1.other) }
  }

  /// Pairs whose meeting says nothing of taste: a genre and one above it, and two that one label stands for. The
  /// smaller number × ``GenreTree/count`` + the greater.
  private var trivialPairs: Set<Int> {
    var pairs = Set(oneLabel.map { min($0, $1) * tree.count + max($0, $1) })
    for genre in totals.indices where totals[genre].own > 0 {
      var above = tree.parents[genre]
      while above >= 0 {
        if totals[above].own > 0 { pairs.insert(min(genre, above) * tree.count + max(genre, above)) }
        above = tree.parents[above]
      }
    }
    return pairs
  }

  /// By the number of a kind; the last is unknown.
  private var kindSizes: [(items: Int, classified: Int)] {
    var sizes = Array(repeating: (items: 0, classified: 0), count: Self.kinds)
    for slot in slots {
      sizes[slot.kind].items += slot.items
      sizes[slot.kind].classified += slot.classified
    }
    return sizes
  }

  // MARK: Years

  private func addYears(to report: inout GenreReport) {
    let dated = slots.indices.dropFirst().filter { slots[$0].year > 0 }
    let profiles = profilesBySlot
    var before: (year: Int, slots: [Int])?
    var itemsBefore = slots.reduce(0) { $0 + ($1.year == 0 ? $1.classified : 0) }
    for year in Set(dated.map { slots[$0].year }).sorted() {
      let mine = dated.filter { slots[$0].year == year }.sorted { slots[$0].kind < slots[$1].kind }
      let classified = mine.reduce(0) { $0 + slots[$1].classified }
      var row = GenreReport.Year(
        year: year, items: mine.reduce(0) { $0 + slots[$1].items }, itemsWithGenre: classified,
        comparedWith: before?.year, hasEnoughItems: false, moved: [])
      if itemsBefore >= GenreReport.leastBeforeNew {
        row.newGenres = totals.indices.filter { totals[$0].firstYear == year }.map { tree.names[$0] }.sorted()
      }
      if let before, classified > 0 {
        // Each kind is compared with itself.
        let kinds = mine.compactMap { slot in
          before.slots.first { slots[$0].kind == slots[slot].kind }.map { (profiles[$0], profiles[slot]) }
        }.filter { !$0.0.isEmpty && !$0.1.isEmpty }
        if !kinds.isEmpty { addDrift(to: &row, kinds) }
      }
      report.years.append(row)
      itemsBefore += classified
      if classified > 0 { before = (year, mine) }
    }
  }

  /// - Parameter kinds: the items of the year before and of the year, for each kind that both have.
  private func addDrift(to year: inout GenreReport.Year, _ kinds: [(before: ProfileCounts, now: ProfileCounts)]) {
    let parts = profiles.parts
    // The branches that either year has are numbered from 0.
    var known = Array(repeating: false, count: tree.count)
    for (profile, _) in kinds.lazy.flatMap({ $0.before + $0.now }) {
      for part in parts[profile] { known[part.branch] = true }
    }
    let branches = known.indices.filter { known[$0] }
    let numbers = known.indices.reduce(into: [0]) { $0.append($0[$1] + (known[$1] ? 1 : 0)) }
    var test = DriftTest()
    for (before, now) in kinds {
      var stratum = DriftStratum(branches: branches.count)
      for (profile, first, second) in Self.joined(before, now) {
        stratum.add(parts[profile].lazy.map { (numbers[$0.branch], $0.share) }, first: first, second: second)
      }
      test.kinds.append(stratum)
    }
    year.drift = test.drift
    year.hasEnoughItems = min(test.first, test.second) >= GenreReport.leastToCompare
    if year.hasEnoughItems { year.chance = test.chance }
    year.moved = zip(branches, test.branches).filter { $1.part > 0 }.map {
      .init(genre: tree.names[$0], before: $1.first, weight: $1.second, part: $1.part)
    }.sorted { ($1.part, $0.genre) < ($0.part, $1.genre) }
  }

  /// Two lists in order, together in order.
  private static func joined(_ before: ProfileCounts, _ now: ProfileCounts) -> [(profile: Int, first: Int, second: Int)]
  {
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
    return counts
  }

  private typealias ProfileCounts = [(profile: Int, count: Int)]

  /// The number of items of each profile, by slot.
  private var profilesBySlot: [ProfileCounts] {
    var bySlot = Array(repeating: [Int32](), count: slots.count)
    for (slot, profile) in places { bySlot[Int(slot)].append(profile) }
    var counts = Array(repeating: 0, count: profiles.parts.count)
    return bySlot.map { items in
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

  /// The weight that the items of one kind give to each branch.
  private struct KindBranches {
    var kind: Kind
    /// Items with a genre.
    var items: Int
    /// The weight of each branch.
    var weights: [Double]
    /// Items with a genre in the branch.
    var carriers: [Int]
  }

  /// Diversity, and how alike the kinds are.
  private func addBranches(to report: inout GenreReport) {
    let parts = profiles.parts
    let kinds = Self.kinds
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
      hasEnoughItems: min(kind.items, other.items) >= GenreReport.leastToCompare, shared: shared)
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
    // Branches seen only once show how much has not been seen.
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

/// The share of an item that each of its genres gets, as a whole number: sums are then the same in any order.
enum ItemShare {
  /// The least common multiple of 1 … 28, so that the share of up to 28 genres is exact. A hundred million items fit.
  static let unit = 80_313_433_200
  private static let small = [0] + (1...32).map { unit / $0 }

  @inline(__always)
  static func of(_ genres: Int) -> Int { genres < small.count ? small[genres] : unit / max(1, genres) }
}
