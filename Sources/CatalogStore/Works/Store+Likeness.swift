public import CatalogModel
internal import SQLite

/// An existing item with its identity keys and the values shown to the user. A class avoids copies of its many values.
final class KnownThing {
  let keys: IdentityKeys
  let title: String
  /// All its titles.
  let titles: [String]
  let makers: [String]

  init(keys: IdentityKeys, title: String, titles: [String], makers: [String]) {
    (self.keys, self.title, self.titles, self.makers) = (keys, title, titles, makers)
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
  /// Finds the item of a record: the same work, another edition, or nil.
  ///
  /// The same work has priority over editions, and older items over newer ones. It runs a few indexed statements, so
  /// the time does not depend on the size of the catalog.
  public func likeness(of record: Record) throws -> Likeness? {
    guard record.kind.isShelved else { return nil }
    if let id = try itemID(of: record) { return .same(id) }
    let keys = IdentityKeys(record)
    var edition: ItemID?
    for id in try items(calledLike: record) {
      switch try keys.relation(to: self.identityKeys(of: id)) {
      case .same: return .same(id)
      case .edition: edition = edition ?? id
      case nil: break
      }
    }
    return edition.map { .edition($0) }
  }

  /// The maximum number of candidates for a title of common words; the newest are used.
  private static let mostCandidates = 200

  /// The items of a record's kind with one of its titles or its barcode, sorted by number.
  /// - Parameter newest: the last item to include.
  func items(
    calledLike record: Record, upTo newest: ItemID = ItemID(rawValue: .max)
  ) throws -> [ItemID] {
    let names = Self.names(of: record)
    let barcodes = Self.barcodes(of: record)
    let titles = Titles(names, of: record.kind)
    return try db.all(
      Self.candidates(for: record, upTo: newest)
    ) { row -> ItemID? in
      let called = try Self.titles(row)
      let isCandidate =
        try row.get("barcode", as: String?.self).map(barcodes.contains) == true
        || Titles(called.main + called.others, of: record.kind).isShared(with: titles)
      return isCandidate ? ItemID(rawValue: try row.get(at: 0)) : nil
    }.compactMap(\.self)
  }

  private static func names(of record: Record) -> [String] {
    ([record.title, record.originalTitle].compactMap(\.self) + record.otherTitles.prefix(20))
      .flatMap { [$0] + Titles.bare($0, of: record.kind) }.compactMap(Text.line)
  }

  private static func barcodes(of record: Record) -> [String] { record.vinyl.barcode.map(Barcode.forms) ?? [] }

  /// A query for the items of a record's kind with words of its titles, or with its barcode.
  static func candidates(for record: Record, upTo newest: ItemID) -> SQL {
    let (names, barcodes) = (names(of: record), barcodes(of: record))
    var places: [SQL] = [
      "SELECT * FROM (SELECT id FROM item WHERE title COLLATE NOCASE IN (\(list: names)) AND +id <= \(newest.rawValue) LIMIT \(mostCandidates))"
    ]
    for expression in SearchText.expressions(forTitles: names, makers: record.creators) {
      let found = SearchIndex.names.items(matching: expression)
      places.append(
        "SELECT * FROM (\(found) AND rowid <= \(newest.rawValue) ORDER BY rowid DESC LIMIT \(mostCandidates))")
    }
    if !barcodes.isEmpty { places.append("SELECT item_id FROM vinyl WHERE barcode IN (\(list: barcodes))") }
    // With `+`, SQLite reads these items alone: with the index of kinds it would read all of the kind.
    return """
      SELECT id, title, original_title, other_titles,
        (SELECT barcode FROM vinyl WHERE vinyl.item_id = item.id) AS barcode
      FROM item WHERE id IN (\(places.joined(separator: " UNION "))) AND +id <= \(newest.rawValue)
        AND +kind = \(record.kind.rawValue) ORDER BY id
      """
  }

  /// The identity keys of an item.
  /// - Throws: ``CatalogError/noItem(_:)``.
  func identityKeys(of id: ItemID) throws -> IdentityKeys {
    let kind = try db.value("SELECT kind FROM item WHERE id = \(id.rawValue)", as: String.self)
    guard let kind = kind.flatMap(Kind.init(rawValue:)),
      let thing = try thing(id, of: kind, with: [.tracks, .externalIDs])
    else {
      throw CatalogError.noItem(id)
    }
    return thing.keys
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
      let keys = IdentityKeys(
        kind: kind, titles: [title, text(1)].compactMap(\.self), otherTitles: text(2).map(Text.parts) ?? [],
        year: row.isNull(3) ? nil : Int(row.integer(3)), makers: makers, tracks: titles, externalIDs: ids,
        isbn: text(4), barcode: text(5), catalogNumber: text(6), series: text(7))
      thing = KnownThing(
        keys: keys, title: title, titles: [title, text(1)].compactMap(\.self) + (text(2).map(Text.parts) ?? []),
        makers: makers)
      return false
    }
    return thing
  }

  /// A query for the titles, year, ISBN, barcode, catalog number and series of an item.
  private static func codes(of id: Int64, _ kind: Kind) -> SQL {
    switch kind {
    case .book:
      """
      SELECT title, original_title, other_titles, year, isbn13, NULL, NULL, series FROM item
      LEFT JOIN book ON book.item_id = item.id WHERE item.id = \(id) AND kind = 'book'
      """
    case .vinyl:
      """
      SELECT title, original_title, other_titles, year, NULL, barcode, catalog_number, NULL FROM item
      LEFT JOIN vinyl ON vinyl.item_id = item.id WHERE item.id = \(id) AND kind = 'vinyl'
      """
    default:
      """
      SELECT title, original_title, other_titles, year, NULL, NULL, NULL, NULL FROM item
      WHERE id = \(id) AND kind = \(kind.rawValue)
      """
    }
  }

  /// The titles in the row of an item.
  static func titles(_ row: Row) throws -> (main: [String], others: [String]) {
    let main = [try row.get("title", as: String.self), try row.get("original_title")].compactMap(\.self)
    return (main, try row.get("other_titles", as: String?.self).map(Text.parts) ?? [])
  }
}

extension SearchText {
  /// The FTS5 expressions for one of these titles, ignoring case, accents and articles. A title of a single word may be
  /// common. It is searched with the name of a maker, and also alone, where only the newest items are found.
  static func expressions(forTitles titles: [String], makers: [String]) -> [String] {
    var (long, short): ([String], [String]) = ([], [])
    for title in Set(titles.map(Folding.fold)).sorted() {
      let words = title.split { $0 == " " }.map(String.init)
      let telling = words.filter { !["the", "a", "an", "and", "&", "of"].contains($0) }
      guard let expression = expression(for: telling.isEmpty ? words : telling, begun: .none) else { continue }
      if telling.count < 2, !title.unicodeScalars.contains(where: \.isJoined) {
        short.append("(\(expression))")
      } else {
        long.append("(\(expression))")
      }
    }
    let names = Set(makers.compactMap { expression(for: [longestWord(of: $0)], begun: .none) }).sorted()
    let one = short.joined(separator: " OR ")
    if !short.isEmpty, !names.isEmpty { long.append("((\(one)) AND (\(names.joined(separator: " OR "))))") }
    return [long.joined(separator: " OR "), one].filter { !$0.isEmpty }
  }

  private static func longestWord(of name: String) -> String {
    let words = name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init)
    return words.max { $0.count < $1.count } ?? name
  }
}
