import CatalogModel
import Foundation
import Lookup
import Testing

/// Every recorded answer of these sources is read without losing an element that is readable.
///
/// Skipped unless `CATALOG_FIXTURES` names the folder with the recordings.
@Suite(.enabled(if: Recorded.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
struct RecordedAnswersTests {
  struct Count: CustomTestStringConvertible {
    var file: String
    var kind: Kind
    var elements: Int
    var testDescription: String { file }
  }

  /// Reads a file as the answer to a search of the source that its folder names.
  static func page(_ file: String, _ kind: Kind, pageSize: Int = 100) throws -> Page {
    let source = try #require(Source.named(file.prefix { $0 != "/" }.description))
    return try source.read(
      Recorded.answer(file), Search(words: "x", kind: kind, pageSize: pageSize), source.settings())
  }

  @Test(arguments: [
    Count(file: "itunes/lookup_album_with_songs_beatles.json", kind: .music, elements: 16),
    Count(file: "itunes/lookup_app_slack.json", kind: .app, elements: 1),
    Count(file: "itunes/lookup_podcast_uyd.json", kind: .podcast, elements: 1),
    Count(file: "itunes/search_all_despacito_50.json", kind: .music, elements: 50),
    Count(file: "itunes/search_ebook_middlemarch.json", kind: .book, elements: 1),
    Count(file: "itunes/search_empty.json", kind: .movie, elements: 0),
    Count(file: "itunes/search_macapps_bbedit.json", kind: .app, elements: 1),
    Count(file: "itunes/search_podcasts_freakonomics_5.json", kind: .podcast, elements: 5),
    Count(file: "openlibrary/search_lotr.json", kind: .book, elements: 81),
    Count(file: "musicbrainz/release_search_kat_moda.json", kind: .vinyl, elements: 1),
  ])
  func `no element of a recorded search is lost`(count: Count) throws {
    let page = try Self.page(count.file, count.kind)
    #expect(page.candidates.count == count.elements)
    #expect(page.unreadable == 0)
    #expect(Set(page.candidates.map(\.id)).count == count.elements)
    page.candidates.forEach { MutationTests.check($0.record) }
  }

  // MARK: iTunes

  @Test func `kinds are told apart in a mixed list`() throws {
    let kinds = try Self.page("itunes/search_all_despacito_50.json", .music).candidates.map(\.record.kind)
    #expect(kinds.filter { $0 == .music }.count == 47)
    #expect(kinds.filter { $0 == .movie }.count == 3)
  }

  @Test func `a recorded movie has its values`() throws {
    let page = try Self.page("itunes/search_all_despacito_50.json", .music)
    let movie = try #require(page.candidates.first { $0.id == .itunes("track/541309979") }?.record)
    #expect(movie.title == "Katy Perry the Movie: Part of Me")
    #expect(movie.creators == ["Dan Cutforth", "Jane Lipsitz"])
    #expect(movie.released == PartialDate("2012-07-05"))
    #expect(movie.movie?.minutes == 94)
    #expect(movie.labels == ["Music Documentaries"])
    #expect(movie.artworkURL?.hasSuffix("/mzm.wgiopbrj.lsr/600x600bb.jpg") == true)
    #expect(movie.summary?.hasPrefix("Katy Perry is living proof") == true)
  }

  @Test func `a recorded album has its tracks`() throws {
    let answer = try Recorded.answer("itunes/lookup_album_with_songs_beatles.json")
    let album = try Source.itunes.record(
      .itunes("collection/1441164816"), as: .vinyl, from: FakeWeb(["/lookup": answer]))
    #expect(album.title == "Please Please Me")
    #expect(album.year == 1963)
    #expect(album.vinyl?.tracks.count == 15)
    #expect(album.vinyl?.tracks.first == Track(position: "1", title: "I Saw Her Standing There", seconds: 173))
  }

  @Test func `a recorded e-book is from the nineteenth century`() throws {
    let book = try #require(try Self.page("itunes/search_ebook_middlemarch.json", .book).candidates.first)
    #expect(book.id == .itunes("ebook/392612355"))
    #expect(book.record.year == 1874)
    #expect(book.record.creators == ["George Eliot"])
    #expect(book.record.labels == ["Literary Criticism", "Books", "Fiction & Literature"])
    #expect(book.record.book?.salePrice == Price(minorUnits: 0, currency: "USD"))
    #expect(book.record.publicRating == PublicRating(value: 90, votes: 632))
  }

  /// This recording is an element without its envelope.
  @Test func `a recorded app is read`() throws {
    let element = String(decoding: try Recorded.body("itunes/lookup_app_things.json"), as: UTF8.self)
    let app = try #require(try Source.itunes.page(ITunesTests.results(element), .app).candidates.first?.record)
    #expect(app.title == "Things That Go Bump")
    #expect(app.creators == ["Tinybop Inc."])
  }

  @Test func `a recorded refusal is for now`() throws {
    let recording = String(decoding: try Recorded.body("itunes/error_403_rate_limit.http"), as: UTF8.self)
    let lines = recording.split(separator: "\n", omittingEmptySubsequences: false).map { $0.filter { $0 != "\r" } }
    let status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    let body = lines.drop { !$0.isEmpty }.joined(separator: "\n")
    #expect(throws: SourceError.network(.throttled(host: "itunes.apple.com", retryAfter: nil))) {
      try Source.itunes.read(
        Response(json: body, status: status), Search(words: "x", kind: .movie), Source.itunes.settings())
    }
  }

  // MARK: Open Library

  @Test func `recorded books have their values`() throws {
    let page = try Self.page("openlibrary/search_lotr.json", .book)
    let book = try #require(page.candidates.first)
    #expect(page.total == 81)
    #expect(!page.hasMore)
    #expect(book.id == .openLibrary("OL27448W"))
    #expect(book.record.creators == ["J. R. R. Tolkien"])
    #expect(book.record.year == 1954)
    #expect(book.record.artworkURL == "https://covers.openlibrary.org/b/id/6308838-L.jpg?default=false")
    #expect(page.candidates.filter { $0.record.year != nil }.count == 69)
    #expect(page.candidates.filter { $0.record.artworkURL != nil }.count == 35)
    #expect(page.candidates.filter { !$0.record.labels.isEmpty }.count == 10)
    #expect(page.candidates.allSatisfy { !$0.record.credits.isEmpty })
  }

  @Test(arguments: ["editions_OL45804W_p1.json", "editions_OL45804W_offset50.json", "editions.json"])
  func `a recorded work is read with its editions and author`(editions: String) throws {
    let web = FakeWeb([
      "/works/OL45804W.json": try Recorded.answer("openlibrary/work_OL45804W.json"),
      "/editions.json": try Recorded.answer("openlibrary/\(editions)"),
      "/authors/OL34184A.json": try Recorded.answer("openlibrary/author_OL34184A.json"),
    ])
    let book = try Source.openLibrary.record(.openLibrary("OL45804W"), as: .book, from: web)
    #expect(book.externalIDs == [.openLibrary("OL45804W")], "its `location` is no redirect")
    #expect(book.title == "Fantastic Mr Fox")
    #expect(book.creators == ["Roald Dahl"])
    #expect(book.labels.count == 31)
    #expect(book.artworkURL == "https://covers.openlibrary.org/b/id/6498519-L.jpg?default=false")
    #expect(book.summary?.contains("every night.\n\nFinally tired") == true)
    switch editions {
    case "editions_OL45804W_p1.json":
      #expect(book.book?.isbn?.digits13 == "9780142418222")
      #expect(book.book?.pages == 96)
    case "editions_OL45804W_offset50.json": #expect(book.book?.isbn == nil, "9999999999999 is none")
    default: #expect(book.book?.isbn?.digits13 == "9780441012039")
    }
  }

  @Test func `a recorded description that is a string is Markdown`() throws {
    let web = FakeWeb(["/works/OL82563W.json": try Recorded.answer("openlibrary/work_hp_string_description.json")])
    let book = try Source.openLibrary.record(.openLibrary("OL82563W"), as: .book, from: web)
    #expect(book.summary?.hasPrefix("Harry Potter #1\n\nWhen mysterious letters") == true)
    #expect(book.summary?.contains("\r") == false)
    #expect(
      book.summary?.hasSuffix("\n\n  [1]: https://www.jkrowling.com/book/harry-potter-philosophers-stone/") == true)
    #expect(book.labels.count == 81)
  }

  @Test func `recorded editions are found by ISBN`() throws {
    let fox = FakeWeb([
      "/isbn/9780140328721.json": try Recorded.answer("openlibrary/edition_OL7353617M.json"),
      "/works/OL45804W.json": try Recorded.answer("openlibrary/work_OL45804W.json"),
      "/authors/": try Recorded.answer("openlibrary/author.json"),
    ])
    let found = try #require(try Source.openLibrary.candidates(.isbn(ISBN("0140328726")), from: fox).first)
    #expect(found.id == .openLibrary("OL7353617M"))
    #expect(found.record.title == "Fantastic Mr. Fox")
    #expect(found.record.creators == ["Sachi Rautroy"], "the older recording of another author, by its own key")
    #expect(found.record.book?.published == PartialDate("1988-10-01"))
    #expect(found.record.book?.publisher == "Puffin")
    #expect(found.record.book?.language == "en")

    let gatsby = FakeWeb(["/books/OL23109860M.json": try Recorded.answer("openlibrary/book.json")])
    let book = try Source.openLibrary.record(.openLibrary("OL23109860M"), as: .book, from: gatsby)
    #expect(book.book?.isbn?.digits13 == "9780743273565")
    #expect(book.book?.pages == 180)
    #expect(book.labels.count == 6)
  }

  // MARK: MusicBrainz

  struct Release: CustomTestStringConvertible {
    var file: String
    var title: String
    var artist: String
    var year: Int
    var tracks: Int
    var label: String
    var genres: Int
    var testDescription: String { file }
  }

  @Test(arguments: [
    Release(
      file: "eval_1a8c4ac3", title: "Rumours", artist: "Fleetwood Mac", year: 1977, tracks: 11,
      label: "Warner Bros. Records", genres: 0),
    Release(
      file: "eval_20b2dd9a", title: "My Iron Lung", artist: "Radiohead", year: 1994, tracks: 8, label: "Parlophone",
      genres: 0),
    Release(
      file: "eval_2529f558", title: "Metallica", artist: "Metallica", year: 1991, tracks: 12, label: "Elektra",
      genres: 0),
    Release(
      file: "eval_3a8a6113", title: "Weezer", artist: "Weezer", year: 1994, tracks: 10, label: "DGC Records", genres: 0),
    Release(
      file: "eval_6a76904c", title: "Lift Yr. Skinny Fists Like Antennas to Heaven!",
      artist: "Godspeed You Black Emperor!", year: 2000, tracks: 4, label: "kranky", genres: 0),
    Release(
      file: "eval_748e3e26", title: "Lift Your Skinny Fists Like Antennas To Heaven",
      artist: "Godspeed You Black Emperor!", year: 2000, tracks: 4, label: "Constellation", genres: 0),
    Release(
      file: "eval_f77eeaef", title: "Lift Your Skinny Fists Like Antennas to Heaven",
      artist: "Godspeed You! Black Emperor", year: 2000, tracks: 4, label: "kranky", genres: 0),
    Release(
      file: "lookup_70130d47", title: "wipEout", artist: "CoLD SToRAGE", year: 1995, tracks: 12,
      label: "Sony Computer Entertainment Europe", genres: 5),
    Release(
      file: "lookup_71d6f1d1", title: "Deuce Avenue", artist: "Alan Vega", year: 1990, tracks: 12, label: "Musidisc",
      genres: 0),
    Release(
      file: "lookup_a99c577f", title: "The Guilty Have No Pride", artist: "Death in June", year: 1983, tracks: 19,
      label: "New European Recordings", genres: 6),
    Release(
      file: "lookup_bdc01183", title: "Reise, Reise", artist: "Rammstein", year: 2004, tracks: 8,
      label: "Universal Music", genres: 6),
    Release(
      file: "lookup_e47d04a4", title: "Kat Moda", artist: "Jeff Mills", year: 1997, tracks: 3, label: "Purpose Maker",
      genres: 2),
    Release(
      file: "lookup_ef72b5f2", title: "A LA SALA", artist: "Khruangbin", year: 2024, tracks: 12, label: "Dead Oceans",
      genres: 3),
  ])
  func `a recorded release is read whole`(release: Release) throws {
    let answer = try Recorded.answer("musicbrainz/release_\(release.file).json")
    let body = String(decoding: answer.body, as: UTF8.self)
    // The file's own name is the beginning of the id; the whole id is in it.
    let start = try #require(body.range(of: release.file.suffix(8) + "-"))
    let id = ExternalID.musicBrainz(String(body[start.lowerBound...].prefix(36)))
    let record = try Source.musicBrainz.record(id, as: .vinyl, from: FakeWeb(["/release/": answer]))
    #expect(record.externalIDs == [id])
    #expect(record.title == release.title)
    #expect(record.creators == [release.artist])
    #expect(record.year == release.year)
    #expect(record.vinyl?.tracks.count == release.tracks)
    #expect(record.vinyl?.label == release.label)
    #expect(record.labels.count == release.genres)
    MutationTests.check(record)
  }

  @Test func `a recorded pressing on vinyl has its sides`() throws {
    let web = FakeWeb(["/release/": try Recorded.answer("musicbrainz/release_eval_748e3e26.json")])
    let record = try Source.musicBrainz.record(
      .musicBrainz("748e3e26-0000-4000-8000-000000000000"), as: .vinyl, from: web)
    #expect(record.vinyl?.format == "12\" Vinyl")
    #expect(record.vinyl?.discs == 2)
    #expect(record.vinyl?.tracks.map(\.position) == ["A", "B", "C", "D"])
    #expect(record.vinyl?.country == "CA")
    #expect(record.vinyl?.barcode == "666561001216")
    #expect(record.vinyl?.catalogNumber == "cst012")
    #expect(record.artworkURL?.contains("/release-group/") == true, "this pressing has no front")
  }

  /// The second was recorded with addresses of files, which nobody fetches.
  @Test(arguments: [
    ("caa_release_dummy", "https://coverartarchive.org/release/76df3287-6cda-33eb-8e9a-044b5e15ffdd/829521842-500.jpg"),
    ("caa_release_e47d04a4_rewritten_urls", "/release/e47d04a4-7460-427d-a731-cc82386d85f1/front-500"),
  ])
  func `a recorded list of pictures has its front`(file: String, address: String) throws {
    let web = FakeWeb([
      "/ws/2/release/": try Recorded.answer("musicbrainz/release_lookup_e47d04a4.json"),
      "archive.org/release/": try Recorded.answer("musicbrainz/\(file).json"),
    ])
    let id = ExternalID.musicBrainz("e47d04a4-7460-427d-a731-cc82386d85f1")
    let record = try Source.musicBrainz.record(id, as: .vinyl, from: web)
    #expect(record.artworkURL?.hasSuffix(address) == true)
  }

  @Test func `recorded genres are ordered by votes`() throws {
    let web = FakeWeb(["/release/": try Recorded.answer("musicbrainz/release_lookup_bdc01183.json")])
    let record = try Source.musicBrainz.record(
      .musicBrainz("bdc01183-d1c9-378f-a209-a6145fa596c9"), as: .vinyl, from: web)
    #expect(record.labels.prefix(3) == ["industrial metal", "neue deutsche härte", "rock"])
    #expect(record.vinyl?.tracks.first?.title == "[ohne Titel]", "the track before the first")
    #expect(record.artworkURL?.hasSuffix("/release/bdc01183-d1c9-378f-a209-a6145fa596c9/front-500") == true)
  }

  @Test func `a recorded album is read`() throws {
    let web = FakeWeb(["/release-group/": try Recorded.answer("musicbrainz/release_group_dsotm.json")])
    let album = try Source.musicBrainz.record(
      .musicBrainz("release-group/f5093c06-23e3-404f-aeaa-40f72885ee3a"), as: .music, from: web)
    #expect(album.title == "The Dark Side of the Moon")
    #expect(album.released == PartialDate("1973-03-24"))
    #expect(album.labels == ["test", "test2"])
  }

  @Test func `recorded errors are errors`() throws {
    let id = ExternalID.musicBrainz(MusicBrainzTests.id)
    let gone = Response(status: 404, body: try Recorded.body("musicbrainz/error_404.json"))
    #expect(throws: SourceError.notFound) {
      try Source.musicBrainz.record(id, as: .vinyl, from: FakeWeb(["/release/": gone]))
    }
    let busy = Response(status: 503, body: try Recorded.body("musicbrainz/error_503_rate_limit.json"))
    #expect(throws: SourceError.network(.throttled(host: "musicbrainz.org", retryAfter: nil))) {
      try Source.musicBrainz.record(id, as: .vinyl, from: FakeWeb(["/release/": busy]))
    }
  }
}
