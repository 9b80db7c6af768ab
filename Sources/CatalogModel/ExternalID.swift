/// The id of an item at a source: `tmdb:550`, `openlibrary:OL45804W`, `itunes:track/1440857781`.
///
/// A source's record belongs to one item, so the pair is unique in a catalog.
public struct ExternalID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The source's short name in lower case, as in `catalog source list`.
  public let source: String
  /// The source's own id. If a source numbers several types separately, the type comes before a slash.
  public let value: String

  public init(source: String, value: String) {
    (self.source, self.value) = (source, value)
  }

  public var description: String { "\(source):\(value)" }
}

extension ExternalID {
  /// The id of a movie at IMDb, `tt1375666`. IMDb is not a source, but its ids are widely used. Nil for any other text.
  public init?(imdb text: some StringProtocol) {
    let digits = text.dropFirst(2)
    guard text.prefix(2).lowercased() == "tt", (7...10).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    self.init(source: Self.imdb, value: "tt" + digits)
  }

  /// The same in the address of the movie's page: `https://www.imdb.com/title/tt1375666/`.
  public init?(imdbPage address: String) {
    let parts = address.split { "/?#".contains($0) }.drop { ["https:", "http:"].contains($0.lowercased()) }
    guard let host = parts.first?.lowercased(), host == "imdb.com" || host.hasSuffix(".imdb.com"),
      let id = parts.dropFirst().lazy.compactMap({ ExternalID(imdb: $0) }).first
    else { return nil }
    self = id
  }

  /// The name of IMDb as a source.
  public static let imdb = "imdb"
}
