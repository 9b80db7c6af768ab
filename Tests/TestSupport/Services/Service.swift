/// A public service that ``Services`` imitates. The raw value is the first part of its path.
public enum Service: String, CaseIterable, Sendable {
  case itunes
  case openLibrary = "openlibrary"
  /// covers.openlibrary.org
  case covers
  case musicBrainz = "musicbrainz"
  /// coverartarchive.org
  case coverArtArchive = "caa"
  /// archive.org, to which both archives of covers redirect.
  case archive
  case tmdb
  /// image.tmdb.org
  case tmdbImages = "tmdb-images"
  case kakao
  case discogs
  case googleBooks = "googlebooks"
  case wikidata
  case inventaire
  /// A service that refuses with status 200. It is no source of the program.
  case deezer

  /// The setting of the program that holds the address of the service. Nil for a service without one.
  public var setting: String? {
    switch self {
    case .covers: "sources.openlibrary.image_base_url"
    case .coverArtArchive: "sources.musicbrainz.image_base_url"
    case .tmdbImages: "sources.tmdb.image_base_url"
    case .archive, .deezer: nil
    default: "sources.\(rawValue).base_url"
    }
  }

  /// The refusals that the service supports, in the order of ``Refusal/Name``.
  public var refusals: [Refusal.Name] { Refusal.Name.allCases.filter { manner.form(of: $0) != nil } }

  /// The behaviour of the service.
  var manner: Manner {
    switch self {
    case .itunes: .itunes
    case .openLibrary: .openLibrary
    case .covers: .covers
    case .musicBrainz: .musicBrainz
    case .coverArtArchive: .coverArtArchive
    case .archive: .archive
    case .tmdb: .tmdb
    case .tmdbImages: .tmdbImages
    case .kakao: .kakao
    case .discogs: .discogs
    case .googleBooks: .googleBooks
    case .wikidata: .wikidata
    case .inventaire: .inventaire
    case .deezer: .deezer
    }
  }
}

/// The behaviour of a service: its usual answers and its refusals.
struct Manner: Sendable {
  var answer: @Sendable (Ask) -> Answer
  /// The refusals with a form of their own. The service supports those in ``Refusal/common``, too.
  var refusals: [Refusal.Name: Refusal.Form] = [:]

  func form(of name: Refusal.Name) -> Refusal.Form? { refusals[name] ?? Refusal.common[name] }
}
