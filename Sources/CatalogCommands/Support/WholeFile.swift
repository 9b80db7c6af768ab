internal import CommandLineKit
internal import Glibc

/// Files that are written whole or not at all.
enum WholeFile {
  /// Replaces the file at `path`; where that is a link, the file that it leads to.
  ///
  /// A file that was there keeps its mode; a new one is for whoever the process's mask lets read it, a private one for
  /// its owner alone (mode 0600).
  static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws {
    let path = target(of: path)
    var old = stat()
    let isThere = stat(path, &old) == 0
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw SystemError(errno, "write \(path.quoted)") }
    if isThere, !isPrivate { fchmod(descriptor, old.st_mode & 0o777) }
    let output = Output(descriptor: descriptor)
    do {
      try output.append(bytes: bytes)
      try output.flush()
      guard fsync(descriptor) == 0 else { throw SystemError(errno, "write \(path.quoted)") }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    close(descriptor)
    guard rename(temporary, path) == 0 else {
      let error = SystemError(errno, "write \(path.quoted)")
      unlink(temporary)
      throw error
    }
  }

  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
