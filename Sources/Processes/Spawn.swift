@preconcurrency internal import Glibc
internal import Synchronization

/// Starts programs, without a shell. All programs are started here.
public enum Spawn {
  /// The destination of a stream.
  public enum Stream: Hashable, Sendable {
    /// The same as this process.
    case inherit
    /// `/dev/null`.
    case null
    /// A pipe to this process.
    case pipe
    /// A descriptor of this process.
    case descriptor(Int32)
  }

  /// The standard input of the program.
  public enum Input: Hashable, Sendable {
    /// The standard input of this process.
    case inherit
    /// `/dev/null`.
    case null
    /// A pipe from this process.
    case pipe
    /// These bytes, at most a few thousand, in a pipe and never on disk.
    case bytes([UInt8])
    /// These bytes, of any length, in an unnamed file.
    case file([UInt8])
    /// A descriptor of this process, whose place in the file the program then shares.
    case descriptor(Int32)
  }

  /// The environment variables of the program.
  public enum Environment: Hashable, Sendable {
    /// Those of this process.
    case ours
    /// Those that we have, with some added or replaced.
    case adding([String: String])
    /// None but these.
    case only([String: String])
  }

  /// Starts the program named by the first word, found along the `PATH` of its environment, with the other words as its
  /// arguments.
  ///
  /// It is safe on any thread. The program does not inherit ignored or blocked signals.
  /// - Throws: ``SystemError`` when it cannot be started, most often because it is not installed.
  public static func start(
    _ words: [String], environment: Environment = .ours, input: Input = .inherit, output: Stream = .inherit,
    error: Stream = .inherit
  ) throws(SystemError) -> Child {
    guard let name = words.first else { throw SystemError(ENOENT, "start a program without a name") }
    let attempt = "start '\(name)'"
    guard !words.contains(where: { $0.utf8.contains(0) }) else { throw SystemError(EINVAL, attempt) }
    let path: String
    do {
      path = try Executable.path(of: name, along: environment.path)
    } catch {
      throw SystemError(error.code, attempt)
    }
    let file: UnnamedFile? = if case .file(let bytes) = input { try UnnamedFile(bytes) } else { nil }
    do throws(SystemError) {
      return try Pipe.turn.withLock { _ throws(SystemError) in
        try start(path, words, environment, input, file, output, error)
      }
    } catch {
      throw SystemError(error.code, attempt)
    }
  }

  private static func start(
    _ path: String, _ words: [String], _ environment: Environment, _ input: Input, _ file: UnnamedFile?,
    _ output: Stream, _ error: Stream
  ) throws(SystemError) -> Child {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var pipes: [Pipe?] = [nil, nil, nil]
    // Whatever is not taken: the program's ends, and ours when it was not started.
    defer { for pipe in pipes { pipe?.close() } }

    switch input {
    case .inherit: break
    case .null: posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    case .descriptor(let ours): posix_spawn_file_actions_adddup2(&actions, ours, STDIN_FILENO)
    case .file: if let file { posix_spawn_file_actions_adddup2(&actions, file.descriptor, STDIN_FILENO) }
    case .pipe, .bytes:
      var pipe = try Pipe(inTurn: true)
      pipes[0] = pipe
      if case .bytes(let bytes) = input { try pipe.fill(with: bytes) }
      posix_spawn_file_actions_adddup2(&actions, pipe.readEnd, STDIN_FILENO)
    }
    let streams = [(output, STDOUT_FILENO), (error, STDERR_FILENO)]
    // First, while our standard output is still there to be meant.
    for case (.descriptor(let ours), let descriptor) in streams {
      posix_spawn_file_actions_adddup2(&actions, ours, descriptor)
    }
    for (stream, descriptor) in streams {
      switch stream {
      case .inherit, .descriptor: break
      case .null: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      case .pipe:
        let pipe = try Pipe(inTurn: true)
        pipes[Int(descriptor)] = pipe
        posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd, descriptor)
      }
    }

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
      withCStrings(environment.entries) { variables in
        posix_spawn(&process, path, &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw SystemError(code, "") }
    return Child(
      process: process, input: input == .pipe ? pipes[0]?.takeWriteEnd() : nil, output: pipes[1]?.takeReadEnd(),
      error: pipes[2]?.takeReadEnd())
  }

  /// Starts a program and waits for its end.
  public static func run(
    _ words: [String], environment: Environment = .ours, input: Input = .inherit, output: Stream = .inherit,
    error: Stream = .inherit
  ) throws(SystemError) -> ExitStatus {
    try start(words, environment: environment, input: input, output: output, error: error).wait()
  }

  /// The captured output of a program that has ended.
  public struct Captured: Hashable, Sendable {
    /// Nil when the program was ended because of the time limit, the size limit or an interrupt.
    public var status: ExitStatus?
    /// Its standard output.
    public var output: [UInt8]
  }

  /// Runs a program to its end, and captures its standard output.
  ///
  /// An interrupt ends the program too: see ``Interrupt``.
  /// - Parameters:
  ///   - limit: the maximum size of the output, in bytes. A program that writes more is ended.
  ///   - seconds: the time limit.
  public static func capture(
    _ words: [String], environment: Environment = .ours, input: Input = .null, error: Stream = .inherit,
    limit: Int = 64 << 20, seconds: Double = .infinity
  ) throws(SystemError) -> Captured {
    var program = try ChildProcess(words, environment: environment, input: input, error: error)
    let end = seconds.isFinite ? Uptime.now() + .seconds(seconds) : nil
    func left() -> Double { end.map { max(0, ($0 - Uptime.now()) / .seconds(1)) } ?? .infinity }
    while !program.isSilent, program.output.bytes.count <= limit, left() > 0, !Interrupt.isRequested {
      ChildProcess.wait(for: [program], until: end)
      program.read()
    }
    let isWhole = program.isSilent && program.output.bytes.count <= limit
    let status = program.waitOrEnd(after: isWhole ? left() : 0)
    return Captured(status: isWhole ? status : nil, output: Array(program.output.bytes.prefix(limit)))
  }

  /// The words of a setting such as `EDITOR="code --wait"` or `pass show "my keys/tmdb"`, split at spaces outside
  /// quotes. A backslash escapes the next character, except in single quotes. Nothing is expanded, since no shell is
  /// involved.
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
}

extension Spawn.Environment {
  /// The `PATH` in which the program is searched.
  var path: String? {
    func ours() -> String? { getenv("PATH").map { String(cString: $0) } }
    return switch self {
    case .ours: ours()
    case .adding(let changes): changes["PATH"] ?? ours()
    case .only(let variables): variables["PATH"]
    }
  }

  /// The variables as `NAME=value`.
  var entries: [String] {
    let (changes, keepsOurs) =
      switch self {
      case .ours: ([String: String](), true)
      case .adding(let changes): (changes, true)
      case .only(let variables): (variables, false)
      }
    var entries: [String] = []
    var pointer = environ
    while keepsOurs, let entry = pointer.pointee {
      let text = String(cString: entry)
      if !changes.keys.contains(where: { text.hasPrefix("\($0)=") }) { entries.append(text) }
      pointer += 1
    }
    return entries + changes.map { "\($0.key)=\($0.value)" }
  }
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
