/// The values of a JSON text (RFC 8259).
///
/// `JSONDecoder` is too slow here: it looks up forty fields per element, most of them missing. With converted key names
/// and errors for missing fields it took six times as long as for a plain struct.
package enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number that is an `Int`.
  case integer(Int)
  case double(Double)
  case string(String)
  case list([JSON])
  /// An object. Its keys are in camel case unless `keepsKeys` was set: `first_publish_year` and `first-publish-year`
  /// become `firstPublishYear`.
  case object([String: JSON])

  /// The member of an object; null when it is missing, or when this is not an object.
  package subscript(key: String) -> JSON {
    guard case .object(let members) = self else { return .null }
    return members[key] ?? .null
  }

  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The maximum depth, since the parser is recursive. Real answers are nested about 10 deep.
  package static let deepest = 64

  /// The maximum number of values in an answer and in one list or object, and the maximum length of a text in bytes.
  /// Every value takes memory here and again in its decoded form, most of all a value of two bytes. With these limits
  /// an answer takes at most 64 MiB, including its own bytes; `fuzz-answers --heavy` checks this.
  ///
  /// The largest recorded answer has 6 900 values, 533 in one list, and the longest text has 3 300 bytes. A box of two
  /// hundred discs at MusicBrainz may reach 150 000 values.
  package static let mostValues = 200_000
  package static let mostTogether = 10_000
  package static let longestText = 1 << 20

  /// Parses a complete text: one object or list, in UTF-8.
  ///
  /// Careless answers are accepted: a byte order mark at the beginning, a number as `+1` or `01`, a control character
  /// in a text. Anything worse throws. A text with half of a surrogate pair is null.
  /// - Parameter keepsKeys: whether the keys of objects stay as written.
  package init(_ bytes: [UInt8], keepsKeys: Bool = false) throws(SourceError) {
    var parser = JSONParser(bytes: bytes, keepsKeys: keepsKeys)
    self = try parser.text()
  }
}

extension SourceError {
  static var anotherShape: SourceError { .unreadable("an answer in an undocumented form") }
  static var tooMuch: SourceError { .unreadable("an answer that is too large to read") }
  fileprivate static var cutShort: SourceError { .unreadable("an answer that is cut short") }
}

private struct JSONParser {
  let bytes: [UInt8]
  let keepsKeys: Bool
  /// The position of the next byte.
  var place = 0
  /// The number of members of the previous object, to reserve space, since the elements of a list are alike; 0 inside
  /// an object.
  var usualCount = 0
  /// The number of values that may still follow.
  var left = JSON.mostValues

  mutating func text() throws(SourceError) -> JSON {
    place = bytes.firstIndex { !Self.isBlank($0) && ![0xEF, 0xBB, 0xBF].contains($0) } ?? bytes.count
    guard place < bytes.count else { throw .unreadable("an empty answer") }
    switch bytes[place] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    case UInt8(ascii: "<"): throw .unreadable("an HTML page instead of an answer")
    default: throw .unreadable("text that is not JSON")
    }
    do { _ = try UTF8Span(validating: bytes.span) } catch { throw .unreadable("text that is not valid UTF-8") }
    let value = try value(depth: 0)
    guard bytes[place...].allSatisfy(Self.isBlank) else { throw .anotherShape }
    return value
  }

  private mutating func value(depth: Int) throws(SourceError) -> JSON {
    guard left > 0 else { throw .tooMuch }
    left -= 1
    switch try token() {
    case UInt8(ascii: "\""): return try string().map { .string($0) } ?? .null
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try list(depth: depth + 1)
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(SourceError) -> JSON {
    guard try open(UInt8(ascii: "}"), depth: depth) else { return .object([:]) }
    var members: [String: JSON] = Dictionary(minimumCapacity: usualCount)
    usualCount = 0
    repeat {
      guard members.count < JSON.mostTogether else { throw .tooMuch }
      let key = try key()
      guard try token() == UInt8(ascii: ":") else { throw .anotherShape }
      place += 1
      let value = try value(depth: depth)
      if let key { members[key] = value }
    } while try goOn(UInt8(ascii: "}"))
    usualCount = members.count
    return .object(members)
  }

  private mutating func key() throws(SourceError) -> String? {
    guard try token() == UInt8(ascii: "\"") else { throw .anotherShape }
    let start = place
    let key = try string()
    let isSwift = keepsKeys || bytes[start..<place].allSatisfy { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    return isSwift ? key : key.map(Self.swiftName)
  }

  private mutating func list(depth: Int) throws(SourceError) -> JSON {
    guard try open(UInt8(ascii: "]"), depth: depth) else { return .list([]) }
    var elements: [JSON] = []
    repeat {
      guard elements.count < JSON.mostTogether else { throw .tooMuch }
      elements.append(try value(depth: depth))
    } while try goOn(UInt8(ascii: "]"))
    return .list(elements)
  }

  /// Steps into an object or list that `end` closes.
  /// - Returns: whether something is in it.
  private mutating func open(_ end: UInt8, depth: Int) throws(SourceError) -> Bool {
    guard depth <= JSON.deepest else { throw .unreadable("an answer nested too deeply") }
    place += 1
    guard try token() == end else { return true }
    place += 1
    return false
  }

  /// Steps over the comma or the `end` behind an element.
  /// - Returns: whether another element follows.
  private mutating func goOn(_ end: UInt8) throws(SourceError) -> Bool {
    let byte = try token()
    guard byte == end || byte == UInt8(ascii: ",") else { throw .anotherShape }
    place += 1
    return byte != end
  }

  private mutating func literal(_ word: String, _ value: JSON) throws(SourceError) -> JSON {
    for letter in word.utf8 {
      guard try next() == letter else { throw .anotherShape }
    }
    return value
  }

  private mutating func number() throws(SourceError) -> JSON {
    let start = place
    while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
    let digits = String(decoding: bytes[start..<place], as: UTF8.self)
    if let integer = Int(digits) { return .integer(integer) }
    if let double = Double(digits) { return .double(double) }
    throw place == bytes.count ? .cutShort : .anotherShape
  }

  /// The text that begins here; nil when half of a character is in it.
  private mutating func string() throws(SourceError) -> String? {
    place += 1
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") { place += 1 }
    let plain = bytes[start..<place]
    guard plain.count <= JSON.longestText else { throw .tooMuch }
    guard try next() == UInt8(ascii: "\"") else { return try escapedString(behind: plain) }
    return String(decoding: plain, as: UTF8.self)
  }

  /// The rest of a text, from behind its first backslash.
  private mutating func escapedString(behind start: ArraySlice<UInt8>) throws(SourceError) -> String? {
    var text = Array(start)
    var isWhole = true
    var byte = UInt8(ascii: "\\")
    while byte != UInt8(ascii: "\"") {
      if byte != UInt8(ascii: "\\") {
        text.append(byte)
      } else if let scalar = try escaped() {
        text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        isWhole = false
      }
      guard text.count <= JSON.longestText else { throw .tooMuch }
      byte = try next()
    }
    return isWhole ? String(decoding: text, as: UTF8.self) : nil
  }

  /// The character after a backslash; nil for half of a surrogate pair.
  private mutating func escaped() throws(SourceError) -> Unicode.Scalar? {
    switch try next() {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "u"): break
    default: throw .anotherShape
    }
    let unit = try codeUnit()
    guard UTF16.isLeadSurrogate(unit), bytes[place...].starts(with: #"\u"#.utf8) else { return Unicode.Scalar(unit) }
    let before = place
    place += 2
    let pair = [unit, try codeUnit()]
    guard UTF16.isTrailSurrogate(pair[1]) else {
      place = before
      return nil
    }
    return UTF16.decode(UTF16.EncodedScalar(pair))
  }

  private mutating func codeUnit() throws(SourceError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try next())).hexDigitValue else { throw .anotherShape }
      unit = unit << 4 | UInt16(truncatingIfNeeded: digit)
    }
    return unit
  }

  // MARK: Bytes

  /// Goes to the next byte that is not blank, and leaves it there.
  private mutating func token() throws(SourceError) -> UInt8 {
    while place < bytes.count {
      guard Self.isBlank(bytes[place]) else { return bytes[place] }
      place += 1
    }
    throw .cutShort
  }

  /// Steps over a byte.
  private mutating func next() throws(SourceError) -> UInt8 {
    guard place < bytes.count else { throw .cutShort }
    defer { place += 1 }
    return bytes[place]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// `first_publish_year` and `first-publish-year` as `firstPublishYear`.
  private static func swiftName(of key: String) -> String {
    let words = key.split { $0 == "_" || $0 == "-" }
    return words.dropFirst().reduce(words.first.map(String.init) ?? "") {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }
}
