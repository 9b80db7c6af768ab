internal import SQLite

/// An index of words. What a person wrote, and tracks, have one of their own: so titles are found as fast as ever, and stand
/// before what only their words are like.
enum SearchIndex: String, CaseIterable, Sendable {
  /// Titles, names, genres and codes.
  case names = "item_search"
  /// Own words: comments, tracks.
  case own = "item_search_own"

  /// The virtual table.
  var table: SQL { SQL(stringLiteral: rawValue) }

  /// The column of `item_text` with what it is told.
  var text: SQL {
    switch self {
    case .names: "text"
    case .own: "own"
    }
  }

  /// Selects the items in which an expression of ``SearchText`` is found.
  func items(matching expression: String) -> SQL { "SELECT rowid FROM \(table) WHERE \(table) MATCH \(expression)" }
}
