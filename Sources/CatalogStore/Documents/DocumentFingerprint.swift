internal import CatalogModel

/// A 64-bit hash of a document that ignores the order of members. It is made from documents, or from rows in the file
/// (``DocumentTable/addFingerprints(of:to:in:)``), which is many times faster.
struct DocumentFingerprint {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Adds a member: its name and, through `body`, its value.
  mutating func add(_ key: DocumentFingerprintKey, _ body: (inout FNV1a) throws -> Void) rethrows {
    var hash = key.hash
    try body(&hash)
    // A sum ignores the order. Each hash is mixed first, or two members that differ a little would cancel out.
    value &+= SplitMix64.mixed(hash.value)
  }
}

/// The hash of a member's name, to which its value is added.
struct DocumentFingerprintKey {
  fileprivate var hash: FNV1a

  init(_ name: String) {
    hash = FNV1a(name)
    hash.add(0 as UInt8)
  }
}

/// Hashes of values, each behind a byte for its type.
extension FNV1a {
  mutating func add(null: Void) { add(0, 0) }
  mutating func add(flag: Bool) { add(1, flag ? 1 : 0) }
  mutating func add(integer: Int64) { add(2, UInt64(bitPattern: integer)) }

  mutating func add(real: Double) {
    // Text files do not distinguish 80.0 from 80.
    if let integer = Int64(exactly: real) { add(integer: integer) } else { add(3, real.bitPattern) }
  }

  mutating func add(text: UnsafeBufferPointer<UInt8>) {
    add(4, UInt64(text.count))
    add(UnsafeRawBufferPointer(text))
  }

  /// Adds the head of a list, before its `count` values.
  mutating func add(listOf count: Int) { add(5, UInt64(count)) }
  mutating func add(object: DocumentFingerprint) { add(6, object.value) }

  private mutating func add(_ kind: UInt8, _ bits: UInt64) {
    add(kind)
    withUnsafeBytes(of: bits.littleEndian) { add($0) }
  }
}

extension Document {
  /// A 64-bit hash that ignores the order of members.
  var fingerprint: UInt64 { whole.value }

  fileprivate var whole: DocumentFingerprint {
    var fingerprint = DocumentFingerprint()
    for member in members { fingerprint.add(DocumentFingerprintKey(member.key)) { member.value.add(to: &$0) } }
    return fingerprint
  }

  /// Whether both documents are equal, in any order of members.
  func isSame(as other: Document?) -> Bool { other.map { $0.fingerprint == fingerprint } ?? false }
}

extension JSON {
  func isSame(as other: JSON?) -> Bool {
    guard let other else { return false }
    var (hash, otherHash) = (FNV1a(), FNV1a())
    add(to: &hash)
    other.add(to: &otherHash)
    return hash.value == otherHash.value
  }

  func add(to hash: inout FNV1a) {
    switch self {
    case .null: hash.add(null: ())
    case .flag(let flag): hash.add(flag: flag)
    case .integer(let integer): hash.add(integer: integer)
    case .real(let real): hash.add(real: real)
    case .text(var text): text.withUTF8 { hash.add(text: $0) }
    case .list(let values):
      hash.add(listOf: values.count)
      for value in values { value.add(to: &hash) }
    case .object(let document): hash.add(object: document.whole)
    }
  }
}
