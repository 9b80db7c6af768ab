internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The items of a command: some by their references, or all that match a query.
struct SelectionOptions: OptionGroup {
  static var arguments: [Argument<SelectionOptions>] {
    [
      .words(\.typed, isRequired: false, help: "Which ones: see 'catalog help references'."),
      .option("where", short: "w", \.query, value: "QUERY", help: "All that match a query instead.").terms(Query.names),
    ]
  }

  var typed = TypedReferences()
  var query: String?

  var isEmpty: Bool { typed.isEmpty && query == nil }

  /// - Parameter missing: the error when there are neither references nor a query.
  func validate(_ missing: Message = "no item was named", example: String) throws(UsageError) {
    guard typed.isEmpty == (query == nil) else { return }
    throw UsageError(
      typed.isEmpty ? missing : "name items or give --where, not both", hint: "for example: \(example)")
  }

  /// The items, each once.
  /// - Throws: ``Failure`` when there is none.
  func items(for use: ReferenceUse = .changing, in store: Store, _ context: Context) throws -> [ItemID] {
    guard let query else { return try context.items(typed, for: use, in: store).withoutRepeats { $0 } }
    let selected = try context.query(line: query, in: store)
    let ids = try store.ids(selected)
    guard !ids.isEmpty else { throw context.nothingMatches(selected, typed: [query]) }
    return ids
  }

  /// The targets, each once; results that are not in the catalog are allowed.
  func targets(in store: Store, _ context: Context) throws -> [ResolvedReference] {
    if query == nil { return try context.targets(typed, in: store).withoutRepeats { $0 } }
    return try items(in: store, context).map(ResolvedReference.item)
  }

  /// Asks when a query has more than one match.
  func ask(_ question: Message, about ids: [ItemID], in store: Store, _ context: Context) throws {
    guard query != nil, ids.count > 1 else { return }
    try context.ask(question, about: ids.map { context.text(try store.item($0).line) })
  }
}

extension TypedReferences {
  /// - Throws: ``UsageError`` unless there are either references or `--all`.
  func validate(orAll takesAll: Bool) throws(UsageError) {
    guard isEmpty == takesAll else {
      throw takesAll ? UsageError("'--all' cannot be combined with REF") : UsageError("missing REF")
    }
  }
}
