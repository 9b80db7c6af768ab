internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The options of `card add` and `card edit` for the content of a card.
struct CardOptions: OptionGroup {
  static var arguments: [Argument<CardOptions>] {
    [
      .option("stars", short: "s", \.stars, value: "RATING", help: "The rating: 4.5 stars, 9/10 or 87%."),
      .option("rating", \.stars, value: "RATING", help: "The same."),
      .option(
        "seen", \.seen, value: "DATE",
        help: "When it was seen, read or heard: yesterday, 2026-11-21, 2026-11, 2026."),
      .option("comment", short: "c", \.comment, value: "WORDS", help: "The comment."),
      .flag("edit", short: "e", \.edits, help: "Write the comment in the editor."),
    ]
  }

  /// The comment as one word, or `-` for standard input.
  var words: [String] = []
  var comment: String?
  var stars: Clearable<Rating>?
  var seen: Clearable<TypedDate>?
  var edits = false

  /// Whether no option was given.
  var isEmpty: Bool { words.isEmpty && comment == nil && stars == nil && seen == nil && !edits }

  /// Takes over what was typed behind the name of the item.
  mutating func take(_ tail: TypedTail?) {
    switch tail {
    case .comment(let text): words = [text]
    case .standardInput: words = ["-"]
    case .rating(let rating): stars = stars ?? .some(rating)
    case .day(let day): seen = seen ?? .some(day)
    case nil: break
    }
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
    if comment != nil, !words.isEmpty { throw UsageError("the comment is given twice") }
    let comment = try self.comment ?? CommentWords.read(words, in: context) ?? before
    guard edits else { return try write(Store.checkCard(rating: rating, comment: comment)) }
    return try context.edit(
      comment ?? "", named: "card", retry: { "\(command)\(spelled) - < \($0)" }
    ) { try Store.checkCard(rating: rating, comment: $0) }.written(write)
  }

  /// The rating and the date as typed.
  private var spelled: String {
    (stars.map { " --stars \($0.value?.description.shellWord ?? "none")" } ?? "")
      + (seen.map { " --seen \($0.value?.text ?? "none")" } ?? "")
  }
}
