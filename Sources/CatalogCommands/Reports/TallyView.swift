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

  private var rows: Table {
    let mean = report.whole.meanRating
    var table = Table(columns: [
      .init(words.key), .init("items"), .init("movies"), .init("books"), .init("vinyl"), .init("rated"),
      .init("mean_rating"), .init("shrunk_rating"), .init("pages"), .init("minutes"), .init("prices"),
    ])
    if words.showsYears { table.columns += [.init("first_year"), .init("last_year")] }
    table.rows = report.rows.map { row in
      let tally = row.tally
      var cells: [Table.Cell] = [
        .init(value: value(row.heading)), .init(tally.items), .init(tally.movies), .init(tally.books),
        .init(tally.records), .init(tally.rated), .init(tally.meanRating),
        .init(tally.shrunkRating(towards: mean)), .init(tally.pages), .init(tally.minutes),
        .init(value: Table.Value(tally.prices)),
      ]
      if words.showsYears { cells += [.init(tally.firstYear), .init(tally.lastYear)] }
      return cells
    }
    return table
  }

  func write(in context: Context) throws {
    let format = options.table.format(on: context.terminal)
    guard format != .fitted else { return try context.paged { try $0.print(blocks(in: $0)) } }
    guard format == .json else { return try rows.write(as: format, to: context.output, terminal: context.terminal) }
    try context.printJSON(options.table.fields) { json in
      json.object { json in
        json.members(of: report.whole)
        json.member("items_without_\(words.missing.thing)", report.without)
        json.member(words.rows, rows)
      }
    }
  }

  // MARK: For a person

  private func blocks(in context: Context) -> [Report.Block] {
    let whole = report.whole
    guard whole.items > 0 else {
      return [
        .paragraph("There are no \(Message(words: words.things.many)) yet, so there is nothing to report."),
        .paragraph("Look something up: \(code: "catalog search dune")"),
      ]
    }
    var blocks: [Report.Block] = [.entries(entries(in: context))]
    if let timeline = timeline(on: context.terminal) { blocks.append(.figure(timeline)) }
    if !report.rows.isEmpty { blocks.append(.table(table(in: context), caption: words.titles)) }
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

  private func table(in context: Context) -> Table {
    let kinds: [KindColumn] = [
      ("movies", "Movies", \.movies), ("books", "Books", \.books), ("records", "Records", \.records),
    ]
    let whole = table(in: context, kinds: report.whole.isMixed ? kinds : [])
    // The columns of kinds are shown together or not at all.
    let left = kinds.count { kind in whole.columns.contains { $0.key == kind.key } }
    let wanted = kinds.count { report.whole[keyPath: $0.path] > 0 }
    return !report.whole.isMixed || left == wanted ? whole : table(in: context, kinds: [])
  }

  private typealias KindColumn = (key: String, title: Message, path: KeyPath<Tally, Int>)

  private func table(in context: Context, kinds: [KindColumn]) -> Table {
    let (terminal, shownRows) = (context.terminal, rowsAndGaps)
    var table = Table(columns: [
      .init(words.key, words.title, isFlexible: true, minimumWidth: 10, importance: 20),
      .init("items", "Items", alignment: .right, importance: 19),
    ])
    let none = Table.Cell(value: .none, shown: terminal.glyphs.nothing, style: .dim)
    table.rows = shownRows.map { row in
      [
        .init(row.heading.text(on: terminal), style: row.tally == nil ? .dim : .bold),
        row.tally.map { .init($0.items) } ?? none,
      ]
    }
    func add(_ column: Table.Column, _ cell: (Tally) -> Table.Cell) {
      table.columns.append(column)
      for (place, row) in shownRows.enumerated() {
        table.rows[place].append(row.tally.map(cell) ?? .init(String?.none))
      }
    }
    add(.init("mean", terminal.usesUnicode ? "Mean ★" : "Mean", importance: 15)) { tally in
      .init(tally.meanRating, shown: tally.meanRating.map { "\($0.stars()) (\(tally.rated))" }, style: .yellow)
    }
    for kind in kinds {
      add(.init(kind.key, kind.title, alignment: .right, importance: 6)) { Self.count($0[keyPath: kind.path]) }
    }
    if words.showsYears { add(.init("years", "Years", importance: 12)) { .init(Self.span($0)) } }
    func add(_ key: String, _ title: Message, importance: Int, _ sum: @escaping (Tally) -> (Int, Message, Int, of: Int))
    {
      add(.init(key, title, alignment: .right, importance: importance)) { tally in
        let (amount, words, known, all) = sum(tally)
        guard amount > 0 else { return .init(String?.none) }
        // A partial sum says how many items it includes.
        let said: Message = known < all ? "\(words) (\(known) of \(all))" : words
        return .init(amount, shown: said.text(on: terminal))
      }
    }
    add("pages", "Pages", importance: 11) { ($0.pages, "\($0.pages)", $0.booksWithPages, of: $0.books) }
    add("minutes", "Time", importance: 10) { ($0.minutes, $0.minutes.duration, $0.moviesWithMinutes, of: $0.movies) }
    let moneyLanguage = context.moneyLanguage
    add(.init("prices", "Prices", alignment: .right, importance: 5)) { .init($0.priceText(in: moneyLanguage)) }
    return table.adding(
      .init(behind: "items", of: shownRows.map { Double($0.tally?.items ?? 0) }), on: terminal)
  }

  /// The rows for people, with the gaps between them.
  private var rowsAndGaps: [(heading: Message, tally: Tally?)] {
    var rows: [(heading: Message, tally: Tally?)] = []
    var last: Heading?
    for row in report.rows.prefix(top ?? .max) {
      if let gap = last.flatMap({ gap($0, row.heading) }) { rows.append((gap, nil)) }
      rows.append((shown(row.heading), row.tally))
      last = row.heading
    }
    return rows
  }

  /// A count; an empty cell for 0.
  private static func count(_ number: Int) -> Table.Cell { number > 0 ? .init(number) : .init(String?.none) }

  /// `1957–1965`, or a single year.
  private static func span(_ tally: Tally) -> String? {
    guard let first = tally.firstYear, let last = tally.lastYear else { return nil }
    return first == last ? "\(first)" : "\(first)–\(last)"
  }
}

extension JSONWriter {
  /// Writes the numbers of a tally as members of an object.
  mutating func members(of tally: Tally) {
    member("items", tally.items)
    member("movies", tally.movies)
    member("books", tally.books)
    member("vinyl", tally.records)
    member("rated", tally.rated)
    member("mean_rating", tally.meanRating)
    member("pages", tally.pages)
    member("books_with_pages", tally.booksWithPages)
    member("minutes", tally.minutes)
    member("movies_with_minutes", tally.moviesWithMinutes)
    key("prices")
    value(Table.Value(tally.prices))
    member("books_with_price", tally.booksWithPrice)
  }
}
