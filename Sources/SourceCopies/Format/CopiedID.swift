internal import SQLite

/// The id of a row at its source, as a copy keeps it: a number, or the 16 bytes of a UUID.
struct CopiedID: Hashable, Sendable {
  /// Negative for a release that is a title of its own.
  var number: Int
  /// Empty where the id is a number.
  var bytes: [UInt8]

  init(number: Int = 0, bytes: [UInt8] = []) { (self.number, self.bytes) = (number, bytes) }

  /// The id in a column of a copy. A damaged copy may have anything there.
  init(_ value: Value) {
    switch value {
    case .integer(let number): self.init(number: Int(number))
    case .blob(let bytes): self.init(bytes: bytes)
    default: self.init()
    }
  }

  /// The key under which the row is found. The numbers of titles and of editions are two series.
  func key(isEdition: Bool) -> UInt64 {
    guard bytes.isEmpty else {
      let first = bytes.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return first & ~1 | (isEdition ? 1 : 0)
    }
    return UInt64(number.magnitude) << 1 | (isEdition || number < 0 ? 1 : 0)
  }

  /// The UUID as text.
  var uuid: String {
    bytes.enumerated().map { ([4, 6, 8, 10].contains($0) ? "-" : "") + ($1 < 16 ? "0" : "") + String($1, radix: 16) }
      .joined()
  }

  /// The 16 bytes of a UUID; nil for another text.
  static func bytes(uuid text: String) -> [UInt8]? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = parts.joined().compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1]) }
  }
}
