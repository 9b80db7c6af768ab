import CatalogModel
import FoundationEssentials
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct FavoriteCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `favorite takes several items by number and title, and lists the newest first`() throws {
    catalog.now += 60
    #expect(
      catalog.run("favorite", "1", "2")
        == .init(
          output: """
            favorite: movie 1: 기생충 — 봉준호 (2019)
            favorite: book 2: 소년이 온다 — 한강 (2014)

            """, errors: "", status: 0))
    #expect(
      catalog.run("favorites").output == """
        2\tbook\t소년이 온다\t한강\t2014\t2026-11-21T09:31:05Z
        1\tmovie\t기생충\t봉준호\t2019\t2026-11-21T09:31:05Z
        3\tvinyl\tKind of Blue\tMiles Davis\t1959\t2026-11-21T09:30:05Z

        """)
    #expect(catalog.run("favorites", "kind:vinyl", "--json=id").output == "[{\"id\":3}]\n")
  }

  @Test func `naming a favorite again keeps its date and is no failure`() throws {
    catalog.now += 3600
    catalog.run("favorite", "1")
    catalog.now += 3600
    #expect(
      catalog.run("favorite", "kind", "of", "blue")
        == .init(
          output: "", errors: "catalog: already a favorite: vinyl 3: Kind of Blue — Miles Davis (1959)\n", status: 0))
    #expect(
      catalog.run("favorites", "--json=id,favorite_at").output == """
        [{"id":1,"favorite_at":"2026-11-21T10:30:05Z"},{"id":3,"favorite_at":"2026-11-21T09:30:05Z"}]

        """)
  }

  @Test func `favorite with a result adds the item, and knows it the second time`() throws {
    catalog.addResult()
    #expect(
      catalog.run("favorite", "r1")
        == .init(
          output: """
            added vinyl 4: Blue Train — John Coltrane (1958)
            favorite: vinyl 4: Blue Train — John Coltrane (1958)

            """, errors: "", status: 0))
    #expect(
      catalog.run("favorite", "r1").errors
        == "catalog: already a favorite: vinyl 4: Blue Train — John Coltrane (1958)\n")
    #expect(try catalog.store.shelfCounts().vinyl == 2)
  }

  @Test func `favorites are listed with --sort and --limit`() {
    catalog.run("favorite", "1", "2")
    #expect(
      catalog.run("favorites", "--sort", "-year", "--limit", "2", "--json=id").output == #"[{"id":1},{"id":2}]"# + "\n")
  }

  @Test func `a dry run changes nothing`() throws {
    catalog.addResult()
    #expect(
      catalog.run("favorite", "1", "r1", "--dry-run").output == """
        would become a favorite: movie 1: 기생충 — 봉준호 (2019)
        would become a favorite: vinyl: Blue Train — John Coltrane (1958)

        """)
    #expect(catalog.run("unfavorite", "3", "-n").output.hasPrefix("would be removed from favorites: vinyl 3"))
    #expect(try catalog.store.favorites() == [ItemID(rawValue: 3)])
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test func `favorites of the same second keep their order when one is named again`() throws {
    for id in try (4...6).map({ try catalog.add(.book, "Book \($0)") }) { catalog.run("favorite", "\(id)") }
    catalog.run("favorite", "1", "5")
    catalog.run("favorite", "4")
    #expect(try catalog.store.favorites().map(\.rawValue) == [1, 6, 5, 4, 3])
    #expect(catalog.run("favorites", "--json=id").output == #"[{"id":1},{"id":6},{"id":5},{"id":4},{"id":3}]"# + "\n")
    #expect(try catalog.store.db.values("SELECT id FROM favorites", as: Int.self) == [1, 6, 5, 4, 3])
    catalog.run("unfavorite", "4")
    catalog.run("favorite", "4")
    #expect(try catalog.store.favorites().map(\.rawValue) == [4, 1, 6, 5, 3])
  }

  @Test func `unfavorite --all asks before it removes all favorites`() throws {
    catalog.run("favorite", "1")
    #expect(catalog.run("unfavorite", "--all", "-n").output.split(separator: "\n").count == 2)
    let asked = catalog.run("unfavorite", "--all")
    #expect(asked.status == 2)
    #expect(asked.errors.contains("--yes"))
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run("unfavorite", "--all").status == 1)
    #expect(try catalog.store.favorites().count == 2)
    catalog.input = ["y"]
    #expect(catalog.run("unfavorite", "--all").output.split(separator: "\n").count == 2)
    #expect(try catalog.store.favorites() == [])
    #expect(try catalog.store.shelfCounts().total == 3)
    let none = catalog.run("unfavorite", "--all", "--yes")
    #expect(none == .init(output: "", errors: "catalog: there is no favorite\n", status: 0))
  }

  @Test func `unfavorite with several items removes all of them or none`() throws {
    catalog.run("favorite", "1", "2")
    let none = catalog.run("unfavorite", "1", "99")
    #expect(none.status == 1)
    #expect(none.output == "")
    #expect(try catalog.store.favorites().count == 3)
    try catalog.store.db.execute(
      script: """
        CREATE TEMP TRIGGER stop BEFORE DELETE ON favorite WHEN OLD.item_id = 2 BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
    #expect(catalog.run("unfavorite", "1", "2", "3").status == 1)
    #expect(try catalog.store.favorites().count == 3)
    try catalog.store.db.execute(script: "DROP TRIGGER stop")
    #expect(
      catalog.run("unfavorite", "1", "2", "1").output == """
        removed from favorites: movie 1: 기생충 — 봉준호 (2019)
        removed from favorites: book 2: 소년이 온다 — 한강 (2014)

        """)
    #expect(try catalog.store.favorites() == [ItemID(rawValue: 3)])
  }

  @Test func `a favorite and a recent do not depend on each other`() throws {
    catalog.run("show", "3")
    #expect(
      catalog.run("unfavorite", "3")
        == .init(output: "removed from favorites: vinyl 3: Kind of Blue — Miles Davis (1959)\n", errors: "", status: 0))
    #expect(try catalog.store.recents().map(\.item) == [ItemID(rawValue: 3)])
    catalog.run("favorite", "3")
    for id in try (1...10).map({ try catalog.add(.movie, "Movie \($0)") }) { catalog.run("show", "\(id)") }
    #expect(try catalog.store.recents().contains { $0.item == ItemID(rawValue: 3) } == false)
    #expect(try catalog.store.favorites() == [ItemID(rawValue: 3)])
  }

  @Test(arguments: [
    BadInput("favorite", errors: "missing REF"),
    BadInput("favorite", " ", errors: "a reference is missing: give a number"),
    BadInput("favorite", "99", errors: "catalog: there is no item 99\n", status: 1),
    BadInput("favorite", "0", errors: "'0' is not an item number: numbers start at 1\n"),
    BadInput("favorite", "1", "r9", errors: "there is no result r9: nothing was found yet", status: 1),
    BadInput("favorite", "@1", errors: "nothing was viewed yet", status: 1),
    BadInput("favorite", "isbn:9788936434121", errors: "has a wrong check digit"),
    BadInput("favorite", "nothing", errors: "nothing in the catalog matches 'nothing'", status: 1),
    BadInput("unfavorite", errors: "missing REF"),
    BadInput("unfavorite", "3", "--all", errors: "'--all' cannot be combined"),
    BadInput("unfavorite", "1", errors: "catalog: not a favorite: movie 1: 기생충 — 봉준호 (2019)\n", status: 0),
    BadInput("favorites", "kind:book", errors: "catalog: no favorite matches kind:book\n", status: 1),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.favorites() == [ItemID(rawValue: 3)])
  }

  @Test func `words that match no title exactly list the candidates, or ask on a terminal`() throws {
    try catalog.add(.vinyl, "Blue Train", by: "John Coltrane", year: 1958)
    #expect(
      catalog.run("favorite", "blue")
        == .init(
          output: "",
          errors: """
            catalog: nothing in the catalog is called 'blue':
              pack:vinyl/blue-1971  vinyl Blue — Joni Mitchell (1971), not in the catalog
              4                     vinyl Blue Train — John Coltrane (1958)
              3                     vinyl Kind of Blue — Miles Davis (1959)
            hint: type what stands before it instead: pack:vinyl/blue-1971

            """, status: 1))
    catalog.atTerminal()
    catalog.input = ["2"]
    #expect(catalog.run("favorite", "blue").output == "favorite: vinyl 4: Blue Train — John Coltrane (1958)\n")
  }

  @Test func `favorites without any favorite hints how to add one`() throws {
    #expect(
      try TestCatalog().run("favorites")
        == .init(
          output: "", errors: "catalog: there is no favorite yet\nhint: make one: catalog favorite 42\n", status: 1))
  }
}
