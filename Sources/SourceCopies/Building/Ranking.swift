internal import SQLite

extension Staging {
  /// Writes the numbers of the titles into `temp.rank`, the best known first.
  ///
  /// Titles with more points come first; of those with equal points, those of a creator with more titles, where the
  /// dump asks for that; then those with lower numbers, so that rows are read nearly in the order in which they lie.
  /// - Parameter most: the most titles to rank.
  /// - Returns: the number of ranked titles.
  func rank(_ dump: Dump, most: Int?) throws -> Int {
    try db.execute(
      script: """
        DROP TABLE IF EXISTS temp.fame; DROP TABLE IF EXISTS temp.maker; DROP TABLE IF EXISTS temp.rank;
        CREATE TEMP TABLE fame (title INTEGER PRIMARY KEY, points INTEGER NOT NULL);
        CREATE TEMP TABLE maker (id INTEGER PRIMARY KEY, titles INTEGER NOT NULL);
        CREATE TEMP TABLE rank (id INTEGER PRIMARY KEY, number INTEGER NOT NULL UNIQUE);
        """)
    return try db.transaction {
      try db.run("INSERT INTO temp.fame SELECT title, sum(points) FROM points GROUP BY title ORDER BY title")
      if dump.ranksByCreator {
        try db.run(
          """
          INSERT INTO temp.maker SELECT by, count(*) FROM main.title
          WHERE by NOT IN (\(list: dump.anonymous.sorted())) GROUP BY by ORDER BY by
          """)
      }
      return try db.run(
        """
        INSERT INTO temp.rank (number) SELECT t.number FROM main.title t
        LEFT JOIN temp.fame f ON f.title = t.number LEFT JOIN temp.maker m ON m.id = t.by
        ORDER BY coalesce(f.points, 0) DESC, coalesce(m.titles, 0) DESC, t.number LIMIT \(most ?? -1)
        """)
    }
  }
}
