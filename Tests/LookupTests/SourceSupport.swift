import CatalogModel
import Foundation
import Lookup
import Synchronization
import Testing

/// A network with a few answers, which records the requests.
final class FakeWeb: Sendable {
  /// The answers, by a part of the address that distinguishes the requests. The longest part wins.
  let answers: [String: Response]
  private let log = Mutex<[[String]]>([])

  init(_ answers: [String: Response]) { self.answers = answers }
  convenience init(_ bodies: [String: String]) { self.init(bodies.mapValues { Response(json: $0) }) }

  /// The requested addresses of each `send`.
  var asked: [[String]] { log.withLock { $0 } }

  var client: HTTPClient {
    HTTPClient { [self] requests in
      log.withLock { $0.append(requests.map(\.url)) }
      return requests.map { request in
        let part = answers.keys.filter { request.url.contains($0) }.max { $0.count < $1.count }
        guard let part, let answer = answers[part] else { return .success(Response(status: 404)) }
        return .success(answer)
      }
    }
  }
}

extension Response {
  init(json: String, status: Int = 200) { self.init(status: status, body: Array(json.utf8)) }
}

extension Source {
  /// Parses `json` as the answer to a search.
  func page(_ json: String, _ kind: Kind, words: String = "words", page: Int = 1, pageSize: Int = 20) throws -> Page {
    try read(
      Response(json: json), Search(words: words, kind: kind, page: page, pageSize: pageSize), settings())
  }

  /// Fetches one record.
  func record(
    _ id: ExternalID, as kind: Kind, from web: FakeWeb, country: String = "US", language: String = "en"
  ) throws -> Record {
    let fetch = try #require(fetch)
    return try fetch(id, kind, settings(country: country, language: language), web.client).record
  }

  /// The partial failures of a fetch.
  func partialFailures(_ id: ExternalID, as kind: Kind, from web: FakeWeb) throws -> [PartialFailure] {
    let fetch = try #require(fetch)
    return try fetch(id, kind, settings(), web.client).partialFailures
  }

  /// Looks a code up.
  func candidates(_ code: Code, from web: FakeWeb) throws -> [Candidate] {
    let lookUp = try #require(lookUp)
    return try lookUp(code, settings(), web.client)
  }

  func url(
    _ words: String, _ kind: Kind, page: Int = 1, pageSize: Int = 20, field: Search.Field? = nil,
    attribute: String? = nil, country: String = "US"
  ) -> String {
    let scope = field.map(Search.Scope.field) ?? attribute.map(Search.Scope.attribute)
    let search = Search(words: words, kind: kind, page: page, pageSize: pageSize, scope: scope)
    return request(search, settings(country: country)).url
  }
}

extension ExternalID {
  static func itunes(_ value: String) -> ExternalID { ExternalID(source: "itunes", value: value) }
  static func openLibrary(_ value: String) -> ExternalID { ExternalID(source: "openlibrary", value: value) }
  static func musicBrainz(_ value: String) -> ExternalID { ExternalID(source: "musicbrainz", value: value) }
}

extension Record {
  var movie: Movie? { if case .movie(let movie) = details { movie } else { nil } }
  var book: Book? { if case .book(let book) = details { book } else { nil } }
  var vinyl: Vinyl? { if case .vinyl(let vinyl) = details { vinyl } else { nil } }
  var other: Other? { if case .other(let other) = details { other } else { nil } }
}

/// Answers recorded from the real sources. They are not part of this repository (their licences differ), so the suites
/// that read them run only where `CATALOG_FIXTURES` names the folder.
enum Recorded {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"]

  static func body(_ file: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(file)))
  }

  static func answer(_ file: String) throws -> Response { Response(status: 200, body: try body(file)) }
}
