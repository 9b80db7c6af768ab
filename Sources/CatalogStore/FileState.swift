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

  /// Removes a file that may not be there.
  static func remove(_ path: String) { unlink(path) }

  /// Gives a file its final name; false when that cannot be, or when there is one and it must stay.
  static func rename(_ path: String, to target: String, replaces: Bool) -> Bool {
    if replaces { return Glibc.rename(path, target) == 0 }
    // A link fails when the name is taken, also when that happened a moment ago.
    if link(path, target) == 0 {
      unlink(path)
      return true
    }
    // Some file systems have no links.
    var status = stat()
    guard errno != EEXIST, stat(target, &status) != 0 else { return false }
    return Glibc.rename(path, target) == 0
  }
}
