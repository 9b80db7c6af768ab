/// A public service that ``Services`` imitates. The raw value is the first part of its path.
public enum Service: String, CaseIterable, Sendable {
  case itunes
  case openLibrary = "openlibrary"
  /// covers.openlibrary.org
  case covers
  case musicBrainz = "musicbrainz"
  /// coverartarchive.org
  case coverArtArchive = "caa"
  /// archive.org, where both archives of covers lead.
  case archive
  case tmdb
  /// image.tmdb.org
  case tmdbImages = "tmdb-images"
  case kakao
  case discogs
  case googleBooks = "googlebooks"
  case wikidata
  case inventaire
  /// No source of the program: it refuses with status 200, as others may one day.
  case deezer

  /// The setting of the program that says where the service is. Nil for a service that no setting names.
  public var setting: String? {
    switch self {
    case .covers: "sources.openlibrary.image_base_url"
    case .coverArtArchive: "sources.musicbrainz.image_base_url"
    case .tmdbImages: "sources.tmdb.image_base_url"
    case .archive, .deezer: nil
    default: "sources.\(rawValue).base_url"
    }
  }

  /// Every way of refusing that the service has, in the order of ``Refusal/Name``.
  public var refusals: [Refusal.Name] { Refusal.Name.allCases.filter { manner.form(of: $0) != nil } }

  /// How the service answers.
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

/// How a service answers on a good day, and how it refuses.
struct Manner: Sendable {
  var answer: @Sendable (Ask) -> Answer
  /// The refusals that have a form of the service's own. Those in ``Refusal/common`` all services have.
  var refusals: [Refusal.Name: Refusal.Form] = [:]

  func form(of name: Refusal.Name) -> Refusal.Form? { refusals[name] ?? Refusal.common[name] }
}
