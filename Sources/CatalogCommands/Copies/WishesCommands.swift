internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog wishes …`: the wish list.
enum WishesCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "wishes", summary: "List wishes, or remove them.",
      discussion: "'catalog wish' makes and changes them. In queries wished:yes finds the items.",
      examples: [
        Example("catalog wishes", "The open wishes, the newest first."),
        Example("catalog wishes tie w3 42", "Links wish w3, which is in words, to item 42."),
      ],
      default: AnyCommand(WishListCommand.self), takingWords: true,
      [.command(WishListCommand.self), .command(WishTieCommand.self), .command(WishRemoveCommand.self)]))
}

/// `catalog wishes list`: lists the wishes.
struct WishListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List wishes, the newest first.",
    examples: [
      Example("catalog wishes --all", "Fulfilled wishes too."),
      Example("catalog wishes kind:vinyl", "The records that you wish for."),
    ],
    arguments: [
      .query(\.words),
      .flag("all", short: "a", \.listsAll, help: "Fulfilled wishes too."),
    ] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var listsAll = false
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try context.query(words, in: store)
    let wishes = try store.wishes(matching: query, withFulfilled: listsAll)
    let rows = try wishes.map { wish -> (wish: Wish, title: String, record: Record?, item: ItemID?) in
      let item: Item? = if case .item(let id) = wish.subject { try store.item(id) } else { nil }
      return (wish, try wish.title(in: store), item?.record, item?.id)
    }
    let listing = try Table(
      rows,
      [
        .init("id", "", importance: 9, style: .cyan, \.wish.id), .hidden("wish", \.wish.id),
        .init("item", "Item", alignment: .right, importance: 4, \.item),
        .init("kind", "Kind", importance: 3, isWord: true) { row -> Kind? in
          if case .words(_, let kind) = row.wish.subject { kind } else { row.record?.kind }
        },
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8, style: .bold, \.title),
        .init("creators", "By", isFlexible: true, minimumWidth: 10, importance: 5) { $0.record?.creators ?? [] },
        .init("year", "Year", alignment: .right, importance: 2) { $0.record?.year ?? $0.record?.released?.year },
        .init(
          "price_limit", "Up to", alignment: .right, importance: 7, \.wish.terms.limit,
          shown: { $0.wish.terms.limit?.text(in: context.moneyLanguage) }),
        .init("note", "Note", isFlexible: true, minimumWidth: 10, importance: 6, \.wish.terms.note),
        .init("wished_at", "Wished", importance: 1) { context.cell($0.wish.createdAt) },
        .init("fulfilled_at", "Fulfilled", importance: 1, isHidden: !listsAll) { context.cell($0.wish.fulfilledAt) },
      ])
    try context.write(listing, table, self.rows)
    guard !wishes.isEmpty else {
      guard words.isEmpty else { throw context.nothingMatches(query, typed: words, "wish") }
      throw Failure(
        listsAll ? "nothing was wished for yet" : "nothing is wished for", hint: "wish for something: catalog wish r1")
    }
  }
}

/// `catalog wishes tie WISH REF`: connects a wish by words with an item.
struct WishTieCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "tie", summary: "Link a wish in words to an item.",
    discussion: "If you own the item, the wish is fulfilled.",
    examples: [Example("catalog wishes tie w3 42", "Links wish w3 to item 42.")],
    arguments: [
      .positional("wish", \.wish, help: "The wish's number."),
      .words(\.typed),
    ])

  var wish = WishID(rawValue: 0)
  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let before = try store.wish(wish)
    let id = try context.item(typed, in: store)
    let line = context.safe(try store.item(id).line)
    if before.subject == .item(id) {
      return try context.already("\(before.id) is for \(line) already", Change(of: before, in: store))
    }
    if context.globals.isDryRun {
      return try context.would("would link \(before.id) to \(line)", Change(of: before, in: store))
    }
    let after = try context.writable(store).tie(wish, to: id, now: context.timestamp)
    try context.did(
      after.fulfilledAt == nil ? "\(after.id) is for \(line)" : "\(after.id) is fulfilled: \(line)",
      Change(of: after, in: store))
  }
}

/// `catalog wishes remove WISH…`: removes wishes.
struct WishRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove wishes; their items stay.",
    discussion: "For several wishes it asks. A wish that changes before you answer is not removed.",
    examples: [Example("catalog wishes remove w3", "Removes wish w3.")],
    arguments: [.positional("wish", \.numbers, help: "The wishes' numbers.")]
  )

  var numbers: [WishID] = []
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let wishes = try numbers.withoutRepeats { $0 }.map(store.wish)
    try context.removeUnchanged(
      wishes.map { ($0.id, context.text(try $0.line(in: store, context))) },
      asking: wishes.count > 1 ? "Remove these \(wishes.count) wishes?" : nil,
      as: { id in try Change(of: store.wish(id), in: store) },
      plan: { "would remove the wish \($0)" }, outcome: { "removed the wish \($0)" }
    ) { try context.writable(store).removeWishes(wishes).map(\.id) }
  }
}
