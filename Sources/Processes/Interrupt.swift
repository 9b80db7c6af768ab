internal import Glibc
internal import Synchronization

/// The signal that came, 0 for none. An atomic number is all that a signal handler may touch.
private let received = Atomic<Int32>(0)

/// The number of calls of ``Interrupt/postponed(_:)`` that go on.
private let postponements = Atomic<Int>(0)

/// Whether the user has asked the program to stop: Ctrl-C, `kill`, or a closed terminal. On the thread of a
/// ``BackgroundWork``, also whether that work was cancelled.
///
/// Long work checks `isRequested` between two steps, keeps its results so far and ends. A second signal of the same
/// kind ends the process at once.
public enum Interrupt {
  /// Whether the program, or the work of this thread, should stop at the next good place.
  public static var isRequested: Bool { isPending && postponements.load(ordering: .relaxed) == 0 }

  /// The same within ``postponed(_:)``, too.
  public static var isPending: Bool {
    received.load(ordering: .relaxed) != 0 || Cancellation.ofThisThread?.isRequested == true
  }

  /// Calls `body`, in which nothing sees that the program should stop. It is for short work of which no half may be
  /// done: a write, and the words about what was written.
  public static func postponed<Result>(_ body: () throws -> Result) rethrows -> Result {
    postponements.wrappingAdd(1, ordering: .relaxed)
    defer { postponements.wrappingSubtract(1, ordering: .relaxed) }
    return try body()
  }

  /// The received signal; a shell expects the exit status 128 + this number.
  public static var signal: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// The number of the signal that Ctrl-C sends.
  public static let controlC = SIGINT

  /// Makes these signals set `isRequested` instead of ending the process. Waiting calls return with `EINTR`.
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
  package static func request(_ signal: Int32) {
    received.store(signal, ordering: .relaxed)
    SelfPipe.wake()
  }

  /// Forgets a request that was dealt with, such as Ctrl-C at a question, and listens again.
  public static func reset() {
    received.store(0, ordering: .relaxed)
    install()
  }
}

/// The error of work that ended because of `Interrupt.isRequested`.
public struct Interrupted: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String { "interrupted" }
  public init() {}
}

extension Interrupt {
  /// Throws when the program should stop.
  public static func check() throws(Interrupted) {
    if isRequested { throw Interrupted() }
  }

  /// Waits for a duration.
  /// - Throws: ``Interrupted`` when the program should stop.
  public static func wait(_ duration: Duration) throws(Interrupted) {
    let end = Uptime.now() + duration
    while Uptime.now() < end {
      try check()
      var wakeUp = pollfd(fd: SelfPipe.descriptor, events: Int16(POLLIN), revents: 0)
      // Cancelling a thread's work does not ring the bell.
      if poll(&wakeUp, 1, Uptime.milliseconds(until: end, longest: 1_000)) > 0 { SelfPipe.drain() }
    }
    try check()
  }
}

// MARK: One thread's work

extension Interrupt {
  /// A word to one thread that its work is not needed any more.
  final class Cancellation: Sendable {
    private let requested = Atomic(false)

    var isRequested: Bool { requested.load(ordering: .relaxed) }

    func request() { requested.store(true, ordering: .relaxed) }

    /// The thread-specific value. Made with the first background work, so that a single-threaded program does not look
    /// it up.
    private static let place: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      isUsed.store(true, ordering: .releasing)
      return key
    }()
    private static let isUsed = Atomic(false)

    static var ofThisThread: Cancellation? {
      get {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return pthread_getspecific(place).map { Unmanaged<Cancellation>.fromOpaque($0).takeUnretainedValue() }
      }
      set { pthread_setspecific(place, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }
  }

  /// Calls `body`, which ends early when the cancellation is requested.
  static func cancelled<Result>(by cancellation: Cancellation, _ body: () throws -> Result) rethrows -> Result {
    Cancellation.ofThisThread = cancellation
    defer { Cancellation.ofThisThread = nil }
    return try body()
  }
}
