internal import CatalogModel
internal import Lookup

/// Texts of a dump as clean lines: without escapes, control characters, stray blanks and invalid bytes, composed, and
/// of bounded length.
enum DumpText {
  /// The maximum length of a text in bytes. A longer one ends there.
  static let longest = 2_000

  static func line(_ text: String) -> String {
    let line = Folding.composed(PlainText.line(text))
    // An index within a character is that of its beginning.
    return line.utf8.count <= longest
      ? line : String(line.unicodeScalars[..<line.utf8.index(line.startIndex, offsetBy: longest)])
  }

  /// A text with the references of XML.
  static func xml(_ raw: Bytes) -> String { line(PlainText.withoutReferences(raw.text)) }

  /// A text with the escapes of PostgreSQL's COPY. Those of control characters are blanks.
  static func copy(_ raw: Bytes) -> String {
    guard raw.index(of: UInt8(ascii: "\\")) != nil else { return line(raw.text) }
    var (text, isEscaped): ([UInt8], Bool) = ([], false)
    for byte in raw {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
      } else {
        text.append(isEscaped && "bfnrtv".utf8.contains(byte) ? 0x20 : byte)
        isEscaped = false
      }
    }
    return line(String(decoding: text, as: UTF8.self))
  }
}
