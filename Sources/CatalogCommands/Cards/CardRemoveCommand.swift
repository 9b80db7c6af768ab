internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog card remove CARD…`: asks, then removes cards. Their items stay.
struct CardRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove cards; their items stay.",
    discussion: """
      Shows the cards, and asks. --yes does not ask, --dry-run only shows. A card that changes before you answer is \
      not removed.
      """,
    examples: [
      Example("catalog card remove 7 9", "Asks, then removes cards 7 and 9."),
      Example("catalog card remove --where \"kind:movie year:..1970\" --dry-run", "The cards that would be removed."),
    ],
    arguments: [
      .positional("card", \.numbers, isRequired: false, help: "The cards' numbers."),
      .option("where", short: "w", \.query, value: "QUERY", help: "The cards of all items that match a query instead.")
        .terms(Query.names),
      .flag("all", short: "a", \.takesAll, help: "All cards instead."),
    ])

  var numbers: [CardID] = []
  var query: String?
  var takesAll = false
  var result = ResultOptions()
  var isAboutMany: Bool { takesAll || query != nil }

  func validate() throws(UsageError) {
    let count = [!numbers.isEmpty, query != nil, takesAll].count { $0 }
    guard count != 1 else { return }
    throw UsageError(
      count == 0 ? "no card to remove was named" : "name cards, give --where or give --all: only one of them",
      hint: "for example: catalog card remove 7")
  }

  func run(in context: Context) throws {
    let store = try context.changing()
    let faces = try cards(in: store, context).map { try CardFace($0, in: store) }
    try context.removeUnchanged(
      faces.map { ($0.card.id, context.text($0.line)) },
      asking: faces.count == 1 ? "Remove this card?" : "Remove these \(faces.count) cards?",
      as: { id in try Change(of: CardFace(store.card(id), in: store)) }
    ) {
      // On a page they may have been others.
      let seen = context.seen?.fields ?? [:]
      let cards = faces.map(\.card).filter { card in seen.allSatisfy { card.shown[$0.key] == $0.value } }
      return try context.writable(store).removeCards(cards).map(\.id)
    }
  }

  private func cards(in store: Store, _ context: Context) throws -> [Card] {
    if !numbers.isEmpty { return try numbers.withoutRepeats { $0 }.map(store.card) }
    let selected = try query.map { try context.query(line: $0, in: store) }
    let cards = try selected.map(store.cards) ?? store.cards()
    guard !cards.isEmpty else {
      guard let query, let selected else { throw Failure("there is no card yet") }
      throw context.nothingMatches(selected, typed: [query], "card")
    }
    return cards
  }
}
