internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import SQLite

/// A command that the program itself runs, for a page or a full-screen command: it follows all rules of commands and is
/// one operation in the history. It runs in this process, on a background thread, with a context of its own.
struct BackgroundCommand: Sendable {
  /// The arguments, without the name of the program.
  var words: [String]
  /// The language of its output, two letters; nil for that of the locale.
  var language: String?
  /// The bytes that it reads from standard input.
  var input: [UInt8] = []
  /// The state that its form had shown.
  var seen = Seen()

  func run(in makeContext: Context.Maker) -> CommandResult {
    let told = ToldNotices()
    var run: Context?
    let status = CatalogProgram.run(words, onStart: { run = $0 }) { globals in
      var context = makeContext(globals, language, told.warnings).telling(told)
      context.seen = seen
      context.readBytes = { Array(input.prefix($0)) }
      return context
    }
    // A commit that failed has no operation.
    let operation = run?.commits.state == .something ? run?.recording?.operation : nil
    return CommandResult(
      isDone: status == ExitStatus.done.rawValue, lines: told.lines, notices: told.notices, operation: operation,
      added: run.flatMap { $0.added(by: operation) })
  }
}

/// The result of a command that ran in the background.
struct CommandResult: Sendable {
  /// Whether it did all that it was asked to do.
  var isDone = true
  /// The lines that it printed, warnings and the error among them, without hints, which name commands to type.
  var lines: [String] = []
  /// All that it told; an error with which it ended is the last.
  var notices: [Notice] = []
  /// The operation of the history that it wrote, also where it could not do the rest; nil for none.
  var operation: Int64?
  /// The item that it added; nil for none or several.
  var added: ItemID?

  /// Whether it asked a question that `--yes` answers.
  var needsYes: Bool { notices.contains { $0.question != nil } }
  /// Whether it is done, or a part of it is: the same form must not be sent again.
  var isWritten: Bool { isDone || operation != nil }
}

extension Context {
  /// The only item that an operation added.
  fileprivate func added(by operation: Int64?) -> ItemID? {
    guard let operation, let store = try? reading(), let made = try? store.operation(operation),
      let changes = try? store.changes(of: [made]).first?.changes, changes.added == 1, changes.removed == 0
    else { return nil }
    return changes.whole.first { (try? store.exists($0)) == true }
  }
}
