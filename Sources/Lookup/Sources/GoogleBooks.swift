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
    policy: {
      RetryPolicy(
        throttled: [], busy: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], rests: [.quota: .untilHour(8)])
    },
    request: GoogleBooks.request, read: GoogleBooks.read, rephrased: GoogleBooks.rephrased,
    fetch: GoogleBooks.fetch
  )
  .searchedForISBNs
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
    let found = try json(of: response, settings)
    guard found.object?["items"] != nil else {
      // An answer without results has no list.
      guard found["totalItems"].whole != nil else { throw .anotherShape }
      return Page(total: 0)
    }
    // The total is an estimate that changes from page to page.
    var page = Page(
      try found["items"].hits(), of: search, atMost: mostOnPage, total: found["totalItems"].whole,
      candidate: candidate)
    // Some results of a search by ISBN only mention the ISBN.
    if search.field == .isbn, let isbn = try? ISBN(search.words) {
      page.candidates.removeAll { $0.record.book.isbn != isbn }
      (page.total, page.hasMore) = (page.candidates.count, false)
    }
    return page
  }

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard wanted.value.isIdentifier else { throw .notFound }
    let record = try http.ask(
      Question(thing: ask("/volumes/\(wanted.value)", settings)) { response throws(SourceError) in
        guard let candidate = candidate(try json(of: response, settings)) else {
          throw .unreadable("a book without a title")
        }
        return candidate.record
      })
    return Fetched(record, as: wanted)
  }

  /// The answer, or the error. A used-up quota and an invalid key have the same statuses (400, 403 or 429), and differ
  /// only in a word.
  private static func json(of response: Response, _ settings: SourceSettings) throws(SourceError) -> JSON {
    if [400, 403, 429].contains(response.status), let json = try? JSON(answer: response.body) {
      let refusal = Refusal(json["error"])
      if refusal.isQuota { throw .quota(settings.key == nil ? .noKey : refusal.isOfDay ? .day : .minute) }
      let hasKey = settings.key != nil
      if refusal.saysOff { throw hasKey ? .apiNotEnabled : .key(missing: true) }
      if refusal.saysKey { throw .key(missing: !hasKey) }
    }
    return try response.json(host: settings.host)
  }

  // MARK: The answers

  /// Why Google refuses, in the older and in the newer form, of which both come:
  /// <https://cloud.google.com/apis/design/errors>.
  private struct Refusal {
    private let json: JSON
    private let causes: [JSON]
    private let reasons: [String]

    init(_ json: JSON) {
      self.json = json
      causes = json["errors"].elements + json["details"].elements
      reasons = causes.compactMap { $0["reason"].line }
    }

    private static let daily = ["dailyLimitExceeded", "dailyLimitExceededUnreg", "quotaExceeded"]
    private static let hasty = [
      "rateLimitExceeded", "rateLimitExceededUnreg", "userRateLimitExceeded", "userRateLimitExceededUnreg",
      "RATE_LIMIT_EXCEEDED",
    ]

    private func isAmong(_ words: [String]) -> Bool { reasons.contains(where: words.contains) }

    var isQuota: Bool { json["status"].line == "RESOURCE_EXHAUSTED" || isAmong(Self.daily + Self.hasty) }

    /// Whether the daily quota is used up. The quota's name (`defaultPerDayPerProject`, `1/d/{project}`) is more
    /// reliable than the reason, which is mostly `rateLimitExceeded`.
    var isOfDay: Bool {
      let limits = causes.flatMap { [$0["metadata"]["quota_limit"].line, $0["metadata"]["quota_unit"].line] }
      let words = ([json["message"].line] + limits).compactMap { $0?.lowercased() }.joined(separator: " ")
      if ["per day", "perday", "/d/"].contains(where: words.contains) { return true }
      return isAmong(Self.daily) && !["per minute", "perminute", "/min/"].contains(where: words.contains)
    }

    /// Whether the Books API is switched off in the key's project.
    var saysOff: Bool { isAmong(["accessNotConfigured", "SERVICE_DISABLED"]) }

    var saysKey: Bool {
      isAmong(["keyInvalid", "keyExpired", "ipRefererBlocked"]) || reasons.contains { $0.hasPrefix("API_KEY_") }
    }
  }

  /// Nil without an id or a title.
  private static func candidate(_ volume: JSON) -> Candidate? {
    let (info, sale) = (volume["volumeInfo"], volume["saleInfo"])
    guard let number = volume["id"].identifier, let title = info["title"].htmlLine else { return nil }
    let id = ExternalID(source: self.id, value: number)
    var record = Record(kind: .book, title: title)
    record.externalIDs = [id]
    record.credits = info["authors"].lines.map { Credit(name: $0, role: .author) }
    record.released = info["publishedDate"].day
    record.year = record.released?.year
    // A search returns one coarse category, the details full paths: `Fiction / Science Fiction / General`.
    record.labels = info["categories"].lines.withoutRepeats(by: \.self)
    record.add(subtitle: info["subtitle"].htmlLine)
    record.summary = info["description"].html ?? volume["searchInfo"]["textSnippet"].html
    record.url = id.page
    // The best size for a cover, without the drawn page curl. A search returns only small sizes.
    record.artworkURL = ["medium", "large", "small", "thumbnail", "extraLarge", "smallThumbnail"].lazy
      .compactMap { info["imageLinks"][$0].resource }.first.map { Request.url($0, removing: "edge") }
    // 0 is no average: a star is the least that there is.
    let average = info["averageRating"].amount.flatMap { $0 > 0 ? $0 : nil }
    record.publicRating = PublicRating(average: average, of: 5, votes: info["ratingsCount"].positive)
    // The list also has numbers of libraries.
    let numbers = info["industryIdentifiers"].elements.filter { $0["type"].line?.hasPrefix("ISBN_") == true }
    record.book.isbn = ISBN.first(
      of: numbers.compactMap { $0["identifier"].line }.sorted { $0.utf8.count > $1.utf8.count })
    record.book.publisher = info["publisher"].line
    record.book.published = record.released
    record.book.pages = info["pageCount"].positive
    // `en`, `pt-BR`; `un` is unknown.
    let language = info["language"].text?.prefix { $0 != "-" }.lowercased()
    record.book.language = language.flatMap {
      $0.utf8.count == 2 && $0 != "un" && $0.utf8.allSatisfy(\.isASCIILetter) ? $0 : nil
    }
    record.book.price = price(sale["listPrice"])
    record.book.salePrice = price(sale["retailPrice"])
    return Candidate(id: id, record: record)
  }

  private static func price(_ json: JSON) -> Price? {
    guard let amount = json["amount"].amount, let currency = json["currencyCode"].line else { return nil }
    return Price(amount: amount, currency: currency)
  }
}
