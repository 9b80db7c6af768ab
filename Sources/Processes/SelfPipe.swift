internal import Glibc
internal import Synchronization

/// The end of a pipe that a signal handler writes to; -1 before the pipe exists.
private let writingEnd = Atomic<Int32>(-1)

/// Ends a wait in `poll` when a signal arrives, on any thread, even just before the wait begins (a self-pipe).
package enum SelfPipe {
  /// The descriptor to wait for with `poll`. The pipe is made at the first use and never closed, because a handler may
  /// write to it at any time.
  package static let descriptor: Int32 = {
    guard let pipe = try? Pipe() else { return -1 }
    for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    writingEnd.store(pipe.writeEnd, ordering: .relaxed)
    return pipe.readEnd
  }()

  /// Wakes the waiting thread. Called by signal handlers.
  package static func wake() {
    let code = errno
    var byte: UInt8 = 0
    let end = writingEnd.load(ordering: .relaxed)
    if end >= 0 { _ = write(end, &byte, 1) }
    errno = code
  }

  /// Empties the pipe. The handlers store their results elsewhere.
  package static func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }
}
