import CatalogModel
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct RemoveCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `remove lists the cards, marks and covers of the items and asks`() throws {
    try catalog.store.setCover(Cover(bytes: [1], mediaType: "image/png"), of: ItemID(rawValue: 3))
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(
      catalog.run("remove", "2", "3")
        == .init(
          output: "",
          errors: """
            book 2: 소년이 온다 — 한강 (2014), with 1 card
            vinyl 3: Kind of Blue — Miles Davis (1959), with its favorite mark, its cover
            'catalog undo' brings it back.
            Remove these 2 items? [y/N] catalog: nothing was changed

            """, status: 1))
    #expect(try catalog.store.shelfCounts().total == 3)
    catalog.input = ["y"]
    #expect(catalog.run("rm", "2").output == "removed book 2: 소년이 온다 — 한강 (2014), with 1 card\n")
    #expect(try catalog.store.cards().isEmpty)
    #expect(
      catalog.run("show", "2")
        == .init(
          output: "", errors: "catalog: there is no item 2\nhint: find its number with 'catalog list WORDS'\n",
          status: 1))
  }

  @Test func `the number of a removed item is not used again`() throws {
    catalog.run("remove", "3", "--yes")
    #expect(catalog.run("add", "vinyl", "--title", "Blue Train").output == "added vinyl 4: Blue Train\n")
  }

  @Test func `remove --where removes the matching items, and a dry run lists them`() throws {
    #expect(
      catalog.run("remove", "--where", "year:2010.. ^kind:vinyl", "--dry-run").output == """
        would remove book 2: 소년이 온다 — 한강 (2014), with 1 card
        would remove movie 1: 기생충 — 봉준호 (2019)

        """)
    #expect(try catalog.store.shelfCounts().total == 3)
    #expect(catalog.run("remove", "--where", "genre:\"Literary Fiction\"", "--yes").status == 0)
    #expect(try catalog.store.shelfCounts().books == 0)
  }

  @Test(arguments: [
    BadInput(
      "remove", "1", errors: "catalog: cannot ask without a terminal: Remove this item?\nhint: --yes answers yes\n"),
    BadInput("remove", errors: "no item to remove was named"),
    BadInput("remove", "1", "--where", "x", errors: "name items or give --where, not both"),
    BadInput("remove", "--where", " ", "--yes", errors: "the query is empty"),
    BadInput("remove", "--where", "title:\"a", "--yes", errors: "lacks a closing quote"),
    BadInput("remove", "--where", "zzz", "--yes", errors: "no item matches zzz", status: 1),
    BadInput("remove", "1", "99", "--yes", errors: "there is no item 99", status: 1),
    BadInput("remove", "r1", "--yes", errors: "there is no result r1", status: 1),
  ])
  func `bad input is explained, and nothing is removed`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test func `a search result that is not in the catalog cannot be removed`() throws {
    catalog.addResult()
    #expect(
      catalog.run("remove", "r1", "--yes")
        == .init(
          output: "", errors: "catalog: 'Blue Train' is not in the catalog\nhint: add it first: catalog add r1\n",
          status: 1))
  }
}
