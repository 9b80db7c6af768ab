internal import CatalogStore
internal import CommandLineKit

/// `catalog genre rename GENRE NAME`: another name for a genre.
struct GenreRenameCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "rename", aliases: ["mv"], summary: "Rename a genre.",
    discussion: """
      The items keep the genre, and its labels still stand for it. The old name remains an alias: in queries, in \
      'edit', and for labels that a source sends later.
      """,
    examples: [
      Example("catalog genre rename Hip-Hop Rap", "Shows what changes, asks, and renames."),
      Example("catalog genre rename \"R&B\" \"Rhythm and Blues\" --dry-run", "Only shows what would change."),
    ],
    arguments: [
      .positional("genre", \.genre, completion: .dynamic("genres"), help: "The genre, by its name or an alias."),
      .positional("name", \.name, help: "Its new name."),
    ])

  var genre = ""
  var name = ""
  var result = ResultOptions()

  func run(in context: Context) throws {
    try context.carryOut(.rename(genre, to: name), asking: "Rename \(genre) to \(name)?")
  }
}
