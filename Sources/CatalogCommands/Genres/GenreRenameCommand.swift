internal import CatalogStore
internal import CommandLineKit

/// `catalog genre rename GENRE NAME`: another name for a genre.
struct GenreRenameCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "rename", aliases: ["mv"], summary: "Call a genre otherwise.",
    discussion: """
      The items keep the genre, what sources call it stays known, and its old name stays another word for it: in \
      queries, in 'edit', and for what a source sends from now on.
      """,
    examples: [
      Example("catalog genre rename Hip-Hop Rap", "Says what changes, asks, and renames."),
      Example("catalog genre rename \"R&B\" \"Rhythm and Blues\" --dry-run", "Only says what would change."),
    ],
    arguments: [
      .positional("genre", \.genre, completion: .dynamic("genres"), help: "The genre, by its name or another word."),
      .positional("name", \.name, help: "Its new name."),
    ])

  var genre = ""
  var name = ""

  func run(in context: Context) throws {
    try context.carryOut(.rename(genre, to: name), asking: "Rename \(genre) to \(name)?")
  }
}
