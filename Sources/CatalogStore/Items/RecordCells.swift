internal import CatalogModel
internal import SQLite

/// What the columns of the file keep of a record. No catalog is needed to find that, so another thread may. It is not copied.
final class RecordCells: Sendable {
  let item: [Value]
  let sortTitle: Value
  /// What only things of its kind have.
  let details: [Value]

  /// - Parameter table: that of what only things of its kind have.
  init(of record: Record, in table: Table) {
    item = Self.values(of: record, in: .item)
    sortTitle = Self.sortTitle(of: record)
    details = Self.values(of: record, in: table)
  }

  static func sortTitle(of record: Record) -> Value { .optional(SortTitle.of(Text.line(record.title) ?? "")) }

  /// In the order of the columns.
  static func values(of record: Record, in table: Table) -> [Value] {
    // Where they stand: to copy a column takes longer than to ask it.
    Column.all(in: table).withUnsafeBufferPointer { columns in
      columns.indices.map { columns[$0].stored(record) }
    }
  }
}
