/// Reads the outer elements of a large XML file one by one, in place: for dumps, in which an element is a record.
///
/// It is no parser of all of XML. An element ends at the first end tag of its name that is in no comment and no section
/// of character data, as no record contains another. An element that another one begins in is damaged: it is left out
/// and counted, and the reading goes on at the next. Inner elements are walked through with ``XMLParts``.
struct XMLElementScanner {
  /// The maximum length of an element in bytes. A longer one is left out and counted.
  static let longest = 16 << 20

  let window: ByteWindow
  /// The number of elements that were damaged or too long.
  private(set) var damaged = 0
  /// Whether the stream ended before the root element did.
  private(set) var isCut = false
  private let (begin, rootEnd): (ByteFinder, ByteFinder)
  /// The end tag.
  private let close: [UInt8]
  private var taken = 0
  private var plain: [UInt8] = []

  /// - Parameters:
  ///   - name: the name of the outer elements.
  ///   - root: the element that all are in, without which the file is cut off.
  init(_ window: ByteWindow, name: String, root: String) {
    self.window = window
    (begin, rootEnd, close) = (ByteFinder("<\(name)"), ByteFinder("</\(root)>"), Array("</\(name)>".utf8))
  }

  /// The place in the stream behind the current element.
  var offset: Int { window.offset + taken }

  /// Moves to a place in the stream. False when the stream ends before it.
  mutating func skip(to place: Int) throws -> Bool {
    taken = 0
    return try window.skip(to: place)
  }

  /// Calls `body` with the next whole element, from its start tag to the end of its end tag.
  /// - Returns: false at the end.
  mutating func next(_ body: (Bytes) throws -> Void) throws -> Bool {
    window.advance(taken)
    taken = 0
    guard try findStart() else { return false }
    var searched = 1
    while true {
      let bytes = window.bytes
      switch mark(in: bytes, from: &searched) {
      case .end(let behind):
        taken = behind
        if behind <= Self.longest {
          try body(bytes.part(0, behind))
          return true
        }
        damaged += 1
        window.advance(taken)
        taken = 0
      // This element has lost its end.
      case .start(let place):
        damaged += 1
        window.advance(place)
      case .declaration: if try nextWithMarks(body) { return true }
      case nil:
        if bytes.count <= Self.longest {
          if try window.grow() { continue }
          // The last element has lost its end, or the file has.
          if rootEnd.first(in: bytes) == nil { isCut = true } else { damaged += 1 }
          return false
        }
        damaged += 1
        window.advance(bytes.count)
      }
      guard try findStart() else { return false }
      searched = 1
    }
  }

  /// A tag that decides what becomes of the current element.
  private enum Mark {
    /// Its end, by the place behind it.
    case end(Int)
    /// The start of another one.
    case start(Int)
    /// A comment or a section of character data.
    case declaration
  }

  /// The first mark behind a place, which moves on to where the search goes on with more bytes.
  private func mark(in bytes: Bytes, from searched: inout Int) -> Mark? {
    var place = searched
    while let open = bytes.index(of: UInt8(ascii: "<"), from: place) {
      guard open + close.count <= bytes.count else {
        searched = open
        return nil
      }
      switch bytes[open + 1] {
      case UInt8(ascii: "/"):
        if bytes[open + 2] == close[2], close.elementsEqual(bytes.part(open, open + close.count)) {
          return .end(open + close.count)
        }
      case UInt8(ascii: "!"): return .declaration
      case close[2]:
        let end = open + close.count - 2
        if XMLParts.endsName(bytes[end]), close[2..<close.count - 1].elementsEqual(bytes.part(open + 1, end)) {
          return .start(open)
        }
      default: break
      }
      place = open + 1
    }
    searched = bytes.count
    return nil
  }

  /// Moves to the next start tag. False at the end.
  private mutating func findStart() throws -> Bool {
    while true {
      let bytes = window.bytes
      if let place = start(in: bytes, from: 0) {
        window.advance(place)
        return true
      }
      let hasEnd = rootEnd.first(in: bytes) != nil
      if !hasEnd {
        window.advance(max(0, bytes.count - 64))
        if try window.grow() { continue }
      }
      isCut = !hasEnd
      return false
    }
  }

  /// The place of a start tag, if the byte behind its name is there, too. Of the bytes before it, comments are not
  /// skipped.
  private func start(in bytes: Bytes, from place: Int) -> Int? {
    var place = place
    while let found = begin.first(in: bytes, from: place) {
      let behind = found + begin.pattern.count
      guard behind < bytes.count else { return nil }
      if XMLParts.endsName(bytes[behind]) { return found }
      place = behind
    }
    return nil
  }

  /// Reads an element with comments and sections of character data: without the first, the second as text.
  /// - Returns: false when it has no end, and the window is behind its start tag.
  private mutating func nextWithMarks(_ body: (Bytes) throws -> Void) throws -> Bool {
    plain.removeAll(keepingCapacity: true)
    var place = 0
    /// Whether these bytes are at the place, growing the window as needed.
    func has(_ text: StaticString) throws -> Bool {
      while window.bytes.count < place + text.utf8CodeUnitCount, try window.grow() {}
      return window.bytes.has(text, at: place)
    }
    while place < Self.longest {
      guard try place < window.bytes.count || window.grow() else { break }
      let byte = window.bytes[place]
      guard byte == UInt8(ascii: "<") else {
        plain.append(byte)
        place += 1
        continue
      }
      if try has("<!--") {
        place += 4
        while try !has("-->"), place < window.bytes.count, place < Self.longest { place += 1 }
        place += 3
      } else if try has("<![CDATA[") {
        place += 9
        while try !has("]]>"), place < window.bytes.count, place < Self.longest {
          switch window.bytes[place] {
          case UInt8(ascii: "<"): plain += Array("&lt;".utf8)
          case UInt8(ascii: "&"): plain += Array("&amp;".utf8)
          case let byte: plain.append(byte)
          }
          place += 1
        }
        place += 3
      } else {
        plain.append(byte)
        place += 1
        while try !has(">"), place < window.bytes.count, place < Self.longest, window.bytes[place] != UInt8(ascii: "<")
        {
          plain.append(window.bytes[place])
          place += 1
        }
        guard try has(">"), plain.reversed().starts(with: close.dropLast().reversed()) else { continue }
        plain.append(UInt8(ascii: ">"))
        taken = min(place + 1, window.bytes.count)
        try plain.withUnsafeBytes { try body($0) }
        return true
      }
    }
    damaged += 1
    window.advance(1)
    return false
  }
}

/// Walks through the parts of an element in place.
struct XMLParts {
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
    let long = Self.long.first { name.equals($0.name) }
    guard let close = long.map({ $0.end.first(in: bytes, from: content) }) ?? end(of: name, from: content) else {
      return failed()
    }
    place = close + name.count + 3
    return Part(element: bytes.part(open, place), name: name, content: bytes.part(content, close))
  }

  /// The long elements of Discogs that no copy needs, with a search for their end tags. None of them has another in it.
  private static let long: [(name: StaticString, end: ByteFinder)] = [
    ("tracklist", ByteFinder("</tracklist>")), ("videos", ByteFinder("</videos>")),
    ("images", ByteFinder("</images>")), ("extraartists", ByteFinder("</extraartists>")),
    ("companies", ByteFinder("</companies>")), ("notes", ByteFinder("</notes>")),
  ]

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
      if bytes[nameStart] == name[0], bytes.part(nameStart, nameEnd).equals(name), Self.endsName(bytes[nameEnd]) {
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
