import CatalogModel
import Testing

@testable import Lookup

/// Tests the addresses of pages, and which items they are of.
struct PagesTests {
  static let uuid = "1a8c4ac3-6f47-4570-aedb-f1928a0498ea"
  /// The address of each page, and the id.
  static let pages: [(String, String)] = [
    ("https://www.themoviedb.org/movie/27205", "tmdb:27205"),
    ("https://www.wikidata.org/wiki/Q25188", "wikidata:Q25188"),
    ("https://openlibrary.org/works/OL45804W", "openlibrary:OL45804W"),
    ("https://openlibrary.org/books/OL7353617M", "openlibrary:OL7353617M"),
    ("https://inventaire.io/entity/wd:Q1194961", "inventaire:wd:Q1194961"),
    ("https://books.google.com/books?id=zyTCAlFPjgYC", "googlebooks:zyTCAlFPjgYC"),
    ("https://musicbrainz.org/release/\(uuid)", "musicbrainz:\(uuid)"),
    ("https://musicbrainz.org/release-group/\(uuid)", "musicbrainz:release-group/\(uuid)"),
    ("https://www.discogs.com/release/249504", "discogs:249504"),
    ("https://www.discogs.com/master/5460", "discogs:master/5460"),
  ]

  @Test(arguments: pages) func `the page of an id is the page of this id`(_ address: String, _ id: String) throws {
    let found = try #require(ExternalID(page: address))
    #expect(found.description == id)
    #expect(found.page == address)
  }

  static let shown: [(String, String)] = [
    ("https://www.themoviedb.org/movie/27205-inception?language=ko-KR#reviews", "tmdb:27205"),
    ("http://themoviedb.org/movie/27205-inception/cast", "tmdb:27205"),
    ("https://m.wikidata.org/wiki/q25188#P31", "wikidata:Q25188"),
    ("http://www.wikidata.org/entity/Q25188", "wikidata:Q25188"),
    ("https://openlibrary.org/works/OL45804W/Fantastic_Mr_Fox?edition=key:/books/OL1M", "openlibrary:OL45804W"),
    ("https://openlibrary.org/books/OL7353617M/Fantastic_Mr._Fox/", "openlibrary:OL7353617M"),
    ("https://inventaire.io/entity/wd%3AQ1194961/fantastic-mr-fox", "inventaire:wd:Q1194961"),
    ("https://inventaire.io/entity/isbn:9780140328721", "inventaire:isbn:9780140328721"),
    ("https://beta.musicbrainz.org/release/\(uuid.uppercased())/discids", "musicbrainz:\(uuid)"),
    ("https://www.discogs.com/release/249504-Fleetwood-Mac-Rumours", "discogs:249504"),
    ("https://www.discogs.com/ko/master/5460-Miles-Davis-Kind-Of-Blue?sort=year", "discogs:master/5460"),
    ("HTTPS://WWW.DISCOGS.COM/Fleetwood-Mac-Rumours/release/249504", "discogs:249504"),
    ("https://books.google.co.kr/books?hl=ko&id=zyTCAlFPjgYC&pg=PA1", "googlebooks:zyTCAlFPjgYC"),
    ("https://books.google.com/books/edition/The_Book/zyTCAlFPjgYC?hl=en", "googlebooks:zyTCAlFPjgYC"),
    ("https://itunes.apple.com/us/movie/inception/id400763833?uo=4", "itunes:track/400763833"),
    ("https://music.apple.com/kr/album/rumours/594061854", "itunes:collection/594061854"),
    ("https://music.apple.com/us/album/dreams/594061854?i=594061861", "itunes:track/594061861"),
    ("https://books.apple.com/us/book/dune/id597734746", "itunes:ebook/597734746"),
    ("https://apps.apple.com/us/app/overcast/id888422857", "itunes:software/888422857"),
    ("https://podcasts.apple.com/us/podcast/serial/id917918570", "itunes:track/917918570"),
  ]

  @Test(arguments: shown)
  func `a page as a browser shows it is of its item`(_ address: String, _ id: String) {
    #expect(ExternalID(page: address)?.description == id)
  }

  static let others: [String] = [
    "", "https://", "https:///", "https://example.org/movie/27205", "https://www.themoviedb.org/tv/1396",
    "https://www.themoviedb.org/movie/inception", "https://www.themoviedb.org/movie/27205x",
    "https://themoviedb.org.example.com/movie/27205", "ftp://www.discogs.com/release/249504",
    "https://www.discogs.com/artist/37-Fleetwood-Mac", "https://www.discogs.com/release/",
    "https://musicbrainz.org/artist/\(uuid)", "https://musicbrainz.org/release/1a8c4ac3",
    "https://openlibrary.org/authors/OL34184A", "https://openlibrary.org/works/OLxW",
    "https://inventaire.io/users/a", "https://www.wikidata.org/wiki/Special:Search",
    "https://music.apple.com/us/artist/fleetwood-mac/158038", "https://books.google.com/", "movie 27205",
  ]

  @Test(arguments: others)
  func `any other address is of none`(_ address: String) { #expect(ExternalID(page: address) == nil) }

  static let languages: [(String, String?, String, [String])] = [
    ("zh", "TW", "zh-TW", ["zh-tw", "zh-hant", "zh"]), ("zh", "HK", "zh-HK", ["zh-hk", "zh-hant", "zh"]),
    ("zh", "MO", "zh-HK", ["zh-hk", "zh-hant", "zh"]), ("zh", "CN", "zh-CN", ["zh-cn", "zh-hans", "zh"]),
    ("zh", "US", "zh", ["zh"]), ("pt", "BR", "pt-BR", ["pt-br", "pt"]), ("pt", "AO", "pt-PT", ["pt-pt", "pt"]),
    ("es", "MX", "es-MX", ["es-mx", "es"]), ("es", "AR", "es-MX", ["es-mx", "es"]),
    ("es", "ES", "es-ES", ["es-es", "es"]), ("es", "DE", "es", ["es"]), ("fr", "CA", "fr-CA", ["fr-ca", "fr"]),
    ("fr", "FR", "fr", ["fr"]), ("ko", "KR", "ko", ["ko"]), ("en", "GB", "en", ["en"]), ("de", nil, "de", ["de"]),
  ]

  @Test(arguments: languages)
  func `a language has the form of its place`(
    _ language: String, _ place: String?, _ form: String, _ languages: [String]
  ) {
    var settings = Source.tmdb.settings(language: language)
    settings.place = place
    #expect(settings.languageOfPlace == form)
    #expect(settings.languages == languages)
    let request = Source.tmdb.request(Search(words: "inception", kind: .movie), settings)
    #expect(request.url.hasSuffix("language=\(form)"))
  }
}
