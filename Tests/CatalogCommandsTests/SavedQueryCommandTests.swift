import CatalogModel
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct SavedQueryCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `a query is saved, used, listed and forgotten`() {
    #expect(
      catalog.run("shelf", "save", "old", "year:..1980").output == "saved @old: year:..1980 (1 item)\n")
    #expect(catalog.run("list", "@old", "--tsv", "--columns", "id").output == "3\n")
    #expect(catalog.run("list", "-@old", "--tsv", "--columns", "id").output == "2\n1\n")
    #expect(
      catalog.run("shelf", "save", "mine", "@old", "or kind:book").output
        == "saved @mine: @old 'or kind:book' (2 items)\n")
    #expect(
      catalog.run("shelf", "saved").output == "mine\t@old 'or kind:book'\t2\nold\tyear:..1980\t1\n")
    #expect(
      catalog.run("shelf", "saved", "--json").output
        == #"[{"name":"mine","query":"@old 'or kind:book'","items":2},{"name":"old","query":"year:..1980","items":1}]"#
        + "\n")
    let used = catalog.run("shelf", "forget", "old")
    #expect(used.status == 1)
    #expect(used.errors.contains("the saved query 'mine' uses 'old'"))
    #expect(
      catalog.run("shelf", "forget", "@mine", "OLD").output
        == "deleted @mine: @old 'or kind:book'\ndeleted @old: year:..1980\n")
    #expect(catalog.run("shelf", "saved").errors.hasPrefix("catalog: there is no saved query yet"))
  }

  @Test func `every command with a query accepts the name of a saved query`() {
    catalog.run("shelf", "save", "mine", "kind:book or kind:vinyl")
    catalog.run("copy", "add", "3")
    catalog.run("log", "2", "--on", "2026-11-01")
    for words in [
      ["favorites", "@mine"], ["genres", "@mine", "--json"], ["report", "years", "@mine"], ["card", "deck", "@mine"],
      ["movies", "not @mine"], ["copy", "list", "@mine"], ["diary", "@mine"], ["pick", "@mine"],
      ["remove", "--where", "@mine", "-n"],
      ["edit", "--where", "@mine", "url=https://example.org", "-n"],
    ] {
      let run = catalog.run(words)
      #expect(run.status == 0, "\(words): \(run.errors)")
    }
    // It would ask, were there anybody to ask.
    #expect(!catalog.run("refresh", "--where", "@mine", "-n").errors.contains("saved query"))
  }

  @Test func `shelf with a kind shows that shelf`() {
    #expect(catalog.run("shelf", "vinyl", "--page", "1").output.contains("Kind of Blue"))
    #expect(catalog.run("shelf", "books", "--json=id").output == "[{\"id\":2}]\n")
    let none = catalog.run("shelf")
    #expect(none.status == 2)
    #expect(none.errors.contains("missing KIND"))
  }

  @Test func `saving under an existing name asks before it replaces the query`() throws {
    catalog.run("shelf", "save", "x", "kind:book")
    #expect(catalog.run("shelf", "save", "X", "kind:book").errors == "catalog: nothing changed\n")
    let refused = catalog.run("shelf", "save", "X", "kind:vinyl")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--yes answers yes"))
    #expect(catalog.run("shelf", "save", "X", "kind:vinyl", "-n").output == "would save @X: kind:vinyl (1 item)\n")
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run("shelf", "save", "X", "kind:vinyl").status == 1)
    #expect(try catalog.store.savedQueries()["x"]?.arguments == ["kind:book"])
    catalog.input = ["y"]
    // During the question, another program saves another query.
    catalog.beforeLine = { [store = catalog.store] in _ = try? store.db.run("UPDATE saved_query SET query = 'a'") }
    #expect(
      catalog.run("shelf", "save", "X", "kind:vinyl").errors.contains("the saved query 'X' was created in the meantime")
    )
    catalog.beforeLine = {}
    #expect(catalog.run("shelf", "save", "X", "kind:vinyl").status == 0)
    #expect(try catalog.store.savedQueries()["x"] == SavedQuery("X", ["kind:vinyl"]))
  }

  @Test func `an unknown saved query is marked in the query, with a suggestion`() {
    catalog.run("shelf", "save", "records", "kind:vinyl")
    #expect(
      catalog.run("list", "blue", "@recrods")
        == .init(
          output: "",
          errors: """
            catalog: there is no saved query 'recrods'; did you mean 'records'?
              blue @recrods
                   ^^^^^^^^
            hint: 'catalog shelf saved' lists them; in double quotes it is a word: '"@home"'

            """, status: 2))
    #expect(catalog.run("shelf", "forget", "recrods").errors.contains("did you mean 'records'?"))
    #expect(catalog.run("shelf", "forget", "recrods", "-n").errors.contains("did you mean 'records'?"))
  }

  @Test(arguments: [
    BadInput("shelf", "save", String(repeating: "x", count: 201), "kind:book", errors: "the name has 201 characters"),
    BadInput("shelf", "save", errors: "missing NAME"), BadInput("shelf", "save", "x", errors: "missing QUERY"),
    BadInput("shelf", "save", "x", "", errors: "the query is empty"),
    BadInput("shelf", "save", "", "kind:book", errors: "the name is empty"),
    BadInput("shelf", "save", "12", "kind:book", errors: "'12' cannot be the name of a query"),
    BadInput("shelf", "save", "x", "year:19x", errors: "invalid year '19x'"),
    BadInput("shelf", "save", "x", "@x", errors: "a saved query uses itself: '@x → @x'"),
    BadInput("shelf", "save", "x", "@y", errors: "there is no saved query 'y'"),
    BadInput("shelf", "forget", "y", errors: "there is no saved query 'y'", status: 0),
    BadInput("shelf", "kitchen", errors: "there is no shelf 'kitchen'"),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.savedQueries().all.isEmpty)
  }

  @Test func `completion offers the names of saved queries`() {
    catalog.run("shelf", "save", "to hear", "kind:vinyl")
    catalog.run("shelf", "save", "old", "year:..1980")
    func offered(_ words: String...) -> String { catalog.run(["completion", "--candidates", "--"] + words).output }
    #expect(offered("list", "@") == "@old\tyear:..1980\n@\"to hear\"\tkind:vinyl\n")
    #expect(offered("list", "-@o") == "-@old\tyear:..1980\n")
    #expect(offered("shelf", "forget", "") == "old\nto hear\n")
    #expect(offered("shelf", "").hasPrefix("save\t"))
    #expect(offered("shelf", "v") == "vinyl\n")
  }
}
