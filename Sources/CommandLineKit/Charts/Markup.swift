/// A writer of HTML and SVG. All text except literals is escaped, and every element is closed, so that the result is
/// well-formed XML.
public struct Markup {
  public private(set) var text = ""
  /// The language of the program's words; nil is English.
  public let translation: Translation?
  /// The address of the items that a query selects; nil where no server answers it.
  public let address: ((String) -> String)?

  public init(in translation: Translation? = nil, address: ((String) -> String)? = nil) {
    (self.translation, self.address) = (translation, address)
  }

  public typealias Attribute = (name: StaticString, value: String)

  /// Writes an element with the contents that `body` writes.
  public mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], body: (inout Markup) -> Void) {
    open(name, attributes)
    text += ">"
    body(&self)
    text += "</\(name)>"
  }

  /// An element around a text.
  public mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], text words: String) {
    open(name, attributes)
    text += ">"
    append(words)
    text += "</\(name)>"
  }

  /// An element around a message.
  public mutating func element(_ name: StaticString, _ words: Message) { element(name, [], words) }

  public mutating func element(_ name: StaticString, _ attributes: [Attribute], _ words: Message) {
    element(name, attributes) { $0.append(words) }
  }

  /// An element around a text that keeps its lines.
  public mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], lines words: String) {
    open(name, attributes)
    text += ">" + Self.escaped(lines: words, "\n") + "</\(name)>"
  }

  /// An element that is always empty.
  public mutating func element(_ name: StaticString, _ attributes: [Attribute] = []) {
    open(name, attributes)
    text += "/>"
  }

  /// Text, on one line.
  public mutating func append(_ words: some StringProtocol) { text += Self.escaped(words) }

  /// Writes a message. Values and typed text in it get elements of their own.
  public mutating func append(_ message: Message) {
    for piece in message.pieces(in: translation) {
      switch piece {
      case .words(let text): append(text)
      // Nothing in ASCII runs from right to left.
      case .foreign(let text):
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
          append(text)
        } else {
          element("bdi", Self.language(of: text, in: translation), text: text)
        }
      case .code(let text): element("code", text: text)
      }
    }
  }

  /// The language of a Korean text on a page in another one, so that it is read out and set in its own letters.
  public static func language(of text: String, in translation: Translation?) -> [Attribute] {
    translation.language != "ko" && text.unicodeScalars.contains(where: \.isHangul) ? [("lang", "ko")] : []
  }

  /// Markup that the program brings: a document type, a style sheet, a script, a line feed.
  public mutating func append(literal: StaticString) { text += "\(literal)" }

  /// Markup that was written apart.
  mutating func append(_ markup: Markup) { text += markup.text }

  /// A style sheet made of literals and numbers of the program.
  public mutating func append(style: String) {
    text += "<style>\n"
    text += style
    text += "</style>"
  }

  /// A link to the items that a query selects, around what `body` writes; only that where no server answers.
  mutating func link(to query: String?, body: (inout Markup) -> Void) {
    guard let query, let address else { return body(&self) }
    element("a", [("href", address(query))], body: body)
  }

  /// A script of the program.
  public mutating func append(script: StaticString) { text += "\n<script>\n\(script)</script>\n" }

  private mutating func open(_ name: StaticString, _ attributes: [Attribute]) {
    text += "<\(name)"
    for attribute in attributes {
      // Line breaks are escaped, so that a form sends the text back unchanged.
      text += " \(attribute.name)=\"\(Self.escaped(lines: attribute.value, "&#10;"))\""
    }
  }

  private static func escaped(lines words: String, _ end: String) -> String {
    guard words.utf8.contains(UInt8(ascii: "\n")) else { return escaped(words) }
    return words.split(separator: "\n", omittingEmptySubsequences: false).map { escaped($0) }.joined(separator: end)
  }

  /// Text escaped for an element or an attribute in quotes. Control and bidirectional characters and characters not
  /// allowed in XML are replaced, as on a terminal.
  static func escaped(_ words: some StringProtocol) -> String {
    var words = String(words)
    let copied = words.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
    switch copied {
    case .asItIs: return words
    case .escaped(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .suspect: break
    }
    var escaped = ""
    for scalar in words.sanitized.unicodeScalars {
      if scalar.isASCII, let entity = entity(for: UInt8(truncatingIfNeeded: scalar.value)) {
        escaped += "\(entity)"
      } else {
        escaped.unicodeScalars.append(scalar == "\u{FFFE}" || scalar == "\u{FFFF}" ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }

  private enum Copy {
    case asItIs
    case escaped([UInt8])
    /// Some of it may have to be replaced.
    case suspect
  }

  /// Byte for byte, as nearly every text can be.
  private static func copy(_ bytes: UnsafeRawBufferPointer) -> Copy {
    // `EF` begins characters that XML does not allow, among many others.
    guard Sanitizing.isHarmless(bytes), !bytes.contains(0xEF) else { return .suspect }
    guard bytes.contains(where: { entity(for: $0) != nil }) else { return .asItIs }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      if let entity = entity(for: byte) {
        entity.withUTF8Buffer { escaped.append(contentsOf: $0) }
      } else {
        escaped.append(byte)
      }
    }
    return .escaped(escaped)
  }

  @inline(__always)
  private static func entity(for byte: UInt8) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}
