internal import Glibc

/// What is at a path, before SQLite is asked.
enum FileState {
  case missing, file, folder, unreadable

  init(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      // Anything but "no such file" hides whether there is one.
      self = errno == ENOENT ? .missing : .unreadable
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      self = .folder
    } else {
      self = access(path, R_OK) == 0 ? .file : .unreadable
    }
  }

  /// The file's size in bytes.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
