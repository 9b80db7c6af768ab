internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

// A field as a person edits it: a text, in which several values have `; ` between them.

extension Field {
  /// What a person calls the field that they edit.
  /// - Throws: ``UsageError`` saying which was perhaps meant.
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
        "\(field.word) is not edited", hint: "there are \(all.filter(\.isEditable).map(\.word).joined(separator: ", "))"
      )
    }
    return field
  }

  /// - Throws: ``UsageError`` saying who has such a field, when things of this kind have none.
  func check(_ kind: Kind) throws(UsageError) {
    guard !isOf(kind) else { return }
    let others = (kinds ?? []).map(\.plural).joined(separator: " and ")
    throw UsageError("\(kind.plural) have no \(word): \(others) do")
  }

  var isList: Bool { type.form == .list }

  /// The values as one text.
  func text(of draft: Draft) -> String { value(of: draft).texts.joined(separator: "; ") }

  /// The values of a text.
  func values(in text: String) -> [String] {
    let parts = isList ? text.split(separator: ";").map(String.init) : [text]
    return parts.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }
}
