import CatalogModel
import Lookup
import Testing

struct InventaireTests {
  /// Five hits, the last two of which are unreadable.
  static let search = #"""
    {"results":[
     {"id":"Q10","type":"works","uri":"wd:Q10","label":"The Moonstone","description":"novel","_score":25.1,
      "image":"/img/entities/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
     {"id":"0123456789abcdef0123456789abcdef","type":"works","uri":"inv:0123456789abcdef0123456789abcdef",
      "label":"Only there","image":["bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"],"_score":2},
     {"uri":"wd:Q11","label":"No picture","image":["short"]},
     {"uri":"wd:Q12"},{"uri":"wd:../../x","label":"Odd"}],"total":123,"continue":20}
    """#

  static let work = #"""
    "wd:Q10":{"uri":"wd:Q10","wdId":"Q10","type":"work","originalLang":"en",
     "labels":{"en":"The Moonstone","ko":"월장석","zh-hans":"月亮宝石","fr":"La Pierre de lune"},
     "claims":{"wdt:P31":["wd:Q7725634"],"wdt:P50":["wd:Q20"],"wdt:P136":["wd:Q30","wd:Q31","wd:Q30"],
      "wdt:P577":["1868-01-04","1868"],"wdt:P648":["OL1095427W"],"wdt:P1476":["The Moonstone"],"wdt:P1680":["A Romance"],
      "wdt:P179":["wd:Q40"]},
     "image":{"url":"https://commons.wikimedia.org/wiki/Special:FilePath/x.jpg?width=1000"}}
    """#
  static let author = #""wd:Q20":{"uri":"wd:Q20","type":"human","labels":{"mul":"Wilkie Collins","ko":"윌키 콜린스"}}"#
  static let names = #"""
    {"entities":{"wd:Q30":{"uri":"wd:Q30","labels":{"en":"detective fiction","ko":"추리 소설"}},
     "wd:Q31":{"uri":"wd:Q31","labels":{"en":"epistolary novel"}},"wd:Q40":{"uri":"wd:Q40","labels":{"en":"A series"}},
     "wd:Q50":{"uri":"wd:Q50","labels":{"en":"Modern Library"}},
     "wd:Q60":{"uri":"wd:Q60","labels":{"en":"A. Translator"}}},"redirects":{}}
    """#
  static let edition = #"""
    "isbn:9780375757853":{"uri":"isbn:9780375757853","type":"edition","originalLang":"de","labels":{"fromclaims":"Der Mondstein"},
     "claims":{"wdt:P212":["978-0-375-75785-3"],"wdt:P1476":["Der Mondstein"],"wdt:P577":["2001-05-01"],
      "wdt:P629":["wd:Q10"],"wdt:P1104":[528],"wdt:P123":["wd:Q50"],"wdt:P655":["wd:Q60"],"wdt:P648":["OL7M"]},
     "image":{"url":"/img/entities/cccccccccccccccccccccccccccccccccccccccc"}}
    """#

  static let isbn = "9780375757853"

  static func id(_ uri: String) -> ExternalID { ExternalID(source: "inventaire", value: uri) }

  static func entities(_ all: String..., redirects: String = "{}") -> String {
    #"{"entities":{\#(all.joined(separator: ","))},"redirects":\#(redirects)}"#
  }

  /// The parts of addresses that distinguish the requests.
  static let parts = (search: "/api/search?", whole: "attributes=info%7Clabels", names: "attributes=labels")

  static func web(_ all: String, names: String = names) -> FakeWeb {
    FakeWeb([parts.search: search, parts.whole: all, parts.names: names])
  }

  private func page(_ web: FakeWeb, language: String = "en") throws -> Page {
    try Source.inventaire.page(
      of: Search(words: "moonstone", kind: .book), Source.inventaire.settings(language: language), using: web.client)
  }

  // MARK: Searching

  @Test func `a search requests works`() {
    #expect(
      Source.inventaire.url("la pierre", .book, page: 3, pageSize: 20)
        == "https://inventaire.io/api/search?types=works&search=la+pierre&lang=en&limit=20&offset=40")
    #expect(Source.inventaire.url("x", .book, pageSize: 200).hasSuffix("&limit=50&offset=0"))
  }

  @Test func `a search result has its title and cover`() throws {
    let page = try Source.inventaire.page(Self.search, .book)
    #expect(
      page.candidates.map(\.id) == [
        Self.id("wd:Q10"), Self.id("inv:0123456789abcdef0123456789abcdef"), Self.id("wd:Q11"),
      ])
    #expect(page.unreadable == 2)
    #expect(page.total == 123)
    #expect(page.hasMore)
    #expect(
      page.candidates.map(\.record.artworkURL) == [
        "https://inventaire.io/img/entities/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "https://inventaire.io/img/entities/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", nil,
      ])
    #expect(page.candidates.first?.record.url == "https://inventaire.io/entity/wd:Q10")
  }

  @Test func `pages end at the total count, and at 500 results`() throws {
    #expect(try Source.inventaire.page(Self.search, .book, page: 24, pageSize: 5).hasMore)
    #expect(try !Source.inventaire.page(Self.search, .book, page: 25, pageSize: 5).hasMore)
    #expect(throws: SourceError.noPage(last: 25)) {
      try Source.inventaire.page(
        of: Search(words: "x", kind: .book, page: 26), Source.inventaire.settings(), using: .offline)
    }
  }

  @Test func `search results are completed with authors, years and genres`() throws {
    let web = Self.web(Self.entities(Self.work, Self.author))
    let page = try page(web)
    #expect(page.candidates.count == 3)
    #expect(page.unreadable == 2)
    #expect(web.asked.map(\.count) == [1, 1, 1])
    #expect(web.asked.joined().contains { $0.contains("uris=wd%3AQ10%7Cinv%3A0123456789abcdef") })
    #expect(web.asked.joined().contains { $0.hasSuffix("&relatives=wdt%3AP50") })
    let book = try #require(page.candidates.first?.record)
    #expect(book.credits == [Credit(name: "Wilkie Collins", role: .author, externalID: Self.id("wd:Q20"))])
    #expect(book.released == PartialDate("1868-01-04"))
    #expect(book.year == 1868)
    #expect(book.labels == ["detective fiction", "epistolary novel"])
    #expect(book.otherTitles == ["The Moonstone: A Romance"])
    #expect(book.externalIDs == [Self.id("wd:Q10"), .openLibrary("OL1095427W")])
    #expect(book.artworkURL?.hasSuffix("/img/entities/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") == true)
    #expect(book.book?.series == "A series")
    #expect(page.candidates.last?.record.title == "No picture", "what is not known stands as it was found")
  }

  @Test func `titles and names are in the user's language`() throws {
    let book = try #require(try page(Self.web(Self.entities(Self.work, Self.author)), language: "ko").candidates.first)
    #expect(book.record.title == "월장석")
    #expect(book.record.originalTitle == "The Moonstone")
    #expect(book.record.creators == ["윌키 콜린스"])
    #expect(book.record.labels == ["detective fiction", "epistolary novel"])
    #expect(book.record.otherTitles.isEmpty)
  }

  @Test func `search results are kept when the completing requests fail`() throws {
    let busy = Response(json: "", status: 503)
    let web = FakeWeb([Self.parts.search: Response(json: Self.search), Self.parts.whole: busy])
    let page = try page(web)
    #expect(page.candidates.map(\.record.title) == ["The Moonstone", "Only there", "No picture"])
    #expect(web.asked.count == 2)
    let nameless = FakeWeb([
      Self.parts.search: Response(json: Self.search),
      Self.parts.whole: Response(json: Self.entities(Self.work, Self.author)), Self.parts.names: busy,
    ])
    let book = try #require(try self.page(nameless).candidates.first?.record)
    #expect(book.creators == ["Wilkie Collins"])
    #expect(book.labels.isEmpty)
  }

  // MARK: ISBNs

  @Test func `an ISBN finds the edition with the facts of its work`() throws {
    let web = Self.web(Self.entities(Self.edition, Self.work, Self.author))
    let found = try Source.inventaire.candidates(.isbn(ISBN("0375757856")), from: web)
    #expect(web.asked.map(\.count) == [1, 1])
    #expect(web.asked.first?.first?.contains("uris=isbn%3A9780375757853&") == true)
    #expect(web.asked.first?.first?.contains("&relatives=wdt%3AP50%7Cwdt%3AP629") == true)
    let book = try #require(found.first)
    #expect(found.count == 1)
    #expect(book.id == Self.id("isbn:9780375757853"))
    #expect(book.partialFailures == [])
    #expect(book.record.title == "Der Mondstein")
    #expect(book.record.originalTitle == "The Moonstone")
    #expect(book.record.externalIDs == [book.id, .openLibrary("OL7M")])
    #expect(book.record.credits.map(\.name) == ["Wilkie Collins", "A. Translator"])
    #expect(book.record.credits.map(\.role) == [.author, .translator])
    #expect(book.record.year == 1868)
    #expect(book.record.labels == ["detective fiction", "epistolary novel"])
    #expect(book.record.artworkURL?.hasSuffix("/cccccccccccccccccccccccccccccccccccccccc") == true)
    #expect(book.record.url == "https://inventaire.io/entity/isbn:9780375757853")
    #expect(book.record.book?.isbn?.digits13 == Self.isbn)
    #expect(book.record.book?.publisher == "Modern Library")
    #expect(book.record.book?.published == PartialDate("2001-05-01"))
    #expect(book.record.book?.pages == 528)
    #expect(book.record.book?.language == "de")
  }

  @Test func `an unknown ISBN finds no book, and a barcode is not requested`() throws {
    let none = #"{"entities":{},"redirects":{},"notFound":["isbn:9780375757853"]}"#
    let web = FakeWeb([Self.parts.whole: none])
    #expect(try Source.inventaire.candidates(.isbn(ISBN(Self.isbn)), from: web).isEmpty)
    #expect(try Source.inventaire.candidates(.barcode(Barcode("075990301024")), from: web).isEmpty)
    #expect(web.asked.count == 1)
    let down = FakeWeb([Self.parts.whole: Response(json: "", status: 503)])
    #expect(throws: SourceError.network(.busy(host: "inventaire.io", retryAfter: nil))) {
      try Source.inventaire.candidates(.isbn(ISBN(Self.isbn)), from: down)
    }
  }

  @Test func `an edition without its work in the answer requests the work`() throws {
    let web = FakeWeb([
      "uris=isbn": Self.entities(Self.edition), "uris=wd%3AQ10&": Self.entities(Self.work, Self.author),
      Self.parts.names: Self.names,
    ])
    let book = try #require(try Source.inventaire.candidates(.isbn(ISBN(Self.isbn)), from: web).first)
    #expect(web.asked.map(\.count) == [1, 1, 1])
    #expect(book.record.creators == ["Wilkie Collins"])
  }

  @Test func `failed partial requests are reported and the rest is kept`() throws {
    let busy = Response(json: "", status: 503)
    let reason = SourceError.network(.busy(host: "inventaire.io", retryAfter: nil))
    let web = FakeWeb([
      "uris=isbn": Response(json: Self.entities(Self.edition)), "uris=wd": busy, Self.parts.names: busy,
    ])
    let book = try #require(try Source.inventaire.candidates(.isbn(ISBN(Self.isbn)), from: web).first)
    #expect(book.record.title == "Der Mondstein")
    #expect(book.record.creators.isEmpty)
    #expect(book.record.year == 2001, "the year of the edition is better than none")
    #expect(book.partialFailures == [PartialFailure("work", reason), PartialFailure("publisher", reason)])
    let nameless = FakeWeb([
      Self.parts.whole: Response(json: Self.entities(Self.work)), Self.parts.names: busy,
    ])
    #expect(
      try Source.inventaire.partialFailures(Self.id("wd:Q10"), as: .book, from: nameless)
        == [PartialFailure("authors", reason), PartialFailure("genres", reason)])
  }

  // MARK: Fetching

  @Test func `a fetched work requests authors missing from the answer`() throws {
    let names = Self.names.replacing(#""entities":{"#, with: #""entities":{\#(Self.author),"#)
    let web = Self.web(Self.entities(Self.work), names: names)
    let book = try Source.inventaire.record(Self.id("wd:Q10"), as: .book, from: web)
    #expect(book.title == "The Moonstone")
    #expect(book.creators == ["Wilkie Collins"])
    #expect(book.artworkURL == nil, "a picture of Wikimedia Commons is no cover")
    #expect(book.book?.isbn == nil)
    #expect(web.asked.map(\.count) == [1, 1])
  }

  @Test func `a moved work is followed and keeps the requested id`() throws {
    let old = "inv:0123456789abcdef0123456789abcdef"
    let web = Self.web(Self.entities(Self.work, Self.author, redirects: #"{"\#(old)":"wd:Q10"}"#))
    let book = try Source.inventaire.record(Self.id(old), as: .book, from: web)
    #expect(book.externalIDs.prefix(2) == [Self.id(old), Self.id("wd:Q10")])
  }

  @Test func `a person is not found as a book`() {
    let web = Self.web(Self.entities(Self.author))
    #expect(throws: SourceError.notFound) {
      try Source.inventaire.record(Self.id("wd:Q20"), as: .book, from: web)
    }
  }

  @Test(arguments: ["", "wd:", "wd:P31", "Q10", "wd:Q1|wd:Q2", "inv:xyz", "isbn:12", "x:Q1", "wd:Q1:2"])
  func `an invalid URI is not requested`(value: String) {
    let web = FakeWeb([String: Response]())
    #expect(throws: SourceError.notFound) { try Source.inventaire.record(Self.id(value), as: .book, from: web) }
    #expect(web.asked.isEmpty)
  }

  @Test(arguments: ["inventaire:wd:Q10", "inventaire:isbn:9780375757853"])
  func `an Inventaire id is read and printed as a reference`(text: String) throws {
    let uri = String(text.dropFirst("inventaire:".count))
    #expect(try Reference(text, sources: ["inventaire"]) == .external(Self.id(uri)))
    #expect(Self.id(uri).description == text)
  }
}
