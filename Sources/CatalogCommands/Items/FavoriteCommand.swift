internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog favorite REF…`: makes favorites, or renews the time of those that are.
struct FavoriteCommand: Command {
  static let info = CommandInfo<Self>(
    "favorite", aliases: ["fav", "love"], summary: "Make items your favorites.",
    discussion: "A result that is not on its shelf is added first. A favorite that is named again becomes the newest.",
    examples: [
      Example("catalog favorite 42", "Item 42 is a favorite."),
      Example("catalog favorite r1 r3", "Two results of the last search: added, and favorites."),
    ],
    arguments: [
      .positional("ref", \.words, completion: .dynamic("items"), help: "Which ones: see 'catalog help references'.")
    ])

  var words: [ReferenceWord] = []

  func run(in context: Context) throws {
    var store = try context.changing()
    for target in try context.targets(words, in: store) {
      if context.globals.isDryRun {
        try context.print("would become a favorite: \(context.safe(try context.line(of: target, in: store)))")
        continue
      }
      var isNew = true
      let id = try context.write(to: target, in: &store) { store, id in
        isNew = try store.favorite(id, now: context.timestamp)
      }
      guard let id else { continue }
      let line = context.safe(try store.item(id).line)
      try context.print(isNew ? "favorite: \(line)" : "a favorite again: \(line)")
    }
  }
}

/// `catalog unfavorite REF…`.
struct UnfavoriteCommand: Command {
  static let info = CommandInfo<Self>(
    "unfavorite", aliases: ["unfav"], summary: "Take items from your favorites.",
    discussion: "They stay on their shelves and among the recents.",
    examples: [Example("catalog unfavorite 42", "Item 42 is no favorite any more.")],
    arguments: [
      .positional("ref", \.words, completion: .dynamic("items"), help: "Which ones: see 'catalog help references'.")
    ])

  var words: [ReferenceWord] = []

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try context.items(words, in: store)
    var wereNone = true
    for id in ids {
      let item = try store.item(id)
      let line = context.safe(item.line)
      if item.favoriteSince == nil {
        context.warn("not a favorite: \(item.line)")
        continue
      }
      wereNone = false
      if context.globals.isDryRun {
        try context.print("would be no favorite any more: \(line)")
      } else {
        try context.writable(store).unfavorite(id)
        try context.print("no favorite any more: \(line)")
      }
    }
    if wereNone { throw SilentFailure(status: .failed) }
  }
}
