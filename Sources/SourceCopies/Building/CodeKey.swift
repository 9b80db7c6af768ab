internal import CatalogModel

/// The number under which an ISBN or a barcode is found: its digits without the check digit and without the zeros
/// before them. The two forms of an ISBN, and a UPC and its EAN, have the same.
enum CodeKey {
  /// The longest text that may be a code, in bytes.
  private static let longest = 64

  static func of(_ isbn: ISBN) -> UInt64 { UInt64(isbn.digits13.dropLast()) ?? 0 }

  static func of(_ barcode: Barcode) -> UInt64 { UInt64(barcode.canonical.dropLast()) ?? 0 }

  /// The key of a barcode as a dump has it; nil for a text that is none.
  static func barcode(_ text: String) -> UInt64? {
    let key = text.utf8.count <= longest ? (try? Barcode(text)).map(of) : nil
    return key == 0 ? nil : key
  }

  /// The key of an ISBN as a dump has it; nil for a text that is none.
  static func isbn(_ text: String) -> UInt64? { text.utf8.count <= longest ? (try? ISBN(text)).map(of) : nil }
}
