import CatalogModel
import FoundationEssentials
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

struct GenresCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  private func add(
    _ kind: Kind = .vinyl, _ title: String = "Title", genres: [String], rating: String? = nil, daysAgo: Int = 10
  ) throws {
    let then = Timestamp(catalog.now.addingTimeInterval(-86_400 * Double(daysAgo)))
    let id = try catalog.store.add(Record(kind: kind, title: title), genres: genres, now: then).id
    if let rating { _ = try catalog.store.addCard(to: id, rating: Rating(rating), comment: nil, now: then) }
  }

  private func fill() throws {
    for _ in 0..<6 { try add(genres: ["Jazz", "Hard Bop"], rating: "4.5") }
    for _ in 0..<4 { try add(genres: ["Rock"], daysAgo: 700) }
    for _ in 0..<2 { try add(.book, "토지", genres: ["Historical Fiction", "대하소설"], rating: "5", daysAgo: 700) }
    try add(.book, "소년이 온다", genres: [])
  }

  @Test func `a person sees headline, tree, bars, stars and trends`() throws {
    try fill()
    catalog.atTerminal(width: 80)
    let run = catalog.run("genres")
    #expect(run.errors == "" && run.status == 0)
    #expect(
      run.output == """
        Top genre  Hard Bop, 6 of 12 items
        Diversity  as varied as 3.9 genres of equal weight
        Coverage   12 of 13 have a genre; the rest: catalog list genre:none

        Genre                 Items   Share                        Mean ★     Trend
        Music                    10  83.3 %  ████████████████████  4.5 (6)   ▲ 33.3
          Jazz                    6  50.0 %  ████████████          4.5 (6)  ▲ 100.0
            Hard Bop              6  50.0 %  ████████████          4.5 (6)  ▲ 100.0
          Rock                    4  33.3 %  ████████                        ▼ 66.7
        Fiction                   2  16.7 %  ████                  5.0 (2)   ▼ 33.3
          Historical Fiction      2  16.7 %  ████                  5.0 (2)   ▼ 33.3

        An item may have several genres, so shares add up to more than 100 %.
        Trend: percentage points of share, added in the last 365 days against before.

        """)
  }

  @Test(arguments: [60, 61, 72, 80, 100, 120, 200], [true, false])
  func `no line is wider than the terminal`(_ width: Int, _ usesUnicode: Bool) throws {
    try fill()
    try add(genres: ["A genre with a very long name that nobody would ever shorten by hand"])
    catalog.atTerminal(width: width)
    catalog.terminal.usesUnicode = usesUnicode
    let run = catalog.run("genres")
    #expect(run.status == 0)
    for line in run.output.split(separator: "\n") {
      // The headline's command is to be copied whole.
      #expect(line.cellWidth <= width || line.hasPrefix("Coverage"), "\(line)")
      if !usesUnicode { #expect(!line.contains("▲") && !line.contains("█") && !line.contains("★")) }
    }
  }

  @Test func `colour is switched on and off`() throws {
    try fill()
    catalog.atTerminal()
    #expect(!catalog.run("genres").output.contains("\u{1B}"))
    catalog.terminal.usesColor = true
    #expect(catalog.run("genres").output.contains("\u{1B}["))
  }

  @Test(arguments: [0, 1, 2, 7], [[], ["Jazz"], ["Rock", "Jazz", "Fantasy"]])
  func `few items give a sensible report`(_ count: Int, _ genres: [String]) throws {
    for number in 0..<count { try add(genres: genres, rating: number == 3 ? "4" : nil) }
    catalog.atTerminal()
    let run = catalog.run("genres")
    #expect(run.status == 0 && run.errors == "")
    for word in ["nan", "inf", "-0.0"] { #expect(!run.output.contains(word)) }
    #expect(run.output.contains("The catalog is empty") == (count == 0))
    #expect(run.output.contains("Top genre") == (count > 0 && !genres.isEmpty))
    #expect(run.output.contains("catalog list genre:none") == (count > 0 && genres.isEmpty))
    #expect(run.output.contains("These are few items") == ((1...4).contains(count) && !genres.isEmpty))
    #expect(run.output.contains("No trend yet") == (count > 0 && !genres.isEmpty))
    #expect(run.output.contains("Nothing is rated yet") == ((1...3).contains(count) && !genres.isEmpty))
    let json = catalog.run("genres", "--json")
    #expect(json.status == 0 && json.output.hasPrefix("{"))
    for word in ["nan", "inf"] { #expect(!json.output.contains(word)) }
  }

  @Test func `programs get every number`() throws {
    for _ in 0..<2 { try add(genres: ["Jazz"], rating: "4") }
    try add(.book, genres: [])
    #expect(
      catalog.run("genres", "--json").output == """
        {"items":3,"items_with_genre":2,"items_without_genre":1,"rated":2,"mean_rating":80.0,"top_genre":"Jazz",\
        "effective_genres":1.0,"gini_simpson":0.0,"genres":[\
        {"genre":"Jazz","ancestors":["Music"],"items":2,"own_items":2,"share":1.0,"weight":1.0,"rated":2,\
        "mean_rating":80.0,"shrunk_rating":80.0,"affinity":null,"momentum":null},\
        {"genre":"Music","ancestors":[],"items":2,"own_items":0,"share":1.0,"weight":0.0,"rated":2,\
        "mean_rating":80.0,"shrunk_rating":80.0,"affinity":null,"momentum":null}]}

        """)
    #expect(
      catalog.run("genres", "--csv", "--top", "1").output
        == "genre,ancestors,items,own_items,share,weight,rated,mean_rating,shrunk_rating,affinity,momentum\r\n"
        + "Jazz,Music,2,2,1.0,1.0,2,80.0,80.0,,\r\n")
    #expect(catalog.run("genres", "--top=1").output == "Jazz\tMusic\t2\t2\t1.0\t1.0\t2\t80.0\t80.0\t\t\n")
    #expect(
      catalog.run("genres", "--json=genre,items", "--top", "1").output.hasSuffix(
        "[{\"genre\":\"Jazz\",\"items\":2}]}\n"))
  }

  @Test func `a query narrows it`() throws {
    try fill()
    #expect(catalog.run("genres", "kind:book", "--tsv").output.hasPrefix("Historical Fiction\tFiction\t2\t"))
    let none = catalog.run("genres", "kind:movie")
    #expect(none.status == 1 && none.output == "" && none.errors.contains("no items match 'kind:movie'"))
    #expect(catalog.run("genres", "year:x").status == 2)
    #expect(catalog.run("genres", "--top", "0").status == 2)
    catalog.atTerminal()
    #expect(catalog.run("genres", "kind:book").output.contains("the rest: catalog list genre:none kind:book\n"))
    #expect(catalog.run("genres", "genre:historical fiction").output.contains("all 2 items have a genre"))
  }

  @Test func `--top says how many are left out, and keeps what is above`() throws {
    try fill()
    catalog.atTerminal()
    let run = catalog.run("genres", "--top", "2")
    #expect(run.output.contains("\nMusic "))
    #expect(run.output.contains("\n  Jazz "))
    #expect(run.output.contains("4 more genres: catalog genres --top 6"))
  }
}

struct NumberTests {
  @Test(arguments: [
    (0.0, 1, "0.0"), (37.46, 1, "37.5"), (99.96, 1, "100.0"), (-0.04, 1, "0.0"), (-1.26, 1, "-1.3"), (2.0, 0, "2"),
    (1.005, 2, "1.00"),
    (12.3456, 3, "12.346"),
  ])
  func `numbers are rounded`(_ number: Double, _ decimals: Int, _ text: String) {
    #expect(number.fixed(decimals) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_960, "1.0 MB"), (12_345_678, "12.3 MB"),
    (Int.max, "9223372.0 TB"),
  ])
  func `sizes have units`(_ bytes: Int, _ text: String) { #expect(bytes.size == text) }

  @Test(arguments: [
    ("kind:vinyl", "kind:vinyl"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("가요", "가요"),
    ("$(x)", "'$(x)'"),
  ])
  func `a shell takes it for one word`(_ text: String, _ word: String) { #expect(text.shellWord == word) }
}
