internal import CatalogModel
internal import Lookup
internal import Processes

/// The encoding of a file's text.
enum TextDecoding: Sendable, Hashable {
  /// UTF-8 with a byte order mark of this many bytes.
  case utf8(mark: Int)
  case utf16(isLittleEndian: Bool, mark: Int)
  /// Another encoding, with a line as a sample.
  /// - Parameter broken: the first line with bytes that are no characters.
  case other(TextEncoding, shown: String, broken: Int?)

  /// The number of bytes of an archive member that are examined: reading it twice would be slow.
  static let beginning = 1 << 20

  init(beginning bytes: [UInt8], told: TextEncoding? = nil) throws {
    var census = ByteCensus()
    census.add(bytes)
    self = try census.unicode(told) ?? TextDecoding(told) { ByteSource(bytes: bytes) }
  }

  /// Examines the whole file, so that a few invalid bytes anywhere do not change the result.
  /// - Parameter told: the encoding that the user named.
  init(path: String, told: TextEncoding? = nil) throws {
    let source = try ByteSource(path: path)
    var census = ByteCensus()
    while case let piece = try source.next(), !piece.isEmpty {
      // Archives and databases contain no text to decode.
      if census.isEmpty, piece.starts(with: [0x50, 0x4B]) || piece.starts(with: "SQLite format 3".utf8) { break }
      census.add(piece)
    }
    self = try census.unicode(told) ?? TextDecoding(told) { try ByteSource(path: path) }
  }

  /// - Parameter open: opens the text, which is read twice.
  private init(_ told: TextEncoding? = nil, _ open: () throws -> ByteSource) throws {
    let judge = try EncodingJudge(of: open())
    let encoding = told ?? judge.best
    var broken: Int?
    if let pairs = encoding.pairs {
      let source = try open()
      var (line, rest) = (1, [UInt8]())
      func look(at bytes: [UInt8]) { pairs.forEach(in: bytes, line: &line) { if $0 == nil { broken = broken ?? $1 } } }
      while broken == nil, case let piece = try source.next(), !piece.isEmpty {
        // A pair may stand in two pieces, but no line does.
        let bytes = rest + piece
        let end = bytes.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
        rest = Array(bytes[end...])
        look(at: Array(bytes[..<end]))
      }
      look(at: rest)
    }
    self = .other(encoding, shown: judge.shown(in: encoding), broken: broken)
  }

  /// The remarks on a guess, and on lost text.
  var remarks: [Entry.Remark] {
    guard case .other(let encoding, let shown, let broken) = self, !shown.isEmpty else { return [] }
    let lost = broken.map {
      Entry.Remark("bytes that are not \(encoding.name) are left out, the first in line \($0)")
    }
    return [Entry.Remark("read as \(encoding.name): \(PlainText.line(shown))")] + [lost].compactMap(\.self)
  }
}

/// Counts bytes chunk by chunk to determine an encoding.
struct ByteCensus {
  private var first: [UInt8] = []
  /// The number of multi-byte characters in UTF-8, and of bytes outside of any.
  private var (characters, strays) = (0, 0)
  // Within a UTF-8 character: the number of missing bytes, and the bounds of the next one.
  private var (missing, lowest, highest): (Int, UInt8, UInt8) = (0, 0x80, 0xBF)
  var isEmpty: Bool { first.isEmpty }

  mutating func add(_ bytes: [UInt8]) {
    if first.count < 1_000 { first += bytes.prefix(1_000) }
    for byte in bytes {
      // Most bytes of most files.
      if byte < 0x80, missing == 0 { continue }
      count(byte)
    }
  }

  private mutating func count(_ byte: UInt8) {
    if missing > 0 {
      if (lowest...highest).contains(byte) {
        missing -= 1
        (lowest, highest) = (0x80, 0xBF)
        if missing == 0 { characters += 1 }
        return
      }
      strays += 1
    }
    (missing, lowest, highest) = (0, 0x80, 0xBF)
    switch byte {
    case ..<0x80: break
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF:
      missing = 2
      if byte == 0xE0 { lowest = 0xA0 }
      if byte == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      missing = 3
      if byte == 0xF0 { lowest = 0x90 }
      if byte == 0xF4 { highest = 0x8F }
    default: strays += 1
    }
  }

  /// The encoding that the user named; nil if it is not Unicode.
  func unicode(_ told: TextEncoding?) -> TextDecoding? {
    switch told {
    case nil: unicode
    case .utf8?: .utf8(mark: first.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    case .utf16?: if case .utf16? = unicode { unicode } else { .utf16(isLittleEndian: true, mark: 0) }
    default: first.isEmpty ? .utf8(mark: 0) : nil
    }
  }

  /// The encoding, if it is Unicode.
  var unicode: TextDecoding? {
    if first.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8(mark: 3) }
    if first.starts(with: [0xFF, 0xFE]) { return .utf16(isLittleEndian: true, mark: 2) }
    if first.starts(with: [0xFE, 0xFF]) { return .utf16(isLittleEndian: false, mark: 2) }
    if let isLittleEndian = Self.halves(of: first.prefix(1_000)) {
      return .utf16(isLittleEndian: isLittleEndian, mark: 0)
    }
    // In other encodings, valid multi-byte characters are rarely as frequent as invalid bytes.
    return strays == 0 || characters >= strays ? .utf8(mark: 0) : nil
  }

  /// Whether every other byte is zero, as in Latin text in UTF-16, and whether those are the second bytes.
  private static func halves(of bytes: ArraySlice<UInt8>) -> Bool? {
    var zeros = [0, 0]
    for (place, byte) in bytes.enumerated() where byte == 0 { zeros[place % 2] += 1 }
    let most = bytes.count / 4
    if zeros[1] > most, zeros[0] == 0 { return true }
    if zeros[0] > most, zeros[1] == 0 { return false }
    return nil
  }
}

extension ByteSource {
  /// Returns the text in UTF-8. In UTF-8 nothing is lost: an invalid byte is read as Latin-1.
  /// - Parameters:
  ///   - decoding: the encoding, if the whole text was examined.
  ///   - path: the path of the file for `iconv`; nil if the text is part of another file.
  func decoded(_ decoding: TextDecoding? = nil, path: String?) throws -> ByteSource {
    switch try decoding ?? TextDecoding(beginning: beginning(TextDecoding.beginning)) {
    case .utf8(let mark):
      let bytes = try next()
      putBack(Array(bytes.dropFirst(mark)))
      return self
    case .utf16(let isLittleEndian, let mark):
      putBack(Array(try next().dropFirst(mark)))
      return fromUTF16(isLittleEndian: isLittleEndian)
    case .other(.windows1252, _, _): return ByteSource(read: { [self] in Windows1252.utf8(try next()) })
    case .other(let encoding, _, let broken):
      guard let path else {
        let bytes = try all(limit: Self.longestMember)
        return ByteSource(bytes: encoding.text(of: bytes) ?? Windows1252.utf8(bytes))
      }
      let file = path.hasPrefix("-") ? "./" + path : path
      // With `-c`, iconv skips invalid bytes and exits with an error.
      return try ByteSource(program: encoding.words + [file], package: "libc-bin") { status in
        guard status?.isSuccess == true || broken != nil || encoding.pairs == nil else {
          throw ImportProblem.damaged("'\(path)' looks like \(encoding.name), but parts of it are not")
        }
      }
    }
  }

  /// The longest member of an archive that is not Unicode, in bytes.
  private static let longestMember = 64 << 20

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
          let (first, second) = (UInt16(truncatingIfNeeded: bytes[place]), UInt16(truncatingIfNeeded: bytes[place + 1]))
          units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
        }
        rest = bytes.count.isMultiple(of: 2) ? [] : Array(bytes.suffix(1))
        if piece.isEmpty { rest = [] }
        // Half of a surrogate pair waits for the other half.
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

extension String {
  /// Creates a text from UTF-8. Bytes that are not valid are read as Latin-1.
  /// - Parameter isMended: set to true if there is such a byte.
  init(forgiving bytes: [UInt8], isMended: inout Bool) {
    if let text = try? UTF8Span(validating: bytes.span) {
      self.init(copying: text)
      return
    }
    isMended = true
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

  init(forgiving bytes: [UInt8]) {
    var isMended = false
    self.init(forgiving: bytes, isMended: &isMended)
  }
}

extension Entry.Remark {
  /// An invalid byte in UTF-8 text.
  static let strayBytes = Entry.Remark("bytes that are not UTF-8 were read as Latin-1")
  /// A quoted cell of several lines, with text after the closing mark.
  static let openQuote = Entry.Remark(
    "a quotation mark is not closed: lines below it may have become part of its cell")
}
