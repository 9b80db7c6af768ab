internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog pick [QUERY]`: suggests a random item to watch, read or play.
struct PickCommand: Command {
  static let info = CommandInfo<Self>(
    "pick", summary: "Pick something to watch, read or play at random.",
    discussion: """
      Items that you never watched, read or played – with no diary entry and no card – are eight times as likely as \
      others. Items at hand are four times as likely as records and books that you own no copy of, or whose copies are \
      all lent.

      With --new it proposes what you do not have, by the creators and of the genres that you rate above your mean, from \
      the copies of sources on this computer ('catalog help source build') or the built-in pack; the query chooses among \
      them, and --rated the items whose ratings count. 'catalog wish r1' wishes for the first.
      """,
    examples: [
      Example("catalog pick", "One of all."),
      Example("catalog pick kind:movie minutes:..100", "A short movie for tonight."),
      Example("catalog pick tag:winter --count 3", "Three to choose from."),
      Example("catalog pick kind:book --because", "A book, and why this one."),
      Example(
        "catalog pick --new kind:movie --count 5", "Five movies that you do not have, by your ratings of movies."),
    ],
    arguments: [
      .query(\.words, help: "Only items that match a query."),
      .option("count", \.count, help: "Pick this many different items, at most 100."),
      .flag("because", \.tellsWhy, help: "Say why each was picked."),
      .flag("new", \.isNew, help: "Propose what you do not have, with the reasons."),
      .option("rated", \.rated, value: "QUERY", help: "With --new, only the ratings of items that match a query count.")
        .terms(Query.names),
      .option(
        "seed", \.seed,
        help: "The seed of the choice: the same seed picks the same items while the catalog is unchanged."),
    ] + TableOptions.arguments.lifted(\.table))

  private static let most = 100

  var words: [String] = []
  var count: Count?
  var seed: Int?
  var tellsWhy = false
  var isNew = false
  var rated: String?
  var table = TableOptions()

  func validate() throws(UsageError) {
    if rated != nil, !isNew { throw UsageError("'--rated' chooses ratings for '--new': give that too") }
    if tellsWhy, table.format != nil {
      throw UsageError("'--because' speaks to a person: leave out the format")
    }
    if let count, count.number > Self.most {
      throw UsageError("option '--count': \("\(count.number)".quoted) is more than \(Self.most)")
    }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try context.query(words, in: store)
    if isNew { return try pickNew(by: query, in: store, context) }
    let picked = try store.pick(query, count: count?.number ?? 1, seed: seed ?? context.random(.max))
    let format = table.format(on: context.terminal)
    if tellsWhy, !picked.isEmpty {
      let loved = try store.genreReport(now: context.now()).genres.filter { ($0.affinity ?? 0) > 1.2 && !$0.isHeading }
      for id in picked {
        let item = try store.item(id)
        try context.print(verbatim: context.safe(item.line))
        for reason in try reasons(for: item, loved, in: store, context) {
          try context.print(verbatim: "  " + context.styled(reason, .dim))
        }
      }
      return
    }
    if format == .fitted, picked.count == 1 {
      return try context.print(verbatim: context.safe(try store.item(picked[0]).line))
    }
    let listing = Listing(
      query: picked.isEmpty ? query : Query(.field(.id, picked.map { .numbers(Int($0.rawValue)...Int($0.rawValue)) })),
      fields: try Field.selected(by: table, or: Field.usual))
    let count = try listing.write(as: .format(format), from: store, in: context)
    guard count > 0 else {
      throw words.isEmpty
        ? Failure("the catalog is empty", hint: "look something up: catalog search dune")
        : context.nothingMatches(query, typed: words)
    }
  }

  /// Proposes works that are not in the catalog, r1, r2, …, each with its reasons.
  private func pickNew(by query: Query, in store: Store, _ context: Context) throws {
    let rated = try rated.map { try context.query(line: $0, in: store) }
    let picks = try NewPicks(of: query, by: rated ?? Query(), in: store, context)
      .draw(count?.number ?? 1, seed: seed ?? context.random(.max))
    guard table.format(on: context.terminal) == .fitted else {
      return try context.write(NewPicks.table(picks, in: context), table)
    }
    let isNumbered = context.results.save(picks.map(\.candidate))
    for (place, pick) in picks.enumerated() {
      let number = isNumbered ? context.styled(verbatim: "r\(place + 1)", .cyan) + "  " : ""
      let record = pick.candidate.record
      try context.print(verbatim: number + context.safe(record.line))
      for reason in pick.reasons { try context.print(verbatim: "  " + context.styled(reason, .dim)) }
    }
    context.hint("wish for it: catalog wish \(isNumbered ? "r1" : picks[0].candidate.id.description)")
  }

  /// Why an item is worth picking: what makes it likely, what you think of its like, how long it is here.
  private func reasons(
    for item: Item, _ loved: [GenreReport.Genre], in store: Store, _ context: Context
  ) throws -> [Message] {
    var reasons: [Message] = []
    let times = try store.diary(of: item.id).filter { $0.outcome == .done }
    if times.isEmpty, item.rating == nil {
      reasons.append(
        item.record.kind == .vinyl
          ? "You never played or rated it, so it comes eight times as often."
          : "You never finished or rated it, so it comes eight times as often.")
    } else if let last = times.first?.endedOn {
      reasons.append("Last time: \(last.words).")
    }
    if let rating = item.rating { reasons.append("You gave it \(rating.stars).") }
    // The genre that is loved most, with on how many items that rests.
    let genre = loved.filter { item.genres.contains($0.name) }.max { ($0.affinity ?? 0) < ($1.affinity ?? 0) }
    if let genre, let times = genre.affinity {
      reasons.append(
        "You love \(context.genreName(genre.name)) \(times.fixed(1)) times as often as the rest (\(genre.judged) judged)."
      )
    }
    if let others = try sameCreator(item, in: store, context) { reasons.append(others) }
    reasons.append("Here since \(context.localTime.words(of: item.createdAt)).")
    return reasons
  }

  /// The mean rating of the other works by the same creator; nil for fewer than two.
  private func sameCreator(_ item: Item, in store: Store, _ context: Context) throws -> Message? {
    guard let creator = item.record.creators.first else { return nil }
    let ratings = try store.items(by: creator).filter { $0 != item.id }.compactMap { try store.item($0).rating?.value }
    guard ratings.count > 1 else { return nil }
    let mean = Double(ratings.reduce(0, +)) / Double(ratings.count)
    return "You gave \(ratings.count) others by \(context.safe(creator)) \(mean.stars()) stars on average."
  }
}
