internal import SQLite

/// A full-text index. Comments and tracks have their own index, so that searches of titles stay fast and titles come
/// first.
enum SearchIndex: String, CaseIterable, Sendable {
  /// Titles, names, genres and codes.
  case names = "item_search"
  /// Comments and tracks.
  case own = "item_search_own"

  /// The virtual table.
  var table: SQL { SQL(stringLiteral: rawValue) }

  /// The column of `item_text` with the indexed text.
  var text: SQL {
    switch self {
    case .names: "text"
    case .own: "own"
    }
  }

  /// Selects the items that match an expression of ``SearchText``.
  func items(matching expression: String) -> SQL { "SELECT rowid FROM \(table) WHERE \(table) MATCH \(expression)" }
}
