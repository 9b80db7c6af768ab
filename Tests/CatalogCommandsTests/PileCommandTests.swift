import CatalogModel
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct PileCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
    catalog.run("pile", "add", "next", "3", "1")
  }

  private func pile() throws -> [Int64] { try catalog.store.items(onPile: "next").map(\.rawValue) }

  @Test func `items are added to a new pile, listed and moved within it`() throws {
    #expect(
      catalog.run("pile", "add", "for winter", "2")
        == .init(
          output: "for winter 1: book 2: 소년이 온다 — 한강 (2014)\n", errors: "'for winter' is a new pile\n", status: 0))
    #expect(
      catalog.run("pile", "add", "Next", "2", "1")
        == .init(
          output: "next 3: book 2: 소년이 온다 — 한강 (2014)\n",
          errors: "catalog: already on the pile 'next': movie 1: 기생충 — 봉준호 (2019)\n", status: 0))
    #expect(catalog.run("pile", "move", "next", "kind", "of", "blue", "last").output.hasPrefix("next 3: vinyl 3"))
    #expect(catalog.run("pile", "move", "next", "2", "1").output.hasPrefix("next 1: book 2"))
    #expect(
      catalog.run("pile", "next").output == """
        1\t2\tbook\t소년이 온다\t한강\t2014
        2\t1\tmovie\t기생충\t봉준호\t2019
        3\t3\tvinyl\tKind of Blue\tMiles Davis\t1959

        """)
    #expect(catalog.run("piles").output == "for winter\t1\nnext\t3\n")
    #expect(
      catalog.run("pile", "list", "for", "winter", "--json=position,id").output == #"[{"position":1,"id":2}]"# + "\n")
    #expect(
      catalog.run("list", "pile:next", "--tsv", "--columns", "id,piles").output
        == "3\tnext\n2\tfor winter; next\n1\tnext\n")
    #expect(catalog.run("show", "2").output.contains("for winter, next"))
  }

  @Test func `items are removed from a pile, and a pile is removed after a question`() throws {
    #expect(
      catalog.run("pile", "remove", "next", "3", "2")
        == .init(
          output: "removed from the pile 'next': vinyl 3: Kind of Blue — Miles Davis (1959)\n",
          errors: "catalog: not on the pile 'next': book 2: 소년이 온다 — 한강 (2014)\n", status: 0))
    #expect(try pile() == [1])
    #expect(catalog.run("pile", "remove", "next", "--all").status == 2)
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run("pile", "remove", "next", "--all").status == 1)
    catalog.input = ["y"]
    #expect(catalog.run("pile", "remove", "next", "--all").output == "removed the pile 'next'\n")
    #expect(try catalog.store.piles().isEmpty)
    #expect(try catalog.store.shelfCounts().total == 3)
    #expect(catalog.run("pile").errors.hasPrefix("catalog: there is no pile yet"))
  }

  @Test func `an empty pile is kept and reported`() throws {
    catalog.run("pile", "remove", "next", "3", "1")
    let empty = catalog.run("pile", "next")
    #expect(empty.status == 1)
    #expect(empty.errors.contains("the pile 'next' is empty"))
    #expect(catalog.run("pile").output == "next\t0\n")
  }

  @Test func `a dry run changes nothing`() throws {
    #expect(catalog.run("pile", "add", "next", "2", "-n").output.hasPrefix("would be added to the pile 'next': book 2"))
    #expect(catalog.run("pile", "move", "next", "1", "first", "-n").output.hasPrefix("would be next 1: movie 1"))
    #expect(catalog.run("pile", "remove", "next", "--all", "-n").output.split(separator: "\n").count == 2)
    #expect(try pile() == [3, 1])
  }

  @Test(arguments: [
    BadInput("pile", "add", String(repeating: "x", count: 201), "1", errors: "the name has 201 characters"),
    BadInput("pile", "add", "next", errors: "missing REF"),
    BadInput("pile", "add", " ", "2", errors: "the name is empty"),
    BadInput("pile", "add", "next", "2", "99", errors: "there is no item 99", status: 1),
    BadInput("pile", "move", "next", "1", errors: "missing"),
    BadInput("pile", "move", "next", "1", "0", errors: "'0' is not a place on a pile"),
    BadInput("pile", "move", "next", "1", "up", errors: "'up' is not a place on a pile"),
    BadInput("pile", "move", "next", "2", "first", errors: "item 2 is not on the pile 'next'", status: 1),
    BadInput("pile", "move", "nxet", "1", "first", errors: "no pile 'nxet'; did you mean 'next'?", status: 1),
    BadInput("pile", "remove", "next", errors: "missing REF"),
    BadInput("pile", "remove", "next", "1", "--all", errors: "'--all' cannot be combined"),
    BadInput("pile", "remove", "next", "2", errors: "not on the pile 'next'", status: 0),
    BadInput("pile", "nxet", errors: "no pile 'nxet'; did you mean 'next'?", status: 1),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try pile() == [3, 1])
    #expect(try catalog.store.piles().count == 1)
  }

  @Test func `completion offers piles`() {
    func offered(_ words: String...) -> String { catalog.run(["completion", "--candidates", "--"] + words).output }
    #expect(offered("pile", "add", "n") == "next\n")
    #expect(offered("pile", "n") == "next\n")
    #expect(offered("list", "pile:") == "pile:next\npile:none\npile:any\n")
  }
}
