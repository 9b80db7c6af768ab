import CatalogModel
import CommandLineKit
import Lookup
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests editions and duplicates of a work: `add`, `search`, `show`, `edition`, `merge` and `doctor`.
struct WorkCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1959) {
      $0.externalIDs = [ExternalID(source: "discogs", value: "1")]
    }
  }

  /// Makes a later pressing the result `r1`.
  private func addPressing(_ number: String = "2") {
    var record = Record(kind: .vinyl, title: "Kind Of Blue")
    record.credits = [Credit(name: "Miles Davis", role: .artist)]
    record.year = 1997
    let id = ExternalID(source: "pack", value: "vinyl/\(number)")
    record.externalIDs = [id]
    catalog.results([Candidate(id: id, record: record)])
  }

  private static let edition = "another edition is on your shelf: vinyl 1: Kind of Blue — Miles Davis (1959)"

  // MARK: Adding

  @Test func `adding another edition asks first and marks both as editions`() throws {
    addPressing()
    catalog.atTerminal(width: 200)
    catalog.input = ["n"]
    #expect(
      catalog.run("add", "r1")
        == .init(
          output: "",
          errors: """
            vinyl: Kind Of Blue — Miles Davis (1997)
            Another edition is on your shelf: vinyl 1: Kind of Blue — Miles Davis (1959). Add this one too? [y/N] \
            catalog: not added: \(Self.edition)

            """, status: 1))
    #expect(try catalog.store.shelfCounts().total == 1)
    catalog.input = ["y"]
    #expect(
      catalog.run("add", "r1").output == "added vinyl 2: Kind Of Blue — Miles Davis (1997)  another edition of 1\n")
    #expect(try catalog.store.editions(of: ItemID(rawValue: 1)) == [ItemID(rawValue: 2)])
    #expect(
      catalog.run("add", "r1").errors == "catalog: already on the shelf: vinyl 2: Kind Of Blue — Miles Davis (1997)\n")
  }

  @Test func `adding another edition without a terminal hints at --yes and writes nothing`() throws {
    addPressing()
    #expect(
      catalog.run("add", "r1")
        == .init(output: "", errors: "catalog: \(Self.edition)\nhint: --yes adds this one too\n", status: 2))
    #expect(catalog.run("add", "r1", "--dry-run").errors.contains(Self.edition))
    #expect(catalog.run("favorite", "r1").status == 2)
    #expect(try catalog.store.shelfCounts().total == 1)
    #expect(catalog.run("add", "r1", "--yes").status == 0)
    #expect(
      catalog.run("add", "vinyl", "--title", "kind of blue", "--creator", "Davis, Miles", "--yes").output
        == "added vinyl 3: kind of blue — Davis, Miles  another edition of 1\n")
  }

  @Test func `an item added while the question was open is found before writing`() throws {
    addPressing()
    catalog.atTerminal(width: 200)
    catalog.input = ["y"]
    catalog.beforeLine = { [catalog] in
      var record = Record(kind: .vinyl, title: "Kind of Blue")
      record.externalIDs = [ExternalID(source: "pack", value: "vinyl/2")]
      _ = try? catalog.store.add(record, now: catalog.clock)
    }
    #expect(catalog.run("add", "r1").errors.contains("already on the shelf: vinyl 2"))
    #expect(try catalog.store.shelfCounts().total == 2)
  }

  @Test func `add leaves out lines with another edition, and adds them with --yes`() throws {
    let lines = ["pack:vinyl/kind-of-blue-1959", "pack:vinyl/blue-train-1958"]
    catalog.input = lines
    let run = catalog.run("add", "-")
    #expect(
      run.errors == """
        catalog: line 1, 'pack:vinyl/kind-of-blue-1959': not added, \(Self.edition)
        hint: --yes adds other editions too

        """)
    #expect(run.output.hasPrefix("added vinyl 2: Blue Train"))
    #expect(run.status == 1, "one is not there as it was asked for")
    catalog.input = lines
    #expect(catalog.run("add", "-", "--yes").output.hasPrefix("added vinyl 3: Kind of Blue"))
  }

  // MARK: Looking

  @Test func `search results from any source show the matching item or edition on the shelf`() throws {
    #expect(
      catalog.run("search", "kind of blue", "--source", "pack", "--kind", "vinyl", "--json=have,item,edition_of").output
        == #"[{"have":"[another edition on shelf 1]","item":null,"edition_of":1}]"# + "\n")
    try catalog.add(.movie, "Dune", by: "Denis Villeneuve", year: 2021) {
      $0.externalIDs = [ExternalID(source: "tmdb", value: "438631")]
    }
    #expect(
      catalog.run(
        "search", "dune", "--source", "pack", "--kind", "movie", "--limit", "1", "--json=have,item,edition_of"
      )
      .output == #"[{"have":"[on shelf 2]","item":2,"edition_of":null}]"# + "\n")
  }

  @Test func `the page of an item lists its other editions`() throws {
    addPressing()
    let before = catalog.run("show", "r1")
    #expect(before.output.contains("Another edition  vinyl 1: Kind of Blue — Miles Davis (1959)\n"))
    _ = catalog.run("add", "r1", "--yes")
    #expect(catalog.run("show", "1").output.contains("Another edition  vinyl 2: Kind Of Blue — Miles Davis (1997)\n"))
    #expect(catalog.run("show", "1", "--json").output.contains(#""item":1,"editions":[2]"#))
  }

  // MARK: By hand

  @Test func `edition add and edition remove link and separate items`() throws {
    try catalog.add(.vinyl, "카인드 오브 블루", by: "마일스 데이비스")
    #expect(
      catalog.run("edition", "add", "1", "2").output
        == "another edition of vinyl 1: Kind of Blue — Miles Davis (1959): vinyl 2: 카인드 오브 블루 — 마일스 데이비스\n")
    let again = catalog.run("edition", "add", "1", "2")
    #expect(again.errors == "catalog: already an edition of it: vinyl 2: 카인드 오브 블루 — 마일스 데이비스\n")
    #expect(again.status == 0)
    #expect(
      catalog.run("edition", "remove", "2", "--dry-run").output.hasPrefix(
        "would be separated from the other editions: vinyl 2"))
    #expect(
      catalog.run("edition", "remove", "2").output
        == "separated from the other editions: vinyl 2: 카인드 오브 블루 — 마일스 데이비스\n")
    let apart = catalog.run("edition", "remove", "2")
    #expect(apart.errors.hasPrefix("catalog: has no other editions: vinyl 2"))
    #expect(apart.status == 0)
    #expect(
      catalog.run("edition", "add", "1", "2", "--dry-run").output.hasPrefix(
        "would be linked as another edition of vinyl 1"))
    #expect(try catalog.store.editions(of: ItemID(rawValue: 1)).isEmpty)
  }

  struct Bad: CustomTestStringConvertible {
    var words: [String]
    var errors: String
    var status: Int32
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Bad(words: ["edition", "add", "1"], errors: "the item that it is another edition of is missing", status: 2),
    Bad(words: ["edition", "add", "1", "1"], errors: "item 1 is named twice", status: 2),
    Bad(words: ["edition", "add", "1", "2"], errors: "items 1 and 2 are of different kinds", status: 2),
    Bad(words: ["edition", "add", "1", "9"], errors: "there is no item 9", status: 1),
    Bad(words: ["edition", "remove", "9"], errors: "there is no item 9", status: 1),
    Bad(words: ["merge", "1"], errors: "'merge' takes two items", status: 2),
    Bad(words: ["merge", "1", "2", "1"], errors: "'merge' takes two items", status: 2),
    Bad(words: ["merge", "1", "1"], errors: "item 1 is named twice", status: 2),
    Bad(words: ["merge", "1", "2"], errors: "items 1 and 2 are of different kinds", status: 2),
    Bad(words: ["merge", "1", "9"], errors: "there is no item 9", status: 1),
  ])
  func `bad input is explained, and nothing is written`(_ bad: Bad) throws {
    try catalog.add(.book, "Blue", by: "Someone")
    let run = catalog.run(bad.words + ["--yes"])
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(try catalog.store.shelfCounts().total == 2)
  }

  // MARK: Merging

  @Test func `merge lists the changes, asks, and leaves one item`() throws {
    let id = try catalog.add(.vinyl, "Kind of Blue (Mono)", by: "Miles Davis", genres: ["Jazz"]) {
      $0.vinyl.label = "Columbia"
    }
    _ = try catalog.store.addCard(to: id, rating: nil, comment: "So what", now: catalog.clock)
    let lines = """
      stays: vinyl 1: Kind of Blue — Miles Davis (1959)
      goes: vinyl 2: Kind of Blue (Mono) — Miles Davis
        genre: (none) → Jazz
        label: (none) → Columbia
        moves with it: 1 card
        moves with it: 1 copy

      """
    #expect(
      catalog.run("merge", "1", "2", "--dry-run").output
        == lines + "would merge vinyl 2: Kind of Blue (Mono) — Miles Davis into 1\n")
    #expect(catalog.run("merge", "1", "2").errors.hasSuffix("hint: --yes answers yes\n"))
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(
      catalog.run("merge", "1", "2").errors == lines + "Merge item 2 into item 1? [y/N] catalog: nothing was changed\n")
    catalog.input = ["y"]
    #expect(
      catalog.run("merge", "1", "2").output
        == "merged vinyl 2: Kind of Blue (Mono) — Miles Davis into vinyl 1: Kind of Blue —\nMiles Davis (1959)\n")
    #expect(try catalog.store.cards(of: ItemID(rawValue: 1)).count == 1)
    #expect(catalog.run("show", "2").status == 1)
  }

  @Test func `merge is cancelled when an item changes while the question is open`() throws {
    let id = try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis")
    catalog.atTerminal()
    catalog.input = ["y"]
    catalog.beforeLine = { [catalog] in
      _ = try? catalog.store.addCard(to: id, rating: nil, comment: "meanwhile", now: catalog.clock)
    }
    let run = catalog.run("merge", "1", "2")
    #expect(run.errors.contains("it was changed elsewhere in the meantime"))
    #expect(run.status == 1)
    #expect(try catalog.store.exists(id))
  }

  @Test(
    arguments: [
      ("Fyodor Dostoyevsky", true), ("Fyodor Dostoevskij", true), ("Dostoevsky, Fyodor", false), ("표도르 도스토옙스키", false),
      ("Fyodor Gladkov", false), ("Feodor", false),
    ])
  func `doctor reports creators who are spelled in two ways`(name: String, isNear: Bool) throws {
    let folder = try TemporaryFolder()
    let catalog = try TestCatalog(path: folder.path("catalog.db"))
    try catalog.add(.book, "The Idiot", by: "Fyodor Dostoevsky")
    try catalog.add(.book, "Demons", by: "Fyodor Dostoevsky")
    try catalog.add(.book, "The Gambler", by: name)
    let output = catalog.run("doctor").output
    #expect(output.contains("names\t\(isNear ? "hint\t1" : "ok\t0")"), "\(output)")
    #expect(output.contains("\(name), Fyodor Dostoevsky") == isNear)
  }

  @Test func `doctor reports likely duplicates and no editions`() throws {
    let folder = try TemporaryFolder()
    let catalog = try TestCatalog(path: folder.path("catalog.db"))
    try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1959) {
      $0.externalIDs = [ExternalID(source: "discogs", value: "1")]
    }
    // A pressing that a source tells apart, one of many years later, and one that is known to be an edition.
    for (number, year) in [("2", 1959), ("3", 1960)] {
      try catalog.add(.vinyl, "Kind Of Blue", by: "Davis, Miles", year: year) {
        $0.externalIDs = [ExternalID(source: number == "2" ? "discogs" : "musicbrainz", value: number)]
      }
    }
    try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1997)
    try catalog.store.write { try catalog.store.db.run("DELETE FROM edition_of") }
    let run = catalog.run("doctor")
    #expect(run.output.contains("duplicates\thint\t2\t2 pairs are probably duplicates"))
    #expect(run.output.contains("catalog merge 1 3  Kind of Blue (1959)"))
    #expect(!run.output.contains("merge 1 2"))
    #expect(!run.output.contains("merge 1 4"))
    _ = try catalog.store.joinEditions([1, 2, 3].map(ItemID.init))
    #expect(catalog.run("doctor").output.contains("duplicates\tok\t0"))
  }
}
