internal import CommandLineKit

/// `catalog report …`: counts and averages of the catalog.
enum ReportCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "report", aliases: ["reports"],
      summary: "Show statistics: by year, creator or label; ratings; a year in review.",
      discussion: """
        Each covers all items, or those that a query selects, and shows counts, mean ratings, pages, minutes and \
        prices. 'catalog help reports' explains each number.
        """,
      examples: [
        Example("catalog report creators kind:vinyl", "The artists with the most records."),
        Example("catalog report year 2026", "The year in review."),
      ],
      [
        .command(ReportYearsCommand.self), .command(ReportDecadesCommand.self), .command(ReportCreatorsCommand.self),
        .command(ReportLabelsCommand.self), .command(ReportPublishersCommand.self),
        .command(ReportRatingsCommand.self), .command(ReportShameCommand.self), .command(ReportYearCommand.self),
      ]))
}
