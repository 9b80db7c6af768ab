internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

// A file in which a whole history travels (git-bundle(1)), between devices that reach the same folder.
extension SyncTree {
  static func isBundle(_ remote: String) -> Bool { remote.hasSuffix(".bundle") }

  /// The reference that a bundle is made of, and the one that it has in it.
  private static let sent = "refs/catalog/sent"

  /// Whether there is no bundle, or one that nothing has been written to.
  func isEmptyBundle(_ bundle: String) -> Bool {
    var status = stat()
    return stat(bundle, &status) != 0 || status.st_size == 0
  }

  /// Replaces a bundle, unless another device has written to it meanwhile.
  /// - Parameter fetched: what was in it when it was read; nil for nothing.
  /// - Throws: ``Repository/Problem`` with `rejected` when there is something else in it by now, with `refused` when it
  ///   cannot be written.
  func replaceBundle(_ bundle: String, with commit: ObjectID, after fetched: ObjectID?) throws {
    let draft = gitFolder + "/catalog.bundle"
    defer { unlink(draft) }
    try repository.run(["update-ref", Self.sent, commit.rawValue])
    try repository.run(["bundle", "create", "--quiet", draft, Self.sent])
    do {
      try Self.holding(bundle) {
        guard try head(of: bundle) == fetched else {
          throw Repository.Problem(.rejected, "another device has written it")
        }
        try Self.copy(draft, to: bundle)
      }
    } catch let error as SystemError where error.code == EWOULDBLOCK {
      throw Repository.Problem(.rejected, "another device is writing it")
    } catch let error as SystemError {
      throw Repository.Problem(.refused, "\(error)")
    }
  }

  /// The commit of the branch in a bundle; nil when nothing is in it.
  private func head(of bundle: String) throws -> ObjectID? {
    if isEmptyBundle(bundle) { return nil }
    let words = try repository.value(["bundle", "list-heads", bundle, Self.main])?.split(separator: " ").first
    return words.map { ObjectID(rawValue: String($0)) }
  }

  /// Calls `body` while this device alone may replace a file. What is replaced is another file, so its lock is looked
  /// for anew.
  private static func holding(_ file: String, _ body: () throws -> Void) throws {
    let end = Uptime.now() + .seconds(10)
    while true {
      var descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor < 0, errno == EACCES { descriptor = open(file, O_RDONLY | O_CLOEXEC) }
      guard descriptor >= 0 else { throw SystemError(errno, "write \(file.quoted)") }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        var (named, opened) = (stat(), stat())
        guard stat(file, &named) == 0, fstat(descriptor, &opened) == 0, named.st_dev == opened.st_dev,
          named.st_ino == opened.st_ino
        else { continue }
        return try body()
      }
      // A file system without locks has none that another device could hold.
      if errno != EWOULDBLOCK && errno != EINTR { return try body() }
      try Interrupt.check()
      guard Uptime.now() < end else { throw SystemError(EWOULDBLOCK, "write \(file.quoted)") }
      usleep(20_000)
    }
  }

  /// Copies a bundle, with the branch's name in place of the reference that it was made of.
  private static func copy(_ draft: String, to bundle: String) throws {
    let attempt = "read \(draft.quoted)"
    let descriptor = open(draft, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno, attempt) }
    defer { close(descriptor) }
    var (buffer, isHeader) = ([UInt8](repeating: 0, count: 1 << 16), true)
    try AtomicFile.write(to: bundle, by: bundle + ".new") { output in
      while true {
        try Interrupt.check()
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw SystemError(errno, attempt) }
        if count == 0 { return }
        var bytes = buffer[..<count]
        // The header is some lines, of which the last one names the reference.
        if isHeader, let name = bytes.firstRange(of: Array(" \(sent)\n".utf8)) {
          bytes.replaceSubrange(name, with: Array(" \(main)\n".utf8))
          isHeader = false
        }
        try output.append(bytes: Array(bytes))
      }
    }
  }
}
