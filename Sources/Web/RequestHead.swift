/// The lines before the body of a request, looked at as they come: libevent reads each up to its first NUL, and a
/// server before this one may read on.
struct RequestHead {
  /// Whether all lines have come.
  private(set) var isWhole = false
  /// Whether a NUL is among their bytes.
  private(set) var hasNull = false
  /// The number of bytes of the last line; nil before the first.
  private var line: Int?

  /// Reads the next bytes, up to the end of the head.
  mutating func read(_ bytes: [UInt8]) {
    for byte in bytes where !isWhole {
      switch byte {
      case 0x0A:
        isWhole = line == 0
        if line != nil { line = 0 }
      case 0x0D: break
      default:
        if byte == 0 { hasNull = true }
        line = (line ?? 0) + 1
      }
    }
  }
}
