public import CatalogModel
internal import SQLite

// What sources tell of a thing, field by field: `refresh` compares it with an item and takes it over.

extension Field {
  /// What a source may say of things of this kind, in the order in which it is shown. The genres follow from the labels, the
  /// currency stands with the prices, the votes with the rating.
  public static func told(of kind: Kind) -> [Field] {
    all.filter { field in
      field.isOf(kind) && !companions.contains(field.key) && (!field.columns.isEmpty || others.contains(field.key))
    }
  }

  /// What is taken over together with another field.
  private static let companions: Set = ["sale_price", "currency", "public_votes"]
  /// Those that no column holds.
  private static let others: Set = ["creator", "labels", "cast", "translators", "tracks"]

  /// The fields that say each other: the date of release says the year, and a year that contradicts it takes it away. Neither
  /// is free while the other is locked.
  public var saidTogether: [Field] {
    switch self {
    case .year: [.released]
    case .released: [.year]
    default: []
    }
  }

  /// Whether two records of one kind say the same, as the file would keep it.
  func isSame(_ a: Record, _ b: Record) -> Bool { kept(of: a) == kept(of: b) }

  /// Whether a record says anything of it. What says nothing takes nothing away.
  func isTold(by record: Record) -> Bool { kept(of: record).contains { $0 != .null && $0 != .text("") } }

  /// What the file would keep of it, in pieces.
  private func kept(of record: Record) -> [Value] {
    func lines(_ texts: [String?]) -> [Value] { texts.compactMap(Text.line).map(Value.text) }
    if case .people(let role) = type {
      return record.people(role).flatMap { lines([$0.name]) + [.optional(Text.line($0.detail))] }
    }
    switch key {
    case "labels": return lines(record.labels)
    case "tracks":
      return record.tracks.flatMap { lines([$0.position, $0.title]) + [.optional($0.seconds)] }
    case "list_price": return [.optional(record.book.price?.minorUnits), .optional(record.book.salePrice?.minorUnits)]
    // With zeros before it a barcode is the same.
    case "barcode": return lines([record.vinyl.barcode.map(Barcode.canonical)])
    // That other titles stand in another order is no news.
    case "other_titles": return lines(record.otherTitles.sorted())
    default:
      return columns.first { $0.table == .item || $0.table.kind == record.kind }.map { [$0.stored(record)] } ?? []
    }
  }

  /// Takes over what another record of the same kind says.
  /// - Throws: ``Problem`` when that cannot be.
  func take(from other: Record, into record: inout Record) throws {
    if case .people(let role) = type {
      let (people, others) = (other.people(role), record.credits.filter { !record.isOf(role, $0) })
      record.credits = role == nil ? people + others : others + people
      return
    }
    switch key {
    case "labels": (record.labels, record.labelSource) = (other.labels, other.labelSource)
    case "tracks": record.vinyl.tracks = other.tracks
    case "list_price": (record.book.price, record.book.salePrice) = (other.book.price, other.book.salePrice)
    case "public_rating": record.publicRating = other.publicRating
    default:
      var draft = Draft(record)
      try assign(value(of: Draft(other)).texts, to: &draft)
      record = draft.record
    }
  }
}

extension Record {
  /// Those in a role; nil is that of the names beside the title.
  fileprivate func people(_ role: Credit.Role?) -> [Credit] { credits.filter { isOf(role, $0) } }

  /// Who wrote what a movie is based on is told with its cast.
  fileprivate func isOf(_ role: Credit.Role?, _ credit: Credit) -> Bool {
    credit.role == role ?? Credit.Role(main: kind) || kind == .movie && role == .cast && credit.role == .author
  }
}
