import CatalogModel
import Foundation
import Lookup
import Testing

/// Tests that every recorded answer of these sources is read without losing a readable element.
///
/// Skipped unless `CATALOG_FIXTURES` names the folder with the recordings.
@Suite(.enabled(if: Recorded.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
struct RecordedAnswersTests {
  struct Count: CustomTestStringConvertible {
    var file: String
    var kind: Kind
    var elements: Int
    var testDescription: String { file }
  }

  /// Reads a file as the answer to a search of the source that its folder names.
  static func page(_ file: String, _ kind: Kind, pageSize: Int = 100) throws -> Page {
    let source = try #require(Source.named(file.prefix { $0 != "/" }.description))
    return try source.read(
      Recorded.answer(file), Search(words: "x", kind: kind, pageSize: pageSize), source.settings())
  }

  @Test(arguments: [
    Count(file: "itunes/lookup_album_with_songs_beatles.json", kind: .music, elements: 16),
    Count(file: "itunes/lookup_app_slack.json", kind: .app, elements: 1),
    Count(file: "itunes/lookup_podcast_uyd.json", kind: .podcast, elements: 1),
    Count(file: "itunes/search_all_despacito_50.json", kind: .music, elements: 50),
    Count(file: "itunes/search_ebook_middlemarch.json", kind: .book, elements: 1),
    Count(file: "itunes/search_empty.json", kind: .movie, elements: 0),
    Count(file: "itunes/search_macapps_bbedit.json", kind: .app, elements: 1),
    Count(file: "itunes/search_podcasts_freakonomics_5.json", kind: .podcast, elements: 5),
    Count(file: "openlibrary/search_lotr.json", kind: .book, elements: 81),
    Count(file: "musicbrainz/release_search_kat_moda.json", kind: .vinyl, elements: 1),
  ])
  func `no element of a recorded search is lost`(count: Count) throws {
    let page = try Self.page(count.file, count.kind)
    #expect(page.candidates.count == count.elements)
    #expect(page.unreadable == 0)
    #expect(Set(page.candidates.map(\.id)).count == count.elements)
    page.candidates.forEach { MutationTests.check($0.record) }
  }

  // MARK: iTunes

  @Test func `a recorded mixed list has the kind of each element`() throws {
    let kinds = try Self.page("itunes/search_all_despacito_50.json", .music).candidates.map(\.record.kind)
    #expect(kinds.filter { $0 == .music }.count == 47)
    #expect(kinds.filter { $0 == .movie }.count == 3)
  }

  @Test func `a recorded movie has its values`() throws {
    let page = try Self.page("itunes/search_all_despacito_50.json", .music)
    let movie = try #require(page.candidates.first { $0.id == .itunes("track/541309979") }?.record)
    #expect(movie.title == "Katy Perry the Movie: Part of Me")
    #expect(movie.creators == ["Dan Cutforth", "Jane Lipsitz"])
    #expect(movie.released == PartialDate("2012-07-05"))
    #expect(movie.movie?.minutes == 94)
    #expect(movie.labels == ["Music Documentaries"])
    #expect(movie.artworkURL?.hasSuffix("/mzm.wgiopbrj.lsr/600x600bb.jpg") == true)
    #expect(movie.summary?.hasPrefix("Katy Perry is living proof") == true)
  }

  @Test func `a recorded album has its tracks`() throws {
    let answer = try Recorded.answer("itunes/lookup_album_with_songs_beatles.json")
    let album = try Source.itunes.record(
      .itunes("collection/1441164816"), as: .vinyl, from: FakeWeb(["/lookup": answer]))
    #expect(album.title == "Please Please Me")
    #expect(album.year == 1963)
    #expect(album.vinyl?.tracks.count == 15)
    let first = try #require(album.vinyl?.tracks.first)
    #expect((first.position, first.title, first.seconds) == ("1", "I Saw Her Standing There", 173))
    #expect(album.vinyl?.tracks.allSatisfy { $0.previewURL?.contains(".p.m4") == true } == true)
  }

  @Test func `a recorded e-book has its values`() throws {
    let book = try #require(try Self.page("itunes/search_ebook_middlemarch.json", .book).candidates.first)
    #expect(book.id == .itunes("ebook/392612355"))
    #expect(book.record.year == 1874)
    #expect(book.record.creators == ["George Eliot"])
    #expect(book.record.labels == ["Literary Criticism", "Books", "Fiction & Literature"])
    #expect(book.record.book?.salePrice == Price(minorUnits: 0, currency: "USD"))
    #expect(book.record.publicRating == PublicRating(value: 90, votes: 632))
  }

  /// This recording is an element without its envelope.
  @Test func `a recorded app is read`() throws {
    let element = String(decoding: try Recorded.body("itunes/lookup_app_things.json"), as: UTF8.self)
    let app = try #require(try Source.itunes.page(ITunesTests.results(element), .app).candidates.first?.record)
    #expect(app.title == "Things That Go Bump")
    #expect(app.creators == ["Tinybop Inc."])
  }

  @Test func `a recorded iTunes refusal is throttling`() throws {
    let recording = String(decoding: try Recorded.body("itunes/error_403_rate_limit.http"), as: UTF8.self)
    let lines = recording.split(separator: "\n", omittingEmptySubsequences: false).map { $0.filter { $0 != "\r" } }
    let status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    let body = lines.drop { !$0.isEmpty }.joined(separator: "\n")
    #expect(throws: SourceError.network(.throttled(host: "itunes.apple.com", retryAfter: nil))) {
      try Source.itunes.read(
        Response(json: body, status: status), Search(words: "x", kind: .movie), Source.itunes.settings())
    }
  }

  /// The members of recorded elements that are not used, each with the reason.
  static let leftOut: [String: String] = [
    "amgArtistId": "another service's number", "artistIds": "only says whether several names are several authors",
    "artistViewUrl": "a page of the artist's, not of the thing", "artworkUrl30": "smaller", "artworkUrl60": "smaller",
    "averageUserRatingForCurrentVersion": "the rating of all versions is shown",
    "bundleId": "a name for developers", "collectionArtistId": "of a compilation, mostly Various Artists",
    "collectionArtistName": "of a compilation, mostly Various Artists",
    "collectionArtistViewUrl": "of a compilation, mostly Various Artists",
    "collectionCensoredName": "the title with asterisks", "collectionHdPrice": "of the collection, not of the thing",
    "collectionType": "always Album", "country": "the shop that was asked",
    "discNumber": "shown where there are several",
    "formattedPrice": "the price in other signs", "genreIds": "the genres' names are there",
    "hasITunesExtras": "nothing that a catalog needs", "isStreamable": "of Apple's subscription",
    "isVppDeviceBasedLicensingEnabled": "for schools and companies", "primaryGenreId": "the genre's name is there",
    "releaseNotes": "long, and only of the newest version",
    "sellerUrl": "the page of the app is shown", "shortDescription": "stands in where there is no long one",
    "trackCensoredName": "the title with asterisks", "trackContentRating": "the same as contentAdvisoryRating",
    "userRatingCountForCurrentVersion": "the rating of all versions is shown",
  ]

  /// Changes each value of each recorded element: a value without an effect must be in the list of unused ones.
  @Test func `every member of recorded iTunes elements is used or listed as unused`() throws {
    let files = [
      "lookup_album_with_songs_beatles", "lookup_app_slack", "lookup_podcast_uyd", "search_all_despacito_50",
      "search_ebook_middlemarch", "search_macapps_bbedit", "search_podcasts_freakonomics_5",
    ]
    func candidates(_ element: [String: Any]) throws -> [Candidate] {
      let body = try JSONSerialization.data(withJSONObject: ["resultCount": 1, "results": [element]])
      return try Source.itunes.page(String(decoding: body, as: UTF8.self), .music).candidates
    }
    var (all, used): (Set<String>, Set<String>) = ([], [])
    for file in files {
      let body = Data(try Recorded.body("itunes/\(file).json"))
      let answer = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
      for element in try #require(answer["results"] as? [[String: Any]]) {
        let before = try candidates(element)
        #expect(before.count == 1)
        for (key, value) in element {
          all.insert(key)
          if used.contains(key) { continue }
          var changed = element
          changed[key] = Self.changed(value)
          if try candidates(changed) != before { used.insert(key) }
        }
      }
    }
    #expect(all.count > 60)
    #expect(all.subtracting(used) == Set(Self.leftOut.keys))
  }

  private static func changed(_ value: Any) -> Any {
    switch value {
    case "notExplicit" as String: "explicit"
    case let text as String: text.hasSuffix("Z") && text.count == 20 ? "2001-02-03T00:00:00Z" : text + "x"
    case let number as NSNumber: NSNumber(value: number.doubleValue * 2 + 1)
    default: [Any]()
    }
  }

  // MARK: Open Library

  @Test func `recorded books have their values`() throws {
    let page = try Self.page("openlibrary/search_lotr.json", .book)
    let book = try #require(page.candidates.first)
    #expect(page.total == 81)
    #expect(!page.hasMore)
    #expect(book.id == .openLibrary("OL27448W"))
    #expect(book.record.creators == ["J. R. R. Tolkien"])
    #expect(book.record.year == 1954)
    #expect(book.record.artworkURL == "https://covers.openlibrary.org/b/id/6308838-L.jpg?default=false")
    #expect(page.candidates.filter { $0.record.year != nil }.count == 69)
    #expect(page.candidates.filter { $0.record.artworkURL != nil }.count == 35)
    #expect(page.candidates.filter { !$0.record.labels.isEmpty }.count == 10)
    #expect(page.candidates.allSatisfy { !$0.record.credits.isEmpty })
  }

  @Test(arguments: ["editions_OL45804W_p1.json", "editions_OL45804W_offset50.json", "editions.json"])
  func `a recorded work is read with its editions and author`(editions: String) throws {
    let web = FakeWeb([
      "/works/OL45804W.json": try Recorded.answer("openlibrary/work_OL45804W.json"),
      "/editions.json": try Recorded.answer("openlibrary/\(editions)"),
      "/authors/OL34184A.json": try Recorded.answer("openlibrary/author_OL34184A.json"),
    ])
    let book = try Source.openLibrary.record(.openLibrary("OL45804W"), as: .book, from: web)
    #expect(book.externalIDs == [.openLibrary("OL45804W")], "its `location` is no redirect")
    #expect(book.title == "Fantastic Mr Fox")
    #expect(book.creators == ["Roald Dahl"])
    #expect(book.labels.count == 31)
    #expect(book.artworkURL == "https://covers.openlibrary.org/b/id/6498519-L.jpg?default=false")
    #expect(book.summary?.contains("every night.\n\nFinally tired") == true)
    switch editions {
    case "editions_OL45804W_p1.json":
      #expect(book.book?.isbn?.digits13 == "9780142418222")
      #expect(book.book?.pages == 96)
    case "editions_OL45804W_offset50.json": #expect(book.book?.isbn == nil, "9999999999999 is none")
    default: #expect(book.book?.isbn?.digits13 == "9780441012039")
    }
  }

  @Test func `a recorded description that is a string is Markdown`() throws {
    let web = FakeWeb(["/works/OL82563W.json": try Recorded.answer("openlibrary/work_hp_string_description.json")])
    let book = try Source.openLibrary.record(.openLibrary("OL82563W"), as: .book, from: web)
    #expect(book.summary?.hasPrefix("Harry Potter #1\n\nWhen mysterious letters") == true)
    #expect(book.summary?.contains("\r") == false)
    #expect(book.summary?.hasSuffix("the first of the Harry Potter adventures is set to begin.") == true)
    #expect(book.labels.count == 81)
  }

  @Test func `recorded editions are found by ISBN`() throws {
    let fox = FakeWeb([
      "/isbn/9780140328721.json": try Recorded.answer("openlibrary/edition_OL7353617M.json"),
      "/works/OL45804W.json": try Recorded.answer("openlibrary/work_OL45804W.json"),
      "/authors/": try Recorded.answer("openlibrary/author.json"),
    ])
    let found = try #require(try Source.openLibrary.candidates(.isbn(ISBN("0140328726")), from: fox).first)
    #expect(found.id == .openLibrary("OL7353617M"))
    #expect(found.record.title == "Fantastic Mr. Fox")
    #expect(found.record.creators == ["Sachi Rautroy"], "the older recording of another author, by its own key")
    #expect(found.record.book?.published == PartialDate("1988-10-01"))
    #expect(found.record.book?.publisher == "Puffin")
    #expect(found.record.book?.language == "en")

    let gatsby = FakeWeb(["/books/OL23109860M.json": try Recorded.answer("openlibrary/book.json")])
    let book = try Source.openLibrary.record(.openLibrary("OL23109860M"), as: .book, from: gatsby)
    #expect(book.book?.isbn?.digits13 == "9780743273565")
    #expect(book.book?.pages == 180)
    #expect(book.labels.count == 6)
  }

  // MARK: TMDB

  /// A recorded JSON as plain values.
  static func json(_ file: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(try Recorded.body(file)))
    return try #require(object as? [String: Any])
  }

  @Test(arguments: [
    "search_movie_fight_club_p1", "search_movie_harry_potter", "trending_movie_p1", "discover_movie_p1",
    "keyword_movies_p1", "movie_5_similar_2013", "movie_550_similar", "movie_popular_ko_p1", "movie_popular_ko_p2",
    "movie_popular_p1", "movie_recommendations_edited", "movie_upcoming_2013", "movie_upcoming_ko_two_pages_dup",
  ])
  func `no readable value of a recorded movie list is lost`(name: String) throws {
    let page = try Self.page("tmdb/\(name).json", .movie)
    let rows = try #require(try Self.json("tmdb/\(name).json")["results"] as? [[String: Any]])
    #expect(page.candidates.count == rows.count)
    #expect(page.unreadable == 0)
    func text(_ row: [String: Any], _ key: String) -> String? {
      (row[key] as? String).flatMap { $0.isEmpty ? nil : $0 }
    }
    for (row, candidate) in zip(rows, page.candidates) {
      let record = candidate.record
      #expect(candidate.id.value == "\(row["id"] as? Int ?? 0)")
      #expect(record.title == text(row, "title").map { $0.split(separator: " ").joined(separator: " ") })
      #expect((record.originalTitle ?? record.title).isEmpty == false)
      #expect(record.released?.description == text(row, "release_date"))
      #expect((record.artworkURL == nil) == (text(row, "poster_path") == nil))
      #expect(record.artworkURL?.hasSuffix(text(row, "poster_path") ?? "") ?? true)
      #expect((record.summary == nil) == (text(row, "overview") == nil))
      #expect(record.labels.count == (row["genre_ids"] as? [Int] ?? []).count, "every number of a genre has a name")
      let votes = row["vote_count"] as? Int ?? 0
      #expect((record.publicRating?.votes ?? 0) == votes)
      MutationTests.check(record)
    }
  }

  @Test func `ids that repeat across recorded pages appear once`() throws {
    let pages = try ["movie_popular_ko_p1", "movie_popular_ko_p2"].map {
      Response(status: 200, body: try Recorded.body("tmdb/\($0).json"))
    }
    let network = FakeNetwork { request, _ in .success(request.url.contains("page=1&") ? pages[0] : pages[1]) }
    let found = try Source.tmdb.page(
      of: Search(words: "x", kind: .movie, pageSize: 40), TMDBTests.settings, using: network.client)
    #expect(network.requests.count == 2)
    #expect(Set(found.candidates.map(\.id)).count == found.candidates.count)
    let double = FakeNetwork { _, _ in
      .success((try? Recorded.answer("tmdb/movie_upcoming_ko_two_pages_dup.json")) ?? Response(status: 500))
    }
    let once = try Source.tmdb.page(
      of: Search(words: "x", kind: .movie, pageSize: 40), TMDBTests.settings, using: double.client)
    #expect(once.candidates.count == 39, "1029955 stands there twice")
  }

  struct Film: CustomTestStringConvertible {
    var file: String
    var title: String
    var minutes: Int?
    var countries: [String]
    var labels: [String]
    var people = 0
    var year: Int?
    var testDescription: String { file }
  }

  @Test(arguments: [
    Film(
      file: "movie_550_details", title: "Fight Club", minutes: 139, countries: ["US", "DE"],
      labels: ["Drama", "Thriller", "Comedy"], year: 1999),
    Film(
      file: "movie_22855_details_2018", title: "Superman/Batman: Public Enemies", minutes: 67, countries: ["US"],
      labels: ["Animation", "Action", "Adventure"], year: 2009),
    Film(
      file: "movie_293767_append_en", title: "Billy Lynn's Long Halftime Walk", minutes: 113,
      countries: ["CN", "TW", "GB", "US"], labels: ["Drama", "War"], people: 136, year: 2016),
    Film(
      file: "movie_293767_append_ko", title: "빌리 린의 롱 하프타임 워크", minutes: 113,
      countries: ["CN", "TW", "GB", "US"], labels: ["Drama", "War"], people: 136, year: 2016),
    Film(
      file: "movie_append_hand_filled", title: "Rock Crystal", minutes: 92, countries: ["DE", "AT"],
      labels: ["Adventure", "Drama"], people: 26, year: 2004),
    Film(file: "movie_blank_dates", title: "Chariots of Fire", minutes: 124, countries: ["GB"], labels: []),
    Film(
      file: "movie_details_mediatracker", title: "Harry Potter and the Philosopher's Stone", minutes: 152,
      countries: ["GB", "US"], labels: ["Adventure", "Fantasy"], year: 2001),
  ])
  func `a recorded movie is read with all its values`(film: Film) throws {
    let answer = try Recorded.answer("tmdb/\(film.file).json")
    let number = try #require(try Self.json("tmdb/\(film.file).json")["id"] as? Int)
    let id = ExternalID(source: "tmdb", value: "\(number)")
    let movie = try Source.tmdb.record(id, as: .movie, from: FakeWeb(["/movie/": answer]))
    #expect(movie.title == film.title)
    #expect(movie.movie?.minutes == film.minutes)
    #expect(movie.movie?.countries == film.countries)
    if !film.labels.isEmpty { #expect(movie.labels == film.labels) }
    #expect(movie.credits.count == film.people)
    #expect(movie.year == film.year)
    #expect(movie.externalIDs.first == id, "and IMDb's")
    #expect(movie.externalIDs.count == 2, "and IMDb's")
    MutationTests.check(movie)
  }

  @Test func `a recorded movie is found by its IMDb id`() throws {
    let find = try #require(Source.tmdb.find)
    let imdb = ExternalID(source: "imdb", value: "tt1375666")
    let web = FakeWeb(["/find/tt1375666?": try Recorded.answer("tmdb/find_tt1375666.json")])
    let movie = try #require(try find(imdb, Source.tmdb.settings(language: "zh"), web.client))
    #expect(movie.id == ExternalID(source: "tmdb", value: "27205"))
    #expect(movie.record.externalIDs == [movie.id, imdb])
    #expect(movie.record.title == "盗梦空间")
    #expect(movie.record.originalTitle == "Inception")
    #expect(movie.record.released == PartialDate("2010-07-15"))
    #expect(movie.record.labels == ["Action", "Science Fiction", "Adventure"])
    #expect(movie.record.publicRating?.votes == 32695)
    #expect(movie.record.artworkURL != nil)
    #expect(movie.record.summary != nil)
    MutationTests.check(movie.record)
    let empty = FakeWeb(["/find/": try Recorded.answer("tmdb/find_imdb_empty.json")])
    #expect(try find(imdb, Source.tmdb.settings(), empty.client) == nil)
  }

  @Test func `a recorded alternative title is read for its country and language`() throws {
    let titles = String(decoding: try Recorded.body("tmdb/movie_550_alternative_titles.json"), as: UTF8.self)
    let web = FakeWeb([
      "/movie/550?": #"{"id": 550, "title": "Fight Club", "alternative_titles": \#(titles)}"#
    ])
    let rows = try #require(try Self.json("tmdb/movie_550_alternative_titles.json")["titles"] as? [[String: String]])
    #expect(rows.count == 12)
    for row in rows {
      let (country, title) = (try #require(row["iso_3166_1"]), try #require(row["title"]))
      let movie = try Source.tmdb.record(
        ExternalID(source: "tmdb", value: "550"), as: .movie, from: web, country: country)
      #expect(movie.otherTitles == [title])
      MutationTests.check(movie)
    }
    let whole = FakeWeb(["/movie/12313?": try Recorded.answer("tmdb/movie_append_hand_filled.json")])
    let id = ExternalID(source: "tmdb", value: "12313")
    for (country, language, title) in [
      ("RU", "en", "Мост"), ("US", "hu", "A hegyikristály"), ("CZ", "en", "Kouzelný křišťál"),
    ] {
      let movie = try Source.tmdb.record(id, as: .movie, from: whole, country: country, language: language)
      #expect(movie.title == "Rock Crystal")
      #expect(movie.originalTitle == "Bergkristall")
      #expect(movie.otherTitles == [title])
    }
  }

  @Test func `the recorded parts of a movie are read completely`() throws {
    let web = FakeWeb([
      "/images": try Recorded.answer("tmdb/movie_550_images.json"),
      "/videos": try Recorded.answer("tmdb/movie_550_videos.json"),
      "/similar": try Recorded.answer("tmdb/movie_550_similar.json"),
      "/recommendations": try Recorded.answer("tmdb/movie_recommendations_edited.json"),
      "/movie/550?": try Recorded.answer("tmdb/movie_550_details.json"),
    ])
    let movieParts = try #require(Source.tmdb.movieParts)
    let parts = movieParts(
      ExternalID(source: "tmdb", value: "550"), Set(MovieParts.Part.allCases), Source.tmdb.settings(), web.client)
    #expect(parts.failures == [.cast: .notFound])
    #expect(parts.gallery?.count { $0.subject == .backdrop } == 41)
    #expect(parts.gallery?.count { $0.subject == .poster } == 81)
    #expect(parts.gallery?.count { $0.subject == .logo } == 28)
    #expect(parts.videos?.map(\.url) == ["O-b2VfmmbyA", "BdJKm16Co6M"].map { "https://www.youtube.com/watch?v=\($0)" })
    #expect(parts.similar?.count == 20)
    #expect(parts.recommended?.count == 21)
    let old = FakeWeb(["/images": try Recorded.answer("tmdb/movie_22855_images_2013.json")])
    let pictures = movieParts(
      ExternalID(source: "tmdb", value: "22855"), [.gallery], Source.tmdb.settings(), old.client)
    let raw = try Self.json("tmdb/movie_22855_images_2013.json")
    let count = (raw["backdrops"] as? [Any] ?? []).count + (raw["posters"] as? [Any] ?? []).count
    #expect(pictures.gallery?.count == count)
    #expect(count > 0)
  }

  @Test func `TMDB genre numbers have the names that TMDB lists`() throws {
    let raw = try #require(try Self.json("tmdb/genre_movie_list.json")["genres"] as? [[String: Any]])
    let rows = raw.map { #"{"id": 1, "title": "T", "genre_ids": [\#($0["id"] as? Int ?? 0)]}"# }.joined(separator: ",")
    let page = try Source.tmdb.page(#"{"results": [\#(rows)]}"#, .movie)
    // It was recorded in German, whose names of genres the tree knows as well.
    let german = [
      "Abenteuer": "Adventure", "Komödie": "Comedy", "Krimi": "Crime", "Dokumentarfilm": "Documentary",
      "Familie": "Family", "Historie": "History", "Musik": "Music", "Liebesfilm": "Romance", "TV-Film": "TV Movie",
      "Kriegsfilm": "War",
    ]
    let names = raw.compactMap { $0["name"] as? String }.map { german[$0] ?? $0 }
    #expect(page.candidates.map(\.record.labels) == names.map { [$0] })
    #expect(page.candidates.count == 19)
  }

  @Test func `the recorded image sizes include the requested ones`() throws {
    let images = try #require(try Self.json("tmdb/configuration.json")["images"] as? [String: Any])
    #expect((images["poster_sizes"] as? [String])?.contains("w500") == true)
    #expect((images["poster_sizes"] as? [String])?.contains("w780") == true)
    #expect((images["backdrop_sizes"] as? [String])?.contains("w1280") == true)
    #expect((images["logo_sizes"] as? [String])?.contains("w500") == true)
    #expect(images["secure_base_url"] as? String == "\(Source.tmdb.defaultImageBaseURL ?? "")/")
  }

  @Test(
    arguments: [
      ("tmdb/error_401_invalid_key.json", 401, .key(missing: false)),
      ("tmdb/error_404_not_found.json", 404, .notFound),
      (
        "tmdb/error_400_page_over_500.json", 400,
        .refused(
          status: 400, words: "Invalid page: Pages start at 1 and max at 500. They are expected to be an integer.")
      ),
      (
        "tmdb/error_422_date_range.json", 422,
        .refused(status: 422, words: "Invalid date range: Should be a range no longer than 14 days.")
      ),
    ] as [(String, Int, SourceError)])
  func `recorded refusals of TMDB are refusals`(file: String, status: Int, error: SourceError) throws {
    let answer = Response(status: status, body: try Recorded.body(file))
    #expect(throws: error) {
      try Source.tmdb.record(
        ExternalID(source: "tmdb", value: "1"), as: .movie, from: FakeWeb(["/": answer]))
    }
  }

  // MARK: Kakao

  @Test(arguments: [("kotlin_p1", 10, true), ("size1_html", 1, true), ("empty", 0, false)])
  func `no readable value of a recorded book list is lost`(name: String, count: Int, hasMore: Bool) throws {
    let page = try Self.page("kakao/search_book_\(name).json", .book)
    let documents = try #require(try Self.json("kakao/search_book_\(name).json")["documents"] as? [[String: Any]])
    #expect(page.candidates.count == documents.count)
    #expect(documents.count == count)
    #expect(page.unreadable == 0)
    #expect(Set(page.candidates.map(\.id)).count == count)
    for (document, candidate) in zip(documents, page.candidates) {
      let record = candidate.record
      let book = try #require(record.book)
      #expect(record.creators == document["authors"] as? [String])
      #expect(record.credits.filter { $0.role == .translator }.map(\.name) == document["translators"] as? [String])
      #expect(book.price?.minorUnits == document["price"] as? Int)
      let sale = document["sale_price"] as? Int
      #expect(book.salePrice?.minorUnits == (sale == -1 ? nil : sale))
      #expect(book.publisher == document["publisher"] as? String)
      #expect((document["datetime"] as? String)?.hasPrefix(record.released?.description ?? "?") == true)
      #expect((document["isbn"] as? String)?.contains(book.isbn?.digits13 ?? "?") == true)
      #expect(record.summary != nil)
      #expect(record.url != nil)
      #expect(record.artworkURL?.hasPrefix("https://t1.daumcdn.net/lbook/image/") == true)
      MutationTests.check(record)
    }
  }

  @Test(
    arguments: [
      ("kakao/error_401_app_key.json", 401, .key(missing: false)),
      (
        "kakao/error_400_missing_query.json", 400,
        .refused(status: 400, words: "query parameter required")
      ),
    ] as [(String, Int, SourceError)])
  func `recorded refusals of Kakao are refusals`(file: String, status: Int, error: SourceError) throws {
    #expect(throws: error) {
      try Source.kakao.read(
        Response(status: status, body: Recorded.body(file)), Search(words: "x", kind: .book), Source.kakao.settings())
    }
  }

  // MARK: Google Books

  /// Tests that no part of an answer is lost.
  @Test func `recorded volumes are read with all their values`() throws {
    let page = try Self.page("googlebooks/volumes_search_royals.json", .book, pageSize: 7)
    let items = try #require(
      try Self.json("googlebooks/volumes_search_royals.json")["items"] as? [[String: Any]])
    #expect(page.candidates.count == 7)
    #expect(items.count == 7)
    #expect(page.unreadable == 0)
    #expect(page.total == 477)
    #expect(page.hasMore)
    for (item, candidate) in zip(items, page.candidates) {
      let (record, info) = (candidate.record, try #require(item["volumeInfo"] as? [String: Any]))
      let book = try #require(record.book)
      #expect(candidate.id.value == item["id"] as? String)
      #expect(record.title == info["title"] as? String)
      #expect(record.creators == info["authors"] as? [String])
      #expect(record.labels == info["categories"] as? [String])
      #expect(book.publisher == info["publisher"] as? String)
      #expect(book.publisher != nil)
      #expect(book.pages == info["pageCount"] as? Int)
      #expect(book.language == "en")
      #expect((info["publishedDate"] as? String)?.hasPrefix(record.released?.description ?? "?") == true)
      let numbers = (info["industryIdentifiers"] as? [[String: String]] ?? []).compactMap { $0["identifier"] }
      #expect(numbers.contains(book.isbn?.digits13 ?? "?"))
      #expect((record.artworkURL == nil) == (info["imageLinks"] == nil))
      #expect(record.artworkURL?.hasPrefix("https://books.google.com/") ?? true)
      #expect(record.artworkURL?.contains("edge=") != true)
      #expect(record.artworkURL?.contains("zoom=1") ?? true)
      #expect(record.publicRating?.value == (info["averageRating"] as? Double).map { $0 * 20 })
      let hasText = info["description"] != nil || info["subtitle"] != nil || item["searchInfo"] != nil
      #expect((record.summary != nil) == hasText)
      let price = (item["saleInfo"] as? [String: Any])?["listPrice"] as? [String: Any]
      #expect(book.price?.minorUnits == (price?["amount"] as? Double).map { Int(($0 * 100).rounded()) })
      MutationTests.check(record)
    }
    #expect(page.candidates.filter { $0.record.book?.price != nil }.count == 3)
    #expect(page.candidates.filter { $0.record.artworkURL != nil }.count == 6)
    #expect(page.candidates.filter { $0.record.publicRating != nil }.count == 5)
  }

  @Test func `a recorded volume is read with all its values`() throws {
    let web = FakeWeb(["/volumes/": try Recorded.answer("googlebooks/volume_hV--zQEACAAJ.json")])
    let book = try Source.googleBooks.record(GoogleBooksTests.id, as: .book, from: web)
    #expect(book.externalIDs == [GoogleBooksTests.id])
    #expect(book.title == "1984 Nineteen Eighty-Four")
    #expect(book.creators == ["George Orwell"])
    #expect(book.book?.isbn?.digits13 == "9781847498571")
    #expect(book.book?.pages == 400)
    #expect(book.publicRating == PublicRating(value: 80, votes: 564))
    #expect(book.artworkURL?.contains("&imgtk=") == true)
    #expect(book.labels.isEmpty)
    #expect(book.summary?.hasPrefix("In 1984, London is a grim city") == true)
    MutationTests.check(book)
  }

  // MARK: Discogs

  @Test(arguments: [
    ("release_hammerfall", 1, 985, true), ("master_hammerfall", 1, 90, true),
    ("release_vinyl_blanck_mass", 1, 1, false), ("trash80_mixed", 12, 13, false),
  ])
  func `no result of a recorded Discogs search is lost`(name: String, count: Int, total: Int, hasMore: Bool) throws {
    let page = try Self.page("discogs/search_\(name).json", .vinyl)
    let rows = try #require(try Self.json("discogs/search_\(name).json")["results"] as? [[String: Any]])
      .filter { $0["type"] as? String != "artist" }
    #expect(page.candidates.count == count)
    #expect(rows.count == count)
    #expect(page.unreadable == 0)
    #expect(page.total == total)
    #expect(page.hasMore == hasMore)
    #expect(Set(page.candidates.map(\.id)).count == count)
    for (row, candidate) in zip(rows, page.candidates) {
      let record = candidate.record
      let vinyl = try #require(record.vinyl)
      #expect(record.creators.count == 1)
      #expect(!record.title.contains(" - "))
      #expect((row["title"] as? String)?.contains(record.title) == true)
      #expect(record.year.map(String.init) == row["year"] as? String)
      #expect(record.labels == (row["genre"] as? [String] ?? []) + (row["style"] as? [String] ?? []))
      let label = row["label"] as? String ?? (row["label"] as? [String])?.first
      #expect(vinyl.label == (label == "Not On Label" ? nil : label))
      #expect(vinyl.catalogNumber == (row["catno"] as? String == "none" ? nil : row["catno"] as? String))
      let words = row["format"] as? [String] ?? []
      #expect(vinyl.format?.split(separator: ", ").map(String.init) == words.filter { !$0.hasSuffix("RPM") })
      #expect(vinyl.speed == words.first { $0.hasSuffix("RPM") })
      #expect(vinyl.barcode == nil, "what stands there is a matrix number")
      #expect((row["thumb"] as? String)?.hasPrefix("https://") ?? false == (record.artworkURL != nil))
      MutationTests.check(record)
    }
  }

  struct Pressing: CustomTestStringConvertible {
    var file: String
    var artists: [String]
    var title: String
    var released: String
    var tracks: Int
    var timed: Int
    var labels: [String]
    var label: String?
    var number: String?
    var format: String?
    var discs: Int?
    var country: String?
    var rating: PublicRating?
    var testDescription: String { file }
  }

  @Test(arguments: [
    Pressing(
      file: "release_1", artists: ["The Persuader"], title: "Stockholm", released: "1999-03", tracks: 6, timed: 6,
      labels: ["Electronic", "Deep House"], label: "Svek", number: "SK032", format: "Vinyl, 12\"", discs: 2,
      country: "SE"),
    Pressing(
      file: "release_1_2012", artists: ["The Persuader"], title: "Stockholm", released: "1999-03", tracks: 6, timed: 6,
      labels: ["Electronic", "Deep House"], label: "Svek", number: "SK032", format: "Vinyl, 12\"", discs: 2,
      country: "SE", rating: PublicRating(value: 89.6, votes: 91)),
    Pressing(
      file: "release_3329867_file", artists: ["Trash80", "Dma-Sc"], title: "Darwinia Soundtrack", released: "2005",
      tracks: 6, timed: 6, labels: ["Electronic", "Modern Classical", "Chiptune", "Breaks", "Ambient"],
      format: "File, MP3, Album, 320 kbps", country: "GB"),
    Pressing(
      file: "release_full_2022", artists: ["HammerFall"], title: "Glory To The Brave", released: "1997", tracks: 2,
      timed: 2, labels: ["Rock", "Heavy Metal"], label: "Nuclear Blast", number: "NB 265-2",
      format: "CD, Album, Promo", discs: 1, country: "DE", rating: PublicRating(value: 81, votes: 22)),
    Pressing(
      file: "release_ska", artists: ["St. Petersburg Ska-Jazz Review"], title: "Elephant Riddim",
      released: "2016-02-18", tracks: 10, timed: 0, labels: ["Jazz", "Reggae", "Ska"], label: "Magnetic Loft Records",
      number: "MLR-007", format: "Vinyl, LP, Album, Stereo", discs: 1, country: "RU",
      rating: PublicRating(value: 98.2, votes: 11)),
    Pressing(
      file: "master_4242", artists: ["The Persuader"], title: "City Of Islands", released: "1998", tracks: 4, timed: 4,
      labels: ["Electronic", "Deep House", "Tech House"]),
    Pressing(
      file: "master_hiphop", artists: ["Eminem"], title: "Infinite", released: "1996", tracks: 11, timed: 11,
      labels: ["Hip Hop", "Hardcore Hip-Hop", "Boom Bap"]),
  ])
  func `a recorded pressing or album is read with all its values`(pressing: Pressing) throws {
    let number = try #require(try Self.json("discogs/\(pressing.file).json")["id"] as? Int)
    let isMaster = pressing.file.hasPrefix("master")
    let id = ExternalID(source: "discogs", value: isMaster ? "master/\(number)" : "\(number)")
    let answer = try Recorded.answer("discogs/\(pressing.file).json")
    let record = try Source.discogs.record(
      id, as: .vinyl, from: FakeWeb(["/\(isMaster ? "masters" : "releases")/\(number)": answer]))
    let vinyl = try #require(record.vinyl)
    #expect(record.externalIDs == [id])
    #expect(record.title == pressing.title)
    #expect(record.creators == pressing.artists)
    #expect(record.released == PartialDate(pressing.released))
    #expect(record.year == record.released?.year)
    #expect(vinyl.tracks.count == pressing.tracks)
    #expect(vinyl.tracks.filter { $0.seconds != nil }.count == pressing.timed)
    #expect(record.labels == pressing.labels)
    #expect(record.publicRating == pressing.rating)
    #expect(vinyl.label == pressing.label)
    #expect(vinyl.catalogNumber == pressing.number)
    #expect(vinyl.format == pressing.format)
    #expect(vinyl.discs == pressing.discs)
    #expect(vinyl.country == pressing.country)
    #expect(vinyl.speed == (pressing.file == "release_1_2012" ? "33 ⅓ RPM" : nil))
    #expect(vinyl.barcode == (pressing.file == "release_full_2022" ? "727361626525" : nil))
    let isPictured = ["release_1_2012", "release_full_2022"].contains(pressing.file)
    #expect((record.artworkURL != nil) == isPictured, "addresses without a host, and none without a token")
    MutationTests.check(record)
  }

  @Test(arguments: [("master_4242_versions", 2, 2, false), ("master_156551_versions_facets", 5, 63, true)])
  func `no pressing of a recorded album is lost`(name: String, count: Int, total: Int, hasMore: Bool) throws {
    let page = try Self.page("discogs/\(name).json", .vinyl)
    let rows = try #require(try Self.json("discogs/\(name).json")["versions"] as? [[String: Any]])
    #expect(page.candidates.count == count)
    #expect(rows.count == count)
    #expect(page.unreadable == 0)
    #expect(page.total == total)
    #expect(page.hasMore == hasMore)
    for (row, candidate) in zip(rows, page.candidates) {
      let record = candidate.record
      let vinyl = try #require(record.vinyl)
      #expect(candidate.id.value == "\(row["id"] as? Int ?? 0)")
      #expect(record.title == row["title"] as? String)
      #expect((row["released"] as? String)?.hasPrefix(record.released?.description ?? "?") == true)
      #expect(record.year != nil)
      #expect(vinyl.country?.utf8.count == 2)
      #expect((row["label"] as? String)?.hasPrefix(vinyl.label ?? "?") == true)
      #expect(vinyl.catalogNumber == row["catno"] as? String)
      let words = (row["major_formats"] as? [String] ?? []) + [row["format"] as? String].compactMap(\.self)
      #expect(vinyl.format == words.joined(separator: ", "))
      MutationTests.check(record)
    }
  }

  /// Tests the recorded collection, whose records have the shape of search results.
  @Test(arguments: ["collection_folder_items_p1", "collection_items_2021"])
  func `records of a recorded collection have the shape of search results`(file: String) throws {
    let records = try #require(try Self.json("discogs/\(file).json")["releases"] as? [[String: Any]])
      .compactMap { $0["basic_information"] as? [String: Any] }
    #expect(!records.isEmpty)
    let body = try JSONSerialization.data(withJSONObject: ["results": records])
    let page = try Source.discogs.read(
      Response(status: 200, body: Array(body)), Search(words: "x", kind: .vinyl), Source.discogs.settings())
    #expect(page.candidates.count == records.count)
    #expect(page.unreadable == 0)
    for (raw, candidate) in zip(records, page.candidates) {
      #expect(candidate.id.value == "\(raw["id"] as? Int ?? 0)")
      #expect(candidate.record.title == raw["title"] as? String)
      #expect(candidate.record.year == raw["year"] as? Int)
      #expect(!candidate.record.creators.isEmpty)
      #expect(candidate.record.vinyl?.label != nil)
      #expect(candidate.record.vinyl?.format != nil)
    }
  }

  @Test func `a recorded refusal of Discogs is a rejected key`() throws {
    #expect(throws: SourceError.key(missing: false)) {
      try Source.discogs.read(
        Response(status: 401, body: Recorded.body("discogs/error_401.json")), Search(words: "x", kind: .vinyl),
        Source.discogs.settings())
    }
  }

  // MARK: MusicBrainz

  struct Release: CustomTestStringConvertible {
    var file: String
    var title: String
    var artist: String
    var year: Int
    var tracks: Int
    var label: String
    var genres: Int
    var testDescription: String { file }
  }

  @Test(arguments: [
    Release(
      file: "eval_1a8c4ac3", title: "Rumours", artist: "Fleetwood Mac", year: 1977, tracks: 11,
      label: "Warner Bros. Records", genres: 0),
    Release(
      file: "eval_20b2dd9a", title: "My Iron Lung", artist: "Radiohead", year: 1994, tracks: 8, label: "Parlophone",
      genres: 0),
    Release(
      file: "eval_2529f558", title: "Metallica", artist: "Metallica", year: 1991, tracks: 12, label: "Elektra",
      genres: 0),
    Release(
      file: "eval_3a8a6113", title: "Weezer", artist: "Weezer", year: 1994, tracks: 10, label: "DGC Records", genres: 0),
    Release(
      file: "eval_6a76904c", title: "Lift Yr. Skinny Fists Like Antennas to Heaven!",
      artist: "Godspeed You Black Emperor!", year: 2000, tracks: 4, label: "kranky", genres: 0),
    Release(
      file: "eval_748e3e26", title: "Lift Your Skinny Fists Like Antennas To Heaven",
      artist: "Godspeed You Black Emperor!", year: 2000, tracks: 4, label: "Constellation", genres: 0),
    Release(
      file: "eval_f77eeaef", title: "Lift Your Skinny Fists Like Antennas to Heaven",
      artist: "Godspeed You! Black Emperor", year: 2000, tracks: 4, label: "kranky", genres: 0),
    Release(
      file: "lookup_70130d47", title: "wipEout", artist: "CoLD SToRAGE", year: 1995, tracks: 12,
      label: "Sony Computer Entertainment Europe", genres: 5),
    Release(
      file: "lookup_71d6f1d1", title: "Deuce Avenue", artist: "Alan Vega", year: 1990, tracks: 12, label: "Musidisc",
      genres: 0),
    Release(
      file: "lookup_a99c577f", title: "The Guilty Have No Pride", artist: "Death in June", year: 1983, tracks: 19,
      label: "New European Recordings", genres: 6),
    Release(
      file: "lookup_bdc01183", title: "Reise, Reise", artist: "Rammstein", year: 2004, tracks: 8,
      label: "Universal Music", genres: 6),
    Release(
      file: "lookup_e47d04a4", title: "Kat Moda", artist: "Jeff Mills", year: 1997, tracks: 3, label: "Purpose Maker",
      genres: 2),
    Release(
      file: "lookup_ef72b5f2", title: "A LA SALA", artist: "Khruangbin", year: 2024, tracks: 12, label: "Dead Oceans",
      genres: 3),
  ])
  func `a recorded release is read with all its values`(release: Release) throws {
    let answer = try Recorded.answer("musicbrainz/release_\(release.file).json")
    let body = String(decoding: answer.body, as: UTF8.self)
    // The file's own name is the beginning of the id; the whole id is in it.
    let start = try #require(body.range(of: release.file.suffix(8) + "-"))
    let id = ExternalID.musicBrainz(String(body[start.lowerBound...].prefix(36)))
    let record = try Source.musicBrainz.record(id, as: .vinyl, from: FakeWeb(["/release/": answer]))
    #expect(record.externalIDs == [id])
    #expect(record.title == release.title)
    #expect(record.creators == [release.artist])
    #expect(record.year == release.year)
    #expect(record.vinyl?.tracks.count == release.tracks)
    #expect(record.vinyl?.label == release.label)
    #expect(record.labels.count == release.genres)
    MutationTests.check(record)
  }

  @Test func `a recorded pressing on vinyl has its sides`() throws {
    let web = FakeWeb(["/release/": try Recorded.answer("musicbrainz/release_eval_748e3e26.json")])
    let record = try Source.musicBrainz.record(
      .musicBrainz("748e3e26-0000-4000-8000-000000000000"), as: .vinyl, from: web)
    #expect(record.vinyl?.format == "12\" Vinyl")
    #expect(record.vinyl?.discs == 2)
    #expect(record.vinyl?.tracks.map(\.position) == ["A", "B", "C", "D"])
    #expect(record.vinyl?.country == "CA")
    #expect(record.vinyl?.barcode == "666561001216")
    #expect(record.vinyl?.catalogNumber == "cst012")
    #expect(record.artworkURL?.contains("/release-group/") == true, "this pressing has no front")
  }

  /// The second recording has addresses of files, which the program does not fetch.
  @Test(arguments: [
    ("caa_release_dummy", "https://coverartarchive.org/release/76df3287-6cda-33eb-8e9a-044b5e15ffdd/829521842-500.jpg"),
    ("caa_release_e47d04a4_rewritten_urls", "/release/e47d04a4-7460-427d-a731-cc82386d85f1/front-500"),
  ])
  func `a recorded image list has its front cover`(file: String, address: String) throws {
    let web = FakeWeb([
      "/ws/2/release/": try Recorded.answer("musicbrainz/release_lookup_e47d04a4.json"),
      "archive.org/release/": try Recorded.answer("musicbrainz/\(file).json"),
    ])
    let id = ExternalID.musicBrainz("e47d04a4-7460-427d-a731-cc82386d85f1")
    let record = try Source.musicBrainz.record(id, as: .vinyl, from: web)
    #expect(record.artworkURL?.hasSuffix(address) == true)
  }

  @Test func `recorded genres are ordered by votes`() throws {
    let web = FakeWeb(["/release/": try Recorded.answer("musicbrainz/release_lookup_bdc01183.json")])
    let record = try Source.musicBrainz.record(
      .musicBrainz("bdc01183-d1c9-378f-a209-a6145fa596c9"), as: .vinyl, from: web)
    #expect(record.labels.prefix(3) == ["industrial metal", "neue deutsche härte", "rock"])
    #expect(record.vinyl?.tracks.first?.title == "[ohne Titel]", "the track before the first")
    #expect(record.artworkURL?.hasSuffix("/release/bdc01183-d1c9-378f-a209-a6145fa596c9/front-500") == true)
  }

  @Test func `a recorded album is read`() throws {
    let web = FakeWeb(["/release-group/": try Recorded.answer("musicbrainz/release_group_dsotm.json")])
    let album = try Source.musicBrainz.record(
      .musicBrainz("release-group/f5093c06-23e3-404f-aeaa-40f72885ee3a"), as: .music, from: web)
    #expect(album.title == "The Dark Side of the Moon")
    #expect(album.released == PartialDate("1973-03-24"))
    #expect(album.labels == ["test", "test2"])
  }

  @Test func `recorded MusicBrainz errors map to source errors`() throws {
    let id = ExternalID.musicBrainz(MusicBrainzTests.id)
    let gone = Response(status: 404, body: try Recorded.body("musicbrainz/error_404.json"))
    #expect(throws: SourceError.notFound) {
      try Source.musicBrainz.record(id, as: .vinyl, from: FakeWeb(["/release/": gone]))
    }
    let busy = Response(status: 503, body: try Recorded.body("musicbrainz/error_503_rate_limit.json"))
    #expect(throws: SourceError.network(.busy(host: "musicbrainz.org", retryAfter: nil))) {
      try Source.musicBrainz.record(id, as: .vinyl, from: FakeWeb(["/release/": busy]))
    }
  }
}
