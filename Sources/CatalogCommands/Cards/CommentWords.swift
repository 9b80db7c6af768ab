internal import CatalogModel
internal import CommandLineKit

/// The comment on a command line: one argument after a reference, or `-` for standard input.
enum CommentWords {
  /// Checks that the words are a comment and nothing else.
  /// - Parameters:
  ///   - command: the command alone, for hints.
  ///   - typed: the command line before the comment, for hints.
  ///   - isRated: whether the rating was given by its option.
  ///   - title: whether the words may be the rest of a title, too.
  static func check(
    _ words: [String], of command: String, behind typed: String, isRated: Bool, title: Bool = false
  ) throws(UsageError) {
    guard let word = words.first else { return }
    if words.count > 1 {
      throw UsageError(
        title
          ? "it is not clear where the title ends and the comment begins"
          : "the comment is not in quotes",
        hint: title
          ? "put each in quotes: \(command) \"kind of blue\" \"again and again\""
          : "put it in quotes: \(typed) \"again and again\"")
    }
    let isRating = !isRated && (try? Rating(word)) != nil
    if isRating || Double(word) != nil && (title || !isRated) {
      throw UsageError(
        title
          ? "\(word.quoted) may be the rating, the end of the title or the comment"
          : "\(word.quoted) may be the rating or the comment",
        hint: [
          isRating ? "if it is the rating: \(typed) --stars \(word.shellWord)" : nil,
          title ? "if it is part of the title: \(typed.dropLast(typed.hasSuffix("\"") ? 1 : 0)) \(word)\"" : nil,
          !isRating && !title ? "use --stars for a rating" : nil,
        ].compactMap(\.self).joined(separator: "; "))
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
