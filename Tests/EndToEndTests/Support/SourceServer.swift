import Foundation
import TestSupport
import Testing

/// The sources on this computer, with small answers of the real shape.
///
/// A test gives other replies by the beginning of the path: `/itunes`, `/openlibrary`, `/musicbrainz`, `/tmdb`,
/// `/kakao`, `/discogs`, `/googlebooks`, `/covers`. TMDB, Kakao and Discogs accept any key.
final class SourceServer: Sendable {
  typealias Reply = LoopbackServer.Reply

  let server: LoopbackServer
  /// The requests so far, in the order of arrival.
  var paths: [String] { server.questions.map(\.path) }

  /// - Parameter replies: called first; nil gives the usual answer.
  init(_ replies: @escaping @Sendable (LoopbackServer.Question) -> Reply? = { _ in nil }) throws {
    server = try LoopbackServer { question in replies(question) ?? Self.usual(question) }
  }

  /// Gives the same reply to all requests.
  convenience init(always reply: Reply) throws { try self.init { _ in reply } }

  /// The settings that direct the program to this server.
  var configuration: [String: String] { Self.configuration(leadingTo: server.url) }

  static func configuration(leadingTo url: String) -> [String: String] {
    [
      "sources.itunes.base_url": "\(url)/itunes", "sources.openlibrary.base_url": "\(url)/openlibrary",
      "sources.openlibrary.image_base_url": "\(url)/covers", "sources.musicbrainz.base_url": "\(url)/musicbrainz",
      "sources.musicbrainz.image_base_url": "\(url)/covers", "sources.tmdb.base_url": "\(url)/tmdb",
      "sources.tmdb.image_base_url": "\(url)/covers", "sources.kakao.base_url": "\(url)/kakao",
      "sources.googlebooks.base_url": "\(url)/googlebooks", "sources.discogs.base_url": "\(url)/discogs",
      "sources.wikidata.base_url": "\(url)/wikidata", "sources.inventaire.base_url": "\(url)/inventaire",
      "sources.dnb.base_url": "\(url)/dnb", "sources.bnf.base_url": "\(url)/bnf",
      "sources.aladin.base_url": "\(url)/aladin",
      "contact": "me@example.org",
    ]
  }

  static func json(_ text: String) -> Reply { .answer(headers: ["Content-Type": "application/json"], text: text) }

  static func usual(_ question: LoopbackServer.Question) -> Reply {
    let path = question.path
    if path.hasPrefix("/itunes/search") { return json(movies) }
    if path.hasPrefix("/itunes/lookup") { return json(movies) }
    if path.hasPrefix("/openlibrary/search.json") { return json(books) }
    if path.hasPrefix("/openlibrary/works/OL893415W/editions.json") { return json(editions) }
    if path.hasPrefix("/openlibrary/works/OL893415W.json") { return json(work) }
    if path.hasPrefix("/musicbrainz/release/\(kindOfBlue)") { return json(release) }
    if path.hasPrefix("/musicbrainz/release?") { return json(releases) }
    if path.hasPrefix("/tmdb/") {
      let hasKey = question.headers["authorization"]?.hasPrefix("Bearer ") == true || path.contains("api_key=")
      guard hasKey else { return refusal(401, invalidKey) }
      if path.hasPrefix("/tmdb/search/movie?") || path.hasPrefix("/tmdb/trending/") { return json(found) }
      if path.hasPrefix("/tmdb/movie/438631?") { return json(dune) }
      if path.hasPrefix("/tmdb/movie/438631/credits") { return json(people) }
      if path.hasPrefix("/tmdb/movie/438631/images") { return json(#"{"backdrops": [{"file_path": "/sand.jpg"}]}"#) }
      if path.hasPrefix("/tmdb/movie/438631/videos") {
        return json(#"{"results": [{"name": "Trailer", "site": "YouTube", "key": "n9xhJrPXop4"}]}"#)
      }
      if path.hasPrefix("/tmdb/movie/438631/") { return json(found) }
      return refusal(404, noSuchMovie)
    }
    if path.hasPrefix("/kakao/") {
      guard question.headers["authorization"]?.hasPrefix("KakaoAK ") == true else { return refusal(401, wrongAppKey) }
      return json(koreanBooks)
    }
    if path.hasPrefix("/googlebooks/volumes") { return json(volumes) }
    if path.hasPrefix("/discogs/") {
      guard question.headers["authorization"]?.hasPrefix("Discogs token=") == true else {
        return refusal(401, unauthenticated)
      }
      if path.hasPrefix("/discogs/database/search?") { return json(pressings) }
      if path.hasPrefix("/discogs/releases/5460130") { return json(pressing) }
      return refusal(404, #"{"message": "Release not found."}"#)
    }
    if path.hasPrefix("/wikidata/") { return json(#"{"query": {"search": []}}"#) }
    if path.hasPrefix("/inventaire/") { return json(#"{"results": [], "entities": {}}"#) }
    if path.hasPrefix("/covers/") {
      return .answer(headers: ["Content-Type": "image/png", "ETag": "\"1\""], body: Picture.png(width: 30, height: 20))
    }
    return .answer(404, text: "{}")
  }

  /// An answer with a status other than 200.
  static func refusal(_ status: Int, _ text: String, headers: [String: String] = [:]) -> Reply {
    .answer(status, headers: headers.merging(["Content-Type": "application/json"]) { given, _ in given }, text: text)
  }

  static let noShop = #"{"errorMessage": "Invalid value(s) for key(s): [country]", "queryParameters": {}}"#
  static let invalidKey =
    #"{"status_code": 7, "status_message": "Invalid API key: You must be granted a valid key.", "success": false}"#
  static let noSuchMovie =
    #"{"status_code": 34, "status_message": "The resource you requested could not be found.", "success": false}"#
  static let unauthenticated = #"{"message": "You must authenticate to access this resource."}"#
  static let badKey = """
    {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.",
     "errors": [{"message": "API key not valid.", "domain": "global", "reason": "badRequest"}],
     "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID", "domain": "googleapis.com"}]}}
    """
  static let usedUp = """
    {"error": {"code": 429, "message": "Quota exceeded for quota metric 'Queries'.",
     "errors": [{"domain": "global", "reason": "rateLimitExceeded"}]}}
    """
  static let wrongAppKey = #"{"errorType": "AccessDeniedError", "message": "wrong appKey(null) format"}"#

  static let found = """
    {"page": 1, "total_pages": 1, "total_results": 2, "results": [
      {"id": 438631, "title": "Dune", "original_title": "Dune", "release_date": "2021-09-15", "genre_ids": [878, 12],
       "overview": "Sand.", "poster_path": "/dune.jpg", "vote_average": 7.8, "vote_count": 12000},
      {"id": 841, "title": "Dune", "original_title": "Dune", "release_date": "1984-12-14", "genre_ids": [878],
       "overview": "", "poster_path": null, "vote_average": 6.2, "vote_count": 3000}]}
    """
  static let people = """
    {"cast": [{"id": 1190668, "name": "Timothée Chalamet", "character": "Paul Atreides", "order": 0}],
     "crew": [{"id": 137427, "name": "Denis Villeneuve", "job": "Director"}]}
    """
  static let dune = """
    {"id": 438631, "title": "Dune", "original_title": "Dune", "release_date": "2021-09-15", "runtime": 155,
     "genres": [{"id": 878, "name": "Science Fiction"}, {"id": 12, "name": "Adventure"}], "overview": "Sand.",
     "poster_path": "/dune.jpg", "production_countries": [{"iso_3166_1": "US"}], "credits": \(people)}
    """
  static let koreanBooks = """
    {"documents": [
      {"title": "소년이 온다", "authors": ["한강"], "translators": [], "publisher": "창비", "price": 12000,
       "sale_price": -1, "isbn": "8936434128 9788936434120", "datetime": "2014-05-19T00:00:00.000+09:00"}],
     "meta": {"is_end": true, "pageable_count": 1, "total_count": 1}}
    """

  static let volumes = """
    {"kind": "books#volumes", "totalItems": 1, "items": [
      {"id": "ydQiDQAAQBAJ", "volumeInfo": {"title": "Dune", "authors": ["Frank Herbert"], "publishedDate": "2003",
       "categories": ["Fiction"], "pageCount": 713,
       "industryIdentifiers": [{"type": "ISBN_13", "identifier": "9780441172719"}]}}]}
    """
  private static let blue = """
    "id": 5460130, "country": "US", "master_id": 0
    """
  static let pressings = """
    {"pagination": {"page": 1, "pages": 1, "per_page": 10, "items": 1, "urls": {}}, "results": [
      {\(blue), "type": "release", "title": "Miles Davis - Kind Of Blue", "year": "1959", "label": ["Columbia"],
       "catno": "CL 1355", "format": ["Vinyl", "LP", "Album", "Mono"], "genre": ["Jazz"], "style": ["Modal"],
       "barcode": [], "cover_image": "", "thumb": ""}]}
    """
  static let pressing = """
    {\(blue), "title": "Kind Of Blue", "year": 1959, "released": "1959-08-17", "artists": [{"id": 23755, "name": "Miles Davis"}],
     "labels": [{"name": "Columbia", "catno": "CL 1355"}], "genres": ["Jazz"], "styles": ["Modal"],
     "formats": [{"name": "Vinyl", "qty": "1", "descriptions": ["LP", "Album", "Mono"]}],
     "community": {"rating": {"count": 812, "average": 4.67}}, "images": [{"type": "primary", "uri": ""}],
     "tracklist": [{"position": "A1", "type_": "track", "title": "So What", "duration": "9:25"}]}
    """

  static let kindOfBlue = "8c2e05d8-9e9d-4c5e-8a5e-0d3b1c1d1a11"
  static let movies = """
    {"resultCount": 2, "results": [
      {"wrapperType": "track", "kind": "feature-movie", "trackId": 1594582022, "trackName": "Dune (2021)",
       "artistName": "Denis Villeneuve", "releaseDate": "2021-10-22T07:00:00Z",
       "primaryGenreName": "Sci-Fi & Fantasy", "trackTimeMillis": 9324000,
       "trackViewUrl": "https://itunes.apple.com/us/movie/dune/id1594582022",
       "longDescription": "Sand, and what lives in it."},
      {"wrapperType": "track", "kind": "feature-movie", "trackId": 284910350, "trackName": "Dune (1984)",
       "artistName": "David Lynch", "releaseDate": "1984-12-14T08:00:00Z", "primaryGenreName": "Sci-Fi & Fantasy",
       "trackTimeMillis": 8220000}
    ]}
    """
  static let books = """
    {"numFound": 1, "start": 0, "docs": [
      {"key": "/works/OL893415W", "title": "Dune", "author_name": ["Frank Herbert"], "author_key": ["OL79034A"],
       "first_publish_year": 1965, "cover_i": 11481354, "subject": ["Science fiction", "Fantasy fiction"],
       "isbn": ["9780441172719"], "language": ["eng"], "publisher": ["Ace"]}
    ]}
    """
  static let work = """
    {"key": "/works/OL893415W", "title": "Dune", "covers": [11481354], "subjects": ["Science fiction"],
     "authors": [{"author": {"key": "/authors/OL79034A"}}], "description": {"type": "/type/text", "value": "Arrakis."}}
    """
  static let editions = """
    {"size": 1, "entries": [{"key": "/books/OL7525195M", "title": "Dune", "isbn_13": ["9780441172719"],
     "publishers": ["Ace"], "number_of_pages": 535, "publish_date": "1990", "languages": [{"key": "/languages/eng"}]}]}
    """
  private static let album = """
    "id": "\(kindOfBlue)", "title": "Kind of Blue", "date": "1959-08-17", "country": "US",
    "barcode": "074646493519",
    "artist-credit": [{"name": "Miles Davis",
      "artist": {"id": "561d854a-6a28-4aa7-8c99-323e6ce46c2a", "name": "Miles Davis"}}],
    "label-info": [{"catalog-number": "CL 1355", "label": {"id": "011d1192-6f65-45bd-85c4-0400dd45693e",
      "name": "Columbia"}}],
    "release-group": {"id": "8e8a594f-2175-38c7-a871-abb68ec363e7", "first-release-date": "1959-08-17"}
    """
  static let releases = """
    {"count": 1, "offset": 0, "releases": [
      {\(album), "score": 100, "media": [{"format": "12\\" Vinyl", "disc-count": 1, "track-count": 5}]}]}
    """
  static let release = """
    {\(album), "genres": [{"name": "jazz", "count": 9}, {"name": "modal jazz", "count": 7}],
     "cover-art-archive": {"front": true, "artwork": true, "count": 1},
     "media": [{"format": "12\\" Vinyl", "track-count": 5, "tracks": [
       {"number": "A1", "title": "So What", "length": 562000},
       {"number": "A2", "title": "Freddie Freeloader", "length": 589000},
       {"number": "A3", "title": "Blue in Green", "length": 327000},
       {"number": "B1", "title": "All Blues", "length": 693000},
       {"number": "B2", "title": "Flamenco Sketches", "length": 566000}]}]}
    """
}
