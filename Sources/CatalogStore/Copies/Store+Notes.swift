internal import CatalogModel

extension Store {
  /// Returns a note of a copy, wish, loan or diary entry in its stored form; nil if it is empty.
  /// - Throws: ``CatalogError/noteTooLong(_:)``.
  static func checkNote(_ note: String?) throws -> String? { try checkLength(of: Text.lines(note)) }

  /// Returns a single line in its stored form; nil if it is empty.
  static func checkLine(_ line: String?) throws -> String? { try checkLength(of: Text.line(line)) }

  private static func checkLength(of text: String?) throws -> String? {
    // Characters are code points, as in SQLite.
    if let length = text?.unicodeScalars.count, length > Copy.longestNote { throw CatalogError.noteTooLong(length) }
    return text
  }
}
