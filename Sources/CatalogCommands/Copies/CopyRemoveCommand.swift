internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog copy remove COPY…`: asks, then removes copies. Their items stay.
struct CopyRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove copies; their items stay.",
    discussion: """
      Shows the copies and their borrowers, and asks. --yes does not ask, --dry-run only shows. An item without copies \
      is known, not owned. A copy that changes before you answer is not removed.
      """,
    examples: [Example("catalog copy remove c7 c9", "Asks, then removes two copies.")],
    arguments: [
      .words(\.typed, value: "COPY", completion: "copies", help: "Which copies: c7, or an item that has just one.")
    ])

  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let copies = try context.copies(typed, in: store)
    try context.removeUnchanged(
      copies.map { ($0.id, try CopyFace($0, in: store).line(in: context)) },
      asking: copies.count == 1 ? "Remove this copy?" : "Remove these \(copies.count) copies?",
      as: { id in try Change(of: CopyFace(store.copy(id), in: store)) }
    ) { try context.writable(store).removeCopies(copies).map(\.id) }
  }
}
