public import FoundationEssentials
internal import SQLite

/// The rules for storing pictures, on the tables of a database.
///
/// - A picture expires 24 hours after its last use.
/// - Space is freed from the least recently used end: the first picture goes that has expired, or that was used no more
///   often than the average.
/// - A picture larger than the limit is not stored. A new picture for the same address keeps the count of uses.
///
/// Every rule reads one end of an index or `picture_total`, so that the cost does not depend on the number of pictures.
/// Triggers keep the totals in the transaction that changes a row. Once a day, and whenever they are displayed, the
/// totals are counted anew from the rows.
struct PictureTable {
  let db: Connection
  /// The maximum size of all pictures, in bytes.
  let limit: Int

  /// The time after the last use until a picture expires, in seconds.
  static let life: Double = 86_400

  static let schema: StaticString = """
    CREATE TABLE picture (
      id INTEGER PRIMARY KEY,
      url TEXT NOT NULL UNIQUE,
      -- What its server recognises it by.
      etag TEXT,
      modified TEXT,
      -- In bytes.
      size INTEGER NOT NULL,
      uses INTEGER NOT NULL,
      -- Its place in the order of use, the least recently used first.
      place INTEGER NOT NULL UNIQUE,
      used_at REAL NOT NULL
    ) STRICT;
    CREATE INDEX picture_uses ON picture (uses, place);

    -- By itself, so that counting a use does not write the bytes again.
    CREATE TABLE picture_bytes (
      id INTEGER PRIMARY KEY REFERENCES picture (id) ON DELETE CASCADE,
      bytes BLOB NOT NULL
    ) STRICT;

    CREATE TABLE picture_total (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      pictures INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      uses INTEGER NOT NULL,
      counted_at REAL NOT NULL
    ) STRICT;
    INSERT INTO picture_total VALUES (1, 0, 0, 0, 0);
    CREATE TRIGGER picture_comes AFTER INSERT ON picture BEGIN
      UPDATE picture_total SET pictures = pictures + 1, bytes = bytes + NEW.size, uses = uses + NEW.uses;
    END;
    CREATE TRIGGER picture_is_used AFTER UPDATE OF size, uses ON picture BEGIN
      UPDATE picture_total SET bytes = bytes + NEW.size - OLD.size, uses = uses + NEW.uses - OLD.uses;
    END;
    CREATE TRIGGER picture_goes AFTER DELETE ON picture BEGIN
      UPDATE picture_total SET pictures = pictures - 1, bytes = bytes - OLD.size, uses = uses - OLD.uses;
    END;
    """

  /// A stored picture: its bytes and its validators.
  struct Kept: Sendable, Hashable {
    var bytes: [UInt8]
    var etag: String?
    var modified: String?
    /// Whether it had not been used for a day before this use.
    var hasExpired: Bool
  }

  /// The picture of this address. Counts as a use.
  func use(_ url: String, now: Date) throws -> Kept? {
    let time = now.timeIntervalSince1970
    let found = try db.one(
      "SELECT etag, modified, used_at, bytes FROM picture JOIN picture_bytes USING (id) WHERE url = \(url)"
    ) { row in
      Kept(
        bytes: try row.get("bytes"), etag: try row.get("etag"), modified: try row.get("modified"),
        hasExpired: Self.hasExpired(usedAt: try row.get("used_at"), now: time))
    }
    if found != nil {
      try db.run(
        """
        UPDATE picture SET uses = uses + 1, used_at = \(time), place = (SELECT max(place) + 1 FROM picture)
        WHERE url = \(url)
        """)
    }
    return found
  }

  /// Stores a picture in place of the address's previous one.
  func keep(_ bytes: [UInt8], etag: String? = nil, modified: String? = nil, for url: String, now: Date) throws {
    let time = now.timeIntervalSince1970
    let uses = try db.value("SELECT uses FROM picture WHERE url = \(url)", as: Int.self)
    try forget(url)
    guard bytes.count <= limit else { return }
    let countedAt = try db.value("SELECT counted_at FROM picture_total", as: Double.self) ?? 0
    if Self.hasExpired(usedAt: countedAt, now: time) { try count(now: now) }
    // Before the insertion, so that the new picture is not the first to go.
    _ = try makeRoom(for: bytes.count, now: now)
    try db.run(
      """
      INSERT INTO picture (url, etag, modified, size, uses, place, used_at)
      VALUES (\(url), \(etag), \(modified), \(bytes.count), \(uses ?? 1),
        (SELECT coalesce(max(place), 0) + 1 FROM picture), \(time))
      """)
    try db.run("INSERT INTO picture_bytes (id, bytes) VALUES (\(db.lastInsertedRowID), \(bytes))")
  }

  func forget(_ url: String) throws {
    try db.run("DELETE FROM picture WHERE url = \(url)")
  }

  /// Removes expired pictures, and pictures beyond the limit.
  func collect(now: Date) throws -> [PictureDeparture] {
    try count(now: now)
    var gone: [PictureDeparture] = []
    while let next = try nextToGo(now: now), next.reason == .expired {
      try forget(next.url)
      gone.append(next)
    }
    return gone + (try makeRoom(for: 0, now: now))
  }

  // MARK: Room

  private func makeRoom(for size: Int, now: Date) throws -> [PictureDeparture] {
    var gone: [PictureDeparture] = []
    while try bytes() + size > limit, let next = try nextToGo(now: now) {
      try forget(next.url)
      gone.append(next)
    }
    return gone
  }

  private func bytes() throws -> Int { try db.value("SELECT bytes FROM picture_total") ?? 0 }

  private func nextToGo(now: Date) throws -> PictureDeparture? {
    let time = now.timeIntervalSince1970
    func picture(at place: SQL, _ reason: PictureDeparture.Reason) throws -> PictureDeparture? {
      try db.one("SELECT url, size, uses, used_at FROM picture WHERE place = \(place)") { row in
        PictureDeparture(
          url: try row.get("url"), size: try row.get("size"), uses: try row.get("uses"),
          usedAt: Date(timeIntervalSince1970: try row.get("used_at")), reason: reason)
      }
    }
    // Pictures expire in the order of use: when the first has not expired, none has.
    guard let first = try picture(at: "(SELECT min(place) FROM picture)", .expired) else { return nil }
    if Self.hasExpired(usedAt: first.usedAt.timeIntervalSince1970, now: time) { return first }

    guard
      let (pictures, uses) = try db.one(
        "SELECT pictures, uses FROM picture_total",
        { row in
          (pictures: try row.get("pictures", as: Int.self), uses: try row.get("uses", as: Int.self))
        })
    else { return nil }
    // Steps from one number of uses to the next, up to the average; the index has the least recently used picture of
    // each first. The number of steps is at most the average, independent of the number of pictures.
    let place: SQL = """
      (WITH RECURSIVE level (uses) AS (
        SELECT min(uses) FROM picture
        UNION ALL
        SELECT (SELECT min(uses) FROM picture WHERE uses > level.uses) FROM level
        WHERE level.uses * \(pictures) < \(uses))
      SELECT min((SELECT min(place) FROM picture WHERE uses = level.uses)) FROM level
      WHERE level.uses * \(pictures) <= \(uses))
      """
    if let next = try picture(at: place, .usedNoMoreThanOthers(average: Double(uses) / Double(max(1, pictures)))) {
      return next
    }
    // The totals are wrong: no picture is used at most as often as the average.
    try count(now: now)
    return first
  }

  /// Whether a picture has expired. A time in the future comes from a wrong clock.
  static func hasExpired(usedAt: Double, now: Double) -> Bool { abs(now - usedAt) >= life }

  // MARK: Totals

  /// Counts the rows, and corrects the totals.
  func count(now: Date) throws {
    try db.run(
      """
      UPDATE picture_total SET counted_at = \(now.timeIntervalSince1970),
        (pictures, bytes, uses) = (SELECT count(*), coalesce(sum(size), 0), coalesce(sum(uses), 0) FROM picture)
      """)
  }

  func totals(now: Date) throws -> PictureTotals {
    try count(now: now)
    let time = now.timeIntervalSince1970
    return try db.one(
      """
      SELECT pictures, bytes, uses,
        (SELECT count(*) FROM picture WHERE abs(used_at - \(time)) >= \(Self.life)) AS expired
      FROM picture_total
      """
    ) { row in
      PictureTotals(
        pictures: try row.get("pictures"), bytes: try row.get("bytes"), uses: try row.get("uses"),
        expired: try row.get("expired"))
    } ?? PictureTotals()
  }
}

/// A picture removed from the cache, and the reason.
public struct PictureDeparture: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// It was not used for a day.
    case expired
    /// Space was needed: it was the least recently used picture among those used no more often than the average.
    case usedNoMoreThanOthers(average: Double)
  }

  public var url: String
  /// In bytes.
  public var size: Int
  public var uses: Int
  public var usedAt: Date
  public var reason: Reason
}

/// The totals of the stored pictures.
public struct PictureTotals: Sendable, Hashable {
  public var pictures = 0
  public var bytes = 0
  /// The number of uses of all pictures.
  public var uses = 0
  /// The number of pictures not used for a day.
  public var expired = 0
}
