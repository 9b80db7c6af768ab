import CatalogModel

extension Source {
  /// Kakao's book search (Daum): the books of the Korean market, with list and sale price. It needs a key, which is
  /// free.
  ///
  /// <https://developers.kakao.com/docs/latest/ko/daum-search/dev-guide>. A search result is the complete record; it
  /// has no genre.
  public static let kakao = Source(
    id: Kakao.id, name: "Kakao", kinds: [.book], fields: { _ in [.title, .creator, .publisher, .isbn] },
    paging: Paging(mostOnPage: Kakao.mostOnPage, last: Kakao.lastPage), knowsGenres: false,
    attribution: "Book search by Kakao (Daum)",
    // No limit that is shorter than a day's is documented.
    limit: RateLimit(requests: 10, per: 1, perDay: 30_000),
    key: KeyRequirement(
      name: "REST API key", page: "https://developers.kakao.com/console/app", variable: "CATALOG_KAKAO_KEY",
      without: "Korean books are looked up at Open Library, which has fewer"),
    defaultBaseURL: "https://dapi.kakao.com", pictureHosts: ["daumcdn.net", "kakaocdn.net"],
    // A day ends at midnight in Korea.
    policy: { RetryPolicy(throttled: [], busy: [1], rests: [.quota: .untilHour(15)]) }, request: Kakao.request,
    read: Kakao.read, isbnGroups: .ofKorea
  )
  .searchedForISBNs
}

private enum Kakao {
  static let id = "kakao"
  static let lastPage = 50
  static let mostOnPage = 50

  // MARK: Asking

  /// Without a target everything is searched: title, ISBN, publisher and people.
  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let isbn = try? ISBN(search.words)
    let target: String? =
      switch search.field {
      case nil, .catalogNumber: isbn == nil ? nil : "isbn"
      case .title: "title"
      case .creator: "person"
      case .publisher: "publisher"
      case .isbn: "isbn"
      }
    var query = [("query", target == "isbn" ? isbn?.digits13 ?? search.words : search.words)]
    if let target { query.append(("target", target)) }
    query += [("page", "\(search.number)"), ("size", "\(search.size(atMost: mostOnPage))")]
    return Request(
      source: id, url: Request.url(settings.baseURL, "/v3/search/book", query: query),
      secret: settings.key.map { .header("authorization", "KakaoAK \($0)") })
  }

  // MARK: Reading

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    if let refusal = refusal(in: response, host: settings.host) { throw refusal }
    let found = try response.json(host: settings.host)
    let books = try found["documents"].hits()
    let meta = found["meta"]
    // The counts are estimates; only the end is to be relied on.
    let hasMore = meta["is_end"].flag == false && !books.isEmpty
    return Page(books, total: meta["pageable_count"].whole, hasMore: hasMore, candidate: candidate)
  }

  /// The error of a refusal, by its code or by the word of the older form: `{"code":-10,"msg":…}`,
  /// `{"errorType":"RequestThrottled","message":…}`. Nil when the status is enough.
  /// <https://developers.kakao.com/docs/ko/rest-api/error-code>
  private static func refusal(in response: Response, host: String) -> SourceError? {
    guard response.status != 200, let json = try? JSON(answer: response.body) else { return nil }
    switch (json["code"].whole, json["errorType"].line) {
    case (-10, _), (_, "RequestThrottled"): return .quota(.day)
    case (-3, _): return .apiNotEnabled
    case (-4, _), (-5, _), (-12, _), (-401, _), (_, "AccessDeniedError"): return .key(missing: false)
    case (-1, _), (-7, _), (-9798, _): return .network(.busy(host: host, retryAfter: nil))
    // The API has ended.
    case (-9, _): return .refused(status: 410, words: json["msg"].line)
    default: return nil
    }
  }

  /// Nil without a title.
  private static func candidate(_ document: JSON) -> Candidate? {
    guard let title = document["title"].htmlLine else { return nil }
    let authors = document["authors"].elements.compactMap(\.htmlLine)
    var record = Record(kind: .book, title: title)
    record.credits =
      authors.map { Credit(name: $0, role: .author) }
      + document["translators"].elements.compactMap(\.htmlLine).map { Credit(name: $0, role: .translator) }
    record.released = document["datetime"].day
    record.year = record.released?.year
    record.summary = document["contents"].html
    record.url = document["url"].link
    record.artworkURL = document["thumbnail"].resource.map(original)
    // `8936434268 9788936434267`: the same ISBN in both forms, one of which may be missing. The longer one counts,
    // because the shorter form of an ISBN that begins with 979, as in `1162242973 9791162242971`, is that of another
    // book. Other texts are ignored.
    let numbers = document["isbn"].line
    record.book.isbn = ISBN.first(
      of: (numbers ?? "").split(separator: " ").sorted { $0.utf8.count > $1.utf8.count }.map(String.init))
    record.book.publisher = document["publisher"].htmlLine
    record.book.published = record.released
    // A sale price of −1 means that the book is not sold, and 0 that it has no price.
    record.book.price = document["price"].amount.flatMap { $0 > 0 ? Price(amount: $0, currency: "KRW") : nil }
    record.book.salePrice = document["sale_price"].amount.flatMap { Price(amount: $0, currency: "KRW") }
    let facts = [title, numbers, record.book.publisher, record.released?.description, record.summary] + authors
    record.externalIDs = [externalID(record, facts)]
    return Candidate(id: record.externalIDs[0], record: record)
  }

  /// Kakao has no ids. The id of a book without an ISBN is the number of its page, or else a combination of its fields.
  private static func externalID(_ record: Record, _ facts: [String?]) -> ExternalID {
    if let isbn = record.book.isbn { return ExternalID(source: id, value: isbn.digits13) }
    if let page = record.url?.firstRange(of: "bookId=") {
      let digits = record.url?[page.upperBound...].prefix(while: \.isASCIIDigit) ?? ""
      if !digits.isEmpty { return ExternalID(source: id, value: "book/\(digits)") }
    }
    let text = facts.map { $0 ?? "" }.joined(separator: "\u{1F}")
    return ExternalID(source: id, value: "text/" + String(FNV1a(text).value, radix: 16))
  }

  /// The picture that a thumbnail is made of: its address is a part of the thumbnail's, `…?fname=http%3A%2F%2F…`. Small
  /// as it is, the thumbnail stays where that is not so.
  private static func original(_ thumbnail: String) -> String {
    guard let start = thumbnail.firstRange(of: "fname=")?.upperBound else { return thumbnail }
    var bytes: [UInt8] = []
    var rest = thumbnail[start...].prefix { $0 != "&" }.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let decoded = UInt8(String(Substring(rest.prefix(2))), radix: 16), rest.count >= 2 else { return thumbnail }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self).flatMap { JSON.text($0).resource } ?? thumbnail
  }
}
