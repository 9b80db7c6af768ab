import CatalogModel
import Lookup
import Testing

struct TMDBTests {
  /// Three rows: one with all fields, one with few, and a series.
  static let search = """
    {"page": 1, "results": [
      {"adult": false, "backdrop_path": "/b.jpg", "genre_ids": [35, 53, 1], "id": 496243, "original_language": "ko",
       "original_title": "기생충", "overview": "All unemployed.", "popularity": 80.1, "poster_path": "/p-1_a.jpg",
       "release_date": "2019-05-30", "title": "Parasite", "video": false, "vote_average": 8.5, "vote_count": 17000},
      {"id": 7, "title": "Parasite", "original_title": "Parasite", "overview": "", "release_date": "", "genre_ids": [],
       "poster_path": null, "vote_average": 0, "vote_count": 0},
      {"id": 8, "name": "A series", "media_type": "tv"}
    ], "total_pages": 38029, "total_results": 760569}
    """

  static let movie = """
    {"id": 496243, "imdb_id": "tt6751668", "title": "Parasite", "original_title": "기생충", "original_language": "ko",
     "origin_country": ["KR"], "overview": "All unemployed.", "release_date": "2019-05-30", "runtime": 133,
     "tagline": "Act like you own the place.", "poster_path": "/p.jpg", "vote_average": 8.5, "vote_count": 17000,
     "genres": [{"id": 35, "name": "코미디"}, {"id": 53, "name": "스릴러"}],
     "production_countries": [{"iso_3166_1": "FR", "name": "France"}, {"iso_3166_1": "KR", "name": "South Korea"}],
     "alternative_titles": {"titles": [
       {"iso_3166_1": "KR", "title": "Gisaengchung", "type": "romanization"}, {"iso_3166_1": "VN", "title": "Ký Sinh Trùng"},
       {"iso_3166_1": "US", "title": "PARASITE", "type": ""}, {"iso_3166_1": "GB", "title": ""}, 7,
       {"iso_3166_1": "US", "title": "Parasite: Black and White Edition"}, {"title": "Nowhere"}]},
     "translations": {"translations": [
       {"iso_3166_1": "US", "iso_639_1": "en", "data": {"title": "Parasite"}},
       {"iso_3166_1": "FR", "iso_639_1": "fr", "data": {"title": "Parasites", "overview": "…"}},
       {"iso_3166_1": "KR", "iso_639_1": "ko", "data": {"title": ""}}, {"iso_639_1": "en", "data": null}]},
     "credits": \(credits)}
    """

  static let credits = """
    {"cast": [
      {"id": 20737, "name": "Song Kang-ho", "character": "Kim Ki-taek", "order": 1,
       "profile_path": "/song.jpg"},
      {"id": 115290, "name": "Lee Sun-kyun", "character": "", "order": 0, "profile_path": null},
      {"id": 1255881, "name": "", "original_name": "최우식", "order": 2}],
     "crew": [
      {"id": 21684, "name": "Bong Joon Ho", "job": "Writer"}, {"id": 21684, "name": "Bong Joon Ho", "job": "Director"}]}
    """

  static let id = ExternalID(source: "tmdb", value: "496243")

  /// The six parts, each as its own answer.
  static let parts = [
    "/movie/496243?": movie, "/movie/496243/credits": credits,
    "/movie/496243/images": """
    {"backdrops": [{"file_path": "/one.jpg", "width": 1920, "height": 1080, "iso_639_1": null},
      {"file_path": "../etc/passwd"}, {"file_path": null}],
     "logos": [{"file_path": "/logo.svg", "iso_639_1": "ko"}],
     "posters": [{"file_path": "/two.jpg", "width": 600, "height": 900, "iso_639_1": "en"}]}
    """,
    "/movie/496243/videos": """
    {"results": [
      {"name": "[기생충] 메인 예고편", "key": "SEUXfv87Wpk", "site": "YouTube", "type": "Trailer",
       "published_at": "2019-04-08T02:03:14.000Z"},
      {"name": "[only]", "key": "123", "site": "Vimeo"}, {"name": "Elsewhere", "key": "1", "site": "Elsewhere"},
      {"name": "Broken", "key": "a&b", "site": "YouTube"}, {"key": "x"}]}
    """,
    "/movie/496243/similar": """
    {"results": [{"id": 1, "title": "Oldboy", "release_date": "2003-11-21"}, {"id": 1, "title": "Oldboy again"},
      {"id": 496243, "title": "Itself"}], "total_pages": 2, "total_results": 3}
    """,
    "/movie/496243/recommendations": #"{"results": [{"id": 2, "title": "Mother", "release_date": "2009"}]}"#,
  ]

  // MARK: Searching

  @Test(arguments: ["true", "false", "null"])
  func `a row with the field softcore reads as one without it`(value: String) throws {
    let rows = Self.search.replacing("\"video\": false", with: "\"softcore\": \(value), \"video\": false")
    #expect(rows != Self.search)
    #expect(try Source.tmdb.page(rows, .movie) == Source.tmdb.page(Self.search, .movie))
  }

  @Test func `a request has words, page and language, and no key in its address`() throws {
    var settings = Source.tmdb.settings(language: "ko")
    settings.key = "eyJ.token-of-mine"
    let request = Source.tmdb.request(Search(words: "기생충", kind: .movie, page: 3, pageSize: 20), settings)
    #expect(
      request.url
        == "https://api.themoviedb.org/3/search/movie?query=%EA%B8%B0%EC%83%9D%EC%B6%A9&page=3&include_adult=false&language=ko"
    )
    #expect(request.secret == .header("authorization", "Bearer eyJ.token-of-mine"))
    #expect(!"\(request) \(settings) \(String(reflecting: request)) \(String(reflecting: settings))".contains("mine"))
    settings.key = "0123456789abcdef0123456789abcdef"
    #expect(
      Source.tmdb.request(Search(words: "x", kind: .movie), settings).secret
        == .parameter("api_key", "0123456789abcdef0123456789abcdef"))
  }

  @Test func `search rows become movies, and empty values are unknown`() throws {
    let page = try Source.tmdb.page(Self.search, .movie)
    #expect(page.candidates.map(\.id.value) == ["496243", "7"])
    #expect(page.unreadable == 1, "a series is none")
    #expect(page.total == 10_000, "no page behind 500 is given out")
    let movie = page.candidates[0].record
    #expect(movie.title == "Parasite")
    #expect(movie.originalTitle == "기생충")
    #expect(movie.released == PartialDate("2019-05-30"))
    #expect(movie.year == 2019)
    #expect(movie.labels == ["Comedy", "Thriller"])
    #expect(movie.artworkURL == "https://image.tmdb.org/t/p/w500/p-1_a.jpg")
    #expect(movie.publicRating == PublicRating(value: 85, votes: 17000))
    #expect(movie.url == "https://www.themoviedb.org/movie/496243")
    let other = page.candidates[1].record
    #expect(other.summary == nil)
    #expect(other.year == nil)
    #expect(other.artworkURL == nil)
    #expect(other.originalTitle == nil)
    #expect(other.publicRating == nil, "nobody voted")
  }

  @Test(
    arguments: [
      (1, 2, true, nil), (2, 2, false, nil), (499, 38029, true, nil), (500, 38029, false, .bound), (1, 0, false, nil),
    ] as [(Int, Int, Bool, Page.Stop?)])
  func `pages end at the last page, and at page 500`(page: Int, of total: Int, hasMore: Bool, stop: Page.Stop?) throws {
    let found = try Source.tmdb.page(
      of: Search(words: "x", kind: .movie, page: page), Self.settings, using: Self.network(of: total * 20).client)
    #expect(found.hasMore == hasMore)
    #expect(found.stop == stop)
  }

  /// A TMDB with this number of hits, in pages of 20.
  static func network(of total: Int) -> FakeNetwork {
    FakeNetwork { request, _ in
      let page = request.url.firstMatch(of: /page=([0-9]+)/).flatMap { Int($0.1) } ?? 0
      let rows = (0..<total).dropFirst((page - 1) * 20).prefix(20).map { #"{"id": \#($0 + 1), "title": "T"}"# }
      let pages = (total + 19) / 20
      return .success(
        Response(
          json: #"{"results": [\#(rows.joined(separator: ","))], "total_pages": \#(pages), "total_results": \#(total)}"#
        ))
    }
  }

  static var settings: SourceSettings {
    var settings = Source.tmdb.settings()
    settings.key = "key"
    return settings
  }

  @Test(arguments: [
    (page: 1, size: 10, first: 1, count: 10, asked: 1), (page: 2, size: 10, first: 11, count: 10, asked: 1),
    (page: 2, size: 15, first: 16, count: 15, asked: 2), (page: 3, size: 15, first: 31, count: 14, asked: 2),
    (page: 1, size: 200, first: 1, count: 44, asked: 3), (page: 1, size: 50, first: 1, count: 44, asked: 3),
    (page: 4, size: 15, first: 0, count: 0, asked: 1), (page: 1, size: 1, first: 1, count: 1, asked: 1),
  ])
  func `a page of any size is assembled, and none beyond the end is requested`(
    page: Int, size: Int, first: Int, count: Int, asked: Int
  ) throws {
    let network = Self.network(of: 44)
    let found = try Source.tmdb.page(
      of: Search(words: "x", kind: .movie, page: page, pageSize: size), Self.settings, using: network.client)
    #expect(found.candidates.compactMap { Int($0.id.value) } == Array(first..<first + count))
    #expect(network.requests.count == asked)
    #expect(found.hasMore == (count > 0 && first + count <= 44))
    #expect(found.total == 44)
  }

  @Test(arguments: [(6.26, 62.6), (8.4, 84), (7.049, 70.5), (0, 0), (10, 100)])
  func `an average rating is rounded once`(average: Double, rating: Double) throws {
    let page = try Source.tmdb.page(
      #"""
      {"results":[{"id":1,"title":"x","vote_average":\#(average),"vote_count":3,"original_language":"xx"}]}
      """#, .movie)
    #expect(page.candidates.first?.record.publicRating == PublicRating(value: rating, votes: 3))
    #expect(page.candidates.first?.record.movie?.language == nil, "a film without words has none")
  }

  @Test func `an id with the number 0 is not requested`() {
    let web = FakeWeb([String: Response]())
    for (source, value) in [
      (Source.tmdb, "0"), (.itunes, "track/0"), (.discogs, "0"), (.discogs, "master/0"), (.openLibrary, "OL0W"),
    ] {
      #expect(throws: SourceError.notFound) {
        try source.record(ExternalID(source: source.id, value: value), as: source.kinds[0], from: web)
      }
    }
    #expect(web.asked.isEmpty)
  }

  @Test func `a page beyond the last is not requested`() throws {
    let network = Self.network(of: 100_000)
    let search = Search(words: "x", kind: .movie, page: 501, pageSize: 20)
    #expect(throws: SourceError.noPage(last: 500)) {
      try Source.tmdb.page(of: search, Self.settings, using: network.client)
    }
    #expect(network.requests.isEmpty)
  }

  @Test func `ids that repeat on the next page appear once`() throws {
    let network = FakeNetwork { request, _ in
      let start = request.url.contains("page=1&") ? 1 : 15
      let rows = (start..<start + 20).map { #"{"id": \#($0), "title": "T"}"# }.joined(separator: ",")
      return .success(Response(json: #"{"results": [\#(rows)], "total_pages": 2}"#))
    }
    let page = try Source.tmdb.page(
      of: Search(words: "x", kind: .movie, pageSize: 40), Self.settings, using: network.client)
    #expect(page.candidates.compactMap { Int($0.id.value) } == Array(1...34))
    #expect(!page.hasMore)
  }

  @Test func `a later page that fails keeps the pages before it`() throws {
    let network = FakeNetwork { request, _ in
      guard request.url.contains("page=1&") else { return .failure(.timedOut(host: request.host)) }
      let rows = (1...20).map { #"{"id": \#($0), "title": "T"}"# }.joined(separator: ",")
      return .success(Response(json: #"{"results": [\#(rows)], "total_pages": 9}"#))
    }
    let page = try Source.tmdb.page(
      of: Search(words: "x", kind: .movie, pageSize: 60), Self.settings, using: network.client)
    #expect(page.candidates.count == 20)
    #expect(page.hasMore)
    #expect(page.stop == .failure(.network(.timedOut(host: "api.themoviedb.org"))))
  }

  // MARK: A movie

  @Test func `a movie is fetched with all its facts in one request`() throws {
    let web = FakeWeb(["/movie/496243": Self.movie])
    let movie = try Source.tmdb.record(Self.id, as: .movie, from: web, language: "ko")
    #expect(
      web.asked == [
        [
          "https://api.themoviedb.org/3/movie/496243?append_to_response=alternative_titles%2Ctranslations%2Ccredits&language=ko"
        ]
      ])
    #expect(movie.externalIDs == [Self.id, ExternalID(source: "imdb", value: "tt6751668")])
    #expect(movie.labels == ["Comedy", "Thriller"], "by their numbers, whatever the language")
    #expect(movie.creators == ["Bong Joon Ho"])
    #expect(
      movie.credits.map { "\($0.role) \($0.name) \($0.detail ?? "-")" } == [
        "director Bong Joon Ho -", "cast Lee Sun-kyun -", "cast Song Kang-ho Kim Ki-taek", "cast 최우식 -",
      ], "as they are billed")
    #expect(movie.movie?.minutes == 133)
    #expect(movie.movie?.countries == ["KR", "FR"], "where it comes from stands first")
    #expect(movie.movie?.language == "ko")
    #expect(movie.movie?.tagline == "Act like you own the place.")
  }

  @Test func `the writer of the original work is credited as an author`() throws {
    let web = FakeWeb([
      "/movie/9?": """
      {"id": 9, "title": "Stalker", "credits": {"cast": [], "crew": [
        {"id": 1, "name": "Аркадий Стругацкий", "job": "Novel"}, {"id": 1, "name": "Аркадий Стругацкий", "job": "Screenplay"},
        {"id": 2, "name": "Andrei Tarkovsky", "job": "Director"}]}}
      """
    ])
    let film = try Source.tmdb.record(ExternalID(source: "tmdb", value: "9"), as: .movie, from: web, language: "en")
    #expect(film.credits.map { "\($0.role) \($0.name)" } == ["director Andrei Tarkovsky", "author Аркадий Стругацкий"])
    #expect(film.creators == ["Andrei Tarkovsky"])
  }

  @Test(arguments: [
    ("US", "en", ["Gisaengchung", "Parasite: Black and White Edition"]),
    ("VN", "en", ["Gisaengchung", "Ký Sinh Trùng", "Parasite: Black and White Edition"]),
    ("FR", "en", ["Parasites", "Gisaengchung", "Parasite: Black and White Edition"]),
    ("US", "fr", ["Parasites", "Gisaengchung", "Parasite: Black and White Edition"]),
  ])
  func `other titles are those of the country, in English and of the origin, each once`(
    country: String, language: String, titles: [String]
  ) throws {
    let web = FakeWeb(["/movie/496243": Self.movie])
    let movie = try Source.tmdb.record(Self.id, as: .movie, from: web, country: country, language: language)
    #expect(movie.title == "Parasite")
    #expect(movie.originalTitle == "기생충")
    #expect(movie.otherTitles == titles)
    let movieParts = try #require(Source.tmdb.movieParts)
    let parts = movieParts(
      Self.id, [.facts], Source.tmdb.settings(country: country, language: language), web.client)
    #expect(parts.facts?.otherTitles == titles)
  }

  @Test func `at most twelve other titles are kept`() throws {
    let titles = (1...40).map { #"{"iso_3166_1": "US", "title": "Title \#($0)"}"# }.joined(separator: ",")
    let web = FakeWeb(["/movie/1?": #"{"id": 1, "title": "T", "alternative_titles": {"titles": [\#(titles)]}}"#])
    let movie = try Source.tmdb.record(ExternalID(source: "tmdb", value: "1"), as: .movie, from: web)
    #expect(movie.otherTitles == (1...12).map { "Title \($0)" })
  }

  // MARK: IMDb

  static let imdb = ExternalID(source: "imdb", value: "tt6751668")

  static func find(_ web: FakeWeb) throws -> Candidate? {
    let find = try #require(Source.tmdb.find)
    return try find(imdb, Source.tmdb.settings(language: "ko"), web.client)
  }

  @Test func `a movie is found by its IMDb id`() throws {
    let web = FakeWeb([
      "/find/tt6751668?": """
      {"movie_results": [{"id": 496243, "title": "기생충", "original_title": "기생충", "release_date": "2019-05-30",
        "media_type": "movie"}], "person_results": [], "tv_results": [], "tv_episode_results": [], "tv_season_results": []}
      """
    ])
    let movie = try #require(try Self.find(web))
    #expect(movie.id == Self.id)
    #expect(movie.record.title == "기생충")
    #expect(movie.record.year == 2019)
    #expect(movie.record.externalIDs == [Self.id, Self.imdb])
    #expect(
      web.asked == [["https://api.themoviedb.org/3/find/tt6751668?external_source=imdb_id&language=ko"]])
  }

  @Test func `a series, a person and an empty answer are no movie`() throws {
    let answers = [
      #"{"movie_results": [], "tv_results": [{"id": 1, "name": "A series", "media_type": "tv"}]}"#,
      #"{"movie_results": [], "person_results": [{"id": 1, "name": "Somebody"}]}"#, #"{"movie_results": [5]}"#,
    ]
    for answer in answers { #expect(try Self.find(FakeWeb(["/find/": answer])) == nil) }
    #expect(throws: SourceError.notFound) { try Self.find(FakeWeb([String: String]())) }
    #expect(throws: SourceError.unreadable("an HTML page instead of an answer")) {
      try Self.find(FakeWeb(["/find/": "<html>"]))
    }
  }

  @Test(arguments: ["", "x", "tt", "tt12", "nm0000001"]) func `an invalid IMDb id is not kept`(id: String) throws {
    let web = FakeWeb(["/movie/496243": Self.movie.replacing("tt6751668", with: id)])
    #expect(try Source.tmdb.record(Self.id, as: .movie, from: web).externalIDs == [Self.id])
  }

  // MARK: Parts

  @Test(arguments: ["", "abc", "1/2", "-1", "99999999999", "550?x"])
  func `an id that is no number is not requested`(id: String) {
    let web = FakeWeb([String: String]())
    #expect(throws: SourceError.notFound) {
      try Source.tmdb.record(ExternalID(source: "tmdb", value: id), as: .movie, from: web)
    }
    let parts = Source.tmdb.movieParts?(
      ExternalID(source: "tmdb", value: id), [.videos], Source.tmdb.settings(), web.client)
    #expect(parts?.failures == [.videos: .notFound])
    #expect(web.asked.isEmpty)
  }

  static func parts(
    from web: FakeWeb, _ parts: Set<MovieParts.Part> = Set(MovieParts.Part.allCases)
  ) throws -> MovieParts {
    let movieParts = try #require(Source.tmdb.movieParts)
    return movieParts(id, parts, Source.tmdb.settings(language: "ko"), web.client)
  }

  @Test func `the six parts of a movie are requested at once`() throws {
    let web = FakeWeb(Self.parts)
    let parts = try Self.parts(from: web)
    #expect(web.asked.map(\.count) == [6])
    #expect(web.asked[0].contains { $0.hasSuffix("/images?include_image_language=ko%2Cen%2Cnull&language=ko") })
    #expect(parts.failures.isEmpty)
    let record = parts.record(over: Record(kind: .movie, title: "?"))
    #expect(record.title == "Parasite")
    #expect(record.credits.count == 4)
    #expect(
      parts.gallery?.map(\.url) == [
        "https://image.tmdb.org/t/p/w1280/one.jpg", "https://image.tmdb.org/t/p/w780/two.jpg",
        "https://image.tmdb.org/t/p/w500/logo.svg",
      ])
    #expect(parts.gallery?.map(\.language) == [nil, "en", "ko"])
    #expect(
      parts.portraits?.map { "\($0.name) \($0.character ?? "-") \($0.url ?? "-")" } == [
        "Lee Sun-kyun - -", "Song Kang-ho Kim Ki-taek https://image.tmdb.org/t/p/h632/song.jpg", "최우식 - -",
      ])
    #expect(parts.videos?.map(\.name) == ["메인 예고편", "[only]", "Elsewhere", "Broken"])
    #expect(
      parts.videos?.map(\.url) == [
        "https://www.youtube.com/watch?v=SEUXfv87Wpk", "https://vimeo.com/123", nil, nil,
      ])
    #expect(parts.similar?.map(\.record.title) == ["Oldboy"], "each once, and not the movie itself")
    #expect(parts.recommended?.map(\.id.description) == ["tmdb:2"])
  }

  @Test(arguments: MovieParts.Part.allCases)
  func `a failed part does not affect the others`(part: MovieParts.Part) throws {
    let path =
      switch part {
      case .facts: "/movie/496243?"
      case .cast: "/movie/496243/credits"
      case .gallery: "/movie/496243/images"
      case .videos: "/movie/496243/videos"
      case .similar: "/movie/496243/similar"
      case .recommended: "/movie/496243/recommendations"
      }
    var answers = Self.parts.mapValues { Response(json: $0) }
    answers[path] = Response(json: "<html>")
    let parts = try Self.parts(from: FakeWeb(answers))
    #expect(parts.failures == [part: .unreadable("an HTML page instead of an answer")])
    #expect((parts.facts == nil) == (part == .facts))
    #expect((parts.people == nil) == (part == .cast))
    #expect((parts.gallery == nil) == (part == .gallery))
    #expect((parts.videos == nil) == (part == .videos))
    #expect((parts.similar == nil) == (part == .similar))
    #expect((parts.recommended == nil) == (part == .recommended))
  }

  @Test func `a failed part keeps the known values`() {
    var known = Record(kind: .movie, title: "Known")
    known.credits = [Credit(name: "Somebody", role: .director)]
    #expect(MovieParts().record(over: known) == known)
    var parts = MovieParts()
    parts.facts = Record(kind: .movie, title: "Facts")
    #expect(parts.record(over: known).credits == known.credits)
    parts.people = []
    #expect(parts.record(over: known).credits.isEmpty)
  }

  // MARK: Refusals

  @Test(
    arguments: [
      (401, #"{"status_code": 7, "status_message": "Invalid API key", "success": false}"#, .key(missing: false)),
      (404, #"{"status_code": 34, "status_message": "not found", "success": false}"#, .notFound),
      (
        400, #"{"status_code": 22, "status_message": "Invalid page", "success": false}"#,
        .refused(status: 400, words: "Invalid page")
      ),
      (429, #"{"status_code": 25}"#, .network(.throttled(host: "api.themoviedb.org", retryAfter: nil))),
    ] as [(Int, String, SourceError)])
  func `TMDB error answers map to source errors`(status: Int, body: String, error: SourceError) {
    let web = FakeWeb(["/": Response(json: body, status: status)])
    #expect(throws: error) { try Source.tmdb.record(Self.id, as: .movie, from: web) }
  }

  @Test func `without a key no request is sent`() {
    let web = FakeWeb([String: String]())
    #expect(throws: SourceError.key(missing: true)) {
      try Source.tmdb.page(of: Search(words: "x", kind: .movie), Source.tmdb.settings(), using: web.client)
    }
    #expect(web.asked.isEmpty)
  }
}
