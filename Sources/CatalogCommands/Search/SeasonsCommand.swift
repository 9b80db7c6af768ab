internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// `catalog seasons [KIND]`: lists titles with spring, summer, autumn and winter, from four searches at once.
struct SeasonsCommand: Command {
  static let info = CommandInfo<Self>(
    "seasons", summary: "Search for titles named after the four seasons.",
    discussion: """
      Asks iTunes for spring, summer, autumn and winter at once, and prints the answers in this order: 5 results for \
      spring, 15 for each of the others, numbered r1, r2, … over all four. If a season fails, a message takes its \
      place, and the others are printed.

      '--attribute' searches for the seasons in one category of iTunes, such as the artist: see 'catalog help itunes'. \
      'catalog browse --seasons' shows them on the whole screen, where a key changes the category.

      The words are those of the shop's language: 봄, 여름, 가을 and 겨울 in Korea, English elsewhere. With '--offline' it \
      shows only the results of an earlier search.
      """,
    examples: [
      Example("catalog seasons", "Albums for each season; catalog show r1 is the first of spring."),
      Example("catalog seasons movie", "Movies instead."),
      Example("catalog seasons --attribute artist", "Music by artists with these names."),
      Example("catalog seasons --country KR", "봄, 여름, 가을, 겨울 in the Korean shop."),
      Example("catalog seasons podcast --json=season,title", "For a program: each title with its season."),
    ],
    arguments: [
      .positional(
        "kind", \.kind, completion: .values(["music", "movie", "podcast", "app", "book"]),
        help: "The kind to search for: music, movie, podcast, app or book; music by default."),
      .option(
        "attribute", \.attributes,
        help: "Search in this category of iTunes, such as artist or album: see 'catalog help itunes'."),
      .option("country", \.country, value: "CODE", help: "The country whose shop is asked: KR."),
    ] + TableOptions.arguments.lifted(\.table))

  var kind: Kind?
  /// Only one attribute is allowed; more are an error.
  var attributes: [AttributeName] = []
  var country: CountryCode?
  var table = TableOptions()

  private static let source = Season.source

  func validate() throws(UsageError) {
    if attributes.count > 1 {
      throw UsageError("just one attribute can be chosen", hint: "for example: --attribute artist")
    }
    guard let kind, !Self.source.kinds.contains(kind) else { return }
    throw UsageError(
      "\(Self.source.name) has no \(kind.plurals)", hint: "it has \(Self.source.kinds.plurals)")
  }

  func run(in context: Context) throws {
    let choice = try attributes.first.map { attribute in
      try AttributeChoice(
        attribute, kinds: kind.map { [$0] }, usual: [.music], source: Self.source, in: context)
    }
    let settings = try context.settings(of: Self.source, country: country?.letters)
    let sections = try Finder(context: context, country: country?.letters).searchSeasons(
      choice?.kinds.first ?? kind ?? .music, source: Self.source, scope: choice?.scope,
      in: Season.Language(country: settings.country))
    let heading: [Message] = choice?.word.map { ["The seasons", Message(words: $0)] } ?? []
    var report = SearchReport(heading: heading, options: table, context: context)
    try report.finish(sections)
  }
}
