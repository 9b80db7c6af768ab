import Glibc
internal import Processes

/// The program that shows a long listing page by page.
public struct Pager: Hashable, Sendable {
  /// The program and its arguments.
  public var words: [String]
  /// The additional environment variables.
  public var environment: [String: String]

  /// The pager of this user: `$PAGER`, or `less` when that is not set.
  ///
  /// Nil without a terminal, when `isEnabled` is false, or when `PAGER` is empty or `cat`.
  public init?(terminal: Terminal, environment: [String: String], isEnabled: Bool = true) {
    guard isEnabled, terminal.isOutputTerminal, terminal.isInputTerminal else { return nil }
    let words = Spawn.words(of: environment["PAGER"] ?? "less")
    guard let name = words.first, name != "cat" else { return nil }
    self.words = words
    // Quit at once if everything fits, keep color, and do not clear the screen afterwards.
    self.environment = environment["LESS"] == nil ? ["LESS": "FRX"] : [:]
  }

  /// Writes a listing: through the pager when it is longer than the terminal is high, directly when not or when the
  /// pager fails. Waits for the pager's end.
  public static func write(_ bytes: [UInt8], to output: Output, terminal: Terminal, pager: Pager?) throws {
    if let pager, bytes.lazy.count(where: { $0 == UInt8(ascii: "\n") }) >= terminal.height {
      try output.flush()
      if try pager.show(bytes) { return }
    }
    try output.append(bytes: bytes)
  }

  /// Shows bytes; false when the pager cannot be started or ends with an error.
  func show(_ bytes: [UInt8]) throws -> Bool {
    guard let child = try? Spawn.start(words, environment: .adding(environment), input: .pipe), let input = child.input
    else {
      return false
    }
    // Ctrl-C is for the pager while it runs, and a pager that is left early is no error.
    let interrupt = signal(SIGINT, SIG_IGN)
    let broken = signal(SIGPIPE, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGPIPE, broken)
    }
    do {
      defer { close(input) }
      try FileDescriptor.write(bytes, to: input)
    } catch is BrokenPipe {
    } catch {
      _ = child.wait()
      throw error
    }
    // A pager that is killed has shown something, one that fails may have shown nothing.
    return switch child.wait() {
    case .exited(let status): status == 0
    case .killed: true
    }
  }
}
