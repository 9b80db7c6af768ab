import CatalogModel

extension Source {
  /// Apple's iTunes Search API: movies, music, podcasts, apps and e-books of one country's store. No key.
  ///
  /// <https://developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/iTuneSearchAPI/>. It answers
  /// about 20 requests a minute, then returns 403, mostly with an empty body. It sells no vinyl, so records are not
  /// among its kinds, but its albums are used as records when a search asks for that kind.
  public static let itunes = Source(
    id: ITunes.id, name: "iTunes", kinds: [.movie, .music, .podcast, .app, .book],
    fields: ITunes.fields, attributes: ITunes.attributes,
    paging: Paging(mostHits: 200),
    attribution: "Provided courtesy of iTunes", limit: RateLimit(requests: 20, per: 60),
    defaultBaseURL: "https://itunes.apple.com", pictureHosts: ["mzstatic.com"], hasPreviews: true,
    // A refusal lasts minutes to an hour.
    policy: RetryPolicy(throttled: [], busy: [1], rests: [.throttled: .seconds(300, most: 3_600)]),
    request: ITunes.request, read: ITunes.read,
    fetch: ITunes.fetch, lookUp: ITunes.lookUp, shop: ITunes.shop)
}

private enum ITunes {
  static let id = "itunes"

  // MARK: Asking

  /// The attributes that Apple lists for each medium, limited to the three longest lists and the shortest. E-books have
  /// no list.
  ///
  /// <https://developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/iTuneSearchAPI/Searching.html>,
  /// the row `attribute`; <https://performance-partners.apple.com/search-api> has the same. Both give only the names.
  static func attributes(of kind: Kind) -> [Attribute] {
    switch kind {
    case .music:
      [
        .all, Attribute("mix", "mixTerm", "the name of a mix; finds mixes"),
        Attribute("genre", "genreIndex", "the genre"), Attribute("artist", "artistTerm", "who performs"),
        Attribute("composer", "composerTerm", "who wrote it; finds songs"),
        Attribute("album", "albumTerm", "the title of the album"),
        Attribute("rating-index", "ratingIndex", "the rating, as a number"),
        Attribute("song", "songTerm", "the title of the song; finds songs"),
      ]
    case .movie:
      [
        .all, Attribute("actor", "actorTerm", "who plays in it"), Attribute("genre", "genreIndex", "the genre"),
        Attribute("artist", "artistTerm", "the name beside the title"),
        Attribute("short-film", "shortFilmTerm", "the title of a short film"),
        Attribute("producer", "producerTerm", "who produced it"),
        Attribute("rating", "ratingTerm", "the audience: PG-13"),
        Attribute("director", "directorTerm", "who directed it"),
        Attribute("year", "releaseYearTerm", "the year it came out"),
        Attribute("feature-film", "featureFilmTerm", "the title of a feature film"),
        Attribute("movie-artist", "movieArtistTerm", "an artist of the movie"),
        Attribute("movie", "movieTerm", "the title"),
        Attribute("rating-index", "ratingIndex", "the rating, as a number"),
        Attribute("description", "descriptionTerm", "the text about it"),
      ]
    case .app: [.all, Attribute("developer", "softwareDeveloper", "who made it")]
    case .podcast:
      [
        .all, Attribute("title", "titleTerm", "the title"), Attribute("language", "languageTerm", "the language"),
        Attribute("author", "authorTerm", "who makes it"), Attribute("genre", "genreIndex", "the genre"),
        Attribute("artist", "artistTerm", "the name beside the title"),
        Attribute("rating-index", "ratingIndex", "the rating, as a number"),
        Attribute("keywords", "keywordsTerm", "its keywords"),
        Attribute("description", "descriptionTerm", "the text about it"),
      ]
    case .book, .vinyl: []
    }
  }

  /// Apple names no attribute of e-books.
  static func fields(of kind: Kind) -> Set<Search.Field> {
    switch kind {
    case .app: [.creator]
    case .book: []
    case .movie, .vinyl, .music, .podcast: [.title, .creator]
    }
  }

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let attribute = search.scope.flatMap { parameter(of: $0, search.kind) }
    var query = [("term", search.words)] + storefront(settings) + medium(of: search.kind, attribute)
    query.append(("limit", "\(end(of: search))"))
    if let attribute { query.append(("attribute", attribute)) }
    return Request(source: id, url: Request.url(settings.baseURL, "/search", query: query))
  }

  /// The number of hits up to the end of the page, to be requested as the limit: an `offset` is not documented, and
  /// reportedly has no effect. Apple returns at most 200.
  private static func end(of search: Search) -> Int {
    min(search.offset(atMost: 200) + search.size(atMost: 200), 200)
  }

  /// The country and, for a bilingual shop, its own language. Apple documents `en_us` and `ja_jp`; `ko_kr` is
  /// undocumented, but without it the Korean shop returns English names.
  private static func storefront(_ settings: SourceSettings) -> [(String, String)] {
    let country = ("country", settings.country)
    return switch settings.country {
    case "JP": [country, ("lang", "ja_jp")]
    case "KR": [country, ("lang", "ko_kr")]
    default: [country]
    }
  }

  /// The medium and entity of a search: for music the albums, unless the attribute exists only for songs or mixes. An
  /// attribute of another medium, or without an entity, is refused with status 400. `media=ebook` finds nothing since
  /// May 2025: <https://github.com/janlarres/apple-books-covers/pull/1>.
  private static func medium(of kind: Kind, _ attribute: String?) -> [(String, String)] {
    switch kind {
    case .movie: [("media", "movie"), ("entity", "movie")]
    case .book: [("entity", "ebook")]
    case .vinyl, .music:
      switch attribute {
      case "songTerm", "composerTerm": [("media", "music"), ("entity", "song")]
      case "mixTerm": [("media", "music"), ("entity", "mix")]
      default: [("media", "music"), ("entity", "album")]
      }
    case .podcast: [("media", "podcast"), ("entity", "podcast")]
    case .app: [("media", "software"), ("entity", "software")]
    }
  }

  private static func parameter(of scope: Search.Scope, _ kind: Kind) -> String? {
    switch scope {
    case .attribute(let name): name
    case .field(let field): parameter(of: field, kind)
    }
  }

  private static func parameter(of field: Search.Field, _ kind: Kind) -> String? {
    switch (field, kind) {
    case (.title, .movie): "movieTerm"
    case (.creator, .movie): "directorTerm"
    case (.title, .music), (.title, .vinyl): "albumTerm"
    case (.creator, .music), (.creator, .vinyl): "artistTerm"
    case (.title, .podcast): "titleTerm"
    case (.creator, .podcast): "authorTerm"
    case (.creator, .app): "softwareDeveloper"
    case (.title, .app), (_, .book), (.publisher, _), (.isbn, _), (.catalogNumber, _): nil
    }
  }

  // MARK: Reading

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let results = try elements(of: response, settings)
    // No total is sent; a full page may have another behind it.
    let hasMore = results.all.count >= end(of: search)
    let page = results.dropFirst(search.offset(atMost: 200))
    // A song is no record.
    let wanted = search.kind == .vinyl ? page.filter { $0.nature?.kind != .music || $0.isAlbum } : page
    return wanted.page(hasMore: hasMore) { element in
      element.nature.map { Candidate(id: $0.externalID, record: element.record($0, as: search.kind)) }
    }
  }

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    let parts = wanted.value.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let type = parts.first, let number = parts.last.flatMap({ UInt64($0) }), number > 0 else {
      throw .notFound
    }
    var query = [("id", "\(number)")] + storefront(settings)
    if type == "collection" { query += [("entity", "song"), ("limit", "200")] }
    let request = Request(source: id, url: Request.url(settings.baseURL, "/lookup", query: query))
    return try http.ask(
      Question(request) { response throws(SourceError) in
        let all = try elements(of: response, settings).all.compactMap(\.self)
        for element in all {
          guard let nature = element.nature, nature.externalID == wanted else { continue }
          return Fetched(element.record(nature, as: kind, of: number, among: all))
        }
        throw .notFound
      })
  }

  /// Looks up the e-books and audiobooks of an ISBN, or the album of a barcode with its tracks. The answer contains
  /// neither number, so the requested one is added to the record, to identify the item later.
  static func lookUp(_ code: Code, _ settings: SourceSettings, _ http: HTTPClient) throws(SourceError) -> [Candidate] {
    switch code {
    case .isbn(let isbn):
      return try lookUp([("isbn", isbn.digits13)], settings, http) { element, nature, _ in
        var record = element.record(nature, as: .book)
        guard case .book(var book) = record.details else { return nil }
        book.isbn = isbn
        record.details = .book(book)
        return record
      }
    case .barcode(let barcode):
      for number in upcs(of: barcode) {
        let query = [("upc", number), ("entity", "song"), ("limit", "200")]
        let found = try lookUp(query, settings, http) { element, nature, all in
          guard element.isAlbum, let album = element.collectionId.flatMap({ UInt64($0) }) else { return nil }
          var record = element.record(nature, as: .vinyl, of: album, among: all)
          guard case .vinyl(var vinyl) = record.details else { return nil }
          vinyl.barcode = barcode.digits
          record.details = .vinyl(vinyl)
          return record
        }
        if !found.isEmpty { return found }
      }
      return []
    }
  }

  private static func lookUp(
    _ query: [(String, String)], _ settings: SourceSettings, _ http: HTTPClient,
    record: @escaping @Sendable (Element, Nature, _ all: [Element]) -> Record?
  ) throws(SourceError) -> [Candidate] {
    let request = Request(
      source: id, url: Request.url(settings.baseURL, "/lookup", query: query + storefront(settings)))
    return try http.ask(
      Question(request) { response throws(SourceError) in
        let all = try elements(of: response, settings).all.compactMap(\.self)
        return all.compactMap { element in
          guard let nature = element.nature, let record = record(element, nature, all) else { return nil }
          // The source has no more fields.
          return Candidate(id: nature.externalID, record: record, partialFailures: [])
        }
      })
  }

  /// The number with twelve digits, as it is printed in America, then with thirteen; without the zeros before it, it is
  /// the same number.
  private static func upcs(of barcode: Barcode) -> [String] {
    let digits = barcode.digits.drop { $0 == "0" }
    return [12, 13].compactMap { length in
      length < digits.count ? nil : String(repeating: "0", count: length - digits.count) + digits
    }
  }

  /// The results of an answer. 403, with a page or without a word, means too many questions; a country without a shop
  /// is answered with 400 and `{"errorMessage":"Invalid value(s) for key(s): [country]"}`.
  private static func elements(
    of response: Response, _ settings: SourceSettings
  ) throws(SourceError) -> Elements<Element> {
    switch response.status {
    case 403: throw .network(.throttled(host: settings.host, retryAfter: nil))
    case 400 where refusal(in: response)?.contains("[country") == true: throw .noShop(country: settings.country)
    default: return try response.decoded(as: Results.self, host: settings.host).results
    }
  }

  private static func refusal(in response: Response) -> String? {
    guard let json = try? JSON(answer: response.body) else { return nil }
    return Object<Refusal>.read(json)?.errorMessage
  }

  /// The country of the shop that a record's page is in: `https://music.apple.com/kr/album/…`.
  static func shop(of record: Record) -> String? {
    let part = record.url?.split(separator: "/").dropFirst(2).first
    guard let part, part.utf8.count == 2, part.utf8.allSatisfy({ (97...122).contains($0) }) else { return nil }
    return part.uppercased()
  }

  private static func tracks(of album: UInt64, among elements: [Element]) -> [Track] {
    songs(of: album, among: elements).compactMap { track in
      guard let title = track.trackName, let position = track.position else { return nil }
      return Track(position: position, title: title, seconds: track.seconds, previewURL: track.previewUrl)
    }
  }

  private static func songs(of album: UInt64, among elements: [Element]) -> [Element] {
    elements.filter { $0.wrapperType == "track" && $0.collectionId == "\(album)" && $0.trackNumber != nil }
      .sorted { ($0.discNumber ?? 1, $0.trackNumber ?? 0) < ($1.discNumber ?? 1, $1.trackNumber ?? 0) }
  }

  // MARK: The answer

  private struct Results: Decodable {
    var results: Elements<Element>
  }

  private struct Refusal: Decodable {
    @Lenient<Line> var errorMessage: String?
  }

  /// The kind, title and id of an element. Apple numbers tracks, collections, apps and e-books separately.
  private struct Nature {
    var kind: Kind
    var title: String
    var externalID: ExternalID

    init?(_ kind: Kind, _ title: String?, type: String, number: String?) {
      guard let title, let number else { return nil }
      self.kind = kind
      self.title = title
      externalID = ExternalID(source: ITunes.id, value: "\(type)/\(number)")
    }
  }

  /// The fields that only movies have.
  private struct MoviePrices: Decodable {
    @Lenient<Amount> var trackHdPrice: Double?
    @Lenient<Amount> var trackRentalPrice: Double?
    @Lenient<Amount> var trackHdRentalPrice: Double?
  }

  /// The fields that only apps have.
  private struct App: Decodable {
    @Lenient<Line> var sellerName: String?
    @Lenient<Line> var minimumOsVersion: String?
    @Lenient<List<Line>> var languageCodesISO2A: [String]?
    @Lenient<Day> var currentVersionReleaseDate: PartialDate?
    @Lenient<List<Resource>> var screenshotUrls: [String]?
    @Lenient<List<Resource>> var ipadScreenshotUrls: [String]?
    @Lenient<List<Resource>> var appletvScreenshotUrls: [String]?

    /// Those for the phone, or for the computer, first.
    func screenshots(isOfMac: Bool) -> [Screenshot] {
      let lists = [
        (isOfMac ? "Mac" : "iPhone", screenshotUrls), ("iPad", ipadScreenshotUrls), ("Apple TV", appletvScreenshotUrls),
      ]
      return lists.flatMap { device, urls in (urls ?? []).map { Screenshot(device: device, url: $0) } }
    }
  }

  private struct Element: Decodable {
    @Lenient<Line> var wrapperType: String?
    @Lenient<Line> var kind: String?
    @Lenient<Identifier> var trackId: String?
    @Lenient<Identifier> var collectionId: String?
    @Lenient<Identifier> var artistId: String?
    @Lenient<List<Identifier>> var artistIds: [String]?
    @Lenient<Line> var trackName: String?
    @Lenient<Line> var collectionName: String?
    @Lenient<Line> var artistName: String?
    @Lenient<Day> var releaseDate: PartialDate?
    @Lenient<Line> var primaryGenreName: String?
    @Lenient<List<Line>> var genres: [String]?
    @Lenient<HTML> var longDescription: String?
    @Lenient<HTML> var shortDescription: String?
    @Lenient<HTML> var description: String?
    @Lenient<Link> var trackViewUrl: String?
    @Lenient<Link> var collectionViewUrl: String?
    @Lenient<Link> var feedUrl: String?
    @Lenient<Resource> var previewUrl: String?
    @Lenient<Resource> var artworkUrl600: String?
    @Lenient<Resource> var artworkUrl512: String?
    @Lenient<Resource> var artworkUrl100: String?
    @Lenient<Resource> var artworkUrl60: String?
    @Lenient<Count> var trackTimeMillis: Int?
    @Lenient<Count> var trackCount: Int?
    @Lenient<Count> var trackNumber: Int?
    @Lenient<Count> var discNumber: Int?
    @Lenient<Count> var discCount: Int?
    @Lenient<Amount> var price: Double?
    @Lenient<Amount> var trackPrice: Double?
    @Lenient<Amount> var collectionPrice: Double?
    @Lenient<Line> var currency: String?
    @Lenient<Amount> var averageUserRating: Double?
    @Lenient<Count> var userRatingCount: Int?
    @Lenient<Line> var version: String?
    @Lenient<Line> var contentAdvisoryRating: String?
    @Lenient<Line> var trackExplicitness: String?
    @Lenient<Line> var collectionExplicitness: String?
    @Lenient<Line> var copyright: String?
    @Lenient<Count> var fileSizeBytes: Int?
    var movie: Further<MoviePrices>
    var app: Further<App>

    /// Nil for other types (an artist, a TV season), and without a title or number.
    var nature: Nature? {
      switch (wrapperType, kind) {
      case ("collection", _): Nature(.music, collectionName, type: "collection", number: collectionId)
      case ("audiobook", _): Nature(.book, collectionName, type: "audiobook", number: collectionId)
      // An e-book comes without any wrapper type.
      case (_, "ebook"): Nature(.book, trackName, type: "ebook", number: trackId)
      case ("software", _): Nature(.app, trackName, type: "software", number: trackId)
      case ("track", "feature-movie"): Nature(.movie, trackName, type: "track", number: trackId)
      case ("track", "song"), ("track", "music-video"): Nature(.music, trackName, type: "track", number: trackId)
      case ("track", "podcast"), ("track", "podcast-episode"):
        Nature(.podcast, trackName, type: "track", number: trackId)
      default: nil
      }
    }

    var isAlbum: Bool { wrapperType == "collection" }

    var seconds: Int? { trackTimeMillis.map { ($0 + 500) / 1000 }.flatMap { $0 > 0 ? $0 : nil } }

    /// `7`; with the disc where there are several: `2-07`.
    var position: String? {
      trackNumber.map { number in
        (discCount ?? 1) > 1 ? "\(discNumber ?? 1)-\(number < 10 ? "0" : "")\(number)" : "\(number)"
      }
    }

    /// The genres. The main genre is one of them if there are several; an app has it also separately, in English in
    /// every shop.
    var labels: [String] {
      guard let genres, !genres.isEmpty else { return primaryGenreName.map { [$0] } ?? [] }
      let isAmong = primaryGenreName.map(genres.contains) ?? false
      return ((isAmong ? primaryGenreName.map { [$0] } ?? [] : []) + genres).withoutRepeats(by: \.self)
    }

    /// The record. An album becomes a record if the search was for vinyl.
    func record(_ nature: Nature, as wanted: Kind, tracks: [Track] = []) -> Record {
      let kind = nature.kind == .music && wanted == .vinyl ? .vinyl : nature.kind
      var record = Record(kind: kind, title: nature.title)
      record.externalIDs = [nature.externalID]
      record.credits = credits(of: kind)
      // A podcast's date is that of its newest episode.
      record.released = kind == .podcast ? nil : releaseDate
      record.year = record.released?.year
      record.labels = labels
      record.summary = longDescription ?? shortDescription ?? description
      record.url = trackViewUrl ?? collectionViewUrl
      record.artworkURL = (artworkUrl600 ?? artworkUrl512 ?? artworkUrl100 ?? artworkUrl60).map(ITunes.artwork)
      record.previewURL = previewUrl
      record.publicRating = userRatingCount.flatMap { PublicRating(average: averageUserRating, of: 5, votes: $0) }
      record.offer = offer(of: kind)
      record.details = details(of: kind, title: nature.title, tracks: tracks)
      return record
    }

    /// The record with the tracks of its songs, if it is the album with that number.
    func record(_ nature: Nature, as wanted: Kind, of album: UInt64, among all: [Element]) -> Record {
      var record = record(nature, as: wanted, tracks: ITunes.tracks(of: album, among: all))
      // An album has no preview of its own.
      record.previewURL =
        record.previewURL ?? ITunes.songs(of: album, among: all).lazy.compactMap(\.previewUrl).first
      return record
    }

    private func amount(_ number: Double?) -> Price? {
      number.flatMap { Price(amount: $0, currency: currency ?? "") }
    }

    /// The price. A song sold only with its album has a price of −1; a podcast has none.
    private var cost: Price? { kind == "podcast" ? nil : amount(price ?? trackPrice ?? collectionPrice) }

    /// The fields of the shop's offer; nil when all are missing.
    private func offer(of kind: Kind) -> Offer? {
      var offer = Offer()
      offer.advisory = contentAdvisoryRating ?? (explicitness == "explicit" ? "Explicit" : nil)
      offer.copyright = copyright
      offer.bytes = fileSizeBytes
      // A book has its own price field.
      offer.price = kind == .book ? nil : cost
      switch kind {
      case .movie:
        let prices = movie.value
        offer.hdPrice = amount(prices?.trackHdPrice)
        offer.rentalPrice = amount(prices?.trackRentalPrice)
        offer.hdRentalPrice = amount(prices?.trackHdRentalPrice)
        offer.collection = collectionName
      case .podcast: offer.updated = releaseDate
      case .app:
        let app = app.value
        offer.seller = app?.sellerName == artistName ? nil : app?.sellerName
        offer.minimumSystem = app?.minimumOsVersion
        offer.languages = (app?.languageCodesISO2A ?? []).map { $0.lowercased() }.withoutRepeats(by: \.self)
        offer.updated = app?.currentVersionReleaseDate
      case .book, .vinyl, .music: break
      }
      return offer == Offer() ? nil : offer
    }

    private var explicitness: String? { trackExplicitness ?? collectionExplicitness }

    private func details(of kind: Kind, title: String, tracks: [Track]) -> Details {
      switch kind {
      case .movie:
        var movie = Movie()
        movie.minutes = trackTimeMillis.map { ($0 + 30_000) / 60_000 }.flatMap { $0 > 0 ? $0 : nil }
        return .movie(movie)
      case .book:
        var book = Book()
        book.salePrice = cost
        return .book(book)
      case .vinyl:
        var vinyl = Vinyl()
        vinyl.tracks = tracks
        return .vinyl(vinyl)
      case .music, .podcast, .app:
        var other = Other()
        if wrapperType == "track", kind == .music {
          other.collection = collectionName
          other.collectionID = collectionId.map { ExternalID(source: ITunes.id, value: "collection/\($0)") }
          other.position = position
        } else {
          other.collection = collectionName == title ? nil : collectionName
        }
        other.count = trackCount
        // A podcast's is that of its newest episode.
        other.seconds = self.kind == "podcast" ? nil : seconds
        other.version = version
        other.screenshots = kind == .app ? app.value?.screenshots(isOfMac: self.kind == "mac-software") ?? [] : []
        other.feedURL = feedUrl
        other.tracks = tracks
        return .other(other)
      }
    }

    /// One line names them all. Directors are people, so their line is taken apart; authors only when there is an id
    /// for each of them; musicians never: `Simon & Garfunkel` is one artist.
    private func credits(of kind: Kind) -> [Credit] {
      guard let artistName else { return [] }
      let role = Credit.Role(main: kind)
      if kind == .movie || kind == .book {
        let names = ITunes.names(in: artistName)
        if kind == .movie || names.count > 1 && names.count == artistIds?.count {
          return names.map { Credit(name: $0, role: role) }
        }
      }
      let artist = artistId.map { ExternalID(source: ITunes.id, value: "artist/\($0)") }
      return [Credit(name: artistName, role: role, externalID: artist)]
    }
  }

  /// `A, B & C` as three names; `Robert Downey, Sr.` stays one.
  private static func names(in line: String) -> [String] {
    var names: [String] = []
    for piece in line.split(separator: " & ").flatMap({ $0.split(separator: ", ") }).map({ PlainText.line(String($0)) })
    {
      if ["Jr.", "Sr.", "Jr", "Sr", "II", "III", "IV"].contains(piece), let last = names.popLast() {
        names.append("\(last), \(piece)")
      } else if !piece.isEmpty {
        names.append(piece)
      }
    }
    return names
  }

  /// The address of the picture at 600 × 600. The size is in the last part of the path (`…/100x100bb.jpg`,
  /// `….100x100-75.jpg`); earlier parts may look like sizes but are names.
  private static func artwork(_ url: String) -> String {
    let bytes = url.utf8
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    // Backwards over the height, the cross and the width of the last size there is.
    var rest = bytes[(bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex)...]
    while let cross = rest.lastIndex(of: UInt8(ascii: "x")) {
      rest = rest[..<cross]
      let height = bytes[bytes.index(after: cross)...].prefix(while: isDigit)
      let before = rest.reversed().prefix(while: isDigit)
      if !height.isEmpty, !before.isEmpty {
        return url[..<before.endIndex.base] + "600x600" + url[height.endIndex...]
      }
    }
    return url
  }
}
