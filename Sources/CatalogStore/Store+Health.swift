public import CatalogModel
public import FoundationEssentials
internal import SQLite

/// What one check of the catalog found.
public struct Finding: Sendable, Hashable {
  /// What was looked at. The name is a promise: programs read it.
  public enum Check: String, CaseIterable, Sendable {
    /// The file as SQLite sees it: its pages, indexes, keys and rules.
    case file
    /// Rows that point at rows which are not there.
    case references
    case searchIndex = "search_index"
    /// Rows that another program wrote, and the search does not know yet: the next command that searches indexes them.
    case searchPending = "search_pending"
    /// People whom no item names.
    case people
    /// Dates that are none: month 13.
    case dates
    case isbn
    /// Dates that are possible and unlikely.
    case oddDates = "odd_dates"
    case barcodes
    case genres
    case labels
    case creators
    case duplicates
  }

  public enum State: String, Sendable {
    case ok
    /// Worth a look, and no fault.
    case hint
    case wrong
    /// It was wrong, and is not any more.
    case fixed
  }

  public var check: Check
  public var state: State
  public var count: Int
  /// What it is about: SQLite's words, labels, titles. Not all of them when there are many.
  public var examples: [String] = []
  /// The items it is about.
  public var items: [ItemID] = []

  /// Whether ``Store/fix(_:)`` can mend it.
  public var isFixable: Bool {
    [.hint, .wrong].contains(state) && [.searchIndex, .searchPending, .people].contains(check)
  }
}

extension Store {
  /// At most so many examples stand in one finding.
  private static let mostExamples = 20

  /// Looks at everything that can be wrong with the catalog, and at what is merely odd. Changes nothing.
  public func examine(now: Date) throws -> [Finding] {
    var findings = [try Self.integrity(of: db)]
    // What stands in a damaged file is not worth asking about.
    guard findings[0].state == .ok else { return findings }
    findings += [
      try references(), try searchIndex(), try searchPending(), try people(), try dates(), try isbns(),
      try oddDates(now: now), try barcodes(), try withoutGenre(), try labels(), try withoutCreator(), try duplicates(),
    ]
    return findings
  }

  /// Mends what can be mended without losing anything, and says what became of it.
  public func fix(_ findings: [Finding]) throws -> [Finding] {
    let broken = Set(findings.filter(\.isFixable).map(\.check))
    guard !broken.isEmpty else { return findings }
    try write {
      if broken.contains(.searchIndex) {
        // The index is made anew from nothing.
        try db.run("INSERT INTO item_search (item_search) VALUES ('delete-all')")
        try db.run("DELETE FROM search_pending")
        try db.run("INSERT INTO search_pending SELECT id, '' FROM item")
      }
      if broken.contains(.people) { try ItemWriter(db).forgetUnusedPeople() }
    }
    return findings.map { finding in
      var finding = finding
      if broken.contains(finding.check) { finding.state = .fixed }
      return finding
    }
  }

  /// The same first check for a file that is too damaged to be opened as a catalog.
  public static func examineDamaged(at path: String) -> Finding {
    do {
      let finding = try integrity(of: Connection(.file(path), mode: .readOnly))
      if finding.state == .wrong { return finding }
    } catch let error as SQLiteError {
      return Finding(check: .file, state: .wrong, count: 1, examples: [error.message])
    } catch {}
    return Finding(check: .file, state: .wrong, count: 1, examples: ["the file is shorter than it says of itself"])
  }

  // MARK: Checks

  private static func integrity(of db: Connection) throws -> Finding {
    var lines: [String] = []
    do {
      lines = try db.values("PRAGMA integrity_check(20)", as: String.self)
    } catch let error as SQLiteError where error.isCorrupt {
      lines.append(error.message)
    }
    lines = lines.flatMap { $0.split(separator: "\n").map(String.init) }.filter { $0 != "ok" }
    return Finding(check: .file, state: lines.isEmpty ? .ok : .wrong, count: lines.count, examples: lines)
  }

  private func finding(_ check: Finding.Check, _ state: Finding.State, count: Int, _ examples: [String] = []) -> Finding
  {
    Finding(
      check: check, state: count == 0 ? .ok : state, count: count, examples: Array(examples.prefix(Self.mostExamples)))
  }

  /// - Parameter sql: selects the items' ids and, perhaps, what to say of each.
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
    // The index checks itself when a row tells it to, which is not stored; that takes a file that can be written.
    guard isWritable else { return finding(.searchIndex, .ok, count: 0) }
    do {
      try db.run("INSERT INTO item_search (item_search) VALUES ('integrity-check')")
    } catch let error as SQLiteError where error.isCorrupt {
      return finding(.searchIndex, .wrong, count: 1, ["its parts do not fit together"])
    }
    // Which items it knows. <https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module>
    try db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.indexed USING fts5vocab ('main', 'item_search', 'instance')")
    let left = try db.value(
      """
      SELECT count(DISTINCT doc) FROM temp.indexed
      WHERE doc NOT IN (SELECT id FROM item) AND doc NOT IN (SELECT item_id FROM search_pending)
      """, as: Int.self)
    let missing = try db.values(
      """
      SELECT text FROM item_text
      WHERE item_id NOT IN (SELECT doc FROM temp.indexed) AND item_id NOT IN (SELECT item_id FROM search_pending)
      """, as: String.self
    )
    // Of a title like '???' there is nothing to index.
    .count { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
    try db.run("DROP TABLE temp.indexed")
    let problems = [(missing, "not indexed"), (left ?? 0, "indexed and not there")].filter { $0.0 > 0 }
    return finding(.searchIndex, .wrong, count: missing + (left ?? 0), problems.map { "\($0.0) \($0.1)" })
  }

  private func searchPending() throws -> Finding {
    finding(.searchPending, .hint, count: try db.value("SELECT count(*) FROM search_pending") ?? 0)
  }

  private func people() throws -> Finding {
    let names = try db.values(
      "SELECT name FROM person WHERE NOT EXISTS (SELECT 1 FROM credit WHERE person_id = person.id) ORDER BY name",
      as: String.self)
    return finding(.people, .wrong, count: names.count, names)
  }

  /// The file's rules let month 13 and year 0 pass.
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
    let today = Timestamp(now).day
    // A clock that is a day off is no matter; a film may be announced for the year after next.
    let tomorrow = Timestamp(now.addingTimeInterval(86_400)).rawValue
    let farYear = (Int(today.prefix(4)) ?? 9999) + 5
    return try items(
      .oddDates, .hint,
      """
      SELECT id, 'comes out in ' || year FROM item WHERE year > \(farYear)
      UNION ALL SELECT id, 'released ' || released || ', but of the year ' || year FROM item
        WHERE CAST(substr(released, 1, 4) AS INTEGER) <> year
      UNION ALL SELECT id, 'added ' || substr(created_at, 1, 10) FROM item WHERE created_at > \(tomorrow)
      UNION ALL SELECT item_id, 'seen on ' || seen_on FROM card WHERE seen_on > \(Timestamp(now).day)
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

  private func duplicates() throws -> Finding {
    try items(
      .duplicates, .hint,
      """
      SELECT id, title || coalesce(' (' || year || ')', '') FROM (
        SELECT id, title, year, count(*) OVER (PARTITION BY kind, title COLLATE NOCASE, year) AS copies FROM item)
      WHERE copies > 1 ORDER BY title COLLATE NOCASE, id
      """)
  }
}
