internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// `catalog seasons [KIND]`: what is called after spring, summer, autumn and winter, in four searches at once.
struct SeasonsCommand: Command {
  static let info = CommandInfo<Self>(
    "seasons", summary: "Look for what is called after the four seasons.",
    discussion: """
      iTunes is asked for spring, summer, autumn and winter, all at once, and the answers are printed in this order, \
      whatever comes first: 5 results for spring, 15 for each of the others, numbered r1, r2, … over all four. A season \
      that fails says so in its place, and the others stand.

      The words are those of the shop's language: 봄, 여름, 가을 and 겨울 in Korea, English elsewhere. With '--offline' only \
      what the same search found before is shown.
      """,
    examples: [
      Example("catalog seasons", "Albums for each season; catalog show r1 is the first of spring."),
      Example("catalog seasons movie", "Movies instead."),
      Example("catalog seasons --country KR", "봄, 여름, 가을, 겨울 in the Korean shop."),
      Example("catalog seasons podcast --json=season,title", "For a program: the season stands with each title."),
    ],
    arguments: [
      .positional(
        "kind", \.kind, completion: .values(["music", "movie", "podcast", "app", "book"]),
        help: "What to look for: music, movie, podcast, app or book; music without it."),
      .option("country", \.country, value: "CODE", help: "The country whose shop is asked: KR."),
    ] + TableOptions.arguments.lifted(\.table))

  var kind: String?
  var country: CountryCode?
  var table = TableOptions()

  func run(in context: Context) throws {
    let source = Source.itunes
    let kind = try wantedKind(of: source)
    let language = Season.Language(country: try context.settings(of: source, country: country?.letters).country)
    let sections = try Finder(context: context, country: country?.letters)
      .search(seasons: Season.allCases, kind, source: source, in: language)
    try SearchReport(sections: sections, context: context).show(table)
  }

  private func wantedKind(of source: Source) throws -> Kind {
    guard let word = kind else { return .music }
    let names = source.kinds.map(\.rawValue)
    guard let kind = Kind(word: word) else {
      throw UsageError(
        "\(word.quoted) is no kind" + Suggestion.phrase(for: word, among: names),
        hint: "there are \(names.joined(separator: ", "))")
    }
    guard source.kinds.contains(kind) else {
      throw UsageError("\(source.name) has no \(kind.plural)", hint: "it has \(names.joined(separator: ", "))")
    }
    return kind
  }
}
