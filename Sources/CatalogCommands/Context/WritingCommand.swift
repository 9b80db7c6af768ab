internal import CommandLineKit

/// The context of every command.
typealias CatalogContext = Context

/// A command that changes something. With `--quiet` it does not print its success.
protocol WritingCommand: Command where Context == CatalogContext {}

/// A command that changes something, and can print the change as JSON.
protocol TellingCommand: WritingCommand {
  var result: ResultOptions { get }
  /// Whether the command acts on a set, as with `-`, `--where` or `--all`, and not on named items. The JSON is a list
  /// then, whatever its length.
  var isAboutMany: Bool { get }
}

extension TellingCommand {
  var isAboutMany: Bool { false }
}

/// The options for the output of a command that changes something.
struct ResultOptions: OptionGroup {
  static var arguments: [Argument<ResultOptions>] {
    [.flag("json", \.isJSON, help: "Print the result as JSON: see 'catalog help output'.")]
  }

  var isJSON = false
}

extension Context {
  /// Runs a command, and prints its changes as JSON if it was asked to.
  /// - Parameter tells: whether `--json` may have been given.
  func run(_ command: any Command<Context>, tells: Bool) throws {
    // The cast to a protocol is slow, since Swift searches all conformances of the program, so it is avoided if
    // possible.
    guard globals.isQuiet || tells, let writer = command as? any WritingCommand else {
      return try command.run(in: self)
    }
    var context = self
    context.isQuiet = globals.isQuiet && !globals.isDryRun
    guard let telling = writer as? any TellingCommand, telling.result.isJSON else { return try writer.run(in: context) }
    let changes = Changes(isList: telling.isAboutMany)
    context.changes = changes
    do {
      try writer.run(in: context)
    } catch {
      // Changes made before the error stay, so they are printed.
      if !changes.isEmpty { try? printJSON(changes.write) }
      throw error
    }
    try printJSON(changes.write)
  }
}
