import CatalogModel
import FoundationEssentials
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct LoanCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
    try catalog.forgetCopies()
    for item in [3, 2, 2] as [Int64] { _ = try catalog.store.addCopy(of: ItemID(rawValue: item), now: catalog.clock) }
  }

  private func loans() throws -> [Loan] { try catalog.store.loans(withReturned: true) }

  @Test func `a copy is lent, listed, and comes back`() throws {
    #expect(
      catalog.run("lend", "kind", "of", "blue", "to", "Kim", "Min-su", "--due", "2w", "--note", "careful")
        == .init(
          output: "lent c1 to Kim Min-su, due 2026-12-05: vinyl 3: Kind of Blue — Miles Davis (1959)\n", errors: "",
          status: 0))
    #expect(catalog.run("lend", "c2", "to", "Anna").output == "lent c2 to Anna: book 2: 소년이 온다 — 한강 (2014)\n")
    #expect(
      catalog.run("loans")
        == .init(
          output: """
            c1\tvinyl\tKind of Blue\tKim Min-su\t2026-11-21\t2026-12-05\tcareful
            c2\tbook\t소년이 온다\tAnna\t2026-11-21\t\t

            """, errors: "", status: 0))
    let out = catalog.run("lend", "3", "to", "Ben")
    #expect(out.status == 1)
    #expect(
      out.errors
        == "catalog: Kim Min-su has had the copy c1 since 2026-11-21\nhint: when it is back: catalog return c1\n")
    #expect(
      catalog.run("list", "borrower:kim", "--tsv", "--columns", "id,lent,due").output == "3\t2026-11-21\t2026-12-05\n")
    // The one of two copies that is lent.
    #expect(catalog.run("return", "소년이", "온다").output == "back: c2 from Anna: book 2: 소년이 온다 — 한강 (2014)\n")
    #expect(catalog.run("return", "c1", "--on", "tomorrow").status == 0)
    #expect(catalog.run("loans").output.isEmpty)
    #expect(
      catalog.run("loans", "--all", "--tsv", "--json=copy,returned_on").output
        == #"[{"copy":"c2","returned_on":"2026-11-21"},{"copy":"c1","returned_on":"2026-11-22"}]"# + "\n"
        || catalog.run("loans", "--all", "--json=copy,returned_on").output.contains("2026-11-22"))
  }

  @Test func `overdue loans come first, and loans --overdue exits with status 6`() throws {
    catalog.run("lend", "c1", "to", "Anna", "--on", "2026-11-01", "--due", "2026-12-24")
    catalog.run("lend", "c2", "to", "Ben", "--on", "-3w", "--due", "2026-11-20")
    #expect(catalog.run("list", "due:..yesterday", "--tsv", "--columns", "id").output == "2\n")
    let run = catalog.run("loans", "--json=copy,overdue")
    #expect(
      run
        == .init(
          output: #"[{"copy":"c2","overdue":true},{"copy":"c1","overdue":false}]"# + "\n", errors: "", status: 0))
    #expect(
      catalog.run("loans", "--overdue", "--json=copy")
        == .init(output: #"[{"copy":"c2"}]"# + "\n", errors: "", status: 6))
    catalog.atTerminal(width: 100)
    let told = catalog.run("loans")
    #expect(told.errors.contains("1 copy is overdue"))
    #expect(told.status == 0)
    // The day itself is not too late.
    catalog.now -= 86_400
    #expect(catalog.run("loans").status == 0)
    #expect(catalog.run("loans", "--overdue") == .init(output: "", errors: "nothing is overdue\n", status: 0))
  }

  @Test func `loans, wishes and piles are listed with --sort and --limit`() {
    catalog.run("lend", "c1", "to", "Anna", "--due", "3w")
    catalog.run("lend", "c2", "to", "Ben", "--due", "2w")
    #expect(
      catalog.run("loans", "--sort", "-borrower", "--json=copy").output == #"[{"copy":"c2"},{"copy":"c1"}]"# + "\n")
    #expect(
      catalog.run("loans", "--sort", "due_on", "--limit", "1", "--json=copy").output == #"[{"copy":"c2"}]"# + "\n")
    for words in ["b", "a"] { catalog.run("wish", words, "--kind", "book") }
    #expect(catalog.run("wishes", "--sort", "title", "-l", "1", "--json=title").output == #"[{"title":"a"}]"# + "\n")
    catalog.run("pile", "add", "next", "3", "1")
    #expect(catalog.run("pile", "next", "--sort", "-position", "--json=id").output == #"[{"id":1},{"id":3}]"# + "\n")
  }

  @Test func `without any loan nothing is overdue, with status 0`() throws {
    #expect(catalog.run("loans", "--overdue") == .init(output: "", errors: "", status: 0))
    #expect(catalog.run("loans", "--overdue", "--json") == .init(output: "[]\n", errors: "", status: 0))
    catalog.atTerminal()
    #expect(catalog.run("loans", "--overdue") == .init(output: "", errors: "nothing is overdue\n", status: 0))
  }

  @Test func `a dry run changes nothing`() throws {
    #expect(catalog.run("lend", "c1", "to", "Anna", "-n").output.hasPrefix("would lend c1 to Anna: vinyl 3"))
    catalog.run("lend", "c2", "to", "Anna")
    #expect(catalog.run("return", "c2", "-n").output.hasPrefix("would be back: c2 from Anna"))
    #expect(catalog.run("lend", "c2", "to", "Ben", "-n").status == 1)
    #expect(try loans().map(\.copy.rawValue) == [2])
    #expect(try loans()[0].returnedOn == nil)
  }

  @Test(arguments: [
    BadInput("lend", errors: "missing COPY to NAME"), BadInput("lend", "c1", errors: "the borrower is missing"),
    BadInput("lend", "c1", "to", errors: "the borrower is missing after 'to'"),
    BadInput("lend", "to", "Anna", errors: "the borrower is missing"),
    BadInput("lend", "c1", "to", " ", errors: "the name is empty"),
    BadInput("lend", "c9", "to", "Anna", errors: "there is no copy c9", status: 1),
    BadInput("lend", "c0", "to", "Anna", errors: "'c0' is not a copy number"),
    BadInput("lend", "1", "to", "Anna", errors: "there is no copy of movie 1", status: 1),
    BadInput("lend", "2", "to", "Anna", errors: "there are 2 copies of book 2", status: 1),
    BadInput(
      "lend", "c1", "to", "Anna", "--due", "yesterday", errors: "cannot be due on 2026-11-20, before it is lent"),
    BadInput("lend", "c1", "to", "Anna", "--on", "tomorrow", "--due", "today", errors: "cannot be due on 2026-11-21"),
    BadInput("lend", "c1", "to", "Anna", "--due", "soon", errors: "invalid date 'soon'"),
    BadInput("lend", "c1", "to", "Anna", "--due", "2027", errors: "invalid date '2027'"),
    BadInput("lend", "c1", "to", "Anna", "--on", "2026-11", errors: "invalid date '2026-11'"),
    BadInput("lend", "c1", "to", "Anna", "--note", String(repeating: "x", count: 10_001), errors: "10001 characters"),
    BadInput("return", "c1", errors: "the copy c1 is not lent", status: 0),
    BadInput("return", "3", errors: "the copy c1 is not lent", status: 0),
    BadInput("return", errors: "missing COPY"),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try loans().isEmpty)
  }

  @Test func `a copy cannot be returned before the date of the loan`() throws {
    catalog.run("lend", "c1", "to", "Anna")
    let run = catalog.run("return", "c1", "--on", "yesterday")
    #expect(run.status == 2)
    #expect(run.errors.contains("it cannot be back on 2026-11-20, before it was lent on 2026-11-21"))
    #expect(try loans()[0].returnedOn == nil)
  }

  @Test func `completion offers copies and borrowers`() {
    catalog.run("lend", "c1", "to", "Anna")
    func offered(_ words: String...) -> String { catalog.run(["completion", "--candidates", "--"] + words).output }
    #expect(offered("return", "c") == "c1\tKind of Blue: Anna\n")
    #expect(offered("lend", "c2", "to", "An").hasSuffix("Anna\n"))
    #expect(offered("list", "borrower:") == "borrower:Anna\nborrower:none\nborrower:any\n")
  }
}
