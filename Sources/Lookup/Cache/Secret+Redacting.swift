extension Secret {
  /// The key itself, without its prefix: `Bearer`, `KakaoAK`, `Discogs token=`.
  private var key: [UInt8] {
    switch self {
    case .parameter(_, let value): return Array(value.utf8)
    case .header(_, let value):
      let word = value.split(separator: " ").last ?? ""
      let mark = "token="
      return Array((word.hasPrefix(mark) ? word.dropFirst(mark.count) : word).utf8)
    }
  }

  /// The minimum length of a key in bytes. Shorter text is not removed, since it occurs in ordinary answers.
  private static let shortest = 6

  /// Removes the key from an answer that repeats it, so that it reaches neither a record nor a file. A source that
  /// hides the key deliberately is not detected.
  ///
  /// - Returns: whether the key was in the body or in a header that would be stored.
  func redact(from response: inout Response) -> Bool {
    let key = key
    guard key.count >= Self.shortest else { return false }
    let body = Self.blotted(key, in: response.body)
    let headers = response.headers.filter {
      !CacheDatabase.keptHeaders.contains($0.name) || Self.blotted(key, in: Array($0.value.utf8)) == nil
    }
    defer {
      if let body { response.body = body }
      response.headers = headers
    }
    return body != nil || headers.count < response.headers.count
  }

  /// The bytes with a dot in place of each key, whether plain, percent-encoded or escaped as in JSON; nil if the key
  /// does not occur.
  private static func blotted(_ key: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
    var blotted: [UInt8]?
    // The position after the last key.
    var start = 0
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      guard byte == key[0] || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\"),
        let end = end(of: key, in: bytes, from: place)
      else {
        place += 1
        continue
      }
      if blotted == nil { blotted = [] }
      blotted?.append(contentsOf: bytes[start..<place])
      blotted?.append(contentsOf: "•".utf8)
      (start, place) = (end, end)
    }
    blotted?.append(contentsOf: bytes[start...])
    return blotted
  }

  private static func end(of key: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var place = start
    for byte in key {
      guard place < bytes.count else { return nil }
      let rest = bytes[place...]
      if rest.first == byte {
        place += 1
      } else if rest.first == UInt8(ascii: "%"), number(rest.dropFirst().prefix(2)) == Int(byte) {
        place += 3
      } else if rest.starts(with: #"\u"#.utf8), number(rest.dropFirst(2).prefix(4)) == Int(byte) {
        place += 6
      } else if rest.first == UInt8(ascii: "\\"), rest.dropFirst().first == byte {
        place += 2
      } else {
        return nil
      }
    }
    return place
  }

  /// The number that these hexadecimal digits are.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
