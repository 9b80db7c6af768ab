import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the page that `show` prints for a movie of TMDB.
struct MoviePageTests {
  let catalog: TestCatalog
  let asked = Asked()

  init() throws {
    catalog = try TestCatalog()
    catalog.environment["CATALOG_TMDB_TOKEN"] = "token"
    catalog.http = Self.web(asked)
  }

  /// - Parameter failing: the parts of addresses that fail.
  static func web(_ asked: Asked, failing: [String: HTTPError] = [:]) -> HTTPClient {
    HTTPClient(each: { request in
      asked.note(request)
      if let failure = failing.first(where: { request.url.contains($0.key) }) { return .failure(failure.value) }
      let movies = (1...12).map { #"{"id": \#($0), "title": "관련 \#($0)", "release_date": "2001"}"# }
      let body =
        switch request.url {
        case let url where url.contains("/images"):
          "{\"backdrops\": ["
            + (1...11).map { #"{"file_path": "/\#($0).jpg", "width": 1920, "height": 1080}"# }.joined(separator: ",")
            + "]}"
        case let url where url.contains("/videos"):
          #"{"results": [{"name": "[기생충] 예고편", "key": "abc", "site": "YouTube", "type": "Trailer"}]}"#
        case let url where url.contains("/similar"): "{\"results\": [\(movies.joined(separator: ","))]}"
        case let url where url.contains("/recommendations"): #"{"results": []}"#
        case let url where url.contains("/credits"):
          "{\"crew\": [{\"id\": 99, \"name\": \"봉준호\", \"job\": \"Director\"}], \"cast\": ["
            + (1...12).map {
              #"{"id": \#($0), "name": "Actor \#($0)", "character": "Role \#($0)", "order": \#($0)\#($0 == 2 ? "" : #", "profile_path": "/p\#($0).jpg""#)}"#
            }
            .joined(separator: ",") + "]}"
        default:
          """
          {"id": 496243, "title": "Parasite", "original_title": "기생충", "release_date": "2019-05-30", "runtime": 125,
           "origin_country": ["KR"], "production_countries": [{"iso_3166_1": "US"}], "tagline": "Act.",
           "genres": [{"id": 35, "name": "Comedy"}], "overview": "All unemployed.",
           "credits": {"crew": [{"id": 99, "name": "봉준호", "job": "Director"}],
             "cast": [{"id": 1, "name": "Actor 1", "character": "Role 1", "order": 1}]}}
          """
        }
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
  }

  @Test func `the page of a movie shows its facts and at most ten entries of each part`() {
    let run = catalog.run("show", "tmdb:496243")
    #expect(
      run.output == """
        Parasite  movie tmdb:496243
        기생충
        봉준호

        Year       2019
        Released   2019-05-30
        Genres     Comedy
        Runtime    2 h 5 min
        Countries  South Korea, United States
        Tagline    Act.
        Page       https://www.themoviedb.org/movie/496243
        Known as   tmdb:496243

        All unemployed.

        Cast
           1  Actor 1 (Role 1)    https://image.tmdb.org/t/p/h632/p1.jpg
           2  Actor 2 (Role 2)
           3  Actor 3 (Role 3)    https://image.tmdb.org/t/p/h632/p3.jpg
           4  Actor 4 (Role 4)    https://image.tmdb.org/t/p/h632/p4.jpg
           5  Actor 5 (Role 5)    https://image.tmdb.org/t/p/h632/p5.jpg
           6  Actor 6 (Role 6)    https://image.tmdb.org/t/p/h632/p6.jpg
           7  Actor 7 (Role 7)    https://image.tmdb.org/t/p/h632/p7.jpg
           8  Actor 8 (Role 8)    https://image.tmdb.org/t/p/h632/p8.jpg
           9  Actor 9 (Role 9)    https://image.tmdb.org/t/p/h632/p9.jpg
          10  Actor 10 (Role 10)  https://image.tmdb.org/t/p/h632/p10.jpg
          … and 2 more: --full

        Gallery
           1  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/1.jpg
           2  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/2.jpg
           3  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/3.jpg
           4  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/4.jpg
           5  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/5.jpg
           6  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/6.jpg
           7  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/7.jpg
           8  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/8.jpg
           9  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/9.jpg
          10  backdrop 1920×1080  https://image.tmdb.org/t/p/w1280/10.jpg
          … and 1 more: --full

        Videos
          1  예고편  https://www.youtube.com/watch?v=abc

        Similar
          tmdb:1   관련 1 (2001)
          tmdb:2   관련 2 (2001)
          tmdb:3   관련 3 (2001)
          tmdb:4   관련 4 (2001)
          tmdb:5   관련 5 (2001)
          tmdb:6   관련 6 (2001)
          tmdb:7   관련 7 (2001)
          tmdb:8   관련 8 (2001)
          tmdb:9   관련 9 (2001)
          tmdb:10  관련 10 (2001)
          … and 2 more: --full

        """)
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(asked.requests.count == 6)
    #expect(catalog.run("recent").output.contains("Parasite\t봉준호\t2019"))
  }

  @Test func `show --full and --json list all entries of each part`() throws {
    let full = catalog.run("show", "tmdb:496243", "--full").output
    #expect(full.contains("w1280/11.jpg"))
    #expect(full.contains("tmdb:12"))
    #expect(full.contains("Actor 12 (Role 12)"))
    #expect(!full.contains("--full"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(catalog.run("show", "tmdb:496243", "--json").output.utf8))
        as? [String: Any])
    #expect((json["gallery"] as? [Any])?.count == 11)
    #expect((json["similar"] as? [[String: Any]])?.last?["reference"] as? String == "tmdb:12")
    #expect((json["recommended"] as? [Any])?.isEmpty == true)
    #expect((json["videos"] as? [[String: Any]])?.first?["url"] as? String == "https://www.youtube.com/watch?v=abc")
    #expect((json["credits"] as? [Any])?.count == 13)
    let portraits = try #require(json["portraits"] as? [[String: Any]])
    #expect(portraits.count == 12 && portraits[0]["url"] as? String == "https://image.tmdb.org/t/p/h632/p1.jpg")
    #expect(portraits[1]["url"] is NSNull && portraits[1]["detail"] as? String == "Role 2")
    #expect(json["countries"] as? [String] == ["KR", "US"])
  }

  @Test func `the reference of a related movie can be used in the next command`() {
    catalog.atTerminal()
    #expect(
      catalog.run("show", "tmdb:496243").errors
        == """
        Type 'catalog cover tmdb:496243 --picture 1' to see the first picture.
        Type 'catalog show tmdb:1' to see a related movie, 'catalog add tmdb:1' to keep
        it.

        """)
    #expect(catalog.run("add", "tmdb:496243", "--no-cover").output == "added movie 1: Parasite — 봉준호 (2019)  Comedy\n")
  }

  /// The remedy for a source that cannot be reached.
  private static let elsewhere =
    "hint: where it is blocked, another address may work: catalog config set sources.tmdb.base_url https://api.tmdb.org/3"

  @Test func `parts of a movie page that fail are named, and the rest is shown`() {
    catalog.http = Self.web(
      asked,
      failing: [
        "/images": .timedOut(host: "h"), "/similar": .timedOut(host: "h"),
        "/videos": .throttled(host: "h", retryAfter: nil),
      ])
    let run = catalog.run("show", "tmdb:496243")
    #expect(run.status == 3)
    #expect(
      run.errors == """
        catalog: TMDB did not answer in time (h); not available: gallery, similar
        hint: where it is blocked, another address may work: catalog config set \
        sources.tmdb.base_url https://api.tmdb.org/3
        catalog: TMDB asks for a pause: too many requests; not available: videos
        hint: it is asked again in 1 min

        """)
    #expect(run.output.contains("Runtime    2 h 5 min"))
    #expect(!run.output.contains("Gallery"))
  }

  @Test func `show of a TMDB id without its facts shows the other parts`() throws {
    catalog.http = Self.web(asked, failing: ["496243?": .timedOut(host: "h")])
    let run = catalog.run("show", "tmdb:496243")
    #expect(run.output.hasPrefix("tmdb:496243  movie tmdb:496243\n봉준호\n"), "\(run.output)")
    #expect(run.output.contains("\nGallery\n"))
    #expect(run.output.contains("\nSimilar\n"))
    #expect(run.errors == "catalog: TMDB did not answer in time (h); not available: facts\n\(Self.elsewhere)\n")
    #expect(run.status == 3)
    let json = catalog.run("show", "tmdb:496243", "--json")
    #expect(json.status == 3)
    #expect(json.output.contains(#""name":"예고편""#))

    // Looked at again, it is asked for again.
    catalog.http = Self.web(asked)
    #expect(catalog.run("show", "@1").output.hasPrefix("Parasite  movie tmdb:496243\n"))
  }

  @Test func `show prints nothing when all requests fail or the movie does not exist`() {
    catalog.http = HTTPClient(each: { .failure(.timedOut(host: $0.host)) })
    let run = catalog.run("show", "tmdb:496243")
    #expect(run.status == 3)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("catalog: TMDB did not answer in time (api.themoviedb.org)\n"), "\(run.errors)")
    let web = Self.web(asked)
    catalog.http = HTTPClient(each: { request in
      request.url.contains("496243?")
        ? .success(Response(status: 404, body: Array("{}".utf8)))
        : (try? web.send(request)).map { .success($0) } ?? .failure(.timedOut(host: "h"))
    })
    let unknown = catalog.run("show", "tmdb:496243")
    #expect(unknown.status == 1)
    #expect(unknown.output == "")
    #expect(unknown.errors == "catalog: TMDB has no such item\n")
  }

  @Test(arguments: [60, 80, 120]) func `no URL of a movie page is cut on a terminal`(width: Int) {
    catalog.atTerminal(width: width)
    let run = catalog.run("show", "tmdb:496243", "--no-pager")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.cellWidth <= width })
    let isBeside = width > 60
    #expect(
      lines.contains("   1  backdrop 1920×1080" + (isBeside ? "  https://image.tmdb.org/t/p/w1280/1.jpg" : "")))
    #expect(isBeside || lines.contains("      https://image.tmdb.org/t/p/w1280/1.jpg"))
  }

  @Test func `show without the facts of a movie shows the search result and the other parts`() {
    var record = Record(kind: .movie, title: "As the search said")
    record.externalIDs = [ExternalID(source: "tmdb", value: "496243")]
    catalog.results([Candidate(id: record.externalIDs[0], record: record)])
    catalog.http = Self.web(asked, failing: ["496243?": .timedOut(host: "h")])
    let run = catalog.run("show", "r1")
    #expect(run.output.hasPrefix("As the search said  movie tmdb:496243\n봉준호\n"))
    #expect(run.output.contains("Similar\n"))
    #expect(run.errors == "catalog: TMDB did not answer in time (h); not available: facts\n\(Self.elsewhere)\n")
    #expect(run.status == 3)
    let bare = catalog.run("show", "tmdb:1?", "--json")
    #expect(bare.status != 0)
    catalog.environment = [:]
    let keyless = catalog.run("show", "r1")
    #expect(keyless.status == 0)
    #expect(keyless.output.hasPrefix("As the search said"))
    #expect(keyless.errors.hasPrefix("catalog: TMDB needs a key; the search result is shown\n"))
  }

  @Test func `show of a movie on the shelf requests only parts that are not stored`() throws {
    #expect(catalog.run("add", "tmdb:496243", "--no-cover").status == 0)
    let before = asked.requests.count
    let run = catalog.run("show", "1")
    #expect(asked.requests.dropFirst(before).count == 5, "the portraits of its cast are not in the file")
    #expect(run.output.contains("   1  Actor 1 (Role 1)  "))
    #expect(run.output.contains("Gallery\n"))

    catalog.http = .offline
    let offline = catalog.run("show", "1", "--offline")
    #expect(offline.status == 0)
    #expect(offline.output.contains("Runtime    2 h 5 min"))
    #expect(!offline.output.contains("Gallery"))
    #expect(offline.output.contains("Cast       Actor 1 (Role 1)"), "their names are")
    #expect(
      offline.errors
        == "catalog: TMDB was not asked: --offline; not available: portraits, gallery, videos, similar, recommended\n")
  }

  @Test func `show offline takes the parts of a movie page from the cache`() throws {
    let folder = try TemporaryFolder()
    let cache = CacheDatabase(path: folder.path("cache.db"))
    let now = catalog.now
    let keeping = HTTPClient { [asked] requests in
      Self.web(asked).send(requests).map { result in
        result.map { response in
          var response = response
          response.headers = [Header("cache-control", "max-age=60")]
          return response
        }
      }
    }
    catalog.http = keeping.cached(in: cache, now: { now })
    #expect(catalog.run("add", "tmdb:496243", "--no-cover").status == 0)
    #expect(catalog.run("show", "1").output.contains("Gallery\n"))
    catalog.http = HTTPClient.offline.cached(in: cache, now: { now })
    catalog.environment = [:]
    let offline = catalog.run("show", "1", "--offline")
    #expect(offline.output.contains("Gallery\n"), "and no key is needed")
    #expect(offline.output.contains("tmdb:10"), "and no key is needed")
    #expect(offline.errors == "")
  }

  @Test func `a movie on the shelf needs no key to be shown`() throws {
    #expect(catalog.run("add", "tmdb:496243", "--no-cover").status == 0)
    catalog.environment = [:]
    let before = asked.requests.count
    let run = catalog.run("show", "1")
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("Parasite  movie 1\n"))
    #expect(asked.requests.count == before)
    try catalog.configure("sources.tmdb.key_command", "false")
    let failing = catalog.run("show", "1")
    #expect(failing.status == 0)
    #expect(
      failing.errors == "catalog: 'false', which prints the key of TMDB, failed; only what is in the file is shown\n")
    #expect(!catalog.run("list").errors.contains("false"))
  }
}

/// Tests that a book from a source without genres gets them by its ISBN.
struct GenreByISBNTests {
  let catalog: TestCatalog
  let asked = Asked()

  static let book = """
    {"documents": [{"title": "낯선 소년", "authors": ["아무개"], "isbn": "8936434128 9788936434120", "price": 12000,
      "sale_price": 10800, "publisher": "창비", "datetime": "2014-05-19T00:00:00.000+09:00", "translators": ["누군가"]}],
     "meta": {"is_end": true, "pageable_count": 1, "total_count": 1}}
    """

  init() throws {
    catalog = try TestCatalog()
    catalog.environment["CATALOG_KAKAO_KEY"] = "key"
  }

  private func answer(openLibrary: Result<Response, HTTPError>) {
    catalog.http = HTTPClient(each: { [asked] request in
      asked.note(request)
      return request.source == "kakao" ? .success(Response(status: 200, body: Array(Self.book.utf8))) : openLibrary
    })
  }

  @Test func `a book from Kakao gets its genre from the subjects of Open Library`() throws {
    let found = #"{"docs": [{"key": "/works/OL1W", "title": "Human Acts", "subject": ["Fiction", "Gwangju"]}]}"#
    answer(openLibrary: .success(Response(status: 200, body: Array(found.utf8))))
    #expect(catalog.run("search", "낯선", "--kind", "book", "--json=source").output == #"[{"source":"kakao"}]"# + "\n")
    let added = catalog.run("add", "r1")
    #expect(added.output == "added book 1: 낯선 소년 — 아무개 (2014)  Fiction\n", "\(added.errors)")
    #expect(asked.requests.last?.url.contains("openlibrary.org/search.json?isbn=9788936434120") == true)
    #expect(try catalog.store.genre(named: "Gwangju") == nil, "a subject that is no genre makes none")
    let shown = catalog.run("show", "1").output
    #expect(shown.contains("Translators  누군가"))
    #expect(shown.contains("₩12,000"))
    #expect(shown.contains("₩10,800"))
    #expect(shown.contains("kakao:9788936434120"), "a work is not this book")
    #expect(!shown.contains("openlibrary"), "a work is not this book")
  }

  static let volume = """
    {"totalItems": 2, "items": [{"id": "x", "volumeInfo": {"title": "Another", "categories": ["Cooking"]}},
      {"id": "y", "volumeInfo": {"title": "낯선 소년", "categories": ["Fiction / Historical / General"],
       "industryIdentifiers": [{"type": "ISBN_13", "identifier": "9788936434120"}]}}]}
    """

  @Test func `Google Books is asked beside Open Library when it has a key`() throws {
    let calls = Mutex<[[String]]>([])
    catalog.http = HTTPClient { requests in
      calls.withLock { $0.append(requests.map(\.source)) }
      return requests.map { request in
        switch request.source {
        case "kakao": .success(Response(status: 200, body: Array(Self.book.utf8)))
        case "googlebooks": .success(Response(status: 200, body: Array(Self.volume.utf8)))
        default: .failure(.timedOut(host: request.host))
        }
      }
    }
    #expect(catalog.run("add", "kakao:9788936434120", "--dry-run").status == 0)
    #expect(!calls.withLock { $0.joined().contains("googlebooks") }, "without a key it mostly wants a pause")
    catalog.environment["CATALOG_GOOGLEBOOKS_KEY"] = "sesame"
    let added = catalog.run("add", "kakao:9788936434120")
    #expect(added.output == "added book 1: 낯선 소년 — 아무개 (2014)  Historical Fiction\n", "\(added.errors)")
    #expect(calls.withLock { $0.last } == ["openlibrary", "googlebooks"], "both at once")
    #expect(!(added.output + added.errors).contains("sesame"))
  }

  @Test(
    arguments: [
      .failure(.timedOut(host: "openlibrary.org")), .success(Response(status: 500)),
      .success(Response(status: 200, body: Array("<html>".utf8))),
      .success(Response(status: 200, body: Array(#"{"docs": []}"#.utf8))),
    ] as [Result<Response, HTTPError>])
  func `a failure of Open Library does not fail adding a book`(_ answer: Result<Response, HTTPError>) throws {
    self.answer(openLibrary: answer)
    #expect(catalog.run("add", "kakao:9788936434120").output == "added book 1: 낯선 소년 — 아무개 (2014)\n")
    #expect(try catalog.store.item(ItemID(rawValue: 1)).genres.isEmpty)
  }

  @Test func `adding a book with --genre requests no genre`() {
    answer(openLibrary: .failure(.timedOut(host: "h")))
    catalog.run("search", "낯선", "--kind", "book")
    let before = asked.requests.count
    #expect(catalog.run("add", "r1", "--genre", "Drama").output.hasSuffix("  Drama\n"))
    #expect(asked.requests.count == before)
  }

  @Test func `an unknown Kakao reference is looked up by its ISBN or rejected`() throws {
    answer(openLibrary: .failure(.timedOut(host: "h")))
    #expect(catalog.run("show", "kakao:9788936434120").output.hasPrefix("낯선 소년  book kakao:9788936434120\n"))
    let unknown = catalog.run("add", "kakao:9788936434267")
    #expect(unknown.status == 1)
    #expect(unknown.errors == "catalog: Kakao has no such item\n")
    #expect(
      catalog.run("add", "kakao:book/521598").errors.hasPrefix("catalog: 'kakao:book/521598' is no longer known\n"))
    #expect(try catalog.store.shelfCounts().total == 0)
  }
}

/// Tests searches in one field.
struct SearchByTests {
  let catalog: TestCatalog
  let asked = Asked()

  init() throws {
    catalog = try TestCatalog()
    catalog.http = HTTPClient(each: { [asked] request in
      asked.note(request)
      return .failure(.timedOut(host: request.host))
    })
  }

  @Test(arguments: [("author", "author=x"), ("creator", "author=x"), ("title", "title=x"), ("isbn", "isbn=x")])
  func `search --by sends the field name of the source`(_ field: String, _ query: String) {
    catalog.run("search", "x", "--by", field, "--kind", "book")
    #expect(asked.requests.first?.url.contains(query) == true)
  }

  @Test func `search --by leaves out kinds whose source cannot search the field`() {
    let run = catalog.run("search", "x", "--by", "label")
    #expect(asked.requests.map(\.source) == ["musicbrainz"])
    #expect(asked.requests[0].url.contains("label%3A%28x%29"))
    #expect(
      run.errors.hasPrefix(
        """
        catalog: iTunes cannot search movies by publisher
        catalog: Open Library cannot search books by publisher

        """))
  }

  @Test func `search --by names the sources that can search the field when none asked can`() {
    let run = catalog.run("search", "x", "--by", "publisher", "--kind", "movie")
    #expect(run.status == 2)
    #expect(asked.requests.isEmpty)
    #expect(
      run.errors == """
        catalog: iTunes cannot search movies by publisher
        hint: by publisher can be searched: kakao (books), googlebooks (books), discogs (vinyl, music), musicbrainz (vinyl), \
        aladin (books), dnb (books), bnf (books)

        """)
    #expect(catalog.run("search", "x", "--by", "colour").status == 2)
    #expect(catalog.run("search", "x", "--by", "title", "--source", "pack").status == 2)
  }
}
