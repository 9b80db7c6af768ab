import FoundationEssentials
import Glibc
import SQLite

/// All that a home keeps, as values that can be compared: every row of every database, every setting. Times are left
/// out.
struct State: Hashable {
  /// By file and table: the rows as text.
  private(set) var tables: [String: [String: String]] = [:]
  private(set) var settings: [String: String] = [:]

  /// - Throws: SQLite's error for a file that it cannot read.
  init(of home: Home) throws {
    for file in home.files where CatalogFile.isOne(file) {
      let db = try Connection(.file(home[file]), mode: .readWrite)
      let rows = try CatalogFile.rows(of: db)
      // A catalog without an item is as good as none.
      if rows["item"] != nil || file != Home.catalog { tables[file] = rows }
    }
    settings = (try? JSONDecoder().decode([String: String].self, from: Data(home.bytes(of: Home.configuration)))) ?? [:]
    if home.files.contains(Home.choice) {
      settings["profile"] = String(decoding: home.bytes(of: Home.choice), as: UTF8.self)
    }
  }

  /// A short description of the differences from another state.
  func difference(from other: State) -> String {
    var words: [String] = []
    for file in Set(tables.keys).union(other.tables.keys).sorted() {
      guard let own = tables[file], let others = other.tables[file] else {
        words.append("\(file) is \(tables[file] == nil ? "missing" : "there")")
        continue
      }
      for name in Set(own.keys).union(others.keys).sorted() where own[name] != others[name] {
        let (lines, wanted) = (Self.lines(own[name]), Self.lines(others[name]))
        let changed = lines.subtracting(wanted).sorted().prefix(2).map { "has \($0)" }
        let missing = wanted.subtracting(lines).sorted().prefix(2).map { "lacks \($0)" }
        words.append("\(file) \(name) " + (changed + missing).joined(separator: ", "))
      }
    }
    for name in Set(settings.keys).union(other.settings.keys).sorted() where settings[name] != other.settings[name] {
      words.append("setting \(name) is \(settings[name] ?? "gone")")
    }
    return words.isEmpty ? "the same" : words.prefix(4).joined(separator: "; ") + (words.count > 4 ? "; …" : "")
  }

  private static func lines(_ text: String?) -> Set<Substring> { Set((text ?? "").split(separator: "\n")) }
}

/// A catalog as any SQLite program sees it. Nothing here knows the program under test.
enum CatalogFile {
  static func isOne(_ file: String) -> Bool { file.hasSuffix(".db") || file.hasSuffix(".bak") }

  /// The rows of each table, in order, without the times of their changes, and the words of the search index. Typed
  /// command lines and the number of recorded parts are not compared: an interrupted command equals a shorter one.
  static func rows(of db: Connection) throws -> [String: String] {
    var rows: [String: String] = [:]
    let tables = try db.values(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'item\\_search%' ESCAPE '\\'
        AND name <> 'step_change'
      ORDER BY name
      """, as: String.self)
    for table in tables {
      let columns = try db.values(
        "SELECT name FROM pragma_table_info(\(table)) WHERE name NOT LIKE '%\\_at' ESCAPE '\\' AND name NOT IN ('at', 'line')",
        as: String.self)
      let line = columns.map { "quote(\(identifier: $0))" as SQL }.joined(separator: " || ' ' || ")
      rows[table] = try db.value(
        "SELECT group_concat(line, char(10)) FROM (SELECT \(line) AS line FROM \(identifier: table) ORDER BY 1)")
    }
    if !tables.isEmpty {
      rows["PRAGMA"] = try db.value("PRAGMA user_version", as: Int.self).map { "version \($0)" }
      for index in try indexes(of: db) {
        try db.run("CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, \(identifier: index), instance)")
        rows[index] = try db.value(
          "SELECT group_concat(line, char(10)) FROM (SELECT term || ' ' || doc AS line FROM temp.term ORDER BY 1)")
        try db.run("DROP TABLE temp.term")
      }
    }
    return rows
  }

  /// Its indexes of words; a file of an older version has one.
  private static func indexes(of db: Connection) throws -> [String] {
    try db.values("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY name")
  }

  /// The problems of a catalog, independent of its last writer.
  ///
  /// - Parameter isIndexed: whether the program has opened it since, so that the search index must be complete.
  static func problems(of db: Connection, isIndexed: Bool = true) throws -> [String] {
    var problems: [String] = []
    let integrity = try db.values("PRAGMA integrity_check", as: String.self)
    if integrity != ["ok"] { problems.append("integrity_check: \(integrity.prefix(3).joined(separator: ", "))") }
    let orphans = try db.all("PRAGMA foreign_key_check") { try $0.get(at: 0, as: String.self) }
    if !orphans.isEmpty { problems.append("foreign_key_check: rows of \(Set(orphans).sorted())") }
    // An empty file, which a killed program may leave, has no index.
    guard try db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'item_search'", as: Int.self) == 1 else {
      return problems
    }
    do {
      for index in try indexes(of: db) {
        try db.run(
          "INSERT INTO \(identifier: index) (\(identifier: index), rank) VALUES ('integrity-check', 1)")
      }
    } catch {
      problems.append("the search index is out of order: \(error)")
    }
    let pending = try db.value("SELECT count(*) FROM search_pending", as: Int.self) ?? 0
    if isIndexed, pending > 0 { problems.append("\(pending) items wait to be indexed") }
    return problems
  }
}

extension Home {
  /// The broken invariants of the home.
  ///
  /// - Parameter isSeen: whether the program has opened the catalogs since the last write.
  func problems(isSeen: Bool = true) -> [String] {
    var problems: [String] = []
    let files = files
    for file in files where CatalogFile.isOne(file) {
      do {
        let db = try Connection(.file(self[file]), mode: .readWrite)
        problems += try CatalogFile.problems(of: db, isIndexed: isSeen).map { "\(file): \($0)" }
        // The name of catalog.db.v4.bak contains its version.
        if isSeen, file.hasSuffix(".bak"), let version = file.split(separator: ".").dropLast().last?.dropFirst() {
          let found = try db.value("PRAGMA user_version", as: Int.self) ?? 0
          if Int(version) != found { problems.append("\(file) is a catalog of version \(found)") }
        }
      } catch {
        problems.append("\(file) cannot be read: \(error)")
      }
      // Another profile's is no copy.
      if isSeen, !file.contains("/profiles/"), let mode = mode(of: file), let own = self.mode(of: Home.catalog),
        mode != own
      {
        problems.append(
          "\(file) has the mode \(String(mode & 0o777, radix: 8)), the catalog \(String(own & 0o777, radix: 8))")
      }
    }
    if files.contains(Home.configuration) {
      if (try? JSONDecoder().decode([String: String].self, from: Data(bytes(of: Home.configuration)))) == nil {
        problems.append("the settings are no JSON object of texts")
      }
      if mode(of: Home.configuration).map({ $0 & 0o777 }) != 0o600 { problems.append("others can read the settings") }
    }
    // SQLite passes over a journal that begins with a zero, and over an empty one.
    if isSeen, bytes(of: Home.catalog + "-journal").first ?? 0 != 0 { problems.append("a journal is left") }
    return problems
  }
}
