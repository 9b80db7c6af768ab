internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// What became of the rows of a file that were written.
struct ImportOutcome {
  private var counts: [ImportedRow.Outcome: Int] = [:]
  /// The number of rows that were joined to rows above.
  private var inFile = 0
  /// The rows that contradict the catalog, and those that contradict rows above.
  private var differences = FirstLines()
  private var contradictions = FirstLines()
  /// What was to become of them.
  var tally: ImportTally
  /// Why what was to come did not.
  private var refusals = FirstLines()
  /// By which the catalog knows them; nil when nothing was written.
  var batch: Int64?

  init(_ tally: ImportTally) { self.tally = tally }

  /// The remarks about rows that a person has not seen yet.
  /// - Parameter isPlanned: whether they have seen what was to become of them.
  func remarks(isPlanned: Bool) -> FirstLines { isPlanned ? refusals : tally.remarks + refusals }

  mutating func add(_ written: Importing.Written, of row: ImportRow, in context: Context) {
    if let outcome = written.outcome { counts[outcome, default: 0] += 1 }
    if written.outcome == .joined, written.isOfFile { inFile += 1 }
    guard !written.differences.isEmpty else { return }
    var words: String { written.differences.joined(separator: "; ") }
    if let item = written.item {
      let line = context.text("\(row.place): \(item) \(row.words): \(words)")
      if written.isOfFile { contradictions.append(line) } else { differences.append(line) }
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
    if !contradictions.isEmpty {
      context.note("rows of one thing say it otherwise, and what the first says stays:")
      for line in contradictions.shortened(in: context) { context.note(verbatim: "  " + line) }
    }
    let added = (counts[.added] ?? 0).counted("new item", "new items")
    let joined = (counts[.joined] ?? 0) - inFile
    try context.print(
      inFile == 0
        ? "\(added), \(joined) joined to what was there"
        : "\(added), \(joined) joined to what was there, \(inFile) to rows above")
  }
}
