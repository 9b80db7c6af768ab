public import CatalogModel
internal import SQLite

/// A thing on the shelf: by what it is known again, and what a person is told that it is. An object, since there is
/// much in it to be copied.
final class KnownThing {
  let signs: WorkSigns
  let title: String
  /// All that it is called.
  let titles: [String]
  let makers: [String]

  init(signs: WorkSigns, title: String, titles: [String], makers: [String]) {
    (self.signs, self.title, self.titles, self.makers) = (signs, title, titles, makers)
  }

  /// What has rows of its own, and is read where it tells things apart.
  struct Parts: OptionSet {
    let rawValue: Int
    /// Those of a record, which alone tell two works of one title and one maker apart.
    static let tracks = Parts(rawValue: 1)
    static let externalIDs = Parts(rawValue: 2)
  }
}

extension Store {
  /// What of the shelf a record is: the same thing, another edition of the same work, or nil for what is not there.
  ///
  /// Of several, what is the same counts before editions, and then the oldest. It takes some statements that indexes answer, the
  /// same time in a catalog of a million.
  public func likeness(of record: Record) throws -> Likeness? {
    guard record.kind.isShelved else { return nil }
    if let id = try itemID(of: record) { return .same(id) }
    let signs = WorkSigns(record)
    var edition: ItemID?
    for id in try items(calledLike: record) {
      switch try signs.relation(to: self.signs(of: id)) {
      case .same: return .same(id)
      case .edition: edition = edition ?? id
      case nil: break
      }
    }
    return edition.map { .edition($0) }
  }

  /// At most so many of the newest are looked at where a title has only words that many have.
  private static let mostCandidates = 200

  /// The items of its kind that are called like a record, or have its barcode, by their numbers.
  /// - Parameter newest: none that came later.
  func items(
    calledLike record: Record, upTo newest: ItemID = ItemID(rawValue: .max)
  ) throws -> [ItemID] {
    let names = ([record.title, record.originalTitle].compactMap(\.self) + record.otherTitles.prefix(20))
      .flatMap { [$0] + Titles.bare($0, of: record.kind) }.compactMap(Text.line)
    var places: [SQL] = [
      "SELECT * FROM (SELECT id FROM item WHERE title COLLATE NOCASE IN (\(list: names)) AND +id <= \(newest.rawValue) LIMIT \(Self.mostCandidates))"
    ]
    for expression in SearchText.expressions(forTitles: names, makers: record.creators) {
      let found = SearchIndex.names.items(matching: expression)
      places.append(
        "SELECT * FROM (\(found) AND rowid <= \(newest.rawValue) ORDER BY rowid DESC LIMIT \(Self.mostCandidates))")
    }
    let barcodes = record.vinyl.barcode.map(Barcode.forms) ?? []
    if !barcodes.isEmpty { places.append("SELECT item_id FROM vinyl WHERE barcode IN (\(list: barcodes))") }
    let titles = Titles(names, of: record.kind)
    return try db.all(
      """
      SELECT id, title, original_title, other_titles,
        (SELECT barcode FROM vinyl WHERE vinyl.item_id = item.id) AS barcode
      FROM item WHERE id IN (\(places.joined(separator: " UNION "))) AND +id <= \(newest.rawValue) AND kind = \(record.kind.rawValue) ORDER BY id
      """
    ) { row -> ItemID? in
      let called = try Self.titles(row)
      let isCandidate =
        try row.get("barcode", as: String?.self).map(barcodes.contains) == true
        || Titles(called.main + called.others, of: record.kind).isShared(with: titles)
      return isCandidate ? ItemID(rawValue: try row.get(at: 0)) : nil
    }.compactMap(\.self)
  }

  /// By what an item is known again.
  /// - Throws: ``CatalogError/noItem(_:)``.
  func signs(of id: ItemID) throws -> WorkSigns {
    let kind = try db.value("SELECT kind FROM item WHERE id = \(id.rawValue)", as: String.self)
    guard let kind = kind.flatMap(Kind.init(rawValue:)),
      let thing = try thing(id, of: kind, with: [.tracks, .externalIDs])
    else {
      throw CatalogError.noItem(id)
    }
    return thing.signs
  }

  /// What sources call an item.
  func externalIDs(of id: ItemID) throws -> [ExternalID] {
    var ids: [ExternalID] = []
    try db.forEach("SELECT source, value FROM external_id WHERE item_id = \(id.rawValue)") { row in
      ids.append(ExternalID(source: row.text(0), value: row.text(1)))
      return true
    }
    return ids
  }

  /// An item of a kind; nil when there is no such one.
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
      let signs = WorkSigns(
        kind: kind, titles: [title, text(1)].compactMap(\.self), otherTitles: text(2).map(Text.parts) ?? [],
        year: row.isNull(3) ? nil : Int(row.integer(3)), makers: makers, tracks: titles, externalIDs: ids,
        isbn: text(4), barcode: text(5), catalogNumber: text(6), series: text(7))
      thing = KnownThing(
        signs: signs, title: title, titles: [title, text(1)].compactMap(\.self) + (text(2).map(Text.parts) ?? []),
        makers: makers)
      return false
    }
    return thing
  }

  /// What an item of a kind is called, its year, ISBN, barcode, catalog number and series.
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

  /// What the row of an item says that it is called.
  static func titles(_ row: Row) throws -> (main: [String], others: [String]) {
    let main = [try row.get("title", as: String.self), try row.get("original_title")].compactMap(\.self)
    return (main, try row.get("other_titles", as: String?.self).map(Text.parts) ?? [])
  }
}

extension SearchText {
  /// The FTS5 expressions for what is called like one of these titles, whatever case, accents and articles it is written with.
  /// Many may have a title of a single word: it is looked for with the name of a maker as well as by itself, where only the
  /// newest are found.
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
