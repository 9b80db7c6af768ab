/// The one place that decides which characters of foreign text may reach a terminal or a line of a pipe.
///
/// On a terminal:
/// - a tab or line break becomes a space, since it would break the layout (`sanitizedLines` keeps line breaks);
/// - other C0 controls and DEL become their pictures, `␛` for ESC, so that one sees what was there;
/// - C1 controls, bidirectional controls and the separators U+2028 and U+2029 become `�`.
///
/// In a pipe only what would break a line of tab-separated cells is replaced: tab, line feed and carriage return, by
/// a space.
enum Sanitizing {
  /// What stands for `scalar` on a terminal; the scalar itself when it is harmless.
  @inline(__always)
  static func terminal(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: " "
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x20...0x7E: scalar
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar
    }
  }

  /// Whether UTF-8 can be passed to a terminal as it is: no control, nothing suspect.
  @inline(__always)
  static func isPlainlySafe(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { byte in byte >= 0x20 && byte != 0x7F && !isSuspect(byte) }
  }

  /// Whether no scalar beyond ASCII can be one that is replaced.
  @inline(__always)
  static func hasNoSuspect(_ bytes: some Sequence<UInt8>) -> Bool {
    !bytes.contains(where: isSuspect)
  }

  /// Whether a byte of UTF-8 may begin a scalar that is replaced: `C2` begins C1, `D8` U+061C, and `E2` the rest.
  @inline(__always)
  private static func isSuspect(_ byte: UInt8) -> Bool {
    byte == 0xC2 || byte == 0xD8 || byte == 0xE2
  }

  /// What stands for a byte of a cell in a line of a pipe.
  @inline(__always)
  static func cell(_ byte: UInt8) -> UInt8 {
    byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0x20 : byte
  }
}

extension StringProtocol {
  /// The text as one line that is safe to write to a terminal.
  ///
  ///     "Alien\u{1B}[2J".sanitized      // Alien␛[2J
  public var sanitized: String {
    if Sanitizing.isPlainlySafe(utf8) { return String(self) }
    var safe = ""
    safe.unicodeScalars.reserveCapacity(utf8.count)
    for scalar in unicodeScalars { safe.unicodeScalars.append(Sanitizing.terminal(scalar)) }
    return safe
  }

  /// The text made safe line by line, for a description of several paragraphs.
  public var sanitizedLines: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.sanitized).joined(separator: "\n")
  }
}
