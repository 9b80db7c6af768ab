internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog report shame [QUERY]`: the items on the shelf that were never rated.
struct ReportShameCommand: Command {
  static let info = CommandInfo<Self>(
    "shame", summary: "List the items that you have not rated.",
    discussion: """
      The items that have waited longest come first. A card with words and without stars is not a rating. If \
      everything is rated, the report says so, and ends with status 1 as every empty listing.
      """,
    examples: [
      Example("catalog report shame kind:book", "The books you never rated, with the pages that wait for you."),
      Example("catalog report shame added:2026 --json=id,title", "Those of a year, for a program."),
    ],
    arguments: [
      .option(
        "limit", short: "l", \.limit,
        help: "List at most this many; on a terminal \(Self.usualLimit) by default.")
    ] + ReportOptions.arguments.lifted(\.options))

  private static let usualLimit = 20
  private static let fields = [Field.id, .kind, .title, .creator, .year, .added]

  var limit: Count?
  var options = ReportOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    var query = try options.query(in: store, context)
    // An item that is only wished for is on no shelf.
    if !query.asksForWishes { query.require(.not(.isMereWish)) }
    let count = try store.count(query)
    try options.check(count, of: query, in: context)
    query.require(.missing(.rating))
    let format = options.table.format(on: context.terminal)
    var listing = Listing(
      query: query, fields: try Field.selected(by: options.table, or: Self.fields),
      order: [ListingOrder(.added), ListingOrder(.id)], limit: limit?.number)
    guard format == .fitted else {
      // The totals are part of 'report ratings', so the rows are enough.
      let listed = try listing.write(as: .format(format), from: store, in: context)
      guard listed > 0 else { throw SilentFailure(status: .failed) }
      return
    }
    listing.limit = limit?.number ?? Self.usualLimit
    let unrated = try store.tally(query)
    try context.paged { try show(unrated, of: count, listing, from: store, in: $0) }
    guard unrated.items > 0 else { throw SilentFailure(status: .failed) }
  }

  private func show(
    _ unrated: Tally, of count: Int, _ listing: Listing, from store: Store, in context: Context
  ) throws {
    guard count > 0 else {
      return try context.print([
        .paragraph("The catalog is empty, so there is nothing to be ashamed of."),
        .paragraph("Look something up: \(code: "catalog search dune")"),
      ])
    }
    guard unrated.items > 0 else {
      return try context.print(
        count == 1
          ? "The one item is rated. Nothing to be ashamed of."
          : "All \(count) items are rated. Nothing to be ashamed of.")
    }
    let share = Double(unrated.items) / Double(count) * 100
    var entries: [Report.Fact] = [
      .init("Unrated", "\(unrated.items) of \(count.counted("item", "items")) (\(share.fixed(0)) %): \(unrated.kinds)")
    ]
    // A sum says how many items it rests on, if not on all.
    func sum(_ amount: Message, _ part: Message?) -> Message { part.map { "\(amount) (\($0))" } ?? amount }
    func ofBooks(_ known: Int) -> Message? { known < unrated.books ? "\(known) of \(unrated.books) books" : nil }
    func ofMovies(_ known: Int) -> Message? { known < unrated.movies ? "\(known) of \(unrated.movies) movies" : nil }
    let waiting: [Message] = [
      unrated.pages > 0
        ? sum(unrated.pages.counted("page", "pages"), ofBooks(unrated.booksWithPages)) : nil,
      unrated.minutes > 0 ? sum(unrated.minutes.duration, ofMovies(unrated.moviesWithMinutes)) : nil,
      unrated.prices.isEmpty
        ? nil
        : sum(Message(verbatim: unrated.priceText(in: context.moneyLanguage)), ofBooks(unrated.booksWithPrice)),
    ].compactMap(\.self)
    if !waiting.isEmpty { entries.append(.init("Waiting", waiting.joined(separator: ", "))) }
    try context.print([.entries(entries)])
    try context.print("")
    let shown = try listing.write(as: .format(.fitted), from: store, in: context)
    try context.print("")
    if shown < unrated.items {
      try context.print(
        Footnote(
          "\(unrated.items - shown) more", command: options.command("report", "shame", "--limit", "\(unrated.items)")))
    }
    if let first = try store.ids(listing.query, order: listing.order, limit: 1).first {
      try context.print(Footnote("Begin with the first", command: "catalog card add \(first) --stars 4"))
    }
  }
}
