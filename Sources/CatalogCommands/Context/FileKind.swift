internal import Glibc

/// What is at a path. A link is one, wherever it leads.
enum FileKind: Hashable {
  case missing, file, folder, link, other

  init(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      // What cannot be told may be there.
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

  /// The bytes of a file, or of all in a folder; of a link its own.
  static func size(of path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    let names = try? WholeFile.names(in: path)
    return (names ?? []).reduce(0) { $0 + size(of: "\(path)/\($1)") }
  }
}
