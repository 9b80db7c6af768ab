internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog diary remove ENTRY…`: asks, then removes entries. Their cards stay.
struct DiaryRemoveCommand: Command {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove entries; items and cards stay.",
    discussion: """
      Shows what goes, and asks. --yes does not ask, --dry-run only shows. The card of an entry stays, as a rating that says \
      nothing of when; 'catalog card remove' removes it. An entry that is changed while the question stands is not removed.
      """,
    examples: [Example("catalog diary remove 5 6", "Asks, then removes entries 5 and 6.")],
    arguments: [.positional("entry", \.numbers, help: "The entries' numbers: 'catalog diary' shows them.")])

  var numbers: [LogEntryID] = []

  func run(in context: Context) throws {
    let store = try context.changing()
    let faces = try numbers.withoutRepeats { $0 }.map { try EntryFace(store.entry($0), in: store) }
    if context.globals.isDryRun {
      for face in faces { try context.print("would remove \(context.safe(context.text(face.line)))") }
      return
    }
    try context.ask(
      faces.count == 1 ? "Remove this entry?" : "Remove these \(faces.count) entries?",
      about: faces.map { context.text($0.line) })
    let removed = Set(try context.writable(store).removeEntries(faces.map(\.entry)).map(\.id))
    for face in faces where removed.contains(face.entry.id) {
      try context.print("removed \(context.safe(context.text(face.line)))")
    }
    let others = faces.filter { !removed.contains($0.entry.id) }
    for face in others { context.warn("not removed, since it was changed meanwhile: \(face.line)") }
    if !others.isEmpty { throw SilentFailure(status: .failed) }
  }
}
