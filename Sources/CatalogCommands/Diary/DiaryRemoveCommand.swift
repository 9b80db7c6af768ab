internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog diary remove ENTRY…`: asks, then removes entries. Their cards stay.
struct DiaryRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove entries; items and cards stay.",
    discussion: """
      Shows the entries, and asks. --yes does not ask, --dry-run only shows. The card of an entry stays, as a rating \
      without a date; 'catalog card remove' removes it. An entry that changes before you answer is not removed.
      """,
    examples: [Example("catalog diary remove 5 6", "Asks, then removes entries 5 and 6.")],
    arguments: [.positional("entry", \.numbers, help: "The entries' numbers: 'catalog diary' shows them.")])

  var numbers: [LogEntryID] = []
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let faces = try numbers.withoutRepeats { $0 }.map { try EntryFace(store.entry($0), in: store) }
    try context.removeUnchanged(
      faces.map { ($0.entry.id, context.text($0.line)) },
      asking: faces.count == 1 ? "Remove this entry?" : "Remove these \(faces.count) entries?",
      as: { Change(of: try EntryFace(store.entry($0), in: store).item, [("entry", $0.rawValue)]) }
    ) { try context.writable(store).removeEntries(faces.map(\.entry)).map(\.id) }
  }
}
