internal import Glibc

/// Reading chunks and writing whole buffers.
package enum FileDescriptor {
  /// The usual size of a chunk in bytes.
  package static let pieceSize = 64 << 10

  /// Reads the next chunk; empty at the end.
  /// - Throws: ``SystemError``, ``Interrupted``.
  package static func read(
    from descriptor: Int32, atMost size: Int = pieceSize, attempt: String
  ) throws -> [UInt8] {
    while true {
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        count = Glibc.read(descriptor, buffer.baseAddress, size)
        filled = max(0, count)
      }
      if count >= 0 { return piece }
      guard errno == EINTR else { throw SystemError(errno, attempt) }
      try Interrupt.check()
    }
  }

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
          // The reader may never read on.
          try Interrupt.check()
        } else {
          throw SystemError(errno, attempt)
        }
      }
    }
  }
}
