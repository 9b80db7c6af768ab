internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

// A field in the editor is one text, with `; ` between several values.

extension Field {
  /// The editable field with this name.
  /// - Throws: ``UsageError`` with a suggestion.
  static func editable(_ name: String) throws(UsageError) -> Field {
    guard let field = named(name) else {
      throw UsageError.unknown("field", name, among: all.filter(\.isEditable).map(\.word))
    }
    guard field.isEditable else {
      if ["place", "price", "media", "sleeve", "from", "acquired", "copy_note", "copy_format"].contains(field.word) {
        throw UsageError(
          "\(field.word) belongs to a copy", hint: "for example: catalog copy edit --where tag:jazz --place K3")
      }
      throw UsageError(
        "\(field.word) is not edited",
        hint: "the choices are \(all.filter(\.isEditable).map(\.word).joined(separator: ", "))"
      )
    }
    return field
  }

  /// - Throws: ``UsageError`` that names the kinds with this field, when `kind` is none of them.
  func check(_ kind: Kind) throws(UsageError) {
    guard !isOf(kind) else { return }
    throw UsageError("\(kind.plurals) have no \(word): \((kinds ?? []).map(\.plurals).listed) do")
  }

  /// The word to type, as a message about a change names the field.
  var noun: Message { Message(Message(words: word), context: "field") }

  var isList: Bool { type.form == .list }

  func text(of draft: Draft) -> String { value(of: draft).texts.joined(separator: "; ") }

  func values(in text: String) -> [String] {
    let parts = isList ? text.split(separator: ";").map(String.init) : [text]
    return parts.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }
}
