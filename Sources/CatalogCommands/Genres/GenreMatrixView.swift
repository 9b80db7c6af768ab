internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The matrix as a person sees it.
struct GenreMatrixView {
  var matrix: GenreMatrix
  var top: Int
  /// The highest rate at which the map of an unchanged taste may mark a field, 0 … 1.
  var rate = GenreMatrix.rateAlone
  var query: [String]
  var context: Context

  func show() throws {
    guard matrix.items > 0 else { return try context.print(GenreView.nothing) }
    guard !matrix.rows.isEmpty else {
      let none: Message =
        matrix.items == 1 ? "The one item has no genre yet" : "None of the \(matrix.items) items has a genre yet"
      return try context.print(Footnote(none, command: "catalog list genre:none", query))
    }
    guard !matrix.buckets.isEmpty else {
      return try context.print(
        matrix.items == 1
          ? "There is no heat map, because the one item has no \(matrix.missing)."
          : "There is no heat map, because none of the \(matrix.items) items has a \(matrix.missing).")
    }
    let translation = context.terminal.translation
    let chart = matrix.heatMap(top: top, rate: rate, usesUnicode: context.terminal.usesUnicode, in: translation)
    try chart.write(to: context.output, terminal: context.terminal)
    for note in matrix.notes(top: top, query: query, in: translation) { try context.print(note) }
  }
}
