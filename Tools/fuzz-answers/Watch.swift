import Glibc

/// Says which mutant it was when the process is brought down: by a trap, by a stack that ran over, by a mutant that takes
/// for ever.
enum Watch {
  /// No mutant takes so long on any machine, in seconds.
  static let patience: UInt32 = 60

  /// What is written then. A signal handler can make no text.
  nonisolated(unsafe) private static let note = UnsafeMutablePointer<UInt8>.allocate(capacity: 1_024)
  nonisolated(unsafe) private static var length = 0
  /// Where the handler runs: a stack that ran over has no room for it.
  nonisolated(unsafe) private static let stack = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
  private static let stackSize = 64 << 10

  /// From now on a signal that ends the process says first what was set with ``set(_:)``.
  static func install() {
    var other = stack_t()
    (other.ss_sp, other.ss_size) = (stack, stackSize)
    sigaltstack(&other, nil)

    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      _ = write(STDERR_FILENO, Watch.note, Watch.length)
      // The handler is gone: the signal does now what it always does.
      raise(number)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER | SA_ONSTACK
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM] { sigaction(number, &action, nil) }
  }

  static func set(_ text: String) {
    length = 0
    for byte in text.utf8.prefix(1_024) {
      note[length] = byte
      length += 1
    }
    alarm(patience)
  }
}
