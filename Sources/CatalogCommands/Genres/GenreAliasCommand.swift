internal import CatalogStore
internal import CommandLineKit

/// `catalog genre alias LABEL GENRE…`: what a label of the sources means.
struct GenreAliasCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "alias", summary: "Set the genres that a source's label stands for.",
    discussion: """
      From now on the label stands for these genres, whatever source sends it and whenever you type it. Items that \
      came with it are mapped anew; those whose genres you chose by hand stay as they are. 'catalog genre labels \
      --unknown' lists the labels that still have no meaning.
      """,
    examples: [
      Example("catalog genre alias \"hobbits\" Fantasy", "A subject of Open Library becomes a genre you know."),
      Example("catalog genre alias \"rap rock\" Hip-Hop Rock", "One label, two genres."),
      Example("catalog genre alias \"read in 2019\" --noise", "Says nothing about the genre."),
      Example("catalog genre alias Glitch Ambient --source discogs", "Only for the label of one source."),
      Example("catalog genre alias Opera \"Music Books\" --kind book", "For books alone."),
    ],
    arguments: [
      .positional("label", \.label, help: "The label, as the source writes it."),
      .positional(
        "genre", \.genres, isRequired: false, completion: .dynamic("genres"), help: "The genres that it stands for."),
      .flag("noise", \.isNoise, help: "The label stands for no genre."),
      .option(
        "source", short: "s", \.source, value: "NAME", completion: .dynamic("sources"),
        help: "Only for the label of this source."),
      .option("kind", short: "k", \.shelf, help: "Only for items of this kind."),
    ])

  var label = ""
  var genres: [String] = []
  var isNoise = false
  var source: String?
  var shelf: Shelf?
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if genres.isEmpty != isNoise {
      throw UsageError(
        isNoise ? "noise stands for no genre: name genres or give --noise, not both" : "the genre is missing",
        hint: "for example: catalog genre alias hobbits Fantasy, or --noise")
    }
  }

  func run(in context: Context) throws {
    let source = try source.map { try context.labelSource($0) }.flatMap { $0 == "any" ? nil : $0 }
    try context.carryOut(
      .alias(label, source: source, kind: shelf?.kind, genres: genres),
      asking: isNoise ? "Take \(label) for noise?" : "Take \(label) for \(genres.joined(separator: " and "))?")
  }
}
