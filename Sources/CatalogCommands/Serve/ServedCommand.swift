internal import CatalogStore
internal import CommandLineKit
internal import Processes
internal import SQLite
internal import Synchronization

/// A command that a browser runs as if it had been typed: it follows all rules of commands and is one operation in the
/// history. It runs in this process, on a background thread, with a context of its own.
struct ServedCommand: Sendable {
  /// The arguments, without the name of the program.
  var words: [String]
  /// The language of its output, two letters.
  var language = "en"
  /// The state that its form had shown.
  var seen = Seen()

  /// Makes the context of a command for the options and the language. Its warnings go to the given place.
  typealias MakeContext = @Sendable (Globals, _ language: String, DeferredWarnings) -> Context

  func run(in makeContext: MakeContext) -> CommandResult {
    let told = ToldNotices()
    var run: Context?
    let status = CatalogProgram.run(words, onStart: { run = $0 }) { globals in
      var context = makeContext(globals, language, told.warnings)
      context.seen = seen
      told.listen(in: &context)
      return context
    }
    // A failed commit has no operation.
    let operation = run?.commits.state == .something ? run?.recording?.operation : nil
    return CommandResult(
      isDone: status == ExitStatus.done.rawValue, lines: told.lines, needsYes: told.needsYes, operation: operation)
  }
}

/// The result of a command that ran for a browser.
struct CommandResult: Sendable {
  /// Whether it did all that it was asked to do.
  var isDone = true
  /// The lines that it printed, warnings and the error among them, without hints, which name commands to type.
  var lines: [String] = []
  /// Whether it asked a question that `--yes` answers.
  var needsYes = false
  /// The operation that it wrote, also if it could not do the rest; nil for none.
  var operation: Int64?

  /// Whether it is done, or a part of it is: the same form must not be sent again.
  var isWritten: Bool { isDone || operation != nil }
}

/// Collects the notices of a context, and the warnings of the layers below it.
final class ToldNotices {
  /// The place for the warnings of the layers below, from any thread.
  let warnings: DeferredWarnings
  private let warned: Warned
  private var told: [String] = []
  private var translation: Translation?
  /// Whether a question was asked that `--yes` answers.
  private(set) var needsYes = false

  private final class Warned: Sendable { let failures = Mutex<[Failure]>([]) }

  init() {
    let warned = Warned()
    self.warned = warned
    warnings = DeferredWarnings { failure in warned.failures.withLock { $0.append(failure) } }
  }

  /// The lines told so far, and the warnings behind them.
  var lines: [String] { told + warned.failures.withLock { $0 }.map(text) }

  func listen(in context: inout Context) {
    translation = context.terminal.translation
    context.listener = { [self] notice in
      switch notice {
      case .line(let text): told += text.split(separator: "\n").map(String.init)
      case .hint: break
      case .failure(let failure):
        told.append(text(failure))
        if let need = failure.cause as? NeedsAnswer, need.option == "--yes" { needsYes = true }
      }
    }
  }

  private func text(_ failure: Failure) -> String { failure.message.text(in: translation) }
}
