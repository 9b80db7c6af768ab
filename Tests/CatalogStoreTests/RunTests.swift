import CatalogModel
import Testing

@testable import CatalogStore
@testable import simulate

/// Items in runs, and works of one maker, count as fewer: docs/genre-mathematics.md.
struct RunTests {
  private let tree: GenreTree

  init() throws { tree = try GenreTree(Store.inMemory().db) }

  /// An item of one genre, 0 … 2; the day is counted from 1970-01-01.
  private struct Item {
    var kind = 0
    var genre: Int
    var rating: Int?
    var maker: Int32 = 0
    var day = 0
  }

  private func facts(_ items: [Item]) -> GenreFacts {
    var facts = GenreFacts()
    for item in items {
      var member = GenreScope.Member(kind: UInt8(item.kind), date: 0)
      if item.day > 0, let date = PartialDate(dayNumber: item.day) { member.date = GenreScope.date(date) }
      member.rating = item.rating.map { Int8($0) }
      member.maker = item.maker
      let genre = number(item.genre)
      facts.add(member, [genre], line: [genre], of: tree)
    }
    return facts
  }

  private func number(_ genre: Int) -> Int { tree.names.indices.filter { !tree.hasBelow[$0] }[genre] }

  // MARK: Ratings

  private func chance(_ items: [Item], without named: [Int] = [], of genre: Int = 0) -> Double {
    let opinions = GenreOpinions(facts(items), tree, without: named.map(number)) { $0.rating.map { Int($0) } }
    return opinions.against(number(genre)).chance
  }

  private func rated(_ genre: Int, _ ratings: [Int], kind: Int = 0, maker: Int32 = 0) -> [Item] {
    ratings.map { Item(kind: kind, genre: genre, rating: $0, maker: maker) }
  }

  /// 3, 4, 5, 5 against 1, 2, 2, 3: ranks 5½, … make 25½; the normal approximation with ties by hand.
  @Test func `ratings give ties their middle rank`() {
    #expect(abs(chance(rated(0, [3, 4, 5, 5]) + rated(1, [1, 2, 2, 3])) - 0.03960870463975983) < 1e-12)
    #expect(chance(rated(0, [80, 80]) + rated(1, [80, 80])) == 1)
    #expect(chance(rated(1, [80, 60])) == 1)
  }

  /// Two kinds, in each of which the genre is rated as the rest, one of them higher as a whole.
  @Test func `ratings are compared within kinds`() {
    let films = rated(0, [60, 70]) + rated(1, (0..<14).map { $0 % 2 == 0 ? 60 : 70 })
    let (many, few) = ((0..<60).map { $0 % 2 == 0 ? 80 : 90 }, (0..<20).map { $0 % 2 == 0 ? 80 : 90 })
    #expect(chance(films + rated(0, many, kind: 1) + rated(1, few, kind: 1)) > 0.9)
    #expect(chance(films + rated(0, many) + rated(1, few)) < 0.001)
  }

  @Test func `works of one maker that got much the same count as fewer`() {
    func shelf(haveMakers: Bool) -> [Item] {
      (0..<10).reduce(rated(0, [90, 91, 90, 91, 90, 91], maker: haveMakers ? 1 : 0)) { items, maker in
        items + rated(1, (0..<4).map { 40 + maker % 5 * 10 + $0 % 2 }, maker: haveMakers ? Int32(maker + 10) : 0)
      }
    }
    #expect(chance(shelf(haveMakers: false)) < 0.001)
    #expect(chance(shelf(haveMakers: true)) > 0.02)
  }

  /// Beside films of a genre that is loved, all others look a little worse.
  @Test func `the rest is compared without what was named`() {
    let rest = (0..<60).map { 40 + $0 % 5 * 10 }
    let items = rated(0, Array(repeating: 100, count: 60)) + rated(1, rest) + rated(2, rest)
    #expect(chance(items, of: 1) < 0.001)
    #expect(chance(items, without: [0], of: 1) > 0.9)
  }

  /// Four of twelve fours among fourteen of 175: 0.009 exactly, 0.0009 by the normal curve.
  @Test func `ratings that are nearly all equal are not surer than they are`() {
    let (fours, fives) = (Array(repeating: 80, count: 12), Array(repeating: 100, count: 163))
    let mine = rated(0, Array(fours.prefix(4) + fives.prefix(10)))
    let items = mine + rated(1, Array(fours.dropFirst(4) + fives.dropFirst(10)))
    #expect((0.009...0.1).contains(chance(items)))
  }

  // MARK: Days

  private func runs(_ items: [Item]) -> GenreRuns { GenreRuns(facts(items), tree, today: 20_000) }

  /// Items of films that came on these days before today.
  private func came(_ items: Int, genre: (Int) -> Int, ago: (Int) -> Int) -> [Item] {
    (0..<items).map { Item(genre: genre($0), day: 20_000 - ago($0)) }
  }

  /// Items of two genres in turn, every third day: no run is any longer than chance has it.
  @Test func `what comes evenly is in no runs`() {
    let runs = runs(
      came(300) {
        $0 % 2
      } ago: {
        $0 * 3
      })
    #expect(runs.kinds[0].effect < 0.2)
    #expect(runs.divisor(ofKind: 0) == 1)
    #expect(runs.divisor(of: number(0)) == 1)
  }

  /// Twelve of one genre, then twelve of the other, in a month each.
  @Test func `what comes in runs counts as fewer`() {
    let runs = runs(
      came(288) {
        $0 / 12 % 2
      } ago: {
        30 * ($0 / 12) + $0 % 12
      })
    #expect(runs.kinds[0].tellsTime)
    #expect(runs.kinds[0].effect > 5)
    #expect(runs.divisor(of: number(0)) > 5)
    // Twelve runs: each counts, however uneven the months.
    #expect(runs.part(of: number(0), items: 144) * 144 >= 12)
  }

  @Test(arguments: [(1, false), (60, false), (240, false), (340, true), (1_000, true)])
  func `it takes eight blocks of thirty days besides one for each year`(_ days: Int, _ tells: Bool) {
    let runs = runs(
      came(200) {
        $0 % 3
      } ago: {
        $0 * days / 200
      })
    #expect(runs.kinds[0].tellsTime == tells)
  }

  @Test func `without a day there is nothing to tell`() {
    #expect(runs([Item(genre: 0)]).kinds.allSatisfy { $0.items == 0 && !$0.tellsTime })
    #expect(runs([]).report.isEmpty)
  }

  /// Works of a maker that keeps to a genre, and works of makers that do not.
  @Test func `makers that keep to a genre count as fewer`() {
    let kept = (0..<60).map { Item(genre: $0 / 6 % 2, maker: Int32($0 / 6 + 1)) }
    let mixed = (0..<60).map { Item(genre: $0 % 2, maker: Int32($0 / 6 + 1)) }
    #expect(GenreMakers(facts(kept), tree).whole > 4)
    #expect(GenreMakers(facts(mixed), tree).whole == 1)
    #expect(GenreMakers(facts([]), tree).divisor == 1)
  }

  // MARK: Chances

  /// 2 · (1 − Φ(1.96 ÷ 2)), and so on.
  @Test func `evidence is divided`() {
    for (chance, items, left) in [
      (0.05, 1.0, 0.05), (0.05, 4.0, 0.3270950077), (0.001, 2.0, 0.0199783745), (1.0, 3.0, 1.0), (0.0, 5.0, 0.0),
    ] {
      #expect(abs(Statistics.divided(chance, by: items) - left) < 1e-6)
      #expect(abs(Statistics.dividedTail(chance / 2, by: items) - left / 2) < 1e-6)
    }
  }

  // MARK: Shelves

  /// Each of them marked most pages, or a third, before what comes together counted together.
  @Test func `pages about a taste that never changed mark nothing where items come in runs`() throws {
    let simulation = try Simulation()
    var wrong = 0
    for life in Life.stress {
      wrong += try (0..<4).count { try simulation.page(life, items: 150, seed: UInt64($0)).marks[6] }
    }
    #expect(wrong <= 3)
    let films = try simulation.page(.films, items: 200, seed: 1).report.runs.first?.effect ?? 0
    let inRuns = try simulation.page(Life.stress[2], items: 200, seed: 1).report.runs.first?.effect ?? 0
    #expect(films < 1.5 && inRuns > 1.5, "\(films) \(inRuns)")
  }

  @Test func `a taste that moves over five years is found`() throws {
    let simulation = try Simulation()
    let moves = Change.all.filter { $0.name.contains("five years") }
    for change in moves {
      #expect(
        try (0..<4).count { try change.isSaid(simulation.page(.films, change: change, items: 400, seed: $0).report) }
          >= 3)
    }
    #expect(moves.count == 1)
  }
}
