internal import CatalogModel
internal import CommandLineKit

/// What `edit` changes: a record, and the genres of its item.
struct Draft: Sendable, Equatable {
  var record: Record
  var genres: [String]

  init(_ item: Item) { (record, genres) = (item.record, item.genres) }
  init(_ record: Record, genres: [String] = []) { (self.record, self.genres) = (record, genres) }
}

/// A field that a person can edit: its name, which kinds have it, how it is read from a draft and written to it.
///
/// Every value is a list of texts: none for what is unknown, one for most fields, several for people and genres.
struct EditableField: Sendable {
  var name: String
  var kinds = Kind.shelved
  /// Whether it holds several values, written with `; ` between them.
  var isList = false
  var values: @Sendable (Draft) -> [String]
  var assign: @Sendable (inout Draft, [String]) throws -> Void

  /// The values as one text.
  func text(of draft: Draft) -> String { values(draft).joined(separator: "; ") }

  /// Reads a text of one or several values.
  func assign(_ text: String, to draft: inout Draft) throws {
    let parts = isList ? text.split(separator: ";").map(String.init) : [text]
    try assign(&draft, parts.map(\.trimmingBlanks).filter { !$0.isEmpty })
  }

  /// All of them, in the order in which the editor shows them.
  static let all: [EditableField] = [
    EditableField(
      name: "title", values: { [$0.record.title] }, assign: { $0.record.title = $1.first ?? "" }),
    .text("original_title", \.record.originalTitle),
    EditableField(
      name: "other_titles", isList: true, values: { $0.record.otherTitles }, assign: { $0.record.otherTitles = $1 }),
    .people("creator", kinds: Kind.shelved) { Credit.Role(main: $0) },
    EditableField(
      name: "year", values: { ($0.record.year ?? $0.record.released?.year).map { ["\($0)"] } ?? [] }, assign: setYear),
    .date("released", \.record.released) { draft in draft.record.year = draft.record.released?.year },
    EditableField(name: "genre", isList: true, values: { $0.genres }, assign: { $0.genres = $1 }),
    .number("minutes", \.record.movie.minutes, of: .movie),
    EditableField(
      name: "country", kinds: [.movie], isList: true, values: { $0.record.movie.countries },
      assign: { $0.record.movie.countries = $1 }),
    .text("tagline", \.record.movie.tagline, of: .movie),
    .text("language", \.record.movie.language, of: .movie),
    EditableField(
      name: "isbn", kinds: [.book], values: { $0.record.book.isbn.map { [$0.digits13] } ?? [] },
      assign: { $0.record.book.isbn = try $1.first.map { try ISBN($0) } }),
    .people("translator", kinds: [.book]) { _ in .translator },
    .text("publisher", \.record.book.publisher, of: .book),
    .date("published", \.record.book.published, of: .book),
    .number("pages", \.record.book.pages, of: .book),
    .text("language", \.record.book.language, of: .book),
    .text("series", \.record.book.series, of: .book),
    .text("label", \.record.vinyl.label, of: .vinyl),
    .text("catalog_number", \.record.vinyl.catalogNumber, of: .vinyl),
    .text("country", \.record.vinyl.country, of: .vinyl),
    .text("format", \.record.vinyl.format, of: .vinyl),
    .text("speed", \.record.vinyl.speed, of: .vinyl),
    .number("discs", \.record.vinyl.discs, of: .vinyl),
    EditableField(
      name: "barcode", kinds: [.vinyl], values: { $0.record.vinyl.barcode.map { [$0] } ?? [] },
      assign: { $0.record.vinyl.barcode = try $1.first.map { try Barcode($0).digits } }),
    EditableField(
      name: "url", values: { $0.record.url.map { [$0] } ?? [] },
      assign: { draft, values in
        if let url = values.first, !["https://", "http://"].contains(where: url.hasPrefix) {
          throw UsageError("\(url.quoted) is no address: it starts with https://")
        }
        draft.record.url = values.first
      }),
    .text("description", \.record.summary),
  ]

  /// The fields of things of this kind.
  static func all(of kind: Kind) -> [EditableField] { all.filter { $0.kinds.contains(kind) } }

  /// The field of this name.
  /// - Throws: ``UsageError`` saying which was perhaps meant, or who has such a field.
  static func named(_ name: String, of kind: Kind) throws -> EditableField {
    let name = aliases[name.lowercased()] ?? name.lowercased()
    let fields = all(of: kind)
    if let field = fields.first(where: { $0.name == name }) { return field }
    if let other = all.first(where: { $0.name == name }) {
      throw UsageError("\(kind.plural) have no \(name): \(other.kinds.map(\.plural).joined(separator: " and ")) do")
    }
    throw UsageError.unknown("field", name, among: fields.map(\.name))
  }

  private static let aliases = [
    "genres": "genre", "creators": "creator", "artist": "creator", "author": "creator", "director": "creator",
    "countries": "country", "translators": "translator", "runtime": "minutes",
  ]

  /// A year that contradicts the date of release wins over it.
  @Sendable private static func setYear(_ draft: inout Draft, _ values: [String]) throws {
    draft.record.year = try values.first.map { text in
      guard let year = ReleaseYear.parse(text) else {
        throw UsageError(
          "\(text.quoted) is no year",
          hint: "years go from \(ReleaseYear.range.lowerBound) to \(ReleaseYear.range.upperBound)")
      }
      return year
    }
    if draft.record.released?.year != draft.record.year { draft.record.released = nil }
  }
}

// MARK: - Kinds of fields

extension EditableField {
  private typealias Path<Value> = any (WritableKeyPath<Draft, Value> & Sendable)

  private static func text(_ name: String, _ path: Path<String?>, of kind: Kind? = nil) -> EditableField {
    EditableField(
      name: name, kinds: kind.map { [$0] } ?? Kind.shelved, values: { $0[keyPath: path].map { [$0] } ?? [] },
      assign: { $0[keyPath: path] = $1.first })
  }

  private static func number(_ name: String, _ path: Path<Int?>, of kind: Kind) -> EditableField {
    EditableField(
      name: name, kinds: [kind], values: { $0[keyPath: path].map { ["\($0)"] } ?? [] },
      assign: { draft, values in
        draft[keyPath: path] = try values.first.map { text in
          guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw UsageError("\(text.quoted) is no number of \(name)")
          }
          return number
        }
      })
  }

  private static func date(
    _ name: String, _ path: Path<PartialDate?>, of kind: Kind? = nil,
    andThen follow: @escaping @Sendable (inout Draft) -> Void = { _ in }
  ) -> EditableField {
    EditableField(
      name: name, kinds: kind.map { [$0] } ?? Kind.shelved,
      values: { $0[keyPath: path].map { [$0.description] } ?? [] },
      assign: { draft, values in
        draft[keyPath: path] = try values.first.map { text in
          guard let date = PartialDate(text) else {
            throw UsageError("\(text.quoted) is no date: write 1959, 1959-08 or 1959-08-17")
          }
          return date
        }
        follow(&draft)
      })
  }

  /// The people of one role; who stays keeps what the source calls them.
  private static func people(
    _ name: String, kinds: [Kind], role: @escaping @Sendable (Kind) -> Credit.Role
  ) -> EditableField {
    EditableField(
      name: name, kinds: kinds, isList: true,
      values: { draft in
        draft.record.credits.filter { $0.role == role(draft.record.kind) }.map(\.name)
      },
      assign: { draft, names in
        let role = role(draft.record.kind)
        let before = draft.record.credits.filter { $0.role == role }
        let others = draft.record.credits.filter { $0.role != role }
        let named = names.map { name in before.first { $0.name == name } ?? Credit(name: name, role: role) }
        draft.record.credits = role == Credit.Role(main: draft.record.kind) ? named + others : others + named
      })
  }
}

extension Record {
  /// What only movies have; empty for others.
  fileprivate var movie: Movie {
    get { if case .movie(let movie) = details { movie } else { Movie() } }
    set { if case .movie = details { details = .movie(newValue) } }
  }

  fileprivate var book: Book {
    get { if case .book(let book) = details { book } else { Book() } }
    set { if case .book = details { details = .book(newValue) } }
  }

  fileprivate var vinyl: Vinyl {
    get { if case .vinyl(let vinyl) = details { vinyl } else { Vinyl() } }
    set { if case .vinyl = details { details = .vinyl(newValue) } }
  }
}
