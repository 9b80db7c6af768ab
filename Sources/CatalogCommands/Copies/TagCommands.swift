internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog tag …`: the tags of items.
enum TagCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "tag", aliases: ["tags"], summary: "Tag items, or list your tags.",
      discussion: """
        Queries find a tag by tag:WORD, and by plain words too. Case, accents and hyphens in names make no difference. \
        A tag disappears when its last item loses it.
        """,
      examples: [
        Example("catalog tag add winter 42 57", "Two items for the winter."),
        Example("catalog list tag:winter", "The items with the tag."),
      ],
      default: AnyCommand(TagListCommand.self),
      [
        .command(TagAddCommand.self), .command(TagRemoveCommand.self), .command(TagRenameCommand.self),
        .command(TagListCommand.self),
      ]))
}

/// `catalog tag add TAG REF…`: adds a tag to items.
struct TagAddCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Add a tag to items.",
    discussion: """
      A new name makes a new tag. A result that is not on its shelf is added first. With --where it shows the items, \
      and asks.
      """,
    examples: [
      Example("catalog tag add winter 42 57", "Items 42 and 57."),
      Example("catalog tag add winter r1", "A result of the last search: added, and tagged."),
      Example("catalog tag add \"signed copies\" --where \"place:K1\"", "All that match a query."),
    ],
    arguments: [
      .positional("tag", \.name, completion: .dynamic("tags"), help: "The tag; in quotes when it has blanks.")
    ]
      + SelectionOptions.arguments.lifted(\.selection))

  var name = ""
  var selection = SelectionOptions()
  var result = ResultOptions()
  var isAboutMany: Bool { selection.query != nil }

  func validate() throws(UsageError) { try selection.validate(example: "catalog tag add winter 42") }

  func run(in context: Context) throws {
    var store = try context.changing()
    _ = try Store.checkName(name)
    let known = try? store.tag(named: name)
    let shown = context.safe(known?.name ?? name.trimmingBlanks)
    let targets = try selection.targets(in: store, context)
    if context.globals.isDryRun {
      for target in targets {
        try context.would(
          "would be tagged \(shown.quoted): \(context.safe(try context.line(of: target, in: store)))",
          Change(of: target, in: store, [("tag", known?.name ?? name.trimmingBlanks)]))
      }
      return
    }
    let items = targets.compactMap { if case .item(let id) = $0 { id } else { nil } }
    try selection.ask("Add the tag \(shown.quoted) to these \(items.count) items?", about: items, in: store, context)
    // Results are added with the tag first, since their source may fail.
    var new: [ItemID] = []
    let ids = try targets.compactMap { target -> ItemID? in
      if case .item(let id) = target { return id }
      return try context.write(to: target, in: &store) { new += try $0.addTag(name, to: [$1]).new }
    }
    store = try context.writable(store)
    new += try store.addTag(name, to: items).new
    let tag = try store.tag(named: name)
    if known == nil, !context.isQuiet { context.note("\(tag.name.quoted) is a new tag") }
    for id in ids {
      let item = try store.item(id)
      let line = context.safe(item.line)
      let change = Change(of: item, [("tag", tag.name)])
      if new.contains(id) {
        try context.did("tagged \(context.safe(tag.name).quoted): \(line)", change)
      } else {
        context.already("already tagged \(tag.name.quoted): \(line)", change)
      }
    }
  }
}

/// `catalog tag remove TAG REF…`: removes a tag from items.
struct TagRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove a tag from items, or from all items.",
    discussion: "The items stay. With --where and --all it shows the items, and asks.",
    examples: [
      Example("catalog tag remove winter 42", "Removes the tag from item 42."),
      Example("catalog tag remove winter --all", "Removes it from all items, and so deletes it."),
    ],
    arguments: [.positional("tag", \.name, completion: .dynamic("tags"), help: "The tag.")]
      + SelectionOptions.arguments.lifted(\.selection)
      + [.flag("all", short: "a", \.takesAll, help: "All that have it.")])

  var name = ""
  var selection = SelectionOptions()
  var takesAll = false
  var result = ResultOptions()
  var isAboutMany: Bool { takesAll || selection.query != nil }

  func validate() throws(UsageError) {
    guard takesAll else { return try selection.validate(example: "catalog tag remove winter 42") }
    if !selection.isEmpty { throw UsageError("'--all' cannot be combined with REF or --where") }
  }

  func run(in context: Context) throws {
    let store = try context.changing()
    let named = takesAll ? [] : try selection.items(in: store, context)
    let tag: Tag
    do {
      tag = try context.suggesting(in: store) { try store.tag(named: name) }
    } catch let failure as Failure {
      // A tag without items does not exist, so the catalog is in the wanted state already.
      for id in named {
        context.changes?.append(Change(.already, of: try store.item(id), [("tag", name.trimmingBlanks)]))
      }
      return context.note(failure)
    }
    let having = try Set(store.ids(Query(.field(.tags, [.equals(tag.name)]))))
    let items = takesAll ? having.sorted() : named
    let ids = items.filter(having.contains)
    func change(_ id: ItemID) throws -> Change { Change(of: try store.item(id), [("tag", tag.name)]) }
    for id in items where !having.contains(id) && selection.query == nil {
      try context.already("not tagged \(tag.name.quoted): \(try store.item(id).line)", change(id))
    }
    guard !ids.isEmpty else {
      if selection.query != nil { context.mention("none of them has the tag \(tag.name.quoted)") }
      return
    }
    let shown = context.safe(tag.name).quoted
    let question: Message =
      ids.count == 1
      ? "Remove the tag \(shown) from this item?" : "Remove the tag \(shown) from these \(ids.count) items?"
    try context.remove(
      ids.map { ($0, context.text(try store.item($0).line)) },
      asking: takesAll || selection.query != nil ? question : nil, as: change,
      plan: { "would no longer be tagged \(shown): \($0)" }, outcome: { "no longer tagged \(shown): \($0)" }
    ) { try context.suggesting(in: store) { try context.writable(store).removeTag(name, from: ids).items } }
    if (try? store.tag(named: name)) == nil { try context.tellQueries(asking: .tags, for: tag.name, in: store) }
  }
}

/// `catalog tag rename TAG NAME`: renames a tag.
struct TagRenameCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "rename", summary: "Rename a tag, or merge it with another.",
    discussion: "If the new name is that of another tag, the two are merged, after a question.",
    examples: [
      Example("catalog tag rename xmas \"for christmas\"", "The same items, another name."),
      Example("catalog tag rename chrismas christmas --yes", "Merges two tags, without a question."),
    ],
    arguments: [
      .positional("tag", \.name, completion: .dynamic("tags"), help: "The tag."),
      .positional("name", \.other, completion: .dynamic("tags"), help: "Its new name."),
    ])

  var name = ""
  var other = ""
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let tag = try context.suggesting(in: store) { try store.tag(named: name) }
    let wanted = try Store.checkName(other)
    let joined = Folding.nameKey(wanted) == Folding.nameKey(tag.name) ? nil : try? store.tag(named: wanted)
    let items = tag.items.counted("item", "items")
    let line: Message =
      joined.map { "\(context.safe(tag.name)) → \(context.safe($0.name)), which already exists (\(items))" }
      ?? "\(context.safe(tag.name)) → \(context.safe(wanted)) (\(items))"
    let change = Change(.done, [("tag", joined?.name ?? wanted), ("before", tag.name), ("items", tag.items)])
    if tag.name == wanted { return context.already("nothing changed", change) }
    if context.globals.isDryRun { return try context.would("would rename \(line)", change) }
    if joined != nil { try context.ask("Merge both tags?", about: [context.text("  \(line)")]) }
    let renaming = try context.suggesting(in: store) {
      try context.writable(store).renameTag(name, to: other, joins: joined != nil)
    }
    try context.did("renamed \(line)", change)
    for query in renaming.queries {
      context.note("the saved query \(("@" + query.name).quoted) now asks for \(renaming.after.name.quoted)")
    }
  }
}

/// `catalog tag list`: lists the tags.
struct TagListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List your tags.",
    examples: [Example("catalog tags", "All tags, and how many items have each.")],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    let tags = try context.reading().tags()
    let listing = try Table(
      tags,
      [
        .init("tag", "Tag", isFlexible: true, minimumWidth: 12, importance: 9, style: .cyan, \.name),
        .init("items", "Items", alignment: .right, importance: 8, \.items),
      ])
    try context.write(listing, table)
    if tags.isEmpty { throw Failure("there is no tag yet", hint: "put one on an item: catalog tag add winter 42") }
  }
}
