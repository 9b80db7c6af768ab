import Glibc

/// The resident memory of this process, as the kernel counts it, including pages that the allocator retains.
struct Memory {
  /// The memory of the idle process, in bytes.
  private let idle: Int

  init() {
    Self.forgetPeak()
    idle = Self.peak
  }

  /// Resets the peak.
  func begin() { Self.forgetPeak() }

  /// The peak since the reset, beyond the memory of the idle process, in bytes.
  var peak: Int { max(0, Self.peak - idle) }

  /// <https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html>
  private static func forgetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static var peak: Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      return (Int(text.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0) << 10
    }
    return 0
  }
}
