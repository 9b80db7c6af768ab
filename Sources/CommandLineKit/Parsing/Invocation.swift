/// What the words of the command line ask for.
public struct Invocation<Globals: Sendable, Context>: Sendable {
  /// What is to be done.
  public enum Action: Sendable {
    /// Run a command of the program.
    case run(any Command<Context>)
    /// Print a text that the kit made: help, version, completion script. The argument is where it is read.
    case print(@Sendable (_ terminal: Terminal) -> String)
    /// Tell a shell what can be typed: what the completion wants of the program is found, and its answer printed.
    case complete(Completion)
  }

  /// The options of the whole program.
  public var globals: Globals
  /// The names that lead to the command: `["card", "add"]`.
  public var path: [String]
  /// What is to be done.
  public var action: Action
}
