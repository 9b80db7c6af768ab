import CatalogModel
import CommandLineKit
import FoundationEssentials
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the copies of items: `copy …`, copies made by `add`, and other places that show them.
struct CopyCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  private static let facts = [
    "--media", "vg+", "--sleeve", "Very Good (VG)", "--format", "LP, 180 g", "--place", "K2/3", "--price", "25000 KRW",
    "--on", "2019-03", "--from", "the market", "--note", "a scratch on side B",
  ]

  @Test func `copy add writes every field of a copy`() {
    #expect(
      catalog.run(["copy", "add", "kind", "of", "blue"] + Self.facts)
        == .init(
          output: """
            copy c3 of vinyl 3: Kind of Blue — Miles Davis (1959) · VG+/VG, LP, 180 g, K2/3, ₩25,000

            """, errors: "", status: 0))
    #expect(catalog.run("copy", "add", "3").output == "copy c4 of vinyl 3: Kind of Blue — Miles Davis (1959)\n")
    #expect(
      catalog.run("copy", "list", "kind:vinyl").output == """
        c4\t3\tKind of Blue\tMiles Davis\t\t\t\t\t\t\t\t\t
        c3\t3\tKind of Blue\tMiles Davis\tLP, 180 g\tVG+\tVG\tK2/3\t25000 KRW\t2019-03\tthe market\t\ta scratch on side B
        c2\t3\tKind of Blue\tMiles Davis\t\t\t\t\t\t\t\t\t

        """)
    #expect(
      catalog.run("copy", "list", "grade:>=VG", "--json=copy,item,media_grade,price,added_at").output == """
        [{"copy":"c4","item":3,"media_grade":null,"price":null,"added_at":"2026-11-21T09:30:05Z"},\
        {"copy":"c3","item":3,"media_grade":"VG+","price":{"amount":25000,"currency":"KRW"},"added_at":"2026-11-21T09:30:05Z"},\
        {"copy":"c2","item":3,"media_grade":null,"price":null,"added_at":"2026-11-21T09:30:04Z"}]

        """)
  }

  @Test func `copy edit changes only the named fields, and none clears a field`() {
    catalog.run(["copy", "edit", "3"] + Self.facts)
    #expect(
      catalog.run("copy", "edit", "c2", "--place", "K3", "--price", "none", "--media", "NM")
        == .init(
          output: "changed c2 of vinyl 3: Kind of Blue — Miles Davis (1959) · NM/VG, LP, 180 g, K3\n", errors: "",
          status: 0))
    #expect(
      catalog.run("copy", "edit", "c2", "--place", "K3")
        == .init(output: "", errors: "catalog: nothing changed\n", status: 0))
    #expect(
      catalog.run("copy", "edit", "c2", "--place", "K4", "--dry-run").output.hasPrefix("would change c2 of vinyl 3"))
    #expect(catalog.run("copy", "list", "place:K3", "--json=acquired_on").output == "[{\"acquired_on\":\"2019-03\"}]\n")
  }

  @Test func `copy edit on an item with several copies lists them, or asks on a terminal`() {
    catalog.run("copy", "add", "3", "--media", "NM")
    let run = catalog.run("copy", "edit", "kind", "of", "blue", "--place", "K2")
    #expect(
      run.errors == """
        catalog: there are 2 copies of vinyl 3: Kind of Blue — Miles Davis (1959):
          c2  no details yet
          c3  NM
        hint: name one: c2

        """)
    #expect(run.status == 1)
    catalog.atTerminal()
    catalog.input = ["2"]
    #expect(catalog.run("copy", "edit", "3", "--place", "K2").output.hasPrefix("changed c3"))
    #expect(catalog.run("copy", "edit", "1", "--place", "K2").errors.contains("there is no copy of movie 1: 기생충"))
  }

  @Test func `copy remove asks with the name of the borrower`() throws {
    try catalog.store.db.run(
      "INSERT INTO loan (copy_id, person, lent_on, due_on) VALUES (2, 'Ada', '2026-11-01', '2026-12-01')")
    #expect(
      catalog.run("copy", "remove", "c2").errors.contains("--yes answers yes"))
    #expect(
      catalog.run("copy", "remove", "3", "--dry-run").output
        == "would remove c2 of vinyl 3: Kind of Blue — Miles Davis (1959) · Ada has it until 2026-12-01\n")
    catalog.atTerminal()
    catalog.input = ["n"]
    let kept = catalog.run("copy", "remove", "c2", "c1")
    #expect(kept.errors.contains("Ada has it until 2026-12-01"))
    #expect(kept.errors.contains("Remove these 2 copies?"))
    #expect(try catalog.store.copies().count == 2)
    // A change during the question is kept.
    catalog.input = ["y"]
    catalog.beforeLine = { [store = catalog.store] in
      _ = try? store.changeCopy(CopyID(rawValue: 1)) { $0.place = "new" }
    }
    let run = catalog.run("copy", "remove", "c2", "c1")
    #expect(run.output == "removed c2 of vinyl 3: Kind of Blue — Miles Davis (1959) · Ada has it until\n2026-12-01\n")
    #expect(run.errors.contains("not removed, since it was changed meanwhile: c1"))
    #expect(run.status == 1)
    #expect(try catalog.store.copies().map(\.id.rawValue) == [1])
  }

  @Test func `copy list on a terminal sums the prices of each currency separately`() throws {
    try catalog.configure("copies.currency", "usd")
    catalog.run("copy", "edit", "c1", "--price", "15,000 KRW")
    catalog.run("copy", "edit", "c2", "--price", "12.5")
    catalog.run("copy", "add", "3", "--price", "₩10,000")
    catalog.atTerminal()
    #expect(
      catalog.run("copy", "list").output == """
        Copy  Item  Title         By              Paid
          c3     3  Kind of Blue  Miles Davis  ₩10,000
          c2     3  Kind of Blue  Miles Davis   $12.50
          c1     2  소년이 온다   한강         ₩15,000
        3 copies · ₩25,000 · $12.50

        """)
  }

  @Test func `copy add with a result adds the item with that one copy`() throws {
    catalog.addResult()
    #expect(
      catalog.run("copy", "add", "r1", "--media", "EX", "--on", "yesterday").output == """
        added vinyl 4: Blue Train — John Coltrane (1958)
        copy c3 of vinyl 4: Blue Train — John Coltrane (1958) · EX

        """)
    #expect(try catalog.store.copies(of: ItemID(rawValue: 4)).map(\.facts.acquiredOn) == [PartialDate("2026-11-20")])
  }

  @Test func `favoriting a result adds the item without a copy`() throws {
    catalog.addResult()
    catalog.run("favorite", "r1")
    #expect(try catalog.store.copies(of: ItemID(rawValue: 4)).isEmpty)
    let again = catalog.run("add", "r1")
    #expect(
      again.errors == """
        catalog: already on the shelf: vinyl 4: Blue Train — John Coltrane (1958)
        hint: it has no copy yet: catalog copy add 4

        """)
    #expect(again.status == 0)
  }

  @Test func `copies lists copies without a subcommand, with query, sort and limit`() throws {
    try catalog.forgetCopies()
    for (item, grade, price) in [(1, "VG+", "12 EUR"), (2, "M", "9 EUR"), (3, "G", "20 EUR")] {
      catalog.run("copy", "add", "\(item)", "--media", grade, "--price", price)
    }
    #expect(catalog.run("copies", "price:..12EUR", "--json=item").output == #"[{"item":2},{"item":1}]"# + "\n")
    #expect(catalog.run("copy", "소년이", "온다", "--json=item").output == #"[{"item":2}]"# + "\n")
    #expect(catalog.run("copies", "--sort", "-price", "--limit", "1", "--json=item").output == #"[{"item":3}]"# + "\n")
    #expect(
      catalog.run("copies", "--sort", "-media", "--json=item").output == #"[{"item":2},{"item":1},{"item":3}]"# + "\n")
    let unknown = catalog.run("copies", "--sort", "prize")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("there is no field 'prize'; did you mean 'price'?"))
  }

  @Test func `add creates a copy according to copies.kinds, --copy and --no-copy`() throws {
    func copies(_ kind: String, _ options: String...) throws -> Int {
      let before = try catalog.store.copies().count
      catalog.run(["add", kind, "--title", "\(kind) \(before) \(options)"] + options)
      return try catalog.store.copies().count - before
    }
    #expect(try copies("vinyl") == 1)
    #expect(try copies("book") == 1)
    #expect(try copies("movie") == 0)
    #expect(try copies("vinyl", "--no-copy") == 0)
    #expect(try copies("movie", "--copy") == 1)
    try catalog.configure("copies.kinds", "movie")
    #expect(try copies("vinyl") == 0)
    #expect(try copies("movie") == 1)
    try catalog.configure("copies.kinds", "none")
    #expect(try copies("movie") == 0)
    #expect(try copies("book") == 0)
    #expect(try copies("book", "--copy") == 1)
    #expect(catalog.run("config", "set", "copies.kinds", "podcast").errors.contains("there is no shelf 'podcast'"))
    #expect(
      catalog.run("config", "set", "copies.currency", "₩").errors.contains("'₩' is not a currency: give three letters")
    )
  }

  @Test func `a copy fulfils a wish`() throws {
    try catalog.store.db.run("INSERT INTO wish (item_id, created_at) VALUES (1, '2026-11-21T09:00:00Z')")
    catalog.run("copy", "add", "1")
    #expect(try catalog.store.db.value("SELECT fulfilled_at FROM wish") == "2026-11-21T09:30:05Z")
  }

  @Test(arguments: [
    BadInput(
      "copy", "add", "3", "--media", "VG++",
      errors: "'VG++' is not a grade; did you mean 'VG+'?\nhint: grades are M, NM"),
    BadInput(
      "copy", "add", "3", "--media", "Generic",
      errors: "'Generic' is a grade for sleeves only\nhint: use --sleeve for it"
    ),
    BadInput(
      "copy", "add", "3", "--price", "12.50",
      errors: "'12.50' has no currency: write 25000 KRW or 12.50 EUR\nhint: or set the usual one"),
    BadInput("copy", "add", "3", "--price=-5 KRW", errors: "'-5 KRW' is not a price"),
    BadInput("copy", "add", "3", "--price", "12.5 KRW", errors: "'12.5 KRW' has too many decimals"),
    BadInput("copy", "add", "3", "--on", "2019-13", errors: "invalid date '2019-13'"),
    BadInput(
      "copy", "add", "3", "--note", String(repeating: "x", count: 10_001), errors: "the text has 10001 characters"),
    BadInput(
      "copy", "add", "r1", "--place", String(repeating: "x", count: 10_001), errors: "the text has 10001 characters"),
    BadInput(
      "copy", "edit", "c2", errors: "no change was given\nhint: for example: catalog copy edit c2 --media VG+"),
    BadInput("copy", "edit", "c0", "--place", "x", errors: "'c0' is not a copy number: copies start at c1"),
  ])
  func `bad input is explained, and nothing is written`(_ input: BadInput) throws {
    catalog.addResult()
    let before = try catalog.store.copies()
    let run = catalog.run(input.words)
    #expect(run.errors.contains(input.errors), "\(run.errors)")
    #expect(run.status == 2)
    #expect(try catalog.store.copies() == before)
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test func `an unknown copy or item is reported`() {
    for words in [["copy", "edit", "c9", "--place", "x"], ["copy", "remove", "c9", "--yes"]] {
      let run = catalog.run(words)
      #expect(run.errors == "catalog: there is no copy c9\nhint: find its number with 'catalog copy list'\n")
      #expect(run.status == 1)
    }
    #expect(catalog.run("copy", "add", "99").errors.hasPrefix("catalog: there is no item 99"))
    #expect(catalog.run("copy", "list", "kind:movie").errors.hasPrefix("catalog: no copy matches kind:movie"))
    catalog.run("copy", "remove", "c1", "c2", "--yes")
    #expect(catalog.run("copy", "list").errors.hasPrefix("catalog: there is no copy yet"))
    #expect(catalog.run("copy", "list", "--json").output == "[]\n")
  }

  // MARK: Where else it is said

  @Test func `the page of an item shows its copies, and whether it is owned at all`() {
    catalog.run(["copy", "edit", "3"] + Self.facts)
    catalog.run("copy", "add", "3")
    let page = catalog.run("show", "3").output
    #expect(
      page.contains(
        "Copy      c2 · VG+/VG, LP, 180 g, K2/3, ₩25,000 · 2019-03 · the market · a\n          scratch on side B\n"),
      "\(page)")
    #expect(page.contains("Copy      c3\n"))
    let json = catalog.run("show", "3", "--json").output
    #expect(
      json.contains(
        """
        "copies":[{"id":"c2","copy":"c2","copy_format":"LP, 180 g","media_grade":"VG+","sleeve_grade":"VG","place":"K2/3",\
        "price":{"amount":25000,"currency":"KRW"},"acquired_on":"2019-03","acquired_from":"the market","borrower":null,"lent_on":null,"due_on":null,\
        "note":"a scratch on side B","added_at":"2026-11-21T09:30:04Z"},{"id":"c3","copy":"c3",
        """), "\(json)")
    catalog.run("copy", "remove", "c1", "--yes")
    #expect(catalog.run("show", "2").output.contains("Copies  none: known, not owned\n"))
    #expect(!catalog.run("show", "1").output.contains("Cop"))
  }

  @Test func `a search result on the shelf shows the grades of its copies`() {
    catalog.run("copy", "edit", "3", "--media", "VG+", "--sleeve", "VG")
    catalog.run("copy", "add", "3", "--media", "NM")
    #expect(catalog.store.marks(of: .same(ItemID(rawValue: 3))) == "[on shelf 3 · VG+/VG, NM]")
    #expect(catalog.store.marks(of: .same(ItemID(rawValue: 1))) == "[on shelf 1]")
    #expect(
      catalog.run("list", "kind:vinyl", "--json=copies,grades,sleeves,places").output == """
        [{"copies":2,"grades":["VG+","NM"],"sleeves":["VG"],"places":[]}]

        """)
  }

  @Test func `levels count records that are owned`() throws {
    try catalog.add(.vinyl, "Giant Steps")
    catalog.run("copy", "add", "3")
    #expect(catalog.run("level", "--json").output.hasPrefix("{\"vinyl\":2,"))
    catalog.run("copy", "remove", "c3", "--yes")
    #expect(catalog.run("level", "--json").output.hasPrefix("{\"vinyl\":1,"))
    #expect(catalog.run().output.hasPrefix("1 movie · 1 book · 2 records\nLevel 1 "))
  }

  @Test func `represent names one record, and adds a result first`() throws {
    #expect(catalog.run("represent").errors.hasPrefix("catalog: no record represents you\nhint: name one"))
    #expect(catalog.run("represent", "1").errors == "catalog: item 1 is not a record\nhint: find one: catalog vinyl\n")
    #expect(
      catalog.run("represent", "kind", "of", "blue", "--dry-run").output
        == "would represent you: vinyl 3: Kind of Blue — Miles Davis (1959)\n")
    #expect(catalog.run("represent", "3").output == "represents you: vinyl 3: Kind of Blue — Miles Davis (1959)\n")
    catalog.addResult()
    #expect(
      catalog.run("represent", "r1").output == """
        added vinyl 4: Blue Train — John Coltrane (1958)
        represents you: vinyl 4: Blue Train — John Coltrane (1958)

        """)
    #expect(catalog.run("represent").output == "represents you: vinyl 4: Blue Train — John Coltrane (1958)\n")
    #expect(try catalog.store.db.value("SELECT count(*) FROM representative") == 1)
    #expect(catalog.run().output.contains("\nRepresented by  Blue Train — John Coltrane (1958)\n"))
    #expect(catalog.run("represent", "3", "--none").status == 2)
    #expect(
      catalog.run("represent", "--none").output
        == "no longer represents you: vinyl 4: Blue Train — John Coltrane (1958)\n")
    #expect(
      catalog.run("represent", "--none") == .init(output: "", errors: "catalog: no record represents you\n", status: 0))
    // Removing the record leaves no representative.
    catalog.run("represent", "4")
    catalog.run("remove", "4", "--yes")
    #expect(try catalog.store.representative() == nil)
  }

  @Test func `completion offers places, formats, sellers, currencies and copy numbers`() {
    catalog.run(["copy", "edit", "3"] + Self.facts)
    func offered(_ words: String...) -> [Substring] {
      catalog.run(["completion", "--candidates", "--"] + words).output.split(separator: "\n").map {
        $0.prefix { $0 != "\t" }
      }
    }
    #expect(offered("copy", "edit", "c2", "--place", "k") == ["K2/3"])
    #expect(offered("copy", "edit", "c2", "--format", "") == ["LP, 180 g"])
    #expect(offered("copy", "edit", "c2", "--from", "the") == ["the market"])
    #expect(offered("copy", "edit", "c2", "--price", "500").first == "500KRW")
    #expect(offered("copy", "edit", "c2", "--media", "VG") == ["VG+", "VG"])
    #expect(offered("copy", "edit", "c") == ["c2", "c1"])
    #expect(offered("copy", "remove", "ki") == ["Kind of Blue"])
    #expect(offered("copy", "list", "place:k") == ["place:K2/3"])
    #expect(offered("copy", "list", "grade:v") == ["grade:VG+"])
  }
}
