internal import CatalogModel

extension Document {
  /// 64 bits of what it says, whatever the order of its members.
  var fingerprint: UInt64 {
    // The sum knows no order. Each member is spread over all bits before, or two that differ a little would cancel out.
    members.reduce(0x9E37_79B9_7F4A_7C15) { sum, member in
      var hash = FNV1a(member.key)
      hash.add(0 as UInt8)
      member.value.add(to: &hash)
      return sum &+ SplitMix64.mixed(hash.value)
    }
  }

  /// Whether both say the same, in whatever order.
  func isSame(as other: Document?) -> Bool { other.map { $0.fingerprint == fingerprint } ?? false }
}

extension DocumentValue {
  func isSame(as other: DocumentValue?) -> Bool {
    guard let other else { return false }
    var (hash, otherHash) = (FNV1a(), FNV1a())
    add(to: &hash)
    other.add(to: &otherHash)
    return hash.value == otherHash.value
  }

  fileprivate func add(to hash: inout FNV1a) {
    func add(_ kind: UInt8, _ bits: UInt64) {
      hash.add(kind)
      for shift in stride(from: 0, to: 64, by: 8) { hash.add(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }
    switch self {
    case .null: add(0, 0)
    case .flag(let flag): add(1, flag ? 1 : 0)
    case .integer(let integer): add(2, UInt64(bitPattern: integer))
    // A file of text does not tell 80.0 from 80.
    case .real(let real):
      if let integer = Int64(exactly: real) { add(2, UInt64(bitPattern: integer)) } else { add(3, real.bitPattern) }
    case .text(let text):
      add(4, UInt64(text.utf8.count))
      hash.add(text)
    case .list(let values):
      add(5, UInt64(values.count))
      for value in values { value.add(to: &hash) }
    case .object(let document): add(6, document.fingerprint)
    }
  }
}
