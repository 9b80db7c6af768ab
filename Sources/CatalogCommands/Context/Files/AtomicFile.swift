internal import CommandLineKit
internal import Glibc
internal import Processes

/// Files that are read completely and written atomically.
enum AtomicFile {
  /// Replaces the file at `path`, or the file that a link leads to.
  ///
  /// An existing file keeps its mode. A new one gets mode 0666 less the process's mask; a private one is for its owner
  /// alone (mode 0600).
  /// - Parameter temporary: the name of the new file before it is renamed, if no other process uses it; nil for a
  ///   random one.
  static func write(
    _ bytes: [UInt8], to path: String, isPrivate: Bool = false, by temporary: String? = nil
  ) throws {
    try write(to: path, isPrivate: isPrivate, by: temporary) { try $0.append(bytes: bytes) }
  }

  /// Writes the output of `body` in the same way.
  /// - Returns: the number of bytes.
  @discardableResult
  static func write(
    to path: String, isPrivate: Bool = false, by temporary: String? = nil, _ body: (Output) throws -> Void
  ) throws -> Int {
    let path = target(of: path)
    let attempt = "write \(path.quoted)"
    var old = stat()
    let isThere = stat(path, &old) == 0
    if let temporary { unlink(temporary) }
    let temporary = temporary ?? "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).new"
    let mode: mode_t = isPrivate ? 0o600 : 0o666
    // A process that is killed while it writes a nameless file leaves nothing behind.
    let nameless = canName ? open(path.folder, O_WRONLY | withoutName | O_CLOEXEC, mode) : -1
    let descriptor = nameless >= 0 ? nameless : open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError(errno, attempt) }
    defer { close(descriptor) }
    if isPrivate { fchmod(descriptor, 0o600) } else if isThere { fchmod(descriptor, old.st_mode & 0o777) }
    do {
      let output = Output(descriptor: descriptor)
      try body(output)
      try output.flush()
      guard fstat(descriptor, &old) == 0, fsync(descriptor) == 0 else { throw SystemError(errno, attempt) }
      if nameless >= 0 {
        let itself = "/proc/self/fd/\(descriptor)"
        guard linkat(AT_FDCWD, itself, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0 else {
          throw SystemError(errno, attempt)
        }
      }
      guard rename(temporary, path) == 0 else { throw SystemError(errno, attempt) }
      return Int(old.st_size)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// `O_TMPFILE`, which Swift does not import. Not every file system supports it.
  /// <https://man7.org/linux/man-pages/man2/open.2.html>
  private static let withoutName: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Whether a nameless file can be linked to a name later, by way of `/proc`.
  private static var canName: Bool { access("/proc/self/fd", X_OK) == 0 }

  /// The bytes of an ordinary file; nil when there is none.
  /// - Parameter most: the number of bytes after which reading stops; slightly more may be read.
  /// - Throws: ``SystemError`` when the file cannot be opened or read.
  static func read(_ path: String, atMost most: Int = .max) throws(SystemError) -> [UInt8]? {
    let attempt = "read \(path.quoted)"
    // Opening a pipe must not wait for its writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SystemError(errno, attempt)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(errno, attempt) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL, attempt)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
        if bytes.count >= most { return bytes }
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw SystemError(errno, attempt)
      }
    }
  }

  /// The sorted names of the entries of a folder; empty when there is no such folder.
  /// - Throws: ``SystemError`` when the folder cannot be read.
  static func names(in folder: String) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw SystemError(errno, "list \(folder.quoted)")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw SystemError(errno, "list \(folder.quoted)") }
        return names.sorted()
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// The file behind a path, with all links resolved.
  static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
