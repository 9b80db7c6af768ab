internal import CatalogModel
internal import FoundationEssentials
internal import SQLite

extension JSON {
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

  /// Returns the value to store in a column of a table.
  /// - Throws: ``DocumentProblem`` for a value that the column cannot hold, and for a number beyond ``exactIntegers``.
  /// A fingerprint may use all 64 bits.
  func value(of column: DocumentTable.Column, in table: DocumentTable) throws(DocumentProblem) -> Value {
    let name = "\(table.name).\(column.key)"
    guard let value = try (column.name == "fingerprint" ? self : checked(name)).value(isBytes: column.isBytes) else {
      throw DocumentProblem("'\(name)' has an invalid value")
    }
    return value
  }

  /// Nil for a value that no column can hold.
  private func value(isBytes: Bool) -> Value? {
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
