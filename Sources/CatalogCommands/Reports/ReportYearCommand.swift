internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog report year [YEAR] [QUERY]`: the year in review.
struct ReportYearCommand: Command {
  static let info = CommandInfo<Self>(
    "year", summary: "Look back on a year: added, rated, best, first and last, new genres.",
    discussion: """
      Compares the year with the year before; by default it is this year. The diary says what was watched, read or \
      played: entries and dated cards. A card without a date counts as a rating of the year in which it was written. A \
      date that is only a year counts for no month.

      '--html' writes it as a page, '--poster' as one picture to share: covers, sentences, a chart and the words of \
      your best card. Such a file is written completely or not at all; an existing file is replaced after a question, \
      which '--yes' answers.
      """,
    examples: [
      Example("catalog report year 2026", "The year in review."),
      Example("catalog report year 2026 kind:book", "Your year of reading."),
      Example("catalog report year 2026 --html 2026.html", "A page with charts, for a browser."),
      Example("catalog report year 2026 --poster 2026.svg", "One picture to share."),
      Example("catalog report year 2026 --json=best,genres", "Parts of it, for a program."),
    ],
    arguments: [
      .positional("year", \.year, value: "YEAR", help: "The year: 2026, this or last; this year by default."),
      .option(
        "html", \.html, value: "FILE", completion: .files,
        help: "Write it as one page for a browser; '-' is standard output."),
    ] + PosterOptions.arguments.lifted(\.poster) + ReportOptions.arguments.lifted(\.options))

  var year: YearOrWord?
  var html: String?
  var poster = PosterOptions()
  var options = ReportOptions()

  func validate() throws(UsageError) {
    if html != nil, options.table.format != nil {
      throw UsageError("a page is not a table: leave out '--html', or the other")
    }
    try poster.validate()
    guard let file = poster.file else { return }
    if options.table.format != nil {
      throw UsageError("a poster is not a table: leave out '--poster', or the other")
    }
    if html == "-", file.path == "-" {
      throw UsageError("only one of '--html' and '--poster' can go to standard output")
    }
  }

  func run(in context: Context) throws {
    var options = options
    var number = Int(context.day.prefix(4)) ?? 1970
    switch year {
    case .year(let typed): number = typed
    case .relative(let word):
      number = PartialDate(typed: word, in: DayContext(today: PartialDate(context.day)))?.year ?? number
    case .word(let word): options.words.insert(word, at: 0)
    case nil: break
    }
    let store = try context.reading()
    let query = try options.query(in: store, context)
    let count = try store.count(query)
    try options.check(count, of: query, in: context)
    let review = try store.yearReview(number, query, now: context.now())
    let view = YearReviewView(review: review, options: options, store: store, today: context.day)
    guard count == 0 || !review.figures.isEmpty else { throw try nothing(in: review, query, store, options) }
    if html != nil || poster.file != nil { return try save(view, query, in: context) }
    switch options.table.format(on: context.terminal) {
    case .fitted: try context.paged { try $0.print(view.report(isWhole: $0.onReport != nil, on: $0.terminal)) }
    case .json: try context.printJSON(options.table.fields, review, view.members)
    default: try view.figures.write(options.table, to: context.output, terminal: context.terminal)
    }
  }

  /// Writes a poster, a page, or both.
  private func save(_ view: YearReviewView, _ query: Query, in context: Context) throws {
    let (year, poster) = (view.review.year, YearPoster(view: view, query: query))
    let command = "catalog report year \(year)"
    if let file = self.poster.file {
      guard !view.review.figures.isEmpty else { throw Failure.nothingForPoster }
      let drawn = try poster.make(self.poster.shape ?? .portrait, in: context)
      try context.save(drawn, to: file, usualName: "\(year).svg", command: "\(command) --poster")
    }
    if let html {
      let covers = try poster.covers(Poster.Shape.portrait.mostCovers, in: context)
      let translation = context.terminal.translation
      var page = HTMLPage(try view.report(isWhole: true, on: Terminal(in: translation)), in: translation)
      if !covers.isEmpty { page.parts.insert(PictureRow(covers), at: 0) }
      try context.save(page.text, to: html, usualName: "\(year).html", command: "\(command) --html")
    }
  }

  private func nothing(
    in review: YearReview, _ query: Query, _ store: Store, _ options: ReportOptions
  ) throws -> Failure {
    let years = try store.tallyYears(query, of: .addition).rows.map { "\($0.heading)" }
    return Failure(
      "nothing was added, rated or written about in \(review.year)",
      hint:
        "something was added in \(years.suffix(5).joined(separator: ", ")): \(options.command("report", "years", "--added"))"
    )
  }
}

/// A year, or, since the year is optional, the first word of the query.
enum YearOrWord: ArgumentValue, Hashable {
  case year(Int)
  /// A year beside this one: `올해`.
  case relative(String)
  /// A term of a query.
  case word(String)

  init(argument word: String) throws {
    let typed = ["this", "last"].contains(word.lowercased()) ? "\(word) year" : word
    // Whether it is a year is only seen here, so any day will do.
    if let date = PartialDate(typed: typed, in: DayContext(today: PartialDate("2000-01-01"))), date.month == nil {
      let absolute = PartialDate(typed: typed)
      self = absolute.map { .year($0.year) } ?? .relative(typed)
      return
    }
    // A word without a sign of a query is a mistyped year.
    guard word.contains(":") || "@(^-\"".contains(word.first ?? "a") else {
      guard Int(word) == nil else {
        throw UsageError("invalid year \(word.quoted): years go from 1 to 9999")
      }
      throw UsageError(
        "invalid year \(word.quoted)", hint: "give one, this or last; put words of a query after the year")
    }
    self = .word(word)
  }

  static var valueName: String? { "YEAR" }
}
