import CatalogModel
import Foundation
import Lookup
import Testing

struct WikidataTests {
  /// Three hits: two items and a property, which is none.
  static let search = #"""
    {"batchcomplete":"","continue":{"sroffset":3,"continue":"-||"},"query":{"searchinfo":{"totalhits":41},"search":[
     {"ns":0,"title":"Q100","pageid":11,"size":350000},{"ns":0,"title":"Q200","pageid":12},
     {"ns":120,"title":"Property:P31","pageid":13}]}}
    """#

  static let film = item(
    "Q100",
    labels: ["en": "Parasite", "ko": "기생충", "fr": "Parasite", "zh-hans": "寄生虫"],
    aliases: ["en": ["Gisaengchung", "PARASITE", "Gisaengchung"], "fr": ["Le Parasite"]],
    [
      "P31": [statement(of: "Q11424")], "P57": [statement(of: "Q1")],
      "P136": [statement(of: "Q2"), statement(of: "Q3"), statement(of: "Q2")],
      "P495": [statement(of: "Q884")], "P364": [statement(of: "Q9176"), statement(of: "Q1860")],
      "P1476": [statement("monolingualtext", #"{"text":"기생충","language":"ko"}"#)],
      "P577": [
        statement(date: "+2019-06-00T00:00:00Z", 10), statement(date: "+2019-05-21T00:00:00Z", 11),
        statement(date: "+2019-00-00T00:00:00Z", 9), statement(date: "+2018-01-01T00:00:00Z", 11, rank: "deprecated"),
      ],
      "P2047": [statement("quantity", #"{"amount":"+132","unit":"http://www.wikidata.org/entity/Q7727"}"#)],
      "P345": [statement("string", #""tt6751668""#)], "P4947": [statement("string", #""496243""#)],
      "P161": [
        statement(of: "Q11", qualifiers: #"{"P1545":[\#(snak("string", #""2""#))]}"#),
        statement(
          of: "Q12",
          qualifiers: #"{"P1545":[\#(snak("string", #""1""#))],"P453":[\#(snak(of: "Q13"))],"#
            + #""P4633":[\#(snak("string", #""The driver""#))]}"#),
        statement(of: "Q14"),
      ],
    ])

  /// A film with few facts.
  static let other = item("Q200", labels: ["mul": "Other"], ["P31": [statement(of: "Q11424")]])

  static let names = entities(
    item("Q1", labels: ["mul": "Bong Joon-ho", "ko": "봉준호"]), item("Q2", labels: ["en": "black comedy film"]),
    item("Q3", labels: ["en": "thriller film", "ko": "스릴러 영화"]), item("Q884", labels: ["en": "South Korea"]),
    item("Q9176", labels: ["en": "Korean"]), item("Q1860", labels: ["en": "English"]),
    item("Q11", labels: ["en": "Song Kang-ho"]), item("Q12", labels: ["en": "Lee Sun-kyun", "ko": "이선균"]),
    item("Q13", labels: ["en": "Park Dong-ik"]))

  /// Both films in one answer.
  static let items = entities(film, other)

  /// The parts of the addresses of the three requests.
  static let parts = (
    search: "action=query", items: "props=labels%7Caliases%7Cclaims", names: "props=labels&"
  )

  static func web(_ items: String...) -> FakeWeb {
    FakeWeb([parts.search: search, parts.items: entities(items), parts.names: names])
  }

  static func id(_ item: String) -> ExternalID { ExternalID(source: "wikidata", value: item) }

  /// The film as a fetched record.
  private func film(_ claims: [String: [String]], labels: [String: String] = ["en": "Film"]) throws -> Record {
    let claims = claims.merging(["P31": [Self.statement(of: "Q11424")]]) { known, _ in known }
    return try Source.wikidata.record(
      Self.id("Q100"), as: .movie, from: Self.web(Self.item("Q100", labels: labels, claims)))
  }

  private func page(_ web: FakeWeb, words: String = "parasite", language: String = "en") throws -> Page {
    try Source.wikidata.page(
      of: Search(words: words, kind: .movie), Source.wikidata.settings(language: language), using: web.client)
  }

  // MARK: Searching

  @Test(arguments: [("CN", "寄生虫"), ("TW", "Parasite"), (nil, "Parasite")])
  func `a title is in the Chinese of the person's country`(place: String?, title: String) throws {
    var settings = Source.wikidata.settings(language: "zh")
    settings.place = place
    let search = Search(words: "parasite", kind: .movie)
    let page = try Source.wikidata.page(of: search, settings, using: Self.web(Self.film).client)
    #expect(page.candidates.first?.record.title == title)
  }

  @Test func `a search requests movies by their classes`() {
    let url = Source.wikidata.url("blade runner", .movie, page: 3, pageSize: 20)
    #expect(url.hasPrefix("https://www.wikidata.org/w/api.php?action=query&list=search&srsearch=blade+runner+haswbst"))
    #expect(url.contains("+haswbstatement%3AP31%3DQ11424%7CP31%3DQ24869%7CP31%3DQ29168811%7C"))
    #expect(url.contains("&srlimit=20&sroffset=40&"))
    #expect(url.hasSuffix("&format=json"))
    #expect(Source.wikidata.url("x", .movie, pageSize: 500).contains("&srlimit=50&sroffset=0&"))
  }

  @Test(
    arguments: [
      ("Dune: Part Two", "Dune Part Two"), (#""8½""#, "8½"), ("-Star ~Wars !now", "Star Wars now"),
      ("Spider-Man", "Spider-Man"), ("haswbstatement:P31=Q5", "haswbstatement P31 Q5"),
      ("incategory:x intitle:/a*/", "incategory x intitle a"), ("what? m*a*s*h fuzzy~2", "what m a s h fuzzy 2"),
      ("this OR that AND NOT those", "this or that and not those"), ("Schindler's L.A.", "Schindler's L.A."),
      ("기생충", "기생충"), ("a|b (c) [d] {e} ^f \\g <h> #i", "a b c d e f g h i"), ("???", #""???""#),
      ("\"", #""?""#),
    ])
  func `words that look like operators are sent as plain words`(words: String, asked: String) throws {
    let url = Source.wikidata.url(words, .movie)
    let query = try #require(url.firstMatch(of: /srsearch=(.*?)\+haswbstatement%3AP31%3DQ11424/)?.1)
    let text = query.replacing("+", with: " ")
    #expect(text.removingPercentEncoding == asked)
  }

  @Test func `a title search matches each word in titles only`() {
    let url = Source.wikidata.url("dune: part", .movie, field: .title)
    #expect(url.contains("srsearch=inlabel%3Adune+inlabel%3Apart+haswbstatement%3A"))
  }

  @Test func `a query is shortened to the length that the index allows`() throws {
    let url = Source.wikidata.url(String(repeating: "영화 ", count: 300), .movie)
    let query = try #require(url.firstMatch(of: /srsearch=([^&]*)/)?.1)
    let text = try #require(query.replacing("+", with: " ").removingPercentEncoding)
    #expect((250...300).contains(text.unicodeScalars.count))
    #expect(text.hasSuffix("|P31=Q17517379"))
  }

  @Test func `a page of search results becomes a page of movies`() throws {
    let web = Self.web(Self.film, Self.other)
    let page = try page(web)
    #expect(page.candidates.map(\.id) == [Self.id("Q100"), Self.id("Q200")])
    #expect(page.candidates.map(\.record.title) == ["Parasite", "Other"])
    #expect(page.total == 41)
    #expect(page.hasMore)
    #expect(page.unreadable == 1, "a property is no movie")
    #expect(page.candidates.allSatisfy { $0.partialFailures == nil }, "they are not whole")
    #expect(web.asked.map(\.count) == [1, 1, 1])
    #expect(web.asked.joined().contains { $0.contains("ids=Q100%7CQ200&") })
    let movie = try #require(page.candidates.first?.record)
    #expect(movie.creators == ["Bong Joon-ho"])
    #expect(movie.credits.allSatisfy { $0.role == .director }, "the cast is fetched")
    #expect(movie.year == 2019)
    #expect(movie.labels == ["black comedy film", "thriller film"])
    #expect(movie.movie?.countries == ["KR"])
  }

  @Test func `pages end at the total count`() throws {
    #expect(try Source.wikidata.page(Self.search, .movie, page: 13, pageSize: 3).hasMore)
    #expect(try !Source.wikidata.page(Self.search, .movie, page: 14, pageSize: 3).hasMore)
    let none = #"{"batchcomplete":"","query":{"searchinfo":{"totalhits":0},"search":[]}}"#
    #expect(try Source.wikidata.page(none, .movie) == Page(total: 0))
  }

  @Test func `a deleted result or one without a title counts as unreadable`() throws {
    let gone = #""Q100":{"id":"Q100","missing":""}"#
    let nameless = Self.item("Q200", labels: [:], ["P31": [Self.statement(of: "Q11424")]])
    let page = try page(Self.web(gone, nameless))
    #expect(page.candidates.isEmpty)
    #expect(page.unreadable == 3)
  }

  @Test func `movies are kept without names whose request failed`() throws {
    let web = FakeWeb([
      Self.parts.search: Response(json: Self.search), Self.parts.items: Response(json: Self.entities(Self.film)),
      Self.parts.names: Response(json: "", status: 503),
    ])
    let movie = try #require(try page(web).candidates.first?.record)
    #expect(movie.title == "Parasite")
    #expect(movie.credits.isEmpty)
    #expect(movie.labels.isEmpty)
    #expect(movie.movie?.minutes == 132)
  }

  @Test func `a page fails when its items cannot be fetched`() {
    let web = FakeWeb([
      Self.parts.search: Response(json: Self.search), Self.parts.items: Response(json: "", status: 503),
    ])
    #expect(throws: SourceError.network(.busy(host: "www.wikidata.org", retryAfter: nil))) { try page(web) }
  }

  @Test func `many items are requested in several requests`() throws {
    let hits = (1...20).map { #"{"ns":0,"title":"Q\#($0)"}"# }.joined(separator: ",")
    let items = (1...20).map { Self.item("Q\($0)", labels: ["en": "Film \($0)"]) }
    let web = FakeWeb([
      Self.parts.search: #"{"query":{"searchinfo":{"totalhits":20},"search":[\#(hits)]}}"#,
      Self.parts.items: Self.entities(items),
    ])
    let page = try page(web)
    #expect(page.candidates.map(\.record.title) == (1...20).map { "Film \($0)" })
    #expect(web.asked.map(\.count) == [1, 3], "nothing in them has a name")
  }

  @Test func `items too large for one answer are requested in halves`() throws {
    let items = (100...101).map { Self.item("Q\($0)", labels: ["en": "Film \($0)"]) }
    let hits = (100...101).map { #"{"ns":0,"title":"Q\#($0)"}"# }.joined(separator: ",")
    let flood = "[" + String(repeating: "0,", count: 10_001) + "0]"
    let web = FakeWeb([
      Self.parts.search: #"{"query":{"search":[\#(hits)]}}"#, "ids=Q100%7CQ101&": flood,
      "ids=Q100&": Self.entities(items[0]), "ids=Q101&": Self.entities(items[1]),
    ])
    #expect(try page(web).candidates.map(\.record.title) == ["Film 100", "Film 101"])
  }

  // MARK: Fetching

  @Test func `a movie is fetched with all its values`() throws {
    let movie = try Source.wikidata.record(Self.id("Q100"), as: .movie, from: Self.web(Self.film))
    #expect(
      movie.externalIDs == [
        Self.id("Q100"), ExternalID(source: "imdb", value: "tt6751668"), ExternalID(source: "tmdb", value: "496243"),
      ])
    #expect(movie.title == "Parasite")
    #expect(movie.originalTitle == "기생충")
    #expect(movie.otherTitles == ["Gisaengchung"])
    #expect(movie.released == PartialDate("2019-05-21"))
    #expect(movie.url == "https://www.wikidata.org/wiki/Q100")
    #expect(movie.artworkURL == nil)
    #expect(movie.summary == nil)
    #expect(movie.movie?.minutes == 132)
    #expect(movie.movie?.language == "ko")
    #expect(
      movie.credits == [
        Credit(name: "Bong Joon-ho", role: .director, externalID: Self.id("Q1")),
        Credit(name: "Lee Sun-kyun", role: .cast, detail: "Park Dong-ik / The driver", externalID: Self.id("Q12")),
        Credit(name: "Song Kang-ho", role: .cast, externalID: Self.id("Q11")),
      ])
    #expect(try Source.wikidata.partialFailures(Self.id("Q100"), as: .movie, from: Self.web(Self.film)).isEmpty)
  }

  @Test func `names are in the user's language, and genres in English`() throws {
    let web = Self.web(Self.film)
    let movie = try Source.wikidata.record(Self.id("Q100"), as: .movie, from: web, language: "ko")
    #expect(movie.title == "기생충")
    #expect(movie.originalTitle == nil)
    #expect(movie.otherTitles == ["Parasite", "Gisaengchung"])
    #expect(movie.credits.map(\.name) == ["봉준호", "이선균", "Song Kang-ho"])
    #expect(movie.labels == ["black comedy film", "thriller film"])
    #expect(web.asked.joined().allSatisfy { $0.contains("&languages=ko%7Cen%7Cmul%7C") })
  }

  @Test(
    arguments: [
      (["de": "Der Film", "en": "The Film", "mul": "Film"], "The Film"), (["de": "Der Film", "mul": "Film"], "Film"),
      (["fr": "Le Film", "de": "Der Film"], "Der Film"),
    ] as [([String: String], String)])
  func `a title in another language is used when no better one exists`(labels: [String: String], title: String) throws {
    #expect(try film([:], labels: labels).title == title)
  }

  @Test func `a movie without a label uses its title statement`() throws {
    let claims = ["P1476": [Self.statement("monolingualtext", #"{"text":"Le Film","language":"fr"}"#)]]
    #expect(try film(claims, labels: [:]).title == "Le Film")
    #expect(throws: SourceError.unreadable("a movie without a title")) { try film([:], labels: [:]) }
  }

  @Test(
    arguments: [
      ([("+1602-00-00T00:00:00Z", 9, "normal")], "1602"), ([("+1982-06-25T00:00:00Z", 9, "normal")], "1982"),
      ([("+1982-06-00T00:00:00Z", 10, "normal")], "1982-06"), ([("+1980-00-00T00:00:00Z", 8, "normal")], nil),
      ([("-0044-03-15T00:00:00Z", 11, "normal")], nil), ([], nil),
      ([("+1982-06-25T00:00:00Z", 11, "normal"), ("+1992-09-11T00:00:00Z", 11, "preferred")], "1992-09-11"),
      ([("+1982-00-00T00:00:00Z", 9, "normal"), ("+1982-06-25T00:00:00Z", 11, "normal")], "1982-06-25"),
    ] as [([(String, Int, String)], String?)])
  func `a release date is as precise as its statement`(dates: [(String, Int, String)], released: String?) throws {
    let movie = try film(["P577": dates.map { Self.statement(date: $0.0, $0.1, rank: $0.2) }])
    #expect(movie.released?.description == released)
    #expect(movie.year == released.flatMap { Int($0.prefix(4)) })
  }

  @Test(arguments: ["somevalue", "novalue"])
  func `an unknown or absent value is ignored`(type: String) throws {
    let statement = #"{"mainsnak":{"snaktype":"\#(type)","property":"P577"},"rank":"preferred"}"#
    let movie = try film([
      "P577": [statement, Self.statement(date: "+1999-00-00T00:00:00Z", 9)], "P57": [statement], "P161": [statement],
    ])
    #expect(movie.year == 1999)
    #expect(movie.credits.isEmpty)
  }

  @Test(arguments: [
    ("+2", "Q25235", 120), ("+5400", "Q11574", 90), ("+98.6", "Q7727", 99), ("+0", "Q7727", nil),
    ("+90", "Q11573", nil), ("+1e300", "Q7727", nil),
  ])
  func `a length in any unit is converted to minutes`(amount: String, unit: String, minutes: Int?) throws {
    let length = #"{"amount":"\#(amount)","unit":"http://www.wikidata.org/entity/\#(unit)"}"#
    #expect(try film(["P2047": [Self.statement("quantity", length)]]).movie?.minutes == minutes)
  }

  @Test func `special countries and languages map to their codes`() throws {
    let movie = try film(["P495": [Self.statement(of: "Q30")], "P364": [Self.statement(of: "Q727694")]])
    #expect(movie.movie?.countries == ["US"])
    #expect(movie.movie?.language == "zh")
  }

  @Test func `a merged movie keeps the requested id`() throws {
    let merged = Self.item("Q100", labels: ["en": "Film"], ["P31": [Self.statement(of: "Q11424")]])
      .replacing(#""Q100":{"#, with: #""Q50":{"redirects":{"from":"Q50","to":"Q100"},"#)
    let movie = try Source.wikidata.record(Self.id("Q50"), as: .movie, from: Self.web(merged))
    #expect(movie.externalIDs == [Self.id("Q50"), Self.id("Q100")])
    let underItsOwn = merged.replacing(#""Q50":{"#, with: #""Q100":{"#)
    let other = try Source.wikidata.record(Self.id("Q50"), as: .movie, from: Self.web(underItsOwn))
    #expect(other.externalIDs == [Self.id("Q50"), Self.id("Q100")])
  }

  @Test func `a missing item or one that is no movie is not found`() {
    let person = Self.item("Q100", labels: ["en": "A person"], ["P31": [Self.statement(of: "Q5")]])
    let series = Self.item(
      "Q100", labels: ["en": "A series"],
      ["P57": [Self.statement(of: "Q1")], "P4983": [Self.statement("string", #""1399""#)]])
    for item in [#""Q100":{"id":"Q100","missing":""}"#, person, series] {
      #expect(throws: SourceError.notFound) {
        try Source.wikidata.record(Self.id("Q100"), as: .movie, from: Self.web(item))
      }
    }
    let refused = FakeWeb([Self.parts.items: #"{"error":{"code":"no-such-entity","info":"Could not find an entity"}}"#])
    #expect(throws: SourceError.notFound) {
      try Source.wikidata.record(Self.id("Q100"), as: .movie, from: refused)
    }
  }

  @Test func `an item of an unknown class with a director is a movie`() throws {
    let claims = ["P31": [Self.statement(of: "Q999")], "P57": [Self.statement(of: "Q1")]]
    #expect(try film(claims).creators == ["Bong Joon-ho"])
  }

  @Test(arguments: ["", "Q", "Q0", "P31", "Q1|Q2", "../Q1", "Q١"])
  func `an invalid id is not requested`(value: String) {
    let web = Self.web()
    #expect(throws: SourceError.notFound) { try Source.wikidata.record(Self.id(value), as: .movie, from: web) }
    #expect(web.asked.isEmpty)
  }

  @Test func `names whose request failed are reported as missing`() throws {
    let web = FakeWeb([
      Self.parts.items: Response(json: Self.entities(Self.film)), Self.parts.names: Response(json: "", status: 503),
    ])
    let reason = SourceError.network(.busy(host: "www.wikidata.org", retryAfter: nil))
    #expect(
      try Source.wikidata.partialFailures(Self.id("Q100"), as: .movie, from: web)
        == [PartialFailure("people", reason), PartialFailure("genres", reason)])
  }

  // MARK: Finding

  @Test func `a movie is found by its IMDb id`() throws {
    let find = try #require(Source.wikidata.find)
    let web = Self.web(Self.film)
    let id = try #require(ExternalID(imdb: "tt6751668"))
    let movie = try #require(try find(id, Source.wikidata.settings(), web.client))
    #expect(web.asked.first?.first?.contains("srsearch=haswbstatement%3AP345%3Dtt6751668&srlimit=1&") == true)
    #expect(movie.id == Self.id("Q100"))
    #expect(movie.partialFailures == [], "it is whole")
    #expect(movie.record.externalIDs.contains(id))
    #expect(movie.record.credits.count == 3)
  }

  @Test func `an IMDb id that is unknown or no movie's finds nothing`() throws {
    let find = try #require(Source.wikidata.find)
    let id = try #require(ExternalID(imdb: "tt0000001"))
    let none = FakeWeb([Self.parts.search: #"{"query":{"searchinfo":{"totalhits":0},"search":[]}}"#])
    #expect(try find(id, Source.wikidata.settings(), none.client) == nil)
    let person = Self.web(Self.item("Q100", labels: ["en": "A person"], ["P31": [Self.statement(of: "Q5")]]))
    #expect(try find(id, Source.wikidata.settings(), person.client) == nil)
  }

  // MARK: Refusals

  @Test(
    arguments: [
      (
        #"{"error":{"code":"maxlag","info":"Waiting for db1: 6.2 seconds lagged","lag":6.2}}"#,
        .network(.busy(host: "www.wikidata.org", retryAfter: 7))
      ),
      (#"{"error":{"code":"maxlag","lag":1e300}}"#, .network(.busy(host: "www.wikidata.org", retryAfter: 3600))),
      (#"{"error":{"code":"ratelimited"}}"#, .network(.throttled(host: "www.wikidata.org", retryAfter: nil))),
      (
        #"{"error":{"code":"internal_api_error_DBQueryError"}}"#,
        .network(.busy(host: "www.wikidata.org", retryAfter: nil))
      ),
      (
        #"{"error":{"code":"badvalue","info":"Unrecognized value for parameter"}}"#,
        .refused(status: 200, words: "Unrecognized value for parameter")
      ),
    ] as [(String, SourceError)])
  func `an error with status 200 is reported as an error`(body: String, error: SourceError) {
    for part in [Self.parts.search, Self.parts.items] {
      var answers = [Self.parts.search: Self.search, Self.parts.items: Self.entities(Self.film)]
      answers[part] = body
      #expect(throws: error) { try page(FakeWeb(answers)) }
    }
  }

  @Test func `a busy source's Retry-After is reported`() {
    let lagged = Response(200, #"{"error":{"code":"maxlag","lag":6.2}}"#, ["retry-after": "5"])
    #expect(throws: SourceError.network(.busy(host: "www.wikidata.org", retryAfter: 5))) {
      try page(FakeWeb([Self.parts.search: lagged]))
    }
    let limited = Response(429, "<html>Too many requests</html>", ["retry-after": "30"])
    #expect(throws: SourceError.network(.throttled(host: "www.wikidata.org", retryAfter: 30))) {
      try page(FakeWeb([Self.parts.search: limited]))
    }
    let unknown = Response(403, "Please set a user-agent and respect our robot policy")
    #expect(throws: SourceError.refused(status: 403)) { try page(FakeWeb([Self.parts.search: unknown])) }
  }

  // MARK: Answers of the shape that the API has

  static func item(
    _ id: String, labels: [String: String] = [:], aliases: [String: [String]] = [:], _ claims: [String: [String]] = [:]
  ) -> String {
    func term(_ code: String, _ text: String) -> String { #"{"language":"\#(code)","value":"\#(text)"}"# }
    func object(_ members: [String]) -> String {
      members.isEmpty ? "[]" : "{\(members.sorted().joined(separator: ","))}"
    }
    let labels = object(labels.map { #""\#($0.key)":\#(term($0.key, $0.value))"# })
    let aliases = object(
      aliases.map { code, texts in #""\#(code)":[\#(texts.map { term(code, $0) }.joined(separator: ","))]"# })
    let claims = object(claims.map { #""\#($0.key)":[\#($0.value.joined(separator: ","))]"# })
    return #""\#(id)":{"type":"item","id":"\#(id)","labels":\#(labels),"aliases":\#(aliases),"claims":\#(claims)}"#
  }

  static func entities(_ items: String...) -> String { entities(items) }
  static func entities(_ items: [String]) -> String {
    #"{"entities":{\#(items.joined(separator: ","))},"success":1}"#
  }

  static func snak(_ type: String, _ value: String) -> String {
    #"{"snaktype":"value","property":"P1","datavalue":{"value":\#(value),"type":"\#(type)"}}"#
  }
  static func snak(of item: String) -> String {
    snak("wikibase-entityid", #"{"entity-type":"item","numeric-id":\#(item.dropFirst()),"id":"\#(item)"}"#)
  }

  static func statement(_ type: String, _ value: String, rank: String = "normal") -> String {
    #"{"mainsnak":\#(snak(type, value)),"type":"statement","rank":"\#(rank)"}"#
  }
  static func statement(of item: String, qualifiers: String = "{}") -> String {
    #"{"mainsnak":\#(snak(of: item)),"type":"statement","rank":"normal","qualifiers":\#(qualifiers)}"#
  }
  static func statement(date: String, _ precision: Int, rank: String = "normal") -> String {
    statement("time", #"{"time":"\#(date)","timezone":0,"precision":\#(precision)}"#, rank: rank)
  }
}
