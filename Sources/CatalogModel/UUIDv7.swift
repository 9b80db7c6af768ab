/// Names that no two devices give: 48 bits of time, a counter of 12, and 62 of chance (RFC 9562, sections 5.7 and 6.2),
/// as 36 characters in lower case. Their order is that of time and counter.
public enum UUIDv7 {
  /// - Parameters:
  ///   - milliseconds: since 1970; only the lowest 48 bits count.
  ///   - counter: the number among ids of the same time, from 0; an overflow of its 12 bits is added to the time.
  ///   - chance: the source of the random bits.
  public static func make(
    milliseconds: UInt64, counter: Int, chance: inout some RandomNumberGenerator
  ) -> String {
    let counter = UInt64(max(0, counter))
    let high = (milliseconds &+ counter >> 12) << 16 | 0x7000 | counter & 0xFFF
    let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &chance)
    let digits = hexadecimal(high) + hexadecimal(low)
    var text = ""
    text.reserveCapacity(36)
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  /// Whether a text is a UUID in lower case, of any version: nothing else becomes the name of a file.
  public static func isOne(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 36
      && bytes.enumerated().allSatisfy { place, byte in
        [8, 13, 18, 23].contains(place)
          ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
      }
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
