internal import CatalogModel
public import FoundationEssentials
internal import Glibc
internal import SQLite

extension Store {
  /// The genre with most items that is no heading; ties go to the higher weight, then to the name. Nil without genres.
  public func topGenre() throws -> (name: String, items: Int)? {
    let tree = try GenreTree(db)
    var tally = GenreTally(tree)
    var (selection, scope) = try genreScope(nil, Query())
    try forEachItem(of: selection, tree) { id, genres in
      if let place = scope.members.place(of: id), scope.members[place].date >= 0 { tally.count(ItemFacts(), genres) }
    }
    return tally.top()
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
    let since = today?.later(days: -GenreReport.recentDays)
    let recent = since.map(GenreScope.date) ?? .max
    let tree = try GenreTree(db)
    var tally = GenreTally(tree, oneLabel: try genresOfOneLabel(tree))
    var findings = FindingTally(tree, today: today.map { GenreScope.dayNumber(GenreScope.date($0)) } ?? 0)
    let (selection, scope) = try genreScope(population, query)
    var facts = scope.members.map { member in
      var facts = ItemFacts()
      guard member.date >= 0 else { return facts }
      facts.kind = member.kind
      facts.slot = tally.slot(Int(member.kind), year: GenreScope.year(member.date))
      if GenreScope.isDay(member.date) {
        facts.isRecent = member.date >= recent
        facts.day = GenreScope.dayNumber(member.date)
      }
      (facts.publicRating, facts.isSeen) = (member.publicRating, member.isFinished)
      return facts
    }
    try forEachRating(of: selection) { id, rating in
      if let place = facts.place(of: id), facts[place].slot > 0 { facts[place].rating = Int8(clamping: rating) }
    }
    try db.forEach("SELECT item_id FROM favorite\(selection.narrow) ORDER BY item_id") {
      if let place = facts.place(of: $0.integer(0)) { facts[place].isFavorite = true }
      return true
    }
    try forEachItem(of: selection, tree) { id, genres in
      if let place = facts.place(of: id), facts[place].slot > 0 {
        tally.count(facts[place], genres)
        findings.count(facts[place], genres)
      }
    }
    let comparisons = findings.comparisons(stories: try stories(&facts))
    var (report, families) = tally.report(facts.all, trends: comparisons.trends)
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
    report.findings = findings.findings(of: comparisons, rates: rates)
    if !report.findings.isEmpty { report.yearAgo = since }
    return report
  }

  /// Each two genres that one label stands for, such as `Action & Adventure`.
  private func genresOfOneLabel(_ tree: GenreTree) throws -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    try db.forEach(
      """
      SELECT DISTINCT a.genre_id, b.genre_id FROM genre_label_target AS a
      JOIN genre_label_target AS b ON b.label_id = a.label_id AND b.genre_id > a.genre_id
      """
    ) { row in
      if let a = tree.number(of: row.integer(0)), let b = tree.number(of: row.integer(1)) { pairs.append((a, b)) }
      return true
    }
    return pairs
  }

  /// Counts the genres of the items that `query` selects, in each decade, year added, kind, creator or rating.
  /// - Parameter population: which items; nil for what a person lives with.
  public func genreMatrix(
    _ query: Query = Query(), of population: GenrePopulation? = nil, by dimension: GenreMatrix.Dimension
  ) throws -> GenreMatrix {
    var matrix = GenreMatrix(dimension)
    let tree = try GenreTree(db)
    var (selection, scope) = try genreScope(population, query)
    matrix.items = scope.items
    var (places, sets) = try buckets(&selection, scope, in: &matrix)
    var kinds = scope.kinds
    try count(selection, tree, in: &places, &kinds, sets: sets, of: &matrix)
    return matrix
  }

  /// Counts the genres of selected items in buckets of one's own.
  /// - Parameters:
  ///   - places: the number of the set of buckets that each item belongs to.
  ///   - sets: the buckets of each set, numbered from 0.
  func genreMatrix(
    of selection: Selection, in places: ItemTable<Int32>, sets: [[Int]], buckets: Int
  ) throws -> GenreMatrix {
    var matrix = GenreMatrix(.yearAdded)
    matrix.buckets = (0..<buckets).map { .init(value: .number($0), items: 0) }
    let tree = try GenreTree(db)
    var places = places
    var kinds = try kinds(of: selection)
    try count(selection, tree, in: &places, &kinds, sets: sets, of: &matrix)
    return matrix
  }

  private func count(
    _ selection: Selection, _ tree: GenreTree, in places: inout ItemTable<Int32>, _ kinds: inout ItemTable<Int32>,
    sets: [[Int]], of matrix: inout GenreMatrix
  ) throws {
    var tally = GenreMatrixTally(tree, buckets: matrix.buckets.count, sets: sets)
    try forEachItem(of: selection, tree) { id, genres in
      guard let place = places.place(of: id), let kind = kinds.place(of: id).map({ Int(kinds[$0]) }), kind >= 0 else {
        return
      }
      tally.count(places[place], kind: kind, genres)
    }
    tally.complete(&matrix)
  }

  /// The places of the kinds among ``Kind/shelved``.
  private func kinds(of selection: Selection) throws -> ItemTable<Int32> {
    var selection = selection
    return try table(&selection, columns: "kind", each: Int32(truncatingIfNeeded: Kind.shelved.count)) { row in
      Int32(clamping: row.withText(1, Self.kindNumber) ?? Kind.shelved.count)
    }
  }

  // MARK: Buckets

  /// Finds the buckets of a matrix.
  /// - Returns: for each item which of the sets it belongs to, −1 for none; and the buckets of each set.
  private func buckets(
    _ selection: inout Selection, _ scope: GenreScope, in matrix: inout GenreMatrix
  ) throws -> (places: ItemTable<Int32>, sets: [[Int]]) {
    // Years, from 3000 BC on, and ratings are numbered as they are; what no item has is left out afterwards.
    var places: ItemTable<Int32>
    let value: (Int) -> GenreMatrix.Bucket.Value
    switch matrix.dimension {
    case .creator: return try creators(selection, scope, in: &matrix)
    case .decade:
      let first = ReleaseYear.range.lowerBound
      places = try table(&selection, columns: "year", known: "year IS NOT NULL", each: -1) { row in
        // No year is 0.
        row.integer(1, in: ReleaseYear.range).map { $0 == 0 ? -1 : Int32(clamping: ($0 - first) / 10) } ?? -1
      }
      value = { .number($0 * 10 + first) }
    case .yearAdded:
      places = scope.members.map { $0.date > 0 ? Int32(clamping: GenreScope.year($0.date)) : -1 }
      value = GenreMatrix.Bucket.Value.number
    case .kind:
      places = scope.kinds
      value = { .kind(Kind.shelved[$0]) }
    case .rating:
      places = try table(&selection, columns: "NULL", each: -1) { _ in -1 }
      try forEachRating(of: selection) { id, rating in
        // The nearest half star.
        if let place = places.place(of: id) { places[place] = Int32(clamping: (rating + 5) / 10) }
      }
      value = { .number($0 * 10) }
    }
    for place in 0..<places.count where scope.members[place].date < 0 { places[place] = -1 }
    var counts: [Int] = []
    for number in places.all where number >= 0 {
      if number >= counts.count { counts.append(contentsOf: repeatElement(0, count: Int(number) + 1 - counts.count)) }
      counts[Int(number)] += 1
    }
    var sets: [[Int]] = []
    for (number, count) in counts.enumerated() {
      sets.append(count > 0 ? [matrix.buckets.count] : [])
      if count > 0 { matrix.buckets.append(.init(value: value(number), items: count)) }
    }
    matrix.itemsWithoutBucket = matrix.items - counts.reduce(0, +)
    return (places, sets)
  }

  /// The creators with most items. All spellings of a name are one's.
  private func creators(
    _ selection: Selection, _ scope: GenreScope, in matrix: inout GenreMatrix
  ) throws -> (places: ItemTable<Int32>, sets: [[Int]]) {
    let kinds = scope.kinds
    var people = try PeopleByName(db)
    let items = try mainCredits(of: selection, kinds, &people)
    var counts = Array(repeating: 0, count: people.count)
    for group in items.groups { counts[Int(group)] += 1 }
    // The most frequent ones, of equals the first by name.
    let top = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$1], $0) < (counts[$0], $1) }
      .prefix(GenreMatrix.mostCreators)
    let buckets = Dictionary(uniqueKeysWithValues: zip(top, 0...))
    for number in top { matrix.buckets.append(.init(value: .name(people.name(number)), items: counts[number])) }
    matrix.otherCreators = counts.count { $0 > 0 } - top.count
    // Items of the same of them share a set.
    var places = kinds
    for place in 0..<places.count { places[place] = -1 }
    var numbers: [[Int]: Int32] = [:]
    var sets: [[Int]] = []
    var credited = 0
    items.forEach { id, groups in
      credited += 1
      let set = groups.compactMap { buckets[Int($0)] }.sorted()
      guard !set.isEmpty else { return matrix.itemsOfOthers += 1 }
      let number = numbers[set] ?? Int32(clamping: sets.count)
      if numbers.updateValue(number, forKey: set) == nil { sets.append(set) }
      if let place = places.place(of: id) { places[place] = number }
    }
    matrix.itemsWithoutBucket = matrix.items - credited
    return (places, sets)
  }

  /// The numbers of those who made each item, each once an item.
  private func mainCredits(
    of selection: Selection, _ kinds: ItemTable<Int32>, _ people: inout PeopleByName
  ) throws -> Credits {
    var kinds = kinds
    var credits = Credits()
    let roles = Kind.shelved.map { Array(Credit.Role(main: $0).rawValue.utf8) }
    try db.forEach("SELECT item_id, person_id, role FROM credit\(selection.narrow) ORDER BY item_id") { row in
      let id = row.integer(0)
      guard let place = kinds.place(of: id), case let kind = kinds[place], kind >= 0,
        row.withText(2, { $0.elementsEqual(roles[Int(kind)]) }), let number = people.number(of: row.integer(1))
      else { return true }
      credits.add(id, Int32(clamping: number))
      return true
    }
    return credits
  }

  /// Groups of people by item, items in the order in which they were added.
  private struct Credits {
    private var ids: [Int64] = []
    private(set) var groups: [Int32] = []
    private var start = 0

    mutating func add(_ id: Int64, _ group: Int32) {
      if ids.last != id { start = groups.count }
      guard !groups[start...].contains(group) else { return }
      ids.append(id)
      groups.append(group)
    }

    func forEach(_ body: (Int64, ArraySlice<Int32>) -> Void) {
      var start = 0
      for place in ids.indices where place + 1 == ids.count || ids[place + 1] != ids[place] {
        body(ids[place], groups[start...place])
        start = place + 1
      }
    }
  }

  // MARK: Reading

  /// The items that a query selects.
  struct Selection {
    /// Nil for all items.
    let condition: SQL?
    var items = 0
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
  /// - Parameters:
  ///   - known: a condition without which `fact` gives `blank`; it may be left to an index.
  ///   - fact: given a row of the id and the columns.
  func table<Fact>(
    _ selection: inout Selection, columns: SQL, known: SQL? = nil, each blank: Fact, _ fact: (Cursor) throws -> Fact
  ) throws -> ItemTable<Fact> {
    let count = try db.value("SELECT count(*) FROM item", as: Int.self) ?? 0
    if selection.condition == nil, count > 0, let first = try db.value("SELECT min(id) FROM item", as: Int64.self),
      let last = try db.value("SELECT max(id) FROM item", as: Int64.self),
      var table = ItemTable(first...max(first, last), items: count, each: blank)
    {
      selection.items = count
      try db.forEach("SELECT id, \(columns) FROM item\(known.map { " WHERE \($0)" as SQL } ?? "")") { row in
        if let place = table.place(of: row.integer(0)) { table[place] = try fact(row) }
        return true
      }
      return table
    }
    var table = ItemTable<Fact>()
    try db.forEach("SELECT id, \(columns) FROM item WHERE \(selection.condition ?? "true") ORDER BY id") { row in
      table.append(row.integer(0), try fact(row))
      return true
    }
    selection.items = table.count
    if let condition = selection.condition, table.count * 8 < count {
      selection.narrow = " WHERE item_id IN (SELECT id FROM item WHERE \(condition))"
    }
    return table
  }

  /// Calls `body` with the ratings of the selected items, 0 to 100, and perhaps of others, the newest of an item last.
  func forEachRating(of selection: Selection, _ body: (Int64, Int) -> Void) throws {
    let narrow: SQL = selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow
    var (items, hasSeveral) = (Set<Int64>(), false)
    try db.forEach("SELECT item_id, rating FROM card\(narrow) AND rating IS NOT NULL") {
      if let rating = $0.integer(1, in: Rating.range) { body($0.integer(0), rating) }
      if !items.insert($0.integer(0)).inserted { hasSeveral = true }
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
      if let rating = $0.integer(1, in: Rating.range) { body($0.integer(0), rating) }
      return true
    }
  }

  /// Calls `body` with the genres, as the tree numbers them, of each selected item that has any, and perhaps of others.
  private func forEachItem(
    of selection: Selection, _ tree: GenreTree, _ body: (Int64, UnsafeBufferPointer<Int>) -> Void
  ) throws {
    // No item has a genre twice.
    try withUnsafeTemporaryAllocation(of: Int.self, capacity: max(1, tree.count)) { genres in
      var (item, count): (Int64, Int) = (0, 0)
      try db.forEach("SELECT item_id, genre_id FROM item_genre\(selection.narrow) ORDER BY item_id") { row in
        let id = row.integer(0)
        if id != item {
          if count > 0 { body(item, UnsafeBufferPointer(rebasing: genres[..<count])) }
          (item, count) = (id, 0)
        }
        if let number = tree.number(of: row.integer(1)), count < genres.count {
          genres[count] = number
          count += 1
        }
        return true
      }
      if count > 0 { body(item, UnsafeBufferPointer(rebasing: genres[..<count])) }
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
