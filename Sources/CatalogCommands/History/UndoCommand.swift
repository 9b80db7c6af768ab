internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog undo [N]`: undoes the last operations.
struct UndoCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "undo", summary: "Undo what the last command changed.",
    discussion: """
      A step is all that one command changed, however long ago that was. Rows that another program has changed since are \
      named and left alone, the rest is taken back. Several steps are shown first, and it asks. 'catalog redo' makes what \
      was undone again, until something else is changed.
      """,
    examples: [
      Example("catalog undo", "Takes the last command back."),
      Example("catalog undo 3 --dry-run", "Shows what the last three would be taken back to."),
    ],
    arguments: [.positional("n", \.count, help: "How many steps; 1 without it.")])

  var count: Count?

  func run(in context: Context) throws {
    let store = try context.changing()
    let steps = try store.undoable(count?.number ?? 1)
    let turning = StepTurning(isUndo: true) {
      try context.writable(store).undo(steps, now: context.timestamp, isPreview: $0)
    }
    try turning.run(steps.count, in: context)
  }
}

/// `catalog redo [N]`: redoes undone operations.
struct RedoCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "redo", summary: "Redo what was undone last.",
    discussion: "Only as long as nothing else was changed: the next change forgets what was undone.",
    examples: [Example("catalog redo", "Makes the step again that was undone last.")],
    arguments: [.positional("n", \.count, help: "How many steps; 1 without it.")])

  var count: Count?

  func run(in context: Context) throws {
    let store = try context.changing()
    let steps = try store.redoable(count?.number ?? 1)
    let turning = StepTurning(isUndo: false) { try context.writable(store).redo(steps, isPreview: $0) }
    try turning.run(steps.count, in: context)
  }
}
