import CatalogModel
import Testing

@testable import Lookup

/// Tests the `User-Agent`, and which sources get the contact.
struct IdentityTests {
  static let identity = Identity(program: "catalog/1.0", contact: "me@example.org")

  @Test func `the user agent has the program, its page and the contact`() {
    #expect(Identity(program: "catalog/1.0").full == "catalog/1.0")
    #expect(Self.identity.full == "catalog/1.0 (me@example.org)")
    let released = Identity(program: "catalog/1.0", page: "https://example.org")
    #expect(released.full == "catalog/1.0 (+https://example.org)")
    #expect(
      Identity(program: "catalog/1.0", page: "https://example.org", contact: "me@example.org").full
        == "catalog/1.0 (+https://example.org; me@example.org)")
  }

  @Test func `the contact is sent only to sources that ask for one`() throws {
    for source in Source.all {
      let search = Search(words: "dune", kind: try #require(source.kinds.first))
      let request = source.request(search, source.settings())
      let agent = Self.identity.agent(for: request, at: request.url)
      #expect(agent == (source.asksForContact ? Self.identity.full : "catalog/1.0"), "\(source.id)")
    }
    #expect(
      Source.all.filter(\.asksForContact).map(\.id).sorted()
        == ["discogs", "inventaire", "musicbrainz", "openlibrary", "wikidata"])
  }

  @Test func `a mirror gets the contact when its source gets it`() {
    var settings = Source.openLibrary.settings()
    settings.baseURL = "http://127.0.0.1:8080/openlibrary"
    let request = Source.openLibrary.request(Search(words: "dune", kind: .book), settings)
    #expect(Self.identity.agent(for: request, at: request.url) == Self.identity.full)
  }

  @Test(arguments: [
    ("https://covers.openlibrary.org/b/id/1-L.jpg", true), ("https://ia800.us.archive.org/1.jpg", true),
    ("https://coverartarchive.org/release/1/front", true), ("https://is1-ssl.mzstatic.com/1.jpg", false),
    ("https://image.tmdb.org/t/p/w500/1.jpg", false), ("https://archive.org.example.com/1.jpg", false),
    ("https://notopenlibrary.org/1.jpg", false),
  ])
  func `pictures of the Internet Archive are requested with the contact`(url: String, isNamed: Bool) {
    let request = Request(source: Source.pictures(at: url), url: url)
    #expect(Self.identity.agent(for: request, at: url) == (isNamed ? Self.identity.full : "catalog/1.0"))
  }

  @Test func `a redirect to another host does not get the contact`() {
    let request = Source.openLibrary.request(Search(words: "dune", kind: .book), Source.openLibrary.settings())
    #expect(Self.identity.agent(for: request, at: "https://example.com/dune") == "catalog/1.0")
  }
}
