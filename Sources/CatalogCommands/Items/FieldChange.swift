internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A change as typed: `year=1959`, `genre+=Jazz`, `genre-=Pop`, `label=`, `year!`.
struct FieldChange: Sendable, Equatable {
  enum Operation: Sendable {
    case set, add, remove
    /// Returns the field to its sources: genres are mapped from the labels again, and a refresh may change any other
    /// field.
    case giveBack
  }

  var field: Field
  var operation = Operation.set
  /// One value, or several with `; ` between them.
  var value: String

  /// The change with each genre replaced by the catalog's names.
  func namingGenres(_ names: (String) throws -> [String]) rethrows -> FieldChange {
    guard field == .genres else { return self }
    var change = self
    change.value = try field.values(in: value).flatMap(names).joined(separator: "; ")
    return change
  }

  /// The genres that the change sets or adds.
  var namedGenres: [String] {
    field == .genres && (operation == .set || operation == .add) ? field.values(in: value) : []
  }

  /// - Throws: ``UsageError`` for an invalid value.
  func apply(to draft: inout Draft) throws {
    try field.check(draft.record.kind)
    let named = field.values(in: value)
    guard operation != .set else { return try field.assign(named, to: &draft) }
    let before = field.value(of: draft).texts
    func isAmong(_ value: String, _ values: [String]) -> Bool {
      values.contains { Folding.nameKey($0) == Folding.nameKey(value) }
    }
    try field.assign(
      operation == .add ? before + named.filter { !isAmong($0, before) } : before.filter { !isAmong($0, named) },
      to: &draft)
  }
}

/// A word after `edit`: a change, or a part of the reference.
enum EditWord: Sendable, Equatable, ArgumentValue {
  case change(FieldChange)
  case reference(String)

  /// Parses a word. Without an equals sign and a name before it, the word is no change, unless it is like `year!`.
  init(argument word: String) throws {
    if word.last == "!", let field = Field.named(String(word.dropLast())), field.isEditable || field == .cover {
      guard field != .tags else {
        throw UsageError(
          "no source has a value for \(field.word), so it cannot be restored", hint: "\(field.word)= clears it")
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
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0 == "_" }) else {
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
  /// The differences from `before`, one line for each field: `year: 1958 → 1959`.
  func differences(from before: Draft, in context: Context) -> [Message] {
    Field.editable(of: record.kind).compactMap { field in
      guard field.text(of: before) != field.text(of: self) else { return nil }
      return "\(field.noun): \(before.shown(field, in: context)) → \(shown(field, in: context))"
    }
  }

  /// The value of a field as it is shown in a line of differences.
  func shown(_ field: Field, in context: Context) -> Message {
    Self.shown(field == .genres ? genres.map(context.genreName).joined(separator: "; ") : field.text(of: self))
  }

  /// A value as it is shown in a line of differences.
  static func shown(_ value: String) -> Message {
    if value.isEmpty { return "(none)" }
    return Message(verbatim: value.split(whereSeparator: \.isNewline).joined(separator: " ").truncated(to: 60))
  }
}
