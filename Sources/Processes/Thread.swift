internal import Glibc

/// Threads with a stack of the usual size, whatever `ulimit -s` says.
public enum Thread {
  private static let stackSize = 8 << 20
  /// The least that the program runs in.
  private static let leastStackSize = 2 << 20

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs the whole program: on this thread, or where its stack is small on another one, which gets all signals.
  public static func runProgram(_ body: @escaping @Sendable () -> Int32) -> Int32 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur < leastStackSize else {
      return body()
    }
    var thread = pthread_t()
    // It ends with the program.
    guard (try? make(&thread, PTHREAD_CREATE_JOINABLE) { exit(body()) }) != nil else { return body() }
    _ = blockSignals()
    pthread_join(thread, nil)
    return 0
  }

  /// Runs `body` on a new detached thread, with all signals blocked except those of a crash.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    // The thread inherits the signal mask set here.
    var before = blockSignals()
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    try make(&thread, PTHREAD_CREATE_DETACHED, body)
  }

  private static func make(
    _ thread: inout pthread_t, _ state: Int, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(state))
    pthread_attr_setstacksize(&attributes, stackSize)
    let retained = Unmanaged.passRetained(Body(body))
    let code = pthread_create(
      &thread, &attributes,
      { pointer in
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      throw SystemError(code, "start a thread")
    }
  }

  /// Keeps all signals from this thread except those of a crash.
  /// - Returns: the signals that were blocked before.
  private static func blockSignals() -> sigset_t {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigfillset(&blocked)
    for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] { sigdelset(&blocked, crash) }
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    return before
  }
}
