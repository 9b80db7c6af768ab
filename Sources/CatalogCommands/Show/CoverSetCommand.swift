internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Lookup
internal import Processes

/// `catalog cover set REF FILE`: sets a cover of the person's own, which no source replaces.
struct CoverSetCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "set", summary: "Set the cover of an item to your own picture.",
    discussion: """
      The picture is a JPEG, PNG, WebP or GIF of at most \(mostBytes.size). It is stored in the catalog, and 'catalog \
      refresh' does not change it: after 'catalog edit 42 cover!' the cover comes from the sources again.
      """,
    examples: [
      Example("catalog cover set 42 sleeve.jpg", "A photograph of your own copy."),
      Example("catalog cover set 42 -", "A picture from standard input."),
    ],
    arguments: [
      .words(\.typed),
      .positional("file", \.file, completion: .files, help: "The picture; - is standard input."),
    ] + ResultOptions.arguments.lifted(\.result))

  /// The greatest size of a picture in bytes, the same as for an answer of a source.
  static let mostBytes = Request.usualSizeLimit

  var typed = TypedReferences()
  var file = ""
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let item = try store.item(context.item(typed, in: store))
    let (bytes, name) = try context.picture(file, atMost: Self.mostBytes)
    guard let cover = Cover(image: bytes) else { throw Failure(noPicture: name) }
    let size = "\(cover.width ?? 0) × \(cover.height ?? 0)"
    let change = Change(of: item, [("bytes", bytes.count)])
    if context.globals.isDryRun {
      return try context.would("would be the cover: \(size), \(bytes.count.size): \(context.safe(item.line))", change)
    }
    try context.writable(store).setCoverByHand(cover, of: item.id, now: context.timestamp)
    try context.did("the cover now: \(size), \(bytes.count.size): \(context.safe(item.line))", change)
  }
}

/// `catalog cover remove REF…`: removes covers.
struct CoverRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove the covers of items.",
    discussion: "The next 'catalog cover REF' or 'catalog refresh REF' fetches a source's cover again.",
    examples: [Example("catalog cover remove 42", "Removes the cover of item 42.")],
    arguments: [
      .words(\.typed, help: "Which ones: see 'catalog help references'.")
    ] + ResultOptions.arguments.lifted(\.result))

  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let items = try context.items(typed, in: store).withoutRepeats(by: \.self).map { try store.item($0) }
    let having = items.filter(\.hasCover)
    for item in items where !item.hasCover {
      context.already("it has no cover: \(item.line)", Change(of: item))
    }
    guard !having.isEmpty else { return }
    try context.remove(
      having.map { ($0.id, context.text($0.line)) },
      asking: having.count == 1 ? nil : "Remove the covers of these \(having.count) items?",
      as: { Change(of: try store.item($0)) }, plan: { "would lose its cover: \($0)" },
      outcome: { "removed the cover: \($0)" }
    ) {
      let store = try context.writable(store)
      return try store.write { try having.map(\.id).filter { try store.removeCover(of: $0) } }
    }
  }
}
