internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The matrix as a person sees it.
struct GenreMatrixView {
  var matrix: GenreMatrix
  var top: Int
  var question: GenreQuestion

  func show(in context: Context) throws {
    try context.print(blocks(on: context.terminal))
  }

  private func blocks(on terminal: Terminal) -> [Report.Block] {
    guard matrix.items > 0 else { return GenreView.nothing }
    guard !matrix.rows.isEmpty else {
      let none: Message =
        matrix.items == 1 ? "The one item has no genre yet" : "None of the \(matrix.items) items has a genre yet"
      return [.note(Footnote(none, command: question.listing("genre:none")))]
    }
    guard !matrix.buckets.isEmpty else {
      return [
        .paragraph(
          matrix.items == 1
            ? "There is no heat map, because the one item has no \(matrix.missing)."
            : "There is no heat map, because none of the \(matrix.items) items has a \(matrix.missing).")
      ]
    }
    return [
      .figure(
        matrix.heatMap(top: top, usesUnicode: terminal.usesUnicode, in: terminal.translation),
        notes: matrix.notes(top: top, of: question, in: terminal.translation))
    ]
  }
}
