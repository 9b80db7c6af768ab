/// Which names of 64 bits came before: none is forgotten, and few others are taken for one. It takes 256 KiB, however many there are.
/// <https://en.wikipedia.org/wiki/Bloom_filter>
struct NameFilter {
  /// Of a bit's place.
  private static let width = 21
  private var bits = [UInt64](repeating: 0, count: 1 << (width - 6))

  mutating func insert(_ name: UInt64) {
    for place in Self.places(of: name) { bits[place >> 6] |= 1 << (place & 63) }
  }

  /// Whether a name may have come; of 200 000 others, 3 000 are said to have.
  func mayHave(_ name: UInt64) -> Bool {
    Self.places(of: name).allSatisfy { bits[$0 >> 6] & 1 << ($0 & 63) != 0 }
  }

  private static func places(of name: UInt64) -> some Sequence<Int> {
    (0..<3).lazy.map { Int(name >> UInt64($0 * width) & (1 << width - 1)) }
  }
}
