internal import Glibc

/// A temporary file beside its target, renamed when it is complete. Its random name never clashes with a user's file.
/// It is deleted with its value unless it was renamed.
struct TemporaryFile: ~Copyable {
  let path: String
  /// The path of the target, for error messages.
  private let target: String
  /// The open descriptor, kept so that `fsync` reports earlier write errors.
  private let descriptor: Int32

  /// Creates an empty file in the folder of `target`, for its owner alone, whatever the mask of the process.
  init(beside target: String) throws(CatalogError) {
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    Self.removeAbandoned(in: folder)
    while true {
      let random = String(UInt64.random(in: 0...(.max)), radix: 16)
      let path = "\(folder)\(Self.beginning)\(random)\(Self.ending)"
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw CatalogError(errno, path: target) }
      var status = stat()
      // Until it is held, another program may take it for an abandoned one.
      let isTaken = !Self.hold(descriptor) && [EAGAIN, EACCES].contains(errno)
      if isTaken || fstat(descriptor, &status) == 0 && status.st_nlink == 0 {
        close(descriptor)
        continue
      }
      fchmod(descriptor, 0o600)
      (self.path, self.target, self.descriptor) = (path, target, descriptor)
      return
    }
  }

  private static let (beginning, ending) = (".catalog-", ".new")

  /// Removes the files that a program was making when it was killed.
  private static func removeAbandoned(in folder: String) {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      let number = name.dropFirst(beginning.count).dropLast(ending.count)
      guard name.hasPrefix(beginning), name.hasSuffix(ending), UInt64(number, radix: 16) != nil,
        case let descriptor = open(folder + name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), descriptor >= 0
      else { continue }
      if hold(descriptor) { unlink(folder + name) }
      close(descriptor)
    }
  }

  /// Holds a file until its descriptor is closed, by a byte that SQLite never locks.
  /// - Returns: false when another program holds it, or when the file system has no such locks.
  private static func hold(_ descriptor: Int32) -> Bool {
    var lock = flock()
    (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_WRLCK), Int16(SEEK_SET), 1 << 62, 1)
    // F_OFD_SETLK, which Swift does not import: unlike others, it outlives the descriptors that SQLite closes.
    return fcntl(descriptor, 37, &lock) == 0
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// Waits until the disk has all data.
  func sync() throws(CatalogError) {
    guard fsync(descriptor) == 0 else { throw CatalogError(errno, path: target) }
  }

  /// Copies a whole file into this empty one.
  func fill(from source: Int32) throws(CatalogError) {
    var (offset, count): (off_t, Int) = (0, 0)
    repeat {
      count = sendfile(descriptor, source, &offset, 1 << 30)
      if count < 0, errno != EINTR { throw CatalogError(errno, path: target) }
    } while count != 0
  }

  /// Copies the owner and permissions of the file at `original`.
  func takeMode(of original: String) throws(CatalogError) {
    var (theirs, own) = (stat(), stat())
    guard stat(original, &theirs) == 0, fstat(descriptor, &own) == 0 else { throw CatalogError(errno, path: original) }
    if (own.st_uid, own.st_gid) != (theirs.st_uid, theirs.st_gid) {
      // Root may change the owner; other users may only choose one of their groups.
      if fchown(descriptor, theirs.st_uid, theirs.st_gid) != 0 { _ = fchown(descriptor, own.st_uid, theirs.st_gid) }
      _ = fstat(descriptor, &own)
    }
    var mode = theirs.st_mode & 0o777
    // The permissions of their group do not apply to another group.
    if own.st_gid != theirs.st_gid { mode &= 0o707 | mode << 3 }
    guard fchmod(descriptor, mode) == 0 else { throw CatalogError(errno, path: target) }
  }

  /// Renames the file if the name is free or may be replaced.
  /// - Returns: false if the name is taken.
  func take(_ name: String, replaces: Bool = false) throws(CatalogError) -> Bool {
    if replaces {
      guard rename(path, name) == 0 else { throw CatalogError(errno, path: name) }
    } else if try !link(name) {
      return false
    }
    // If this fails, the file stays: others may have opened it.
    try Self.syncFolder(of: name)
    return true
  }

  /// Renames the copy to the first free name of `NAME.bak`, `NAME.2.bak`, … An equal copy with such a name, of an
  /// interrupted run, serves as well.
  /// - Returns: the name.
  func takeFree(_ usual: String) throws(CatalogError) -> String {
    var (name, number) = ("\(usual).bak", 1)
    while try !take(name), !isSameDatabase(as: name) {
      number += 1
      name = "\(usual).\(number).bak"
    }
    return name
  }

  /// Links the name, which fails atomically if it is taken.
  private func link(_ name: String) throws(CatalogError) -> Bool {
    if Glibc.link(path, name) == 0 { return true }
    switch errno {
    case EEXIST: return false
    // Some file systems have no links.
    case EPERM, ENOSYS, EOPNOTSUPP, EMLINK:
      guard case .missing = FileState(of: name) else { return false }
      guard rename(path, name) == 0 else { throw CatalogError(errno, path: name) }
      return true
    case let code: throw CatalogError(code, path: name)
    }
  }

  /// Syncs the folder, which makes the name durable. On failure the file keeps its name: the disk is unreliable.
  private static func syncFolder(of path: String) throws(CatalogError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A writable folder may be unreadable.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Some file systems cannot sync folders and report an invalid call.
    if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw CatalogError.io(path) }
  }

  /// Whether the file with this name is the same database, page for page.
  ///
  /// Counters of changes and the version of SQLite may differ.
  func isSameDatabase(as name: String) -> Bool {
    var (other, own) = (stat(), stat())
    guard stat(name, &other) == 0, other.st_mode & S_IFMT == S_IFREG, fstat(descriptor, &own) == 0,
      other.st_size == own.st_size
    else { return false }
    let file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var (theirs, ours) = ([UInt8](repeating: 0, count: 1 << 16), [UInt8](repeating: 0, count: 1 << 16))
    var offset = 0
    while offset < own.st_size {
      let count = min(ours.count, Int(own.st_size) - offset)
      guard pread(file, &theirs, count, off_t(offset)) == count, pread(descriptor, &ours, count, off_t(offset)) == count
      else { return false }
      if offset == 0 {
        for counter in [24..<28, 40..<44, 92..<100] where counter.upperBound <= count {
          theirs.replaceSubrange(counter, with: ours[counter])
        }
      }
      guard theirs == ours else { return false }
      offset += count
    }
    return true
  }
}
