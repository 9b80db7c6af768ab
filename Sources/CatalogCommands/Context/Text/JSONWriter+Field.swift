internal import CatalogStore
internal import CommandLineKit

extension JSONWriter {
  /// Writes the value of a field.
  mutating func value(_ value: FieldValue) {
    switch value {
    case .none: null()
    case .text(let text): self.value(text)
    case .integer(let number): self.value(number)
    case .real(let number): self.value(number)
    case .flag(let flag): self.value(flag)
    case .list(let texts): self.value(texts)
    }
  }
}
