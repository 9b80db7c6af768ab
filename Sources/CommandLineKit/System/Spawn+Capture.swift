import Glibc

extension Spawn {
  /// What a program wrote before it ended.
  public struct Captured: Hashable, Sendable {
    /// Nil when it took too long or wrote too much, and was ended.
    public var status: ExitStatus?
    /// Its standard output.
    public var output: [UInt8]
  }

  /// Starts a program, gives it bytes to read, and waits for its end with all it writes.
  ///
  /// - Parameters:
  ///   - bytes: what it finds on its standard input: a file without a name.
  ///   - error: where its complaints go.
  ///   - limit: more is not read, in bytes.
  ///   - seconds: how long it may take.
  /// - Throws: ``SystemError`` when it cannot be started, ``Interrupted`` when someone asked us to stop.
  public static func capture(
    _ words: [String], reading bytes: [UInt8], error: Stream = .null, limit: Int = 64 << 20, seconds: Double = 10
  ) throws -> Captured {
    let file = try UnnamedFile(bytes)
    let child = try start(words, input: .descriptor(file.descriptor), output: .pipe, error: error)
    guard let pipe = child.output else { return Captured(status: child.wait(), output: []) }
    let end = Progress.clock() + .seconds(seconds)
    var output: [UInt8] = []
    var isWhole = false
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !isWhole, output.count <= limit, !Interrupt.isRequested {
      let left = (end - Progress.clock()) / .milliseconds(1)
      guard left > 0 else { break }
      var ready = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(min(left, 200)) + 1) > 0 else { continue }
      let count = read(pipe, &buffer, buffer.count)
      if count > 0 { output += buffer[..<count] }
      isWhole = count == 0 || count < 0 && errno != EINTR
    }
    close(pipe)
    let status = child.waitOrEnd(after: isWhole ? max(0, (end - Progress.clock()) / .seconds(1)) : 0)
    try Interrupt.check()
    return Captured(status: isWhole ? status : nil, output: output)
  }
}

/// A file for this program and its children only. It is gone when they are.
private final class UnnamedFile {
  let descriptor: Int32

  init(_ bytes: [UInt8]) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array(((folder.hasPrefix("/") ? folder : "/tmp") + "/catalog-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SystemError(errno, "make a temporary file") }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    do {
      try FileDescriptor.write(bytes, to: descriptor)
    } catch let error as SystemError {
      throw SystemError(error.code, "write a temporary file")
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }
}
