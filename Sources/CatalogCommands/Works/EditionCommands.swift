internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog edition …`: which items are editions of one work.
enum EditionCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "edition", aliases: ["editions"], summary: "Say which items are editions of one work.",
      discussion: """
        Two pressings, or two translations, stay two items and know of each other: 'show' tells the others. 'add' joins \
        what it takes for another edition; these two commands do it by hand.
        """,
      examples: [Example("catalog edition add 17 42", "Items 17 and 42 are one work.")],
      [.command(EditionAddCommand.self), .command(EditionRemoveCommand.self)]))
}

/// `catalog edition add REF REF…`: items become editions of one work.
struct EditionAddCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Make items editions of one work.",
    discussion: "Each brings the editions that it already has. They must be of one kind.",
    examples: [Example("catalog edition add 17 42", "Two pressings of one record.")],
    arguments: [
      .positional("ref", \.words, completion: .dynamic("items"), help: "Which ones: see 'catalog help references'.")
    ])

  var words: [ReferenceWord] = []

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try context.items(words, in: store)
    guard ids.count > 1, let first = ids.first else {
      throw UsageError("of what it is another edition is missing", hint: "for example: catalog edition add 17 42")
    }
    let work = context.safe(try store.item(first).line)
    if context.globals.isDryRun {
      for id in ids.dropFirst() {
        try context.print("would be another edition of \(work): \(context.safe(try store.item(id).line))")
      }
      return
    }
    let joined = try context.writable(store).joinEditions(ids)
    for id in ids.dropFirst() {
      let line = context.safe(try store.item(id).line)
      if joined.contains(id) {
        try context.print("another edition of \(work): \(line)")
      } else {
        context.warn("an edition of it already: \(line)")
      }
    }
    if joined.isEmpty { throw SilentFailure(status: .failed) }
  }
}

/// `catalog edition remove REF…`: an item becomes a work of its own.
struct EditionRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm"], summary: "Make an item a work of its own.",
    discussion: "The item stays, and the other editions stay editions of each other.",
    examples: [Example("catalog edition remove 42", "Item 42 is no edition of anything.")],
    arguments: [
      .positional("ref", \.words, completion: .dynamic("items"), help: "Which ones: see 'catalog help references'.")
    ])

  var words: [ReferenceWord] = []

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try context.items(words, in: store)
    let lines = try ids.map { ($0, context.safe(try store.item($0).line)) }
    if context.globals.isDryRun {
      for (id, line) in lines where try !store.editions(of: id).isEmpty {
        try context.print("would be a work of its own: \(line)")
      }
      return
    }
    let parted = try context.writable(store).partEditions(ids)
    for (id, line) in lines {
      if parted.contains(id) {
        try context.print("a work of its own: \(line)")
      } else {
        context.warn("a work of its own already: \(line)")
      }
    }
    if parted.isEmpty { throw SilentFailure(status: .failed) }
  }
}

extension Item {
  /// One line that tells it from other editions: `vinyl 17: Kind of Blue — Miles Davis (1997) · LP · Japan · CBS`.
  var editionLine: String {
    let edition = record.pressing ?? record.book.publisher
    return edition.map { $0.isEmpty ? line : "\(line) · \($0)" } ?? line
  }
}
