internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// An item as a text to edit: one line for each field, with the description last. The difference of two texts is the
/// change.
struct ItemText: Sendable, Equatable {
  /// The value of each field in the text, by its name.
  private(set) var values: [String: String] = [:]

  init(_ draft: Draft) {
    for field in Field.editable(of: draft.record.kind) {
      values[field.word] = Self.value(field.text(of: draft), of: field.word)
    }
  }

  /// The values that a page showed, by the names of their fields.
  init(shown fields: [String: String]) {
    for (name, text) in fields { values[name] = Self.value(text, of: name) }
  }

  private static func value(_ text: String, of name: String) -> String {
    // Another program may have written line breaks into a single line.
    let lines =
      name == Field.description.word ? text : text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return lines.trimmingBlanks
  }

  /// Parses an edited text of ``text(about:)``.
  /// - Parameter before: the text before the edit; values that differ from it are validated.
  /// - Throws: ``Failure`` naming the line that cannot be parsed.
  init(reading text: String, of kind: Kind, changing before: ItemText? = nil) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.hasPrefix("#") && !line.allSatisfy(\.isWhitespace) {
      do {
        guard let colon = line.firstIndex(of: ":") else {
          throw UsageError("\(String(line).quoted) does not have the form 'field: value'")
        }
        let field = try Field.editable(line[..<colon].trimmingBlanks)
        try field.check(kind)
        var value = line[line.index(after: colon)...].trimmingBlanks
        if field == .description {
          value = ([value] + lines[(index + 1)...].map(String.init)).joined(separator: "\n").trimmingBlanks
        }
        values[field.word] = value
        if let before, value != before.values[field.word] {
          var any = Draft(Record(kind: kind, title: ""))
          try field.assign(field.values(in: value), to: &any)
        }
        if field == .description { return }
      } catch {
        let failure = Failure(error)
        throw Failure("line \(index + 1): \(failure.message)", hint: failure.hint)
      }
    }
  }

  /// The text for the editor.
  func text(about item: Item) -> String {
    var text = """
      # \(item.line.text(in: nil))
      # An empty value clears a field; separate several people, genres or tags with '; '.
      # Lines that begin with # and lines that you remove change nothing.

      """
    for field in Field.editable(of: item.record.kind) where field != .description {
      text += "\(field.word): \(values[field.word] ?? "")\n"
    }
    return text + "description:\n\(values[Field.description.word] ?? "")\n"
  }

  /// The changes from another text to this one. A field that is missing here is not changed.
  func changes(since before: ItemText, of kind: Kind) -> [FieldChange] {
    Field.editable(of: kind).compactMap { field in
      guard let value = values[field.word], value != before.values[field.word] else { return nil }
      return FieldChange(field: field, value: value)
    }
  }
}

/// A text of the editor that could not be written, kept with the text before the edit. A retry changes only the fields
/// that the person changed.
struct KeptItemText {
  /// The item that the first line names.
  var item: ItemID?
  /// The text that the person wrote.
  var text: String
  /// The text that the editor was opened with; nil when the file has none.
  var before: String?

  /// The separator line that git uses, too.
  private static let scissors = "# ------------------------ >8 ------------------------"

  init(file: String) {
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    // Below the last separator every line is a comment, so a description may contain such a line, too.
    let cut = lines.lastIndex { $0 == Self.scissors }
    text = lines[..<(cut ?? lines.endIndex)].joined(separator: "\n")
    before = cut.map { lines[$0...].dropFirst(2).map { String($0.dropFirst(2)) }.joined(separator: "\n") }
    // `# vinyl 3: Kind of Blue`
    let words = lines.first?.prefix { $0 != ":" }.split(separator: " ") ?? []
    if words.count == 3, words[0] == "#", Kind(rawValue: String(words[1])) != nil {
      item = Int64(words[2]).map(ItemID.init)
    }
  }

  /// The text to append below the person's text.
  static func appendix(before: String) -> String {
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false).map { "# \($0)" }
    return "\(scissors)\n# These are the old values. Keep them, so that no other change is undone.\n"
      + lines.joined(separator: "\n") + "\n"
  }
}
