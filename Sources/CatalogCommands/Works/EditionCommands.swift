internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog edition …`: the editions of a work.
enum EditionCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "edition", aliases: ["editions"], summary: "Link editions of one work, or separate them.",
      discussion: """
        Two pressings, or two translations, stay two items that are linked: 'show' lists the others. 'add' links items \
        that look like editions of one work; these two commands do it by hand.
        """,
      examples: [Example("catalog edition add 17 42", "Links items 17 and 42 as editions of one work.")],
      [.command(EditionAddCommand.self), .command(EditionRemoveCommand.self)]))
}

/// `catalog edition add REF REF…`: declares items as editions of one work.
struct EditionAddCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Link items as editions of one work.",
    discussion: "Existing editions of each are linked too. The items must be of one kind.",
    examples: [Example("catalog edition add 17 42", "Two pressings of one record.")],
    arguments: [.words(\.typed, help: "Which ones: see 'catalog help references'.")])

  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try context.items(typed, in: store)
    guard ids.count > 1, let first = ids.first else {
      throw UsageError(
        "the item that it is another edition of is missing", hint: "for example: catalog edition add 17 42")
    }
    let work = context.safe(try store.item(first).line)
    func change(_ item: Item) -> Change { Change(of: item, [("edition_of", first.rawValue)]) }
    if context.globals.isDryRun {
      for id in ids.dropFirst() {
        let item = try store.item(id)
        try context.would("would be linked as another edition of \(work): \(context.safe(item.line))", change(item))
      }
      return
    }
    let joined = try context.writable(store).joinEditions(ids)
    for id in ids.dropFirst() {
      let item = try store.item(id)
      let line = context.safe(item.line)
      if joined.contains(id) {
        try context.did("another edition of \(work): \(line)", change(item))
      } else {
        context.already("already an edition of it: \(line)", change(item))
      }
    }
  }
}

/// `catalog edition remove REF…`: separates an item from the other editions.
struct EditionRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm"], summary: "Separate an item from the other editions.",
    discussion: "The item stays, and its other editions stay linked to each other.",
    examples: [Example("catalog edition remove 42", "Item 42 is no longer linked to other editions.")],
    arguments: [.words(\.typed, help: "Which ones: see 'catalog help references'.")])

  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try context.items(typed, in: store)
    let items = try ids.map { try store.item($0) }
    if context.globals.isDryRun {
      for item in items where try !store.editions(of: item.id).isEmpty {
        try context.would("would be separated from the other editions: \(context.safe(item.line))", Change(of: item))
      }
      return
    }
    let parted = try context.writable(store).partEditions(ids)
    for item in items {
      let line = context.safe(item.line)
      if parted.contains(item.id) {
        try context.did("separated from the other editions: \(line)", Change(of: item))
      } else {
        context.already("has no other editions: \(line)", Change(of: item))
      }
    }
  }
}

extension Item {
  /// One line that distinguishes it from other editions: `vinyl 17: Kind of Blue — Miles Davis (1997) · LP · Japan ·
  /// CBS`.
  var editionLine: Message {
    let edition = record.pressing ?? record.book.publisher
    return edition.map { $0.isEmpty ? line : "\(line) · \($0)" } ?? line
  }
}
