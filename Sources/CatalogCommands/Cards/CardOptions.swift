internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The options of `card add` and `card edit` for the content of a card.
struct CardOptions: OptionGroup {
  static var arguments: [Argument<CardOptions>] {
    [
      .positional("words", \.words, isRequired: false, help: "The comment; '-' reads it from standard input."),
      .option("stars", short: "s", \.stars, value: "RATING", help: "The rating: 4.5 stars, 9/10 or 87%."),
      .option("rating", \.stars, value: "RATING", help: "The same."),
      .option("seen", \.seen, value: "DATE", help: "When it was seen, read or heard: 2026, 2026-11, 2026-11-21."),
      .flag("edit", short: "e", \.edits, help: "Write the comment in the editor."),
    ]
  }

  var words: [String] = []
  var stars: Clearable<Rating>?
  var seen: Clearable<PartialDate>?
  var edits = false

  /// Whether no option was given.
  var isEmpty: Bool { words.isEmpty && stars == nil && seen == nil && !edits }

  /// - Parameters:
  ///   - command: the command line before the comment, for hints.
  ///   - title: whether the words may be the rest of a title, too.
  func validate(behind command: String, title: Bool = false) throws(UsageError) {
    try CommentWords.check(words, of: "catalog card add", behind: command, isRated: stars != nil, title: title)
  }

  /// Calls `write` with the comment: as typed, from standard input for `-`, or from the editor. The editor's file stays
  /// until `write` succeeds.
  /// - Parameters:
  ///   - rating: the rating of the card; without it a comment is required.
  ///   - command: the command line before the options, for a retry.
  func withComment<Result>(
    insteadOf before: String? = nil, beside rating: Rating?, retry command: String, in context: Context,
    _ write: (String?) throws -> Result
  ) throws -> Result {
    let comment = try CommentWords.read(words, in: context) ?? before
    guard edits else { return try write(Store.checkCard(rating: rating, comment: comment)) }
    return try context.edit(
      comment ?? "", named: "card", retry: { "\(command)\(spelled) - < \($0)" }
    ) { try Store.checkCard(rating: rating, comment: $0) }.written(write)
  }

  /// The rating and the date as typed.
  private var spelled: String {
    (stars.map { " --stars \($0.value?.description.shellWord ?? "none")" } ?? "")
      + (seen.map { " --seen \($0.value?.description ?? "none")" } ?? "")
  }
}
