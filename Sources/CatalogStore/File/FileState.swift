internal import Glibc

/// The kind of file at a path, determined without SQLite.
enum FileState: Hashable {
  case missing
  /// A regular file that may be read.
  case file(size: Int)
  case folder
  /// A pipe, a device or a socket. Opening one may block forever.
  case special
  /// The file or a folder above may not be read.
  case unreadable
  /// The file could not be examined, with this `errno`: a broken disk, or a path through a file.
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

  /// The size of the regular file at a path, in bytes; nil if nothing is there.
  /// - Parameter name: the name of the file in errors.
  /// - Throws: ``CatalogError`` when something else is there, or the file may not be read.
  static func file(at path: String, called name: String) throws(CatalogError) -> Int? {
    switch FileState(of: path) {
    case .folder: throw .isFolder(name)
    case .special: throw .isSpecial(name)
    case .unreadable: throw .notReadable(name)
    case .unknown(let code): throw CatalogError(code, path: name)
    case .missing: nil
    case .file(let size): size
    }
  }

  /// The size of the file in bytes.
  static func size(of path: String) -> Int? {
    if case .file(let size) = FileState(of: path) { size } else { nil }
  }
}
