public import CatalogModel
public import FoundationEssentials
internal import Glibc
internal import SQLite

/// The genres of a selection of items. docs/genres.md says what each number means, and the view `genre_share` holds the
/// same numbers for the whole catalog.
public struct GenreReport: Sendable, Hashable {
  public struct Genre: Sendable, Hashable {
    public var name: String
    /// The names of the genres above it, the root first.
    public var ancestors: [String] = []
    /// Items that have it or a genre below it, each counted once.
    public var items = 0
    /// Items that have it itself.
    public var ownItems = 0
    /// `items` ÷ the items with any genre.
    public var share = 0.0
    /// An item's weight of 1 is split evenly among its own genres: Σ 1 ÷ how many it has, ÷ the items with any genre.
    public var weight = 0.0
    /// Items with a rating.
    public var rated = 0
    /// 0 … 100.
    public var meanRating: Double?
    /// The mean drawn towards the mean of the selection, as if ``GenreReport/priorRatings`` more had given just that.
    public var shrunkRating: Double?
    /// Items that are favorites, or rated 80 or more.
    public var loved = 0
    /// How many times as often as elsewhere its items are loved; nil below ``GenreReport/leastForAffinity`` items.
    public var affinity: Double?
    /// Share of the items added in the last 365 days − share before, in percentage points. Nil when one of them is empty.
    public var momentum: Double?
    /// A root such as Music or Fiction, most of whose items have only a genre below it. It is never the top genre.
    public var isHeading: Bool { ancestors.isEmpty && ownItems * 2 < items }
  }

  /// C of the shrunk rating.
  public static let priorRatings = 5
  public static let leastForAffinity = 5
  public static let lovedFrom = 80
  public static let recentDays = 365

  /// Items in the selection.
  public var items = 0
  public var itemsWithGenre = 0
  public var rated = 0
  /// Of the whole selection, 0 … 100.
  public var meanRating: Double?
  public var loved = 0
  /// Items with a genre that were added in the last 365 days.
  public var recentItems = 0
  /// Most items first; of equals the higher weight, then the name. Only those that have items.
  public var genres: [Genre] = []

  public var itemsWithoutGenre: Int { items - itemsWithGenre }

  /// The genre with most items that is no heading.
  public var top: Genre? { genres.first { !$0.isHeading } }

  /// e to the Shannon entropy of the weights: so many genres of equal weight would be as diverse. Nil without genres.
  public var effectiveGenres: Double? {
    guard !genres.isEmpty else { return nil }
    return exp(-genres.reduce(0) { $1.weight > 0 ? $0 + $1.weight * log($1.weight) : $0 })
  }

  /// The chance that two genres drawn by weight differ: 1 − Σ w². Nil without genres.
  public var giniSimpson: Double? {
    genres.isEmpty ? nil : max(0, 1 - genres.reduce(0) { $0 + $1.weight * $1.weight })
  }
}

extension Store {
  /// The genre with most items that is no heading; ties go to the higher weight, then to the name. Nil without genres.
  public func topGenre() throws -> (name: String, items: Int)? {
    var tally = GenreTally(tree: try genreTree(), facts: .init())
    try count(into: &tally, "SELECT item_id, genre_id FROM item_genre ORDER BY item_id")
    return tally.report(items: tally.classified).top.map { ($0.name, $0.items) }
  }

  /// Analyses the genres of the items that `query` selects.
  /// - Parameter now: what the last 365 days are counted back from.
  public func genreReport(_ query: Query = Query(), now: Date) throws -> GenreReport {
    let since = Timestamp(now.addingTimeInterval(-86_400 * Double(GenreReport.recentDays))).rawValue
    var facts = GenreTally.Facts()
    var items = 0
    // The newest card comes last, and wins.
    try db.forEach("SELECT item_id, rating FROM card WHERE rating IS NOT NULL ORDER BY item_id, created_at, id") {
      facts.ratings.set($0.integer(0), to: Int($0.integer(1)))
      return true
    }
    let favorites = try ids("SELECT item_id FROM favorite ORDER BY item_id")
    let condition = try condition(query)
    if query.terms.isEmpty {
      items = try db.value("SELECT count(*) FROM item") ?? 0
      facts.recent = AscendingIDs(try ids("SELECT id FROM item WHERE created_at >= \(since) ORDER BY id"))
    } else {
      var selected = AscendingIDs()
      try db.forEach("SELECT id, created_at >= \(since) FROM item WHERE \(condition) ORDER BY id") {
        selected.append($0.integer(0))
        if $0.integer(1) == 1 { facts.recent.append($0.integer(0)) }
        return true
      }
      items = selected.count
      facts.ratings.keep(only: selected)
      facts.selected = selected
    }
    facts.setLoved(favorites: favorites)
    var tally = GenreTally(tree: try genreTree(), facts: facts)
    // A few items are looked up one by one; for many, one scan of everything is faster.
    if let selected = facts.selected,
      selected.count * 8 < (try db.value("SELECT count(*) FROM item", as: Int.self) ?? 0)
    {
      try count(
        into: &tally,
        """
        SELECT item_id, genre_id FROM item_genre WHERE item_id IN (SELECT id FROM item WHERE \(condition))
        ORDER BY item_id
        """)
    } else {
      try count(into: &tally, "SELECT item_id, genre_id FROM item_genre ORDER BY item_id")
    }
    return tally.report(items: items)
  }

  /// - Parameter sql: selects item and genre, sorted by item.
  private func count(into tally: inout GenreTally, _ sql: SQL) throws {
    var item: Int64?
    try db.forEach(sql) { row in
      let id = row.integer(0)
      if id != item {
        if let item { tally.endItem(item) }
        item = id
      }
      tally.add(genre: row.integer(1))
      return true
    }
    if let item { tally.endItem(item) }
  }

  private func ids(_ sql: SQL) throws -> [Int64] {
    var ids: [Int64] = []
    try db.forEach(sql) {
      ids.append($0.integer(0))
      return true
    }
    return ids
  }

  private func genreTree() throws -> GenreTree {
    var tree = GenreTree()
    try db.forEach("SELECT id, name, parent_id FROM genre ORDER BY id") {
      tree.add($0.integer(0), $0.text(1), parent: $0.isNull(2) ? nil : $0.integer(2))
      return true
    }
    tree.complete()
    return tree
  }
}

/// The genres, numbered from 0.
private struct GenreTree {
  private(set) var names: [String] = []
  private var ids: [Int64] = []
  private var parentIDs: [Int64?] = []
  /// The number of the genre above each, −1 for a root.
  private(set) var parents: [Int] = []
  private var numbers: [Int64: Int] = [:]
  /// The numbers of small ids, −1 where there is no genre: looking one up is an array access.
  private var small: [Int32] = []

  mutating func add(_ id: Int64, _ name: String, parent: Int64?) {
    numbers[id] = ids.count
    ids.append(id)
    names.append(name)
    parentIDs.append(parent)
  }

  /// Call it once all are added, in the order of their ids.
  mutating func complete() {
    let isSmall = ids.first.map { $0 >= 0 } ?? false && ids.last.map { $0 < 65_536 } ?? false
    small = [Int32](repeating: -1, count: isSmall ? Int(ids.last ?? -1) + 1 : 0)
    parents = parentIDs.map { id in id.flatMap { numbers[$0] } ?? -1 }
    for (number, id) in ids.enumerated() {
      if isSmall { small[Int(id)] = Int32(number) }
      // The file forbids circles; one that got in nevertheless is cut here.
      var (above, steps) = (parents[number], 0)
      while above >= 0, steps <= ids.count { (above, steps) = (parents[above], steps + 1) }
      if above >= 0 { parents[number] = -1 }
    }
  }

  func number(of id: Int64) -> Int? {
    guard !small.isEmpty else { return numbers[id] }
    guard id >= 0, id < small.count, case let number = small[Int(id)], number >= 0 else { return nil }
    return Int(number)
  }

  /// The names above a genre, the root first.
  func ancestors(of number: Int) -> [String] {
    var names: [String] = []
    var above = parents[number]
    while above >= 0 {
      names.append(self.names[above])
      above = parents[above]
    }
    return names.reversed()
  }
}

/// Ids in ascending order, asked for in ascending order.
private struct AscendingIDs {
  private var ids: [Int64] = []
  /// Everything before it is smaller than what was asked for last.
  private var position = 0

  init(_ ids: [Int64] = []) { self.ids = ids }

  var count: Int { ids.count }

  mutating func append(_ id: Int64) { ids.append(id) }

  mutating func contains(_ id: Int64) -> Bool { index(of: id) != nil }

  mutating func index(of id: Int64) -> Int? {
    while position < ids.count, ids[position] < id { position += 1 }
    return position < ids.count && ids[position] == id ? position : nil
  }
}

/// The items' ratings, set and asked for by ascending id.
private struct AscendingRatings {
  private(set) var ids: [Int64] = []
  private(set) var values: [Int] = []
  private var order = AscendingIDs()

  mutating func set(_ id: Int64, to value: Int) {
    if ids.last == id {
      values[values.count - 1] = value
    } else {
      ids.append(id)
      values.append(value)
    }
  }

  mutating func keep(only selected: AscendingIDs) {
    var selected = selected
    let kept = ids.indices.filter { selected.contains(ids[$0]) }
    (ids, values) = (kept.map { ids[$0] }, kept.map { values[$0] })
  }

  /// Call it once all are set.
  mutating func prepare() { order = AscendingIDs(ids) }

  mutating func value(of id: Int64) -> Int? { order.index(of: id).map { values[$0] } }
}

/// Counts items that come in ascending order. All counts are whole numbers, so their order changes nothing.
private struct GenreTally {
  /// What is known of items beside their genres.
  struct Facts {
    /// Nil for all items.
    var selected: AscendingIDs?
    var ratings = AscendingRatings()
    var loved = AscendingIDs()
    var recent = AscendingIDs()

    /// The favorites among the selected, and what is rated highly. Call it when the ratings are known.
    mutating func setLoved(favorites: [Int64]) {
      var selection = selected
      let chosen = favorites.filter { selection?.contains($0) ?? true }
      let liked = zip(ratings.ids, ratings.values).lazy.filter { $1 >= GenreReport.lovedFrom }.map(\.0)
      loved = AscendingIDs(Set(chosen).union(liked).sorted())
      ratings.prepare()
    }
  }

  private let tree: GenreTree
  private var facts: Facts
  private var genres: [Int] = []
  /// What is counted of one genre and those below it.
  private struct Counts {
    var items = 0
    var rated = 0
    var ratings = 0
    var loved = 0
    var recent = 0
    /// The item counted last, as its place among all that have genres.
    var lastItem = 0
  }
  private var counts: [Counts]
  /// Items that have the genre itself, by how many genres they have: a row of all genres for one, for two, …
  private var own: [Int] = []
  /// Items with any genre.
  private(set) var classified = 0
  private var recentClassified = 0

  init(tree: GenreTree, facts: Facts) {
    (self.tree, self.facts) = (tree, facts)
    counts = Array(repeating: Counts(), count: tree.names.count)
  }

  /// A genre of the item that ``endItem(_:)`` will name.
  mutating func add(genre id: Int64) {
    if let number = tree.number(of: id) { genres.append(number) }
  }

  mutating func endItem(_ id: Int64) {
    defer { genres.removeAll(keepingCapacity: true) }
    guard facts.selected?.contains(id) ?? true, !genres.isEmpty else { return }
    classified += 1
    let rating = facts.ratings.value(of: id)
    let isLoved = facts.loved.contains(id)
    let isRecent = facts.recent.contains(id)
    if isRecent { recentClassified += 1 }
    let row = (genres.count - 1) * counts.count
    if own.count < row + counts.count {
      own.append(contentsOf: repeatElement(0, count: row + counts.count - own.count))
    }
    for genre in genres {
      own[row + genre] += 1
      var number = genre
      // Whoever is above a genre that was counted for this item was counted too.
      while number >= 0, counts[number].lastItem != classified {
        Self.count(&counts[number], item: classified, rating, isLoved: isLoved, isRecent: isRecent)
        number = tree.parents[number]
      }
    }
  }

  @inline(__always)
  private static func count(_ counts: inout Counts, item: Int, _ rating: Int?, isLoved: Bool, isRecent: Bool) {
    counts.lastItem = item
    counts.items += 1
    if let rating {
      counts.rated += 1
      counts.ratings += rating
    }
    if isLoved { counts.loved += 1 }
    if isRecent { counts.recent += 1 }
  }

  func report(items count: Int) -> GenreReport {
    var report = GenreReport()
    report.items = count
    report.itemsWithGenre = classified
    report.recentItems = recentClassified
    report.rated = facts.ratings.values.count
    report.loved = facts.loved.count
    let mean = Self.ratio(facts.ratings.values.reduce(0, +), report.rated)
    report.meanRating = mean
    let sizes = counts.isEmpty ? 0 : own.count / counts.count
    report.genres = counts.indices.filter { counts[$0].items > 0 }.map { number in
      let counted = counts[number]
      var genre = GenreReport.Genre(name: tree.names[number])
      genre.ancestors = tree.ancestors(of: number)
      genre.items = counted.items
      genre.share = Self.ratio(counted.items, classified) ?? 0
      for size in 0..<sizes {
        let items = own[size * counts.count + number]
        genre.ownItems += items
        genre.weight += Double(items) / Double(size + 1)
      }
      genre.weight /= Double(max(1, classified))
      genre.rated = counted.rated
      genre.meanRating = Self.ratio(counted.ratings, counted.rated)
      if let mean, counted.rated > 0 {
        let prior = Double(GenreReport.priorRatings)
        genre.shrunkRating = (prior * mean + Double(counted.ratings)) / (prior + Double(counted.rated))
      }
      genre.loved = counted.loved
      if genre.items >= GenreReport.leastForAffinity, let overall = Self.ratio(report.loved, count), overall > 0 {
        genre.affinity = (Self.ratio(counted.loved, counted.items) ?? 0) / overall
      }
      if let now = Self.ratio(counted.recent, recentClassified),
        let before = Self.ratio(counted.items - counted.recent, classified - recentClassified)
      {
        genre.momentum = (now - before) * 100
      }
      return genre
    }
    .sorted { ($1.items, $1.weight, $0.name) < ($0.items, $0.weight, $1.name) }
    return report
  }

  /// Nil instead of a division by zero.
  private static func ratio(_ part: Int, _ whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}
