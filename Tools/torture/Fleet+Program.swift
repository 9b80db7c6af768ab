import FoundationEssentials
import Git
import Glibc
import SQLite
import TestSupport

/// Devices with their own home folders, the built program, and a shared repository.
extension Fleet {
  /// The numbers of commands, devices and faults.
  struct Plan {
    /// The number of commands on all devices together.
    var commands: Int
    var members: Int
    /// The average number of commands per sync.
    var commandsPerSync: Int
    /// The number of syncs killed by SIGKILL.
    var kills: Int
    /// The number of simultaneous pushes by two devices.
    var pushes: Int

    var words: String {
      "--count \(commands) --members \(members) --sync-every \(commandsPerSync) --kills \(kills) --pushes \(pushes)"
    }
  }

  static func run(
    _ plan: Plan, seed: UInt64, in folder: String, program: String, begin: (Int) -> Void
  ) throws -> Report {
    var report = Report(columns: "commands", "syncs", "ended", "at once", "joins", "told", "values", "lost")
    let again = "devices --seed \(seed) \(plan.words)"
    let homes = (0..<plan.members).map { Home(path: "\(folder)/device\($0)") }
    let remote = "\(folder)/remote.git"
    var fleet = Fleet(try devices(in: homes, remote: remote, seed: seed, program: program), seed: seed)
    var trial = Trial(homes: homes, program: program, seed: seed)
    let blocks = max(1, plan.commands / 10)
    for block in 0..<blocks {
      begin(block * 10)
      var problem = try fleet.run(operations: 10, syncEvery: 1 / Double(plan.commandsPerSync))
      func due(_ all: Int) -> Int { all * (block + 1) / blocks }
      while problem == nil, trial.ended < due(plan.kills) { problem = try trial.kill(fleet) }
      while problem == nil, trial.atOnce < due(plan.pushes) { problem = try trial.pushAtOnce(fleet) }
      if problem == nil, (block + 1) % max(1, blocks / 4) == 0 { problem = try fleet.meet() }
      if let problem {
        report.fail(problem, of: "devices", again: again)
        break
      }
    }
    if report.findings.isEmpty, let problem = try fleet.meet() { report.fail(problem, of: "devices", again: again) }
    for home in homes { for problem in home.problems() { report.fail(problem, of: "devices", again: again) } }
    // The conflicts of a device that was interrupted are not in any merge yet.
    let databases = fleet.devices.map(\.db)
    let edits = try LostEdits(tree: fleet.devices[0].tree, databases: databases).find()
    let lost = try edits.lost + fleet.lostRows()
    for words in lost { report.fail("lost: \(words)", of: "devices", again: again) }
    let told = try databases.reduce(0) { try $0 + ($1.value("SELECT count(*) FROM sync_conflict", as: Int.self) ?? 0) }
    for (name, count) in fleet.counts.merging(
      [
        "ended": trial.ended, "at once": trial.atOnce, "joins": edits.joins, "told": told, "values": edits.checked,
        "lost": lost.count,
      ], uniquingKeysWith: { $1 })
    {
      report.count(name, of: "devices", by: count)
    }
    let repository = Repository(path: fleet.devices[0].tree)
    let items = try databases[0].value("SELECT count(*) FROM item", as: Int.self) ?? 0
    let commits = try repository.value(["rev-list", "--count", "main"]) ?? "?"
    report.notes.append("\(items) items and \(commits) commits in the end; the remote has \(size(of: remote)) bytes")
    return report
  }

  /// The first has a catalog, the others take it from there.
  private static func devices(in homes: [Home], remote: String, seed: UInt64, program: String) throws -> [Device] {
    for (number, home) in homes.enumerated() {
      try home.make()
      try home.write(
        Array("[user]\n  name = Somebody\n  email = somebody@example.org\n[gc]\n  autoDetach = false\n".utf8),
        to: ".gitconfig")
      if number == 0 {
        _ = try home.run(["add", "movie", "--title", "Stalker", "--genre", "Drama", "--yes"], program: program)
      }
      let outcome = try home.run(["sync", "init", remote, "--device", "device\(number)"], program: program)
      guard outcome.status == 0 else { throw Trouble("sync init: \(outcome.errors)") }
    }
    return try homes.enumerated().map { number, home in
      try Device(
        name: "device\(number)",
        db: try Connection(.file(home[Home.catalog]), mode: .readWrite, busyTimeout: Int(Patience.milliseconds)),
        tree: home[".local/share/catalog/catalog.tree"], seed: seed &* 1_000 &+ UInt64(number)
      ) { words in
        let outcome = try home.run(words, program: program)
        return (outcome.status, outcome.output + outcome.errors)
      }
    }
  }

  private static func size(of folder: String) -> Int {
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return files.reduce(0) { sum, file in
      var status = stat()
      return lstat("\(folder)/\(file)", &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }
}

/// A conflict between two devices of a fleet, and the values that both must have afterwards.
private struct Trial {
  let homes: [Home]
  let program: String
  /// The numbers of killed syncs and of simultaneous pushes.
  private(set) var ended = 0
  private(set) var atOnce = 0
  private var number = 0
  private var random: SplitMix
  /// The duration of a sync on this machine under its current load, in microseconds.
  private var lasting = 300_000.0

  init(homes: [Home], program: String, seed: UInt64) {
    (self.homes, self.program) = (homes, program)
    random = SplitMix(seed: seed)
  }

  /// Both devices add an item, and change different fields of a shared item. The second one pushes; the first one's
  /// sync is killed, and then repeated.
  mutating func kill(_ fleet: Fleet) throws -> String? {
    let (first, second) = pair()
    let markers = try mark(first, second, fleet)
    if let problem = try fleet.devices[second].sync() { return problem }
    let launch = try homes[first].launch(["sync"], program: program)
    usleep(UInt32(lasting * Double.random(in: 0...1, using: &random)))
    launch.send(SIGKILL)
    let status = launch.finish().status
    lasting *= status == 0 ? 0.9 : 1.05
    if status == 128 + SIGKILL { ended += 1 }
    fleet.devices[first].syncs += 1
    // Every second time the catalog is opened before the repeated sync.
    if number.isMultiple(of: 2), let problem = homes[first].problems().first {
      return fleet.devices[first].failure(problem)
    }
    for index in [first, second] { if let problem = try fleet.devices[index].sync() { return problem } }
    return try missing(markers, [first, second], fleet)
  }

  /// Both devices make a change, and push at the same time.
  mutating func pushAtOnce(_ fleet: Fleet) throws -> String? {
    let (first, second) = pair()
    let markers = try mark(first, second, fleet)
    let launches = try [first, second].map { try homes[$0].launch(["sync"], program: program) }
    for launch in launches {
      let outcome = launch.finish()
      if outcome.status != 0 {
        return fleet.devices[second].failure("at once with another: \(outcome.status), \(outcome.errors)")
      }
    }
    atOnce += 1
    for index in [first, second] { fleet.devices[index].syncs += 1 }
    for index in [first, second] { if let problem = try fleet.devices[index].sync() { return problem } }
    return try missing(markers, [first, second], fleet)
  }

  private mutating func pair() -> (Int, Int) {
    number += 1
    let first = Int.random(in: homes.indices, using: &random)
    let other = Int.random(in: 0..<homes.count - 1, using: &random)
    return (first, other < first ? other : other + 1)
  }

  /// A value that must be found: its column and its contents.
  private typealias Marker = (column: String, value: String)

  private mutating func mark(_ first: Int, _ second: Int, _ fleet: Fleet) throws -> [Marker] {
    var markers: [Marker] = []
    // Both devices change the item of the previous trial, if both still have it.
    let shared = try [first, second].map { index in
      try fleet.devices[index].db.value(
        "SELECT id FROM item WHERE title = \("Trial \(number - 1)") AND year IS NOT NULL", as: Int64.self)
    }
    if let ours = shared[0], let theirs = shared[1] {
      for (index, id, column) in [(first, ours, "url"), (second, theirs, "description")] {
        let value = "https://example.org/\(number)"
        _ = try fleet.devices[index].perform(["edit", "\(id)", "\(column)=\(value)", "--yes"])
        markers.append((column, value))
      }
    }
    for (index, title) in [(first, "Trial \(number)"), (second, "Other \(number)")] {
      let (status, words) = try fleet.devices[index].perform(
        ["add", "book", "--title", title, "--year", "1999", "--yes"])
      guard status == 0 else { throw Trouble("add: \(words)") }
      markers.append(("title", title))
    }
    return markers
  }

  private func missing(_ markers: [Marker], _ devices: [Int], _ fleet: Fleet) throws -> String? {
    for index in devices {
      for (column, value) in markers {
        let count = try fleet.devices[index].db.value(
          "SELECT count(*) FROM item WHERE \(identifier: column) = \(value)", as: Int.self)
        guard count == 1 else {
          return fleet.devices[index].failure("it has \(count ?? 0) times \(column) '\(value)'")
        }
      }
    }
    return nil
  }
}
