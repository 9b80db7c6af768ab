internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog pile …`: ordered lists of items.
enum PileCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "pile", aliases: ["piles"], summary: "Keep lists in your own order, such as what to watch next.",
      discussion: """
        Without a command it lists the piles, or the items of one. Queries find a pile by pile:NAME. Case, accents and \
        hyphens in names make no difference.
        """,
      examples: [
        Example("catalog pile add next 42 57", "Two items at the end of the pile 'next'."),
        Example("catalog pile next", "Its items, in order."),
        Example("catalog pile move next 57 first", "Item 57 goes to the top."),
      ],
      default: AnyCommand(PileListCommand.self), takingWords: true,
      [
        .command(PileAddCommand.self), .command(PileMoveCommand.self), .command(PileRemoveCommand.self),
        .command(PileListCommand.self),
      ]))
}

/// `catalog pile add NAME REF…`: adds items to a pile.
struct PileAddCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Add items to the end of a pile.",
    discussion: "A new name makes a new pile. Items that are already on the pile keep their place.",
    examples: [
      Example("catalog pile add next 42 57", "Items 42 and 57, in this order."),
      Example("catalog pile add \"for winter\" \"war and peace\"", "Put a name with blanks in quotes."),
    ],
    arguments: [
      .positional("name", \.name, completion: .dynamic("piles"), help: "The pile; in quotes when it has blanks."),
      .words(\.typed, help: "Which ones: see 'catalog help references'."),
    ])

  var name = ""
  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let name = try Store.checkName(name)
    let ids = try context.items(typed, in: store).withoutRepeats { $0 }
    if context.globals.isDryRun {
      for id in ids {
        let item = try store.item(id)
        try context.would(
          "would be added to the pile \(context.safe(name).quoted): \(context.safe(item.line))",
          Change(of: item, [("pile", name)]))
      }
      return
    }
    let isNew = (try? store.pile(named: name)) == nil
    let (pile, new) = try context.writable(store).addToPile(name, ids)
    if isNew, !context.isQuiet { context.note("\(pile.name.quoted) is a new pile") }
    for (place, id) in zip((pile.items - new.count + 1)..., new) {
      let item = try store.item(id)
      try context.did(
        "\(context.safe(pile.name)) \(place): \(context.safe(item.line))",
        Change(of: item, [("pile", pile.name), ("position", place)]))
    }
    for id in ids where !new.contains(id) {
      let item = try store.item(id)
      context.already(
        "already on the pile \(pile.name.quoted): \(item.line)", Change(of: item, [("pile", pile.name)]))
    }
  }
}

/// `catalog pile move NAME REF PLACE`: moves an item within a pile.
struct PileMoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "move", aliases: ["mv"], summary: "Move an item to another place in a pile.",
    discussion: "Places count from 1; a number beyond the end is the last place. The other items move up.",
    examples: [
      Example("catalog pile move next 57 first", "Item 57 goes to the top."),
      Example("catalog pile move next war and peace 3", "A book goes to the third place."),
    ],
    arguments: [
      .positional("name", \.name, completion: .dynamic("piles"), help: "The pile."),
      .words(\.typed),
      .positional("place", \.place, help: "The new place: a number from 1, first or last."),
    ])

  var name = ""
  var typed = TypedReferences()
  var place = PilePlace.last
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let pile = try context.suggesting(in: store) { try store.pile(named: name) }
    let id = try context.item(typed, in: store)
    let item = try store.item(id)
    let line = context.safe(item.line)
    func change(_ number: Int) -> Change {
      Change(of: item, [("pile", pile.name), ("position", number)])
    }
    guard try store.items(onPile: name).contains(id) else { throw CatalogError.notOnPile(id, pile.name) }
    if context.globals.isDryRun {
      let number: Int =
        switch place {
        case .number(let number): min(number, pile.items)
        case .last: pile.items
        }
      return try context.would("would be \(context.safe(pile.name)) \(number): \(line)", change(number))
    }
    let number = try context.writable(store).move(id, onPile: name, to: place)
    try context.did("\(context.safe(pile.name)) \(number): \(line)", change(number))
  }
}

/// `catalog pile remove NAME REF…`: removes items from a pile.
struct PileRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove items from a pile, or the whole pile.",
    discussion: "The items stay in the catalog. With --all it asks, and removes the pile.",
    examples: [
      Example("catalog pile remove next 42", "Removes item 42 from it; the others move up."),
      Example("catalog pile remove next --all", "Removes the pile; its items stay."),
    ],
    arguments: [
      .positional("name", \.name, completion: .dynamic("piles"), help: "The pile."),
      .words(\.typed, isRequired: false, help: "Which ones: see 'catalog help references'."),
      .flag("all", short: "a", \.takesAll, help: "The whole pile, after a question."),
    ])

  var name = ""
  var typed = TypedReferences()
  var takesAll = false
  var result = ResultOptions()
  var isAboutMany: Bool { takesAll }

  func validate() throws(UsageError) { try typed.validate(orAll: takesAll) }

  func run(in context: Context) throws {
    let store = try context.changing()
    let pile: Pile
    do {
      pile = try context.suggesting(in: store) { try store.pile(named: name) }
    } catch let failure as Failure {
      // As with a tag that is gone, the catalog is in the wanted state already.
      for id in try takesAll ? [] : context.items(typed, in: store).withoutRepeats(by: \.self) {
        context.changes?.append(Change(.already, of: try store.item(id), [("pile", name.trimmingBlanks)]))
      }
      return context.note(failure)
    }
    let shown = context.safe(pile.name).quoted
    let items = try store.items(onPile: name)
    let named = try takesAll ? items : context.items(typed, in: store).withoutRepeats { $0 }
    let ids = named.filter(items.contains)
    func change(_ id: ItemID) throws -> Change { Change(of: try store.item(id), [("pile", pile.name)]) }
    for id in named where !items.contains(id) {
      try context.already("not on the pile \(pile.name.quoted): \(try store.item(id).line)", change(id))
    }
    if ids.isEmpty, !takesAll { return }
    let things = try ids.map { (id: $0, line: context.text(try store.item($0).line)) }
    func plan(_ line: String) -> Message { "would be removed from the pile \(shown): \(line)" }
    guard takesAll else {
      try context.remove(
        things, asking: nil, as: change, plan: plan, outcome: { "removed from the pile \(shown): \($0)" }
      ) { try context.writable(store).removeFromPile(name, ids).gone }
      return
    }
    let question: Message = "Remove the pile \(shown) with \(items.count.counted("item", "items"))?"
    let changes = context.changes == nil ? [] : try ids.map(change)
    if context.globals.isDryRun { for change in changes { context.changes?.append(change, .planned) } }
    guard try context.mayRemove(things.map(\.line), asking: question, plan: plan) else { return }
    try context.writable(store).removePile(name)
    for change in changes { context.changes?.append(change) }
    try context.print("removed the pile \(shown)")
    try context.tellQueries(asking: .piles, for: pile.name, in: store)
  }
}

/// `catalog pile list [NAME]`: lists the piles, or the items of one.
struct PileListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List the piles, or the items of one.",
    examples: [
      Example("catalog pile list", "The piles."), Example("catalog pile list next", "The items of one, in order."),
    ],
    arguments: [
      .phrase("name", \.name, isRequired: false, completion: .dynamic("piles"), help: "The items of this pile.")
    ] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var name: String?
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    if let name { return try list(name, in: store, context) }
    let piles = try store.piles()
    let listing = try Table(
      piles,
      [
        .init("pile", "Pile", isFlexible: true, minimumWidth: 12, importance: 9, style: .cyan, \.name),
        .init("items", "Items", alignment: .right, importance: 8, \.items),
      ])
    try context.write(listing, table, rows)
    if piles.isEmpty { throw Failure("there is no pile yet", hint: "start one: catalog pile add next 42") }
  }

  private func list(_ name: String, in store: Store, _ context: Context) throws {
    let items = try context.suggesting(in: store) { try store.items(onPile: name) }
    let placed = try zip(1..., items).map { (place: $0, item: try store.item($1)) }
    let listing = try Table(
      placed,
      [
        .init("position", "", alignment: .right, importance: 9, \.place),
        .init("id", "Item", alignment: .right, importance: 7, style: .cyan, \.item.id),
        .hidden("item", \.item.id), .init("kind", "Kind", importance: 3, isWord: true, \.item.record.kind),
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8, style: .bold, \.item.record.title),
        .init("creators", "By", isFlexible: true, minimumWidth: 10, importance: 6, \.item.record.creators),
        .init("year", "Year", alignment: .right, importance: 5) {
          $0.item.record.year ?? $0.item.record.released?.year
        },
      ])
    try context.write(listing, table, rows)
    if items.isEmpty {
      throw Failure(
        "the pile \(name.quoted) is empty", hint: "add an item to it: catalog pile add \(name.shellWord) 42")
    }
  }
}
