internal import CatalogStore
internal import CommandLineKit

/// `catalog genre merge FROM… INTO`: several genres become one.
struct GenreMergeCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "merge", summary: "Merge several genres into one.",
    discussion: """
      Items with the first genres get the last one instead, also where you chose their genres by hand. Their subgenres \
      and labels move with them, and the old names remain aliases. A genre cannot become part of one below it.
      """,
    examples: [
      Example("catalog genre merge \"Rap Music\" Hip-Hop", "Rap Music becomes part of Hip-Hop."),
      Example("catalog genre merge Bebop \"Hard Bop\" Jazz --yes", "Two at once, without a question."),
    ],
    arguments: [
      .positional(
        "genre", \.genres, value: "FROM… INTO", completion: .dynamic("genres"),
        help: "The genres to merge, and last the one that stays.")
    ])

  var genres: [String] = []
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if genres.count < 2 {
      throw UsageError(
        "the genre to merge \(genres.first?.quoted ?? "it") into is missing",
        hint: "for example: catalog genre merge \"Rap Music\" Hip-Hop")
    }
  }

  func run(in context: Context) throws {
    let (from, into) = (Array(genres.dropLast()), genres.last ?? "")
    try context.carryOut(.merge(from, into: into), asking: "Merge \(from.joined(separator: ", ")) into \(into)?")
  }
}
