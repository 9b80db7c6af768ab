internal import Glibc

/// A lock that one process at a time holds. The kernel releases it when the process ends, in whatever way.
package enum FileLock {
  /// Calls `body` while this process alone holds the lock.
  /// - Parameters:
  ///   - path: the lock file. It is created for the lock and removed afterwards; a leftover file is reused.
  ///   - patience: the longest wait for other processes.
  /// - Throws: ``SystemError`` when the file cannot be created, with `EWOULDBLOCK` when others hold the lock for
  ///   longer, ``Interrupted``, and the errors of `body`.
  package static func holding<T>(_ path: String, patience: Duration = .seconds(10), _ body: () throws -> T) throws -> T
  {
    let end = Uptime.now() + patience
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw SystemError(errno, "lock '\(path)'") }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // The last holder has removed the file: this lock is on a file that no other process will find.
        guard isStill(path, descriptor) else { continue }
        defer { unlink(path) }
        return try body()
      }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemError(errno, "lock '\(path)'") }
      try Interrupt.check()
      guard Uptime.now() < end else { throw SystemError(EWOULDBLOCK, "lock '\(path)'") }
      usleep(2_000)
    }
  }

  private static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
  }
}
