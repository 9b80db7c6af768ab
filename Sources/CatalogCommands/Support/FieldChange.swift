internal import CatalogModel
internal import CommandLineKit

/// A change that a person types: `year=1959`, `genre+=Jazz`, `genre-=Pop`, `label=`.
struct FieldChange: Sendable, Equatable {
  enum Operation: Sendable {
    case set, add, remove
  }

  var name: String
  var operation: Operation
  var value: String

  /// Nil for a word that is no change: without an equals sign, or without a name before it.
  init?(_ word: String) {
    guard let equals = word.firstIndex(of: "=") else { return nil }
    var name = word[..<equals]
    operation = name.hasSuffix("+") ? .add : name.hasSuffix("-") ? .remove : .set
    if operation != .set { name.removeLast() }
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && $0.isLetter || $0 == "_" }) else { return nil }
    self.name = String(name)
    value = String(word[word.index(after: equals)...])
  }

  /// The change, a genre in it called what `name` says: the catalog's word for what a person typed.
  func namingGenres(_ name: (String) throws -> String) rethrows -> FieldChange {
    guard ["genre", "genres"].contains(self.name.lowercased()) else { return self }
    var change = self
    change.value = try value.split(separator: ";").map(\.trimmingBlanks).filter { !$0.isEmpty }.map(name)
      .joined(separator: "; ")
    return change
  }

  /// - Throws: ``UsageError`` and what is wrong with the value.
  func apply(to draft: inout Draft) throws {
    let field = try EditableField.named(name, of: draft.record.kind)
    guard operation != .set else { return try field.assign(value, to: &draft) }
    guard field.isList else { throw UsageError("\(field.name) has one value: write \(field.name)=\(value)") }
    let named = value.split(separator: ";").map(\.trimmingBlanks).filter { !$0.isEmpty }
    let before = field.values(draft)
    func isAmong(_ value: String, _ values: [String]) -> Bool {
      values.contains { Folding.labelKey($0) == Folding.labelKey(value) }
    }
    try field.assign(
      &draft,
      operation == .add ? before + named.filter { !isAmong($0, before) } : before.filter { !isAmong($0, named) })
  }
}

extension Draft {
  /// The draft as a text to edit: a line a field, the description last.
  func text(about item: Item) -> String {
    var text = """
      # \(item.line)
      # An empty value clears a field; several people or genres have '; ' between them.
      # Lines that begin with # and lines that you remove change nothing.

      """
    for field in EditableField.all(of: record.kind) where field.name != "description" {
      text += "\(field.name): \(field.text(of: self))\n"
    }
    return text + "description:\n\(record.summary ?? "")\n"
  }

  /// Takes over what the text says.
  /// - Throws: ``Failure`` naming the line that cannot be understood.
  mutating func read(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
      do {
        guard let colon = line.firstIndex(of: ":") else {
          throw UsageError("\(String(line).quoted) is no line of the form 'field: value'")
        }
        let field = try EditableField.named(line[..<colon].trimmingBlanks, of: record.kind)
        var value = line[line.index(after: colon)...].trimmingBlanks
        if field.name == "description" {
          value = ([value] + lines[(index + 1)...].map(String.init)).joined(separator: "\n").trimmingBlanks
        }
        if value != field.text(of: self) { try field.assign(value, to: &self) }
        if field.name == "description" { return }
      } catch {
        let failure = Failure(error)
        throw Failure("line \(index + 1): \(failure.message)", hint: failure.hint)
      }
    }
  }

  /// What differs from `before`, a line a field: `year: 1958 → 1959`.
  func differences(from before: Draft) -> [String] {
    EditableField.all(of: record.kind).compactMap { field in
      let (old, new) = (field.text(of: before), field.text(of: self))
      return old == new ? nil : "\(field.name): \(Self.shown(old)) → \(Self.shown(new))"
    }
  }

  private static func shown(_ value: String) -> String {
    value.isEmpty ? "(none)" : value.split(whereSeparator: \.isNewline).joined(separator: " ").truncated(to: 60)
  }
}
