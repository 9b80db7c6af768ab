internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog add …`: puts things on the shelf: results, what has a code, words that are searched first, lines of
/// standard input, or what a person types by hand.
struct AddCommand: Command {
  static let info = CommandInfo<Self>(
    "add", summary: "Put results, codes or what you type on the shelf.",
    discussion: """
      A reference (r1, itunes:track/1440857781) is fetched in full, its genres are mapped and its cover is kept in the \
      file. Words are searched first. A '-' reads one reference or code a line from standard input, and adds each as \
      soon as it comes. What is there \
      already is named and left alone.
      """,
    examples: [
      Example("catalog add r1", "Puts the first result of the last search on its shelf."),
      Example("catalog add --isbn 9788936434120", "Looks a book up by its ISBN."),
      Example("catalog add book --title 토지 --creator 박경리 --year 1969 --genre \"Historical Fiction\"", "By hand."),
    ],
    arguments: [
      .positional(
        "what", \.words, isRequired: false, completion: .dynamic("results"),
        help: "References, words, '-', or for an entry by hand the kind."),
      .option("isbn", \.isbns, value: "ISBN", help: "Look a book up by its ISBN; with --title, the ISBN of the entry."),
      .option(
        "barcode", \.barcodes, value: "CODE", help: "Look a record up by its barcode; with --title, that of the entry."),
      .option(
        "as", \.asKind, value: "KIND", completion: .values(Kind.shelved.map(\.rawValue)),
        help: "Shelve it as this kind: a music album as vinyl."),
      .option(
        "source", short: "s", \.source, completion: .dynamic("sources"), help: "Search words in this source only."),
      .option("title", short: "t", \.title, help: "By hand: the title."),
      .option(
        "creator", short: "c", \.creators, value: "NAME",
        help: "By hand: director, author or artist; repeat for several."),
      .option("year", \.year, help: "By hand: the year it came out."),
      .option(
        "genre", short: "g", \.genres, completion: .dynamic("genres"),
        help: "A genre; repeat for several. Wins over the source's."),
      .option("comment", \.comment, value: "WORDS", help: "Write a card with these words as well."),
      .option("stars", \.stars, value: "RATING", help: "Write a card with this rating as well: 4.5, 9/10, 87%."),
      .flag("favorite", \.isFavorite, help: "Make it a favorite as well."),
      .flag("no-cover", \.skipsCover, help: "Do not fetch the cover."),
    ])

  var words: [String] = []
  var isbns: [String] = []
  var barcodes: [String] = []
  var asKind: String?
  var source: String?
  var title: String?
  var creators: [String] = []
  var year: String?
  var genres: [String] = []
  var comment: String?
  var stars: String?
  var isFavorite = false
  var skipsCover = false

  func validate() throws(UsageError) {
    if title == nil {
      if let first = [creators.isEmpty ? nil : "--creator", year == nil ? nil : "--year"].compactMap({ $0 }).first {
        throw UsageError("\(first) describes an entry by hand, which needs --title")
      }
      guard !words.isEmpty || !isbns.isEmpty || !barcodes.isEmpty else {
        throw UsageError("what to add is missing", hint: "for example: catalog search dune, then catalog add r1")
      }
    }
  }

  func run(in context: Context) throws {
    let rating = try stars.map { try Rating($0) }
    let addition = Addition(context: context, command: self) { store, id in
      let now = context.timestamp
      if rating != nil || comment != nil { _ = try store.addCard(to: id, rating: rating, comment: comment, now: now) }
      if isFavorite { try store.favorite(id, now: now) }
    }
    let outcome: Addition.Outcome
    if title != nil {
      outcome = try addition.addByHand()
    } else {
      let codes = isbns.map { Addition.Entry.isbn($0) } + barcodes.map { Addition.Entry.barcode($0) }
      let readsLines = words == ["-"]
      let named = readsLines ? [] : try Addition.entries(words, sources: context.sourceNames)
      outcome = try addition.add(codes + named, thenLines: readsLines)
    }
    if let status = outcome.status { throw SilentFailure(status: status) }
  }
}
