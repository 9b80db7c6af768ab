internal import Glibc

/// A running program and its output so far. The caller must call ``end()`` on every path.
///
/// No function waits for a single program, so that one thread can listen to many:
///
///     var running = [try ChildProcess(["curl", "--config", "-"], input: .bytes(configuration))]
///     defer { for index in running.indices { running[index].end() } }
///     while !running[0].isSilent {
///       ChildProcess.wait(for: running, until: end)
///       running[0].read()
///     }
public struct ChildProcess {
  private let child: Child
  private var isOpen = true
  /// The standard output.
  public private(set) var output: PipeReader
  /// The standard error, if it is a pipe.
  public private(set) var error: PipeReader
  private var status: ExitStatus?

  /// Starts a program like ``Spawn/start(_:environment:input:output:error:)``, with its output in a pipe.
  public init(
    _ words: [String], environment: Spawn.Environment = .ours, input: Spawn.Input = .null, error: Spawn.Stream = .pipe
  ) throws(SystemError) {
    child = try Spawn.start(words, environment: environment, input: input, output: .pipe, error: error)
    (output, self.error) = (PipeReader(child.output), PipeReader(child.error, keepsEnds: true))
  }

  /// Whether all that leads to us is at its end.
  public var isSilent: Bool { output.descriptor == nil && error.descriptor == nil }

  /// Writes to the standard input, which must be ``Spawn/Input/pipe``. It blocks while the pipe is full, so a caller
  /// that does not read meanwhile must write at most 4 KiB, which always fit.
  /// - Throws: ``SystemError``, ``BrokenPipe``, ``Interrupted``.
  public func write(_ bytes: [UInt8]) throws {
    guard let input = child.input else { throw BrokenPipe() }
    try FileDescriptor.write(bytes, to: input, attempt: "write to a program")
  }

  /// Reads the available output without blocking.
  public mutating func read() {
    output.read()
    error.read()
  }

  /// Removes and returns the standard output read so far.
  public mutating func takeOutput() -> [UInt8] { output.take() }

  /// The exit status, or nil while the program is running.
  public mutating func poll() -> ExitStatus? {
    if status == nil { status = child.poll() }
    return status
  }

  /// Closes the streams, and kills the program if it is still running.
  public mutating func end() {
    close()
    guard poll() == nil else { return }
    kill(child.process, SIGKILL)
    status = child.wait()
  }

  /// Closes the streams, and waits the given number of seconds for the program to exit by itself, and another second
  /// after asking it to.
  /// - Returns: nil when the program was ended.
  public mutating func waitOrEnd(after seconds: Double) -> ExitStatus? {
    close()
    if let status { return status }
    let status = child.waitOrEnd(after: seconds)
    self.status = status ?? .killed(SIGTERM)
    return status
  }

  private mutating func close() {
    if isOpen, let input = child.input { Glibc.close(input) }
    isOpen = false
    output.close()
    error.close()
  }

  /// Waits until a program writes or ends, a signal arrives, the time is over, or 0.1 s have passed, because the user
  /// may have interrupted just before.
  public static func wait(for programs: some Sequence<ChildProcess>, until end: Duration? = nil) {
    var descriptors: [pollfd] = []
    var limit = Uptime.milliseconds(until: end, longest: 100)
    for program in programs {
      for descriptor in [program.output.descriptor, program.error.descriptor] {
        if let descriptor { descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
      }
      // The program closed its streams and is about to exit, which no descriptor reports.
      if program.isSilent && program.status == nil { limit = min(limit, 1) }
    }
    _ = Glibc.poll(&descriptors, nfds_t(descriptors.count), limit)
  }
}

/// The reading end of a pipe, with the bytes read so far.
public struct PipeReader {
  /// Nil after the end of the stream.
  private(set) var descriptor: Int32?
  /// The bytes read so far and not yet taken.
  public private(set) var bytes: [UInt8] = []
  /// Whether to keep only the beginning and the end of output longer than ``mostKept``, such as error messages.
  private let keepsEnds: Bool
  /// The number of bytes received.
  private var received = 0
  /// The most bytes that are kept.
  private static let mostKept = 1 << 20
  /// The most bytes that are read if only the ends are kept; the pipe is then closed.
  private static let mostHeard = 16 << 20

  fileprivate init(_ descriptor: Int32?, keepsEnds: Bool = false) {
    if let descriptor { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    (self.descriptor, self.keepsEnds) = (descriptor, keepsEnds)
  }

  fileprivate mutating func read() {
    guard let descriptor else { return }
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { bytes += buffer[..<count] }
      return count
    }
    received += max(0, count)
    if keepsEnds, bytes.count > Self.mostKept {
      bytes.removeSubrange(Self.mostKept / 4..<bytes.count - Self.mostKept / 4)
    }
    if keepsEnds, received > Self.mostHeard { return close() }
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { close() }
  }

  fileprivate mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  fileprivate mutating func close() {
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }
}
