internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The outcome of the written rows of a file.
struct ImportOutcome {
  private var counts: [ImportedRow.Outcome: Int] = [:]
  /// The number of rows that were joined to rows above.
  private var inFile = 0
  /// The rows that contradict the catalog, and those that contradict rows above.
  private var differences = FirstLines()
  private var contradictions = FirstLines()
  /// The planned outcomes.
  var tally: ImportTally
  /// The new items that copies of sources on this computer completed.
  var filled = 0
  /// The reasons why planned rows were rejected.
  private var refusals = FirstLines()
  /// The number of the import in the catalog; nil when nothing was written.
  var batch: Int64?

  init(_ tally: ImportTally) { self.tally = tally }

  /// The number of rows that are not in the catalog, since they cannot be read or stored.
  var rejected: Int { max(counts[.rejected] ?? 0, tally.count(.rejected)) + tally.rejectedBefore }

  /// The remarks that a person has not seen yet.
  /// - Parameter isPlanned: whether they have seen the plan.
  func remarks(isPlanned: Bool) -> FirstLines { isPlanned ? refusals : tally.remarks + refusals }

  mutating func add(_ result: ImportSession.RowResult, of row: ImportRow, in context: Context) {
    if let outcome = result.outcome { counts[outcome, default: 0] += 1 }
    if result.outcome == .joined, result.isOfFile { inFile += 1 }
    guard !result.differences.isEmpty else { return }
    var words: String { result.differences.joined(separator: "; ") }
    if let item = result.item {
      let line = context.text("\(row.place): \(item) \(row.words): \(words)")
      if result.isOfFile { contradictions.append(line) } else { differences.append(line) }
    } else if result.outcome == .rejected, case .success = row.content {
      refusals.append(context.text("\(row.place): \(row.words): rejected: \(words)"))
    }
  }

  /// The change of the import for `--json`, with the number of rows by what became of them.
  /// - Parameters:
  ///   - outcome: whether they were written.
  ///   - file: the file as typed, and its format.
  func change(_ outcome: Change.Outcome, _ file: (path: String, format: String)) -> Change {
    let isPlan = batch == nil
    let new = tally.count(.inPack) + tally.count(.new) + tally.count(.unsure)
    return Change(
      outcome,
      [
        ("file", file.path), ("file_format", file.format), ("import", batch), ("rows", tally.rows),
        ("added", isPlan ? new : counts[.added] ?? 0),
        ("joined", isPlan ? tally.count(.onShelf) + tally.count(.inFile) : counts[.joined] ?? 0),
        ("rejected", isPlan ? tally.count(.rejected) : counts[.rejected] ?? 0),
        ("skipped", isPlan ? tally.count(.left) : counts[.skipped] ?? 0), ("unchanged", tally.count(.known)),
        ("unsure", tally.count(.unsure)), ("noted", tally.told.cells),
      ])
  }

  /// Prints the counts, and the differences that were not applied.
  func tell(in context: Context) throws {
    if !differences.isEmpty {
      context.note("different in the file (the catalog's values are kept):")
      for line in differences.shortened(in: context) { context.note(verbatim: "  " + line) }
    }
    if !contradictions.isEmpty {
      context.note("different in several rows of one item (the first value is kept):")
      for line in contradictions.shortened(in: context) { context.note(verbatim: "  " + line) }
    }
    let added = (counts[.added] ?? 0).counted("new item", "new items")
    let joined = (counts[.joined] ?? 0) - inFile
    try context.print(
      inFile == 0
        ? "\(added), \(joined) joined to existing items"
        : "\(added), \(joined) joined to existing items, \(inFile) to rows above")
    if filled > 0 {
      try context.print("the copies of sources on this computer filled \(filled.counted("item", "items"))")
    }
  }
}
