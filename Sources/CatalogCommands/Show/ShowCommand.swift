internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog show REF`: everything known about one thing. It counts as viewed.
struct ShowCommand: Command {
  static let info = CommandInfo<Self>(
    "show", summary: "Show everything known about an item or a result.",
    discussion: "Showing counts as viewing: the last ten are listed by 'catalog recent'.",
    examples: [
      Example("catalog show 42", "Everything about item 42."),
      Example("catalog show r1", "The first result of the last search, asked of its source in full."),
      Example("catalog show kind of blue", "The item of that title."),
      Example("catalog show tmdb:496243 --full", "A movie with its whole cast and all of its pictures."),
      Example("catalog show https://www.imdb.com/title/tt6751668/", "The movie of a page at IMDb, by TMDB."),
      Example("catalog show discogs:master/5460", "An album with its pressings on vinyl."),
    ],
    arguments: [
      .phrase("ref", \.reference, completion: .dynamic("items"), help: "Which one: see 'catalog help references'."),
      .flag("back", \.showsBack, help: "Show the back of the newest card: its words."),
      .flag(
        "full", short: "f", \.isFull,
        help: """
          Show all of a movie's cast, pictures, videos and related movies, and of an album's pressings, not only the first \
          \(shownOfMany).
          """),
      .flag("json", \.isJSON, help: "Print a JSON object."),
    ])

  var reference = Reference.words("")
  var showsBack = false
  var isFull = false
  var isJSON = false

  func run(in context: Context) throws {
    let store = try context.viewing()
    var viewing = try Viewing(of: try context.target(reference, in: store), in: store)
    (viewing.detail.showsBack, viewing.detail.isFull) = (showsBack, isFull)
    try viewing.take(Result { try viewing.fetching(in: context)?() }, in: context)
    try show(viewing.detail, in: context)
    viewing.keep(in: store, context)
    if let remember = viewing.rememberingPicture(in: context) {
      context.output.passOn()
      remember()
    }
  }

  private func show(_ detail: Detail, in context: Context) throws {
    guard isJSON else {
      try context.print(detail.page(on: context.terminal))
      if context.terminal.isOutputTerminal { detail.advice.forEach { context.note(verbatim: $0) } }
      return
    }
    try context.printJSON(detail.write)
  }
}
