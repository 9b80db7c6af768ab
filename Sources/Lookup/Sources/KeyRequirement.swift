internal import CatalogModel

/// The key of a source, and the help for a user without one.
public struct KeyRequirement: Sendable, Hashable {
  /// The source's name of the key: `API Read Access Token`.
  public var name: String
  /// The page where users get a key.
  public var page: String
  /// The environment variable for the key: `CATALOG_TMDB_TOKEN`.
  public var variable: String
  /// The behavior without a key, as half a sentence: `movies are looked up at iTunes`.
  public var without: String
  /// Whether the source answers nothing without a key.
  public var isRequired = true

  /// Whether an environment variable may hold a key, by its name alone: `CATALOG_TMDB_TOKEN`, `CATALOG_KAKAO_KEY`.
  public static func isVariable(_ name: String) -> Bool {
    name.hasPrefix("CATALOG_") && (name.hasSuffix("_KEY") || name.hasSuffix("_TOKEN"))
  }

  /// The key in what a person typed or a program printed: the first line that is not blank, or nil when it cannot be a
  /// key. Keys are one word of visible ASCII characters.
  public static func key(in text: String) -> String? {
    guard let line = text.split(whereSeparator: \.isNewline).lazy.map(\.trimmingBlanks).first(where: { !$0.isEmpty })
    else { return nil }
    return line.utf8.count <= 4096 && line.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? line : nil
  }
}
