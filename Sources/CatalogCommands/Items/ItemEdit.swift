internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The changes to one item.
struct ItemEdit {
  var id: ItemID
  var changes: [FieldChange]
  /// The item as the person saw it before a wait, such as in the editor or on a page; nil without a wait.
  var seen: ItemText?

  /// The fields whose last change returns them to the sources.
  private var givenBack: [Field] {
    let named = changes.map(\.field).withoutRepeats(by: \.key)
    let givenBack = named.filter { field in changes.last { $0.field == field }?.operation == .giveBack }
    return (givenBack + givenBack.flatMap(\.linkedFields).filter { !named.contains($0) }).withoutRepeats(by: \.key)
  }

  /// Applies the changes to the item as it is now.
  /// - Returns: the conflicts: fields that someone changed meanwhile to another value, one line for each.
  func apply(to draft: inout Draft, in store: Store) throws -> [Message] {
    let now = ItemText(draft).values
    func names(_ genre: String) throws -> [String] {
      let names = try store.genres(named: genre)
      return names.isEmpty ? [genre] : names
    }
    for change in changes {
      switch (change.operation, change.field) {
      case (.giveBack, .genres): draft.genres = try store.labelledGenres(of: id) ?? draft.genres
      case (.giveBack, .cover): break
      case (.giveBack, let field): try field.check(draft.record.kind)
      default: try change.namingGenres(names).apply(to: &draft)
      }
    }
    // Genres and tags get the catalog's names, each once.
    draft.genres = try draft.genres.flatMap(names).withoutRepeats(by: \.self)
    draft.tags = draft.tags.map { (try? store.tag(named: $0).name) ?? $0 }
    guard let seen = seen?.values else { return [] }
    let wanted = ItemText(draft).values
    return changes.filter { $0.operation == .set }.compactMap { change in
      let name = change.field.word
      guard now[name] != seen[name], now[name] != wanted[name] else { return nil }
      return Conflict.line(change.field.noun, seen: seen[name] ?? "", now: now[name] ?? "", wanted: wanted[name] ?? "")
    }
  }
}

extension ItemEdit {
  /// The locked fields that this edit returns to their sources.
  func givesBack(in store: Store) throws -> [Field] {
    guard !givenBack.isEmpty else { return [] }
    let origins = try store.origins(of: store.item(id))
    return try givenBack.filter { field in
      try origins[field]?.isLocked == true && (field != .genres || store.labelledGenres(of: id) != nil)
    }
  }

  /// The messages about fields that are returned to their sources and keep their values for now.
  static func words(forGivenBack fields: [Field]) -> [Message] {
    fields.map { field in
      field == .genres ? "genre: as its labels say" : "\(field.noun): 'catalog refresh' may change it again"
    }
  }
}

/// The result of an edit.
struct WrittenEdit {
  var before: Item
  var after: Item
  /// The fields that are no longer locked.
  var givenBack: [Field] = []

  var isNothing: Bool {
    before.record == after.record && before.genres == after.genres && before.tags == after.tags && givenBack.isEmpty
  }

  /// The fields that changed or are no longer locked.
  var fields: [Field] {
    let (old, new) = (Draft(before), Draft(after))
    let changed = Field.editable(of: after.record.kind).filter { $0.text(of: new) != $0.text(of: old) }
    return (changed + givenBack).withoutRepeats(by: \.key)
  }

  /// One line for each changed field.
  func lines(in context: Context) -> [String] {
    let differences = Draft(after).differences(from: Draft(before), in: context)
    // A change of the genres shows that they were returned.
    let unchanged = givenBack.filter { $0 != .genres || before.genres == after.genres }
    return (differences + ItemEdit.words(forGivenBack: unchanged)).map(context.text)
  }
}

extension Context {
  /// Applies edits to the current items in one transaction.
  /// - Returns: the items that changed.
  func write(_ edits: [ItemEdit]) throws -> [WrittenEdit] {
    let store = try writing()
    return try settling { agreed in
      try store.write {
        var conflict = Conflict()
        var items: [WrittenEdit] = []
        for edit in edits {
          var (before, after) = try store.change(edit.id, now: timestamp) { draft in
            let lines = try edit.apply(to: &draft, in: store)
            if !lines.isEmpty {
              conflict.lines.append(try store.item(edit.id).line)
              conflict.lines += lines.map { "  \($0)" as Message }
            }
          }
          let givenBack = try store.giveBack(edit.givesBack(in: store), of: edit.id)
          if !givenBack.isEmpty { after = try store.item(edit.id) }
          let written = WrittenEdit(before: before, after: after, givenBack: givenBack)
          if !written.isNothing { items.append(written) }
        }
        try conflict.check(agreed)
        return items
      }
    }
  }
}
