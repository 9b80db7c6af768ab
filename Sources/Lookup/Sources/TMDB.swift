import CatalogModel

extension Source {
  /// The Movie Database: movies with their people, pictures, videos and similar movies, and this week's popular ones.
  /// It needs a key, free for non-commercial use.
  ///
  /// <https://developer.themoviedb.org/docs>. Both keys of an account work: the *API Read Access Token*, a long text
  /// sent in a header, and the *API Key* of 32 digits, sent in the address.
  public static let tmdb = Source(
    id: TMDB.id, name: "TMDB", kinds: [.movie], fields: { _ in [.title] },
    paging: Paging(fixedSize: TMDB.pageSize, last: TMDB.lastPage),
    attribution: "This product uses the TMDB API but is not endorsed or certified by TMDB.",
    // "Somewhere in the 40 requests per second range."
    limit: RateLimit(requests: 40, per: 1),
    key: KeyRequirement(
      name: "API Read Access Token", page: "https://www.themoviedb.org/settings/api", variable: "CATALOG_TMDB_TOKEN",
      without: "movies are looked up at iTunes"),
    defaultBaseURL: "https://api.themoviedb.org/3", defaultImageBaseURL: "https://image.tmdb.org/t/p",
    policy: RetryPolicy(throttled: [1], busy: [0.5, 2]), request: TMDB.request, read: TMDB.read, fetch: TMDB.fetch,
    find: TMDB.find, movieParts: TMDB.movieParts,
    trending: TMDB.trending)
}

private enum TMDB {
  static let id = "tmdb"
  /// All lists have this page size. Pages after the last one are refused, whatever total the list reports.
  static let pageSize = 20
  static let lastPage = 500

  // MARK: Asking

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    ask(
      "/search/movie", settings,
      query: [("query", search.words), ("page", "\(search.number)"), ("include_adult", "false")])
  }

  static func trending(_ settings: SourceSettings) -> Request { ask("/trending/movie/week", settings) }

  private static func ask(
    _ path: String, _ settings: SourceSettings, query: [(String, String)] = []
  ) -> Request {
    let query = query + [("language", settings.languageOfPlace)]
    return Request(
      source: id, url: Request.url(settings.baseURL, path, query: query), secret: settings.key.map(secret))
  }

  private static func secret(_ key: String) -> Secret {
    key.utf8.count == 32 && key.allSatisfy(\.isHexDigit)
      ? .parameter("api_key", key) : .header("authorization", "Bearer \(key)")
  }

  // MARK: Reading lists

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let list = try response.decoded(as: Listing.self, host: settings.host)
    return list.page(hasMore: !list.results.all.isEmpty && search.number < list.totalPages ?? 1, settings)
  }

  private struct Listing: Decodable {
    @Lenient<Whole> var totalPages: Int?
    @Lenient<Whole> var totalResults: Int?
    var results: Elements<Movie>

    func page(hasMore: Bool, _ settings: SourceSettings) -> Page {
      let total = totalResults.map { min(max($0, 0), TMDB.pageSize * TMDB.lastPage) }
      return results.page(total: total, hasMore: hasMore) { movie in movie.candidate(settings) }
    }
  }

  /// The movie with an id of IMDb. The ids of people and series are ignored.
  static func find(
    _ wanted: ExternalID, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Candidate? {
    let request = ask("/find/\(wanted.value)", settings, query: [("external_source", "imdb_id")])
    let found = try http.ask(Question(thing: request, as: Found.self))
    guard var movie = found.movieResults.all.lazy.compactMap({ $0?.candidate(settings) }).first else { return nil }
    movie.record.externalIDs.append(wanted)
    return movie
  }

  private struct Found: Decodable {
    var movieResults: Elements<Movie>
  }

  // MARK: Fetching

  /// Everything to keep: the facts with the titles and the people, in one question.
  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard let path = path(of: wanted) else { throw .notFound }
    var record = try http.ask(
      Question(thing: facts(path, settings, with: ["credits"])) { response throws(SourceError) in
        try movie(from: response, settings)
      })
    // A movie that was merged into another keeps the name under which it is known here.
    record.externalIDs = ([wanted] + record.externalIDs).withoutRepeats(by: \.self)
    return Fetched(record)
  }

  /// The record of a movie, with its people where they came along.
  private static func movie(
    from response: Response, _ settings: SourceSettings
  ) throws(SourceError) -> Record {
    let movie = try response.decoded(as: Movie.self, host: settings.host)
    guard var record = movie.candidate(settings)?.record else { throw .unreadable("a movie without a title") }
    record.credits = movie.credits?.all ?? []
    return record
  }

  /// The question for the facts of a movie, with all its titles and some of its other parts.
  private static func facts(_ path: String, _ settings: SourceSettings, with parts: [String] = []) -> Request {
    let parts = (["alternative_titles", "translations"] + parts).joined(separator: ",")
    return ask(path, settings, query: [("append_to_response", parts)])
  }

  static func movieParts(
    _ wanted: ExternalID, _ parts: Set<MovieParts.Part>, _ settings: SourceSettings, _ http: HTTPClient
  ) -> MovieParts {
    var found = MovieParts()
    guard let path = path(of: wanted) else {
      for part in parts { found.failures[part] = .notFound }
      return found
    }
    let asked = MovieParts.Part.allCases.filter(parts.contains)
    let answers = http.ask(asked.map { question(for: $0, of: wanted, path, settings) })
    for (part, answer) in zip(asked, answers) {
      do throws(SourceError) { try answer.get()(&found) } catch { found.failures[part] = error }
    }
    return found
  }

  /// The request for a part of a movie, with a function that adds the part to the others.
  private static func question(
    for part: MovieParts.Part, of movie: ExternalID, _ path: String, _ settings: SourceSettings
  ) -> Question<@Sendable (inout MovieParts) -> Void> {
    func ask(
      _ path: String, query: [(String, String)] = [],
      read: @escaping @Sendable (Response) throws(SourceError) -> @Sendable (inout MovieParts) -> Void
    ) -> Question<@Sendable (inout MovieParts) -> Void> {
      Question(thing: TMDB.ask(path, settings, query: query), read: read)
    }
    let host = settings.host
    switch part {
    case .facts:
      return Question(thing: facts(path, settings)) { response throws(SourceError) in
        let record = try TMDB.movie(from: response, settings)
        return { $0.facts = record }
      }
    case .cast:
      return ask(path + "/credits") { response throws(SourceError) in
        let credits = try response.decoded(as: Credits.self, host: host)
        guard credits.isThere else { throw .anotherShape }
        return { ($0.people, $0.portraits) = (credits.all, credits.portraits(settings)) }
      }
    case .gallery:
      // Without these languages, only pictures in one language are returned.
      let query = [("include_image_language", languages(settings) + ",null")]
      return ask(path + "/images", query: query) { response throws(SourceError) in
        let images = try response.decoded(as: Images.self, host: host)
        guard images.isThere else { throw .anotherShape }
        return { $0.gallery = images.pictures(settings) }
      }
    case .videos:
      let query = [("include_video_language", languages(settings))]
      return ask(path + "/videos", query: query) { response throws(SourceError) in
        let videos = try response.decoded(as: Videos.self, host: host)
        return { $0.videos = videos.results.all.compactMap { $0?.video } }
      }
    case .similar:
      return ask(path + "/similar") { response throws(SourceError) in
        let movies = try related(response, to: movie, settings)
        return { $0.similar = movies }
      }
    case .recommended:
      return ask(path + "/recommendations") { response throws(SourceError) in
        let movies = try related(response, to: movie, settings)
        return { $0.recommended = movies }
      }
    }
  }

  private static func related(
    _ response: Response, to movie: ExternalID, _ settings: SourceSettings
  ) throws(SourceError) -> [Candidate] {
    try response.decoded(as: Listing.self, host: settings.host).page(hasMore: false, settings).candidates
      .withoutRepeats(by: \.id).filter { $0.id != movie }
  }

  /// Nil for an invalid id: only a number may be in the address.
  private static func path(of movie: ExternalID) -> String? {
    UInt32(movie.value).flatMap { $0 > 0 ? "/movie/\($0)" : nil }
  }

  private static func languages(_ settings: SourceSettings) -> String {
    settings.language == "en" ? "en" : "\(settings.language),en"
  }

  // MARK: The answers

  /// A movie: a row of a list, or with all its facts.
  private struct Movie: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var title: String?
    @Lenient<Line> var originalTitle: String?
    @Lenient<Line> var originalLanguage: String?
    @Lenient<Prose> var overview: String?
    @Lenient<Day> var releaseDate: PartialDate?
    @Lenient<ImagePath> var posterPath: String?
    @Lenient<Amount> var voteAverage: Double?
    @Lenient<Count> var voteCount: Int?
    // Fields of a row.
    @Lenient<List<Whole>> var genreIds: [Int]?
    @Lenient<Line> var mediaType: String?
    // Fields of a full record.
    @Lenient<List<Object<Genre>>> var genres: [Genre]?
    @Lenient<Count> var runtime: Int?
    @Lenient<Line> var tagline: String?
    @Lenient<Line> var imdbId: String?
    @Lenient<List<Line>> var originCountry: [String]?
    @Lenient<List<Object<Country>>> var productionCountries: [Country]?
    @Lenient<Object<Credits>> var credits: Credits?
    @Lenient<Object<Titles>> var alternativeTitles: Titles?
    @Lenient<Object<Translations>> var translations: Translations?

    /// Nil without an id or a title, and for a series or a person.
    func candidate(_ settings: SourceSettings) -> Candidate? {
      guard let id, UInt32(id) != nil, let title = title ?? originalTitle, mediaType ?? "movie" == "movie" else {
        return nil
      }
      let externalID = ExternalID(source: TMDB.id, value: id)
      var record = Record(kind: .movie, title: title)
      record.externalIDs = [externalID]
      if let imdb = imdbId.flatMap({ ExternalID(imdb: $0) }) { record.externalIDs.append(imdb) }
      record.originalTitle = originalTitle == title ? nil : originalTitle
      record.otherTitles = otherTitles(besides: [title, originalTitle].compactMap(\.self), settings)
      record.released = releaseDate
      record.year = releaseDate?.year
      record.summary = overview
      record.labels =
        (genres?.compactMap(\.label) ?? genreIds?.compactMap { TMDB.genres[$0] } ?? []).withoutRepeats(by: \.self)
      record.url = externalID.page
      record.artworkURL = posterPath.map { TMDB.image($0, size: "w500", settings) }
      // Without votes the average is 0.
      record.publicRating = voteCount.flatMap { PublicRating(average: voteAverage, of: 10, votes: $0) }
      var movie = CatalogModel.Movie()
      movie.minutes = runtime
      movie.countries =
        ((originCountry ?? []) + (productionCountries ?? []).compactMap(\.iso31661)).filter { $0.utf8.count == 2 }
        .withoutRepeats(by: \.self)
      movie.tagline = tagline
      // A film without words.
      movie.language = originalLanguage == "xx" ? nil : originalLanguage
      record.details = .movie(movie)
      return Candidate(id: externalID, record: record)
    }

    /// The titles in the user's language and country, in English, and of the country of origin; those of some fifty
    /// other countries are left out. Translated titles come before alternative ones.
    private func otherTitles(besides known: [String], _ settings: SourceSettings) -> [String] {
      let countries = Set([settings.country, "US", "GB"] + (originCountry ?? []))
      let languages = Set([settings.language, "en", originalLanguage].compactMap(\.self))
      let translated = (translations?.translations ?? []).filter {
        countries.contains($0.iso31661 ?? "") || languages.contains($0.iso6391 ?? "")
      }
      let titles = (alternativeTitles?.titles ?? []).filter { countries.contains($0.iso31661 ?? "") }
      let known = Set(known.map(Folding.fold))
      let others = (translated.compactMap(\.data?.title) + titles.compactMap(\.title))
        .withoutRepeats(by: Folding.fold).filter { !known.contains(Folding.fold($0)) }
      return Array(others.prefix(TMDB.mostTitles))
    }
  }

  /// The maximum number of other titles. The later ones are working titles and rare spellings.
  private static let mostTitles = 12

  private struct Titles: Decodable {
    @Lenient<List<Object<Title>>> var titles: [Title]?
  }

  private struct Title: Decodable {
    @Lenient<Line> var iso31661: String?
    @Lenient<Line> var title: String?
  }

  private struct Translations: Decodable {
    @Lenient<List<Object<Translation>>> var translations: [Translation]?
  }

  private struct Translation: Decodable {
    @Lenient<Line> var iso31661: String?
    @Lenient<Line> var iso6391: String?
    /// Its title is empty where it is the original one.
    @Lenient<Object<Title>> var data: Title?
  }

  private struct Genre: Decodable {
    @Lenient<Whole> var id: Int?
    @Lenient<Line> var name: String?

    /// The name in English: the answer's is in the language that was asked for.
    var label: String? { id.flatMap { TMDB.genres[$0] } ?? name }
  }

  private struct Country: Decodable {
    @Lenient<Line> var iso31661: String?
  }

  private struct Credits: Decodable {
    @Lenient<List<Object<Person>>> var cast: [Person]?
    @Lenient<List<Object<Person>>> var crew: [Person]?

    var isThere: Bool { cast != nil || crew != nil }

    /// The jobs that make a crew member an author of the work that a film is based on
    /// (https://developer.themoviedb.org/reference/configuration-jobs, the department of writing).
    private static let authors: Set = [
      "Author", "Book", "Comic Book", "Graphic Novel", "Novel", "Short Story", "Theatre Play",
    ]

    /// The directors, the authors of the work that the film is based on, then the cast in billing order.
    var all: [Credit] {
      func crew(_ role: Credit.Role, _ isMember: (String) -> Bool) -> [Credit] {
        (self.crew ?? []).filter { $0.job.map(isMember) ?? false }.compactMap { $0.credit(role) }
      }
      return
        (crew(.director) { $0 == "Director" } + crew(.author, Self.authors.contains)
        + billed.compactMap { $0.credit(.cast) }).withoutRepeats(by: \.self)
    }

    private var billed: [Person] {
      (cast ?? []).enumerated().sorted {
        ($0.element.order ?? .max, $0.offset) < ($1.element.order ?? .max, $1.offset)
      }.map(\.element)
    }

    func portraits(_ settings: SourceSettings) -> [MovieParts.Portrait] {
      billed.compactMap { person in
        person.credit(.cast).map { credit in
          MovieParts.Portrait(
            name: credit.name, character: credit.detail,
            url: person.profilePath.map { TMDB.image($0, size: "h632", settings) })
        }
      }.withoutRepeats(by: \.self)
    }
  }

  private struct Person: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var name: String?
    @Lenient<Line> var originalName: String?
    @Lenient<Line> var character: String?
    @Lenient<Line> var job: String?
    @Lenient<ImagePath> var profilePath: String?
    @Lenient<Whole> var order: Int?

    func credit(_ role: Credit.Role) -> Credit? {
      (name ?? originalName).map { name in
        Credit(
          name: name, role: role, detail: role == .cast ? character : nil,
          externalID: id.map { ExternalID(source: TMDB.id, value: "person/\($0)") })
      }
    }
  }

  private struct Images: Decodable {
    @Lenient<List<Object<Image>>> var backdrops: [Image]?
    @Lenient<List<Object<Image>>> var posters: [Image]?
    @Lenient<List<Object<Image>>> var logos: [Image]?

    var isThere: Bool { backdrops != nil || posters != nil || logos != nil }

    func pictures(_ settings: SourceSettings) -> [MovieParts.Picture] {
      func pictures(_ images: [Image]?, _ subject: MovieParts.Picture.Subject, size: String) -> [MovieParts.Picture] {
        (images ?? []).compactMap { image in
          image.filePath.map { path in
            MovieParts.Picture(
              subject: subject, url: TMDB.image(path, size: size, settings), width: image.width, height: image.height,
              language: image.iso6391)
          }
        }
      }
      return pictures(backdrops, .backdrop, size: "w1280") + pictures(posters, .poster, size: "w780")
        + pictures(logos, .logo, size: "w500")
    }
  }

  private struct Image: Decodable {
    @Lenient<ImagePath> var filePath: String?
    @Lenient<Count> var width: Int?
    @Lenient<Count> var height: Int?
    @Lenient<Line> var iso6391: String?
  }

  private struct Videos: Decodable {
    var results: Elements<Video>
  }

  private struct Video: Decodable {
    @Lenient<Line> var name: String?
    @Lenient<Identifier> var key: String?
    @Lenient<Line> var site: String?
    @Lenient<Line> var type: String?
    @Lenient<Day> var publishedAt: PartialDate?

    var video: MovieParts.Video? {
      guard let name, let site else { return nil }
      let url = key.flatMap { VideoSite(rawValue: site)?.url(of: $0) }
      return MovieParts.Video(
        name: TMDB.withoutPrefix(name), type: type, site: site, url: url, published: publishedAt)
    }
  }

  /// `[메인 예고편] 기생충` as `기생충`. A name that is nothing else stays.
  private static func withoutPrefix(_ name: String) -> String {
    guard name.first == "[", let end = name.firstIndex(of: "]") else { return name }
    let rest = name[name.index(after: end)...].trimmingBlanks
    return rest.isEmpty ? name : rest
  }

  /// `/hZkgoQYus5vegHoetLkCJzb17zJ.jpg`: one name behind a slash, so that it leads to no other host or folder.
  private enum ImagePath: Reading {
    static func read(_ json: JSON) -> String? {
      guard let path = json.text, path.first == "/" else { return nil }
      let name = path.dropFirst()
      return !name.isEmpty && name.first != "." && name.utf8.allSatisfy(isPlain) ? path : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }

  private static func image(_ path: String, size: String, _ settings: SourceSettings) -> String {
    Request.url(settings.imageBaseURL ?? "https://image.tmdb.org/t/p", "/\(size)\(path)")
  }

  /// The genres by number: `/genre/movie/list`, the same nineteen for many years.
  private static let genres = [
    12: "Adventure", 14: "Fantasy", 16: "Animation", 18: "Drama", 27: "Horror", 28: "Action", 35: "Comedy",
    36: "History", 37: "Western", 53: "Thriller", 80: "Crime", 99: "Documentary", 878: "Science Fiction",
    9648: "Mystery", 10402: "Music", 10749: "Romance", 10751: "Family", 10752: "War", 10770: "TV Movie",
  ]
}
