internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup
internal import Processes

/// Writes the rows of a file as a plan says.
struct ImportWriter<File: RowSource> {
  private let file: File
  private let name: String
  private let plan: ImportPlan
  private let together: Int
  private let context: Context

  /// - Parameters:
  ///   - name: of the file, without its folder.
  ///   - together: so many rows are written at once: who stops between them loses none, and others may write.
  init(_ file: File, _ name: String, _ plan: ImportPlan, together: Int = 20_000, _ context: Context) {
    (self.file, self.name, self.plan, self.together, self.context) = (file, name, plan, together, context)
  }

  func write(to store: Store) throws -> ImportOutcome {
    var importing = Importing(
      format: file.formatID, file: name, to: store, now: context.timestamp
    ) { reason in
      switch reason {
      case .rejected(let rejection): context.text(Message(rejection.words))
      case .refused(let error): context.text(Failure(error).message)
      case .cut(let name): context.text(Message(cut: name))
      }
    }
    let progress = ProgressLine(of: plan.decisions.count, in: context)
    defer { progress.clear() }
    var outcome = ImportOutcome(remarks: plan.remarks)
    var reader = try reader(from: 0)
    var (index, isAtEnd, eachByItself) = (0, false, false)
    while !isAtEnd {
      let start = index
      do {
        var soFar = outcome
        try importing.write(eachByItself: eachByItself) { part in
          // A file that has grown meanwhile has rows of which nothing was said.
          while index < plan.decisions.count, let row = try reader.next() {
            let decision = plan.decisions[index]
            index += 1
            progress.show(index, row.row.words)
            if let placement = placement(for: decision) {
              soFar.add(try part.write(row, placement), of: row.row, in: context)
            }
            if index - start == together || Interrupt.isRequested { return }
          }
          isAtEnd = true
          try part.fillPiles()
        }
        (outcome, eachByItself) = (soFar, false)
      } catch is Importing.Refused {
        // One of them cannot be kept: they are written once more, so that it takes no other with it.
        (reader, index, eachByItself) = (try self.reader(from: start), start, true)
      }
      try Interrupt.check()
    }
    outcome.batch = importing.batch
    return outcome
  }

  private func reader(from start: Int) throws -> RowReader<PreparedRow> {
    try RowReader(file, from: start) { [plan] in PreparedRow($0, hasRepeats: plan.hasRepeats) }
  }

  /// Where a row is to be written; nil for one that is left out.
  private func placement(for decision: ImportPlan.Decision) -> Placement? {
    switch decision {
    case .unsure, .leftBefore: nil
    case .known, .rejected, .new: .new
    case .item(let id): .item(id)
    case .edition(let id): .edition(id)
    case .left(let reason): .left(context.text(reason))
    case .again: .again
    case .entry(let id): StarterPack.shipped.record(id).map { .entry($0) } ?? .new
    }
  }
}
