import CatalogModel
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct WishCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
    try catalog.forgetCopies()
  }

  private func wishes() throws -> [Wish] { try catalog.store.wishes(withFulfilled: true) }

  @Test func `wish adds a wish for an item, and changes its limit and note`() throws {
    #expect(
      catalog.run("wish", "3", "--up-to", "30000 KRW", "--note", "mono")
        == .init(
          output: "wished for w1: vinyl 3: Kind of Blue — Miles Davis (1959), up to ₩30,000\n", errors: "", status: 0))
    #expect(
      catalog.run("wish", "kind of blue", "--up-to", "12.50 EUR").output
        == "changed the wish w1: vinyl 3: Kind of Blue — Miles Davis (1959), up to €12.50\n")
    #expect(try wishes().map(\.terms) == [Wish.Terms(limit: Price(minorUnits: 1250, currency: "EUR"), note: "mono")])
    let again = catalog.run("wish", "3")
    #expect(again.status == 0)
    #expect(again.errors.hasPrefix("catalog: already wished for: w1: vinyl 3"))
    #expect(catalog.run("wish", "3", "--up-to", "none", "--note", "none").status == 0)
    #expect(try wishes().map(\.terms) == [Wish.Terms()])
    #expect(catalog.run("list", "wished:yes", "--tsv", "--columns", "id").output == "3\n")
    #expect(catalog.run("show", "3").output.contains("since 2026-11-21"))
  }

  @Test func `wish with a result adds the item without a copy`() throws {
    catalog.addResult()
    #expect(
      catalog.run("wish", "r1")
        == .init(
          output: """
            added vinyl 4: Blue Train — John Coltrane (1958)
            wished for w1: vinyl 4: Blue Train — John Coltrane (1958)

            """, errors: "", status: 0))
    #expect(try catalog.store.copies(of: ItemID(rawValue: 4)).isEmpty)
    #expect(catalog.run("wish", "r1").status == 0)
  }

  @Test func `wish with words of no item keeps the words`() throws {
    #expect(catalog.run("wish", "a demo tape").output == "wished for w1: a demo tape\n")
    #expect(
      catalog.run("wish", "kind", "of", "blue", "--kind", "book", "--note", "the making of").output
        == "wished for w2: book: kind of blue\n")
    #expect(
      catalog.run("wishes", "--json=wish,item,kind,title,note").output
        == #"[{"wish":"w2","item":null,"kind":"book","title":"kind of blue","note":"the making of"},"#
        + #"{"wish":"w1","item":null,"kind":null,"title":"a demo tape","note":null}]"# + "\n")
  }

  @Test func `adding an item that matches the words of a wish hints at wishes tie`() throws {
    catalog.run("wish", "blue train", "--kind", "vinyl")
    catalog.addResult()
    #expect(
      catalog.run("add", "r1").errors == """
        catalog: you wished for 'blue train'
        hint: if this is it: catalog wishes tie w1 4

        """)
    #expect(catalog.run("wishes", "tie", "w1", "4", "-n").output.hasPrefix("would link w1 to vinyl 4"))
    // The added item is owned, and fulfils the wish.
    #expect(
      catalog.run("wishes", "tie", "w1", "4").output == "w1 is fulfilled: vinyl 4: Blue Train — John Coltrane (1958)\n")
    catalog.run("wish", "a second one")
    #expect(catalog.run("wishes", "tie", "2", "3").output.hasPrefix("w2 is for vinyl 3"))
  }

  @Test func `wishing for an owned item asks first`() throws {
    _ = try catalog.store.addCopy(of: ItemID(rawValue: 3), now: catalog.clock)
    #expect(catalog.run("wish", "3").status == 2)
    catalog.atTerminal()
    catalog.input = ["n"]
    let refused = catalog.run("wish", "3")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("You own it already. Wish for another copy?"))
    #expect(try wishes().isEmpty)
    catalog.input = ["y"]
    #expect(catalog.run("wish", "3").status == 0)
    // Then it is a wish like others.
    catalog.input = []
    #expect(catalog.run("wish", "3", "--note", "x").status == 0)
  }

  @Test func `a copy fulfils the wish, and only wishes --all lists it`() throws {
    catalog.run("wish", "2", "3")
    _ = try catalog.store.addCopy(of: ItemID(rawValue: 3), now: catalog.clock)
    #expect(catalog.run("wishes", "--tsv").output.hasPrefix("w1\t2\tbook\t소년이 온다\t한강\t2014\t\t\t"))
    #expect(catalog.run("wishes").output.split(separator: "\n").count == 1)
    #expect(catalog.run("wishes", "--all").output.split(separator: "\n").count == 2)
    #expect(catalog.run("list", "wished:yes", "--tsv", "--columns", "id").output == "2\n")
  }

  @Test func `wishes remove removes wishes, after a question for several`() throws {
    catalog.run("wish", "2", "3")
    catalog.run("wish", "something")
    #expect(catalog.run("wishes", "remove", "w3", "-n").output == "would remove the wish w3: something\n")
    #expect(catalog.run("wishes", "remove", "3").output == "removed the wish w3: something\n")
    #expect(catalog.run("wishes", "remove", "w1", "w2").status == 2)
    #expect(try wishes().count == 2)
    catalog.atTerminal()
    catalog.input = ["y"]
    catalog.beforeLine = { [store = catalog.store] in
      _ = try? store.wish(for: .item(ItemID(rawValue: 2)), now: Timestamp(rawValue: "2026-11-21T09:30:00Z")) {
        $0.note = "x"
      }
    }
    let run = catalog.run("wishes", "remove", "w1", "w2")
    #expect(run.status == 1)
    #expect(run.errors.contains("not removed, since it was changed meanwhile: w1"))
    #expect(try wishes().map(\.id.description) == ["w1"])
  }

  @Test func `a dry run changes nothing`() throws {
    catalog.addResult()
    #expect(
      catalog.run("wish", "3", "r1", "-n").output == """
        would wish for vinyl 3: Kind of Blue — Miles Davis (1959)
        would wish for vinyl: Blue Train — John Coltrane (1958)

        """)
    #expect(catalog.run("wish", "something", "--kind", "movie", "-n").output == "would wish for movie: something\n")
    #expect(try wishes().isEmpty)
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test(arguments: [
    BadInput("wish", errors: "missing REF|WORDS"), BadInput("wish", "99", errors: "there is no item 99", status: 1),
    BadInput("wish", " ", errors: "a reference is missing"),
    BadInput("wish", "3", "--up-to", "30000", errors: "'30000' has no currency"),
    BadInput("wish", "3", "--up-to", "much", errors: "'much' is not a price"),
    BadInput("wish", "3", "--up-to", "1.50 KRW", errors: "too many decimals"),
    BadInput("wish", "3", "--note", String(repeating: "x", count: 10_001), errors: "the text has 10001 characters"),
    BadInput("wish", "3", "--kind", "app", errors: "there is no shelf 'app'"),
    BadInput("wish", "r9", errors: "there is no result r9", status: 1),
    BadInput("wishes", errors: "nothing is wished for", status: 1),
    BadInput("wishes", "remove", "w9", errors: "there is no wish w9", status: 1),
    BadInput("wishes", "remove", "x", errors: "'x' is not a wish number"),
    BadInput("wishes", "tie", "w9", "3", errors: "there is no wish w9", status: 1),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try wishes().isEmpty)
  }

  @Test func `the limit of a wish uses copies.currency`() throws {
    try catalog.configure("copies.currency", "krw")
    #expect(catalog.run("wish", "3", "--up-to", "30000").output.contains("up to ₩30,000"))
  }

  @Test func `completion offers wishes`() {
    catalog.run("wish", "3")
    #expect(catalog.run("completion", "--candidates", "--", "wishes", "remove", "w").output == "w1\tKind of Blue\n")
  }
}
