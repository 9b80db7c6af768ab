public import CatalogModel
internal import SQLite

/// Items counted by what they have in common: the year, the creator, the label. docs/reports.md says what each number
/// means.
public struct TallyReport<Heading: Hashable & Sendable>: Sendable, Hashable {
  public struct Row: Sendable, Hashable {
    public var heading: Heading
    public var tally: Tally
  }

  /// The items of the selection that can have such a heading: for record labels, the records.
  public var whole = Tally()
  public var rows: [Row] = []
  /// Items without a year, a creator, a label. They are in ``whole`` and in no row.
  public var without = 0
}

extension TallyReport<Int> {
  /// The first year up to which at least half of the items go, of those that have a year. Nil without any.
  public var median: Int? {
    var rest = (whole.items - without + 1) / 2
    return rows.first { row in
      rest -= row.tally.items
      return rest <= 0
    }?.heading
  }
}

extension Store {
  /// What a year of a report is the year of.
  public enum YearKind: Sendable {
    /// The item came out.
    case release
    /// It was added, in UTC.
    case addition
  }

  /// All that the query selects.
  public func tally(_ query: Query = Query()) throws -> Tally {
    var tally = Tally()
    for item in try figures(query).figures.all { tally.count(item) }
    return tally
  }

  /// The selected items by year, in order.
  public func tallyYears(_ query: Query = Query(), of kind: YearKind = .release) throws -> TallyReport<Int> {
    try tally(query) { item in
      let year = kind == .release ? item.year : item.added
      return year == 0 ? nil : Int(year)
    }
  }

  /// The selected items by the decade in which they came out, in order.
  ///
  /// A decade goes by its first year: 1950, and −10 for the years 10 to 1 BC.
  public func tallyDecades(_ query: Query = Query()) throws -> TallyReport<Int> {
    try tally(query) { $0.year == 0 ? nil : Int(($0.year - ($0.year % 10 + 10) % 10)) }
  }

  /// The selected items by director, author or artist. An item of two counts for both; people of one name are one.
  public func tallyCreators(_ query: Query = Query()) throws -> TallyReport<String> {
    let (selection, figures) = try figures(query)
    var counter = NameCounter(figures, ignoresCase: false)
    var numbers: [Int64: Int32] = [:]
    try db.forEach("SELECT id, name FROM person ORDER BY id") { row in
      numbers[row.integer(0)] = Int32(counter.number(of: row.text(1)))
      return true
    }
    let roles = Kind.shelved.map { (kind: $0, name: Array(Credit.Role(main: $0).rawValue.utf8)) }
    try db.forEach("SELECT item_id, person_id, role FROM credit\(selection.narrow) ORDER BY item_id") { row in
      guard let number = numbers[row.integer(1)] else { return true }
      counter.count(row.integer(0), under: Int(number)) { kind in
        row.withText(2) { role in roles.contains { $0.kind == kind && $0.name.elementsEqual(role) } }
      }
      return true
    }
    return counter.report
  }

  /// The selected records by label. Small and capital letters of English are not told apart.
  public func tallyLabels(_ query: Query = Query()) throws -> TallyReport<String> {
    try tally(query, .vinyl, by: "label")
  }

  /// The selected books by publisher. Small and capital letters of English are not told apart.
  public func tallyPublishers(_ query: Query = Query()) throws -> TallyReport<String> {
    try tally(query, .book, by: "publisher")
  }

  /// - Parameter heading: a year, or nil for an item without one.
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

  /// - Parameter column: of the table of `kind`, named like it.
  private func tally(_ query: Query, _ kind: Kind, by column: SQL) throws -> TallyReport<String> {
    var query = query
    query.terms.append(Query.Term(.kind(kind)))
    let (selection, figures) = try figures(query)
    var counter = NameCounter(figures, ignoresCase: true)
    let table: SQL = "\(identifier: kind.rawValue)"
    try db.forEach("SELECT item_id, trim(\(column)) FROM \(table)\(selection.narrow) ORDER BY item_id") { row in
      // A name is written as on the first item that is selected.
      guard counter.isSelected(row.integer(0)), case let name = row.text(1), !name.isEmpty else { return true }
      counter.count(row.integer(0), under: counter.number(of: name)) { _ in true }
      return true
    }
    return counter.report
  }

  /// What reports count of each selected item, in four scans at most.
  func figures(_ query: Query) throws -> (selection: Selection, figures: ItemTable<ItemFigures>) {
    var selection = try Selection(query, of: self)
    var figures = try table(&selection, columns: "kind, year, created_at", each: ItemFigures()) { row in
      var item = ItemFigures()
      item.kind = row.withText(1, Self.kindNumber).map { Kind.shelved[$0] }
      item.year = Int16(truncatingIfNeeded: row.integer(2))
      item.added = row.withText(3) { $0.count >= 4 ? Int16(truncatingIfNeeded: Self.year($0)) : 0 }
      return item
    }
    try forEachRating(of: selection) { id, rating in
      if let place = figures.place(of: id) { figures[place].rating = Int8(clamping: rating) }
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

/// Counts items under names. Items come in ascending order, each as often as it has names.
private struct NameCounter {
  private var figures: ItemTable<ItemFigures>
  private let ignoresCase: Bool
  /// As they were first met.
  private var names: [String] = []
  private var numbers: [String: Int] = [:]
  private var tallies: [Tally] = []
  /// The item counted last, and the names that it was counted under.
  private var last: (item: Int64?, names: [Int]) = (nil, [])
  /// Items with a name.
  private var items = 0

  init(_ figures: ItemTable<ItemFigures>, ignoresCase: Bool) {
    (self.figures, self.ignoresCase) = (figures, ignoresCase)
  }

  mutating func isSelected(_ id: Int64) -> Bool { figures.place(of: id).map { figures[$0].kind != nil } ?? false }

  /// The number of a name, the same for the same name.
  mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    let key = ignoresCase ? String(decoding: name.utf8.map(Self.lowercased), as: UTF8.self) : name
    let number = numbers[key] ?? names.count
    if number == names.count {
      names.append(name)
      tallies.append(Tally())
      numbers[key] = number
    }
    numbers[name] = number
    return number
  }

  /// Counts an item under a name, once.
  mutating func count(_ id: Int64, under number: Int, where isMeant: (Kind) -> Bool) {
    guard let place = figures.place(of: id), let kind = figures[place].kind, isMeant(kind) else { return }
    if id != last.item {
      items += 1
      last = (id, [])
    }
    guard !last.names.contains(number) else { return }
    last.names.append(number)
    tallies[number].count(figures[place])
  }

  /// Names with most items first, of equals the first by name.
  var report: TallyReport<String> {
    var report = TallyReport<String>()
    for item in figures.all { report.whole.count(item) }
    report.without = report.whole.items - items
    report.rows = zip(names, tallies).lazy.filter { $1.items > 0 }.map { .init(heading: $0, tally: $1) }
      .sorted { ($1.tally.items, $0.heading) < ($0.tally.items, $1.heading) }
    return report
  }

  /// As SQLite's NOCASE sees a letter.
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
