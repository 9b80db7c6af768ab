internal import CommandLineKit
internal import Synchronization

/// Collects the notices of a context, and the warnings of the layers below it.
final class ToldNotices {
  /// The place for the warnings of the layers below, from any thread.
  let warnings: DeferredWarnings
  private let warned: Warned
  fileprivate(set) var notices: [Notice] = []
  fileprivate var translation: Translation?

  private final class Warned: Sendable { let failures = Mutex<[Failure]>([]) }

  init() {
    let warned = Warned()
    self.warned = warned
    warnings = DeferredWarnings { failure in warned.failures.withLock { $0.append(failure) } }
  }

  /// The lines told so far without hints, and the warnings behind them.
  var lines: [String] {
    notices.flatMap { notice -> [String] in
      switch notice {
      case .line(let text): text.split(separator: "\n").map(String.init)
      case .hint: []
      case .failure(let failure): [text(failure)]
      }
    } + warned.failures.withLock { $0 }.map(text)
  }

  private func text(_ failure: Failure) -> String { failure.message.text(in: translation) }
}

extension Context {
  /// Makes the context of work on another thread, without a terminal. Its warnings go to the given place.
  /// - Parameter language: two letters; nil for that of the locale.
  typealias Maker = @Sendable (_ globals: Globals, _ language: String?, _ warnings: DeferredWarnings) -> Context

  /// The same context, whose notices are collected.
  func telling(_ told: ToldNotices) -> Context {
    var context = self
    context.terminal.usesColor = false
    context.listener = { told.notices.append($0) }
    told.translation = terminal.translation
    return context
  }
}
