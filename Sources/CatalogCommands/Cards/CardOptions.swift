internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// What `card add` and `card edit` accept to fill a card.
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

  /// Whether anything was given at all.
  var isEmpty: Bool { words.isEmpty && stars == nil && seen == nil && !edits }

  /// - Parameters:
  ///   - command: what stands before the comment, for hints.
  ///   - title: whether the comment may as well go on with a title.
  func validate(behind command: String, title: Bool = false) throws(UsageError) {
    try CommentWords.check(words, of: "catalog card add", behind: command, isRated: stars != nil, title: title)
  }

  /// Calls `write` with the words as they are to be kept: as typed, all of standard input for `-`, what the editor makes
  /// of them. What was written in the editor stays in its file until `write` is done.
  /// - Parameters:
  ///   - rating: what stands beside them; without it there must be words.
  ///   - command: what was typed before the options, for who wants to try again.
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

  /// The rating and the date as they were typed.
  private var spelled: String {
    (stars.map { " --stars \($0.value?.description.shellWord ?? "none")" } ?? "")
      + (seen.map { " --seen \($0.value?.description ?? "none")" } ?? "")
  }
}
