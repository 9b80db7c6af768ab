internal import CatalogModel
internal import CatalogStore
internal import Exchange

/// Where rows come from that are imported. They are read twice: to find out what they are, and to be written. ``RowReader`` does it.
protocol RowSource: Sendable {
  /// By which the catalog remembers the rows: `letterboxd`.
  var formatID: String { get }
  /// For a person: `Letterboxd`.
  var formatName: String { get }
  var uses: [ColumnUse] { get }
  /// Calls `each` for every row, until it returns false. On any thread.
  func rows(_ each: (ImportRow) throws -> Bool) throws
}

extension Import: RowSource {}
