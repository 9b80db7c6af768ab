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

  /// Whether its genres shall be what its labels stand for, and no more a person's choice.
  var restoresGenres: Bool { changes.last { $0.field == .genres }?.operation == .restore }

  /// Changes the item as it is now.
  /// - Returns: what somebody else has changed meanwhile to another value than the person wants, a line a field.
  func apply(to draft: inout Draft, in store: Store) throws -> [String] {
    let now = ItemText(draft).values
    func names(_ genre: String) throws -> [String] {
      let names = try store.genres(named: genre)
      return names.isEmpty ? [genre] : names
    }
    for change in changes {
      if change.operation == .restore {
        draft.genres = try store.labelledGenres(of: id) ?? draft.genres
      } else {
        try change.namingGenres(names).apply(to: &draft)
      }
    }
    // A genre is called what the catalog calls it, and stands once.
    draft.genres = try draft.genres.flatMap(names).withoutRepeats(by: \.self)
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
  /// Whether the item's genres are a person's choice by now, and go back to its labels.
  func givesBack(in store: Store) throws -> Bool {
    try restoresGenres && store.hasGenresByHand(id) && store.labelledGenres(of: id) != nil
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
        var items: [(before: Item, after: Item)] = []
        for edit in edits {
          var (before, after) = try store.change(edit.id, now: timestamp) { record, genres in
            var draft = Draft(record, genres: genres)
            let lines = try edit.apply(to: &draft, in: store)
            (record, genres) = (draft.record, draft.genres)
            if !lines.isEmpty {
              conflict.lines.append("\(try store.item(edit.id).line)")
              conflict.lines += lines.map { "  \($0)" }
            }
          }
          var isOther = before.record != after.record || before.genres != after.genres
          if try edit.givesBack(in: store) {
            try store.restoreGenres(of: edit.id)
            after = try store.item(edit.id)
            isOther = true
          }
          if isOther { items.append((before, after)) }
        }
        try conflict.check(agreed)
        return items
      }
    }
  }
}
