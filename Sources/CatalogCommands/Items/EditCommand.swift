internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog edit REF field=value…`, `catalog edit REF` for the editor, or `--where QUERY` for many items.
struct EditCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "edit", summary: "Edit the fields of one item, or of many.",
    discussion: """
      field=value sets, an empty value clears, += adds people, genres and tags and -= removes them. Values that you \
      set are locked: 'catalog refresh' does not change them, and 'show --fields' lists them. 'year!' unlocks a field \
      for its sources, 'genres!' restores the genres of the item's labels. The command asks before it creates a new \
      genre.

      Without a change the item opens in the editor ($VISUAL, $EDITOR). With --where all items that match are changed, \
      after it shows the differences and asks. Only your changes are written: other changes made in the meantime stay, \
      and if they are to the same field you are asked. Text from the editor that could not be saved is kept in a file, \
      which --resume takes.
      """,
    examples: [
      Example("catalog edit 42 year=1959 genre+=Jazz genre-=Pop", "Sets the year, changes the genres."),
      Example("catalog edit 42 tag+=winter tag-=new", "Adds a tag to it, and removes another."),
      Example("catalog edit 42 genres!", "Restores the genres of its source."),
      Example("catalog edit 42 year!", "The next 'catalog refresh' may change the year again."),
      Example("catalog edit 42", "Opens item 42 in the editor."),
      Example("catalog edit --where \"kind:vinyl creator:davis\" label=Columbia", "Many at once."),
    ],
    arguments: [
      .positional(
        "words", \.words, isRequired: false, value: "REF|FIELD=VALUE", completion: .dynamic("edit"),
        help: "Which one, then the changes. The fields are \(fieldNames)."
      ).terms(Field.all.filter(\.isEditable).map(\.word), sign: "="),
      .option("where", short: "w", \.query, value: "QUERY", help: "Change all that match a query.").terms(Query.names),
      .option(
        "resume", \.file, value: "FILE", completion: .files,
        help: "Save the edited text that could not be saved earlier."),
    ])

  private static var fieldNames: String { Field.all.filter(\.isEditable).map(\.word).joined(separator: ", ") }

  var words: [EditWord] = []
  var query: String?
  var file: String?
  var result = ResultOptions()
  var isAboutMany: Bool { query != nil }

  private var changes: [FieldChange] {
    words.compactMap { word in if case .change(let change) = word { change } else { nil } }
  }
  /// The words before the first change.
  private var reference: TypedReferences {
    TypedReferences(words: Self.references(in: words.prefix { if case .reference = $0 { true } else { false } }))
  }

  private static func references(in words: some Sequence<EditWord>) -> [String] {
    words.compactMap { word in if case .reference(let text) = word { text } else { nil } }
  }

  func validate() throws(UsageError) {
    if let word = Self.references(in: words.dropFirst(reference.words.count)).first {
      throw UsageError("\(word.quoted) is not a change", hint: "write field=value; quote a value that has blanks")
    }
    if file != nil {
      guard query == nil, changes.isEmpty else {
        throw UsageError("--resume takes no other change", hint: "for example: catalog edit --resume FILE")
      }
      return
    }
    if query == nil, reference.isEmpty {
      throw UsageError("no item to edit was named", hint: "for example: catalog edit 42 year=1959")
    }
    if query != nil {
      if let word = reference.words.first {
        throw UsageError("\(word.quoted) is not a change", hint: "with --where there are only changes: field=value")
      }
      if changes.isEmpty { throw UsageError("--where needs a change", hint: "for example: genre+=Jazz") }
    }
  }

  func run(in context: Context) throws {
    if let file { return try resume(file, in: context) }
    let store = try context.reading()
    guard let query else {
      let id = try context.item(reference, in: store)
      if changes.isEmpty { return try edit(store.item(id), in: store, context) }
      let seen = context.seen.flatMap { $0.fields.isEmpty ? nil : ItemText(shown: $0.fields) }
      return try tell(write([ItemEdit(id: id, changes: changes, seen: seen)], in: store, context), context)
    }
    let selected = try context.query(line: query, in: store)
    let ids = try store.ids(selected)
    guard !ids.isEmpty else { throw context.nothingMatches(selected, typed: [query]) }
    try tell(write(ids.map { ItemEdit(id: $0, changes: changes) }, in: store, context), context)
  }

  /// Opens an item in the editor.
  private func edit(_ item: Item, in store: Store, _ context: Context) throws {
    let (before, kind) = (ItemText(Draft(item)), item.record.kind)
    let text = before.text(about: item)
    let edited = try context.edit(
      text, named: "item-\(item.id)", appendix: KeptItemText.appendix(before: text),
      retry: { "catalog edit --resume \($0)" }
    ) { text in
      let changes = try ItemText(reading: text, of: kind, changing: before).changes(since: before, of: kind)
      let edit = ItemEdit(id: item.id, changes: changes, seen: before)
      // Errors come while the editor can be opened again.
      _ = try Preview(edit, in: store, context)
      return edit
    }
    try tell(edited.written { try write([$0], in: store, context) }, context)
  }

  /// Applies the kept text of an editor.
  private func resume(_ file: String, in context: Context) throws {
    let kept = KeptItemText(file: try context.typedText(of: file))
    let store = try context.reading()
    guard let id = try reference.isEmpty ? kept.item : context.item(reference, in: store) else {
      throw Failure(
        "the first line of \(file.quoted) names no item", hint: "name it: catalog edit 42 --resume \(file.shellWord)")
    }
    let item = try store.item(id)
    let kind = item.record.kind
    let before = try kept.before.map { try ItemText(reading: $0, of: kind) }
    let known = before ?? ItemText(Draft(item))
    let changes = try ItemText(reading: kept.text, of: kind, changing: known).changes(since: known, of: kind)
    let edit = ItemEdit(id: id, changes: changes, seen: before)
    // Without the earlier text, the person's changes cannot be told from those of others since.
    try tell(write([edit], in: store, context, asks: before == nil), context)
  }

  /// Asks the questions and writes.
  /// - Parameter asks: whether to ask about a single item, too.
  /// - Returns: the changed items; nil when nothing was to be written.
  private func write(
    _ edits: [ItemEdit], in store: Store, _ context: Context, asks: Bool = false
  ) throws -> [WrittenEdit]? {
    try context.agree(toNewGenres: edits.flatMap { $0.changes.flatMap(\.namedGenres) }, in: store)
    let looked = try edits.map { try Preview($0, in: store, context) }
    let preview = looked.filter { !$0.differences.isEmpty }
    for same in looked where same.differences.isEmpty { context.changes?.append(Change(.already, of: same.item)) }
    let lines = preview.flatMap { [context.text($0.item.line)] + $0.differences.map { "  " + $0 } }
    guard !preview.isEmpty else {
      context.mention("nothing changed")
      return nil
    }
    if context.globals.isDryRun {
      for change in preview { context.changes?.append(Change(.planned, of: change.item)) }
      for line in lines { try context.print(verbatim: context.safe(line)) }
      try context.print("would change \(Self.items(preview.count))")
      return nil
    }
    var edits = preview.map(\.edit)
    if preview.count > 1 || asks {
      try context.ask(
        preview.count == 1 ? "Change this item?" : "Change these \(preview.count) items?", about: lines)
      // While the question was open, others may have changed the items.
      for (index, change) in preview.enumerated() { edits[index].seen = ItemText(Draft(change.item)) }
    }
    return try context.write(edits)
  }

  private func tell(_ written: [WrittenEdit]?, _ context: Context) throws {
    guard let written else { return }
    for edit in written {
      context.changes?.append(Change(of: edit.after, [("fields", edit.fields.map(\.name))]))
      try context.print(verbatim: context.safe(edit.before.line))
      for line in edit.lines(in: context) { try context.print(verbatim: context.safe("  " + line)) }
    }
    try context.print("changed \(Self.items(written.count))")
  }

  private static func items(_ count: Int) -> Message { count == 0 ? "no item" : count.counted("item", "items") }
}

/// The effect that an edit would have now.
private struct Preview {
  var edit: ItemEdit
  var item: Item
  /// One line for each field that changes.
  var differences: [String]

  init(_ edit: ItemEdit, in store: Store, _ context: Context) throws {
    (self.edit, item) = (edit, try store.item(edit.id))
    var after = Draft(item)
    _ = try edit.apply(to: &after, in: store)
    try Store.check(after.record)
    var changed = item
    (changed.record, changed.genres, changed.tags) = (after.record, after.genres, after.tags)
    differences = WrittenEdit(before: item, after: changed, givenBack: try edit.givesBack(in: store)).lines(in: context)
  }
}
