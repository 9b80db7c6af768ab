import CatalogModel
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct OpenCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.add(.vinyl, "Kind of Blue") { $0.url = "https://example.org/kind-of-blue" }
    try catalog.add(.vinyl, "Blue Train") { $0.url = "http://example.org/blue-train" }
    try catalog.add(.vinyl, "Ah Um") { $0.url = "javascript:alert(1)" }
    try catalog.add(.vinyl, "Untitled")
  }

  @Test func `open --print prints the address`() {
    #expect(
      catalog.run("open", "1", "--print") == .init(output: "https://example.org/kind-of-blue\n", errors: "", status: 0))
    #expect(catalog.run("open", "blue train", "-p").output == "http://example.org/blue-train\n")
  }

  @Test func `open starts the first browser that is installed`() {
    catalog.environment["BROWSER"] = "/nonexistent/browser --new:true"
    #expect(catalog.run("open", "1") == .init(output: "", errors: "", status: 0))
    // The place of the address: not among the arguments that make this one fail.
    catalog.environment["BROWSER"] = "test %s != and-nothing-behind-it"
    #expect(catalog.run("open", "1") == .init(output: "", errors: "", status: 0))
    catalog.environment["BROWSER"] = "false"
    #expect(
      catalog.run("open", "1")
        == .init(
          output: "", errors: "catalog: 'false' could not open the page\nhint: --print prints it\n", status: 1))
  }

  @Test(arguments: [
    BadInput("open", "2", errors: "was not opened: it is not an https address", status: 1),
    BadInput("open", "3", errors: "'javascript:alert(1)' was not opened", status: 1),
    BadInput("open", "4", errors: "catalog: no page of 'Untitled' is known\n", status: 1),
    BadInput("open", "9", errors: "there is no item 9", status: 1),
    BadInput("open", errors: "missing REF"),
  ])
  func `open opens only https addresses`(_ bad: BadInput) {
    catalog.environment["BROWSER"] = "true"
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
  }
}
