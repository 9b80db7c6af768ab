internal import Glibc

/// Forms with files: `multipart/form-data` (RFC 7578), as browsers send it.
extension WebForm {
  /// A file that was sent with a form.
  public struct File: Sendable, Hashable {
    /// The name of the field.
    public var name: String
    public var bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// The most bytes of the lines before the content of a part.
  private static let mostHead = 4 << 10

  /// Parses a body. A field that is not UTF-8 or too long is left out, as is a file that was not chosen.
  /// - Parameter type: the value of `Content-Type`, with the boundary of the parts.
  /// - Returns: nil if the parts have no end, or are too many.
  init?(multipart body: [UInt8], type: String) {
    guard let boundary = Self.parameter("boundary", of: type), (1...70).contains(boundary.utf8.count) else {
      return nil
    }
    let mark = Array("\r\n--\(boundary)".utf8)
    guard var start = Self.start(of: mark, in: body) else { return nil }
    for _ in 0...Self.most {
      // The last mark has two hyphens behind it.
      if body[start...].starts(with: "--".utf8) { return }
      guard let content = Self.end(of: "\r\n\r\n", in: body, from: start, within: Self.mostHead),
        let end = body.place(of: mark, from: content - 2)
      else { return nil }
      // An empty part shares its line end with the mark.
      add(head: body[start..<content], content: body[min(content, end)..<end])
      start = end + mark.count
    }
    return nil
  }

  /// The place behind the first mark, which may be at the beginning.
  private static func start(of mark: [UInt8], in body: [UInt8]) -> Int? {
    if body.starts(with: mark.dropFirst(2)) { return mark.count - 2 }
    return body.place(of: mark, from: 0).map { $0 + mark.count }
  }

  private static func end(of text: StaticString, in body: [UInt8], from start: Int, within most: Int) -> Int? {
    let text = Array(text.description.utf8)
    return body.place(of: text, from: start, to: start + most).map { $0 + text.count }
  }

  private mutating func add(head: ArraySlice<UInt8>, content: ArraySlice<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    let name = "content-disposition:"
    guard let line = lines.first(where: { $0.lowercased().hasPrefix(name) }),
      let field = Self.parameter("name", of: line)
    else { return }
    if Self.parameter("filename", of: line) != nil {
      if !content.isEmpty { files.append(File(name: field, bytes: Array(content))) }
    } else if content.count <= Self.mostText, let text = String(validating: content, as: UTF8.self),
      !text.utf8.contains(0)
    {
      add(field, text)
    }
  }

  /// The value of a parameter: `form-data; name="a"`. Browsers write no quote within quotes.
  private static func parameter(_ name: String, of value: some StringProtocol) -> String? {
    var isQuoted = false
    let parts = value.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ";" && !isQuoted
    }
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, pair[0].drop(while: { $0 == " " }).lowercased() == name else { continue }
      let isWhole = pair[1].count > 1 && pair[1].first == "\"" && pair[1].last == "\""
      return String(isWhole ? pair[1].dropFirst().dropLast() : pair[1])
    }
    return nil
  }
}

extension [UInt8] {
  /// The place where some bytes begin, of which the first is rare.
  /// - Parameter end: where the search stops.
  fileprivate func place(of bytes: [UInt8], from start: Int, to end: Int = .max) -> Int? {
    guard let first = bytes.first, start >= 0 else { return nil }
    let last = Swift.min(count, end) - bytes.count
    return withUnsafeBytes { all in
      var place = start
      while place <= last, let base = all.baseAddress {
        guard let found = memchr(base + place, Int32(first), last - place + 1) else { return nil }
        place = UnsafeRawPointer(found) - base
        if all[place..<place + bytes.count].elementsEqual(bytes) { return place }
        place += 1
      }
      return nil
    }
  }
}
