/// Sizes in bytes as people write them.
enum ByteCount {
  /// The size as a person sets it: `400 MiB`, or `12.3 MB` for a size that is no whole number of MiB.
  static func text(_ bytes: Int) -> String {
    bytes > 0 && bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20) MiB" : bytes.size
  }

  /// Parses `400M` (1024 × 1024 bytes), `1GiB`, `64 kB` (1000 bytes) or `12345`. Returns nil for any other text, and
  /// for more than 10¹² bytes.
  static func parse(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    let factor: Int
    switch text.dropFirst(digits.count).filter({ $0 != " " }).lowercased() {
    case "", "b": factor = 1
    case "k", "kib": factor = 1 << 10
    case "m", "mib": factor = 1 << 20
    case "g", "gib": factor = 1 << 30
    case "kb": factor = 1_000
    case "mb": factor = 1_000_000
    case "gb": factor = 1_000_000_000
    default: return nil
    }
    let (bytes, isTooMany) = number.multipliedReportingOverflow(by: factor)
    return isTooMany || bytes > 1_000_000_000_000 ? nil : bytes
  }
}
