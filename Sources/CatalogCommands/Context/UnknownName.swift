internal import CommandLineKit

extension UsageError {
  /// Says that there is no such thing, which one was perhaps meant, and which there are.
  static func unknown(_ thing: Message, _ word: String, among names: [String]) -> UsageError {
    let guess = Suggestion.phrase(for: word, among: names)
    return UsageError("there is no \(thing) \(word.quoted)\(guess)", hint: "there are \(names.joined(separator: ", "))")
  }
}
