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
    guard let word = words.first else { return }
    if words.count > 1 {
      throw UsageError(
        title
          ? "where the title ends and the comment begins cannot be told"
          : "the comment is more than one word of the shell",
        hint: title
          ? "put each in quotes: catalog card add \"kind of blue\" \"again and again\""
          : "put it in quotes: \(command) \"again and again\"")
    }
    let isRating = stars == nil && (try? Rating(word)) != nil
    if isRating || Double(word) != nil && (title || stars == nil) {
      throw UsageError(
        title
          ? "\(word.quoted) may be the rating, the end of the title or the comment"
          : "\(word.quoted) may be the rating or the comment",
        hint: [
          isRating ? "as a rating: \(command) --stars \(word.shellWord)" : nil,
          title ? "as a part of the title: \(command.dropLast(command.hasSuffix("\"") ? 1 : 0)) \(word)\"" : nil,
          !isRating && !title ? "for a rating there is --stars" : nil,
        ].compactMap(\.self).joined(separator: "; "))
    }
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
    var comment = words.first ?? before
    if words == ["-"] {
      var lines: [String] = []
      while let line = try context.readLine() { lines.append(line) }
      comment = lines.joined(separator: "\n")
    }
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
