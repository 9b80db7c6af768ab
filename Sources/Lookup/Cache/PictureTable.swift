public import FoundationEssentials
internal import SQLite

/// The rules by which pictures are kept, on the tables of a database.
///
/// - A picture expires 24 hours after it was last used.
/// - Room is made from the least recently used end: the first picture goes that has expired, or that was used no more
///   often than the average.
/// - One that is larger than the limit is not kept. Another in its place counts once, and keeps the count of its uses.
///
/// Whatever a rule asks for stands at one end of an index or in `picture_total`, so that no access costs more when
/// there are more pictures. Triggers keep the totals in the transaction that changes a row; once a day, and whenever
/// somebody looks at them, they are counted anew from the rows.
struct PictureTable {
  let db: Connection
  /// How much all pictures may take, in bytes.
  let limit: Int

  /// How long a picture is good after it was used, in seconds.
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

  /// Nothing is known of the picture but its bytes and what its server recognises it by.
  struct Kept: Sendable, Hashable {
    var bytes: [UInt8]
    var etag: String?
    var modified: String?
    /// Before this use it had not been used for a day.
    var hasExpired: Bool
  }

  /// The picture of this address. To find it is to use it.
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

  /// Keeps a picture in the place of the one that this address had.
  func keep(_ bytes: [UInt8], etag: String? = nil, modified: String? = nil, for url: String, now: Date) throws {
    let time = now.timeIntervalSince1970
    let uses = try db.value("SELECT uses FROM picture WHERE url = \(url)", as: Int.self)
    try forget(url)
    guard bytes.count <= limit else { return }
    let countedAt = try db.value("SELECT counted_at FROM picture_total", as: Double.self) ?? 0
    if Self.hasExpired(usedAt: countedAt, now: time) { try count(now: now) }
    // Before it comes in, so that it is not the first to go.
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

  /// Removes what has expired, and what is more than the limit allows.
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

  /// The picture that goes first.
  private func nextToGo(now: Date) throws -> PictureDeparture? {
    let time = now.timeIntervalSince1970
    func picture(at place: SQL, _ reason: PictureDeparture.Reason) throws -> PictureDeparture? {
      try db.one("SELECT url, size, uses, used_at FROM picture WHERE place = \(place)") { row in
        PictureDeparture(
          url: try row.get("url"), size: try row.get("size"), uses: try row.get("uses"),
          usedAt: Date(timeIntervalSince1970: try row.get("used_at")), reason: reason)
      }
    }
    // The order of use is that of expiry: when the first has not expired, none has.
    guard let first = try picture(at: "(SELECT min(place) FROM picture)", .expired) else { return nil }
    if Self.hasExpired(usedAt: first.usedAt.timeIntervalSince1970, now: time) { return first }

    guard
      let (pictures, uses) = try db.one(
        "SELECT pictures, uses FROM picture_total",
        { row in
          (pictures: try row.get("pictures", as: Int.self), uses: try row.get("uses", as: Int.self))
        })
    else { return nil }
    // From one number of uses to the next, up to the average; of each, the index has the least recently used in front.
    // There are no more such steps than the average is high, however many pictures there are.
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
    // Somebody has changed the totals: no picture is used more often than all are on the average.
    try count(now: now)
    return first
  }

  /// A time in the future was written by a clock that was wrong.
  static func hasExpired(usedAt: Double, now: Double) -> Bool { abs(now - usedAt) >= life }

  // MARK: Totals

  /// Counts the rows, and mends the totals.
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

/// A picture that leaves the cache, and why.
public struct PictureDeparture: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// It was not used for a day.
    case expired
    /// There is too little room, and of those used no more often than the average, it was not used for the longest time.
    case usedNoMoreThanOthers(average: Double)
  }

  public var url: String
  /// In bytes.
  public var size: Int
  public var uses: Int
  public var usedAt: Date
  public var reason: Reason
}

/// How many pictures are kept.
public struct PictureTotals: Sendable, Hashable {
  public var pictures = 0
  public var bytes = 0
  /// Of all of them together.
  public var uses = 0
  /// How many were not used for a day.
  public var expired = 0
}
