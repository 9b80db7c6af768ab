/// An ISBN or a barcode as people type it, print it and paste it from pages: `ISBN-13: 978‐0‐8264‐9752‐9 (pbk.)`.
///
/// It finds the digits. ``ISBN`` and ``Barcode`` check whether they are a valid number.
public struct TypedCode: Sendable, Hashable {
  /// The digits, with an `X` where the text has one, without any sign between them. Empty for a text that is no code.
  public let digits: String
  /// Whether a prefix comes before the digits: `ISBN`, `EAN`, `UPC`.
  public let hasName: Bool
  /// Whether that name is `ISBN`.
  public let isNamedISBN: Bool
  private let hasQualifier: Bool
  private let hasBlanks: Bool
  private let hasSigns: Bool

  public init(_ text: String) {
    var rest = Self.plain(text)[...]
    let name = Self.names.first { rest.starts(with: $0.text.utf8) }
    hasName = name != nil
    isNamedISBN = name?.lengths == Self.isbn
    if let name {
      rest = Self.withoutLength(rest.dropFirst(name.text.utf8.count), name.lengths)
      rest = Self.withoutQualifier(atStartOf: rest.drop(while: Self.isBetween))
    }
    let body = Self.withoutQualifier(atEndOf: rest)
    hasQualifier = body.count < rest.count
    let code = Self.trimmed(body)
    hasBlanks = code.contains(0x20)
    let signs = code.filter { !Self.isBetween($0) }
    hasSigns = signs.count < code.count
    digits = signs.allSatisfy(Self.isOfCode) ? String(decoding: signs, as: UTF8.self) : ""
  }

  /// Whether a text that is no valid number was meant as one. Titles such as `1967–1970` are not.
  public var isMeant: Bool {
    switch digits.utf8.count {
    case ..<8: false
    case _ where hasName: true
    case 8: !hasSigns && !hasQualifier
    case 10, 13: !hasBlanks
    default: !hasBlanks && !hasQualifier
    }
  }

  // MARK: Reading

  /// The prefixes of a code in capital letters, and the accepted numbers of digits.
  private static let names: [(text: String, lengths: [Int])] = [
    ("URN:ISBN", isbn), ("EISBN", isbn), ("E-ISBN", isbn), ("ISBN", isbn), ("BARCODE", barcode), ("GTIN", barcode),
    ("EAN", barcode), ("UPC-A", barcode), ("UPC", barcode),
  ]
  private static let isbn = [10, 13]
  private static let barcode = [8, 12, 13, 14]

  /// The text in ASCII and capital letters: every hyphen, dash and minus sign becomes `-`, every space an ASCII space,
  /// and full-width characters narrow. Invisible characters are left out, and characters that a code cannot have become
  /// zero bytes.
  private static func plain(_ text: String) -> [UInt8] {
    text.unicodeScalars.compactMap { scalar in
      let isWide = (0xFF01...0xFF5E).contains(scalar.value)
      let value = isWide ? scalar.value - 0xFEE0 : scalar.value
      switch value {
      case 0x61...0x7A: return UInt8(truncatingIfNeeded: value - 0x20)
      case 0x20..<0x7F: return UInt8(truncatingIfNeeded: value)
      case 0x2212: return UInt8(ascii: "-")
      default: break
      }
      switch scalar.properties.generalCategory {
      case .dashPunctuation: return UInt8(ascii: "-")
      case .format: return nil
      default: return scalar.properties.isWhitespace ? 0x20 : 0
      }
    }
  }

  /// The text without the `-13` of `ISBN-13`, the number of digits.
  private static func withoutLength(_ text: ArraySlice<UInt8>, _ lengths: [Int]) -> ArraySlice<UInt8> {
    let body = text.drop(while: isBetween)
    for length in lengths {
      let word = "\(length)"
      guard body.starts(with: word.utf8) else { continue }
      let behind = body.dropFirst(word.utf8.count)
      let count = withoutQualifier(atEndOf: behind).count(where: isOfCode)
      if count == length { return behind }
      // As a part of the code it would make that complete.
      let isApart = behind.first.map { !isOfCode($0) } ?? false
      if isApart, count >= 8, !lengths.contains(count + word.utf8.count) { return behind }
    }
    return text
  }

  /// The text without `(pbk.)` and the colon behind it.
  private static func withoutQualifier(atStartOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.first == UInt8(ascii: "("), let end = text.firstIndex(of: UInt8(ascii: ")")) else { return text }
    return text[(end + 1)...]
  }

  /// The text without a qualifier of the edition at its end: `(pbk.)`, `(hardcover) :`.
  private static func withoutQualifier(atEndOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let core = trimmed(text)
    guard core.last == UInt8(ascii: ")"), let start = core.firstIndex(of: UInt8(ascii: "(")) else { return text }
    return core[..<start]
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: isBetween)
    while let last = text.last, isBetween(last) || [0x2C, 0x2E, 0x3B].contains(last) { text.removeLast() }
    return text
  }

  /// Whether it is a digit or the `X` that checks ten of them.
  private static func isOfCode(_ byte: UInt8) -> Bool { (48...57).contains(byte) || byte == UInt8(ascii: "X") }

  /// Whether the byte is a separator between digits: a space, a hyphen, a colon.
  private static func isBetween(_ byte: UInt8) -> Bool { [0x20, 0x2D, 0x3A].contains(byte) }
}
