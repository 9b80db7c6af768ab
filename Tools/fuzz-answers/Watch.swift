import Glibc
import TestSupport

/// Reports the current mutant when the process dies: by a trap, a stack overflow, or an endless loop.
enum Watch {
  /// The message to write. It is prepared in advance, because a signal handler must not allocate memory.
  nonisolated(unsafe) private static let note = UnsafeMutablePointer<UInt8>.allocate(capacity: 1_024)
  nonisolated(unsafe) private static var length = 0
  /// The stack of the handler, needed after a stack overflow.
  nonisolated(unsafe) private static let stack = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
  private static let stackSize = 64 << 10

  /// Makes signals that end the process first write the message of ``set(_:)``.
  static func install() {
    var other = stack_t()
    (other.ss_sp, other.ss_size) = (stack, stackSize)
    sigaltstack(&other, nil)

    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      _ = write(STDERR_FILENO, Watch.note, Watch.length)
      // The handler has been removed, so the signal now has its default effect.
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
    alarm(UInt32(Patience.seconds))
  }
}
