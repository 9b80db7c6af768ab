/// The hash FNV-1a of 64 bits: small, and the same in every run and on every machine, unlike `Hasher`.
/// <http://www.isthe.com/chongo/tech/comp/fnv/>
public struct FNV1a: Sendable {
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  public init() {}

  public init(_ text: String) { add(text) }

  public mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  public mutating func add(_ byte: UInt8) { value = Self.sum(value, byte) }

  /// Adds bytes as they lie in memory.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var sum = value
    for byte in bytes { sum = Self.sum(sum, byte) }
    value = sum
  }

  private static func sum(_ sum: UInt64, _ byte: UInt8) -> UInt64 { (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
