internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog report ratings [QUERY]`: your ratings, and their difference from the public's.
struct ReportRatingsCommand: Command {
  static let info = CommandInfo<Self>(
    "ratings", summary: "Show your ratings, and how they differ from the public's.",
    discussion: """
      Shows how many items have how many stars, to the nearest half; the mean, median and spread; and for the items of \
      each kind with a public rating, how far yours differ from it, and where most.
      """,
    examples: [
      Example("catalog report ratings", "All ratings."),
      Example("catalog report ratings kind:movie --json", "Every number about your movies."),
    ],
    arguments: ReportOptions.arguments.lifted(\.options))

  var options = ReportOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try options.query(in: store, context)
    let report = try store.ratingReport(query)
    try options.check(report.whole.items, of: query, in: context)
    let view = RatingView(report: report, options: options, store: store)
    let format = options.table.format(on: context.terminal)
    guard format != .fitted else { return try context.paged { try $0.print(view.blocks(on: $0.terminal)) } }
    guard format == .json else {
      return try view.histogram.write(options.table, to: context.output, terminal: context.terminal)
    }
    try context.printJSON(options.table.fields, view, view.members)
  }
}

/// The ratings for people and programs.
private struct RatingView {
  var report: RatingReport
  var options: ReportOptions
  var store: Store

  // MARK: For programs

  /// A row for each step of half a star, from 0 to 5.
  var histogram: Table {
    get throws {
      try Table(
        report.histogram.enumerated(),
        [
          .init("stars") { Double($0.offset) / 2 }, .init("least") { max(0, $0.offset * 10 - 5) },
          .init("most") { min(100, $0.offset * 10 + 4) }, .init("items", \.element),
          .init("share") { report.whole.rated > 0 ? Double($0.element) / Double(report.whole.rated) : nil },
        ])
    }
  }

  var members: [Column<RatingView>] {
    [
      .init("items", \.report.whole.items), .init("rated", \.report.whole.rated),
      .init("unrated") { $0.report.whole.items - $0.report.whole.rated },
      .init("mean_rating", \.report.whole.meanRating), .init("median_rating", \.report.median),
      .init("deviation", \.report.deviation), .init("histogram") { try $0.histogram },
      .list(
        "kinds", \.report.kinds,
        [
          .init("kind", \.kind), .init("items", \.tally.items), .init("rated", \.tally.rated),
          .init("mean_rating", \.tally.meanRating), .object("public", \.comparison, membersOfComparison),
        ]),
    ]
  }

  private var membersOfComparison: [Column<RatingReport.Comparison>] {
    let item: [Column<RatingReport.Difference>] = [.init("id", \.item), .init("item", \.item)]
    let ratings: [Column<RatingReport.Difference>] = [
      .init("rating", \.rating), .init("public_rating", \.publicRating), .init("difference", \.points),
    ]
    let difference = item + Column<RatingReport.Difference>.work { try store.item($0.item).record } + ratings
    return [
      .init("items", \.items), .init("mean_rating", \.mean), .init("mean_public_rating", \.publicMean),
      .init("difference", \.difference), .init("distance", \.distance), .init("correlation", \.correlation),
      .list("above", \.above, difference), .init("more_above", \.above.more),
      .list("below", \.below, difference), .init("more_below", \.below.more),
    ]
  }

  // MARK: For a person

  func blocks(on terminal: Terminal) throws -> [Report.Block] {
    let whole = report.whole
    guard whole.items > 0 else {
      return [
        .paragraph("The catalog is empty, so there is nothing to report."),
        .paragraph("Look something up: \(code: "catalog search dune")"),
      ]
    }
    guard let mean = whole.meanRating, let median = report.median, let deviation = report.deviation else {
      return [
        .paragraph(
          whole.items == 1
            ? "The one item is not rated yet." : "None of the \(whole.items) items is rated yet."),
        .paragraph("Rate one: \(code: "catalog card add REF --stars 4.5")"),
      ]
    }
    let rest = whole.items - whole.rated
    var entries: [Report.Fact] = [
      .init(
        "Rated",
        rest > 0
          ? "\(whole.rated) of \(whole.items) items; the rest"
          : whole.items == 1 ? "the one item" : "all \(whole.items) items",
        command: rest > 0 ? options.command("report", "shame") : nil),
      .init(
        "Mean",
        whole.rated > 1
          ? """
          \(mean.stars(2)) stars; the middle rating is \(median.stars(2)), the spread \(deviation.stars(2))
          """ : "\(mean.stars(2)) stars"),
    ]
    let kinds = report.kinds.filter { $0.tally.rated > 0 }
    if kinds.count > 1 {
      let means = kinds.compactMap { kind in
        kind.tally.meanRating.map { "\(kind.kind.plurals) \($0.stars(2)) (\(kind.tally.rated))" as Message }
      }
      entries.append(.init("By kind", means.joined(separator: ", ")))
    }
    let compared = report.kinds.compactMap { kind in kind.comparison.map { (kind.kind, $0) } }
    var blocks: [Report.Block] = [.entries(entries), .table(try chart(on: terminal), caption: "Ratings")]
    for (kind, comparison) in compared { blocks += try self.blocks(of: comparison, of: kind, on: terminal) }
    if compared.isEmpty {
      blocks.append(.note("No rated item has a public rating, so there is nothing to compare with."))
    }
    if whole.rated < 5 {
      blocks.append(.note("These are few ratings: the numbers mean more with five and more."))
    }
    return blocks
  }

  /// Five stars come first.
  private func chart(on terminal: Terminal) throws -> Table {
    let steps = Array(report.histogram.enumerated().reversed())
    var table = try Table(
      steps,
      [
        .init("stars", terminal.usesUnicode ? "★" : "Stars", alignment: .right, importance: 9, style: .yellow) {
          (Double($0.offset) / 2).fixed(1)
        },
        .init("items", "Items", alignment: .right, importance: 8, \.element),
        .init("share", "Share", alignment: .right, importance: 7) {
          "\((Double($0.element) / Double(report.whole.rated) * 100).fixed(1)) %"
        },
      ])
    table.bars = .init(behind: "share", of: steps.map { Double($1) }, style: .yellow)
    return table
  }

  private func blocks(
    of comparison: RatingReport.Comparison, of kind: Kind, on terminal: Terminal
  ) throws -> [Report.Block] {
    let count = comparison.items
    let difference = abs(comparison.difference).stars(2)
    let direction: Message =
      difference == "0.00"
      ? "as much" : Message(comparison.difference > 0 ? "\(difference) more" : "\(difference) less", context: "stars")
    let least = RatingReport.Comparison.leastForCorrelation
    let agreement: Message =
      if let correlation = comparison.correlation {
        "; agreement \(correlation.fixed(2)) (1 is the same taste, 0 none in common, -1 the opposite)"
      } else if count < least {
        "; agreement needs \(least) items that both have rated"
      } else {
        "; agreement cannot be told where all ratings are equal"
      }
    var blocks: [Report.Block] = [
      .heading("Against the public: \(kind.plurals)"),
      .entries([
        .init(
          "You give",
          """
          \(comparison.mean.stars(2)) stars where the public gives \(comparison.publicMean.stars(2)): \(direction), over \
          \(count.counted("item", "items"))
          """),
        .init("Apart", "\(comparison.distance.stars(2)) on average, up or down\(agreement)"),
      ]),
    ]
    let sides: [(heading: Message, differences: TopList<RatingReport.Difference>)] = [
      ("You like more", comparison.above), ("You like less", comparison.below),
    ]
    for (heading, differences) in sides where !differences.isEmpty {
      let more = differences.more > 0 ? [Footnote("and \(differences.more) more that are as far apart")] : []
      blocks += [
        .heading(heading), .table(try table(of: differences, on: terminal), caption: heading, notes: more),
      ]
    }
    return blocks
  }

  private func table(of differences: TopList<RatingReport.Difference>, on terminal: Terminal) throws -> Table {
    try Table(
      differences,
      [
        .init("id", "", alignment: .right, importance: 9, style: .cyan, \.item),
        .init("title", "", isFlexible: true, minimumWidth: 16, importance: 8) {
          try store.item($0.item).record.headline
        },
        .init("difference", "", alignment: .right, importance: 7) { difference in
          (difference.points > 0 ? "+" : "-") + abs(difference.points).stars()
        },
        .init("ratings", "", importance: 6, style: .dim) { difference in
          ("\(Double(difference.rating).stars()) against \(difference.publicRating.stars())" as Message)
            .text(on: terminal)
        },
      ])
  }
}
