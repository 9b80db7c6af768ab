internal import CatalogModel
internal import SQLite

/// The keys of titles under which items of one work are found, with facts that tell most others apart.
enum WorkKey {
  /// The numbers of a title's keys in the file. A part of a title has a number of its own, and is looked for among
  /// whole titles only: `Batman: Year One` never meets `Batman: Hush`.
  struct Numbers {
    let own: [Int64]
    let asked: [Int64]
    /// Those of whole titles.
    let titles: [Int64]

    init(_ identity: WorkIdentity) {
      let kind = Int64(Kind.allCases.firstIndex(of: identity.kind) ?? 0) << 33
      func number(_ key: UInt32, isPart: Bool) -> Int64 { kind | Int64(key) << 1 | (isPart ? 1 : 0) }
      let (whole, parts) = (identity.keys, identity.partKeys.subtracting(identity.keys))
      titles = whole.map { number($0, isPart: false) }.sorted()
      own = (titles + parts.map { number($0, isPart: true) }).sorted()
      asked =
        (whole.flatMap { [number($0, isPart: false), number($0, isPart: true)] }
        + parts.map { number($0, isPart: false) }).sorted()
    }
  }

  /// The year and the makers in one number.
  struct Facts {
    let makers: Maker.Filter
    let year: Int?

    init(_ identity: WorkIdentity) { (makers, year) = (Maker.Filter(identity.makers), identity.year) }

    init(number: Int64) {
      makers = Maker.Filter(bits: UInt32(truncatingIfNeeded: number))
      let year = Int(number >> 32)
      self.year = year == 0 ? nil : year - 10_000
    }

    var number: Int64 {
      Int64(makers.bits) | Int64((year.map { min(max($0, -9_999), 9_999) + 10_000 }) ?? 0) << 32
    }

    /// Whether ``WorkIdentity/compare(with:)`` may find them to be one work, going by these facts alone.
    func mayBe(_ other: Facts, kind: Kind) -> Possibility {
      let apart = year.flatMap { year in other.year.map { abs(year - $0) } }
      // The title decides for films of one year.
      if kind == .movie, apart == 0 { return .same }
      if makers.areSurelyOthers(than: other.makers) { return .no }
      if apart != 0, makers.areSurelyUnreadable(in: other.makers) { return .perhaps }
      return kind == .movie && apart ?? 0 > 1 ? .perhaps : .same
    }
  }

  enum Possibility { case same, perhaps, no }
}

/// Finds items by the keys of their titles. Its statement is prepared once.
final class WorkFinder {
  private let db: Connection
  private var statement: PreparedStatement?

  init(_ db: Connection) { self.db = db }

  /// The items that may be one work with another, by their numbers, with what may be found of each.
  /// - Parameter newest: the last item to include.
  func items(
    like identity: WorkIdentity, upTo newest: ItemID = ItemID(rawValue: .max)
  ) throws -> (mayBeSame: [ItemID], perhaps: [ItemID]) {
    let statement = try statement ?? db.prepare("SELECT item_id, facts FROM work_key WHERE key = ? AND item_id <= ?")
    self.statement = statement
    let facts = WorkKey.Facts(identity)
    var found: [ItemID: WorkKey.Possibility] = [:]
    for key in WorkKey.Numbers(identity).asked {
      statement.bind(1, Int(key))
      statement.bind(2, Int(newest.rawValue))
      try statement.forEachBound { row in
        let id = ItemID(rawValue: row.integer(0))
        if found[id] == nil { found[id] = facts.mayBe(WorkKey.Facts(number: row.integer(1)), kind: identity.kind) }
        return true
      }
    }
    return (
      found.filter { $0.value == .same }.keys.sorted(), found.filter { $0.value == .perhaps }.keys.sorted()
    )
  }
}

extension Store {
  /// Writes the keys of the items whose words are to be indexed.
  func indexWorkKeys() throws {
    try db.run("DELETE FROM work_key WHERE item_id IN (SELECT item_id FROM search_pending)")
    let insert = try db.prepare("INSERT INTO work_key (key, item_id, facts) VALUES (?, ?, ?)")
    try db.forEach(
      """
      SELECT id, kind, title, original_title, other_titles, year, (
        SELECT group_concat(name, char(10)) FROM credit JOIN person ON person.id = person_id
        WHERE credit.item_id = item.id AND role = \(Credit.Role.sql(nil))), book.language, movie.language
      FROM search_pending JOIN item ON item.id = search_pending.item_id
        LEFT JOIN book ON book.item_id = item.id LEFT JOIN movie ON movie.item_id = item.id
      """
    ) { row in
      guard let kind = Kind(rawValue: row.text(1)) else { return true }
      let original = row.isNull(3) ? nil : row.text(3)
      let identity = WorkIdentity(
        kind: kind, titles: [row.text(2), original].compactMap(\.self),
        otherTitles: row.isNull(4) ? [] : Text.parts(row.text(4)), year: row.isNull(5) ? nil : Int(row.integer(5)),
        makers: row.isNull(6) ? [] : row.text(6).split(separator: "\n").map(String.init),
        language: original == nil ? [7, 8].lazy.filter { !row.isNull($0) }.map(row.text).first : nil)
      let facts = WorkKey.Facts(identity).number
      for key in WorkKey.Numbers(identity).own {
        try insert.run([.integer(key), .integer(row.integer(0)), .integer(facts)])
      }
      return true
    }
  }
}
