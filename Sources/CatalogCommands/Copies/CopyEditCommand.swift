internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog copy edit COPY …`: changes a copy.
struct CopyEditCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "edit", summary: "Edit the details of copies.",
    discussion:
      "'none' clears a value. Values that no option names stay. Several copies are changed together or not at all.",
    examples: [
      Example("catalog copy edit c7 --sleeve \"VG+\" --place K3/1", "Another grade and another place."),
      Example("catalog copy edit 42 --price none", "An item with one copy can be named by its own number."),
      Example("catalog copy edit c2 c3 c4 --place K9", "Moves three copies."),
      Example("catalog copy edit --where place:K1 --place K9", "Moves a whole shelf, after a question."),
    ],
    arguments: [
      .words(
        \.typed, isRequired: false, value: "COPY", completion: "copies",
        help: "Which copies: c7, or an item that has just one."),
      .option("where", short: "w", \.query, value: "QUERY", help: "The copies of all items that match a query.")
        .terms(Query.names),
    ] + CopyOptions.arguments.lifted(\.options))

  var typed = TypedReferences()
  var query: String?
  var options = CopyOptions()
  var result = ResultOptions()
  var isAboutMany: Bool { query != nil }

  func validate() throws(UsageError) {
    guard typed.isEmpty == (query == nil) else {
      if options.isEmpty {
        throw UsageError(
          "no change was given",
          hint: "for example: catalog copy edit \(typed.words.first?.shellWord ?? "c7") --media VG+")
      }
      return
    }
    throw UsageError(
      typed.isEmpty ? "no copy was named" : "name copies or give --where, not both",
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
        let face = try CopyFace(wanted, in: store)
        guard wanted != copy else {
          context.changes?.append(Change(.already, of: face))
          continue
        }
        isAny = true
        try context.would("would change \(face.line(in: context))", Change(of: face))
      }
      return isAny ? () : context.mention("nothing changed")
    }
    if query != nil, seen.count > 1 {
      try context.ask(
        "Change these \(seen.count) copies?", about: try seen.map { try CopyFace($0, in: store).line(in: context) })
    }
    let writable = try context.writable(store)
    let written = try context.settling { agreed in
      try writable.write {
        try seen.map { copy in
          try writable.changeCopy(copy.id) { facts in
            let now = facts.shown
            change(&facts)
            try Conflict(context.seen, now: now, wanted: facts.shown).check(agreed)
          }
        }
      }
    }
    for (before, after) in written {
      let face = try CopyFace(after, in: store)
      guard before != after else {
        context.changes?.append(Change(.already, of: face))
        continue
      }
      try context.did("changed \(face.line(in: context))", Change(of: face))
    }
    if written.allSatisfy({ $0.before == $0.after }) { context.mention("nothing changed") }
  }

  private func copies(in store: Store, _ context: Context) throws -> [Copy] {
    guard let query else { return try context.copies(typed, in: store) }
    let selected = try context.query(line: query, in: store)
    let copies = try store.copies(of: selected)
    guard !copies.isEmpty else { throw context.nothingMatches(selected, typed: [query]) }
    return copies
  }
}
