import CatalogModel
import Lookup
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the commands on records from Discogs.
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

  /// Some of the pressings of an album, two pages in all.
  static func versions(_ numbers: ClosedRange<Int>, of total: Int) -> String {
    let rows = numbers.map {
      """
      {"id": \($0), "title": "Kind Of Blue", "released": "\(1958 + $0)", "country": "\($0 == 2 ? "" : "Japan")",
       "label": "\($0 == 3 ? "CBS/Sony (2)" : "CBS")", "catno": "SONP \($0)", "major_formats": ["Vinyl"],
       "format": "LP, Album"}
      """
    }
    return """
      {"pagination": {"page": 1, "pages": 2, "items": \(total)}, "versions": [\(rows.joined(separator: ","))]}
      """
  }

  init() throws {
    catalog = try TestCatalog()
    catalog.http = HTTPClient(each: { [asked] request in
      asked.note(request)
      guard request.source == "discogs" else { return .failure(.timedOut(host: request.host)) }
      let body =
        switch request.url {
        case let url where url.contains("/search?"):
          #"{"pagination": {"pages": 1, "items": 1}, "results": [\#(Self.row)]}"#
        case let url where url.contains("/versions?"):
          url.contains("&page=1&") ? Self.versions(1...11, of: 13) : Self.versions(12...13, of: 13)
        case let url where url.contains("/masters/"): #"{"id": 5460, "title": "Kind Of Blue", "year": 1959}"#
        default: Self.release
        }
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = "sesame"
  }

  @Test func `with a token Discogs is asked for records`() {
    let run = catalog.run("search", "kind of blue", "--kind", "vinyl", "--json=source,title,creators,year")
    #expect(run.output.contains(#""source":"discogs""#), "\(run.output)\(run.errors)")
    #expect(run.output.contains("The Davis"), "\(run.output)\(run.errors)")
    #expect(asked.requests.map(\.source) == ["discogs"])
    #expect(!(run.output + run.errors).contains("sesame"))
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = nil
    catalog.run("search", "kind of blue", "--kind", "vinyl")
    #expect(asked.requests.dropFirst().first?.source == "musicbrainz")
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
    #expect(catalog.run("add", "discogs:5460130").status == 0, "it is there")
  }

  @Test func `search --by catno searches catalog numbers, and names the sources that can`() {
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

  @Test func `without a token Discogs is skipped for barcodes, and --source discogs says how to get one`() {
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = nil
    catalog.run("add", "--barcode", "074646493526")
    #expect(!asked.requests.contains { $0.source == "discogs" })
    let named = catalog.run("search", "x", "--source", "discogs")
    #expect(named.status == 4)
    #expect(named.errors.contains("hint: get one at https://www.discogs.com/settings/developers"), "\(named.errors)")
  }

  // MARK: Pressings

  @Test func `the page of an album lists the first pressings with references`() throws {
    catalog.atTerminal()
    let run = catalog.run("show", "discogs:master/5460")
    #expect(
      run.output.hasSuffix(
        """
        Pressings
          discogs:1   1959  Japan  CBS SONP 1       Vinyl, LP, Album
          discogs:2   1960         CBS SONP 2       Vinyl, LP, Album
          discogs:3   1961  Japan  CBS/Sony SONP 3  Vinyl, LP, Album
          discogs:4   1962  Japan  CBS SONP 4       Vinyl, LP, Album
          discogs:5   1963  Japan  CBS SONP 5       Vinyl, LP, Album
          discogs:6   1964  Japan  CBS SONP 6       Vinyl, LP, Album
          discogs:7   1965  Japan  CBS SONP 7       Vinyl, LP, Album
          discogs:8   1966  Japan  CBS SONP 8       Vinyl, LP, Album
          discogs:9   1967  Japan  CBS SONP 9       Vinyl, LP, Album
          discogs:10  1968  Japan  CBS SONP 10      Vinyl, LP, Album
          … and 3 more: --full

        """), "\(run.output)")
    #expect(run.errors == "Type 'catalog add discogs:1' to keep the pressing that you own.\n")
    #expect(asked.requests.count { $0.url.contains("/versions?") } == 1)
    #expect(catalog.run("add", "discogs:1", "--no-cover").output.hasPrefix("added vinyl 1: Kind Of Blue"))
    #expect(!catalog.run("show", "1").output.contains("Pressings"), "it is a pressing")
  }

  @Test func `show --full and --json list all pressings`() throws {
    let full = catalog.run("show", "discogs:master/5460", "--full").output
    #expect(full.contains("discogs:13  1971  Japan"))
    #expect(!full.contains("more: --full"))
    #expect(asked.requests.count { $0.url.contains("/versions?") } == 2)
    let json = catalog.run("show", "discogs:master/5460", "--json").output
    #expect(
      json.contains(
        #"""
        "pressings":[{"reference":"discogs:1","title":"Kind Of Blue","year":1959,"released_on":"1959","countries":["JP"],\#
        "labels":["CBS"],"catalog_number":"SONP 1","format":"Vinyl, LP, Album","speed":null}
        """#), "\(json)")
    #expect(catalog.run("show", "discogs:5460130", "--json").output.contains(#""pressings":null"#))
  }

  @Test func `the page of an album on the shelf lists pressings while a token is set`() throws {
    #expect(catalog.run("add", "discogs:master/5460", "--no-cover").status == 0)
    #expect(catalog.run("show", "1").output.contains("Pressings\n  discogs:1 "))
    catalog.environment = [:]
    let keyless = catalog.run("show", "1")
    #expect(keyless.status == 0)
    #expect(keyless.errors == "")
    #expect(!keyless.output.contains("Pressings"))
    try catalog.configure("sources.discogs.key_command", "false")
    #expect(
      catalog.run("show", "1").errors
        == """
        catalog: 'false', which prints the key of Discogs, failed; not available: pressings
        hint: try it yourself: false

        """)
  }

  @Test func `pressings that fail to load are reported, and the rest of the page is shown`() throws {
    let web = catalog.http
    catalog.http = HTTPClient { requests in
      requests.flatMap { request in
        request.url.contains("&page=2&")
          ? [.failure(.throttled(host: "h", retryAfter: nil))]
          : request.url.contains("/masters/999/versions") ? [.failure(.timedOut(host: "h"))] : web.send([request])
      }
    }
    let run = catalog.run("show", "discogs:master/999")
    #expect(run.status == 3)
    #expect(run.output.hasPrefix("Kind Of Blue  vinyl discogs:master/999\n"))
    #expect(run.errors == "catalog: Discogs did not answer in time (h); not available: pressings\n")
    let cut = catalog.run("show", "discogs:master/5460", "--full")
    #expect(
      cut.output.hasSuffix("Vinyl, LP, Album\n  … and 2 more: https://www.discogs.com/master/5460\n"), "\(cut.output)")
  }
}
