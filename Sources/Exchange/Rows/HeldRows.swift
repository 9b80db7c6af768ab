internal import CatalogModel

/// The memory limits for formats that scatter the data of one record over the file.
struct HeldRows {
  /// The maximum number of records.
  static let most = 100_000
  /// The maximum size of their texts, in bytes.
  static let mostBytes = 16 << 20
  static let tooMuch = ImportProblem(.tooMuch, "the export has more entries than a person can have watched")

  private var bytes = 0

  /// Counts a record that is held in memory.
  /// - Parameter things: the number of records, including this one.
  /// - Throws: ``tooMuch``.
  mutating func add(_ cells: Cells, things: Int) throws {
    // The overhead of a record besides its texts.
    bytes += cells.list.reduce(200) { $0 + $1.value.utf8.count }
    guard things <= Self.most, bytes <= Self.mostBytes else { throw Self.tooMuch }
  }
}
