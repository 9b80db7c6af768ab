import Glibc
import Synchronization

/// The signal that came, 0 for none. An atomic number is all that a signal handler may touch.
private let received = Atomic<Int32>(0)

/// Whether someone asked the program to stop: Ctrl-C, `kill`, or a closed terminal.
///
/// Long work reads `isRequested` between two steps, keeps what is done and ends. A second signal of the same kind
/// ends the process at once.
public enum Interrupt {
  /// Whether the program should stop at the next good place.
  public static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// The signal that asked for it; a shell expects the exit status 128 + this number.
  public static var signal: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// From now on these signals set `isRequested` instead of ending the process. Waiting calls return with `EINTR`.
  public static func install() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      Interrupt.request(number)
      // The second one kills.
      HeldTerminal.end(on: number)
    }
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaction(number, &action, nil) }
  }

  /// Asks to stop as this signal would.
  static func request(_ signal: Int32) {
    received.store(signal, ordering: .relaxed)
    Bell.ring()
  }

  /// Forgets a request that was dealt with, such as Ctrl-C at a question, and listens again.
  public static func reset() {
    received.store(0, ordering: .relaxed)
    install()
  }
}

/// The work was stopped because `Interrupt.isRequested`.
public struct Interrupted: Error, Hashable, Sendable, CustomStringConvertible {
  /// For whoever prints it.
  public var description: String { "interrupted" }
  /// The one value.
  public init() {}
}

extension Interrupt {
  /// Throws when the program should stop.
  public static func check() throws(Interrupted) {
    if isRequested { throw Interrupted() }
  }
}
