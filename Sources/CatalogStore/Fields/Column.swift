internal import CatalogModel
internal import SQLite

/// A table with a row for each item, or for each item of one kind.
enum Table: String, CaseIterable, Sendable {
  case item, movie, book, vinyl

  /// The only kind whose items have a row; nil for ``item``.
  var kind: Kind? {
    switch self {
    case .item: nil
    case .movie: .movie
    case .book: .book
    case .vinyl: .vinyl
    }
  }

  /// The table of what only this kind has.
  init?(_ kind: Kind) {
    switch kind {
    case .movie: self = .movie
    case .book: self = .book
    case .vinyl: self = .vinyl
    case .music, .podcast, .app: return nil
    }
  }
}

/// A column of the file that keeps a field, and the property of a record that it stands for.
struct Column: Sendable {
  let table: Table
  let name: String
  let get: @Sendable (Record) -> FieldValue
  /// Sets it to what a person typed.
  var set: @Sendable (inout Record, [String]) throws -> Void
  /// What the file keeps of a record.
  let stored: @Sendable (Record) -> Value
  /// Takes it from a row.
  let read: @Sendable (Row, inout Record) throws -> Void
  /// What stands between several values in the file.
  var separator: String?

  /// The columns of a table, in the order of the fields.
  static func all(in table: Table) -> [Column] {
    switch table {
    case .item: item
    case .movie: movie
    case .book: book
    case .vinyl: vinyl
    }
  }

  private static let item = columns(in: .item)
  private static let movie = columns(in: .movie)
  private static let book = columns(in: .book)
  private static let vinyl = columns(in: .vinyl)

  private static func columns(in table: Table) -> [Column] {
    Field.all.flatMap { $0.columns.filter { $0.table == table } }
  }

  /// Its value as a listing hands it over.
  var listed: SQL {
    // Names of the program's own.
    let column = SQL(stringLiteral: "\(table.rawValue).\(name)")
    return separator.map { "replace(\(column), \($0), char(31))" } ?? column
  }
}

// MARK: - Sorts of columns

extension Column {
  // A property of a record, to be read and written. A key path would say both at once, but making twenty of them takes a
  // tenth of the time of `show`.
  typealias Get<Value> = @Sendable (Record) -> Value
  typealias Set<Value> = @Sendable (inout Record, Value) -> Void

  /// One line of text.
  static func text(_ table: Table, _ name: String, _ take: @escaping Get<String?>, _ put: @escaping Set<String?>)
    -> Column
  {
    Column(
      table: table, name: name, get: { FieldValue(take($0)) }, set: { put(&$0, $1.first) },
      stored: { .optional(Text.line(take($0))) }, read: { put(&$1, try $0.get(name)) })
  }

  /// Text of several lines.
  static func lines(_ table: Table, _ name: String, _ take: @escaping Get<String?>, _ put: @escaping Set<String?>)
    -> Column
  {
    Column(
      table: table, name: name, get: { FieldValue(take($0)) }, set: { put(&$0, $1.first) },
      stored: { .optional(Text.lines(take($0))) }, read: { put(&$1, try $0.get(name)) })
  }

  /// How many of something, above 0.
  static func count(_ table: Table, _ name: String, _ take: @escaping Get<Int?>, _ put: @escaping Set<Int?>) -> Column {
    Column(
      table: table, name: name, get: { FieldValue(take($0)) },
      set: { record, texts in
        let value = try texts.first.map { text in
          guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw Field.Problem(words: "'\(text)' is no number of \(name)")
          }
          return number
        }
        put(&record, value)
      },
      stored: { .optional(take($0).flatMap { $0 > 0 ? $0 : nil }) },
      read: { put(&$1, try $0.get(name)) })
  }

  static func date(
    _ table: Table, _ name: String, _ take: @escaping Get<PartialDate?>, _ put: @escaping Set<PartialDate?>
  ) -> Column {
    Column(
      table: table, name: name, get: { FieldValue(take($0)?.description) },
      set: { record, texts in
        let value = try texts.first.map { text in
          guard let date = PartialDate(text) else {
            throw Field.Problem(words: "'\(text)' is no date: write 1959, 1959-08 or 1959-08-17")
          }
          return date
        }
        put(&record, value)
      },
      stored: { .optional(take($0)?.description) },
      read: { put(&$1, try $0.date(name)) })
  }

  /// Texts with a separator between them.
  static func list(
    _ table: Table, _ name: String, separator: String, _ take: @escaping Get<[String]>, _ put: @escaping Set<[String]>
  ) -> Column {
    Column(
      table: table, name: name, get: { .list(take($0)) }, set: { put(&$0, $1) },
      stored: { record in
        let texts = take(record).compactMap(Text.line)
        return .optional(texts.isEmpty ? nil : texts.joined(separator: separator))
      },
      read: { row, record in
        // The blank is not everybody's.
        let mark = separator.first ?? "\n"
        put(&record, try row.get(name, as: String?.self)?.split(separator: mark).map(\.trimmingBlanks) ?? [])
      }, separator: separator)
  }

  /// A number as it stands, which only a source gives.
  static func amount(_ table: Table, _ name: String, _ take: @escaping Get<Int?>, _ put: @escaping Set<Int?>) -> Column
  {
    Column(
      table: table, name: name, get: { FieldValue(take($0)) }, set: { _, _ in },
      stored: { .optional(take($0)) }, read: { put(&$1, try $0.get(name)) })
  }
}
