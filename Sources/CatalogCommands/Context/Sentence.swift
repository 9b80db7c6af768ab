internal import CommandLineKit

extension String {
  /// Begins with a capital letter, as a sentence does, unless a name such as iTunes begins it.
  var capitalizedFirst: String {
    dropFirst().first?.isUppercase == true ? self : prefix(1).uppercased() + dropFirst()
  }
}

extension Failure {
  /// As a sentence.
  func spoken(on terminal: Terminal) -> String {
    let words = message.text(on: terminal)
    return words.capitalizedFirst + (words.hasSuffix(".") ? "" : ".")
  }
}
