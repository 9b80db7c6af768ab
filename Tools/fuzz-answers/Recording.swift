import FoundationEssentials
import Lookup

/// A recorded answer of a source, from which mutants are made.
struct Recording: Sendable {
  var source: Source
  /// For messages: `tmdb/movie_550_details.json`.
  var name: String
  /// Parts of the addresses that it answers. Without any it answers everything.
  var routes: [String]
  var response: Response
  /// The positions of the values in its body; nil when the body is not JSON.
  let values: JSONMap?

  init(_ source: Source, _ name: String, at routes: [String] = [], _ response: Response) {
    (self.source, self.name, self.routes, self.response) = (source, name, routes, response)
    values = JSONMap(response.body)
  }

  /// All answers in the subfolders that are named like a source, in the order of their names.
  static func all(in folder: String) throws -> [Recording] {
    try Source.all.flatMap { source in
      let path = "\(folder)/\(source.id)"
      // Not every source has recordings.
      guard FileManager.default.fileExists(atPath: path) else { return [Recording]() }
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted().compactMap { file in
        guard file.hasSuffix(".json") || file.hasSuffix(".http") else { return nil }
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(path)/\(file)")))
        let routes = routes(of: source.id, file)
        return Recording(source, "\(source.id)/\(file)", at: routes, response(bytes, named: file))
      }
    }
  }

  /// A file `.http` begins with its head. The names of other files contain a status other than 200: `error_401_….json`.
  private static func response(_ bytes: [UInt8], named file: String) -> Response {
    if file.hasSuffix(".http"), let head = Head(bytes) { return Response(status: head.status, headers: head.headers) }
    let number = file.hasPrefix("error_") ? file.dropFirst("error_".count).prefix { $0.isNumber } : ""
    return Response(status: Int(number) ?? 200, body: bytes)
  }

  /// The requests that each recording answers, by its name; the first match counts.
  private static let known: [String: [(name: String, routes: [String])]] = [
    "itunes": [("search_", ["/search"]), ("lookup_", ["/lookup"])],
    "tmdb": [
      ("search_", ["/search/movie"]), ("_images", ["/images"]), ("_videos", ["/videos"]), ("_similar", ["/similar"]),
      ("_recommendations", ["/recommendations"]), ("_popular", ["/trending/"]), ("_upcoming", ["/trending/"]),
      ("trending_", ["/trending/"]), ("find_", ["/find/"]), ("movie_", ["/movie/"]),
    ],
    "openlibrary": [
      ("search_", ["/search.json"]), ("work_", ["/works/"]), ("editions", ["/editions.json"]),
      ("author", ["/authors/"]), ("book.json", ["/books/", "/isbn/"]), ("edition_", ["/books/", "/isbn/"]),
    ],
    "kakao": [("search_", ["/search/book"])],
    "googlebooks": [("volumes_", ["/volumes?"]), ("volume_", ["/volumes/"])],
    "discogs": [
      ("search_", ["/search"]), ("release_", ["/releases/"]), ("_versions", ["/versions"]),
      ("master_", ["/masters/"]),
    ],
    "musicbrainz": [
      ("release_search", ["/release?"]), ("release_group", ["/release-group/"]), ("release_", ["/ws/2/release/"]),
      ("caa_", ["archive.org/release/"]),
    ],
    "wikidata": [("search_", ["action=query"]), ("item_", ["wbgetentities"])],
  ]

  private static func routes(of source: String, _ file: String) -> [String] {
    known[source]?.first { file.contains($0.name) }?.routes ?? []
  }

  /// The end of the last route that matches an address; nil when none matches.
  func fit(of url: String) -> String.Index? {
    routes.compactMap { url.firstRange(of: $0)?.upperBound }.max()
  }
}
