internal import Glibc

/// The kind of file at a path. A link is not followed.
enum FileKind: Hashable {
  case missing, file, folder, link, other

  init(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      // With any other error, the file may exist.
      self = [ENOENT, ENOTDIR].contains(errno) ? .missing : .other
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }

  /// The size of a file, or of all files in a folder, in bytes; a link counts its own size.
  static func size(of path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    let names = try? AtomicFile.names(in: path)
    return (names ?? []).reduce(0) { $0 + size(of: "\(path)/\($1)") }
  }
}
