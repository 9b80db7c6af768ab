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
    policy: { RetryPolicy(throttled: [], busy: [1], rests: [.quota: .untilHour(15)]) }, request: Aladin.request,
    read: Aladin.read, fetch: Aladin.fetch, isbnGroups: .ofKorea,
    pages: "https://www.aladin.co.kr/shop/wproduct.aspx?ItemId="
  )
  .searchedForISBNs
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

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard wanted.value.isIdentifier else { throw .notFound }
    let search = Search(words: wanted.value, kind: .book)
    let page = try http.ask(
      Question(thing: item(wanted.value, by: "ItemId", settings)) { response throws(SourceError) in
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
    let found = try response.json(host: settings.host)
    return Page(
      try found["item"].hits(), of: search, atMost: mostOnPage, total: found["totalResults"].whole,
      candidate: candidate)
  }

  /// The error of a refusal; nil when there is no such item. The codes are not documented, and not of one meaning: the
  /// words count.
  private static func refusal(_ json: JSON, _ status: Int) -> SourceError? {
    let words = json["errorMessage"].line ?? ""
    func says(_ parts: String...) -> Bool { parts.contains { words.lowercased().contains($0) } }
    if says("초과", "한도", "limit") { return .quota(.day) }
    if says("키", "key", "회원", "인증") { return .key(missing: false) }
    if says("존재하지", "없") || json["errorCode"].whole == 8 { return nil }
    return .refused(status: status == 200 ? 400 : status, words: words.isEmpty ? nil : String(words.prefix(200)))
  }

  /// Nil without an id or a title.
  private static func candidate(_ item: JSON) -> Candidate? {
    guard let number = item["itemId"].identifier, let title = item["title"].htmlLine else { return nil }
    let id = ExternalID(source: self.id, value: number)
    var record = Record(kind: .book, title: title)
    let more = item["subInfo"]
    if let subtitle = more["subTitle"].htmlLine, title.hasSuffix(" - \(subtitle)") {
      record.title = String(title.dropLast(subtitle.count + 3))
      record.add(subtitle: subtitle)
    }
    record.originalTitle = more["originalTitle"].htmlLine.map(withoutYear)
    record.externalIDs = [id]
    record.credits = NamedPerson.all(in: item["author"].htmlLine ?? "", .firstLast).compactMap { person in
      // Those who did neither write nor translate it are left out.
      let role = person.role.map(Credit.Role.init(ofBook:)) ?? .author
      return role.map { Credit(name: person.name, role: $0) }
    }
    record.released = item["pubDate"].day
    record.year = record.released?.year
    // `국내도서>소설/시/희곡>한국소설>2000년대 이후 한국소설`: the shop, a shelf of several, and what is on it.
    record.labels = (item["categoryName"].htmlLine ?? "").split(separator: ">").dropFirst()
      .filter { !$0.contains("/") }.map(\.trimmingBlanks)
    record.summary = item["description"].html
    record.url = id.page
    record.artworkURL = item["cover"].resource
    // 0 is no average: half a star is the least that there is.
    let average = item["customerReviewRank"].amount.flatMap { $0 > 0 ? $0 : nil }
    record.publicRating = PublicRating(average: average, of: 10, votes: nil)
    record.book.isbn = ISBN.first(of: [item["isbn13"].line, item["isbn"].line].compactMap(\.self))
    record.book.publisher = item["publisher"].htmlLine
    record.book.published = record.released
    record.book.pages = more["itemPage"].positive
    record.book.series = item["seriesInfo"]["seriesName"].htmlLine
    record.book.price = item["priceStandard"].won
    record.book.salePrice = item["priceSales"].won
    return Candidate(id: id, record: record)
  }

  /// `The Vegetarian` of `The Vegetarian (2007년)`.
  private static func withoutYear(_ original: String) -> String {
    guard original.hasSuffix(")"), let open = original.lastIndex(of: "("),
      original[open...].contains(where: \.isNumber), case let title = original[..<open].trimmingBlanks, !title.isEmpty
    else { return original }
    return title
  }
}

extension JSON {
  /// A price in won; 0 is none.
  fileprivate var won: Price? { amount.flatMap { $0 > 0 ? Price(amount: $0, currency: "KRW") : nil } }
}
