/// One word of the command tree: a command, a group of commands, or something the program does by itself.
public enum CommandNode<Context>: Sendable {
  /// Something to run.
  case command(AnyCommand<Context>)
  /// A word that others follow.
  indirect case group(CommandGroup<Context>)
  /// Something every program of this kit can do.
  case builtIn(BuiltIn)

  public static func command<C: Command>(_ type: C.Type) -> CommandNode where C.Context == Context {
    .command(AnyCommand(type))
  }

  /// `help`, which explains a command or a topic.
  public static var help: CommandNode { .builtIn(.help) }
  /// `completion`, which prints the script for a shell and answers its requests.
  public static var completion: CommandNode { .builtIn(.completion) }
  /// `manual`, which prints a manual page in the language of man(1); hidden.
  public static var manual: CommandNode { .builtIn(.manual) }

  /// Its name and words of help.
  public var description: CommandDescription {
    switch self {
    case .command(let command): command.description
    case .group(let group): group.description
    case .builtIn(let builtIn): builtIn.description
    }
  }

  /// The arguments; for a group, those of its default command.
  public var arguments: [ArgumentInfo] {
    switch self {
    case .command(let command): command.arguments
    case .group(let group): group.defaultCommand?.arguments ?? []
    case .builtIn(let builtIn): builtIn.arguments
    }
  }

  /// The child nodes.
  public var children: [CommandNode] {
    if case .group(let group) = self { group.children } else { [] }
  }

  /// The node below that `word` calls.
  func child(called word: String) -> CommandNode? {
    // Not `first(where:)`, whose generic code would look up conformances at every start.
    for child in children where child.isCalled(word) { return child }
    return nil
  }

  /// Whether `word` is the name or an alias.
  func isCalled(_ word: String) -> Bool {
    description.name == word || description.aliases.contains(word)
  }
}

/// Commands that belong together under one word: `card add`, `card list`, `card show`.
///
/// They are listed when they are asked for, like the arguments of a command.
public struct CommandGroup<Context>: Sendable {
  /// The name and help texts.
  public var description: CommandDescription
  public var children: [CommandNode<Context>] { makeChildren() }
  private let makeChildren: @Sendable () -> [CommandNode<Context>]
  /// The command that runs without a subcommand. Without one, the group prints its help.
  public var defaultCommand: AnyCommand<Context>?
  /// Whether a word that is not a subcommand is an argument of the default command: `diary kind:book`.
  public var defaultTakesWords: Bool

  public init(
    _ name: String, aliases: [String] = [], summary: String, discussion: String = "", examples: [Example] = [],
    default defaultCommand: AnyCommand<Context>? = nil, takingWords defaultTakesWords: Bool = false,
    _ children: @autoclosure @escaping @Sendable () -> [CommandNode<Context>]
  ) {
    description = CommandDescription(
      name: name, aliases: aliases, summary: summary, discussion: discussion, examples: examples)
    makeChildren = children
    self.defaultCommand = defaultCommand
    self.defaultTakesWords = defaultTakesWords
  }

  /// A command that has others below it: its own words go on being its own, and the group is described as it is.
  public init<C: Command>(
    _ name: String, of type: C.Type, _ children: @autoclosure @escaping @Sendable () -> [CommandNode<Context>]
  ) where C.Context == Context {
    let command = AnyCommand(type)
    description = command.description
    description.name = name
    makeChildren = children
    (defaultCommand, defaultTakesWords) = (command, true)
  }
}

/// The commands that the kit provides, at the place where the program lists them.
public enum BuiltIn: Sendable {
  /// Named like their commands.
  case help, completion, manual

  var description: CommandDescription {
    switch self {
    case .help:
      CommandDescription(name: "help", summary: "Explain a command or a topic.")
    case .completion:
      CommandDescription(
        name: "completion", summary: "Print the completion script for a shell.",
        discussion: """
          Load it in the shell's start-up file: `source <(PROGRAM completion bash)` for bash and zsh, \
          `PROGRAM completion fish | source` for fish.
          """)
    case .manual:
      CommandDescription(name: "manual", summary: "Print a manual page for man(1).", isHidden: true)
    }
  }

  var arguments: [ArgumentInfo] {
    switch self {
    case .help: HelpRequest.arguments.map { $0.info }
    case .completion: CompletionRequest.arguments.map { $0.info }
    case .manual: ManualRequest.arguments.map { $0.info }
    }
  }
}

/// The words after `help`.
struct HelpRequest: OptionGroup {
  static let arguments: [Argument<HelpRequest>] = [
    .positional("word", \.words, isRequired: false, completion: .dynamic("help"), help: "A command or a topic.")
  ]
  var words: [String] = []
}

/// The words after `manual`.
struct ManualRequest: OptionGroup {
  static let arguments: [Argument<ManualRequest>] = [
    .positional("page", \.page, help: "The page: the name of a command; by default that of the program."),
    .option("date", \.date, help: "The date in its footer."),
    .flag("list", \.lists, help: "Print the names of all pages instead."),
  ]
  var page: String?
  var date = ""
  var lists = false
}

/// The words after `completion`.
struct CompletionRequest: OptionGroup {
  static let arguments: [Argument<CompletionRequest>] = [
    .positional("shell", \.shell, help: "The shell to print the script for: bash, zsh or fish.")
  ]
  var shell = Shell.bash
}
