import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import torture

@Suite(.timeLimit(.minutes((FleetRun.isAsked ? 60 : 2) * Patience.minutes)))
struct FleetTests {
  @Test(arguments: FleetRun.all)
  func `devices with random commands end with equal catalogs and lose nothing`(_ fleetRun: FleetRun) throws {
    // One is a day late, and one in 2099; of more, each is a minute ahead of the one before.
    let clocks = [0, -86_400, 2_300_000_000] + (3..<max(3, fleetRun.devices)).map { Double($0) * 60 }
    // A hundred repositories of a long voyage are more than a memory holds.
    let devices = try TestDevices(Array(clocks.prefix(fleetRun.devices)), in: fleetRun.devices < 20 ? .memory : .disk)
    try devices.catalogs[0].addThree()
    try devices.begin()
    var fleet = Fleet(
      try devices.catalogs.enumerated().map { number, catalog in
        try Fleet.Device(
          name: "device\(number)", db: catalog.store.db, tree: catalog.places.tree ?? "",
          seed: fleetRun.seed * 100 + UInt64(number)
        ) { words in
          catalog.now += 1
          let run = catalog.run(words)
          return (run.status, run.output + run.errors)
        }
      }, seed: fleetRun.seed)
    var problem: String?
    for part in 0..<3 where problem == nil {
      problem = try fleet.run(operations: fleetRun.commands / 3, syncEvery: 1 / Double(fleetRun.commandsPerSync))
      // A clone made in between has everything that the device has which synced last.
      let last = part % devices.catalogs.count
      if problem == nil { problem = try fleet.devices[last].sync() }
      guard problem == nil else { break }
      let (own, cloned) = (try TestDevices.files(of: devices.catalogs[last]), try devices.filesOfClone("clone\(part)"))
      #expect(own.keys.sorted() == cloned.keys.sorted(), "\(fleetRun), clone \(part)")
      for (path, text) in own { #expect(cloned[path] == text, "\(path) of clone \(part), \(fleetRun)") }
    }
    if problem == nil { problem = try fleet.meet() }
    #expect(problem == nil, "\(fleetRun)")
    let files = try devices.catalogs.map(TestDevices.files)
    for other in files.dropFirst() {
      #expect(files[0].keys.sorted() == other.keys.sorted())
      for (path, text) in files[0] { #expect(other[path] == text, "\(path)") }
    }
    // People see the same, too.
    let time = try #require(devices.catalogs.map(\.now).max())
    let seen = devices.catalogs.map { Self.seen($0, at: time) }
    for other in seen.dropFirst() {
      for (name, lines) in seen[0] { #expect(other[name] == lines, "\(name), \(fleetRun)") }
    }
    let edits = try LostEdits(
      tree: devices.catalogs[0].places.tree ?? "", databases: devices.catalogs.map(\.store.db)
    ).find()
    #expect(edits.lost == [], "\(fleetRun)")
    let rows = try fleet.lostRows()
    #expect(rows == [], "\(fleetRun)")
    // Something happened: things that both had changed were joined.
    #expect(edits.joins > 5)
    #expect(edits.files > 20)
    #expect(edits.checked > 100)
    if FleetRun.isAsked { print("\(fleetRun): \(fleet.counts), \(edits.joins) joins, \(edits.checked) values") }
    // By the latest of the clocks, nothing is yet to come.
    let latest = try #require(devices.catalogs.map(\.now).max())
    for catalog in devices.catalogs {
      let wrong = try catalog.store.examine(now: latest).filter { $0.state == .wrong }.map { "\($0)" }
      #expect(wrong == [])
    }
  }
}

extension FleetTests {
  /// The output of a device about its catalog at a time, sorted and without device-specific numbers.
  private static func seen(_ catalog: TestCatalog, at time: Date) -> [String: [String]] {
    catalog.now = time
    func lines(_ words: String...) -> [String] {
      catalog.run(words).output.split(separator: "\n").map { line in
        // Sums hang on the order of what is added up, and so do the draws of a test by chance.
        String(line).replacing(/"(?:id|item|copy|entry|card)":(?:[0-9]+|"c[0-9]+"),?/, with: "")
          .replacing(/"(?:chance|p)":[0-9.e-]+,?/, with: "")
          .replacing(/(\.[0-9]{9})[0-9]+/) { $0.output.1 }
      }.sorted()
    }
    return [
      "list": lines("list", "--jsonl"), "favorites": lines("favorites", "--jsonl"),
      "cards": lines("card", "list", "--jsonl"),
      "genres": lines("genres", "--json"), "ratings": lines("report", "ratings", "--json"),
      "home": catalog.run().output.split(separator: "\n").prefix { !["Now", "Lent", "Last added"].contains($0) }.map(
        String.init),
    ]
  }
}

/// A sequence of commands on several devices, generated from a seed.
struct FleetRun: CustomStringConvertible, Sendable {
  var seed: UInt64
  var commands: Int
  var devices = 3
  /// The number of commands for each sync.
  var commandsPerSync = 25

  var description: String {
    "CATALOG_FLEET=\(commands) CATALOG_FLEET_SEED=\(seed) CATALOG_FLEET_DEVICES=\(devices) CATALOG_FLEET_EVERY=\(commandsPerSync)"
  }

  /// One long run and two short ones, unless the environment asks for others: CONTRIBUTING.md.
  static let all: [FleetRun] = {
    let (commands, seed) = (number("CATALOG_FLEET"), number("CATALOG_FLEET_SEED"))
    let some: [(seed: UInt64, commands: Int)] = [(1, Rounds.count(300, long: 600)), (2, 200), (3, 200)]
    let usual = seed.map { [(seed: UInt64($0), commands: 3_000)] } ?? some
    return usual.map { seed, usually in
      FleetRun(
        seed: seed, commands: commands ?? usually, devices: number("CATALOG_FLEET_DEVICES") ?? 3,
        commandsPerSync: number("CATALOG_FLEET_EVERY") ?? 25)
    }
  }()

  /// Whether the environment changes the usual runs.
  static let isAsked = ["", "_SEED", "_DEVICES", "_EVERY"].contains { getenv("CATALOG_FLEET\($0)") != nil }

  /// A number above 0 in the environment.
  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
