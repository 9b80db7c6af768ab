internal import CatalogModel
internal import CatalogStore
internal import Exchange
internal import Processes

/// Where rows come from that are imported. They are read twice: to find out what they are, or whether they can all be read, and to be
/// written. ``RowReader`` does it.
protocol RowSource: Sendable {
  /// By which the catalog remembers the rows: `letterboxd`.
  var formatID: String { get }
  /// For a person: `Letterboxd`.
  var formatName: String { get }
  var uses: [ColumnUse] { get }
  /// What was guessed of all rows.
  var remarks: [Entry.Remark] { get }
  /// Calls `each` for every row, until it returns false. On any thread.
  func rows(_ each: (ImportRow) throws -> Bool) throws
  /// Reads to the end, on any thread: throws what keeps it from being read whole.
  func check() throws
}

extension RowSource {
  var remarks: [Entry.Remark] { [] }

  func check() throws {
    try rows { _ in
      try Interrupt.check()
      return true
    }
  }
}

extension Import: RowSource {}
