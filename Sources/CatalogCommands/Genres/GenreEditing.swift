internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// Shows what an edit of the genres changes, asks when it is more than one item, and carries it out.
  /// - Parameter question: `Rename Jazz to Swing?`
  func carryOut(_ edit: GenreEdit, asking question: Message) throws {
    let store = try reading()
    let preview = try suggesting(from: store) { try store.preview(edit) }
    func told(_ change: GenreChange, _ outcome: Change.Outcome) -> Change {
      Change(
        outcome, [("items", change.items), ("changes", change.isEmpty ? [] : change.lines(on: Terminal(in: nil)))])
    }
    guard !preview.isEmpty else { return already("nothing to change", told(preview, .already)) }
    if globals.isDryRun {
      changes?.append(told(preview, .planned))
      for line in preview.lines(on: terminal) { try print(verbatim: safe(line)) }
      return try print("would change \(Self.items(preview.items))")
    }
    if preview.items > 1 {
      try ask(question, about: preview.lines(on: terminal) + [text("  \(Self.items(preview.items)) would change")])
    }
    // Another program may have been quicker: what is said is what was done.
    let change = try writing().apply(edit)
    guard !change.isEmpty else { return already("nothing to change", told(change, .already)) }
    changes?.append(told(change, .done))
    for line in change.lines(on: terminal) { try print(verbatim: safe(line)) }
    try print("changed \(Self.items(change.items))")
  }

  private static func items(_ count: Int) -> Message { count == 0 ? "no item" : count.counted("item", "items") }

  /// Says which genre was perhaps meant by a name that is none.
  private func suggesting<T>(from store: Store, _ body: () throws -> T) throws -> T {
    do { return try body() } catch CatalogError.noGenre(let name) {
      var failure = Failure(CatalogError.noGenre(name))
      failure.message += Suggestion.phrase(for: name, among: try store.genreNames())
      throw failure
    }
  }
}

extension GenreChange {
  /// The changes, one line for each genre or label, then their consequences, indented.
  func lines(on terminal: Terminal) -> [String] {
    func text(_ message: Message) -> String { message.text(on: terminal) }
    var lines = steps.map { step in
      guard let label = step.label else {
        return "\(step.before.joined(separator: " › ")) → \(step.after.joined(separator: " › "))"
      }
      func meaning(_ genres: [String], _ none: String) -> String {
        genres.isEmpty ? none : genres.joined(separator: ", ")
      }
      let holds = [label.source == "any" ? nil : label.source, label.kind?.rawValue].compactMap(\.self)
      return "\(label.label)\(holds.isEmpty ? "" : " (\(holds.joined(separator: ", ")))"): "
        + "\(meaning(step.before, text("(nothing)"))) → \(meaning(step.after, text("(noise)")))"
    }
    if !children.isEmpty { lines.append(text("  with what is below: \(Self.shortened(children))")) }
    if !labels.isEmpty {
      let labels = labels.map { "\($0.label) (\($0.source))" }
      lines.append(text("  labels: \(Self.shortened(labels))"))
    }
    if itemsByHand > 0 {
      lines.append(
        text(
          Message(
            counting: itemsByHand, one: "  \(itemsByHand) item keeps the genres that you gave it",
            many: "  \(itemsByHand) items keep the genres that you gave them")))
    }
    return lines
  }

  /// The first of many, and how many more there are.
  private static func shortened(_ texts: [String], to count: Int = 8) -> Message {
    texts.count <= count
      ? Message(verbatim: texts.joined(separator: ", "))
      : "\(texts.prefix(count - 1).joined(separator: ", ")), … and \(texts.count - count + 1) more"
  }
}
