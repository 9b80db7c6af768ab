internal import CStart

extension CommandLine {
  /// The words after the program's name, exactly as typed.
  ///
  /// `CommandLine.arguments` repairs broken text silently, and a repaired title or file name is a wrong one; and it
  /// needs `/proc`.
  public static func words() throws(UsageError) -> [String] {
    try words(start_words(), count: Int(start_word_count()))
  }

  static func words(
    _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int
  ) throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, count) {
      guard let pointer = pointers[index] else { break }
      guard let word = String(validatingCString: pointer) else {
        throw UsageError("argument \(index) is not valid UTF-8")
      }
      words.append(word)
    }
    return words
  }
}
