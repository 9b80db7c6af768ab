internal import CatalogModel
internal import SQLite

/// A table with a row for each item, or for each item of one kind.
enum Table: String, CaseIterable, Sendable {
  case item, movie, book, vinyl

  /// The only kind whose items have a row; nil for ``item``.
  var kind: Kind? { Kind(rawValue: rawValue) }

  /// The table of what only this kind has.
  init?(_ kind: Kind) {
    guard let table = Table(rawValue: kind.rawValue), kind.isShelved else { return nil }
    self = table
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

  /// Every column by its table, in the order of the fields.
  static let all: [Table: [Column]] = Dictionary(grouping: Field.all.flatMap(\.columns), by: \.table)

  /// Its value as a listing hands it over.
  var listed: SQL {
    let column: SQL = "\(identifier: table.rawValue).\(identifier: name)"
    return separator.map { "replace(\(column), \($0), char(31))" } ?? column
  }
}

// MARK: - Sorts of columns

extension Column {
  /// A property of a record, its key path made when it is used.
  typealias Path<Value> = @Sendable () -> any (WritableKeyPath<Record, Value> & Sendable)

  /// One line of text.
  static func text(_ table: Table, _ name: String, _ path: @autoclosure @escaping Path<String?>) -> Column {
    Column(
      table: table, name: name, get: { FieldValue($0[keyPath: path()]) }, set: { $0[keyPath: path()] = $1.first },
      stored: { .optional(Text.line($0[keyPath: path()])) }, read: { $1[keyPath: path()] = try $0.get(name) })
  }

  /// Text of several lines.
  static func lines(_ table: Table, _ name: String, _ path: @autoclosure @escaping Path<String?>) -> Column {
    Column(
      table: table, name: name, get: { FieldValue($0[keyPath: path()]) }, set: { $0[keyPath: path()] = $1.first },
      stored: { .optional(Text.lines($0[keyPath: path()])) }, read: { $1[keyPath: path()] = try $0.get(name) })
  }

  /// How many of something, above 0.
  static func count(_ table: Table, _ name: String, _ path: @autoclosure @escaping Path<Int?>) -> Column {
    Column(
      table: table, name: name, get: { FieldValue($0[keyPath: path()]) },
      set: { record, texts in
        record[keyPath: path()] = try texts.first.map { text in
          guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw Field.Problem(description: "'\(text)' is no number of \(name)")
          }
          return number
        }
      },
      stored: { .optional($0[keyPath: path()].flatMap { $0 > 0 ? $0 : nil }) },
      read: { $1[keyPath: path()] = try $0.get(name) })
  }

  static func date(_ table: Table, _ name: String, _ path: @autoclosure @escaping Path<PartialDate?>) -> Column {
    Column(
      table: table, name: name, get: { FieldValue($0[keyPath: path()]?.description) },
      set: { record, texts in
        record[keyPath: path()] = try texts.first.map { text in
          guard let date = PartialDate(text) else {
            throw Field.Problem(description: "'\(text)' is no date: write 1959, 1959-08 or 1959-08-17")
          }
          return date
        }
      },
      stored: { .optional($0[keyPath: path()]?.description) },
      read: { $1[keyPath: path()] = try $0.get(name, as: String?.self).flatMap { PartialDate($0) } })
  }

  /// Texts with a separator between them.
  static func list(
    _ table: Table, _ name: String, separator: String, _ path: @autoclosure @escaping Path<[String]>
  ) -> Column {
    Column(
      table: table, name: name, get: { .list($0[keyPath: path()]) }, set: { $0[keyPath: path()] = $1 },
      stored: { record in
        let texts = record[keyPath: path()].compactMap(Text.line)
        return .optional(texts.isEmpty ? nil : texts.joined(separator: separator))
      },
      read: { row, record in
        // The blank is not everybody's.
        let mark = separator.first ?? "\n"
        record[keyPath: path()] =
          try row.get(name, as: String?.self)?.split(separator: mark).map(\.trimmingBlanks) ?? []
      }, separator: separator)
  }

  /// A number as it stands, which only a source gives.
  static func amount(_ table: Table, _ name: String, _ path: @autoclosure @escaping Path<Int?>) -> Column {
    Column(
      table: table, name: name, get: { FieldValue($0[keyPath: path()]) }, set: { _, _ in },
      stored: { .optional($0[keyPath: path()]) }, read: { $1[keyPath: path()] = try $0.get(name) })
  }
}
