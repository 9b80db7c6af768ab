import Foundation
import Lookup
import Synchronization

/// A client for iTunes that answers searches by their words and look-ups by their number, and records the requests.
final class ITunesStore: Sendable {
  /// The results by the words of a search.
  let found = Mutex<[String: [String]]>([:])
  /// The result with each number, with its tracks.
  let known = Mutex<[String: [String]]>([:])
  /// The failures by the words of a search.
  let failures = Mutex<[String: HTTPError]>([:])
  private let batches = Mutex<[[[String: String]]]>([])
  /// The requests of each `send`, each by its parameters.
  var asked: [[[String: String]]] { batches.withLock { $0 } }

  var client: HTTPClient {
    HTTPClient { [self] requests in
      // Wikidata, which is asked for movies that iTunes does not have, has none of these either.
      guard requests.allSatisfy({ $0.source == "itunes" && $0.oldAnswer != .only }) else {
        return requests.map { request in
          request.oldAnswer == .only
            ? .failure(.offline(host: request.host))
            : .success(Response(status: 200, body: Array(#"{"query": {"search": []}}"#.utf8)))
        }
      }
      let questions = requests.map { Self.parameters(of: $0.url) }
      batches.withLock { $0.append(questions) }
      // The last is answered first: the order of the answers must not come of the order of arrival.
      return questions.reversed().map(answer).reversed()
    }
  }

  private func answer(_ question: [String: String]) -> Result<Response, HTTPError> {
    let words = question["term"] ?? ""
    if let failure = failures.withLock({ $0[words] ?? $0["*"] }) { return .failure(failure) }
    if question["country"] == "AQ" {
      return .success(
        Response(status: 400, body: Array(#"{"errorMessage":"Invalid value(s) for key(s): [country]"}"#.utf8)))
    }
    var elements = question["id"].map { id in known.withLock { $0[id] ?? [] } } ?? []
    if question["id"] == nil {
      let key = "\(question["entity"] ?? "") \(words)"
      elements = found.withLock { $0[key] ?? $0[words] ?? [] }
      elements = Array(elements.prefix(question["limit"].flatMap { Int($0) } ?? 50))
    }
    let body = #"{"resultCount": \#(elements.count), "results": [\#(elements.joined(separator: ","))]}"#
    return .success(Response(status: 200, body: Array(body.utf8)))
  }

  static func parameters(of url: String) -> [String: String] {
    let items = URLComponents(string: url.replacing("+", with: "%20"))?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  // MARK: Things

  static func album(_ number: Int, _ title: String, by artist: String = "Someone", shop: String = "us") -> String {
    """
    {"wrapperType":"collection","collectionType":"Album","collectionId":\(number),"artistName":"\(artist)",
     "collectionName":"\(title)","collectionViewUrl":"https://music.apple.com/\(shop)/album/x/\(number)",
     "trackCount":3,"primaryGenreName":"Jazz","releaseDate":"1959-08-17T07:00:00Z","collectionPrice":9.99,"currency":"USD"}
    """
  }

  static func song(
    _ number: Int, _ title: String, on album: Int, _ albumTitle: String, disc: Int = 1, of discs: Int = 1, track: Int,
    milliseconds: Int
  ) -> String {
    """
    {"wrapperType":"track","kind":"song","trackId":\(number),"collectionId":\(album),"artistName":"Someone",
     "trackName":"\(title)","collectionName":"\(albumTitle)","discNumber":\(disc),"discCount":\(discs),"trackCount":3,
     "trackNumber":\(track),"trackTimeMillis":\(milliseconds),
     "trackViewUrl":"https://music.apple.com/us/album/x/\(album)?i=\(number)"}
    """
  }

  static func movie(_ number: Int, _ title: String) -> String {
    """
    {"wrapperType":"track","kind":"feature-movie","trackId":\(number),"trackName":"\(title)","artistName":"봉준호",
     "trackViewUrl":"https://itunes.apple.com/us/movie/x/id\(number)","releaseDate":"2019-05-30T07:00:00Z"}
    """
  }

  static func podcast(_ number: Int, _ title: String) -> String {
    """
    {"wrapperType":"track","kind":"podcast","trackId":\(number),"trackName":"\(title)","artistName":"Someone",
     "collectionName":"\(title)","feedUrl":"https://feeds.example/\(number)","trackCount":200,
     "releaseDate":"2026-11-20T02:25:00Z","contentAdvisoryRating":"Clean","primaryGenreName":"History",
     "genres":["History","Podcasts"]}
    """
  }
}
