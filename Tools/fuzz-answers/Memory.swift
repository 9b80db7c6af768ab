import Glibc

/// The memory of this process that is resident, as the kernel counts it, pages that the allocator holds back with it.
struct Memory {
  /// What the process takes while it does nothing, in bytes.
  private let idle: Int

  init() {
    Self.forgetPeak()
    idle = Self.peak
  }

  /// Lets the peak begin anew.
  func begin() { Self.forgetPeak() }

  /// The most that was taken since, beside what the process takes anyway, in bytes.
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
