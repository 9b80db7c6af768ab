import CatalogModel
import Lookup
import Testing

struct ITunesTests {
  static let movie = """
    {"wrapperType":"track","kind":"feature-movie","collectionId":9,"trackId":101,"artistName":"Lana Wachowski & Lilly Wachowski",
     "trackName":"The Matrix","trackViewUrl":"https://itunes.apple.com/us/movie/the-matrix/id101",
     "previewUrl":"https://video-ssl.itunes.apple.com/p.m4v","artworkUrl30":"https://is1-ssl.mzstatic.com/a.jpg/30x30bb.jpg",
     "artworkUrl100":"https://is1-ssl.mzstatic.com/image/100x100bb/a.jpg/100x100bb.jpg","collectionPrice":24.99,"trackPrice":9.99,
     "releaseDate":"1999-03-31T08:00:00Z","trackTimeMillis":8177000,"country":"USA","currency":"USD",
     "primaryGenreName":"Sci-Fi & Fantasy","shortDescription":"Short.","longDescription":"A hacker learns the truth."}
    """
  static let album = """
    {"wrapperType":"collection","collectionType":"Album","artistId":7,"collectionId":101,"artistName":"Simon & Garfunkel",
     "collectionName":"Bookends","artworkUrl100":"http://is1.mzstatic.com/Music/b.100x100-75.jpg","collectionPrice":-1.00,
     "trackCount":2,"currency":"USD","releaseDate":"1968-04-03T08:00:00Z","primaryGenreName":"Folk-Rock"}
    """
  static let songs = """
    {"wrapperType":"track","kind":"song","collectionId":101,"trackId":12,"trackName":"Mrs. Robinson","trackNumber":2,
     "discNumber":1,"discCount":1,"trackTimeMillis":244026},
    {"wrapperType":"track","kind":"song","collectionId":101,"trackId":11,"trackName":"America","trackNumber":1,
     "discNumber":1,"discCount":1,"trackTimeMillis":215400,"previewUrl":"http://audio.example/america.m4a"},
    {"wrapperType":"track","kind":"song","collectionId":999,"trackId":13,"trackName":"Elsewhere","trackNumber":3}
    """
  static let ebook = """
    {"artworkUrl100":"https://is5-ssl.mzstatic.com/source/100x100bb.jpg","trackName":"Good Omens","trackId":101,
     "releaseDate":"2006-11-28T08:00:00Z","genres":["Fantasy","Books"],"artistIds":[1,2],"artistId":1,"currency":"USD",
     "kind":"ebook","artistName":"Neil Gaiman & Terry Pratchett","price":9.99,
     "description":"<b>The end</b> is nigh.<br />&quot;Nice&quot; &amp; accurate &lt;not&gt;.","averageUserRating":4.5,"userRatingCount":632}
    """
  static let podcast = """
    {"wrapperType":"track","kind":"podcast","collectionId":55,"trackId":55,"artistName":"Someone","collectionName":"Talk",
     "trackName":"Talk","feedUrl":"http://feeds.example/talk","artworkUrl600":"http://is4.mzstatic.com/source/600x600bb.jpg",
     "trackPrice":0.00,"releaseDate":"2017-12-12T02:25:00Z","trackCount":200,"currency":"USD","primaryGenreName":"Comedy",
     "genreIds":["1303","26"],"genres":["Comedy","Podcasts","TV & Film"]}
    """
  static let app = """
    {"wrapperType":"software","kind":"mac-software","trackId":101,"trackName":"Editor","artistName":"Bare & Sons, Inc.",
     "version":"13.1","price":0,"currency":"USD","genres":["Developer Tools"],"primaryGenreName":"Developer Tools",
     "fileSizeBytes":"15198547","artworkUrl512":"https://is5-ssl.mzstatic.com/source/512x512bb.png","releaseDate":"2011-01-05T08:23:40Z"}
    """
  static let audiobook = """
    {"wrapperType":"audiobook","collectionId":101,"artistName":"Reader","collectionName":"Heard","releaseDate":"2001-01-01T08:00:00Z"}
    """

  static func results(_ elements: String...) -> String {
    "\n\n\n{\n \"resultCount\":\(elements.count),\n \"results\": [\n\(elements.joined(separator: ","))]\n}\n\n\n"
  }

  @Test func `a movie has its directors, year, minutes and description`() throws {
    let page = try Source.itunes.page(Self.results(Self.movie), .movie)
    let movie = try #require(page.candidates.first?.record)
    #expect(page.candidates.map(\.id) == [.itunes("track/101")])
    #expect(movie.title == "The Matrix")
    #expect(movie.credits.map(\.name) == ["Lana Wachowski", "Lilly Wachowski"])
    #expect(movie.credits.allSatisfy { $0.role == .director })
    #expect(movie.released == PartialDate("1999-03-31"))
    #expect(movie.year == 1999)
    #expect(movie.movie?.minutes == 136)
    #expect(movie.movie?.countries == [])
    #expect(movie.summary == "A hacker learns the truth.")
    #expect(movie.labels == ["Sci-Fi & Fantasy"])
    #expect(movie.previewURL == "https://video-ssl.itunes.apple.com/p.m4v")
  }

  @Test func `only the last part of an artwork's path is its size`() throws {
    let page = try Source.itunes.page(Self.results(Self.movie, Self.album, Self.app), .movie)
    #expect(
      page.candidates.map(\.record.artworkURL) == [
        "https://is1-ssl.mzstatic.com/image/100x100bb/a.jpg/600x600bb.jpg",
        "https://is1.mzstatic.com/Music/b.600x600-75.jpg",
        "https://is5-ssl.mzstatic.com/source/600x600bb.png",
      ])
  }

  @Test func `a picture on this computer may use HTTP, any other becomes HTTPS`() throws {
    let local = Self.movie.replacing("https://is1-ssl.mzstatic.com/image", with: "http://127.0.0.1:8080/image")
    let page = try Source.itunes.page(Self.results(local, Self.album), .movie)
    #expect(
      page.candidates.map(\.record.artworkURL) == [
        "http://127.0.0.1:8080/image/100x100bb/a.jpg/600x600bb.jpg",
        "https://is1.mzstatic.com/Music/b.600x600-75.jpg",
      ])
  }

  @Test func `the same number in different media gives different ids`() throws {
    let all = Self.results(Self.movie, Self.album, Self.ebook, Self.app, Self.audiobook)
    let page = try Source.itunes.page(all, .music)
    #expect(
      page.candidates.map(\.id.value) == ["track/101", "collection/101", "ebook/101", "software/101", "audiobook/101"])
    #expect(page.candidates.map(\.record.kind) == [.movie, .music, .book, .app, .book])
    #expect(page.unreadable == 0)
  }

  @Test func `an artist name with an ampersand is one artist for an album`() throws {
    let album = try #require(try Source.itunes.page(Self.results(Self.album), .music).candidates.first?.record)
    #expect(album.credits == [Credit(name: "Simon & Garfunkel", role: .artist, externalID: .itunes("artist/7"))])
    #expect(album.other?.count == 2)
    #expect(album.offer == nil, "-1 is not sold")
  }

  @Test func `an e-book without a wrapper type is read, and its description loses its HTML`() throws {
    let book = try #require(try Source.itunes.page(Self.results(Self.ebook), .book).candidates.first?.record)
    #expect(book.creators == ["Neil Gaiman", "Terry Pratchett"])
    #expect(book.summary == "The end is nigh.\n\"Nice\" & accurate <not>.")
    #expect(book.labels == ["Fantasy", "Books"])
    #expect(book.book?.salePrice == Price(minorUnits: 999, currency: "USD"))
    #expect(book.publicRating == PublicRating(value: 90, votes: 632))
  }

  @Test func `a podcast's release date is unknown, since it is that of an episode`() throws {
    let podcast = try #require(try Source.itunes.page(Self.results(Self.podcast), .podcast).candidates.first?.record)
    #expect(podcast.released == nil)
    #expect(podcast.year == nil)
    #expect(podcast.labels == ["Comedy", "Podcasts", "TV & Film"])
    #expect(podcast.other?.feedURL == "http://feeds.example/talk")
    #expect(podcast.other?.count == 200)
    #expect(podcast.other?.collection == nil)
    #expect(podcast.artworkURL == "https://is4.mzstatic.com/source/600x600bb.jpg")
  }

  @Test func `an app's maker is one name, whatever characters it has`() throws {
    let app = try #require(try Source.itunes.page(Self.results(Self.app), .app).candidates.first?.record)
    #expect(app.creators == ["Bare & Sons, Inc."])
    #expect(app.other?.version == "13.1")
    #expect(app.offer?.price == Price(minorUnits: 0, currency: "USD"))
    #expect(app.labels == ["Developer Tools"])
  }

  @Test func `a director with Jr in the name stays one director`() throws {
    let movie = Self.movie.replacing("Lana Wachowski & Lilly Wachowski", with: "A. One, B. Two, Jr. & C. Three")
    let record = try Source.itunes.page(Self.results(movie), .movie).candidates.first?.record
    #expect(record?.creators == ["A. One", "B. Two, Jr.", "C. Three"])
  }

  @Test func `missing and malformed values are unknown`() throws {
    let bare =
      #"{"wrapperType":"track","kind":"feature-movie","trackId":"5","trackName":" Bare\u0000 ","releaseDate":7,"#
      + #""artistName":null,"genres":"Drama","trackTimeMillis":"long","previewUrl":"file:///etc/passwd"}"#
    let movie = try #require(try Source.itunes.page(Self.results(bare), .movie).candidates.first)
    #expect(movie.id == .itunes("track/5"))
    var expected = Record(kind: .movie, title: "Bare")
    expected.externalIDs = [.itunes("track/5")]
    #expect(movie.record == expected)
  }

  @Test func `an unreadable element is skipped and counted without losing the page`() throws {
    let bad = [
      #"{"kind":"ebook","trackId":1}"#, #"{"kind":"ebook","trackName":"No number"}"#, "null", "17", "[]",
      #"{"kind":"ebook","trackId":2,"trackName":" \t"}"#,
    ]
    let page = try Source.itunes.page(Self.results(bad.joined(separator: ","), Self.movie), .movie)
    #expect(page.candidates.first?.record.title == "The Matrix")
    #expect(page.candidates.count == 1)
    #expect(page.unreadable == 6)
  }

  @Test(arguments: [
    (Kind.movie, "media=movie&entity=movie"), (.music, "media=music&entity=album"),
    (.vinyl, "media=music&entity=album"),
    (.podcast, "media=podcast&entity=podcast"), (.app, "media=software&entity=software"),
    (.book, "entity=ebook"),
  ])
  func `each kind is requested with its own medium and entity`(kind: Kind, part: String) {
    #expect(
      Source.itunes.url("a&b 기생충", kind)
        == "https://itunes.apple.com/search?term=a%26b+%EA%B8%B0%EC%83%9D%EC%B6%A9&country=US&\(part)&limit=20")
  }

  @Test func `a field is requested by the attribute parameter`() {
    let url = Source.itunes.url("bong", .movie, field: .creator)
    #expect(url.hasSuffix("&attribute=directorTerm"))
    #expect(!url.contains("attributes"))
    #expect(Source.itunes.url("blue", .music, field: .title).hasSuffix("&attribute=albumTerm"))
    #expect(!Source.itunes.url("mail", .app, field: .title).contains("attribute"))
    #expect(!Source.itunes.url("dune", .book, field: .title).contains("attribute"), "e-books have none")
    #expect(Source.itunes.fields(.book) == [])
  }

  @Test func `a page is requested with all before it, and a page that is not full is the last`() throws {
    #expect(Source.itunes.url("x", .movie, page: 3, pageSize: 2).hasSuffix("&limit=6"))
    #expect(Source.itunes.url("x", .movie, pageSize: 5000).hasSuffix("&limit=200"))
    #expect(Source.itunes.url("x", .movie, page: 40, pageSize: 10).hasSuffix("&limit=200"), "never beyond 200")
    let two = Self.results(Self.movie, Self.album)
    #expect(try Source.itunes.page(two, .movie, pageSize: 2).hasMore)
    #expect(try !Source.itunes.page(two, .movie, pageSize: 3).hasMore)
    let second = try Source.itunes.page(two, .movie, page: 2, pageSize: 1)
    #expect(second.candidates.map(\.record.title) == ["Bookends"])
    #expect(second.hasMore)
    #expect(second.unreadable == 0)
    #expect(try Source.itunes.page(two, .movie, page: 2, pageSize: 2) == Page())
    let all = Self.results((1...200).map { Self.movie.replacing("101", with: "\($0)") }.joined(separator: ","))
    let last = try Source.itunes.page(
      of: Search(words: "x", kind: .movie, page: 20, pageSize: 10), Source.itunes.settings(),
      using: FakeWeb(["/search": all]).client)
    #expect(last.candidates.count == 10)
    #expect(last.candidates.last?.id == .itunes("track/200"))
    #expect(!last.hasMore)
    #expect(last.stop == .bound)
    #expect(try !Source.itunes.page(Self.results(), .movie).hasMore)
    #expect(try Source.itunes.page(two, .movie).total == nil)
  }

  @Test(arguments: [(403, ""), (403, "\n\n"), (403, "<html>Access Denied</html>"), (429, "")])
  func `a 403 or 429 is throttling and no empty page, with or without a body`(status: Int, body: String) {
    let response = Response(json: body, status: status)
    #expect(throws: SourceError.network(.throttled(host: "itunes.apple.com", retryAfter: nil))) {
      try Source.itunes.read(response, Search(words: "x", kind: .movie), Source.itunes.settings())
    }
  }

  @Test func `an album is fetched with its tracks in order`() throws {
    let web = FakeWeb(["/lookup": Self.results(Self.album, Self.songs)])
    let album = try Source.itunes.record(.itunes("collection/101"), as: .music, from: web, country: "KR")
    #expect(web.asked == [["https://itunes.apple.com/lookup?id=101&country=KR&lang=ko_kr&entity=song&limit=200"]])
    #expect(
      album.other?.tracks == [
        Track(position: "1", title: "America", seconds: 215, previewURL: "https://audio.example/america.m4a"),
        Track(position: "2", title: "Mrs. Robinson", seconds: 244),
      ])
    let record = try Source.itunes.record(.itunes("collection/101"), as: .vinyl, from: web)
    #expect(record.kind == .vinyl)
    #expect(record.vinyl?.tracks.count == 2)
    #expect(record.creators == ["Simon & Garfunkel"])
  }

  @Test func `track positions of several discs include the disc`() throws {
    let songs = Self.songs.replacing(#""discNumber":1,"discCount":1"#, with: #""discNumber":2,"discCount":2"#)
    let web = FakeWeb(["/lookup": Self.results(Self.album, songs)])
    let album = try Source.itunes.record(.itunes("collection/101"), as: .music, from: web)
    #expect(album.other?.tracks.map(\.position) == ["2-01", "2-02"])
  }

  @Test func `a missing or different item with that number is not found`() throws {
    let web = FakeWeb(["/lookup": Self.results(Self.app)])
    for value in ["track/101", "track/x", "101", "", "track/101/2", "track/-1"] {
      #expect(throws: SourceError.notFound) { try Source.itunes.record(.itunes(value), as: .movie, from: web) }
    }
    #expect(web.asked.count == 1)
  }

  // MARK: Standing in for other sources

  @Test func `a vinyl search returns only albums, as vinyl`() throws {
    let page = try Source.itunes.page(Self.results(Self.album, Self.songs), .vinyl)
    let record = try #require(page.candidates.first?.record)
    #expect(page.candidates.map(\.id) == [.itunes("collection/101")])
    #expect(page.unreadable == 0)
    #expect(record.kind == .vinyl)
    #expect(record.title == "Bookends")
    #expect(record.creators == ["Simon & Garfunkel"])
    #expect(record.year == 1968)
    #expect(record.labels == ["Folk-Rock"])
    #expect(record.artworkURL == "https://is1.mzstatic.com/Music/b.600x600-75.jpg")
    #expect(record.vinyl == Vinyl(), "nothing is known of a pressing")
  }

  @Test(arguments: [Kind.book, .vinyl])
  func `pages of books and albums end when no more results come`(kind: Kind) throws {
    let hit = kind == .book ? Self.ebook : Self.album
    let hits = (1...5).map { hit.replacing("101", with: "\(100 + $0)") }.joined(separator: ",")
    func page(_ number: Int) throws -> Page {
      try Source.itunes.page(Self.results(hits), kind, page: number, pageSize: 2)
    }
    #expect(try page(1).candidates.count == 5, "as many as came")
    #expect(try page(2).candidates.count == 3)
    #expect(try page(2).hasMore)
    #expect(try page(3).candidates.count == 1)
    #expect(try !page(3).hasMore)
    #expect(Source.itunes.url("x", kind, page: 3, pageSize: 2).hasSuffix("&limit=6"))
  }

  @Test func `an ISBN finds e-books and audiobooks and is stored in them`() throws {
    let web = FakeWeb(["/lookup": Self.results(Self.ebook, Self.audiobook, Self.movie, "null")])
    let isbn = try ISBN("9780060853983")
    let found = try Source.itunes.candidates(.isbn(isbn), from: web)
    #expect(web.asked == [["https://itunes.apple.com/lookup?isbn=9780060853983&country=US"]])
    #expect(found.map(\.id) == [.itunes("ebook/101"), .itunes("audiobook/101")])
    #expect(found.map(\.record.book?.isbn) == [isbn, isbn])
    #expect(found.map(\.record.title) == ["Good Omens", "Heard"])
    #expect(found.map(\.partialFailures) == [[], []], "nothing more is asked")
  }

  @Test func `a barcode finds the album with its tracks and is stored in it`() throws {
    let web = FakeWeb(["/lookup": Self.results(Self.album, Self.songs)])
    let found = try Source.itunes.candidates(.barcode(Barcode("0036000291452")), from: web)
    #expect(web.asked == [["https://itunes.apple.com/lookup?upc=036000291452&entity=song&limit=200&country=US"]])
    let record = try #require(found.first?.record)
    #expect(found.map(\.id) == [.itunes("collection/101")])
    #expect(record.kind == .vinyl)
    #expect(record.vinyl?.barcode == "0036000291452")
    #expect(record.vinyl?.tracks.map(\.title) == ["America", "Mrs. Robinson"])
    #expect(record.previewURL == "https://audio.example/america.m4a")
    #expect(found.first?.partialFailures == [])
  }

  @Test(arguments: [
    ("036000291452", ["036000291452", "0036000291452"]), ("4006381333931", ["4006381333931"]),
    ("00036000291452", ["036000291452", "0036000291452"]), ("96385074", ["000096385074", "0000096385074"]),
    ("14006381333938", []),
  ])
  func `a barcode is requested with twelve digits, then with thirteen`(code: String, numbers: [String]) throws {
    let web = FakeWeb(["/lookup": Self.results()])
    #expect(try Source.itunes.candidates(.barcode(Barcode(code)), from: web).isEmpty)
    #expect(
      web.asked
        == numbers.map { ["https://itunes.apple.com/lookup?upc=\($0)&entity=song&limit=200&country=US"] })
  }

  @Test func `an album is found by the longer form of its barcode`() throws {
    let web = FakeWeb(["upc=036000291452": Self.results(), "upc=0036000291452": Self.results(Self.album)])
    let found = try Source.itunes.candidates(.barcode(Barcode("036000291452")), from: web)
    #expect(found.map(\.record.vinyl?.barcode) == ["036000291452"])
  }

  @Test func `a refused lookup is an error and not an empty result`() throws {
    let web = FakeWeb(["/lookup": Response(json: "<html>", status: 403)])
    #expect(throws: SourceError.network(.throttled(host: "itunes.apple.com", retryAfter: nil))) {
      try Source.itunes.candidates(.isbn(ISBN("9780060853983")), from: web)
    }
  }
}
