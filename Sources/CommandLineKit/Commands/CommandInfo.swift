/// Everything a command says of itself. Parsing, help, completion and the manual read the same value.
public struct CommandInfo<Root: Sendable>: Sendable {
  /// Name, summary, discussion and examples.
  public var description: CommandDescription { declared.description }
  private let declared: Declared
  private let makeArguments: @Sendable () -> [Argument<Root>]

  /// Behind a reference, since copies of a large generic value cost a start more than all else that is looked at.
  private final class Declared: Sendable {
    let description: CommandDescription
    init(_ description: CommandDescription) { self.description = description }
  }

  /// Declares a command.
  ///
  /// Arguments are made when they are asked for: starting the program costs no more than the names of its commands.
  public init(
    _ name: String, aliases: [String] = [], summary: String, discussion: String = "", examples: [Example] = [],
    isHidden: Bool = false, arguments: @autoclosure @escaping @Sendable () -> [Argument<Root>] = []
  ) {
    declared = Declared(
      CommandDescription(
        name: name, aliases: aliases, summary: summary, discussion: discussion, examples: examples, isHidden: isHidden))
    makeArguments = arguments
  }

  /// What it accepts, in the order help shows it.
  public var arguments: [Argument<Root>] { makeArguments() }
}

/// The words about a command or a group of commands.
public struct CommandDescription: Hashable, Sendable {
  /// What one types.
  public var name: String
  /// Other names for the same.
  public var aliases: [String] = []
  /// One sentence on what it does.
  public var summary: String
  /// Whatever more there is to say: paragraphs separated by an empty line.
  public var discussion = ""
  /// Worked examples.
  public var examples: [Example] = []
  /// Whether help and completion keep silent about it.
  public var isHidden = false
}

/// A command line worth trying, and what comes of it.
public struct Example: Hashable, Sendable {
  /// What to type, with the program's name.
  public var line: String
  /// What happens.
  public var explanation: String

  /// An example line and what it does.
  public init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
