import CatalogModel
import Lookup
import Testing

struct AladinTests {
  static let search = found(whole, #"{"itemId": 8, "title": "등잔 2", "author": "", "isbn": "K112836524", "isbn13": ""}"#)
  static let isbn = "9788936434120"

  static let whole = """
    {"title": "등잔 &amp; 불 - 첫 이야기", "link": "http://www.aladin.co.kr/shop/wproduct.aspx?ItemId=7&amp;partner=openAPI",
     "author": "김보기 (지은이), 이보기, 박보기 (옮긴이), 최보기 (그림)", "pubDate": "2014-05-19", "description": "등잔 &lt;이야기&gt;",
     "isbn": "8936434128", "isbn13": "\(isbn)", "itemId": 7, "priceSales": 10800, "priceStandard": 12000,
     "mallType": "BOOK", "cover": "https://image.aladin.co.kr/product/1/cover200/a.jpg",
     "categoryName": "국내도서>소설/시/희곡>한국소설>2000년대 이후 한국소설", "publisher": "보기출판",
     "customerReviewRank": 9, "seriesInfo": {"seriesId": 3, "seriesName": "보기 문고"},
     "subInfo": {"subTitle": "첫 이야기", "originalTitle": "The Lamp (2007년)", "itemPage": 216}}
    """

  static func found(_ items: String...) -> String {
    #"{"version": "20131101", "totalResults": 239, "startIndex": 1, "item": [\#(items.joined(separator: ","))]}"#
  }

  static func page(_ json: String) throws -> Page { try Source.aladin.page(json, .book) }

  @Test(arguments: [search, search + ";", search + ";\n"])
  func `a book is read with all its facts`(json: String) throws {
    let page = try Self.page(json)
    #expect(
      page.candidates.map { LibraryTests.told($0.record) } == [
        [
          "aladin:7", "등잔 & 불", "등잔 & 불: 첫 이야기", "The Lamp", "김보기 author", "이보기 translator", "박보기 translator",
          "보기출판", "2014-05-19", "216", "보기 문고", Self.isbn, "등잔 <이야기>",
          "https://www.aladin.co.kr/shop/wproduct.aspx?ItemId=7",
        ], ["aladin:8", "등잔 2", "https://www.aladin.co.kr/shop/wproduct.aspx?ItemId=8"],
      ])
    let record = try #require(page.candidates.first?.record)
    #expect(record.labels == ["한국소설", "2000년대 이후 한국소설"])
    #expect(record.book?.price == Price(minorUnits: 12000, currency: "KRW"))
    #expect(record.book?.salePrice == Price(minorUnits: 10800, currency: "KRW"))
    #expect(record.publicRating?.value == 90)
    #expect(record.artworkURL == "https://image.aladin.co.kr/product/1/cover200/a.jpg")
    #expect(page.hasMore)
    #expect(page.total == 239)
  }

  @Test func `an ISBN is looked up, words are searched, and the key stays out of the address`() throws {
    var settings = Source.aladin.settings()
    settings.key = "ttbkey1"
    func request(_ words: String, _ field: Search.Field? = nil) -> Request {
      Source.aladin.request(Search(words: words, kind: .book, page: 2, scope: field.map(Search.Scope.field)), settings)
    }
    #expect(request("978-89-364-3412-0").url.contains("/ItemLookUp.aspx?ItemIdType=ISBN13&ItemId=\(Self.isbn)&"))
    #expect(request("등잔", .creator).url.contains("QueryType=Author&SearchTarget=Book&Start=2&MaxResults=20&"))
    #expect(request("x").secret == .parameter("TTBKey", "ttbkey1"))
    #expect(!request("x").url.contains("ttbkey1"))
    let network = FakeNetwork { _, _ in .success(Response(json: Self.search)) }
    let lookUp = try #require(Source.aladin.lookUp)
    #expect(try lookUp(.isbn(ISBN(Self.isbn)), settings, network.client).map(\.id.value) == ["7"])
    #expect(try lookUp(.isbn(ISBN("9788936434267")), settings, network.client) == [])
    #expect(try lookUp(.barcode(Barcode("036000291452")), settings, network.client) == [])
    #expect(throws: SourceError.key(missing: true)) {
      try lookUp(.isbn(ISBN(Self.isbn)), Source.aladin.settings(), network.client)
    }
    let id = ExternalID(source: "aladin", value: "7")
    #expect(try Source.aladin.record(id, as: .book, from: FakeWeb(["ItemId=7": Self.search])).book?.pages == 216)
    #expect(ExternalID(page: "http://www.aladin.co.kr/shop/wproduct.aspx?ItemId=7&start=api") == id)
  }

  /// Refusals come with the status 200 and codes of several meanings.
  @Test(
    arguments: [
      (200, #"{"errorCode": 100, "errorMessage": "잘못된 TTBKey입니다."}"#, .key(missing: false)),
      (200, #"{"errorCode": "10", "errorMessage": "API출력이 금지된 회원입니다."};"#, .key(missing: false)),
      (200, #"{"errorCode": 900, "errorMessage": "일일 호출 한도를 초과했습니다."}"#, .quota(.day)),
      (200, #"{"errorCode": 3, "errorMessage": "Query"}"#, .refused(status: 400, words: "Query")),
      (200, #"{"errorCode": 3}"#, .refused(status: 400)), (500, "<html>", .refused(status: 500)),
      (429, "", .network(.throttled(host: "www.aladin.co.kr", retryAfter: nil))),
      (200, "<html>", .unreadable("an HTML page instead of an answer")), (200, ";", .unreadable("an empty answer")),
      (200, "{}", .unreadable("an answer in an undocumented form")),
    ] as [(Int, String, SourceError)])
  func `a refusal is known by its words`(status: Int, body: String, error: SourceError) {
    #expect(throws: error) {
      try Source.aladin.read(
        Response(json: body, status: status), Search(words: "x", kind: .book), Source.aladin.settings())
    }
  }

  @Test(arguments: [
    #"{"errorCode": 8, "errorMessage": "존재하지 않는 ISBN13입니다."}"#, #"{"errorCode": 8}"#, found(),
    #"{"errorCode": 100, "errorMessage": "조회 결과가 없습니다."}"#,
  ]) func `a book that is not there is no refusal`(body: String) throws {
    #expect(try Self.page(body).candidates == [])
  }
}
