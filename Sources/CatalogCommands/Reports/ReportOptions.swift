internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The options of every report: the items, and the output format.
struct ReportOptions: OptionGroup {
  static var arguments: [Argument<ReportOptions>] {
    [.query(\.words, help: "Which items: see 'catalog help query'; all by default.")]
      + TableOptions.arguments.lifted(\.table)
  }

  var words: [String] = []
  var table = TableOptions()

  func query(in store: Store, _ context: Context) throws -> Query {
    try context.query(words, in: store)
  }

  /// A command for the same items, to be copied: `catalog list year:none kind:book`.
  func command(_ words: String...) -> String { command(words) }

  func command(_ words: [String]) -> String {
    // A word that begins with '-' may be an option after a command; '^' means the same.
    let selected = self.words.map { $0.count > 1 && $0.hasPrefix("-") ? "^" + $0.dropFirst() : $0 }
    return (["catalog"] + words + selected.map(\.shellWord)).joined(separator: " ")
  }

  /// - Throws: a failure when the query has no matches. An empty catalog is no failure.
  func check(_ count: Int, _ thing: Message = "item", of query: Query, in context: Context) throws {
    guard count == 0, !words.isEmpty else { return }
    throw context.nothingMatches(query, typed: words, thing)
  }
}

extension Tally {
  /// `3 movies, 1 book and 2 records`, without kinds that have no items.
  var kinds: Message {
    [
      (movies, "movie", "movies"), (books, "book", "books"), (records, "record", "records"),
    ].filter { $0.0 > 0 }.map { $0.0.counted($0.1, $0.2) }.listed
  }

  /// Whether there are items of more than one kind.
  var isMixed: Bool { [movies, books, records].count { $0 > 0 } > 1 }

  /// `₩410,000, $54.00`.
  func priceText(in language: String) -> String { prices.map { $0.text(in: language) }.joined(separator: ", ") }
}
