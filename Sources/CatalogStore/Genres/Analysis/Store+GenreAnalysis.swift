internal import CatalogModel
public import FoundationEssentials
internal import SQLite

extension Store {
  /// The genre with most items that is no heading; ties go to the higher weight, then to the name. Nil without genres.
  public func topGenre() throws -> (name: String, items: Int)? {
    var walk = GenreWalk(try GenreTree(db))
    let (selection, scope) = try genreScope(nil, Query())
    try forEachItem(of: selection, walk.tree) { id, genres in
      if let place = scope.members.place(of: id), scope.members[place].isIn { walk.next(genres) }
    }
    return walk.ranked.first { !walk.tree.isHeading($0) }.map { (walk.tree.names[$0], walk.counts[$0]) }
  }

  /// Analyses the genres of the items that `query` selects.
  /// - Parameters:
  ///   - population: which of them, and by which dates; nil for what a person lives with.
  ///   - now: what the last 365 days are counted back from.
  ///   - keepsTests: whether the report has all its tests.
  public func genreReport(
    _ query: Query = Query(), of population: GenrePopulation? = nil, now: Date, keepsTests: Bool = false
  ) throws -> GenreReport {
    let today = localTime.date(of: Timestamp(now))
    let tree = try GenreTree(db)
    var (selection, scope) = try genreScope(population, query)
    try forEachRating(of: selection) { id, rating in
      guard let place = scope.members.place(of: id) else { return false }
      defer { scope.members[place].rating = Int8(clamping: rating) }
      return scope.members[place].rating != nil
    }
    try db.forEach("SELECT item_id FROM favorite\(selection.narrow)") {
      if let place = scope.members.place(of: $0.integer(0)) { scope.members[place].isFavorite = true }
      return true
    }
    try readMakers(of: selection, into: &scope)
    var tally = GenreTally(
      tree,
      today: today.map {
        PartialDate.dayNumber(year: $0.year, month: $0.month ?? 1, day: $0.day ?? 1)
      } ?? 0)
    try forEachItem(of: selection, tree) { id, genres in
      if let place = scope.members.place(of: id), scope.members[place].isIn {
        tally.count(scope.members[place], genres)
      }
    }
    let statistics = GenreStatistics(tally)
    let comparisons = statistics.comparisons(stories: try stories(scope.members))
    var report = statistics.report(
      scope.members.all, oneLabel: try genresOfOneLabel(tree), trends: comparisons.trends)
    let families = GenreReport.Families(report)
    let rates = FalseAlarms(comparisons.all + families.all).rates
    if keepsTests {
      report.tests =
        comparisons.families.joined().map {
          .init(family: $0.claim.name, name: $0.genre >= 0 ? tree.names[$0.genre] : "", p: $0.p)
        }
        + report.genres.compactMap { genre in
          genre.affinityChance.map { .init(family: "favorites", name: genre.name, p: $0) }
        } + report.pairs.map { .init(family: "pairs", name: "\($0.genre) + \($0.other)", p: $0.chance) }
        + report.years.compactMap { year in year.chance.map { .init(family: "drift", name: "\(year.year)", p: $0) } }
    }
    report.population = population
    report.parts = scope.parts
    report.mark(families, rates: rates.suffix(GenreReport.Families.count), trendRate: rates[0])
    report.findings = statistics.findings(of: comparisons, rates: rates)
    report.runs = statistics.runs.report
    if !report.findings.isEmpty { report.yearAgo = today?.later(days: -GenreReport.recentDays) }
    return report
  }

  /// Reads who is named first as the maker of each item.
  func readMakers(of selection: Selection, into scope: inout GenreScope) throws {
    try forEachMaker(of: selection) { id, kind, person in
      guard let place = scope.members.place(of: id), scope.members[place].maker == 0,
        Int(scope.members[place].kind) == Kind.shelved.firstIndex(of: kind)
      else { return }
      scope.members[place].maker = Int32(truncatingIfNeeded: person)
    }
  }

  /// Each two genres that one label stands for, such as `Action & Adventure`.
  private func genresOfOneLabel(_ tree: GenreTree) throws -> [GenrePair] {
    var pairs: [GenrePair] = []
    try db.forEach(
      """
      SELECT DISTINCT a.genre_id, b.genre_id FROM genre_label_target AS a
      JOIN genre_label_target AS b ON b.label_id = a.label_id AND b.genre_id > a.genre_id
      """
    ) { row in
      if let a = tree.number(of: row.integer(0)), let b = tree.number(of: row.integer(1)) {
        pairs.append(GenrePair(a, b))
      }
      return true
    }
    return pairs
  }

  /// Calls `body` with the genres, as the tree numbers them, of each selected item that has any, and perhaps of others.
  func forEachItem(of selection: Selection, _ tree: GenreTree, _ body: (Int64, [Int]) -> Void) throws {
    var item: (id: Int64, genres: [Int]) = (0, [])
    try db.forEach("SELECT item_id, genre_id FROM item_genre\(selection.narrow) ORDER BY item_id") { row in
      if row.integer(0) != item.id {
        if !item.genres.isEmpty { body(item.id, item.genres) }
        item.id = row.integer(0)
        item.genres.removeAll(keepingCapacity: true)
      }
      // No item has a genre twice.
      if let number = tree.number(of: row.integer(1)) { item.genres.append(number) }
      return true
    }
    if !item.genres.isEmpty { body(item.id, item.genres) }
  }
}

// MARK: - Reading selected items

extension Store {
  /// The items that a query selects.
  struct Selection {
    /// Nil for all items.
    let condition: SQL?
    /// ` WHERE item_id IN …` where items are few: they are looked up one by one. For many, one scan of all is faster.
    var narrow: SQL = ""

    static let everything = Selection(condition: nil)

    private init(condition: SQL?) { self.condition = condition }

    /// - Parameter leavesWishesOut: whether what is only wished for is left out, unless the query asks for wishes.
    init(_ query: Query, of store: Store, leavesWishesOut: Bool = false) throws {
      let selected = query.isEverything ? nil : try store.condition(query)
      guard leavesWishesOut, !query.asksForWishes, try store.hasMereWishes() else {
        condition = selected
        return
      }
      condition = selected.map { "(\($0)) AND \(Store.isNoMereWish)" } ?? Store.isNoMereWish
    }
  }

  /// Reads something of every selected item.
  /// - Parameter value: given a row of the id and the columns.
  func table<Value>(
    _ selection: inout Selection, columns: SQL, _ value: (Cursor) throws -> Value
  ) throws -> ItemTable<Value> {
    var table = ItemTable<Value>()
    try db.forEach("SELECT id, \(columns) FROM item WHERE \(selection.condition ?? "true") ORDER BY id") { row in
      table.append(row.integer(0), try value(row))
      return true
    }
    if let condition = selection.condition,
      table.count * 8 < (try db.value("SELECT count(*) FROM item", as: Int.self) ?? 0)
    {
      selection.narrow = " WHERE item_id IN (SELECT id FROM item WHERE \(condition))"
    }
    return table
  }

  /// Calls `body` with the ratings of the selected items, 0 to 100, and perhaps of others, the newest of an item last.
  /// - Parameter body: returns whether the item had a rating before.
  func forEachRating(of selection: Selection, _ body: (Int64, Int) -> Bool) throws {
    let narrow: SQL = selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow
    var hasSeveral = false
    try db.forEach("SELECT item_id, rating FROM card\(narrow) AND rating IS NOT NULL") {
      if let rating = $0.integer(1, in: Rating.range), body($0.integer(0), rating) { hasSeveral = true }
      return true
    }
    guard hasSeveral else { return }
    // Few items have several ratings; of these, the last viewing counts, whenever its card was written.
    try db.forEach(
      """
      SELECT item_id, rating FROM card\(narrow) AND rating IS NOT NULL
        AND item_id IN (SELECT item_id FROM card WHERE rating IS NOT NULL GROUP BY item_id HAVING count(*) > 1)
      ORDER BY item_id, \(Self.newestCardLast)
      """
    ) {
      if let rating = $0.integer(1, in: Rating.range) { _ = body($0.integer(0), rating) }
      return true
    }
  }

  /// The place of a kind among those that have shelves, by its name.
  static func kindNumber(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    switch text.first {
    case UInt8(ascii: "m"): 0
    case UInt8(ascii: "b"): 1
    case UInt8(ascii: "v"): 2
    default: nil
    }
  }

  /// The year that a date of at least four characters begins with.
  static func year(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    (0..<4).reduce(0) { $0 * 10 + Int(text[$1] & 15) }
  }
}
