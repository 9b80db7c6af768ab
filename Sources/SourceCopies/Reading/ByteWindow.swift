internal import Glibc
internal import Processes

/// A window on a stream: the bytes that a scanner looks at lie in one piece, and it moves on when they are done with.
final class ByteWindow {
  private let source: ByteSource
  private var buffer: UnsafeMutableRawPointer
  private var capacity = 1 << 20
  private var (start, end) = (0, 0)
  private var isAtEnd = false

  init(_ source: ByteSource) {
    self.source = source
    buffer = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The bytes in the window, valid until it moves or grows.
  var bytes: Bytes { UnsafeRawBufferPointer(start: buffer + start, count: end - start) }

  /// Moves the beginning of the window behind `count` bytes.
  func advance(_ count: Int) { start += min(count, end - start) }

  /// Adds the next bytes of the stream.
  /// - Returns: false at the end of the stream.
  func grow() throws -> Bool {
    guard !isAtEnd else { return false }
    let piece = try source.next()
    guard !piece.isEmpty else {
      isAtEnd = true
      return false
    }
    if end + piece.count > capacity { makeRoom(for: piece.count) }
    piece.withUnsafeBytes { if let base = $0.baseAddress { memcpy(buffer + end, base, piece.count) } }
    end += piece.count
    return true
  }

  private func makeRoom(for more: Int) {
    let count = end - start
    if count + more > capacity {
      while capacity < count + more { capacity *= 2 }
      let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
      memcpy(larger, buffer + start, count)
      buffer.deallocate()
      buffer = larger
    } else {
      memmove(buffer, buffer + start, count)
    }
    (start, end) = (0, count)
  }
}
