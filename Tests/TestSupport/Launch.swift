public import Foundation
import Synchronization

/// How a run of the program ended, and what it wrote.
public struct Outcome: Sendable {
  /// As a shell says it: 128 and the signal's number when a signal ended it.
  public var status: Int32
  /// What it wrote to standard output.
  public var outputBytes: [UInt8]
  /// What it wrote to standard error.
  public var errorBytes: [UInt8]

  /// An end that something else has seen, such as a terminal.
  public init(status: Int32, outputBytes: [UInt8], errorBytes: [UInt8]) {
    (self.status, self.outputBytes, self.errorBytes) = (status, outputBytes, errorBytes)
  }

  /// What it wrote to standard output, as text.
  public var output: String { String(decoding: outputBytes, as: UTF8.self) }
  /// What it wrote to standard error, as text.
  public var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  /// The lines of its output that are not empty.
  public var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A program or a terminal that could not be had.
public struct LaunchFailure: Error {
  public var call: String
  public var code: Int32

  public init(call: String, code: Int32 = errno) { (self.call, self.code) = (call, code) }
}

/// The program while it runs: the built binary with an environment of its own.
public final class Launch {
  /// The binary that was built with whoever runs this, and stands beside it.
  public static let program: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let bundle = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)]) + "/catalog"
  }()

  /// No run takes so many seconds: a program that hangs is killed, and says so with its errors and its status.
  public var patience = 60.0
  /// Whether it had to be killed.
  public private(set) var isHanging = false

  /// Its number.
  public let pid: pid_t
  /// Our ends of its streams; nil once they are closed.
  private var input: Int32?
  private var outputEnd: Int32?
  private var errorEnd: Int32?
  /// What it has written to standard output so far.
  public private(set) var outputBytes: [UInt8] = []
  /// What it has written to standard error so far.
  public private(set) var errorBytes: [UInt8] = []
  private var status: Int32?

  /// While one thread has a descriptor that is not yet marked to be closed on exec, another must not start a program.
  private static let turn = Mutex(())

  /// - Parameters:
  ///   - words: as bytes, because a file name or title need not be text.
  ///   - terminal: what all three streams lead to; without one they are pipes.
  ///   - program: another one, such as a shell that starts ours.
  public init(
    _ words: [[UInt8]], environment: [String: String], terminal: PseudoTerminal? = nil, program: String = Launch.program
  ) throws {
    // Who is given something to read may be dead already.
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
        // The leader of a new session takes the terminal that it opens: Ctrl-C there is a signal for it.
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

  /// Writes everything to its input, closes it, reads both streams to their end and waits.
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
  /// - Returns: whether it has.
  @discardableResult
  public func waitForOutput(_ text: String) -> Bool {
    communicate { launch in
      launch.outputBytes.contains(text) || launch.errorBytes.contains(text)
        || launch.outputEnd == nil && launch.errorEnd == nil
    }
    return outputBytes.contains(text) || errorBytes.contains(text)
  }

  /// Writes to its input.
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

  /// It has nothing more to read.
  public func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Nobody reads any more.
  public func closeOutput() {
    if let outputEnd { close(outputEnd) }
    outputEnd = nil
  }

  /// Sends it a signal.
  public func send(_ signal: Int32) { kill(pid, signal) }

  /// Waits for its end.
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
    // Who was started by it, as strace starts what it traces, must not be left behind.
    let children = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
    for child in children.split(separator: " ").compactMap({ pid_t($0) }) { kill(child, SIGKILL) }
    kill(pid, SIGKILL)
  }

  /// - Returns: false at the end.
  private static func take(from descriptor: Int32, to bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    }
  }
}

extension [UInt8] {
  /// Whether this text stands among the bytes.
  public func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
