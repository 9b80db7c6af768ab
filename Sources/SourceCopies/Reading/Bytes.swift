internal import Glibc

/// Bytes of a dump, read in place. They are valid only until the scanner that gave them moves on.
typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
  static var none: Bytes { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// The place of the first such byte at or behind a place.
  @inline(__always)
  func index(of byte: UInt8, from start: Int = 0) -> Int? {
    guard start < count, let base = baseAddress else { return nil }
    return memchr(base + start, Int32(truncatingIfNeeded: byte), count - start).map { UnsafeRawPointer($0) - base }
  }

  /// The place of the first such bytes at or behind a place.
  func index(of text: [UInt8], from start: Int = 0) -> Int? {
    guard let first = text.first else { return nil }
    var place = start
    while let found = index(of: first, from: place) {
      if has(text, at: found) { return found }
      place = found + 1
    }
    return nil
  }

  @inline(__always)
  func part(_ start: Int, _ end: Int) -> Bytes { UnsafeRawBufferPointer(rebasing: self[start..<end]) }

  /// Whether these bytes stand at a place.
  @inline(__always)
  func has(_ text: StaticString, at place: Int) -> Bool {
    guard let base = baseAddress, place >= 0, place + text.utf8CodeUnitCount <= count else { return false }
    return memcmp(base + place, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  @inline(__always)
  func has(_ text: [UInt8], at place: Int) -> Bool {
    guard let base = baseAddress, place >= 0, place + text.count <= count else { return false }
    return memcmp(base + place, text, text.count) == 0
  }

  @inline(__always)
  func equals(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && has(text, at: 0) }

  /// The bytes without blanks and control characters at both ends.
  var trimmed: Bytes {
    var (start, end) = (0, count)
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return part(start, end)
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}

extension BidirectionalCollection<UInt8> {
  /// The decimal number that the bytes are, of at most 18 digits; nil for anything else.
  var number: Int? {
    guard (1...18).contains(count), allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The number behind a prefix and before a suffix, as in `OL45804W`.
  func number(behind prefix: String, before suffix: String = "") -> Int? {
    guard starts(with: prefix.utf8), self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { return nil }
    return dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count).number
  }
}
