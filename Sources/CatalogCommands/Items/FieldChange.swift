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

  init(setting name: String, to value: String) { (self.name, operation, self.value) = (name, .set, value) }

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
  /// What differs from `before`, a line a field: `year: 1958 → 1959`.
  func differences(from before: Draft) -> [String] {
    EditableField.all(of: record.kind).compactMap { field in
      let (old, new) = (field.text(of: before), field.text(of: self))
      return old == new ? nil : "\(field.name): \(Self.shown(old)) → \(Self.shown(new))"
    }
  }

  /// A value in a line of differences.
  static func shown(_ value: String) -> String {
    value.isEmpty ? "(none)" : value.split(whereSeparator: \.isNewline).joined(separator: " ").truncated(to: 60)
  }
}
