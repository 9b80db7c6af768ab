internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog report years [QUERY]`: items by the year of their release or addition.
struct ReportYearsCommand: Command {
  static let info = CommandInfo<Self>(
    "years", summary: "Count items by year of release, or by year added.",
    discussion: """
      Shows the items, mean rating, pages, minutes and prices of each year of release. With --added it is the year in \
      which you added the items.
      """,
    examples: [
      Example("catalog report years kind:movie", "Your movies by year of release."),
      Example("catalog report years --added", "How the catalog grew."),
      Example("catalog report years --csv > years.csv", "For a spreadsheet."),
    ],
    arguments: [.flag("added", \.isByAddition, help: "Count by the year added instead.")]
      + ReportOptions.arguments.lifted(\.options))

  var isByAddition = false
  var options = ReportOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try options.query(in: store, context)
    let report = try store.tallyYears(query, of: isByAddition ? .addition : .release)
    try options.check(report.whole.items, of: query, in: context)
    try TallyView(
      report: report,
      words: .init(
        key: "year", rows: "years", title: "Year", titles: "Years",
        headline: { $1 == 1 ? "\($0) in one year" : "\($0) in \($1) years" }, missing: ("year", "year:none")),
      options: options, value: { .integer(Int64($0)) }, shown: year, span: span(of: report, year),
      years: report.rows.map { ($0.heading, $0.tally.items) }, gap: { gap(after: $0, before: $1, step: 1, year) }
    ).write(in: context)
  }
}

private func year(_ year: Int) -> Message { Message(verbatim: "\(year)") }

private func decade(_ decade: Int) -> Message { "\(decade)s" }

/// `, 1927 to 2024; the middle one is of 1994`.
private func span(
  of report: TallyReport<Int>, _ name: (Int) -> Message, upTo: (Message) -> Message = { "the middle one is of \($0)" }
) -> Message {
  let nothing = Message(verbatim: "")
  guard let first = report.rows.first?.heading, let last = report.rows.last?.heading, let median = report.median else {
    return nothing
  }
  let span: Message = ", \(name(first)) to \(name(last))"
  // If most items are of the last year, the median adds nothing.
  guard median != last else { return first == last ? nothing : span }
  return "\(span); \(upTo(name(median)))"
}

/// The years or decades between two, as people write them: `1931–1948`, `1950`, `1930s–1940s`.
private func gap(after first: Int, before last: Int, step: Int, _ name: (Int) -> Message) -> Message? {
  let (start, end) = (first + step, last - step)
  guard start <= end else { return nil }
  return start == end ? name(start) : "\(name(start))–\(name(end))"
}

/// `catalog report decades [QUERY]`: items by decade.
struct ReportDecadesCommand: Command {
  static let info = CommandInfo<Self>(
    "decades", summary: "Count items by decade of release.",
    discussion: "A decade is ten years of the calendar: the 1950s are 1950 to 1959.",
    examples: [Example("catalog report decades genre:jazz", "When your jazz was made.")],
    arguments: ReportOptions.arguments.lifted(\.options))

  var options = ReportOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try options.query(in: store, context)
    let report = try store.tallyDecades(query)
    try options.check(report.whole.items, of: query, in: context)
    try TallyView(
      report: report,
      words: .init(
        key: "decade", rows: "decades", title: "Decade", titles: "Decades",
        headline: { $1 == 1 ? "\($0) in one decade" : "\($0) in \($1) decades" }, missing: ("year", "year:none")),
      options: options, value: { .integer(Int64($0)) }, shown: decade,
      span: span(of: report, decade) { "the middle one is of the \($0)" },
      gap: { gap(after: $0, before: $1, step: 10, decade) }
    ).write(in: context)
  }
}
