internal import CatalogModel
internal import Lookup
internal import SQLite

/// A row of a copy with the names and terms that it refers to.
struct CopiedTitle: Hashable, Sendable {
  /// The rank, which is the row's number.
  var rank: Int
  var title: String
  var creators: [String]
  var year: Int?
  var kinds: CopiedKinds
  var format: String?
  /// The country of a record, the language of a book.
  var origin: String?
  /// Names between semicolons.
  var genres: String?
  var label: String?
  var catalogNumber: String?
  var extra: Int?
  var rating: Int?
  var id: CopiedID
  var others: [(text: String, language: String?)] = []

  static func == (one: Self, other: Self) -> Bool { one.rank == other.rank && one.id == other.id }
  func hash(into hasher: inout Hasher) { hasher.combine(rank) }
}

/// An edition or pressing of a title in a copy.
struct CopiedEdition: Hashable, Sendable {
  var year: Int?
  var format: String?
  var origin: String?
  var label: String?
  var catalogNumber: String?
  var extra: Int?
  var id: CopiedID
}

extension Cursor {
  func optionalText(_ index: Int) -> String? { isNull(index) ? nil : text(index) }
}

extension SourceCopy {
  /// The row with a rank; nil where there is none.
  func title(_ rank: Int) throws -> CopiedTitle? {
    var title: CopiedTitle?
    titleRow.bind(1, rank)
    try titleRow.forEachBound { row in
      title = CopiedTitle(
        rank: rank, title: row.text(0), creators: row.optionalText(1).map { [$0] } ?? [],
        year: row.integer(2, in: -10_000...10_000), kinds: CopiedKinds(rawValue: Int(row.integer(3))),
        format: row.optionalText(4), origin: row.optionalText(5), genres: row.optionalText(6),
        label: row.optionalText(7), catalogNumber: row.optionalText(8), extra: row.integer(9, in: 0...Int.max),
        rating: row.integer(10, in: 0...100), id: CopiedID(row.value(11)))
      return false
    }
    guard title != nil else { return nil }
    if hasMore {
      moreRows.bind(1, rank)
      try moreRows.forEachBound { row in
        if !row.isNull(0) { title?.creators.append(row.text(0)) }
        return true
      }
    }
    if hasOthers {
      otherRows.bind(1, rank)
      try otherRows.forEachBound { row in
        title?.others.append((row.text(0), row.optionalText(1)))
        return true
      }
    }
    return title
  }

  /// An edition of a title; nil where there is none.
  func edition(_ number: Int, of rank: Int) throws -> CopiedEdition? {
    try db.one(
      """
      SELECT e.year, f.text AS format, o.text AS origin, l.text AS label, e.catno, e.extra,
        coalesce(e.uuid, e.number) AS id FROM edition e
      LEFT JOIN term f ON f.id = e.format LEFT JOIN term o ON o.id = e.origin LEFT JOIN name l ON l.id = e.label
      WHERE e.title = \(rank) AND e.number = \(number)
      """
    ) { row in
      CopiedEdition(
        year: try row.get("year"), format: try row.get("format"), origin: try row.get("origin"),
        label: try row.get("label"), catalogNumber: try row.get("catno"), extra: try row.get("extra"),
        id: CopiedID(try row.get("id")))
    }
  }

  /// The result of a title, or of one of its editions, for which nothing is to be fetched.
  func candidate(of title: CopiedTitle, _ edition: CopiedEdition?, as kind: Kind) -> Candidate {
    let id = dump.ids.id(edition?.id ?? title.id, edition != nil)
    var record = Record(kind: kind, title: title.title)
    record.externalIDs = edition == nil ? [id] : [id, dump.ids.id(title.id, false)]
    record.credits = title.creators.map { Credit(name: $0, role: Credit.Role(main: kind)) }
    record.year = title.year ?? edition?.year
    record.released = record.year.flatMap { PartialDate(year: $0) }
    record.labels = title.genres?.split(separator: "; ").map(String.init) ?? []
    record.originalTitle = title.others.first { $0.language == nil }?.text
    record.otherTitles = title.others.filter { $0.language != nil }.map(\.text)
    record.publicRating = title.rating.map { PublicRating(value: Double($0)) }
    if kind == .vinyl {
      record.vinyl.format = edition?.format ?? title.format
      let origin = edition?.origin ?? title.origin
      record.vinyl.country = origin.map { Country.code(named: $0) ?? $0 }
      record.vinyl.label = edition?.label ?? title.label
      record.vinyl.catalogNumber = edition?.catalogNumber ?? title.catalogNumber
    }
    if kind == .book {
      record.book.language = edition?.origin ?? title.origin
      record.book.publisher = edition?.label ?? title.label
      record.book.pages = edition?.extra.flatMap { $0 > 0 ? $0 : nil }
      record.book.published = edition?.year.flatMap { PartialDate(year: $0) }
    }
    dump.finish(&record, title)
    // The copy has no more.
    return Candidate(id: id, record: record, partialFailures: [])
  }
}
