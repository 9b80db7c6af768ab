internal import CatalogModel
public import CatalogStore
public import CommandLineKit

/// `catalog genres [QUERY]`: what the items' genres say about their owner's taste.
struct GenresCommand: Command {
  static let info = CommandInfo<Self>(
    "genres", summary: "Analyse your taste by genre.",
    discussion: """
      The genres with most items and what is clear about them; with '--all' how many genres you really spread over, \
      which go together, how your taste has moved from year to year, and what your movies, books and records have in \
      common. A genre counts the \
      items of the genres below it too, each once. With a query it looks at those items only; '--by' sets genres \
      against decades, kinds, creators and more. 'catalog help genres' says what each number means.

      Of a kind that the diary tells of, it looks at what you watched, read or played, by those dates; else at what is on the \
      shelf, by when it came. '--of' says otherwise, and the heading names it.

      '--svg' draws what '--by' asks for: bars without it, a timeline of years with 'year-added', else a heat map. \
      '--html' writes all of it into one page that asks nothing of anybody, '--poster' draws one picture to share. Such \
      a file is written whole or not at \
      all; one that is there is replaced after a question, which '--yes' answers.
      """,
    examples: [
      Example("catalog genres", "The genres of everything."),
      Example("catalog genres --all", "The same with pairs, decades, years and kinds."),
      Example("catalog genres kind:vinyl --top 10", "The ten genres with most records."),
      Example("catalog genres --of owned", "What you own, whatever the diary says."),
      Example("catalog genres --by decade", "A heat map: which genre from which decade."),
      Example("catalog genres year:1970..1979 --json", "Every number about a decade, for a program."),
      Example("catalog genres --compare friend.jsonl", "What both love, and what to lend each other."),
      Example("catalog genres --html genres.html", "A page with all of it, for a browser."),
      Example("catalog genres --poster genres.svg", "One picture to share."),
      Example("catalog genres --by year-added --svg years.svg", "A picture: how your taste moved."),
      Example("catalog genres --table pairs --csv", "All genres that go together, for a spreadsheet."),
    ],
    arguments: [
      .query(\.words, help: "Which items: see 'catalog help query'; all by default."),
      .option(
        "by", short: "b", \.dimension, value: "WHAT",
        help: "Count the genres by decade, year-added, kind, creator or rating instead."),
      .option(
        "of", \.population, value: "WHICH",
        help: "Only what was watched (or read, or played), what is owned, what is rated, or all of the shelf."),
      .option(
        "compare", \.other, value: "FILE", completion: .files,
        help: "Compare with another catalog, or with what someone exported with 'catalog export jsonl'."),
      .option(
        "table", \.part, value: "TABLE",
        help: "Print only this table, whole: summary, findings, genres, pairs, drift, kinds or coverage."),
      .flag(
        "all", short: "a", \.isAll, help: "The whole page: pairs, decades, years, and what the kinds have in common."),
      .option(
        "top", short: "t", \.top, value: "N",
        help:
          "Show the N genres with most items; a terminal gets \(Self.briefTop) without it, and \(Self.usualTop) with --all."
      ),
      .option(
        "svg", \.svg, value: "FILE", completion: .files,
        help: "Draw what '--by' asks for into an SVG file; '-' is standard output."),
      .option(
        "html", \.html, value: "FILE", completion: .files,
        help: "Write everything into one page for a browser; '-' is standard output."),
    ] + PosterOptions.arguments.lifted(\.poster) + TableOptions.arguments.lifted(\.table))

  /// More lines than these are rarely read.
  static let usualTop = 25
  /// The genres of a page that fits a screen.
  private static let briefTop = 6

  var words: [String] = []
  var dimension: GenreMatrix.Dimension?
  var population: GenrePopulation?
  var other: String?
  var part: GenreTables.Part?
  var top: Count?
  var isAll = false
  var svg: String?
  var html: String?
  var poster = PosterOptions()
  var table = TableOptions()

  func validate() throws(UsageError) {
    if dimension != nil, part != nil { throw UsageError("'--by' prints a table of its own: leave out '--table'") }
    if other != nil, dimension != nil || part != nil || svg != nil || html != nil || poster.file != nil {
      throw UsageError("'--compare' prints a report of its own: leave out the other option")
    }
    try poster.validate()
    let targets = [("svg", svg), ("html", html), ("poster", poster.file?.path)].filter { $0.1 != nil }
    guard let first = targets.first else { return }
    if table.format != nil || part != nil {
      throw UsageError("a picture or a page is not a table: leave out '--\(first.0)', or the other")
    }
    let toOutput = targets.filter { $0.1 == "-" }.map { "'--\($0.0)'" }
    if toOutput.count > 1 { throw UsageError("only one of \(toOutput.listed) can go to standard output") }
    if svg == nil, dimension != nil {
      throw UsageError(html != nil ? "a page has every '--by': leave it out" : "a poster has no '--by': leave it out")
    }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try context.query(words, in: store)
    if let other { return try compare(with: other, query, of: store, in: context) }
    if let dimension, svg == nil {
      return try show(store.genreMatrix(query, of: population, by: dimension), of: query, in: context)
    }
    let report = try store.genreReport(query, of: population, now: context.now())
    try check(report.items, query, in: context)
    if svg != nil || html != nil || poster.file != nil { return try save(report, query, of: store, in: context) }
    let question = question(report)
    let tables = GenreTables(report: report, top: top?.number, question: question)
    switch (part, table.format(on: context.terminal)) {
    case (let part?, .fitted): try context.paged { try tables[part].write(table, to: $0.output, terminal: $0.terminal) }
    case (let part?, _): try tables[part].write(table, to: context.output, terminal: context.terminal)
    case (nil, .fitted):
      try context.paged { context in
        let isWhole = context.onReport != nil
        let matrices =
          try isWhole
          ? store.genreMatrices(query, of: population)
          : report.hasEnoughItems && isAll ? [store.genreMatrix(query, of: population, by: .decade)] : []
        try context.print(
          GenreView(
            report: report, matrices: matrices, top: top?.number ?? (isAll || isWhole ? Self.usualTop : Self.briefTop),
            question: question, day: context.day,
            extent: isWhole ? .whole : isAll ? .overview : .brief, terminal: context.terminal
          ).make())
      }
    case (nil, .json):
      try context.printJSON(table.fields) { tables.write(to: &$0) }
    case (nil, _): try tables[.genres].write(table, to: context.output, terminal: context.terminal)
    }
  }

  /// The question of a page that names no kinds.
  private var question: GenreQuestion { GenreQuestion(words: words, population: population) }

  private func question(_ report: GenreReport) -> GenreQuestion {
    GenreQuestion(words: words, population: population, parts: report.parts)
  }

  private func show(_ matrix: GenreMatrix, of query: Query, in context: Context) throws {
    try check(matrix.items, query, in: context)
    if table.format(on: context.terminal) == .fitted {
      return try context.paged {
        try $0.print(matrix.blocks(top: top?.number ?? Self.usualTop, of: question, on: $0.terminal))
      }
    }
    var matrix = matrix
    if let top { matrix.rows = Array(matrix.rows.prefix(top.number)) }
    switch table.format(on: context.terminal) {
    case .json:
      try context.printJSON(table.fields) { matrix.write(to: &$0) }
    default: try matrix.cells.write(table, to: context.output, terminal: context.terminal)
    }
  }

  private func compare(with path: String, _ query: Query, of store: Store, in context: Context) throws {
    let other = try context.withOtherCatalog(path) { try $0.taste(query, of: population, now: context.now()) }
    let comparison = TasteComparison(try store.taste(query, of: population, now: context.now()), with: other)
    let view = TasteComparisonView(comparison: comparison, context: context)
    switch table.format(on: context.terminal) {
    case .fitted: try context.paged { try $0.print(view.blocks()) }
    case .json:
      try context.printJSON(table.fields) { view.write(to: &$0) }
    default: try view.genres.write(table, to: context.output, terminal: context.terminal)
    }
  }

  /// Writes a picture, a page, a poster, or several of them.
  private func save(_ report: GenreReport, _ query: Query, of store: Store, in context: Context) throws {
    let top = top?.number ?? Self.usualTop
    let question = question(report)
    if let svg {
      let chart = try chart(of: report, query, top: top, from: store, in: context.terminal.translation)
      try context.save(
        chart.svg(in: context.terminal.translation), to: svg, usualName: "genres.svg", command: "catalog genres --svg")
    }
    if let html {
      let matrices = try store.genreMatrices(query, of: population)
      let translation = context.terminal.translation
      let page = GenreView(
        report: report, matrices: matrices, top: top, question: question, day: context.day, extent: .whole,
        terminal: Terminal(in: translation))
      try context.save(
        HTMLPage(page.make(), in: translation).text, to: html, usualName: "genres.html",
        command: "catalog genres --html")
    }
    if let file = poster.file {
      guard report.items > 0 else { throw Failure.nothingForPoster }
      let poster = try GenrePoster(
        report: report, query: query, words: words, store: store, sentences: report.sentences(question, in: context),
        day: context.day
      ).make(poster.shape ?? .portrait, in: context)
      try context.save(poster, to: file, usualName: "genres.svg", command: "catalog genres --poster")
    }
  }

  /// The one picture, which says itself what it is a picture of.
  private func chart(
    of report: GenreReport, _ query: Query, top: Int, from store: Store, in translation: Translation?
  ) throws -> any Chart {
    var chart: any Chart = report.bars(top: top, in: translation)
    if let dimension {
      let matrix = try store.genreMatrix(query, of: population, by: dimension)
      chart = matrix.chart(top: top, in: translation)
      // A timeline says of itself what it counts and leaves out.
      let notes =
        dimension == .yearAdded
        ? [] : matrix.notes(top: top, of: question, in: translation)
      chart.notes += notes.map(\.sentence)
    }
    if !words.isEmpty { chart.title += Message(verbatim: " – \(words.joined(separator: " "))") }
    return chart
  }

  private func check(_ items: Int, _ query: Query, in context: Context) throws {
    guard items == 0, !query.isEverything else { return }
    guard let population else { throw context.nothingMatches(query, typed: words) }
    throw Failure("nothing that '--of \(population.rawValue)' counts matches \(words.joined(separator: " "))")
  }
}

extension GenreMatrix.Dimension: ArgumentValue {
  /// `decade`, or a field by any of its names.
  public init(argument word: String) throws {
    let name = ValueWords.value(word, of: .dimension) ?? Field.named(word)?.word ?? word
    guard let value = Self(rawValue: name) else {
      let choices = Self.allCases.map(\.rawValue)
      throw UsageError(
        "\(word.quoted) is not one of \(choices.joined(separator: ", "))"
          + Suggestion.phrase(for: word, among: choices))
    }
    self = value
  }
}
extension GenrePopulation: ArgumentValue {}
