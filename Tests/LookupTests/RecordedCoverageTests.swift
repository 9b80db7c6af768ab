import CatalogModel
import Foundation
import Lookup
import Testing

/// Tests that every recorded answer of the services is read, or listed here with the reason why it is never requested.
/// With `PRINT_COVERAGE=1` the counts are printed.
@Suite(.enabled(if: Recorded.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
struct RecordedCoverageTests {
  /// The way in which the program reads a file.
  enum Reading {
    /// A list: a page of a search, or one of the same shape.
    case list(Kind)
    /// The full record of one work.
    case thing(String, Kind)
    /// A part of another answer, or a refusal: a test in RecordedAnswersTests names the file. The lists of the file
    /// with these names have the elements; without names, the file is one element.
    case elsewhere([String] = [])
  }

  static let readings: [String: Reading] = [
    "itunes/error_403_rate_limit.http": .elsewhere(), "itunes/lookup_album_with_songs_beatles.json": .list(.music),
    "itunes/lookup_app_slack.json": .list(.app), "itunes/lookup_app_things.json": .elsewhere(),
    "itunes/lookup_podcast_uyd.json": .list(.podcast), "itunes/search_all_despacito_50.json": .list(.music),
    "itunes/search_ebook_middlemarch.json": .list(.book), "itunes/search_empty.json": .list(.movie),
    "itunes/search_macapps_bbedit.json": .list(.app), "itunes/search_podcasts_freakonomics_5.json": .list(.podcast),

    "tmdb/configuration.json": .elsewhere(), "tmdb/discover_movie_p1.json": .list(.movie),
    "tmdb/error_400_page_over_500.json": .elsewhere(), "tmdb/error_401_invalid_key.json": .elsewhere(),
    "tmdb/error_404_not_found.json": .elsewhere(), "tmdb/error_422_date_range.json": .elsewhere(),
    "tmdb/find_imdb_empty.json": .elsewhere(["movie_results"]),
    "tmdb/find_tt1375666.json": .elsewhere(["movie_results"]),
    "tmdb/genre_movie_list.json": .elsewhere(["genres"]), "tmdb/keyword_movies_p1.json": .list(.movie),
    "tmdb/movie_22855_details_2018.json": .thing("22855", .movie),
    "tmdb/movie_22855_images_2013.json": .elsewhere(["backdrops", "posters"]),
    "tmdb/movie_293767_append_en.json": .thing("293767", .movie),
    "tmdb/movie_293767_append_ko.json": .thing("293767", .movie),
    "tmdb/movie_550_alternative_titles.json": .elsewhere(["titles"]),
    "tmdb/movie_550_details.json": .thing("550", .movie),
    "tmdb/movie_550_images.json": .elsewhere(["backdrops", "posters", "logos"]),
    "tmdb/movie_550_similar.json": .list(.movie), "tmdb/movie_550_videos.json": .elsewhere(["results"]),
    "tmdb/movie_5_similar_2013.json": .list(.movie), "tmdb/movie_append_hand_filled.json": .thing("12313", .movie),
    "tmdb/movie_blank_dates.json": .thing("9443", .movie),
    "tmdb/movie_details_mediatracker.json": .thing("671", .movie),
    "tmdb/movie_popular_ko_p1.json": .list(.movie), "tmdb/movie_popular_ko_p2.json": .list(.movie),
    "tmdb/movie_popular_p1.json": .list(.movie), "tmdb/movie_recommendations_edited.json": .list(.movie),
    "tmdb/movie_upcoming_2013.json": .list(.movie), "tmdb/movie_upcoming_ko_two_pages_dup.json": .list(.movie),
    "tmdb/search_movie_fight_club_p1.json": .list(.movie), "tmdb/search_movie_harry_potter.json": .list(.movie),
    "tmdb/trending_movie_p1.json": .list(.movie),

    "kakao/error_400_missing_query.json": .elsewhere(), "kakao/error_401_app_key.json": .elsewhere(),
    "kakao/search_book_empty.json": .list(.book), "kakao/search_book_kotlin_p1.json": .list(.book),
    "kakao/search_book_size1_html.json": .list(.book),

    "googlebooks/volume_hV--zQEACAAJ.json": .thing("hV--zQEACAAJ", .book),
    "googlebooks/volumes_search_royals.json": .list(.book),

    "discogs/collection_folder_items_p1.json": .elsewhere(["releases"]),
    "discogs/collection_items_2021.json": .elsewhere(["releases"]), "discogs/error_401.json": .elsewhere(),
    "discogs/master_156551_versions_facets.json": .list(.vinyl),
    "discogs/master_4242.json": .thing("master/4242", .vinyl),
    "discogs/master_4242_versions.json": .list(.vinyl), "discogs/master_hiphop.json": .thing("master/1", .vinyl),
    "discogs/release_1.json": .thing("1", .vinyl), "discogs/release_1_2012.json": .thing("1", .vinyl),
    "discogs/release_3329867_file.json": .thing("3329867", .vinyl),
    "discogs/release_full_2022.json": .thing("1", .vinyl),
    "discogs/release_ska.json": .thing("1", .vinyl), "discogs/search_master_hammerfall.json": .list(.vinyl),
    "discogs/search_release_hammerfall.json": .list(.vinyl),
    "discogs/search_release_vinyl_blanck_mass.json": .list(.vinyl),
    "discogs/search_trash80_mixed.json": .list(.vinyl),

    "openlibrary/author.json": .elsewhere(), "openlibrary/author_OL34184A.json": .elsewhere(),
    "openlibrary/book.json": .thing("OL23109860M", .book),
    "openlibrary/edition_OL7353617M.json": .thing("OL7353617M", .book),
    "openlibrary/editions.json": .elsewhere(["entries"]),
    "openlibrary/editions_OL45804W_offset50.json": .elsewhere(["entries"]),
    "openlibrary/editions_OL45804W_p1.json": .elsewhere(["entries"]), "openlibrary/search_lotr.json": .list(.book),
    "openlibrary/work_OL45804W.json": .thing("OL45804W", .book),
    "openlibrary/work_hp_string_description.json": .thing("OL82563W", .book),

    "musicbrainz/caa_release_dummy.json": .elsewhere(["images"]),
    "musicbrainz/caa_release_e47d04a4_rewritten_urls.json": .elsewhere(["images"]),
    "musicbrainz/error_404.json": .elsewhere(), "musicbrainz/error_503_rate_limit.json": .elsewhere(),
    "musicbrainz/release_eval_1a8c4ac3.json": .release, "musicbrainz/release_eval_20b2dd9a.json": .release,
    "musicbrainz/release_eval_2529f558.json": .release, "musicbrainz/release_eval_3a8a6113.json": .release,
    "musicbrainz/release_eval_6a76904c.json": .release, "musicbrainz/release_eval_748e3e26.json": .release,
    "musicbrainz/release_eval_f77eeaef.json": .release,
    "musicbrainz/release_group_dsotm.json": .thing("release-group/f5093c06-23e3-404f-aeaa-40f72885ee3a", .music),
    "musicbrainz/release_lookup_70130d47.json": .release, "musicbrainz/release_lookup_71d6f1d1.json": .release,
    "musicbrainz/release_lookup_a99c577f.json": .release, "musicbrainz/release_lookup_bdc01183.json": .release,
    "musicbrainz/release_lookup_e47d04a4.json": .release, "musicbrainz/release_lookup_ef72b5f2.json": .release,
    "musicbrainz/release_search_kat_moda.json": .list(.vinyl),

    "wikidata/action_search_empty.json": .list(.movie), "wikidata/action_search_film.json": .list(.movie),
  ]

  /// The reasons why these files are never requested; docs/sources.md explains them.
  static let unasked = [
    "discogs/dump_20200806_artists_600.xml": "a monthly dump, no answer",
    "discogs/dump_20200806_masters_600.xml": "a monthly dump, no answer",
    "discogs/dump_20200806_releases_600.xml": "a monthly dump, no answer",
    "discogs/price_suggestions.json": "only told to who has filled in what a seller must",
    "itunes/rss_top_podcasts_kr_100.json": "a chart; nothing here shows charts of podcasts",
    "musicbrainz/artist_picard.json": "what is kept of artists comes with the release",
    "openlibrary/api_books_OL7353617M.json": "has no work, description or language",
    "openlibrary/book_by_isbn.json": "a name only; /isbn/ tells the edition at once",
    "wikidata/rest_item_Q184843.json": "the REST API's form, which tells one item at a time",
    "wikidata/rest_item_Q25188.json": "the REST API's form, which tells one item at a time",
  ]

  static let services = ["itunes", "tmdb", "kakao", "googlebooks", "discogs", "openlibrary", "musicbrainz", "wikidata"]

  @Test func `every recorded file has a reading or a reason for none`() throws {
    let folder = URL(filePath: try #require(Recorded.folder))
    let files = try Self.services.flatMap { service in
      try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: service).path).map {
        "\(service)/\($0)"
      }
    }
    #expect(Set(files).subtracting(Self.readings.keys).subtracting(Self.unasked.keys) == [], "nobody reads these")
    #expect(Set(Self.readings.keys).union(Self.unasked.keys).subtracting(files) == [], "these are gone")
    #expect(Set(Self.readings.keys).isDisjoint(with: Self.unasked.keys))
  }

  struct Counts {
    var answers = 0
    var elements = 0
    var unreadable = 0
  }

  @Test(arguments: services) func `no element of the recorded answers is unreadable`(service: String) throws {
    let source = try #require(Source.named(service))
    let tests = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "RecordedAnswersTests.swift"),
      encoding: .utf8)
    var counts = Counts()
    for (file, reading) in Self.readings.sorted(by: { $0.key < $1.key }) where file.hasPrefix(service + "/") {
      counts.answers += 1
      switch reading {
      case .list(let kind):
        let page = try source.read(
          Recorded.answer(file), Search(words: "x", kind: kind, pageSize: 100), source.settings())
        counts.elements += page.candidates.count + page.unreadable
        counts.unreadable += page.unreadable
      case .thing(let id, let kind):
        let web = try Self.web(file, id: id)
        let record = try? source.record(ExternalID(source: service, value: id), as: kind, from: web)
        counts.elements += 1
        counts.unreadable += record == nil ? 1 : 0
        #expect(record != nil, "\(file)")
      case .elsewhere(let lists):
        let name = file.dropFirst(service.count + 1).prefix { $0 != "." }
        #expect(tests.contains(name), "no recorded test names \(file)")
        guard !lists.isEmpty else {
          counts.elements += name.hasPrefix("error") ? 0 : 1
          continue
        }
        let json = try RecordedAnswersTests.json(file)
        for list in lists { counts.elements += try #require(json[list] as? [Any], "\(file): \(list)").count }
      }
    }
    #expect(counts.unreadable == 0)
    if ProcessInfo.processInfo.environment["PRINT_COVERAGE"] == "1" {
      print("\(service)\t\(counts.answers) answers\t\(counts.elements) elements\t\(counts.unreadable) unreadable")
    }
  }

  /// A network that answers requests for an id with this file, and others with 404.
  private static func web(_ file: String, id: String) throws -> FakeWeb {
    let path = id.split(separator: "/").last.map(String.init) ?? id
    return FakeWeb(["/\(path)": try Recorded.answer(file)])
  }
}

extension RecordedCoverageTests.Reading {
  /// A pressing of MusicBrainz, whatever its id.
  static let release = Self.thing("00000000-0000-4000-8000-000000000000", .vinyl)
}
