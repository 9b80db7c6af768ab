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
  }

  /// A day on which so many items of a kind came was made by an import, or by an evening of sorting: it dates nothing.
  static let crowd = 100

  /// The share of a kind's items that the diary must have, for the diary to be what the kind is looked at by: 1 ÷ 4.
  static let leastOfDiary = 4

  var members: ItemTable<Member>
  /// The basis of each of ``Kind/shelved``.
  var bases: [GenreReport.Part.Basis]
  /// The days that date nothing, as kind × 2³² + date.
  var crowded: Set<Int64> = []
  /// The editions that are not the one that counts for their work.
  var otherEditions: Set<Int64> = []

  static func key(_ member: Member) -> Int64 { Int64(member.kind) << 32 | Int64(member.date) }

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
    var selection = try Selection(query, of: self, leavesWishesOut: true)
    var scope = try members(population, of: &selection)
    // Which days and editions count depends on the whole catalog, and not on what a query selects of it.
    var whole = scope
    if !query.isEverything {
      var all = try Selection(Query(), of: self, leavesWishesOut: true)
      whole = try members(population, of: &all)
    }
    scope.crowded = whole.findCrowds()
    scope.otherEditions = population == .owned ? [] : try otherEditions(in: &whole)
    for id in scope.otherEditions {
      if let place = scope.members.place(of: id) { scope.members[place].date = -1 }
    }
    if !scope.crowded.isEmpty {
      for place in 0..<scope.members.count where scope.crowded.contains(GenreScope.key(scope.members[place])) {
        scope.members[place].date = 0
      }
    }
    return (selection, scope)
  }

  /// The members of a report and their dates, before crowded days and other editions are left out.
  private func members(_ population: GenrePopulation?, of selection: inout Selection) throws -> GenreScope {
    // What an import wrote has the time of the import, unless the file said another one.
    let imports = Set(try db.values("SELECT at FROM import_time", as: String.self).map { Array($0.utf8) })
    let outside = GenreScope.Member(kind: UInt8(truncatingIfNeeded: Kind.shelved.count), date: -1)
    let usesAddition = population == nil || population == .all || population == .owned
    var members = try table(&selection, columns: "kind, created_at, public_rating", each: outside) { row in
      guard let kind = row.withText(1, Self.kindNumber) else { return outside }
      var member = GenreScope.Member(kind: UInt8(clamping: kind), date: -1)
      if usesAddition {
        member.date = row.withText(2) { text in
          if !imports.isEmpty, imports.contains(Array(text)) { return 0 }
          return GenreScope.date(text)
        }
      }
      if let rating = row.rounded(3, in: Rating.range) { member.publicRating = Int8(clamping: rating) }
      return member
    }
    let lived = try population == nil ? livedKinds() : population == .watched ? Set(Kind.shelved.indices) : []
    let narrow: SQL = selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow
    if !lived.isEmpty {
      for place in 0..<members.count where lived.contains(Int(members[place].kind)) { members[place].date = -1 }
    }
    try db.forEach("SELECT item_id, ifnull(ended_on, '') FROM event\(narrow) AND outcome = 'done'") { row in
      guard let place = members.place(of: row.integer(0)) else { return true }
      members[place].isFinished = true
      guard lived.contains(Int(members[place].kind)) else { return true }
      members[place].date = max(members[place].date, row.withText(1, GenreScope.date))
      return true
    }
    switch population {
    case .owned: try readCopies(into: &members, narrow)
    case .rated:
      try db.forEach(
        """
        SELECT item_rating.item_id, ifnull(day, '') FROM item_rating JOIN card_day USING (card_id)
        \(selection.narrow.text.isEmpty ? "" : "WHERE item_rating.item_id IN (SELECT id FROM item WHERE \(selection.condition ?? "true"))" as SQL)
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
  private func readCopies(into members: inout ItemTable<GenreScope.Member>, _ narrow: SQL) throws {
    var owned = members.map { _ in GenreScope.Date(-1) }
    try db.forEach("SELECT item_id, ifnull(min(acquired_on), '') FROM copy\(narrow) GROUP BY item_id ORDER BY item_id")
    {
      row in
      if let place = owned.place(of: row.integer(0)) { owned[place] = row.withText(1, GenreScope.date) }
      return true
    }
    for place in 0..<members.count {
      if owned[place] != 0 { members[place].date = owned[place] }
    }
  }

  /// The places of the kinds among ``Kind/shelved`` that the diary tells of.
  private func livedKinds() throws -> Set<Int> {
    guard try db.value("SELECT EXISTS (SELECT 1 FROM event WHERE outcome = 'done')", as: Bool.self) ?? false else {
      return []
    }
    let kinds = try db.values("SELECT kind FROM lived_kind", as: String.self)
    return Set(kinds.compactMap { name in Kind.shelved.firstIndex { $0.rawValue == name } })
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
        guard let place = scope.members.place(of: edition.id), scope.members[place].date >= 0 else { return nil }
        let rank = (scope.members[place].isFinished ? 0 : 1, edition.isRated ? 0 : 1, edition.created, edition.id)
        return (edition.id, rank)
      }.sorted { $0.rank < $1.rank }
      others.formUnion(members.dropFirst().map(\.id))
    }
    return others
  }
}

extension GenreScope {
  /// The days with a crowd of items of one kind.
  fileprivate func findCrowds() -> Set<Int64> {
    var counts: [Int64: Int32] = [:]
    for member in members.all where Self.isDay(member.date) { counts[Self.key(member), default: 0] += 1 }
    return Set(counts.lazy.filter { $0.value >= Self.crowd }.map(\.key))
  }
}
