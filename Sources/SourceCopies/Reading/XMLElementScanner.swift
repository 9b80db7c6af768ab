internal import Processes

/// Reads the outer elements of a large XML file one by one, in place: for dumps, in which an element is a record.
///
/// It is no parser of all of XML. An element ends at the first end tag of its name that is in no comment and no section
/// of character data, as no record contains another. An element that another one begins in is damaged: it is left out
/// and counted, and the reading goes on at the next. Inner elements are walked through with ``XMLParts``.
struct XMLElementScanner: RecordScanner {
  /// The maximum length of an element in bytes. A longer one is left out and counted.
  static let longest = 16 << 20

  private let window: ByteWindow
  /// The number of elements that were damaged or too long.
  private(set) var leftOut = 0
  let reason = LeftOut.damaged
  /// Whether the stream ended before the root element did.
  private(set) var isCut = false
  /// The beginning of the start tag, the end tag, and that of the root element.
  private let (begin, close, rootEnd): ([UInt8], [UInt8], [UInt8])
  private var taken = 0

  /// - Parameters:
  ///   - name: the name of the outer elements.
  ///   - root: the element that all are in, without which the file is cut off.
  init(_ source: ByteSource, name: String, root: String) {
    window = ByteWindow(source)
    (begin, close, rootEnd) = (Array("<\(name)".utf8), Array("</\(name)>".utf8), Array("</\(root)>".utf8))
  }

  /// Calls `body` with the next whole element, from its start tag to the end of its end tag.
  /// - Returns: false at the end.
  mutating func next(_ body: (Bytes) throws -> Void) throws -> Bool {
    window.advance(taken)
    taken = 0
    while try findStart() {
      var (place, hasMarks) = (1, false)
      var end: (place: Int, isWhole: Bool)?
      repeat {
        end = self.end(in: window.bytes, from: &place, &hasMarks)
      } while try end == nil && window.bytes.count <= Self.longest && window.grow()
      let bytes = window.bytes
      if let end, end.isWhole, end.place <= Self.longest {
        taken = end.place
        let element = bytes.part(0, taken)
        if hasMarks { try Self.withoutMarks(element).withUnsafeBytes(body) } else { try body(element) }
        return true
      }
      // The last element has lost its end, or the file has.
      let isLast = end == nil && bytes.count <= Self.longest
      isCut = isLast && bytes.index(of: rootEnd) == nil
      if isCut { return false }
      leftOut += 1
      if isLast, !hasMarks { return false }
      // In a comment that is not closed other elements may begin.
      window.advance(end?.place ?? (hasMarks ? 1 : bytes.count))
    }
    return false
  }

  /// The place behind the end tag of the element that bytes begin with, or that of another element which begins in it:
  /// then its end is lost. Nil where more bytes must tell.
  /// - Parameters:
  ///   - place: where the search begins, and goes on with more bytes.
  ///   - hasMarks: whether comments or sections of character data were found.
  private func end(
    in bytes: Bytes, from place: inout Int, _ hasMarks: inout Bool
  ) -> (place: Int, isWhole: Bool)? {
    while let open = bytes.index(of: UInt8(ascii: "<"), from: place) {
      place = open
      guard open + close.count <= bytes.count else { return nil }
      if bytes.has(close, at: open) { return (open + close.count, true) }
      if bytes.has(begin, at: open), XMLParts.endsName(bytes[open + begin.count]) { return (open, false) }
      if bytes[open + 1] == UInt8(ascii: "!") {
        hasMarks = true
        guard let mark = Self.mark(in: bytes, at: open) else { return nil }
        place = mark.end
      } else {
        place = open + 1
      }
    }
    place = bytes.count
    return nil
  }

  /// Moves to the next start tag. False at the end.
  private mutating func findStart() throws -> Bool {
    while true {
      let bytes = window.bytes
      var place = 0
      while let found = bytes.index(of: begin, from: place), found + begin.count < bytes.count {
        place = found + begin.count
        if XMLParts.endsName(bytes[place]) {
          window.advance(found)
          return true
        }
      }
      if bytes.index(of: rootEnd) != nil { return false }
      window.advance(max(0, bytes.count - 64))
      guard try window.grow() else {
        isCut = true
        return false
      }
    }
  }

  private static let marks = [("<!--", "-->"), ("<![CDATA[", "]]>")].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  /// The text of a comment, which is none, or of a section of character data, and the place behind it; nil where it is
  /// not closed.
  private static func mark(in bytes: Bytes, at open: Int) -> (text: Bytes, end: Int)? {
    for (place, (start, end)) in marks.enumerated() where bytes.has(start, at: open) {
      let text = open + start.count
      return bytes.index(of: end, from: text).map { (place == 0 ? .none : bytes.part(text, $0), $0 + end.count) }
    }
    return (bytes.part(open, open + 2), open + 2)
  }

  /// An element without comments, and with sections of character data as text.
  private static func withoutMarks(_ element: Bytes) -> [UInt8] {
    var (plain, place): ([UInt8], Int) = ([], 0)
    while let open = element.index(of: Array("<!".utf8), from: place), let mark = mark(in: element, at: open) {
      plain += element.part(place, open)
      for byte in mark.text {
        switch byte {
        case UInt8(ascii: "<"): plain += "&lt;".utf8
        case UInt8(ascii: "&"): plain += "&amp;".utf8
        default: plain.append(byte)
        }
      }
      place = mark.end
    }
    return plain + element.part(place, element.count)
  }
}

/// Walks through the parts of an element in place.
struct XMLParts: Sequence, IteratorProtocol {
  private let bytes: Bytes
  private var place: Int

  /// - Parameter element: an element from its start tag to its end tag.
  init(of element: Bytes) {
    bytes = element
    place = Self.endOfTag(in: element, from: 0) ?? element.count
    if place >= 2, place <= element.count, element[place - 2] == UInt8(ascii: "/") { place = element.count }
  }

  /// An inner element.
  struct Part {
    /// The whole element.
    var element: Bytes
    var name: Bytes
    /// All between its tags.
    var content: Bytes

    var parts: XMLParts { XMLParts(of: element) }
    var text: String { DumpText.xml(content) }
    func first(_ name: StaticString) -> Part? { parts.first { $0.name.equals(name) } }
    func attribute(_ name: StaticString) -> String { DumpText.xml(XMLParts.attribute(name, of: element)) }
  }

  /// Whether an element was found to be broken, and the parts behind it are unknown.
  private(set) var isBroken = false

  /// Returns the next inner element; nil behind the last.
  mutating func next() -> Part? {
    guard let open = bytes.index(of: UInt8(ascii: "<"), from: place), open + 1 < bytes.count else { return nil }
    guard bytes[open + 1] != UInt8(ascii: "/") else {
      place = bytes.count
      return nil
    }
    var nameEnd = open + 1
    while nameEnd < bytes.count, !Self.endsName(bytes[nameEnd]) { nameEnd += 1 }
    let name = bytes.part(open + 1, nameEnd)
    guard !name.isEmpty, let content = Self.endOfTag(in: bytes, from: open) else { return failed() }
    if bytes[content - 2] == UInt8(ascii: "/") {
      place = content
      return Part(element: bytes.part(open, content), name: name, content: .none)
    }
    let long = Self.long.first { name.elementsEqual($0.name) }
    guard let close = long.map({ bytes.index(of: $0.end, from: content) }) ?? end(of: name, from: content) else {
      return failed()
    }
    place = close + name.count + 3
    return Part(element: bytes.part(open, place), name: name, content: bytes.part(content, close))
  }

  /// The long elements of Discogs that no copy needs, with their end tags. None of them has another in it.
  private static let long: [(name: [UInt8], end: [UInt8])] = [
    "tracklist", "videos", "images", "extraartists", "companies", "notes",
  ].map { (Array($0.utf8), Array("</\($0)>".utf8)) }

  private mutating func failed() -> Part? {
    isBroken = true
    place = bytes.count
    return nil
  }

  /// The place of the end tag of an element whose content begins at `start`.
  private func end(of name: Bytes, from start: Int) -> Int? {
    var (place, depth) = (start, 0)
    while let open = bytes.index(of: UInt8(ascii: "<"), from: place) {
      let isEnd = bytes.has("/", at: open + 1)
      let nameStart = open + (isEnd ? 2 : 1)
      let nameEnd = nameStart + name.count
      guard nameEnd < bytes.count else { return nil }
      if bytes[nameStart] == name[0], Self.endsName(bytes[nameEnd]), bytes.part(nameStart, nameEnd).elementsEqual(name)
      {
        if isEnd {
          if depth == 0 { return bytes[nameEnd] == UInt8(ascii: ">") ? open : nil }
          depth -= 1
        } else if let end = Self.endOfTag(in: bytes, from: open), bytes[end - 2] != UInt8(ascii: "/") {
          depth += 1
        }
      }
      place = nameStart
    }
    return nil
  }

  /// The value of an attribute as it is written; no bytes where the element has none.
  static func attribute(_ name: StaticString, of element: Bytes) -> Bytes {
    var place = 1
    while place < element.count, !endsName(element[place]) { place += 1 }
    while place < element.count {
      while place < element.count, element[place] <= 0x20 { place += 1 }
      guard place < element.count, element[place] != UInt8(ascii: ">"), element[place] != UInt8(ascii: "/") else {
        break
      }
      guard let sign = element.index(of: UInt8(ascii: "="), from: place) else { break }
      var start = sign + 1
      while start < element.count, element[start] <= 0x20 { start += 1 }
      guard start < element.count, element[start] == UInt8(ascii: "\"") || element[start] == UInt8(ascii: "'"),
        let end = element.index(of: element[start], from: start + 1)
      else { break }
      if element.part(place, sign).trimmed.equals(name) { return element.part(start + 1, end) }
      place = end + 1
    }
    return .none
  }

  /// The place behind the `>` of a tag. In an attribute's value that byte is text.
  private static func endOfTag(in bytes: Bytes, from start: Int) -> Int? {
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ">"): return place + 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let quote = bytes.index(of: bytes[place], from: place + 1) else { return nil }
        place = quote + 1
      default: place += 1
      }
    }
    return nil
  }

  static func endsName(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") }
}
