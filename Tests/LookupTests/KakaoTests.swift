import CatalogModel
import Lookup
import Testing

struct KakaoTests {
  static let search = found(whole, bare)

  static let whole = """
    {"authors": ["한강", "엄지혜"], "contents": "1980년 5월 &lt;광주&gt; &amp; 그 후 -&gt; 지금까지", "datetime": "2014-05-19T00:00:00.000+09:00",
     "isbn": "8936434128 9788936434120", "price": 12000, "publisher": "창비", "sale_price": 10800, "status": "정상판매",
     "thumbnail": "https://search1.kakaocdn.net/thumb/R120x174.q85/?fname=http%3A%2F%2Ft1.daumcdn.net%2Flbook%2Fimage%2F521598%3Ftimestamp%3D20240101",
     "title": "<b>소년</b>이 온다 &#40;특별판&#41;", "translators": ["데보라 스미스"],
     "url": "https://search.daum.net/search?w=bookpage&bookId=521598&q=%EC%86%8C%EB%85%84"}
    """
  static let bare = """
    {"authors": [], "contents": "", "datetime": "", "isbn": "", "price": 0, "publisher": "", "sale_price": -1,
     "status": "", "thumbnail": "", "title": "소년", "translators": [], "url": ""}
    """

  static func found(_ documents: String..., isEnd: Bool = false) -> String {
    """
    {"documents": [\(documents.joined(separator: ","))],
     "meta": {"is_end": \(isEnd), "pageable_count": 239, "total_count": 277}}
    """
  }

  static func page(_ json: String, page: Int = 1) throws -> Page { try Source.kakao.page(json, .book, page: page) }

  // MARK: Asking

  @Test(
    arguments: [
      (nil, ""), (.title, "&target=title"), (.creator, "&target=person"), (.publisher, "&target=publisher"),
      (.isbn, "&target=isbn"),
    ] as [(Search.Field?, String)])
  func `a search without a field covers all fields`(field: Search.Field?, target: String) throws {
    #expect(
      Source.kakao.url("한강", .book, page: 2, pageSize: 200, field: field)
        == "https://dapi.kakao.com/v3/search/book?query=%ED%95%9C%EA%B0%95\(target)&page=2&size=50")
  }

  @Test(arguments: ["978-89-364-3412-0", "9788936434120", "8936434128"], [nil, .isbn] as [Search.Field?])
  func `an ISBN is requested by its digits, with or without the field`(words: String, field: Search.Field?) {
    #expect(
      Source.kakao.url(words, .book, field: field)
        == "https://dapi.kakao.com/v3/search/book?query=9788936434120&target=isbn&page=1&size=20")
  }

  @Test func `the key goes into a header`() {
    var settings = Source.kakao.settings()
    settings.key = "abc"
    let request = Source.kakao.request(Search(words: "x", kind: .book), settings)
    #expect(request.secret == .header("authorization", "KakaoAK abc"))
    #expect(!request.url.contains("abc"))
  }

  // MARK: Reading

  @Test func `a book is read with all its values`() throws {
    let book = try #require(try Self.page(Self.search).candidates.first)
    #expect(book.id == ExternalID(source: "kakao", value: "9788936434120"))
    #expect(book.record.title == "소년이 온다 (특별판)")
    #expect(book.record.creators == ["한강", "엄지혜"])
    #expect(book.record.credits.last == Credit(name: "데보라 스미스", role: .translator))
    #expect(book.record.summary == "1980년 5월 <광주> & 그 후 -> 지금까지")
    #expect(book.record.released == PartialDate("2014-05-19"))
    #expect(book.record.year == 2014)
    #expect(book.record.book?.isbn?.digits13 == "9788936434120")
    #expect(book.record.book?.price == Price(minorUnits: 12000, currency: "KRW"))
    #expect(book.record.book?.salePrice == Price(minorUnits: 10800, currency: "KRW"))
    #expect(book.record.book?.publisher == "창비")
    #expect(
      book.record.artworkURL == "https://t1.daumcdn.net/lbook/image/521598?timestamp=20240101", "larger, and over HTTPS"
    )
    #expect(book.record.labels.isEmpty, "Kakao knows no genres")
  }

  @Test func `empty values are unknown, and a book that is not sold has no sale price`() throws {
    let book = try #require(try Self.page(Self.search).candidates.last?.record)
    #expect(book.title == "소년")
    #expect(book.credits.isEmpty)
    #expect(book.year == nil)
    #expect(book.summary == nil)
    #expect(book.book == Book())
    #expect(book.artworkURL == nil)
    #expect(book.url == nil)
  }

  @Test(arguments: [
    ("8936434268 9788936434267", "9788936434267"), ("1162242973 9791162242971", "9791162242971"),
    (" 9788936434267", "9788936434267"),
    ("8936434268 ", "9788936434267"), ("893643408X 9788936434083", "9788936434083"), ("893643408x", "9788936434083"),
    (" 2015106000012", nil), ("K112836524 ", nil), ("9788936434268", nil), ("", nil),
  ])
  func `an ISBN is read from a pair, from one number or from none`(isbn: String, digits: String?) throws {
    let json = Self.whole.replacing("8936434128 9788936434120", with: isbn)
    let book = try #require(try Self.page(Self.found(json)).candidates.first)
    #expect(book.record.book?.isbn?.digits13 == digits)
    #expect(book.id.value == digits ?? "book/521598")
  }

  @Test func `books without an ISBN have different ids`() throws {
    let other = Self.bare.replacing("\"publisher\": \"\"", with: "\"publisher\": \"창비\"")
    let third = Self.bare.replacing("\"url\": \"\"", with: "\"url\": \"https://x.org/?bookId=7\"")
    let ids = try Self.page(Self.found(Self.bare, other, third)).candidates.map(\.id.value)
    #expect(Set(ids).count == 3)
    #expect(ids.last == "book/7")
    #expect(try Self.page(Self.found(Self.bare)).candidates.map(\.id.value) == [ids[0]], "the same at the next search")
  }

  @Test(arguments: [
    "https://x.org/thumb?fname=", "https://x.org/thumb", "https://x.org/thumb?fname=javascript%3Aalert",
    "https://x.org/thumb?fname=http%3A%2", "https://x.org/thumb?fname=%FF%FE", "https://x.org/thumb?fname=%zz",
  ])
  func `a thumbnail without an embedded address stays as it is`(thumbnail: String) throws {
    let json = Self.bare.replacing("\"thumbnail\": \"\"", with: "\"thumbnail\": \"\(thumbnail)\"")
    #expect(try Self.page(Self.found(json)).candidates.first?.record.artworkURL == thumbnail)
  }

  @Test func `pages end where the answer ends them, and at 50`() throws {
    #expect(try Self.page(Self.search).hasMore)
    #expect(try !Self.page(Self.found(Self.whole, isEnd: true)).hasMore)
    #expect(try !Self.page(Self.found()).hasMore, "nothing came")
    #expect(try !Self.page(#"{"documents": []}"#).hasMore)
    #expect(try Self.page(Self.search).total == 239, "more than those are not given out")
    let network = FakeNetwork { _, _ in .success(Response(json: Self.search)) }
    var settings = Source.kakao.settings()
    settings.key = "k"
    let search = Search(words: "x", kind: .book, page: 51)
    #expect(throws: SourceError.noPage(last: 50)) {
      try Source.kakao.page(of: search, settings, using: network.client)
    }
    #expect(network.requests.isEmpty)
    let last = try Source.kakao.page(of: Search(words: "x", kind: .book, page: 50), settings, using: network.client)
    #expect(!last.hasMore)
    #expect(last.stop == .bound)
  }

  @Test func `an ISBN finds only the book that has it`() throws {
    let isbn = try ISBN("9788936434120")
    let network = FakeNetwork { _, _ in .success(Response(json: Self.search)) }
    var settings = Source.kakao.settings()
    settings.key = "k"
    let lookUp = try #require(Source.kakao.lookUp)
    #expect(try lookUp(.isbn(isbn), settings, network.client).map(\.record.title) == ["소년이 온다 (특별판)"])
    #expect(network.requests.first?.url.contains("query=9788936434120&target=isbn") == true)
    #expect(try lookUp(.isbn(ISBN("9788936434267")), settings, network.client).isEmpty)
    #expect(try lookUp(.barcode(Barcode("036000291452")), settings, network.client).isEmpty)
    #expect(network.requests.count == 2)
  }

  @Test(
    arguments: [
      (401, #"{"errorType": "AccessDeniedError", "message": "wrong appKey(null) format"}"#, .key(missing: false)),
      (
        400, #"{"errorType": "InvalidArgument", "message": "page is more than max"}"#,
        .refused(status: 400, words: "page is more than max")
      ),
      (
        400, #"{"code": -2, "msg": "query parameter required"}"#,
        .refused(status: 400, words: "query parameter required")
      ),
      (
        429, #"{"errorType": "RequestThrottled", "message": "API limit has been exceeded."}"#, .quota(.day)
      ),
      (429, "<html>", .network(.throttled(host: "dapi.kakao.com", retryAfter: nil))),
      (403, #"{"errorType": "AccessDeniedError", "message": "ip mismatched! callerIp=1.2.3.4"}"#, .key(missing: false)),
      (400, #"{"code": -10, "msg": "API limit exceeded"}"#, .quota(.day)),
      (403, #"{"code": -3, "msg": "disabled"}"#, .apiNotEnabled),
      (403, #"{"code": -4, "msg": "blocked"}"#, .key(missing: false)),
      (403, #"{"code": -5, "msg": "no permission"}"#, .key(missing: false)),
      (403, #"{"code": "-12", "msg": "blocked"}"#, .key(missing: false)),
      (401, #"{"code": -401, "msg": "wrong appKey"}"#, .key(missing: false)),
      (400, #"{"code": -1, "msg": "internal"}"#, .network(.busy(host: "dapi.kakao.com", retryAfter: nil))),
      (400, #"{"code": -7, "msg": "maintenance"}"#, .network(.busy(host: "dapi.kakao.com", retryAfter: nil))),
      (503, #"{"code": -9798, "msg": "busy"}"#, .network(.busy(host: "dapi.kakao.com", retryAfter: nil))),
      (400, #"{"code": -9, "msg": "ended"}"#, .refused(status: 410, words: "ended")),
      (400, #"{"code": -8, "msg": "header"}"#, .refused(status: 400, words: "header")),
      (500, #"{"code": -77, "msg": "new"}"#, .refused(status: 500, words: "new")),
    ] as [(Int, String, SourceError)])
  func `Kakao error answers map to source errors`(status: Int, body: String, error: SourceError) {
    #expect(throws: error) {
      try Source.kakao.read(
        Response(json: body, status: status), Search(words: "x", kind: .book), Source.kakao.settings())
    }
  }
}
