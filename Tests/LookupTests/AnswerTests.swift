import CatalogModel
public import Lookup
public import Testing

/// Tests bodies that are no answer. All sources parse through the same function, so each case runs on all of them.
struct AnswerTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var body: [UInt8]
    var words: String
    var testDescription: String { name }

    init(_ name: String, _ body: String, _ words: String) { self.init(name, Array(body.utf8), words) }
    init(_ name: String, _ body: [UInt8], _ words: String) { (self.name, self.body, self.words) = (name, body, words) }
  }

  /// The sources that answer in JSON. ``LibraryTests`` tests the others.
  static let sources = Source.all.filter { !["dnb", "bnf"].contains($0.id) }

  static let deep = String(repeating: "[", count: 100_000)

  @Test(
    arguments: sources,
    [
      Case("nothing", "", "an empty answer"), Case("blanks", " \n\t", "an empty answer"),
      Case("HTML", "\n<!DOCTYPE html><html>", "an HTML page instead of an answer"),
      Case("words", "Service busy", "text that is not JSON"),
      Case("cut", #"{"results":[{"trackName":"A"#, "an answer that is cut short"),
      Case("cut between", #"{"results":[{"trackName":"A"},"#, "an answer that is cut short"),
      Case(
        "not UTF-8", Array(#"{"results":[""#.utf8) + [0xFF, 0xC0] + Array(#""]}"#.utf8), "text that is not valid UTF-8"),
      Case("deep", #"{"results":"# + deep, "an answer nested too deeply"),
      Case("another shape", #"{"message":"hello"}"#, "an answer in an undocumented form"),
      Case("a list", "[1,2]", "an answer in an undocumented form"),
      Case(
        "lists that are none",
        #"{"results":{},"docs":7,"releases":"x","documents":null,"items":5,"query":{"search":0}}"#,
        "an answer in an undocumented form"),
      Case(
        "two answers", #"{"results":[],"docs":[],"releases":[],"documents":[],"items":[],"query":{"search":[]}}}"#,
        "an answer in an undocumented form"),
      Case("no JSON inside", #"{"results":[,]}"#, "an answer in an undocumented form"),
    ])
  func `a body that is no answer is rejected with a description of the problem`(source: Source, bad: Case) {
    #expect(throws: SourceError.unreadable(bad.words)) {
      try source.read(
        Response(status: 200, body: bad.body), Search(words: "x", kind: .vinyl), source.settings())
    }
  }

  @Test(arguments: sources)
  func `an answer may begin with a byte order mark and blanks`(source: Source) throws {
    let json = #"{"results":[],"docs":[],"releases":[],"documents":[],"items":[],"item":[],"query":{"search":[]}}"#
    let body = [0xEF, 0xBB, 0xBF] + Array("\n\n\(json)\n\n".utf8)
    let page = try source.read(
      Response(status: 200, body: body), Search(words: "x", kind: .vinyl), source.settings())
    #expect(page == Page())
  }

  @Test(arguments: Source.all) func `status 401 is reported as a rejected key`(source: Source) {
    #expect(throws: SourceError.key(missing: false)) {
      try source.read(Response(json: "{}", status: 401), Search(words: "x", kind: .vinyl), source.settings())
    }
  }

  @Test(arguments: Source.all, [301, 400, 404, 500])
  func `any other error status is reported as a refusal`(source: Source, status: Int) {
    #expect(throws: SourceError.refused(status: status)) {
      try source.read(
        Response(json: "{}", status: status), Search(words: "x", kind: .vinyl), source.settings())
    }
  }

  @Test func `a text with a lone surrogate is unreadable without affecting the rest of the answer`() throws {
    let page = try Source.openLibrary.page(
      #"{"docs":[{"key":"OL1W","title":"\ud800"},{"key":"OL2W","title":"Whole","author_name":["\udfff","B"]}]}"#, .book)
    #expect(page.candidates.map(\.record.title) == ["Whole"])
    #expect(page.unreadable == 1)
  }

  @Test func `control characters are removed, and texts are trimmed`() throws {
    let page = try Source.openLibrary.page(
      #"{"docs":[{"key":"OL1W","title":" \u0000The\u001b[31m\tEnd\r\n ","author_name":["\u0007","A\u0000B"]}]}"#, .book)
    #expect(page.candidates.map(\.record.title) == ["The[31m End"])
    #expect(page.candidates.first?.record.creators == ["AB"])
  }

  @Test func `numbers may be written as strings and strings as numbers`() throws {
    let page = try Source.openLibrary.page(
      #"{"numFound":"3","docs":[{"key":"OL1W","title":"T","first_publish_year":"1969","cover_i":12.0,"ratings_average":"4","ratings_count":2}]}"#,
      .book)
    let book = try #require(page.candidates.first?.record)
    #expect(page.total == 3)
    #expect(book.year == 1969)
    #expect(book.artworkURL?.contains("/12-L.jpg") == true)
    #expect(book.publicRating == PublicRating(value: 80, votes: 2))
  }

  @Test(arguments: ["1e999", "-1", "0", "1.5", "99999", "true", "{}", "[1969]", "\"19x9\"", "18446744073709551616"])
  func `an impossible year is unknown`(year: String) throws {
    let page = try Source.openLibrary.page(
      #"{"docs":[{"key":"OL1W","title":"T","first_publish_year":\#(year)}]}"#, .book)
    let book = try #require(page.candidates.first?.record)
    #expect(book.year == (year == "-1" ? -1 : nil), "1 BC is a year")
    #expect(book.released == nil)
  }
}

extension Source: CustomTestStringConvertible {
  public var testDescription: String { id }
}
