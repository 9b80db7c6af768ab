public import CatalogModel
internal import SQLite

// The fields as sources give them: `refresh` compares them with those of an item and applies new values.

extension Field {
  /// The fields that a source can give for a kind, in display order. Genres follow from the labels; the currency comes
  /// with the prices, and the votes come with the rating.
  public static func refreshableFields(of kind: Kind) -> [Field] {
    all.filter { field in
      field.isOf(kind) && !companions.contains(field.key) && (!field.columns.isEmpty || others.contains(field.key))
    }
  }

  /// The fields that are applied together with another field.
  private static let companions: Set = ["sale_price", "currency", "public_votes"]
  /// The fields that a source gives but no column stores.
  private static let others: Set = ["creator", "labels", "cast", "translators", "tracks"]

  /// The linked fields. A release date sets the year, and a contradicting year removes the date. Neither can change
  /// while the other is locked.
  public var linkedFields: [Field] {
    switch self {
    case .year: [.released]
    case .released: [.year]
    default: []
    }
  }

  /// Whether two records of one kind have the same stored value.
  func isSame(_ a: Record, _ b: Record) -> Bool { kept(of: a) == kept(of: b) }

  /// Whether a record has a value. An empty value never replaces another. A code in place of the title is none.
  func isPresent(in record: Record) -> Bool {
    kept(of: record).contains { $0 != .null && $0 != .text("") } && !(self == .title && record.isTitledByCode)
  }

  /// The stored value, in parts.
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
    // Leading zeros do not change a barcode.
    case "barcode": return lines([record.vinyl.barcode.map(Barcode.canonical)])
    // A new order of the other titles is no change.
    case "other_titles": return lines(record.otherTitles.sorted())
    default:
      return columns.first { $0.table == .item || $0.table.kind == record.kind }.map { [$0.stored(record)] } ?? []
    }
  }

  /// Copies the value from another record of the same kind.
  /// - Throws: ``Problem`` if the value is invalid.
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
  /// The credits in a role; nil is the role whose names stand beside the title.
  fileprivate func people(_ role: Credit.Role?) -> [Credit] { credits.filter { isOf(role, $0) } }

  /// Whether a credit has the role. The author of the work that a movie is based on counts as cast.
  fileprivate func isOf(_ role: Credit.Role?, _ credit: Credit) -> Bool {
    credit.role == role ?? Credit.Role(main: kind) || kind == .movie && role == .cast && credit.role == .author
  }
}
