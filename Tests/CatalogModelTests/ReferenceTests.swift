import CatalogModel
import Testing

struct ReferenceTests {
  private static let sources = ["tmdb", "discogs", "itunes", "pack"]

  @Test(arguments: [
    ("42", Reference.item(ItemID(rawValue: 42))), (" 42 ", .item(ItemID(rawValue: 42))), ("r3", .result(3)),
    ("R12", .result(12)),
    ("@1", .recent(1)), ("tmdb:550", .external(ExternalID(source: "tmdb", value: "550"))),
    ("TMDB: 550", .external(ExternalID(source: "tmdb", value: "550"))),
    ("itunes:track/1440857781", .external(ExternalID(source: "itunes", value: "track/1440857781"))),
    ("kind of blue", .words("kind of blue")), ("r", .words("r")), ("r2d2", .words("r2d2")), ("@home", .words("@home")),
    ("2001: A Space Odyssey", .words("2001: A Space Odyssey")), ("tmdb:", .words("tmdb:")), ("1q84", .words("1q84")),
    ("기생충", .words("기생충")), ("-5", .words("-5")), ("٣", .words("٣")),
    ("9999999999999999", .words("9999999999999999")),
  ])
  func `a reference is read as number, result, recent item, external id or words`(
    _ text: String, _ expected: Reference
  ) throws {
    #expect(try Reference(text, sources: Self.sources) == expected)
  }

  @Test(arguments: [
    "tt1375666", "TT1375666", " imdb:tt1375666 ", "IMDb: tt1375666", "https://www.imdb.com/title/tt1375666/",
    "http://m.imdb.com/title/tt1375666", "imdb.com/title/tt1375666?ref_=fn_al_tt_1",
    "https://www.imdb.com/ko/title/tt1375666/fullcredits/?ref_=tt_ov_st_sm#cast",
  ])
  func `an IMDb id is read alone or in an address`(_ text: String) throws {
    #expect(try Reference(text, sources: []) == .external(ExternalID(source: "imdb", value: "tt1375666")))
  }

  @Test(arguments: [
    "tt137566", "tt13756660000", "tt", "ttt1375666", "tt137566x", "tt１３７５６６６", "https://www.imdb.com/name/nm0634240/",
    "https://imdb.com", "https://notimdb.com/title/tt1375666/", "https://example.org/imdb.com/title/tt1375666/",
    "see imdb.com/title/tt1375666",
  ])
  func `text that is no IMDb id is read as words`(_ text: String) throws {
    #expect(try Reference(text, sources: []) == (text.hasPrefix("http") ? .page(text) : .words(text)))
  }

  @Test(arguments: [
    ("c34", Reference.copy(CopyID(rawValue: 34))), ("W3", .wish(WishID(rawValue: 3))),
    ("id:42", .item(ItemID(rawValue: 42))),
    ("movie 6: Dune — Denis Villeneuve (2021)", .item(ItemID(rawValue: 6))), ("책 105: 흰", .item(ItemID(rawValue: 105))),
    ("movie 43", .words("movie 43")), ("c", .words("c")), ("c7 blues", .words("c7 blues")), ("id:x", .words("id:x")),
  ]) func `copies, wishes and printed lines are references`(_ text: String, _ reference: Reference) throws {
    #expect(try Reference(text, sources: []) == reference)
  }

  @Test func `references to codes are validated`() throws {
    #expect(try Reference("isbn:978-89-364-3412-0", sources: []) == .isbn(ISBN("9788936434120")))
    for name in ["barcode", "ean", "UPC"] {
      #expect(try Reference("\(name):036000291452", sources: []) == .barcode(Barcode("036000291452")))
    }
  }

  @Test(arguments: [
    ("", "a reference is missing"), ("  \t", "a reference is missing"), ("0", "numbers start at 1"),
    ("r0", "results start at r1"), ("@0", "they start at @1"), ("isbn:9788936434121", "wrong check digit"),
    ("isbn:", "not an ISBN"), ("imdb:550", "not an IMDb id"), ("imdb:", "not an IMDb id"),
    ("barcode:abc", "not a barcode"),
  ])
  func `an invalid reference is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: Reference.Problem.self) { try Reference(text, sources: Self.sources) }
    #expect(problem?.description.contains(words) ?? false)
  }
}
