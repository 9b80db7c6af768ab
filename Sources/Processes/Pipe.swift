internal import Glibc
internal import Synchronization

/// Both ends of a pipe, closed on exec.
struct Pipe {
  private(set) var readEnd: Int32
  private(set) var writeEnd: Int32

  /// While one thread has a pipe that is not yet marked to be closed on exec, another must not start a program: that
  /// program would hold the pipe open. (`pipe2` does both in one step, but Swift's Glibc does not show it.)
  static let turn = Mutex(())

  /// - Parameter inTurn: the caller has ``turn`` already.
  init(inTurn: Bool = false) throws(SystemError) {
    let ends = inTurn ? Self.ends() : Self.turn.withLock { _ in Self.ends() }
    guard let ends else { throw SystemError(errno, "make a pipe") }
    (readEnd, writeEnd) = ends
  }

  private static func ends() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // Neither end may leak into another program; the copy that is made for one is not marked.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Writes all bytes at once, before the pipe is read.
  mutating func fill(with bytes: [UInt8]) throws(SystemError) {
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    guard write(writeEnd, bytes, bytes.count) == bytes.count else { throw SystemError(E2BIG, "fill a pipe") }
  }

  /// Removes the reading end, which the caller must close.
  mutating func takeReadEnd() -> Int32 {
    defer { readEnd = -1 }
    return readEnd
  }

  /// Removes the writing end, which the caller must close.
  mutating func takeWriteEnd() -> Int32 {
    defer { writeEnd = -1 }
    return writeEnd
  }

  /// Closes the remaining ends.
  func close() {
    for end in [readEnd, writeEnd] where end >= 0 { Glibc.close(end) }
  }
}

/// A file for this program and its children only. It is gone when they are.
final class UnnamedFile {
  let descriptor: Int32

  init(_ bytes: [UInt8]) throws(SystemError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array(((folder.hasPrefix("/") ? folder : "/tmp") + "/catalog-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SystemError(errno, "make a temporary file") }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    do {
      try FileDescriptor.write(bytes, to: descriptor, attempt: "write a temporary file")
    } catch {
      throw error as? SystemError ?? SystemError(EINTR, "write a temporary file")
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }
}
