internal import CatalogModel
internal import Processes
internal import SQLite

/// The rows of dumps on their way into a copy: a database of its own, with the number of records read of each file.
///
/// Rows and progress are committed together, so a build that was killed goes on where the last commit was.
final class Staging {
  /// The version of the form of these rows. Those of another version are thrown away.
  private static let version = 4
  /// The most terms that are kept. Further ones are left out and counted.
  static let mostTerms = 1_000_000
  /// The most points that a record gives: no sum of them is too large for a number.
  private static let mostPoints = 1 << 24
  /// The work between two commits, and the number of records between two looks at the clock.
  struct Batch: Sendable {
    var rows: Int
    var time: Duration
    var look: Int
  }

  static let usualBatch = Batch(rows: 500_000, time: .seconds(3), look: 8_192)

  let db: Connection
  var batch = Staging.usualBatch
  private var terms: [String: Int]
  private var rowsInBatch = 0
  private var batchBegan = Uptime.now()
  /// The state of the current file.
  private(set) var state = FileState(name: "", size: 0, changed: 0)
  /// Called at each commit, and some times a second.
  var onProgress: (FileState) throws -> Void = { _ in }

  /// The state of a file that is being read.
  struct FileState: Hashable {
    var name: String
    var size: Int
    var changed: Int
    /// The number of records read, and of those kept.
    var (rows, kept) = (0, 0)
    /// The numbers of records that were left out, by reason.
    var leftOut: [LeftOut: Int] = [:]
    var isDone = false

    init(name: String, size: Int, changed: Int) { (self.name, self.size, self.changed) = (name, size, changed) }
  }

  /// - Throws: ``SQLiteError``.
  init(_ location: Connection.Location) throws {
    db = try Connection(location)
    try db.execute(
      script: """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -32768; PRAGMA temp_store = FILE;
        CREATE TABLE IF NOT EXISTS build (identity TEXT NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS file (
          name TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL,
          row_count INTEGER NOT NULL, kept INTEGER NOT NULL, left_out TEXT NOT NULL, is_done INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS title (
          number INTEGER PRIMARY KEY, title TEXT NOT NULL, by INTEGER, year INTEGER, kind INTEGER NOT NULL,
          format INTEGER, origin INTEGER, genres INTEGER, label INTEGER, catno TEXT, extra INTEGER, rating INTEGER,
          uuid BLOB) STRICT;
        CREATE TABLE IF NOT EXISTS edition (
          title INTEGER NOT NULL, number INTEGER NOT NULL, kind INTEGER NOT NULL, year INTEGER, format INTEGER,
          origin INTEGER, label INTEGER, catno TEXT, extra INTEGER, uuid BLOB) STRICT;
        CREATE TABLE IF NOT EXISTS code (title INTEGER NOT NULL, edition INTEGER NOT NULL, key INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS name (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS term (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE IF NOT EXISTS credit (
          title INTEGER NOT NULL, place INTEGER NOT NULL, name INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS other_title (title INTEGER NOT NULL, text TEXT NOT NULL, language TEXT) STRICT;
        CREATE TABLE IF NOT EXISTS redirect (old INTEGER PRIMARY KEY, new INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS points (
          title INTEGER NOT NULL, points INTEGER NOT NULL, is_reader INTEGER NOT NULL) STRICT;
        """)
    let known: [(String, Int)] = try db.all("SELECT text, id FROM term") { try ($0.get(at: 0), $0.get(at: 1)) }
    terms = Dictionary(known) { first, _ in first }
  }

  /// Whether the rows belong to a build, told by a text with its source and options. Without any, they do from now on.
  func belong(to build: String) throws -> Bool {
    let identity = "\(Self.version) \(build)"
    try db.run("INSERT INTO build SELECT \(identity) WHERE NOT EXISTS (SELECT 1 FROM build)")
    return try db.value("SELECT identity FROM build", as: String.self) == identity
  }

  /// The states of the files that were read, or begun.
  func files() throws -> [FileState] {
    try db.all("SELECT * FROM file ORDER BY name") { row in
      var state = FileState(name: try row.get("name"), size: try row.get("size"), changed: try row.get("changed"))
      (state.rows, state.kept) = (try row.get("row_count"), try row.get("kept"))
      state.leftOut = LeftOut.counts(try row.get("left_out"))
      state.isDone = try row.get("is_done")
      return state
    }
  }

  /// Counts what was left out of a file after it was read.
  func count(_ reason: LeftOut, _ number: Int, of file: String) throws {
    guard number > 0, var state = try files().first(where: { $0.name == file }) else { return }
    state.leftOut[reason, default: 0] += number
    try db.run("UPDATE file SET left_out = \(LeftOut.text(state.leftOut)) WHERE name = \(file)")
  }

  // MARK: Reading a file

  /// Begins a file, or goes on with it.
  func begin(_ file: FileState) throws {
    state = file
    try open()
  }

  private func open() throws {
    try db.run("BEGIN IMMEDIATE")
    (rowsInBatch, batchBegan) = (0, Uptime.now())
  }

  /// Notes that a record was read, and commits all rows now and then.
  /// - Parameter reason: the reason why the record was left out; nil when it was kept.
  func finishRecord(leftOut reason: LeftOut? = nil) throws {
    state.rows += 1
    if let reason { state.leftOut[reason, default: 0] += 1 } else { state.kept += 1 }
    rowsInBatch += 1
    guard rowsInBatch % batch.look == 0 else { return }
    try Interrupt.check()
    guard rowsInBatch >= batch.rows || Uptime.now() - batchBegan > batch.time else {
      return try onProgress(state)
    }
    try commit()
    try open()
  }

  /// Counts something that was left out of a record, or a record that is not told by ``finishRecord(leftOut:)``.
  func count(_ reason: LeftOut, _ number: Int = 1) {
    if number > 0 { state.leftOut[reason, default: 0] += number }
  }

  /// Ends the current file.
  func finish() throws {
    state.isDone = true
    try commit()
  }

  private func commit() throws {
    try db.run(
      """
      INSERT OR REPLACE INTO file VALUES (\(state.name), \(state.size), \(state.changed), \(state.rows), \(state.kept),
        \(LeftOut.text(state.leftOut)), \(state.isDone))
      """)
    try db.run("COMMIT")
    try onProgress(state)
  }

  // MARK: Rows

  /// Adds a title. False when there is one with its number.
  func add(_ title: StagedTitle) throws -> Bool {
    let isNew = try db.run(
      """
      INSERT OR IGNORE INTO title VALUES (\(title.number), \(title.title), \(title.by), \(title.year),
        \(title.kinds.rawValue), \(title.format), \(title.origin), \(title.genres), \(title.label),
        \(title.catalogNumber), \(title.extra), \(title.rating), \(title.uuid))
      """)
    guard isNew > 0 else { return false }
    for code in title.codes { try add(code, of: title.number) }
    return true
  }

  /// Adds an edition of a title.
  func add(_ edition: StagedTitle, of title: Int) throws {
    try db.run(
      """
      INSERT INTO edition VALUES (\(title), \(edition.number), \(edition.kinds.rawValue), \(edition.year),
        \(edition.format), \(edition.origin), \(edition.label), \(edition.catalogNumber), \(edition.extra),
        \(edition.uuid))
      """)
    for code in edition.codes { try add(code, of: title, edition.number) }
  }

  private func add(_ code: UInt64, of title: Int, _ edition: Int = 0) throws {
    try db.run("INSERT INTO code VALUES (\(title), \(edition), \(Int(truncatingIfNeeded: code)))")
  }

  /// Adds a name under its number, or one made from its text. Nothing for an empty one.
  /// - Returns: the number.
  @discardableResult
  func addName(_ text: String, _ number: Int? = nil) throws -> Int? {
    guard !text.isEmpty else { return nil }
    let number = number ?? 1 << 48 | Int(truncatingIfNeeded: FNV1a(text).value >> 17)
    try db.run("INSERT OR IGNORE INTO name VALUES (\(number), \(text))")
    return number
  }

  /// Adds the creators of a title behind the first one.
  func addCredits(_ title: Int, _ names: some Sequence<Int>) throws {
    for (place, name) in names.enumerated() {
      try db.run("INSERT INTO credit VALUES (\(title), \(place + 1), \(name))")
    }
  }

  /// Notes whose names titles have: ``isCredited(_:)``.
  func noteCreators() throws {
    try db.execute(
      script: """
        DROP TABLE IF EXISTS temp.credited; CREATE TEMP TABLE credited (id INTEGER PRIMARY KEY);
        INSERT OR IGNORE INTO temp.credited
        SELECT name FROM credit UNION ALL SELECT by FROM title WHERE by IS NOT NULL ORDER BY 1;
        """)
  }

  /// Whether a title has the name with a number.
  func isCredited(_ name: Int) throws -> Bool {
    try db.value("SELECT EXISTS (SELECT 1 FROM temp.credited WHERE id = \(name))") ?? false
  }

  /// - Parameter language: an ISO 639-1 code; nil for the original title, empty for a title in an unknown language.
  func addOtherTitle(_ title: Int, _ text: String, language: String?) throws {
    try db.run("INSERT INTO other_title VALUES (\(title), \(text), \(language))")
  }

  /// Adds to the points by which titles are ranked, at most ``mostPoints`` at a time.
  /// - Parameter isReader: whether the points are of people who have read the title, or want to.
  func addPoints(_ number: Int, _ points: Int, isReader: Bool = false) throws {
    try db.run("INSERT INTO points VALUES (\(number), \(min(points, Self.mostPoints)), \(isReader))")
  }

  /// The number of a term: a format, a country, a line of genres. Nil for no text, and beyond ``mostTerms``.
  func term(_ text: String) throws -> Int? {
    if let known = terms[text] { return known }
    guard !text.isEmpty else { return nil }
    guard terms.count < Self.mostTerms else {
      count(.tooManyTerms)
      return nil
    }
    try db.run("INSERT INTO term (text) VALUES (\(text))")
    terms[text] = Int(db.lastInsertedRowID)
    return terms[text]
  }
}

/// The reasons why records of a dump, or parts of them, are left out of a copy.
public enum LeftOut: String, CaseIterable, Sendable {
  /// The record could not be read.
  case damaged
  /// It is longer than 16 MiB.
  case tooLong
  /// It has no title or no number.
  case untitled
  /// There is a record with its number.
  case repeated
  /// It is of a kind that was not asked for.
  case otherKind
  /// It is for adults.
  case adult
  /// All its editions are in languages that were not asked for, and it has no reader.
  case otherLanguage
  /// It belongs to a title that is not in the copy.
  case orphan
  /// The lines of genres or formats are too many.
  case tooManyTerms
  /// Bytes, at least one, are not Korean text. A file counts as one.
  case strayBytes

  /// The counts as they are kept: `damaged 3, orphan 7`.
  static func text(_ counts: [LeftOut: Int]) -> String {
    allCases.compactMap { reason in counts[reason].map { "\(reason.rawValue) \($0)" } }.joined(separator: ", ")
  }

  static func counts(_ text: String) -> [LeftOut: Int] {
    var counts: [LeftOut: Int] = [:]
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ")
      if words.count == 2, let reason = LeftOut(rawValue: String(words[0])) { counts[reason] = Int(words[1]) }
    }
    return counts
  }
}
