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
    /// The place of its kind among ``Kind/shelved``; the one behind them is unknown, and never in the report.
    var kind = UInt8(truncatingIfNeeded: Kind.shelved.count)
    var date: Date = -1
    /// 0 … 100.
    var rating: Int8?
    var publicRating: Int8?
    var isFavorite = false
    /// Whether it was watched, read or played.
    var isFinished = false
    /// Whether it is only wished for, and counts only if a query asks for wishes.
    var isMereWish = false
    /// The person named first as its director, author or artist; 0 for none.
    var maker: Int32 = 0

    var isIn: Bool { date >= 0 }
    /// 0 for an unknown one.
    var year: Int { Int(max(0, date)) / 10_000 }
    var hasDay: Bool { date > 0 && date % 100 > 0 }
    /// The day counted from 1970-01-01; nil without one.
    var day: Int? {
      hasDay ? PartialDate.dayNumber(year: year, month: Int(date) / 100 % 100, day: Int(date) % 100) : nil
    }
    var isJudged: Bool { isFavorite || rating != nil }
    var isLoved: Bool { isFavorite || (rating ?? 0) >= GenreReport.lovedFrom }
    var isWaiting: Bool { rating == nil && !isFinished }
  }

  /// A day on which so many items of a kind came was made by an import, or by an evening of sorting: it dates nothing.
  static let crowd = 100

  /// The share of a kind's items that the diary must have, for the diary to be what the kind is looked at by: 1 ÷ 4.
  static let leastOfDiary = 4

  var members: ItemTable<Member>
  /// The basis of each of ``Kind/shelved``.
  var bases: [GenreReport.Part.Basis]

  var items: Int { members.all.count(where: \.isIn) }

  /// The number of a date in a text: `2026-11-21`, `2026-11` or `2026`, and perhaps more behind it.
  static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date {
    guard text.count >= 4 else { return 0 }
    func number(_ places: Range<Int>) -> Int32 {
      text.count >= places.upperBound ? places.reduce(0) { $0 * 10 + Int32(truncatingIfNeeded: text[$1] & 15) } : 0
    }
    let (year, month) = (number(0..<4), number(5..<7))
    return year * 10_000 + month * 100 + (month > 0 ? number(8..<10) : 0)
  }

  /// The digits of a stored time as one number: 20 261 121 093 000.
  static func moment(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    text.reduce(0) { (48...57).contains($1) ? $0 &* 10 &+ Int($1 & 15) : $0 }
  }

  static func date(_ date: PartialDate) -> Date {
    Date(clamping: date.year * 10_000 + (date.month ?? 0) * 100 + (date.day ?? 0))
  }

  var parts: [GenreReport.Part] {
    Kind.shelved.indices.compactMap { kind in
      var part = GenreReport.Part(kind: Kind.shelved[kind], basis: bases[kind], items: 0, dated: 0, since: nil)
      for member in members.all where member.isIn && Int(member.kind) == kind {
        part.items += 1
        guard member.date > 0 else { continue }
        part.dated += 1
        part.since = min(part.since ?? .max, member.year)
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
    var scope = try members(population)
    var crowds: [Int: Int] = [:]
    func crowd(_ member: GenreScope.Member) -> Int { Int(member.kind) * 100_000_000 + Int(member.date) }
    for member in scope.members.all where member.hasDay && !member.isMereWish {
      crowds[crowd(member), default: 0] += 1
    }
    let crowded = Set(crowds.filter { $0.value >= GenreScope.crowd }.keys)
    if population != .owned { try leaveOutOtherEditions(of: &scope) }
    for place in 0..<scope.members.count {
      let member = scope.members[place]
      if member.isMereWish, !query.asksForWishes {
        scope.members[place].date = -1
      } else if !crowded.isEmpty, member.hasDay, crowded.contains(crowd(member)) {
        scope.members[place].date = 0
      }
    }
    guard !query.isEverything else { return (.everything, scope) }
    var selection = try Selection(query, of: self)
    let all = scope.members
    scope.members = try table(&selection, columns: "NULL") { row in
      all.place(of: row.integer(0)).map { all[$0] } ?? GenreScope.Member()
    }
    if let days = QueryCompiler.daysSeen(query.condition) {
      // In a query of days, finished items are dated by their last entry in those days.
      let seen = try dates("SELECT item_id, ended_on FROM event WHERE outcome = 'done' AND \(days)", of: scope.members)
      for place in 0..<scope.members.count where scope.members[place].date > 0 && seen[place] > 0 {
        let kind = Int(scope.members[place].kind)
        if scope.bases[kind] == .finished { scope.members[place].date = seen[place] }
      }
    }
    return (selection, scope)
  }

  /// The last date that a query has for each item: −1 for an item without a row, 0 for one without a date.
  private func dates(_ query: SQL, of members: ItemTable<GenreScope.Member>) throws -> ItemTable<GenreScope.Date> {
    var dates = members.map { _ in GenreScope.Date(-1) }
    try db.forEach(query) { row in
      if let place = dates.place(of: row.integer(0)) {
        dates[place] = max(dates[place], row.withText(1, GenreScope.date))
      }
      return true
    }
    return dates
  }

  /// All members of a report and their dates, before crowded days, other editions and mere wishes are left out.
  private func members(_ population: GenrePopulation?) throws -> GenreScope {
    // Imported rows have the time of the import, unless the file gave another one.
    var imports: Set<Int> = []
    try db.forEach("SELECT at FROM import_time") {
      imports.insert($0.withText(0, GenreScope.moment))
      return true
    }
    var everything = Selection.everything
    var members = try table(&everything, columns: "kind, created_at, public_rating") { row in
      var member = GenreScope.Member()
      guard let kind = row.withText(1, Self.kindNumber) else { return member }
      member.kind = UInt8(clamping: kind)
      member.date = row.withText(2) { text in
        !imports.isEmpty && imports.contains(GenreScope.moment(text))
          ? 0 : localTime.date(of: text).map(GenreScope.date) ?? GenreScope.date(text)
      }
      member.publicRating = row.rounded(3, in: Rating.range).map { Int8(clamping: $0) }
      return member
    }
    for id in try idsOfMereWishes() {
      if let place = members.place(of: id.rawValue) { members[place].isMereWish = true }
    }
    let finished = try dates("SELECT item_id, ifnull(ended_on, '') FROM event WHERE outcome = 'done'", of: members)
    for place in 0..<members.count where finished[place] >= 0 { members[place].isFinished = true }
    let bases = Kind.shelved.indices.map { kind -> GenreReport.Part.Basis in
      switch population {
      case .watched: .finished
      case .owned: .owned
      case .rated: .rated
      case .all: .added
      case nil: GenreScope.isLived(kind, members) ? .finished : .added
      }
    }
    let others: ItemTable<GenreScope.Date>? =
      switch population {
      case .owned: try dates("SELECT item_id, ifnull(min(acquired_on), '') FROM copy GROUP BY item_id", of: members)
      case .rated:
        try dates(
          """
          SELECT item.id, ifnull(\(Self.cardDay), '') FROM item JOIN card ON card.id = \(Self.ratedCard(of: "item.id"))
          """, of: members)
      case nil, .watched, .all: nil
      }
    for place in 0..<members.count where members[place].isIn {
      switch bases[Int(members[place].kind)] {
      case .finished: members[place].date = finished[place]
      case .rated: members[place].date = others?[place] ?? -1
      // An item with a copy of unknown date is dated by its addition.
      case .owned: if others?[place] != 0 { members[place].date = others?[place] ?? -1 }
      case .added: break
      }
    }
    return GenreScope(members: members, bases: bases)
  }

  /// Leaves out all editions but one of each work. One that was finished, else rated, else came first, stays.
  private func leaveOutOtherEditions(of scope: inout GenreScope) throws {
    var works: [Int64: [(place: Int, rank: (Int, Int, String, Int64))]] = [:]
    try db.forEach(
      """
      SELECT edition.work_id, item.id, EXISTS (SELECT 1 FROM card WHERE card.item_id = item.id AND rating IS NOT NULL),
        item.created_at
      FROM (SELECT work_id, item_id FROM edition_of UNION SELECT work_id, work_id FROM edition_of) AS edition
        JOIN item ON item.id = edition.item_id
      """
    ) { row in
      let id = row.integer(1)
      guard let place = scope.members.place(of: id), case let member = scope.members[place], member.isIn,
        !member.isMereWish
      else { return true }
      let rank = (member.isFinished ? 0 : 1, row.integer(2) != 0 ? 0 : 1, row.text(3), id)
      works[row.integer(0), default: []].append((place, rank))
      return true
    }
    for editions in works.values {
      for other in editions.sorted(by: { $0.rank < $1.rank }).dropFirst() { scope.members[other.place].date = -1 }
    }
  }
}

extension GenreScope {
  /// Whether the diary tells of a kind, by its place among ``Kind/shelved``, as the view `lived_kind` has it.
  fileprivate static func isLived(_ kind: Int, _ members: ItemTable<Member>) -> Bool {
    let mine = members.all.filter { Int($0.kind) == kind && !$0.isMereWish }
    let finished = mine.count(where: \.isFinished)
    return finished > 0 && finished * leastOfDiary >= mine.count
  }
}
