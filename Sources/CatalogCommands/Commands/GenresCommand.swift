internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog genres [QUERY]`: what the items' genres say about their owner's taste.
struct GenresCommand: Command {
  static let info = CommandInfo<Self>(
    "genres", summary: "Analyse your taste by genre.",
    discussion: """
      The genre with most items, how many genres you really spread over, and a table of all: a genre counts the items \
      of the genres below it too, each once. With a query it looks at those items only. 'catalog help genres' says what \
      each number means.
      """,
    examples: [
      Example("catalog genres", "The genres of everything."),
      Example("catalog genres kind:vinyl --top 10", "The ten genres with most records."),
      Example("catalog genres year:1970..1979 --json", "Every number about a decade, for a program."),
    ],
    arguments: [
      .positional(
        "query", \.words, isRequired: false, completion: .dynamic("query"),
        help: "Which items: see 'catalog help query'; without it all."
      ).terms(Query.names),
      .option(
        "top", short: "t", \.top, value: "N",
        help: "Show the N genres with most items; a terminal gets \(Self.usualTop) without it."),
    ] + TableOptions.arguments.lifted(\.table))

  /// More lines than these are rarely read.
  private static let usualTop = 25

  var words: [String] = []
  var top: Int?
  var table = TableOptions()

  func validate() throws(UsageError) {
    if let top, top < 1 { throw UsageError("'--top \(top)' is out of range: it starts at 1") }
  }

  func run(in context: Context) throws {
    let query = try Query(words, now: context.now())
    let report = try context.reading().genreReport(query, now: context.now())
    guard report.items > 0 || query.terms.isEmpty else {
      throw Failure(
        "no items match \(words.joined(separator: " ").quoted)", hint: "see what there is: catalog genres")
    }
    let format = table.format(on: context.terminal)
    guard format != .fitted else { return try context.paged { try show(report, in: $0) } }
    let rows = try Self.table(Array(report.genres.prefix(top ?? .max))).selecting(table.fields)
    guard format == .json else { return try rows.write(as: format, to: context.output, terminal: context.terminal) }
    try context.output.append(bytes: Self.json(report, rows, isPretty: context.terminal.isOutputTerminal))
  }

  // MARK: For programs

  private static func table(_ genres: [GenreReport.Genre]) -> Table {
    Table(
      columns: [
        .init("genre"), .init("ancestors"), .init("items"), .init("own_items"), .init("share"), .init("weight"),
        .init("rated"), .init("mean_rating"), .init("shrunk_rating"), .init("affinity"), .init("momentum"),
      ],
      rows: genres.map { genre in
        [
          .init(genre.name), .init(genre.ancestors), .init(genre.items), .init(genre.ownItems), .init(genre.share),
          .init(genre.weight), .init(genre.rated), .init(genre.meanRating), .init(genre.shrunkRating),
          .init(genre.affinity), .init(genre.momentum),
        ]
      })
  }

  private static func json(_ report: GenreReport, _ rows: Table, isPretty: Bool) -> [UInt8] {
    var json = JSONWriter(isPretty: isPretty)
    json.object { json in
      json.member("items", report.items)
      json.member("items_with_genre", report.itemsWithGenre)
      json.member("items_without_genre", report.itemsWithoutGenre)
      json.member("rated", report.rated)
      json.member("mean_rating", report.meanRating)
      json.member("top_genre", report.top?.name)
      json.member("effective_genres", report.effectiveGenres)
      json.member("gini_simpson", report.giniSimpson)
      json.key("genres")
      json.array { json in
        for row in rows.rows {
          json.object { json in
            for (column, cell) in zip(rows.columns, row) {
              json.key(column.key)
              json.value(cell.value)
            }
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  // MARK: For a person

  private func show(_ report: GenreReport, in context: Context) throws {
    let view = GenreView(report: report, top: top ?? Self.usualTop, query: words, context: context)
    try view.showHeadline()
    guard !report.genres.isEmpty else { return }
    try context.print("")
    try view.table.write(as: .fitted, to: context.output, terminal: context.terminal)
    try context.print("")
    try view.showNotes()
  }
}

/// The report as a person sees it.
private struct GenreView {
  var report: GenreReport
  var top: Int
  var query: [String]
  var context: Context

  /// A trend out of fewer items in either time says nothing.
  private static let leastForMomentum = 5

  private var showsRatings: Bool { report.rated > 0 }
  private var showsMomentum: Bool {
    report.recentItems >= Self.leastForMomentum
      && report.itemsWithGenre - report.recentItems >= Self.leastForMomentum
  }

  func showHeadline() throws {
    guard report.items > 0 else {
      return try context.print(
        "The catalog is empty, so there is nothing to analyse yet.\nLook something up: catalog search dune")
    }
    if let top = report.top {
      try line(
        "Top genre",
        context.styled(context.safe(top.name), .bold)
          + ", \(top.items) of \(report.itemsWithGenre) \(report.itemsWithGenre == 1 ? "item" : "items")")
    }
    if let effective = report.effectiveGenres {
      let count = effective.fixed(1)
      try line(
        "Diversity", count == "1.0" ? "one genre has all the weight" : "as varied as \(count) genres of equal weight")
    }
    if report.itemsWithoutGenre == 0 {
      try line("Coverage", report.items == 1 ? "the one item has a genre" : "all \(report.items) items have a genre")
    } else {
      try line(
        "Coverage",
        "\(report.itemsWithGenre) of \(report.items) have a genre; the rest: "
          + (["catalog list genre:none"] + query.map(\.shellWord)).joined(separator: " "))
    }
  }

  private func line(_ name: String, _ text: String) throws {
    try context.print(context.styled(name.padded(to: 11), .dim) + text)
  }

  /// The genres with most items, each below the one it belongs to.
  var rows: [(genre: GenreReport.Genre, depth: Int)] {
    // Of equals the higher in the tree comes first, so that nobody stands without what is above them.
    let chosen = report.genres.sorted { ($1.items, $0.ancestors.count) < ($0.items, $1.ancestors.count) }.prefix(top)
    let children = Dictionary(grouping: chosen) { $0.ancestors.last ?? "" }
    var rows: [(genre: GenreReport.Genre, depth: Int)] = []
    func add(below parent: String, depth: Int) {
      for genre in children[parent] ?? [] {
        rows.append((genre, depth))
        add(below: genre.name, depth: depth + 1)
      }
    }
    add(below: "", depth: 0)
    return rows
  }

  var table: Table {
    let rows = rows
    let unicode = context.terminal.usesUnicode
    let isWide = context.terminal.width >= 72
    var table = Table(columns: [
      .init("genre", "Genre", isFlexible: true, minimumWidth: 12, importance: 9),
      .init("items", "Items", alignment: .right, importance: 8),
      .init("share", "Share", alignment: .right, importance: 7),
      .init("bar", "", importance: 2),
    ])
    if showsRatings { table.columns.append(.init("mean", unicode ? "Mean ★" : "Mean", importance: 5)) }
    if showsMomentum { table.columns.append(.init("momentum", "Trend", alignment: .right, importance: 4)) }
    let names = rows.map { ($0.depth * 2) + $0.genre.name.sanitized.cellWidth }.max() ?? 0
    // What the other columns leave.
    let others = min(max(names, 5), isWide ? 30 : 22) + 7 + 9 + (showsRatings ? 13 : 0) + (showsMomentum ? 9 : 0) + 2
    let barWidth = min(max(context.terminal.width - others, 6), 32)
    let most = rows.map(\.genre.share).max() ?? 1
    table.rows = rows.map { genre, depth in
      let heading = genre.isHeading ? Style.dim : .plain
      var cells: [Table.Cell] = [
        .init(String(repeating: " ", count: depth * 2) + genre.name, style: depth == 0 ? .bold : .plain),
        .init(genre.items), .init(genre.share, shown: "\((genre.share * 100).fixed(1)) %"),
        .init(
          value: .none,
          shown: BarChart.bar(genre.share / most, width: barWidth, usesUnicode: unicode).padded(to: barWidth),
          style: heading == .plain ? .cyan : heading),
      ]
      if showsRatings {
        cells.append(
          .init(
            genre.meanRating, shown: genre.meanRating.map { "\(($0 / 20).fixed(1)) (\(genre.rated))" }, style: .yellow))
      }
      if showsMomentum { cells.append(momentum(genre.momentum)) }
      return cells
    }
    return table
  }

  private func momentum(_ points: Double?) -> Table.Cell {
    guard let points else { return .init(Double?.none) }
    let text = abs(points).fixed(1)
    let signs = context.terminal.usesUnicode ? ("▲ ", "▼ ") : ("+", "-")
    if text == "0.0" { return .init(points, shown: "0.0", style: .dim) }
    return .init(points, shown: (points > 0 ? signs.0 : signs.1) + text, style: points > 0 ? .green : .red)
  }

  /// What the numbers do not say by themselves, and why some are not there.
  func showNotes() throws {
    let hidden = report.genres.count - rows.count
    if hidden > 0 {
      let command = (["catalog genres"] + query.map(\.shellWord) + ["--top \(report.genres.count)"]).joined(
        separator: " ")
      try note("\(hidden) more \(hidden == 1 ? "genre" : "genres"): \(command)")
    }
    if report.itemsWithGenre < 5 {
      try note("These are few items: the numbers mean more with five and more.")
    }
    try note("An item may have several genres, so shares add up to more than 100 %.")
    if !showsRatings { try note("Nothing is rated yet: catalog card add REF --stars 4.5") }
    if showsMomentum {
      try note("Trend: percentage points of share, added in the last 365 days against before.")
    } else {
      try note("No trend yet: it compares the last 365 days with before, and needs 5 items in each.")
    }
  }

  private func note(_ text: String) throws {
    for line in text.wrapped(to: max(20, context.terminal.width)) { try context.print(context.styled(line, .dim)) }
  }
}

extension String {
  /// The text as a shell takes it for one word.
  var shellWord: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789:._-^=,/%@+".unicodeScalars.contains($0) }
    return isPlain
      ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension Double {
  /// The number with so many decimals, rounded.
  func fixed(_ decimals: Int) -> String {
    guard isFinite, abs(self) < 1e15 else { return description }
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let rounded = Int((abs(self) * Double(scale)).rounded())
    let sign = self < 0 && rounded > 0 ? "-" : ""
    guard decimals > 0 else { return sign + String(rounded) }
    let rest = String(rounded % scale)
    return "\(sign)\(rounded / scale)." + String(repeating: "0", count: decimals - rest.count) + rest
  }
}
