internal import Glibc

/// A stream of bytes from a file, a program or another source.
///
/// A class, because it holds resources to close: a file or a running program.
public final class ByteSource {
  private let read: () throws -> [UInt8]
  private let close: () -> Void
  private var first: [UInt8]?

  /// - Parameter read: returns the next chunk; empty at the end.
  package init(read: @escaping () throws -> [UInt8], close: @escaping () -> Void = {}) {
    (self.read, self.close) = (read, close)
  }

  deinit { close() }

  /// Returns the next bytes; empty at the end.
  /// - Throws: the error of the source, `Interrupted`.
  public func next() throws -> [UInt8] {
    if let piece = first {
      first = nil
      return piece
    }
    try Interrupt.check()
    return try read()
  }

  /// Puts bytes back, before all other bytes.
  package func putBack(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    first = bytes + (first ?? [])
  }

  /// Returns the first bytes, at most `count`, without consuming them.
  public func beginning(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try next()
      if piece.isEmpty { break }
      bytes += piece
    }
    putBack(bytes)
    return Array(bytes.prefix(count))
  }
}

extension ByteSource {
  package convenience init(bytes: [UInt8]) {
    var rest: [UInt8]? = bytes
    self.init(read: {
      defer { rest = nil }
      return rest ?? []
    })
  }

  /// Reads an open file, which is closed with this value.
  /// - Parameter attempt: the attempted action, for errors: `read 'x.csv'`.
  package convenience init(descriptor: Int32, attempt: String) {
    self.init(
      read: { try FileDescriptor.read(from: descriptor, attempt: attempt) }, close: { Glibc.close(descriptor) })
  }

  /// Reads the output of a program, which is ended if the output is not read to its end.
  /// - Parameters:
  ///   - input: a descriptor that becomes the program's input.
  ///   - pieceSize: the maximum size of a chunk in bytes.
  ///   - check: receives the exit status once the output has been read.
  package convenience init(
    program words: [String], environment: Spawn.Environment = .adding(["LC_ALL": "C.UTF-8"]),
    input: Spawn.Input = .null, pieceSize: Int = FileDescriptor.pieceSize,
    check: @escaping (ExitStatus?) throws -> Void
  ) throws(SystemError) {
    let child = try Spawn.start(words, environment: environment, input: input, output: .pipe, error: .null)
    let attempt = "read the output of '\(words.first ?? "")'"
    guard let output = child.output else { throw SystemError(EPIPE, attempt) }
    var isOver = false
    func end(isRead: Bool) -> ExitStatus? {
      guard !isOver else { return nil }
      isOver = true
      Glibc.close(output)
      // After the end of its output, the program exits by itself. Polling would take longer than the program.
      return isRead ? child.wait() : child.waitOrEnd(after: 0)
    }
    self.init(
      read: {
        if isOver { return [] }
        let piece = try FileDescriptor.read(from: output, atMost: pieceSize, attempt: attempt)
        if piece.isEmpty { try check(end(isRead: true)) }
        return piece
      }, close: { _ = end(isRead: false) })
  }
}
