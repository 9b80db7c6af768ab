internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// What a person wants to have changed of one item.
struct ItemEdit {
  var id: ItemID
  var changes: [FieldChange]
  /// How the item was when the person saw it and began to think; nil when nobody waited for anything.
  var seen: ItemText?

  /// Changes the item as it is now.
  /// - Returns: what somebody else has changed meanwhile to another value than the person wants, a line a field.
  func apply(to draft: inout Draft, in store: Store) throws -> [String] {
    let now = ItemText(draft).values
    for change in changes {
      try change.namingGenres { try store.genre(named: $0) ?? $0 }.apply(to: &draft)
    }
    // A genre is called what the catalog calls it.
    draft.genres = try draft.genres.map { try store.genre(named: $0) ?? $0 }
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

extension Context {
  /// Carries out edits in one transaction, each applied to its item as it is by then.
  /// - Returns: the items that became others.
  func write(_ edits: [ItemEdit]) throws -> [(before: Item, after: Item)] {
    let store = try writing()
    return try settling { agreed in
      try store.write {
        var conflict = Conflict()
        let items = try edits.map { edit in
          try store.change(edit.id, now: timestamp) { record, genres in
            var draft = Draft(record, genres: genres)
            let lines = try edit.apply(to: &draft, in: store)
            (record, genres) = (draft.record, draft.genres)
            if !lines.isEmpty {
              conflict.lines.append("\(try store.item(edit.id).line)")
              conflict.lines += lines.map { "  \($0)" }
            }
          }
        }
        try conflict.check(agreed)
        return items.filter { $0.before.record != $0.after.record || $0.before.genres != $0.after.genres }
      }
    }
  }
}
