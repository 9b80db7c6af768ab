internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A report of items by year, creator or label, for people and programs.
struct TallyView<Heading: Hashable & Sendable> {
  /// The words of a report.
  struct Words {
    /// The JSON keys of a heading and of all rows: `year`, `years`.
    var key: String
    var rows: String
    /// The title of the column, and its plural.
    var title: Message
    var titles: Message
    /// The noun for the counted items: `items`; for labels `records`.
    var things = (one: "item", many: "items")
    /// `12 items by 3 creators`, from the numbers of items and rows.
    var headline: (_ items: Message, _ rows: Int) -> Message
    /// The noun for a missing heading, and the query for items without one, if there is one.
    var missing: (thing: String, query: String?)
    /// Whether years of release are shown besides the heading.
    var showsYears = false
  }

  var report: TallyReport<Heading>
  var words: Words
  var options: ReportOptions
  var value: (Heading) -> Table.Value
  var shown: (Heading) -> Message
  /// The span of the rows for the headline: `, 1927 to 2024`.
  var span = Message(verbatim: "")
  /// The years and their items for a timeline; nil for none.
  var years: [(year: Int, items: Int)]?
  /// The name of the gap without items between two consecutive headings; nil when there is none.
  var gap: (Heading, Heading) -> Message? = { _, _ in nil }
  /// The most rows for people; nil shows all.
  var top: Int?
  var all = ""

  /// A report with few rows needs no timeline.
  private static var fewRows: Int { 10 }

  // MARK: For programs

  private var rows: [Column<TallyReport<Heading>.Row>] {
    let mean = report.whole.meanRating
    let years: [Column<Tally>] = [.init("first_year", \.firstYear), .init("last_year", \.lastYear)]
    let tally: [Column<Tally>] = [
      .init("items", \.items), .init("movies", \.movies), .init("books", \.books), .init("vinyl", \.records),
      .init("rated", \.rated), .init("mean_rating", \.meanRating),
      .init("shrunk_rating") { $0.shrunkRating(towards: mean) }, .init("pages", \.pages),
      .init("minutes", \.minutes), .init("prices") { Table.Value($0.prices) },
    ]
    let heading = Column<TallyReport<Heading>.Row>(words.key) { value($0.heading) }
    return [heading] + (words.showsYears ? tally + years : tally).lifted(\.tally)
  }

  func write(in context: Context) throws {
    let format = options.table.format(on: context.terminal)
    guard format != .fitted else { return try context.paged { try $0.print(blocks(in: $0)) } }
    let rows = try Table(report.rows, rows)
    guard format == .json else { return try rows.write(as: format, to: context.output, terminal: context.terminal) }
    let more: [Column<TallyReport<Heading>>] = [
      .init("items_without_\(words.missing.thing)", \.without), .init(words.rows) { _ in rows },
    ]
    try context.printJSON(options.table.fields, report, Tally.members.lifted(\.whole) + more)
  }

  // MARK: For a person

  private func blocks(in context: Context) throws -> [Report.Block] {
    let whole = report.whole
    guard whole.items > 0 else {
      return [
        .paragraph("There are no \(Message(words: words.things.many)) yet, so there is nothing to report."),
        .paragraph("Look something up: \(code: "catalog search dune")"),
      ]
    }
    var blocks: [Report.Block] = [.entries(entries(in: context))]
    if let timeline = timeline(on: context.terminal) { blocks.append(.figure(timeline)) }
    if !report.rows.isEmpty { blocks.append(.table(try table(in: context), caption: words.titles)) }
    return blocks + notes.map { .note($0) }
  }

  /// The numbers of all items together.
  private func entries(in context: Context) -> [Report.Fact] {
    let whole = report.whole
    var entries: [Report.Fact] = []
    if !report.rows.isEmpty { entries.append(.init(words.titles, headline)) }
    if whole.isMixed { entries.append(.init("Items", whole.kinds)) }
    if let mean = whole.meanRating {
      entries.append(
        .init("Ratings", "\(mean.stars(2)) stars on average, \(whole.rated) of \(whole.items) rated"))
    }
    let lengths: [Message] = [
      whole.pages > 0
        ? "\(whole.pages.counted("page", "pages")) in \(books(whole.booksWithPages, of: whole.books))" : nil,
      whole.minutes > 0
        ? "\(whole.minutes.duration) in \(movies(whole.moviesWithMinutes, of: whole.movies))" : nil,
    ].compactMap(\.self)
    if !lengths.isEmpty { entries.append(.init("Length", lengths.joined(separator: ", "))) }
    if whole.booksWithPrice > 0 {
      let books = books(whole.booksWithPrice, of: whole.books)
      entries.append(.init("Prices", "\(whole.priceText(in: context.moneyLanguage)) on the covers of \(books)"))
    }
    if report.without > 0 {
      let count = report.without.counted(words.things.one, words.things.many)
      entries.append(
        .init(
          "Missing",
          Message(counting: report.without, one: "\(count) has no \(missing)", many: "\(count) have no \(missing)"),
          command: words.missing.query.map { options.command("list", $0) }))
    }
    return entries
  }

  private var headline: Message {
    let known = (report.whole.items - report.without).counted(words.things.one, words.things.many)
    let headline = words.headline(known, report.rows.count)
    return report.rows.count > 1 ? headline + span : headline
  }

  private var missing: Message { Message(words: words.missing.thing) }

  private func books(_ part: Int, of whole: Int) -> Message {
    if part < whole { return "\(part) of \(whole) books" }
    return whole == 1 ? "the one book" : "all \(whole) books"
  }

  private func movies(_ part: Int, of whole: Int) -> Message {
    if part < whole { return "\(part) of \(whole) movies" }
    return whole == 1 ? "the one movie" : "all \(whole) movies"
  }

  /// The rows as a timeline that includes years without items. A column has one year or several.
  private func timeline(on terminal: Terminal) -> Timeline? {
    guard let years, let first = years.first?.year, let last = years.last?.year, years.count > Self.fewRows else {
      return nil
    }
    let label = ("Items" as Message).text(on: terminal)
    let room = max(10, terminal.width - label.cellWidth - 2)
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500].first { (last - first) / $0 + 1 <= room } ?? 1000
    // A column begins at a multiple of its step.
    let start = first - (first % step + step) % step
    var counts = Array(repeating: 0, count: (last - start) / step + 1)
    for year in years { counts[(year.year - start) / step] += year.items }
    return Timeline(
      "Items by year", notes: step > 1 ? ["A column is \(step) years."] : [],
      moments: counts.indices.map { "\(start + $0 * step)" }, series: [.init(label, counts.map { Amount($0) })])
  }

  private var notes: [Footnote] {
    var notes: [Footnote] = []
    if let top, report.rows.count > top {
      notes.append(.init("\(report.rows.count - top) more", command: all))
    }
    if report.rows.isEmpty {
      notes.append(.init("None of them has a \(missing), so there are no \(Message(words: words.rows)) to show."))
    } else if report.whole.items < 5 {
      notes.append(
        .init("These are few \(Message(words: words.things.many)): the numbers mean more with five and more."))
    }
    if report.whole.rated == 0 {
      notes.append(.init("Nothing is rated yet", command: "catalog card add REF --stars 4.5"))
    }
    return notes
  }

  private func table(in context: Context) throws -> Table {
    let kinds: [KindColumn] = [
      ("movies", "Movies", \.movies), ("books", "Books", \.books), ("records", "Records", \.records),
    ]
    let whole = try table(in: context, kinds: report.whole.isMixed ? kinds : [])
    // The columns of kinds are shown together or not at all.
    let left = kinds.count { kind in whole.columns.contains { $0.key == kind.key } }
    let wanted = kinds.count { report.whole[keyPath: $0.path] > 0 }
    return !report.whole.isMixed || left == wanted ? whole : try table(in: context, kinds: [])
  }

  private typealias KindColumn = (key: String, title: Message, path: KeyPath<Tally, Int>)
  /// A row for people: a gap has no tally.
  private typealias Row = (heading: Message, tally: Tally?, query: String?)

  private func table(in context: Context, kinds: [KindColumn]) throws -> Table {
    let (terminal, shownRows, moneyLanguage) = (context.terminal, rowsAndGaps, context.moneyLanguage)
    let none = Table.Cell(value: .none, shown: terminal.glyphs.nothing, style: .dim)
    func sum(
      _ key: String, _ title: Message, importance: Int, _ sum: @escaping (Tally) -> (Int, Message, Int, of: Int)
    ) -> Column<Row> {
      .init(key, title, alignment: .right, importance: importance) { row -> Table.Cell? in
        guard let (amount, words, known, all) = row.tally.map(sum), amount > 0 else { return nil }
        // A partial sum says how many items it includes.
        let said: Message = known < all ? "\(words) (\(known) of \(all))" : words
        return .init(amount, shown: said.text(on: terminal))
      }
    }
    let years: [Column<Row>] = [.init("years", "Years", importance: 12) { $0.tally.flatMap(Self.span) }]
    let columns: [Column<Row>] = [
      .init(words.key, words.title, isFlexible: true, minimumWidth: 10, importance: 20) { row in
        var cell = Table.Cell(row.heading.text(on: terminal), style: row.tally == nil ? .dim : .bold)
        cell.query = row.query
        return cell
      },
      .init("items", "Items", alignment: .right, importance: 19) { $0.tally.map { Table.Cell($0.items) } ?? none },
      .init(
        "mean", terminal.usesUnicode ? "Mean ★" : "Mean", importance: 15, style: .yellow, \.tally?.meanRating,
        shown: { row in row.tally?.meanRating.map { "\($0.stars()) (\(row.tally?.rated ?? 0))" } }),
    ]
    let ofKinds: [Column<Row>] = kinds.map { kind in
      // A count; an empty cell for 0.
      .init(kind.key, kind.title, alignment: .right, importance: 6) { row in
        row.tally.map { $0[keyPath: kind.path] }.flatMap { $0 > 0 ? $0 : nil }
      }
    }
    let sums: [Column<Row>] = [
      sum("pages", "Pages", importance: 11) { ($0.pages, "\($0.pages)", $0.booksWithPages, of: $0.books) },
      sum("minutes", "Time", importance: 10) { ($0.minutes, $0.minutes.duration, $0.moviesWithMinutes, of: $0.movies) },
      .init("prices", "Prices", alignment: .right, importance: 5) { $0.tally?.priceText(in: moneyLanguage) },
    ]
    return try Table(shownRows, columns, ofKinds, words.showsYears ? years : [], sums).adding(
      .init(behind: "items", of: shownRows.map { Double($0.tally?.items ?? 0) }), on: terminal)
  }

  /// The query for the items of a row.
  private func query(for heading: Heading) -> String? {
    switch value(heading) {
    case .integer(let number) where words.key == "decade": "year:\(number)s"
    case .integer(let number): "\(words.key):\(number)"
    case .text(let name): Query.term(words.key, name)
    default: nil
    }
  }

  /// The rows for people, with the gaps between them.
  private var rowsAndGaps: [Row] {
    var rows: [Row] = []
    var last: Heading?
    for row in report.rows.prefix(top ?? .max) {
      if let gap = last.flatMap({ gap($0, row.heading) }) { rows.append((gap, nil, nil)) }
      rows.append((shown(row.heading), row.tally, query(for: row.heading)))
      last = row.heading
    }
    return rows
  }

  /// `1957–1965`, or a single year.
  private static func span(_ tally: Tally) -> String? {
    guard let first = tally.firstYear, let last = tally.lastYear else { return nil }
    return first == last ? "\(first)" : "\(first)–\(last)"
  }
}

extension Tally {
  /// The counts as members of an object.
  static var members: [Column<Tally>] {
    [
      .init("items", \.items), .init("movies", \.movies), .init("books", \.books), .init("vinyl", \.records),
      .init("rated", \.rated), .init("mean_rating", \.meanRating), .init("pages", \.pages),
      .init("books_with_pages", \.booksWithPages), .init("minutes", \.minutes),
      .init("movies_with_minutes", \.moviesWithMinutes), .init("prices") { Table.Value($0.prices) },
      .init("books_with_price", \.booksWithPrice),
    ]
  }
}
