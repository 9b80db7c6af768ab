import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import Synchronization
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the features that only iTunes has, in `search`, `show`, `add`, help and completion.
struct ITunesCommandTests {
  let catalog: TestCatalog
  let store = ITunesStore()

  init() throws {
    catalog = try TestCatalog()
    catalog.http = store.client
  }

  // MARK: Categories

  struct Choice: CustomTestStringConvertible {
    var words: [String]
    var kinds: [String]
    var attribute: String?
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Choice(words: ["--attribute", "actor"], kinds: ["movie"], attribute: "actorTerm"),
    Choice(words: ["--attribute", "ACTORTERM"], kinds: ["movie"], attribute: "actorTerm"),
    Choice(words: ["--attribute=composer"], kinds: ["song"], attribute: "composerTerm"),
    Choice(words: ["--attribute", "developer"], kinds: ["software"], attribute: "softwareDeveloper"),
    Choice(words: ["--attribute", "genre", "--kind", "podcast"], kinds: ["podcast"], attribute: "genreIndex"),
    Choice(
      words: ["--attribute", "description", "--kind", "podcast,movie"], kinds: ["podcast", "movie"],
      attribute: "descriptionTerm"),
    Choice(words: ["--attribute", "all", "--kind", "movie"], kinds: ["movie"], attribute: nil),
    Choice(words: ["--attribute", "year", "--source", "iTunes"], kinds: ["movie"], attribute: "releaseYearTerm"),
  ])
  func `search --attribute requests one category of iTunes`(choice: Choice) {
    // A key of TMDB changes nothing: the categories are those of iTunes.
    catalog.environment["CATALOG_TMDB_TOKEN"] = "token"
    catalog.run(["search", "x"] + choice.words)
    #expect(store.asked.count == 1)
    #expect(store.asked.first?.map { $0["entity"] } == choice.kinds)
    #expect(store.asked.first?.allSatisfy { $0["attribute"] == choice.attribute && $0["attributes"] == nil } == true)
  }

  struct Misuse: CustomTestStringConvertible {
    var words: [String]
    var message: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Misuse(
      words: ["--attribute", "actor,director"],
      message: "option '--attribute': just one attribute can be chosen\nhint: for example"),
    Misuse(words: ["--attribute", "actor", "--attribute", "year"], message: "just one attribute can be chosen"),
    Misuse(
      words: ["--attribute", "actro"],
      message:
        "option '--attribute': there is no attribute 'actro'; did you mean 'actor'?\nhint: 'catalog help itunes' lists"
    ),
    Misuse(
      words: ["--attribute", "genre"],
      message: "'genre' is an attribute of movies, music, podcasts\nhint: say which with --kind movie,music,podcast\n"),
    Misuse(
      words: ["--attribute", "actor", "--kind", "movie,music"],
      message: "'actor' is not an attribute of music\nhint: it is one of movies; 'catalog help itunes' lists them all\n"
    ),
    Misuse(words: ["--attribute", "title", "--kind", "book"], message: "'title' is not an attribute of books\n"),
    Misuse(
      words: ["--attribute", "actor", "--by", "title"], message: "'--by' and '--attribute' both say where to look\n"),
    Misuse(
      words: ["--attribute", "actor", "--source", "tmdb"],
      message: "TMDB has no attributes\nhint: iTunes has some: leave --source out\n"),
    Misuse(words: ["--attribute", "actor", "--source", "pack"], message: "Built-in pack has no attributes\n"),
    Misuse(
      words: ["--attribute", "actor", "--source", "itune"],
      message:
        "option '--source': there is no source 'itune'; did you mean 'itunes'?\nhint: the choices are itunes, tmdb,"),
    Misuse(words: ["--attribute", ""], message: "option '--attribute': there is no attribute ''\n"),
  ])
  func `a category that the kind or source does not have is rejected without a request`(misuse: Misuse) {
    let run = catalog.run(["search", "x"] + misuse.words)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("catalog: \(misuse.message)"), "\(run.errors)")
    #expect(store.asked.isEmpty)
  }

  @Test func `search --attribute uses search.kinds where all of them have the category`() throws {
    try catalog.configure("search.kinds", "music,podcast")
    catalog.run("search", "x", "--attribute", "genre")
    #expect(store.asked.first?.map { $0["entity"] } == ["album", "podcast"])
    catalog.run("search", "x", "--attribute", "actor")
    #expect(store.asked.last?.map { $0["entity"] } == ["movie"])
  }

  @Test func `the pack does not stand in for a category`() {
    catalog.http = HTTPClient(each: { .failure(.unreachable(host: $0.host)) })
    let run = catalog.run("search", "dune", "--attribute", "actor")
    #expect(run.status == 3)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("catalog: iTunes cannot be reached (itunes.apple.com)\n"))
  }

  @Test func `completion offers the categories of the kind`() {
    func offers(_ words: String...) -> [String] {
      catalog.run(["completion", "--candidates", "--", "search", "x"] + words).output.split(separator: "\n").map(
        String.init)
    }
    #expect(offers("--kind", "app", "--attribute", "") == ["all\teverywhere", "developer\twho made it"])
    #expect(offers("-k", "podcast", "--attribute=l") == ["--attribute=language\tthe language"])
    #expect(offers("--attribute", "act") == ["actor\twho plays in it"])
    #expect(offers("--kind", "music", "--attribute", "act") == [])
  }

  @Test func `help itunes lists the 8, 14, 2 and 9 categories of the kinds`() {
    let page = catalog.run("help", "itunes").output
    let lines = page.split(separator: "\n").map(String.init)
    for (kind, count) in [(Kind.music, 8), (.movie, 14), (.app, 2), (.podcast, 9)] {
      #expect(lines.contains("The \(count) of --kind \(kind.rawValue):"))
      let start = lines.firstIndex(of: "The \(count) of --kind \(kind.rawValue):") ?? 0
      #expect(lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.count == count)
      for attribute in Source.itunes.attributes(kind) {
        #expect(lines.contains { $0.hasPrefix("  \(attribute.word) ") && $0.hasSuffix(attribute.help) })
      }
    }
    #expect(lines.allSatisfy { $0.cellWidth <= 80 })
  }

  // MARK: Podcasts and movies

  @Test func `podcasts and movies have a section each, with a message when one is empty`() {
    store.found.withLock { found in
      found["podcast hardcore"] = [ITunesStore.podcast(1, "Hardcore History")]
      found["movie nosferatu"] = [ITunesStore.movie(2, "Nosferatu")]
    }
    catalog.atTerminal()
    let podcasts = catalog.run("search", "hardcore", "--kind", "podcast,movie")
    #expect(podcasts.status == 0)
    #expect(podcasts.output.hasPrefix("Results for 'hardcore'\n\nPodcasts · iTunes\n"))
    #expect(podcasts.output.contains("r1  Hardcore History"))
    #expect(podcasts.output.hasSuffix("\n\nMovies · iTunes\nNo movie was found for 'hardcore'.\n"))
    let movies = catalog.run("search", "nosferatu", "--kind", "podcast,movie")
    #expect(
      movies.output.contains("\n\nPodcasts · iTunes\nNo podcast was found for 'nosferatu'.\n\nMovies · iTunes\n"))
    #expect(movies.output.contains("r1  Nosferatu"))
    #expect(Set(store.asked.joined().map { $0["entity"] }) == ["podcast", "movie"])
    let neither = catalog.run("search", "qwx", "--kind", "movie", "--kind", "podcast,movie")
    #expect(neither.status == 1)
    #expect(
      neither.output == """
        Results for 'qwx'

        Movies · iTunes
        No movie was found for 'qwx'.

        Podcasts · iTunes
        No podcast was found for 'qwx'.

        """)
    #expect(store.asked.suffix(2).joined().count == 2, "each once")
  }

  @Test func `the heading of a search names the words, the category and the page`() {
    catalog.atTerminal()
    func heading(_ words: String...) -> String {
      String(catalog.run(["search", "song kang", "ho"] + words).output.prefix { $0 != "\n" })
    }
    #expect(heading("--kind", "movie") == "Results for 'song kang ho'")
    #expect(heading("--attribute", "actorTerm") == "Results for 'song kang ho' · actor")
    #expect(heading("--attribute", "all", "--kind", "movie") == "Results for 'song kang ho'")
    #expect(
      heading("--kind", "music", "--by", "artist", "--page", "2") == "Results for 'song kang ho' · by creator · page 2")
    catalog.terminal = .init()
    #expect(catalog.run("search", "qwx", "--kind", "movie").output == "")
  }

  @Test func `search into a pipe reports each kind without results`() {
    #expect(catalog.run("search", "qwx", "--kind", "podcast").errors == "catalog: no podcast was found for 'qwx'\n")
    #expect(
      catalog.run("search", "qwx", "--kind", "podcast,movie").errors == "catalog: no result was found for 'qwx'\n")
    store.found.withLock { $0["podcast hardcore"] = [ITunesStore.podcast(1, "Hardcore History")] }
    for words in [["--kind", "podcast,movie"], ["--kind", "movie,podcast", "--json"]] {
      let half = catalog.run(["search", "hardcore"] + words)
      #expect(half.status == 0)
      #expect(half.output.contains("Hardcore History"))
      #expect(half.errors == "catalog: no movie was found for 'hardcore'\n", "\(words)")
    }
    store.failures.withLock { $0["qwx"] = .timedOut(host: "itunes.apple.com") }
    let failed = catalog.run("search", "qwx", "--kind", "podcast")
    #expect(failed.errors == "catalog: iTunes did not answer in time (itunes.apple.com)\n")
    #expect(failed.status == 3)
  }

  // MARK: Albums and songs

  private func stockAlbum() {
    let album = ITunesStore.album(7, "두 장의 음반")
    let songs = [
      ITunesStore.song(71, "안녕", on: 7, "두 장의 음반", disc: 2, of: 2, track: 1, milliseconds: 61_000),
      ITunesStore.song(72, "So What", on: 7, "두 장의 음반", disc: 1, of: 2, track: 1, milliseconds: 562_000),
      ITunesStore.song(73, "봄날은 간다", on: 7, "두 장의 음반", disc: 1, of: 2, track: 2, milliseconds: 3_600_000),
    ]
    store.known.withLock { known in
      known["7"] = [album] + songs
      known["71"] = [songs[0]]
    }
    store.found.withLock { found in
      found["album x"] = [album]
      found["song x"] = [songs[0]]
    }
  }

  @Test func `show prints the tracks, discs and length of an album`() {
    stockAlbum()
    catalog.run("search", "x", "--kind", "music")
    let run = catalog.run("show", "r1")
    #expect(run.output.hasPrefix("두 장의 음반  music itunes:collection/7\nSomeone\n"))
    for line in ["Tracks    3", "Length    1:10:23", "Price     $9.99", "Genres    Jazz"] {
      #expect(run.output.contains("\n\(line)\n"), "\(line)")
    }
    #expect(
      run.output.hasSuffix(
        "\n\n  1-01  So What  9:22\n  1-02  봄날은 간다  1:00:00\n  2-01  안녕  1:01\n"), "\(run.output)")
    let json = catalog.run("show", "r1", "--json").output
    #expect(json.contains(#""seconds":4223"#))
    #expect(json.contains(#""offer":{"price":{"amount":9.99,"currency":"USD"},"hd_price":null,"#))
  }

  @Test func `a song leads to its album and is added as the record with that album`() throws {
    stockAlbum()
    catalog.run("search", "x", "--attribute", "song")
    let song = catalog.run("show", "r1")
    #expect(song.output.hasPrefix("안녕  music itunes:track/71\n"))
    for line in ["From      두 장의 음반 (itunes:collection/7)", "Track     2-01 of 3", "Length    1:01"] {
      #expect(song.output.contains("\n\(line)\n"), "\(line)")
    }
    #expect(catalog.run("show", "itunes:collection/7").output.contains("  2-01  안녕  1:01\n"))
    let added = catalog.run("add", "r1", "--as", "vinyl")
    #expect(added.output == "added vinyl 1: 두 장의 음반 — Someone (1959)  Jazz\n")
    #expect(
      try catalog.store.item(ItemID(rawValue: 1)).record.externalIDs == [
        ExternalID(source: "itunes", value: "collection/7")
      ])
    #expect(catalog.run("show", "1").output.contains("  2-01  안녕  1:01\n"))
  }

  @Test func `details of a result are requested from the shop of the result`() {
    store.found.withLock { $0["album x"] = [ITunesStore.album(7, "Palette", shop: "kr")] }
    store.known.withLock { $0["7"] = [ITunesStore.album(7, "Palette", shop: "kr")] }
    catalog.run("search", "x", "--kind", "music", "--country", "kr")
    catalog.run("show", "r1")
    #expect(store.asked.map { $0.first?["country"] } == ["KR", "KR"])
    catalog.run("show", "itunes:collection/9")
    #expect(store.asked.last?.first?["country"] == "US", "of whose shop nothing is known")
  }

  // MARK: Prices

  @Test func `search prints prices in the style of the language`() {
    func album(_ number: Int, _ price: String, _ currency: String) -> String {
      ITunesStore.album(number, "Album \(number)").replacing(
        #""collectionPrice":9.99,"currency":"USD""#, with: #""collectionPrice":\#(price),"currency":"\#(currency)""#)
    }
    store.found.withLock {
      $0["x"] = [album(1, "14000", "KRW"), album(2, "9.99", "USD"), album(3, "0", "USD"), album(4, "-1", "USD")]
    }
    let json = catalog.run("search", "x", "--kind", "music", "--json=price,isbn")
    #expect(
      json.output == """
        [{"price":{"amount":14000,"currency":"KRW"},"isbn":null},{"price":{"amount":9.99,"currency":"USD"},"isbn":null},\
        {"price":{"amount":0.00,"currency":"USD"},"isbn":null},{"price":null,"isbn":null}]

        """)
    catalog.atTerminal()
    func column() -> [String] {
      let lines = catalog.run("search", "x", "--kind", "music").output.split(separator: "\n")
      return lines.dropFirst(2).map {
        $0.split(separator: "  ").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
      }
    }
    for language in ["ko_KR.UTF-8", "en_US.UTF-8", "C"] {
      catalog.environment = ["LANG": language]
      #expect(column() == ["Price", "₩14,000", "$9.99", "free", "Jazz"], "\(language)")
    }
    catalog.environment = ["LANG": "ko_KR.UTF-8", "LC_MONETARY": "de_DE"]
    #expect(column() == ["Price", "14.000\u{A0}₩", "9,99\u{A0}$", "free", "Jazz"])
  }

  // MARK: Other facts

  @Test func `a podcast is shown with its feed, episodes and newest day`() {
    store.found.withLock { $0["podcast x"] = [ITunesStore.podcast(1, "Hardcore History")] }
    store.known.withLock { $0["1"] = [ITunesStore.podcast(1, "Hardcore History")] }
    catalog.run("search", "x", "--kind", "podcast")
    let run = catalog.run("show", "r1")
    for line in [
      "Genres          History, Podcasts", "Episodes        200", "Feed            https://feeds.example/1",
      "Advisory        Clean", "Newest episode  2026-11-20",
    ] {
      #expect(run.output.contains("\n\(line)\n"), "\(line)")
    }
    #expect(!run.output.contains("Year"), "the day of an episode is not the podcast's")
  }

  @Test func `show prints the price, system and advisory of an app and a movie`() throws {
    var app = Record(kind: .app, title: "카카오톡")
    var other = Other()
    other.version = "10.1"
    app.details = .other(other)
    var offer = Offer()
    offer.price = Price(minorUnits: 0, currency: "KRW")
    (offer.minimumSystem, offer.seller, offer.bytes) = ("15.0", "Kakao Inc.", 506_663_936)
    (offer.languages, offer.updated, offer.advisory) = (["ko", "en"], PartialDate("2026-09-30"), "4+")
    app.offer = offer
    var movie = Record(kind: .movie, title: "기생충")
    movie.offer = Offer()
    movie.offer?.price = Price(minorUnits: 6500, currency: "KRW")
    movie.offer?.hdPrice = Price(minorUnits: 6500, currency: "KRW")
    movie.offer?.rentalPrice = Price(minorUnits: 1500, currency: "KRW")
    movie.offer?.hdRentalPrice = Price(minorUnits: 2500, currency: "KRW")
    movie.offer?.collection = "봉준호 컬렉션"
    func facts(_ record: Record) -> [String] {
      Detail(candidate: Candidate(id: ExternalID(source: "itunes", value: "x/1"), record: record)).facts
        .map { "\($0.name.text(in: nil)): \($0.text.text(in: nil))" }
    }
    #expect(
      facts(app) == [
        "Version: 10.1", "Advisory: 4+", "Price: free", "Updated: 2026-09-30", "System: 15.0 or newer",
        "Languages: Korean, English", "Size: 506.7 MB", "Seller: Kakao Inc.",
      ])
    #expect(
      facts(movie) == [
        "Sold with: 봉준호 컬렉션", "Price: ₩6,500, HD too", "Rental: ₩1,500, HD ₩2,500",
      ])
  }

  @Test func `the offer of a shop is saved with the result`() throws {
    var record = Record(kind: .app, title: "x")
    record.offer = Offer()
    record.offer?.languages = ["ko"]
    let data = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(Record.self, from: data) == record)
    // A result of an earlier version has none.
    let old = String(decoding: data, as: UTF8.self).replacing(#""offer":{"languages":["ko"]},"#, with: "")
    #expect(try JSONDecoder().decode(Record.self, from: Data(old.utf8)).title == "x")
  }

  @Test func `an unknown country is named in words`() {
    let run = catalog.run("search", "x", "--kind", "music", "--country", "aq")
    #expect(
      run.errors == """
        catalog: iTunes has no shop in 'AQ'
        hint: name another country with --country, such as KR, or GB for the United Kingdom

        """)
    #expect(run.status == 2)
  }

  @Test func `a Korean genre of iTunes becomes the genre of the tree`() throws {
    let movie = ITunesStore.movie(5, "기생충").replacing(
      #""artistName""#, with: #""primaryGenreName":"스릴러","artistName""#)
    store.found.withLock { $0["movie 기생충"] = [movie] }
    store.known.withLock { $0["5"] = [movie] }
    catalog.run("search", "기생충", "--kind", "movie", "--country", "KR")
    #expect(catalog.run("add", "r1").output == "added movie 1: 기생충 — 봉준호 (2019)  Thriller\n")
  }
}
