public import CommandLineKit

/// The options that every command understands.
public struct Globals: OptionGroup {
  public var database: String?
  public var color = ColorOption.auto
  public var usesPager = true
  public var isOffline = false
  /// `--yes`: every question of the kind "really?" is answered so.
  public var saysYes = false
  /// `--dry-run`: show what would change, change nothing.
  public var isDryRun = false

  public init() {}

  public static var arguments: [Argument<Globals>] {
    [
      .option("db", \.database, value: "FILE", completion: .files, help: "Use this catalog file."),
      .option("color", \.color, help: "Use colour: auto, always or never."),
      .flag("no-pager", \.usesPager, sets: false, help: "Do not page long listings."),
      .flag("offline", \.isOffline, help: "Ask no source: cached answers and the built-in pack only."),
      .flag("yes", short: "y", \.saysYes, help: "Answer yes to every question."),
      .flag("dry-run", short: "n", \.isDryRun, help: "Show what would change, and change nothing."),
    ]
  }
}
