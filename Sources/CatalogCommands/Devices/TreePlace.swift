internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import Processes

/// A place in the tree. Its folders are no links.
struct TreePlace: ~Copyable {
  private let folder: Int32
  private let name: String
  private let path: String
  private let parents: [String]
  private let top: String

  /// - Parameter makesFolders: whether folders that are missing are made.
  /// - Returns: nil for a name that no file of a tree can have, for a folder that is missing or is none.
  /// - Throws: ``SystemError`` when a folder cannot be made.
  init?(_ path: String, in top: String, makesFolders: Bool) throws(SystemError) {
    let words = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let name = words.last, !words.contains(where: { ["", ".", "..", ".git"].contains($0.lowercased()) }) else {
      return nil
    }
    var folder = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw SystemError(errno, "open \(top.quoted)") }
    for word in words.dropLast() {
      if makesFolders, mkdirat(folder, word, 0o777) != 0, errno != EEXIST, errno != ENAMETOOLONG {
        let code = errno
        close(folder)
        throw SystemError(code, "make the folder of \(path.quoted)")
      }
      let next = openat(folder, word, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(folder)
      guard next >= 0 else { return nil }
      folder = next
    }
    (self.folder, self.name, self.path, self.top, parents) = (folder, name, path, top, words.dropLast())
  }

  deinit { close(folder) }

  /// The kind of file at this place.
  var kind: FileKind {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT || errno == ENAMETOOLONG ? .missing : .other
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// Moves the file away if it has the expected contents and no program is writing to it.
  /// - Parameters:
  ///   - aside: the path to move it to.
  ///   - note: the file that records the original path.
  /// - Returns: whether the place is free; false if anything else is there, which stays.
  func setAside(to aside: String, noting note: String, where isExpected: ([UInt8]) -> Bool) throws -> Bool {
    switch kind {
    case .missing: return true
    case .file: break
    case .folder, .link, .other: return false
    }
    // Most edits are found here, and the file is never away.
    guard let bytes = read(folder, name), isExpected(bytes) else { return false }
    guard FileManager.default.createFile(atPath: note, contents: Data(path.utf8)) else {
      throw SystemError(errno, "write \(note.quoted)")
    }
    guard renameat(folder, name, AT_FDCWD, aside) == 0 else {
      if errno == ENOENT { return true }
      throw SystemError(errno, "replace \(path.quoted)")
    }
    // No program can open the file any more. One that has it open may still write; one that has written has changed the
    // bytes.
    if !isBeingWritten(aside), let bytes = read(AT_FDCWD, aside), isExpected(bytes) { return true }
    _ = try take(aside)
    return false
  }

  /// Gives a file this place, when nothing is there.
  /// - Returns: whether it got it.
  func take(_ file: String) throws -> Bool {
    if linkat(AT_FDCWD, file, folder, name, 0) == 0 {
      unlink(file)
      return true
    }
    switch errno {
    case EEXIST: return false
    // Some file systems have no links.
    case EPERM, ENOSYS, EOPNOTSUPP, EMLINK:
      guard kind == .missing else { return false }
      guard renameat(AT_FDCWD, file, folder, name) == 0 else { throw SystemError(errno, "write \(path.quoted)") }
      return true
    case ENAMETOOLONG: return true
    case let code: throw SystemError(code, "write \(path.quoted)")
    }
  }

  /// Writes a file where none is.
  /// - Parameter draft: its name until it is whole.
  /// - Returns: false if another process has created one.
  func put(_ bytes: [UInt8], by draft: String) throws -> Bool {
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError(errno, "write \(path.quoted)") }
    defer { unlink(draft) }
    do {
      defer { close(descriptor) }
      try FileDescriptor.write(bytes, to: descriptor, attempt: "write \(path.quoted)")
    }
    return try take(draft)
  }

  /// Gives the file another name, `README.md.2`, that nothing has.
  /// - Returns: its path now; nil where it could not get one.
  func giveOtherName() throws -> String? {
    for number in 2..<1_000 {
      let (other, path) = ("\(name).\(number)", "\(path).\(number)")
      if linkat(folder, name, folder, other, 0) == 0 { return unlinkat(folder, name, 0) == 0 ? path : nil }
      switch errno {
      case EEXIST: continue
      // Some file systems have no links.
      case EPERM, ENOSYS, EOPNOTSUPP, EMLINK:
        var status = stat()
        if fstatat(folder, other, &status, AT_SYMLINK_NOFOLLOW) == 0 { continue }
        return renameat(folder, name, folder, other) == 0 ? path : nil
      default: return nil
      }
    }
    return nil
  }

  /// Removes the folders of the place that are empty now.
  func removeEmptyFolders() {
    for count in stride(from: parents.count, to: 0, by: -1) {
      guard rmdir(top + "/" + parents.prefix(count).joined(separator: "/")) == 0 else { return }
    }
  }

  private func read(_ folder: Int32, _ name: String) -> [UInt8]? {
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
          bytes += buffer[..<count]
        } else if count == 0 {
          return bytes
        } else if errno != EINTR {
          return nil
        }
      }
    }
  }

  /// Whether a program has a file open for writing, in which case the kernel denies a lease (fcntl(2)). False where
  /// leases are not supported.
  private func isBeingWritten(_ file: String) -> Bool {
    let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    // F_SETLEASE, which Swift does not import.
    return fcntl(descriptor, 1_024, F_RDLCK) != 0 && errno == EAGAIN
  }
}
