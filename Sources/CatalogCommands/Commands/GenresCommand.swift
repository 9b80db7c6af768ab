internal import CatalogModel
public import CatalogStore
public import CommandLineKit

/// `catalog genres [QUERY]`: what the items' genres say about their owner's taste.
struct GenresCommand: Command {
  static let info = CommandInfo<Self>(
    "genres", summary: "Analyse your taste by genre.",
    discussion: """
      The genre with most items, how many genres you really spread over, a table of all, which go together, how your \
      taste has moved from year to year, and what your movies, books and records have in common. A genre counts the \
      items of the genres below it too, each once. With a query it looks at those items only; '--by' sets genres \
      against decades, kinds, creators and more. 'catalog help genres' says what each number means.
      """,
    examples: [
      Example("catalog genres", "The genres of everything."),
      Example("catalog genres kind:vinyl --top 10", "The ten genres with most records."),
      Example("catalog genres --by decade", "A heat map: which genre from which decade."),
      Example("catalog genres year:1970..1979 --json", "Every number about a decade, for a program."),
      Example("catalog genres --table pairs --csv", "All genres that go together, for a spreadsheet."),
    ],
    arguments: [
      .positional(
        "query", \.words, isRequired: false, completion: .dynamic("query"),
        help: "Which items: see 'catalog help query'; without it all."),
      .option(
        "by", short: "b", \.dimension, value: "WHAT",
        help: "Count the genres by decade, year-added, kind, creator or rating instead."),
      .option(
        "table", \.part, value: "TABLE",
        help: "Print only this table, whole: summary, genres, pairs, drift, kinds or coverage."),
      .option(
        "top", short: "t", \.top, value: "N",
        help: "Show the N genres with most items; a terminal gets \(Self.usualTop) without it."),
    ] + TableOptions.arguments.lifted(\.table))

  /// More lines than these are rarely read.
  private static let usualTop = 25

  var words: [String] = []
  var dimension: GenreMatrix.Dimension?
  var part: GenreTables.Part?
  var top: Int?
  var table = TableOptions()

  func validate() throws(UsageError) {
    if let top, top < 1 { throw UsageError("'--top \(top)' is out of range: it starts at 1") }
    if dimension != nil, part != nil { throw UsageError("'--by' prints a table of its own: leave out '--table'") }
  }

  func run(in context: Context) throws {
    let query = try Query(words, now: context.now())
    if let dimension { return try show(context.reading().genreMatrix(query, by: dimension), in: context) }
    let report = try context.reading().genreReport(query, now: context.now())
    try check(report.items, query)
    let tables = GenreTables(report: report, top: top)
    switch (part, table.format(on: context.terminal)) {
    case (let part?, .fitted): try context.paged { try tables[part].write(table, to: $0.output, terminal: $0.terminal) }
    case (let part?, _): try tables[part].write(table, to: context.output, terminal: context.terminal)
    case (nil, .fitted):
      try context.paged { context in
        try GenreView(report: report, top: top ?? Self.usualTop, query: words, context: context).show()
      }
    case (nil, .json):
      let genres = try tables[.genres].selecting(table.fields)
      try context.output.append(bytes: tables.json(genres, isPretty: context.terminal.isOutputTerminal))
    case (nil, _): try tables[.genres].write(table, to: context.output, terminal: context.terminal)
    }
  }

  private func show(_ matrix: GenreMatrix, in context: Context) throws {
    try check(matrix.items, Query(words, now: context.now()))
    var matrix = matrix
    if let top { matrix.rows = Array(matrix.rows.prefix(top)) }
    switch table.format(on: context.terminal) {
    case .fitted:
      try context.paged { context in
        try GenreMatrixView(matrix: matrix, top: top ?? Self.usualTop, query: words, context: context).show()
      }
    case .json:
      let cells = try matrix.cells.selecting(table.fields)
      try context.output.append(bytes: matrix.json(cells, isPretty: context.terminal.isOutputTerminal))
    default: try matrix.cells.write(table, to: context.output, terminal: context.terminal)
    }
  }

  private func check(_ items: Int, _ query: Query) throws {
    guard items > 0 || query.terms.isEmpty else {
      throw Failure(
        "no items match \(words.joined(separator: " ").quoted)", hint: "see what there is: catalog genres")
    }
  }
}

extension GenreMatrix.Dimension: ArgumentValue {}

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
