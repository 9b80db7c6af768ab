import CatalogModel
import Lookup
import Testing

struct GoogleBooksTests {
  static let id = ExternalID(source: "googlebooks", value: "hV--zQEACAAJ")

  static let volume = """
    {"kind": "books#volume", "id": "hV--zQEACAAJ", "volumeInfo": {"title": "Dune", "subtitle": "The First Book",
      "authors": ["Frank Herbert"], "publisher": "Ace", "publishedDate": "1990-09-01T00:00:00Z",
      "description": "<p>Sand &amp; spice.</p><p>More.</p>",
      "industryIdentifiers": [{"type": "OTHER", "identifier": "BL:A0018123"}, {"type": "ISBN_10", "identifier": "0441172717"},
        {"type": "ISBN_13", "identifier": "9780441172719"}], "pageCount": 535, "language": "en",
      "categories": ["Fiction / Science Fiction / General", "Fiction / Classics"], "averageRating": 4.5, "ratingsCount": 9,
      "imageLinks": {"smallThumbnail": "http://books.google.com/books/content?id=x&zoom=5&edge=curl",
        "thumbnail": "http://books.google.com/books/content?id=x&zoom=1&edge=curl&source=gbs_api"}},
     "saleInfo": {"listPrice": {"amount": 9.99, "currencyCode": "USD"}, "retailPrice": {"amount": 7.5, "currencyCode": "USD"}},
     "searchInfo": {"textSnippet": "Sand &amp; <b>spice</b>"}}
    """
  static let bare =
    #"{"id": "hv--zqeacaaj", "volumeInfo": {"title": "Sand"}, "searchInfo": {"textSnippet": "So &quot;it&quot; is"}}"#
  static let search = found(volume, bare)

  static func found(_ volumes: String..., total: Int = 477) -> String {
    #"{"kind": "books#volumes", "totalItems": \#(total), "items": [\#(volumes.joined(separator: ","))]}"#
  }

  static func page(_ json: String, page: Int = 1, pageSize: Int = 20) throws -> Page {
    try Source.googleBooks.page(json, .book, page: page, pageSize: pageSize)
  }

  // MARK: Asking

  @Test(
    arguments: [
      (nil, "frank+herbert"), (.title, "intitle%3Afrank+intitle%3Aherbert"),
      (.creator, "inauthor%3Afrank+inauthor%3Aherbert"), (.publisher, "inpublisher%3Afrank+inpublisher%3Aherbert"),
    ] as [(Search.Field?, String)])
  func `a field keyword precedes each word, and the country is always sent`(field: Search.Field?, query: String) {
    #expect(
      Source.googleBooks.url("frank herbert", .book, page: 2, pageSize: 200, field: field)
        == "https://www.googleapis.com/books/v1/volumes?q=\(query)&printType=books&startIndex=40&maxResults=40&country=US"
    )
  }

  @Test func `an ISBN is requested by its digits, however it was typed`() {
    #expect(
      Source.googleBooks.url("978-0-441-17271-9", .book, field: .isbn)
        == "https://www.googleapis.com/books/v1/volumes?q=isbn%3A9780441172719&printType=books&startIndex=0&maxResults=20&country=US"
    )
  }

  @Test func `the user's country is sent when one book is fetched`() throws {
    let network = FakeNetwork { _, _ in .success(Response(json: Self.volume)) }
    let fetch = try #require(Source.googleBooks.fetch)
    _ = try fetch(Self.id, .book, Source.googleBooks.settings(country: "KR"), network.client)
    #expect(network.requests.map(\.url) == ["https://www.googleapis.com/books/v1/volumes/hV--zQEACAAJ?country=KR"])
  }

  @Test func `a key is sent in a header and never in the address`() throws {
    var settings = Source.googleBooks.settings()
    let search = Search(words: "x", kind: .book)
    #expect(Source.googleBooks.request(search, settings).secret == nil)
    let without = Source.googleBooks.request(search, settings).url
    settings.key = "sesame"
    let request = Source.googleBooks.request(search, settings)
    #expect(request.secret == .header("x-goog-api-key", "sesame"))
    #expect(request.url == without)
    #expect(!"\(request)\(settings)".contains("sesame"))
    let network = FakeNetwork { _, _ in .success(Response(json: Self.search)) }
    let page = try Source.googleBooks.page(of: search, Source.googleBooks.settings(), using: network.client)
    #expect(page.candidates.count == 2, "it answers without a key as well")
    #expect(network.requests.map(\.secret) == [nil])
  }

  // MARK: Asking in other words

  static let nothing = #"{"kind": "books#volumes", "totalItems": 0}"#

  static func page(
    of search: Search, pages: Int = 1, _ network: FakeNetwork
  ) throws -> Page? {
    try network.client.pages(of: [SourceSearch(.googleBooks, search, Source.googleBooks.settings(), pages: pages)])
      .first?.get()
  }

  @Test(arguments: [1, 2]) func `plain words without results are requested again as a title`(page: Int) throws {
    let network = FakeNetwork { request, _ in
      .success(Response(json: request.url.contains("intitle") ? Self.search : Self.nothing))
    }
    let found = try #require(try Self.page(of: Search(words: "left hand", kind: .book, page: page), network))
    #expect(found.candidates.count == 2)
    #expect(found.total == 477)
    #expect(found.hasMore)
    #expect(
      network.requests.map(\.url) == [
        Source.googleBooks.url("left hand", .book, page: page),
        Source.googleBooks.url("left hand", .book, page: page, field: .title),
      ])
  }

  @Test func `words without results in either form are requested twice at most`() throws {
    let network = FakeNetwork { _, _ in .success(Response(json: Self.nothing)) }
    #expect(try Self.page(of: Search(words: "x", kind: .book), network) == Page(total: 0))
    #expect(network.requests.count == 2)
  }

  @Test func `all pages use the form of the words that found results`() throws {
    let network = FakeNetwork { request, _ in
      guard request.url.contains("intitle") else { return .success(Response(json: Self.nothing)) }
      let start = request.url.contains("startIndex=0&") ? 0 : 40
      let hits = (start..<start + 40).map { #"{"id": "v\#($0)", "volumeInfo": {"title": "T"}}"# }
      return .success(Response(json: Self.found(hits.joined(separator: ","), total: 80)))
    }
    let found = try #require(try Self.page(of: Search(words: "x", kind: .book), pages: 20, network))
    #expect(found.candidates.count == 80)
    #expect(network.requests.map { $0.url.contains("intitle") } == [false, true, true])
  }

  @Test(arguments: [
    Search(words: "x", kind: .book, scope: .field(.title)), Search(words: "x", kind: .book, scope: .field(.creator)),
    Search(words: "978-0-441-17271-9", kind: .book),
  ])
  func `a search in a field or for an ISBN is not repeated as a title`(search: Search) throws {
    let network = FakeNetwork { _, _ in .success(Response(json: Self.nothing)) }
    #expect(try Self.page(of: search, network)?.candidates == [])
    #expect(network.requests.count == 1)
  }

  @Test(arguments: [
    (#"{"totalItems": 20, "items": []}"#, 2, 1), (#"{"totalItems": 20, "items": []}"#, 1, 2),
    (#"{"totalItems": 1, "items": [{}]}"#, 1, 1),
  ])
  func `only an empty first page or a total of zero counts as no results`(
    json: String, page: Int, questions: Int
  ) throws {
    let network = FakeNetwork { _, _ in .success(Response(json: json)) }
    #expect(try Self.page(of: Search(words: "x", kind: .book, page: page), network)?.candidates == [])
    #expect(network.requests.count == questions)
  }

  @Test func `a failed second attempt fails the search`() {
    let network = FakeNetwork { request, _ in
      .success(
        request.url.contains("intitle") ? Response(json: "", status: 503) : Response(json: Self.nothing))
    }
    #expect(throws: SourceError.network(.busy(host: "www.googleapis.com", retryAfter: nil))) {
      try Self.page(of: Search(words: "x", kind: .book), network)
    }
  }

  // MARK: Reading

  @Test func `a volume is read with all its values`() throws {
    let book = try #require(try Self.page(Self.search).candidates.first)
    #expect(book.id == Self.id)
    #expect(book.record.title == "Dune")
    #expect(book.record.creators == ["Frank Herbert"])
    #expect(book.record.summary == "Sand & spice.\n\nMore.", "\(book.record.summary ?? "")")
    #expect(book.record.otherTitles == ["Dune: The First Book"])
    #expect(book.record.released == PartialDate("1990-09-01"))
    #expect(book.record.year == 1990)
    #expect(
      book.record.labels == ["Fiction / Science Fiction / General", "Fiction / Classics"],
      "as sent: the tree knows them")
    #expect(book.record.publicRating == PublicRating(value: 90, votes: 9))
    #expect(book.record.url == "https://books.google.com/books?id=hV--zQEACAAJ")
    #expect(book.record.artworkURL == "https://books.google.com/books/content?id=x&zoom=1&source=gbs_api")
    let facts = try #require(book.record.book)
    #expect(facts.isbn?.digits13 == "9780441172719")
    #expect(facts.pages == 535)
    #expect(facts.language == "en")
    #expect(facts.publisher == "Ace")
    #expect(facts.published == PartialDate("1990-09-01"))
    #expect(facts.price == Price(minorUnits: 999, currency: "USD"))
    #expect(facts.salePrice == Price(minorUnits: 750, currency: "USD"))
  }

  @Test func `absent values are unknown, and the snippet replaces a missing description`() throws {
    let book = try #require(try Self.page(Self.search).candidates.last?.record)
    #expect(book.book == Book())
    #expect(book.credits.isEmpty)
    #expect(book.labels.isEmpty)
    #expect(book.artworkURL == nil)
    #expect(book.summary == #"So "it" is"#)
    #expect(book.publicRating == nil)
  }

  @Test func `ids that differ only by case are two books`() throws {
    #expect(try Set(Self.page(Self.search).candidates.map(\.id)).count == 2)
  }

  @Test func `the largest suitable picture of a volume is chosen`() throws {
    let json = Self.volume.replacing(
      "\"imageLinks\": {",
      with: "\"imageLinks\": {\"medium\": \"http://books.google.com/m\", \"extraLarge\": \"https://x.org/xl\", ")
    let book = try Source.googleBooks.record(Self.id, as: .book, from: FakeWeb(["/volumes/": json]))
    #expect(book.artworkURL == "https://books.google.com/m")
  }

  @Test(arguments: [("en", "en"), ("pt-BR", "pt"), ("zh-TW", "zh"), ("un", nil), ("", nil), ("eng", nil), ("1x", nil)])
  func `a language code is shortened to two letters or unknown`(code: String, language: String?) throws {
    let json = Self.volume.replacing("\"language\": \"en\"", with: "\"language\": \"\(code)\"")
    #expect(try Self.page(Self.found(json)).candidates.first?.record.book?.language == language)
  }

  @Test func `an answer without results needs no list`() throws {
    #expect(try Self.page(#"{"kind": "books#volumes", "totalItems": 0}"#) == Page(total: 0))
    #expect(try !Self.page(#"{"kind": "books#volumes", "totalItems": 300}"#).hasMore, "the total is an estimate")
    #expect(throws: SourceError.self) { try Self.page(#"{"kind": "books#volume"}"#) }
  }

  @Test func `pages end with the total or with an empty page`() throws {
    #expect(try Self.page(Self.search).hasMore)
    #expect(try !Self.page(Self.found(Self.volume, total: 1)).hasMore)
    #expect(try !Self.page(Self.found(Self.volume, total: 21), page: 2).hasMore)
    #expect(try !Self.page(Self.found()).hasMore)
  }

  @Test func `an ISBN finds only the book that has it`() throws {
    let other = Self.bare
    let web = FakeWeb(["isbn%3A9780441172719": Self.found(other, Self.volume), "isbn%3A9788936434120": Self.search])
    #expect(try Source.googleBooks.candidates(.isbn(ISBN("0441172717")), from: web).map(\.id) == [Self.id])
    #expect(try Source.googleBooks.candidates(.isbn(ISBN("9788936434120")), from: web).isEmpty)
    #expect(try Source.googleBooks.candidates(.barcode(Barcode("036000291452")), from: web).isEmpty)
    #expect(web.asked.count == 2)
  }

  @Test(arguments: ["", "a/b", "../x", "a?b", "a b"])
  func `an invalid id sends no request`(value: String) {
    let web = FakeWeb(["/": Self.volume])
    #expect(throws: SourceError.notFound) {
      try Source.googleBooks.record(ExternalID(source: "googlebooks", value: value), as: .book, from: web)
    }
    #expect(web.asked.isEmpty)
  }

  // MARK: Refusals

  static func limited(_ code: Int, _ message: String, limit: String? = nil, reason: String = "rateLimitExceeded")
    -> Response
  {
    let metadata = limit.map { #", "metadata": {"quota_limit": "\#($0)", "consumer": "projects/1"}"# } ?? ""
    return Response(
      json: """
        {"error": {"code": \(code), "message": "\(message)", "status": "RESOURCE_EXHAUSTED",
         "errors": [{"reason": "\(reason)", "domain": "global"}],
         "details": [{"@type": "x", "reason": "RATE_LIMIT_EXCEEDED"\(metadata)}]}}
        """, status: code)
  }

  static let daily = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'books'"
  static let hasty =
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'books'"

  @Test(
    arguments: [
      (limited(429, daily), .day), (limited(429, hasty), .minute), (limited(429, "m"), .minute),
      (limited(429, "m", limit: "defaultPerDayPerProject"), .day),
      (limited(429, "m", limit: "defaultPerMinutePerUser"), .minute),
      (limited(403, "m", reason: "dailyLimitExceeded"), .day), (limited(400, daily), .day),
      (limited(403, hasty, reason: "quotaExceeded"), .minute),
    ] as [(Response, Quota)])
  func `a quota error is of the day or of the minute, or due to a missing key`(answer: Response, quota: Quota) {
    var settings = Source.googleBooks.settings()
    let search = Search(words: "x", kind: .book)
    #expect(throws: SourceError.quota(.noKey)) { try Source.googleBooks.read(answer, search, settings) }
    settings.key = "k"
    #expect(throws: SourceError.quota(quota)) { try Source.googleBooks.read(answer, search, settings) }
  }

  @Test func `a backend failure at Google is no quota error`() {
    let down = #"{"error": {"code": 503, "message": "m", "errors": [{"reason": "backendFailed", "domain": "global"}]}}"#
    #expect(throws: SourceError.network(.busy(host: "www.googleapis.com", retryAfter: nil))) {
      try Source.googleBooks.read(
        Response(json: down, status: 503), Search(words: "x", kind: .book), Source.googleBooks.settings())
    }
  }

  static func refusal(_ code: Int, errors reason: String, details: String? = nil) -> Response {
    let details = details.map { #", "details": [{"reason": "\#($0)"}]"# } ?? ""
    return Response(
      json: #"{"error": {"code": \#(code), "message": "m", "errors": [{"reason": "\#(reason)"}]\#(details)}}"#,
      status: code)
  }

  @Test(
    arguments: [
      (refusal(400, errors: "badRequest", details: "API_KEY_INVALID"), .key(missing: false)),
      (refusal(400, errors: "keyInvalid"), .key(missing: false)),
      (refusal(403, errors: "forbidden", details: "API_KEY_SERVICE_BLOCKED"), .key(missing: false)),
      (refusal(403, errors: "accessNotConfigured"), .apiNotEnabled),
      (refusal(403, errors: "forbidden", details: "SERVICE_DISABLED"), .apiNotEnabled),
      (refusal(403, errors: "dailyLimitExceeded"), .quota(.day)),
      (refusal(400, errors: "dailyLimitExceeded"), .quota(.day)),
      (refusal(429, errors: "rateLimitExceeded"), .quota(.minute)),
      (refusal(403, errors: "userRateLimitExceeded"), .quota(.minute)),
      (
        Response(json: "<html>", status: 429), .network(.throttled(host: "www.googleapis.com", retryAfter: nil))
      ),
      (refusal(403, errors: "unknownLocation"), .refused(status: 403, words: "m")),
      (refusal(400, errors: "invalidParameter"), .refused(status: 400, words: "m")),
      (Response(json: "<html>", status: 403), .refused(status: 403)),
      (Response(json: #"{"error": 5}"#, status: 403), .refused(status: 403)),
      (refusal(404, errors: "notFound"), .notFound),
    ] as [(Response, SourceError)])
  func `Google Books error answers map to source errors`(response: Response, error: SourceError) throws {
    var settings = Source.googleBooks.settings()
    settings.key = "k"
    let fetch = try #require(Source.googleBooks.fetch)
    let network = FakeNetwork { _, _ in .success(response) }
    #expect(throws: error) { try fetch(Self.id, .book, settings, network.client) }
    guard error != .notFound else { return }
    #expect(throws: error) { try Source.googleBooks.read(response, Search(words: "x", kind: .book), settings) }
  }

  @Test func `an access error without a key is reported as a missing key`() {
    #expect(throws: SourceError.key(missing: true)) {
      try Source.googleBooks.read(
        Self.refusal(403, errors: "accessNotConfigured"), Search(words: "x", kind: .book), Source.googleBooks.settings()
      )
    }
  }
}
