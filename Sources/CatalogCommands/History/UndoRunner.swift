internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The common part of `undo` and `redo`: preview, question, change and result.
struct UndoRunner {
  let isUndo: Bool
  /// Undoes or redoes the operations, or only previews that.
  let reverse: (_ isPreview: Bool) throws -> [UndoResult]

  func run(_ count: Int, in context: Context) throws {
    if context.globals.isDryRun { return try tell(try reverse(true), in: context) }
    if count > 1 {
      let lines = try reverse(true).flatMap { result in
        [context.safe(result.operation.line)] + Self.lines(of: result, in: context)
      }
      try context.ask(isUndo ? "Undo these \(count) operations?" : "Redo these \(count) operations?", about: lines)
    }
    let results = try reverse(false)
    try tell(results, in: context)
    // Nothing was undone, since all rows were changed later.
    if results.allSatisfy({ $0.changes.isEmpty && !$0.conflicts.isEmpty }) { throw SilentFailure(status: .failed) }
  }

  private func tell(_ results: [UndoResult], in context: Context) throws {
    for result in results {
      let lines = Self.lines(of: result, in: context)
      // A form has no typed line.
      let isTyped = context.seen == nil
      let line = isTyped ? context.safe(result.operation.line) : lines.map(\.trimmingBlanks).joined(separator: "; ")
      switch (isUndo, context.globals.isDryRun) {
      case (true, false): try context.print("undone: \(line)")
      case (false, false): try context.print("redone: \(line)")
      case (true, true): try context.print("would undo: \(line)")
      case (false, true): try context.print("would redo: \(line)")
      }
      if isTyped { for line in lines { try context.print(verbatim: line) } }
      let outcome: Change.Outcome = context.globals.isDryRun ? .planned : result.changes.isEmpty ? .already : .done
      context.changes?.append(
        Change(
          outcome,
          [
            ("operation", result.operation.id), ("command", result.operation.command), ("typed", result.operation.line),
            ("changes", OperationWords(changes: result.changes).lines.map { $0.text(in: nil) }),
            ("conflicts", result.conflicts.count),
          ]))
      let words = result.conflicts.map { context.text(OperationWords.words($0)) }
      for line in context.shortened(words) { context.warn(Message(verbatim: line)) }
    }
  }

  private static func lines(of result: UndoResult, in context: Context) -> [String] {
    OperationWords(changes: result.changes).lines.map { "  " + context.safe(context.text($0)) }
  }
}
