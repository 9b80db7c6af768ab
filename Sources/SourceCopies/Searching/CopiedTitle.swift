internal import CatalogModel
internal import Lookup
internal import SQLite

/// A row of a copy with the names and terms that it refers to; or one of its editions, with the facts of the title that
/// the edition has not.
struct CopiedTitle: Sendable {
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
  var edition: (id: CopiedID, year: Int?, extra: Int?)?

}

extension Cursor {
  func optionalText(_ index: Int) -> String? { isNull(index) ? nil : text(index) }
}

extension SourceCopy {
  /// The row with a rank, or an edition of it; nil where there is none.
  func title(_ rank: Int, edition: Int = 0) throws -> CopiedTitle? {
    var title: CopiedTitle?
    try db.forEach(
      """
      SELECT t.title, n.text, t.year, t.kind, f.text, o.text, g.text, l.text, coalesce(e.catno, t.catno), t.extra,
        t.rating, t.source_id, coalesce(e.uuid, e.number), e.year, e.extra
      FROM title t LEFT JOIN edition e ON e.title = t.id AND e.number = \(edition) LEFT JOIN name n ON n.id = t.by
      LEFT JOIN term f ON f.id = coalesce(e.format, t.format) LEFT JOIN term o ON o.id = coalesce(e.origin, t.origin)
      LEFT JOIN term g ON g.id = t.genres LEFT JOIN name l ON l.id = coalesce(e.label, t.label) WHERE t.id = \(rank)
      """
    ) { row in
      title = CopiedTitle(
        rank: rank, title: row.text(0), creators: row.optionalText(1).map { [$0] } ?? [],
        year: row.integer(2, in: -10_000...10_000), kinds: CopiedKinds(rawValue: Int(row.integer(3))),
        format: row.optionalText(4), origin: row.optionalText(5), genres: row.optionalText(6),
        label: row.optionalText(7), catalogNumber: row.optionalText(8), extra: row.integer(9, in: 0...Int.max),
        rating: row.integer(10, in: 0...100), id: CopiedID(row.value(11)))
      if edition != 0, !row.isNull(12) {
        title?.edition = (
          CopiedID(row.value(12)), row.integer(13, in: -10_000...10_000), row.integer(14, in: 1...Int.max)
        )
      }
      return false
    }
    guard title != nil else { return nil }
    if hasMore {
      try db.forEach(moreRows(of: rank)) { row in
        if !row.isNull(0) { title?.creators.append(row.text(0)) }
        return true
      }
    }
    if hasOthers {
      try db.forEach(otherRows(of: rank)) { row in
        title?.others.append((row.text(0), row.optionalText(1)))
        return true
      }
    }
    return title
  }

  func moreRows(of rank: Int) -> SQL {
    "SELECT n.text FROM more_by m LEFT JOIN name n ON n.id = m.name WHERE m.title = \(rank) ORDER BY m.place"
  }

  func otherRows(of rank: Int) -> SQL {
    "SELECT text, language FROM other_title WHERE title = \(rank) ORDER BY place"
  }

  /// The result of a title, or of one of its editions, for which nothing is to be fetched.
  func candidate(of title: CopiedTitle, as kind: Kind) -> Candidate {
    let edition = title.edition
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
      record.vinyl.format = title.format
      record.vinyl.country = title.origin.map { Country.code(named: $0) ?? $0 }
      record.vinyl.label = title.label
      record.vinyl.catalogNumber = title.catalogNumber
    }
    if kind == .book {
      record.book.language = title.origin
      record.book.publisher = title.label
      record.book.pages = edition?.extra
      record.book.published = edition?.year.flatMap { PartialDate(year: $0) }
    }
    dump.finish(&record, title)
    // The copy has no more.
    return Candidate(id: id, record: record, partialFailures: [])
  }
}
