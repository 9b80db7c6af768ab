import Testing

@testable import simulate

/// A short run of what `make simulate` measures: docs/genre-mathematics.md has the figures of the long one.
struct UnchangedTasteTests {
  private let simulation: Simulation

  init() throws { simulation = try Simulation() }

  private func marks(_ life: Life, items: Int, shelves: Int) throws -> Int {
    try (0..<shelves).count { try simulation.page(life, items: items, seed: UInt64($0)).marks[6] }
  }

  @Test func `pages about an unchanged taste mark nothing, whatever the life of the shelf`() throws {
    // Each of them marked most or all pages before everything was compared within kinds.
    let names = [
      "kind after kind", "films imported, then even", "richer labels in the last year", "rich and poor labels",
    ]
    let lives = Life.all.filter { names.contains($0.name) }
    #expect(lives.count == names.count)
    var wrong = 0
    for life in lives { wrong += try marks(life, items: 80, shelves: 5) }
    // 4 marked pages of 20 would be one run in sixty.
    #expect(wrong <= 3)
  }
}
