internal import CommandLineKit
internal import Glibc
internal import Processes

/// The content of a pipe, stored in a private file, for what reads a file several times.
enum PipedFile {
  /// The name of a pipe in messages.
  static let name = "standard input"

  /// The descriptor of a pipe at a path; nil for any other path. `-` is standard input, of whatever type.
  static func descriptor(of path: String) -> Int32? {
    switch path {
    case "-": return STDIN_FILENO
    case "/dev/stdin": return isStream(STDIN_FILENO) ? STDIN_FILENO : nil
    default:
      // A shell writes such a path for <(…).
      return number(in: path).flatMap { isStream($0) ? $0 : nil }
    }
  }

  /// The number of the descriptor that a path names: `/dev/fd/3`.
  static func number(in path: String) -> Int32? {
    ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }.flatMap { Int32(path.dropFirst($0.count)) }
  }

  /// Whether the descriptor can be read only once, from beginning to end.
  private static func isStream(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// Calls `body` with the path of a file that has the content of the pipe. The file is removed afterwards.
  static func with(_ descriptor: Int32, in context: Context, _ body: (_ path: String) throws -> Void) throws {
    let path = "\(context.temporaryFolder)/catalog-import-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError(errno, "write \(path.quoted)") }
    defer { unlink(path) }
    do {
      defer { close(file) }
      let output = Output(descriptor: file)
      let most = 1 << 20
      while true {
        let bytes =
          try descriptor == STDIN_FILENO
          ? context.readBytes(most) : Prompt.readBytes(from: descriptor, atMost: most)
        guard !bytes.isEmpty else { break }
        try output.append(bytes: bytes)
      }
      try output.flush()
    }
    try body(path)
  }
}

extension Context {
  /// The folder for files that live as long as a command: `TMPDIR`, if that is absolute.
  var temporaryFolder: String { environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp" }
}
