extension UInt8 {
  @inlinable public var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
  @inlinable public var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

extension Character {
  @inlinable public var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
