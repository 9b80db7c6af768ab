internal import Glibc
internal import Processes
internal import Synchronization

/// A program that was started, and what it wrote so far. Who starts it must ``end()`` it, on every path.
struct ChildProcess {
  /// Why a program could not be started.
  struct StartError: Error {
    /// From errno.h.
    var code: Int32
    var isMissing: Bool { code == ENOENT || code == ENOTDIR || code == EACCES }
  }

  enum Exit: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  private let pid: pid_t
  private(set) var output: Inlet
  private(set) var errors: Inlet
  private var exit: Exit?

  /// Starts a program from the `PATH` of its environment; no shell is involved.
  ///
  /// - Parameter input: what it finds on its standard input: less than a pipe holds, some thousand bytes.
  init(_ program: String, _ arguments: [String], input: [UInt8], environment: [String: String]) throws(StartError) {
    let path: String
    do { path = try Executable.path(of: program, along: environment["PATH"]) } catch {
      throw StartError(code: error.code)
    }
    (pid, output, errors) = try Self.turn.withLock { _ throws(StartError) in
      var pipes: [Pipe] = []
      defer { for pipe in pipes { pipe.close() } }
      for _ in 0..<3 { pipes.append(try Pipe()) }
      try pipes[0].fill(with: input)

      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, pipes[0].readEnd, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, pipes[1].writeEnd, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, pipes[2].writeEnd, STDERR_FILENO)

      var argv = ([program] + arguments).map { strdup($0) } + [nil]
      var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
      defer { for string in argv + envp { free(string) } }
      var pid: pid_t = 0
      let code = posix_spawn(&pid, path, &actions, nil, &argv, &envp)
      guard code == 0 else { throw StartError(code: code) }
      return (pid, pipes[1].inlet(), pipes[2].inlet())
    }
  }

  /// While one thread has a pipe that is not yet marked to be closed on exec, another must not start a program: that
  /// program would hold the pipe open. (`pipe2` does both in one step, but Swift's Glibc does not show it.)
  private static let turn = Mutex(())

  /// Whether both streams are at their end.
  var isSilent: Bool { output.descriptor == nil && errors.descriptor == nil }

  /// Takes what there is to read, and does not wait for more.
  mutating func read() {
    output.read()
    errors.read()
  }

  /// How the program ended, or nil while it runs.
  mutating func poll() -> Exit? {
    if exit == nil { reap(WNOHANG) }
    return exit
  }

  /// Closes the streams, and kills the program when it still runs.
  mutating func end() {
    output.close()
    errors.close()
    guard poll() == nil else { return }
    kill(pid, SIGKILL)
    reap(0)
  }

  private mutating func reap(_ options: Int32) {
    var status: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(pid, &status, options) } while found == -1 && errno == EINTR
    if found == pid {
      exit = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
    } else if found == -1 {
      // Somebody else took the status.
      exit = .signal(0)
    }
  }

  /// Waits until one of the programs wrote something or ended, a signal came, or the time is over.
  static func wait(for children: some Sequence<ChildProcess>, milliseconds: Int32) {
    var descriptors: [pollfd] = []
    var limit = milliseconds
    for child in children {
      for descriptor in [child.output.descriptor, child.errors.descriptor] {
        if let descriptor { descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
      }
      // It closed its streams and is about to end, which no descriptor tells.
      if child.isSilent && child.exit == nil { limit = min(limit, 1) }
    }
    _ = Glibc.poll(&descriptors, nfds_t(descriptors.count), limit)
  }
}

/// The end of a pipe that is ours, and what came out of it.
struct Inlet {
  /// Nil after the end.
  private(set) var descriptor: Int32?
  private(set) var bytes: [UInt8] = []

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  fileprivate mutating func read() {
    guard let descriptor else { return }
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { bytes += buffer[..<count] }
      return count
    }
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { close() }
  }

  fileprivate mutating func close() {
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }
}

/// Both ends of a pipe, closed on exec.
private struct Pipe {
  private(set) var readEnd: Int32
  private(set) var writeEnd: Int32

  init() throws(ChildProcess.StartError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ChildProcess.StartError(code: errno) }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Writes all at once: nobody reads yet.
  mutating func fill(with bytes: [UInt8]) throws(ChildProcess.StartError) {
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    guard write(writeEnd, bytes, bytes.count) == bytes.count else { throw ChildProcess.StartError(code: E2BIG) }
  }

  /// Takes the reading end out of the pipe, to be read without waiting.
  mutating func inlet() -> Inlet {
    _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    defer { readEnd = -1 }
    return Inlet(readEnd)
  }

  func close() {
    for end in [readEnd, writeEnd] where end >= 0 { Glibc.close(end) }
  }
}
