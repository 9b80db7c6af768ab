/// The byte ranges of the values in a JSON text, so that one value can be changed without touching the others.
///
/// It is independent of the parser under test.
struct JSONMap: Sendable {
  enum Place: Sendable {
    case member(key: Range<Int>), element, root
  }

  struct Value: Sendable {
    var range: Range<Int>
    var place: Place
    var isText: Bool

    /// The value with its key, if it has one.
    var whole: Range<Int> {
      if case .member(let key) = place { key.lowerBound..<range.upperBound } else { range }
    }
  }

  private(set) var values: [Value] = []

  /// Nil when the text is no JSON.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard reader.value(.root, depth: 0) != nil else { return nil }
    values = reader.values
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0
    var values: [Value] = []

    /// Steps over a value, and notes it and all in it.
    mutating func value(_ kind: Place, depth: Int) -> Range<Int>? {
      guard depth < 100, let first = token() else { return nil }
      let start = place
      switch first {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = first == UInt8(ascii: "{")
        place += 1
        while let next = token(), next != UInt8(ascii: "}"), next != UInt8(ascii: "]") {
          if next == UInt8(ascii: ",") {
            place += 1
            continue
          }
          var kind = Place.element
          if isObject {
            guard let key = text(), token() == UInt8(ascii: ":") else { return nil }
            place += 1
            kind = .member(key: key)
          }
          guard value(kind, depth: depth + 1) != nil else { return nil }
        }
        guard place < bytes.count else { return nil }
        place += 1
      case UInt8(ascii: "\""):
        guard text() != nil else { return nil }
      default:
        while place < bytes.count, !" \n\r\t,]}:\"[{".utf8.contains(bytes[place]) { place += 1 }
        guard place > start else { return nil }
      }
      values.append(Value(range: start..<place, place: kind, isText: first == UInt8(ascii: "\"")))
      return start..<place
    }

    /// Steps over a text in quotes.
    private mutating func text() -> Range<Int>? {
      guard token() == UInt8(ascii: "\"") else { return nil }
      let start = place
      place += 1
      while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard place < bytes.count else { return nil }
      place += 1
      return start..<place
    }

    private mutating func token() -> UInt8? {
      while place < bytes.count, " \n\r\t".utf8.contains(bytes[place]) { place += 1 }
      return place < bytes.count ? bytes[place] : nil
    }
  }
}
