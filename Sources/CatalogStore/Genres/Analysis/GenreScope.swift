public import CatalogModel
internal import SQLite

/// The items that a report of genres is about: `--of`.
public enum GenrePopulation: String, CaseIterable, Sendable {
  /// Finished entries of the diary, by the day of the last one.
  case watched
  /// Items with a copy, by the day on which it was acquired or, without one, the item was added.
  case owned
  /// Rated items, by the day of the rating.
  case rated
  /// All items but those that are only wished for, by the day on which they were added.
  case all
}

extension GenreReport {
  /// The items of one kind in a report, and what dates them.
  public struct Part: Sendable, Hashable {
    /// The reason for which an item is in the report, which also dates it.
    public enum Basis: String, Sendable {
      case finished, owned, rated, added
    }

    public var kind: Kind
    public var basis: Basis
    public var items: Int
    /// The items with a year.
    public var dated: Int
    /// The first year; nil without dated items.
    public var since: Int?
  }
}

/// The items of a report, each once, with the date by which it is in there. The view `taste` is the same in SQL.
struct GenreScope {
  /// A date as a number, year × 10 000 + month × 100 + day, of which month and day may be 0; 0 for an unknown date, and
  /// −1 for an item that is not in the report.
  typealias Date = Int32

  struct Member {
    /// The place of its kind among ``Kind/shelved``.
    var kind: UInt8
    var date: Date
    var publicRating: Int8 = -1
    var isFinished = false
    /// Whether it is only wished for, and counts only if a query asks for wishes.
    var isMereWish = false
  }

  /// A day on which so many items of a kind came was made by an import, or by an evening of sorting: it dates nothing.
  static let crowd: UInt8 = 100

  /// The share of a kind's items that the diary must have, for the diary to be what the kind is looked at by: 1 ÷ 4.
  static let leastOfDiary = 4

  var members: ItemTable<Member>
  /// The basis of each of ``Kind/shelved``.
  var bases: [GenreReport.Part.Basis]

  /// The place of each item's kind; −1 for an item that is not in the report.
  var kinds: ItemTable<Int32> { members.map { $0.date >= 0 ? Int32(truncatingIfNeeded: $0.kind) : -1 } }

  var items: Int { members.all.reduce(0) { $0 + ($1.date >= 0 ? 1 : 0) } }

  /// The number of a date in a text: `2026-11-21`, `2026-11` or `2026`, and perhaps more behind it.
  static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date {
    guard text.count >= 4 else { return 0 }
    func number(_ places: Range<Int>) -> Int32 {
      text.count >= places.upperBound ? places.reduce(0) { $0 * 10 + Int32(truncatingIfNeeded: text[$1] & 15) } : 0
    }
    let (year, month) = (number(0..<4), number(5..<7))
    return year * 10_000 + month * 100 + (month > 0 ? number(8..<10) : 0)
  }

  static func date(_ date: PartialDate) -> Date {
    Date(clamping: date.year * 10_000 + (date.month ?? 0) * 100 + (date.day ?? 0))
  }

  /// Whether a date has a day.
  static func isDay(_ date: Date) -> Bool { date > 0 && date % 100 > 0 }

  static func year(_ date: Date) -> Int { Int(date) / 10_000 }

  /// The day counted from 1970-01-01.
  static func dayNumber(_ date: Date) -> Int32 {
    let number = PartialDate.dayNumber(year: Int(date) / 10_000, month: Int(date) / 100 % 100, day: Int(date) % 100)
    return Int32(clamping: number)
  }

  var parts: [GenreReport.Part] {
    Kind.shelved.indices.compactMap { kind in
      var part = GenreReport.Part(kind: Kind.shelved[kind], basis: bases[kind], items: 0, dated: 0, since: nil)
      for member in members.all where member.date >= 0 && Int(member.kind) == kind {
        part.items += 1
        guard member.date > 0 else { continue }
        part.dated += 1
        part.since = min(part.since ?? .max, Self.year(member.date))
      }
      return part.items > 0 ? part : nil
    }
  }
}

extension Store {
  /// The items of a report.
  /// - Parameter population: nil for what a person lives with: of each kind, what the diary has finished if that is a
  ///   quarter of the items or more, else all on the shelf.
  func genreScope(_ population: GenrePopulation?, _ query: Query) throws -> (Selection, GenreScope) {
    // Which kinds, days and editions count depends on the whole catalog, and not on what a query selects of it.
    var selection = Selection.everything
    var scope = try members(population, &selection)
    let crowds = Crowds(scope.members)
    if population != .owned {
      for id in try otherEditions(in: &scope) {
        if let place = scope.members.place(of: id) { scope.members[place].date = -1 }
      }
    }
    let countsWishes = query.asksForWishes
    for place in 0..<scope.members.count {
      let member = scope.members[place]
      if member.isMereWish, !countsWishes {
        scope.members[place].date = -1
      } else if crowds.contain(member) {
        scope.members[place].date = 0
      }
    }
    guard !query.isEverything else { return (selection, scope) }
    selection = try Selection(query, of: self)
    var all = scope.members
    scope.members = try table(&selection, columns: "kind", each: GenreScope.outside) { row in
      all.place(of: row.integer(0)).map { all[$0] } ?? GenreScope.outside
    }
    if let days = QueryCompiler.daysSeen(query.condition) { try date(&scope, byEntries: days) }
    return (selection, scope)
  }

  /// Dates what the diary tells of by the last entry that a query asks for.
  private func date(_ scope: inout GenreScope, byEntries days: SQL) throws {
    try db.forEach(
      """
      SELECT item_id, max(ended_on) FROM event WHERE outcome = 'done' AND ended_on IS NOT NULL AND \(days)
      GROUP BY item_id ORDER BY item_id
      """
    ) { row in
      if let place = scope.members.place(of: row.integer(0)), case let member = scope.members[place], member.date > 0,
        case let kind = Int(member.kind), scope.bases.indices.contains(kind), scope.bases[kind] == .finished
      {
        scope.members[place].date = row.withText(1, GenreScope.date)
      }
      return true
    }
  }

  /// All members of a report and their dates, before crowded days, other editions and mere wishes are left out.
  private func members(_ population: GenrePopulation?, _ everything: inout Selection) throws -> GenreScope {
    // Imported items have the time of the import, unless the file had another one.
    let imports = Set(try db.values("SELECT at FROM import_time", as: String.self).map { Array($0.utf8) })
    let usesAddition = population == nil || population == .all || population == .owned
    var members = try table(&everything, columns: "kind, created_at, public_rating", each: GenreScope.outside) { row in
      guard let kind = row.withText(1, Self.kindNumber) else { return GenreScope.outside }
      var member = GenreScope.Member(kind: UInt8(clamping: kind), date: -1)
      if usesAddition {
        member.date = row.withText(2) { text in
          if !imports.isEmpty, imports.contains(Array(text)) { return 0 }
          return localTime.date(of: text).map(GenreScope.date) ?? GenreScope.date(text)
        }
      }
      if let rating = row.rounded(3, in: Rating.range) { member.publicRating = Int8(clamping: rating) }
      return member
    }
    for id in try idsOfMereWishes().map(\.rawValue).sorted() {
      if let place = members.place(of: id) { members[place].isMereWish = true }
    }
    var finished = members.map { _ in GenreScope.Date(-1) }
    try db.forEach("SELECT item_id, ifnull(ended_on, '') FROM event WHERE outcome = 'done'") { row in
      if let place = finished.place(of: row.integer(0)) {
        finished[place] = max(finished[place], row.withText(1, GenreScope.date))
      }
      return true
    }
    for place in 0..<members.count where finished[place] >= 0 { members[place].isFinished = true }
    let lived: Set<Int> =
      switch population {
      case nil: GenreScope.livedKinds(members)
      case .watched: Set(Kind.shelved.indices)
      case .owned, .rated, .all: []
      }
    if !lived.isEmpty {
      for place in 0..<members.count where lived.contains(Int(members[place].kind)) {
        members[place].date = finished[place]
      }
    }
    switch population {
    case .owned: try readCopies(into: &members)
    case .rated:
      try db.forEach(
        """
        SELECT item.id, ifnull(\(Self.cardDay), '') FROM item JOIN card ON card.id = \(Self.ratedCard(of: "item.id"))
        """
      ) { row in
        if let place = members.place(of: row.integer(0)), members[place].kind < Kind.shelved.count {
          members[place].date = row.withText(1, GenreScope.date)
        }
        return true
      }
    case nil, .watched, .all: break
    }
    let bases = Kind.shelved.indices.map { kind -> GenreReport.Part.Basis in
      switch population {
      case .watched: .finished
      case .owned: .owned
      case .rated: .rated
      case .all: .added
      case nil: lived.contains(kind) ? .finished : .added
      }
    }
    return GenreScope(members: members, bases: bases)
  }

  /// Leaves out what has no copy, and dates the others by when the first copy came.
  private func readCopies(into members: inout ItemTable<GenreScope.Member>) throws {
    var owned = members.map { _ in GenreScope.Date(-1) }
    try db.forEach("SELECT item_id, ifnull(min(acquired_on), '') FROM copy GROUP BY item_id ORDER BY item_id") { row in
      if let place = owned.place(of: row.integer(0)) { owned[place] = row.withText(1, GenreScope.date) }
      return true
    }
    for place in 0..<members.count {
      if owned[place] != 0 { members[place].date = owned[place] }
    }
  }

  /// Returns all editions but one of each work. The one that was finished, else rated, else came first stands for all.
  private func otherEditions(in scope: inout GenreScope) throws -> Set<Int64> {
    var works: [Int64: [(id: Int64, isRated: Bool, created: String)]] = [:]
    try db.forEach(
      """
      SELECT edition.work_id, item.id, EXISTS (SELECT 1 FROM card WHERE card.item_id = item.id AND rating IS NOT NULL),
        item.created_at
      FROM (SELECT work_id, item_id FROM edition_of UNION SELECT work_id, work_id FROM edition_of) AS edition
        JOIN item ON item.id = edition.item_id
      ORDER BY item.id
      """
    ) { row in
      works[row.integer(0), default: []].append((row.integer(1), row.integer(2) != 0, row.text(3)))
      return true
    }
    var others: Set<Int64> = []
    for editions in works.values {
      let members = editions.compactMap { edition -> (id: Int64, rank: (Int, Int, String, Int64))? in
        guard let place = scope.members.place(of: edition.id), scope.members[place].date >= 0,
          !scope.members[place].isMereWish
        else { return nil }
        let rank = (scope.members[place].isFinished ? 0 : 1, edition.isRated ? 0 : 1, edition.created, edition.id)
        return (edition.id, rank)
      }.sorted { $0.rank < $1.rank }
      others.formUnion(members.dropFirst().map(\.id))
    }
    return others
  }
}

extension GenreScope {
  /// An item of no known kind.
  fileprivate static let outside = Member(kind: UInt8(truncatingIfNeeded: Kind.shelved.count), date: -1)

  /// The places of the kinds among ``Kind/shelved`` that the diary tells of, as the view `lived_kind` has them.
  fileprivate static func livedKinds(_ members: ItemTable<Member>) -> Set<Int> {
    var counts = Array(repeating: (items: 0, finished: 0), count: Kind.shelved.count + 1)
    for member in members.all where !member.isMereWish {
      counts[Int(member.kind)].items += 1
      if member.isFinished { counts[Int(member.kind)].finished += 1 }
    }
    return Set(
      Kind.shelved.indices.filter {
        counts[$0].finished > 0 && counts[$0].finished * leastOfDiary >= counts[$0].items
      })
  }
}

/// The number of items of each kind on each day. Those of a crowded day have no date.
private struct Crowds {
  /// Counts up to ``GenreScope/crowd`` for each day of the kinds in each year that has any, 32 days a month: small,
  /// since a hostile file can have items of every year.
  private var counts: [UInt8] = []
  /// The place of each year's counts; −1 without any.
  private var years = [Int32](repeating: -1, count: 10_000)
  private static let daysOfYear = 13 * 32
  private static let size = Kind.shelved.count * daysOfYear

  init(_ members: ItemTable<GenreScope.Member>) {
    for member in members.all where GenreScope.isDay(member.date) && !member.isMereWish {
      let year = GenreScope.year(member.date)
      guard years.indices.contains(year) else { continue }
      if years[year] < 0 {
        years[year] = Int32(clamping: counts.count)
        counts.append(contentsOf: repeatElement(0, count: Self.size))
      }
      if let place = place(of: member), counts[place] < GenreScope.crowd { counts[place] += 1 }
    }
  }

  func contain(_ member: GenreScope.Member) -> Bool {
    GenreScope.isDay(member.date) && place(of: member).map { counts[$0] >= GenreScope.crowd } ?? false
  }

  @inline(__always)
  private func place(of member: GenreScope.Member) -> Int? {
    let (year, month, day) = (Int(member.date) / 10_000, Int(member.date) / 100 % 100, Int(member.date) % 100)
    guard years.indices.contains(year), years[year] >= 0, member.kind < Kind.shelved.count, month <= 12, day < 32 else {
      return nil
    }
    return Int(years[year]) + Int(member.kind) * Self.daysOfYear + month * 32 + day
  }
}
