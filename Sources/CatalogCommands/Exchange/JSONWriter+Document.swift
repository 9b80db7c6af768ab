internal import CatalogStore
internal import CommandLineKit

extension JSONWriter {
  mutating func value(_ document: Document) {
    object { json in
      for member in document.members {
        json.key(member.key)
        json.value(member.value)
      }
    }
  }

  mutating func value(_ value: DocumentValue) {
    switch value {
    case .null: null()
    case .flag(let flag): self.value(flag)
    case .integer(let number): self.value(number)
    case .real(let number): self.value(number)
    case .text(let text): self.value(text)
    case .list(let values): array { json in for value in values { json.value(value) } }
    case .object(let document): self.value(document)
    }
  }
}
