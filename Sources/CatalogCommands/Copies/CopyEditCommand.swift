internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog copy edit COPY …`: changes what is said of a copy.
struct CopyEditCommand: Command {
  static let info = CommandInfo<Self>(
    "edit", summary: "Change what is said of copies.",
    discussion: "'none' clears what is said. What no option names stays. Several are changed together or not at all.",
    examples: [
      Example("catalog copy edit c7 --sleeve \"VG+\" --place K3/1", "Another grade and another place."),
      Example("catalog copy edit 42 --price none", "Of an item with one copy its number will do, too."),
      Example("catalog copy edit c2 c3 c4 --place K9", "Three copies move."),
      Example("catalog copy edit --where place:K1 --place K9", "A whole shelf moves, after a question."),
    ],
    arguments: [
      .positional(
        "copy", \.words, isRequired: false, value: "COPY", completion: .dynamic("copies"),
        help: "Which copies: c7, or an item that has just one."),
      .option("where", short: "w", \.query, value: "QUERY", help: "The copies of all items that match a query.")
        .terms(Query.names),
    ] + CopyOptions.arguments.lifted(\.options))

  var words: [String] = []
  var query: String?
  var options = CopyOptions()

  func validate() throws(UsageError) {
    guard words.isEmpty == (query == nil) else {
      if options.isEmpty {
        throw UsageError(
          "what to change is missing",
          hint: "for example: catalog copy edit \(words.first?.shellWord ?? "c7") --media VG+")
      }
      return
    }
    throw UsageError(
      words.isEmpty ? "which copies is missing" : "name copies or give --where, not both",
      hint: "for example: catalog copy edit c7 --place K3")
  }

  func run(in context: Context) throws {
    let change = try options.changes(in: context)
    let store = try context.changing()
    let seen = try copies(in: store, context)
    if context.globals.isDryRun {
      var isAny = false
      for copy in seen {
        var wanted = copy
        change(&wanted.facts)
        wanted.facts = try Store.check(wanted.facts)
        guard wanted != copy else { continue }
        isAny = true
        try context.print("would change \(try CopyFace(wanted, in: store).line(in: context))")
      }
      return isAny ? () : context.warn("nothing changed")
    }
    if query != nil, seen.count > 1 {
      try context.ask(
        "Change these \(seen.count) copies?", about: try seen.map { try CopyFace($0, in: store).line(in: context) })
    }
    let writable = try context.writable(store)
    let changed = try writable.write {
      try seen.map { try writable.changeCopy($0.id, change) }.filter { $0.before != $0.after }.map(\.after)
    }
    guard !changed.isEmpty else { return context.warn("nothing changed") }
    for copy in changed { try context.print("changed \(try CopyFace(copy, in: store).line(in: context))") }
  }

  private func copies(in store: Store, _ context: Context) throws -> [Copy] {
    guard let query else { return try context.copies(words, in: store) }
    let selected = try store.query(line: query, now: context.now())
    let copies = try store.copies(of: selected)
    guard !copies.isEmpty else { throw context.nothingMatches(selected, typed: [query]) }
    return copies
  }
}
