/// Reads an object of JSON in place, without making values of the rest: the members of depth 1, or the elements
/// of an array, as the bytes that they are written in.
struct JSONMembers {
  /// The kinds of values, by their first byte.
  enum Value {
    case string, object, array, other

    init(_ bytes: Bytes) {
      self =
        switch bytes.first {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        default: .other
        }
    }
  }

  /// Calls `each` for every member of an object with its key and its value.
  /// - Parameter each: the key as it is written, without its quotes; the value as it is written.
  /// - Returns: false when the bytes are no object.
  static func forEach(in object: Bytes, _ each: (_ key: Bytes, _ value: Bytes) -> Void) -> Bool {
    var place = blanks(in: object, at: 0)
    guard object.has("{", at: place) else { return false }
    place = blanks(in: object, at: place + 1)
    if object.has("}", at: place) { return true }
    while true {
      guard let key = string(in: object, at: place) else { return false }
      var start = blanks(in: object, at: key.end)
      guard object.has(":", at: start) else { return false }
      start = blanks(in: object, at: start + 1)
      guard let end = end(ofValueAt: start, in: object) else { return false }
      each(object.part(place + 1, key.end - 1), object.part(start, end))
      place = blanks(in: object, at: end)
      if object.has("}", at: place) { return true }
      guard object.has(",", at: place) else { return false }
      place = blanks(in: object, at: place + 1)
    }
  }

  /// Calls `each` for every element of an array, until it returns false. A value that is no array is taken for its only
  /// element.
  static func forEachElement(of array: Bytes, _ each: (Bytes) -> Bool) {
    guard array.first == UInt8(ascii: "[") else {
      _ = each(array)
      return
    }
    var place = blanks(in: array, at: 1)
    while place < array.count, array[place] != UInt8(ascii: "]"), let end = end(ofValueAt: place, in: array) {
      guard each(array.part(place, end)) else { return }
      place = blanks(in: array, at: end)
      guard array.has(",", at: place) else { return }
      place = blanks(in: array, at: place + 1)
    }
  }

  /// The value of a member; no bytes where the object has none.
  static func member(_ name: StaticString, of object: Bytes) -> Bytes {
    var found = Bytes.none
    guard object.first == UInt8(ascii: "{") else { return found }
    _ = forEach(in: object) { key, value in if key.equals(name) { found = value } }
    return found
  }

  /// The text of a string as it is written, without its quotes; no bytes for another value.
  static func text(_ value: Bytes) -> Bytes {
    value.count >= 2 && value.first == UInt8(ascii: "\"") ? value.part(1, value.count - 1) : .none
  }

  private static func blanks(in bytes: Bytes, at place: Int) -> Int {
    var place = place
    while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0D).contains(bytes[place]) { place += 1 }
    return place
  }

  /// The place behind the closing quote of a string.
  private static func string(in bytes: Bytes, at start: Int) -> (end: Int, isWhole: Bool)? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return nil }
    var place = start + 1
    while let quote = bytes.index(of: UInt8(ascii: "\""), from: place) {
      // An odd number of backslashes before it makes the quote a part of the text.
      var slashes = quote
      while slashes > place, bytes[slashes - 1] == UInt8(ascii: "\\") { slashes -= 1 }
      if (quote - slashes).isMultiple(of: 2) { return (quote + 1, true) }
      place = quote + 1
    }
    return nil
  }

  /// The place behind a value. Brackets are counted, not matched by kind.
  private static func end(ofValueAt start: Int, in bytes: Bytes) -> Int? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""): return string(in: bytes, at: start)?.end
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var (place, depth) = (start, 0)
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "\""):
          guard let string = string(in: bytes, at: place) else { return nil }
          place = string.end
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          if depth == 0 { return place + 1 }
        default: break
        }
        place += 1
      }
      return nil
    default:
      var place = start
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09...0x0D:
          return place > start ? place : nil
        default: place += 1
        }
      }
      return place > start ? place : nil
    }
  }
}
