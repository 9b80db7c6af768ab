internal import CatalogModel
internal import CommandLineKit

/// The remarks about the cells of a file, each once with the number of its rows.
struct RowRemarks {
  /// The most different remarks. A file usually has a few, with names of columns in them; more are not counted.
  private static let most = 100

  private var counts: [(remark: Entry.Remark, rows: Int, first: Message)] = []

  mutating func add(_ remarks: [Entry.Remark], of row: ImportRow) {
    for remark in remarks {
      if let place = counts.firstIndex(where: { $0.remark == remark }) {
        counts[place].rows += 1
      } else if counts.count < Self.most {
        counts.append((remark, 1, row.place))
      }
    }
  }

  /// The number of cells that were not taken as they are.
  var cells: Int { counts.reduce(0) { $0 + $1.rows } }

  /// `'Date Read' goes into the note instead: 12 rows, the first: line 3`
  func lines(in context: Context) -> [String] {
    counts.map { remark, rows, first in
      context.text("\(remark.message): \(rows.counted("row", "rows")), the first: \(first)")
    }
  }
}
