import CatalogModel
import CommandLineKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import Lookup

/// A client for TMDB and iTunes that answers by a part of the address, and records the requests.
private final class Sources: Sendable {
  /// The answers, by a part of the address.
  let answers = Mutex<[String: Response]>([:])
  private let log = Mutex<[Request]>([])
  var asked: [String] { log.withLock { $0.map(\.url) } }
  /// Called before each answer.
  let before = Mutex<@Sendable (Request) -> Void>({ _ in })

  var client: HTTPClient {
    HTTPClient(each: { [self] request in
      log.withLock { $0.append(request) }
      before.withLock { $0 }(request)
      let found = answers.withLock { all in
        all.filter { request.url.contains($0.key) }.max { $0.key.count < $1.key.count }
      }
      if let mark = found?.value.header("etag"), request.headers.contains(where: { $0.value == mark }) {
        return .success(Response(status: 304))
      }
      return found.map { .success($0.value) } ?? .failure(.unreachable(host: request.host))
    })
  }

  subscript(_ part: String) -> String {
    get { "" }
    set { answers.withLock { $0[part] = Response(status: 200, body: Array(newValue.utf8)) } }
  }

  func picture(_ part: String, _ bytes: [UInt8], etag: String? = nil) {
    let headers = etag.map { [Header("etag", $0)] } ?? []
    answers.withLock { $0[part] = Response(status: 200, headers: headers, body: bytes) }
  }

  func forget() { log.withLock { $0 = [] } }

  static func movie(
    _ id: Int, _ title: String, released: String, by director: String, minutes: Int = 133, genre: String = "Drama",
    more: String = ""
  ) -> String {
    """
    {"id": \(id), "imdb_id": "tt\(6_000_000 + id)", "title": "\(title)", "original_title": "\(title)",
     "release_date": "\(released)", "runtime": \(minutes), "genres": [{"id": 1, "name": "\(genre)"}], \(more)
     "credits": {"cast": [{"id": 5, "name": "Song Kang-ho", "character": "Kim", "order": 0}],
       "crew": [{"id": 6, "name": "\(director)", "job": "Director"}]}}
    """
  }
}

struct RefreshCommandTests {
  let catalog: TestCatalog
  private let sources = Sources()

  init() throws {
    catalog = try TestCatalog()
    catalog.http = sources.client
    catalog.environment = ["CATALOG_TMDB_TOKEN": "sesame", "CATALOG_COUNTRY": "US"]
  }

  /// Adds a movie with an earlier record of TMDB.
  @discardableResult
  private func addMovie(_ id: Int = 7, _ title: String = "Memories", year: Int = 2003) throws -> ItemID {
    try catalog.store.add(
      {
        var record = Record(kind: .movie, title: title)
        record.year = year
        record.labels = ["Drama"]
        record.credits = [Credit(name: "Bong", role: .director)]
        record.externalIDs = [ExternalID(source: "tmdb", value: "\(id)")]
        record.movie.minutes = 120
        return record
      }(), now: catalog.clock
    ).id
  }

  private var item: Item { get throws { try catalog.store.item(ItemID(rawValue: 1)) } }

  @Test func `refresh lists each changed field and writes after a yes`() throws {
    try addMovie()
    sources["/movie/7"] = Sources.movie(
      7, "Memories of Murder", released: "2003-05-02", by: "Bong", more: "\"overview\": \"Rain.\",")
    catalog.atTerminal()
    catalog.input = ["y"]
    let run = catalog.run("refresh", "1")
    #expect(
      run
        == .init(
          output: """
            refreshed movie 1: Memories of Murder — Bong (2003)
            refreshed 1 item

            """,
          errors: """
            movie 1: Memories — Bong (2003)
              title: Memories → Memories of Murder
              released: (none) → 2003-05-02
              minutes: 120 → 133
              cast: (none) → Song Kang-ho
              url: (none) → https://www.themoviedb.org/movie/7
              description: (none) → Rain.
              known as: imdb:tt6000007
            Refresh this item? [y/N/a/q] \

            """.trimmingCharacters(in: .newlines), status: 0))
    let now = try item
    #expect(now.record.title == "Memories of Murder")
    #expect(now.record.released == PartialDate("2003-05-02"))
    #expect(now.record.credits.map(\.name) == ["Bong", "Song Kang-ho"])
    #expect(now.record.externalIDs.map(\.description) == ["imdb:tt6000007", "tmdb:7"])
    catalog.terminal = Terminal()
    #expect(
      catalog.run("refresh", "1", "--yes").output
        == "nothing new: movie 1: Memories of Murder — Bong (2003)\nrefreshed no item\n")
  }

  @Test func `answering no leaves the catalog unchanged`() throws {
    try addMovie()
    sources["/movie/7"] = Sources.movie(7, "Otherwise", released: "2003-05-02", by: "Bong")
    catalog.atTerminal()
    let before = try item
    catalog.input = ["n"]
    #expect(catalog.run("refresh", "1").output == "refreshed no item\n")
    #expect(try item == before)
    catalog.terminal = Terminal()
    #expect(catalog.run("refresh", "1", "--dry-run").output.hasSuffix("would refresh 1 item\n"))
    #expect(try item == before)
    let unasked = catalog.run("refresh", "1")
    #expect(catalog.run("refresh", "99").errors.hasPrefix("catalog: there is no item 99\n"))
    #expect(unasked.errors == "catalog: cannot ask without a terminal: Refresh these items?\nhint: --yes answers yes\n")
    #expect(unasked.status == 2)
  }

  @Test func `refresh keeps fields typed by hand until they are unlocked`() throws {
    try addMovie()
    catalog.run("edit", "1", "minutes=111", "title=My own")
    catalog.run("edit", "1", "genre=Crime")
    sources["/movie/7"] = Sources.movie(7, "Theirs", released: "2003-05-02", by: "Bong", genre: "Thriller")
    let run = catalog.run("refresh", "1", "--yes")
    #expect(run.output.contains("  title: My own, kept, typed by hand (TMDB: Theirs)\n"))
    #expect(run.output.contains("  minutes: 111, kept, typed by hand (TMDB: 133)\n"))
    #expect(run.output.contains("  said: Drama → Thriller\n"))
    #expect(try item.record.title == "My own")
    #expect(try item.record.movie.minutes == 111)
    #expect(try item.genres == ["Crime"])
    #expect(
      catalog.run("edit", "1", "minutes!", "genres!").output.contains("minutes: 'catalog refresh' may change it again"))
    #expect(try item.genres == ["Thriller"])
    catalog.run("refresh", "1", "--yes")
    #expect(try item.record.movie.minutes == 133)
    #expect(try item.record.title == "My own")
  }

  @Test func `a typed year locks the release date, and unlocking it unlocks both`() throws {
    try addMovie()
    catalog.run("edit", "1", "year=2004")
    sources["/movie/7"] = Sources.movie(7, "Memories", released: "2003-05-02", by: "Bong")
    catalog.run("refresh", "1", "--yes")
    #expect(try item.record.year == 2004)
    #expect(try item.record.released == nil)
    catalog.run("edit", "1", "year!")
    catalog.run("refresh", "1", "--yes")
    #expect(try item.record.year == 2003)
    #expect(try item.record.released == PartialDate("2003-05-02"))
  }

  @Test func `refresh leaves a field that was cleared by hand empty`() throws {
    try addMovie()
    catalog.run("edit", "1", "minutes=")
    sources["/movie/7"] = Sources.movie(7, "Memories", released: "2003-05-02", by: "Bong")
    catalog.run("refresh", "1", "--yes")
    #expect(try item.record.movie.minutes == nil)
  }

  @Test func `refresh keeps fields that the source does not have`() throws {
    try addMovie()
    sources["/movie/7"] = #"{"id": 7, "title": "Memories"}"#
    let output = catalog.run("refresh", "1", "--yes").output
    #expect(
      output == """
        movie 1: Memories — Bong (2003)
          url: (none) → https://www.themoviedb.org/movie/7
        refreshed 1 item

        """)
    #expect(try item.record.movie.minutes == 120)
    #expect(try item.genres == ["Drama"])
  }

  // MARK: The same thing

  @Test func `refresh finds a pack item at TMDB and fills its empty fields`() throws {
    catalog.run("add", "pack:movie/parasite-2019")
    let before = try item
    sources["/search/movie"] = """
      {"results": [{"id": 9, "title": "Parasite", "release_date": "1982-03-12"},
        {"id": 8, "title": "Parasite", "release_date": "2019-05-30"}]}
      """
    sources["/movie/8"] = Sources.movie(
      8, "Parasite", released: "2019-05-30", by: before.record.creators[0],
      more: "\"overview\": \"All unemployed.\", \"poster_path\": \"/p.jpg\",")
    sources.picture("/p.jpg", Picture.png(width: 20, height: 30))
    let run = catalog.run("refresh", "1", "--yes")
    #expect(run.status == 0, "\(run)")
    let now = try item
    #expect(now.record.summary == "All unemployed.")
    #expect(now.record.url != nil)
    #expect(now.record.credits.contains { $0.role == .cast })
    #expect(now.hasCover)
    #expect(now.record.externalIDs.map(\.source) == ["imdb", "pack", "tmdb"])
    #expect(!sources.asked.contains { $0.contains("/movie/9") })
    // The first facts are still from the pack.
    let origins = try catalog.store.origins(of: now)
    #expect(origins[.title]?.origin == .source("pack"))
    #expect(origins[.description]?.origin == .source("tmdb"))
    #expect(origins[.cover]?.origin == .source("tmdb"))
    #expect(origins.values.allSatisfy { !$0.isLocked })
  }

  @Test func `refresh rejects a search result that only resembles the item`() throws {
    try catalog.add(.movie, "Parasite", by: "봉준호", year: 2019)
    sources["/search/movie"] = #"{"results": [{"id": 8, "title": "Parasite", "release_date": "2019-05-30"}]}"#
    sources["/movie/8"] = Sources.movie(8, "Parasite", released: "2019-05-30", by: "Somebody Else")
    let run = catalog.run("refresh", "1", "--yes")
    #expect(run.errors.contains("TMDB has no certain match"))
    #expect(run.status == 1)
    #expect(try item.record.externalIDs.isEmpty)
  }

  @Test func `refresh keeps the typed fields of an item when it finds a source`() throws {
    catalog.run("add", "movie", "--title", "Parasite", "--creator", "봉준호", "--year", "2019")
    sources["/search/movie"] = #"{"results": [{"id": 8, "title": "PARASITE", "release_date": "2019-05-30"}]}"#
    sources["/movie/8"] = Sources.movie(8, "PARASITE", released: "2019-05-30", by: "봉준호")
    for _ in 1...2 {
      catalog.run("refresh", "1", "--yes")
      let now = try item
      #expect(now.record.title == "Parasite")
      #expect(now.record.movie.minutes == 133)
      #expect(now.record.externalIDs.map(\.source) == ["imdb", "tmdb"])
      let origins = try catalog.store.origins(of: now)
      #expect(origins[.title] == FieldOrigin(origin: .hand, since: now.createdAt, isLocked: true))
      #expect(origins[.released]?.isLocked == false)
    }
  }

  @Test func `refresh --source finds a book by its ISBN at that source`() throws {
    var record = Record(kind: .book, title: "Dune")
    record.externalIDs = [ExternalID(source: "pack", value: "book/none")]
    record.book.isbn = try ISBN("9780441013593")
    try catalog.store.add(record, now: catalog.clock)
    sources["googleapis"] = """
      {"totalItems": 1, "items": [{"id": "abc", "volumeInfo": {"title": "Dune (Google)", "authors": ["Frank Herbert"],
        "publisher": "Ace", "pageCount": 528,
        "industryIdentifiers": [{"type": "ISBN_13", "identifier": "9780441013593"}]}}]}
      """
    sources["volumes/abc"] = """
      {"id": "abc", "volumeInfo": {"title": "Dune (Google)", "authors": ["Frank Herbert"], "publisher": "Ace",
        "pageCount": 528, "industryIdentifiers": [{"type": "ISBN_13", "identifier": "9780441013593"}]}}
      """
    let run = catalog.run("refresh", "1", "--source", "googlebooks", "--yes", "--no-cover")
    #expect(run.status == 0, "\(run)")
    #expect(try item.record.book.publisher == "Ace")
    #expect(try item.record.externalIDs.map(\.description) == ["googlebooks:abc", "pack:book/none"])
    #expect(catalog.run("refresh", "1", "--source", "tmdb", "--yes").errors.contains("TMDB has no books"))
  }

  @Test func `refresh replaces a code in place of a title, but no typed one`() throws {
    var record = Record(kind: .book, title: "9780441013593")
    record.book.isbn = try ISBN("9780441013593")
    try catalog.store.add(record, now: catalog.clock)
    sources["volumes"] = """
      {"totalItems": 1, "id": "abc", "volumeInfo": {"title": "Dune", "industryIdentifiers":
        [{"type": "ISBN_13", "identifier": "9780441013593"}]}, "items": [{"id": "abc", "volumeInfo": {"title": "Dune",
        "industryIdentifiers": [{"type": "ISBN_13", "identifier": "9780441013593"}]}}]}
      """
    let run = catalog.run("refresh", "1", "--source", "googlebooks", "--yes", "--no-cover")
    #expect(run.status == 0, "\(run)")
    #expect(try item.record.title == "Dune")
    catalog.run("edit", "1", "title=9780441013593")
    catalog.run("refresh", "1", "--source", "googlebooks", "--yes", "--no-cover")
    #expect(try item.record.title == "9780441013593")
  }

  @Test func `refresh asks the first source about a book without pages that another one described`() throws {
    var record = Record(kind: .book, title: "Dune")
    record.externalIDs = [ExternalID(source: "inventaire", value: "isbn:9780441013593")]
    record.book.isbn = try ISBN("9780441013593")
    try catalog.store.add(record, now: catalog.clock)
    sources["openlibrary.org"] = """
      {"ISBN:9780441013593": {"details": {"key": "/books/OL1M", "title": "Dune", "number_of_pages": 528}}, "numFound": 1,
        "docs": [{"key": "/works/OL1W", "title": "Dune", "isbn": ["9780441013593"]}],
        "key": "/books/OL1M", "title": "Dune", "number_of_pages": 528, "isbn_13": ["9780441013593"]}
      """
    catalog.run("refresh", "1", "--yes", "--no-cover")
    #expect(try item.record.book.pages == 528)
    sources.forget()
    catalog.run("refresh", "1", "--yes", "--no-cover")
    #expect(!sources.asked.contains { $0.contains("openlibrary") && $0.contains("9780441013593") })
  }

  @Test func `refresh of a record with several pressings takes only the fields they share`() throws {
    try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1959)
    let release = { (id: String, number: String) in
      """
      {"id": "\(id)", "title": "Kind of Blue", "date": "1959", "country": "US", "barcode": "\(number)",
       "artist-credit": [{"name": "Miles Davis", "artist": {"id": "x", "name": "Miles Davis"}}],
       "media": [{"format": "12\\" Vinyl", "track-count": 1, "tracks": [{"number": "A1", "title": "So What", "length": 545000}]}]}
      """
    }
    let ids = ["11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"]
    sources["/release?"] = #"{"count": 2, "releases": [\#(release(ids[0], "074646493526")), \#(release(ids[1], ""))]}"#
    for id in ids { sources["/release/\(id)"] = release(id, "074646493526") }
    let run = catalog.run("refresh", "1", "--yes", "--no-cover")
    #expect(run.status == 0, "\(run)")
    #expect(try item.record.tracks.map(\.title) == ["So What"])
    #expect(try item.record.vinyl.barcode == nil)
    #expect(try item.record.vinyl.format == nil)
    #expect(try item.record.externalIDs.isEmpty)
  }

  // MARK: Meanwhile

  @Test func `fields changed while the question was open are kept and named`() throws {
    try addMovie()
    sources["/movie/7"] = Sources.movie(7, "Theirs", released: "2003-05-02", by: "Bong", genre: "Thriller")
    catalog.atTerminal()
    catalog.input = ["y"]
    let (store, clock) = (catalog.store, catalog.clock)
    catalog.beforeLine = {
      _ = try? store.change(ItemID(rawValue: 1), now: clock) { draft in
        draft.record.title = "Another program's"
        draft.record.movie.minutes = 133
      }
      _ = try? store.change(ItemID(rawValue: 1), from: .source("itunes"), now: clock) { draft in
        draft.record.released = PartialDate("2003-09")
      }
    }
    let run = catalog.run("refresh", "1")
    #expect(run.errors.contains("title was changed in the meantime, and"))
    #expect(run.errors.contains("released was changed in the meantime"))
    #expect(!run.errors.contains("minutes was changed"))
    #expect(try item.record.title == "Another program's")
    #expect(try item.record.released == PartialDate("2003-09"))
    #expect(try item.record.credits.contains { $0.role == .cast })
  }

  // MARK: Covers

  @Test func `refresh replaces a cover from a source and keeps a cover set by hand`() throws {
    try addMovie()
    sources["/movie/7"] = Sources.movie(
      7, "Memories", released: "2003", by: "Bong", more: "\"poster_path\": \"/p.jpg\",")
    let (first, second, own) = (
      Picture.png(width: 11, height: 11), Picture.png(width: 22, height: 22), Picture.png(width: 33, height: 33)
    )
    sources.picture("/p.jpg", first, etag: "\"1\"")
    #expect(catalog.run("refresh", "1", "--yes").output.contains("  cover: a picture\n"))
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == first)
    // Its server says that it is the same.
    #expect(catalog.run("refresh", "1", "--yes").output.hasPrefix("nothing new"))
    sources.picture("/p.jpg", second, etag: "\"2\"")
    #expect(catalog.run("refresh", "1", "--yes").output.contains("  cover: another picture\n"))
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == second)

    let folder = try TemporaryFolder()
    try Data(own).write(to: URL(filePath: folder.path("own.png")))
    #expect(
      catalog.run("cover", "set", "1", folder.path("own.png")).output
        == "the cover now: 33 × 33, \(own.count.size): movie 1: Memories — Bong (2003)\n")
    sources.forget()
    #expect(catalog.run("refresh", "1", "--yes").output.hasPrefix("nothing new"))
    #expect(!sources.asked.contains { $0.contains("/p.jpg") })
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == own)
    #expect(catalog.run("edit", "1", "cover!").output.contains("cover: 'catalog refresh' may change it again"))
    catalog.run("refresh", "1", "--yes")
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == second)
  }

  // MARK: Many

  private func addMovies(_ count: Int) throws {
    for number in 1...count {
      try addMovie(number + 100, "Movie \(number)")
      sources["/movie/\(number + 100)"] = Sources.movie(
        number + 100, "Film \(number)", released: "2003-05-02", by: "Bong")
    }
  }

  @Test func `refresh --where asks about each item, and the same command resumes after q`() throws {
    try addMovies(4)
    catalog.atTerminal()
    catalog.input = ["y", "n", "q"]
    #expect(catalog.run("refresh", "--where", "kind:movie").output.hasSuffix("refreshed 1 item\n"))
    func titles() throws -> [String] {
      try (1...4).map { try catalog.store.item(ItemID(rawValue: $0)).record.title }
    }
    #expect(try titles() == ["Movie 1", "Movie 2", "Movie 3", "Film 4"])
    catalog.input = ["a"]
    let second = catalog.run("refresh", "--where", "kind:movie")
    #expect(second.errors.hasPrefix("catalog: 2 items of 4 asked for within the last day: --again asks again\n"))
    #expect(second.output.hasSuffix("refreshed 2 items\n"))
    #expect(try titles() == ["Film 1", "Film 2", "Movie 3", "Film 4"])
    catalog.terminal = Terminal()
    #expect(catalog.run("refresh", "--where", "kind:movie", "--yes").output.isEmpty)
    catalog.now += 86_401
    #expect(catalog.run("refresh", "--where", "kind:movie", "--yes").output.contains("refreshed 1 item\n"))
    #expect(try titles() == ["Film 1", "Film 2", "Film 3", "Film 4"])
    #expect(catalog.run("refresh", "--where", "kind:movie", "--again", "--yes").output.hasSuffix("refreshed no item\n"))
  }

  @Test func `refresh on a terminal shows the number of items done`() throws {
    try addMovies(3)
    catalog.atTerminal()
    let screen = TestScreen([])
    catalog.screen = screen
    sources.before.withLock { $0 = { _ in } }
    let run = catalog.run("refresh", "--where", "kind:movie", "--yes")
    #expect(run.errors.contains("\r1 of 3: Movie 3\u{1B}[K"))
    #expect(run.errors.contains("\r2 of 3, 0 s yet: Movie 2\u{1B}[K"))
    #expect(run.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test func `refresh stops asking a source that is down and exits with status 3`() throws {
    for number in 1...5 { try addMovie(number, "Movie \(number)") }
    let run = catalog.run("refresh", "--where", "kind:movie", "--yes")
    #expect(run.status == 3)
    #expect(
      run.errors.contains("catalog: movie 5: Movie 5 — Bong (2003): TMDB cannot be reached (api.themoviedb.org)\n"))
    #expect(run.errors.contains("catalog: 2 items were no longer asked for\n"))
    #expect(sources.asked.count == 3)
    // No source has answered: all are asked again.
    sources["/movie/"] = Sources.movie(1, "Movie", released: "2003-05-02", by: "Bong")
    #expect(catalog.run("refresh", "--where", "kind:movie", "--yes").output.hasSuffix("refreshed 5 items\n"))
  }

  @Test func `refresh without the key of the source exits with status 4`() throws {
    try addMovies(2)
    catalog.environment = [:]
    let run = catalog.run("refresh", "--where", "kind:movie", "--yes")
    #expect(run.status == 4)
    #expect(run.errors.contains("TMDB needs a key"))
    #expect(run.errors.contains("1 item was no longer asked for"))
    #expect(sources.asked.isEmpty)
  }

  @Test func `refresh waits for the rate limit of a source`() throws {
    try addMovies(3)
    let folder = try TemporaryFolder()
    let slept = Mutex(0.0)
    let start = catalog.now
    let now = { @Sendable in start + slept.withLock { $0 } }
    catalog.http = sources.client.limited(
      by: ["tmdb": RateLimit(requests: 1, per: 10)], in: CacheDatabase(path: folder.path("cache.db")), now: now,
      pause: Pause(sleep: { seconds in slept.withLock { $0 += seconds } }))
    #expect(
      catalog.run("refresh", "--where", "kind:movie", "--yes", "--no-cover").output.hasSuffix("refreshed 3 items\n"))
    #expect(slept.withLock { $0 } == 20)
  }

  @Test func `refresh bypasses the cache`() throws {
    try addMovie()
    let folder = try TemporaryFolder()
    let cache = CacheDatabase(path: folder.path("cache.db"))
    let start = catalog.now
    let fresh = { (title: String) in
      Response(
        status: 200, headers: [Header("cache-control", "max-age=9999")],
        body: Array(Sources.movie(7, title, released: "2003-05-02", by: "Bong").utf8))
    }
    catalog.http = sources.client.cached(in: cache, now: { start })
    for title in ["First", "Second"] {
      sources.answers.withLock { $0["/movie/7"] = fresh(title) }
      catalog.run("refresh", "1", "--yes")
      #expect(try item.record.title == title)
    }
  }

  @Test(arguments: [
    (["refresh"], "no item to refresh was named"), (["refresh", "1", "--where", "x"], "name items or give --where"),
    (["refresh", "1", "--again"], "--again is only for --where"),
    (["refresh", "1", "--offline", "--source", "tmdb"], "it does not work with --offline"),
    (["refresh", "1", "--source", "nowhere"], "nowhere"), (["cover", "set", "1"], "FILE"),
  ])
  func `bad input is explained`(words: [String], error: String) throws {
    try addMovie()
    let run = catalog.run(words)
    #expect(run.errors.contains(error))
    #expect(run.status == 2)
  }
}
