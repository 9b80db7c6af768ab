/// The parsed command line.
public struct Invocation<Globals: Sendable, Context>: Sendable {
  /// The requested action.
  public enum Action: Sendable {
    /// Run a command of the program.
    case run(any Command<Context>)
    /// Print a text made by the kit: help, version, completion script. The closure gets the terminal.
    case print(@Sendable (_ terminal: Terminal) -> String)
    /// Print the completions for a shell, including those that the program must look up.
    case complete(Completion)
  }

  /// The global options.
  public var globals: Globals
  /// The names that lead to the command: `["card", "add"]`.
  public var path: [String]
  public var action: Action
}
