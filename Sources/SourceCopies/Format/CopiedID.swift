/// The id of a row at its source, as a copy keeps it: a number, or the 16 bytes of a UUID.
struct CopiedID: Hashable, Sendable {
  /// Negative for a release that is a title of its own.
  var number: Int
  /// Empty where the id is a number.
  var bytes: [UInt8]

  init(number: Int, bytes: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)) {
    (self.number, self.bytes) = (number, Array(bytes))
  }

  /// The key under which the row is found. The numbers of titles and of editions are two series.
  func key(isEdition: Bool) -> UInt64 {
    guard bytes.isEmpty else {
      let first = bytes.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return first & ~1 | (isEdition ? 1 : 0)
    }
    return UInt64(number.magnitude) << 1 | (isEdition || number < 0 ? 1 : 0)
  }

  /// The UUID as text.
  var uuid: String {
    var text = ""
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text
  }

  /// The 16 bytes of a UUID; nil for another text.
  static func bytes(uuid: Bytes) -> [UInt8]? {
    guard uuid.count == 36 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for (place, byte) in uuid.enumerated() {
      if [8, 13, 18, 23].contains(place) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x61 + 10
      case 0x41...0x46: digit = byte - 0x41 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes.count == 16 ? bytes : nil
  }
}
