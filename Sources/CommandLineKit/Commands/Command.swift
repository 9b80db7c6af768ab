/// A command of the program: its arguments, their values, and its action.
///
///     struct ShowCommand: Command {
///       static let info = CommandInfo<Self>(
///         "show", summary: "Show everything known about an item.",
///         arguments: [.positional("ref", \.reference, help: "Which one.")])
///
///       var reference = ""
///
///       func run(in context: Context) throws { … }
///     }
public protocol Command<Context>: Sendable {
  /// The environment of a command: output, store, clock. The program makes it once.
  associatedtype Context

  /// Name, help and arguments.
  static var info: CommandInfo<Self> { get }

  /// The arguments, in the order of the help: those of ``info``, and those that commands of its sort have in common.
  static var arguments: [Argument<Self>] { get }

  /// The threads that the command may use.
  static var threads: Threads { get }

  /// Whether the command may make the file that it works on. The others need one that is there.
  static var mayBegin: Bool { get }

  /// A command with default values.
  init()

  /// Checks combinations of arguments. Called after parsing.
  func validate() throws(UsageError)

  /// Does it.
  func run(in context: Context) throws
}

/// The threads of a command.
public enum Threads: Sendable {
  case one
  /// Another one reads ahead, or writes behind.
  case two
  /// Threads that start and end, one for each task.
  case many
}

extension Command {
  public static var arguments: [Argument<Self>] { info.arguments }

  public static var threads: Threads { .one }

  /// False.
  public static var mayBegin: Bool { false }

  /// Finds nothing wrong.
  public func validate() throws(UsageError) {}

  /// The command that these words, without its name, describe.
  public static func parse(_ words: [String]) throws(UsageError) -> Self {
    let arguments = arguments
    return try make(from: ArgumentMatcher.match(words[...], with: arguments.map { $0.info }), arguments)
  }

  static func make(
    from matches: [ArgumentMatch], _ arguments: [Argument<Self>]
  ) throws(UsageError) -> Self {
    var command = Self()
    try matches.assign(to: &command, with: arguments)
    try command.validate()
    return command
  }
}

/// A set of options that several commands share, or that the whole program accepts.
public protocol OptionGroup: Sendable {
  /// The options without which a property keeps its default.
  static var arguments: [Argument<Self>] { get }

  /// All defaults.
  init()
}
