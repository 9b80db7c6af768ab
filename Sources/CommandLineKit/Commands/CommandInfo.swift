/// The declaration of a command, which parsing, help, completion and the manual use.
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
  /// The arguments are made when needed, so that the start of the program needs only the names of its commands.
  public init(
    _ name: String, aliases: [String] = [], summary: String, discussion: String = "", examples: [Example] = [],
    isHidden: Bool = false, arguments: @autoclosure @escaping @Sendable () -> [Argument<Root>] = []
  ) {
    declared = Declared(
      CommandDescription(
        name: name, aliases: aliases, summary: summary, discussion: discussion, examples: examples, isHidden: isHidden))
    makeArguments = arguments
  }

  /// The arguments, in the order of the help.
  public var arguments: [Argument<Root>] { makeArguments() }
}

/// The help texts of a command or a group of commands.
public struct CommandDescription: Hashable, Sendable {
  /// The word that runs the command.
  public var name: String
  public var aliases: [String] = []
  /// One sentence about its purpose.
  public var summary: String
  /// The rest of the help: paragraphs separated by an empty line.
  public var discussion = ""
  public var examples: [Example] = []
  /// Whether help and completion leave it out.
  public var isHidden = false
}

/// An example command line and its effect.
public struct Example: Hashable, Sendable {
  /// The command line, with the program's name.
  public var line: String
  /// The effect.
  public var explanation: String

  public init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
