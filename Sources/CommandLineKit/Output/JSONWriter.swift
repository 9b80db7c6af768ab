/// Writes JSON as bytes, piece by piece, without building the value first.
///
///     var json = JSONWriter(isPretty: terminal.isOutputTerminal)
///     json.object { json in
///       json.member("title", "Alien")
///       json.member("year", 1979)
///       json.key("genres")
///       json.array { json in json.value("Horror") }
///     }
///     try output.append(bytes: json.take())
///
/// Commas and indentation come by themselves. Numbers that JSON cannot express are written as null.
public struct JSONWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  /// Whether each member is on a line of its own.
  public var isPretty: Bool
  private var depth = 0
  private var needsComma = false
  private var followsKey = false
  /// The members of the document, or of each object of its list, with the ranges of their values; nil when they are not
  /// looked at.
  private var members: [[(key: String, value: Range<Int>)]]?
  /// The depth of these members: 1 in an object, 2 in a list.
  private var memberDepth = 1

  /// A writer of one value, or of several lines.
  public init(isPretty: Bool = false) { self.isPretty = isPretty }

  /// Removes and returns the bytes written so far, for writing a long array in parts.
  public mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Begins a new value after a line feed, for JSON Lines and for the end of a document.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  // MARK: Containers

  /// Writes an object with the members that `body` writes.
  public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    beginObject()
    try body(&self)
    endObject()
  }

  /// Writes an array with the elements that `body` writes.
  public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    beginArray()
    try body(&self)
    endArray()
  }

  /// `{`. Every beginning needs its end.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }
  /// `}`.
  public mutating func endObject() { end(UInt8(ascii: "}")) }
  /// `[`. Every beginning needs its end.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }
  /// `]`.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the name of the next member.
  public mutating func key(_ key: String) {
    endMember()
    separate()
    appendQuoted(key)
    bytes.append(UInt8(ascii: ":"))
    endKey()
    if let last = members?.indices.last, depth == memberDepth {
      members?[last].append((key, bytes.count..<bytes.count))
    }
  }

  /// The names of the members that many objects have, quoted once.
  public struct Keys: Sendable {
    /// One behind the other: `"title":null`, as most members of a wide table are.
    private let bytes: [UInt8]
    private let ends: [Int]

    public init(_ names: [String]) {
      var bytes: [UInt8] = []
      ends = names.map { name in
        var writer = JSONWriter()
        writer.key(name)
        writer.null()
        bytes += writer.bytes
        return bytes.count
      }
      self.bytes = bytes
    }

    /// The number of keys.
    public var count: Int { ends.count }

    /// Appends a key, with or without the null after it.
    fileprivate func append(_ index: Int, isNull: Bool, to other: inout [UInt8]) {
      let (start, end) = (index == 0 ? 0 : ends[index - 1], ends[index] - (isNull ? 0 : 4))
      bytes.withUnsafeBufferPointer { other.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }
  }

  /// The same for one of the names that many objects have.
  /// - Parameter index: from 0 to ``Keys/count`` - 1.
  public mutating func key(_ index: Int, of keys: Keys) {
    separate()
    keys.append(index, isNull: false, to: &bytes)
    endKey()
  }

  private mutating func endKey() {
    if isPretty { bytes.append(UInt8(ascii: " ")) }
    followsKey = true
  }

  // MARK: Values

  /// A string, or null.
  public mutating func value(_ text: String?) {
    guard let text else { return null() }
    separate()
    appendQuoted(text)
  }

  /// A string given as UTF-8, such as a column of a database. Broken sequences become U+FFFD.
  public mutating func value(utf8: UnsafeRawBufferPointer) {
    separate()
    appendQuoted(utf8: utf8)
  }

  /// A whole number, or null.
  public mutating func value(_ number: Int64?) {
    guard let number else { return null() }
    separate()
    number.appendDigits(to: &bytes)
  }

  /// A whole number, or null.
  public mutating func value(_ number: Int?) { value(number.map(Int64.init)) }

  /// A number in its shortest form, or null; null as well when it is not finite.
  public mutating func value(_ number: Double?) {
    guard let number, number.isFinite else { return null() }
    separate()
    bytes.append(contentsOf: number.description.utf8)
  }

  /// `true` or `false`, or null.
  public mutating func value(_ flag: Bool?) {
    guard let flag else { return null() }
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Strings in an array.
  public mutating func value(_ texts: [String]) {
    array { json in for text in texts { json.value(text) } }
  }

  /// JSON that something else wrote, such as `json_object` of SQLite.
  public mutating func raw(utf8 json: UnsafeRawBufferPointer) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// JSON that is known to be valid, such as the digits of a number.
  mutating func raw(_ json: String) {
    separate()
    bytes.append(contentsOf: json.utf8)
  }

  /// `null`.
  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  // MARK: Members

  /// Writes a document with only these members, in their order: those of its object, or of each object of its list.
  /// - Parameter areKnown: whether each is known to be a member of such documents. One that is not there is null.
  /// - Throws: ``UsageError`` for a member that no object has.
  public mutating func choosing(
    _ selection: FieldSelection, areKnown: Bool = false, _ write: (inout JSONWriter) throws -> Void
  ) throws {
    guard case .only(let keys) = selection else { return try write(&self) }
    var whole = JSONWriter(isPretty: isPretty)
    whole.members = []
    try write(&whole)
    let rows = whole.members ?? []
    let known = rows.flatMap { $0.map(\.key) }
    for key in keys where !areKnown && !rows.isEmpty && !known.contains(key) {
      var names: [String] = []
      for name in known where !names.contains(name) { names.append(name) }
      throw UsageError.noField(key, among: names)
    }
    func choose(_ row: [(key: String, value: Range<Int>)], _ json: inout JSONWriter) {
      json.object { json in
        for key in keys {
          json.key(key)
          guard let value = row.first(where: { $0.key == key })?.value else {
            json.null()
            continue
          }
          json.separate()
          json.bytes += whole.bytes[value]
        }
      }
    }
    if whole.memberDepth == 1, let row = rows.first { return choose(row, &self) }
    array { json in for row in rows { choose(row, &json) } }
  }

  public mutating func nullMember(_ index: Int, of keys: Keys) {
    if isPretty {
      key(index, of: keys)
      return null()
    }
    separate()
    keys.append(index, isNull: true, to: &bytes)
  }

  /// A member with a string or null.
  public mutating func member(_ key: String, _ text: String?) {
    self.key(key)
    value(text)
  }

  /// A member with a whole number or null.
  public mutating func member(_ key: String, _ number: Int?) {
    self.key(key)
    value(number)
  }

  /// A member with a whole number or null.
  public mutating func member(_ key: String, _ number: Int64?) {
    self.key(key)
    value(number)
  }

  /// A member with a number or null.
  public mutating func member(_ key: String, _ number: Double?) {
    self.key(key)
    value(number)
  }

  /// A member that is true, false or null.
  public mutating func member(_ key: String, _ flag: Bool?) {
    self.key(key)
    value(flag)
  }

  /// A member with strings.
  public mutating func member(_ key: String, _ texts: [String]) {
    self.key(key)
    value(texts)
  }

  // MARK: Pieces

  /// Notes the end of a member's value.
  private mutating func endMember() {
    guard depth == memberDepth, let row = members?.indices.last, let place = members?[row].indices.last,
      let start = members?[row][place].value.lowerBound, members?[row][place].value.isEmpty == true
    else { return }
    members?[row][place].value = start..<bytes.count
  }

  private mutating func begin(_ bracket: UInt8) {
    if members != nil {
      if depth == 0 { memberDepth = bracket == UInt8(ascii: "{") ? 1 : 2 }
      if depth == memberDepth - 1, bracket == UInt8(ascii: "{") { members?.append([]) }
    }
    separate()
    bytes.append(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    endMember()
    depth -= 1
    if needsComma { breakLine() }
    bytes.append(bracket)
    needsComma = true
  }

  /// Writes the separator before a key or an element.
  private mutating func separate() {
    if followsKey {
      followsKey = false
    } else {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      if depth > 0 { breakLine() }
    }
    needsComma = true
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  private mutating func appendQuoted(_ text: String) {
    var text = text
    text.withUTF8 { appendQuoted(utf8: UnsafeRawBufferPointer($0), isValid: true) }
  }

  /// - Parameter isValid: whether it is known to be UTF-8.
  private mutating func appendQuoted(utf8: UnsafeRawBufferPointer, isValid: Bool = false) {
    bytes.append(UInt8(ascii: "\""))
    // Only text that may be broken, or may hold a character to escape, is worth making a String of.
    if !Sanitizing.hasNoSuspect(utf8) || !isValid && !UTF8.isValid(utf8) {
      for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars { appendEscaped(scalar) }
    } else if utf8.contains(where: Self.isEscaped) {
      for byte in utf8 { appendEscaped(byte) }
    } else {
      bytes.append(contentsOf: utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Escapes characters that are not safe on a terminal, which JSON can do without loss.
  private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    if scalar.value < 0x80 {
      appendEscaped(UInt8(scalar.value))
    } else if scalar.onTerminal != scalar {
      appendEscape(UInt16(scalar.value))
    } else {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private mutating func appendEscape(_ value: UInt16) {
    bytes.append(contentsOf: "\\u".utf8)
    for shift in [12, 8, 4, 0] as [UInt16] {
      let nibble = UInt8(value >> shift & 15)
      bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
    }
  }

  @inline(__always)
  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case _ where !Self.isEscaped(byte): bytes.append(byte)
    case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
    case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    default: appendEscape(UInt16(byte))
    }
  }
}

extension UTF8 {
  /// Whether bytes are well-formed UTF-8.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }
}
