internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// What a person wants to have changed of one item.
struct ItemEdit {
  var id: ItemID
  var changes: [FieldChange]
  /// How the item was when the person saw it and began to think; nil when nobody waited for anything.
  var seen: ItemText?

  /// The fields that are given back to its sources, whatever else was typed of them before.
  private var givenBack: [Field] {
    let named = changes.map(\.field).withoutRepeats(by: \.key)
    let givenBack = named.filter { field in changes.last { $0.field == field }?.operation == .giveBack }
    return (givenBack + givenBack.flatMap(\.saidTogether).filter { !named.contains($0) }).withoutRepeats(by: \.key)
  }

  /// Changes the item as it is now.
  /// - Returns: what somebody else has changed meanwhile to another value than the person wants, a line a field.
  func apply(to draft: inout Draft, in store: Store) throws -> [String] {
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
    // A genre is called what the catalog calls it, and stands once; so is a tag.
    draft.genres = try draft.genres.flatMap(names).withoutRepeats(by: \.self)
    draft.tags = draft.tags.map { (try? store.tag(named: $0).name) ?? $0 }
    guard let seen = seen?.values else { return [] }
    let wanted = ItemText(draft).values
    return changes.filter { $0.operation == .set }.compactMap { change in
      let name = change.field.word
      guard now[name] != seen[name], now[name] != wanted[name] else { return nil }
      func shown(_ values: [String: String]) -> String { Draft.shown(values[name] ?? "") }
      return "\(name): \(shown(seen)) → \(shown(now)); yours is \(shown(wanted))"
    }
  }
}

extension ItemEdit {
  /// The fields that are a person's by now and go back to what sources say.
  func givesBack(in store: Store) throws -> [Field] {
    guard !givenBack.isEmpty else { return [] }
    let origins = try store.origins(of: store.item(id))
    return try givenBack.filter { field in
      try origins[field]?.isLocked == true && (field != .genres || store.labelledGenres(of: id) != nil)
    }
  }

  /// What is said of fields that are given back and stay as they are.
  static func words(forGivenBack fields: [Field]) -> [Message] {
    fields.map { field in
      field == .genres ? "genre: what its labels stand for" : "\(field.word): 'catalog refresh' may change it again"
    }
  }
}

/// What became of an edit.
struct WrittenEdit {
  var before: Item
  var after: Item
  /// The fields that are no more a person's.
  var givenBack: [Field] = []

  var isNothing: Bool {
    before.record == after.record && before.genres == after.genres && before.tags == after.tags && givenBack.isEmpty
  }

  /// What became another, and what is no more a person's.
  var fields: [Field] {
    let (old, new) = (Draft(before), Draft(after))
    let changed = Field.editable(of: after.record.kind).filter { $0.text(of: new) != $0.text(of: old) }
    return (changed + givenBack).withoutRepeats(by: \.key)
  }

  /// A line a field.
  func lines(_ text: (Message) -> String) -> [String] {
    let differences = Draft(after).differences(from: Draft(before))
    // That genres changed says that they were given back.
    let unchanged = givenBack.filter { $0 != .genres || before.genres == after.genres }
    return differences + ItemEdit.words(forGivenBack: unchanged).map(text)
  }
}

extension Context {
  /// Carries out edits in one transaction, each applied to its item as it is by then.
  /// - Returns: the items that became others.
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
              conflict.lines.append("\(try store.item(edit.id).line)")
              conflict.lines += lines.map { "  \($0)" }
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
