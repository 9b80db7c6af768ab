internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog copy remove COPY…`: asks, then removes copies. Their items stay.
struct CopyRemoveCommand: Command {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove copies; their items stay.",
    discussion: """
      Shows what goes, who has it, and asks. --yes does not ask, --dry-run only shows. An item without copies is known, not \
      owned. A copy that is changed while the question stands is not removed.
      """,
    examples: [Example("catalog copy remove c7 c9", "Asks, then removes two copies.")],
    arguments: [.positional("copy", \.references, help: "Which copies: c7, or an item that has just one.")])

  var references: [CopyReference] = []

  func run(in context: Context) throws {
    let store = try context.changing()
    let copies = try references.map { try context.copy($0, in: store) }.withoutRepeats(by: \.id)
    let faces = try copies.map { try CopyFace($0, in: store) }
    let lines = faces.map { $0.line(in: context) }
    if context.globals.isDryRun {
      for line in lines { try context.print("would remove \(line)") }
      return
    }
    try context.ask(faces.count == 1 ? "Remove this copy?" : "Remove these \(faces.count) copies?", about: lines)
    let removed = Set(try context.writable(store).removeCopies(copies).map(\.id))
    for (copy, line) in zip(copies, lines) where removed.contains(copy.id) { try context.print("removed \(line)") }
    let others = zip(copies, lines).filter { !removed.contains($0.0.id) }
    for (_, line) in others { context.warn("not removed, since it was changed meanwhile: \(line)") }
    if !others.isEmpty { throw SilentFailure(status: .failed) }
  }
}
