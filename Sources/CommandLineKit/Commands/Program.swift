/// A command line program: its options, its commands under headings, and its topics of help.
///
///     let program = Program<Globals, Context>(
///       name: "catalog", version: "1.0", summary: "A catalog of movies, books and records.",
///       sections: [
///         CommandSection("Find", [.command(SearchCommand.self), .command(ShowCommand.self)]),
///         CommandSection("Set up", [.completion, .help]),
///       ])
///     let invocation = try program.parse(CommandLine.words())
///
/// `Globals` are options understood before and after the name of every command. That they are an ``OptionGroup`` is
/// asked where they are parsed and not here: Swift would look for that fact among all of the program's, at every start.
public struct Program<Globals: Sendable, Context>: Sendable {
  /// What one types.
  public var name: String
  /// What `--version` prints after the name.
  public var version: String
  /// One sentence on what it is.
  public var summary: String
  /// More about it, for the first page of help.
  public var discussion: String
  /// A few lines to start with.
  public var examples: [Example]
  /// What runs when no command is given; without it the first page of help is shown.
  public var defaultCommand: AnyCommand<Context>?
  /// The commands under their headings.
  public var sections: [CommandSection<Context>] { makeSections() }
  private let makeSections: @Sendable () -> [CommandSection<Context>]
  /// The command that a person means by a word of another program: `stats` for `report`. Made when a word is no command.
  public var synonyms: [String: String] { makeSynonyms() }
  private let makeSynonyms: @Sendable () -> [String: String]
  /// The pages of help about something other than a command.
  public var topics: [HelpTopic] { makeTopics() }
  private let makeTopics: @Sendable () -> [HelpTopic]

  /// Declares a program. Its commands and topics are listed when they are asked for.
  public init(
    name: String, version: String, summary: String, discussion: String = "", examples: [Example] = [],
    default defaultCommand: AnyCommand<Context>? = nil,
    sections: @autoclosure @escaping @Sendable () -> [CommandSection<Context>],
    topics: @autoclosure @escaping @Sendable () -> [HelpTopic] = [],
    synonyms: @autoclosure @escaping @Sendable () -> [String: String] = [:]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.defaultCommand = defaultCommand
    makeSections = sections
    makeTopics = topics
    makeSynonyms = synonyms
  }

  /// All commands, without their headings.
  private var commands: [CommandNode<Context>] {
    // One by one: flatMap and append(contentsOf:) would look conformances up at every start.
    var commands: [CommandNode<Context>] = []
    for section in sections {
      for command in section.commands { commands.append(command) }
    }
    return commands
  }

  /// The whole program as the root of the command tree.
  public var root: CommandNode<Context> {
    .group(
      CommandGroup(
        name, summary: summary, discussion: discussion, examples: examples, default: defaultCommand,
        commands))
  }

  /// The node that a path of names or aliases leads to, and the path in names alone.
  func find(_ words: [String]) -> (path: [String], node: CommandNode<Context>)? {
    var found = (path: [String](), node: root)
    for word in words {
      guard let child = found.node.child(called: word) else { return nil }
      found = (found.path + [child.description.name], child)
    }
    return found
  }
}

/// Commands that stand together in the first page of help.
public struct CommandSection<Context>: Sendable {
  /// One or two words: `Find`, `Keep`.
  public var heading: String
  /// The commands, the most used first.
  public var commands: [CommandNode<Context>]

  /// A heading and what stands under it.
  public init(_ heading: String, _ commands: [CommandNode<Context>]) {
    self.heading = heading
    self.commands = commands
  }
}

/// A page of help about something other than a command: `catalog help exit-status`.
public struct HelpTopic: Sendable {
  /// What one types after `help`.
  public var name: String
  /// One sentence on what it explains.
  public var summary: String
  /// The commands that it is about, which name it in their help.
  public var commands: [String]
  /// The page: paragraphs separated by an empty line; a line that begins with a blank is kept as it is.
  public var text: String { makeText() }
  private let makeText: @Sendable () -> String

  /// A named page of text, which is made when it is asked for.
  public init(
    _ name: String, summary: String, about commands: [String] = [],
    text: @autoclosure @escaping @Sendable () -> String
  ) {
    self.name = name
    self.summary = summary
    self.commands = commands
    makeText = text
  }
}
