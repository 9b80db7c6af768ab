import FoundationEssentials
import Glibc
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import torture

@Suite(.timeLimit(.minutes(20)))
struct FleetTests {
  /// What three devices do: so many commands together, as a seed has it.
  struct Voyage: CustomStringConvertible, Sendable {
    var seed: UInt64
    var commands: Int

    var description: String { "CATALOG_FLEET=\(commands) CATALOG_FLEET_SEED=\(seed)" }

    /// A long one and two short ones, unless the environment asks for others: CONTRIBUTING.md.
    static let all: [Voyage] = {
      func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
      let commands = number("CATALOG_FLEET")
      if let seed = number("CATALOG_FLEET_SEED") {
        return [Voyage(seed: UInt64(seed.magnitude), commands: commands ?? 9_000)]
      }
      return [(1, 9_000), (2, 500), (3, 500)].map { Voyage(seed: $0, commands: commands ?? $1) }
    }()
  }

  @Test(arguments: Voyage.all)
  func `devices that did what they pleased agree in the end, and nothing is lost`(_ voyage: Voyage) throws {
    // One is a day late, and one in 2099.
    let devices = try TestDevices([0, -86_400, 2_300_000_000], isInMemory: true)
    try devices.catalogs[0].addThree()
    try devices.begin()
    var fleet = Fleet(
      devices.catalogs.enumerated().map { number, catalog in
        Fleet.Device(
          name: "device\(number)", db: catalog.store.db, tree: catalog.places.tree ?? "",
          seed: voyage.seed * 100 + UInt64(number)
        ) { words in
          catalog.now += 1
          let run = catalog.run(words)
          return (run.status, run.output + run.errors)
        }
      }, seed: voyage.seed)
    let problem = try fleet.run(operations: voyage.commands) ?? fleet.meet()
    #expect(problem == nil, "\(voyage)")
    let files = try devices.catalogs.map(TestDevices.files)
    for other in files.dropFirst() {
      #expect(files[0].keys.sorted() == other.keys.sorted())
      for (path, text) in files[0] { #expect(other[path] == text, "\(path)") }
    }
    let edits = try LostEdits(
      tree: devices.catalogs[0].places.tree ?? "", databases: devices.catalogs.map(\.store.db)
    ).find()
    #expect(edits.lost == [], "\(voyage)")
    // Something happened: things that both had changed were joined.
    #expect(edits.joins > 5)
    #expect(edits.files > 20)
    #expect(edits.checked > 100)
    // By the latest of the clocks, nothing is yet to come.
    let latest = try #require(devices.catalogs.map(\.now).max())
    for catalog in devices.catalogs {
      let wrong = try catalog.store.examine(now: latest).filter { $0.state == .wrong }.map { "\($0)" }
      #expect(wrong == [])
    }
  }
}
