internal import CommandLineKit

/// The options of every command.
struct Globals: OptionGroup {
  var database: String?
  var profile: Profile?
  var color = ColorOption.auto
  var usesPager = true
  var isOffline = false
  /// `--yes`: answers yes to every question.
  var saysYes = false
  /// `--quiet`: does not print the success of a command that writes.
  var isQuiet = false
  /// `--dry-run`: show what would change, change nothing.
  var isDryRun = false
  /// `--raw`, `--safe-for-spreadsheets`: the treatment of foreign text.
  var text = Sanitizing.Choice.safe

  init() {}

  static var arguments: [Argument<Globals>] {
    [
      .option("db", \.database, value: "FILE", completion: .files, help: "Use this catalog file."),
      .option("profile", \.profile, help: "Use the catalog of this profile."),
      .option("color", \.color, help: "Use colour: auto, always or never."),
      .flag("no-pager", \.usesPager, sets: false, help: "Do not page long listings."),
      .flag("offline", \.isOffline, help: "Ask no source: cached answers and the built-in pack only."),
      .flag("yes", short: "y", \.saysYes, help: "Answer yes to every question."),
      .flag("quiet", short: "q", \.isQuiet, help: "When something is changed, print only errors."),
      .flag("dry-run", short: "n", \.isDryRun, help: "Show what would change, and change nothing."),
      .flag("raw", \.text, sets: .raw, help: "Pass control characters through a pipe unchanged."),
      .flag(
        "safe-for-spreadsheets", \.text, sets: .forSpreadsheets,
        help: "Keep spreadsheets from reading cells as formulas."),
    ]
  }
}
