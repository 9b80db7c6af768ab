internal import CatalogModel
@_spi(_Unicode) internal import Swift

/// Makes text from elsewhere fit to be kept.
enum Text {
  /// One line: composed (NFC), without control characters, blanks at both ends cut. Nil when nothing is left.
  static func line(_ text: String?) -> String? {
    guard let text else { return nil }
    return clean(text, keepsLines: false)
  }

  /// The same for text of several lines, which keeps line ends and tabs.
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

  /// Whether nothing of it needs to be changed. One that is no long ASCII text is perhaps plain all the same.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    let isPlainASCII = text.withUTF8 { bytes -> Bool? in
      guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20 else { return false }
      // Without a way out, many bytes are looked at in one step.
      return bytes.reduce(true) { $0 && (0x20...0x7E).contains($1) } ? true : nil
    }
    return isPlainASCII ?? text.unicodeScalars.allSatisfy { $0.isPlain && !isControl($0) }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}

extension String {
  /// These scalars as a text. They are added one by one: `append(contentsOf:)` looks types up at run time.
  init(scalars: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    for scalar in scalars { view.append(scalar) }
    self.init(view)
  }
}
