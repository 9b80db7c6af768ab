/// What a source calls a thing: `tmdb:550`, `openlibrary:OL45804W`, `itunes:track/1440857781`.
///
/// The same record of a source is one item, so the pair is unique in a catalog.
public struct ExternalID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The source's short name in lower case, as in `catalog source list`.
  public let source: String
  /// The source's own id. Where a source numbers several things separately, its type stands before a slash.
  public let value: String

  public init(source: String, value: String) {
    (self.source, self.value) = (source, value)
  }

  public var description: String { "\(source):\(value)" }
}
