import CatalogModel
import Lookup
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests references to movies by their IMDb ids.
struct IMDbTests {
  let catalog: TestCatalog
  let asked = Asked()

  init() throws {
    catalog = try TestCatalog()
    catalog.environment["CATALOG_TMDB_TOKEN"] = "token"
    catalog.http = HTTPClient(each: { [asked] request in
      asked.note(request)
      let inception = #""id": 27205, "title": "Inception", "release_date": "2010-07-15", "poster_path": "/p.jpg""#
      let body =
        switch request.url {
        case let url where url.contains("/find/tt1375666?"):
          #"{"movie_results": [{\#(inception), "media_type": "movie"}], "tv_results": []}"#
        case let url where url.contains("/find/"): #"{"movie_results": [], "tv_results": []}"#
        case let url where url.contains("/movie/27205?"):
          #"""
          {\#(inception), "imdb_id": "tt1375666", "genres": [{"id": 28, "name": "Action"}], "original_title": "Inception",
           "alternative_titles": {"titles": [{"iso_3166_1": "US", "title": "El origen"}, {"iso_3166_1": "KR", "title": "인셉션"}]}}
          """#
        case let url where url.contains("wikidata"): #"{"query": {"search": []}}"#
        default: "{}"
        }
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
  }

  @Test(arguments: ["tt1375666", "imdb:tt1375666", "https://www.imdb.com/title/tt1375666/?ref_=nv_sr_srsg_0"])
  func `a movie named by its IMDb id is looked up at TMDB, and on the shelf once added`(reference: String) throws {
    #expect(catalog.run("show", reference).output.hasPrefix("Inception  movie tmdb:27205\n"))
    #expect(catalog.run("open", reference, "--print").output == "https://www.themoviedb.org/movie/27205\n")
    #expect(catalog.run("cover", reference, "--print").output == "https://image.tmdb.org/t/p/w500/p.jpg\n")
    let added = catalog.run("add", reference, "--no-cover")
    #expect(added.output == "added movie 1: Inception (2010)  Action\n", "\(added.errors)")
    let before = asked.requests.count
    #expect(catalog.run("favorite", reference).status == 0)
    let again = catalog.run("add", reference)
    #expect(again.status == 0)
    #expect(again.errors == "catalog: already on the shelf: movie 1: Inception (2010)\n")
    #expect(asked.requests.count == before, "what is on the shelf is not looked up")
  }

  @Test(arguments: [
    "tt1375666", "imdb:tt1375666", "https://www.imdb.com/title/tt1375666/", "tmdb:27205",
    "https://www.themoviedb.org/movie/27205-inception?language=ko-KR",
  ])
  func `search looks an id or a page up, as add does, and sends none as words`(words: String) throws {
    let found = catalog.run("search", words, "--json=title,source_id")
    #expect(found.status == 0, "\(found)")
    #expect(found.output.contains("Inception"))
    #expect(!asked.requests.contains { $0.url.contains("/search/") || $0.url.contains("term=") })
    #expect(catalog.run("add", "r1", "--no-cover").output.hasPrefix("added movie 1: Inception"))
    #expect(catalog.run("search", words).output.contains("[on shelf 1]"))
  }

  @Test(arguments: ["https://example.org/x", "tt0000001"]) func `search says that no source knows a page or id`(
    words: String
  ) {
    let found = catalog.run("search", words)
    #expect(found.status == 1, "\(found)")
    #expect(!asked.requests.contains { $0.url.contains("/search/") || $0.url.contains("term=") })
  }

  @Test func `a page is a reference of every command`() throws {
    let page = "https://www.themoviedb.org/movie/27205-inception"
    #expect(catalog.run("show", page).output.hasPrefix("Inception  movie tmdb:27205\n"))
    #expect(catalog.run("add", page, "--no-cover").output == "added movie 1: Inception (2010)  Action\n")
    #expect(catalog.run("add", page).errors.hasPrefix("catalog: already on the shelf: movie 1"))
    #expect(catalog.run("show", page).output.hasPrefix("Inception  movie 1\n"))
  }

  /// A movie added when TMDB did not have its IMDb id yet.
  @Test func `a movie on the shelf is found by TMDB's id too`() throws {
    var record = Record(kind: .movie, title: "Inception")
    record.externalIDs = [ExternalID(source: "tmdb", value: "27205")]
    try catalog.store.add(record, now: Timestamp(rawValue: "2026-01-01T00:00:00Z"))
    #expect(catalog.run("show", "tt1375666").output.hasPrefix("Inception  movie 1\n"))
    #expect(catalog.run("add", "tt1375666").errors.hasPrefix("catalog: already on the shelf"))
  }

  @Test func `add reads a list of IMDb ids, and reports unknown and invalid ones`() throws {
    catalog.input = ["tt1375666", "# seen", "https://www.imdb.com/title/tt0000001/", "imdb:tt12"]
    let run = catalog.run("add", "-", "--no-cover")
    #expect(run.output == "added movie 1: Inception (2010)  Action\n")
    #expect(run.status == 1)
    let lines = run.errors.split(separator: "\n")
    #expect(
      lines.count == 2,
      "\(run.errors)")
    #expect(
      lines.first?.hasSuffix("tt0000001/': no movie imdb:tt0000001 at TMDB, Wikidata") == true,
      "\(run.errors)")
    #expect(lines.last?.contains("'tt12' is not an IMDb id") == true, "\(run.errors)")
  }

  @Test func `without a key of TMDB only Wikidata is asked about an IMDb id`() {
    catalog.environment = [:]
    for command in [["show"], ["add"], ["favorite"], ["card", "add", "--stars", "4"]] {
      let run = catalog.run(command + ["tt1375666"])
      #expect(run.status == 1)
      #expect(
        run.errors
          == "catalog: no movie imdb:tt1375666 at Wikidata\nhint: TMDB knows more movies: catalog source key tmdb\n",
        "\(command)")
    }
    #expect(asked.requests.allSatisfy { $0.source == "wikidata" })
  }

  @Test func `an unknown, unavailable or invalid IMDb id is explained`() {
    let unknown = catalog.run("show", "tt0000001")
    #expect(
      unknown
        == .init(
          output: "",
          errors: """
            catalog: no movie imdb:tt0000001 at TMDB, Wikidata
            hint: search for its title: catalog search WORDS

            """, status: 1))
    catalog.http = .offline
    let offline = catalog.run("show", "tt1375666", "--offline")
    #expect(offline.status == 1)
    #expect(offline.errors.hasPrefix("catalog: TMDB was not asked: --offline\n"))
    let bad = catalog.run("show", "imdb:550")
    #expect(bad.status == 2)
    #expect(bad.errors.contains("'550' is not an IMDb id"))
  }

  @Test func `other titles of a movie are shown, stored, searched and edited`() throws {
    catalog.environment["LC_ALL"] = "en_KR.UTF-8"
    #expect(catalog.run("show", "tt1375666").output.contains("\nOther titles  El origen, 인셉션\n"))
    #expect(catalog.run("add", "tt1375666", "--no-cover").status == 0)
    #expect(catalog.run("list", "인셉", "--json=id").output == #"[{"id":1}]"# + "\n")
    #expect(catalog.run("edit", "1", "other_titles-=El origen", "other_titles+=꿈").status == 0)
    #expect(catalog.run("show", "ㅇㅅㅅ", "--json").output.contains(#""other_titles":["인셉션","꿈"]"#))
    #expect(catalog.run("list", "origen").output == "")
  }
}
