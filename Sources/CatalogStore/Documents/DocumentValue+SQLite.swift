internal import FoundationEssentials
internal import SQLite

extension DocumentValue {
  /// Creates the value of a column; nil for NULL, which documents omit.
  init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .text(Data(bytes).base64EncodedString())
    }
  }

  /// Returns the value to store in a column; nil if no column can hold it.
  func value(isBytes: Bool) -> Value? {
    switch self {
    case .null: .null
    case .flag(let flag): .integer(flag ? 1 : 0)
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text) where isBytes: Data(base64Encoded: text).map { .blob(Array($0)) }
    case .text(let text): .text(text)
    case .list, .object: nil
    }
  }
}
