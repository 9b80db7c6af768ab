internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes

/// `catalog trending`: this week's popular movies, with the changes since the last list.
struct TrendingCommand: Command {
  static let info = CommandInfo<Self>(
    "trending", summary: "List this week's popular movies, and the changes since the last list.",
    discussion: """
      The list of a week is stored in the catalog; it is fetched if there is none for this week (ISO 8601, from \
      Monday, in UTC), and with --refresh. Changes are relative to the list before it. The movies are numbered r1, r2, \
      … like the results of a search. TMDB makes the list, and needs a key.
      """,
    examples: [
      Example("catalog trending", "This week's movies; catalog add r1 shelves the first."),
      Example("catalog trending --refresh", "Asks again, and shows the changes since the last time."),
      Example("catalog trending --json=change,title", "For a program: new, stayed and gone."),
    ],
    arguments: [
      .flag("refresh", short: "r", \.refreshes, help: "Ask again, even if there is a list of this week."),
      .flag("no-covers", \.skipsCovers, help: "Do not fetch the pictures of new movies."),
    ] + TableOptions.arguments.lifted(\.table))

  static var mayBegin: Bool { true }

  var refreshes = false
  var skipsCovers = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let week = ISOWeek(context.now())
    let store = try context.reading()
    let newest = try store.trendingWeek()
    if newest == week, !refreshes { return try show(try kept(week, in: store), store, context) }

    let source = try self.source(in: context)
    let before = try newest.map { (week: $0, movies: try store.trending(in: $0)) }
    let movies: [Record]
    do {
      movies = try ask(source, in: context)
    } catch let failure as Failure {
      guard let newest else {
        // If nothing was to be asked, the list is empty.
        if context.globals.isOffline { try context.write(Table(columns: []), table) }
        throw failure
      }
      context.warn("\(failure.message); the list of \(newest) is shown")
      if let hint = failure.hint { context.hint(hint) }
      return try show(try kept(newest, in: store), store, context)
    }
    try show(
      List(week: week, movies: movies, before: before?.movies ?? [], since: before?.week == week ? nil : before?.week),
      store, context)
    try keep(movies, week, in: context)
  }

  /// A week's list, and the list to compare it with.
  private struct List {
    var week: ISOWeek
    var movies: [Record]
    var before: [Record] = []
    /// The week of ``before``; nil when it is the same.
    var since: ISOWeek?
  }

  private func kept(_ week: ISOWeek, in store: Store) throws -> List {
    let earlier = try store.trendingWeek(before: week)
    return List(
      week: week, movies: try store.trending(in: week), before: try earlier.map(store.trending(in:)) ?? [],
      since: earlier)
  }

  // MARK: Asking

  private func source(in context: Context) throws -> Source {
    guard let source = context.sources.first(where: { $0.trending != nil }) else {
      throw Failure("no source has a list of popular titles")
    }
    return source
  }

  /// Fetches the current list from the source.
  private func ask(_ source: Source, in context: Context) throws -> [Record] {
    let settings = try context.settings(of: source)
    let page: Page
    do {
      page = try source.trendingPage(settings, using: context.http)
    } catch {
      try Interrupt.check()
      throw context.failure(error, of: source)
    }
    if page.unreadable > 0 {
      let count = page.candidates.count + page.unreadable
      context.warn("\(source.name): \(page.unreadable) of \(count) movies could not be read")
    }
    return page.candidates.map(\.record)
  }

  // MARK: Keeping

  /// Stores a list. An error is only printed.
  private func keep(_ movies: [Record], _ week: ISOWeek, in context: Context) throws {
    guard !context.globals.isDryRun else { return }
    do {
      let store = try context.keeping()
      try store.setTrending(movies, in: week)
      if !skipsCovers { try keepCovers(of: week, store, context) }
    } catch let error as Interrupted {
      throw error
    } catch {
      context.warn("the list was not saved: \(Failure(error).message)")
    }
  }

  /// Fetches the covers that are not stored yet, all at once, while the person reads.
  private func keepCovers(of week: ISOWeek, _ store: Store, _ context: Context) throws {
    context.output.flushIgnoringErrors()
    var context = context
    // The covers are stored in the catalog, so the cache needs no copy.
    context.pictures = context.http
    let movies = try store.trendingWithoutCover(in: week)
    let wanted = movies.compactMap { movie in context.cover(of: movie, in: store).map { (movie, $0) } }
    for ((movie, _), result) in zip(wanted, PictureRequest.answers(to: wanted.map { $0.1 })) {
      // A missing picture of a list is not reported.
      guard let cover = (try? result.get()) ?? nil, let id = movie.externalIDs.first else { continue }
      try store.setTrendingCover(cover, of: id)
    }
    try Interrupt.check()
  }

  // MARK: Showing

  private func show(_ list: List, _ store: Store, _ context: Context) throws {
    let candidates = list.movies.compactMap { movie in
      movie.externalIDs.first.map { Candidate(id: $0, record: movie) }
    }
    if !context.results.save(candidates) {
      context.warn("the results could not be saved, so r1, r2, … will not work")
    }
    let changes = Changes(list.movies, before: list.before)
    let format = self.table.format(on: context.terminal)
    if format == .fitted {
      try context.print(verbatim: context.styled("Trending", .bold) + context.styled(" · \(list.week)", .dim))
      for line in context.text(changes.summary(since: list.since)).wrapped(to: context.terminal.width) {
        try context.print(verbatim: context.styled(verbatim: line, .dim))
      }
    }
    try table(candidates, changes, store, context).write(self.table, to: context.output, terminal: context.terminal)
    if format == .fitted { context.note("Type 'catalog add r1' to keep a movie, 'catalog show r1' to see it.") }
  }

  /// The differences between a list and the one before.
  private struct Changes {
    /// The earlier rank by the movie's id, from 1.
    var rankBefore: [ExternalID: Int] = [:]
    var gone: [Record] = []
    var new = 0
    var stayed = 0
    private var isFirst: Bool

    init(_ movies: [Record], before: [Record]) {
      isFirst = before.isEmpty
      for (rank, movie) in zip(1..., before) { movie.externalIDs.first.map { rankBefore[$0] = rank } }
      let ids = Set(movies.compactMap(\.externalIDs.first))
      gone = before.filter { movie in movie.externalIDs.first.map { !ids.contains($0) } == true }
      stayed = ids.count { rankBefore[$0] != nil }
      new = ids.count - stayed
    }

    /// `5 new, 5 gone, 15 stayed since 2026-W46`
    func summary(since week: ISOWeek?) -> Message {
      if isFirst { return "The first list that is kept." }
      return week.map { "\(new) new, \(gone.count) gone, \(stayed) stayed since \($0)" }
        ?? "\(new) new, \(gone.count) gone, \(stayed) stayed since it was last asked"
    }
  }

  private func table(
    _ candidates: [Candidate], _ changes: Changes, _ store: Store, _ context: Context
  ) throws -> Table {
    struct Row {
      var record: Record
      var result: String?
      var change: Table.Cell
      var before: Int?
      var likeness: Likeness?
    }
    func row(_ record: Record, result: String?, change: Table.Cell, before: Int?) -> Row {
      Row(
        record: record, result: result, change: change, before: before,
        likeness: (try? store.likeness(of: record)) ?? nil)
    }
    let here = zip(1..., candidates).map { rank, candidate in
      let before = changes.rankBefore[candidate.id]
      let change: Table.Cell =
        before.map { Table.Cell(value: .text("stayed"), shown: Self.move(from: $0, to: rank), style: .dim) }
        ?? context.cell("new", style: .green)
      return row(candidate.record, result: "r\(rank)", change: change, before: before)
    }
    let gone = changes.gone.map { record in
      row(
        record, result: nil, change: context.cell("gone", style: .red),
        before: record.externalIDs.first.flatMap { changes.rankBefore[$0] })
    }
    return try Table(
      here + gone,
      [
        .init("id", "", importance: 9, style: .cyan, \.result), .hidden("result", \.result),
        .init("change", "", importance: 7, \.change),
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8) { row in
          Table.Cell(row.record.title, style: row.result == nil ? .dim : .bold)
        },
        .init("year", "Year", alignment: .right, importance: 6, \.record.year),
        .init(
          "source_genres", "Genre", isFlexible: true, minimumWidth: 8, importance: 2, \.record.labels,
          shown: { context.labels(shownOf: $0.record, in: store) }),
        .init(
          "public_rating", "Public", alignment: .right, importance: 3, \.record.publicRating?.value,
          shown: { $0.record.publicRating.map { "\(Int(clamping: $0.value.rounded()))" } }),
        .init("have", "", isFlexible: true, minimumWidth: 12, importance: 5) { row in
          context.cell(row.likeness.map { store.marks(of: $0) }, style: .green)
        },
        .hidden("item", \.likeness?.item), .hidden("edition_of", \.likeness?.edition),
        .hidden("rank_before", \.before), .hidden("source", \.record.externalIDs.first?.source),
        .hidden("source_id", \.record.externalIDs.first?.value), .hidden("url", \.record.url),
      ])
  }

  /// `+3` for a movie that rose by three places; empty for an unchanged one.
  private static func move(from before: Int, to rank: Int) -> String {
    before == rank ? "" : (before > rank ? "+" : "−") + "\(abs(before - rank))"
  }
}
