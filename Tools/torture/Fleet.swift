import Dispatch
import SQLite
import Synchronization
import TestSupport

/// Several devices with the same catalog. Each runs random commands of a user, and syncs at random times; two devices
/// work at the same time.
///
/// It checks that all devices have the same contents after a final sync, that no committed change is lost without a
/// reported conflict, and that no device removes a row that it has never had.
struct Fleet {
  let devices: [Device]
  private var chance: Chance

  /// - Parameter devices: all have synced their contents.
  init(_ devices: [Device], seed: UInt64) {
    self.devices = devices
    chance = Chance(seed: seed, in: devices[0].db)
  }

  /// The numbers of commands and syncs.
  var counts: [String: Int] {
    ["commands": devices.reduce(0) { $0 + $1.done.count }, "syncs": devices.reduce(0) { $0 + $1.syncs }]
  }

  /// Runs random commands on random devices, with occasional syncs.
  /// - Returns: the problem; nil when there is none.
  mutating func run(operations: Int, syncEvery: Double = 0.04) throws -> String? {
    var planned = devices.map { _ in [UndoableCommand]() }
    /// Runs the planned commands. They do not affect other devices before the next sync, so the devices run in
    /// parallel.
    func perform() throws -> String? {
      defer { planned = devices.map { _ in [] } }
      let plan = planned
      return try atOnce(devices.indices.filter { !plan[$0].isEmpty }) { device, index in
        for command in plan[index] { if let problem = try device.perform(command) { return problem } }
        return nil
      }
    }
    for _ in 0..<operations {
      let index = chance.number(0...devices.count - 1)
      if chance.happens(syncEvery) {
        if let problem = try perform() ?? devices[index].sync() { return problem }
      } else {
        planned[index].append(chance.one(of: UndoableCommand.all))
      }
    }
    return try perform()
  }

  /// All sync until nothing is new any more, and say the same.
  func meet() throws -> String? {
    for _ in 0..<6 {
      let before = try heads()
      if let problem = try atOnce(Array(devices.indices), { device, _ in try device.sync() }) { return problem }
      if try heads() == before { break }
    }
    let heads = try heads()
    guard Set(heads).count == 1 else { return "after all have synced they are at \(heads)" }
    return try atOnce(Array(devices.indices)) { device, _ in
      let (status, said) = try device.perform(["sync", "--dry-run"])
      guard status == 0, said.contains("nothing new") else {
        return device.failure("still says something else: \(said)")
      }
      for sound in ["PRAGMA integrity_check", "PRAGMA foreign_key_check"] as [SQL] {
        let words = try device.db.values(sound, as: String.self)
        guard words.isEmpty || words == ["ok"] else { return device.failure("\(words)") }
      }
      return nil
    }
  }

  /// The rows that a sync removed from a device, although no command removed them on any device, no device has them,
  /// and no conflict was reported. Also the cards that a sync replaced by an older version, although no command did so
  /// on any device, nor removed that version: when one device removes a card and another moves it to another item, the
  /// moved version stays.
  func lostRows() throws -> [String] {
    let told = try devices.map { try $0.db.values("SELECT row FROM sync_conflict", as: String.self) }
    let here = try devices.map { try $0.lasting.names() }
    func all(_ names: [some Sequence<String>]) -> Set<String> { Set(names.joined()) }
    let lost = all(devices.map(\.lasting.taken)).subtracting(all(devices.map(\.lasting.removed))).subtracting(all(here))
    func latest(_ times: [[String: String]]) -> [String: String] {
      times.reduce(into: [:]) { latest, times in latest.merge(times) { max($0, $1) } }
    }
    let removed = latest(devices.map(\.lasting.removedAsOf))
    let older = latest(devices.map(\.lasting.setBackFrom)).filter { removed[$0.key] ?? "" < $0.value }
    return lost.union(Set(older.keys).subtracting(all(devices.map(\.lasting.undone)))).subtracting(all(told)).sorted()
  }

  private func heads() throws -> [String] {
    try devices.map { try $0.db.value("SELECT value FROM sync_state WHERE name = 'commit'", as: String.self) ?? "" }
  }

  /// Runs `body` for each of some devices, two at a time, because more simultaneous pushes would be rejected again and
  /// again.
  /// - Returns: the problem of a device.
  private func atOnce(_ indices: [Int], _ body: @Sendable (Device, Int) throws -> String?) throws -> String? {
    let work = Mutex<(rest: ArraySlice<Int>, result: Result<String?, any Error>)>((indices[...], .success(nil)))
    DispatchQueue.concurrentPerform(iterations: 2) { [devices] _ in
      while let index = work.withLock({ $0.rest.popFirst() }) {
        let result = Result { try body(devices[index], index) }
        if case .success(nil) = result { continue }
        work.withLock { $0 = ([], result) }
      }
    }
    return try work.withLock { $0.result }.get()
  }
}

extension Fleet {
  /// One of them. One thread at a time has it.
  final class Device: @unchecked Sendable {
    let name: String
    let db: Connection
    /// The folder of its tree.
    let tree: String
    private let command: ([String]) throws -> (status: Int32, words: String)
    private var chance: Chance
    fileprivate private(set) var lasting: LastingRows
    /// The commands run so far, for the report of a problem.
    private(set) var done: [String] = []
    var syncs = 0

    /// - Parameter command: runs one command.
    init(
      name: String, db: Connection, tree: String, seed: UInt64,
      command: @escaping ([String]) throws -> (status: Int32, words: String)
    ) throws {
      (self.name, self.db, self.tree, self.command) = (name, db, tree, command)
      chance = Chance(seed: seed, in: db)
      lasting = try LastingRows(db)
    }

    func perform(_ words: [String]) throws -> (status: Int32, words: String) {
      done.append(words.joined(separator: " "))
      return try command(words)
    }

    /// - Returns: the problem; nil when there is none.
    func perform(_ command: UndoableCommand) throws -> String? {
      guard let words = try command.words(&chance) else { return nil }
      let (status, said) = try perform(words)
      return (0...2).contains(status) ? nil : failure("\(words) ended with \(status): \(said)")
    }

    /// - Returns: the problem; nil when there is none.
    func sync() throws -> String? {
      syncs += 1
      try lasting.look(isAfterSync: false)
      let (status, said) = try perform(["sync"])
      try lasting.look(isAfterSync: true)
      guard status == 0 else { return failure("sync ended with \(status): \(said)") }
      return said.contains("left alone") ? failure("sync: \(said)") : nil
    }

    func failure(_ words: String) -> String {
      "\(name): \(words)\n    " + done.suffix(30).joined(separator: "\n    ")
    }
  }
}

/// The cards and loans of a device, and their removals and replacements by older versions.
private struct LastingRows {
  private let db: Connection
  /// The contents and the item of each row. Two rows with the same contents and item may be merged.
  private var present: [Row: String] = [:]
  /// The rows removed by commands, and those removed by a sync, by uid.
  private(set) var (removed, taken) = (Set<String>(), Set<String>())
  /// The time of each card's last change, by uid.
  private var changes: [String: String] = [:]
  /// The cards that commands made older, by an undo or by a wrong clock.
  private(set) var undone = Set<String>()
  /// The times of the last change of cards that commands removed, and of cards that a sync made older.
  private(set) var (removedAsOf, setBackFrom) = ([String: String](), [String: String]())

  private struct Row: Hashable {
    var table: String
    var id: Int64
  }

  init(_ db: Connection) throws {
    self.db = db
    try look(isAfterSync: true)
  }

  mutating func look(isAfterSync: Bool) throws {
    var now: [Row: String] = [:]
    for (table, words, thing) in Self.tables {
      let rows = try db.all(
        "SELECT row.id, title || \(words) FROM \(identifier: table) AS row JOIN item ON item.id = \(thing)"
      ) { (try $0.get(at: 0, as: Int64.self), try $0.get(at: 1, as: String.self)) }
      for (id, words) in rows { now[Row(table: table, id: id)] = words }
    }
    let said = isAfterSync ? Set(now.values) : []
    for (row, words) in present where now[row] == nil && !said.contains(words) {
      // A row that was never sent has no uid, and only its own device had it.
      guard let name = try name(of: row) else { continue }
      if isAfterSync { taken.insert(name) } else { removed.insert(name) }
      if !isAfterSync, let time = changes[name] { removedAsOf[name] = max(time, removedAsOf[name] ?? "") }
    }
    present = now
    let before = changes
    changes = Dictionary(
      uniqueKeysWithValues: try db.all(
        """
        SELECT table_name || ' ' || uid, updated_at FROM card JOIN identity ON table_name = 'card' AND row_id = card.id
        WHERE is_alias = 0
        """
      ) { (try $0.get(at: 0, as: String.self), try $0.get(at: 1, as: String.self)) })
    let older = before.filter { name, time in changes[name].map { $0 < time } ?? false }
    if isAfterSync { setBackFrom.merge(older) { max($0, $1) } } else { undone.formUnion(older.keys) }
  }

  private static let tables: [(name: String, words: SQL, thing: SQL)] = [
    ("card", "quote(row.rating) || quote(row.comment) || quote(row.seen_on)", "row.item_id"),
    (
      "loan",
      "quote(row.person) || quote(row.lent_on) || quote(row.due_on) || quote(row.returned_on) || quote(row.note)",
      "(SELECT item_id FROM copy WHERE copy.id = copy_id)"
    ),
  ]

  /// The uids of the current rows, with their tables.
  func names() throws -> Set<String> { Set(try present.keys.compactMap(name)) }

  private func name(of row: Row) throws -> String? {
    try db.value(
      """
      SELECT table_name || ' ' || uid FROM identity
      WHERE table_name = \(row.table) AND row_id = \(row.id) AND is_alias = 0
      """, as: String.self)
  }
}
