public import CatalogModel
public import FoundationEssentials
internal import Migrations
internal import SQLite

/// The result of one check of the catalog.
public struct Finding: Sendable, Hashable {
  /// The checks. Their names are stable: programs read them.
  public enum Check: String, CaseIterable, Sendable {
    /// The file as SQLite sees it: its pages, indexes, keys and constraints.
    case file
    /// The tables, indexes, triggers and views, compared with those of a new catalog.
    case schema
    /// Rows that refer to missing rows.
    case references
    case searchIndex = "search_index"
    /// Rows from another program that are not indexed yet. The next search indexes them.
    case searchPending = "search_pending"
    /// People without credits.
    case people
    /// The numbers that the next rows get.
    case numbers
    /// The recorded operations, which undo needs.
    case history
    /// Invalid dates, such as month 13.
    case dates
    case isbn
    /// Valid but unlikely dates.
    case oddDates = "odd_dates"
    case barcodes
    case genres
    case labels
    case creators
    /// Pairs of creators who are probably one, spelled in two ways.
    case names
    /// Pairs of items that are probably duplicates.
    case duplicates
  }

  public enum State: String, Sendable {
    case ok
    /// Worth a look, but no error.
    case hint
    case wrong
    /// The error was repaired.
    case fixed
    /// The check was not possible. The examples give the reason.
    case unchecked
  }

  public var check: Check
  public var state: State
  public var count: Int
  /// The affected parts: messages of SQLite, labels, titles. Not all of them if there are many.
  public var examples: [String] = []
  /// The affected items.
  public var items: [ItemID] = []

  /// Whether ``Store/fix(_:)`` can repair it.
  public var isFixable: Bool {
    [.hint, .wrong].contains(state) && [.searchIndex, .searchPending, .people, .numbers].contains(check)
  }
}

extension Store {
  /// The maximum number of examples in one finding.
  private static let mostExamples = 20

  /// Runs all checks for errors and oddities. It writes nothing to the file or its folder.
  public func examine(now: Date) throws -> [Finding] {
    var findings = [
      try path.map { try Self.integrity(withRulesOf: $0, like: db) } ?? Self.integrity(of: db), try schema(),
    ]
    // The content of a damaged file is not worth checking, and other tables cannot be queried.
    guard findings.allSatisfy({ $0.state != .wrong }) else { return findings }
    findings += [
      try references(), try searchIndex(), try searchPending(), try people(), try numbers(), try history(), try dates(),
      try isbns(),
      try oddDates(now: now), try barcodes(), try withoutGenre(), try labels(), try withoutCreator(), try names(),
      try duplicates(),
    ]
    return findings
  }

  /// Returns findings for a catalog that could not be opened.
  /// - Parameter error: the error of opening it.
  /// - Returns: nil if the error needs no further findings.
  public static func examine(unopened error: CatalogError) -> [Finding]? {
    switch error {
    case .damaged(let path):
      let finding = integrity(at: path)
      if finding.state == .wrong { return [finding] }
      return [Finding(check: .file, state: .wrong, count: 1, examples: ["the file is shorter than its header says"])]
    case .otherSchema(let path, let words):
      return [
        integrity(at: path), schema(at: path) ?? Finding(check: .schema, state: .wrong, count: 1, examples: [words]),
      ]
    case .notCopied(_, because: .damaged(let path)): return [integrity(at: path)]
    case .readOnly(let path), .cannotOpen(let path), .notCopied(let path, because: _):
      // Checks need a migrated catalog and a finished rollback, and both need to write.
      return [integrity(at: path)]
        + Finding.Check.allCases.dropFirst().map {
          Finding(check: $0, state: .unchecked, count: 0, examples: ["that needs a file that can be written"])
        }
    default: return nil
    }
  }

  /// Repairs all findings that can be repaired without loss, and returns them with their new states.
  public func fix(_ findings: [Finding]) throws -> [Finding] {
    let broken = Set(findings.filter(\.isFixable).map(\.check))
    guard !broken.isEmpty else { return findings }
    try write {
      if broken.contains(.searchIndex) {
        // The index is rebuilt from scratch.
        for index in SearchIndex.allCases {
          try db.run("INSERT INTO \(index.table) (\(index.table)) VALUES ('delete-all')")
        }
        try Self.indexAll(in: db)
      }
      if broken.contains(.people) { try ItemWriter(db).forgetUnusedPeople() }
      if broken.contains(.numbers) { for table in try tablesCountingTooFar() { try countOn(from: table) } }
    }
    // A table may count too far because it has a row of such a number.
    let stillWrong = broken.contains(.numbers) ? try numbers() : nil
    return findings.map { finding in
      var finding = finding
      if broken.contains(finding.check) { finding.state = .fixed }
      if finding.check == .numbers, let stillWrong, stillWrong.state != .ok { finding = stillWrong }
      return finding
    }
  }

  // MARK: What holds no data

  /// Makes indexes, views and triggers anew that are missing, and indexes that do not fit their tables. Everything in
  /// them comes from the tables and from this program.
  ///
  /// A file whose damage goes deeper stays as it is: it is looked at again by ``examine(now:)``.
  /// - Returns: the checks of which something was mended.
  public static func mendStructure(at path: String, busyTimeout: Int = 5_000) throws -> Set<Finding.Check> {
    guard isCatalog(at: path), let db = try? Connection(.file(path), mode: .readWrite, busyTimeout: busyTimeout),
      try db.value("PRAGMA user_version", as: Int.self) == Migration.all.count
    else { return [] }
    try db.defineQueryFunctions()
    var mended = Set<Finding.Check>()
    let fresh = try freshDatabase()
    try db.transaction {
      let unusable = try SearchIndex.allCases.filter { try !isUsable($0, in: db, like: fresh) }
      for index in unusable { try renew(index, in: db, like: fresh) }
      if !unusable.isEmpty {
        try indexAll(in: db)
        mended.insert(.schema)
      }
      let lines = try faults(in: db)
      let indexes = lines.map(indexName)
      if !lines.isEmpty, lines.count < mostLines, !indexes.contains(nil) {
        for index in Set(indexes.compactMap(\.self)) { try db.run("REINDEX \(identifier: index)") }
        guard try faults(in: db).isEmpty else { throw Unmended() }
        mended.insert(.file)
      }
      let (own, new) = (try schema(of: db), try schema(of: fresh))
      let missing = new.filter { own[$0.key] == nil }.keys
      guard !missing.isEmpty, missing.allSatisfy({ !$0.hasPrefix("table ") }) else { return }
      for name in missing.sorted() { try make(name, in: db, like: fresh) }
      mended.insert(.schema)
    }
    return mended
  }

  /// Makes a part of the schema, `index item_title`, as a new catalog has it.
  private static func make(_ name: String, in db: Connection, like fresh: Connection) throws {
    let sql = try fresh.value("SELECT sql FROM sqlite_schema WHERE type || ' ' || name = \(name)", as: String.self)
    if let sql { try db.execute(script: Array(sql.utf8)) }
  }

  /// The tables in which SQLite keeps an index of words: <https://sqlite.org/fts5.html#fts5_data_structures>.
  private static func parts(of index: SearchIndex) -> [String] {
    ["data", "idx", "content", "docsize", "config"].map { "\(index.rawValue)_\($0)" }
  }

  /// Whether SQLite finds an index of words whole.
  private static func isUsable(_ index: SearchIndex, in db: Connection, like fresh: Connection) throws -> Bool {
    do {
      guard parts(of: index).allSatisfy({ db.hasTable($0) || !fresh.hasTable($0) }) else { return false }
      try db.run("INSERT INTO \(index.table) (\(index.table)) VALUES ('integrity-check')")
      return true
    } catch let error as SQLiteError where error.isCorrupt || error.isGeneral {
      return false
    }
  }

  /// Makes an index of words anew, and empty. SQLite removes no virtual table that it cannot open, so its line in the
  /// schema goes first, and then its parts are tables like any other.
  private static func renew(_ index: SearchIndex, in db: Connection, like fresh: Connection) throws {
    try db.execute(script: "PRAGMA writable_schema = ON")
    try db.run("DELETE FROM sqlite_schema WHERE name = \(index.rawValue)")
    try db.execute(script: "PRAGMA writable_schema = RESET")
    for part in parts(of: index) { try db.run("DROP TABLE IF EXISTS \(identifier: part)") }
    try make("table \(index.rawValue)", in: db, like: fresh)
  }

  /// Lets the next write put every item into the indexes of words.
  private static func indexAll(in db: Connection) throws {
    try db.run("DELETE FROM search_pending")
    try db.run("INSERT INTO search_pending SELECT id, '', '' FROM item")
  }

  /// The index that a line of SQLite's check is about; nil for any other line.
  private static func indexName(in line: String) -> String? {
    for words in ["missing from index ", "wrong # of entries in index ", "non-unique entry in index "] {
      if let end = line.firstRange(of: words)?.upperBound { return String(line[end...]) }
    }
    return nil
  }

  /// It stays as it is.
  private struct Unmended: Error {}

  /// The lines that SQLite's check is asked for.
  private static let mostLines = 1_000

  // MARK: Checks

  private static func integrity(of db: Connection) throws -> Finding {
    let lines = try faults(in: db)
    return Finding(
      check: .file, state: lines.isEmpty ? .ok : .wrong, count: lines.count,
      examples: Array(lines.prefix(mostExamples)))
  }

  /// Returns the problems that SQLite's integrity check finds in the file, one a line.
  private static func faults(in db: Connection) throws -> [String] {
    var lines: [String] = []
    do {
      lines = try db.values("PRAGMA integrity_check(1000)", as: String.self)
    } catch let error as SQLiteError where error.isCorrupt || error.isGeneral {
      lines.append(error.message)
    }
    return lines.flatMap { $0.split(separator: "\n").map(String.init) }.filter { $0 != "ok" }
  }

  /// SQLite does not even read the rules of tables, `CHECK`, where it may only read the file. So it is opened for
  /// writing, and nothing is written; a file that may not be written is looked at in a copy.
  private static func integrity(withRulesOf path: String, like other: Connection) throws -> Finding {
    let db: Connection
    do {
      let own = try Connection(.file(path), mode: .readWrite)
      try own.execute(script: "PRAGMA query_only = ON")
      if own.isReadOnly {
        db = try Connection(.temporary)
        try own.backup(into: db)
      } else {
        db = own
      }
      try db.defineQueryFunctions()
      db.interrupt(like: other)
    } catch let error as SQLiteError where !error.isInterrupted {
      return Finding(check: .file, state: .unchecked, count: 0, examples: [error.message])
    }
    return try integrity(of: db)
  }

  private static func integrity(at path: String) -> Finding {
    do {
      return try integrity(of: Connection(.file(path), mode: .readOnly))
    } catch {
      let words = (error as? SQLiteError)?.message ?? "\(error)"
      return Finding(check: .file, state: .unchecked, count: 0, examples: [words])
    }
  }

  /// The finding about the schema of a file that cannot be opened as a catalog; nil where that finds nothing.
  private static func schema(at path: String) -> Finding? {
    guard let db = try? Connection(.file(path), mode: .readOnly) else { return nil }
    let finding = try? Store(db: db, path: path, isWritable: false).schema()
    return finding?.state == .wrong ? finding : nil
  }

  /// Whether the file has a view or a trigger that is not of this program.
  static func hasForeignCode(at path: String) -> Bool {
    guard let db = try? Connection(.file(path), mode: .readOnly), let own = try? schema(of: db),
      let new = try? freshSchema()
    else { return true }
    return own.contains { name, text in
      (name.hasPrefix("view ") || name.hasPrefix("trigger ")) && new[name] != text
    }
  }

  /// A new catalog without what is shipped.
  private static func freshDatabase() throws -> Connection {
    let fresh = try Connection(.memory)
    try fresh.defineQueryFunctions()
    for migration in Migration.all { try fresh.execute(script: migration.script) }
    return fresh
  }

  /// The schema of a new catalog.
  private static func freshSchema() throws -> [String: String] { try schema(of: freshDatabase()) }

  /// A letter that fell over leaves a schema that SQLite may well understand, as another one.
  private func schema() throws -> Finding {
    let (own, new) = (try Self.schema(of: db), try Self.freshSchema())
    let wrong = new.filter { own[$0.key] != $0.value }.keys.sorted().map { name in
      own[name] == nil ? "\(name) is missing" : "\(name) was changed"
    }
    // The owner of the file may add tables.
    let more = own.keys.filter { new[$0] == nil && !$0.contains(" sqlite_") }.sorted().map {
      "\($0) is not part of this program"
    }
    return finding(.schema, wrong.isEmpty ? .hint : .wrong, count: wrong.count + more.count, wrong + more)
  }

  /// The definitions of `table item`, `index item_title`, …, with blanks normalized.
  private static func schema(of db: Connection) throws -> [String: String] {
    let blanks = Set(" \n\r\t".unicodeScalars)
    let rows = try db.all(
      """
      SELECT type || ' ' || name AS name,
        typeof(type) || typeof(name) || typeof(tbl_name) || typeof(sql) || tbl_name || ' ' || (rootpage = 0) || ' '
          || coalesce(sql, '') AS text
      FROM sqlite_schema
      """
    ) { row in
      let text = try row.get("text", as: String.self).unicodeScalars.split(whereSeparator: blanks.contains)
      return (try row.get("name", as: String.self), text.map { String($0) }.joined(separator: " "))
    }
    return Dictionary(rows) { _, second in second }
  }

  private func finding(_ check: Finding.Check, _ state: Finding.State, count: Int, _ examples: [String] = []) -> Finding
  {
    Finding(
      check: check, state: count == 0 ? .ok : state, count: count, examples: Array(examples.prefix(Self.mostExamples)))
  }

  /// - Parameter sql: selects the ids of the items and optionally a text for each.
  private func items(_ check: Finding.Check, _ state: Finding.State, _ sql: SQL) throws -> Finding {
    let found = try db.all(sql) { row in
      (ItemID(rawValue: try row.get(at: 0)), row.all.count > 1 ? try row.get(at: 1, as: String.self) : nil)
    }
    var finding = finding(check, state, count: found.count, found.compactMap(\.1))
    finding.items = found.map(\.0)
    return finding
  }

  private func references() throws -> Finding {
    let tables = try db.all("PRAGMA foreign_key_check") { try $0.get(at: 0, as: String.self) }
    return finding(.references, .wrong, count: tables.count, Array(Set(tables)).sorted())
  }

  private func searchIndex() throws -> Finding {
    do {
      // An index checks itself on a special INSERT, which stores nothing but needs a writable index.
      let copy = try copyOfIndexes()
      for index in SearchIndex.allCases {
        try copy.run("INSERT INTO \(index.table) (\(index.table)) VALUES ('integrity-check')")
      }
    } catch let error as SQLiteError where error.isCorrupt {
      return finding(.searchIndex, .wrong, count: 1, ["its parts are not consistent"])
    } catch let error as SQLiteError {
      return Finding(
        check: .searchIndex, state: .unchecked, count: 0,
        examples: ["there is no room for a copy of it: \(error.message)"])
    }
    var (missing, left) = (0, 0)
    for index in SearchIndex.allCases {
      // The items that the index contains. <https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module>
      try db.run(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.indexed USING fts5vocab ('main', '\(index.table)', 'instance')")
      left +=
        try db.value(
          """
          SELECT count(DISTINCT doc) FROM temp.indexed
          WHERE doc NOT IN (SELECT id FROM item) AND doc NOT IN (SELECT item_id FROM search_pending)
          """, as: Int.self) ?? 0
      missing +=
        try db.values(
          """
          SELECT \(index.text) FROM item_text
          WHERE item_id NOT IN (SELECT doc FROM temp.indexed) AND item_id NOT IN (SELECT item_id FROM search_pending)
          """, as: String.self
        )
        // A title like '???' has nothing to index.
        .count { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
      try db.run("DROP TABLE temp.indexed")
    }
    let problems = [(missing, "not indexed"), (left, "indexed but missing")].filter { $0.0 > 0 }
    return finding(.searchIndex, .wrong, count: missing + left, problems.map { "\($0.0) \($0.1)" })
  }

  /// A copy of the search indexes in a temporary file of SQLite; for a catalog in memory, the indexes themselves.
  private func copyOfIndexes() throws -> Connection {
    guard let path else { return db }
    let copy = try Connection(.temporary)
    for index in SearchIndex.allCases {
      let sql = try db.value("SELECT sql FROM sqlite_schema WHERE name = \(index.rawValue)", as: String.self) ?? ""
      try copy.execute(script: Array(sql.utf8))
    }
    try copy.run("ATTACH \(path.hasPrefix("/") ? path : "./" + path) AS catalog")
    try copy.transaction(.deferred) {
      for table in try copy.values(
        "SELECT name FROM main.sqlite_schema WHERE name GLOB 'item_search_*' AND sql NOT LIKE 'CREATE VIRTUAL %'",
        as: String.self)
      {
        try copy.run("DELETE FROM main.\(identifier: table)")
        try copy.run("INSERT INTO main.\(identifier: table) SELECT * FROM catalog.\(identifier: table)")
      }
    }
    return copy
  }

  private func searchPending() throws -> Finding {
    finding(.searchPending, .hint, count: try db.value("SELECT count(*) FROM search_pending") ?? 0)
  }

  private func history() throws -> Finding {
    var damaged = Set<Int64>()
    for part in try db.all(
      "SELECT step_id, part FROM step_change",
      { (id: try $0.get(at: 0, as: Int64.self), part: try $0.get(at: 1, as: Int.self)) })
    {
      let changes = try db.value(
        "SELECT changes FROM step_change WHERE step_id = \(part.id) AND part = \(part.part)", as: [UInt8].self)
      if (try? RowChange.all(in: changes ?? [])) == nil { damaged.insert(part.id) }
    }
    return finding(.history, .wrong, count: damaged.count, damaged.sorted().map { "operation \($0)" })
  }

  /// The tables whose next row would have a number beyond those that every program reads exactly, or none at all:
  /// SQLite says then that the disk is full.
  private func tablesCountingTooFar() throws -> [String] {
    try db.values(
      """
      SELECT name FROM sqlite_sequence
      WHERE typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND \(JSON.exactIntegers.upperBound) ORDER BY name
      """, as: String.self)
  }

  private func numbers() throws -> Finding {
    let tables = try tablesCountingTooFar()
    return finding(.numbers, .wrong, count: tables.count, tables)
  }

  /// Lets a table count on from its last row.
  private func countOn(from table: String) throws {
    guard db.hasTable(table) else { return }
    try db.run(
      "UPDATE sqlite_sequence SET seq = coalesce((SELECT max(rowid) FROM \(identifier: table)), 0) WHERE name = \(table)"
    )
  }

  private func people() throws -> Finding {
    let names = try db.values(
      "SELECT name FROM person WHERE NOT EXISTS (SELECT 1 FROM credit WHERE person_id = person.id) ORDER BY name",
      as: String.self)
    return finding(.people, .wrong, count: names.count, names)
  }

  /// Finds month 13 and year 0, which the constraints of the file allow.
  private func dates() throws -> Finding {
    try items(
      .dates, .wrong,
      """
      SELECT item_id, date FROM (
        SELECT id AS item_id, released AS date FROM item UNION ALL SELECT item_id, published FROM book
        UNION ALL SELECT item_id, seen_on FROM card)
      WHERE date < '0001' OR length(date) = 7 AND substr(date, 6) NOT BETWEEN '01' AND '12' ORDER BY item_id
      """)
  }

  private func isbns() throws -> Finding {
    let wrong = try db.all("SELECT item_id, isbn13 FROM book WHERE isbn13 IS NOT NULL ORDER BY item_id") {
      (ItemID(rawValue: try $0.get(at: 0)), try $0.get(at: 1, as: String.self))
    }.filter { (try? ISBN($0.1)) == nil }
    var finding = finding(.isbn, .wrong, count: wrong.count, wrong.map(\.1))
    finding.items = wrong.map(\.0)
    return finding
  }

  private func oddDates(now: Date) throws -> Finding {
    // A clock may be a day off, and a film may be announced years ahead.
    let tomorrow = Timestamp(now.addingTimeInterval(86_400))
    let today = localTime.day(of: Timestamp(now))
    let farYear = (Int(today.prefix(4)) ?? 9999) + 5
    return try items(
      .oddDates, .hint,
      """
      SELECT id, 'comes out in ' || year FROM item WHERE year > \(farYear)
      UNION ALL SELECT id, 'released ' || released || ', but of the year ' || year FROM item
        WHERE CAST(substr(released, 1, 4) AS INTEGER) <> year
      UNION ALL SELECT id, 'added ' || catalog_day(created_at) FROM item WHERE created_at > \(tomorrow.rawValue)
      UNION ALL SELECT item_id, 'seen on ' || seen_on FROM card WHERE seen_on > \(localTime.day(of: tomorrow))
      UNION ALL SELECT card.item_id, 'seen on ' || seen_on || ', before it came out in ' || year
        FROM card JOIN item ON item.id = card.item_id WHERE CAST(substr(seen_on, 1, 4) AS INTEGER) < year
      """)
  }

  private func barcodes() throws -> Finding {
    let wrong = try db.all("SELECT item_id, barcode FROM vinyl WHERE barcode IS NOT NULL ORDER BY item_id") {
      (ItemID(rawValue: try $0.get(at: 0)), try $0.get(at: 1, as: String.self))
    }.filter { (try? Barcode($0.1)) == nil }
    var finding = finding(.barcodes, .hint, count: wrong.count, wrong.map(\.1))
    finding.items = wrong.map(\.0)
    return finding
  }

  private func withoutGenre() throws -> Finding {
    try items(
      .genres, .hint,
      "SELECT id FROM item WHERE NOT EXISTS (SELECT 1 FROM item_genre WHERE item_id = item.id) ORDER BY id")
  }

  private func labels() throws -> Finding {
    let labels = try unknownLabels()
    return finding(.labels, .hint, count: labels.count, labels.map { "\($0.label) (\($0.source), \($0.items))" })
  }

  private func withoutCreator() throws -> Finding {
    try items(
      .creators, .hint,
      "SELECT id FROM item WHERE NOT EXISTS (SELECT 1 FROM credit WHERE item_id = item.id) ORDER BY id")
  }

  private func names() throws -> Finding {
    let pairs = try nearNames()
    return finding(.names, .hint, count: pairs.count, pairs.map { "\($0), \($1)" })
  }

  private func duplicates() throws -> Finding {
    let doubles = try doubles()
    var finding = finding(
      .duplicates, .hint, count: doubles.count,
      try doubles.prefix(Self.mostExamples).map { double in
        let item = try item(double.first).record
        return "catalog merge \(double.first) \(double.second)  \(item.title)" + (item.year.map { " (\($0))" } ?? "")
      })
    finding.items = Set(doubles.flatMap { [$0.first, $0.second] }).sorted()
    return finding
  }
}
