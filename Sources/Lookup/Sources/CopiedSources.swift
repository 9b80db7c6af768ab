internal import CatalogModel

extension Source {
  /// The sources that answer only from a copy on this computer: they have no web service that is open to all.
  public static let copied: [Source] = [imdb, nlk]

  /// Films, with IMDb's own ids.
  public static let imdb = Source(
    id: ExternalID.imdb, name: "IMDb", kinds: [.movie], fields: [.title, .creator],
    builtIn: .noCopy(of: ExternalID.imdb))
  /// Books of the National Library of Korea.
  public static let nlk = Source(
    id: "nlk", name: "국립중앙도서관", kinds: [.book], fields: [.title, .creator, .publisher, .isbn],
    builtIn: .noCopy(of: "nlk"))

  /// Whether the source answers only from a copy on this computer.
  public var isCopied: Bool { Source.copied.contains { $0.id == id } }

  public func answered(by copy: BuiltIn) -> Source {
    var source = self
    (source.builtIn, source.fetch, source.complete, source.lookUp) = (copy, nil, nil, nil)
    (source.key, source.rephrased) = (nil, nil)
    return source
  }
}

extension BuiltIn {
  /// The answers of a source whose copy was never built.
  fileprivate static func noCopy(of source: String) -> BuiltIn {
    BuiltIn(search: { _ throws(SourceError) in throw .noCopy(source: source) }, record: { _ in nil })
  }
}
