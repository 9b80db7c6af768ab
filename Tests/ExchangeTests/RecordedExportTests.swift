import CatalogModel
import Foundation
import Testing

@testable import Exchange

/// Tests exports of real programs. They are not part of this repository (their licences differ), so the suite runs only
/// where `CATALOG_FIXTURES` names the folder.
@Suite(.enabled(if: RecordedExports.folder != nil, "set CATALOG_FIXTURES to the folder with recorded exports"))
struct RecordedExportTests {
  /// The format of each file, the number of its records, and the reasons why some are rejected.
  static let expected: [(file: String, format: String, rows: Int, rejected: [String])] = [
    ("beets/library.blb", "beets", 4, []),
    ("calibre/metadata_15_books.db", "calibre", 15, []),
    ("catalog_apps/books-format11.bc", "tellico", 2, []),
    ("catalog_apps/collectorz_movies.xml", "collectorz", 14, []),
    ("catalog_apps/datacrow_music5.xml", "datacrow", 2, []),
    // Five books, and a movie outside of the list of items.
    ("catalog_apps/delicious1_books.xml", "delicious1", 6, []),
    ("catalog_apps/delicious1_movies.xml", "delicious1", 4, []),
    ("catalog_apps/delicious1_music.xml", "delicious1", 3, []),
    ("catalog_apps/delicious2_books.xml", "delicious2", 7, []),
    ("catalog_apps/delicious2_music.xml", "delicious2", 3, []),
    ("catalog_apps/griffith.xml", "griffith", 5, []),
    ("catalog_apps/movies-many.tc", "tellico", 82, []),
    ("discogs_csv/discogs_collection_readme.csv", "discogs", 5, []),
    ("goodreads/goodreads_24cols_neodb.csv", "goodreads", 10, []),
    ("goodreads/goodreads_fr.csv", "goodreads", 10, []),
    (
      "imdb/imdb_ratings_sample.csv", "imdb", 5,
      ["it is a series, an episode or a game 'TV Series': the catalog keeps movies"]
    ),
    ("letterboxd/diary.csv", "letterboxd", 1, []),
    ("letterboxd/likes_films.csv", "letterboxd", 1, []),
    ("letterboxd/ratings.csv", "letterboxd", 1, []),
    ("letterboxd/reviews.csv", "letterboxd", 1, []),
    ("letterboxd/watched.csv", "letterboxd", 1, []),
    ("letterboxd/watchlist.csv", "letterboxd", 0, []),
    ("librarything/librarything.json", "librarything", 3, []),
    ("rym/rym_export.csv", "rateyourmusic", 5, []),
    ("storygraph/storygraph_neodb.csv", "storygraph", 9, []),
    (
      "tmdb/tmdb_ratings.csv", "tmdb", 4,
      Array(repeating: "it is a series or an episode 'tv': the catalog keeps movies", count: 2)
    ),
  ]

  @Test(arguments: expected)
  func `a recorded export is recognized by its content without losing a record`(
    file: String, format: String, rows: Int, rejected: [String]
  ) throws {
    let opened = try Import(path: RecordedExports.path("exports/\(file)"))
    #expect(opened.formatID == format)
    #expect(!opened.uses.isEmpty || rows == 0)
    let all = try opened.all()
    #expect(all.count == rows)
    #expect(all.compactMap(\.rejection) == rejected)
    #expect(Set(all.map(\.key)).count == rows)
    #expect(try opened.all().map(\.key) == all.map(\.key))
  }

  @Test func `every recorded export is listed with its expected rows`() throws {
    let folder = try #require(RecordedExports.folder).appending(path: "exports").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }
    #expect(Set(files) == Set(Self.expected.map(\.file)))
  }

  @Test func `an archive of the recorded Letterboxd files is one film`() throws {
    var members: [String: String] = [:]
    for name in ["diary", "ratings", "reviews", "watched", "watchlist"] {
      members["\(name).csv"] = try String(
        contentsOfFile: RecordedExports.path("exports/letterboxd/\(name).csv"), encoding: .utf8)
    }
    members["likes/films.csv"] = try String(
      contentsOfFile: RecordedExports.path("exports/letterboxd/likes_films.csv"), encoding: .utf8)
    let file = try SmallFile(zip: members)
    let rows = try Import(path: file.path).all()
    #expect(rows.count == 1)
    let film = try #require(rows.first?.entry)
    #expect(film.times.count == 1)
    #expect(film.times.first?.endedOn?.description == "2025-08-07")
    #expect(film.times.first?.opinion?.comment != nil)
    #expect(film.opinions.isEmpty)
    #expect(film.isFavorite)
  }

  @Test func `large practice tables are read to their end`() throws {
    let books = try Import(path: RecordedExports.path("datasets/goodbooks10k_books_1_6000.csv"))
    var (count, series, numbers) = (0, 0, 0)
    try books.rows { row in
      count += 1
      if row.entry?.record.book.series != nil { series += 1 }
      if row.entry?.record.book.isbn != nil { numbers += 1 }
      return true
    }
    #expect(books.formatID == "goodbooks")
    #expect(count == 6_000)
    // A third of them has an ISBN that kept its zeros.
    #expect(series > 2_000)
    #expect(numbers > 1_000)
    let movies = try Import(path: RecordedExports.path("datasets/wikipedia_movies_2010s.json"))
    var titles = 0
    try movies.rows { row in
      if row.entry?.record.kind == .movie { titles += 1 }
      return true
    }
    #expect(movies.formatID == "table")
    #expect(titles == 2_512)
  }
}

enum RecordedExports {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"].map { URL(filePath: $0) }

  static func path(_ file: String) throws -> String { try #require(folder).appending(path: file).path }
}
