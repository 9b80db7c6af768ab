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
  /// The name of the program, as typed.
  public var name: String
  /// The text of `--version` after the name.
  public var version: String
  /// One sentence about its purpose.
  public var summary: String
  /// The rest of the description, for the first page of help.
  public var discussion: String
  /// Examples for a beginner.
  public var examples: [Example]
  /// The commands of the first page of help, under their headings. Without any, that page has all commands.
  public var firstSteps: [FirstSteps] { makeFirstSteps() }
  private let makeFirstSteps: @Sendable () -> [FirstSteps]
  /// The command that runs without arguments. Without one, the first page of help is shown.
  public var defaultCommand: AnyCommand<Context>?
  /// The commands under their headings.
  public var sections: [CommandSection<Context>] { makeSections() }
  private let makeSections: @Sendable () -> [CommandSection<Context>]
  /// The commands for words from other programs: `stats` for `report`. Made when a word is not a command.
  public var synonyms: [String: String] { makeSynonyms() }
  private let makeSynonyms: @Sendable () -> [String: String]
  /// The help pages that are not about a command.
  public var topics: [HelpTopic] { makeTopics() }
  private let makeTopics: @Sendable () -> [HelpTopic]

  /// Declares a program. Its commands and topics are listed when they are asked for.
  public init(
    name: String, version: String, summary: String, discussion: String = "", examples: [Example] = [],
    default defaultCommand: AnyCommand<Context>? = nil,
    firstSteps: @autoclosure @escaping @Sendable () -> [FirstSteps] = [],
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
    makeFirstSteps = firstSteps
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

/// A group of commands on the first page of help.
public struct CommandSection<Context>: Sendable {
  /// One or two words: `Find`, `Keep`.
  public var heading: String
  /// The commands, the most used first.
  public var commands: [CommandNode<Context>]

  public init(_ heading: String, _ commands: [CommandNode<Context>]) {
    self.heading = heading
    self.commands = commands
  }
}

/// Some commands of the first page of help, which fits a screen.
public struct FirstSteps: Sendable {
  /// One word: `Start`.
  public var heading: String
  public var steps: [Step]

  public struct Step: Sendable {
    public var command: String
    /// Some words about its use.
    public var summary: String
    /// A whole line to type.
    public var example: String

    public init(_ command: String, _ summary: String, _ example: String) {
      (self.command, self.summary, self.example) = (command, summary, example)
    }
  }

  public init(_ heading: String, _ steps: [Step]) { (self.heading, self.steps) = (heading, steps) }
}

/// A help page that is not about a command: `catalog help exit-status`.
public struct HelpTopic: Sendable {
  /// The word to type after `help`.
  public var name: String
  /// One sentence about its subject.
  public var summary: String
  /// The related commands, whose help mentions the page.
  public var commands: [String]
  /// The page: paragraphs separated by an empty line. A line that begins with a space is not wrapped.
  public var text: Message { makeText() }
  private let makeText: @Sendable () -> Message

  /// A named page of text, which is made when it is asked for.
  public init(
    _ name: String, summary: String, about commands: [String] = [],
    text: @autoclosure @escaping @Sendable () -> Message
  ) {
    self.name = name
    self.summary = summary
    self.commands = commands
    makeText = text
  }
}
