internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The matrix as a person sees it.
struct GenreMatrixView {
  var matrix: GenreMatrix
  var top: Int
  var query: [String]
  var context: Context

  func show() throws {
    guard matrix.items > 0 else { return try context.print(GenreView.nothing) }
    guard !matrix.rows.isEmpty else {
      let none =
        matrix.items == 1 ? "The one item has no genre yet" : "None of the \(matrix.items) items has a genre yet"
      return try context.print(Note(none, command: "catalog list genre:none", query))
    }
    guard !matrix.buckets.isEmpty else {
      let none = matrix.items == 1 ? "the one item has no" : "none of the \(matrix.items) items has a"
      return try context.print("There is no heat map, because \(none) \(matrix.missing).")
    }
    let chart = matrix.heatMap(top: top, usesUnicode: context.terminal.usesUnicode)
    try chart.write(to: context.output, terminal: context.terminal)
    for note in matrix.notes(top: top, query: query) { try context.print(note) }
  }
}
