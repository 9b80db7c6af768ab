internal import CatalogModel

/// How much of a file is held in memory, where what it says of one thing stands all over it.
struct HeldRows {
  /// So many things at most.
  static let most = 100_000
  /// All that is said of them, in bytes.
  static let mostBytes = 16 << 20
  static let tooMuch = ImportProblem(.tooMuch, "the export has more in it than anybody has watched")

  private var bytes = 0

  /// Counts a record that is held.
  /// - Parameter things: how many there are with it.
  /// - Throws: ``tooMuch``.
  mutating func add(_ cells: Cells, things: Int) throws {
    // What a record takes beside its texts.
    bytes += cells.list.reduce(200) { $0 + $1.value.utf8.count }
    guard things <= Self.most, bytes <= Self.mostBytes else { throw Self.tooMuch }
  }
}
