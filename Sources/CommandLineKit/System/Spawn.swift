@preconcurrency import Glibc
internal import Processes

/// Starting other programs, never through a shell.
public enum Spawn {
  /// Where a stream of the program leads.
  public enum Stream: Hashable, Sendable {
    /// Where ours leads.
    case inherit
    /// Nowhere.
    case null
    /// To us.
    case pipe
    /// Where this descriptor of ours leads.
    case descriptor(Int32)
  }

  /// Starts the program that `words` name, found along `PATH`, with the rest as its arguments.
  ///
  /// It runs with our environment and `environment` on top. Throws when it cannot be started, most often because
  /// there is none of that name.
  public static func start(
    _ words: [String], environment: [String: String] = [:], input: Stream = .inherit, output: Stream = .inherit,
    error: Stream = .inherit
  ) throws(SystemError) -> Child {
    guard let name = words.first else { throw SystemError(ENOENT, "start a program without a name") }
    let attempt = "start \(name.quoted)"
    guard !words.contains(where: { $0.utf8.contains(0) }) else { throw SystemError(EINVAL, attempt) }
    let path: String
    do {
      path = try Executable.path(of: name, along: getenv("PATH").map { String(cString: $0) })
    } catch {
      throw SystemError(error.code, attempt)
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var pipes = Pipes()
    defer { pipes.closeTheirs() }
    for (stream, descriptor) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (error, STDERR_FILENO)] {
      switch stream {
      case .inherit: break
      case .null:
        let mode = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
      case .descriptor(let ours): posix_spawn_file_actions_adddup2(&actions, ours, descriptor)
      case .pipe:
        guard let theirs = pipes.open(for: descriptor) else {
          let code = errno
          pipes.closeOurs()
          throw SystemError(code, attempt)
        }
        posix_spawn_file_actions_adddup2(&actions, theirs, descriptor)
      }
    }

    // What we ignore or block ourselves the program must not inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var process: pid_t = 0
    let code = withCStrings(words) { arguments in
      withCStrings(merged(environment)) { variables in
        posix_spawn(&process, path, &actions, &attributes, arguments, variables)
      }
    }
    if code != 0 {
      pipes.closeOurs()
      throw SystemError(code, attempt)
    }
    return Child(process: process, input: pipes.ours[0], output: pipes.ours[1], error: pipes.ours[2])
  }

  /// Starts a program and waits for its end.
  public static func run(
    _ words: [String], environment: [String: String] = [:], input: Stream = .inherit, output: Stream = .inherit,
    error: Stream = .inherit
  ) throws(SystemError) -> ExitStatus {
    try start(words, environment: environment, input: input, output: output, error: error).wait()
  }

  /// What a program writes to its standard output, and how it ended. More than `limit` bytes are not read.
  ///
  /// A signal that asks us to stop ends the program too: see `Interrupt`.
  public static func output(
    of words: [String], input: Stream = .null, limit: Int = 64 << 10
  ) throws(SystemError) -> (bytes: [UInt8], status: ExitStatus) {
    let child = try start(words, input: input, output: .pipe)
    var bytes: [UInt8] = []
    if let end = child.output {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while bytes.count < limit {
        let count = read(end, &buffer, buffer.count)
        if count > 0 {
          bytes += buffer.prefix(min(count, limit - bytes.count))
        } else if count == 0 || errno != EINTR {
          break
        } else if Interrupt.isRequested {
          kill(child.process, SIGTERM)
          break
        }
      }
      close(end)
    }
    return (bytes, child.wait())
  }

  /// The words of a setting such as `EDITOR="code --wait"` or `pass show "my keys/tmdb"`: split at blanks that stand in
  /// no quotes. A backslash keeps the character behind it, but not in single quotes. Nothing is expanded: there is no
  /// shell.
  public static func words(of setting: String?) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in setting ?? "" {
      switch (character, quote) {
      case _ where isEscaped:
        word = (word ?? "") + String(character)
        isEscaped = false
      case ("\\", nil), ("\\", "\""): isEscaped = true
      case ("\"", nil), ("'", nil):
        quote = character
        word = word ?? ""
      case _ where character == quote: quote = nil
      case (" ", nil), ("\t", nil), ("\n", nil):
        if let whole = word { words.append(whole) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// Our environment, as `NAME=value`, with some values replaced.
  private static func merged(_ changes: [String: String]) -> [String] {
    var entries: [String] = []
    var pointer = environ
    while let entry = pointer.pointee {
      let text = String(cString: entry)
      if !changes.keys.contains(where: { text.hasPrefix("\($0)=") }) { entries.append(text) }
      pointer += 1
    }
    return entries + changes.map { "\($0.key)=\($0.value)" }
  }
}

/// A program that was started. Whoever asked for a pipe closes its end; `wait` must be called once.
public struct Child: Sendable {
  /// Its number.
  public let process: Int32
  /// Where to write what it reads, when its input is a pipe.
  public let input: Int32?
  /// Where to read what it writes, when its output is a pipe.
  public let output: Int32?
  /// Where to read its complaints, when its error stream is a pipe.
  public let error: Int32?

  /// Waits for its end, however many signals come meanwhile.
  public func wait() -> ExitStatus {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return .exited(127) }
    }
    return ExitStatus(status)
  }

  /// Waits for its end, or ends it: when someone asks us to stop (``Interrupt``), or after so many seconds.
  /// - Returns: nil when it was ended.
  public func waitOrEnd(after seconds: Double = .infinity) -> ExitStatus? {
    let start = Progress.clock()
    // It has got the signal too when it came from the keyboard, and may need a moment to leave the terminal in order.
    let patience = Duration.seconds(1)
    var asked: Duration?
    var status: Int32 = 0
    while true {
      switch waitpid(process, &status, WNOHANG) {
      case process: return asked == nil ? ExitStatus(status) : nil
      case -1 where errno != EINTR: return .exited(127)
      default: break
      }
      let now = Progress.clock()
      if let asked {
        if now - asked > patience { kill(process, SIGKILL) }
      } else if Interrupt.isRequested || (now - start) / .seconds(1) > seconds {
        kill(process, SIGTERM)
        asked = now
      }
      // A signal ends the pause; one that came just before it costs no more than the pause.
      usleep(20_000)
    }
  }
}

/// How a program ended.
public enum ExitStatus: Hashable, Sendable {
  /// By itself, with a number; 0 says that all went well.
  case exited(Int32)
  /// By a signal.
  case killed(Int32)

  /// Whether all went well.
  public var isSuccess: Bool { self == .exited(0) }

  /// From what `waitpid` says.
  fileprivate init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }
}

/// The pipes between us and a program being started.
private struct Pipes {
  /// Our ends, by the descriptor they have on the other side.
  var ours: [Int32?] = [nil, nil, nil]
  private var theirs: [Int32] = []

  /// Opens a pipe and returns the program's end, or nil with `errno` set.
  mutating func open(for descriptor: Int32) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // Neither end may leak into this or another program; the copy made for the program is not marked.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reading, writing) = (ends[0], ends[1])
    let isInput = descriptor == STDIN_FILENO
    ours[Int(descriptor)] = isInput ? writing : reading
    theirs.append(isInput ? reading : writing)
    return theirs.last
  }

  func closeTheirs() { for end in theirs { close(end) } }
  func closeOurs() { for case let end? in ours { close(end) } }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
  for (index, string) in strings.enumerated() { (pointers + index).initialize(to: strdup(string)) }
  (pointers + strings.count).initialize(to: nil)
  defer {
    for index in strings.indices { free(pointers[index]) }
    pointers.deallocate()
  }
  return body(pointers)
}
