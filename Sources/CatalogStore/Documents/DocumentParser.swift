internal import CatalogModel

/// A strict parser (RFC 8259) for a document in one line, which the program itself wrote.
///
/// The reader of web answers converts keys, ignores the order and skips values that do not fit. Here nothing may be
/// lost.
struct DocumentParser {
  /// The maximum depth. Documents are 4 levels deep; the limit protects the recursion.
  private static let deepest = 32
  /// More values than an item has, with all that hangs on it, or than there are on a pile; each takes some hundred bytes.
  private static let mostValues = 300_000

  private let bytes: [UInt8]
  private var place = 0
  private var count = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Throws: ``DocumentProblem``.
  static func read(_ bytes: [UInt8]) throws(DocumentProblem) -> Document {
    do { _ = try UTF8Span(validating: bytes.span) } catch { throw DocumentProblem("it is not UTF-8") }
    var parser = DocumentParser(bytes)
    do throws(DocumentProblem) {
      guard case .object(let document) = try parser.value(depth: 0) else {
        throw DocumentProblem("it is not a JSON object")
      }
      parser.skipBlanks()
      guard parser.place == bytes.count else { throw DocumentProblem("there is something after the object") }
      return document
    } catch {
      let line = 1 + bytes[..<min(parser.place, bytes.count)].count { $0 == UInt8(ascii: "\n") }
      throw DocumentProblem(error.message, line: line)
    }
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(DocumentProblem) -> DocumentValue {
    guard depth <= Self.deepest else { throw DocumentProblem("it is nested too deeply") }
    count += 1
    guard count <= Self.mostValues else { throw DocumentProblem("it has too many values") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .list(try list(depth: depth))
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw DocumentProblem("it is cut short")
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(DocumentProblem) -> Document {
    var members: [Document.Member] = []
    var keys = Set<String>()
    place += 1
    if take(UInt8(ascii: "}")) { return Document() }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw unexpected() }
      let key = try text()
      guard keys.insert(key).inserted else { throw DocumentProblem("'\(key)' appears twice in it") }
      guard take(UInt8(ascii: ":")) else { throw unexpected() }
      members.append(Document.Member(key, try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected() }
    return Document(members)
  }

  private mutating func list(depth: Int) throws(DocumentProblem) -> [DocumentValue] {
    var values: [DocumentValue] = []
    place += 1
    if take(UInt8(ascii: "]")) { return [] }
    repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected() }
    return values
  }

  private mutating func word(_ word: StaticString, _ value: DocumentValue) throws(DocumentProblem) -> DocumentValue {
    let word = Array(word.description.utf8)
    guard bytes[place...].starts(with: word) else { throw unexpected() }
    place += word.count
    return value
  }

  private mutating func number() throws(DocumentProblem) -> DocumentValue {
    let start = place
    skip { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || "+-.eE".utf8.contains($0) }
    let digits = String(decoding: bytes[start..<place], as: UTF8.self)
    if let integer = Int64(digits) { return .integer(integer) }
    if let real = Double(digits), real.isFinite { return .real(real) }
    place = start
    throw unexpected()
  }

  // MARK: Texts

  private mutating func text() throws(DocumentProblem) -> String {
    place += 1
    var text = ""
    while true {
      let start = place
      skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 }
      text += String(decoding: bytes[start..<place], as: UTF8.self)
      switch next {
      case UInt8(ascii: "\""):
        place += 1
        return text
      case UInt8(ascii: "\\"):
        place += 1
        text.unicodeScalars.append(try escaped())
      default: throw unexpected()
      }
    }
  }

  /// Reads the rest of an escape sequence, behind the backslash.
  private mutating func escaped() throws(DocumentProblem) -> Unicode.Scalar {
    defer { place += 1 }
    switch next {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "u"): break
    default: throw unexpected()
    }
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), bytes[place...].dropFirst().starts(with: #"\u"#.utf8) else {
      throw DocumentProblem("it contains half of a character")
    }
    place += 2
    let pair = [unit, try codeUnit()]
    guard UTF16.isTrailSurrogate(pair[1]) else { throw DocumentProblem("it contains half of a character") }
    return UTF16.decode(UTF16.EncodedScalar(pair))
  }

  /// Reads the four digits behind `\u` and stops at the last of them.
  private mutating func codeUnit() throws(DocumentProblem) -> UInt16 {
    let digits = bytes[place...].dropFirst().prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw unexpected() }
    place += 4
    return unit
  }

  // MARK: Bytes

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Skips the bytes that match, up to the first that does not.
  private mutating func skip(while isSuch: (UInt8) -> Bool) {
    let bytes = bytes
    var end = place
    while end < bytes.count, isSuch(bytes[end]) { end += 1 }
    place = end
  }

  private mutating func skipBlanks() { skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D } }

  /// Skips blanks, then this byte if it follows.
  /// - Returns: whether the byte followed.
  private mutating func take(_ sign: UInt8) -> Bool {
    skipBlanks()
    guard next == sign else { return false }
    place += 1
    return true
  }

  private func unexpected() -> DocumentProblem {
    let rest = bytes[place...].prefix(12)
    return DocumentProblem(
      rest.isEmpty ? "it is cut short" : "it is not valid JSON at '\(String(decoding: rest, as: UTF8.self))'")
  }
}
