internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog favorites`: lists the favorites, the newest first.
struct FavoritesCommand: Command {
  static let info = CommandInfo<Self>(
    "favorites", aliases: ["favs"], summary: "List your favorites, the newest first.",
    examples: [
      Example("catalog favorites", "All of them."), Example("catalog favorites kind:vinyl", "The records among them."),
    ],
    arguments: [.query(\.words, help: "Only those that match a query.")] + OrderOptions.arguments.lifted(\.rows)
      + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var rows = OrderOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    var query = try context.query(words, in: store)
    query.require(.isFavorite)
    let listing = Listing(
      query: query,
      fields: try Field.selected(by: table, or: [.id, .kind, .title, .creator, .year, .favorite]),
      order: rows.order.isEmpty ? [ListingOrder(.favorite, isDescending: true)] : rows.order,
      limit: rows.limit?.number)
    let count = try context.paged {
      try listing.write(as: .format(table.format(on: context.terminal)), from: store, in: $0)
    }
    guard count > 0 else {
      throw words.isEmpty
        ? Failure("there is no favorite yet", hint: "make one: catalog favorite 42")
        : context.nothingMatches(query, typed: words, "favorite")
    }
  }
}
