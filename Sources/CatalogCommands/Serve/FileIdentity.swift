internal import Glibc

/// The identity and state of the file at a path: a replaced or changed file is not equal.
struct FileIdentity: Equatable {
  private let device: UInt
  private let number: UInt
  private let size: Int
  private let changed: (Int, Int)

  /// Fails when there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
    changed = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }

  static func == (one: FileIdentity, other: FileIdentity) -> Bool {
    one.isSameFile(as: other) && one.size == other.size && one.changed == other.changed
  }

  /// Whether nothing is in it.
  var isEmpty: Bool { size == 0 }

  /// Whether other accounts may read the file at a path: its mode says so, and those of all folders above let them in.
  static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    var place = AtomicFile.target(of: path)[...]
    guard stat(path, &status) == 0, status.st_mode & 0o044 != 0 else { return false }
    while let slash = place.lastIndex(of: "/") {
      place = place[..<slash]
      guard stat(place.isEmpty ? "/" : String(place), &status) == 0, status.st_mode & 0o011 != 0 else { return false }
    }
    return true
  }

  /// Whether it is the same file, even if its content has changed.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && number == other.number }
}
