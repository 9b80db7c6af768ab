import CatalogModel

extension Source {
  /// Apple's iTunes Search API: movies, music, podcasts, apps and e-books of one country's store. No key.
  ///
  /// <https://developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/iTuneSearchAPI/>. It answers about
  /// 20 questions a minute; then comes 403 with an empty body, which says nothing about the question.
  public static let itunes = Source(
    id: ITunes.id, name: "iTunes", kinds: [.movie, .music, .podcast, .app, .book],
    fields: { $0 == .app ? [.creator] : [.title, .creator] },
    attribution: "Provided courtesy of iTunes", limit: RateLimit(requests: 20, per: 60),
    defaultBaseURL: "https://itunes.apple.com", hasPreviews: true, request: ITunes.request, read: ITunes.read,
    fetch: ITunes.fetch)
}

private enum ITunes {
  static let id = "itunes"

  // MARK: Asking

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let (media, entity) = media(of: search.kind)
    var query = [
      ("term", search.words), ("country", settings.country), ("media", media), ("entity", entity),
      ("limit", "\(search.size(atMost: 200))"),
    ]
    if let attribute = search.field.flatMap({ attribute($0, of: search.kind) }) {
      query.append(("attribute", attribute))
    }
    // `offset` is in no document, and works.
    if search.number > 1 { query.append(("offset", "\(search.offset(atMost: 200))")) }
    return Request(source: id, url: Request.url(settings.baseURL, "/search", query: query))
  }

  private static func media(of kind: Kind) -> (media: String, entity: String) {
    switch kind {
    case .movie: ("movie", "movie")
    case .book: ("ebook", "ebook")
    case .vinyl, .music: ("music", "album")
    case .podcast: ("podcast", "podcast")
    case .app: ("software", "software")
    }
  }

  private static func attribute(_ field: Search.Field, of kind: Kind) -> String? {
    switch (field, kind) {
    case (.title, .movie): "movieTerm"
    case (.creator, .movie): "directorTerm"
    case (.title, .music), (.title, .vinyl): "albumTerm"
    case (.creator, .music), (.creator, .vinyl): "artistTerm"
    case (.title, .podcast), (.title, .book): "titleTerm"
    case (.creator, .podcast), (.creator, .book): "authorTerm"
    case (.creator, .app): "softwareDeveloper"
    case (.title, .app), (.publisher, _), (.isbn, _), (.catalogNumber, _): nil
    }
  }

  // MARK: Reading

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let results = try elements(of: response, host: settings.host)
    // No total is sent; a full page may have another behind it, up to the 200 results that iTunes promises at most.
    let size = search.size(atMost: 200)
    let hasMore = results.all.count >= size && search.offset(atMost: 200) + size < 200
    return results.page(hasMore: hasMore) { element in
      element.nature.map { Candidate(id: $0.externalID, record: element.record($0, as: search.kind)) }
    }
  }

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Record {
    let parts = wanted.value.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let type = parts.first, let number = parts.last.flatMap({ UInt64($0) }) else {
      throw .notFound
    }
    var query = [("id", "\(number)"), ("country", settings.country)]
    if type == "collection" { query += [("entity", "song"), ("limit", "200")] }
    let request = Request(source: id, url: Request.url(settings.baseURL, "/lookup", query: query))
    let response: Response
    do { response = try http.send(request) } catch { throw .network(error) }

    let all = try elements(of: response, host: settings.host).all.compactMap(\.self)
    for element in all {
      guard let nature = element.nature, nature.externalID == wanted else { continue }
      var record = element.record(nature, as: kind, tracks: tracks(of: number, among: all))
      // An album has none of its own.
      record.previewURL = record.previewURL ?? songs(of: number, among: all).lazy.compactMap(\.previewUrl).first
      return record
    }
    throw .notFound
  }

  /// The results of an answer. 403 without a word means too many questions.
  private static func elements(of response: Response, host: String) throws(SourceError) -> Elements<Element> {
    if response.status == 403, response.body.allSatisfy({ $0 <= 0x20 }) {
      throw .network(.throttled(host: host, retryAfter: nil))
    }
    return try response.decoded(as: Results.self, host: host).results
  }

  private static func tracks(of album: UInt64, among elements: [Element]) -> [Track] {
    songs(of: album, among: elements).compactMap { track in
      guard let title = track.trackName, let number = track.trackNumber else { return nil }
      let position =
        (track.discCount ?? 1) > 1 ? "\(track.discNumber ?? 1)-\(number < 10 ? "0" : "")\(number)" : "\(number)"
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

  /// What an element is, and what it is called. Apple numbers tracks, collections, apps and e-books separately.
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

    /// Nil for what is none of our kinds (an artist, a TV season), and for what has no name or number.
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

    var seconds: Int? { trackTimeMillis.map { ($0 + 500) / 1000 }.flatMap { $0 > 0 ? $0 : nil } }

    /// The record. An album is a record of vinyl for someone who asks for vinyl.
    func record(_ nature: Nature, as wanted: Kind, tracks: [Track] = []) -> Record {
      let kind = nature.kind == .music && wanted == .vinyl ? .vinyl : nature.kind
      var record = Record(kind: kind, title: nature.title)
      record.externalIDs = [nature.externalID]
      record.credits = credits(of: kind)
      // A podcast's date is that of its newest episode.
      record.released = kind == .podcast ? nil : releaseDate
      record.year = record.released?.year
      record.labels = ([primaryGenreName].compactMap(\.self) + (genres ?? [])).withoutRepeats(by: \.self)
      record.summary = longDescription ?? shortDescription ?? description
      record.url = trackViewUrl ?? collectionViewUrl
      record.artworkURL = (artworkUrl600 ?? artworkUrl512 ?? artworkUrl100 ?? artworkUrl60).map(ITunes.artwork)
      record.previewURL = previewUrl
      if let averageUserRating, let userRatingCount, (0...5).contains(averageUserRating) {
        record.publicRating = PublicRating(value: averageUserRating * 20, votes: userRatingCount)
      }
      record.details = details(of: kind, title: nature.title, tracks: tracks)
      return record
    }

    private func details(of kind: Kind, title: String, tracks: [Track]) -> Details {
      let price = (price ?? trackPrice ?? collectionPrice).flatMap { Price(amount: $0, currency: currency ?? "") }
      switch kind {
      case .movie:
        var movie = Movie()
        movie.minutes = trackTimeMillis.map { ($0 + 30_000) / 60_000 }.flatMap { $0 > 0 ? $0 : nil }
        return .movie(movie)
      case .book:
        var book = Book()
        book.salePrice = price
        return .book(book)
      case .vinyl:
        var vinyl = Vinyl()
        vinyl.tracks = tracks
        return .vinyl(vinyl)
      case .music, .podcast, .app:
        var other = Other()
        other.collection = collectionName == title ? nil : collectionName
        other.count = trackCount
        other.seconds = seconds
        other.price = price
        other.version = version
        other.feedURL = feedUrl
        other.tracks = tracks
        return .other(other)
      }
    }

    /// One line names them all. Directors are people, so their line is taken apart; authors only when there is an id for
    /// each of them; musicians never: `Simon & Garfunkel` is one artist.
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

  /// The picture at 600 × 600: the size stands in the last part of the path (`…/100x100bb.jpg`, `….100x100-75.jpg`), and
  /// what looks like a size before it belongs to the picture's name.
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
