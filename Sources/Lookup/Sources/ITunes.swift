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
    policy: { RetryPolicy(throttled: [], busy: [1], rests: [.throttled: .seconds(300, most: 3_600)]) },
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

  static func fields(of kind: Kind) -> Set<Search.Field> {
    Set(Search.Field.allCases.filter { parameter(of: $0, kind) != nil })
  }

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let attribute: String? =
      switch search.scope {
      case .attribute(let name): name
      case .field(let field): parameter(of: field, search.kind)
      case nil: nil
      }
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

  /// Apple names no attribute of e-books.
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
    let hasMore = results.count >= end(of: search)
    let page = results.dropFirst(search.offset(atMost: 200))
    // A song is no record.
    let wanted = page.filter { search.kind != .vinyl || $0.nature?.kind != .music || $0.isAlbum }
    return Page(Array(wanted), hasMore: hasMore) { element in
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
        let all = try elements(of: response, settings)
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
      // As it is printed in America, then in Europe.
      for number in [12, 13].compactMap(barcode.padded) {
        let query = [("upc", number), ("entity", "song"), ("limit", "200")]
        let found = try lookUp(query, settings, http) { element, nature, all in
          guard element.isAlbum, let album = element.json["collectionId"].identifier.flatMap({ UInt64($0) }) else {
            return nil
          }
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
        let all = try elements(of: response, settings)
        return all.compactMap { element in
          guard let nature = element.nature, let record = record(element, nature, all) else { return nil }
          // The source has no more fields.
          return Candidate(id: nature.externalID, record: record, partialFailures: [])
        }
      })
  }

  /// The results of an answer. 403, with a page or without a word, means too many questions; a country without a shop
  /// is answered with 400 and `{"errorMessage":"Invalid value(s) for key(s): [country]"}`.
  private static func elements(
    of response: Response, _ settings: SourceSettings
  ) throws(SourceError) -> [Element] {
    if response.status == 403 { throw .network(.throttled(host: settings.host, retryAfter: nil)) }
    if response.status == 400, let json = try? JSON(answer: response.body),
      json["errorMessage"].line?.contains("[country") == true
    {
      throw .noShop(country: settings.country)
    }
    return try response.json(host: settings.host)["results"].hits().map(Element.init)
  }

  /// The country of the shop that a record's page is in: `https://music.apple.com/kr/album/…`.
  static func shop(of record: Record) -> String? {
    let part = record.url?.split(separator: "/").dropFirst(2).first
    guard let part, part.utf8.count == 2, part.utf8.allSatisfy({ (97...122).contains($0) }) else { return nil }
    return part.uppercased()
  }

  private static func songs(of album: UInt64, among elements: [Element]) -> [Element] {
    elements.filter {
      $0.type == "track" && $0.json["collectionId"].identifier == "\(album)" && $0.number("trackNumber") != nil
    }
    .sorted {
      ($0.number("discNumber") ?? 1, $0.number("trackNumber") ?? 0)
        < ($1.number("discNumber") ?? 1, $1.number("trackNumber") ?? 0)
    }
  }

  // MARK: The answer

  /// The kind, title and id of an element. Apple numbers tracks, collections, apps and e-books separately.
  private struct Nature {
    var kind: Kind
    var title: String
    var externalID: ExternalID

    /// - Parameter part: the beginning of the names of its fields: `collection`, `track`.
    init?(_ kind: Kind, _ json: JSON, _ part: String, type: String) {
      guard let title = json[part + "Name"].line, let number = json[part + "Id"].identifier else { return nil }
      (self.kind, self.title) = (kind, title)
      externalID = ExternalID(source: ITunes.id, value: "\(type)/\(number)")
    }
  }

  private struct Element {
    let json: JSON
    let type: String?
    let kind: String?

    init(_ json: JSON) {
      (self.json, type, kind) = (json, json["wrapperType"].line, json["kind"].line)
    }

    private func line(_ keys: String...) -> String? { keys.lazy.compactMap { json[$0].line }.first }
    func number(_ key: String) -> Int? { json[key].positive }

    /// Nil for other types (an artist, a TV season), and without a title or number.
    var nature: Nature? {
      switch (type, kind) {
      case ("collection", _): Nature(.music, json, "collection", type: "collection")
      case ("audiobook", _): Nature(.book, json, "collection", type: "audiobook")
      // An e-book comes without any wrapper type.
      case (_, "ebook"): Nature(.book, json, "track", type: "ebook")
      case ("software", _): Nature(.app, json, "track", type: "software")
      case ("track", "feature-movie"): Nature(.movie, json, "track", type: "track")
      case ("track", "song"), ("track", "music-video"): Nature(.music, json, "track", type: "track")
      case ("track", "podcast"), ("track", "podcast-episode"): Nature(.podcast, json, "track", type: "track")
      default: nil
      }
    }

    var isAlbum: Bool { type == "collection" }

    private var seconds: Int? { number("trackTimeMillis").map { ($0 + 500) / 1000 }.flatMap { $0 > 0 ? $0 : nil } }

    /// `7`; with the disc where there are several: `2-07`.
    private var position: String? {
      number("trackNumber").map { track in
        (number("discCount") ?? 1) > 1
          ? "\(number("discNumber") ?? 1)-\(track < 10 ? "0" : "")\(track)" : "\(track)"
      }
    }

    private var track: Track? {
      guard let title = line("trackName"), let position else { return nil }
      return Track(position: position, title: title, seconds: seconds, previewURL: json["previewUrl"].resource)
    }

    /// The genres. The main genre is one of them if there are several; an app has it also separately, in English in
    /// every shop.
    private var labels: [String] {
      let (genres, main) = (json["genres"].lines, line("primaryGenreName").map { [$0] } ?? [])
      if genres.isEmpty { return main }
      return (main.filter(genres.contains) + genres).withoutRepeats(by: \.self)
    }

    /// The record. An album becomes a record if the search was for vinyl.
    func record(_ nature: Nature, as wanted: Kind, tracks: [Track] = []) -> Record {
      let kind = nature.kind == .music && wanted == .vinyl ? .vinyl : nature.kind
      var record = Record(kind: kind, title: nature.title)
      record.externalIDs = [nature.externalID]
      record.credits = credits(of: kind)
      // A podcast's date is that of its newest episode.
      record.released = kind == .podcast ? nil : json["releaseDate"].day
      record.year = record.released?.year
      record.labels = labels
      record.summary = ["longDescription", "shortDescription", "description"].lazy.compactMap { json[$0].html }.first
      record.url = json["trackViewUrl"].link ?? json["collectionViewUrl"].link
      record.artworkURL = ["artworkUrl600", "artworkUrl512", "artworkUrl100", "artworkUrl60"].lazy
        .compactMap { json[$0].resource }.first.map(ITunes.artwork)
      record.previewURL = json["previewUrl"].resource
      record.publicRating = number("userRatingCount").flatMap {
        PublicRating(average: json["averageUserRating"].amount, of: 5, votes: $0)
      }
      record.offer = offer(of: kind)
      switch kind {
      case .movie:
        record.movie.minutes = number("trackTimeMillis").map { ($0 + 30_000) / 60_000 }.flatMap { $0 > 0 ? $0 : nil }
      case .book: record.book.salePrice = cost
      case .vinyl: record.vinyl.tracks = tracks
      case .music, .podcast, .app: record.details = .other(other(as: kind, title: nature.title, tracks: tracks))
      }
      return record
    }

    /// The record with the tracks of its songs, if it is the album with that number.
    func record(_ nature: Nature, as wanted: Kind, of album: UInt64, among all: [Element]) -> Record {
      let songs = ITunes.songs(of: album, among: all)
      var record = record(nature, as: wanted, tracks: songs.compactMap(\.track))
      // An album has no preview of its own.
      record.previewURL = record.previewURL ?? songs.lazy.compactMap { $0.json["previewUrl"].resource }.first
      return record
    }

    private func price(_ keys: String...) -> Price? {
      keys.lazy.compactMap { json[$0].amount }.first.flatMap { Price(amount: $0, currency: line("currency") ?? "") }
    }

    /// The price. A song sold only with its album has a price of −1; a podcast has none.
    private var cost: Price? { kind == "podcast" ? nil : price("price", "trackPrice", "collectionPrice") }

    /// The fields of the shop's offer; nil when all are missing.
    private func offer(of kind: Kind) -> Offer? {
      var offer = Offer()
      let isExplicit = line("trackExplicitness", "collectionExplicitness") == "explicit"
      offer.advisory = line("contentAdvisoryRating") ?? (isExplicit ? "Explicit" : nil)
      offer.copyright = line("copyright")
      offer.bytes = number("fileSizeBytes")
      // A book has its own price field.
      offer.price = kind == .book ? nil : cost
      switch kind {
      case .movie:
        offer.hdPrice = price("trackHdPrice")
        offer.rentalPrice = price("trackRentalPrice")
        offer.hdRentalPrice = price("trackHdRentalPrice")
        offer.collection = line("collectionName")
      case .podcast: offer.updated = json["releaseDate"].day
      case .app:
        offer.seller = line("sellerName") == line("artistName") ? nil : line("sellerName")
        offer.minimumSystem = line("minimumOsVersion")
        offer.languages = json["languageCodesISO2A"].lines.map { $0.lowercased() }.withoutRepeats(by: \.self)
        offer.updated = json["currentVersionReleaseDate"].day
      case .book, .vinyl, .music: break
      }
      return offer == Offer() ? nil : offer
    }

    private func other(as kind: Kind, title: String, tracks: [Track]) -> Other {
      var other = Other()
      let collection = line("collectionName")
      if type == "track", kind == .music {
        other.collection = collection
        other.collectionID = json["collectionId"].identifier.map {
          ExternalID(source: ITunes.id, value: "collection/\($0)")
        }
        other.position = position
      } else {
        other.collection = collection == title ? nil : collection
      }
      other.count = number("trackCount")
      // A podcast's is that of its newest episode.
      other.seconds = self.kind == "podcast" ? nil : seconds
      other.version = line("version")
      other.screenshots = kind == .app ? screenshots : []
      other.feedURL = json["feedUrl"].link
      other.tracks = tracks
      return other
    }

    /// Those for the phone, or for the computer, first.
    private var screenshots: [Screenshot] {
      let lists = [
        (kind == "mac-software" ? "Mac" : "iPhone", "screenshotUrls"), ("iPad", "ipadScreenshotUrls"),
        ("Apple TV", "appletvScreenshotUrls"),
      ]
      return lists.flatMap { device, urls in
        json[urls].elements.compactMap(\.resource).map { Screenshot(device: device, url: $0) }
      }
    }

    /// One line names them all. Directors are people, so their line is taken apart; authors only when there is an id
    /// for each of them; musicians never: `Simon & Garfunkel` is one artist.
    private func credits(of kind: Kind) -> [Credit] {
      guard let artist = line("artistName") else { return [] }
      let role = Credit.Role(main: kind)
      if kind == .movie || kind == .book {
        let (names, ids) = (ITunes.names(in: artist), json["artistIds"].elements.compactMap(\.identifier))
        if kind == .movie || names.count > 1 && names.count == ids.count {
          return names.map { Credit(name: $0, role: role) }
        }
      }
      let id = json["artistId"].identifier.map { ExternalID(source: ITunes.id, value: "artist/\($0)") }
      return [Credit(name: artist, role: role, externalID: id)]
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
    // Backwards over the height, the cross and the width of the last size there is.
    var rest = bytes[(bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex)...]
    while let cross = rest.lastIndex(of: UInt8(ascii: "x")) {
      rest = rest[..<cross]
      let height = bytes[bytes.index(after: cross)...].prefix(while: \.isASCIIDigit)
      let before = rest.reversed().prefix(while: \.isASCIIDigit)
      if !height.isEmpty, !before.isEmpty {
        return url[..<before.endIndex.base] + "600x600" + url[height.endIndex...]
      }
    }
    return url
  }
}
