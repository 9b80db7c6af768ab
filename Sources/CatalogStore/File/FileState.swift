internal import Glibc

/// What is at a path, before SQLite is asked.
enum FileState: Hashable {
  case missing
  /// An ordinary file that may be read.
  case file(size: Int)
  case folder
  /// A pipe, a device, a socket: whoever opens one may wait for ever.
  case special
  /// There is something that may not be read, or the way there is closed.
  case unreadable
  /// Whether there is something cannot be told, for this `errno`: a broken disk, a way that leads through a file.
  case unknown(Int32)

  init(of path: String) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    switch status.st_mode & S_IFMT {
    case S_IFDIR where isThere: self = .folder
    case S_IFREG where isThere && access(path, R_OK) == 0: self = .file(size: Int(status.st_size))
    case let type where isThere && type != S_IFREG: self = .special
    default:
      self =
        switch errno {
        case ENOENT: .missing
        case EACCES, EPERM: .unreadable
        case let code: .unknown(code)
        }
    }
  }

  /// The file's size in bytes.
  static func size(of path: String) -> Int? {
    if case .file(let size) = FileState(of: path) { size } else { nil }
  }
}
