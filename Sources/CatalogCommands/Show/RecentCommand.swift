internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog recent …`: the recently viewed items and results.
enum RecentCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "recent", aliases: ["recents"], summary: "List the last ten items viewed, or remove some of them.",
      discussion: """
        Showing an item or a result counts as viewing it. Viewing it again moves it to the front; the list holds ten. \
        Other commands take @1, @2, … for the items of this list.
        """,
      examples: [
        Example("catalog recent", "The last ten."), Example("catalog add @1", "Adds the last viewed to its shelf."),
      ],
      default: AnyCommand(RecentListCommand.self),
      [.command(RecentListCommand.self), .command(RecentRemoveCommand.self)]))
}

/// `catalog recent list`: lists the last ten.
struct RecentListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List the last ten items viewed, the newest first.",
    examples: [Example("catalog recent list --json", "For a program.")],
    arguments: RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let recents = try store.recents()
    let viewed = try zip(1..., recents).map { (name: "@\($0)", recent: $1, record: try $1.record(in: store)) }
    let listing = try Table(
      viewed,
      [
        .init("id", "", importance: 9, style: .cyan, \.name), .hidden("recent", \.name),
        .init("kind", "Kind", importance: 4, isWord: true, \.record.kind),
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8, style: .bold, \.record.title),
        .init("creators", "By", isFlexible: true, minimumWidth: 10, importance: 6, \.record.creators),
        .init("year", "Year", alignment: .right, importance: 7, \.record.year),
        .init("item", "Item", alignment: .right, importance: 5, \.recent.item),
        .init("viewed_at", "Viewed", importance: 3) { context.cell($0.recent.viewedAt) },
        .hidden("source", \.recent.externalID?.source), .hidden("source_id", \.recent.externalID?.value),
      ])
    try context.write(listing, table, rows)
    if recents.isEmpty { throw Failure("nothing was viewed yet", hint: "view something: catalog show WORDS") }
  }
}

/// `catalog recent remove REF…`: removes some of the recents, or all after a question.
struct RecentRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove items from the recents.",
    discussion: "Items stay on their shelves and in the favorites.",
    examples: [
      Example("catalog recent remove @2 @5", "The second and the fifth."),
      Example("catalog recent remove --all", "All of them, after a question."),
    ],
    arguments: [
      .words(
        \.typed, isRequired: false, completion: "recents",
        help: "Which ones: @1, @2, …, or see 'catalog help references'."),
      .flag("all", short: "a", \.takesAll, help: "All of them, after a question."),
    ])

  var typed = TypedReferences()
  var takesAll = false
  var result = ResultOptions()
  var isAboutMany: Bool { takesAll }

  func validate() throws(UsageError) { try typed.validate(orAll: takesAll) }

  func run(in context: Context) throws {
    let store = try context.changing()
    let recents = try store.recents()
    if takesAll, recents.isEmpty { return context.mention("nothing was viewed yet") }
    let views = try takesAll ? recents : chosen(among: recents, in: store, context)
    guard !views.isEmpty else { return }
    try context.remove(
      views.map { ($0.id, context.text(try $0.line(in: store))) },
      asking: takesAll ? "Remove all \(views.count) from the recents?" : nil,
      as: { id in
        guard let place = recents.firstIndex(where: { $0.id == id }) else { return Change(.done, []) }
        let (recent, number): (RecentView, Change.Members) = (recents[place], [("recent", "@\(place + 1)")])
        if let item = recent.item { return Change(of: try store.item(item), number) }
        return Change(of: try recent.record(in: store), number)
      },
      plan: { "would be removed from the recents: \($0)" }, outcome: { "removed from the recents: \($0)" }
    ) { try context.writable(store).removeRecents(views).map(\.id) }
  }

  /// The views that the words mean, each once. A target without a view is printed.
  private func chosen(among recents: [RecentView], in store: Store, _ context: Context) throws -> [RecentView] {
    try context.parts(of: typed).flatMap { part -> [RecentView] in
      if case .reference(.recent(let number)) = part { return [try context.recent(number, among: recents)] }
      return try context.targets(part.typed, for: .changing, in: store).compactMap { target in
        let view = recents.first { view in
          switch target {
          case .item(let id): view.item == id
          case .candidate(let candidate): view.externalID == candidate.id
          }
        }
        if view == nil {
          var hint: Message = "'catalog recent' lists them"
          if case .item(let id) = target, part == .reference(.item(id)), let number = Int(exactly: id.rawValue),
            recents.indices.contains(number - 1)
          {
            hint = "for the one in that place: catalog recent remove @\(number)"
          }
          context.note(Failure("not among the recents: \(try context.line(of: target, in: store))", hint: hint))
        }
        return view
      }
    }.withoutRepeats(by: \.id)
  }
}
