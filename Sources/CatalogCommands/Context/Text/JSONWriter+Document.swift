internal import CatalogModel
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

  mutating func value(_ value: JSON) {
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

extension Document {
  /// The document as JSON, in one line without a line end.
  var line: [UInt8] {
    var json = JSONWriter()
    json.value(self)
    return json.take()
  }

  /// The document as JSON for people and line-by-line diffs: one line for each field and each element.
  var text: [UInt8] {
    var json = JSONWriter(isPretty: true)
    json.object { json in
      for member in members {
        json.key(member.key)
        switch member.value {
        case .object(let row): json.fields(of: row)
        case .list(let values):
          json.array { json in for value in values { json.flat(value) } }
        default: json.value(member.value)
        }
      }
    }
    json.endLine()
    return json.take()
  }
}

extension JSONWriter {
  fileprivate mutating func fields(of row: Document) {
    object { json in
      for member in row.members {
        json.key(member.key)
        json.flat(member.value)
      }
    }
  }

  /// Writes a value in one line.
  fileprivate mutating func flat(_ value: JSON) {
    var line = JSONWriter()
    line.value(value)
    line.take().withUnsafeBytes { raw(utf8: $0) }
  }
}
