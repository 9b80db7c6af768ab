import SQLite
import TestSupport

/// Runs random commands of a user with random undos and redos, and compares the catalog row by row with its earlier
/// states.
struct Undoing {
  /// Runs a command in the catalog.
  let run: ([String]) throws -> (status: Int32, words: String)
  private let db: Connection
  private var chance: Chance
  /// The commands since the beginning of the round, for the report of a problem.
  private var done: [String] = []

  init(seed: UInt64, in db: Connection, run: @escaping ([String]) throws -> (status: Int32, words: String)) {
    (self.run, self.db, chance) = (run, db, Chance(seed: seed, in: db))
  }

  /// Runs one round of at most `actions` actions.
  /// - Returns: the problem; nil when there is none.
  mutating func round(actions: Int = 10) throws -> String? {
    done = []
    // A viewing cannot be undone, so it comes first.
    if chance.happens(0.5), let item = try chance.item() { _ = try perform(["show", item, "--offline"]) }
    var states = [try Self.rows(of: db)]
    var place = 0
    for _ in 0..<actions {
      let newest = try newest()
      if place > 0, chance.happens(0.25) {
        let count = chance.number(1...min(3, place))
        place -= count
        if let problem = try turn("undo", count, to: states[place]) { return problem }
      } else if place < states.count - 1, chance.happens(0.6) {
        let count = chance.number(1...min(3, states.count - 1 - place))
        place += count
        if let problem = try turn("redo", count, to: states[place]) { return problem }
      } else {
        guard let words = try chance.one(of: UndoableCommand.all).words(&chance) else { continue }
        let (status, said) = try perform(words)
        guard (0...2).contains(status) else { return failure("\(words) ended with \(status): \(said)") }
        let rows = try Self.rows(of: db)
        if try self.newest() == newest {
          if let difference = Self.difference(rows, states[place]) {
            return failure("it is no operation, and changed \(difference)")
          }
        } else {
          states = states.prefix(place + 1) + [rows]
          place += 1
        }
      }
    }
    // To the beginning, and on to the end.
    if place > 0, let problem = try turn("undo", place, to: states[0]) { return problem }
    if states.count > 1, let problem = try turn("redo", states.count - 1, to: states[states.count - 1]) {
      return problem
    }
    return nil
  }

  private mutating func turn(_ way: String, _ count: Int, to state: [String: [String]]) throws -> String? {
    let (status, said) = try perform([way, "\(count)", "--yes"])
    guard status == 0, !said.contains("left alone") else {
      return failure("\(way) \(count) ended with \(status): \(said)")
    }
    return Self.difference(try Self.rows(of: db), state).map { failure("after \(way) \(count): \($0)") }
  }

  private mutating func perform(_ words: [String]) throws -> (status: Int32, words: String) {
    done.append(words.joined(separator: " "))
    return try run(words)
  }

  private func failure(_ words: String) -> String { words + "\n    " + done.joined(separator: "\n    ") }

  private func newest() throws -> Int64? { try db.value("SELECT max(id) FROM step WHERE undone_at IS NULL") }

  // MARK: Rows

  /// All rows of the recorded tables, and the words of the search index.
  static func rows(of db: Connection) throws -> [String: [String]] {
    let tables = try db.values(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'item_search*' AND name NOT GLOB 'step*'
        AND name NOT GLOB 'trending*' AND name NOT IN ('setting', 'sqlite_sequence')
      """, as: String.self)
    var rows: [String: [String]] = [:]
    for table in tables {
      let columns = try db.values("SELECT name FROM pragma_table_info(\(table))", as: String.self)
      let line = columns.map { "quote(\(identifier: $0))" as SQL }.joined(separator: " || ' ' || ")
      rows[table] = try db.values("SELECT \(line) FROM \(identifier: table) ORDER BY 1")
    }
    for index in ["item_search", "item_search_own"] {
      try db.run("CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, \(identifier: index), instance)")
      rows[index] = try db.values("SELECT term || ' ' || doc FROM temp.term ORDER BY 1")
      try db.run("DROP TABLE temp.term")
    }
    return rows
  }

  /// A short description of the differences between rows.
  static func difference(_ rows: [String: [String]], _ others: [String: [String]]) -> String? {
    for table in rows.keys.sorted() where rows[table] != others[table] {
      let (own, wanted) = (Set(rows[table] ?? []), Set(others[table] ?? []))
      return
        "\(table) has \(own.subtracting(wanted).sorted().prefix(3)), lacks \(wanted.subtracting(own).sorted().prefix(3))"
    }
    return nil
  }

  // MARK: The program

  /// Rounds with the built program, each some of them in a home of their own.
  static func run(count: Int, seed: UInt64, in folder: String, program: String, begin: (Int) -> Void) throws -> Report {
    let together = 25
    var report = Report(columns: "rounds")
    for start in stride(from: 0, to: count, by: together) {
      let home = Home(path: "\(folder)/undo")
      try home.make()
      _ = try home.run(["add", "movie", "--title", "Stalker", "--genre", "Drama", "--yes"], program: program)
      let db = try Connection(.file(home[Home.catalog]), mode: .readWrite)
      var undoing = Undoing(seed: seed &+ UInt64(start), in: db) { words in
        let outcome = try home.run(words, program: program)
        return (outcome.status, outcome.output + outcome.errors)
      }
      for number in start..<min(count, start + together) {
        begin(number)
        report.count("rounds", of: "undo")
        guard let problem = try undoing.round() else { continue }
        report.fail(
          "round \(number): \(problem)", of: "undo", again: "undo --seed \(seed &+ UInt64(start)) --count \(together)")
        break
      }
      for problem in home.problems() {
        report.fail(problem, of: "undo", again: "undo --seed \(seed &+ UInt64(start)) --count \(together)")
      }
    }
    return report
  }
}
