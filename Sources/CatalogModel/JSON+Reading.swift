extension JSON {
  /// The rules by which a text is read, and its limits. The parser is recursive, and every value takes some hundred
  /// bytes, so there are limits to depth and count.
  public struct Form: Sendable {
    /// The maximum depth of nested lists and objects.
    public var deepest: Int
    /// The maximum number of values.
    public var mostValues: Int
    /// The maximum number of elements of one list or members of one object.
    public var mostTogether: Int
    /// The maximum length of one text in bytes.
    public var longestText: Int
    /// Whether careless texts are read, too: a byte order mark at the beginning, control characters in a text, half of
    /// a surrogate pair (its text is null), infinite numbers, and keys that appear twice (the last counts).
    public var isLenient: Bool
    /// Whether of keys that appear twice each stays, and the first counts.
    public var keepsRepeated: Bool

    public init(
      deepest: Int, mostValues: Int, mostTogether: Int = .max, longestText: Int = .max, isLenient: Bool = false,
      keepsRepeated: Bool = false
    ) {
      (self.deepest, self.mostValues, self.mostTogether) = (deepest, mostValues, mostTogether)
      (self.longestText, self.isLenient, self.keepsRepeated) = (longestText, isLenient, keepsRepeated)
    }
  }

  /// An error in a text that should be JSON.
  public struct Problem: Error, Hashable {
    public enum Reason: Error, Hashable {
      /// The text is empty or blank.
      case empty
      /// The text is HTML or XML.
      case markup
      /// The text begins with neither `{` nor `[`.
      case otherText
      case notUTF8
      case cutShort
      case tooDeep
      case tooMuch
      case repeatedKey(String)
      case halfCharacter
      /// More text follows the value.
      case notAlone
      /// Any other error, with the text where it was noticed.
      case malformed(String)
    }

    public var reason: Reason
    /// The number of the line, from 1.
    public var line: Int

    public init(reason: Reason, line: Int) { (self.reason, self.line) = (reason, line) }
  }

  /// Parses a complete text in UTF-8: one object or list.
  public init(_ bytes: [UInt8], as form: Form) throws(Problem) {
    var parser = JSONParser(bytes: bytes, form: form)
    do throws(Problem.Reason) {
      self = try parser.text()
    } catch {
      let place = min(parser.place, bytes.count)
      throw Problem(reason: error, line: 1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") })
    }
  }
}

private struct JSONParser {
  typealias Reason = JSON.Problem.Reason

  let bytes: [UInt8]
  let form: JSON.Form
  /// The position of the next byte.
  var place = 0
  /// The number of members of the previous object, to reserve space, since the elements of a list are alike; 0 inside
  /// an object.
  var usualCount = 0
  /// The number of values that may still follow.
  var left: Int

  init(bytes: [UInt8], form: JSON.Form) { (self.bytes, self.form, left) = (bytes, form, form.mostValues) }

  mutating func text() throws(Reason) -> JSON {
    if form.isLenient, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    do { _ = try token() } catch { throw .empty }
    switch bytes[place] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    case UInt8(ascii: "<"): throw .markup
    default: throw .otherText
    }
    do { _ = try UTF8Span(validating: bytes.span) } catch { throw .notUTF8 }
    let value = try value(depth: 0)
    while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
    guard place == bytes.count else { throw .notAlone }
    return value
  }

  private mutating func value(depth: Int) throws(Reason) -> JSON {
    guard left > 0 else { throw .tooMuch }
    left -= 1
    switch try token() {
    case UInt8(ascii: "\""): return try string().map { .text($0) } ?? .null
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return try list(depth: depth + 1)
    case UInt8(ascii: "t"): return try literal("true", .flag(true))
    case UInt8(ascii: "f"): return try literal("false", .flag(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  // MARK: Objects and lists

  private mutating func object(depth: Int) throws(Reason) -> JSON.Object {
    guard try open(UInt8(ascii: "}"), depth: depth) else { return JSON.Object() }
    var members = Members(capacity: usualCount)
    usualCount = 0
    repeat {
      guard members.all.count < form.mostTogether else { throw .tooMuch }
      let key = try key()
      try step(over: UInt8(ascii: ":"))
      let value = try value(depth: depth)
      guard let key else { continue }
      if let earlier = members.place(of: key), !form.keepsRepeated {
        guard form.isLenient else { throw .repeatedKey(key) }
        members.all[earlier].value = value
      } else {
        members.append(key, value)
      }
    } while try goOn(UInt8(ascii: "}"))
    usualCount = members.all.count
    return JSON.Object(members.all)
  }

  /// The members of an object that is read, which finds earlier ones of a name.
  private struct Members {
    private(set) var places: [String: Int] = [:]
    var all: [JSON.Member] = []

    init(capacity: Int) { all.reserveCapacity(capacity) }

    /// Few names are compared faster than hashed.
    private static let few = 24

    mutating func append(_ key: String, _ value: JSON) {
      if !places.isEmpty { places[key] = all.count }
      all.append(JSON.Member(key, value))
      if all.count == Self.few {
        places.reserveCapacity(4 * Self.few)
        for (place, member) in all.enumerated() { places[member.key] = place }
      }
    }

    func place(of key: String) -> Int? { places.isEmpty ? all.firstIndex { $0.key == key } : places[key] }
  }

  private mutating func key() throws(Reason) -> String? {
    guard try token() == UInt8(ascii: "\"") else { throw malformed() }
    return try string()
  }

  private mutating func list(depth: Int) throws(Reason) -> JSON {
    guard try open(UInt8(ascii: "]"), depth: depth) else { return .list([]) }
    var elements: [JSON] = []
    repeat {
      guard elements.count < form.mostTogether else { throw .tooMuch }
      elements.append(try value(depth: depth))
    } while try goOn(UInt8(ascii: "]"))
    return .list(elements)
  }

  /// Steps into an object or list that `end` closes.
  /// - Returns: whether something is in it.
  private mutating func open(_ end: UInt8, depth: Int) throws(Reason) -> Bool {
    guard depth <= form.deepest else { throw .tooDeep }
    place += 1
    guard try token() == end else { return true }
    place += 1
    return false
  }

  /// Steps over the comma or the `end` behind an element.
  /// - Returns: whether another element follows.
  private mutating func goOn(_ end: UInt8) throws(Reason) -> Bool {
    let byte = try token()
    guard byte == end || byte == UInt8(ascii: ",") else { throw malformed() }
    place += 1
    return byte != end
  }

  // MARK: Single values

  private mutating func literal(_ word: StaticString, _ value: JSON) throws(Reason) -> JSON {
    let start = place
    for index in 0..<word.utf8CodeUnitCount {
      guard try next() == word.utf8Start[index] else { throw malformed(at: start) }
    }
    return value
  }

  private mutating func number() throws(Reason) -> JSON {
    let start = place
    while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
    let digits = String(decoding: bytes[start..<place], as: UTF8.self)
    if let integer = Int64(digits) { return .integer(integer) }
    if let real = Double(digits), real.isFinite || form.isLenient { return .real(real) }
    if place == bytes.count { throw .cutShort }
    throw malformed(at: start)
  }

  /// The text that begins here; nil when half of a character is in it.
  private mutating func string() throws(Reason) -> String? {
    place += 1
    let start = place
    while place < bytes.count, isPlain(bytes[place]) { place += 1 }
    guard place - start <= form.longestText else { throw .tooMuch }
    let plain = bytes[start..<place]
    guard try next() == UInt8(ascii: "\"") else {
      place -= 1
      return try escapedString(behind: plain)
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// Whether a byte within a text stands for itself.
  private func isPlain(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && (byte >= 0x20 || form.isLenient)
  }

  /// The rest of a text, from its first byte that is not plain.
  private mutating func escapedString(behind start: ArraySlice<UInt8>) throws(Reason) -> String? {
    var text = Array(start)
    var isWhole = true
    while true {
      let byte = try next()
      if byte == UInt8(ascii: "\"") { return isWhole ? String(decoding: text, as: UTF8.self) : nil }
      if isPlain(byte) {
        text.append(byte)
      } else if byte != UInt8(ascii: "\\") {
        throw malformed(at: place - 1)
      } else if let scalar = try escaped() {
        text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        guard form.isLenient else { throw .halfCharacter }
        isWhole = false
      }
      guard text.count <= form.longestText else { throw .tooMuch }
    }
  }

  /// The character after a backslash; nil for half of a surrogate pair.
  private mutating func escaped() throws(Reason) -> Unicode.Scalar? {
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
    default: throw malformed(at: place - 1)
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

  private mutating func codeUnit() throws(Reason) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try next())).hexDigitValue else { throw malformed(at: place - 1) }
      unit = unit << 4 | UInt16(truncatingIfNeeded: digit)
    }
    return unit
  }

  // MARK: Bytes

  /// Goes to the next byte that is not blank, and leaves it there.
  private mutating func token() throws(Reason) -> UInt8 {
    while place < bytes.count {
      guard Self.isBlank(bytes[place]) else { return bytes[place] }
      place += 1
    }
    throw .cutShort
  }

  private mutating func step(over sign: UInt8) throws(Reason) {
    guard try token() == sign else { throw malformed() }
    place += 1
  }

  /// Steps over a byte.
  private mutating func next() throws(Reason) -> UInt8 {
    guard place < bytes.count else { throw .cutShort }
    defer { place += 1 }
    return bytes[place]
  }

  /// The error of a text that is no JSON at a byte, or here.
  private func malformed(at start: Int? = nil) -> Reason {
    .malformed(String(decoding: bytes[(start ?? place)...].prefix(12), as: UTF8.self))
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
}
