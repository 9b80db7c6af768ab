internal import CommandLineKit
internal import Synchronization

/// The notes of a quiet command, from any thread. They are told only if it does not succeed, so that one that ends with
/// status 0 is silent.
final class HeldNotes: Sendable {
  /// The text held back; nil when the command is not quiet.
  private let held = Mutex<String?>(nil)

  var isHolding: Bool { held.withLock { $0 != nil } }

  /// Holds back all notes from now on.
  func begin() { held.withLock { $0 = $0 ?? "" } }

  /// - Returns: false when the command is not quiet, and the caller tells it.
  func hold(_ text: String) -> Bool {
    held.withLock { held in
      guard held != nil else { return false }
      held?.append(text)
      return true
    }
  }

  fileprivate func taken() -> String {
    held.withLock { held in
      defer { if held != nil { held = "" } }
      return held ?? ""
    }
  }
}

extension Context {
  /// Tells what a quiet command has held back so far: before a question, and after an error.
  func tellHeldNotes() {
    let text = heldNotes.taken()
    if !text.isEmpty { try? errors.append(text) }
  }

  /// The terminal for a line of progress, which a quiet command does not draw.
  var progressTerminal: Terminal {
    var terminal = terminal
    terminal.isErrorTerminal = terminal.isErrorTerminal && listener == nil && !heldNotes.isHolding
    return terminal
  }
}
