public import CatalogModel

extension Source {
  /// Every web source, in the order in which lists show them. A new source is a file beside this one and a name here.
  public static let all: [Source] = [
    itunes, tmdb, openLibrary, kakao, googleBooks, discogs, musicBrainz, wikidata, inventaire,
  ]

  /// Every source that a person can name.
  public static var offered: [Source] { all + [pack] }

  /// The web source with this id.
  public static func named(_ id: String) -> Source? { all.first { $0.id == id } }

  /// The source that is asked for things of this kind when none is named: where there is a choice, the one with a key.
  ///
  /// - Parameters:
  ///   - words: what is looked for.
  ///   - country: the person's.
  ///   - keys: the ids of the sources of which there is a key.
  public static func standard(
    for kind: Kind, words: String = "", country: String = "US", keys: Set<String> = []
  ) -> Source {
    switch kind {
    case .movie: keys.contains(tmdb.id) ? tmdb : itunes
    case .music, .podcast, .app: itunes
    case .book: (country == "KR" || words.hasHangul) && keys.contains(kakao.id) ? kakao : openLibrary
    case .vinyl: keys.contains(discogs.id) ? discogs : musicBrainz
    }
  }

  /// How to ask this source where it lives.
  public func settings(country: String = "US", language: String = "en") -> SourceSettings {
    SourceSettings(
      baseURL: defaultBaseURL, imageBaseURL: defaultImageBaseURL, country: country, language: language)
  }
}

extension [Source] {
  /// How often each may be asked, by its id.
  public var limits: [String: RateLimit] {
    reduce(into: [:]) { limits, source in limits[source.id] = source.limit }
  }
}

extension String {
  /// Whether there is a Korean letter or syllable in it.
  fileprivate var hasHangul: Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
      default: false
      }
    }
  }
}
