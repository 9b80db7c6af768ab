internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A field of a listing, by the name that a person types and that JSON promises.
enum ListingField: Sendable, Hashable {
  case column(ListingColumn)
  /// How the rating was typed: the second half of the column ``ListingColumn/rating``.
  case ratingScale

  static let all = ListingColumn.allCases.flatMap { column in
    column == .rating ? [.column(.rating), .ratingScale] : [ListingField.column(column)]
  }

  /// What people see who ask for nothing else.
  static let usual = [.id, .kind, .title, .creator, .year, .genres, .rating].map(ListingField.column)

  var key: String {
    switch self {
    case .column(let column): column.rawValue
    case .ratingScale: "rating_scale"
    }
  }

  /// The fields that `--json=…` names, or else those of the command's own listing.
  static func selected(by options: TableOptions, or usual: [ListingField]) throws -> [ListingField] {
    guard case .only(let keys) = options.fields else { return usual }
    return try keys.map { try ListingField(argument: $0) }
  }

  /// Where its value comes from.
  var column: ListingColumn {
    switch self {
    case .column(let column): column
    case .ratingScale: .rating
    }
  }

  /// The one kind that has it; nil for fields that every kind can have.
  var kind: Kind? {
    switch column {
    case .isbn, .publisher, .published, .pages, .series: .book
    case .minutes: .movie
    case .label, .format, .barcode, .catalogNumber: .vinyl
    default: nil
    }
  }
}

extension ListingField: ArgumentValue {
  /// The field of this name, or the only one whose name starts so: `added` is `added_at`.
  init(argument word: String) throws {
    let key = word.lowercased()
    let starting = Self.all.filter { $0.key.hasPrefix(key) }
    guard let field = Self.all.first(where: { $0.key == key }) ?? (starting.count == 1 ? starting[0] : nil) else {
      throw UsageError.unknown("field", word, among: Self.all.map(\.key))
    }
    self = field
  }

  static var valueName: String? { "FIELDS" }
  static var completion: CompletionKind { .values(all.map(\.key)) }
}
