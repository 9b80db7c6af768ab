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

  init(_ devices: [Device], seed: UInt64) {
    self.devices = devices
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
    let (status, said) = try perform(["sync"], on: index)
    guard status == 0 else { return failure("sync ended with \(status): \(said)") }
    guard !said.contains("left alone") else { return failure("sync: \(said)") }
    return nil
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
