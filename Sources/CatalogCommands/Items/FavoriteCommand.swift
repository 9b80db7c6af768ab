internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog favorite REF…`: marks items as favorites.
struct FavoriteCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "favorite", aliases: ["fav", "love"], summary: "Add items to your favorites.",
    discussion: "A result that is not on its shelf is added first. An item that is already a favorite keeps its date.",
    examples: [
      Example("catalog favorite 42", "Item 42 is a favorite."),
      Example("catalog favorite r1 r3", "Two results of the last search: added, and favorites."),
    ],
    arguments: [.words(\.typed, help: "Which ones: see 'catalog help references'.")])

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    var store = try context.changing()
    for target in try context.targets(typed, in: store) {
      if context.globals.isDryRun {
        let line = try context.line(of: target, in: store)
        if case .item(let id) = target, try store.item(id).favoriteSince != nil {
          try context.already("already a favorite: \(line)", Change(of: store.item(id)))
        } else {
          try context.would("would become a favorite: \(context.safe(line))", Change(of: target, in: store))
        }
        continue
      }
      var isNew = true
      let id = try context.write(to: target, in: &store) { store, id in
        isNew = try store.favorite(id, now: context.timestamp)
      }
      guard let id else { continue }
      let item = try store.item(id)
      let change = Change(of: item, [("favorite_at", item.favoriteSince?.rawValue)])
      if isNew {
        try context.did("favorite: \(context.safe(item.line))", change)
      } else {
        context.already("already a favorite: \(item.line)", change)
      }
    }
  }
}

/// `catalog unfavorite REF…`: removes some favorites, or all after a question.
struct UnfavoriteCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "unfavorite", aliases: ["unfav"], summary: "Remove items from your favorites.",
    discussion: "The items stay on their shelves and in the recents.",
    examples: [
      Example("catalog unfavorite 42 57", "Removes items 42 and 57 from the favorites."),
      Example("catalog unfavorite --all --dry-run", "Shows which would be removed; without --dry-run it asks."),
    ],
    arguments: [
      .words(\.typed, isRequired: false, help: "Which ones: see 'catalog help references'."),
      .flag("all", short: "a", \.takesAll, help: "All of them, after a question."),
    ])

  var typed = TypedReferences()
  var takesAll = false
  var result = ResultOptions()
  var isAboutMany: Bool { takesAll }

  func validate() throws(UsageError) { try typed.validate(orAll: takesAll) }

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try takesAll ? store.favorites() : context.items(typed, in: store)
    let items = try ids.withoutRepeats { $0 }.map(store.item)
    for item in items where item.favoriteSince == nil {
      context.already("not a favorite: \(item.line)", Change(of: item))
    }
    let favorites = items.filter { $0.favoriteSince != nil }
    guard !favorites.isEmpty else {
      if takesAll { context.mention("there is no favorite") }
      return
    }
    try context.remove(
      favorites.map { ($0.id, context.text($0.line)) },
      asking: takesAll ? "Remove all \(favorites.count) from your favorites?" : nil,
      as: { Change(of: try store.item($0)) },
      plan: { "would be removed from favorites: \($0)" }, outcome: { "removed from favorites: \($0)" }
    ) { try context.writable(store).unfavorite(favorites.map(\.id)) }
  }
}
