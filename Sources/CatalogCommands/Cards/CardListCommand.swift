internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card [QUERY]`: lists the cards of one item, of those that match a query, or all, the newest first.
struct CardListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List cards, the newest first.",
    examples: [
      Example("catalog cards", "All of them."), Example("catalog card kind of blue", "The cards of an item."),
      Example("catalog cards kind:vinyl", "Those of records."),
      Example("catalog cards --sort -rating --limit 10", "The ten cards with the most stars."),
    ],
    arguments: [
      .words(
        \.typed, isRequired: false, value: "REF|QUERY", completion: "query",
        help: "Only those of this item, or of all items that match a query.")
    ] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var typed = TypedReferences()
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let item = try item(in: store, context)
    let query = try item == nil ? context.query(typed.words, in: store) : Query()
    let cards = try item.map { try store.cards(of: $0) } ?? store.cards(of: query)
    try context.write(CardTable.of(cards.map { try CardFace($0, in: store) }, in: context), table, rows)
    guard !cards.isEmpty else {
      if item == nil, !typed.isEmpty { throw context.nothingMatches(query, typed: typed.words, "card") }
      throw Failure(
        try item.map { "there is no card of \(try store.item($0).line)" } ?? "there is no card yet",
        hint: "write one: catalog card add \(item?.description ?? "42") --stars 4.5 \"…\"")
    }
  }

  /// The item of a reference or a title; nil for the words of a query.
  private func item(in store: Store, _ context: Context) throws -> ItemID? {
    guard !typed.isEmpty else { return nil }
    guard try Reference(typed).isWords else { return try context.item(typed, for: .reading, in: store) }
    let named = try context.named(typed.words, in: store)
    if named.count == 1, case .item(let id) = named[0] { return id }
    return nil
  }
}
