public import CatalogModel
internal import SQLite

extension Store {
  /// The newest week that has a list.
  /// - Parameter week: an upper bound; the result is earlier.
  public func trendingWeek(before week: ISOWeek? = nil) throws -> ISOWeek? {
    try db.value(
      "SELECT max(iso_week) FROM trending WHERE \(week?.rawValue) IS NULL OR iso_week < \(week?.rawValue)",
      as: String.self
    ).map(ISOWeek.init(rawValue:))
  }

  /// The movies of a week, by rank. The first id of each is that of the list's source.
  public func trending(in week: ISOWeek) throws -> [Record] {
    try db.all(
      """
      SELECT trending_movie.* FROM trending JOIN trending_movie ON trending_movie.id = movie_id
      WHERE iso_week = \(week.rawValue) ORDER BY rank
      """
    ) { row in
      var record = Record(kind: .movie, title: try row.get("title"))
      record.externalIDs = [ExternalID(source: try row.get("source"), value: try row.get("source_id"))]
      record.originalTitle = try row.get("original_title")
      record.year = try row.get("year")
      record.released = try row.date("released")
      record.labels = try row.get("genres", as: String?.self)?.split(separator: ";").map(\.trimmingBlanks) ?? []
      record.summary = try row.get("description")
      record.url = try row.get("url")
      record.artworkURL = try row.get("artwork")
      record.publicRating = try row.get("public_rating", as: Double?.self).flatMap(PublicRating.init(kept:))
      record.publicRating?.votes = try row.get("public_votes")
      return record
    }
  }

  /// Sets the list of a week, in this order. Writes only differences, and deletes covers of movies that are not on the
  /// newest list.
  public func setTrending(_ records: [Record], in week: ISOWeek) throws {
    try write {
      var left: [Int64: Int] = [:]
      for (movie, rank) in try db.all(
        "SELECT movie_id, rank FROM trending WHERE iso_week = \(week.rawValue)",
        { (try $0.get("movie_id", as: Int64.self), try $0.get("rank", as: Int.self)) })
      {
        left[movie] = rank
      }
      for (rank, record) in zip(1..., records) {
        guard let movie = try writeTrendingMovie(record) else { continue }
        switch left.removeValue(forKey: movie) {
        case rank?: break
        case .some:
          try db.run(
            "UPDATE trending SET rank = \(rank) WHERE iso_week = \(week.rawValue) AND movie_id = \(movie)")
        case nil:
          // A movie that is on the list twice keeps its first rank.
          try db.run(
            """
            INSERT INTO trending (iso_week, movie_id, rank) VALUES (\(week.rawValue), \(movie), \(rank))
            ON CONFLICT DO NOTHING
            """)
        }
      }
      for movie in left.keys {
        try db.run("DELETE FROM trending WHERE iso_week = \(week.rawValue) AND movie_id = \(movie)")
      }
      try db.run(
        """
        DELETE FROM trending_cover WHERE movie_id NOT IN (
          SELECT movie_id FROM trending WHERE iso_week = (SELECT max(iso_week) FROM trending))
        """)
    }
  }

  /// Writes the changed facts of a movie and returns its row. Nil for a record without a source or title.
  private func writeTrendingMovie(_ record: Record) throws -> Int64? {
    guard let external = record.externalIDs.first, let title = Text.line(record.title) else { return nil }
    let labels = record.labels.compactMap(Text.line).joined(separator: "; ")
    let facts: [(column: String, value: Value)] = [
      ("title", .text(title)), ("original_title", .optional(Text.line(record.originalTitle))),
      ("year", .optional(record.year)), ("released", .optional(record.released?.description)),
      ("genres", .optional(labels.isEmpty ? nil : labels)), ("description", .optional(Text.lines(record.summary))),
      ("url", .optional(Text.line(record.url))), ("artwork", .optional(Text.line(record.artworkURL))),
      ("public_rating", .optional(record.publicRating?.value)),
      ("public_votes", .optional(record.publicRating?.votes)),
    ]
    let known = try db.value(
      "SELECT id FROM trending_movie WHERE source = \(external.source) AND source_id = \(external.value)",
      as: Int64.self)
    guard let known else {
      try db.run(
        """
        INSERT INTO trending_movie (source, source_id, title) VALUES (\(external.source), \(external.value), \(title))
        """)
      let id = db.lastInsertedRowID
      for (column, value) in facts.dropFirst() where value != .null {
        try db.run("UPDATE trending_movie SET \(identifier: column) = \(value) WHERE id = \(id)")
      }
      return id
    }
    for (column, value) in facts {
      try db.run(
        "UPDATE trending_movie SET \(identifier: column) = \(value) WHERE id = \(known) AND \(identifier: column) IS NOT \(value)"
      )
    }
    return known
  }

  // MARK: Pictures

  /// The movies of a week whose cover is missing or outdated.
  public func trendingWithoutCover(in week: ISOWeek) throws -> [Record] {
    let kept: Set<String> = Set(
      try db.values(
        """
        SELECT source || ':' || source_id FROM trending_cover JOIN trending_movie ON trending_movie.id = movie_id
        WHERE source_url IS artwork
        """, as: String.self))
    return try trending(in: week).filter { record in
      record.artworkURL != nil && record.externalIDs.first.map { !kept.contains($0.description) } == true
    }
  }

  /// Stores the cover of a movie on a list.
  public func setTrendingCover(_ cover: Cover, of movie: ExternalID) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO trending_cover (movie_id, bytes, media_type, width, height, source_url, etag)
      SELECT id, \(cover.bytes), \(cover.mediaType), \(cover.width), \(cover.height), \(cover.sourceURL), \(cover.etag)
      FROM trending_movie WHERE source = \(movie.source) AND source_id = \(movie.value)
      """)
  }

  /// The stored cover with this address.
  public func trendingCover(at url: String) throws -> Cover? {
    // There are only about twenty covers.
    try db.one("SELECT * FROM trending_cover WHERE source_url = \(url)", Cover.init(row:))
  }

  /// Replaces the stored covers with the same address.
  public func renewTrendingCover(_ cover: Cover) throws {
    try db.run(
      """
      UPDATE trending_cover SET bytes = \(cover.bytes), media_type = \(cover.mediaType), width = \(cover.width),
        height = \(cover.height), etag = \(cover.etag)
      WHERE source_url = \(cover.sourceURL)
      """)
  }

  public func trendingCover(of movie: ExternalID) throws -> Cover? {
    try db.one(
      """
      SELECT trending_cover.* FROM trending_cover JOIN trending_movie ON trending_movie.id = movie_id
      WHERE source = \(movie.source) AND source_id = \(movie.value)
      """, Cover.init(row:))
  }
}
