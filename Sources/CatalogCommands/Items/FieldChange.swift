internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A change that a person types: `year=1959`, `genre+=Jazz`, `genre-=Pop`, `label=`, `year!`.
struct FieldChange: Sendable, Equatable {
  enum Operation: Sendable {
    case set, add, remove
    /// Back to what sources say: genres are what the labels stand for, and any other field may be refreshed.
    case giveBack
  }

  var field: Field
  var operation = Operation.set
  /// One or several values, with `; ` between them.
  var value: String

  /// The change, a genre in it called what `name` says: the catalog's word for what a person typed.
  func namingGenres(_ names: (String) throws -> [String]) rethrows -> FieldChange {
    guard field == .genres else { return self }
    var change = self
    change.value = try field.values(in: value).flatMap(names).joined(separator: "; ")
    return change
  }

  /// The genres that it names, but for those that it only takes away.
  var namedGenres: [String] {
    field == .genres && (operation == .set || operation == .add) ? field.values(in: value) : []
  }

  /// - Throws: ``UsageError`` and what is wrong with the value.
  func apply(to draft: inout Draft) throws {
    try field.check(draft.record.kind)
    let named = field.values(in: value)
    guard operation != .set else { return try field.assign(named, to: &draft) }
    let before = field.value(of: draft).texts
    func isAmong(_ value: String, _ values: [String]) -> Bool {
      values.contains { Folding.labelKey($0) == Folding.labelKey(value) }
    }
    try field.assign(
      operation == .add ? before + named.filter { !isAmong($0, before) } : before.filter { !isAmong($0, named) },
      to: &draft)
  }
}

/// A word behind `edit`: a change, or one of the words that say which item.
enum EditWord: Sendable, Equatable, ArgumentValue {
  case change(FieldChange)
  case reference(String)

  /// A word without an equals sign, or without a name before it, is no change; but `year!` is.
  init(argument word: String) throws {
    if word.last == "!", let field = Field.named(String(word.dropLast())), field.isEditable || field == .cover {
      guard field != .tags else {
        throw UsageError(
          "no source says anything of \(field.word), so it cannot be given back", hint: "\(field.word)= clears it")
      }
      self = .change(FieldChange(field: field, operation: .giveBack, value: ""))
      return
    }
    guard let equals = word.firstIndex(of: "=") else {
      self = .reference(word)
      return
    }
    var name = word[..<equals]
    let operation: FieldChange.Operation = name.hasSuffix("+") ? .add : name.hasSuffix("-") ? .remove : .set
    if operation != .set { name.removeLast() }
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && $0.isLetter || $0 == "_" }) else {
      self = .reference(word)
      return
    }
    let field = try Field.editable(String(name))
    let value = String(word[equals...].dropFirst())
    guard operation == .set || field.isList else {
      throw UsageError("\(field.word) has one value: write \(field.word)=\(value)")
    }
    self = .change(FieldChange(field: field, operation: operation, value: value))
  }
}

extension Draft {
  /// What differs from `before`, a line a field: `year: 1958 → 1959`.
  func differences(from before: Draft) -> [String] {
    Field.editable(of: record.kind).compactMap { field in
      let (old, new) = (field.text(of: before), field.text(of: self))
      return old == new ? nil : "\(field.word): \(Self.shown(old)) → \(Self.shown(new))"
    }
  }

  /// A value in a line of differences.
  static func shown(_ value: String) -> String {
    value.isEmpty ? "(none)" : value.split(whereSeparator: \.isNewline).joined(separator: " ").truncated(to: 60)
  }
}
