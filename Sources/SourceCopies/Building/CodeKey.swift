internal import CatalogModel

/// The number under which an ISBN or a barcode is found: its digits without the check digit and without the zeros
/// before them. The two forms of an ISBN, and a UPC and its EAN, have the same.
enum CodeKey {
  static func of(_ isbn: ISBN) -> UInt64 { UInt64(isbn.digits13.dropLast()) ?? 0 }

  static func of(_ barcode: Barcode) -> UInt64 { UInt64(barcode.canonical.dropLast()) ?? 0 }

  /// The key of a barcode as a dump has it; nil for a text that is none.
  static func barcode(_ raw: Bytes) -> UInt64? {
    switch digits(of: raw) {
    case .digits(let digits, let count):
      guard [8, 12, 13, 14].contains(count), check(digits) else { return nil }
      return digits >= 10 ? digits / 10 : nil
    case .other: return raw.count <= 64 ? (try? Barcode(raw.text)).map(of).flatMap { $0 > 0 ? $0 : nil } : nil
    }
  }

  /// The key of an ISBN as a dump has it; nil for a text that is none.
  static func isbn(_ raw: Bytes) -> UInt64? {
    if case .digits(let digits, 13) = digits(of: raw) {
      guard digits / 10_000_000_000 == 978 || digits / 10_000_000_000 == 979, check(digits) else { return nil }
      return digits / 10
    }
    return raw.count <= 64 ? (try? ISBN(raw.text)).map(of) : nil
  }

  private enum Digits {
    case digits(UInt64, Int)
    case other
  }

  /// The digits of a text of digits, blanks and hyphens.
  private static func digits(of raw: Bytes) -> Digits {
    var (digits, count) = (UInt64(0), 0)
    for byte in raw {
      switch byte {
      case 0x30...0x39:
        guard count < 18 else { return .other }
        digits = digits * 10 + UInt64(byte - 0x30)
        count += 1
      case 0x20, 0x2D: break
      default: return .other
      }
    }
    return .digits(digits, count)
  }

  /// Whether the last digit is the check digit of those before it (GS1 General Specifications 7.9).
  private static func check(_ digits: UInt64) -> Bool {
    var (rest, sum, isTriple) = (digits / 10, UInt64(0), true)
    while rest > 0 {
      sum += rest % 10 * (isTriple ? 3 : 1)
      isTriple.toggle()
      rest /= 10
    }
    return (10 - sum % 10) % 10 == digits % 10
  }
}
