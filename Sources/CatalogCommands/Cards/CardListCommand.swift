internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card [REF]`: lists the cards of one item, or all, the newest first.
struct CardListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List cards, the newest first.",
    examples: [
      Example("catalog cards", "All of them."), Example("catalog card kind of blue", "The cards of an item."),
      Example("catalog cards --sort -rating --limit 10", "The ten cards with the most stars."),
    ],
    arguments: [
      .words(\.typed, isRequired: false, help: "Only those of this item.")
    ] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var typed = TypedReferences()
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let item = try typed.isEmpty ? nil : context.item(typed, for: .reading, in: store)
    let faces = try store.cards(of: item).map { try CardFace($0, in: store) }
    try context.write(CardTable.of(faces), table, rows)
    guard !faces.isEmpty else {
      throw Failure(
        try item.map { "there is no card of \(try store.item($0).line)" } ?? "there is no card yet",
        hint: "write one: catalog card add \(item?.description ?? "42") --stars 4.5 \"…\"")
    }
  }
}
