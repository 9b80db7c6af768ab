internal import Glibc

/// Which file is at a path, and which state of it: another one that takes its place is another.
struct FileIdentity: Equatable {
  private let device: UInt
  private let number: UInt
  private let size: Int
  private let changed: (Int, Int)

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
    changed = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }

  static func == (one: FileIdentity, other: FileIdentity) -> Bool {
    one.isSameFile(as: other) && one.size == other.size && one.changed == other.changed
  }

  /// The same file, whatever was written into it since.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && number == other.number }
}
