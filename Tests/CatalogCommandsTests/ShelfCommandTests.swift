import CatalogModel
import CommandLineKit
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct ShelfCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test func `a printed page of 80 columns shows three covers in a row`() throws {
    try catalog.addThree()
    let korean = try catalog.add(.vinyl, "산울림 제1집 아니 벌써 그리고 아주 긴 제목을 가진 음반", by: "산울림", year: 1977)
    _ = try catalog.store.addCard(to: korean, rating: try Rating("4.25"), comment: nil, now: catalog.clock)
    try catalog.store.favorite(korean, now: catalog.clock)
    try catalog.add(.vinyl, "The Black Saint and the Sinner Lady", by: "Charles Mingus", year: 1963)
    try catalog.add(.vinyl, "Untitled")
    catalog.atTerminal()
    #expect(
      catalog.run("shelf", "vinyl", "--page", "1")
        == .init(
          output: """
            ╭─ 6 ────────────────────╮ ╭─ 5 ────────────────────╮ ╭─ 4 ────────────────────╮
            │ Untitled               │ │ The Black Saint and    │ │ 산울림 제1집 아니 벌써 │
            │                        │ │ the Sinner Lady        │ │ 그리고 아주 긴 제목을… │
            │                        │ │ Charles Mingus         │ │ 산울림                 │
            │                        │ │ 1963                   │ │ 1977           ★★★★¼ ♥ │
            ╰────────────────────────╯ ╰────────────────────────╯ ╰────────────────────────╯
            ╭─ 3 ────────────────────╮
            │ Kind of Blue           │
            │                        │
            │ Miles Davis            │
            │ 1959                 ♥ │
            ╰────────────────────────╯
            page 1/1

            """, errors: "", status: 0))
  }

  @Test(arguments: [20, 40, 60, 80, 120, 200]) func `no line is wider than the terminal`(width: Int) throws {
    try catalog.addThree()
    try catalog.add(.movie, "아주아주아주아주아주아주아주아주아주아주 긴 제목", by: "봉준호", "박찬욱", "홍상수", year: 2020)
    catalog.atTerminal(width: width)
    for words in [["shelf", "movies", "-p", "1"], ["list"], ["favorites"], ["level"]] {
      for line in catalog.run(words).output.split(separator: "\n") where words[0] != "level" || width >= 60 {
        #expect(line.cellWidth <= width)
      }
    }
  }

  @Test func `shelf accepts a query and a sort order, with or without a kind`() throws {
    try catalog.addThree()
    try catalog.add(.movie, "Suspiria", by: "Dario Argento", year: 1977, genres: ["Horror"])
    #expect(catalog.run("shelf", "movie", "genre:horror", "--json=id").output == #"[{"id":4}]"# + "\n")
    #expect(catalog.run("shelf", "movie", "--sort", "-year", "--json=id").output == #"[{"id":1},{"id":4}]"# + "\n")
    catalog.run("shelf", "save", "old", "year:..2000")
    #expect(catalog.run("shelf", "@old", "--json=id").output == #"[{"id":4},{"id":3}]"# + "\n")
    #expect(catalog.run("shelf", "movie", "@old").output == "4\tSuspiria\tDario Argento\t1977\t\t\n")
    #expect(catalog.run("shelf", "year:1977").output == "4\tmovie\tSuspiria\tDario Argento\t1977\t\t\n")
    #expect(catalog.run("shelf", "movie", "year:1900").errors.hasPrefix("catalog: no movie matches year:1900\n"))
    for number in 1...9 { try catalog.add(.movie, "Old \(number)", year: 1950) }
    #expect(
      catalog.run("shelf", "films", "@old", "--sort", "-year", "--json=id").errors
        == "next: catalog shelf movie @old --sort year- --page 2\n")
  }

  @Test func `the shelf of a query opens on the screen`() throws {
    try catalog.addThree()
    catalog.atTerminal()
    let screen = TestScreen([.see("1/1"), .press(.character("q"))])
    catalog.screen = screen
    #expect(catalog.run("shelf", "creator:davis").status == 0)
  }

  @Test func `shelf prints lines into a pipe and objects as JSON`() throws {
    try catalog.addThree()
    #expect(catalog.run("shelf", "book").output == "2\t소년이 온다\t한강\t2014\t90\t\n")
    #expect(
      catalog.run("shelf", "records", "--json").output == """
        [{"id":3,"item":3,"title":"Kind of Blue","creators":["Miles Davis"],"year":1959,"rating":null,\
        "favorite_at":"2026-11-21T09:30:05Z"}]

        """)
  }

  @Test func `a shelf of 502 records has 56 pages`() throws {
    let records = (1...502).map { (record: Record(kind: .vinyl, title: "Record \($0)"), genres: [String]?.none) }
    _ = try catalog.store.addAll(records, now: catalog.clock)
    catalog.atTerminal()
    #expect(
      catalog.run("shelf", "vinyl", "-p", "1").output.hasSuffix("page 1/56 · next: catalog shelf vinyl --page 2\n"))
    #expect(catalog.run("shelf", "vinyl", "--page", "56").output.hasSuffix("page 56/56\n"))
    #expect(catalog.run("shelf", "vinyl", "--page", "56", "--tsv").output.split(separator: "\n").count == 7)
    let fourth = catalog.run("shelf", "vinyl", "--page", "4", "--tsv").output.split(separator: "\n")
    #expect(fourth[1].hasPrefix("474\tRecord 474\t"))
    #expect(
      catalog.run("shelf", "vinyl", "--page", "57")
        == .init(output: "", errors: "catalog: there is no page 57: the shelf has 56 pages\n", status: 1))
  }

  @Test func `without a screen shelf prints the first page and the command for the next`() throws {
    let records = (1...10).map { (record: Record(kind: .book, title: "Book \($0)"), genres: [String]?.none) }
    _ = try catalog.store.addAll(records, now: catalog.clock)
    let hint = "next: catalog shelf book --page 2"
    for words in [["shelf", "books"], ["shelf", "books", "--json=id"], ["shelf", "books", "--csv", "-p", "1"]] {
      let run = catalog.run(words)
      #expect(run.errors == hint + "\n")
      #expect(run.output.contains("10"))
      #expect(run.status == 0)
    }
    #expect(catalog.run("shelf", "books", "-p", "2").errors == "")
    catalog.atTerminal()
    #expect(catalog.run("shelf", "books", "--jsonl").errors == hint + "\n")
    catalog.environment["TERM"] = "dumb"
    let printed = catalog.run("shelf", "books")
    #expect(printed.output.hasSuffix("\npage 1/2 · \(hint)\n"))
    #expect(printed.errors == "")
    catalog.environment["TERM"] = nil
    catalog.terminal.isInputTerminal = false
    #expect(catalog.run("shelf", "books") == printed)
    catalog.terminal.width = 40
    #expect(catalog.run("shelf", "books").output.hasSuffix("\npage 1/2 · next:\n  catalog shelf book --page 2\n"))
  }

  @Test(arguments: [
    BadInput(
      "shelf", "podcast",
      errors: "catalog: KIND: there is no shelf 'podcast'\nhint: the choices are movie, book and vinyl\n"),
    BadInput("shelf", errors: "missing KIND"),
    BadInput("shelf", "vinyl", errors: "catalog: the vinyl shelf is empty\n", status: 1),
    BadInput("shelf", "vinyl", "--page", "2", errors: "there is no page 2: the shelf has 1 page", status: 1),
    BadInput("shelf", "vinyl", "--page", "0", errors: "option '--page': invalid page '0': pages start at 1"),
    BadInput("shelf", "vinyl", "--page", "-1", errors: "option '--page': invalid page '-1': pages start at 1"),
    BadInput("search", "dune", "--page", "0", errors: "option '--page': invalid page '0': pages start at 1"),
    BadInput("shelf", "vinyl", "--page", "two", errors: "'two' is not a whole number"),
  ])
  func `bad input is explained`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
  }
}
