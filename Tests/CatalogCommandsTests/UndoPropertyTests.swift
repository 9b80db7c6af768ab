import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import torture

/// Tests random sequences with undo and redo; `torture undo` does the same with the built program.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct UndoPropertyTests {
  @Test(arguments: 0..<6 as Range<UInt64>)
  func `random changes with undo and redo restore the catalog row for row`(part: UInt64) throws {
    let seed = 20_260 + part
    let catalog = try TestCatalog()
    try catalog.addThree()
    var undoing = Undoing(seed: seed, in: catalog.store.db) { words in
      catalog.now += 1
      let run = catalog.run(words)
      return (run.status, run.output + run.errors)
    }
    for round in 1...Rounds.count(5, long: 10) {
      let problem = try undoing.round()
      guard problem != nil else { continue }
      Issue.record("seed \(seed), round \(round): \(problem ?? "")")
      return
    }
    #expect(try catalog.store.examine(now: catalog.now).allSatisfy { $0.state != .wrong })
  }
}
