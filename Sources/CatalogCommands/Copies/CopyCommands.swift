internal import CommandLineKit

/// `catalog copy …`: the copies that a person owns.
enum CopyCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "copy", aliases: ["copies"], summary: "What you own: grades, places and prices of your copies.",
      examples: [Example("catalog copy add 42 --media VG+ --place K2/3", "Writes that you own a copy.")],
      default: AnyCommand(CopyListCommand.self), takingWords: true,
      [
        .command(CopyAddCommand.self), .command(CopyListCommand.self), .command(CopyEditCommand.self),
        .command(CopyRemoveCommand.self),
      ]))
}
