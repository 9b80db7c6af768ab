internal import CommandLineKit

/// `catalog genre …`: the tree of genres, and what the sources' labels mean.
enum GenreCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "genre", summary: "Look at the tree of genres, and make it yours.",
      examples: [Example("catalog genre merge \"Rap Music\" Hip-Hop", "Makes one genre of two.")],
      default: AnyCommand(GenreListCommand.self),
      [
        .command(GenreListCommand.self), .command(GenreLabelsCommand.self), .command(GenreRenameCommand.self),
        .command(GenreMergeCommand.self), .command(GenreAliasCommand.self), .command(GenreParentCommand.self),
      ]))
}
