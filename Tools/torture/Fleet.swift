import FoundationEssentials
import Glibc
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
  private(set) var counts: [String: Int] = [:]

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
      counts["told", default: 0] += try devices[index].db.value("SELECT count(*) FROM sync_conflict", as: Int.self) ?? 0
    }
    return nil
  }

  private mutating func sync(_ index: Int) throws -> String? {
    counts["syncs", default: 0] += 1
    let (status, said) = try perform(["sync"], on: index)
    guard status == 0 else { return failure("sync ended with \(status): \(said)") }
    guard !said.contains("left alone") else { return failure("sync: \(said)") }
    return nil
  }

  private func head(_ index: Int) throws -> String {
    try devices[index].db.value("SELECT value FROM sync_state WHERE name = 'commit'", as: String.self) ?? ""
  }

  private mutating func perform(_ words: [String], on index: Int) throws -> (status: Int32, words: String) {
    done.append("\(devices[index].name): \(words.joined(separator: " "))")
    counts["commands", default: 0] += 1
    return try devices[index].run(words)
  }

  private func failure(_ words: String) -> String { words + "\n    " + done.suffix(30).joined(separator: "\n    ") }
}

// MARK: The program

extension Fleet {
  /// Devices in homes of their own, with the built program and a repository between them. Now and then a sync is ended by a signal at
  /// a random moment, and now and then all sync at once.
  static func run(
    count: Int, members: Int, seed: UInt64, in folder: String, program: String, begin: (Int) -> Void
  ) throws -> Report {
    var report = Report(columns: "commands", "syncs", "ended", "at once", "told")
    let again = "devices --seed \(seed) --count \(count) --members \(members)"
    var random = SplitMix(seed: seed)
    let homes = (0..<members).map { Home(path: "\(folder)/device\($0)") }
    let remote = "\(folder)/remote.git"
    for (number, home) in homes.enumerated() {
      try home.make()
      try home.write(
        Array("[user]\n  name = Somebody\n  email = somebody@example.org\n[gc]\n  auto = 0\n".utf8), to: ".gitconfig")
      let words = number == 0 ? ["add", "movie", "--title", "Stalker", "--genre", "Drama", "--yes"] : nil
      if let words { _ = try home.run(words, program: program) }
      let outcome = try home.run(["sync", "init", remote, "--device", "device\(number)"], program: program)
      guard outcome.status == 0 else { throw Trouble("sync init: \(outcome.errors)") }
    }
    var fleet = Fleet(
      try homes.enumerated().map { number, home in
        Device(
          name: "device\(number)", db: try Connection(.file(home[Home.catalog]), mode: .readWrite, busyTimeout: 30_000),
          tree: home[".local/share/catalog/catalog.tree"], seed: seed &* 1_000 &+ UInt64(number)
        ) { words in
          let outcome = try home.run(words, program: program)
          return (outcome.status, outcome.output + outcome.errors)
        }
      }, seed: seed)
    var lasting = 300_000.0
    for number in 0..<(count / 10) {
      begin(number * 10)
      var problem = try fleet.run(operations: 10, syncEvery: 0.05)
      if problem == nil, number % 3 == 0 {
        let home = homes[Int.random(in: 0..<members, using: &random)]
        let launch = try home.launch(["sync"], program: program)
        usleep(UInt32(lasting * Double.random(in: 0...1, using: &random)))
        launch.send(SIGKILL)
        let status = launch.finish().status
        lasting *= status == 0 ? 0.9 : 1.05
        if status == 128 + SIGKILL { report.count("ended", of: "devices") }
      }
      if problem == nil, number % 20 == 19 {
        let launches = try homes.prefix(2).map { try $0.launch(["sync"], program: program) }
        for launch in launches {
          let outcome = launch.finish()
          if outcome.status != 0 { problem = "at once with another: \(outcome.status), \(outcome.errors)" }
        }
        report.count("at once", of: "devices")
      }
      if problem == nil, number % 100 == 99 { problem = try fleet.meet() }
      if let problem {
        report.fail(problem, of: "devices", again: again)
        break
      }
    }
    if report.findings.isEmpty, let problem = try fleet.meet() { report.fail(problem, of: "devices", again: again) }
    for (name, count) in fleet.counts { report.count(name, of: "devices", by: count) }
    for home in homes { for problem in home.problems() { report.fail(problem, of: "devices", again: again) } }
    return report
  }
}
