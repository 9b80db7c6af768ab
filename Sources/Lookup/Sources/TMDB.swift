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
    policy: { RetryPolicy(throttled: [1], busy: [0.5, 2]) }, request: TMDB.request, read: TMDB.read, fetch: TMDB.fetch,
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
    let list = try response.json(host: settings.host)
    let movies = try list["results"].hits()
    let total = list["total_results"].whole.map { min(max($0, 0), pageSize * lastPage) }
    let hasMore = !movies.isEmpty && search.number < list["total_pages"].whole ?? 1
    return Page(movies, total: total, hasMore: hasMore) { candidate($0, settings) }
  }

  /// The movie with an id of IMDb. The ids of people and series are ignored.
  static func find(
    _ wanted: ExternalID, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Candidate? {
    let request = ask("/find/\(wanted.value)", settings, query: [("external_source", "imdb_id")])
    let found = try http.ask(Question(thing: request, with: "movie_results"))["movie_results"].elements
    guard var movie = found.lazy.compactMap({ candidate($0, settings) }).first else { return nil }
    movie.record.externalIDs.append(wanted)
    return movie
  }

  // MARK: Fetching

  /// Everything to keep: the facts with the titles and the people, in one question.
  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard let path = path(of: wanted) else { throw .notFound }
    let record = try http.ask(
      Question(thing: facts(path, settings, with: ["credits"])) { response throws(SourceError) in
        try movie(from: response, settings)
      })
    return Fetched(record, as: wanted)
  }

  /// The record of a movie, with its people where they came along.
  private static func movie(
    from response: Response, _ settings: SourceSettings
  ) throws(SourceError) -> Record {
    let movie = try response.json(host: settings.host)
    guard var record = candidate(movie, settings)?.record else { throw .unreadable("a movie without a title") }
    record.credits = credits(movie["credits"])
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
      read: @escaping @Sendable (JSON) throws(SourceError) -> @Sendable (inout MovieParts) -> Void
    ) -> Question<@Sendable (inout MovieParts) -> Void> {
      Question(thing: TMDB.ask(path, settings, query: query)) { response throws(SourceError) in
        try read(try response.json(host: settings.host))
      }
    }
    @Sendable func others(in list: JSON) throws(SourceError) -> [Candidate] {
      try list["results"].hits().compactMap { candidate($0, settings) }.withoutRepeats(by: \.id)
        .filter { $0.id != movie }
    }
    switch part {
    case .facts:
      return Question(thing: facts(path, settings)) { response throws(SourceError) in
        let record = try TMDB.movie(from: response, settings)
        return { $0.facts = record }
      }
    case .cast:
      return ask(path + "/credits") { json throws(SourceError) in
        guard json["cast"].list != nil || json["crew"].list != nil else { throw .anotherShape }
        let (people, portraits) = (credits(json), portraits(json, settings))
        return { ($0.people, $0.portraits) = (people, portraits) }
      }
    case .gallery:
      // Without these languages, only pictures in one language are returned.
      let query = [("include_image_language", languages(settings) + ",null")]
      return ask(path + "/images", query: query) { json throws(SourceError) in
        guard ["backdrops", "posters", "logos"].contains(where: { json[$0].list != nil }) else { throw .anotherShape }
        let pictures = pictures(json, settings)
        return { $0.gallery = pictures }
      }
    case .videos:
      let query = [("include_video_language", languages(settings))]
      return ask(path + "/videos", query: query) { json throws(SourceError) in
        let videos = try json["results"].hits().compactMap(video)
        return { $0.videos = videos }
      }
    case .similar:
      return ask(path + "/similar") { json throws(SourceError) in
        let movies = try others(in: json)
        return { $0.similar = movies }
      }
    case .recommended:
      return ask(path + "/recommendations") { json throws(SourceError) in
        let movies = try others(in: json)
        return { $0.recommended = movies }
      }
    }
  }

  /// Nil for an invalid id: only a number may be in the address.
  private static func path(of movie: ExternalID) -> String? {
    UInt32(movie.value).flatMap { $0 > 0 ? "/movie/\($0)" : nil }
  }

  private static func languages(_ settings: SourceSettings) -> String {
    settings.language == "en" ? "en" : "\(settings.language),en"
  }

  // MARK: The answers

  /// A movie: a row of a list, or with all its facts. Nil without an id or a title, and for a series or a person.
  private static func candidate(_ movie: JSON, _ settings: SourceSettings) -> Candidate? {
    let original = movie["original_title"].line
    guard let number = movie["id"].identifier, UInt32(number) != nil, let title = movie["title"].line ?? original,
      movie["media_type"].line ?? "movie" == "movie"
    else { return nil }
    let id = ExternalID(source: self.id, value: number)
    var record = Record(kind: .movie, title: title)
    record.externalIDs = [id] + [movie["imdb_id"].line.flatMap { ExternalID(imdb: $0) }].compactMap(\.self)
    record.originalTitle = original == title ? nil : original
    record.set(otherTitles: otherTitles(of: movie, settings), atMost: mostTitles)
    record.released = movie["release_date"].day
    record.year = record.released?.year
    record.summary = movie["overview"].prose
    // The names in English: the answer's are in the language that was asked for. A row has only the numbers.
    let labels =
      movie["genres"].list?.compactMap { genre in genre["id"].whole.flatMap { genres[$0] } ?? genre["name"].line }
      ?? movie["genre_ids"].elements.compactMap { $0.whole.flatMap { genres[$0] } }
    record.labels = labels.withoutRepeats(by: \.self)
    record.url = id.page
    record.artworkURL = image(movie["poster_path"], size: "w500", settings)
    // Without a vote the average is 0, which is no rating.
    record.publicRating = movie["vote_count"].positive.flatMap {
      PublicRating(average: movie["vote_average"].amount, of: 10, votes: $0)
    }
    record.movie.minutes = movie["runtime"].positive
    let producing = movie["production_countries"].elements.compactMap { $0["iso_3166_1"].line }
    record.movie.countries = (movie["origin_country"].lines + producing).filter { $0.utf8.count == 2 }
      .withoutRepeats(by: \.self)
    record.movie.tagline = movie["tagline"].line
    // A film without words.
    record.movie.language = movie["original_language"].line.flatMap { $0 == "xx" ? nil : $0 }
    return Candidate(id: id, record: record)
  }

  /// The titles in the user's language and country, in English, and of the country of origin; those of some fifty
  /// other countries are left out. Translated titles come before alternative ones.
  private static func otherTitles(of movie: JSON, _ settings: SourceSettings) -> [String] {
    let countries = Set([settings.country, "US", "GB"] + movie["origin_country"].lines)
    let languages = Set([settings.language, "en", movie["original_language"].line].compactMap(\.self))
    func isOfCountry(_ title: JSON) -> Bool { countries.contains(title["iso_3166_1"].line ?? "") }
    // A translated title is empty where it is the original one.
    let translated = movie["translations"]["translations"].elements.filter {
      isOfCountry($0) || languages.contains($0["iso_639_1"].line ?? "")
    }.compactMap { $0["data"]["title"].line }
    let titles = movie["alternative_titles"]["titles"].elements.filter(isOfCountry).compactMap { $0["title"].line }
    return translated + titles
  }

  /// The maximum number of other titles. The later ones are working titles and rare spellings.
  private static let mostTitles = 12

  /// The jobs that make a crew member an author of the work that a film is based on
  /// (https://developer.themoviedb.org/reference/configuration-jobs, the department of writing).
  private static let authors: Set = [
    "Author", "Book", "Comic Book", "Graphic Novel", "Novel", "Short Story", "Theatre Play",
  ]

  /// The directors, the authors of the work that the film is based on, then the cast in billing order.
  private static func credits(_ people: JSON) -> [Credit] {
    func crew(_ role: Credit.Role, _ isMember: (String) -> Bool) -> [Credit] {
      people["crew"].elements.filter { $0["job"].line.map(isMember) ?? false }.compactMap { credit($0, role) }
    }
    return
      (crew(.director) { $0 == "Director" } + crew(.author, authors.contains)
      + billed(people).compactMap { credit($0, .cast) }).withoutRepeats(by: \.self)
  }

  private static func credit(_ person: JSON, _ role: Credit.Role) -> Credit? {
    (person["name"].line ?? person["original_name"].line).map { name in
      Credit(
        name: name, role: role, detail: role == .cast ? person["character"].line : nil,
        externalID: person["id"].identifier.map { ExternalID(source: id, value: "person/\($0)") })
    }
  }

  private static func billed(_ people: JSON) -> [JSON] {
    people["cast"].elements.enumerated().sorted {
      ($0.element["order"].whole ?? .max, $0.offset) < ($1.element["order"].whole ?? .max, $1.offset)
    }.map(\.element)
  }

  private static func portraits(_ people: JSON, _ settings: SourceSettings) -> [MovieParts.Portrait] {
    billed(people).compactMap { person in
      credit(person, .cast).map {
        MovieParts.Portrait(
          name: $0.name, character: $0.detail, url: image(person["profile_path"], size: "h632", settings))
      }
    }.withoutRepeats(by: \.self)
  }

  private static func pictures(_ images: JSON, _ settings: SourceSettings) -> [MovieParts.Picture] {
    let lists: [(name: String, subject: MovieParts.Picture.Subject, size: String)] = [
      ("backdrops", .backdrop, "w1280"), ("posters", .poster, "w780"), ("logos", .logo, "w500"),
    ]
    return lists.flatMap { list in
      images[list.name].elements.compactMap { picture in
        image(picture["file_path"], size: list.size, settings).map {
          MovieParts.Picture(
            subject: list.subject, url: $0, width: picture["width"].positive, height: picture["height"].positive,
            language: picture["iso_639_1"].line)
        }
      }
    }
  }

  private static func video(_ json: JSON) -> MovieParts.Video? {
    guard let name = json["name"].line, let site = json["site"].line else { return nil }
    let url = json["key"].identifier.flatMap { VideoSite(rawValue: site)?.url(of: $0) }
    return MovieParts.Video(
      name: withoutPrefix(name), type: json["type"].line, site: site, url: url, published: json["published_at"].day)
  }

  /// `[메인 예고편] 기생충` as `기생충`. A name that is nothing else stays.
  private static func withoutPrefix(_ name: String) -> String {
    guard name.first == "[", let end = name.firstIndex(of: "]") else { return name }
    let rest = name[name.index(after: end)...].trimmingBlanks
    return rest.isEmpty ? name : rest
  }

  /// The address of an image by its path, `/hZkgoQYus5vegHoetLkCJzb17zJ.jpg`: one name behind a slash, so that it leads
  /// to no other host or folder.
  private static func image(_ json: JSON, size: String, _ settings: SourceSettings) -> String? {
    guard let path = json.text, path.first == "/", case let name = path.dropFirst(), !name.isEmpty, name.first != ".",
      name.utf8.allSatisfy({ $0.isOfIdentifier || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Request.url(settings.imageBaseURL ?? "https://image.tmdb.org/t/p", "/\(size)\(path)")
  }

  /// The genres by number: `/genre/movie/list`, the same nineteen for many years.
  private static let genres = [
    12: "Adventure", 14: "Fantasy", 16: "Animation", 18: "Drama", 27: "Horror", 28: "Action", 35: "Comedy",
    36: "History", 37: "Western", 53: "Thriller", 80: "Crime", 99: "Documentary", 878: "Science Fiction",
    9648: "Mystery", 10402: "Music", 10749: "Romance", 10751: "Family", 10752: "War", 10770: "TV Movie",
  ]
}
