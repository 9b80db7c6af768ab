internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog pick [QUERY]`: suggests a random item to watch, read or play.
struct PickCommand: Command {
  static let info = CommandInfo<Self>(
    "pick", summary: "Pick something to watch, read or play at random.",
    discussion: """
      Items that you never watched, read or played – with no diary entry and no card – are eight times as likely as \
      others. Items at hand are four times as likely as records and books that you own no copy of, or whose copies are \
      all lent.
      """,
    examples: [
      Example("catalog pick", "One of all."),
      Example("catalog pick kind:movie minutes:..100", "A short movie for tonight."),
      Example("catalog pick tag:winter --count 3", "Three to choose from."),
    ],
    arguments: [
      .positional(
        "query", \.words, isRequired: false, completion: .dynamic("query"), help: "Only items that match a query."
      ).terms(Query.names),
      .option("count", short: "n", \.count, help: "Pick this many different items, at most 100."),
      .option(
        "seed", \.seed,
        help: "The seed of the choice: the same seed picks the same items while the catalog is unchanged."),
    ] + TableOptions.ofFields.lifted(\.table))

  private static let most = 100

  var words: [String] = []
  var count: Count?
  var seed: Int?
  var table = TableOptions()

  func validate() throws(UsageError) {
    if let count, count.number > Self.most {
      throw UsageError("option '--count': \("\(count.number)".quoted) is more than \(Self.most)")
    }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try store.query(words, now: context.now(), offset: context.utcOffset)
    let picked = try store.pick(query, count: count?.number ?? 1, seed: seed ?? context.random(.max))
    let format = table.format(on: context.terminal)
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
}
