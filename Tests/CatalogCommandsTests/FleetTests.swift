import FoundationEssentials
import Glibc
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import torture

@Suite(.timeLimit(.minutes(20)))
struct FleetTests {
  /// How many commands three devices do together, with each seed: CONTRIBUTING.md.
  private static let operations = getenv("CATALOG_FLEET").flatMap { Int(String(cString: $0)) } ?? 1_000

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `devices that did what they pleased agree in the end, and nothing is lost`(seed: UInt64) throws {
    // One is a day late, and one in 2099.
    let devices = try TestDevices([0, -86_400, 2_300_000_000])
    try devices.catalogs[0].addThree()
    try devices.begin()
    var fleet = Fleet(
      devices.catalogs.enumerated().map { number, catalog in
        Fleet.Device(
          name: "device\(number)", db: catalog.store.db, tree: catalog.places.tree ?? "",
          seed: seed * 100 + UInt64(number)
        ) { words in
          catalog.now += 1
          let run = catalog.run(words)
          return (run.status, run.output + run.errors)
        }
      }, seed: seed)
    let problem = try fleet.run(operations: Self.operations) ?? fleet.meet()
    #expect(problem == nil, "seed \(seed)")
    let files = try devices.catalogs.map(TestDevices.files)
    for other in files.dropFirst() {
      #expect(files[0].keys.sorted() == other.keys.sorted())
      for (path, text) in files[0] { #expect(other[path] == text, "\(path)") }
    }
    let edits = try LostEdits(
      tree: devices.catalogs[0].places.tree ?? "", databases: devices.catalogs.map(\.store.db)
    ).find()
    #expect(edits.lost == [])
    #expect(edits.checked > 100)
    // By the latest of the clocks, nothing is yet to come.
    let latest = try #require(devices.catalogs.map(\.now).max())
    for catalog in devices.catalogs {
      let wrong = try catalog.store.examine(now: latest).filter { $0.state == .wrong }.map { "\($0)" }
      #expect(wrong == [])
    }
  }
}
