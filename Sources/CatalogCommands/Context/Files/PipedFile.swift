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
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      guard let folder, let number = Int32(path.dropFirst(folder.count)), isStream(number) else { return nil }
      return number
    }
  }

  /// Whether the descriptor can be read only once, from beginning to end.
  private static func isStream(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// Calls `body` with the path of a file that has the content of the pipe. The file is removed afterwards.
  static func with(_ descriptor: Int32, in context: Context, _ body: (_ path: String) throws -> Void) throws {
    let folder = context.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let path = "\(folder)/catalog-import-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
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
