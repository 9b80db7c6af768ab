import SQLite
import Synchronization
import Testing

struct ConnectionTests {
  let db: Connection

  init() throws {
    db = try Connection(.memory)
    try db.execute(script: "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB) STRICT")
  }

  @Test func `values are read as they were written`() throws {
    let name = "널\u{0}바이트 'quoted' 🎬"
    try db.run("INSERT INTO t VALUES (\(1), \(name), \(1.5), \([0, 255] as [UInt8]))")
    try db.run("INSERT INTO t VALUES (\(2), \(""), \(Double?.none), \([] as [UInt8]))")
    let rows = try db.all("SELECT * FROM t ORDER BY id") { $0.all }
    #expect(
      rows == [[.integer(1), .text(name), .real(1.5), .blob([0, 255])], [.integer(2), .text(""), .null, .blob([])]])
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `a text is the same in a database of any encoding`(encoding: String) throws {
    let db = try Connection(.memory)
    try db.execute(script: Array("PRAGMA encoding = '\(encoding)'; CREATE TABLE t (name)".utf8))
    for name in ["한 줄 🎬", "", String(repeating: "x", count: 5_000)] { try db.run("INSERT INTO t VALUES (\(name))") }
    try db.run("INSERT INTO t VALUES (12), (1.5), (NULL)")
    var texts: [String] = []
    var lengths: [Int] = []
    try db.forEach("SELECT name FROM t ORDER BY rowid") { row in
      texts.append(row.text(0))
      lengths.append(row.withText(0, \.count))
      return true
    }
    #expect(texts == ["한 줄 🎬", "", String(repeating: "x", count: 5_000), "12", "1.5", ""])
    #expect(lengths == texts.map(\.utf8.count))
  }

  @Test func `triggers are disabled for one block, also after an error`() throws {
    try db.execute(
      script: "CREATE TRIGGER no_a BEFORE INSERT ON t WHEN NEW.name = 'a' BEGIN SELECT RAISE(ABORT, 'no'); END")
    try db.withoutTriggers { _ = try db.run("INSERT INTO t (name) VALUES (\("a"))") }
    #expect(throws: SQLiteError.self) { try db.withoutTriggers { _ = try db.run("INSERT INTO nowhere VALUES (1)") } }
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t (name) VALUES (\("a"))") }
    #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 1)
  }

  @Test func `an interpolated text is bound as a value and never parsed as SQL`() throws {
    let evil = "x'); DROP TABLE t; --"
    try db.run("INSERT INTO t (name) VALUES (\(evil))")
    #expect(try db.value("SELECT name FROM t") == evil)
    let query: SQL = "SELECT \(identifier: "a\"b") FROM t WHERE id IN (\(list: [1, 2])) AND \("name = \(evil)" as SQL)"
    #expect(query.text == "SELECT \"a\"\"b\" FROM t WHERE id IN (?, ?) AND name = ?")
    #expect(query.arguments == [.integer(1), .integer(2), .text(evil)])
  }

  @Test func `a misspelled column in double quotes is an error`() throws {
    #expect(throws: SQLiteError.self) { try db.run("SELECT \"typo\" FROM t") }
  }

  @Test func `an error has the statement's code and no bound value`() throws {
    try db.run("INSERT INTO t (id) VALUES (7)")
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t (id, name) VALUES (\(7), \("secret"))") }
    #expect(error?.isConstraint == true)
    #expect(error?.code == 1555)  // SQLITE_CONSTRAINT_PRIMARYKEY
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `what is no regular file is not opened, in any mode`() throws {
    for mode in [Connection.Mode.readOnly, .immutable, .readWrite, .create] {
      let error = #expect(throws: SQLiteError.self) { try Connection(.file("/dev/zero"), mode: mode) }
      #expect(error?.obstacle == "/dev/zero")
      #expect(error?.cannotOpen == true)
    }
  }

  @Test func `a second statement in one string is refused`() throws {
    #expect(throws: SQLiteError.self) { try db.run("DELETE FROM t; DELETE FROM t") }
    try db.run("DELETE FROM t;  ")
  }

  @Test func `a wrong type is an error that names the column`() throws {
    try db.run("INSERT INTO t (name) VALUES ('a')")
    let error = #expect(throws: ColumnError.self) {
      try db.one("SELECT name FROM t") { try $0.get("name", as: Int.self) }
    }
    #expect(error?.description == "column 'name' holds TEXT, not Int")
    #expect(throws: ColumnError.self) { try db.one("SELECT name FROM t") { try $0.get("nome", as: String.self) } }
    #expect(throws: ColumnError.self) { try db.one("SELECT size FROM t") { try $0.get("size", as: Double.self) } }
    #expect(try db.one("SELECT size FROM t") { try $0.get("size", as: Double?.self) } == .some(nil))
  }

  @Test func `an error rolls back the transaction, and an inner error only its savepoint`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try db.transaction {
        try db.run("INSERT INTO t (id) VALUES (1)")
        throw Stop()
      }
    }
    try db.transaction {
      try db.run("INSERT INTO t (id) VALUES (2)")
      try? db.transaction {
        try db.run("INSERT INTO t (id) VALUES (3)")
        throw Stop()
      }
    }
    #expect(try db.values("SELECT id FROM t", as: Int.self) == [2])
    #expect(!db.isInTransaction)
  }

  @Test func `a query inside the loop of the same query has its own statement`() throws {
    for id in 1...3 { try db.run("INSERT INTO t (id) VALUES (\(id))") }
    var seen: [Int] = []
    try db.forEach("SELECT id FROM t ORDER BY id") { outer in
      try db.forEach("SELECT id FROM t ORDER BY id") { inner in
        seen.append(Int(outer.integer(0) * 10 + inner.integer(0)))
        return true
      }
      return true
    }
    #expect(seen == [11, 12, 13, 21, 22, 23, 31, 32, 33])
  }

  @Test func `Swift functions can be called in SQL`() throws {
    try db.define("twice", argumentCount: 1) { values in
      if case .text(let text) = values[0] { .text(text + text) } else { .null }
    }
    #expect(try db.value("SELECT twice(\("가"))") == "가가")
    #expect(try db.value("SELECT twice(1)", as: String.self) == nil)
  }

  @Test func `a long statement ends when it is interrupted`() throws {
    db.interrupt { true }
    let error = #expect(throws: SQLiteError.self) {
      try db.value(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", as: Int.self)
    }
    #expect(error?.isInterrupted == true)
  }

  @Test func `an interrupted statement is an error at any point and never a shorter result`() throws {
    let numbers: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    let questions: [() throws -> Int?] = [
      { try db.all("\(numbers) SELECT i FROM n") { try $0.get("i", as: Int.self) }.count },
      { try db.values("\(numbers) SELECT i FROM n", as: Int.self).count },
      { try db.value("\(numbers) SELECT count(*) FROM n") },
      { try db.one("\(numbers) SELECT max(i) AS last FROM n") { try $0.get("last", as: Int.self) } },
      {
        var count = 0
        try db.forEach("\(numbers) SELECT i FROM n") { _ in
          count += 1
          return true
        }
        return count
      },
      { try db.prepare("\(numbers) SELECT count(*) FROM n").integer([]).map { Int($0) } },
      { try db.run("\(numbers) INSERT INTO t (id) SELECT i FROM n") },
    ]
    let asked = Atomic(0)
    for (number, question) in questions.enumerated() {
      for patience in 0... {
        asked.store(0, ordering: .relaxed)
        db.interrupt { asked.wrappingAdd(1, ordering: .relaxed).oldValue >= patience }
        do {
          #expect(try question() == 20_000)
          #expect(patience > 5, "question \(number) was never stopped")
          break
        } catch let error as SQLiteError {
          #expect(error.isInterrupted, "question \(number): \(error)")
          #expect(try db.value("SELECT count(*) FROM t") == 0)
        }
      }
    }
  }

  @Test func `foreign keys are enforced`() throws {
    try db.execute(script: "CREATE TABLE child (t INTEGER REFERENCES t(id)) STRICT")
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO child VALUES (99)") }
  }

  @Test func `a prepared statement can run many times`() throws {
    let insert = try db.prepare("INSERT INTO t (name) VALUES (?)")
    #expect(try insert.run(.text("a")) == 1)
    #expect(try insert.run(.null) == 2)
    #expect(try db.value("SELECT count(*) FROM t") == 2)
  }
}
