extension String {
  /// Begins with a capital letter, as a sentence does, unless a name such as iTunes begins it.
  var capitalizedFirst: String {
    dropFirst().first?.isUppercase == true ? self : prefix(1).uppercased() + dropFirst()
  }
}

extension Failure {
  /// As a sentence.
  var spoken: String { message.capitalizedFirst + (message.hasSuffix(".") ? "" : ".") }
}
