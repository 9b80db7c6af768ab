internal import CatalogModel
internal import CommandLineKit

/// One of several separate catalogs of a person: mine, the club's. Its name is also the name of its folder.
struct Profile: Sendable, Hashable {
  /// Composed (NFC), however it was typed: one name is one folder.
  let name: String

  /// The default profile, which every person has. Its folder does not have its name.
  static let first = Profile(known: "default")

  /// The word for every profile in an answer; no profile can have this name.
  static let all = "all"

  private init(known name: String) { self.name = name }

  /// - Throws: ``UsageError`` when the word cannot be a name.
  init(_ word: String) throws(UsageError) {
    let name = Folding.composed(word)
    let isName =
      name.first.map { $0.isLetter || $0.isNumber } == true && name.count <= 40 && name.utf8.count <= 255
      && name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    guard isName, name != Self.all else {
      throw UsageError(
        "\(word.quoted) cannot be the name of a profile",
        hint: "up to 40 letters, digits, '-', '_' and '.', the first a letter or a digit; 'all' is every profile")
    }
    self.name = name
  }
}

extension Profile: ArgumentValue {
  init(argument word: String) throws { try self.init(word) }

  static var valueName: String? { "NAME" }
  static var completion: CompletionKind { .dynamic("profiles") }
}
