import CatalogModel

extension Source {
  /// Google Books: categories, covers and prices of books in all languages. A key is optional; requests without one
  /// share a quota that is usually used up.
  ///
  /// <https://developers.google.com/books/docs/v1/reference/volumes/list>.
  public static let googleBooks = Source(
    id: GoogleBooks.id, name: "Google Books", kinds: [.book], fields: { _ in [.title, .creator, .publisher, .isbn] },
    paging: Paging(mostOnPage: GoogleBooks.mostOnPage), attribution: "Book data by Google Books",
    // The daily quota of a user's own key; no shorter limit is documented.
    limit: RateLimit(requests: 5, per: 1, perDay: 1_000),
    key: KeyRequirement(
      name: "API key", page: "https://console.cloud.google.com/apis/credentials", variable: "CATALOG_GOOGLEBOOKS_KEY",
      without: "it is asked only by name, and usually limits requests", isRequired: false),
    defaultBaseURL: "https://www.googleapis.com/books/v1", pictureHosts: ["books.google.com"],
    // In bad times two of three requests fail. A day ends at midnight in California, in winter at 8 in UTC.
    policy: RetryPolicy(
      throttled: [], busy: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], rests: [.quota: .untilHour(8)]),
    request: GoogleBooks.request, read: GoogleBooks.read, rephrased: GoogleBooks.rephrased,
    fetch: GoogleBooks.fetch, lookUp: GoogleBooks.lookUp)
}

private enum GoogleBooks {
  static let id = "googlebooks"
  static let mostOnPage = 40

  // MARK: Asking

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let keyword =
      switch search.field {
      case nil, .catalogNumber: ""
      case .title: "intitle:"
      case .creator: "inauthor:"
      case .publisher: "inpublisher:"
      case .isbn: "isbn:"
      }
    // A keyword holds for the word behind it alone.
    let words = search.field == .isbn ? [number(in: search)] : search.words.split(whereSeparator: \.isWhitespace)
    return ask(
      "/volumes", settings,
      query: [
        ("q", words.map { keyword + $0 }.joined(separator: " ")), ("printType", "books"),
        ("startIndex", "\(search.offset(atMost: mostOnPage))"), ("maxResults", "\(search.size(atMost: mostOnPage))"),
      ])
  }

  /// The same words looked for in titles: at times plain words find nothing that is there, and titles are found.
  /// <https://github.com/anpigon/obsidian-book-search-plugin/issues/153>
  static func rephrased(_ search: Search) -> Search? {
    guard search.scope == nil, (try? ISBN(search.words)) == nil else { return nil }
    var search = search
    search.scope = .field(.title)
    return search
  }

  /// The ISBN of a search, without separators.
  private static func number(in search: Search) -> Substring {
    (try? ISBN(search.words)).map { $0.digits13[...] } ?? search.words[...]
  }

  /// A request with the country. Without one, Google guesses it from the IP address, and refuses when it cannot.
  private static func ask(_ path: String, _ settings: SourceSettings, query: [(String, String)] = []) -> Request {
    Request(
      source: id, url: Request.url(settings.baseURL, path, query: query + [("country", settings.country)]),
      secret: settings.key.map { .header("x-goog-api-key", $0) })
  }

  // MARK: Reading

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let found = try decoded(response, as: Found.self, settings)
    guard let volumes = found.items else {
      // An answer without hits has no list.
      guard found.totalItems != nil else { throw .anotherShape }
      return Page(total: 0)
    }
    // The total is an estimate that changes from page to page.
    let seen = search.offset(atMost: mostOnPage) + volumes.all.count
    let hasMore = !volumes.all.isEmpty && seen < found.totalItems ?? 0
    var page = volumes.page(total: found.totalItems, hasMore: hasMore) { $0.candidate }
    // Some results of a search by ISBN only mention the ISBN.
    if search.field == .isbn, let isbn = try? ISBN(search.words) {
      page.candidates.removeAll { $0.record.isbn != isbn }
      (page.total, page.hasMore) = (page.candidates.count, false)
    }
    return page
  }

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard let id = Identifier.read(.text(wanted.value)) else { throw .notFound }
    var record = try http.ask(
      Question(thing: ask("/volumes/\(id)", settings)) { response throws(SourceError) in
        guard let candidate = try decoded(response, as: Volume.self, settings).candidate else {
          throw .unreadable("a book without a title")
        }
        return candidate.record
      })
    record.externalIDs = ([wanted] + record.externalIDs).withoutRepeats(by: \.self)
    return Fetched(record)
  }

  static func lookUp(_ code: Code, _ settings: SourceSettings, _ http: HTTPClient) throws(SourceError) -> [Candidate] {
    guard case .isbn(let isbn) = code else { return [] }
    let search = Search(words: isbn.digits13, kind: .book, scope: .field(.isbn))
    return try Source.googleBooks.page(of: search, settings, using: http).candidates
  }

  /// The decoded answer, or the error. A used-up quota and an invalid key have the same statuses (400, 403 or 429), and
  /// differ only in a word.
  private static func decoded<Body: Decodable>(
    _ response: Response, as type: Body.Type, _ settings: SourceSettings
  ) throws(SourceError) -> Body {
    if [400, 403, 429].contains(response.status), let json = try? JSON(answer: response.body),
      let refusal = Object<Refusal>.read(json["error"])
    {
      if refusal.isQuota { throw .quota(settings.key == nil ? .noKey : refusal.isOfDay ? .day : .minute) }
      let hasKey = settings.key != nil
      if refusal.saysOff { throw hasKey ? .apiNotEnabled : .key(missing: true) }
      if refusal.saysKey { throw .key(missing: !hasKey) }
    }
    return try response.decoded(as: type, host: settings.host)
  }

  // MARK: The answers

  /// Why Google refuses, in the older and in the newer form, of which both come:
  /// <https://cloud.google.com/apis/design/errors>.
  private struct Refusal: Decodable {
    @Lenient<Line> var message: String?
    @Lenient<Line> var status: String?
    @Lenient<List<Object<Cause>>> var errors: [Cause]?
    @Lenient<List<Object<Cause>>> var details: [Cause]?

    struct Cause: Decodable {
      @Lenient<Line> var reason: String?
      @Lenient<Object<Limit>> var metadata: Limit?
    }

    /// `defaultPerDayPerProject`, `1/d/{project}`.
    struct Limit: Decodable {
      @Lenient<Line> var quotaLimit: String?
      @Lenient<Line> var quotaUnit: String?
    }

    private static let daily = ["dailyLimitExceeded", "dailyLimitExceededUnreg", "quotaExceeded"]
    private static let hasty = [
      "rateLimitExceeded", "rateLimitExceededUnreg", "userRateLimitExceeded", "userRateLimitExceededUnreg",
      "RATE_LIMIT_EXCEEDED",
    ]

    private var causes: [Cause] { (errors ?? []) + (details ?? []) }

    private var reasons: [String] { causes.compactMap(\.reason) }

    private func isAmong(_ words: [String]) -> Bool { reasons.contains(where: words.contains) }

    var isQuota: Bool { status == "RESOURCE_EXHAUSTED" || isAmong(Self.daily + Self.hasty) }

    /// Whether the daily quota is used up. The quota's name is more reliable than the reason, which is mostly
    /// `rateLimitExceeded`.
    var isOfDay: Bool {
      let limits = [message] + causes.flatMap { [$0.metadata?.quotaLimit, $0.metadata?.quotaUnit] }
      let words = limits.compactMap { $0?.lowercased() }.joined(separator: " ")
      if ["per day", "perday", "/d/"].contains(where: words.contains) { return true }
      return isAmong(Self.daily) && !["per minute", "perminute", "/min/"].contains(where: words.contains)
    }

    /// Whether the Books API is switched off in the key's project.
    var saysOff: Bool { isAmong(["accessNotConfigured", "SERVICE_DISABLED"]) }

    /// Whether the key is not accepted.
    var saysKey: Bool {
      isAmong(["keyInvalid", "keyExpired", "ipRefererBlocked"]) || reasons.contains { $0.hasPrefix("API_KEY_") }
    }
  }

  private struct Found: Decodable {
    @Lenient<Whole> var totalItems: Int?
    var items: Elements<Volume>?
  }

  private struct Volume: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Object<Info>> var volumeInfo: Info?
    @Lenient<Object<Sale>> var saleInfo: Sale?
    @Lenient<Object<Snippet>> var searchInfo: Snippet?

    /// Nil without an id or a title.
    var candidate: Candidate? {
      guard let id, let info = volumeInfo, let title = info.title else { return nil }
      let externalID = ExternalID(source: GoogleBooks.id, value: id)
      var record = Record(kind: .book, title: title)
      record.externalIDs = [externalID]
      record.credits = (info.authors ?? []).map { Credit(name: $0, role: .author) }
      record.released = info.publishedDate
      record.year = info.publishedDate?.year
      record.labels = (info.categories ?? []).withoutRepeats(by: \.self)
      record.add(subtitle: info.subtitle)
      record.summary = info.description ?? searchInfo?.textSnippet
      record.url = externalID.page
      record.artworkURL = info.imageLinks
      // 0 is no average: a star is the least that there is.
      let average = info.averageRating.flatMap { $0 > 0 ? $0 : nil }
      record.publicRating = PublicRating(average: average, of: 5, votes: info.ratingsCount)
      var book = Book()
      book.isbn = info.isbn
      book.publisher = info.publisher
      book.published = info.publishedDate
      book.pages = info.pageCount
      book.language = info.language
      book.price = saleInfo?.listPrice
      book.salePrice = saleInfo?.retailPrice
      record.details = .book(book)
      return Candidate(id: externalID, record: record)
    }
  }

  private struct Info: Decodable {
    @Lenient<HTMLLine> var title: String?
    @Lenient<HTMLLine> var subtitle: String?
    @Lenient<List<Line>> var authors: [String]?
    @Lenient<Line> var publisher: String?
    @Lenient<Day> var publishedDate: PartialDate?
    @Lenient<HTML> var description: String?
    @Lenient<List<Object<Number>>> var industryIdentifiers: [Number]?
    @Lenient<Count> var pageCount: Int?
    /// A search returns one coarse category, the details full paths: `Fiction / Science Fiction / General`.
    @Lenient<List<Line>> var categories: [String]?
    @Lenient<Amount> var averageRating: Double?
    @Lenient<Count> var ratingsCount: Int?
    @Lenient<Cover> var imageLinks: String?
    @Lenient<Language> var language: String?

    /// The ISBN, preferably of 13 digits. The list also has numbers of libraries.
    var isbn: ISBN? {
      let numbers = (industryIdentifiers ?? []).filter { $0.type?.hasPrefix("ISBN_") == true }
      return numbers.compactMap(\.identifier).sorted { $0.utf8.count > $1.utf8.count }
        .lazy.compactMap { try? ISBN($0) }.first
    }
  }

  private struct Number: Decodable {
    @Lenient<Line> var type: String?
    @Lenient<Line> var identifier: String?
  }

  private struct Sale: Decodable {
    @Lenient<Money> var listPrice: Price?
    @Lenient<Money> var retailPrice: Price?
  }

  private struct Snippet: Decodable {
    @Lenient<HTML> var textSnippet: String?
  }

  private enum Money: Reading {
    static func read(_ json: JSON) -> Price? {
      guard let amount = Amount.read(json["amount"]), let currency = Line.read(json["currencyCode"]) else { return nil }
      return Price(amount: amount, currency: currency)
    }
  }

  /// `en`, `pt-BR`; `un` is unknown.
  private enum Language: Reading {
    static func read(_ json: JSON) -> String? {
      guard let code = json.text?.prefix(while: { $0 != "-" }).lowercased(), code.utf8.count == 2, code != "un",
        code.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
      else { return nil }
      return code
    }
  }

  /// The address of the picture in the best size for a cover, without the drawn page curl. A search returns only small
  /// sizes.
  private enum Cover: Reading {
    static func read(_ json: JSON) -> String? {
      ["medium", "large", "small", "thumbnail", "extraLarge", "smallThumbnail"].lazy
        .compactMap { Resource.read(json[$0]) }.first.map { Request.url($0, removing: "edge") }
    }
  }
}
