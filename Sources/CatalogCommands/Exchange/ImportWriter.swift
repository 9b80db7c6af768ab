internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup
internal import Processes

/// Writes the rows of a file as planned, or decides each row as it comes.
final class ImportWriter<File: RowSource> {
  private let file: File
  private let name: String
  private let decider: RowDecider
  private let plan: ImportPlan?
  private let together: Int
  private let context: Context
  /// The copies of sources on this computer, which complete new items; nil where none is to be asked.
  private let copies: CopiesAtHand?
  private var reader: RowReader<PreparedRow>
  /// The number of rows read so far.
  private var index = 0
  /// The number of the item for each row, 0 for none.
  private var items: [Int64] = []
  /// Checks that the file can be read to its end, when no plan has done so.
  private var check: BackgroundWork<Void>?

  /// - Parameters:
  ///   - name: the name of the file without its folder.
  ///   - plan: the decision for each row; nil to let `decider` decide each as it comes.
  ///   - asksCopies: whether the copies of sources on this computer complete new items.
  ///   - together: the most rows in one transaction. Between two, an interrupt loses no row, and others may write.
  init(
    _ file: File, _ name: String, _ decider: RowDecider, plan: ImportPlan? = nil, asksCopies: Bool = true,
    together: Int = 100_000, _ context: Context
  ) throws {
    copies = asksCopies ? CopiesAtHand(in: context) : nil
    (self.file, self.name, self.decider, self.plan) = (file, name, decider, plan)
    (self.together, self.context) = (together, context)
    reader = try decider.reader(of: file, lastDay: context.lastDay, isSearched: plan == nil)
  }

  func write(to store: Store) throws -> ImportOutcome {
    var session = ImportSession(
      format: file.formatID, file: name, to: store, now: context.timestamp
    ) { [context] reason in
      switch reason {
      case .rejected(let rejection): context.text(rejection.message)
      case .refused(let error): context.text(Failure(error).message)
      case .adjusted(let remark): context.text(remark.message)
      }
    }
    let progress = ProgressLine(of: plan?.decisions.count, in: context)
    defer { progress.clear() }
    var outcome = ImportOutcome(plan?.tally ?? ImportTally())
    var (isAtEnd, eachByItself) = (false, false)
    while !isAtEnd {
      if session.batch != nil { try store.yieldToWriters() }
      let start = index
      let end = Uptime.now() + BusyTimeout.longestTransaction
      do {
        var soFar = outcome
        try session.write(eachByItself: eachByItself) { transaction in
          while let row = try next() {
            progress.show(index - 1, row.row.words)
            var item: ItemID?
            if let (target, remark) = try target(of: row, &soFar) {
              let result = try transaction.write(row, target, remark: remark)
              soFar.add(result, of: row.row, in: context)
              item = result.item
            }
            items.append(item?.rawValue ?? 0)
            if Interrupt.isRequested { return }
            // Nothing of a file is written that cannot be read to its end.
            if index - start == together || index.isMultiple(of: 1_000) && Uptime.now() > end {
              return try waitForCheck()
            }
          }
          isAtEnd = true
          try transaction.fillPiles()
        }
        (outcome, eachByItself) = (soFar, false)
      } catch is ImportSession.Refused {
        // One of the rows cannot be stored: the batch is written again row by row, so that the others are kept.
        (index, eachByItself) = (start, true)
        items.removeLast(items.count - start)
        reader = try decider.reader(of: file, from: start, lastDay: context.lastDay, isSearched: plan == nil)
      }
      try Interrupt.check()
    }
    outcome.batch = session.batch
    return outcome
  }

  /// The next row within the plan: the file may have grown meanwhile.
  private func next() throws -> PreparedRow? {
    if let plan, index == plan.decisions.count { return nil }
    // A short file ends before the check would.
    if index == 1_000 { try beginCheck() }
    guard let row = try reader.next() else { return nil }
    index += 1
    return row
  }

  private func beginCheck() throws {
    if plan == nil, check == nil { check = try BackgroundWork { [file] in try file.check() } }
  }

  private func waitForCheck() throws {
    try beginCheck()
    guard let check else { return }
    while check.result == nil {
      try Interrupt.check()
      check.wait(atMost: .seconds(1))
    }
    try check.result?.get()
  }

  /// The item or entry to write a row to, and a remark to keep with the row; nil for one that is left out.
  private func target(
    of row: PreparedRow, _ outcome: inout ImportOutcome
  ) throws -> (RowTarget, remark: String?)? {
    if let plan { return try target(of: row, plan.decisions[index - 1], &outcome) }
    let (decision, match) = try decider.decide(row, at: index - 1, isShown: !outcome.tally.remarks.isFull)
    outcome.tally.add(decision, row, match, context)
    return try target(of: row, decision, &outcome)
  }

  /// The target for a decision. What a copy certainly has completes a new item, alone or with an entry of the pack.
  private func target(
    of row: PreparedRow, _ decision: ImportDecision, _ outcome: inout ImportOutcome
  ) throws -> (RowTarget, remark: String?)? {
    let record: Record? =
      switch decision {
      case .new: try? row.row.content.get().record
      case .entry(let id): known(id)
      default: nil
      }
    guard let copies, let record, let found = try copies.record(certainly: record) else {
      return target(for: decision)
    }
    outcome.filled += 1
    var copied = found.record
    copied.labelSource = copied.labelSource ?? found.source.id
    if case .entry = decision { return (.entry(record.filled(from: copied)), nil) }
    return (.entry(copied), nil)
  }

  private func target(for decision: ImportDecision) -> (RowTarget, remark: String?)? {
    switch decision {
    case .leftBefore: return nil
    case .known, .rejected, .rejectedBefore, .new: return (.new, nil)
    case .item(let id): return (.item(id), nil)
    case .row(let above): return (item(of: above).map { .item($0) } ?? .new, nil)
    case .edition(let thing, let entry):
      guard let item = item(of: thing) else { return (entry.flatMap(known).map { .entry($0) } ?? .new, nil) }
      return (.edition(item, entry: entry.flatMap(known)), nil)
    case .unsure(let found):
      let told = found.told(in: context, as: item(of: found.thing))
      return (.new, context.text("perhaps the same as \(told)"))
    case .left(let reason): return (.left(context.text(reason)), nil)
    case .entry(let id): return (known(id).map { .entry($0) } ?? .new, nil)
    }
  }

  private func known(_ entry: ExternalID) -> Record? { StarterPack.shipped.record(entry) }

  private func item(of thing: MatchCandidate.Thing) -> ItemID? {
    switch thing {
    case .item(let id): id
    case .row(let above, _): item(of: above)
    case .entry: nil
    }
  }

  private func item(of row: Int) -> ItemID? {
    items.indices.contains(row) && items[row] != 0 ? ItemID(rawValue: items[row]) : nil
  }
}

extension RowDecider {
  /// Reads the rows of a file and prepares them for matching on the reading thread, without the catalog. Preparing a
  /// row takes longer than reading it.
  /// - Parameters:
  ///   - lastDay: days after it are in the future.
  ///   - isSearched: whether the rows will be matched.
  func reader(
    of file: some RowSource, from start: Int = 0, lastDay: String, isSearched: Bool = true
  ) throws -> RowReader<PreparedRow> {
    let (entries, format) = (isSearched ? entries : nil, file.formatID)
    return try RowReader(file, from: start) { PreparedRow($0, format: format, among: entries, lastDay: lastDay) }
  }
}
