internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog undo [N]`: undoes the last operations.
struct UndoCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "undo", summary: "Undo what the last command changed.",
    discussion: """
      An operation is everything that one command changed, however long ago. Rows that another program has changed \
      since are named and left alone; the rest is undone. For several operations it shows them first, and asks. \
      'catalog redo' redoes what was undone, until something else is changed.
      """,
    examples: [
      Example("catalog undo", "Undoes the last command."),
      Example("catalog undo 3 --dry-run", "Shows what undoing the last three would change."),
    ],
    arguments: [.positional("n", \.count, help: "How many operations; 1 by default.")])

  var count: Count?
  var result = ResultOptions()
  var isAboutMany: Bool { count != nil }

  func run(in context: Context) throws {
    let store = try context.changing()
    let operations = try store.undoable(count?.number ?? 1)
    if let operation = context.seen?.operation, operations.map(\.id) != [operation] {
      throw Failure("something else was changed since, or it is undone already; nothing was undone now")
    }
    let runner = UndoRunner(isUndo: true) {
      try context.writable(store).undo(operations, now: context.timestamp, isPreview: $0)
    }
    try runner.run(operations.count, in: context)
  }
}

/// `catalog redo [N]`: redoes undone operations.
struct RedoCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "redo", summary: "Redo what was undone last.",
    discussion: "This works until something else is changed: after that, undone operations cannot be redone.",
    examples: [Example("catalog redo", "Redoes the operation that was undone last.")],
    arguments: [.positional("n", \.count, help: "How many operations; 1 by default.")])

  var count: Count?
  var result = ResultOptions()
  var isAboutMany: Bool { count != nil }

  func run(in context: Context) throws {
    let store = try context.changing()
    let operations = try store.redoable(count?.number ?? 1)
    let runner = UndoRunner(isUndo: false) { try context.writable(store).redo(operations, isPreview: $0) }
    try runner.run(operations.count, in: context)
  }
}
