import SQLite
import TestSupport

/// Several devices with the same catalog, each of which does what somebody might do, and syncs when it pleases.
///
/// What is checked: all that have synced last say the same, no change that a commit has is lost without having been told, and
/// nothing is removed that its remover did not know.
struct Fleet {
  /// One of them.
  struct Device {
    var name: String
    /// Runs a command.
    var run: ([String]) throws -> (status: Int32, words: String)
    var db: Connection
    /// The folder of its tree.
    var tree: String
    fileprivate var chance: Chance

    init(
      name: String, db: Connection, tree: String, seed: UInt64,
      run: @escaping ([String]) throws -> (status: Int32, words: String)
    ) {
      (self.name, self.db, self.tree, self.run) = (name, db, tree, run)
      chance = Chance(seed: seed, in: db)
    }
  }

  private(set) var devices: [Device]
  private var chance: Chance
  /// What was done, to be read when something is wrong.
  private(set) var done: [String] = []
  /// How much of it was what.
  var counts: [String: Int] = [:]
  private var lasting: [LastingRows]

  /// - Parameter devices: all have synced what they have.
  init(_ devices: [Device], seed: UInt64) throws {
    self.devices = devices
    lasting = try devices.map { try LastingRows($0.db) }
    chance = Chance(seed: seed, in: devices[0].db)
  }

  /// So many commands, on one device or another, with a sync now and then.
  /// - Returns: what is wrong; nil when nothing is.
  mutating func run(operations: Int, syncEvery: Double = 0.04) throws -> String? {
    for _ in 0..<operations {
      let index = chance.number(0...devices.count - 1)
      if chance.happens(syncEvery) {
        if let problem = try sync(index) { return problem }
        continue
      }
      guard let words = try chance.one(of: Errand.all).words(&devices[index].chance) else { continue }
      let (status, said) = try perform(words, on: index)
      guard (0...2).contains(status) else { return failure("\(words) ended with \(status): \(said)") }
    }
    return nil
  }

  /// All sync until nothing is new any more, and say the same.
  mutating func meet() throws -> String? {
    for _ in 0..<6 {
      var isQuiet = true
      for index in devices.indices {
        let before = try head(index)
        if let problem = try sync(index) { return problem }
        if try head(index) != before { isQuiet = false }
      }
      if isQuiet { break }
    }
    let heads = try devices.indices.map(head)
    guard Set(heads).count == 1 else { return failure("after all have synced they are at \(heads)") }
    for index in devices.indices {
      let (status, said) = try perform(["sync", "--dry-run"], on: index)
      guard status == 0, said.contains("nothing new") else {
        return failure("\(devices[index].name) still says something else: \(said)")
      }
      for sound in ["PRAGMA integrity_check", "PRAGMA foreign_key_check"] as [SQL] {
        let words = try devices[index].db.values(sound, as: String.self)
        guard words.isEmpty || words == ["ok"] else { return failure("\(devices[index].name): \(words)") }
      }
    }
    return nil
  }

  mutating func sync(_ index: Int) throws -> String? {
    counts["syncs", default: 0] += 1
    try lasting[index].look(isAfterSync: false)
    let (status, said) = try perform(["sync"], on: index)
    try lasting[index].look(isAfterSync: true)
    guard status == 0 else { return failure("sync ended with \(status): \(said)") }
    guard !said.contains("left alone") else { return failure("sync: \(said)") }
    return nil
  }

  /// The rows that a sync took from a device, though no command had removed them on any: nobody has them, and nobody was told.
  func lostRows() throws -> [String] {
    let removed = lasting.reduce(Set<String>()) { $0.union($1.removed) }
    let told = try devices.reduce(Set<String>()) {
      $0.union(try $1.db.values("SELECT row FROM sync_conflict", as: String.self))
    }
    let here = try lasting.reduce(Set<String>()) { try $0.union($1.names()) }
    return lasting.reduce(Set<String>()) { $0.union($1.taken) }.subtracting(removed).subtracting(told).subtracting(here)
      .sorted()
  }

  private func head(_ index: Int) throws -> String {
    try devices[index].db.value("SELECT value FROM sync_state WHERE name = 'commit'", as: String.self) ?? ""
  }

  mutating func perform(_ words: [String], on index: Int) throws -> (status: Int32, words: String) {
    done.append("\(devices[index].name): \(words.joined(separator: " "))")
    counts["commands", default: 0] += 1
    return try devices[index].run(words)
  }

  func failure(_ words: String) -> String { words + "\n    " + done.suffix(30).joined(separator: "\n    ") }
}

/// The cards and loans of a device, of which no two ever become one, and what took them from it.
private struct LastingRows {
  private let db: Connection
  private var present = Set<Row>()
  /// What commands removed, and what went with a sync, by the names that all devices know.
  private(set) var (removed, taken) = (Set<String>(), Set<String>())

  private struct Row: Hashable {
    var table: String
    var id: Int64
  }

  init(_ db: Connection) throws {
    self.db = db
    try look(isAfterSync: true)
  }

  mutating func look(isAfterSync: Bool) throws {
    var now = Set<Row>()
    for table in ["card", "loan"] {
      for id in try db.values("SELECT id FROM \(identifier: table)", as: Int64.self) {
        now.insert(Row(table: table, id: id))
      }
    }
    for row in present.subtracting(now) {
      // What was never sent has no name, and only who made it had it.
      guard let name = try name(of: row) else { continue }
      if isAfterSync { taken.insert(name) } else { removed.insert(name) }
    }
    present = now
  }

  /// What the rows are called that are there.
  func names() throws -> Set<String> { Set(try present.compactMap(name)) }

  private func name(of row: Row) throws -> String? {
    try db.value(
      "SELECT table_name || ' ' || uid FROM identity WHERE table_name = \(row.table) AND row_id = \(row.id) AND is_alias = 0",
      as: String.self)
  }
}
