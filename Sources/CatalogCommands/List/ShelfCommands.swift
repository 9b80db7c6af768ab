internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog shelf …`: shows a shelf, and manages saved queries.
enum ShelfCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "shelf", summary: "Flip through a shelf, nine covers a page, or save a query under a name.",
      discussion: ShelfCommand.info.description.discussion,
      examples: ShelfCommand.info.description.examples + [
        Example("catalog shelf save bop genre:bebop year:1940..1960", "From now on @bop stands for that query."),
        Example("catalog shelf @bop", "Its items, nine covers a page."),
        Example("catalog list @bop rating:4..", "It can be used in any query, together with other terms."),
      ],
      default: AnyCommand(ShelfCommand.self), takingWords: true,
      [.command(ShelfSaveCommand.self), .command(ShelfSavedCommand.self), .command(ShelfForgetCommand.self)]))
}

/// `catalog shelf save NAME QUERY…`: saves a query under a name.
struct ShelfSaveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "save", summary: "Save a query under a name, to be used as @NAME.",
    discussion: """
      @NAME can be used in any query, also in another saved query, but not in its own. The query is saved as you type \
      it: one with added:-2w.. means the last two weeks whenever it is used. Case, accents and hyphens in names make \
      no difference. A name cannot be digits alone: @1 is a recent item. A query with a name that exists replaces the \
      old one, after a question.
      """,
    examples: [
      Example("catalog shelf save fresh added:-2w..", "@fresh is what you added in the last two weeks."),
      Example("catalog shelf save \"to hear\" 'kind:vinyl not (@fresh or cards:any)'", "Uses another saved query."),
    ],
    arguments: [
      .positional("name", \.name, help: "The name; in quotes when it has blanks."),
      .query(\.words, isRequired: true),
    ])

  var name = ""
  var words: [String] = []
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let query = SavedQuery(name.hasPrefix("@") ? String(name.dropFirst()) : name, words)
    let known = try store.savedQueries()[query.name]
    if known?.arguments == query.arguments { return context.already("nothing changed", query.change) }
    // Errors in the query come before the question.
    try store.check(query, now: context.now())
    let found = try store.count(context.query(words, in: store))
    let line: Message =
      "\(context.safe(query.reference)): \(context.safe(query.spelled)) (\(found.counted("item", "items")))"
    if context.globals.isDryRun { return try context.would("would save \(line)", query.change) }
    if let known {
      try context.ask(
        "Replace \(known.reference)?", about: ["  \(known.spelled) → \(query.spelled)"])
    }
    try context.writable(store).save(query, over: known, now: context.now())
    try context.did("saved \(line)", query.change)
  }
}

/// `catalog shelf saved`: lists the saved queries.
struct ShelfSavedCommand: Command {
  static let info = CommandInfo<Self>(
    "saved", aliases: ["list"], summary: "List the saved queries.",
    examples: [Example("catalog shelf saved", "Their names, the queries, and how many items they find.")],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let saved = try store.savedQueries()
    var listing = Table(columns: [
      .init("name", "Name", isFlexible: true, minimumWidth: 8, importance: 9),
      .init("query", "Query", isFlexible: true, minimumWidth: 16, importance: 7),
      .init("items", "Items", alignment: .right, importance: 5),
    ])
    listing.rows = saved.all.map { query in
      // A query that another program wrote may be invalid.
      let count = (try? context.query([query.reference], in: store)).flatMap {
        try? store.count($0)
      }
      return [
        .init(value: .text(query.name), shown: query.reference, style: .cyan), .init(query.spelled), .init(count),
      ]
    }
    try context.write(listing, table)
    guard !listing.rows.isEmpty else {
      throw Failure("there is no saved query yet", hint: "save one: catalog shelf save fresh added:-2w..")
    }
  }
}

/// `catalog shelf forget NAME…`: removes saved queries.
struct ShelfForgetCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "forget", aliases: ["remove", "rm"], summary: "Delete saved queries; items stay.",
    examples: [Example("catalog shelf forget fresh", "Deletes @fresh.")],
    arguments: [
      .positional("name", \.names, completion: .dynamic("saved"), help: "Which ones, with or without the '@'.")
    ])

  var names: [String] = []
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let names = names.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
    let saved = try store.savedQueries()
    // As with a tag that is gone, the catalog is in the wanted state already.
    for name in names where saved[name] == nil {
      context.changes?.append(Change(.already, [("name", name)]))
      context.note(try context.absence(.noSavedQuery(name), in: store) ?? Failure(CatalogError.noSavedQuery(name)))
    }
    let kept = names.compactMap { saved[$0] }
    if context.globals.isDryRun {
      for query in kept {
        try context.would(
          "would delete \(context.safe(query.reference)): \(context.safe(query.spelled))", query.change)
      }
      return
    }
    guard !kept.isEmpty else { return }
    let gone = try context.suggesting(in: store) { try context.writable(store).forgetQueries(kept.map(\.name)) }
    for query in gone {
      try context.did("deleted \(context.safe(query.reference)): \(context.safe(query.spelled))", query.change)
    }
  }
}

extension SavedQuery {
  /// The query's name as a term: `@bop`, `@"to hear"`.
  var reference: String { Query(.saved(name, .all([]))).description }

  /// The change that saves or removes it.
  fileprivate var change: Change { Change(.done, [("name", name), ("query", spelled)]) }

  /// The query as typed in a shell.
  var spelled: String { arguments.map(\.shellWord).joined(separator: " ") }
}
