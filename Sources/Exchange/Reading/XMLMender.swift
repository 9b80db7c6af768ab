/// Repairs invalid XML that other programs accept: control characters, also as references, bytes that are not UTF-8,
/// and names with invalid characters.
struct XMLMender {
  /// Whether a byte was not UTF-8; callers reset it.
  var hasMended = false
  /// The incomplete character or reference at the end of the last piece.
  private var rest: [UInt8] = []
  private var isFirst = true
  /// Whether the encoding is a superset of ASCII.
  private var isASCII = true
  private var isUTF8 = true
  /// Whether the current byte is in the name of an element.
  private var isInName = false

  /// Returns the repaired piece. An empty piece marks the end.
  mutating func mended(_ piece: [UInt8]) -> [UInt8] {
    if isFirst {
      isFirst = false
      isASCII = !piece.prefix(4).contains { $0 == 0 || $0 == 0xFE || $0 == 0xFF }
      isUTF8 = Self.isUTF8(piece)
    }
    guard isASCII else { return piece }
    var bytes = rest + piece
    rest = []
    if !piece.isEmpty {
      let wait = Self.unfinished(bytes)
      rest = Array(bytes.suffix(wait))
      bytes.removeLast(wait)
    }
    if isUTF8, bytes.contains(where: { $0 >= 0x80 }), (try? UTF8Span(validating: bytes.span)) == nil {
      bytes = Array(String(forgiving: bytes, isMended: &hasMended).utf8)
    }
    return withoutControls(bytes)
  }

  private static func isUTF8(_ beginning: [UInt8]) -> Bool {
    let declaration = String(decoding: beginning.prefix { $0 != UInt8(ascii: ">") }.prefix(200), as: UTF8.self)
      .lowercased()
    return !declaration.contains("encoding") || declaration.contains("utf-8") || declaration.contains("utf8")
  }

  /// The number of final bytes that may begin a character or a reference such as `&#12;`.
  private static func unfinished(_ bytes: [UInt8]) -> Int {
    let tail = bytes.suffix(12)
    if let mark = tail.lastIndex(of: UInt8(ascii: "&")), !tail[mark...].contains(UInt8(ascii: ";")) {
      return bytes.endIndex - mark
    }
    for (count, byte) in zip(1..., bytes.reversed().prefix(3)) where byte >= 0xC0 {
      return count < (byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4) ? count : 0
    }
    return 0
  }

  private mutating func withoutControls(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
        result.append(0x20)
      } else if byte == UInt8(ascii: "&"), let end = Self.endOfControl(bytes, at: place) {
        result.append(0x20)
        place = end
        continue
      } else if byte >= 0x80, isInName, isUTF8 {
        let (character, count) = Self.character(bytes, at: place)
        if character.map({ $0.properties.isAlphabetic && $0.value <= 0xFFFF }) ?? false {
          result += bytes[place..<place + count]
        } else {
          result.append(UInt8(ascii: "_"))
        }
        place += count
        continue
      } else {
        switch byte {
        case UInt8(ascii: "<"): isInName = true
        case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"):
          isInName = isInName && result.last == UInt8(ascii: "<") && byte == UInt8(ascii: "/")
        case UInt8(ascii: ">"), 0x20, 0x09, 0x0A, 0x0D: isInName = false
        default: break
        }
        result.append(byte)
      }
      place += 1
    }
    return result
  }

  /// The end of a reference to a control character, such as `&#12;` or `&#xC;`.
  private static func endOfControl(_ bytes: [UInt8], at place: Int) -> Int? {
    let inside = bytes[place...].prefix(12)
    guard inside.dropFirst().first == UInt8(ascii: "#"), let end = inside.firstIndex(of: UInt8(ascii: ";")) else {
      return nil
    }
    let digits = String(decoding: inside[..<end].dropFirst(2), as: UTF8.self).lowercased()
    guard let value = digits.hasPrefix("x") ? Int(digits.dropFirst(), radix: 16) : Int(digits) else { return nil }
    return value < 0x20 && ![9, 10, 13].contains(value) ? end + 1 : nil
  }

  private static func character(_ bytes: [UInt8], at place: Int) -> (Unicode.Scalar?, Int) {
    let first = bytes[place]
    let count = min(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, bytes.count - place)
    let text = String(validating: bytes[place..<place + count], as: UTF8.self)
    return (text?.unicodeScalars.first, text == nil ? 1 : count)
  }
}
