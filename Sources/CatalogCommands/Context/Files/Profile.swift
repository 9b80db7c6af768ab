internal import CommandLineKit

/// One of several separate catalogs of a person: mine, the club's. Its name is also the name of its folder.
struct Profile: Sendable, Hashable {
  let name: String

  /// The default profile, which every person has. Its folder does not have its name.
  static let first = Profile(known: "default")

  /// The word for every profile in an answer; no profile can have this name.
  static let all = "all"

  private init(known name: String) { self.name = name }

  /// - Throws: ``UsageError`` when the word cannot be a name.
  init(_ word: String) throws(UsageError) {
    let isName =
      word.first.map { $0.isLetter || $0.isNumber } == true && word.count <= 40
      && word.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    guard isName, word != Self.all else {
      throw UsageError(
        "\(word.quoted) cannot be the name of a profile",
        hint: "up to 40 letters, digits, '-', '_' and '.', the first a letter or a digit; 'all' is every profile")
    }
    name = word
  }
}

extension Profile: ArgumentValue {
  init(argument word: String) throws { try self.init(word) }

  static var valueName: String? { "NAME" }
  static var completion: CompletionKind { .dynamic("profiles") }
}
