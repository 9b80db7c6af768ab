/// The hash FNV-1a of 64 bits: small, and the same in every run and on every machine, unlike `Hasher`.
/// <http://www.isthe.com/chongo/tech/comp/fnv/>
public struct FNV1a: Sendable {
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  public init() {}

  public init(_ text: String) { add(text) }

  public mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

  public mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
