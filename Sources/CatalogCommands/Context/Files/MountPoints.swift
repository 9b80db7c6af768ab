internal import CommandLineKit
internal import Glibc
internal import Processes

/// The places where file systems, folders and files are mounted, as the kernel lists them
/// (<https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html>). The number of the device does not show that a
/// folder of the same disk is mounted.
struct MountPoints {
  private let points: [[UInt8]]

  /// - Throws: ``SystemError`` when the list cannot be read.
  init() throws(SystemError) {
    let list = "/proc/self/mountinfo"
    guard let bytes = try AtomicFile.read(list) else { throw SystemError(ENOENT, "read \(list.quoted)") }
    self.init(bytes)
  }

  /// The places in a list of the kernel's: the fifth part of each line.
  init(_ list: [UInt8]) {
    points = list.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let parts = line.split(separator: UInt8(ascii: " "))
      return parts.count > 4 ? Self.plain(parts[4]) : nil
    }
  }

  /// Whether something is mounted at this path.
  func isOne(_ path: String) -> Bool { points.contains(Array(AtomicFile.target(of: path).utf8)) }

  /// The first place where something is mounted, at this path or below it.
  func first(in path: String) -> String? {
    let own = Array(AtomicFile.target(of: path).utf8)
    let point = points.first { $0 == own || $0.starts(with: own + [UInt8(ascii: "/")]) }
    return point.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The name without the kernel's escapes of blanks, tabs, line ends and backslashes: `\040`.
  private static func plain(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var (plain, rest) = ([UInt8](), name)
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        plain.append(code)
        rest = rest.dropFirst(3)
      } else {
        plain.append(byte)
      }
    }
    return plain
  }
}
