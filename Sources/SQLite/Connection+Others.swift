extension Connection {
  /// The most bytes of a value, or of a row, in a database of others.
  private static let longestValue: Int32 = 1 << 20

  /// A database that others made or may have changed, for reading. Its tables are read and nothing else: no view, no
  /// value of more than a MiB, and nothing that works ten seconds for a row.
  /// - Parameters:
  ///   - mode: a mode for reading.
  ///   - isInterrupted: stops a statement when it returns true, from the first one on.
  /// - Throws: ``SQLiteError``.
  public static func ofOthers(
    _ path: String, mode: Mode = .readOnly, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(SQLiteError) -> Connection {
    let database = try Connection(.file(path), mode: mode, busyTimeout: 1_000)
    database.limitValues(to: longestValue)
    database.forbidViews()
    database.interrupt(when: isInterrupted)
    // A step may make a value of a MiB.
    database.stop(after: .seconds(10), every: 100)
    return database
  }
}
