internal import CommandLineKit
internal import Processes
internal import Synchronization

/// A command that a browser runs as if it had been typed: it follows all rules of commands and is one operation in the
/// history. It runs in this process, on a background thread, with a context of its own.
struct ServedCommand: Sendable {
  /// The arguments, without the name of the program.
  var words: [String]
  /// The language of its output, two letters.
  var language = "en"

  /// Makes the context of a command for the options and the language. Its warnings go to the given place.
  typealias MakeContext = @Sendable (Globals, _ language: String, DeferredWarnings) -> Context

  func run(in makeContext: MakeContext) -> CommandResult {
    let told = ToldNotices()
    let status = told.warnings.holding {
      CatalogProgram.run(words) { globals in
        var context = makeContext(globals, language, told.warnings)
        told.listen(in: &context)
        return context
      }
    }
    return told.result(status)
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
}

/// Collects what a command tells its user.
final class ToldNotices {
  /// The warnings of the layers below, from any thread.
  let warnings = DeferredWarnings()
  private var result = CommandResult()
  private var translation: Translation?

  /// Listens to the notices of a context.
  func listen(in context: inout Context) {
    translation = context.terminal.translation
    context.listener = { [self] notice in
      switch notice {
      case .line(let text): result.lines += text.split(separator: "\n").map(String.init)
      case .hint: break
      case .failure(let failure):
        add(failure)
        if let need = failure.cause as? NeedsAnswer, need.option == "--yes" { result.needsYes = true }
      }
    }
  }

  /// The result of a command with this exit status.
  func result(_ status: Int32) -> CommandResult {
    warnings.taken().forEach(add)
    result.isDone = status == ExitStatus.done.rawValue
    return result
  }

  private func add(_ failure: Failure) { result.lines.append(failure.message.text(in: translation)) }
}
