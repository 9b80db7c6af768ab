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
  var stars: String?
  var seen: String?
  var edits = false

  /// Whether anything was given at all.
  var isEmpty: Bool { words.isEmpty && stars == nil && seen == nil && !edits }

  func validate() throws(UsageError) {
    if words.count > 1 {
      throw UsageError(
        "the comment is more than one word of the shell",
        hint: "put it in quotes: catalog card add 42 \"again and again\"")
    }
  }

  /// The rating that was given; nil clears it when the card is edited.
  func rating(insteadOf before: Rating? = nil, isEditing: Bool = false) throws -> Rating? {
    guard let stars else { return before }
    return isEditing && Self.isNothing(stars) ? nil : try Rating(stars)
  }

  func seenOn(insteadOf before: PartialDate? = nil, isEditing: Bool = false) throws -> PartialDate? {
    guard let seen else { return before }
    if isEditing && Self.isNothing(seen) { return nil }
    guard let date = PartialDate(seen) else {
      throw UsageError("\(seen.quoted) is no date: write 2026, 2026-11 or 2026-11-21")
    }
    return date
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
    (stars.map { " --stars \($0.shellWord)" } ?? "") + (seen.map { " --seen \($0.shellWord)" } ?? "")
  }

  private static func isNothing(_ text: String) -> Bool { ["", "none"].contains(text.lowercased()) }
}

extension Context {
  /// The number of a card.
  func card(_ word: String) throws -> CardID {
    guard let number = Int64(word), number > 0 else {
      throw UsageError("\(word.quoted) is no card: cards have numbers", hint: "find it with 'catalog card list'")
    }
    return CardID(rawValue: number)
  }
}
