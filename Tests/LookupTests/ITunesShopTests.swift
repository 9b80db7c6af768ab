import CatalogModel
import Lookup
import Testing

/// Tests the categories, the countries and the offers of a shop.
struct ITunesShopTests {
  // MARK: Categories

  @Test(arguments: [(Kind.music, 8), (.movie, 14), (.app, 2), (.podcast, 9), (.book, 0), (.vinyl, 0)])
  func `each kind has Apple's search attributes, with all of them first`(kind: Kind, count: Int) {
    let attributes = Source.itunes.attributes(kind)
    #expect(attributes.count == count)
    #expect(count == 0 || attributes.first == .all)
    #expect(attributes.dropFirst().allSatisfy { $0.parameter != nil })
    #expect(Set(attributes.map(\.word)).count == count)
    #expect(Set(attributes.map(\.parameter)).count == count)
  }

  @Test func `attribute names are those that Apple documents`() {
    let names = Dictionary(
      uniqueKeysWithValues: Source.itunes.kindsWithAttributes.map { kind in
        (kind, Source.itunes.attributes(kind).compactMap(\.parameter).joined(separator: " "))
      })
    #expect(
      names == [
        .music: "mixTerm genreIndex artistTerm composerTerm albumTerm ratingIndex songTerm",
        .movie: """
        actorTerm genreIndex artistTerm shortFilmTerm producerTerm ratingTerm directorTerm releaseYearTerm \
        featureFilmTerm movieArtistTerm movieTerm ratingIndex descriptionTerm
        """,
        .app: "softwareDeveloper",
        .podcast: """
        titleTerm languageTerm authorTerm genreIndex artistTerm ratingIndex keywordsTerm descriptionTerm
        """,
      ])
  }

  @Test func `an attribute word means the same attribute in every kind`() {
    let all = Source.itunes.kindsWithAttributes.flatMap(Source.itunes.attributes)
    for attribute in all {
      #expect(Set(all.filter { $0.isCalled(attribute.word) }.map(\.parameter)) == [attribute.parameter])
      guard let parameter = attribute.parameter else { continue }
      #expect(all.filter { $0.isCalled(parameter.uppercased()) }.allSatisfy { $0.word == attribute.word })
    }
    #expect(Source.itunes.attribute("ACTOR", of: .movie)?.parameter == "actorTerm")
    #expect(Source.itunes.attribute("actorterm", of: .movie)?.word == "actor")
    #expect(Source.itunes.attribute("actor", of: .music) == nil)
  }

  @Test func `the chosen attribute is sent, and none for all`() {
    for kind in Source.itunes.kindsWithAttributes {
      for attribute in Source.itunes.attributes(kind) {
        let url = Source.itunes.url("x", kind, attribute: attribute.parameter)
        #expect(url.hasSuffix(attribute.parameter.map { "&attribute=\($0)" } ?? "&limit=20"))
        #expect(!url.contains("attributes"))
      }
    }
  }

  @Test(arguments: [
    ("songTerm", "song"), ("composerTerm", "song"), ("mixTerm", "mix"), ("albumTerm", "album"), ("artistTerm", "album"),
    ("genreIndex", "album"),
  ])
  func `a music search requests the entity that has the attribute`(attribute: String, entity: String) {
    #expect(Source.itunes.url("x", .music, attribute: attribute).contains("media=music&entity=\(entity)&"))
  }

  // MARK: Countries

  @Test(arguments: [("US", ""), ("KR", "&lang=ko_kr"), ("JP", "&lang=ja_jp"), ("DE", "")])
  func `a shop is asked in its own language`(country: String, language: String) throws {
    let url = Source.itunes.url("x", .music, country: country)
    #expect(url.contains("&country=\(country)\(language)&media="))
    let web = FakeWeb(["/lookup": ITunesTests.results(ITunesTests.movie)])
    _ = try Source.itunes.record(.itunes("track/101"), as: .movie, from: web, country: country)
    #expect(web.asked == [["https://itunes.apple.com/lookup?id=101&country=\(country)\(language)"]])
  }

  static let noShop = #"{"errorMessage":"Invalid value(s) for key(s): [country]", "queryParameters":{"output":"json"}}"#

  @Test func `a country without a shop is named in the error`() throws {
    let search = Search(words: "x", kind: .music)
    let settings = Source.itunes.settings(country: "AQ")
    #expect(throws: SourceError.noShop(country: "AQ")) {
      try Source.itunes.read(Response(json: Self.noShop, status: 400), search, settings)
    }
    let web = FakeWeb(["/lookup": Response(json: Self.noShop, status: 400)])
    #expect(throws: SourceError.noShop(country: "AQ")) {
      try Source.itunes.record(.itunes("track/1"), as: .movie, from: web, country: "AQ")
    }
    for other in ["", "{}", "<html>", "[]"] {
      #expect(throws: SourceError.refused(status: 400)) {
        try Source.itunes.read(Response(json: other, status: 400), search, settings)
      }
    }
    let words = "Invalid value(s) for key(s): [attributeType]"
    #expect(throws: SourceError.refused(status: 400, words: words)) {
      try Source.itunes.read(
        Response(json: Self.noShop.replacing("[country]", with: "[attributeType]"), status: 400), search, settings)
    }
  }

  @Test(arguments: [
    ("https://music.apple.com/kr/album/x/1", "KR"), ("https://itunes.apple.com/us/movie/x/id1", "US"),
    ("https://itunes.apple.com/WebObjects/x", nil), ("https://example.com", nil), (nil, nil),
    ("https://a.example/KR/x", nil),
  ])
  func `a page address shows the country of its shop`(url: String?, country: String?) throws {
    var record = Record(kind: .music, title: "x")
    record.url = url
    let shop = try #require(Source.itunes.shop)
    #expect(shop(record) == country)
  }

  // MARK: The Korean shop

  /// Facts of real albums and other items, in the shape of the shop's answers.
  static let koreanAlbum = """
    {"wrapperType":"collection","collectionType":"Album","artistId":358714030,"collectionId":1225955501,
     "artistName":"아이유","collectionName":"Palette","collectionCensoredName":"Palette",
     "collectionViewUrl":"https://music.apple.com/kr/album/palette/1225955501?uo=4","collectionPrice":11000.00,
     "collectionExplicitness":"notExplicit","trackCount":10,"copyright":"℗ 2017 loen","country":"KOR","currency":"KRW",
     "releaseDate":"2017-04-21T07:00:00Z","primaryGenreName":"K-Pop"}
    """
  static let koreanSongs = """
    {"wrapperType":"track","kind":"song","artistId":358714030,"collectionId":1225955501,"trackId":1225955783,
     "artistName":"아이유","collectionName":"Palette","trackName":"밤편지","trackPrice":-1.00,"discCount":1,"discNumber":1,
     "trackCount":10,"trackNumber":10,"trackTimeMillis":253293,"country":"KOR","currency":"KRW",
     "trackViewUrl":"https://music.apple.com/kr/album/x/1225955501?i=1225955783&uo=4"},
    {"wrapperType":"track","kind":"song","artistId":358714030,"collectionId":1225955501,"trackId":1225955505,
     "artistName":"아이유","collectionName":"Palette","trackName":"이 지금","discCount":1,"discNumber":1,"trackCount":10,
     "trackNumber":1,"trackTimeMillis":217453,"country":"KOR","currency":"KRW"}
    """
  static let koreanMovie = """
    {"wrapperType":"track","kind":"feature-movie","trackId":1467325043,"artistName":"봉준호","trackName":"기생충",
     "trackViewUrl":"https://itunes.apple.com/kr/movie/x/id1467325043?uo=4","trackPrice":6500.00,"trackHdPrice":6500.00,
     "trackRentalPrice":1500.00,"trackHdRentalPrice":2500.00,"releaseDate":"2019-05-30T07:00:00Z",
     "trackTimeMillis":7926000,"country":"KOR","currency":"KRW","primaryGenreName":"스릴러","contentAdvisoryRating":"15"}
    """
  static let koreanApp = """
    {"wrapperType":"software","kind":"software","trackId":869223134,"trackName":"카카오톡","artistName":"Kakao Corp.",
     "price":0.00,"currency":"KRW","formattedPrice":"무료","primaryGenreName":"Social Networking",
     "genres":["소셜 네트워킹","비즈니스"],"languageCodesISO2A":["KO","EN","KO"],"minimumOsVersion":"15.0",
     "sellerName":"Kakao Inc.","fileSizeBytes":"506663936","version":"10.1","contentAdvisoryRating":"4+",
     "currentVersionReleaseDate":"2026-09-30T11:45:51Z","releaseDate":"2010-03-18T03:43:04Z",
     "screenshotUrls":["https://is1-ssl.mzstatic.com/image/thumb/a/392x696bb.png",7,"http://is2.mzstatic.com/b.jpg"],
     "ipadScreenshotUrls":["https://is1-ssl.mzstatic.com/image/thumb/c/552x414bb.png"],"appletvScreenshotUrls":[]}
    """

  @Test func `the Korean shop's titles, names, genres and prices are read`() throws {
    let page = try Source.itunes.page(ITunesTests.results(Self.koreanMovie, Self.koreanAlbum), .movie)
    let movie = try #require(page.candidates.first?.record)
    #expect(movie.title == "기생충")
    #expect(movie.creators == ["봉준호"])
    #expect(movie.labels == ["스릴러"])
    #expect(movie.released == PartialDate("2019-05-30"))
    #expect(movie.offer?.price == Price(minorUnits: 6500, currency: "KRW"))
    #expect(movie.offer?.rentalPrice?.description == "1500 KRW")
    #expect(movie.offer?.hdRentalPrice == Price(minorUnits: 2500, currency: "KRW"))
    #expect(movie.offer?.advisory == "15")
    let album = try #require(page.candidates.last?.record)
    #expect(album.offer?.price == Price(minorUnits: 11000, currency: "KRW"))
    #expect(album.offer?.copyright == "℗ 2017 loen")
    #expect(album.offer?.advisory == nil, "notExplicit needs no word")
  }

  @Test func `an app's primary genre is left out when it is in another language`() throws {
    let korean = try #require(
      try Source.itunes.page(ITunesTests.results(Self.koreanApp), .app).candidates.first?.record)
    #expect(korean.labels == ["소셜 네트워킹", "비즈니스"])
    #expect(
      korean.screenshots == [
        Screenshot(device: "iPhone", url: "https://is1-ssl.mzstatic.com/image/thumb/a/392x696bb.png"),
        Screenshot(device: "iPhone", url: "https://is2.mzstatic.com/b.jpg"),
        Screenshot(device: "iPad", url: "https://is1-ssl.mzstatic.com/image/thumb/c/552x414bb.png"),
      ])
    let app = try #require(try Source.itunes.page(ITunesTests.results(ITunesTests.app), .app).candidates.first?.record)
    #expect(app.labels == ["Developer Tools"])
  }

  @Test func `a Korean album has its tracks, and a song has its album`() throws {
    let web = FakeWeb(["/lookup": ITunesTests.results(Self.koreanAlbum, Self.koreanSongs)])
    let album = try Source.itunes.record(.itunes("collection/1225955501"), as: .music, from: web, country: "KR")
    #expect(
      album.other?.tracks == [
        Track(position: "1", title: "이 지금", seconds: 217), Track(position: "10", title: "밤편지", seconds: 253),
      ])
    let song = try Source.itunes.record(.itunes("track/1225955783"), as: .music, from: web, country: "KR")
    #expect(song.other?.collection == "Palette")
    #expect(song.other?.collectionID == .itunes("collection/1225955501"))
    #expect(song.other?.position == "10")
    #expect(song.other?.count == 10)
    #expect(song.offer == nil, "it is sold with its album alone")
  }

  // MARK: What a shop says

  @Test func `an app's offer has price, languages, system, seller, size and update`() throws {
    let app = try #require(try Source.itunes.page(ITunesTests.results(Self.koreanApp), .app).candidates.first?.record)
    let offer = try #require(app.offer)
    #expect(offer.price == Price(minorUnits: 0, currency: "KRW"))
    #expect(offer.languages == ["ko", "en"])
    #expect(offer.minimumSystem == "15.0")
    #expect(offer.seller == "Kakao Inc.")
    #expect(offer.bytes == 506_663_936)
    #expect(offer.updated == PartialDate("2026-09-30"))
    #expect(app.released == PartialDate("2010-03-18"))
    let own = Self.koreanApp.replacing("Kakao Inc.", with: "Kakao Corp.")
    #expect(try Source.itunes.page(ITunesTests.results(own), .app).candidates.first?.record.offer?.seller == nil)
  }

  @Test func `a podcast's offer has the date of its newest episode and no price`() throws {
    let podcast = try #require(
      try Source.itunes.page(ITunesTests.results(ITunesTests.podcast), .podcast).candidates.first?.record)
    #expect(podcast.offer?.updated == PartialDate("2017-12-12"), "of the newest episode")
    #expect(podcast.offer?.price == nil, "podcasts are not sold")
    #expect(podcast.released == nil)
  }

  @Test func `explicit songs and albums are marked as explicit`() throws {
    let song =
      #"{"wrapperType":"track","kind":"song","trackId":1,"trackName":"x","trackExplicitness":"explicit","trackPrice":0.99,"currency":"USD"}"#
    let album = ITunesTests.album.replacing(
      #""collectionType":"Album""#, with: #""collectionType":"Album","collectionExplicitness":"explicit""#)
    let page = try Source.itunes.page(ITunesTests.results(song, album), .music)
    #expect(page.candidates.map { $0.record.offer?.advisory } == ["Explicit", "Explicit"])
    #expect(page.candidates.first?.record.offer?.price == Price(minorUnits: 99, currency: "USD"))
  }

  @Test func `a book's price is kept with the book and its size in the offer`() throws {
    let ebook = ITunesTests.ebook.replacing(#""kind":"ebook""#, with: #""kind":"ebook","fileSizeBytes":812727"#)
    let book = try #require(try Source.itunes.page(ITunesTests.results(ebook), .book).candidates.first?.record)
    #expect(book.book?.salePrice == Price(minorUnits: 999, currency: "USD"))
    #expect(book.offer?.price == nil)
    #expect(book.offer?.bytes == 812_727)
  }

  @Test func `an audiobook has its description, price and copyright`() throws {
    let audiobook =
      #"{"wrapperType":"audiobook","collectionId":101,"artistName":"한강","collectionName":"소년이 온다","collectionPrice":12000,"#
      + #""currency":"KRW","copyright":"℗ 2020 창비","description":"<i>오월</i>","previewUrl":"https://a.example/p.m4a","#
      + #""primaryGenreName":"소설","releaseDate":"2020-05-18T07:00:00Z","trackCount":1}"#
    let book = try #require(try Source.itunes.page(ITunesTests.results(audiobook), .book).candidates.first?.record)
    #expect(book.title == "소년이 온다")
    #expect(book.summary == "오월")
    #expect(book.labels == ["소설"])
    #expect(book.book?.salePrice == Price(minorUnits: 12000, currency: "KRW"))
    #expect(book.offer?.copyright == "℗ 2020 창비")
    #expect(book.previewURL == "https://a.example/p.m4a")
  }
}
