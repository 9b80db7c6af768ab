import CatalogModel
import Testing

@testable import Exchange

struct LetterboxdTests {
  private static let films = "Date,Name,Year,Letterboxd URI\r\n"

  /// An export in which everything overlaps.
  private static let export = [
    "watched.csv": films
      + "2020-01-01,Heat,1995,https://boxd.it/1\r\n2020-01-02,Alien,1979,https://boxd.it/2\r\n2020-01-03,Dune,1984,https://boxd.it/3\r\n",
    "ratings.csv":
      "Date,Name,Year,Letterboxd URI,Rating\r\n2020-01-01,Heat,1995,https://boxd.it/1,4.5\r\n2020-01-03,Dune,1984,https://boxd.it/3,2.5\r\n",
    "diary.csv": "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\r\n"
      + "2020-02-02,Heat,1995,https://boxd.it/a,4,,\"cinema, 35mm\",2020-02-01\r\n"
      + "2021-02-02,Heat,1995,https://boxd.it/b,4.5,Yes,,2021-02-01\r\n2021-03-02,Alien,1979,https://boxd.it/c,,Yes,,2021-03-01\r\n",
    "reviews.csv": "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\r\n"
      + "2021-02-02,Heat,1995,https://boxd.it/b,4.5,Yes,\"<i>Better</i> again,\nand longer.\",,2021-02-01\r\n",
    "watchlist.csv": films + "2020-05-05,Solaris,1972,https://boxd.it/4\r\n2020-05-05,,1972,https://boxd.it/5\r\n",
    "likes/films.csv": films + "2020-01-01,Heat,1995,https://boxd.it/1\r\n",
    "lists/best-of.csv":
      "Letterboxd list export v7\r\nDate,Name,Tags,URL,Description\r\n2020-01-01,Best of all,,https://boxd.it/l,\"Two\nlines\"\r\n\r\n"
      + "Position,Name,Year,URL,Description\r\n1,Alien,1979,https://boxd.it/2,quiet\r\n2,Heat,1995,https://boxd.it/1,\r\n",
    "deleted/diary.csv":
      "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\r\n2019-01-01,Cats,2019,https://boxd.it/z,1,,,2019-01-01\r\n",
    "profile.csv": "Date Joined,Username\r\n2020-01-01,someone\r\n",
  ]

  @Test func `a complete Letterboxd export gives one row per film and one entry per viewing`() throws {
    let file = try SmallFile(zip: Self.export)
    let opened = try Import(path: file.path)
    #expect(opened.formatID == "letterboxd")
    let rows = try opened.all()
    #expect(
      rows.map(\.words).sorted() == [
        "Alien (1979)", "Dune (1984)", "Heat (1995)", "Solaris (1972)", "watchlist.csv, line 3",
      ])
    #expect(Set(rows.map(\.key)).count == rows.count)
    #expect(rows.compactMap(\.rejection) == ["the title is missing"])

    let heat = try #require(rows.first { $0.key == "heat|1995" }?.entry)
    #expect(heat.times.map(\.endedOn?.description) == ["2020-02-01", "2021-02-01"])
    #expect(heat.times.map(\.opinion?.rating?.description) == ["4", "4.5"])
    #expect(heat.times.map(\.opinion?.comment) == [nil, "Better again,\nand longer."])
    #expect(heat.opinions.isEmpty)
    #expect(heat.tags == ["cinema", "35mm"])
    #expect(heat.isFavorite)
    #expect(heat.piles == [Entry.PilePlace("Best of all", position: 2)])
    #expect(heat.addedOn?.description == "2020-01-01")
    #expect(heat.record.url == "https://boxd.it/1")

    // It was seen again, so it had been seen before.
    let alien = try #require(rows.first { $0.key == "alien|1979" }?.entry)
    #expect(alien.times.map(\.endedOn?.description) == [nil, "2021-03-01"])
    #expect(alien.notes == ["Description: quiet"])

    // Watched and rated on no day.
    let dune = try #require(rows.first { $0.key == "dune|1984" }?.entry)
    let rated = Entry.Opinion(rating: try Rating("2.5"), day: PartialDate("2020-01-03"))
    #expect(dune.times == [Entry.Time(opinion: rated)])
    let solaris = try #require(rows.first { $0.key == "solaris|1972" }?.entry)
    #expect(solaris.wish != nil)
    #expect(solaris.times.isEmpty)

    let uses = Dictionary(opened.uses.map { ($0.column, $0.becomes) }) { first, _ in first }
    #expect(uses["deleted/diary.csv"] == .left("you deleted it there"))
    #expect(uses["profile.csv"] == .left("it is about you, not about movies"))
    #expect(uses["diary.csv"] == .kept("diary"))
  }

  @Test func `a Letterboxd import row without a title is rejected`() throws {
    let rows = try rows("imdbID,Title,Year,Rating10,WatchedDate\ntt0113277,,,8,2020-01-01\ntt0122690,Ronin,1998,7,\n")
    #expect(rows.compactMap(\.rejection) == ["the title is missing"])
    #expect(rows.count == 2)
  }

  @Test func `each file of a Letterboxd export can be imported alone`() throws {
    let diary = try rows(Self.export["diary.csv"] ?? "")
    #expect(diary.map(\.key) == ["heat|1995", "alien|1979"])
    #expect(diary.first?.entry?.times.count == 2)
    // Three files have the same columns: their names decide.
    let text = Self.films + "2020-05-05,Solaris,1972,https://boxd.it/4\r\n"
    #expect(try rows(text).first?.entry?.times.count == 1)
    #expect(try rows(text, name: "watchlist.csv").first?.entry?.wish != nil)
    #expect(try rows(text, name: "likes_films.csv").first?.entry?.isFavorite == true)
    #expect(
      try rows(Self.export["lists/best-of.csv"] ?? "").map(\.entry?.piles.first?.pile) == [
        "Best of all", "Best of all",
      ])
  }

  @Test func `a table in Letterboxd's import format is read`() throws {
    let rows = try rows(
      """
      Title,Year,Directors,Rating10,WatchedDate,Rewatch,imdbID,tmdbID,Tags,Review
      Heat,1995,Michael Mann,9,2020-02-01,false,tt0113277,949,"cinema, 35mm",Good.
      Heat,1995,Michael Mann,,2021-02-01,true,tt0113277,949,,
      Alien,1979,Ridley Scott,8,,,,,,
      """)
    #expect(rows.map(\.words) == ["Heat (1995)", "Alien (1979)"])
    let heat = try #require(rows[0].entry)
    #expect(heat.record.creators == ["Michael Mann"])
    #expect(heat.record.externalIDs.map(\.description) == ["imdb:tt0113277", "tmdb:949"])
    #expect(heat.times.map(\.opinion?.rating?.description) == ["9/10", nil])
    #expect(rows[1].entry?.times == [Entry.Time(opinion: Entry.Opinion(rating: try Rating("8/10")))])
  }
}
