internal import CatalogModel
internal import SQLite

/// Counts of items by a common property: the year, the creator, the label. docs/reports.md defines each number.
public struct TallyReport<Heading: Hashable & Sendable>: Sendable, Hashable {
  public struct Row: Sendable, Hashable {
    public var heading: Heading
    public var tally: Tally
  }

  /// The selected items that can have the property: for record labels, the records.
  public var whole = Tally()
  public var rows: [Row] = []
  /// The number of items without a year, creator or label. They count in ``whole`` only.
  public var without = 0
}

extension TallyReport<Int> {
  /// The median year of the items with a year: the first year that includes at least half of them. Nil without years.
  public var median: Int? {
    var rest = (whole.items - without + 1) / 2
    return rows.first { row in
      rest -= row.tally.items
      return rest <= 0
    }?.heading
  }
}

extension Store {
  /// The meaning of a year in a report.
  public enum YearKind: Sendable {
    /// The year of release.
    case release
    /// The year of addition.
    case addition
  }

  /// Counts all selected items.
  public func tally(_ query: Query = Query()) throws -> Tally {
    var tally = Tally()
    for item in try figures(query).figures.all { tally.count(item) }
    return tally
  }

  /// Counts the selected items by year, in order.
  public func tallyYears(_ query: Query = Query(), of kind: YearKind = .release) throws -> TallyReport<Int> {
    try tally(query) { item in
      let year = kind == .release ? item.year : item.added
      return year == 0 ? nil : Int(year)
    }
  }

  /// Counts the selected items by decade of release, in order.
  ///
  /// A decade is given by its first year: 1950, or −10 for the years 10 to 1 BC.
  public func tallyDecades(_ query: Query = Query()) throws -> TallyReport<Int> {
    try tally(query) { $0.year == 0 ? nil : Int(($0.year - ($0.year % 10 + 10) % 10)) }
  }

  /// Counts the selected items by director, author or artist. An item counts for each of its creators. All
  /// spellings of a name are one person's; the first selected item has the one that is shown.
  public func tallyCreators(_ query: Query = Query()) throws -> TallyReport<String> {
    let (selection, figures) = try figures(query)
    return try tallyCreators(selection, figures)
  }

  /// Counts only those items of a selection that have a kind in `figures`.
  func tallyCreators(_ selection: Selection, _ figures: ItemTable<ItemFigures>) throws -> TallyReport<String> {
    var people = try PeopleByName(db)
    var counter = NameCounter(figures, names: people.count)
    try forEachMaker(of: selection, &people) { id, kind, number in counter.count(id, kind, under: number) }
    return counter.report(people.name) { $0 < $1 }
  }

  /// Calls `body` with each credit of a director, author or artist, those of an item together: the item, the kind that
  /// has such makers, and the number of the name.
  func forEachMaker(
    of selection: Selection, _ people: inout PeopleByName, _ body: (Int64, Kind, Int) -> Void
  ) throws {
    try forEachMaker(of: selection) { id, kind, person in
      if let number = people.number(of: person) { body(id, kind, number) }
    }
  }

  /// Calls `body` with each item, the kind whose makers have the role of a credit, and the person, in the order of the
  /// credits of each item.
  func forEachMaker(of selection: Selection, _ body: (Int64, Kind, Int64) -> Void) throws {
    let roles = Kind.shelved.map { (kind: $0, name: Array(Credit.Role(main: $0).rawValue.utf8)) }
    try db.forEach("SELECT item_id, person_id, role FROM credit\(selection.narrow) ORDER BY item_id, position") { row in
      // Most credits are of the cast, so their length rules them out fast.
      let role = row.withText(2) { text in
        roles.first { $0.name.count == text.count && $0.name.elementsEqual(text) }
      }
      if let role { body(row.integer(0), role.kind, row.integer(1)) }
      return true
    }
  }

  /// Counts the selected records by label. A record with two labels counts for both. The case of ASCII letters is
  /// ignored.
  public func tallyLabels(_ query: Query = Query()) throws -> TallyReport<String> {
    var others: [Int64: [String]] = [:]
    try db.forEach(
      """
      SELECT credit.item_id, trim(person.name) FROM vinyl CROSS JOIN credit ON credit.item_id = vinyl.item_id
      JOIN person ON person.id = credit.person_id WHERE credit.role = \(Credit.Role.label.rawValue)
      """
    ) { row in
      others[row.integer(0), default: []].append(row.text(1))
      return true
    }
    return try tally(query, .vinyl, by: "label", and: others)
  }

  /// Counts the selected books by publisher. The case of ASCII letters is ignored.
  public func tallyPublishers(_ query: Query = Query()) throws -> TallyReport<String> {
    try tally(query, .book, by: "publisher")
  }

  /// - Parameter heading: returns a year, or nil for an item without one.
  private func tally(_ query: Query, by heading: (ItemFigures) -> Int?) throws -> TallyReport<Int> {
    var report = TallyReport<Int>()
    var tallies: [Int: Tally] = [:]
    for item in try figures(query).figures.all where item.kind != nil {
      report.whole.count(item)
      if let heading = heading(item) {
        tallies[heading, default: Tally()].count(item)
      } else {
        report.without += 1
      }
    }
    report.rows = tallies.sorted { $0.key < $1.key }.map { .init(heading: $0.key, tally: $0.value) }
    return report
  }

  /// - Parameters:
  ///   - column: a column in the table of `kind`.
  ///   - others: further names by item.
  private func tally(
    _ query: Query, _ kind: Kind, by column: SQL, and others: [Int64: [String]] = [:]
  ) throws -> TallyReport<String> {
    var query = query
    query.require(.kind(kind))
    let (selection, figures) = try figures(query)
    var counter = NameCounter(figures)
    var names: [String] = []
    var numbers: [String: Int] = [:]
    let table: SQL = "\(identifier: kind.rawValue)"
    try db.forEach("SELECT item_id, trim(\(column)) FROM \(table)\(selection.narrow) ORDER BY item_id") { row in
      let id = row.integer(0)
      // The spelling is that of the first selected item.
      guard counter.isSelected(id) else { return true }
      func count(_ name: String) {
        guard !name.isEmpty else { return }
        if let number = numbers[name] {
          counter.count(id, kind, under: number)
        } else {
          let key = String(decoding: name.utf8.map(Self.lowercased), as: UTF8.self)
          let number = numbers[key] ?? names.count
          if number == names.count { names.append(name) }
          (numbers[key], numbers[name]) = (number, number)
          counter.count(id, kind, under: number)
        }
      }
      count(row.text(1))
      for name in others[id] ?? [] { count(name) }
      return true
    }
    return counter.report({ names[$0] }) { names[$0] < names[$1] }
  }

  /// Lowercases ASCII letters, like SQLite's NOCASE.
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Reads the values that reports count for each selected item, in four scans at most.
  func figures(_ query: Query) throws -> (selection: Selection, figures: ItemTable<ItemFigures>) {
    var selection = try Selection(query, of: self, leavesWishesOut: true)
    var figures = try table(&selection, columns: "kind, year, created_at") { row in
      var item = ItemFigures()
      item.kind = row.withText(1, Self.kindNumber).map { Kind.shelved[$0] }
      item.year = Int16(truncatingIfNeeded: row.integer(2))
      item.added = row.withText(3) { localTime.date(of: $0).map { Int16(clamping: $0.year) } ?? 0 }
      return item
    }
    try forEachRating(of: selection) { id, rating in
      guard let place = figures.place(of: id) else { return false }
      defer { figures[place].rating = Int8(clamping: rating) }
      return figures[place].rating >= 0
    }
    try db.forEach("SELECT item_id, pages, price, currency FROM book\(selection.narrow) ORDER BY item_id") { row in
      guard let place = figures.place(of: row.integer(0)) else { return true }
      figures[place].length = Int(row.integer(1))
      if !row.isNull(2) {
        figures[place].price = Int(row.integer(2))
        figures[place].currency = row.withText(3, Currency.init)
      }
      return true
    }
    try db.forEach("SELECT item_id, minutes FROM movie\(selection.narrow) ORDER BY item_id") { row in
      if let place = figures.place(of: row.integer(0)) { figures[place].length = Int(row.integer(1)) }
      return true
    }
    return (selection, figures)
  }
}

/// Counts items under numbered names. Items come in ascending order, each as often as it has names.
private struct NameCounter {
  private let figures: ItemTable<ItemFigures>
  private var tallies: [Tally]
  /// The last counted item, and the names under which it was counted.
  private var item: Int64?
  private var counted: [Int] = []
  /// The number of items with a name.
  private var items = 0

  init(_ figures: ItemTable<ItemFigures>, names: Int = 0) {
    self.figures = figures
    tallies = Array(repeating: Tally(), count: names)
  }

  func isSelected(_ id: Int64) -> Bool { figures.place(of: id).map { figures[$0].kind != nil } ?? false }

  /// Counts an item of `kind` under a name, once. New numbers follow the last one.
  mutating func count(_ id: Int64, _ kind: Kind, under number: Int) {
    guard let place = figures.place(of: id), figures[place].kind == kind else { return }
    if id != item {
      items += 1
      item = id
      counted.removeAll(keepingCapacity: true)
    }
    guard !counted.contains(number) else { return }
    counted.append(number)
    if number == tallies.count { tallies.append(Tally()) }
    tallies[number].count(figures[place])
  }

  /// Returns the names, those with most items first, then by name.
  func report(_ name: (Int) -> String, _ isBefore: (Int, Int) -> Bool) -> TallyReport<String> {
    var report = TallyReport<String>()
    for item in figures.all { report.whole.count(item) }
    report.without = report.whole.items - items
    let numbers = tallies.indices.filter { tallies[$0].items > 0 }.sorted { a, b in
      let (first, second) = (tallies[a].items, tallies[b].items)
      return first == second ? isBefore(a, b) : first > second
    }
    report.rows = numbers.map { .init(heading: name($0), tally: tallies[$0]) }
    return report
  }
}
