@testable import CommandLineKit

/// The context of these tests' commands, which note what they did.
final class Notes {
  var lines: [String] = []
}

enum Kind: String, CaseIterable, ArgumentValue { case movie, book, vinyl }

struct Globals: OptionGroup {
  static let arguments: [Argument<Globals>] = [
    .option("db", \.database, value: "FILE", completion: .files, help: "The catalog to use."),
    .option("color", \.color, value: "WHEN", help: "When to use color."),
    .flag("no-pager", \.usesPager, sets: false, help: "Write without a pager."),
  ]
  var database: String?
  var color = ColorOption.auto
  var usesPager = true
}

struct AddCommand: Command {
  static let info = CommandInfo<Self>(
    "add", aliases: ["put"], summary: "Add an item to the catalog.",
    discussion: "What a person typed is never overwritten.",
    examples: [Example("catalog add movie Parasite --year 2019", "Adds a movie by hand.")],
    arguments: [
      .positional("kind", \.kind, help: "What it is: movie, book or vinyl."),
      .positional("title", \.title, help: "The title as printed on the item."),
      .option("year", short: "y", \.year, help: "Year of release."),
      .option("delta", short: "d", \.delta, help: "How far to move."),
      .option("genre", short: "g", \.genres, completion: .dynamic("genres"), help: "A genre; repeat for several."),
      .option("kinds", \.kinds, separator: ",", help: "Kinds, separated by commas."),
      .flag("all", short: "a", \.all, help: "Take all."),
      .flag("brief", short: "b", \.brief, help: "Say less."),
      .flag("secret", \.secret, help: "Not to be seen.").hidden,
      .option("cover", short: "c", \.cover, value: "FILE", completion: .files, help: "A picture."),
    ] + TableOptions.arguments.lifted(\.output, heading: "Output"))

  var kind = Kind.movie
  var title = ""
  var year: Int?
  var delta = 1.0
  var genres: [String] = ["Unknown"]
  var kinds: [Kind] = [.movie]
  var all = false
  var brief = false
  var secret = false
  var cover: String?
  var output = TableOptions()

  func validate() throws(UsageError) {
    if all && brief { throw UsageError("'--all' and '--brief' exclude each other") }
  }

  func run(in context: Notes) throws { context.lines.append("add \(kind.rawValue) \(title)") }
}

struct ListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", summary: "Show the items.",
    arguments: [
      .positional("query", \.query, isRequired: false, completion: .dynamic("items"), help: "What to show.")
        .terms(["genre", "year"]),
      .option("year", short: "y", \.year, help: "Of which year."),
      .option("where", short: "w", \.conditions, help: "Which.").terms(["genre"]),
    ])
  var year: String?
  var conditions: String?
  var query: [String] = []
  func run(in context: Notes) throws { context.lines.append("list \(query)") }
}

struct LendCommand: Command {
  static let info = CommandInfo<Self>(
    "lend", summary: "Lend copies to someone.",
    arguments: [
      .positional("copies", \.copies, value: "COPY", help: "What to lend."),
      .positional("name", \.name, help: "Who gets it."),
    ])
  var copies: [Int] = []
  var name = ""
  func run(in context: Notes) throws {}
}
