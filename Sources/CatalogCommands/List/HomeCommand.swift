internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A bare `catalog`: the shelves, the record level, the top genre, what is in progress or lent, what was added and
/// viewed last, and what waits.
struct HomeCommand: Command {
  static let info = CommandInfo<Self>(
    "home", summary: "Show what is on the shelves.", examples: [Example("catalog", "The same, with less typing.")])

  func run(in context: Context) throws {
    let store = try context.reading()
    let counts = try store.shelfCounts()
    guard counts.total > 0 else { return try showStart(in: context) }
    // Only the kinds that the person collects.
    try context.print(
      [
        counts.movies > 0 ? counts.movies.counted("movie", "movies") : nil,
        counts.books > 0 ? counts.books.counted("book", "books") : nil,
        counts.vinyl > 0 ? counts.vinyl.counted("record", "records") : nil,
      ].compactMap(\.self).joined(separator: " · "))
    // Without vinyl there is no level.
    let owned = counts.vinyl > 0 ? try store.ownedRecords() : 0
    if owned > 0 {
      let level = RecordLevel.of(records: owned)
      let bar = context.terminal.bar(level.fullness(records: owned), width: 20)
      try context.print(
        "Level \(level.number)  \(level.words)  \(context.styled(verbatim: bar, .magenta)) \(level.gauge(records: owned))"
      )
    }
    try showYear(of: store, in: context)
    if let record = try store.representative() {
      let headline = context.safe(try store.item(record).record.headline)
      try context.print("Represented by  \(context.styled(verbatim: headline, .bold))")
    }
    if let top = try store.topGenre() {
      let name = context.safe(context.genreName(top.name))
      try context.print(
        "Top genre  \(context.styled(verbatim: name, .bold)), \(top.items.counted("item", "items"))")
    }
    try section("Now", store.ongoing().prefix(Self.lines), in: context) { event in
      let headline = try store.item(event.item).record.headline
      let page = event.page.map { ", " + context.text("page \($0)") } ?? ""
      try line("\(event.item)", event.kind, headline + page, in: context)
    }
    let loans = try store.loans()
    try section("Lent", loans.prefix(Self.lines), in: context) { loan in
      let record = try store.item(loan.item).record
      let words = loan.dueOn.map { "\(loan.person), due \($0.words)" as Message } ?? Message(verbatim: loan.person)
      try line("\(loan.copy)", record.kind, "\(record.title) → \(context.text(words))", in: context)
    }
    try section("Last added", store.ids(Query(), limit: Self.lines), in: context) { id in
      let item = try store.item(id)
      try line("\(id)", item.record.kind, item.record.headline, in: context)
    }
    try section("Last viewed", Array(zip(1..., store.recents().prefix(Self.lines))), in: context) { number, recent in
      try line("@\(number)", recent.kind, try recent.record(in: store).headline, in: context)
    }
    let today = try context.today()
    let overdue = loans.count { $0.isOverdue(on: today) }
    if overdue > 0 {
      try context.print("")
      try context.print(
        Footnote(
          Message(counting: overdue, one: "\(overdue) copy is overdue", many: "\(overdue) copies are overdue"),
          command: "catalog loans"))
    }
    // The rows that the last import left out.
    guard let batch = try store.importBatches().first, context.localTime.day(of: batch.at) == context.day else {
      return
    }
    let left = batch.counts[.skipped, default: 0] + batch.counts[.rejected, default: 0]
    if left > 0 {
      try context.print("")
      try context.print(
        Footnote(
          "\(left.counted("row", "rows")) of \(context.safe(batch.file)) left out",
          command: "catalog import show \(batch.id)"))
    }
  }

  /// Prints a heading and the lines below it, if there are any.
  private func section<Part>(
    _ heading: Message, _ parts: some Collection<Part>, in context: Context, _ print: (Part) throws -> Void
  ) throws {
    guard !parts.isEmpty else { return }
    try context.print("")
    try context.print(heading, .bold)
    try parts.forEach(print)
  }

  /// The lines of a section.
  private static let lines = 4

  /// Prints the diary's counts of this year: `2026  104 movies watched, 3 books read`.
  private func showYear(of store: Store, in context: Context) throws {
    let year = String(context.day.prefix(4))
    let lived = try store.livedCounts(in: year)
    let parts: [Message] = [
      lived.movies > 0 ? "\(lived.movies.counted("movie", "movies")) watched" : nil,
      lived.books > 0 ? "\(lived.books.counted("book", "books")) read" : nil,
      lived.vinyl > 0 ? "\(lived.vinyl.counted("record", "records")) played" : nil,
    ].compactMap(\.self)
    guard !parts.isEmpty else { return }
    try context.print("\(year)  \(parts.joined(separator: ", "))")
  }

  private func line(_ reference: String, _ kind: Kind, _ headline: String, in context: Context) throws {
    let start = "  \(reference.padded(to: 5))  \(context.text(kind.singular).padded(to: 7)) "
    let text = context.safe(headline)
    let room =
      context.terminal.isOutputTerminal ? text.truncated(to: max(20, context.terminal.width - start.cellWidth)) : text
    try context.print(verbatim: context.styled(verbatim: start, .dim) + room)
  }

  private func showStart(in context: Context) throws {
    try context.print(
      """
      The catalog is empty. Three ways to start:

        catalog search dune --offline    look a title up, then catalog add r1
        catalog import FILE              from Letterboxd, Goodreads, Discogs, a table
        catalog add book --title 토지    enter it by hand

      'catalog help' shows twelve commands to begin with.
      """)
  }
}
