internal import CommandLineKit
internal import Lookup
internal import Synchronization

extension Pause.Step {
  /// The source, the time to wait in seconds and the reason: `waiting 12 s: iTunes allows 20 a minute`; nil when the
  /// wait is over.
  var words: Message? {
    func name(_ id: String) -> String { Source.named(id)?.name ?? id }
    switch self {
    case .waiting(let source, let seconds, .rateLimit(let limit)):
      return "waiting \(seconds) s: \(name(source)) allows \(limit.words)"
    case .waiting(let source, let seconds, .request):
      return "waiting \(seconds) s: \(name(source)) asked for a pause"
    case .askingAgain(let source): return "asking \(name(source)) again"
    case .over: return nil
    }
  }
}

extension RateLimit {
  /// `20 a minute`, `3 in 3 s`.
  fileprivate var words: Message {
    switch interval {
    case 1: "\(requests) a second"
    case 60: "\(requests) a minute"
    default: "\(requests) in \(interval) s"
    }
  }
}

/// Prints the rate limit that the network waits for to standard error, from any thread. On a terminal it is one line
/// that counts down and disappears; elsewhere it is printed once for each wait.
final class PauseLine: Sendable {
  private let terminal: Terminal
  private let write: @Sendable (String) -> Void
  private let isSaid = Mutex(false)

  init(on terminal: Terminal, write: @escaping @Sendable (String) -> Void) {
    (self.terminal, self.write) = (terminal, write)
  }

  func tell(_ step: Pause.Step) {
    guard !terminal.isErrorTerminal else {
      return write(
        "\r" + (step.words.map { words(for: $0).truncated(to: terminal.width - 1) } ?? "") + "\u{1B}[K")
    }
    let isFirst = isSaid.withLock { isSaid in
      defer { isSaid = step != .over }
      return !isSaid
    }
    if isFirst, case .waiting = step, let words = step.words {
      write("catalog: \(words.text(on: terminal))\n")
    }
  }

  private func words(for words: Message) -> String { ("\(words), Ctrl-C stops" as Message).text(on: terminal) }
}
