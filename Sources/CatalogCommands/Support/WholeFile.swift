internal import CommandLineKit
internal import Glibc

/// Files that are written whole or not at all.
enum WholeFile {
  /// Replaces the file at `path`.
  /// - Parameter mode: who may read a new file: its owner only, when nothing else is said.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError(errno, "write \(path.quoted)") }
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
}
