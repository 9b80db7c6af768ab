internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog remove REF…`: removes items with all rows that belong to them.
struct RemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove items, their cards and covers.",
    discussion: """
      Shows what would be removed, and asks. --yes does not ask, --dry-run only shows. 'catalog undo' brings \
      everything back, cards and covers included.
      """,
    examples: [
      Example("catalog remove 42", "Asks, then removes item 42."),
      Example("catalog remove --where \"genre:pop year:..1970\" --dry-run", "Shows what would be removed."),
    ],
    arguments: SelectionOptions.arguments.lifted(\.selection))

  var selection = SelectionOptions()
  var result = ResultOptions()
  var isAboutMany: Bool { selection.query != nil }

  func validate() throws(UsageError) {
    try selection.validate("no item to remove was named", example: "catalog remove 42")
  }

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try selection.items(for: .removing, in: store, context)
    try context.remove(
      ids.map { ($0, context.text(try line(of: $0, in: store))) },
      asking: ids.count == 1 ? "Remove this item?" : "Remove these \(ids.count) items?",
      as: { Change(of: try store.item($0)) }
    ) {
      try context.writable(store).remove(ids)
      return ids
    }
  }

  /// The item and the rows that are removed with it: `vinyl 3: Kind of Blue — Miles Davis (1959), with 2 cards, its
  /// cover`.
  private func line(of id: ItemID, in store: Store) throws -> Message {
    let item = try store.item(id)
    let cards = try store.cards(of: id).count
    let parts: [Message] = [
      cards == 0 ? nil : cards.counted("card", "cards"),
      item.favoriteSince == nil ? nil : "its favorite mark",
      item.hasCover ? "its cover" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? item.line : "\(item.line), with \(parts.joined(separator: ", "))"
  }
}
