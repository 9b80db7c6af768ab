internal import CatalogModel

extension Store {
  /// A note as it is kept, of a copy, a wish, a loan or an entry of the diary; nil when nothing is in it.
  /// - Throws: ``CatalogError/noteTooLong(_:)``.
  static func checkNote(_ note: String?) throws -> String? { try checkLength(of: Text.lines(note)) }

  /// The same for one line.
  static func checkLine(_ line: String?) throws -> String? { try checkLength(of: Text.line(line)) }

  private static func checkLength(of text: String?) throws -> String? {
    // SQLite counts code points, and so do we.
    if let length = text?.unicodeScalars.count, length > Copy.longestNote { throw CatalogError.noteTooLong(length) }
    return text
  }
}
