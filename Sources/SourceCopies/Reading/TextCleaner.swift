internal import CatalogModel
internal import Glibc
internal import Lookup

/// Makes a text of a dump one clean line: without escapes, control characters, stray blanks and invalid bytes,
/// composed, and of bounded length.
///
/// The result lies in the dump's bytes, where these are clean, or in this value's memory. It is valid until the next
/// call.
final class TextCleaner {
  /// The way in which a dump writes characters that mean something to it.
  enum Escapes { case none, xml, json, copy, csv }

  /// The maximum length of a text in bytes. A longer one ends there.
  static let longest = 2_000

  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 4 * TextCleaner.longest, alignment: 16)

  deinit { buffer.deallocate() }

  func line(_ raw: Bytes, _ escapes: Escapes = .none) -> Bytes {
    let sign: UInt8 =
      switch escapes {
      case .none: 0
      case .xml: UInt8(ascii: "&")
      case .json, .copy: UInt8(ascii: "\\")
      case .csv: UInt8(ascii: "\"")
      }
    if raw.count <= Self.longest, Self.isPlain(raw, sign) { return raw }
    let unescaped: [UInt8] =
      switch escapes {
      case .none: Array(raw)
      case .xml: Self.withoutReferences(raw)
      case .json: Self.withoutEscapes(raw, isJSON: true)
      case .copy: Self.withoutEscapes(raw, isJSON: false)
      case .csv: Self.withoutDoubles(raw)
      }
    return keep(Folding.composed(PlainText.line(String(decoding: unescaped, as: UTF8.self))))
  }

  /// The bytes of a text, in this value's memory.
  func keep(_ text: String) -> Bytes {
    var text = text
    if text.utf8.count > Self.longest {
      // Cut between two characters.
      var scalars = String.UnicodeScalarView()
      var count = 0
      for scalar in text.unicodeScalars {
        count += UTF8.width(scalar)
        if count > Self.longest { break }
        scalars.append(scalar)
      }
      text = String(scalars)
    }
    return text.withUTF8 { bytes in
      if let base = bytes.baseAddress { memcpy(buffer, base, bytes.count) }
      return UnsafeRawBufferPointer(start: buffer, count: bytes.count)
    }
  }

  /// Whether the bytes are printable ASCII without blanks at the ends, two in a row, or the sign that begins an escape.
  private static func isPlain(_ bytes: Bytes, _ sign: UInt8) -> Bool {
    guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20 else { return bytes.isEmpty }
    // Without an early exit, several bytes are tested in one step.
    var isPlain = true
    for byte in bytes { isPlain = isPlain && (0x20...0x7E).contains(byte) && byte != sign }
    guard isPlain else { return false }
    var place = 0
    while let blank = bytes.index(of: 0x20, from: place) {
      if bytes[blank + 1] == 0x20 { return false }
      place = blank + 1
    }
    return true
  }

  // MARK: Escapes

  /// The text with the references of XML replaced. An unknown one stays as it is, one for a character that XML does not
  /// have is left out.
  static func withoutReferences(_ raw: Bytes) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var place = 0
    while place < raw.count {
      let sign = raw.index(of: UInt8(ascii: "&"), from: place) ?? raw.count
      text += raw.part(place, sign)
      place = sign
      guard place < raw.count else { break }
      guard let end = raw.part(place, min(raw.count, place + 12)).index(of: UInt8(ascii: ";")),
        let character = Self.character(of: raw.part(place + 1, place + end))
      else {
        text.append(raw[place])
        place += 1
        continue
      }
      text += character
      place += end + 1
    }
    return text
  }

  private static func character(of name: Bytes) -> [UInt8]? {
    if name.first == UInt8(ascii: "#") {
      let isHex = name.has("x", at: 1)
      guard name.count > (isHex ? 2 : 1),
        let code = UInt32(name.part(isHex ? 2 : 1, name.count).text, radix: isHex ? 16 : 10)
      else { return nil }
      guard let scalar = Unicode.Scalar(code), code >= 0x20 || [9, 10, 13].contains(code) else { return [] }
      return UTF8.encode(scalar).map(Array.init)
    }
    let known: [(StaticString, UInt8)] = [
      ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")), ("quot", UInt8(ascii: "\"")),
      ("apos", UInt8(ascii: "'")),
    ]
    return known.first { name.equals($0.0) }.map { [$0.1] }
  }

  /// The text with the escapes of JSON (RFC 8259, 7), or of PostgreSQL's COPY, replaced.
  static func withoutEscapes(_ raw: Bytes, isJSON: Bool) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var place = 0
    func unit(at place: Int) -> UInt32? {
      guard place + 4 <= raw.count else { return nil }
      return UInt32(raw.part(place, place + 4).text, radix: 16)
    }
    while place < raw.count {
      let sign = raw.index(of: UInt8(ascii: "\\"), from: place) ?? raw.count
      text += raw.part(place, sign)
      place = sign + 1
      guard place < raw.count else { break }
      switch raw[place] {
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "v"):
        text.append(0x20)
      case UInt8(ascii: "u") where isJSON:
        guard var code = unit(at: place + 1) else { break }
        place += 4
        // A character beyond 16 bits is written as two units.
        if (0xD800..<0xDC00).contains(code), raw.has("\\u", at: place + 1), let low = unit(at: place + 3),
          (0xDC00..<0xE000).contains(low)
        {
          code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
          place += 6
        }
        text += Unicode.Scalar(code).flatMap { UTF8.encode($0) }.map(Array.init) ?? Array("\u{FFFD}".utf8)
      default: text.append(raw[place])
      }
      place += 1
    }
    return text
  }

  private static func withoutDoubles(_ raw: Bytes) -> [UInt8] {
    var text: [UInt8] = []
    var place = 0
    while place < raw.count {
      text.append(raw[place])
      place += raw[place] == UInt8(ascii: "\"") && raw.has("\"", at: place + 1) ? 2 : 1
    }
    return text
  }
}
