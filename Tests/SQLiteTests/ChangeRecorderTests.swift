import Testing

@testable import SQLite

struct ChangeRecorderTests {
  private let db: Connection
  private static let tables = [
    RecordedTable("t", touched: 2), RecordedTable("part", keyCount: 2, owner: 0), RecordedTable("note", owner: 1),
  ]

  init() throws {
    db = try Connection(.memory)
    try db.execute(
      script: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, updated_at TEXT, weight REAL) STRICT;
        CREATE TABLE part (
          t INTEGER NOT NULL REFERENCES t (id) ON DELETE CASCADE, position INTEGER NOT NULL, word BLOB, PRIMARY KEY (t, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE note (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id) ON DELETE SET NULL) STRICT;
        CREATE TABLE other (id INTEGER PRIMARY KEY) STRICT;
        """)
  }

  private func changes(_ body: () throws -> Void) throws -> [RowChange] {
    let recorder = db.record(Self.tables)
    defer { recorder.stop() }
    try body()
    return try RowChange.all(in: recorder.take())
  }

  private func insert(_ table: String, _ columns: Int, _ key: [Value], _ owner: Value, _ row: [Value]) -> RowChange {
    RowChange(
      table: table, columnCount: columns, key: key, owner: owner,
      act: .inserted(fingerprint: RowChange.fingerprint(of: row, touched: table == "t" ? 2 : nil)))
  }

  @Test func `the recorder notes every change with the values to undo it`() throws {
    let noted = try changes {
      try db.run("INSERT INTO t VALUES (7, 'a name', 'now', 2.0)")
      try db.run("INSERT INTO part VALUES (7, 1, x'0102'), (7, 2, NULL)")
      try db.run("INSERT INTO other VALUES (1)")
      try db.run("UPDATE t SET name = 'another', weight = 2.5")
      try db.run("UPDATE t SET name = 'another'")
      try db.run("UPDATE part SET position = 3 WHERE position = 2")
      try db.run("DELETE FROM t")
    }
    #expect(
      noted == [
        insert("t", 4, [.integer(7)], .null, [.integer(7), .text("a name"), .text("now"), .real(2)]),
        insert("part", 3, [.integer(7), .integer(1)], .integer(7), [.integer(7), .integer(1), .blob([1, 2])]),
        insert("part", 3, [.integer(7), .integer(2)], .integer(7), [.integer(7), .integer(2), .null]),
        RowChange(
          table: "t", columnCount: 4, key: [.integer(7)], owner: .null,
          act: .updated([
            .init(index: 1, old: .text("a name"), new: .text("another")),
            .init(index: 3, old: .real(2), new: .real(2.5)),
          ])),
        RowChange(
          table: "part", columnCount: 3, key: [.integer(7), .integer(2)], owner: .integer(7),
          act: .deleted([.integer(7), .integer(2), .null])),
        insert("part", 3, [.integer(7), .integer(3)], .integer(7), [.integer(7), .integer(3), .null]),
        RowChange(
          table: "t", columnCount: 4, key: [.integer(7)], owner: .null,
          act: .deleted([.integer(7), .text("another"), .text("now"), .real(2.5)])),
        RowChange(
          table: "part", columnCount: 3, key: [.integer(7), .integer(1)], owner: .integer(7),
          act: .deleted([.integer(7), .integer(1), .blob([1, 2])])),
        RowChange(
          table: "part", columnCount: 3, key: [.integer(7), .integer(3)], owner: .integer(7),
          act: .deleted([.integer(7), .integer(3), .null])),
      ])
  }

  @Test func `replaced rows and rows changed by a cascade are recorded`() throws {
    try db.run("INSERT INTO t (id, name) VALUES (1, 'first')")
    try db.run("INSERT INTO note VALUES (5, 1)")
    let replaced = try changes { try db.run("INSERT OR REPLACE INTO t (id, name) VALUES (1, 'second')") }
    #expect(replaced.map(\.table) == ["t", "note", "t"])
    #expect(replaced.first?.act == .deleted([.integer(1), .text("first"), .null, .null]))
    #expect(replaced[1].act == .updated([.init(index: 1, old: .integer(1), new: .null)]))
  }

  @Test func `changes that are rolled back are not recorded`() throws {
    struct Stop: Error {}
    let noted = try changes {
      try db.transaction {
        try db.run("INSERT INTO t (id) VALUES (1)")
        #expect(throws: Stop.self) {
          try db.transaction {
            try db.run("INSERT INTO part VALUES (1, 1, NULL)")
            throw Stop()
          }
        }
        try db.run("INSERT INTO part VALUES (1, 2, NULL)")
      }
    }
    #expect(noted.map(\.key) == [[.integer(1)], [.integer(1), .integer(2)]])
  }

  @Test func `many changes are passed on in portions between statements and outside savepoints`() throws {
    var portions: [[UInt8]] = []
    try db.run("INSERT INTO t (id) VALUES (1), (2), (3), (4)")
    let recorder = db.record(Self.tables)
    recorder.onFull = { portions.append($0) }
    let word = [UInt8](repeating: 7, count: 1 << 17)
    try db.transaction {
      for number in 1...4 { try db.run("INSERT INTO part VALUES (\(number), 1, \(word))") }
      _ = try db.transaction { try db.run("DELETE FROM part") }
      #expect(portions.isEmpty)
      try db.run("INSERT INTO other VALUES (1)")
      #expect(portions.count == 1)
      #expect(recorder.take().isEmpty)
    }
    recorder.stop()
    #expect(try RowChange.all(in: portions[0]).count == 8)
    try db.run("INSERT INTO t (id) VALUES (10)")
    #expect(recorder.take().isEmpty)
  }

  @Test func `damaged change records are rejected without a crash`() throws {
    let recorder = db.record(Self.tables)
    try db.run("INSERT INTO t VALUES (7, 'a name', 'now', 2.0)")
    try db.run("UPDATE t SET name = 'another', weight = 2.5")
    try db.run("DELETE FROM t")
    let bytes = recorder.take()
    recorder.stop()
    #expect(try RowChange.all(in: bytes).count == 3)
    for length in 1..<bytes.count { _ = try? RowChange.all(in: Array(bytes.prefix(length))) }
    #expect(throws: UnreadableChanges.self) { try RowChange.all(in: Array(bytes.dropLast())) }
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var damaged = bytes
        damaged[place] = byte
        _ = try? RowChange.all(in: damaged)
      }
    }
  }
}
