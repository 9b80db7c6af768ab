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

  /// Whether it is the same file, even if its content has changed.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && number == other.number }
}
