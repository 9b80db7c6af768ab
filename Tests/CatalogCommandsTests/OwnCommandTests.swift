import CatalogModel
import CommandLineKit
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests `own`, the companion in the shop.
struct OwnCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1959) {
      ($0.vinyl.label, $0.vinyl.catalogNumber) = ("Columbia", "CL 1355")
      ($0.vinyl.country, $0.vinyl.barcode) = ("US", "074646493526")
    }
    try catalog.add(.book, "소년이 온다", by: "한강", year: 2014) { $0.book.isbn = try? ISBN("9788936434120") }
    try catalog.add(.movie, "기생충", by: "봉준호", year: 2019)
    catalog.run("copy", "edit", "1", "--media", "VG+", "--sleeve", "VG", "--place", "K2/3", "--price", "25000 KRW")
    catalog.run("card", "add", "1", "--stars", "4.5")
  }

  @Test func `own prints the item, its copies with grade and price, the borrower and the rating`() throws {
    try catalog.store.db.run("INSERT INTO loan (copy_id, person, lent_on) VALUES (1, 'Ada', '2026-11-01')")
    catalog.run("copy", "add", "1", "--media", "NM")
    catalog.atTerminal()
    #expect(
      catalog.run("own", "kind", "of", "blue")
        == .init(
          output: """
            yes  vinyl 1: Kind of Blue — Miles Davis (1959)  ★★★★½
                 Columbia, CL 1355, US
                 c1  VG+/VG, K2/3, ₩25,000, Ada has it
                 c3  NM

            """, errors: "", status: 0))
  }

  @Test(arguments: [
    "CL 1355", "CL1355", "cl-1355", "cl.1355", "c l 1 3 5 5",
    // The barcode whole, as an EAN, and with digits lost or added at its ends.
    "074646493526", "0074646493526", "0 74646-49352 6", "74646493526", "07464649352", "7464649352", "1074646493526",
    "0746464935261", "10746464935261", "00074646493526", "007464649352", "barcode:074646493526", "ean:0074646493526",
    "UPC-A: 0 74646\u{A0}49352 6", "EAN-13: 0074646493526", "0‐74646‐49352‐6",
    "kind of blue", "kind of blue miles davis", "vinyl kind of blue 1959", "1", "id:1", "c1", "1355",
  ])
  func `own finds a record by its barcode, catalog number and title`(typed: String) {
    let run = catalog.run("own", typed, "--json=item,copy")
    #expect(run.output == "[{\"item\":1,\"copy\":\"c1\"}]\n", "\(typed)")
    #expect(run.status == 0)
  }

  @Test(arguments: [
    "ISBN-13: 978‐89‐364‐3412‐0 (pbk.)", "978-89-364-3412-0 03810", "isbn:8936434128", "９７８８９３６４３４１２０",
    "9788936434120", "978-89-364-3412-0", "ISBN 978-89-364-3412-0", "8936434128", "89-364-3412-8", "893643412",
    "8936434127",
    "978893643412", "788936434120", "97889364341201", "소년이", "ㅅㄴㅇㅇㄷ", "한강",
  ])
  func `a book is found by its ISBN, its words and initial consonants`(typed: String) {
    #expect(catalog.run("own", typed, "--json=item").output == "[{\"item\":2}]\n", "\(typed)")
  }

  @Test(arguments: ["kind", "kind blu", "miles davis"])
  func `an item that only resembles the words is listed as similar and decides nothing`(typed: String) {
    let run = catalog.run("own", typed, "--json=item,owned,similar")
    #expect(run.output.hasPrefix("[{\"item\":1,\"owned\":true,\"similar\":true}"), "\(run.output)")
    #expect(run.status == 1)
  }

  @Test func `own answers no for an item without a copy and for an unknown title`() {
    catalog.atTerminal()
    #expect(
      catalog.run("own", "기생충")
        == .init(output: "no   movie 3: 기생충 — 봉준호 (2019)\n     known, not owned\n", errors: "", status: 1))
    #expect(catalog.run("own", "giant", "steps") == .init(output: "no\n", errors: "", status: 1))
    #expect(catalog.run("own", "4006381333931") == .init(output: "no\n", errors: "", status: 1))
    catalog.terminal = Terminal()
    #expect(
      catalog.run("own", "giant", "steps")
        == .init(output: "", errors: "catalog: you do not own 'giant steps'\n", status: 1))
    #expect(catalog.run("own", "giant", "steps", "--json").output == "[]\n")
    #expect(
      catalog.run("own", "기생충", "--json=owned,item,copy").output == "[{\"owned\":false,\"item\":3,\"copy\":null}]\n")
  }

  @Test func `own prints open wishes for the item or the words`() throws {
    try catalog.store.db.run(
      """
      INSERT INTO wish (item_id, words, kind, price_limit, currency, note, created_at, fulfilled_at) VALUES
        (3, NULL, NULL, 1250, 'USD', 'the black and white one', '2026-11-21T09:00:00Z', NULL),
        (NULL, 'Blue Train, mono', 'vinyl', NULL, NULL, NULL, '2026-11-21T09:00:00Z', NULL),
        (NULL, 'Blue Hour', NULL, NULL, NULL, NULL, '2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z')
      """)
    catalog.atTerminal()
    #expect(
      catalog.run("own", "기생충").output == """
        no   movie 3: 기생충 — 봉준호 (2019)
             known, not owned
             wished for, at most $12.50: the black and white one

        """)
    let blue = catalog.run("own", "blue")
    #expect(blue.output.hasPrefix("no   Blue Train, mono: wished for\nsimilar:\n"))
    #expect(!blue.output.contains("Hour"))
    #expect(blue.status == 1)
    #expect(catalog.run("own", "blue", "train").status == 1)
    #expect(
      catalog.run("own", "blue train", "--json=owned,title,kind,wished").output.filter { !$0.isWhitespace }
        == "[{\"owned\":false,\"title\":\"BlueTrain,mono\",\"kind\":\"vinyl\",\"wished\":true}]")
  }

  @Test func `own - answers each line of standard input by one line`() throws {
    try catalog.store.db.run(
      """
      INSERT INTO wish (item_id, words, kind, created_at) VALUES (NULL, 'Blue Train', 'vinyl', '2026-11-21T09:00:00Z')
      """)
    let lines = [
      "\u{FEFF}kind of blue", "", "# seen on Saturday", " CL1355 ", "=\"0074646493526\"", "\"소년이 온다\"", "c1", "3",
      "giant steps", "blue train", "kind", "Giant Steps\tJohn Coltrane",
    ]
    catalog.atTerminal(width: 120)
    catalog.input = lines
    let run = catalog.run("own", "-")
    #expect(run.status == 1)
    #expect(
      run.output == """
        yes  kind of blue: vinyl 1: Kind of Blue — Miles Davis (1959); c1  VG+/VG, K2/3, ₩25,000
        yes  CL1355: vinyl 1: Kind of Blue — Miles Davis (1959); c1  VG+/VG, K2/3, ₩25,000
        yes  ="0074646493526": vinyl 1: Kind of Blue — Miles Davis (1959); c1  VG+/VG, K2/3, ₩25,000
        yes  "소년이 온다": book 2: 소년이 온다 — 한강 (2014); c2  no details yet
        yes  c1: vinyl 1: Kind of Blue — Miles Davis (1959); c1  VG+/VG, K2/3, ₩25,000
        no   3: movie 3: 기생충 — 봉준호 (2019); known, not owned
        no   giant steps
        no   blue train: Blue Train: wished for
        no   kind: similar: vinyl 1: Kind of Blue — Miles Davis (1959)

        """)
    #expect(run.errors.hasPrefix("catalog: line 12, 'Giant Steps"))
    catalog.terminal = Terminal()
    catalog.input = ["kind of blue", "2"]
    #expect(
      catalog.run("own", "-", "--json=line,text,owned,item").output.filter { !$0.isWhitespace }
        == #"[{"line":1,"text":"kindofblue","owned":true,"item":1},{"line":2,"text":"2","owned":true,"item":2}]"#)
    catalog.input = ["kind of blue", "giant steps"]
    let piped = catalog.run("own", "-", "--csv")
    #expect(piped.status == 1)
    #expect(piped.output.split(whereSeparator: \.isNewline).count == 3)
    catalog.input = ["kind of blue", "2"]
    #expect(catalog.run("own", "-").status == 0)
    catalog.input = []
    #expect(catalog.run("own", "-").errors == "catalog: standard input is empty\n")
  }

  @Test func `own prints both labels of a record`() throws {
    try catalog.add(.vinyl, "Pet Sounds", by: "The Beach Boys") {
      $0.set(labels: [Credit(name: "EMI", role: .label), Credit(name: "Capitol", role: .label)])
    }
    catalog.atTerminal()
    #expect(catalog.run("own", "pet sounds").output.contains("EMI, Capitol\n"))
    #expect(catalog.run("show", "pet sounds").output.contains("EMI, Capitol\n"))
    #expect(catalog.run("list", "label:capitol", "--json=title").output.contains("Pet Sounds"))
  }

  @Test(arguments: ["727361379704", "0727361379704", "00727361379704"])
  func `a record is found by its UPC, EAN and GTIN, whichever is kept`(kept: String) throws {
    try catalog.add(.vinyl, "T") { $0.vinyl.barcode = kept }
    for typed in ["727361379704", "0727361379704", "00727361379704"] {
      #expect(catalog.run("own", "barcode:\(typed)", "--json=item").output == "[{\"item\":4}]\n")
      #expect(catalog.run("list", "barcode:\(typed)", "--json=id").output.contains("4"))
      #expect(catalog.run("list", "barcode:=\(typed)", "--json=id").output.contains("4"))
      #expect(catalog.run("list", typed, "--json=id").output.contains("4"))
      #expect(catalog.run("show", "barcode:\(typed)").status == 0)
    }
  }

  @Test func `codes and catalog numbers are looked up in an index`() throws {
    for (words, index) in [("074646493526", "vinyl_barcode"), ("9788936434120", "book_isbn13")] {
      let codes = Store.codes(near: words)
      let plan: [String] = try catalog.store.db.all(
        """
        EXPLAIN QUERY PLAN SELECT item_id FROM vinyl WHERE barcode IN (\(list: codes))
        UNION SELECT item_id FROM book WHERE isbn13 IN (\(list: codes))
        """
      ) { try $0.get("detail") }
      #expect(plan.contains { $0.contains(index) })
      #expect(!plan.contains { $0.hasPrefix("SCAN vinyl") || $0.hasPrefix("SCAN book") })
    }
    let plan: [String] = try catalog.store.db.all(
      """
      EXPLAIN QUERY PLAN SELECT item_id FROM vinyl
      WHERE upper(replace(replace(replace(replace(catalog_number, ' ', ''), '-', ''), '.', ''), '/', '')) = upper(\("CL1355"))
        AND catalog_number IS NOT NULL
      """
    ) { try $0.get("detail") }
    #expect(plan.contains { $0.contains("vinyl_catalog_key") })
    #expect(Store.codes(near: "1355").isEmpty)
    #expect(Store.codes(near: "12345678901234567").isEmpty)
  }
}
