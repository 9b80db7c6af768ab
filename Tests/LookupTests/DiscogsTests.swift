import CatalogModel
import Lookup
import Testing

struct DiscogsTests {
  static let id = ExternalID(source: "discogs", value: "1")

  static let row = """
    {"id": 577756, "type": "release", "title": "Jensen (2) - Hammerfall", "year": "2005", "country": "UK",
     "format": ["Vinyl", "12\\"", "33 ⅓ RPM"], "formats": [{"name": "Vinyl", "qty": "2", "descriptions": ["12\\"", "33 ⅓ RPM"]}],
     "label": ["Bastard Loud Records", "Bonati Mastering"], "catno": "BL 023", "genre": ["Electronic"],
     "style": ["Hardcore", "Industrial"], "barcode": ["SBR-143 A BONATI MASTERING NYC", "GEMA", "7 27361 62652 5"],
     "master_id": 208731, "thumb": "https://i.discogs.com/h:150/x.jpeg", "cover_image": "https://i.discogs.com/h:600/x.jpeg"}
    """
  static let bare = """
    {"id": 2, "type": "release", "title": "Icarus", "country": "", "label": "8bitpeoples", "catno": "none",
     "format": "Cassette", "barcode": [], "thumb": null, "cover_image": "", "master_id": 0, "master_url": null}
    """
  static let search = found(row, bare)

  static let release = """
    {"id": 1, "title": "Stockholm", "year": 1999, "released": "1999-03-00", "country": "Sweden", "master_id": 5427,
     "artists": [{"id": 1, "name": "Persuader, The (2)", "anv": "", "join": "&"}, {"id": 239, "name": "Jesper Dahlbäck"}],
     "labels": [{"name": "Svek (3)", "catno": "SK032"}, {"name": "Other", "catno": "none"}],
     "formats": [{"name": "Vinyl", "qty": "2", "descriptions": ["LP", "Album", "45 RPM"], "text": "Purple"},
                 {"name": "Box Set", "qty": "1"}],
     "genres": ["Electronic"], "styles": ["Deep House", "Electronic"], "notes": "Recorded at the Globe.\\r\\nTwice.\\r\\n",
     "identifiers": [{"type": "Matrix / Runout", "value": "0724384260958"}, {"type": "Barcode", "value": "none"},
                     {"type": "Barcode", "value": "7 27361 62652 5"}],
     "images": [{"type": "secondary", "uri": "https://i.discogs.com/back.jpeg"},
                {"type": "primary", "uri": "https://i.discogs.com/front.jpeg", "uri150": "https://i.discogs.com/s.jpeg"}],
     "community": {"rating": {"count": 91, "average": 4.5}},
     "tracklist": [{"position": "", "type_": "heading", "title": "Side one", "duration": ""},
       {"position": "A", "type_": "track", "title": "Östermalm", "duration": "4:45"},
       {"position": "B", "type_": "index", "title": "Suite", "duration": "9:00", "sub_tracks": [
         {"position": "B1", "title": "First", "duration": "1:02:03"}, {"position": "B2", "title": "Second", "duration": ""}]}]}
    """

  static func found(_ rows: String..., pages: Int = 3) -> String {
    """
    {"pagination": {"page": 1, "pages": \(pages), "per_page": 50, "items": 985, "urls": {}},
     "results": [\(rows.joined(separator: ","))]}
    """
  }

  static func record(titled title: String, artists: Bool = false) throws -> Record {
    let artists = artists ? #", "artists": [{"name": "X"}]"# : ""
    let row = #"{"id": 7, "type": "release", "title": "\#(title)"\#(artists)}"#
    return try #require(try Source.discogs.page(found(row), .vinyl).candidates.first?.record)
  }

  // MARK: Asking

  @Test(
    arguments: [
      (nil, "q"), (.title, "release_title"), (.creator, "artist"), (.publisher, "label"), (.catalogNumber, "catno"),
    ] as [(Search.Field?, String)])
  func `a search for vinyl asks for releases in all fields or in one`(field: Search.Field?, name: String) {
    #expect(
      Source.discogs.url("cl 1355", .vinyl, page: 2, pageSize: 200, field: field)
        == "https://api.discogs.com/database/search?\(name)=cl+1355&type=release&format=Vinyl&page=2&per_page=100")
  }

  @Test func `a search for music asks for masters`() {
    #expect(
      Source.discogs.url("x", .music)
        == "https://api.discogs.com/database/search?q=x&type=master&page=1&per_page=20")
  }

  @Test func `the token goes into a header`() {
    var settings = Source.discogs.settings()
    settings.key = "abc"
    let request = Source.discogs.request(Search(words: "x", kind: .vinyl), settings)
    #expect(request.secret == .header("authorization", "Discogs token=abc"))
    #expect(!request.url.contains("abc"))
    #expect(request.headers == [Header("accept", "application/vnd.discogs.v2.plaintext+json")])
  }

  @Test func `without a token no request is sent`() {
    let network = FakeNetwork { _, _ in .success(Response(json: Self.search)) }
    #expect(throws: SourceError.key(missing: true)) {
      try Source.discogs.page(of: Search(words: "x", kind: .vinyl), Source.discogs.settings(), using: network.client)
    }
    #expect(network.requests.isEmpty)
  }

  // MARK: Titles and names

  @Test(arguments: [
    ("A-ha - Hunting High And Low", "A-ha", "Hunting High And Low"), ("Jay-Z - 4:44", "Jay-Z", "4:44"),
    ("Blanck Mass - No Lite ", "Blanck Mass", "No Lite"), ("Low - Long Division - Live", "Low", "Long Division - Live"),
    ("Jensen (2) - Hammerfall", "Jensen", "Hammerfall"), ("Persuader, The - Stockholm", "The Persuader", "Stockholm"),
    ("Persuader, The (2) - X", "The Persuader", "X"), ("Speedstar* - Forget The Sun", "Speedstar", "Forget The Sun"),
    ("Nick Cave & Bad Seeds, The - Tender Prey", "Nick Cave & The Bad Seeds", "Tender Prey"),
    ("Jensen (2) & Foo (13) / Bar, The - X", "Jensen & Foo / The Bar", "X"),
    ("The The - Soul Mining", "The The", "Soul Mining"),
    ("Sunn O))) - White1", "Sunn O)))", "White1"), ("Therapy? (live) - X", "Therapy? (live)", "X"),
    ("김정미 - 바람", "김정미", "바람"), ("* - X", "*", "X"), ("(2) - X", "(2)", "X"),
  ])
  func `the first dash between blanks separates artist and title`(line: String, artist: String, title: String) throws {
    let record = try Self.record(titled: line)
    #expect(record.creators == [artist])
    #expect(record.title == title)
  }

  @Test(arguments: ["4:44", "A-ha", "Icarus", " - Icarus", "Icarus - ", "X–Y"])
  func `a title without a dash has no artist`(title: String) throws {
    let record = try Self.record(titled: title)
    #expect(record.credits.isEmpty)
    #expect(record.title == title.trimmingBlanks)
  }

  @Test func `a title sent with its artists is not split`() throws {
    #expect(try Self.record(titled: "Live - Vol. 1", artists: true).title == "Live - Vol. 1")
  }

  // MARK: Reading

  @Test func `a search result is read with all its values`() throws {
    let hit = try #require(try Source.discogs.page(Self.search, .vinyl).candidates.first)
    #expect(hit.id == ExternalID(source: "discogs", value: "577756"))
    #expect(hit.record.year == 2005, "sent as a text")
    #expect(hit.record.labels == ["Electronic", "Hardcore", "Industrial"])
    #expect(hit.record.url == "https://www.discogs.com/release/577756")
    #expect(hit.record.artworkURL == "https://i.discogs.com/h:600/x.jpeg")
    let vinyl = try #require(hit.record.vinyl)
    #expect(vinyl.label == "Bastard Loud Records")
    #expect(vinyl.catalogNumber == "BL 023")
    #expect(vinyl.country == "GB")
    #expect(vinyl.format == "Vinyl, 12\"")
    #expect(vinyl.speed == "33 ⅓ RPM")
    #expect(vinyl.discs == 2)
    #expect(vinyl.barcode == "727361626525", "a matrix number and a society are no barcodes")
  }

  @Test func `empty, none and absent values are unknown`() throws {
    let hit = try #require(try Source.discogs.page(Self.search, .vinyl).candidates.last?.record)
    #expect(hit.title == "Icarus")
    #expect(hit.year == nil)
    #expect(hit.released == nil)
    #expect(hit.artworkURL == nil)
    var vinyl = Vinyl()
    (vinyl.label, vinyl.format) = ("8bitpeoples", "Cassette")
    #expect(hit.vinyl == vinyl)
  }

  @Test(arguments: [#""""#, "null", #""https://s.discogs.com/images/spacer.gif""#, #""/image/R-90-1.gif""#])
  func `a missing or placeholder picture gives no artwork`(address: String) throws {
    let row = #"{"id": 7, "title": "X", "cover_image": \#(address), "thumb": \#(address)}"#
    #expect(try Source.discogs.page(Self.found(row), .vinyl).candidates.first?.record.artworkURL == nil)
  }

  @Test(arguments: [
    ("US", "US"), ("UK", "GB"), ("Sweden", "SE"), ("South Korea", "KR"), ("USSR", "SU"), ("Europe", "XE"),
    ("Trinidad & Tobago", "TT"), ("UK & Europe", "UK & Europe"),
  ])
  func `country names become codes where one exists`(name: String, code: String) throws {
    let row = #"{"id": 7, "title": "X", "country": "\#(name)"}"#
    #expect(try Source.discogs.page(Self.found(row), .vinyl).candidates.first?.record.vinyl?.country == code)
  }

  @Test func `artists and labels among the results are skipped and not counted as unreadable`() throws {
    let page = try Source.discogs.page(
      Self.found(
        #"{"id": 1, "type": "artist", "title": "A"}"#, Self.row, #"{"id": 2, "type": "label", "title": "L"}"#, "5"),
      .vinyl)
    #expect(page.candidates.map(\.id.value) == ["577756"])
    #expect(page.unreadable == 1)
  }

  @Test func `a master and a release with the same number are different candidates`() throws {
    let page = try Source.discogs.page(
      Self.found(#"{"id": 7, "type": "master", "title": "A - B"}"#, #"{"id": 7, "type": "release", "title": "A - B"}"#),
      .music)
    #expect(page.candidates.map(\.id.value) == ["master/7", "7"])
    #expect(page.candidates.first?.record.url == "https://www.discogs.com/master/7")
    #expect(page.candidates.first?.record.kind == .music)
  }

  @Test func `pages end at the page count of the answer`() throws {
    let page = try Source.discogs.page(Self.search, .vinyl, page: 2)
    #expect(page.hasMore)
    #expect(page.total == 985)
    #expect(try !Source.discogs.page(Self.search, .vinyl, page: 3).hasMore)
    #expect(try !Source.discogs.page(Self.found(), .vinyl).hasMore, "nothing came")
  }

  @Test func `a release is read with all its values`() throws {
    let web = FakeWeb(["/releases/1": Self.release])
    let record = try Source.discogs.record(Self.id, as: .vinyl, from: web)
    #expect(record.title == "Stockholm")
    #expect(record.creators == ["The Persuader", "Jesper Dahlbäck"])
    #expect(record.credits.first?.externalID == ExternalID(source: "discogs", value: "artist/1"))
    #expect(record.released == PartialDate("1999-03"), "the day 0 is unknown")
    #expect(record.year == 1999, "the day 0 is unknown")
    #expect(record.labels == ["Electronic", "Deep House"])
    #expect(record.summary == "Recorded at the Globe.\nTwice.")
    #expect(record.publicRating == PublicRating(value: 90, votes: 91))
    #expect(record.artworkURL == "https://i.discogs.com/front.jpeg")
    let vinyl = try #require(record.vinyl)
    #expect(vinyl.label == "Svek")
    #expect(vinyl.catalogNumber == "SK032")
    #expect(vinyl.country == "SE")
    #expect(vinyl.format == "Vinyl, LP, Album, Purple + Box Set")
    #expect(vinyl.speed == "45 RPM")
    #expect(vinyl.discs == 2)
    #expect(vinyl.barcode == "727361626525")
    #expect(
      vinyl.tracks == [
        Track(position: "A", title: "Östermalm", seconds: 285), Track(position: "B", title: "Suite", seconds: 540),
        Track(position: "B1", title: "Suite: First", seconds: 3723), Track(position: "B2", title: "Suite: Second"),
      ])
    #expect(record.recordLabels == ["Svek", "Other"])
  }

  @Test func `the release date comes from the master when it is earlier`() throws {
    let web = FakeWeb(["/releases/1": Self.release, "/masters/5427": #"{"id": 5427, "title": "S", "year": 1971}"#])
    #expect(try Source.discogs.record(Self.id, as: .vinyl, from: web).released == PartialDate("1971"))
    for year in ["0", "1999", "2005", "null"] {
      let web = FakeWeb([
        "/releases/1": Self.release, "/masters/5427": #"{"id": 5427, "title": "S", "year": \#(year)}"#,
      ])
      #expect(try Source.discogs.record(Self.id, as: .vinyl, from: web).released == PartialDate("1999-03"))
    }
    let alone = FakeWeb(["/releases/1": Self.release.replacing("\"master_id\": 5427", with: "\"master_id\": 0")])
    _ = try Source.discogs.record(Self.id, as: .vinyl, from: alone)
    #expect(alone.asked.count == 1, "0 is no master")
  }

  @Test func `the year 0 and a rating without votes are unknown`() throws {
    let json =
      #"{"id": 1, "title": "X", "year": 0, "artists": [], "community": {"rating": {"count": 0, "average": 0}}}"#
    let record = try Source.discogs.record(Self.id, as: .vinyl, from: FakeWeb(["/releases/1": json]))
    #expect(record.year == nil)
    #expect(record.publicRating == nil)
    #expect(record.credits.isEmpty)
  }

  @Test(arguments: ["Not On Label", "Not On Label (Jensen Self-released)"])
  func `the label Not On Label is read as no label`(label: String) throws {
    let json = #"{"id": 1, "title": "X", "artists": [], "labels": [{"name": "\#(label)", "catno": "NONE"}]}"#
    let vinyl = try Source.discogs.record(Self.id, as: .vinyl, from: FakeWeb(["/releases/1": json])).vinyl
    #expect(vinyl?.label == nil)
    #expect(vinyl?.catalogNumber == nil)
  }

  @Test(arguments: ["", "master/", "1/2", "../1", "x", "-1", "release/1", "master/x"])
  func `an invalid id sends no request`(value: String) {
    let web = FakeWeb(["/": Self.release])
    #expect(throws: SourceError.notFound) {
      try Source.discogs.record(ExternalID(source: "discogs", value: value), as: .vinyl, from: web)
    }
    #expect(web.asked.isEmpty)
  }

  @Test func `a master is read as an album`() throws {
    let web = FakeWeb(["/masters/1": Self.release])
    let id = ExternalID(source: "discogs", value: "master/1")
    let album = try Source.discogs.record(id, as: .music, from: web)
    #expect(album.kind == .music)
    #expect(album.other?.tracks.count == 4)
    #expect(album.other?.count == 3)
    #expect(album.externalIDs == [id])
    #expect(web.asked.count == 1)
    #expect(try Source.discogs.record(id, as: .vinyl, from: web).vinyl?.tracks.count == 4)
  }

  // MARK: Works with movements

  /// The lines for an index track, and the number of its tracks.
  static func index(
    position: String = "", duration: String = "", _ movements: [(position: String, title: String, duration: String)]
  ) throws -> (lines: [String], count: Int?) {
    let subs = movements.map {
      #"{"type_": "track", "position": "\#($0.position)", "title": "\#($0.title)", "duration": "\#($0.duration)"}"#
    }
    let json = """
      {"id": 1, "title": "X", "artists": [], "tracklist": [{"type_": "index", "position": "\(position)", \
      "title": "Symphony No. 5", "duration": "\(duration)", "sub_tracks": [\(subs.joined(separator: ","))]}]}
      """
    let id = ExternalID(source: "discogs", value: "master/1")
    let other = try Source.discogs.record(id, as: .music, from: FakeWeb(["/masters/1": json])).other
    let lines = (other?.tracks ?? []).map { track in
      "\(track.position)|\(track.title)|\(track.seconds.map(String.init) ?? "")"
    }
    return (lines, other?.count)
  }

  @Test(arguments: [
    ("A", "31:05", "A|Symphony No. 5|1865"), ("A", "", "A|Symphony No. 5|"), ("", "31:05", "|Symphony No. 5|1865"),
  ])
  func `movements without positions follow their work, which is one track`(
    position: String, duration: String, line: String
  ) throws {
    let index = try Self.index(position: position, duration: duration, [("", "Allegro", ""), ("", "Andante", "")])
    #expect(index.lines == [line, "|Allegro|", "|Andante|"])
    #expect(index.count == 1)
  }

  @Test(arguments: [("2.1", "2.2", "2"), ("A1a", "A1b", "A1"), ("A.1", "A.2", "A"), ("1-2.a", "1-2.b", "1-2")])
  func `a work whose movements are parts of one track has the position of that track`(
    one: String, two: String, whole: String
  )
    throws
  {
    let index = try Self.index(duration: "3:03", [(one, "Allegro", ""), (two, "Andante", "")])
    #expect(index.lines == ["\(whole)|Symphony No. 5|183", "\(one)|Allegro|", "\(two)|Andante|"])
    #expect(index.count == 1)
  }

  @Test(arguments: [("", ""), ("A", "31:05")])
  func `movements that are tracks are prefixed with the title of their work`(
    position: String, duration: String
  ) throws {
    let index = try Self.index(
      position: position, duration: duration, [("A1", "Allegro", "7:20"), ("A2", "Andante", "10:00")])
    #expect(index.lines == ["A1|Symphony No. 5: Allegro|440", "A2|Symphony No. 5: Andante|600"])
    #expect(index.count == 2)
  }

  @Test func `movements without positions but with durations are tracks at the position of their work`() throws {
    let index = try Self.index(position: "A", duration: "17:20", [("", "Allegro", "7:20"), ("", "Andante", "10:00")])
    #expect(index.lines == ["A|Symphony No. 5: Allegro|440", "A|Symphony No. 5: Andante|600"])
  }

  @Test func `a work's duration is kept when its movements have none`() throws {
    let index = try Self.index(duration: "31:05", [("A1", "Allegro", ""), ("A2", "Andante", "")])
    #expect(index.lines == ["|Symphony No. 5|1865", "A1|Symphony No. 5: Allegro|", "A2|Symphony No. 5: Andante|"])
    #expect(index.count == 2)
  }

  @Test func `a movement that already names its work is not prefixed`() throws {
    let index = try Self.index([("A1", "Symphony No. 5 - Allegro", ""), ("A2", "Andante", "")])
    #expect(index.lines == ["A1|Symphony No. 5 - Allegro|", "A2|Symphony No. 5: Andante|"])
  }

  @Test func `movements with only a title are prefixed with the title of their work`() throws {
    #expect(try Self.index([("", "Allegro", "")]).lines == ["|Symphony No. 5: Allegro|"])
    #expect(try Self.index(position: "B", duration: "9:00", []).lines == ["B|Symphony No. 5|540"])
  }

  // MARK: Labels

  @Test func `each label of a release is kept once`() throws {
    let json = """
      {"id": 1, "title": "X", "artists": [{"name": "A"}], "labels": [{"id": 9, "name": "Not On Label", "catno": "none"},
       {"id": 1, "name": "EMI (2)", "catno": "5250"}, {"id": 1, "name": "EMI (2)", "catno": "OC 006"}, {"id": 2, "name": "Capitol Records"}]}
      """
    let record = try Source.discogs.record(Self.id, as: .vinyl, from: FakeWeb(["/releases/1": json]))
    #expect(record.vinyl?.label == "EMI")
    #expect(record.recordLabels == ["EMI", "Capitol Records"])
    #expect(
      record.credits.last
        == Credit(name: "Capitol Records", role: .label, externalID: ExternalID(source: "discogs", value: "label/2")))
    #expect(record.creators == ["A"])
  }

  @Test func `only the first label of a search result is a label`() throws {
    let hit = try #require(try Source.discogs.page(Self.search, .vinyl).candidates.first)
    #expect(hit.record.recordLabels == ["Bastard Loud Records"])
  }

  // MARK: Pressings

  static let versions = """
    {"pagination": {"page": 1, "pages": 1, "per_page": 100, "items": 2, "urls": {}},
     "filters": {"available": {"format": {"Vinyl": 2}}}, "versions": [
      {"id": 79, "label": "Svek (3)", "country": "Sweden", "title": "City Of Islands - Part 1", "major_formats": ["Vinyl"],
       "format": "12\\", 33 ⅓ RPM, W/Lbl", "catno": "SK029", "released": "1998-12-00", "status": "Accepted",
       "stats": {"community": {"in_wantlist": 14}}},
      {"id": 80, "title": "City Of Islands", "format": "LP", "catno": "none", "label": "Not On Label", "released": ""}]}
    """
  static let master = ExternalID(source: "discogs", value: "master/4242")

  static func pressings(_ network: FakeNetwork, isAll: Bool = false) throws -> Page? {
    try Source.discogs.pressings(of: master, isAll: isAll, Source.discogs.settings(), using: network.client)
  }

  @Test func `an album's pressings are requested on vinyl, the oldest first`() throws {
    let network = FakeNetwork { _, _ in .success(Response(json: Self.versions)) }
    let page = try #require(try Self.pressings(network))
    #expect(
      network.calls == [
        [
          "https://api.discogs.com/masters/4242/versions?format=Vinyl&sort=released&sort_order=asc&page=1&per_page=100"
        ]
      ])
    #expect(page.total == 2)
    #expect(!page.hasMore)
    #expect(page.unreadable == 0)
    #expect(page.candidates.map(\.id.description) == ["discogs:79", "discogs:80"])
    let first = page.candidates[0].record
    #expect(first.title == "City Of Islands - Part 1", "a dash parts no artist here")
    #expect(first.credits.isEmpty, "a dash parts no artist here")
    #expect(first.released == PartialDate("1998-12"))
    #expect(first.year == 1998)
    var vinyl = Vinyl()
    (vinyl.label, vinyl.catalogNumber, vinyl.country) = ("Svek", "SK029", "SE")
    (vinyl.format, vinyl.speed) = ("Vinyl, 12\", W/Lbl", "33 ⅓ RPM")
    #expect(first.vinyl == vinyl)
    let second = page.candidates[1].record
    #expect(second.year == nil)
    #expect(second.vinyl?.label == nil)
    #expect(second.vinyl?.format == "LP")
  }

  /// Three pages of two pressings; the last one of each page is repeated on the next.
  static func pages(failing page: Int? = nil) -> FakeNetwork {
    FakeNetwork { request, _ in
      let number = request.url.firstMatch(of: /&page=([0-9]+)/).flatMap { Int($0.1) } ?? 0
      if number == page { return .failure(.timedOut(host: request.host)) }
      let rows = [number, number + 1].map { #"{"id": \#($0), "title": "T"}"# }.joined(separator: ",")
      return .success(Response(json: #"{"pagination": {"pages": 3, "items": 4}, "versions": [\#(rows)]}"#))
    }
  }

  @Test func `one page of pressings or all pages are requested`() throws {
    let one = Self.pages()
    let first = try #require(try Self.pressings(one))
    #expect(first.candidates.map(\.id.value) == ["1", "2"])
    #expect(first.hasMore)
    #expect(first.total == 4)
    #expect(one.requests.count == 1)
    let all = Self.pages()
    let whole = try #require(try Self.pressings(all, isAll: true))
    #expect(whole.candidates.map(\.id.value) == ["1", "2", "3", "4"])
    #expect(!whole.hasMore)
    #expect(all.requests.count == 3)
  }

  @Test func `a failed page keeps the pages before it, and a failed first page is an error`() throws {
    let page = try #require(try Self.pressings(Self.pages(failing: 2), isAll: true))
    #expect(page.candidates.map(\.id.value) == ["1", "2"])
    #expect(page.hasMore)
    #expect(throws: SourceError.network(.timedOut(host: "api.discogs.com"))) {
      try Self.pressings(Self.pages(failing: 1), isAll: true)
    }
  }

  @Test(arguments: ["4242", "master/", "master/x", "master/1/2", "release/1"])
  func `an id that is no album has no pressings and sends no request`(value: String) throws {
    let network = Self.pages()
    let id = ExternalID(source: "discogs", value: value)
    #expect(
      try Source.discogs.pressings(of: id, isAll: true, Source.discogs.settings(), using: network.client) == nil)
    #expect(network.requests.isEmpty)
    #expect(
      try Source.musicBrainz.pressings(
        of: Self.master, isAll: true, Source.musicBrainz.settings(), using: network.client) == nil)
  }

  // MARK: Barcodes

  @Test func `a barcode is requested in both lengths and vinyl releases come first`() throws {
    let disc = Self.bare.replacing("Cassette", with: "CD")
    let web = FakeWeb(["barcode=0727361626525": Self.found(disc, Self.row), "barcode=727361626525": Self.found()])
    let found = try Source.discogs.candidates(.barcode(Barcode("727361626525")), from: web)
    #expect(found.map(\.id.value) == ["577756", "2"])
    #expect(web.asked.count == 2)
    #expect(
      web.asked.first?.first?.hasSuffix("/database/search?barcode=727361626525&type=release&page=1&per_page=25") == true
    )
    let direct = FakeWeb(["barcode=0727361626525": Self.found(Self.row)])
    #expect(try Source.discogs.candidates(.barcode(Barcode("0727361626525")), from: direct).count == 1)
    #expect(direct.asked.count == 1, "found at once")
    let long = FakeWeb(["barcode=0727361626525": Self.found(Self.row), "barcode=727361626525": Self.found()])
    #expect(try Source.discogs.candidates(.barcode(Barcode("00727361626525")), from: long).count == 1)
    #expect(try Source.discogs.candidates(.isbn(ISBN("9788936434120")), from: direct).isEmpty)
  }

  // MARK: Refusals

  @Test(
    arguments: [
      (401, #"{"message": "You must authenticate to access this resource."}"#, .key(missing: false)),
      (
        401, #"{"message": "Invalid consumer token. Please register an app before making requests."}"#,
        .key(missing: false)
      ),
      (
        429, #"{"message": "You are making requests too quickly."}"#,
        .network(.throttled(host: "api.discogs.com", retryAfter: nil))
      ),
      (
        403, "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>", .refused(status: 403)
      ),
      (
        500, #"{"message": "An internal server error occurred."}"#,
        .refused(status: 500, words: "An internal server error occurred.")
      ),
    ] as [(Int, String, SourceError)])
  func `Discogs error answers map to source errors`(status: Int, body: String, error: SourceError) {
    #expect(throws: error) {
      try Source.discogs.read(
        Response(json: body, status: status), Search(words: "x", kind: .vinyl), Source.discogs.settings())
    }
  }

  @Test func `a deleted release is not found`() {
    let gone = Response(json: #"{"message": "Release not found."}"#, status: 404)
    #expect(throws: SourceError.notFound) {
      try Source.discogs.record(Self.id, as: .vinyl, from: FakeWeb(["/releases/1": gone]))
    }
  }
}
