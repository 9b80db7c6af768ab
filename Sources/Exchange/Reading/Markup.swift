internal import Lookup

/// Removes the markup from texts of other programs.
enum Markup {
  /// Returns a review or a note as paragraphs. The text may be HTML, BBCode or neither.
  static func prose(_ text: String) -> String { PlainText.text(ofHTML: withoutBBCode(text)) }

  /// Returns a name with its entities decoded: `Foo &amp; Bar`.
  static func withoutEntities(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "&")) ? PlainText.line(PlainText.text(ofHTML: text)) : text
  }

  /// Removes known tags and keeps their text: `[b]bold[/b]`, `[url=…]here[/url]`, `[Artist577519]`, `[i]`.
  static func withoutBBCode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "[") {
      result += rest[..<open]
      rest = rest[open...]
      let inside = rest.dropFirst().prefix(200)
      guard let close = inside.firstIndex(of: "]"), isTag(inside[..<close]) else {
        result.append("[")
        rest = rest.dropFirst()
        continue
      }
      rest = rest[rest.index(after: close)...]
      if result.last?.isWhitespace == true, rest.first == " " { rest = rest.dropFirst() }
    }
    return result + rest
  }

  private static let tags: Set<String> = [
    "b", "i", "u", "s", "url", "img", "quote", "spoiler", "color", "size", "list", "*", "center", "code", "strike",
    "em",
    "strong",
  ]

  private static func isTag(_ text: Substring) -> Bool {
    let name = (text.first == "/" ? text.dropFirst() : text).prefix { $0 != "=" && $0 != " " && $0 != "," }.lowercased()
    if tags.contains(name) { return true }
    // RateYourMusic links by number.
    let (word, digits) = (name.prefix(while: \.isLetter), name.drop(while: \.isLetter))
    return ["artist", "album", "label", "genre", "film", "song"].contains(String(word)) && !digits.isEmpty
      && digits.allSatisfy(\.isNumber)
  }

  /// Returns the text of RTF, in which Delicious Library stored descriptions. Other text is unchanged.
  static func withoutRTF(_ text: String) -> String {
    guard text.hasPrefix("{\\rtf") else { return text }
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var place = 0
    // The number of open groups, and the depth from which no text is output: tables of fonts and colours.
    var (depth, silent) = (0, Int.max)
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth < silent { silent = .max }
      case UInt8(ascii: "\\"):
        let start = place
        while place < bytes.count, Self.isLetter(bytes[place]) { place += 1 }
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        if word.isEmpty {
          if place < bytes.count, "\n\\{}".utf8.contains(bytes[place]), depth < silent { result.append(bytes[place]) }
          place += 1
        } else {
          while place < bytes.count, bytes[place] == UInt8(ascii: "-") || (48...57).contains(bytes[place]) {
            place += 1
          }
          if place < bytes.count, bytes[place] == 0x20 { place += 1 }
          if ["fonttbl", "colortbl", "stylesheet", "info"].contains(word) { silent = min(silent, depth) }
          if ["par", "line"].contains(word), depth < silent { result.append(0x0A) }
        }
      case 0x0A, 0x0D: break
      default: if depth < silent { result.append(byte) }
      }
    }
    return PlainText.prose(String(decoding: result, as: UTF8.self))
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
}
