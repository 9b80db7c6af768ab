internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog report creators [QUERY]`: items by director, author or artist.
struct ReportCreatorsCommand: Command {
  static let info = CommandInfo<Self>(
    "creators", summary: "Count items by director, author or artist.",
    discussion: """
      An item of two creators counts for both. People of the same name are counted together, since every source \
      numbers them in its own way.
      """,
    examples: [
      Example("catalog report creators kind:vinyl --top 10", "The ten artists with most records."),
      Example("catalog report creators --sort rating", "The creators you rate highest; few ratings weigh less."),
    ],
    arguments: NameReportOptions.arguments.lifted(\.options))

  var options = NameReportOptions()

  func run(in context: Context) throws {
    try options.write(
      .init(
        key: "creator", rows: "creators", title: "Creator", titles: "Creators",
        headline: { $1 == 1 ? "\($0) by one creator" : "\($0) by \($1) creators" },
        missing: ("creator", "creator:none"),
        showsYears: true),
      in: context
    ) { try $0.tallyCreators($1) }
  }
}

/// `catalog report labels [QUERY]`: records by label.
struct ReportLabelsCommand: Command {
  static let info = CommandInfo<Self>(
    "labels", summary: "Count records by record label.",
    discussion:
      "Spellings that differ only in capital letters are one label, named as on the record with the lowest number.",
    examples: [Example("catalog report labels genre:jazz", "The labels of your jazz records.")],
    arguments: NameReportOptions.arguments.lifted(\.options))

  var options = NameReportOptions()

  func run(in context: Context) throws {
    try options.write(
      .init(
        key: "label", rows: "labels", title: "Label", titles: "Labels", things: ("record", "records"),
        headline: { $1 == 1 ? "\($0) on one label" : "\($0) on \($1) labels" },
        missing: ("label", nil),
        showsYears: true), in: context
    ) { try $0.tallyLabels($1) }
  }
}

/// `catalog report publishers [QUERY]`: books by publisher.
struct ReportPublishersCommand: Command {
  static let info = CommandInfo<Self>(
    "publishers", summary: "Count books by publisher.",
    discussion:
      "Spellings that differ only in capital letters are one publisher, named as on the book with the lowest number.",
    examples: [Example("catalog report publishers --sort rating", "The publishers you rate highest.")],
    arguments: NameReportOptions.arguments.lifted(\.options))

  var options = NameReportOptions()

  func run(in context: Context) throws {
    try options.write(
      .init(
        key: "publisher", rows: "publishers", title: "Publisher", titles: "Publishers", things: ("book", "books"),
        headline: { $1 == 1 ? "\($0) from one publisher" : "\($0) from \($1) publishers" },
        missing: ("publisher", nil), showsYears: true),
      in: context
    ) { try $0.tallyPublishers($1) }
  }
}

/// The order of the rows of a report.
enum NameReportOrder: String, CaseIterable, ArgumentValue {
  case items, rating, name
}

struct NameReportOptions: OptionGroup {
  static var arguments: [Argument<NameReportOptions>] {
    ReportOptions.arguments.lifted(\.report) + [
      .option(
        "sort", short: "s", \.order, value: "ORDER",
        help:
          """
          Sort by items (most first, the default), rating (best first; few ratings are drawn to your mean) or name.
          """),
      .option("top", short: "t", \.top, value: "N", help: "Show the first N; on a terminal \(usualTop) by default."),
    ]
  }

  /// Longer tables are rarely read.
  private static let usualTop = 25

  var report = ReportOptions()
  var order = NameReportOrder.items
  var top: Count?

  func write(
    _ words: TallyView<String>.Words, in context: Context, _ read: (Store, Query) throws -> TallyReport<String>
  ) throws {
    let store = try context.reading()
    let query = try report.query(in: store, context)
    var found = try read(store, query)
    try report.check(found.whole.items, Message(words: words.things.one), of: query, in: context)
    sort(&found)
    let isForPerson = report.table.format(on: context.terminal) == .fitted
    if !isForPerson, let top { found.rows = Array(found.rows.prefix(top.number)) }
    let sort = order == .items ? [] : ["--sort", order.rawValue]
    try TallyView(
      report: found, words: words, options: report, value: Table.Value.text, shown: { Message(verbatim: $0) },
      top: top?.number ?? Self.usualTop,
      all: report.command(["report", words.rows] + sort + ["--top", "\(found.rows.count)"])
    ).write(in: context)
  }

  /// Sorts the rows. They come with most items first, and equal counts by name.
  private func sort(_ found: inout TallyReport<String>) {
    switch order {
    case .items: break
    case .name: found.rows.sort { $0.heading < $1.heading }
    case .rating:
      let mean = found.whole.meanRating
      found.rows.sort { a, b in
        let (first, second) = (a.tally.shrunkRating(towards: mean), b.tally.shrunkRating(towards: mean))
        return (-(first ?? -1), -a.tally.items, a.heading) < (-(second ?? -1), -b.tally.items, b.heading)
      }
    }
  }
}
