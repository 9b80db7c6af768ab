import CatalogModel
import Testing

struct NameListTests {
  @Test(arguments: [
    ("KR", "South Korea"), ("us", "United States"), ("SU", "Soviet Union"), ("AX", "Åland Islands"), ("ZZ", "ZZ"),
    ("", ""), ("KOR", "KOR"), ("\n", "\n"), ("é", "é"), ("XW", "Worldwide"), ("# ", "# "),
  ])
  func `a code has a name, and stays where it has none`(_ code: String, _ name: String) {
    #expect(Country.name(code) == name)
  }

  @Test(arguments: [
    ("Germany", "DE"), ("UK", "GB"), ("USA", "US"), ("Trinidad & Tobago", "TT"), ("KR", "KR"), ("Europe", "XE"),
    ("German Democratic Republic (GDR)", "DD"), ("USA & Canada", nil), ("", nil), ("Names of countries", nil),
  ])
  func `a country is known by each of its names`(_ name: String, _ code: String?) {
    #expect(Country.code(named: name) == code)
  }

  @Test(arguments: [("ko", "Korean"), ("EN", "English"), ("cn", "Cantonese"), ("xx", "xx"), ("eng", "eng")])
  func `a language has a name`(_ code: String, _ name: String) {
    #expect(Language.name(code) == name)
  }

  @Test(arguments: [("kor", "ko"), ("ger", "de"), ("deu", "de"), ("Korean", "ko"), ("mul", nil)])
  func `a language is known by its three letters`(_ name: String, _ code: String?) {
    #expect(Language.code(named: name) == code)
  }

  @Test(arguments: [("US", "US"), ("gb", "UK"), ("XE", "Europe"), ("XW", "Worldwide"), ("UK & Europe", "UK & Europe")])
  func `in a narrow column a country has a short name`(code: String, name: String) {
    #expect(Country.shortName(code) == name)
  }

  @Test func `a code that names no country is not shown`() { #expect(Country.shortName("QX") == nil) }
}
