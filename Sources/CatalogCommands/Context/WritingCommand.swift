internal import CommandLineKit

/// What every command prints in.
typealias CatalogContext = Context

/// A command that changes something. With `--quiet` it says nothing of what went well.
protocol WritingCommand: Command where Context == CatalogContext {}

/// A command that changes something, and tells a program of it.
protocol TellingCommand: WritingCommand {
  var result: ResultOptions { get }
  /// Whether it is about as many things as there are, and not about what was named: with `-`, `--where`, `--all`. Then a
  /// program gets a list, however many there are.
  var isAboutMany: Bool { get }
}

extension TellingCommand {
  var isAboutMany: Bool { false }
}

/// What a command that changes something accepts to say what it prints of it.
struct ResultOptions: OptionGroup {
  static var arguments: [Argument<ResultOptions>] {
    [.flag("json", \.isJSON, help: "Print what was done as JSON: see 'catalog help output'.")]
  }

  var isJSON = false
}

extension Context {
  /// Runs a command, and prints for a program what it did.
  /// - Parameter tells: whether a program may wait for that.
  func run(_ command: any Command<Context>, tells: Bool) throws {
    // Whether a command writes is asked only where it matters: Swift would look for that fact among all of the program's.
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
      // What was done before it failed stays done.
      if !changes.isEmpty { try? printJSON(changes.write) }
      throw error
    }
    try printJSON(changes.write)
  }
}
