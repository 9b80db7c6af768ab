internal import CatalogModel
public import FoundationEssentials
internal import Glibc
internal import SQLite

/// The file `cache.db`: answers of sources, pictures, the times of requests, and the results of the last search.
///
/// The cache may be deleted at any time, so its problems are not errors. A file that is damaged, newer or foreign is
/// replaced; without read and write access, the program runs without a cache. Each use opens the file again, which
/// takes less than a millisecond and makes the value safe to share.
public struct CacheDatabase: Sendable {
  public var path: String
  /// The maximum size of all answers, in bytes. The least recently used ones are removed first.
  public var answerLimit = 64 << 20

  public init(path: String) { self.path = path }

  /// The `PRAGMA application_id`: `webc`.
  static let applicationID = 0x7765_6263
  /// The application id of a catalog, `ctlg`. The cache must not replace a catalog if its path is set to one.
  private static let catalogID = 0x6374_6C67
  private static let version = 5

  /// Whether the header of the file at ``path`` identifies a cache of this program.
  public var isOurs: Bool { Connection.applicationID(of: path) == Self.applicationID }

  /// Runs `body` in one transaction.
  /// - Returns: nil when the cache cannot be used.
  func use<T>(_ body: (Connection) throws -> T) -> T? {
    do {
      return try useOnce(body)
    } catch let error as SQLiteError
      where error.isBusy || error.isReadOnly || error.cannotOpen || error.isFull || error.isIO || error.isDenied
    {
      return nil
    } catch is CacheUnavailable {
      return nil
    } catch {
      // Damaged, or with another schema.
      for file in [path] + Connection.companions(of: path) { unlink(file) }
      return try? useOnce(body)
    }
  }

  private struct CacheUnavailable: Error {}
  private struct ForeignFile: Error {}

  private func useOnce<T>(_ body: (Connection) throws -> T) throws -> T {
    let isEmpty = try create()
    let db = try Connection(.file(path), mode: .readWrite, busyTimeout: 2_000)
    // Only before the first table; it allows freed pages to return to the disk.
    if isEmpty { try db.execute(script: "PRAGMA auto_vacuum = INCREMENTAL") }
    // A power cut may damage the cache.
    try db.execute(script: "PRAGMA synchronous = OFF")
    return try db.transaction {
      switch (try db.value("PRAGMA application_id", as: Int.self), try db.value("PRAGMA user_version", as: Int.self)) {
      case (Self.applicationID, Self.version): break
      case (Self.catalogID, _): throw CacheUnavailable()
      case (0, 0) where try db.value("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0:
        try db.execute(script: Self.schema)
        try db.execute(script: PictureTable.schema)
      default: throw ForeignFile()
      }
      return try body(db)
    }
  }

  /// Creates the file if it is missing, readable only by its owner.
  /// - Returns: whether the file is empty.
  private func create() throws -> Bool {
    // A NUL would cut the path.
    guard !path.utf8.contains(0) else { throw CacheUnavailable() }
    // An existing file is not opened, because closing it would release the locks of other threads.
    var status = stat()
    if stat(path, &status) != 0 {
      var file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
      if file < 0 && errno == ENOENT {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        _ = PrivateFolder.make(folder)
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
      }
      guard file >= 0 else { throw CacheUnavailable() }
      close(file)
      guard stat(path, &status) == 0 else { throw CacheUnavailable() }
    }
    // A device is neither read nor replaced.
    guard status.st_mode & S_IFMT == S_IFREG else { throw CacheUnavailable() }
    return status.st_size == 0
  }

  private static let schema: StaticString = """
    PRAGMA application_id = 0x77656263;
    PRAGMA user_version = 5;

    CREATE TABLE answer (
      -- The address and the headers that were asked with, without a key.
      key TEXT PRIMARY KEY,
      status INTEGER NOT NULL,
      headers TEXT NOT NULL,
      body BLOB NOT NULL,
      size INTEGER NOT NULL,
      -- In seconds since 1970, as the times below.
      fresh_until REAL NOT NULL,
      used_at REAL NOT NULL
    ) STRICT;
    CREATE INDEX answer_used ON answer (used_at, size);

    -- When a source was asked, or will be by a program that waits since it took the turn.
    CREATE TABLE turn (id INTEGER PRIMARY KEY, source TEXT NOT NULL, at REAL NOT NULL, taken_at REAL NOT NULL) STRICT;
    CREATE INDEX turn_source ON turn (source, at);

    -- How many requests went to a source on the last day on which it was asked, in days since 1970 (UTC).
    CREATE TABLE usage (source TEXT PRIMARY KEY, day INTEGER NOT NULL, requests INTEGER NOT NULL) STRICT;

    -- Which source is left alone after a refusal, until when and why; a row stays when that time is over, to count.
    CREATE TABLE rest (
      source TEXT PRIMARY KEY,
      until REAL NOT NULL,
      reason TEXT NOT NULL,
      -- As whom the source was asked: the contact, and whether there was a key.
      asked_as TEXT NOT NULL,
      -- How many rests there were in a row.
      count INTEGER NOT NULL
    ) STRICT;

    -- What the last search found.
    CREATE TABLE result (
      number INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      source_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      payload BLOB NOT NULL,
      -- When the source was asked for all that it knows of it; NULL when it was not.
      fetched_at REAL
    ) STRICT;

    -- What the person used last, to be there again.
    CREATE TABLE last_used (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    """
}

// MARK: Answers

struct KeptAnswer: Sendable, Hashable {
  var response: Response
  /// The end of the answer's freshness.
  var freshUntil: Date
}

extension CacheDatabase {
  func answers(for keys: [String], now: Date) -> [KeptAnswer?] {
    let time = now.timeIntervalSince1970
    let found = use { db in
      try keys.map { key in
        // Often enough to know which answers are used, and seldom enough not to write at every read.
        try db.run("UPDATE answer SET used_at = \(time) WHERE key = \(key) AND abs(used_at - \(time)) > 60")
        return try db.one("SELECT status, headers, body, fresh_until FROM answer WHERE key = \(key)") { row in
          KeptAnswer(
            response: Response(
              status: try row.get("status"), headers: Self.headers(try row.get("headers")), body: try row.get("body")),
            freshUntil: Date(timeIntervalSince1970: try row.get("fresh_until")))
        }
      }
    }
    return found ?? keys.map { _ in nil }
  }

  /// Stores answers; nil removes the stored one.
  func keep(_ answers: [(key: String, answer: KeptAnswer?)], now: Date) {
    guard !answers.isEmpty else { return }
    _ = use { db in
      for (key, answer) in answers {
        guard let answer, answer.response.body.count <= answerLimit else {
          try db.run("DELETE FROM answer WHERE key = \(key)")
          continue
        }
        let headers = Self.text(answer.response.headers)
        let size = key.utf8.count + headers.utf8.count + answer.response.body.count
        try db.run(
          """
          INSERT OR REPLACE INTO answer (key, status, headers, body, size, fresh_until, used_at)
          VALUES (\(key), \(answer.response.status), \(headers), \(answer.response.body), \(size),
            \(answer.freshUntil.timeIntervalSince1970), \(now.timeIntervalSince1970))
          """)
      }
      // Keeps the most recently used answers up to the limit.
      try db.run(
        """
        DELETE FROM answer WHERE rowid IN (
          SELECT id FROM (
            SELECT rowid AS id, sum(size) OVER (ORDER BY used_at DESC, rowid DESC) AS total FROM answer)
          WHERE total > \(answerLimit))
        """)
    }
  }

  /// The headers worth storing. Cookies are not among them.
  static let keptHeaders: Set = ["cache-control", "content-type", "etag", "expires", "last-modified", "link"]

  private static func text(_ headers: [Header]) -> String {
    headers.lazy.filter { keptHeaders.contains($0.name) }.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }

  private static func headers(_ text: String) -> [Header] {
    text.split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return Header(String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
  }
}

// MARK: Looking after it

/// The contents of the cache, without pictures.
public struct CacheTotals: Sendable, Hashable {
  public var answers = 0
  public var answerBytes = 0
  /// The number of results of the last search.
  public var results = 0
}

extension CacheDatabase {
  public func totals() -> CacheTotals {
    let totals: CacheTotals?? = use { db in
      try db.one(
        """
        SELECT (SELECT count(*) FROM answer) AS answers, (SELECT coalesce(sum(size), 0) FROM answer) AS bytes,
          (SELECT count(*) FROM result) AS results
        """
      ) { row in
        CacheTotals(
          answers: try row.get("answers"), answerBytes: try row.get("bytes"), results: try row.get("results"))
      }
    }
    return (totals ?? nil) ?? CacheTotals()
  }

  /// A part that ``clear(_:)`` removes. The last results and the rate limit reservations stay.
  public enum Part: Sendable, Hashable {
    case answers, pictures
  }

  /// Removes all answers or pictures, and returns their space to the disk.
  /// - Returns: false when the cache cannot be used.
  public func clear(_ parts: Set<Part>) -> Bool {
    let done: Void? = use { db in
      if parts.contains(.answers) { try db.run("DELETE FROM answer") }
      if parts.contains(.pictures) { try db.run("DELETE FROM picture") }
      try db.execute(script: "PRAGMA incremental_vacuum")
    }
    return done != nil
  }
}

// MARK: Results

/// A result of the last search, named `r7` by its number.
public struct SavedResult: Sendable, Hashable {
  /// The displayed number, from 1.
  public var number: Int
  public var source: String
  public var sourceID: String
  public var kind: String
  /// The data to add the result without another request.
  public var payload: [UInt8]
  /// The time at which its source was asked for the complete record; nil when it was not.
  public var fetchedAt: Date?

  public init(
    number: Int, source: String, sourceID: String, kind: String, payload: [UInt8], fetchedAt: Date? = nil
  ) {
    (self.number, self.source, self.sourceID) = (number, source, sourceID)
    (self.kind, self.payload, self.fetchedAt) = (kind, payload, fetchedAt)
  }
}

extension CacheDatabase {
  /// Stores the results of a search in place of the previous ones.
  /// - Returns: false when the cache cannot be used.
  @discardableResult
  public func saveResults(_ results: [SavedResult]) -> Bool {
    let saved: Void? = use { db in
      try db.run("DELETE FROM result")
      for result in results {
        try db.run(
          """
          INSERT OR REPLACE INTO result (number, source, source_id, kind, payload, fetched_at)
          VALUES (\(result.number), \(result.source), \(result.sourceID), \(result.kind), \(result.payload),
            \(result.fetchedAt?.timeIntervalSince1970))
          """)
      }
    }
    return saved != nil
  }

  /// Stores the complete record of a result. Does nothing if it is not among the results of the last search.
  public func completeResult(_ source: String, _ id: String, payload: [UInt8], now: Date) {
    _ = use { db in
      try db.run(
        """
        UPDATE result SET payload = \(payload), fetched_at = \(now.timeIntervalSince1970)
        WHERE source = \(source) AND source_id = \(id)
        """)
    }
  }

  /// The results of the last search, by number; empty when there was none.
  public func lastResults() -> [SavedResult] {
    use { db in
      try db.all("SELECT number, source, source_id, kind, payload, fetched_at FROM result ORDER BY number") { row in
        SavedResult(
          number: try row.get("number"), source: try row.get("source"), sourceID: try row.get("source_id"),
          kind: try row.get("kind"), payload: try row.get("payload"),
          fetchedAt: try row.get("fetched_at", as: Double?.self).map { Date(timeIntervalSince1970: $0) })
      }
    } ?? []
  }
}

extension CacheDatabase {
  /// The kind of the last search; nil when unknown.
  public func lastKind() -> String? {
    // A user who has never searched needs no file.
    guard access(path, F_OK) == 0 else { return nil }
    return use { db in try db.value("SELECT value FROM last_used WHERE name = 'kind'", as: String.self) } ?? nil
  }

  public func keep(lastKind kind: String) {
    _ = use { db in try db.run("INSERT OR REPLACE INTO last_used (name, value) VALUES ('kind', \(kind))") }
  }
}

// MARK: Reservations

extension CacheDatabase {
  /// Reserves times for requests, so that all programs on this computer together respect the rate limits. Reservations
  /// are first come, first served, and each counts for ``requestsToday(now:)``.
  ///
  /// - Parameter asking: the source of each request and its rate limit.
  func reserve(_ asking: [(source: String, limit: RateLimit)], now: Date) -> [Reservation] {
    guard !asking.isEmpty else { return [] }
    let time = now.timeIntervalSince1970
    let reservations = use { db in
      try asking.map { source, limit in
        // A reservation made in the future comes from a wrong clock.
        try db.run(
          """
          DELETE FROM turn WHERE source = \(source)
            AND (at <= \(time - Double(limit.interval)) OR taken_at > \(time + Self.clockSkew))
          """)
        let taken = try db.values("SELECT at FROM turn WHERE source = \(source) ORDER BY at", as: Double.self)
        let next = limit.nextSlot(after: taken, now: time)
        try db.run("INSERT INTO turn (source, at, taken_at) VALUES (\(source), \(next), \(time))")
        let id = db.lastInsertedRowID
        try db.run(
          """
          INSERT INTO usage (source, day, requests) VALUES (\(source), \(Self.day(now)), 1)
          ON CONFLICT (source) DO UPDATE SET
            requests = CASE day WHEN excluded.day THEN requests + 1 ELSE 1 END, day = excluded.day
          """)
        return Reservation(wait: next - time, id: id)
      }
    }
    // Without a cache, other programs' requests are unknown, so no request waits.
    return reservations ?? asking.map { _ in Reservation(wait: 0) }
  }

  /// Returns the remaining wait in seconds, 0 when the requests may be sent. It grows when earlier requests were
  /// answered late: ``commit(_:now:)``.
  func wait(of reservations: [(reservation: Reservation, limit: RateLimit)], now: Date) -> Double {
    let time = now.timeIntervalSince1970
    let waits = use { db in
      try reservations.compactMap { reservation, limit -> Double? in
        guard let id = reservation.id else { return nil }
        try db.run("UPDATE turn SET at = max(at, \(time)) WHERE id = \(id)")
        let before = try db.values(
          """
          SELECT before.at FROM turn JOIN turn AS before
            ON before.source = turn.source AND (before.at, before.id) < (turn.at, turn.id)
          WHERE turn.id = \(id) ORDER BY before.at
          """, as: Double.self)
        let next = limit.nextSlot(after: before, now: time)
        try db.run("UPDATE turn SET at = \(next) WHERE id = \(id)")
        return next - time
      }
    }
    // Less than a millisecond is clock noise.
    return (waits ?? []).max().flatMap { $0 > 0.001 ? $0 : nil } ?? 0
  }

  /// Records that requests were answered. A request reached its source at the time of the answer at the latest, so this
  /// time counts, up to ``RateLimit/grace``.
  func commit(_ reservations: [(reservation: Reservation, limit: RateLimit)], now: Date) {
    let time = now.timeIntervalSince1970
    let late = reservations.compactMap { reservation, limit in reservation.id.map { ($0, limit.grace) } }
    guard !late.isEmpty else { return }
    _ = use { db in
      for (id, grace) in late {
        try db.run("UPDATE turn SET at = min(\(time), at + \(grace)) WHERE id = \(id) AND at < \(time)")
      }
    }
  }

  /// Releases reservations that are no longer needed.
  func release(_ reservations: [Reservation], now: Date) {
    let ids = reservations.compactMap(\.id)
    guard !ids.isEmpty else { return }
    _ = use { db in
      for id in ids {
        try db.run(
          """
          UPDATE usage SET requests = requests - 1
          WHERE day = \(Self.day(now)) AND requests > 0 AND source = (SELECT source FROM turn WHERE id = \(id))
          """)
        try db.run("DELETE FROM turn WHERE id = \(id)")
      }
    }
  }

  /// The tolerance for a clock that was set back, in seconds. Reservations further ahead are removed.
  private static let clockSkew = 5.0

  /// The number of requests to each source today (UTC), by all programs on this computer. Answers from the cache do not
  /// count.
  /// - Returns: nil when the cache cannot be used; sources without requests are missing.
  public func requestsToday(now: Date) -> [String: Int]? {
    use { db in
      let rows = try db.all("SELECT source, requests FROM usage WHERE day = \(Self.day(now))") { row in
        (try row.get("source", as: String.self), try row.get("requests", as: Int.self))
      }
      return Dictionary(uniqueKeysWithValues: rows)
    }
  }

  private static func day(_ date: Date) -> Int { Int(clamping: (date.timeIntervalSince1970 / 86_400).rounded(.down)) }
}

// MARK: Rests

extension CacheDatabase {
  /// The last rest of each source, over or not; sources without one are missing.
  func rests(of sources: Set<String>, now: Date) -> [String: KeptRest] {
    let found = use { db in
      try db.all("SELECT source, until, reason, asked_as, count FROM rest") { row in
        (
          try row.get("source", as: String.self),
          Rest.Reason(rawValue: try row.get("reason")).map { reason in
            KeptRest(
              until: Date(timeIntervalSince1970: (try? row.get("until")) ?? 0), reason: reason,
              askedAs: (try? row.get("asked_as")) ?? "", count: (try? row.get("count")) ?? 1)
          }
        )
      }
    }
    return (found ?? []).reduce(into: [:]) { rests, found in
      // A rest of more than a day comes from a wrong clock.
      guard let rest = found.1, sources.contains(found.0), rest.until.timeIntervalSince(now) <= 90_000 else { return }
      rests[found.0] = rest
    }
  }

  /// Stores rests; nil removes the stored one.
  func keepRests(_ rests: [String: KeptRest?]) {
    guard !rests.isEmpty else { return }
    _ = use { db in
      for (source, rest) in rests {
        guard let rest else {
          try db.run("DELETE FROM rest WHERE source = \(source)")
          continue
        }
        try db.run(
          """
          INSERT OR REPLACE INTO rest (source, until, reason, asked_as, count)
          VALUES (\(source), \(rest.until.timeIntervalSince1970), \(rest.reason.rawValue), \(rest.askedAs), \(rest.count))
          """)
      }
    }
  }

  /// The end of the source's rest and its reason; nil when the source may be asked.
  public func rest(of source: String, now: Date) -> (until: Date, reason: Rest.Reason)? {
    rests(of: [source], now: now)[source].flatMap { $0.until > now ? ($0.until, $0.reason) : nil }
  }
}
