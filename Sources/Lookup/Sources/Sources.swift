internal import CatalogModel

extension Source {
  /// Every web source, in the order in which lists show them. A new source is a file beside this one and a name here.
  public static let all: [Source] = [
    itunes, tmdb, openLibrary, kakao, googleBooks, discogs, musicBrainz, wikidata, inventaire, aladin, dnb, bnf,
  ]

  /// Every source that a person can name.
  public static var offered: [Source] { all + copied + [pack] }

  public static func named(_ id: String) -> Source? { all.first { $0.id == id } }

  /// The source that a person can name by this id.
  public static func offered(_ id: String) -> Source? { named(id) ?? (copied + [pack]).first { $0.id == id } }

  /// The settings of the source at its own address.
  public func settings(country: String = "US", language: String = "en") -> SourceSettings {
    SourceSettings(
      baseURL: defaultBaseURL, imageBaseURL: defaultImageBaseURL, country: country, language: language)
  }
}

extension Source {
  /// The name under which pictures of the Internet Archive are asked for: of records and books.
  public static let archive = "archive"
  /// The name under which all other pictures are asked for.
  public static let covers = "covers"

  /// The name under which the picture at an address is asked for.
  public static func pictures(at url: String) -> String {
    let host = Request.host(of: url).lowercased()
    let isArchive = ["archive.org", "coverartarchive.org", "openlibrary.org"].contains {
      host == $0 || host.hasSuffix("." + $0)
    }
    return isArchive ? archive : covers
  }
}

extension [Source] {
  /// The rules for retries and rests, by source id.
  public var policies: [String: RetryPolicy] {
    reduce(into: [Source.archive: .archive, Source.covers: .pictures]) { policies, source in
      policies[source.id] = source.policy()
    }
  }

  /// The rate limits, by source id.
  /// - Parameter hasContact: whether requests name a contact.
  public func limits(hasContact: Bool) -> [String: RateLimit] {
    // The Internet Archive blocks an address that exceeds this.
    reduce(into: [Source.archive: RateLimit(requests: 5, per: 1)]) { limits, source in
      limits[source.id] = hasContact ? source.limit : source.limit?.ofUnknown
    }
  }
}
