import CatalogModel
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import CatalogStore
@testable import Migrations

struct OpeningTests {
  let folder: TemporaryFolder
  let path: String
  private static let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("catalog.db")
  }

  /// A catalog of some items on disk.
  private func makeCatalog(_ count: Int = 40) throws {
    let store = try Store.open(at: path, for: .writing)
    let records = (1...count).map { number in
      var record = Record(kind: .book, title: "토지 \(number)")
      record.summary = String(repeating: "word ", count: 100)
      record.labels = ["Historical Fiction"]
      record.credits = [Credit(name: "박경리", role: .author)]
      return (record: record, genres: [String]?.none)
    }
    #expect(try store.addAll(records, now: Self.now) == count)
  }

  /// A catalog of the version before a migration.
  private func makeOld(before name: String) throws -> Store {
    let store = Store(db: try Connection(.file(path)), path: path, isWritable: true)
    try store.db.defineQueryFunctions()
    try store.migrate(Array(Migration.all.prefix { $0.name != name }))
    return store
  }

  private func bytes(_ path: String? = nil) throws -> Data { try Data(contentsOf: URL(filePath: path ?? self.path)) }

  /// Checks that opening fails with this error for either purpose, and changes no file.
  private func expectRefusal(_ error: CatalogError, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let (before, names) = (try bytes(), try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted())
    for purpose in [Store.Purpose.reading, .writing] {
      #expect(throws: error, sourceLocation: sourceLocation) { try Store.open(at: path, for: purpose, busyTimeout: 20) }
    }
    #expect(try bytes() == before, sourceLocation: sourceLocation)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names, sourceLocation: sourceLocation
    )
  }

  @Test func `opening removes abandoned drafts but no draft in use`() throws {
    let abandoned = folder.path(".catalog-1f0c9a.new")
    let others = [".catalog-mine.new", "catalog-1f0c9b.new", ".catalog-1f0c9c.old"]
    for name in others { try Data().write(to: URL(filePath: folder.path(name))) }
    try Data("half".utf8).write(to: URL(filePath: abandoned))
    let draft = try TemporaryFile(beside: folder.path("other.db"))
    // SQLite closes descriptors of the file, with which other kinds of locks would go.
    _ = try Connection(.file(draft.path)).value("PRAGMA user_version", as: Int.self)
    try makeCatalog(1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == (others + ["catalog.db", String(draft.path.dropFirst(folder.path.count + 1))]).sorted())
  }

  @Test func `a missing catalog reads as empty and is created only for writing`() throws {
    let deep = folder.path("a/b/catalog.db")
    #expect(try Store.open(at: deep, for: .reading).shelfCounts().total == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
    #expect(try Store.open(at: deep, for: .writing).shelfCounts().total == 0)
    #expect(FileManager.default.fileExists(atPath: deep))
  }

  @Test(arguments: [true, false]) func `an empty file is reported, and only a writer makes it a catalog`(
    _ isDatabase: Bool
  ) throws {
    try Data().write(to: URL(filePath: path))
    // A database without a table is no more.
    if isDatabase { try Connection(.file(path)).execute(script: "VACUUM") }
    let before = try bytes()
    #expect(before.isEmpty == !isDatabase)
    var notices: [Store.Notice] = []
    for purpose in [Store.Purpose.reading, .viewing] {
      #expect(try Store.open(at: path, for: purpose) { notices.append($0) }.shelfCounts().total == 0)
      #expect(try bytes() == before)
    }
    #expect(try Store.open(at: path, for: .writing) { notices.append($0) }.shelfCounts().total == 0)
    #expect(notices == Array(repeating: .empty(path: path), count: 3))
    let version = try Connection(.file(path), mode: .readOnly).value("PRAGMA user_version", as: Int.self)
    #expect(version == Migration.all.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["catalog.db"])
    _ = try Store.open(at: path, for: .writing) { notices.append($0) }
    #expect(notices.count == 3)
  }

  @Test(.timeLimit(.minutes(Patience.minutes)), arguments: [Store.Purpose.reading, .writing])
  func `opening a pipe, a device or a socket fails at once`(_ purpose: Store.Purpose) throws {
    try #require(mkfifo(path, 0o600) == 0)
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let socketPath = folder.path("s")
    try #require(socketPath.utf8.count < 100)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    for special in [path, "/dev/null", "/dev/tty", socketPath] {
      #expect(throws: CatalogError.isSpecial(special)) { try Store.open(at: special, for: purpose) }
    }
  }

  @Test func `an unreachable path differs from a missing catalog`() throws {
    try makeCatalog()
    let long = folder.path(String(repeating: "x", count: 300))
    symlink("loop", folder.path("loop"))
    for (way, code) in [("\(path)/catalog.db", ENOTDIR), (folder.path("loop"), ELOOP), (long, ENAMETOOLONG)] {
      for purpose in [Store.Purpose.reading, .writing] {
        #expect(throws: CatalogError.unreachable(way, code)) { try Store.open(at: way, for: purpose) }
      }
    }
  }

  @Test func `opening a folder fails`() throws {
    for purpose in [Store.Purpose.reading, .writing] {
      #expect(throws: CatalogError.isFolder(folder.path)) { try Store.open(at: folder.path, for: purpose) }
    }
  }

  @Test(.enabled(if: Modes.hold, "this process may open files of any mode"))
  func `where modes hold, opening an unreadable file fails`() throws {
    try makeCatalog()
    chmod(path, 0)
    for purpose in [Store.Purpose.reading, .writing] {
      #expect(throws: CatalogError.notReadable(path)) { try Store.open(at: path, for: purpose) }
    }
  }

  @Test(.enabled(if: Modes.hold, "this process may open files of any mode"), arguments: [true, false])
  func `where modes hold, a read-only catalog can be read`(_ isFolder: Bool) throws {
    try makeCatalog()
    let before = try bytes()
    chmod(isFolder ? folder.path : path, isFolder ? 0o500 : 0o400)
    defer { chmod(folder.path, 0o700) }
    #expect(try Store.open(at: path, for: .reading).shelfCounts().total == 40)
    #expect(throws: CatalogError.readOnly(path)) {
      try Store.open(at: path, for: .writing).add(Record(kind: .book, title: "x"), now: Self.now)
    }
    #expect(try bytes() == before)
  }

  @Test(arguments: [
    "not a database at all", String(repeating: "<html>", count: 2000), "SQLite format 3", "\u{0}\u{0}\u{0}\u{0}",
    "SQLite format 3\u{0}" + String(repeating: "x", count: 5000),
  ])
  func `opening a file of another type fails and does not change it`(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try expectRefusal(.notDatabase(path))
  }

  @Test func `opening another program's database fails and does not change it`() throws {
    try Connection(.file(path)).execute(script: "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine')")
    try expectRefusal(.foreign(path))
  }

  @Test(
    arguments: [
      "PRAGMA user_version = 1", "PRAGMA application_id = 1",
      "PRAGMA application_id = 252006675; PRAGMA user_version = 9",
    ] as [StaticString])
  func `opening an empty database of another program fails and does not change it`(_ script: StaticString) throws {
    try Connection(.file(path)).execute(script: script)
    try expectRefusal(.foreign(path))
  }

  @Test func `cards of one second keep their order in a migration`() throws {
    let old = try makeOld(before: "newest")
    // Two ids of the second item are in the tree, the later one first.
    try old.db.execute(
      script: """
        INSERT INTO item (id, kind, title, created_at, updated_at) VALUES
          (1, 'movie', 'A', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'),
          (2, 'movie', 'B', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
        INSERT INTO card (id, item_id, rating, scale, created_at, updated_at)
          SELECT value ->> 0, value ->> 1, value ->> 2, 'half', '2026-01-01T00:00:' || (value ->> 3), '2026-01-01T00:00:00Z'
          FROM json_each('[[1,1,100,"00Z"],[2,1,20,"00Z"],[3,1,60,"01Z"],[4,1,40,"30Z"],[5,2,20,"00Z"],[6,2,100,"00Z"]]');
        INSERT INTO copy (item_id, price, currency, created_at) VALUES
          (1, 150, 'KWD', '2026-01-01T00:00:00Z'), (1, 150, 'EUR', '2026-01-01T00:00:00Z'), (1, 500000, 'XPF', '2026-01-01T00:00:00Z');
        INSERT INTO identity (uid, table_name, row_id) VALUES
          ('00000000-0000-7000-8000-000000000002', 'card', 5), ('00000000-0000-7000-8000-000000000001', 'card', 6);
        """)
    let store = try Store.open(at: path, for: .writing)
    #expect(
      try store.db.values("SELECT id || substr(created_at, 17) FROM card ORDER BY id", as: String.self) == [
        "1:00Z", "2:01Z", "3:02Z", "4:30Z", "5:01Z", "6:00Z",
      ])
    #expect(try store.db.values("SELECT rating FROM item_rating ORDER BY item_id", as: Int.self) == [40, 20])
    // Amounts are in the smallest unit of their currency.
    #expect(try store.db.values("SELECT price FROM copy ORDER BY id", as: Int.self) == [1_500, 150, 5_000])
    #expect(throws: SQLiteError.self) { try store.db.run("UPDATE card SET created_at = '2020-01-01T00:00:00Z'") }
  }

  @Test func `a migrated search index folds letters and stays consistent after edits`() throws {
    let old = try makeOld(before: "folded letters")
    try old.db.execute(
      script: """
        INSERT INTO item (id, kind, title, created_at, updated_at) VALUES
          (1, 'book', 'Łódź', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'),
          (2, 'book', 'Lodz', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
        DELETE FROM search_pending;
        INSERT INTO item_search (rowid, words) VALUES (1, 'Łódź'), (2, 'Lodz');
        """)
    let store = try Store.open(at: path, for: .writing)
    #expect(try store.ids(Query(["lodz"], now: Date())).map(\.rawValue) == [2, 1])
    _ = try store.remove([ItemID(rawValue: 1)])
    #expect(try store.ids(Query(["lodz"], now: Date())).map(\.rawValue) == [2])
    try store.db.run("INSERT INTO item_search (item_search) VALUES ('integrity-check')")
    #expect(try store.examine(now: Date(timeIntervalSince1970: 1_795_253_400)).allSatisfy { $0.state != .wrong })
  }

  @Test func `opening a newer catalog fails and does not change it`() throws {
    try makeCatalog()
    try Connection(.file(path)).execute(script: "PRAGMA user_version = 9999")
    try expectRefusal(.newer(path, version: 9999, known: Migration.all.count))
  }

  @Test(arguments: [0.98, 0.75, 0.5, 0.25, 0.1])
  func `a truncated file is damaged`(_ part: Double) throws {
    try makeCatalog()
    let whole = try bytes()
    try whole.prefix(Int(Double(whole.count) * part)).write(to: URL(filePath: path))
    try expectRefusal(.damaged(path))
  }

  @Test(arguments: [4096, 8192]) func `a file truncated between two pages is damaged`(_ length: Int) throws {
    try makeCatalog()
    try bytes().prefix(length).write(to: URL(filePath: path))
    try expectRefusal(.damaged(path))
  }

  @Test(arguments: [1, 2, 16, 31, 50, 99]) func `a file truncated in its header is rejected`(_ length: Int) throws {
    try makeCatalog()
    try bytes().prefix(length).write(to: URL(filePath: path))
    // Too few bytes do not show what the file was.
    try expectRefusal(length < 18 ? .notDatabase(path) : .damaged(path))
  }

  @Test func `examine finds an overwritten page`() throws {
    try makeCatalog()
    var rubbish = try bytes()
    // One that opening does not read.
    let page = try #require(
      try Connection(.file(path), mode: .readOnly).value(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'credit'", as: Int.self))
    let middle = (page - 1) * 4096
    rubbish.replaceSubrange(middle..<middle + 4096, with: repeatElement(0xAA, count: 4096))
    try rubbish.write(to: URL(filePath: path))
    let findings = try Store.open(at: path, for: .reading).examine(now: Date())
    #expect(findings.map(\.check) == [.file, .schema])
    #expect(findings[0].state == .wrong && findings[0].count > 0)
  }

  @Test func `opening a locked catalog fails after the busy timeout`() throws {
    try makeCatalog()
    let other = try Connection(.file(path))
    try other.transaction(.exclusive) {
      for purpose in [Store.Purpose.reading, .writing] {
        #expect(throws: CatalogError.locked(path)) { try Store.open(at: path, for: purpose, busyTimeout: 20) }
      }
    }
    #expect(try Store.open(at: path, for: .reading).shelfCounts().total == 40)
  }

  @Test func `a catalog that another program writes to can be read but not written`() throws {
    try makeCatalog()
    let other = try Connection(.file(path))
    try other.transaction(.immediate) {
      #expect(try Store.open(at: path, for: .reading, busyTimeout: 20).shelfCounts().total == 40)
      let store = try Store.open(at: path, for: .writing, busyTimeout: 20)
      #expect(throws: CatalogError.locked(path)) { try store.add(Record(kind: .book, title: "x"), now: Self.now) }
    }
  }

  @Test func `a full disk leaves no partial changes`() throws {
    try makeCatalog()
    let before = try bytes()
    do {
      let store = try Store.open(at: path, for: .writing)
      let pages = try #require(try store.db.value("PRAGMA page_count", as: Int.self))
      #expect(try store.db.value("PRAGMA max_page_count = 1", as: Int.self) == pages)
      let records = (1...500).map { number in
        var record = Record(kind: .movie, title: "Title \(number)")
        record.summary = String(repeating: "long ", count: 400)
        return (record: record, genres: [String]?.none)
      }
      #expect(throws: CatalogError.diskFull(path)) { try store.addAll(records, now: Self.now) }
      #expect(try store.shelfCounts().total == 40)
    }
    #expect(try bytes() == before)
    #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
    #expect(try Store.open(at: path, for: .reading).examine(now: Date()).allSatisfy { $0.state != .wrong })
  }

  private struct Crash: Error {}

  @Test func `a crash during an add leaves no part of it`() throws {
    try makeCatalog()
    let before = try bytes()
    do {
      let store = try Store.open(at: path, for: .writing)
      #expect(throws: Crash.self) {
        try store.write {
          try store.add(Record(kind: .book, title: "half"), genres: ["New Genre"], now: Self.now)
          throw Crash()
        }
      }
      #expect(try store.search("half").isEmpty)
      #expect(try store.genre(named: "New Genre") == nil)
    }
    #expect(try bytes() == before)
  }

  @Test func `simultaneous openings migrate a new file once`() throws {
    for round in 1...8 {
      let path = folder.path("race\(round).db")
      let gate = Gate(for: 4)
      let errors = Mutex<[String]>([])
      let versions = Mutex<[Int]>([])
      let threads = DispatchGroup()
      for _ in 1...4 {
        let thread = Thread {
          gate.pass()
          do {
            let store = try Store.open(at: path, for: .writing)
            let version = try store.db.value("PRAGMA user_version", as: Int.self) ?? 0
            versions.withLock { $0.append(version) }
          } catch {
            errors.withLock { $0.append("\(error)") }
          }
          threads.leave()
        }
        threads.enter()
        thread.start()
      }
      threads.wait()
      #expect(errors.withLock { $0 } == [])
      #expect(versions.withLock { $0 } == Array(repeating: Migration.all.count, count: 4))
      #expect(try Self.schema(of: path) == Self.schema(of: nil))
    }
  }

  // MARK: Older files

  /// A change that a migration makes on purpose to files of versions before it.
  private struct Change: Sendable {
    var version: Int
    var table: String
    var column: String
    /// The expressions that are compared in the old file and in the migrated one.
    var before: SQL
    var after: SQL
  }

  private static func amount(_ table: String, _ column: String) -> Change {
    let before: SQL = """
      CASE currency WHEN 'KWD' THEN \(identifier: column) * 10 WHEN 'XPF' THEN \(identifier: column) / 100
        ELSE \(identifier: column) END
      """
    return Change(version: 20, table: table, column: column, before: before, after: "\(identifier: column)")
  }

  private static let changes = [
    // A label is of one kind; its rows have the numbers that they had only where no other kind has it.
    Change(
      version: 9, table: "item_label", column: "label_id",
      before: "(SELECT source || ' ' || key || ' ' || label || ' ' || is_known FROM genre_label WHERE id = label_id)",
      after: """
        (SELECT source || ' ' || key || ' ' || label || ' ' || is_known FROM genre_label
          WHERE id = label_id AND kind = (SELECT kind FROM item WHERE item.id = item_id))
        """),
    // Cards of one second get a second each, in the same order.
    Change(
      version: 19, table: "card", column: "created_at",
      before: "row_number() OVER (PARTITION BY item_id ORDER BY created_at, id)",
      after: "row_number() OVER (PARTITION BY item_id ORDER BY created_at, id)"),
    // A sign tells a name from another.
    Change(
      version: 28, table: "tag", column: "key", before: "CASE name WHEN 'c#' THEN name ELSE key END", after: "key"),
    amount("copy", "price"), amount("book", "price"), amount("wish", "price_limit"),
  ]

  /// The tables that are compared row by row. The program fills the others itself.
  private static func tables(of old: Connection, version: Int) throws -> [String] {
    try old.values(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT GLOB 'item_search*' AND name NOT IN ('genre', 'setting', 'search_pending')
        AND NOT (\(version) < 9 AND name IN ('genre_label', 'genre_label_target'))
      ORDER BY name
      """, as: String.self)
  }

  /// All rows of a table, with these columns, as `changes` has them of this side.
  private func rows(
    of table: String, _ columns: [String], in db: Connection, version: Int, _ side: KeyPath<Change, SQL>
  ) throws -> [String] {
    let columns = columns.map { column in
      Self.changes.first { $0.table == table && $0.column == column && version < $0.version }?[keyPath: side]
        ?? ("\(identifier: column)" as SQL)
    }
    return try db.all("SELECT \(columns.joined(separator: ", ")) FROM \(identifier: table)") { "\($0.all)" }.sorted()
  }

  @Test func `a catalog of every version is saved`() {
    // Versions 11 to 15 came at once: no program wrote the four before.
    let versions = (1..<Migration.all.count).filter { !(11...14).contains($0) }
    #expect(SavedCatalog.all.map(\.version).filter { $0 < Migration.all.count } == versions)
  }

  @Test func `names get new keys without losing an item, a pile or a query`() throws {
    let saved = try #require(SavedCatalog.all.first { $0.version == 27 })
    try saved.copy(to: path)
    // The old key of each is the new key of another, or both are one name now.
    try Connection(.file(path), mode: .readWrite).execute(
      script: """
        INSERT INTO tag (id, name, key) VALUES (901, 'ﬁlo', 'ﬁlo'), (902, 'filo#', 'filo'), (903, 'ｶﾅ', 'ｶﾅ'), (904, 'カナ', 'カナ');
        INSERT INTO item_tag (item_id, tag_id) VALUES (1, 901), (2, 902), (3, 903), (4, 904);
        INSERT INTO pile (id, name, key) VALUES (903, 'ｶﾅ', 'ｶﾅ'), (904, 'カナ', 'カナ');
        INSERT INTO saved_query (name, key, query) VALUES ('ｶﾅ', 'ｶﾅ', 'kind:book'), ('カナ', 'カナ', 'kind:movie');
        """)
    let store = try Store.open(at: path, for: .writing)
    func items(_ tag: String) throws -> [ItemID] { try store.ids(Query(.field(.tags, [.equals(tag)]))).sorted() }
    #expect(try items("filo") == [ItemID(rawValue: 1)] && items("filo#") == [ItemID(rawValue: 2)])
    #expect(try items("カナ") == [ItemID(rawValue: 3), ItemID(rawValue: 4)])
    for table in ["pile", "saved_query"] as [SQL] {
      let names = try store.db.values(
        "SELECT name FROM \(table) WHERE name LIKE '%ｶﾅ%' OR name = 'カナ'", as: String.self)
      #expect(Set(names) == ["カナ", "ｶﾅ = ｶﾅ"])
    }
    #expect(try store.savedQueries()["ｶﾅ = ｶﾅ"]?.arguments == ["kind:book"])
    #expect(try store.pile(named: "ｶﾅ = ｶﾅ").items == 0)
  }

  @Test(arguments: SavedCatalog.all) func `every saved catalog version is migrated with its rows`(
    _ saved: SavedCatalog
  ) throws {
    try saved.copy(to: path)
    let (old, version) = (try saved.open(), saved.version)
    #expect(try old.value("PRAGMA user_version", as: Int.self) == version)
    var copies: [String] = []
    let store = try Store.open(at: path, for: .writing) { notice in
      if case .migrated(let copy) = notice { copies.append(copy) }
    }
    if version < Migration.all.count {
      // The copy has the rows; a journal mode or free page may differ, so it is not compared byte for byte.
      #expect(copies == ["\(path).v\(version).bak"])
      #expect(
        try Connection(.file(copies[0]), mode: .readOnly).value("SELECT count(*) FROM item", as: Int.self)
          == old.value("SELECT count(*) FROM item", as: Int.self))
    } else {
      #expect(copies.isEmpty)
    }
    #expect(try Self.schema(of: path) == Self.schema(of: nil))
    for table in try Self.tables(of: old, version: version) {
      let columns = try old.values("SELECT name FROM pragma_table_info(\(table))", as: String.self)
      // Numbers are never given again. Tables that were not there before begin with theirs.
      let isNumbers = table == "sqlite_sequence"
      let before = try rows(of: table, columns, in: old, version: version, \.before)
      let after = try rows(of: table, columns, in: store.db, version: version, \.after)
      #expect(isNumbers ? before.allSatisfy(after.contains) : before == after, "\(table)")
    }
    // Rows of genres and of labels may have other numbers.
    let queries: [SQL] = [
      "SELECT item_id, position, name FROM item_genre JOIN genre ON id = genre_id ORDER BY 1, 2",
      """
      SELECT DISTINCT source, genre_label.key, label, is_known, position, name FROM genre_label
      LEFT JOIN genre_label_target ON label_id = genre_label.id LEFT JOIN genre ON genre.id = genre_id ORDER BY 1, 2, 5
      """,
    ]
    for query in queries { #expect(try store.db.all(query, \.all) == old.all(query, \.all)) }
    if version <= 10 {
      // Each record and each book was owned; nothing is said of any.
      #expect(
        try store.copies().map(\.item)
          == store.db.values("SELECT id FROM item WHERE kind IN ('vinyl', 'book') ORDER BY id", as: Int64.self).map(
            ItemID.init))
      #expect(try store.copies().allSatisfy { $0.facts == Copy.Facts() })
      #expect(
        try store.db.value(
          "SELECT count(*) FROM copy JOIN item ON item.id = item_id AND item.created_at = copy.created_at")
          == store.copies().count)
    }
    #expect(try store.examine(now: Date()).allSatisfy { $0.state != .wrong })
    for id in try store.ids(Query()) { _ = try store.item(id) }
    try store.refreshIndex()
    #expect(try store.ids(Query(["again"], now: Date())) == [ItemID(rawValue: 1)])
    // Letters are found as people type them.
    let ids = try old.values(
      "SELECT item_id FROM credit JOIN person ON person.id = person_id WHERE name GLOB 'Øystein*'", as: Int64.self)
    let found = try store.ids(Query(["oystein"], now: Date())).map(\.rawValue)
    #expect(found == ids)
  }

  /// Tables, indexes, triggers and views, without regard to blanks; of a fresh catalog for nil.
  private static func schema(of path: String?) throws -> [String] {
    let db = try path.map { try Connection(.file($0), mode: .readOnly) } ?? Store.inMemory().db
    return try db.values(
      "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name", as: String.self
    ).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }
}
