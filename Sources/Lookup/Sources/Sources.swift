public import CatalogModel

extension Source {
  /// Every web source, in the order in which lists show them. A new source is a file beside this one and a name here.
  public static let all: [Source] = [itunes, openLibrary, musicBrainz]

  /// The source with this id.
  public static func named(_ id: String) -> Source? { all.first { $0.id == id } }

  /// The source that is asked for things of this kind when none is named.
  public static func standard(for kind: Kind) -> Source {
    switch kind {
    case .movie, .music, .podcast, .app: itunes
    case .book: openLibrary
    case .vinyl: musicBrainz
    }
  }

  /// How to ask this source where it lives.
  public func settings(country: String = "US", language: String = "en") -> SourceSettings {
    SourceSettings(
      baseURL: defaultBaseURL, imageBaseURL: defaultImageBaseURL, country: country, language: language)
  }
}
