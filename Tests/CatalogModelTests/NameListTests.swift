import CatalogModel
import Testing

struct NameListTests {
  @Test(arguments: [
    ("KR", "South Korea"), ("us", "United States"), ("SU", "Soviet Union"), ("AX", "Åland Islands"), ("ZZ", "ZZ"),
    ("", ""), ("KOR", "KOR"), ("\n", "\n"), ("é", "é"), ("XW", "Worldwide"), ("# ", "# "),
  ])
  func `a country code has a name, and an unknown code stays as it is`(_ code: String, _ name: String) {
    #expect(Country.name(code) == name)
  }

  @Test(arguments: [
    ("Germany", "DE"), ("UK", "GB"), ("USA", "US"), ("Trinidad & Tobago", "TT"), ("KR", "KR"), ("Europe", "XE"),
    ("대한민국", "KR"), ("한국", "KR"), ("Südkorea", "KR"), ("corée du sud", "KR"), ("韓国", "KR"), ("kor", "KR"), ("kr", "KR"),
    ("U.S.A.", "US"), ("england", "GB"), ("日本", "JP"), ("독일", "DE"), ("Deutschland", "DE"), ("Narnia", nil),
    ("German Democratic Republic (GDR)", "DD"), ("USA & Canada", nil), ("", nil), ("Names of countries", nil),
  ])
  func `a country code is found by each name of the country`(_ name: String, _ code: String?) {
    #expect(Country.code(named: name) == code)
  }

  @Test(arguments: [("ko", "Korean"), ("EN", "English"), ("cn", "Cantonese"), ("xx", "xx"), ("eng", "eng")])
  func `a language code has a name`(_ code: String, _ name: String) {
    #expect(Language.name(code) == name)
  }

  @Test(arguments: [
    ("한국어", "ko"), ("KO", "ko"), ("ko-KR", "ko"), ("en_US", "en"),
    ("koreanisch", "ko"), ("日本語", "ja"), ("français", "fr"),
    ("Klingon", nil), ("", nil), ("kor", "ko"), ("ger", "de"), ("deu", "de"), ("Korean", "ko"), ("mul", nil),
  ])
  func `a language code is found by its three letters or name`(_ name: String, _ code: String?) {
    #expect(Language.code(named: name) == code)
  }

  @Test(arguments: [("US", "US"), ("gb", "UK"), ("XE", "Europe"), ("XW", "Worldwide"), ("UK & Europe", "UK & Europe")])
  func `a country has a short name for narrow columns`(code: String, name: String) {
    #expect(Country.shortName(code) == name)
  }

  @Test func `an unknown country code has no short name`() { #expect(Country.shortName("QX") == nil) }
}
