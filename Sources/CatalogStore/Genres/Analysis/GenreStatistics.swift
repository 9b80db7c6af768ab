internal import CatalogModel
internal import Glibc

/// The counts of a ``GenreTally`` as tables genre × stratum, the basis of every number and test of a ``GenreReport``.
struct GenreStatistics {
  let tree: GenreTree
  let tally: GenreTally
  /// By kind, by stratum of dates, and by kind and number of own genres.
  let kinds: GenreStrata<Int, GenreCounts>
  let dates: GenreStrata<GenreStratum, GenreCounts>
  let strata: GenreStrata<GenreStratum, GenreCounts>
  let runs: GenreRuns
  /// The counts of each genre in all strata.
  let totals: [GenreCounts]
  /// The days of all items of each stratum of dates, in order.
  let days: [[Int]]

  /// The items with a genre.
  var classified: Int { tally.walk.items }

  init(_ tally: GenreTally) {
    (tree, self.tally) = (tally.walk.tree, tally)
    kinds = tally.counts.joined(by: \.kind)
    dates = tally.counts.joined(by: \.ofDates)
    strata = tally.counts.joined { $0 }
    runs = GenreRuns(tally.facts, tree, today: tally.today)
    totals = (0..<tree.count).map { [kinds] number in
      kinds[number].reduce(into: GenreCounts()) { $0.add($1) }
    }
    days = dates.keys.map { tally.days(of: $0) }
  }

  /// A genre within a stratum of dates.
  struct Part {
    /// The place of the stratum, and its kind.
    var place: Int
    var kind: Int
    var own: GenreCounts
    var whole: GenreCounts

    /// Has items of the genre and others.
    func isMixed(_ counted: (GenreCounts) -> Int) -> Bool { counted(own) > 0 && counted(own) < counted(whole) }

    /// The genre's items among those with a property.
    func draw(_ property: (GenreCounts) -> Int, among counted: (GenreCounts) -> Int) -> Statistics.Draw {
      Statistics.Draw(items: counted(whole), first: property(whole), second: counted(own))
    }
  }

  /// A genre in each stratum of dates.
  func parts(of genre: Int) -> [Part] {
    zip(dates.keys.indices, zip(dates[genre], dates.whole)).map {
      Part(place: $0, kind: dates.keys[$0].kind, own: $1.0, whole: $1.1)
    }
  }

  /// Nil instead of a division by zero.
  private static func ratio(_ part: Int, _ whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

// MARK: - The report

extension GenreStatistics {
  /// - Parameters:
  ///   - items: of the report, with or without genres.
  ///   - oneLabel: genres that one label stands for.
  ///   - trends: p of the genres whose trend was tested.
  /// - Returns: the report, of which nothing is significant yet.
  func report(_ items: [GenreScope.Member], oneLabel: [GenrePair] = [], trends: [Int: Double] = [:]) -> GenreReport {
    var report = GenreReport()
    report.itemsWithGenre = classified
    var all = Array(repeating: GenreCounts(), count: Kind.shelved.count)
    // By year; a date has four digits of it.
    var years = Array(repeating: 0, count: 10_000)
    for item in items where item.isIn {
      all[Int(item.kind)].addOpinion(of: item)
      years[item.year % 10_000] += 1
    }
    let whole = all.reduce(into: GenreCounts()) { $0.add($1) }
    (report.items, report.rated, report.judged, report.loved) = (whole.items, whole.rated, whole.judged, whole.loved)
    report.meanRating = Self.ratio(whole.ratings, whole.rated)
    report.recentItems = dates.whole.reduce(0) { $0 + $1.recent }
    report.earlierItems = dates.whole.reduce(0) { $0 + $1.earlier }
    // A stratum without items on both sides compares nothing.
    let both = dates.whole.filter { min($0.recent, $0.earlier) > 0 }
    report.comparableItems = min(both.reduce(0) { $0 + $1.recent }, both.reduce(0) { $0 + $1.earlier })
    addGenres(to: &report, all, trends)
    addPairs(to: &report, oneLabel)
    let profiles = BranchProfiles(tally)
    addYears(to: &report, years, profiles)
    addBranches(to: &report, all, profiles)
    return report
  }

  /// - Parameter all: the counts of each kind, with and without genres.
  private func addGenres(to report: inout GenreReport, _ all: [GenreCounts], _ trends: [Int: Double]) {
    // The weight of all items, less the remainders of those with so many genres that they do not share evenly.
    let whole = Double(tally.walk.weights.reduce(0, +))
    let loves = GenreOpinions(tally.facts, tree) { $0.isJudged ? $0.isLoved ? 1 : 0 : nil }
    for number in tally.walk.ranked {
      let counted = totals[number]
      let kinds = zip(self.kinds.keys, self.kinds[number]).filter { $1.items > 0 }.map { (genre: $1, kind: all[$0]) }
      var genre = GenreReport.Genre(name: tree.names[number])
      genre.ancestors = tree.ancestors(of: number)
      genre.isHeading = tree.isHeading(number)
      (genre.items, genre.ownItems) = (counted.items, counted.own)
      genre.share = Self.ratio(counted.items, classified) ?? 0
      genre.weight = Double(tally.walk.weights[number]) / whole
      genre.rated = counted.rated
      genre.meanRating = Self.ratio(counted.ratings, counted.rated)
      if counted.rated > 0 {
        let prior = Double(GenreReport.priorItems)
        let expected = kinds.reduce(0.0) { sum, counts in
          sum + Double(counts.genre.rated) * (Self.ratio(counts.kind.ratings, counts.kind.rated) ?? 0)
        }
        genre.shrunkRating =
          (prior * expected / Double(counted.rated) + Double(counted.ratings)) / (prior + Double(counted.rated))
      }
      (genre.judged, genre.loved) = (counted.judged, counted.loved)
      addAffinity(to: &genre, kinds, loves.against(number))
      addMomentum(to: &genre, number)
      genre.trendChance = trends[number]
      report.genres.append(genre)
    }
  }

  private func addAffinity(
    to genre: inout GenreReport.Genre, _ kinds: [(genre: GenreCounts, kind: GenreCounts)],
    _ loves: GenreOpinions.Against
  ) {
    guard genre.judged >= GenreReport.leastForAffinity else { return }
    let draws = kinds.filter { $0.genre.judged > 0 }.map {
      Statistics.Draw(items: $0.kind.judged, first: $0.kind.loved, second: $0.genre.judged)
    }
    let expected = draws.reduce(0) { $0 + $1.mean }
    guard expected > 0 else { return }
    let prior = Double(GenreReport.priorItems) * expected / Double(genre.judged)
    genre.affinity = (prior + Double(genre.loved)) / (prior + expected)
    if !genre.isHeading, loves.hasEnoughMakers, Statistics.leastChance(draws) <= FalseAlarms.leastReachable {
      let chance = Statistics.bothTails(genre.loved, draws)
      // Exact, unless works of one maker count as fewer.
      genre.affinityChance = loves.divisor > 1 ? max(chance, loves.chance) : chance
    }
  }

  /// The shares now and before are compared within each stratum that has items on both sides.
  private func addMomentum(to genre: inout GenreReport.Genre, _ number: Int) {
    var (sum, whole, expected) = (0.0, 0.0, 0.0)
    for (own, all) in zip(dates[number], dates.whole) where min(all.recent, all.earlier) > 0 {
      let (recent, earlier) = (Double(all.recent), Double(all.earlier))
      let weight = recent * earlier / (recent + earlier)
      sum += weight * (Double(own.recent) / recent - Double(own.earlier) / earlier)
      whole += weight
      genre.recent += own.recent
      expected += Double(own.dated) * recent / (recent + earlier)
    }
    guard whole > 0 else { return }
    genre.momentum = 100 * sum / whole
    genre.recentExpected = expected
  }

  // MARK: Pairs

  private func addPairs(to report: inout GenreReport, _ oneLabel: [GenrePair]) {
    // A pair takes two genres.
    let places = strata.keys.indices.filter { strata.keys[$0].value > 1 }
    let own = (0..<tree.count).map { genre in places.map { strata[genre][$0].own } }
    let even = Kind.shelved.indices.map(hasEvenLabels)
    let makers = GenreMakers(tally.facts, tree)
    func couldMeet(_ a: Int, _ b: Int) -> Bool {
      var met = 0
      for (first, second) in zip(own[a], own[b]) {
        met += min(first, second)
        if met >= GenreReport.leastTogether { return true }
      }
      return false
    }
    // Two that meet for another reason than taste: one above the other, or one label stands for both.
    let genres = totals.indices.filter { totals[$0].own > 0 }
    let inLine = genres.flatMap { genre in
      tree.line(of: genre).dropFirst().filter { totals[$0].own > 0 }.map { GenrePair(genre, $0) }
    }
    let excluded = Set(oneLabel + inLine)
    let several = genres.filter { totals[$0].own >= GenreReport.leastTogether }
    for (place, genre) in several.enumerated() {
      report.pairsLookedAt += several[..<place].count { couldMeet($0, genre) }
    }
    report.pairsLookedAt -= excluded.count { couldMeet($0.first, $0.second) }
    let counted = tally.pairs.filter { $0.value >= GenreReport.leastTogether && !excluded.contains($0.key) }
    report.pairs = counted.compactMap { pair, together -> GenreReport.Pair? in
      var draws: [(kind: Int, draw: Statistics.Draw)] = []
      for kind in kinds.keys.indices where even[kinds.keys[kind]] {
        let (first, second) = (kinds[pair.first][kind].own, kinds[pair.second][kind].own)
        guard min(first, second) > 0 else { continue }
        draws.append((kinds.keys[kind], .init(items: kinds.whole[kind].items, first: first, second: second)))
      }
      for (row, place) in places.enumerated() where !even[strata.keys[place].kind] {
        let (first, second) = (own[pair.first][row], own[pair.second][row])
        guard min(first, second) > 0 else { continue }
        // The places beside one genre among the items of the stratum, and how many of these an item has left.
        let labels = strata.keys[place].value
        let places = (strata.whole[place].items * labels - max(first, second)) / (labels - 1)
        draws.append(
          (strata.keys[place].kind, .init(items: max(places, first, second), first: first, second: second)))
      }
      let expected = draws.reduce(0) { $0 + $1.draw.mean }
      guard Double(together) > expected else { return nil }
      let names = [tree.names[pair.first], tree.names[pair.second]].sorted()
      return GenreReport.Pair(
        genre: names[0], other: names[1], together: together, expected: expected,
        chance: Statistics.dividedTail(Statistics.together(together, draws.map(\.draw)), by: divisor(draws, makers)))
    }.sorted { ($1.surplus, $0.genre, $0.other) < ($0.surplus, $1.genre, $1.other) }
  }

  /// Whether the items of a kind have no more varied numbers of genres than if each genre came by itself. Then two that
  /// make an item richer are a pair; else one source has more labels than another, and items with as many are compared.
  private func hasEvenLabels(_ kind: Int) -> Bool {
    guard let place = kinds.keys.firstIndex(of: kind), kinds.whole[place].items > 0 else { return false }
    let items = Double(kinds.whole[place].items)
    let labels = strata.keys.indices.filter { strata.keys[$0].kind == kind }.map {
      (count: Double(strata.keys[$0].value), part: Double(strata.whole[$0].items) / items)
    }
    let mean = labels.reduce(0) { $0 + $1.count * $1.part }
    let variance = labels.reduce(0) { $0 + ($1.count - mean) * ($1.count - mean) * $1.part }
    let byThemselves = (0..<tree.count).reduce(0.0) { sum, genre in
      let share = Double(kinds[genre][place].own) / items
      return sum + share * (1 - share)
    }
    return variance <= byThemselves + 1e-9
  }

  /// The number of items that count as one for a pair: the mean of its kinds, weighted by variance.
  private func divisor(_ draws: [(kind: Int, draw: Statistics.Draw)], _ makers: GenreMakers) -> Double {
    let whole = draws.reduce(0) { $0 + $1.draw.variance }
    guard whole > 0 else { return 1 }
    return draws.reduce(0) { sum, draw in
      let effect = max(runs.kinds[draw.kind].effect, makers.kinds[draw.kind], 1)
      return sum + draw.draw.variance / whole * (1 + GenreRuns.margin * (effect - 1))
    }
  }

  // MARK: Years

  /// - Parameter years: the items of each year, with and without genres.
  private func addYears(to report: inout GenreReport, _ years: [Int], _ profiles: BranchProfiles) {
    var before: Int?
    var itemsBefore = profiles.items(in: 0)
    for (year, items) in years.enumerated() where year > 0 && items > 0 {
      let classified = profiles.items(in: year)
      var row = GenreReport.Year(
        year: year, items: items, itemsWithGenre: classified, comparedWith: before, hasEnoughItems: false, moved: [])
      if itemsBefore >= GenreReport.leastBeforeNew {
        row.newGenres = totals.indices.filter { totals[$0].firstYear == year }.map { tree.names[$0] }.sorted()
      }
      if let before, classified > 0 {
        // Each kind is compared with itself.
        let kinds = Kind.shelved.indices.compactMap { kind in
          profiles[kind, before].flatMap { then in profiles[kind, year].map { (kind, then, $0) } }
        }
        if !kinds.isEmpty { addDrift(to: &row, kinds, profiles) }
      }
      report.years.append(row)
      itemsBefore += classified
      if classified > 0 { before = year }
    }
  }

  /// - Parameter kinds: the items of the year before and of the year, for each kind that both have.
  private func addDrift(
    to year: inout GenreReport.Year, _ kinds: [(kind: Int, before: [Int: Int], now: [Int: Int])],
    _ profiles: BranchProfiles
  ) {
    // The branches that either year has are numbered from 0.
    let met = Set(kinds.flatMap { Array($0.before.keys) + Array($0.now.keys) })
    let branches = Set(met.flatMap { profiles.parts[$0].map(\.branch) }).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(branches, 0...))
    var (drift, test) = (DriftTest(), DriftTest())
    for (kind, before, now) in kinds {
      var stratum = DriftStratum(branches: branches.count)
      stratum.divisor = runs.divisor(ofKind: kind)
      for profile in Set(before.keys).union(now.keys).sorted() {
        stratum.add(
          profiles.parts[profile].map { (numbers[$0.branch] ?? 0, $0.share) }, first: before[profile] ?? 0,
          second: now[profile] ?? 0)
      }
      drift.kinds.append(stratum)
      if runs.kinds[kind].tellsTime { test.kinds.append(stratum) }
    }
    year.drift = drift.drift
    year.hasEnoughItems = min(drift.first, drift.second) >= GenreReport.leastToCompare
    if min(test.first, test.second) >= GenreReport.leastToCompare { year.chance = test.chance }
    year.moved = zip(branches, drift.branches).filter { $1.part > 0 }.map {
      .init(genre: tree.names[$0], before: $1.first, weight: $1.second, part: $1.part)
    }.sorted { ($1.part, $0.genre) < ($0.part, $1.genre) }
  }

  // MARK: Branches

  /// The weights that the items of one kind, or of all kinds, give to the branches.
  private struct BranchSums {
    /// In ``ItemShare`` units.
    var sums: [Int]
    /// Items with a genre in the branch.
    var carriers: [Int]
    /// Items with a genre.
    var items = 0

    var weights: [Double] { sums.map { Double($0) / (Double(ItemShare.unit) * Double(items)) } }

    init(_ counts: [[Int: Int]], _ profiles: BranchProfiles, branches: Int) {
      sums = Array(repeating: 0, count: branches)
      carriers = sums
      for (profile, count) in counts.joined() {
        items += count
        for part in profiles.parts[profile] {
          sums[part.branch] += part.share * count
          carriers[part.branch] += count
        }
      }
    }
  }

  /// Diversity, and how alike the kinds are.
  private func addBranches(to report: inout GenreReport, _ all: [GenreCounts], _ profiles: BranchProfiles) {
    addDiversity(to: &report, BranchSums(profiles.all, profiles, branches: tree.count))
    var kinds: [(kind: Kind, branches: BranchSums)] = []
    for (place, kind) in Kind.shelved.enumerated() where all[place].items > 0 {
      let branches = BranchSums(profiles.of(kind: place), profiles, branches: tree.count)
      report.kinds.append(.init(kind: kind, items: all[place].items, itemsWithGenre: branches.items))
      if branches.items > 0 { kinds.append((kind, branches)) }
    }
    kinds.sort { $0.kind.rawValue < $1.kind.rawValue }
    for (place, one) in kinds.enumerated() {
      for other in kinds[(place + 1)...] {
        let (similarity, shared) = similarity(one.branches, other.branches)
        report.kindPairs.append(
          .init(
            kind: one.kind, other: other.kind, similarity: similarity,
            hasEnoughItems: min(one.branches.items, other.branches.items) >= GenreReport.leastToCompare,
            shared: shared))
      }
    }
  }

  private func similarity(_ one: BranchSums, _ other: BranchSums) -> (Double, [GenreReport.KindPair.Shared]) {
    let (weights, others) = (one.weights, other.weights)
    let length = sqrt(weights.reduce(0) { $0 + $1 * $1 } * others.reduce(0) { $0 + $1 * $1 })
    let shared = weights.indices.compactMap { branch -> GenreReport.KindPair.Shared? in
      // One or two items of a kind may be there by a label that means something else.
      guard min(one.carriers[branch], other.carriers[branch]) >= GenreReport.leastTogether else { return nil }
      let (a, b) = (weights[branch], others[branch])
      return .init(genre: tree.names[branch], weight: a, otherWeight: b, contribution: a * b / length)
    }.sorted { ($1.contribution, $0.genre) < ($0.contribution, $1.genre) }
    return (min(1, shared.reduce(0) { $0 + $1.contribution }), shared)
  }

  private func addDiversity(to report: inout GenreReport, _ all: BranchSums) {
    guard classified >= GenreReport.leastForDiversity else { return }
    let n = Double(classified)
    let branches = zip(all.weights, all.carriers).filter { $0.0 > 0 }
    // The share that is seen but once tells how much has not been seen.
    let once = branches.reduce(0) { $1.1 == 1 ? $0 + $1.0 : $0 }
    let coverage = max(1 - once, 1 / n)
    let entropy = branches.reduce(0) { sum, branch in
      let (weight, presence) = (coverage * branch.0, coverage * Double(branch.1) / n)
      return sum - weight * log(weight) / (1 - pow(1 - presence, n))
    }
    report.effectiveBranches = min(exp(entropy), Double(Set(tree.branches).count))
    report.giniSimpson = max(0, 1 - branches.reduce(0) { $0 + $1.0 * $1.0 })
  }
}

/// The profiles of the items by kind and year, numbered in an order that does not depend on that of the items.
private struct BranchProfiles {
  /// The parts of ``ItemShare/unit`` that each profile gives to its branches, each branch once.
  let parts: [[(branch: Int, share: Int)]]
  private let counts: [GenreStratum: [Int: Int]]

  init(_ tally: GenreTally) {
    let order = Set(tally.profiles.keys.map(\.branches)).sorted { $0.lexicographicallyPrecedes($1) }
    let numbers = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    counts = tally.profiles.reduce(into: [:]) { counts, profile in
      let stratum = GenreStratum(kind: profile.key.kind, value: profile.key.year)
      counts[stratum, default: [:]][numbers[profile.key.branches] ?? 0] = profile.value
    }
    parts = order.map { branches in
      let share = ItemShare.of(branches.count)
      return branches.reduce(into: []) { parts, branch in
        if let last = parts.indices.last, parts[last].branch == branch {
          parts[last].share += share
        } else {
          parts.append((branch, share))
        }
      }
    }
  }

  /// The number of items of a kind and year with each profile; nil without such items.
  subscript(kind: Int, year: Int) -> [Int: Int]? { counts[GenreStratum(kind: kind, value: year)] }

  var all: [[Int: Int]] { Array(counts.values) }
  func of(kind: Int) -> [[Int: Int]] { counts.filter { $0.key.kind == kind }.map(\.value) }
  func items(in year: Int) -> Int {
    counts.filter { $0.key.value == year }.reduce(0) { $0 + $1.value.values.reduce(0, +) }
  }
}
