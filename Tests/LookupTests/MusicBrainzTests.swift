import CatalogModel
import Foundation
import Lookup
import Testing

struct MusicBrainzTests {
  static let id = "748e3e26-1111-4222-8333-123456789abc"
  static let group = "acb38b21-9063-4ea3-b578-35c14d9aa488"
  static let search = #"""
    {"created":"2024-05-04T13:14:46.144Z","count":57,"offset":0,"releases":[
     {"id":"748e3e26-1111-4222-8333-123456789abc","score":"100","title":"Bookends","date":"1968-04","country":"US",
      "barcode":"","artist-credit":[{"name":"Simon & Garfunkel","artist":{"id":"5d02f264-e225-41ff-83f7-d9b1f0b1874a","name":"Simon & Garfunkel"}}],
      "release-group":{"id":"acb38b21-9063-4ea3-b578-35c14d9aa488","title":"Bookends","primary-type":"Album"},
      "label-info":[{"catalog-number":"KCS 9529","label":{"name":"Columbia"}},{"label":null}],
      "media":[{"format":"12\" Vinyl","disc-count":0,"track-count":12}],"track-count":12},
     {"id":"not an id","title":"Odd"},{"id":"848e3e26-1111-4222-8333-123456789abc","title":""},
     {"id":"948e3e26-1111-4222-8333-123456789abc","title":"Bare","date":"","media":[{"format":null}],"label-info":"?"}]}
    """#
  static let release = #"""
    {"id":"748e3e26-1111-4222-8333-123456789abc","title":"Under Pressure","date":"1981-10-26","country":"GB","barcode":null,
     "artist-credit":[{"name":"Queen","joinphrase":" & ","artist":{"id":"0383dadf-2a4e-4d10-a46a-e9e041da8eb3","name":"Queen"}},
                      {"name":"David Bowie","joinphrase":"","artist":{"id":"5441c29d-3602-4898-b1a1-b77fa23b8e50","name":"Bowie"}}],
     "label-info":[{"catalog-number":"[none]","label":null},{"catalog-number":"EMI 5250","label":{"name":"EMI"}}],
     "genres":[{"name":"rock","count":1}],"tags":[{"name":"seen live","count":9}],
     "release-group":{"id":"acb38b21-9063-4ea3-b578-35c14d9aa488","first-release-date":"1981",
       "genres":[{"name":"pop rock","count":3},{"name":"rock","count":4},{"name":"polka","count":0}]},
     "cover-art-archive":{"front":true,"artwork":true,"count":2},
     "media":[{"format":"7\" Vinyl","position":1,"track-count":2,"tracks":[
       {"number":"A","position":1,"title":"Under Pressure","length":242600},{"number":"B","title":"Soul Brother","length":null}]}]}
    """#

  @Test func `a search for vinyl matches any size of vinyl`() {
    #expect(
      Source.musicBrainz.url("kind of blue", .vinyl)
        == "https://musicbrainz.org/ws/2/release?query=kind+AND+of+AND+blue+AND+format%3A%2Avinyl&limit=20&offset=0&fmt=json"
    )
  }

  static func release(labels: String, artist: String = "Queen", barcode: String = "") throws -> Record {
    let json = """
      {"id": "\(id)", "title": "X", "barcode": "\(barcode)", "artist-credit": [{"name": "\(artist)", "artist": {"name": "\(artist)"}}],
       "label-info": [\(labels)], "media": [{"format": "Vinyl"}]}
      """
    return try Source.musicBrainz.record(.musicBrainz(id), as: .vinyl, from: FakeWeb(["/release/": json]))
  }

  @Test(arguments: ["[no label]", "[No Label]", "[unknown]", "[none]"])
  func `a placeholder label name is read as no label`(name: String) throws {
    let unnamed = #"{"catalog-number": "LAB123", "label": {"name": "\#(name)"}}"#
    let alone = try Self.release(labels: unnamed)
    #expect(alone.recordLabels.isEmpty)
    #expect(alone.vinyl?.catalogNumber == "LAB123")
    #expect(try Self.release(labels: unnamed + #", {"label": {"name": "EMI"}}"#).recordLabels == ["EMI"])
  }

  @Test func `each label of a release is kept once`() throws {
    let record = try Self.release(
      labels: """
        {"catalog-number": "1", "label": {"id": "c029628b-6633-439e-bcee-ed02e8a338f7", "name": "EMI"}}, {"label": {"name": "EMI"}},
        {"label": {"id": "c029628b-6633-439e-bcee-ed02e8a338f8", "name": "Capitol Records"}}
        """)
    #expect(record.vinyl?.label == "EMI")
    #expect(record.recordLabels == ["EMI", "Capitol Records"])
    #expect(record.credits.last?.role == .label)
    #expect(record.credits.last?.externalID?.value == "label/c029628b-6633-439e-bcee-ed02e8a338f8")
  }

  @Test(arguments: [("[unknown]", []), ("[no artist]", []), ("[traditional]", ["[traditional]"]), ("Queen", ["Queen"])])
  func `a placeholder artist name is read as no artist`(name: String, creators: [String]) throws {
    #expect(try Self.release(labels: "", artist: name).creators == creators)
  }

  @Test(arguments: [
    ("0 7464-64935-2 7", "0 7464-64935-2 7"), ("0 74646 49352 6", "074646493526"), ("0727361379704", "0727361379704"),
  ])
  func `a valid barcode is stored as digits, an invalid one as it was sent`(text: String, kept: String) throws {
    #expect(try Self.release(labels: "", barcode: text).vinyl?.barcode == kept)
  }

  @Test func `a search for music requests release groups`() {
    #expect(
      Source.musicBrainz.url("blue", .music, page: 3, pageSize: 10)
        == "https://musicbrainz.org/ws/2/release-group?query=blue&limit=10&offset=20&fmt=json")
    #expect(Source.musicBrainz.url("blue", .music, pageSize: 500).contains("limit=100&"))
  }

  @Test(arguments: [
    ("AC/DC", #"AC\/DC"#), ("Simon & Garfunkel", "Simon AND Garfunkel"), ("!!!", #"\!\!\!"#),
    ("Live AND Loud", "Live AND and AND Loud"), (#"a"b (c) x:y*"#, #"a\"b AND \(c\) AND x\:y\*"#), ("!", #"\!"#),
  ])
  func `special characters of the query language are escaped`(words: String, query: String) throws {
    let part = try #require(Source.musicBrainz.url(words, .music).split(separator: "&").first)
    #expect(part.removingPercentEncoding?.replacing("+", with: " ").hasSuffix("?query=\(query)") == true)
  }

  @Test func `a field is requested by its MusicBrainz name`() {
    #expect(Source.musicBrainz.url("blue", .vinyl, field: .title).contains("query=release%3A%28blue%29+AND+format"))
    #expect(Source.musicBrainz.url("davis", .music, field: .creator).contains("query=artist%3A%28davis%29&"))
  }

  @Test func `a search result has the label, number, country and format of its pressing`() throws {
    let page = try Source.musicBrainz.page(Self.search, .vinyl)
    #expect(page.total == 57)
    #expect(page.hasMore)
    #expect(page.unreadable == 2)
    let hit = try #require(page.candidates.first)
    #expect(hit.id == .musicBrainz(Self.id))
    #expect(hit.record.creators == ["Simon & Garfunkel"])
    #expect(hit.record.released == PartialDate("1968-04"))
    #expect(hit.record.vinyl?.label == "Columbia")
    #expect(hit.record.vinyl?.catalogNumber == "KCS 9529")
    #expect(hit.record.vinyl?.country == "US")
    #expect(hit.record.vinyl?.format == "12\" Vinyl")
    #expect(hit.record.vinyl?.discs == 1)
    #expect(hit.record.vinyl?.barcode == nil)
    #expect(hit.record.artworkURL == "https://coverartarchive.org/release-group/\(Self.group)/front-500")
    let bare = try #require(page.candidates.last)
    #expect(bare.record.released == nil)
    #expect(bare.record.vinyl?.format == nil)
    #expect(bare.record.artworkURL == nil)
  }

  @Test func `pages end at the total count`() throws {
    #expect(try Source.musicBrainz.page(Self.search, .vinyl, page: 14, pageSize: 4).hasMore)
    #expect(try !Source.musicBrainz.page(Self.search, .vinyl, page: 15, pageSize: 4).hasMore)
    #expect(try !Source.musicBrainz.page(#"{"count":9,"offset":20,"releases":[]}"#, .vinyl).hasMore)
  }

  @Test func `a release is fetched with its tracks, artists, genres and cover`() throws {
    let web = FakeWeb(["/release/\(Self.id)": Self.release])
    let record = try Source.musicBrainz.record(.musicBrainz(Self.id), as: .vinyl, from: web)
    #expect(
      web.asked == [
        [
          "https://musicbrainz.org/ws/2/release/\(Self.id)"
            + "?inc=artist-credits+recordings+labels+release-groups+media+genres+tags&fmt=json",
          "https://coverartarchive.org/release/\(Self.id)",
        ]
      ])
    #expect(record.creators == ["Queen", "David Bowie"])
    #expect(record.credits.last?.externalID == .musicBrainz("artist/5441c29d-3602-4898-b1a1-b77fa23b8e50"))
    #expect(record.released == PartialDate("1981"), "when the album came out, not this pressing")
    #expect(record.labels == ["rock", "pop rock"], "votes of pressing and album together; tags only without genres")
    #expect(record.artworkURL == "https://coverartarchive.org/release/\(Self.id)/front-500")
    #expect(record.vinyl?.label == "EMI")
    #expect(record.vinyl?.catalogNumber == "EMI 5250")
    #expect(
      record.vinyl?.tracks == [
        Track(position: "A", title: "Under Pressure", seconds: 243), Track(position: "B", title: "Soul Brother"),
      ])
    #expect(record.url == "https://musicbrainz.org/release/\(Self.id)")
  }

  @Test func `the front cover is chosen from the list of images`() throws {
    let archive = "http://coverartarchive.org/release/\(Self.id)"
    func picture(_ number: Int, _ more: String, thumbnails: String) -> String {
      #"{"id":\#(number),\#(more),"image":"\#(archive)/\#(number).png","thumbnails":\#(thumbnails)}"#
    }
    func cover(_ pictures: String...) throws -> String? {
      let list = #"{"images":[\#(pictures.joined(separator: ","))]}"#
      let web = FakeWeb(["/ws/2/release/": Self.release, "archive.org/release/": list])
      return try Source.musicBrainz.record(.musicBrainz(Self.id), as: .vinyl, from: web).artworkURL
    }
    let https = "https://coverartarchive.org/release/\(Self.id)"
    let sizes = #"{"250":"\#(archive)/s","500":"\#(archive)/m","1200":"\#(archive)/l"}"#
    let old = #"{"small":"\#(archive)/s","large":"\#(archive)/m"}"#
    let back = picture(1, #""front":false,"back":true,"types":["Back"],"approved":true"#, thumbnails: sizes)
    let new = picture(2, #""front":true,"approved":false"#, thumbnails: "{}")
    #expect(try cover(back, picture(3, #""front":true"#, thumbnails: sizes)) == "\(https)/m")
    #expect(try cover(picture(3, #""types":["Front","Spine"]"#, thumbnails: old)) == "\(https)/m")
    #expect(try cover(new) == "\(https)/2.png")
    #expect(try cover(new, picture(3, #""front":true,"approved":true"#, thumbnails: sizes)) == "\(https)/m")
    // Without a front in the list, or a list, what the release says of it.
    for pictures in ["", back, "7", picture(1, #""front":"yes""#, thumbnails: "[]")] {
      #expect(try cover(pictures) == "\(https)/front-500")
    }
  }

  @Test func `images come from a mirror when one is configured`() throws {
    let list = #"""
      {"images":[{"front":true,"thumbnails":{"500":"http://coverartarchive.org/release/x/1-500.jpg"}}]}
      """#
    let web = FakeWeb(["/ws/2/release/": Self.release, "mirror.example/covers/release/": list])
    var settings = Source.musicBrainz.settings()
    settings.imageBaseURL = "https://mirror.example/covers"
    let fetch = try #require(Source.musicBrainz.fetch)
    let record = try fetch(.musicBrainz(Self.id), .vinyl, settings, web.client).record
    #expect(record.artworkURL == "https://mirror.example/covers/release/x/1-500.jpg")
  }

  @Test func `genres of the artists are used when the album has none`() throws {
    let silent = #"""
      {"id":"748e3e26-1111-4222-8333-123456789abc","title":"T","genres":[],"artist-credit":[
       {"name":"A","artist":{"name":"A","genres":[{"name":"dub","count":4},{"name":"funk","count":2},{"name":"polka","count":1}]}},
       {"name":"B","artist":{"name":"B","genres":[{"name":"soul","count":3},{"name":"blues","count":3}]}}]}
      """#
    let record = try Source.musicBrainz.record(
      .musicBrainz(Self.id), as: .vinyl, from: FakeWeb(["/release/": silent]))
    #expect(record.labels == ["dub", "blues", "soul"])
    let tagged = silent.replacing(#""genres":[],"#, with: #""tags":[{"name":"jazz","count":1}],"#)
    #expect(
      try Source.musicBrainz.record(.musicBrainz(Self.id), as: .vinyl, from: FakeWeb(["/release/": tagged])).labels
        == ["jazz"])
  }

  @Test func `tags are used when genres have no votes`() throws {
    let tagged = #"""
      {"id":"748e3e26-1111-4222-8333-123456789abc","title":"T","genres":[],"tags":[{"name":"jazz","count":4},
       {"name":"to sell","count":1},{"name":"bop","count":2},{"name":"wrong","count":-3}],
       "release-group":{"id":"x","tags":[{"name":"bop","count":1}]},"cover-art-archive":{"front":false}}
      """#
    let web = FakeWeb(["/release/": tagged])
    let record = try Source.musicBrainz.record(.musicBrainz(Self.id), as: .vinyl, from: web)
    #expect(record.labels == ["jazz", "bop"])
    #expect(record.artworkURL == "https://coverartarchive.org/release-group/x/front-500")
  }

  @Test func `tracks of discs with equal numbering get the disc in their position`() throws {
    let medium = #"{"format":"CD","tracks":[{"number":"1","title":"One"},{"number":"2","title":"Two"}]}"#
    let two = #"{"id":"\#(Self.id)","title":"T","media":[\#(medium),\#(medium)]}"#
    let sides = two.replacing("\(medium),", with: #"{"format":"CD","tracks":[{"number":"A1","title":"Side"}]},"#)
    for (json, positions) in [(two, ["1-01", "1-02", "2-01", "2-02"]), (sides, ["A1", "1", "2"])] {
      let record = try Source.musicBrainz.record(
        .musicBrainz(Self.id), as: .vinyl, from: FakeWeb(["/release/": json]))
      #expect(record.vinyl?.tracks.map(\.position) == positions)
      #expect(record.vinyl?.discs == 2)
      #expect(record.vinyl?.format == "CD")
    }
  }

  @Test func `an album is fetched by its own id`() throws {
    let json =
      #"{"id":"\#(Self.group)","title":"Kat Moda","first-release-date":"1997","tags":[{"name":"techno","count":2}]}"#
    let web = FakeWeb(["/release-group/\(Self.group)": json])
    let wanted = ExternalID.musicBrainz("release-group/\(Self.group)")
    let album = try Source.musicBrainz.record(wanted, as: .music, from: web)
    #expect(album.kind == .music)
    #expect(album.externalIDs == [wanted])
    #expect(album.year == 1997)
    #expect(album.labels == ["techno"])
    #expect(album.artworkURL == "https://coverartarchive.org/release-group/\(Self.group)/front-500")
    #expect(try Source.musicBrainz.record(wanted, as: .vinyl, from: web).kind == .vinyl)
  }

  @Test func `a merged release keeps the requested id`() throws {
    let old = ExternalID.musicBrainz("11111111-1111-4222-8333-123456789abc")
    let record = try Source.musicBrainz.record(old, as: .vinyl, from: FakeWeb(["/release/": Self.release]))
    #expect(record.externalIDs == [old, .musicBrainz(Self.id)])
  }

  @Test(arguments: [
    "", "1", "release-group/", "../x", "748e3e26-1111-4222-8333-123456789abg", "x/748e3e26-1111-4222-8333-123456789abc",
  ])
  func `a malformed id is not requested`(value: String) {
    let web = FakeWeb(["/": Self.release])
    #expect(throws: SourceError.notFound) {
      try Source.musicBrainz.record(.musicBrainz(value), as: .vinyl, from: web)
    }
    #expect(web.asked.isEmpty)
  }

  @Test func `a barcode finds releases, vinyl first`() throws {
    let json = Self.search.replacing("not an id", with: "048e3e26-1111-4222-8333-123456789abc")
    let cd = #"{"id":"148e3e26-1111-4222-8333-123456789abc","title":"Disc","media":[{"format":"CD"}]},"#
    let web = FakeWeb(["/release?": json.replacing(#""releases":["#, with: #""releases":["# + cd)])
    let found = try Source.musicBrainz.candidates(.barcode(Barcode("075990301024")), from: web)
    #expect(web.asked.first?.first?.contains("query=barcode%3A075990301024&") == true)
    #expect(found.map(\.record.title) == ["Bookends", "Disc", "Odd", "Bare"])
    #expect(try Source.musicBrainz.candidates(.isbn(ISBN("9780441478125")), from: web).isEmpty)
    let none = FakeWeb(["/release?": #"{"count":0,"offset":0,"releases":[]}"#])
    #expect(try Source.musicBrainz.candidates(.barcode(Barcode("075990301024")), from: none).isEmpty)
  }

  @Test func `status 503 is reported as busy with its Retry-After`() {
    let busy = Response(status: 503, headers: [Header("retry-after", "2")], body: Array(#"{"error":"rate"}"#.utf8))
    #expect(throws: SourceError.network(.busy(host: "musicbrainz.org", retryAfter: 2))) {
      try Source.musicBrainz.read(busy, Search(words: "x", kind: .vinyl), Source.musicBrainz.settings())
    }
    #expect(throws: SourceError.network(.busy(host: "musicbrainz.org", retryAfter: 2))) {
      try Source.musicBrainz.record(.musicBrainz(Self.id), as: .vinyl, from: FakeWeb(["/release/": busy]))
    }
  }
}
