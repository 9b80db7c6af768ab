internal import CatalogModel
internal import Processes

/// How the text of a file is written down, as far as its beginning tells.
enum TextDecoding: Sendable, Hashable {
  /// With so many bytes of a mark before it.
  case utf8(mark: Int)
  case utf16(isLittleEndian: Bool, mark: Int)
  /// Latin-1 with the signs that Windows puts where it has none.
  case windows1252
  /// Korean of Windows, which the program `iconv` reads.
  case cp949

  /// How much of a file is looked at.
  static let beginning = 1 << 20

  init(beginning bytes: [UInt8]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8(mark: 3)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16(isLittleEndian: true, mark: 2)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16(isLittleEndian: false, mark: 2)
    } else if let isLittleEndian = Self.halves(of: bytes.prefix(1_000)) {
      self = .utf16(isLittleEndian: isLittleEndian, mark: 0)
    } else if Self.isUTF8(bytes) {
      self = .utf8(mark: 0)
    } else {
      self = Self.isKorean(bytes) ? .cp949 : .windows1252
    }
  }

  /// Whether every other byte is a zero, as in letters of UTF-16, and which.
  private static func halves(of bytes: ArraySlice<UInt8>) -> Bool? {
    var zeros = [0, 0]
    for (place, byte) in bytes.enumerated() where byte == 0 { zeros[place % 2] += 1 }
    let most = bytes.count / 4
    if zeros[1] > most, zeros[0] == 0 { return true }
    if zeros[0] > most, zeros[1] == 0 { return false }
    return nil
  }

  /// Whether it is UTF-8, but perhaps for a last character that is cut.
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    let tail = bytes.suffix(3).lastIndex { $0 >= 0xC0 } ?? bytes.endIndex
    return String(validating: bytes[..<tail], as: UTF8.self) != nil
  }

  /// Whether all that is not ASCII stands in pairs, and most of them where the usual syllables of Hangul stand.
  private static func isKorean(_ bytes: [UInt8]) -> Bool {
    var (pairs, syllables, place) = (0, 0, 0)
    while place < bytes.count {
      let lead = bytes[place]
      guard lead >= 0x80 else {
        place += 1
        continue
      }
      guard place + 1 < bytes.count else { break }
      let trail = bytes[place + 1]
      guard (0x81...0xFE).contains(lead), (0x41...0xFE).contains(trail), !(0x5B...0x60).contains(trail),
        !(0x7B...0x80).contains(trail)
      else { return false }
      pairs += 1
      if (0xB0...0xC8).contains(lead), trail >= 0xA1 { syllables += 1 }
      place += 2
    }
    return pairs > 0 && syllables * 10 >= pairs * 6
  }
}

extension ByteSource {
  /// The same text in UTF-8. Nothing is lost: a byte that fits nowhere is read as Latin-1.
  /// - Parameter path: the file that it is, for the program that reads Korean; nil where it is part of another file.
  func decoded(path: String?) throws -> ByteSource {
    switch TextDecoding(beginning: try beginning(TextDecoding.beginning)) {
    case .utf8(let mark):
      let bytes = try next()
      putBack(Array(bytes.dropFirst(mark)))
      return self
    case .utf16(let isLittleEndian, let mark):
      putBack(Array(try next().dropFirst(mark)))
      return fromUTF16(isLittleEndian: isLittleEndian)
    case .cp949:
      guard let path else { return fromWindows1252() }
      let file = path.hasPrefix("-") ? "./" + path : path
      return try ByteSource(program: ["iconv", "-f", "CP949", "-t", "UTF-8", file], package: "libc-bin") { status in
        guard status?.isSuccess == true else {
          throw ImportProblem.damaged("'\(path)' looks like Korean text of Windows (CP949), but is not all of it")
        }
      }
    case .windows1252: return fromWindows1252()
    }
  }

  private func fromWindows1252() -> ByteSource {
    ByteSource(read: { [self] in Windows1252.utf8(try next()) })
  }

  private func fromUTF16(isLittleEndian: Bool) -> ByteSource {
    var rest: [UInt8] = []
    return ByteSource(read: { [self] in
      while true {
        let piece = try next()
        if piece.isEmpty, rest.isEmpty { return [] }
        let bytes = rest + piece
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
          let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
          units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
        }
        rest = bytes.count.isMultiple(of: 2) ? [] : Array(bytes.suffix(1))
        if piece.isEmpty { rest = [] }
        // Half of a character waits for the other.
        if !piece.isEmpty, let last = units.last, UTF16.isLeadSurrogate(last) {
          units.removeLast()
          rest = Array(bytes.suffix(rest.count + 2))
        }
        let text = Array(String(decoding: units, as: UTF16.self).utf8)
        if !text.isEmpty || piece.isEmpty { return text }
      }
    })
  }
}

/// Latin-1 as Windows has it. <https://encoding.spec.whatwg.org/index-windows-1252.txt>
enum Windows1252 {
  /// What stands at 0x80 … 0x9F.
  static let signs: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E,
    0x178,
  ]

  static func codePoint(_ byte: UInt8) -> UInt16 {
    (0x80...0x9F).contains(byte) ? signs[Int(byte) - 0x80] : UInt16(byte)
  }

  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    return Array(String(decoding: bytes.map(codePoint), as: UTF16.self).utf8)
  }
}

extension String {
  /// Text that should be UTF-8; where it is not, each byte that does not fit is read as Latin-1.
  init(forgiving bytes: [UInt8]) {
    if let text = try? UTF8Span(validating: bytes.span) {
      self.init(copying: text)
      return
    }
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if rest.count >= length, let text = String(validating: rest.prefix(length), as: UTF8.self) {
        scalars.append(contentsOf: text.unicodeScalars)
        rest = rest.dropFirst(length)
      } else {
        if let scalar = Unicode.Scalar(Windows1252.codePoint(first)) { scalars.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    self = String(scalars)
  }
}
