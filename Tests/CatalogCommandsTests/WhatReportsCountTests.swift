import CatalogModel
import CommandLineKit
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that the reports count what their words say: docs/reports.md, "What each number counts".
struct WhatReportsCountTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
  }

  /// Imports a file, and lets an hour pass.
  private func bring(_ text: String, as name: String) throws {
    let path = try folder.write(text, to: name)
    let run = catalog.run("import", path, "--yes")
    #expect(run.status == 0, "\(run.errors)")
    catalog.now += 3600
  }

  private static let imdb =
    "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\n"

  private func json(_ words: String...) -> String { catalog.run(words + ["--json"]).output }

  // MARK: Dates of imports

  @Test func `a rating belongs to the year that the file names`() throws {
    try bring(
      Self.imdb
        + "tt0110912,10,2023-05-01,Pulp Fiction,Pulp Fiction,u,Movie,8.9,154,1994,\"Crime, Drama\",1,1994-05-21,Q T\n"
        + "tt0113277,9,2024-03-15,Heat,Heat,u,Movie,8.3,170,1995,\"Crime, Drama\",1,1995-12-15,M M\n",
      as: "ratings.csv")
    #expect(try catalog.store.yearReview(2026, now: catalog.now).figures.rated.items == 0)
    #expect(try catalog.store.yearReview(2023, now: catalog.now).figures.rated.items == 1)
    #expect(try catalog.store.yearReview(2024, now: catalog.now).best.map(\.on.description) == ["2024-03-15"])
  }

  @Test func `an imported rating without a date belongs to no year`() throws {
    try bring(
      Self.imdb
        + "tt0110912,10,,Pulp Fiction,Pulp Fiction,u,Movie,8.9,154,1994,\"Crime, Drama\",1,1994-05-21,Q T\n",
      as: "ratings.csv")
    let review = try catalog.store.yearReview(2026, now: catalog.now)
    #expect(review.figures.cards == 0)
    #expect(review.figures.rated.items == 0)
    #expect(review.best.isEmpty)
    #expect(review.undatedRatings == 1)
    catalog.atTerminal()
    #expect(catalog.run("--no-pager", "report", "year", "2026").output.contains("1 imported rating has no date"))
  }

  @Test func `a rating by hand after an import belongs to its day`() throws {
    try bring(
      Self.imdb
        + "tt0110912,10,,Pulp Fiction,Pulp Fiction,u,Movie,8.9,154,1994,\"Crime, Drama\",1,1994-05-21,Q T\n",
      as: "ratings.csv")
    catalog.run("rate", "1", "3")
    #expect(try catalog.store.yearReview(2026, now: catalog.now).figures.rated.items == 1)
  }

  // MARK: Wishes

  @Test func `report shame leaves out what is only wished for`() throws {
    try catalog.add(.movie, "Heat")
    try catalog.add(.movie, "Ronin")
    catalog.run("wish", "2")
    #expect(!json("report", "shame").contains("Ronin"))
    #expect(json("report", "shame", "wished:yes").contains("Ronin"))
  }

  @Test func `the condition and the SQL of mere wishes select the same items`() throws {
    for number in 0..<8 {
      let id = try catalog.add(.book, "Book \(number)")
      try catalog.store.db.run("DELETE FROM copy WHERE item_id = \(id.rawValue)")
      if number & 2 != 0 { catalog.run("log", "\(id)") }
      if number & 4 != 0 { catalog.run("copy", "add", "\(id)") }
      // A later copy would fulfil it.
      if number & 1 != 0 { catalog.run("wish", "\(id)") }
    }
    let ids = try catalog.store.ids(Query(.isMereWish))
    #expect(ids.map(\.rawValue) == [2])
    #expect(try catalog.store.idsOfMereWishes() == Set(ids))
  }

  @Test func `posters leave out what is only wished for`() throws {
    for title in ["Heat", "Ronin"] {
      let id = try catalog.add(.movie, title)
      try catalog.store.db.run(
        "INSERT INTO cover (item_id, bytes, media_type) VALUES (\(id.rawValue), x'00', 'image/png')")
    }
    catalog.run("wish", "2")
    #expect(try catalog.store.itemsWithCover(Query(), limit: 9).map(\.rawValue) == [1])
  }

  // MARK: Sums and means

  @Test func `what waits says on how many items a sum rests`() throws {
    try catalog.add(.movie, "Heat") { $0.movie.minutes = 170 }
    try catalog.add(.movie, "Ronin")
    try catalog.add(.book, "Dune") { $0.book.pages = 600 }
    catalog.atTerminal()
    #expect(
      catalog.run("--no-pager", "report", "shame").output.contains("Waiting    600 pages, 2 h 50 min (1 of 2 movies)"))
  }

  @Test func `a dropped book is in the year of the diary`() throws {
    try catalog.add(.book, "Ulysses") { $0.book.pages = 700 }
    catalog.run("log", "1", "--dropped", "--page", "120")
    catalog.atTerminal()
    let output = catalog.run("--no-pager", "report", "year", "2026").output
    #expect(output.contains("You gave up 1 item, after 120 pages."))
    #expect(!output.contains("Nothing in the diary"))
    #expect(try catalog.store.yearReview(2026, now: catalog.now).figures.pagesDropped == 120)
  }

  // MARK: The newest rating

  @Test func `the newest rating is that of the last viewing`() throws {
    try catalog.add(.movie, "Heat", genres: ["Crime"])
    catalog.run("log", "1", "--on", "2026-10-01", "--stars", "5")
    catalog.now += 60
    catalog.run("log", "1", "--again", "--on", "2015-01-01", "--stars", "2")
    #expect(try catalog.store.item(ItemID(rawValue: 1)).rating?.value == 100)
    #expect(catalog.run("list", "rating:5").output.contains("Heat"))
    #expect(!catalog.run("list", "rating:2").output.contains("Heat"))
    #expect(try catalog.store.genreReport(now: catalog.now).meanRating == 100)
    #expect(try catalog.store.ratingReport().whole.meanRating == 100)
    catalog.now += 60
    catalog.run("rate", "1", "4")
    #expect(try catalog.store.item(ItemID(rawValue: 1)).rating?.value == 80)
  }

  // MARK: Today

  @Test func `today is the local day`() throws {
    try catalog.add(.movie, "Heat")
    // 2026-11-21T20:30:00Z is half past five in the morning in Seoul.
    catalog.now = Date(timeIntervalSince1970: 1_795_293_000)
    catalog.localTime = LocalTime { _ in 9 * 3600 }
    catalog.run("log", "1")
    #expect(try catalog.store.diary().first?.endedOn?.description == "2026-11-22")
    #expect(catalog.run("list", "seen:today").output.contains("Heat"))
    #expect(!catalog.run("list", "seen:yesterday").output.contains("Heat"))
  }

  @Test func `on New Year's morning the year is the local one`() throws {
    try catalog.add(.movie, "Heat")
    // 2026-12-31T16:00:00Z.
    catalog.now = Date(timeIntervalSince1970: 1_798_732_800)
    catalog.localTime = LocalTime { _ in 9 * 3600 }
    catalog.run("log", "1")
    catalog.atTerminal()
    #expect(catalog.run("--no-pager", "report", "year").output.hasPrefix("2027 so far"))
    #expect(catalog.run().output.contains("2027  1 movie watched"))
  }

  // MARK: Years

  @Test func `the genres of a year are of what was watched, not of what was added`() throws {
    for title in ["A", "B", "C", "D"] { try catalog.add(.movie, title, genres: ["Romance"]) }
    for title in ["E", "F", "G"] {
      let id = try catalog.add(.movie, title, genres: ["Crime"])
      catalog.run("log", "\(id)", "--on", "2026-02-03")
    }
    catalog.atTerminal()
    let output = catalog.run("--no-pager", "report", "year", "2026").output
    #expect(output.contains("You added 7 movies.\nWatched: 3 movies.\nMostly Crime: 3 movies."))
    #expect(catalog.run().output.contains("Top genre  Crime, 3 items"))
  }

  @Test func `a running year is compared with the same days of the year before`() throws {
    for (title, day) in [("A", "2025-03-01"), ("B", "2025-11-21"), ("C", "2025-12-24"), ("D", "2026-02-01")] {
      let id = try catalog.store.add(
        Record(kind: .movie, title: title), genres: [], now: Timestamp(rawValue: "\(day)T10:00:00Z")
      ).id
      _ = try catalog.store.log(Occasion(.done, endedOn: PartialDate(day)), of: id, now: catalog.clock)
    }
    let running = try catalog.store.yearReview(2026, now: catalog.now)
    #expect(running.beforeUntil?.description == "2025-11-21")
    #expect(running.before.added.items == 2)
    #expect(running.before.times == 2)
    let over = try catalog.store.yearReview(2026, now: Date(timeIntervalSince1970: 1_798_732_800 + 86_400))
    #expect(over.beforeUntil == nil)
    #expect(over.before.times == 3)
    catalog.atTerminal()
    #expect(
      catalog.run("--no-pager", "report", "year").output.contains(
        "2026 is not over, so 2025 is counted up to 2025-11-21 only."))
  }

  @Test func `the table of two years has no colours of good and bad`() throws {
    try catalog.add(.movie, "Heat")
    try catalog.store.db.run("UPDATE item SET created_at = '2025-03-01T10:00:00Z'")
    try catalog.add(.movie, "Ronin")
    try catalog.add(.movie, "Alien")
    catalog.atTerminal()
    let output = catalog.run("--no-pager", "--color", "always", "report", "year").output
    #expect(output.contains("+1"))
    #expect(!output.contains("\u{1B}[32m+1"))
  }

  // MARK: Sentences

  /// The sentence about a genre of films, in English or Korean.
  private func sentence(_ claim: GenreFinding.Claim, in language: SpokenLanguage? = nil) -> String {
    var terminal = Terminal()
    terminal.translation = language?.translation { _ in }
    let finding = GenreFinding(
      genre: "Horror", kinds: [.movie], claim: claim, test: .rankSum, p: 0.001, adjusted: 0.001)
    let genre = language == nil ? "Horror" : "공포"
    return FindingSentence(finding: finding, genre: genre).words.text(on: terminal)
  }

  @Test(
    arguments: [
      (90, 60, "You love Horror: 4.5 stars over 20, other movies 3.0"),
      (42, 34, "You rate Horror higher: 2.1 stars over 20, other movies 1.7"),
      (34, 42, "You rate Horror lower: 1.7 stars over 20, other movies 2.1"),
    ])
  func `love is said of a mean of four stars or more`(_ mean: Double, _ rest: Double, _ words: String) {
    let claim = GenreFinding.Claim.loved(rating: .init(value: mean, items: 20), rest: .init(value: rest, items: 40))
    #expect(sentence(claim) == words)
  }

  @Test func `Korean sentences speak of the genre, not of life`() throws {
    let korean = try #require(SpokenLanguage.all.first { $0.code == "ko" })
    let share = GenreFinding.Share(items: 20, whole: 40, value: 0.5)
    let day = try #require(PartialDate("2026-03-01"))
    let claims: [GenreFinding.Claim] = [
      .trend(now: share, before: share), .quiet(since: day, items: 18, othersSince: 40),
      .loved(rating: .init(value: 90, items: 20), rest: .init(value: 60, items: 40)),
      .waiting(part: share, rest: share),
    ]
    for claim in claims {
      let words = sentence(claim, in: korean)
      #expect(words.contains("공포 장르"), "\(words)")
    }
  }

  // MARK: Records

  @Test func `only vinyl counts for the level`() throws {
    for (title, format) in [
      ("A", "LP, 180 g"), ("B", "CD"), ("C", "2xCD, Album"), ("D", "Cassette, Album"), ("E", "File, MP3"), ("F", "7\""),
      ("G", "LP + CD"),
    ] {
      let id = try catalog.add(.vinyl, title)
      catalog.run("copy", "edit", "--query", "id:\(id)", "--format", format, "--yes")
      try catalog.store.db.run("UPDATE copy SET format = \(format) WHERE item_id = \(id.rawValue)")
    }
    #expect(try catalog.store.ownedRecords() == 3)
    #expect(json("level").contains("\"vinyl\":3"))
  }

  @Test(
    arguments: [
      (nil, true), ("LP", true), ("12\", 45 RPM", true), ("Album", true), ("CD, EP", false),
      ("8-Track Cartridge", false),
      ("카세트", false), ("바이닐, 컬러", true), ("FLAC", false),
    ] as [(String?, Bool)])
  func `the format of a record says whether it is vinyl`(_ format: String?, _ isVinyl: Bool) {
    #expect(RecordFormat.isVinyl(format) == isVinyl)
  }

  @Test func `home shows the level and the kinds of what a person collects`() throws {
    try catalog.add(.movie, "Heat")
    #expect(catalog.run().output.hasPrefix("1 movie\n"))
    let id = try catalog.add(.vinyl, "Kind of Blue")
    #expect(catalog.run().output.contains("Level 1"))
    try catalog.store.db.run("UPDATE copy SET format = 'CD' WHERE item_id = \(id.rawValue)")
    #expect(!catalog.run().output.contains("Level"))
  }
}
