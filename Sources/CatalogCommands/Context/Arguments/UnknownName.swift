internal import CommandLineKit

extension UsageError {
  /// The error for an unknown name, with a suggestion and all names.
  static func unknown(_ thing: Message, _ word: String, among names: [String]) -> UsageError {
    let guess = Suggestion.phrase(for: word, among: names)
    return UsageError(
      "there is no \(thing) \(word.quoted)\(guess)", hint: "the choices are \(names.joined(separator: ", "))")
  }
}
