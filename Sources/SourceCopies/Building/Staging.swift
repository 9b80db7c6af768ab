internal import CatalogModel
internal import Glibc
internal import Processes
internal import SQLite

/// The rows of dumps on their way into a copy: a database of its own, with the place up to which each file was read.
///
/// Rows and progress are committed together, so a build that was killed goes on where the last commit was.
final class Staging {
  /// The version of the form of these rows. Those of another version are thrown away.
  private static let version = 3
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
  private let insertTitle, insertEdition, insertCode, insertName, insertCredit, insertOther, insertPoints:
    PreparedStatement
  private var terms: [UInt64: Int] = [:]
  private var newTerms: [(id: Int, text: [UInt8])] = []
  private var names = NumberSet()
  private var rowsInBatch = 0
  private var batchBegan = Uptime.now()
  private var current: FileState?
  /// Called at each commit, and some times a second.
  var onProgress: (FileState) throws -> Void = { _ in }

  /// The state of a file that is being read.
  struct FileState: Hashable {
    var name: String
    var size: Int
    var changed: Int
    /// The place in the unpacked file up to which it was read.
    var offset = 0
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
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;
        PRAGMA temp_store = FILE;
        CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS file (
          name TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL, offset INTEGER NOT NULL,
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
        CREATE TABLE IF NOT EXISTS term (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS credit (title INTEGER NOT NULL, place INTEGER NOT NULL, name INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS other_title (title INTEGER NOT NULL, text TEXT NOT NULL, language TEXT) STRICT;
        CREATE TABLE IF NOT EXISTS redirect (old INTEGER PRIMARY KEY, new INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS points (title INTEGER NOT NULL, points INTEGER NOT NULL, is_reader INTEGER NOT NULL) STRICT;
        """)
    insertTitle = try db.prepare(
      "INSERT OR IGNORE INTO title VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
    insertEdition = try db.prepare("INSERT INTO edition VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
    insertCode = try db.prepare("INSERT INTO code VALUES (?1, ?2, ?3)")
    insertName = try db.prepare("INSERT OR IGNORE INTO name VALUES (?1, ?2)")
    insertCredit = try db.prepare("INSERT INTO credit VALUES (?1, ?2, ?3)")
    insertOther = try db.prepare("INSERT INTO other_title VALUES (?1, ?2, ?3)")
    insertPoints = try db.prepare("INSERT INTO points VALUES (?1, ?2, ?3)")
    try db.forEach("SELECT id, text FROM term") { row in
      terms[row.withText(1) { FNV1a.hash(UnsafeRawBufferPointer($0)) }] = Int(row.integer(0))
      return true
    }
    try db.forEach("SELECT id FROM name") { row in
      names.insert(Int(row.integer(0)))
      return true
    }
  }

  /// A text that says which build these rows belong to: the source, its version, the options. Rows of another build are
  /// removed.
  func claim(_ identity: String) throws {
    let identity = "\(Self.version) \(identity)"
    guard try db.value("SELECT value FROM about WHERE name = 'identity'", as: String.self) != identity else { return }
    try clear()
    try db.run("INSERT OR REPLACE INTO about VALUES ('identity', \(identity))")
  }

  /// Removes all rows.
  func clear() throws {
    try db.transaction {
      for table in try db.values("SELECT name FROM sqlite_schema WHERE type = 'table'", as: String.self) {
        try db.run("DELETE FROM \(identifier: table)")
      }
    }
    (terms, names) = ([:], NumberSet())
  }

  /// The states of the files that were read, or begun.
  func files() throws -> [FileState] {
    try db.all("SELECT * FROM file ORDER BY name") { row in
      var state = FileState(name: try row.get("name"), size: try row.get("size"), changed: try row.get("changed"))
      (state.offset, state.rows, state.kept) = (
        try row.get("offset"), try row.get("row_count"), try row.get("kept")
      )
      state.leftOut = LeftOut.counts(try row.get("left_out"))
      state.isDone = try row.get("is_done")
      return state
    }
  }

  /// Makes the tables of a dump that needs its own.
  func makeTables(_ script: StaticString) throws { try db.execute(script: script) }

  /// Keeps a term at once, outside of the reading of a file.
  func keepTerm(_ text: String) throws {
    var text = text
    guard let id = text.withUTF8({ term(UnsafeRawBufferPointer($0)) }) else { return }
    try db.run("INSERT OR IGNORE INTO term VALUES (\(id), \(text))")
    newTerms.removeAll()
  }

  /// Counts what was left out of a file after it was read.
  func count(_ reason: LeftOut, _ number: Int, of file: String) throws {
    guard number > 0, var state = try files().first(where: { $0.name == file }) else { return }
    state.leftOut[reason, default: 0] += number
    try db.run("UPDATE file SET left_out = \(LeftOut.text(state.leftOut)) WHERE name = \(file)")
  }

  /// The numbers in the first column of a query.
  func numbers(_ sql: SQL) throws -> NumberSet {
    var numbers = NumberSet()
    try db.forEach(sql) { row in
      numbers.insert(Int(row.integer(0)))
      return true
    }
    return numbers
  }

  // MARK: Reading a file

  /// The state of the current file.
  var state: FileState { current ?? FileState(name: "", size: 0, changed: 0) }

  /// Begins a file, or goes on with it.
  func begin(_ file: FileState) throws {
    current = file
    try open()
  }

  private func open() throws {
    try db.run("BEGIN IMMEDIATE")
    (rowsInBatch, batchBegan) = (0, Uptime.now())
  }

  /// Notes that a record was read, and commits all rows now and then.
  /// - Parameters:
  ///   - offset: the place behind the record in the unpacked file.
  ///   - reason: the reason why the record was left out; nil when it was kept.
  @inline(__always)
  func finishRecord(at offset: Int, leftOut reason: LeftOut? = nil) throws {
    current?.offset = offset
    current?.rows += 1
    if let reason { current?.leftOut[reason, default: 0] += 1 } else { current?.kept += 1 }
    rowsInBatch += 1
    guard rowsInBatch % batch.look == 0 else { return }
    try Interrupt.check()
    guard rowsInBatch >= batch.rows || Uptime.now() - batchBegan > batch.time else {
      return try onProgress(state)
    }
    try commit()
    try open()
  }

  /// Counts something that was left out of a record, or a record that is not told by ``finishRecord(at:leftOut:)``.
  func count(_ reason: LeftOut, _ number: Int = 1) {
    if number > 0 { current?.leftOut[reason, default: 0] += number }
  }

  /// Ends the current file.
  func finish() throws {
    current?.isDone = true
    try commit()
    current = nil
  }

  /// Gives back what was not committed.
  func abandon() {
    if db.isInTransaction { _ = try? db.run("ROLLBACK") }
    current = nil
  }

  private func commit() throws {
    for term in newTerms {
      try db.run("INSERT INTO term VALUES (\(term.id), \(String(decoding: term.text, as: UTF8.self)))")
    }
    newTerms.removeAll()
    if let current {
      try db.run(
        """
        INSERT OR REPLACE INTO file VALUES (\(current.name), \(current.size), \(current.changed), \(current.offset),
          \(current.rows), \(current.kept), \(LeftOut.text(current.leftOut)), \(current.isDone))
        """)
    }
    try db.run("COMMIT")
    try onProgress(state)
  }

  // MARK: Rows

  /// Adds a title. False when there is one with its number.
  @inline(__always)
  func add(_ title: borrowing StagedTitle) throws -> Bool {
    let insert = insertTitle
    insert.bind(1, title.number)
    insert.bind(2, text: title.title)
    insert.bind(3, title.by)
    insert.bind(4, title.year)
    insert.bind(5, title.kinds.rawValue)
    insert.bind(6, title.format)
    insert.bind(7, title.origin)
    insert.bind(8, title.genres)
    insert.bind(9, title.label)
    if title.catalogNumber.isEmpty { insert.bind(10, nil) } else { insert.bind(10, text: title.catalogNumber) }
    insert.bind(11, title.extra)
    insert.bind(12, title.rating)
    insert.bind(13, blob: title.id)
    guard try insert.runBound() else { return false }
    try add(title.codes, of: title.number)
    return true
  }

  func add(_ edition: borrowing StagedEdition) throws {
    let insert = insertEdition
    insert.bind(1, edition.title)
    insert.bind(2, edition.number)
    insert.bind(3, edition.kinds.rawValue)
    insert.bind(4, edition.year)
    insert.bind(5, edition.format)
    insert.bind(6, edition.origin)
    insert.bind(7, edition.label)
    if edition.catalogNumber.isEmpty { insert.bind(8, nil) } else { insert.bind(8, text: edition.catalogNumber) }
    insert.bind(9, edition.extra)
    insert.bind(10, blob: edition.id)
    try insert.runBound()
    try add(edition.codes, of: edition.title, edition.number)
  }

  private func add(_ codes: [UInt64], of title: Int, _ edition: Int = 0) throws {
    for code in codes {
      insertCode.bind(1, title)
      insertCode.bind(2, edition)
      insertCode.bind(3, Int(truncatingIfNeeded: code))
      try insertCode.runBound()
    }
  }

  /// Adds a name under its number, when it is not there yet. `text` is called only then.
  @inline(__always)
  func addName(_ number: Int, _ text: () -> Bytes) throws {
    guard names.insert(number) else { return }
    insertName.bind(1, number)
    insertName.bind(2, text: text())
    try insertName.runBound()
  }

  /// The number of a name that has none in the dump, made from its text.
  static func number(ofName text: Bytes) -> Int { 1 << 48 | Int(truncatingIfNeeded: FNV1a.hash(text) >> 17) }

  /// Adds the creators of a title behind the first one.
  func addCredits(_ title: Int, _ names: some Sequence<Int>) throws {
    for (place, name) in names.enumerated() {
      insertCredit.bind(1, title)
      insertCredit.bind(2, place + 1)
      insertCredit.bind(3, name)
      try insertCredit.runBound()
    }
  }

  /// - Parameter language: an ISO 639-1 code; nil for the original title, no bytes for a title in an unknown language.
  func addOtherTitle(_ title: Int, _ text: Bytes, language: Bytes?) throws {
    insertOther.bind(1, title)
    insertOther.bind(2, text: text)
    if let language { insertOther.bind(3, text: language) } else { insertOther.bind(3, nil) }
    try insertOther.runBound()
  }

  /// Adds to the points by which titles are ranked, at most ``mostPoints`` at a time.
  /// - Parameter isReader: whether somebody has read the title, or wants to.
  func addPoints(_ number: Int, _ points: Int, isReader: Bool = false) throws {
    insertPoints.bind(1, number)
    insertPoints.bind(2, min(points, Self.mostPoints))
    insertPoints.bind(3, isReader ? 1 : 0)
    try insertPoints.runBound()
  }

  /// The number of a term: a format, a country, a line of genres. Nil for no text, and beyond ``mostTerms``.
  func term(_ text: Bytes) -> Int? {
    guard !text.isEmpty else { return nil }
    let key = FNV1a.hash(text)
    if let known = terms[key] { return known }
    guard terms.count < Self.mostTerms else {
      count(.tooManyTerms)
      return nil
    }
    let id = terms.count + 1
    terms[key] = id
    newTerms.append((id, Array(text)))
    return id
  }
}

extension FNV1a {
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
  }
}

/// A set of numbers, most of which are small and close together.
struct NumberSet {
  private var words: [UInt64] = []
  private var others: Set<Int> = []
  /// The largest number that is a bit: 32 MiB of them.
  private static let mostBits = 1 << 28

  /// - Returns: whether the number was not in it.
  @inline(__always)
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    guard number >= 0, number < Self.mostBits else { return others.insert(number).inserted }
    let (word, bit) = (number >> 6, UInt64(1) << UInt64(number & 63))
    if word >= words.count { words += [UInt64](repeating: 0, count: max(word + 1, 2 * words.count) - words.count) }
    guard words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }

  @inline(__always)
  func contains(_ number: Int) -> Bool {
    guard number >= 0, number < Self.mostBits else { return others.contains(number) }
    return number >> 6 < words.count && words[number >> 6] & 1 << UInt64(number & 63) != 0
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
