internal import CatalogModel
@_spi(_Unicode) internal import Swift

/// Cleans text from outside before it is stored.
enum Text {
  /// Returns one line: composed (NFC), without control characters, trimmed. Nil if nothing is left.
  static func line(_ text: String?) -> String? {
    guard let text else { return nil }
    return clean(text, keepsLines: false)
  }

  /// Returns several lines, cleaned in the same way. Line ends and tabs are kept.
  static func lines(_ text: String?) -> String? {
    guard let text else { return nil }
    return clean(text, keepsLines: true)
  }

  /// The lines of a text.
  static func parts(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  private static func clean(_ text: String, keepsLines: Bool) -> String? {
    // Most text is plain already.
    if isPlain(text) { return text }
    var scalars = String.UnicodeScalarView()
    // Korean typed on some systems comes decomposed; stored text is composed, so that equal titles are equal bytes.
    for scalar in text._nfc {
      if isControl(scalar) {
        if keepsLines, scalar == "\n" || scalar == "\t" {
          scalars.append(scalar)
        } else if scalar == "\n" || scalar == "\t" {
          scalars.append(" ")
        }
      } else {
        scalars.append(scalar)
      }
    }
    let start = scalars.drop { $0.properties.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return nil }
    return String(start[...end])
  }

  /// Whether the text needs no change. If it is not plain ASCII, its characters decide.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    let isPlainASCII = text.withUTF8 { bytes -> Bool? in
      guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20 else { return false }
      // Without an early exit, several bytes are tested in one step.
      return bytes.reduce(true) { $0 && (0x20...0x7E).contains($1) } ? true : nil
    }
    return isPlainASCII ?? text.unicodeScalars.allSatisfy { $0.isPlain && !isControl($0) }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}
