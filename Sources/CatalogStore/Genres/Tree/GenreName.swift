internal import CatalogModel

extension Store {
  /// The most characters (Unicode scalars) of a genre's name.
  public static let longestGenreName = 100
}

/// Checks the names that a user gives to genres and labels.
enum GenreName {
  /// The name without blanks around it, composed.
  /// - Throws: ``CatalogError/badGenreName(_:)`` for one that is empty or too long, has control or bidirectional
  ///   characters or a semicolon (which stands between genres), or is `none`, which is no genre in a query.
  static func checked(_ text: String) throws -> String {
    guard let name = Text.line(text), name.unicodeScalars.count <= Store.longestGenreName,
      !text.trimmingBlanks.unicodeScalars.contains(where: isForbidden), Folding.nameKey(name) != "none"
    else { throw CatalogError.badGenreName(text) }
    return name
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x3B, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
