import CatalogModel
import Lookup
import Testing

struct OpenLibraryTests {
  static let search = #"""
    {"numFound":42,"num_found":42,"start":0,"docs":[
     {"key":"/works/OL1W","title":"The Left Hand of Darkness","author_name":["Ursula K. Le Guin"],"author_key":["OL31353A"],
      "first_publish_year":1969,"cover_i":8231996,"subject":["Science fiction","nyt:fiction","Science fiction"],
      "isbn":["9780441478125","0441478123"],"language":["eng"],"publisher":["Ace","Macdonald"],"ratings_average":4.1,"ratings_count":200},
     {"key":"OL2W","title":"Old Shape","author_name":["A","B"],"author_key":["OL1A"],"cover_i":-1,"language":["eng","kor"],
      "isbn":["9780441478125","9780547928227"],"first_publish_year":0},
     {"key":"/works/OL3W","title":" "},{"title":"No key"},{"key":"../../etc","title":"Odd key"}
    ]}
    """#
  static let work = #"""
    {"key":"/works/OL1W","type":{"key":"/type/work"},"location":"/works/OL9W","title":"The Left Hand of Darkness",
     "authors":[{"author":{"key":"/authors/OL31353A"},"type":{"key":"/type/author_role"}},{"author":"/authors/OL77A"}],
     "description":{"type":"/type/text","value":"First.\r\n\r\nSecond [link][1].\r\n"},"covers":[-1,222,333],
     "subjects":["Science fiction","Hugo Award"],"created":{"type":"/type/datetime","value":"2009-10-15T11:34:21.437031"}}
    """#
  static let editions = #"""
    {"links":{},"size":3,"entries":[
     {"key":"/books/OL10M","type":{"key":"/type/edition"},"title":"Der Winterplanet","isbn_10":["3453305531"],
      "languages":[{"key":"/languages/ger"}],"number_of_pages":300,"covers":[1]},
     {"key":"/books/OL11M","title":"The Left Hand of Darkness","languages":[{"key":"/languages/eng"}],"number_of_pages":286,"covers":[5]},
     {"key":"/books/OL12M","title":"The left hand of darkness","isbn_13":["9780441478125"],"languages":[{"key":"/languages/eng"}],
      "publish_date":"July 1, 2000","publishers":["Ace Books"],"number_of_pages":304,"series":["Hainish Cycle"],"covers":[-1]}]}
    """#
  static let edition = #"""
    {"key":"/books/OL20M","type":{"key":"/type/edition"},"title":"어둠의 왼손","works":[{"key":"/works/OL1W"}],
     "authors":[{"key":"/authors/OL31353A"}],"isbn_13":["9788952775207"],"publish_date":"Sep 2014","publishers":["시공사"],
     "languages":[{"key":"/languages/kor"}],"translated_from":[{"key":"/languages/eng"}],"number_of_pages":420,"covers":[999]}
    """#

  @Test func `a search requests only the fields it needs`() {
    let url = Source.openLibrary.url("kindred & wild", .book, page: 2)
    #expect(url.hasPrefix("https://openlibrary.org/search.json?q=kindred+%26+wild&fields=key%2Ctitle%2Csubtitle%2C"))
    #expect(url.hasSuffix("&page=2&limit=20"))
    #expect(Source.openLibrary.url("le guin", .book, field: .creator).contains("?author=le+guin&"))
    #expect(Source.openLibrary.url("dune", .book, pageSize: 500, field: .title).contains("?title=dune&"))
    #expect(Source.openLibrary.url("dune", .book, pageSize: 500).hasSuffix("limit=100"))
  }

  @Test(arguments: [
    ("It", #""It""#), ("흰", #""흰""#), ("한강", #""한강""#), ("the", #""the""#), ("THE", #""THE""#), (" The ", #""The""#),
    (" a ", #""a""#), (#"a""#, #""a""#), ("dune", "dune"), ("채식주의자", "채식주의자"), ("then", "then"), ("소년이", "소년이"),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1161}\u{11BC}", #""한강""#),
  ])
  func `words too short for Open Library are sent in quotes`(words: String, sent: String) {
    let url = Source.openLibrary.url(words, .book)
    #expect(url.hasPrefix(Request.url("https://openlibrary.org", "/search.json", query: [("q", sent)]) + "&fields="))
  }

  @Test(arguments: [(Search.Field.title, "title"), (.creator, "author")])
  func `a short title or author is sent unchanged`(field: Search.Field, parameter: String) {
    #expect(Source.openLibrary.url("It", .book, field: field).contains("?\(parameter)=It&"))
  }

  @Test func `a refusal includes the message about the parameter`() {
    let words = "Value error, Query too short, must be at least 3 characters"
    let refusal = #"{"detail":[{"type":"value_error","loc":["query","q"],"msg":"\#(words)","input":"x"},{"msg":"b"}]}"#
    #expect(throws: SourceError.refused(status: 422, words: words)) {
      try Source.openLibrary.read(
        Response(json: refusal, status: 422), Search(words: "x", kind: .book), Source.openLibrary.settings())
    }
  }

  @Test(arguments: [
    (2, 1, 2, true), (2, 1, 42, true), (3, 1, 2, false), (3, 1, 42, true), (2, 2, 2, true), (2, 22, 42, true),
  ])
  func `a full page with an inexact count has more pages and no total`(
    size: Int, number: Int, count: Int, hasMore: Bool
  ) throws {
    let docs = #"[{"key":"/works/OL1W","title":"A"},{"key":"/works/OL2W","title":"B"}]"#
    let page = try Source.openLibrary.page(
      #"""
      {"numFound":\#(count),"start":0,"numFoundExact":false,"num_found":\#(count),
       "documentation_url":"https://openlibrary.org/dev/docs/api/search","q":"x","offset":null,"docs":\#(docs)}
      """#, .book, page: number, pageSize: size)
    #expect(page.hasMore == hasMore)
    #expect(page.total == nil)
    #expect(page.candidates.count == 2)
  }

  @Test func `an exact count is the total and ends the pages`() throws {
    let json = #"{"numFound":1,"numFoundExact":true,"docs":[{"key":"/works/OL1W","title":"A"}]}"#
    let page = try Source.openLibrary.page(json, .book, pageSize: 1)
    #expect(page.total == 1)
    #expect(!page.hasMore)
  }

  @Test func `an inexact count without results has no more pages`() throws {
    #expect(try !Source.openLibrary.page(#"{"numFound":0,"numFoundExact":false,"docs":[]}"#, .book).hasMore)
  }

  @Test func `a search result has its authors, year, cover and subjects`() throws {
    let page = try Source.openLibrary.page(Self.search, .book)
    #expect(page.total == 42)
    #expect(page.unreadable == 3)
    let book = try #require(page.candidates.first)
    #expect(book.id == .openLibrary("OL1W"))
    #expect(
      book.record.credits == [
        Credit(name: "Ursula K. Le Guin", role: .author, externalID: .openLibrary("OL31353A"))
      ])
    #expect(book.record.year == 1969)
    #expect(book.record.released == PartialDate("1969"))
    #expect(book.record.labels == ["Science fiction", "nyt:fiction"])
    #expect(book.record.artworkURL == "https://covers.openlibrary.org/b/id/8231996-L.jpg?default=false")
    #expect(book.record.url == "https://openlibrary.org/works/OL1W")
    #expect(book.record.publicRating == PublicRating(value: 4.1 * 20, votes: 200))
  }

  @Test func `values that differ between editions are left out of the work`() throws {
    let books = try Source.openLibrary.page(Self.search, .book).candidates.map(\.record)
    #expect(books.map(\.book?.isbn?.digits13) == ["9780441478125", nil], "two forms of one ISBN are one")
    #expect(books.map(\.book?.language) == ["en", nil])
    #expect(books.map(\.book?.publisher) == [nil, nil])
    #expect(books.last?.credits == [Credit(name: "A", role: .author), Credit(name: "B", role: .author)])
    #expect(books.last?.artworkURL == nil, "-1 is no cover")
    #expect(books.last?.year == nil)
  }

  @Test func `pages end at the total count`() throws {
    #expect(try Source.openLibrary.page(Self.search, .book, pageSize: 5).hasMore)
    #expect(try Source.openLibrary.page(Self.search, .book, page: 8, pageSize: 5).hasMore)
    #expect(try !Source.openLibrary.page(Self.search, .book, page: 9, pageSize: 5).hasMore)
    #expect(try !Source.openLibrary.page(#"{"numFound":3,"docs":[]}"#, .book).hasMore)
  }

  @Test func `a work is fetched with its best edition and missing author names`() throws {
    let web = FakeWeb([
      "/works/OL1W.json": Self.work, "/editions.json": Self.editions, "/search.json": Self.search,
      "/authors/OL77A.json": #"{"name":"Second Author","key":"/authors/OL77A"}"#,
    ])
    let book = try Source.openLibrary.record(.openLibrary("OL1W"), as: .book, from: web)
    #expect(web.asked.map(\.count) == [3, 1])
    #expect(web.asked.first?.last?.contains("q=key%3A%22%2Fworks%2FOL1W%22") == true)
    #expect(book.creators == ["Ursula K. Le Guin", "Second Author"])
    #expect(book.summary == "First.\n\nSecond link.")
    #expect(book.year == 1969)
    #expect(book.labels == ["Science fiction", "Hugo Award"])
    #expect(book.artworkURL == "https://covers.openlibrary.org/b/id/222-L.jpg?default=false")
    #expect(book.externalIDs == [.openLibrary("OL1W")])
    #expect(book.book?.isbn?.digits13 == "9780441478125")
    #expect(book.book?.publisher == "Ace Books")
    #expect(book.book?.published == PartialDate("2000-07-01"))
    #expect(book.book?.pages == 304)
    #expect(book.book?.language == "en")
    #expect(book.book?.series == "Hainish Cycle")
  }

  @Test func `a work is kept when all further requests fail`() throws {
    let web = FakeWeb(["/works/OL1W.json": Self.work])
    let book = try Source.openLibrary.record(.openLibrary("OL1W"), as: .book, from: web)
    #expect(book.title == "The Left Hand of Darkness")
    #expect(book.credits.isEmpty)
    #expect(book.year == nil)
  }

  @Test func `failed partial requests are reported and the rest is kept`() throws {
    let busy = Response(json: "", status: 503)
    let reason = SourceError.network(.busy(host: "openlibrary.org", retryAfter: nil))
    let web = FakeWeb([
      "/works/OL1W.json": Response(json: Self.work), "/editions.json": busy, "/search.json": busy, "/authors/": busy,
    ])
    let book = try Source.openLibrary.record(.openLibrary("OL1W"), as: .book, from: web)
    #expect(book.title == "The Left Hand of Darkness")
    #expect(book.credits.isEmpty)
    #expect(
      try Source.openLibrary.partialFailures(.openLibrary("OL1W"), as: .book, from: web) == [
        PartialFailure("first year", reason), PartialFailure("editions", reason), PartialFailure("authors", reason),
        PartialFailure("authors", reason),
      ])
    let edition = FakeWeb([
      "/isbn/": Response(json: Self.edition), "/works/": busy, "/authors/": busy, "/search.json": busy,
    ])
    let found = try Source.openLibrary.candidates(.isbn(ISBN("9788952775207")), from: edition)
    #expect(found.first?.record.title == "어둠의 왼손")
    #expect(found.first?.partialFailures?.map(\.part) == ["work", "first year", "authors"])
    let whole = FakeWeb(["/works/OL1W.json": Self.work, "/editions.json": Self.editions, "/search.json": Self.search])
    let partialFailures = try Source.openLibrary.partialFailures(.openLibrary("OL1W"), as: .book, from: whole)
    #expect(partialFailures == [], "what is not there is no gap")
  }

  @Test func `a title with its subtitle is another title of the book`() throws {
    let page = try Source.openLibrary.page(
      #"""
      {"docs":[{"key":"OL1W","title":"Sapiens","subtitle":"A Brief History of Humankind"},
       {"key":"OL2W","title":"Dune: a novel","subtitle":"A Novel"}]}
      """#, .book)
    #expect(page.candidates.map(\.record.otherTitles) == [["Sapiens: A Brief History of Humankind"], []])
    let work = Self.work.replacing("\"description\"", with: "\"subtitle\":\"A Novel\",\"description\"")
    let book = try Source.openLibrary.record(.openLibrary("OL1W"), as: .book, from: FakeWeb(["/works/OL1W.json": work]))
    #expect(book.otherTitles == ["The Left Hand of Darkness: A Novel"])
  }

  @Test func `a moved work is followed and keeps the requested id`() throws {
    let moved = #"{"key":"/works/OL5W","type":{"key":"/type/redirect"},"location":"/works/OL1W"}"#
    let web = FakeWeb(["/works/OL5W.json": moved, "/works/OL1W.json": Self.work])
    let book = try Source.openLibrary.record(.openLibrary("OL5W"), as: .book, from: web)
    #expect(book.externalIDs == [.openLibrary("OL5W"), .openLibrary("OL1W")])
  }

  @Test func `works that redirect to each other are an error`() {
    let web = FakeWeb([
      "/works/OL5W.json": #"{"type":{"key":"/type/redirect"},"location":"/works/OL6W"}"#,
      "/works/OL6W.json": #"{"type":{"key":"/type/redirect"},"location":"/works/OL5W"}"#,
    ])
    #expect(throws: SourceError.unreadable("a book that only refers to others")) {
      try Source.openLibrary.record(.openLibrary("OL5W"), as: .book, from: web)
    }
    #expect(web.asked.count == 4)
  }

  @Test(arguments: ["OL1A", "OL0W", "1", "", "OLW", "OL1W/../x", "OL1W?x"])
  func `a malformed id is not requested`(value: String) {
    let web = FakeWeb([String: Response]())
    #expect(throws: SourceError.notFound) {
      try Source.openLibrary.record(.openLibrary(value), as: .book, from: web)
    }
    #expect(web.asked.isEmpty)
  }

  @Test func `an ISBN finds the edition with the facts of its work`() throws {
    let web = FakeWeb([
      "/isbn/9788952775207.json": Self.edition, "/works/OL1W.json": Self.work, "/search.json": Self.search,
      "/authors/OL77A.json": #"{"personal_name":"Second Author"}"#,
    ])
    let found = try Source.openLibrary.candidates(.isbn(ISBN("9788952775207")), from: web)
    let book = try #require(found.first)
    #expect(found.count == 1)
    #expect(web.asked.map(\.count) == [1, 2, 1])
    #expect(book.id == .openLibrary("OL20M"))
    #expect(book.record.title == "어둠의 왼손")
    #expect(book.record.originalTitle == "The Left Hand of Darkness")
    #expect(book.record.creators == ["Ursula K. Le Guin", "Second Author"])
    #expect(book.record.year == 1969)
    #expect(book.record.artworkURL == "https://covers.openlibrary.org/b/id/999-L.jpg?default=false")
    #expect(book.record.book?.isbn?.digits13 == "9788952775207")
    #expect(book.record.book?.published == PartialDate("2014-09"))
    #expect(book.record.book?.language == "ko")
    #expect(book.record.url == "https://openlibrary.org/books/OL20M")

    let again = FakeWeb(["/books/OL20M.json": Self.edition, "/works/OL1W.json": Self.work])
    #expect(try Source.openLibrary.record(book.id, as: .book, from: again).title == "어둠의 왼손")
  }

  @Test func `an unknown ISBN finds no book, and a barcode is not requested`() throws {
    let web = FakeWeb([String: Response]())
    #expect(try Source.openLibrary.candidates(.isbn(ISBN("9788952775207")), from: web).isEmpty)
    #expect(try Source.openLibrary.candidates(.barcode(Barcode("075990301024")), from: web).isEmpty)
    #expect(web.asked.count == 1)
    let down = FakeWeb(["/isbn/": Response(json: "", status: 503)])
    #expect(throws: SourceError.network(.busy(host: "openlibrary.org", retryAfter: nil))) {
      try Source.openLibrary.candidates(.isbn(ISBN("9788952775207")), from: down)
    }
  }

  @Test func `an exception text instead of an edition is unreadable`() throws {
    let web = FakeWeb(["/isbn/": "Exception('no such thing')"])
    #expect(throws: SourceError.unreadable("text that is not JSON")) {
      try Source.openLibrary.candidates(.isbn(ISBN("9788952775207")), from: web)
    }
  }

  @Test(arguments: [
    ("2004", "2004"), ("1978-03", "1978-03"), ("October 1, 1988", "1988-10-01"), ("Oct 28, 2016", "2016-10-28"),
    ("1 May 1999", "1999-05-01"), ("March 2003", "2003-03"), ("c1999", "1999"), ("1995?", "1995"),
    ("Feb 30, 2001", "2001-02"), ("1971 or 1972", nil), ("n.d.", nil), ("", nil), ("Summer 1987", "1987"),
  ])
  func `publication dates are read in the usual spellings`(text: String, date: String?) throws {
    let edition = Self.edition.replacing("Sep 2014", with: text)
    let web = FakeWeb(["/books/OL20M.json": edition])
    let book = try Source.openLibrary.record(.openLibrary("OL20M"), as: .book, from: web)
    #expect(book.book?.published?.description == date)
    #expect(book.released == nil, "the edition's date is not the book's")
    #expect(book.year == date.flatMap { Int($0.prefix(4)) }, "but its year is better than none")
  }

  // MARK: Editions

  static func edition(_ members: String) throws -> Record {
    let edition = #"{"key":"/books/OL30M","title":"E","works":[{"key":"/works/OL1W"}],\#(members)}"#
    let web = FakeWeb([
      "/books/OL30M.json": edition, "/works/OL1W.json": work, "/works/OL1W/editions.json": #"{"entries":[]}"#,
      "/search.json": #"{"docs":[]}"#, "/authors/": #"{"key":"/authors/OL77A","name":"A"}"#,
    ])
    return try Source.openLibrary.record(.openLibrary("OL30M"), as: .book, from: web)
  }

  @Test func `an edition's own description replaces that of its work`() throws {
    #expect(try Self.edition(#""description":"Of this edition.""#).summary == "Of this edition.")
    #expect(try Self.edition(#""pages":1"#).summary == "First.\n\nSecond link.")
  }

  @Test func `a work's own description is kept over that of an edition`() throws {
    let editions = Self.editions.replacing(#""number_of_pages":304"#, with: #""description":"Of an edition.""#)
    let web = FakeWeb([
      "/works/OL1W.json": Self.work, "/works/OL1W/editions.json": editions, "/search.json": #"{"docs":[]}"#,
      "/authors/": #"{"key":"/authors/OL77A","name":"A"}"#,
    ])
    #expect(
      try Source.openLibrary.record(.openLibrary("OL1W"), as: .book, from: web).summary == "First.\n\nSecond link.")
  }

  @Test(arguments: [
    (#"["Discworld -- 13"]"#, "Discworld #13"), (#"["The Murderbot Diaries, #1"]"#, "The Murderbot Diaries #1"),
    (#"["Discworld, Book 13", "Other"]"#, "Discworld #13"),
    (#"["Series name 3, and birds"]"#, "Series name 3, and birds"),
    (#"["College outline series,", "56"]"#, "College outline series #56"),
    (#"["A Black cat book,", "Other"]"#, "A Black cat book"), (#"["First", "2"]"#, "First"),
  ])
  func `a series with a number has one spelling`(series: String, name: String) throws {
    #expect(try Self.edition(#""series":\#(series)"#).book?.series == name)
  }

  @Test(
    arguments: [
      ("little prince", "en", nil), ("어린 왕자", "en", "ko"), ("星の王子さま", "en", "ja"), ("小王子", "en", "zh"),
      ("小王子", "ja", "ja"), ("Маленький принц", "en", "ru"), ("Маленький принц", "uk", "uk"), ("Ο μικρός", "en", nil),
    ] as [(String, String, String?)])
  func `words in other letters than Latin mean an edition in their language`(
    words: String, locale: String, language: String?
  ) throws {
    let json = """
      {"numFound": 1, "docs": [{"key": "/works/OL1W", "title": "Le Petit Prince",
       "language": ["fre", "eng", "ukr", "kor", "rus", "jpn", "chi"]}]}
      """
    let search = Search(words: words, kind: .book)
    let page = try Source.openLibrary.read(Response(json: json), search, Source.openLibrary.settings(language: locale))
    #expect(page.candidates.first?.record.book?.language == language)
  }
}
