internal import CatalogModel
internal import CatalogStore
internal import Exchange
internal import Processes

/// A source of rows to import. The rows are read twice: first to match or check them, then to write them. ``RowReader``
/// does both.
protocol RowSource: Sendable {
  /// The id by which the catalog remembers the rows: `letterboxd`.
  var formatID: String { get }
  /// The name for a person: `Letterboxd`.
  var formatName: String { get }
  var uses: [ColumnUse] { get }
  /// The guesses about all rows.
  var remarks: [Entry.Remark] { get }
  /// Calls `each` for every row, until it returns false. May run on any thread.
  func rows(_ each: (ImportRow) throws -> Bool) throws
  /// Reads to the end, on any thread, and throws the error that prevents it.
  func check() throws
}

extension RowSource {
  var remarks: [Entry.Remark] { [] }

  /// Whether any row can be read.
  func hasReadableRow() throws -> Bool {
    var isFound = false
    try rows { row in
      try Interrupt.check()
      if case .success = row.content { isFound = true }
      return !isFound
    }
    return isFound
  }

  func check() throws {
    try rows { _ in
      try Interrupt.check()
      return true
    }
  }
}

extension Import: RowSource {}
