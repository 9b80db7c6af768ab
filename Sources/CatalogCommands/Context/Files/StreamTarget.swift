internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import FoundationEssentials
internal import Glibc
internal import Processes

/// A named place for output that is no file: standard output, a pipe, a terminal or another device. Bytes are written
/// to it as they come, and nothing is replaced.
enum StreamTarget: Equatable {
  /// `-`, `/dev/stdout`.
  case standardOutput
  /// A descriptor that the program was started with: `/dev/stderr`, what a shell writes for `>(…)`.
  case descriptor(Int32)
  /// A named pipe or a device.
  case path(String)

  /// Nil for a file, a folder, a disk or nothing.
  init?(_ target: String) {
    if target == "-" {
      self = .standardOutput
    } else if let number = Self.descriptor(of: target) {
      self = number == STDOUT_FILENO ? .standardOutput : .descriptor(number)
    } else {
      var status = stat()
      guard stat(target, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else { return nil }
      self = .path(target)
    }
  }

  /// The open descriptor that a path names. Those that the program has opened itself close when it starts another one,
  /// and are none of the person's.
  private static func descriptor(of path: String) -> Int32? {
    if path == "/dev/stdout" { return STDOUT_FILENO }
    if path == "/dev/stderr" { return STDERR_FILENO }
    guard let number = PipedFile.number(in: path), case let flags = fcntl(number, F_GETFD), flags >= 0,
      flags & FD_CLOEXEC == 0
    else { return nil }
    return number
  }

  /// Opens a new descriptor. Opening a pipe waits for its reader.
  fileprivate func open(_ name: String) throws -> Int32 {
    while true {
      let descriptor =
        switch self {
        case .standardOutput: fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        case .descriptor(let number): fcntl(number, F_DUPFD_CLOEXEC, 3)
        case .path(let path): Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        }
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw SystemError(errno, "write \(name.quoted)") }
      try Interrupt.check()
    }
  }
}

extension Context {
  /// Writes the output of `body` to a stream. Unless that is standard output, the number of bytes is printed.
  func write(to stream: StreamTarget, named target: String, _ body: (Context) throws -> Void) throws {
    guard stream != .standardOutput else { return try body(self) }
    try requireFree(target, of: openStore(.reading).path)
    if globals.isDryRun { return try print("would write \(target.quoted)") }
    output.flushIgnoringErrors()
    var written = 0
    try explainingLoss(of: target) {
      let descriptor = try stream.open(target)
      defer { close(descriptor) }
      var context = self
      context.output = Output(descriptor: descriptor)
      context.terminal.isOutputTerminal = isatty(descriptor) == 1
      context.terminal.usesColor = false
      try body(context)
      try context.output.flush()
      written = context.output.written
    }
    try print("wrote \(safe(target)) (\(written.size))")
  }

  /// Writes a database to a stream, by way of a file in a folder of its own.
  /// - Parameters:
  ///   - plan: what a dry run prints.
  ///   - command: the command line before the name, for hints.
  ///   - make: makes the database at a path.
  func write(
    databaseTo stream: StreamTarget, named target: String, plan: Message, command: String,
    _ make: (_ path: String) throws -> Void
  ) throws {
    guard stream != .standardOutput || !terminal.isOutputTerminal else {
      throw UsageError("a catalog is no text for a terminal", hint: "name a file, or: \(command) - > FILE")
    }
    if globals.isDryRun { return try print(plan) }
    try withOwnFolder { folder in
      let path = "\(folder)/catalog.db"
      try make(path)
      try write(to: stream, named: target) { context in
        let source = try ByteSource(path: path)
        while case let piece = try source.next(), !piece.isEmpty { try context.output.append(bytes: piece) }
      }
    }
  }

  /// Calls `body` with the path of a new folder that only this user can see. It is removed afterwards.
  private func withOwnFolder(_ body: (_ path: String) throws -> Void) throws {
    var name = Array("\(temporaryFolder)/catalog-XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else { throw SystemError(errno, "make a folder in \(temporaryFolder.quoted)") }
    let path = String(cString: made)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  /// Says of an error of the system what it means for output into a file that a person named.
  func explainingLoss(of target: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SystemError where [EACCES, EPERM, EROFS].contains(error.code) {
      throw Failure(
        "\(target.quoted) cannot be written", hint: "check who may write there: ls -ld \(target.folder.shellWord)")
    } catch let error as SystemError where [ENOSPC, EDQUOT].contains(error.code) {
      throw Failure("the disk is full: \(target.quoted) was not written", hint: "make room, or name a file elsewhere")
    }
  }
}
