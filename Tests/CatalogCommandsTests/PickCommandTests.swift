import CatalogModel
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct PickCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `pick with the same seed picks the same item`() {
    let one = catalog.run("pick", "--seed", "7", "--json=id").output
    for _ in 0..<5 { #expect(catalog.run("pick", "--seed", "7", "--json=id").output == one) }
    #expect(Set((0..<40).map { catalog.run("pick", "--seed", "\($0)", "--json=id").output }).count == 3)
    catalog.random = { _ in 7 }
    #expect(catalog.run("pick", "--json=id").output == one)
  }

  @Test func `pick from an empty catalog prints an empty list with status 1`() throws {
    let run = try TestCatalog().run("pick", "--json")
    #expect(run.output == "[]\n")
    #expect(run.status == 1)
    #expect(run.errors.contains("the catalog is empty"))
    #expect(catalog.run("pick", "year:1900", "--csv").output.hasPrefix("id,item,kind,title"))
  }

  @Test func `pick on a terminal prints one item as a line and several as a table`() {
    catalog.atTerminal()
    #expect(catalog.run("pick", "kind:vinyl").output == "vinyl 3: Kind of Blue — Miles Davis (1959)\n")
    #expect(catalog.run("pick", "--count", "3").output.split(separator: "\n").count == 4)
  }

  @Test(arguments: [
    BadInput("pick", "--count", "0", errors: "out of range"),
    BadInput("pick", "--count", "101", errors: "more than 100"),
    BadInput("pick", "--seed", "x", errors: "not a whole number"),
    BadInput("pick", "year:19x", errors: "invalid year '19x'"),
    BadInput("pick", "kind:book", "year:1900", errors: "no item matches", status: 1),
  ])
  func `bad input is explained`(_ bad: BadInput) {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
  }

  @Test func `pick from an empty catalog fails`() throws {
    let run = try TestCatalog().run("pick")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("catalog: the catalog is empty"))
  }
}
