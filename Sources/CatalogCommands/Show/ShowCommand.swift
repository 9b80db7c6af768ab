internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog show REF`: shows everything known about an item or result, and records the view.
struct ShowCommand: Command {
  static let info = CommandInfo<Self>(
    "show", summary: "Show everything known about an item or a result.",
    discussion: """
      Showing counts as viewing: the last ten are listed by 'catalog recent'. The pictures, portraits, screenshots and \
      videos are numbered: 'catalog cover REF --picture 3' draws one, 'catalog open REF --video 1' opens one.

      --json prints all of it: see docs/output.md. --json=FIELDS, --jsonl, --csv and --tsv print the fields of an item \
      as 'catalog list' does: one object, or one row. --fields lists the source and the date of each value instead, \
      and the values that are locked because you typed them. These do not count as views.
      """,
    examples: [
      Example("catalog show 42", "Everything about item 42."),
      Example("catalog show r1", "The first result of the last search, asked of its source in full."),
      Example("catalog show kind of blue", "The item of that title."),
      Example("catalog show 42 --json=title,year", "Two of its fields, for a program."),
      Example("catalog show 42 --fields", "The source of each of its values."),
      Example("catalog show tmdb:496243 --full", "A movie with its whole cast and all of its pictures."),
      Example("catalog show tmdb:496243 --covers", "With its first pictures drawn below."),
      Example("catalog show https://www.imdb.com/title/tt6751668/", "The movie of a page at IMDb, by TMDB."),
      Example("catalog show discogs:master/5460", "An album with its pressings on vinyl."),
    ],
    arguments: [
      .words(\.typed),
      .flag("back", \.showsBack, help: "Show the words of the cards."),
      .flag(
        "full", short: "f", \.isFull,
        help: """
          Show all of a movie's cast, pictures, videos and related movies, of an album's pressings and of an app's \
          screenshots, not only the first \(shownOfMany).
          """),
      .flag("covers", short: "c", \.hasCovers, help: "Draw the cover and the first pictures below the page."),
      .flag("fields", \.showsFields, help: "List the fields of an item and their sources."),
    ] + TableOptions.arguments.lifted(\.table))

  var typed = TypedReferences()
  var showsBack = false
  var isFull = false
  var hasCovers = false
  var showsFields = false
  var table = TableOptions()

  /// Whether the whole page is requested as JSON.
  private var isJSON: Bool {
    guard table.format == .json, case .only(let names) = table.fields else { return table.format == .json }
    return names.contains { Detail.members.contains($0) || Field.named($0) == nil }
  }
  /// Whether fields are requested, as in a listing.
  private var isRow: Bool { !showsFields && table.format != nil && !isJSON }

  func validate() throws(UsageError) {
    if showsFields, showsBack || isFull || hasCovers {
      throw UsageError("--fields lists only fields: leave out the other option")
    }
    if isRow, showsBack || isFull || hasCovers {
      throw UsageError("--back, --full and --covers are for the page: leave out the options that choose fields")
    }
    if hasCovers, isJSON { throw UsageError("--covers and --json do not go together") }
  }

  func run(in context: Context) throws {
    if showsFields { return try listFields(in: context) }
    if isRow { return try listRow(in: context) }
    let store = try context.viewing()
    let target = try context.target(typed, for: .reading, in: store)
    var display = try store.read { try ItemDisplay(of: target, in: store) }
    (display.detail.moneyLanguage, display.detail.language) = (context.moneyLanguage, context.language)
    (display.detail.showsBack, display.detail.isFull) = (showsBack, isFull)
    let known = display
    // A page in a pipe has no pictures.
    let wantsPictures = hasCovers || context.terminal.isOutputTerminal
    try display.take(in: context) { try known.fetching(in: context, wantsPictures: wantsPictures)?() }
    try show(display.detail, in: context)
    if hasCovers { try draw(display, in: store, context) }
    display.keep(in: store, context)
    if context.terminal.isOutputTerminal, let remember = display.rememberingPicture(in: store, context) {
      context.output.flushIgnoringErrors()
      remember()
    }
  }

  private func listFields(in context: Context) throws {
    let store = try context.reading()
    let item = try store.item(context.item(typed, for: .reading, in: store))
    if table.format(on: context.terminal) == .fitted { try context.print(verbatim: context.safe(item.line)) }
    try Table.ofFields(item, try store.origins(of: item), in: context)
      .write(table, to: context.output, terminal: context.terminal)
  }

  /// Prints fields of the item as a listing does; in JSON as one object without a list.
  private func listRow(in context: Context) throws {
    let store = try context.reading()
    let id = try context.item(typed, for: .reading, in: store)
    let format = table.format(on: context.terminal)
    let kind = try store.item(id).record.kind
    let usual = format == .tsv ? Field.usual.filter { $0 != .kind } : Field.listed(of: kind)
    let listing = Listing(of: id, fields: try Field.selected(by: table, or: usual))
    if format == .json { return try listing.writeObject(from: store, in: context) }
    _ = try listing.write(as: .format(format), from: store, in: context)
  }

  private func show(_ detail: Detail, in context: Context) throws {
    guard isJSON else {
      try context.print(detail.page(on: context.terminal))
      if context.terminal.isOutputTerminal { detail.advice.forEach { context.note($0) } }
      return
    }
    try context.printJSON(table.fields, detail, detail.members)
  }

  /// Draws the first pictures below the page. An error is only printed.
  private func draw(_ display: ItemDisplay, in store: Store, _ context: Context) throws {
    do {
      let renderer = try CoverRenderer(in: context)
      context.output.flushIgnoringErrors()
      for row in display.firstPictures(in: store, context) {
        let pictures = row.fetch(atMost: PictureStrip.most(in: context.terminal.width))
        let pieces = pictures.map { $0.piece { try renderer.draw($0, width: $1, height: $2) } }
        let strip = try PictureStrip(pieces, on: context.terminal, height: PictureStrip.usualHeight)
        guard !strip.lines.isEmpty else { continue }
        try context.print("")
        for line in strip.lines { try context.print(verbatim: line) }
        for (column, bytes) in strip.pixels {
          try CoverRenderer.place(bytes, linesUp: strip.lines.count, column: column, on: context.output)
        }
      }
      try Interrupt.check()
    } catch  where error is Failure || error is Chafa.Failure {
      let failure = Failure(error)
      context.warn(failure.message)
      if case Chafa.Failure.isMissing = error, let hint = failure.hint { context.note("hint: \(hint)") }
    }
  }
}
