internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog edit REF field=value…`, or `catalog edit REF` for the editor, or `--where QUERY` for many at once.
struct EditCommand: Command {
  static let info = CommandInfo<Self>(
    "edit", summary: "Change what is known of an item, or of many.",
    discussion: """
      field=value sets, an empty value clears, += adds to people and genres and -= takes from them. Without a change \
      the item opens in the editor ($VISUAL, $EDITOR). With --where all items that match are changed, after a look at \
      the differences.
      """,
    examples: [
      Example("catalog edit 42 year=1959 genre+=Jazz genre-=Pop", "Sets the year, changes the genres."),
      Example("catalog edit 42", "Opens item 42 in the editor."),
      Example("catalog edit --where \"kind:vinyl creator:davis\" label=Columbia", "Many at once."),
    ],
    arguments: [
      .positional(
        "words", \.words, isRequired: false, value: "REF|FIELD=VALUE", completion: .dynamic("items"),
        help: "Which one, then the changes. The fields are \(fieldNames)."),
      .option("where", short: "w", \.query, value: "QUERY", help: "Change all that match a query.").terms(Query.names),
    ])

  /// Every field's name, once.
  private static var fieldNames: String {
    EditableField.all.map(\.name).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }.joined(separator: ", ")
  }

  var words: [String] = []
  var query: String?

  private var changes: [FieldChange] { words.drop { FieldChange($0) == nil }.compactMap(FieldChange.init) }
  private var reference: [String] { Array(words.prefix { FieldChange($0) == nil }) }

  func validate() throws(UsageError) {
    let rest = words.dropFirst(reference.count)
    if let word = rest.first(where: { FieldChange($0) == nil }) {
      throw UsageError("\(word.quoted) is no change", hint: "write field=value; quote a value that has blanks")
    }
    if query == nil, reference.isEmpty {
      throw UsageError("what to edit is missing", hint: "for example: catalog edit 42 year=1959")
    }
    if query != nil {
      if let word = reference.first {
        throw UsageError("\(word.quoted) is no change", hint: "with --where there are only changes: field=value")
      }
      if changes.isEmpty { throw UsageError("--where needs a change", hint: "for example: genre+=Jazz") }
    }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    var edits: [Edit]
    if let query {
      edits = try store.ids(try Query(line: query, now: context.now())).map { try Edit(store.item($0)) }
      guard !edits.isEmpty else { throw Failure("no items match \(query.quoted)") }
    } else {
      edits = [Edit(try store.item(try context.item(reference.joined(separator: " "), in: store)))]
    }
    for index in edits.indices {
      if changes.isEmpty {
        let edit = edits[index]
        edits[index].after = try context.edit(edit.before.text(about: edit.item), named: "item-\(edit.item.id)") {
          text in
          var draft = edit.before
          try draft.read(text)
          try Store.check(draft.record)
          return draft
        }
      } else {
        for change in changes {
          try change.namingGenres { try store.genre(named: $0) ?? $0 }.apply(to: &edits[index].after)
        }
        try Store.check(edits[index].after.record)
      }
      // A genre is called what the catalog calls it.
      edits[index].after.genres = try edits[index].after.genres.map { try store.genre(named: $0) ?? $0 }
    }
    edits.removeAll { $0.after == $0.before }
    guard !edits.isEmpty else { return context.note("catalog: nothing changed") }
    try write(edits, in: context)
  }

  private func write(_ edits: [Edit], in context: Context) throws {
    let lines = edits.flatMap(\.lines)
    let count = edits.count == 1 ? "1 item" : "\(edits.count) items"
    if context.globals.isDryRun {
      for line in lines { try context.print(context.safe(line)) }
      return try context.print("would change \(count)")
    }
    if edits.count > 1 { try context.ask("Change these \(count)?", about: lines) }
    let store = try context.writing()
    try store.write {
      for edit in edits {
        try store.update(
          edit.item.id, with: edit.after.record,
          genres: edit.after.genres == edit.before.genres ? nil : edit.after.genres, now: context.timestamp)
      }
    }
    for line in lines { try context.print(context.safe(line)) }
    try context.print("changed \(count)")
  }
}

/// An item, and what it is to become.
private struct Edit {
  var item: Item
  var before: Draft
  var after: Draft

  init(_ item: Item) {
    self.item = item
    before = Draft(item)
    after = before
  }

  /// The item, and its differences below it.
  var lines: [String] { [item.line] + after.differences(from: before).map { "  " + $0 } }
}
