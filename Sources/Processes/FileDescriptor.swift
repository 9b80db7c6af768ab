internal import Glibc

/// Writing whole buffers.
package enum FileDescriptor {
  /// Writes all bytes, however many calls that takes.
  /// - Throws: ``SystemError``, ``BrokenPipe``, ``Interrupted``.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, attempt: String = "write the output") throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EPIPE {
          throw BrokenPipe()
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, -1)
        } else if errno == EINTR {
          // Whoever reads may never read on.
          try Interrupt.check()
        } else {
          throw SystemError(errno, attempt)
        }
      }
    }
  }
}
