internal import Glibc

/// A program that runs, and what it has written so far. Who starts one must ``end()`` it, on every path.
///
/// Nothing waits for one program alone, so that one thread listens to many:
///
///     var running = [try Listener(["curl", "--config", "-"], input: .bytes(configuration))]
///     defer { for index in running.indices { running[index].end() } }
///     while !running[0].isSilent {
///       Listener.wait(for: running, until: end)
///       running[0].read()
///     }
public struct Listener {
  private let child: Child
  private var isOpen = true
  /// What it wrote to its standard output.
  public private(set) var output: Inlet
  /// What it wrote to its standard error, when that leads to us: of much, the beginning and the end.
  public private(set) var error: Inlet
  private var status: ExitStatus?

  /// Starts a program as ``Spawn/start(_:environment:input:output:error:)`` does, with its output leading to us.
  public init(
    _ words: [String], environment: Spawn.Environment = .ours, input: Spawn.Input = .null, error: Spawn.Stream = .pipe
  ) throws(SystemError) {
    child = try Spawn.start(words, environment: environment, input: input, output: .pipe, error: error)
    (output, self.error) = (Inlet(child.output), Inlet(child.error, keepsEnds: true))
  }

  /// Whether all that leads to us is at its end.
  public var isSilent: Bool { output.descriptor == nil && error.descriptor == nil }

  /// Writes to its standard input, which must be ``Spawn/Input/pipe``. It waits until there is room: who reads nothing meanwhile
  /// writes no more than a pipe surely holds, 4 KiB.
  /// - Throws: ``SystemError``, ``BrokenPipe``, ``Interrupted``.
  public func write(_ bytes: [UInt8]) throws {
    guard let input = child.input else { throw BrokenPipe() }
    try FileDescriptor.write(bytes, to: input, attempt: "write to a program")
  }

  /// Takes what there is to read, and does not wait for more.
  public mutating func read() {
    output.read()
    error.read()
  }

  /// Hands over what was read of its standard output and nobody has taken yet.
  public mutating func takeOutput() -> [UInt8] { output.take() }

  /// How the program ended, or nil while it runs.
  public mutating func poll() -> ExitStatus? {
    if status == nil { status = child.poll() }
    return status
  }

  /// Closes the streams, and kills the program when it still runs.
  public mutating func end() {
    close()
    guard poll() == nil else { return }
    kill(child.process, SIGKILL)
    status = child.wait()
  }

  /// Closes the streams, and gives the program so many seconds to end by itself, and another one when it is asked to.
  /// - Returns: nil when it was ended.
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

  /// Waits until one of the programs wrote something or ended, a signal came, the time is over, or a tenth of a second has
  /// passed: somebody may have asked us to stop just before.
  public static func wait(for programs: some Sequence<Listener>, until end: Duration? = nil) {
    var descriptors: [pollfd] = []
    var limit = Uptime.milliseconds(until: end, longest: 100)
    for program in programs {
      for descriptor in [program.output.descriptor, program.error.descriptor] {
        if let descriptor { descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
      }
      // It closed its streams and is about to end, which no descriptor tells.
      if program.isSilent && program.status == nil { limit = min(limit, 1) }
    }
    _ = Glibc.poll(&descriptors, nfds_t(descriptors.count), limit)
  }
}

/// The end of a pipe that is ours, and what came out of it.
public struct Inlet {
  /// Nil after the end.
  private(set) var descriptor: Int32?
  /// What was read so far, and not taken.
  public private(set) var bytes: [UInt8] = []
  /// Whether only the beginning and the end are kept of more than ``mostKept``: complaints, which a person reads.
  private let keepsEnds: Bool
  /// How many bytes came.
  private var received = 0
  /// In bytes.
  private static let mostKept = 1 << 20
  /// Who complains more than that is not listened to any more, in bytes.
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
