internal import CommandLineKit
internal import Processes

/// The context of every command.
typealias CatalogContext = Context

/// A command that changes something. With `--quiet` it does not print its success, and with `--json` it prints what it
/// changed as JSON.
protocol WritingCommand: Command where Context == CatalogContext {
  var result: ResultOptions { get set }
  /// Whether the command acts on a set, as with `-`, `--where` or `--all`, and not on named items. The JSON is a list
  /// then, whatever its length.
  var isAboutMany: Bool { get }
}

extension WritingCommand {
  static var arguments: [Argument<Self>] { info.arguments + ResultOptions.arguments.lifted(\.result) }

  var isAboutMany: Bool { false }
}

/// The options for the output of a command that changes something.
struct ResultOptions: OptionGroup {
  static var arguments: [Argument<ResultOptions>] {
    [
      .option(
        "json", \.fields, implied: .all,
        help: "Print the result as JSON, with all members or only these: 'catalog help json'.")
    ]
  }

  /// The members to print; nil for lines.
  var fields: FieldSelection?
  var isJSON: Bool { fields != nil }

  /// Refuses the JSON of what goes to a stream itself.
  func requireFile(_ target: String) throws(UsageError) {
    if isJSON, StreamTarget(target) != nil { throw UsageError("--json says what was written into a file: name one") }
  }
}

extension Context {
  /// Runs a command, and prints its changes as JSON if it was asked to.
  /// - Parameters:
  ///   - path: the words of the command.
  ///   - tells: whether `--json` may have been given.
  func run(_ command: any Command<Context>, at path: [String], tells: Bool) throws {
    // The cast to a protocol is slow, since Swift searches all conformances of the program, so it is avoided if
    // possible.
    guard globals.isQuiet || tells, let writer = command as? any WritingCommand else {
      return try command.run(in: self)
    }
    var context = self
    context.isQuiet = globals.isQuiet && !globals.isDryRun
    if context.isQuiet { heldNotes.begin() }
    guard let fields = writer.result.fields else { return try writer.run(in: context) }
    // A misspelt name is reported before anything is changed.
    if case .only(let names) = fields {
      let known = JSONDocument.of(path.joined(separator: " ")).flatMap(\.members).map(\.name)
      for name in names where !known.contains(name) { throw UsageError.noField(name, among: known) }
    }
    let changes = Changes(isList: writer.isAboutMany)
    context.changes = changes
    do {
      try writer.run(in: context)
    } catch {
      // Changes made before the error stay, so they are printed.
      if changes.isEmpty, !(error is Interrupted), !(error is UsageError) {
        let words = error is SilentFailure ? nil : Failure(error).message.text(in: nil)
        changes.append(Change(.already, [("error", words)]))
      }
      if !changes.isEmpty { try? printJSON(fields, areKnown: true, changes.write) }
      throw error
    }
    try printJSON(fields, areKnown: true, changes.write)
  }
}
