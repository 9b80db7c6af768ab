internal import CatalogStore
internal import CommandLineKit

/// `catalog genre parent GENRE PARENT`: where a genre stands in the tree.
struct GenreParentCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "parent", aliases: ["move"], summary: "Move a genre below another one.",
    discussion: """
      The items keep their genres, and count for the genres above the new place. Its subgenres move with it. A genre \
      cannot be below itself.
      """,
    examples: [
      Example("catalog genre parent Solarpunk \"Science Fiction\"", "Solarpunk counts as Science Fiction now."),
      Example("catalog genre parent Soundtrack --root", "Soundtrack moves to the root of the tree."),
    ],
    arguments: [
      .positional("genre", \.genre, completion: .dynamic("genres"), help: "The genre to move."),
      .positional("parent", \.parent, completion: .dynamic("genres"), help: "Its new parent genre."),
      .flag("root", \.isRoot, help: "Move it to the root of the tree."),
    ])

  var genre = ""
  var parent: String?
  var isRoot = false
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if (parent == nil) != isRoot {
      throw UsageError(
        isRoot ? "name a parent or give --root, not both" : "the parent is missing",
        hint: "for example: catalog genre parent Solarpunk \"Science Fiction\", or --root")
    }
  }

  func run(in context: Context) throws {
    try context.carryOut(
      .move(genre, below: parent), asking: parent.map { "Move \(genre) below \($0)?" } ?? "Move \(genre) to the root?")
  }
}
