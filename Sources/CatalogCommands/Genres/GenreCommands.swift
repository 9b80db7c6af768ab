internal import CommandLineKit

/// `catalog genre …`: the tree of genres, and what the sources' labels mean.
enum GenreCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "genre", summary: "Show and edit the tree of genres.",
      examples: [Example("catalog genre merge \"Rap Music\" Hip-Hop", "Merges two genres into one.")],
      default: AnyCommand(GenreListCommand.self),
      [
        .command(GenreListCommand.self), .command(GenreLabelsCommand.self), .command(GenreRenameCommand.self),
        .command(GenreMergeCommand.self), .command(GenreAliasCommand.self), .command(GenreParentCommand.self),
      ]))
}
