internal import CatalogModel
internal import CommandLineKit

/// The comment on a command line: one argument behind a number, or `-` for standard input.
enum CommentWords {
  /// Checks that the words are a comment and nothing else.
  /// - Parameters:
  ///   - typed: the command line before the comment, for hints.
  ///   - isRated: whether the rating was given by its option.
  static func check(_ words: [String], behind typed: String, isRated: Bool) throws(UsageError) {
    guard let word = words.first else { return }
    if words.count > 1 {
      throw UsageError("the comment is not in quotes", hint: "put it in quotes: \(typed) \"again and again\"")
    }
    let isRating = !isRated && (try? Rating(word)) != nil
    if isRating || !isRated && Double(word) != nil {
      throw UsageError(
        "\(word.quoted) may be the rating or the comment",
        hint: isRating
          ? "if it is the rating: \(typed) --stars \(word.shellWord)" : "use --stars for a rating")
    }
  }

  /// The comment: the argument as typed, or all of standard input for `-`; nil for none.
  static func read(_ words: [String], in context: Context) throws -> String? {
    guard words == ["-"] else { return words.first }
    var lines: [String] = []
    while let line = try context.readLine() { lines.append(line) }
    return lines.joined(separator: "\n")
  }
}
