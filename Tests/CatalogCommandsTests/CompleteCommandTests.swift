import CatalogModel
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests `complete`, `pick --because` and `genres --compare`.
struct CompleteCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
  }

  @Test func `complete lists what is here of a creator, and what the pack has besides`() throws {
    try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1959, genres: ["Jazz"])
    let lines = catalog.run("complete", "miles davis").output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("owned\t1\tvinyl\t\tKind of Blue") })
    #expect(lines.count { $0.contains("Kind of Blue") } == 1)
    #expect(lines.contains { $0.hasPrefix("missing\t\tvinyl") && $0.contains("pack:") })
    #expect(!catalog.run("complete", "Miles Davis", "--missing").output.contains("Kind of Blue"))
  }

  @Test func `complete names the gaps of a series`() throws {
    for number in [1, 3] {
      try catalog.add(.book, "Mort \(number)") { $0.book.series = "Discworld #\(number)" }
    }
    catalog.atTerminal()
    let output = catalog.run("--no-pager", "complete", "discworld").output
    #expect(output.contains("discworld  2 of 3 here"))
    #expect(output.contains("missing"))
    #expect(output.contains("#2"))
  }

  @Test func `a year in place of a series number makes no gaps`() throws {
    for number in [1, 3, 1969] {
      try catalog.add(.book, "Mort \(number)") { $0.book.series = "Discworld #\(number)" }
    }
    let lines = catalog.run("complete", "discworld", "--missing").output.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.hasPrefix("missing\t\tbook\t2\t") })
  }

  @Test func `complete fails for words that nothing is called`() {
    let run = catalog.run("complete", "Zzyzx Nobody")
    #expect(run.status == 1)
    #expect(run.errors.contains("no creator, series, label or genre is called 'Zzyzx Nobody'"))
  }

  @Test func `pick --because says why`() throws {
    try catalog.add(.book, "Dune", by: "Frank Herbert")
    // Through a pipe as well.
    let reason = "You never finished or rated it, so it comes eight times as often."
    #expect(catalog.run("pick", "--because").output.contains(reason))
    catalog.atTerminal()
    let output = catalog.run("pick", "--because").output
    #expect(output.contains("Dune"))
    #expect(output.contains(reason))
    #expect(catalog.run("pick", "--because", "--json").status == 2)
  }

  @Test func `genres --compare shows what both love and what to lend`() throws {
    let other = try TestCatalog()
    for number in 1...8 {
      try catalog.add(.vinyl, "Jazz \(number)", by: "A", genres: ["Jazz"])
      catalog.run("rate", "\(number)", number < 8 ? "5" : "4")
      try other.add(.vinyl, "Jazz \(number + 6)", by: "A", genres: ["Jazz"])
      other.run("rate", "\(number)", "4.5")
    }
    for number in 9...30 {
      try catalog.add(.vinyl, "Rock \(number)", by: "B", genres: ["Rock"])
      catalog.run("rate", "\(number)", "2")
      try other.add(.vinyl, "Folk \(number)", by: "C", genres: ["Folk"])
      other.run("rate", "\(number)", "2")
    }
    let path = try folder.write(other.run("export", "jsonl").output, to: "friend.jsonl")
    let theirs = try catalog.context().withOtherCatalog(path) { try $0.taste(now: catalog.now) }
    let comparison = TasteComparison(try catalog.store.taste(now: catalog.now), with: theirs)
    #expect(comparison.items == 30)
    #expect(comparison.theirItems == 30)
    #expect(comparison.shared == 2)
    #expect(comparison.bothLove.map(\.title) == ["Jazz 7", "Jazz 8"])
    #expect(comparison.lend.map(\.work.title).sorted() == (1...6).map { "Jazz \($0)" })
    #expect(comparison.borrow.map(\.work.title).sorted() == (9...14).map { "Jazz \($0)" }.sorted())
    #expect(Set(comparison.genres.filter(\.isSignificant).map(\.name)) == ["Rock", "Folk"])
    catalog.atTerminal()
    let output = catalog.run("--no-pager", "genres", "--compare", path).output
    #expect(output.contains("Both love"))
    #expect(output.contains("Where you differ"))
    #expect(catalog.run("genres", "--compare", folder.path("none.db")).status == 1)
  }
}
