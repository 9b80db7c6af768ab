public import CatalogModel
internal import SQLite

/// A work that belongs to something to complete, and whether it is here.
public struct Holding: Sendable, Hashable {
  /// The state of a work here.
  public enum State: String, Sendable, CaseIterable {
    case owned, finished, listed, wished, missing
  }

  /// The item; nil for a missing work.
  public var item: ItemID?
  public var kind: Kind
  public var title: String
  public var creators: [String]
  public var year: Int?
  /// The number in a series.
  public var number: String?
  public var state: State
  /// The id of a missing work in the pack or a copy of a source, to add it by; nil for a gap in a series.
  public var reference: ExternalID?

  public init(
    item: ItemID? = nil, kind: Kind, title: String, creators: [String], year: Int?, number: String? = nil, state: State,
    reference: ExternalID? = nil
  ) {
    (self.item, self.kind, self.title, self.creators, self.year) = (item, kind, title, creators, year)
    (self.number, self.state, self.reference) = (number, state, reference)
  }
}

extension Store {
  /// The items with these ids, as parts of something to complete.
  public func holdings(of ids: [ItemID]) throws -> [Holding] {
    try ids.map { id in
      let item = try item(id)
      let state = try db.value(
        """
        SELECT CASE WHEN EXISTS (SELECT 1 FROM copy WHERE item_id = \(id.rawValue)) THEN 'owned'
          WHEN EXISTS (SELECT 1 FROM event WHERE item_id = \(id.rawValue) AND outcome = 'done') THEN 'finished'
          WHEN EXISTS (SELECT 1 FROM wish WHERE item_id = \(id.rawValue) AND fulfilled_at IS NULL) THEN 'wished'
          ELSE 'listed' END
        """, as: String.self)
      return Holding(
        item: id, kind: item.record.kind, title: item.record.title,
        creators: item.record.creators, year: item.record.year,
        number: item.record.kind == .book ? item.record.book.series.flatMap { SeriesName($0).number } : nil,
        state: state.flatMap(Holding.State.init(rawValue:)) ?? .listed)
    }
  }

  /// The greatest number of a series up to which gaps are listed: greater ones are often years.
  private static let mostNumbers = 500

  /// The names of the series that books are of.
  public func series() throws -> [String] {
    try db.values("SELECT DISTINCT series FROM book WHERE series IS NOT NULL", as: String.self)
      .map { SeriesName($0).name }.withoutRepeats
  }

  /// The books of a series, by number, with a gap for each whole number up to the last one that is not here.
  public func holdings(ofSeries name: String) throws -> [Holding] {
    let key = Folding.nameKey(name)
    let ids = try db.all("SELECT item_id, series FROM book WHERE series IS NOT NULL ORDER BY item_id") {
      (ItemID(rawValue: try $0.get(at: 0, as: Int64.self)), try $0.get(at: 1, as: String.self))
    }.filter { Folding.nameKey(SeriesName($0.1).name) == key }.map(\.0)
    var books = try holdings(of: ids)
    let numbers = Set(books.compactMap { $0.number.flatMap { Int($0) } }.filter { 1...Self.mostNumbers ~= $0 })
    if let last = numbers.max() {
      for number in 1...last where !numbers.contains(number) {
        books.append(
          Holding(kind: .book, title: "", creators: [], year: nil, number: "\(number)", state: .missing))
      }
    }
    return books.sorted {
      let (a, b) = ($0.number.flatMap { Double($0) } ?? .infinity, $1.number.flatMap { Double($0) } ?? .infinity)
      return a == b ? SortKey.of($0.title) < SortKey.of($1.title) : a < b
    }
  }

  /// The items that a label or publisher of this name published.
  public func items(ofLabel name: String) throws -> [ItemID] {
    let key = Folding.nameKey(name)
    var ids: Set<Int64> = []
    try db.forEach(
      """
      SELECT item_id, label FROM vinyl WHERE label IS NOT NULL
      UNION ALL SELECT item_id, publisher FROM book WHERE publisher IS NOT NULL
      UNION ALL SELECT item_id, person.name FROM credit JOIN person ON person.id = person_id
        WHERE role = \(Credit.Role.label.rawValue)
      """
    ) { row in
      if Folding.nameKey(row.text(1)) == key { ids.insert(row.integer(0)) }
      return true
    }
    return ids.sorted().map(ItemID.init)
  }

  /// The items of a person in the main role of their kind, under any spelling of the name.
  public func items(by creator: String) throws -> [ItemID] {
    let key = Maker(creator).key
    var people: [Int64] = []
    try db.forEach("SELECT id, name FROM person") { row in
      if Maker(row.text(1)).key == key { people.append(row.integer(0)) }
      return true
    }
    return try db.values(
      """
      SELECT DISTINCT item.id FROM credit JOIN item ON item.id = item_id
      WHERE person_id IN (\(list: people))
        AND role = CASE kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END
      ORDER BY item.year, item.id
      """, as: Int64.self
    ).map(ItemID.init)
  }
}
