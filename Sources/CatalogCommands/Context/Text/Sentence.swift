internal import CommandLineKit

extension String {
  /// The text with a capital first letter, as a sentence; a name such as iTunes stays.
  var capitalizedFirst: String {
    dropFirst().first?.isUppercase == true ? self : prefix(1).uppercased() + dropFirst()
  }
}

extension Failure {
  /// The message as a sentence.
  func spoken(on terminal: Terminal) -> String {
    let words = message.text(on: terminal)
    return words.capitalizedFirst + (words.hasSuffix(".") ? "" : ".")
  }
}
