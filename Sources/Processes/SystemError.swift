internal import Glibc

/// The system refused something.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of `errno`.
  public var code: Int32
  /// The attempted action, as in "cannot …".
  public var attempt: String

  /// The error of an action: `SystemError(errno, "write the output")`.
  public init(_ code: Int32, _ attempt: String) {
    self.code = code
    self.attempt = attempt
  }

  /// The system's message: `No space left on device`.
  public var reason: String { String(cString: strerror(code)) }

  /// Whether a program could not be started because no executable file was found.
  public var isMissingProgram: Bool { code == ENOENT || code == ENOTDIR || code == EACCES }

  /// Makes writing beyond the file size limit an error (EFBIG) instead of ending the process. Must be called at the
  /// start.
  public static func ignoreSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// `cannot write the output: No space left on device`.
  public var description: String { "cannot \(attempt): \(reason)" }
}

/// The reader of the output is gone: `catalog list | head`. A listing then ends quietly with status 0; a command that
/// changes data continues.
public struct BrokenPipe: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String { "the reader of the output has gone" }
  public init() {}

  /// Makes writing to a closed pipe an error instead of ending the process. Must be called at the start.
  public static func ignoreSignal() { signal(SIGPIPE, SIG_IGN) }
}
