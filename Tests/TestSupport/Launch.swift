public import Foundation
import Synchronization

/// The exit status and the output of a run of the program.
public struct Outcome: Sendable {
  /// The exit status as a shell has it: 128 plus the number of a signal that ended the program.
  public var status: Int32
  /// The bytes of standard output.
  public var outputBytes: [UInt8]
  /// The bytes of standard error.
  public var errorBytes: [UInt8]

  /// An outcome seen by something else, such as a terminal.
  public init(status: Int32, outputBytes: [UInt8], errorBytes: [UInt8]) {
    (self.status, self.outputBytes, self.errorBytes) = (status, outputBytes, errorBytes)
  }

  /// Standard output as text.
  public var output: String { String(decoding: outputBytes, as: UTF8.self) }
  /// Standard error as text.
  public var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  /// The lines of standard output that are not empty.
  public var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A program or a terminal that could not be started.
public struct LaunchFailure: Error {
  public var call: String
  public var code: Int32

  public init(call: String, code: Int32 = errno) { (self.call, self.code) = (call, code) }
}

/// A running program: the built binary with an environment of its own.
public final class Launch {
  /// The binary that was built beside the running tests.
  public static let program: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let bundle = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)]) + "/catalog"
  }()

  /// The longest run in seconds: a program that hangs is killed, and reported with its errors and status.
  public var patience = Patience.seconds
  /// Whether the program had to be killed.
  public private(set) var isHanging = false

  /// The process id.
  public let pid: pid_t
  /// Our ends of the streams; nil once they are closed.
  private var input: Int32?
  private var outputEnd: Int32?
  private var errorEnd: Int32?
  /// The bytes of standard output so far.
  public private(set) var outputBytes: [UInt8] = []
  /// The bytes of standard error so far.
  public private(set) var errorBytes: [UInt8] = []
  private var status: Int32?

  /// A lock on starting programs: no program may start while a descriptor is not yet marked to be closed on exec.
  private static let turn = Mutex(())

  /// - Parameters:
  ///   - words: the arguments as bytes, because a file name or title need not be valid text.
  ///   - terminal: the terminal for all three streams; nil for pipes.
  ///   - program: another program, such as a shell that starts ours.
  public init(
    _ words: [[UInt8]], environment: [String: String], terminal: PseudoTerminal? = nil, program: String = Launch.program
  ) throws {
    // The reader of our input may have ended already.
    signal(SIGPIPE, SIG_IGN)
    (pid, input, outputEnd, errorEnd) = try Self.turn.withLock { _ in
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var signals = sigset_t()
      sigemptyset(&signals)
      var flags = Int32(POSIX_SPAWN_SETSIGMASK)
      posix_spawnattr_setsigmask(&attributes, &signals)
      for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT] { sigaddset(&signals, signal) }
      posix_spawnattr_setsigdefault(&attributes, &signals)
      flags |= Int32(POSIX_SPAWN_SETSIGDEF)

      var ours: [Int32] = []
      var theirs: [Int32] = []
      if let terminal {
        // The leader of a new session gets the terminal that it opens, so Ctrl-C there sends it a signal.
        flags |= 0x80  // POSIX_SPAWN_SETSID
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal.name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
      } else {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
          var ends: [Int32] = [-1, -1]
          guard pipe(&ends) == 0 else { throw LaunchFailure(call: "pipe") }
          for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
          let isInput = descriptor == STDIN_FILENO
          ours.append(isInput ? ends[1] : ends[0])
          theirs.append(isInput ? ends[0] : ends[1])
          posix_spawn_file_actions_adddup2(&actions, isInput ? ends[0] : ends[1], descriptor)
        }
      }
      posix_spawnattr_setflags(&attributes, Int16(flags))
      defer { for descriptor in theirs { close(descriptor) } }

      var argv = ([Array(program.utf8)] + words).map { Self.cString($0) } + [nil]
      var envp = environment.map { Self.cString(Array("\($0)=\($1)".utf8)) } + [nil]
      defer { for string in argv + envp { free(string) } }
      var pid: pid_t = 0
      let code = posix_spawn(&pid, program, &actions, &attributes, &argv, &envp)
      guard code == 0 else { throw LaunchFailure(call: "start \(program)", code: code) }
      for descriptor in ours { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
      return ours.isEmpty ? (pid, nil, nil, nil) : (pid, ours[0], ours[1], ours[2])
    }
  }

  deinit {
    for descriptor in [input, outputEnd, errorEnd] { if let descriptor { close(descriptor) } }
    if status == nil {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }

  private static func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    let copy = malloc(bytes.count + 1)?.assumingMemoryBound(to: CChar.self)
    for (index, byte) in (bytes + [0]).enumerated() { copy?[index] = CChar(bitPattern: byte) }
    return copy
  }

  /// Writes all bytes to the program's input, closes it, reads both streams to their end and waits.
  public func finish(input bytes: [UInt8] = []) -> Outcome {
    var rest = bytes[...]
    communicate { launch in
      if let input = launch.input {
        let count = rest.withUnsafeBytes { $0.isEmpty ? 0 : write(input, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        if rest.isEmpty || count < 0 && errno != EAGAIN { launch.closeInput() }
      }
      return launch.outputEnd == nil && launch.errorEnd == nil
    }
    closeInput()
    return Outcome(status: wait(), outputBytes: outputBytes, errorBytes: errorBytes)
  }

  /// Reads until the program has written `text`, or ended.
  /// - Returns: whether it has written the text.
  @discardableResult
  public func waitForOutput(_ text: String) -> Bool {
    communicate { launch in
      launch.outputBytes.contains(text) || launch.errorBytes.contains(text)
        || launch.outputEnd == nil && launch.errorEnd == nil
    }
    return outputBytes.contains(text) || errorBytes.contains(text)
  }

  /// Writes to the program's input.
  public func type(_ text: String) {
    guard let input else { return }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, 100)
      } else {
        return
      }
    }
  }

  /// Closes the program's input.
  public func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Closes our end of the program's output.
  public func closeOutput() {
    if let outputEnd { close(outputEnd) }
    outputEnd = nil
  }

  /// Sends the program a signal.
  public func send(_ signal: Int32) { kill(pid, signal) }

  /// Waits for the end of the program.
  public func wait() -> Int32 {
    if let status { return status }
    var code: Int32 = 0
    let end = Date(timeIntervalSinceNow: patience)
    while waitpid(pid, &code, WNOHANG) != pid {
      if Date() > end { giveUp() }
      usleep(1000)
    }
    let signal = code & 0x7F
    let result = signal == 0 ? code >> 8 & 0xFF : 128 + signal
    status = result
    return result
  }

  private func communicate(until isDone: (Launch) -> Bool) {
    let end = Date(timeIntervalSinceNow: patience)
    while !isDone(self) {
      if Date() > end { return giveUp() }
      var waiting: [pollfd] = []
      for descriptor in [outputEnd, errorEnd] {
        if let descriptor { waiting.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
      }
      if let input { waiting.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
      poll(&waiting, nfds_t(waiting.count), 100)
      if let outputEnd, !Self.take(from: outputEnd, to: &outputBytes) {
        close(outputEnd)
        self.outputEnd = nil
      }
      if let errorEnd, !Self.take(from: errorEnd, to: &errorBytes) {
        close(errorEnd)
        self.errorEnd = nil
      }
    }
  }

  private func giveUp() {
    if !isHanging { errorBytes += Array("the program hangs, and was killed\n".utf8) }
    isHanging = true
    // Its children, such as a program traced by strace, must not be left behind.
    let children = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
    for child in children.split(separator: " ").compactMap({ pid_t($0) }) { kill(child, SIGKILL) }
    kill(pid, SIGKILL)
  }

  /// - Returns: false at the end of the stream.
  private static func take(from descriptor: Int32, to bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    }
  }
}

extension [UInt8] {
  /// Whether the bytes contain this text.
  public func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
