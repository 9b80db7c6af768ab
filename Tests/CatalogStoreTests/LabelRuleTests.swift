import CatalogModel
import Foundation
import SQLite
import Testing

@testable import CatalogStore

/// Tests the rules from labels to genres, by the kind of the item and by other labels.
struct LabelRuleTests {
  let store: Store
  private let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws { store = try Store.empty() }

  @discardableResult
  private func add(_ kind: Kind, _ source: String, _ labels: [String]) throws -> ItemID {
    var record = Record(kind: kind, title: "Title")
    record.labels = labels
    record.labelSource = source
    return try store.add(record, now: now).id
  }

  /// Adds an item for each list of labels.
  private func addAll(_ kind: Kind, _ source: String, _ lists: [[String]]) throws {
    _ = try store.addAll(
      lists.map { labels in
        var record = Record(kind: kind, title: "Title")
        (record.labels, record.labelSource) = (labels, source)
        return (record: record, genres: nil)
      }, now: now)
  }

  /// Every label of a source for a kind, in its spelling.
  private func labels(of source: String, _ kind: Kind) -> [ShippedLabels.Entry] {
    ShippedLabels.entries.filter {
      [source, "any"].contains($0.place.source) && ($0.place.kind == nil || $0.place.kind == kind)
    }.map { entry in
      var entry = entry
      entry.label.removeAll { $0 == "*" }
      return entry
    }
  }

  private func genres(_ kind: Kind, _ source: String, _ labels: [String]) throws -> [String] {
    try store.genres(of: add(kind, source, labels))
  }

  // MARK: Records

  @Test(
    arguments: [
      (["Funk / Soul"], ["Soul & R&B"]), (["Funk / Soul", "Funk"], ["Soul & R&B", "Funk"]),
      (["Funk / Soul", "Soul", "Gospel"], ["Soul & R&B", "Soul", "Gospel"]),
      (["Folk, World, & Country"], ["Folk"]), (["Folk, World, & Country", "Pop", "Vocal"], ["Folk", "Pop", "Vocal"]),
      (["Folk, World, & Country", "Fado"], ["Fado"]), (["Folk, World, & Country", "Bluegrass"], ["Bluegrass"]),
      (["Folk, World, & Country", "Neofolk"], ["Neofolk"]), (["Folk, World, & Country", "African"], ["World"]),
      (["Rock", "Folk, World, & Country", "Country Rock"], ["Rock", "Country", "Country Rock"]),
      (["Rock", "Folk, World, & Country", "Folk Rock"], ["Rock", "Folk", "Folk Rock"]),
      (["Rock", "Hardcore", "Punk"], ["Rock", "Hardcore Punk", "Punk"]),
      (["Electronic", "Hardcore"], ["Electronic", "Hardcore Techno"]),
      (["Electronic", "Rock", "Hardcore"], ["Electronic", "Rock", "Hardcore Punk"]),
      (["Hip Hop", "Hardcore"], ["Hip-Hop"]),
      (["Non-Music", "Comedy"], ["Spoken Word", "Comedy & Novelty"]),
      (["Rock", "Parody"], ["Rock", "Comedy & Novelty"]),
      (["Brass & Military", "Military"], ["Brass & Military"]),
      (["Stage & Screen", "Musical"], ["Soundtrack", "Show Tunes"]),
      (["Pop", "Novelty"], ["Pop", "Comedy & Novelty"]),
      (["Non-Music", "Religious"], ["Spoken Word", "Sacred Music"]),
      (["Non-Music", "Poetry"], ["Spoken Word"]), (["Rock", "J-Rock"], ["Rock", "J-Rock"]),
      (["Pop", "Volksmusik"], ["Pop", "Volksmusik"]), (["Rock", "K-Rock"], ["Rock", "K-Rock"]),
    ] as [([String], [String])])
  func `a Discogs record gets its genres from its genre and styles together`(
    _ labels: [String], _ genres: [String]
  ) throws {
    #expect(try self.genres(.vinyl, "discogs", labels) == genres)
  }

  @Test(arguments: ["discogs", "itunes", "musicbrainz", "hand"])
  func `no label puts a record under fiction, nonfiction or apps`(_ source: String) throws {
    let roots = ["Fiction", "Nonfiction", "Podcasts & Apps"]
    let names = ShippedGenres.all.genres.map(\.name) + ["Military", "Parody"]
    try addAll(.vinyl, source, (labels(of: source, .vinyl).map(\.label) + names).map { [$0] })
    let wrong = try wrong(below: roots, .vinyl)
    #expect(wrong == [])
  }

  /// The genres below one of these roots that items of the kind have.
  private func wrong(below roots: [String], _ kind: Kind) throws -> [String] {
    try store.db.values(
      """
      SELECT DISTINCT genre.name FROM item JOIN item_genre ON item_id = item.id JOIN genre ON genre.id = item_genre.genre_id
        JOIN genre_ancestor ON genre_ancestor.genre_id = genre.id JOIN genre AS root ON root.id = ancestor_id
      WHERE kind = \(kind.rawValue) AND root.name IN (\(list: roots))
      """)
  }

  // MARK: Films

  @Test(
    arguments: [
      (["Biography", "Drama"], ["Biopic", "Drama"]), (["Sports", "Comedy"], ["Sports Fiction", "Comedy"]),
      (["History"], ["Historical Fiction"]), (["Political", "Thriller"], ["Political Fiction", "Thriller"]),
      (["Biography & Autobiography"], ["Biopic"]), (["World War II"], ["War"]), (["Nature"], []),
      (["Humor"], ["Comedy"]),
      (["Documentary", "Biography"], ["Documentary", "Biography & Memoir"]),
      (["History", "Documentary"], ["History", "Documentary"]),
      (["Sports", "Documentary"], ["Sports", "Documentary"]),
      (["Music"], ["Music Film"]), (["음악"], ["Music Film"]), (["Musik", "Drama"], ["Music Film", "Drama"]),
      (["Documentary", "Music"], ["Documentary", "Music Documentary"]), (["Jazz"], ["Music Film"]),
      (["Noir", "Crime"], ["Film Noir", "Crime"]), (["느와르"], ["Film Noir"]),
      (["Silent"], ["Silent"]), (["Slasher"], ["Slasher"]), (["Disaster"], ["Disaster"]),
      (["Steampunk"], ["Steampunk"]),
      (["LGBTQ"], ["LGBTQ+"]), (["호러/공포"], ["Horror"]),
    ] as [([String], [String])])
  func `a film gets its genres from its labels together`(_ labels: [String], _ genres: [String]) throws {
    #expect(try self.genres(.movie, "wikipedia", labels) == genres)
  }

  @Test(arguments: ["tmdb", "itunes", "wikipedia", "hand"])
  func `no label puts a film under Nonfiction that is no documentary`(_ source: String) throws {
    let names = ShippedGenres.all.genres.map(\.name)
    try addAll(.movie, source, (labels(of: source, .movie).map(\.label) + names).map { [$0] })
    let under = try wrong(below: ["Nonfiction", "Music", "Podcasts & Apps"], .movie)
    #expect(Set(under).isSubset(of: ["Documentary", "Concert Film", "Music Documentary"]), "\(under)")
  }

  // MARK: Books

  @Test(
    arguments: [
      (["fiction", "humor"], ["Fiction", "Comedy"]), (["history", "fiction"], ["Historical Fiction", "Fiction"]),
      (["fiction", "psychology"], ["Fiction"]), (["fantasy", "humor"], ["Fantasy", "Comedy"]),
      (["fiction", "true-crime"], ["Fiction", "Crime"]), (["humor"], ["Humor"]),
      (["humor", "essays"], ["Humor", "Essays"]),
      (["non-fiction", "fiction", "history"], ["Nonfiction", "Fiction", "History"]),
      (["historical-romance"], ["Romance", "Historical Fiction"]), (["paranormal-romance"], ["Paranormal", "Romance"]),
      (["young-adult-fantasy"], ["Young Adult", "Fantasy"]), (["christmas"], []), (["reference"], ["Reference"]),
      (["productivity"], ["Self-Help"]), (["native-american"], []), (["read-2014"], []), (["read-in-2015"], []),
      (["owned-books"], []), (["read-2009-2010"], []), (["noir"], ["Noir"]), (["new-adult"], ["New Adult"]),
      (["lgbt"], ["LGBTQ+"]), (["lgbt", "non-fiction"], ["Society", "Nonfiction"]), (["steampunk"], ["Steampunk"]),
      (["music"], ["Music Books"]),
    ] as [([String], [String])])
  func `a book gets its genres from its reader shelves together`(_ labels: [String], _ genres: [String]) throws {
    #expect(try Set(self.genres(.book, "goodreads", labels)) == Set(genres))
  }

  @Test(
    arguments: [
      ("시/에세이", ["Poetry", "Essays"]), ("고전소설", ["Classics"]), ("장르소설", ["Fiction"]), ("웹소설", ["Web Novels"]),
      ("판타지/무협", ["Fantasy", "Martial Arts"]), ("호러/공포", ["Horror"]), ("한국소설", ["Korean Fiction"]),
      ("느와르", ["Noir"]), ("Film Noir", ["Noir"]),
    ] as [(String, [String])])
  func `the categories of Korean bookshops are known`(_ label: String, _ genres: [String]) throws {
    #expect(try self.genres(.book, "hand", [label]) == genres)
  }

  @Test func `a dance label by hand means dance-pop, and from iTunes electronic music`() throws {
    #expect(try genres(.vinyl, "hand", ["댄스"]) == ["Dance-Pop"])
    #expect(try genres(.vinyl, "itunes", ["댄스"]) == ["Electronic"])
  }

  @Test(arguments: ["goodreads", "openlibrary", "hand"])
  func `no label puts a novel under Nonfiction, nor a book under Music or apps`(_ source: String) throws {
    let said = labels(of: source, .book).filter { !$0.genres.contains("Nonfiction") }.map(\.label)
    let names = ShippedGenres.all.genres.map(\.name).filter { $0 != "Nonfiction" }
    try addAll(.book, source, (said + names).map { ["Fiction", $0] })
    let wrong = try wrong(below: ["Nonfiction", "Podcasts & Apps"], .book)
    #expect(wrong == [])
    #expect(try store.db.value("SELECT count(*) FROM item_genre JOIN genre ON id = genre_id WHERE name = 'Music'") == 0)
  }

  @Test func `the query in the genre documentation finds items whose genres changed by rules`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/genres.md"),
      encoding: .utf8)
    let start = try #require(page.range(of: "    SELECT id, kind, title FROM item WHERE NOT genres_by_hand"))
    let sql = try #require(page[start.lowerBound...].split(separator: ";").first)
    try add(.vinyl, "discogs", ["Rock", "Punk"])
    let hardcore = try add(.vinyl, "discogs", ["Rock", "Hardcore"])
    let film = try add(.movie, "goodreads", ["Travel"])
    try add(.movie, "tmdb", ["Action", "Drama", "Action"])
    #expect(
      try store.db.all(SQL(stringLiteral: String(sql))) { try $0.get("id", as: Int64.self) }
        == [hardcore.rawValue, film.rawValue])
  }

  // MARK: Whose word counts

  @Test func `a label meaning set by the user is exempt from the rules`() throws {
    try store.apply(.alias("Hardcore", source: "discogs", genres: ["Trance"]))
    #expect(try genres(.vinyl, "discogs", ["Rock", "Hardcore"]) == ["Rock", "Trance"])
    try store.apply(.alias("jokes", source: nil, genres: ["Humor"]))
    #expect(
      try genres(.book, "goodreads", ["fiction", "jokes", "history"]) == ["Fiction", "Humor", "Historical Fiction"])
  }

  @Test func `a label alias may hold for one kind only`() throws {
    let (book, film) = (try add(.book, "itunes", ["Opera"]), try add(.movie, "itunes", ["Opera"]))
    let edit = GenreEdit.alias("opera", source: nil, kind: .book, genres: ["Music Books"])
    #expect(try store.preview(edit).items == 1)
    #expect(try store.apply(edit).items == 1)
    #expect(try store.apply(edit).isEmpty)
    #expect(try store.genres(of: book) == ["Music Books"])
    #expect(try store.genres(of: film) == ["Music Film"])
    #expect(try genres(.book, "openlibrary", ["Opera"]) == ["Music Books"])
    #expect(try genres(.vinyl, "discogs", ["Opera"]) == ["Opera"])
    #expect(try store.genre(named: "opera") == "Opera")
  }

  @Test func `label rules follow the genre tree as edited by the user`() throws {
    let item = try add(.vinyl, "discogs", ["Folk, World, & Country", "Celtic"])
    #expect(try store.genres(of: item) == ["Celtic"])
    let edit = GenreEdit.move("Celtic", below: nil)
    let preview = try store.preview(edit)
    #expect(try store.genres(of: item) == ["Celtic"])
    #expect(preview.items == 1)
    #expect(try store.apply(edit) == preview)
    #expect(try store.genres(of: item) == ["Folk", "Celtic"])
    let merge = GenreEdit.merge(["Celtic"], into: "World")
    let merged = try store.preview(merge)
    #expect(try store.apply(merge) == merged)
    #expect(try store.genres(of: item) == ["World"])
    // Documentary may have another name for films.
    let film = try add(.movie, "tmdb", ["Documentary", "History"])
    try store.apply(.rename("Documentary", to: "Real Life"))
    try store.apply(.rename("Historical Fiction", to: "Costumes"))
    #expect(try genres(.movie, "tmdb", ["Documentary", "History"]) == ["Real Life", "History"])
    #expect(try genres(.movie, "tmdb", ["History"]) == ["Costumes"])
    #expect(try store.genres(of: film) == ["Real Life", "History"])
  }

  @Test func `a label is recorded separately for each kind`() throws {
    try add(.movie, "itunes", ["Comedy"])
    try add(.vinyl, "itunes", ["Comedy"])
    let labels = try store.genreLabels()
    #expect(labels.map(\.kind) == [.movie, .vinyl])
    #expect(labels.map(\.genres) == [["Comedy"], ["Comedy & Novelty"]])
  }

  // MARK: Compound words

  @Test func `a compound genre name means all of its genres`() throws {
    #expect(try store.genres(named: "Action & Adventure") == ["Action", "Adventure"])
    var record = Record(kind: .movie, title: "Title")
    record.labels = ["Drama"]
    let item = try store.add(record, genres: ["Action & Adventure", "SF/판타지"], now: now).id
    #expect(try store.genres(of: item) == ["Action", "Adventure", "Science Fiction", "Fantasy"])
    let action = try add(.movie, "tmdb", ["Action"])
    func ids(_ query: String) throws -> [ItemID] {
      try store.ids(Query([query], now: .init(timeIntervalSince1970: 0)), order: [])
    }
    #expect(try ids("genre:\"action and adventure\"") == [action, item])
    #expect(try ids("genre:액션") == [action, item])
    #expect(try ids("genre:=\"action and adventure\"") == [action, item])
    #expect(try ids("genre:\"action and adventure\" not genre:fantasy") == [action])
    #expect(try store.genres(named: "No Such Thing") == [])
  }

  // MARK: Back to the labels

  @Test func `restoring an item's genres takes them from its labels`() throws {
    let item = try add(.movie, "tmdb", ["History"])
    try store.change(item, now: now) { $0.genres = ["Jazz"] }
    #expect(try store.hasGenresByHand(item))
    #expect(try store.labelledGenres(of: item) == ["Historical Fiction"])
    try store.restoreGenres(of: item)
    #expect(try store.genres(of: item) == ["Historical Fiction"])
    #expect(try !store.hasGenresByHand(item))
    #expect(try store.search("historical") == [item])
    #expect(try store.labelledGenres(of: store.add(Record(kind: .movie, title: "None"), now: now).id) == nil)
  }
}
