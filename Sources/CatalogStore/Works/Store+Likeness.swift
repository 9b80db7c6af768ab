public import CatalogModel
internal import SQLite

/// An existing item with its identity and the values shown to the user. A class avoids copies of its many values.
final class KnownThing {
  let identity: WorkIdentity
  let title: String
  let makers: [String]

  init(_ identity: WorkIdentity, title: String, makers: [String]) {
    (self.identity, self.title, self.makers) = (identity, title, makers)
  }

  /// The values in tables of their own, which are read only if needed.
  struct Parts: OptionSet {
    let rawValue: Int
    /// The tracks of a record, which alone distinguish two works with one title and maker.
    static let tracks = Parts(rawValue: 1)
    static let externalIDs = Parts(rawValue: 2)
  }
}

extension Store {
  /// Finds the item of a record: the same work, another edition, perhaps the same, or nil.
  ///
  /// The same work has priority over editions, these over what is uncertain, and older items over newer ones. It reads
  /// few items by their keys, so the time does not depend on the size of the catalog.
  public func likeness(of record: Record) throws -> Likeness? {
    guard record.kind.isShelved else { return nil }
    if let id = try itemID(of: record) { return .same(id) }
    let identity = WorkIdentity(record)
    var (edition, perhaps): (Likeness?, Likeness?)
    for id in try items(like: identity, record) {
      switch try Likeness(identity.compare(with: self.identity(of: id)), record.kind, id) {
      case let same? where same == .same(id): return same
      case let found? where found == .edition(id): edition = edition ?? found
      case let found: perhaps = perhaps ?? found
      }
    }
    return edition ?? perhaps
  }

  /// The maximum number of candidates for a title of common words; the newest are used.
  private static let mostCandidates = 200

  /// The items that may be one work with a record, sorted by number.
  func items(like identity: WorkIdentity, _ record: Record) throws -> [ItemID] {
    let found = try WorkFinder(db).items(like: identity)
    var ids = Set((found.mayBeSame + found.perhaps).suffix(Self.mostCandidates))
    // Those whose keys are not written yet: of this transaction, or by another program.
    let names = identity.names.compactMap(Text.line)
    ids.formUnion(
      try db.values(
        """
        SELECT id FROM item WHERE title COLLATE NOCASE IN (\(list: names)) AND +kind = \(record.kind.rawValue)
          AND id IN (SELECT item_id FROM search_pending) LIMIT \(Self.mostCandidates)
        """, as: Int64.self
      ).map(ItemID.init))
    let barcodes = record.vinyl.barcode.map(Barcode.forms) ?? []
    if !barcodes.isEmpty {
      ids.formUnion(
        try db.values("SELECT item_id FROM vinyl WHERE barcode IN (\(list: barcodes))", as: Int64.self).map(ItemID.init)
      )
    }
    return ids.sorted()
  }

  /// The identity of an item.
  /// - Throws: ``CatalogError/noItem(_:)``.
  func identity(of id: ItemID) throws -> WorkIdentity {
    let kind = try db.value("SELECT kind FROM item WHERE id = \(id.rawValue)", as: String.self)
    guard let kind = kind.flatMap(Kind.init(rawValue:)),
      let thing = try thing(id, of: kind, with: [.tracks, .externalIDs])
    else {
      throw CatalogError.noItem(id)
    }
    return thing.identity
  }

  /// The source ids of an item.
  func externalIDs(of id: ItemID) throws -> [ExternalID] {
    var ids: [ExternalID] = []
    try db.forEach("SELECT source, value FROM external_id WHERE item_id = \(id.rawValue)") { row in
      ids.append(ExternalID(source: row.text(0), value: row.text(1)))
      return true
    }
    return ids
  }

  /// Reads an item of a kind; nil if there is none.
  func thing(_ id: ItemID, of kind: Kind, with parts: KnownThing.Parts = []) throws -> KnownThing? {
    let raw = id.rawValue
    var makers: [String] = []
    try db.forEach(
      """
      SELECT person.name FROM credit JOIN person ON person.id = credit.person_id
      WHERE credit.item_id = \(raw) AND credit.role = \(Credit.Role(main: kind).rawValue) ORDER BY credit.position
      """
    ) { row in
      makers.append(row.text(0))
      return true
    }
    let ids = parts.contains(.externalIDs) ? try externalIDs(of: id) : []
    let titles: [String] =
      parts.contains(.tracks) && kind == .vinyl
      ? try db.values("SELECT title FROM track WHERE item_id = \(raw) ORDER BY number") : []
    var thing: KnownThing?
    try db.forEach(Self.codes(of: raw, kind)) { row in
      func text(_ column: Int) -> String? { row.isNull(column) ? nil : row.text(column) }
      let title = row.text(0)
      let original = text(1)
      let identity = WorkIdentity(
        kind: kind, titles: [title, original].compactMap(\.self), otherTitles: text(2).map(Text.parts) ?? [],
        year: row.isNull(3) ? nil : Int(row.integer(3)), makers: makers, tracks: titles, externalIDs: ids,
        isbn: text(4), barcode: text(5), catalogNumber: text(6), series: text(7),
        language: original == nil ? text(8) : nil)
      thing = KnownThing(identity, title: title, makers: makers)
      return false
    }
    return thing
  }

  /// A query for the titles, year, ISBN, barcode, catalog number series and language of an item.
  private static func codes(of id: Int64, _ kind: Kind) -> SQL {
    switch kind {
    case .book:
      """
      SELECT title, original_title, other_titles, year, isbn13, NULL, NULL, series, language FROM item
      LEFT JOIN book ON book.item_id = item.id WHERE item.id = \(id) AND kind = 'book'
      """
    case .vinyl:
      """
      SELECT title, original_title, other_titles, year, NULL, barcode, catalog_number, NULL, NULL FROM item
      LEFT JOIN vinyl ON vinyl.item_id = item.id WHERE item.id = \(id) AND kind = 'vinyl'
      """
    default:
      """
      SELECT title, original_title, other_titles, year, NULL, NULL, NULL, NULL, (
        SELECT language FROM movie WHERE movie.item_id = item.id) FROM item WHERE id = \(id) AND kind = \(kind.rawValue)
      """
    }
  }
}
