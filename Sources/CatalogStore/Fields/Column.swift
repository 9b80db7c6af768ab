internal import CatalogModel
internal import SQLite

/// A table with a row for each item, or for each item of one kind.
enum Table: String, CaseIterable, Sendable {
  case item, movie, book, vinyl

  /// The kind whose items have a row in the table; nil for ``item``, where all items have one.
  var kind: Kind? {
    switch self {
    case .item: nil
    case .movie: .movie
    case .book: .book
    case .vinyl: .vinyl
    }
  }

  /// The table of the columns that only this kind has; nil if the kind has no table.
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
  /// Sets the property from the texts that the user typed.
  var set: @Sendable (inout Record, [String]) throws -> Void
  /// The value that the file stores for a record.
  let stored: @Sendable (Record) -> Value
  /// Reads the property from a row of the table.
  let read: @Sendable (Row, inout Record) throws -> Void
  /// The separator between several values in the file; nil for a single value.
  var separator: String?
  /// The text that a listing shows instead of the value.
  var shown: SQL?

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

  /// The expression for the value in a listing. U+001F separates several values.
  var listed: SQL {
    // Both names are the program's own, never the user's.
    let column = SQL(stringLiteral: "\(table.rawValue).\(name)")
    return separator.map { "replace(\(column), \($0), char(31))" } ?? column
  }
}

// MARK: - Sorts of columns

extension Column {
  // Closures that read and write a property of a record. A key path would do both, but making twenty of them takes a
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

  /// The ISO 639-1 code of a language.
  static func language(_ table: Table, _ take: @escaping Get<String?>, _ put: @escaping Set<String?>) -> Column {
    var column = text(table, "language", take, put)
    column.set = { record, texts in
      let code = try texts.first.map { text in
        guard let code = Language.code(named: text) else {
          throw Field.Problem(
            message: "there is no language '\(text)'", hint: "write its name or code: Korean, 한국어, ko")
        }
        return code
      }
      put(&record, code)
    }
    return column
  }

  /// Text of several lines.
  static func lines(_ table: Table, _ name: String, _ take: @escaping Get<String?>, _ put: @escaping Set<String?>)
    -> Column
  {
    Column(
      table: table, name: name, get: { FieldValue(take($0)) }, set: { put(&$0, $1.first) },
      stored: { .optional(Text.lines(take($0))) }, read: { put(&$1, try $0.get(name)) })
  }

  /// A number above 0.
  static func count(_ table: Table, _ name: String, _ take: @escaping Get<Int?>, _ put: @escaping Set<Int?>) -> Column {
    Column(
      table: table, name: name, get: { FieldValue(take($0)) },
      set: { record, texts in
        let value = try texts.first.map { text in
          guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw Field.Problem(message: "invalid \(name) '\(text)': give a whole number above 0")
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
          guard let date = PartialDate(typed: text, in: DayContext(mayBeToCome: true)) else {
            throw Field.Problem(message: "invalid date '\(text)': write 1959, 1959-08 or 1959-08-17")
          }
          return date
        }
        put(&record, value)
      },
      stored: { .optional(take($0)?.description) },
      read: { put(&$1, try $0.date(name)) })
  }

  /// Several texts, stored with a separator between them.
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
        // Only the first character counts: a stored list may lack the blank behind it.
        let mark = separator.first ?? "\n"
        put(&record, try row.get(name, as: String?.self)?.split(separator: mark).map(\.trimmingBlanks) ?? [])
      }, separator: separator)
  }

  /// A price of a book. Its currency is in another column, which is read after it.
  static func price(_ name: String, _ take: @escaping Get<Price?>, _ put: @escaping Set<Int?>) -> Column {
    let value = SQL(stringLiteral: "book.\(name)")
    return Column(
      table: .book, name: name, get: { take($0).map(FieldValue.money) ?? .none }, set: { _, _ in },
      stored: { .optional(take($0)?.minorUnits) }, read: { put(&$1, try $0.get(name)) },
      shown: Field.amount(value, "book.currency"))
  }

  /// A number that only a source sets; `edit` does not change it.
  static func amount(_ table: Table, _ name: String, _ take: @escaping Get<Int?>, _ put: @escaping Set<Int?>) -> Column
  {
    Column(
      table: table, name: name, get: { FieldValue(take($0)) }, set: { _, _ in },
      stored: { .optional(take($0)) }, read: { put(&$1, try $0.get(name)) })
  }
}
