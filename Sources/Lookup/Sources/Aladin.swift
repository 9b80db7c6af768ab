import CatalogModel

extension Source {
  /// The shop Aladin: the books of the Korean market, with categories, original titles and pages. It needs a key, which
  /// is free.
  ///
  /// <https://blog.aladin.co.kr/openapi>. Its refusals have the status 200.
  public static let aladin = Source(
    id: Aladin.id, name: "Aladin", kinds: [.book], fields: { _ in [.title, .creator, .publisher, .isbn] },
    paging: Paging(mostOnPage: Aladin.mostOnPage, mostHits: 200),
    attribution: "도서 DB 제공: 알라딘 인터넷서점 (www.aladin.co.kr)",
    // No limit that is shorter than a day's is documented.
    limit: RateLimit(requests: 5, per: 1, perDay: 5_000),
    key: KeyRequirement(
      name: "TTBKey", page: "https://www.aladin.co.kr/ttb/wblog_manage.aspx", variable: "CATALOG_ALADIN_KEY",
      without: "Korean books are looked up at Kakao and Open Library"),
    defaultBaseURL: "https://www.aladin.co.kr/ttb/api", pictureHosts: ["aladin.co.kr"],
    // A day ends at midnight in Korea.
    policy: RetryPolicy(throttled: [], busy: [1], rests: [.quota: .untilHour(15)]), request: Aladin.request,
    read: Aladin.read, fetch: Aladin.fetch, lookUp: Aladin.lookUp, isbnGroups: .ofKorea,
    pages: "https://www.aladin.co.kr/shop/wproduct.aspx?ItemId=")
}

private enum Aladin {
  static let id = "aladin"
  static let mostOnPage = 50

  // MARK: Asking

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    if search.field == .isbn || search.scope == nil, let isbn = try? ISBN(search.words) {
      return item(isbn.digits13, by: "ISBN13", settings)
    }
    let type =
      switch search.field {
      case .title: "Title"
      case .creator: "Author"
      case .publisher: "Publisher"
      case nil, .isbn, .catalogNumber: "Keyword"
      }
    return ask(
      "/ItemSearch.aspx", settings,
      [
        ("Query", search.words), ("QueryType", type), ("SearchTarget", "Book"), ("Start", "\(search.number)"),
        ("MaxResults", "\(search.size(atMost: mostOnPage))"),
      ])
  }

  private static func item(_ id: String, by type: String, _ settings: SourceSettings) -> Request {
    ask("/ItemLookUp.aspx", settings, [("ItemIdType", type), ("ItemId", id)])
  }

  private static func ask(_ path: String, _ settings: SourceSettings, _ query: [(String, String)]) -> Request {
    let form = [("Output", "js"), ("Version", "20131101"), ("Cover", "Big")]
    return Request(
      source: id, url: Request.url(settings.baseURL, path, query: query + form),
      secret: settings.key.map { .parameter("TTBKey", $0) })
  }

  static func lookUp(_ code: Code, _ settings: SourceSettings, _ http: HTTPClient) throws(SourceError) -> [Candidate] {
    guard case .isbn(let isbn) = code else { return [] }
    let search = Search(words: isbn.digits13, kind: .book, scope: .field(.isbn))
    return try Source.aladin.page(of: search, settings, using: http).candidates.filter { $0.record.isbn == isbn }
  }

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard let value = Identifier.read(.text(wanted.value)) else { throw .notFound }
    let search = Search(words: value, kind: .book)
    let page = try http.ask(
      Question(thing: item(value, by: "ItemId", settings)) { response throws(SourceError) in
        try read(response, search, settings)
      })
    guard let record = page.candidates.first?.record else { throw .notFound }
    return Fetched(record)
  }

  // MARK: Reading

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    var response = response
    // The answer is a statement of JavaScript at times.
    if let end = response.body.lastIndex(where: { $0 > 0x20 }), response.body[end] == UInt8(ascii: ";") {
      response.body.removeSubrange(end...)
    }
    if let json = try? JSON(answer: response.body), json["errorMessage"] != .null || json["errorCode"] != .null {
      if let refusal = refusal(json, response.status) { throw refusal }
      return Page(total: 0)
    }
    let found = try response.decoded(as: Found.self, host: settings.host)
    let seen = search.offset(atMost: mostOnPage) + found.item.all.count
    return found.item.page(
      total: found.totalResults, hasMore: !found.item.all.isEmpty && seen < found.totalResults ?? 0
    ) { $0.candidate }
  }

  /// The error of a refusal; nil when there is no such item. The codes are not documented, and not of one meaning: the
  /// words count.
  private static func refusal(_ json: JSON, _ status: Int) -> SourceError? {
    let words = Line.read(json["errorMessage"]) ?? ""
    func says(_ parts: String...) -> Bool { parts.contains { words.lowercased().contains($0) } }
    if says("초과", "한도", "limit") { return .quota(.day) }
    if says("키", "key", "회원", "인증") { return .key(missing: false) }
    if says("존재하지", "없") || Whole.read(json["errorCode"]) == 8 { return nil }
    return .refused(status: status == 200 ? 400 : status, words: words.isEmpty ? nil : String(words.prefix(200)))
  }

  private struct Found: Decodable {
    @Lenient<Whole> var totalResults: Int?
    var item: Elements<Item>
  }

  private struct Item: Decodable {
    @Lenient<Identifier> var itemId: String?
    @Lenient<HTMLLine> var title: String?
    @Lenient<HTMLLine> var author: String?
    @Lenient<Day> var pubDate: PartialDate?
    @Lenient<HTML> var description: String?
    @Lenient<Line> var isbn: String?
    @Lenient<Line> var isbn13: String?
    @Lenient<Amount> var priceStandard: Double?
    @Lenient<Amount> var priceSales: Double?
    @Lenient<Resource> var cover: String?
    @Lenient<HTMLLine> var categoryName: String?
    @Lenient<HTMLLine> var publisher: String?
    @Lenient<Amount> var customerReviewRank: Double?
    @Lenient<Object<Series>> var seriesInfo: Series?
    @Lenient<Object<More>> var subInfo: More?

    /// Nil without an id or a title.
    var candidate: Candidate? {
      guard let itemId, let title else { return nil }
      let id = ExternalID(source: Aladin.id, value: itemId)
      var record = Record(kind: .book, title: title)
      if let subtitle = subInfo?.subTitle, title.hasSuffix(" - \(subtitle)") {
        record.title = String(title.dropLast(subtitle.count + 3))
        record.add(subtitle: subtitle)
      }
      record.originalTitle = subInfo?.original
      record.externalIDs = [id]
      record.credits = NamedPerson.all(in: author ?? "", .firstLast).compactMap(Self.credit)
      record.released = pubDate
      record.year = pubDate?.year
      // `국내도서>소설/시/희곡>한국소설>2000년대 이후 한국소설`: the shop, a shelf of several, and what is on it.
      record.labels = (categoryName ?? "").split(separator: ">").dropFirst().filter { !$0.contains("/") }
        .map(\.trimmingBlanks)
      record.summary = description
      record.url = id.page
      record.artworkURL = cover
      // 0 is no average: half a star is the least that there is.
      let average = customerReviewRank.flatMap { $0 > 0 ? $0 : nil }
      record.publicRating = PublicRating(average: average, of: 10, votes: nil)
      var book = Book()
      book.isbn = [isbn13, isbn].lazy.compactMap { $0.flatMap { try? ISBN($0) } }.first
      book.publisher = publisher
      book.published = pubDate
      book.pages = subInfo?.itemPage
      book.series = seriesInfo?.seriesName
      book.price = priceStandard.flatMap(Self.price)
      book.salePrice = priceSales.flatMap(Self.price)
      record.details = .book(book)
      return Candidate(id: id, record: record)
    }

    private static func price(_ amount: Double) -> Price? {
      amount > 0 ? Price(amount: amount, currency: "KRW") : nil
    }

    /// Nil for those who did neither write nor translate it.
    private static func credit(_ person: NamedPerson) -> Credit? {
      switch person.role.map(PartRole.init) {
      case nil, .author?: Credit(name: person.name, role: .author)
      case .translator?: Credit(name: person.name, role: .translator)
      default: nil
      }
    }
  }

  private struct Series: Decodable {
    @Lenient<HTMLLine> var seriesName: String?
  }

  private struct More: Decodable {
    @Lenient<HTMLLine> var subTitle: String?
    @Lenient<HTMLLine> var originalTitle: String?
    @Lenient<Count> var itemPage: Int?

    /// `The Vegetarian` of `The Vegetarian (2007년)`.
    var original: String? {
      guard let originalTitle else { return nil }
      guard originalTitle.hasSuffix(")"), let open = originalTitle.lastIndex(of: "("),
        originalTitle[open...].contains(where: \.isNumber), case let title = originalTitle[..<open].trimmingBlanks,
        !title.isEmpty
      else { return originalTitle }
      return title
    }
  }
}
