internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// What became of the rows of a file that were written.
struct ImportOutcome {
  private var counts: [ImportedRow.Outcome: Int] = [:]
  /// What the file says otherwise than the catalog.
  private var differences = FirstLines()
  /// What was to become of them.
  var tally: ImportTally
  /// Why what was to come did not.
  private var refusals = FirstLines()
  /// By which the catalog knows them; nil when nothing was written.
  var batch: Int64?

  init(_ tally: ImportTally) { self.tally = tally }

  /// What a person should see of rows that did not come.
  var remarks: FirstLines { tally.remarks + refusals }

  mutating func add(_ written: Importing.Written, of row: ImportRow, in context: Context) {
    if let outcome = written.outcome { counts[outcome, default: 0] += 1 }
    guard !written.differences.isEmpty else { return }
    var words: String { written.differences.joined(separator: "; ") }
    if let item = written.item {
      differences.append(context.text("\(row.place): \(item) \(row.words): \(words)"))
    } else if written.outcome == .rejected, case .success = row.content {
      refusals.append(context.text("\(row.place): \(row.words): rejected: \(words)"))
    }
  }

  /// Tells the counts, and what stays as it is here.
  func tell(in context: Context) throws {
    if !differences.isEmpty {
      context.note("the file says otherwise, and what is here stays:")
      for line in differences.shortened(in: context) { context.note(verbatim: "  " + line) }
    }
    let (added, joined) = (counts[.added] ?? 0, counts[.joined] ?? 0)
    try context.print("\(added.counted("new item", "new items")), \(joined) joined to what was there")
  }
}
