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

  @inline(__always)
  func part(_ start: Int, _ end: Int) -> Bytes { UnsafeRawBufferPointer(rebasing: self[start..<end]) }

  /// Whether these bytes stand at a place.
  @inline(__always)
  func has(_ text: StaticString, at place: Int) -> Bool {
    guard let base = baseAddress, place >= 0, place + text.utf8CodeUnitCount <= count else { return false }
    return memcmp(base + place, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  @inline(__always)
  func equals(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && has(text, at: 0) }

  func equals(_ other: Bytes) -> Bool {
    guard count == other.count, let base = baseAddress, let start = other.baseAddress else {
      return count == other.count
    }
    return memcmp(base, start, count) == 0
  }

  /// The decimal number that the bytes are, of at most 18 digits; nil for anything else.
  var number: Int? {
    guard (1...18).contains(count) else { return nil }
    var number = 0
    for byte in self {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  /// The number behind a prefix and before a suffix, as in `OL45804W`.
  func number(behind prefix: StaticString, before suffix: StaticString = "") -> Int? {
    let (start, end) = (prefix.utf8CodeUnitCount, count - suffix.utf8CodeUnitCount)
    guard start < end, has(prefix, at: 0), has(suffix, at: end) else { return nil }
    return part(start, end).number
  }

  /// The bytes without blanks and control characters at both ends.
  var trimmed: Bytes {
    var (start, end) = (0, count)
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return part(start, end)
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}

/// A search for fixed bytes that looks at one byte in as many as the bytes are (Horspool's).
struct ByteFinder: Sendable {
  let pattern: [UInt8]
  /// The distance to move for each byte found at the last place of the pattern.
  private let steps: [Int]

  init(_ text: String) {
    pattern = Array(text.utf8)
    var steps = [Int](repeating: pattern.count, count: 256)
    for (place, byte) in pattern.dropLast().enumerated() { steps[Int(byte)] = pattern.count - 1 - place }
    self.steps = steps
  }

  @inline(__always)
  private func isEqual(_ start: UnsafeRawPointer, _ pattern: UnsafeBufferPointer<UInt8>, _ length: Int) -> Bool {
    pattern.baseAddress.map { memcmp(start, $0, length) == 0 } ?? false
  }

  /// The first place of the pattern at or behind `start`.
  func first(in bytes: Bytes, from start: Int = 0) -> Int? {
    let length = pattern.count
    guard start >= 0, let base = bytes.baseAddress, length > 0, bytes.count - start >= length else { return nil }
    return pattern.withUnsafeBufferPointer { pattern in
      steps.withUnsafeBufferPointer { steps in
        let (last, end) = (pattern[length - 1], bytes.count - length)
        var place = start
        while place <= end {
          let byte = bytes[place + length - 1]
          if byte == last, isEqual(base + place, pattern, length) { return place }
          place += steps[Int(byte)]
        }
        return nil
      }
    }
  }
}
