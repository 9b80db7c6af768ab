import CatalogStore
import FoundationEssentials
import SQLite

/// A catalog in memory that one shelf after another is put into.
struct Simulation {
  /// The genres of movies, books and records, the most frequent first.
  static let names = [
    """
    Drama;Comedy;Thriller;Action;Romance;Crime;Horror;Science Fiction;Adventure;Fantasy;Animation;Mystery;Family;War;\
    Musical;Western;Superhero;Film Noir;Martial Arts;Spy
    """,
    """
    Literary Fiction;Historical Fiction;Biography & Memoir;Young Adult;Short Stories;Philosophy;Psychology;Poetry;Essays;\
    Classics;History;Science;Travel;Politics;Art;Cooking;Business & Economics;Humor;Children's;Self-Help;True Crime;\
    Plays;Detective;Dystopia
    """,
    """
    Rock;Jazz;Pop;Electronic;Soul;Hip-Hop;Classical;Folk;Alternative Rock;Blues;Funk;Soundtrack;Punk;Hard Bop;Country;\
    Reggae;Disco;House;Ambient;Techno;Psychedelic Rock;Modal Jazz;Bossa Nova;K-Pop;City Pop;Trot;Afrobeat
    """,
  ].map { $0.split(separator: ";").map(String.init) }

  static let kinds = ["movie", "book", "vinyl"]

  /// The marks of a report and of the map of decades below it.
  struct Page {
    var report: GenreReport
    /// Whether it has a finding about a genre, or, with equal ratings everywhere, any finding.
    var says: Bool
    var marksDecades: Bool
    var marksDecadesAlone: Bool

    /// Findings, arrows, loved, pairs, drift, decades, any of these, and the map of decades when it is shown alone.
    var marks: [Bool] {
      let parts = [
        says, report.genres.contains(where: \.isTrendSignificant),
        report.genres.contains(where: \.isAffinitySignificant), !report.pairs.isEmpty,
        report.years.contains(where: \.isSignificant), marksDecades,
      ]
      return parts + [parts.contains(true), marksDecadesAlone]
    }
  }

  private let store: Store
  private let genres: [[Int64]]
  /// 2026-11-21T09:30:00Z.
  private let now = Date(timeIntervalSince1970: 1_795_253_400)

  init() throws {
    store = try Store.inMemory()
    // There is no search here.
    for trigger in try store.db.values("SELECT name FROM sqlite_schema WHERE type = 'trigger'", as: String.self) {
      try store.db.run("DROP TRIGGER \(identifier: trigger)")
    }
    genres = try Self.names.map { [store] names in
      try names.map { name in
        guard let id = try store.db.value("SELECT id FROM genre WHERE name = \(name)", as: Int64.self) else {
          throw UnknownGenre(name: name)
        }
        return id
      }
    }
  }

  struct UnknownGenre: Error { var name: String }

  func page(_ life: Life, change: Change? = nil, items: Int, seed: UInt64) throws -> Page {
    var numbers = Numbers(seed: seed)
    try fill(life.things(items, genres: genres.map(\.count), change: change, using: &numbers))
    let report = try store.genreReport(now: now, keepsTests: true)
    let decades = try store.genreMatrix(by: .decade)
    let rows = Array(decades.rows.filter { !$0.isHeading }.prefix(10))
    func marks(_ rate: Double) -> Bool {
      report.itemsWithGenre >= 30
        && decades.cells(rows, columns: decades.buckets.indices.map { [$0] }, rate: rate).joined().contains(
          where: \.isSignificant)
    }
    return Page(
      report: report, says: report.findings.contains { $0.genre != nil || life.ratings == .alike },
      marksDecades: marks(GenreMatrix.rate(maps: 1)), marksDecadesAlone: marks(decades.rateAlone))
  }

  private func fill(_ things: [Thing]) throws {
    let db = store.db
    try db.transaction {
      for table in ["item_genre", "card", "favorite", "credit", "item"] {
        try db.run("DELETE FROM \(identifier: table)")
      }
      for maker in 0...(things.map(\.maker).max() ?? 0) {
        try db.run("INSERT OR IGNORE INTO person (id, name) VALUES (\(maker + 1), \("Maker \(maker)"))")
      }
      for (place, thing) in things.enumerated() {
        let id = place + 1
        let then = Self.time(now.addingTimeInterval(-86_400 * Double(thing.age)))
        try db.run(
          """
          INSERT INTO item (id, kind, title, year, public_rating, created_at, updated_at)
          VALUES (\(id), \(Self.kinds[thing.kind]), 'T', \(thing.year), \(thing.publicRating.map(Double.init)), \(then), \(then))
          """)
        for (position, genre) in thing.genres.enumerated() {
          try db.run(
            """
            INSERT INTO item_genre (item_id, genre_id, position)
            VALUES (\(id), \(genres[thing.kind][genre]), \(position + 1))
            """)
        }
        if let rating = thing.rating {
          try db.run(
            """
            INSERT INTO card (item_id, rating, scale, created_at, updated_at)
            VALUES (\(id), \(rating), 'percent', \(then), \(then))
            """)
        }
        try db.run(
          """
          INSERT INTO credit (item_id, position, person_id, role)
          VALUES (\(id), 1, \(thing.maker + 1), \(["director", "author", "artist"][thing.kind]))
          """)
        if thing.isFavorite { try db.run("INSERT INTO favorite (item_id, added_at) VALUES (\(id), \(then))") }
      }
    }
  }

  private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}
