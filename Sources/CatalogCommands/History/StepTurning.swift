internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The common part of `undo` and `redo`: preview, question, change and result.
struct StepTurning {
  let isUndo: Bool
  /// Undoes or redoes the operations, or only previews that.
  let turn: (_ isPreview: Bool) throws -> [TurnedStep]

  func run(_ count: Int, in context: Context) throws {
    if context.globals.isDryRun { return try tell(try turn(true), in: context) }
    if count > 1 {
      let lines = try turn(true).flatMap { turned in
        [context.safe(turned.step.line)] + Self.lines(of: turned, in: context)
      }
      try context.ask(isUndo ? "Undo these \(count) steps?" : "Redo these \(count) steps?", about: lines)
    }
    let turned = try turn(false)
    try tell(turned, in: context)
    // Nothing was undone, since all rows were changed later.
    if turned.allSatisfy({ $0.changes.isEmpty && !$0.left.isEmpty }) { throw SilentFailure(status: .failed) }
  }

  private func tell(_ turned: [TurnedStep], in context: Context) throws {
    for turned in turned {
      let line = context.safe(turned.step.line)
      switch (isUndo, context.globals.isDryRun) {
      case (true, false): try context.print("undone: \(line)")
      case (false, false): try context.print("redone: \(line)")
      case (true, true): try context.print("would undo: \(line)")
      case (false, true): try context.print("would redo: \(line)")
      }
      for line in Self.lines(of: turned, in: context) { try context.print(verbatim: line) }
      let words = turned.left.map { context.text(StepWords.words($0)) }
      for line in context.shortened(words) { context.warn(Message(verbatim: line)) }
    }
  }

  private static func lines(of turned: TurnedStep, in context: Context) -> [String] {
    StepWords(changes: turned.changes).lines.map { "  " + context.safe(context.text($0)) }
  }
}
