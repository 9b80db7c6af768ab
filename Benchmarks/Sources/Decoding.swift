import CatalogModel
import FoundationEssentials
import Lookup

/// Reads an answer of 200 albums as iTunes sends them, and the same with a plain `JSONDecoder` of the fields needed.
/// Milliseconds, the medians of `runs`.
func decodeAnswers(runs: Int) throws -> (ours: Double, plain: Double) {
  var generator = Generator(count: 1_000)
  let elements = (1...200).map { number in
    let thing = generator.next()
    return """
      {"wrapperType":"collection","collectionType":"Album","artistId":\(1_000 + number),"collectionId":\(90_000 + number),\
      "amgArtistId":\(3_000 + number),"artistName":"\(thing[.creator])","collectionName":"\(thing[.title])",\
      "collectionCensoredName":"\(thing[.title])","artistViewUrl":"https://music.apple.com/us/artist/name/\(number)?uo=4",\
      "collectionViewUrl":"https://music.apple.com/us/album/name/\(number)?uo=4",\
      "artworkUrl60":"https://is1-ssl.mzstatic.com/image/thumb/Music115/v4/\(number)/source/60x60bb.jpg",\
      "artworkUrl100":"https://is1-ssl.mzstatic.com/image/thumb/Music115/v4/\(number)/source/100x100bb.jpg",\
      "collectionPrice":9.99,"collectionExplicitness":"notExplicit","trackCount":\(number % 20 + 1),\
      "copyright":"℗ \(1950 + number % 70) \(thing[.maker])","country":"USA","currency":"USD",\
      "releaseDate":"\(1950 + number % 70)-08-17T07:00:00Z","primaryGenreName":"\(thing[.genre1])"}
      """
  }
  let body = Array(#"{"resultCount":200,"results":[\#(elements.joined(separator: ","))]}"#.utf8)
  let search = Search(words: "words", kind: .music, pageSize: 200)
  let settings = SourceSettings(baseURL: Source.itunes.defaultBaseURL)
  let response = Response(status: 200, headers: [], body: body)
  var (ours, plain): ([Double], [Double]) = ([], [])
  for _ in 0..<runs {
    var start = now()
    let page = try Source.itunes.read(response, search, settings)
    ours.append(now() - start)
    start = now()
    let answer = try JSONDecoder().decode(Answer.self, from: Data(body))
    plain.append(now() - start)
    guard page.candidates.count == 200, answer.results.count == 200 else { throw Trouble("not all was read") }
  }
  return (Percentiles(ours).p50, Percentiles(plain).p50)
}

private struct Answer: Decodable {
  var results: [Album]

  struct Album: Decodable {
    var wrapperType: String
    var collectionId: Int
    var collectionName: String
    var artistName: String
    var artistId: Int?
    var releaseDate: String?
    var primaryGenreName: String?
    var collectionViewUrl: String?
    var artworkUrl100: String?
    var trackCount: Int?
    var collectionPrice: Double?
    var currency: String?
    var collectionExplicitness: String?
    var copyright: String?
  }
}
