internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog list [QUERY]`: lists the catalog.
struct ListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List the items in the catalog.",
    discussion: """
      Without words it lists everything, the newest first. Words are searched for in titles, names, genres and codes, \
      on cards and in tracks; field:value terms narrow the search, with and, or, not and parentheses between them: see \
      'catalog help query'.
      """,
    examples: [
      Example("catalog list genre:jazz year:1955..1965", "Jazz of those years."),
      Example(
        "catalog list rating:4.. ^kind:vinyl --sort rating-,year", "Movies and books that you loved, best first."),
      Example("catalog list --template '$title ($year)' --limit 5", "The last five added, in a format of your own."),
      Example("catalog list --json=title,creators,year", "The same for a program."),
    ],
    arguments: ListOptions.arguments.lifted(\.options))

  var options = ListOptions()

  func validate() throws(UsageError) { try options.validate() }

  func run(in context: Context) throws { try options.list(in: context) }
}

/// `catalog movies [QUERY]`: lists the movies.
struct MoviesCommand: Command {
  static let info = CommandInfo<Self>(
    "movies", summary: "List your movies.", discussion: "The same as 'catalog list kind:movie'.",
    examples: [Example("catalog movies year:1994", "The movies of a year.")],
    arguments: ListOptions.arguments.lifted(\.options))

  var options = ListOptions()

  func validate() throws(UsageError) { try options.validate() }

  func run(in context: Context) throws { try options.list(.movie, in: context) }
}

/// `catalog books [QUERY]`: lists the books.
struct BooksCommand: Command {
  static let info = CommandInfo<Self>(
    "books", summary: "List your books.", discussion: "The same as 'catalog list kind:book'.",
    examples: [Example("catalog books creator:한강", "The books of an author.")],
    arguments: ListOptions.arguments.lifted(\.options))

  var options = ListOptions()

  func validate() throws(UsageError) { try options.validate() }

  func run(in context: Context) throws { try options.list(.book, in: context) }
}

/// `catalog vinyl [QUERY]`: lists the vinyl records.
struct VinylCommand: Command {
  static let info = CommandInfo<Self>(
    "vinyl", aliases: ["records"], summary: "List your records.", discussion: "The same as 'catalog list kind:vinyl'.",
    examples: [Example("catalog vinyl genre:jazz --sort year", "Your jazz records, the oldest first.")],
    arguments: ListOptions.arguments.lifted(\.options))

  var options = ListOptions()

  func validate() throws(UsageError) { try options.validate() }

  func run(in context: Context) throws { try options.list(.vinyl, in: context) }
}

/// The options of `list` and its shortcuts for one kind.
struct ListOptions: OptionGroup {
  static var arguments: [Argument<ListOptions>] {
    [
      .query(\.words),
      OrderOptions.sort.lifted(\.rows),
      .option(
        "columns", short: "c", \.columns, separator: ",",
        help: "Show these fields: id,title,added_at. See 'catalog help fields'."),
      OrderOptions.limit.lifted(\.rows),
      .option(
        "template", short: "t", \.template,
        help: "Print a line in your own format for each: '$title ($year)'; \\t is a tab, \\n a line break."),
    ] + TableOptions.arguments.lifted(\.table)
  }

  var words: [String] = []
  var rows = OrderOptions()
  var columns: [Field] = []
  var template: ListingTemplate?
  var table = TableOptions()

  func validate() throws(UsageError) {
    if case .only = table.fields, !columns.isEmpty {
      throw UsageError("--json=FIELDS names the fields already: leave out --columns")
    }
    guard template != nil, table.format != nil || !columns.isEmpty else { return }
    throw UsageError(
      "--template cannot be combined with --json, --jsonl, --csv, --tsv or --columns",
      hint: "write a field as $title")
  }

  /// Lists the items that match the words, of one kind or all.
  func list(_ kind: Kind? = nil, in context: Context) throws {
    let store = try context.reading()
    var query = try context.query(words, in: store)
    if let kind { query.require(.kind(kind)) }
    let form = template.map(ListingForm.template) ?? .format(table.format(on: context.terminal))
    let listing = Listing(
      query: query, fields: try fields(for: query, form), order: rows.order, limit: rows.limit?.number)
    let count = try context.paged { context in
      let count = try listing.write(as: form, from: store, in: context)
      if case .format(.fitted) = form, count > 1 { try context.print(Footnote(count.counted("item", "items"))) }
      return count
    }
    guard count > 0 else { throw nothing(query, kind, in: context) }
  }

  private func fields(for query: Query, _ form: ListingForm) throws -> [Field] {
    if let template { return template.fields }
    if !columns.isEmpty { return columns }
    let kind = query.onlyKind
    let usual: [Field]
    switch form {
    // If all items are of one kind, the kind and the fields of other kinds are left out.
    case .format(.fitted), .format(.tsv): usual = Field.usual.filter { kind == nil || $0 != .kind }
    default: usual = Field.listed(of: kind)
    }
    return try Field.selected(by: table, or: usual)
  }

  private func nothing(_ query: Query, _ kind: Kind?, in context: Context) -> Failure {
    if words.isEmpty {
      return Failure(
        kind.map { "there are no \($0.things) yet" } ?? "the catalog is empty",
        hint: "look something up: catalog search dune")
    }
    return context.nothingMatches(query, typed: words, kind?.thing ?? "item", isListing: true)
  }
}
