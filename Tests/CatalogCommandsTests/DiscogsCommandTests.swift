import CatalogModel
import Lookup
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Records from Discogs, as a person meets them.
struct DiscogsCommandTests {
  let catalog: TestCatalog
  let asked = Asked()

  static let row = """
    {"id": 5460130, "type": "release", "title": "Davis, The (2) - Kind Of Blue", "year": "1959", "country": "US",
     "label": ["Columbia"], "catno": "CL 1355", "format": ["Vinyl", "LP"], "genre": ["Jazz"], "style": ["Modal"]}
    """
  static let release = """
    {"id": 5460130, "title": "Kind Of Blue", "year": 1997, "released": "1997", "country": "US", "master_id": 5460,
     "artists": [{"id": 2, "name": "Davis, The (2)"}], "labels": [{"name": "Columbia", "catno": "CL 1355"}],
     "genres": ["Jazz"], "styles": ["Modal"], "formats": [{"name": "Vinyl", "qty": "1", "descriptions": ["LP"]}],
     "identifiers": [{"type": "Barcode", "value": "0 7464-64935-2 6"}],
     "community": {"rating": {"count": 10, "average": 4.5}},
     "tracklist": [{"position": "A1", "type_": "track", "title": "So What", "duration": "9:25"}]}
    """

  init() throws {
    catalog = try TestCatalog()
    catalog.http = HTTPClient(each: { [asked] request in
      asked.note(request)
      guard request.source == "discogs" else { return .failure(.timedOut(host: request.host)) }
      let body =
        switch request.url {
        case let url where url.contains("/search?"):
          #"{"pagination": {"pages": 1, "items": 1}, "results": [\#(Self.row)]}"#
        case let url where url.contains("/masters/"): #"{"id": 5460, "title": "Kind Of Blue", "year": 1959}"#
        default: Self.release
        }
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = "sesame"
  }

  @Test func `with a token Discogs is asked for records`() {
    let run = catalog.run("search", "kind of blue", "--kind", "vinyl", "--json=source,title,creator,year")
    #expect(
      run.output.contains(#""source":"discogs""#) && run.output.contains("The Davis"), "\(run.output)\(run.errors)")
    #expect(asked.requests.map(\.source) == ["discogs"])
    #expect(!(run.output + run.errors).contains("sesame"))
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = nil
    catalog.run("search", "kind of blue", "--kind", "vinyl")
    #expect(asked.requests.last?.source == "musicbrainz")
  }

  @Test func `a record is added with its tracks, styles and rating, and the year of the album`() throws {
    catalog.run("search", "kind of blue", "--kind", "vinyl")
    let added = catalog.run("add", "r1")
    #expect(added.output.hasPrefix("added vinyl 1: Kind Of Blue — The Davis (1959)"), "\(added.output)\(added.errors)")
    let item = try catalog.store.item(ItemID(rawValue: 1))
    #expect(item.record.externalIDs == [ExternalID(source: "discogs", value: "5460130")])
    #expect(item.record.publicRating == PublicRating(value: 90, votes: 10))
    let shown = catalog.run("show", "1").output
    for part in ["Jazz", "Modal", "CL 1355", "So What", "074646493526"] { #expect(shown.contains(part), "\(shown)") }
    #expect(catalog.run("add", "discogs:5460130").status == 1, "it is there")
  }

  @Test func `a catalog number is searched alone, and where that cannot be it is said`() {
    catalog.run("search", "CL 1355", "--by", "catno", "--kind", "vinyl")
    #expect(asked.requests.last?.url.contains("?catno=CL+1355&type=release&format=Vinyl") == true)
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = nil
    catalog.run("search", "CL 1355", "--by", "catno", "--kind", "vinyl")
    #expect(asked.requests.last?.url.contains("catno%3A%28CL+AND+1355%29") == true, "MusicBrainz needs no key")
    let run = catalog.run("search", "CL 1355", "--by", "catno", "--kind", "book")
    #expect(run.status == 2)
    #expect(run.errors.contains("hint: by catno can be searched: discogs (vinyl, music), musicbrainz (vinyl)"))
  }

  @Test func `a barcode is looked up at Discogs first`() {
    let added = catalog.run("add", "--barcode", "074646493526")
    #expect(added.output.hasPrefix("added vinyl 1: Kind Of Blue — The Davis (1959)"), "\(added.output)\(added.errors)")
    #expect(asked.requests.first?.url.contains("/database/search?barcode=074646493526&") == true)
    #expect(!asked.requests.contains { $0.source == "musicbrainz" })
  }

  @Test func `without a token Discogs is not asked for codes, and says what it needs by name`() {
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = nil
    catalog.run("add", "--barcode", "074646493526")
    #expect(!asked.requests.contains { $0.source == "discogs" })
    let named = catalog.run("search", "x", "--source", "discogs")
    #expect(named.status == 4)
    #expect(named.errors.contains("hint: get one at https://www.discogs.com/settings/developers"), "\(named.errors)")
  }
}
