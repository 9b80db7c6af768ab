extension Secret {
  /// The key itself, without the words before it: `Bearer`, `KakaoAK`, `Discogs token=`.
  private var key: [UInt8] {
    switch self {
    case .parameter(_, let value): return Array(value.utf8)
    case .header(_, let value):
      let word = value.split(separator: " ").last ?? ""
      let mark = "token="
      return Array((word.hasPrefix(mark) ? word.dropFirst(mark.count) : word).utf8)
    }
  }

  /// What is shorter is no key, and stands in many a text.
  private static let shortest = 6

  /// Takes the key out of an answer into which a careless source has written it, so that it comes neither into a record
  /// nor from there into a file. A source that wants to hide it there can.
  ///
  /// - Returns: whether it stood there, or in a header that would be kept.
  func blot(out response: inout Response) -> Bool {
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

  /// The bytes with a dot wherever the key stands, as it is, as a part of an address, or as a JSON text spells it; nil
  /// where it does not.
  private static func blotted(_ key: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
    var blotted: [UInt8]?
    // What stands behind the last key begins here.
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
