internal import CatalogModel
internal import SQLite

/// The stored values of a record. No catalog is needed to compute them, so another thread can. A class avoids copies.
final class RecordCells: Sendable {
  let item: [Value]
  let sortTitle: Value
  /// The values of the columns that only its kind has.
  let details: [Value]

  /// - Parameter table: the table of its kind.
  init(of record: Record, in table: Table) {
    item = Self.values(of: record, in: .item)
    sortTitle = Self.sortTitle(of: record)
    details = Self.values(of: record, in: table)
  }

  static func sortTitle(of record: Record) -> Value { .optional(Articles.sortTitle(of: Text.line(record.title) ?? "")) }

  /// The stored values, in the order of the columns.
  static func values(of record: Record, in table: Table) -> [Value] {
    // The columns are read in place: copying one takes longer than its value.
    Column.all(in: table).withUnsafeBufferPointer { columns in
      columns.indices.map { columns[$0].stored(record) }
    }
  }
}
