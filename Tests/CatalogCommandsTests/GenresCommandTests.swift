import CatalogModel
import Foundation
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

struct GenresCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  private func add(
    _ kind: Kind = .vinyl, _ title: String = "Title", genres: [String], rating: String? = nil, daysAgo: Int = 10,
    year: Int? = nil, by creator: String? = nil
  ) throws {
    let then = Timestamp(catalog.now.addingTimeInterval(-86_400 * Double(daysAgo)))
    // Works of one person have titles of their own, else they are editions of one work.
    let title = creator == nil ? title : "\(title) \(try catalog.store.count(Query()))"
    var record = Record(kind: kind, title: title)
    record.year = year
    record.credits = creator.map { [Credit(name: $0, role: Credit.Role(main: kind))] } ?? []
    let id = try catalog.store.add(record, genres: genres, now: then).id
    if let rating { _ = try catalog.store.addCard(to: id, rating: Rating(rating), comment: nil, now: then) }
  }

  /// Sets a terminal that is high enough to avoid the pager.
  private func atTerminal(width: Int = 80) {
    catalog.atTerminal(width: width)
    catalog.terminal.height = 500
  }

  private func fill() throws {
    for _ in 0..<6 { try add(genres: ["Jazz", "Hard Bop"], rating: "4.5") }
    for _ in 0..<4 { try add(genres: ["Rock"], daysAgo: 700) }
    for _ in 0..<2 { try add(.book, "토지", genres: ["Historical Fiction", "대하소설"], rating: "5", daysAgo: 700) }
    try add(.book, "소년이 온다", genres: [])
  }

  @Test func `with few items genres prints counts and when to come back`() throws {
    try fill()
    atTerminal(width: 80)
    let run = catalog.run("genres", "--all")
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output == """
        Genres  3 books on the shelf since 2024 · 10 records on the shelf since 2024

        Top genre  Hard Bop with 6 of 12 items
        Coverage   12 of 13 with a genre; the rest: catalog list genre:none

        Genre                 Items
        Music                    10  ████████████████████████████████
          Jazz                    6  ███████████████████▎
            Hard Bop              6  ███████████████████▎
          Rock                    4  ████████████▊
        Fiction                   2  ██████▍
          Historical Fiction      2  ██████▍

        Come back with 30 items with a genre, there are 12: what changes, what you love,
        what goes together and how your taste moves is then more than chance.

        """)
  }

  /// Adds movies, books and records of two years, with enough data for each measure.
  private func fillWell() throws {
    for number in 0..<12 {
      try add(
        .movie, genres: number < 5 ? ["Thriller", "Romance"] : ["Drama", "Comedy"], daysAgo: 500, year: 1990 + number)
      try add(.book, genres: number < 6 ? ["Thriller"] : ["Fantasy"], daysAgo: 500, year: 2001, by: "한강")
      try add(
        genres: number < 9 ? ["Jazz", "Blues"] : ["Rock", "Soul"], rating: number < 4 ? "4.5" : nil, year: 1959,
        by: "Björk")
    }
  }

  @Test func `genres prints pairs, drift and the similarity of kinds`() throws {
    try fillWell()
    atTerminal()
    let output = catalog.run("genres", "--all", "--top", "3").output
    #expect(
      output.components(separatedBy: "Often together").last == """

        Genre    With      Items  By chance  Lift
        Comedy   Drama         7        4.1  1.7×
        Romance  Thriller      5        2.1  2.4×
        Blues    Jazz          9        6.8  1.3×
        Rock     Soul          3        0.8  4.0×
        By chance: as genres fall together on items of one kind with as many genres. Of
        12 pairs only those beyond chance.

        Items by genre and decade
                    1950  …  1990  2000
        Thriller       ·     ░░ 5  ░░ 6
        Blues       ░░ 9        ·     ·
        Jazz        ░░ 9        ·     ·
        Comedy         ·     ░░ 5  ░░ 2
        Drama          ·     ░░ 5  ░░ 2
        Fantasy        ·        ·  ░░ 6
        Romance        ·     ░░ 5     ·
        Rock        ░░ 3        ·     ·
        Soul        ░░ 3        ·     ·
        Soul & R&B  ░░ 3        ·     ·
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.
        Not in the map, because they say only what kind of thing it is: Fiction, Music.

        From year to year
        Year  Items  New genres
        2025     24
        2026     12  Blues, Jazz, Rock, Soul

        Across kinds
        Kinds             Alike       Through
        books and movies   0.29  ██▉  Thriller
        books and vinyl    0.00       nothing that both have
        movies and vinyl   0.00       nothing that both have
        Alike: 1 is the same mix of branches, 0 has none in common.

        """)
  }

  @Test func `each missing section says why it is missing`() throws {
    for _ in 0..<30 { try add(genres: ["Jazz"]) }
    try add(.book, genres: ["Fantasy"])
    atTerminal()
    let output = catalog.run("genres", "--all").output
    #expect(output.contains("\nOften together\nToo little to tell: no two genres have 3 items of one kind each.\n"))
    #expect(output.contains("Everything dated is\nof 2026."))
    #expect(output.contains("Too little to tell: 1 of 10 books with a genre."))
    let records = catalog.run("genres", "--all", "kind:vinyl").output
    #expect(records.contains("\nAcross kinds\nNothing to compare: all items with a genre are vinyl.\n"))
  }

  @Test func `genres opens with its findings`() throws {
    for number in 0..<100 {
      try add(.movie, genres: [number < 9 ? "Horror" : "Drama"], daysAgo: 400 + 30 * (number % 9))
      try add(.movie, genres: [number < 40 ? "Horror" : "Drama"], daysAgo: 10 + 3 * (number * 37 % 100))
    }
    atTerminal()
    let output = catalog.run("genres", "--all").output
    #expect(
      output.hasPrefix(
        """
        Genres  200 movies on the shelf since 2025

        • Less Drama: 60 % of the movies you added in the last year, 91 % before
          catalog list genre:Drama added:2025-11-21..
        • More Horror: 40 % of the movies you added in the last year, 9 % before
          catalog list genre:Horror added:2025-11-21..

        Top genre  Drama with 151 of 200 items

        """))
    // The named command lists the items.
    let horror = catalog.run("list", "genre:Horror", "added:2025-11-21..", "--tsv").output
    #expect(horror.split(separator: "\n").count == 40)
    let findings = catalog.run("genres", "kind:movie", "--table", "findings", "--csv").output.split(separator: "\r\n")
    #expect(
      findings.first == "finding,kind,genre,value,items,against,against_items,since,of,test,p,adjusted_p,query,sentence"
    )
    #expect(findings.contains { $0.hasPrefix("trend,trend,Horror,0.4,100,0.09,100,,movie,fisher,") })
    #expect(findings.allSatisfy { !$0.hasPrefix("trend") || $0.contains("added:2025-11-21..; kind:movie") })
  }

  @Test func `a heat map names the items it leaves out`() throws {
    try fillWell()
    try add(.book, genres: ["Fantasy"])
    try add(.book, genres: [], year: 2020)
    atTerminal(width: 60)
    #expect(
      catalog.run("genres", "--by", "decade").output == """
        Items by genre and decade
                    1950  …  1990  2000  …  2020
        Thriller       ·     ░░ 5  ░░ 6        ·
        Blues       ░░ 9        ·     ·        ·
        Jazz        ░░ 9        ·     ·        ·
        Fantasy        ·        ·  ░░ 6        ·
        Comedy         ·     ░░ 5  ░░ 2        ·
        Drama          ·     ░░ 5  ░░ 2        ·
        Romance        ·     ░░ 5     ·        ·
        Rock        ░░ 3        ·     ·        ·
        Soul        ░░ 3        ·     ·        ·
        Soul & R&B  ░░ 3        ·     ·        ·
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.
        1 item of 38 without year: catalog list year:none
        1 item of 38 without genre: catalog list genre:none
        Not in the map, because they say only what kind of thing it
        is: Fiction, Music.

        """)
    #expect(
      catalog.run("genres", "--by", "rating", "kind:book").output
        == "There is no heat map, because none of the 14 items has a\nrating.\n")
  }

  @Test(arguments: GenreMatrix.Dimension.allCases, [60, 80, 120])
  func `a heat map fits the width of the terminal`(_ dimension: GenreMatrix.Dimension, _ width: Int) throws {
    try fillWell()
    for number in 0..<30 {
      try add(
        .book, "토지", genres: ["우리 장르"], rating: "\(number % 6)", year: -900 + 77 * number,
        by: "Author of a long name \(number)")
    }
    for usesUnicode in [true, false] {
      atTerminal(width: width)
      catalog.terminal.usesUnicode = usesUnicode
      let run = catalog.run("genres", "--by", dimension.rawValue)
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.output.contains("우리 장르"))
      // A command is to be copied whole.
      for line in run.output.split(separator: "\n") where !line.contains("catalog ") {
        #expect(line.cellWidth <= width, "\(line)")
        if !usesUnicode { #expect(!line.contains("░") && !line.contains("█") && !line.contains("½")) }
      }
    }
  }

  @Test(arguments: [0, 1, 2, 7, 40], GenreMatrix.Dimension.allCases)
  func `a heat map of few items works or says why not`(_ count: Int, _ dimension: GenreMatrix.Dimension) throws {
    for number in 0..<count { try add(genres: number % 2 == 0 ? ["Jazz"] : []) }
    atTerminal()
    let run = catalog.run("genres", "--by", dimension.rawValue)
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(!run.output.isEmpty)
    #expect(!run.output.contains("nan"))
    if count == 0 { #expect(run.output.hasPrefix("The catalog is empty")) }
    if count > 0, dimension == .decade || dimension == .rating || dimension == .creator {
      #expect(run.output.contains("There is no heat map"))
    }
    #expect(catalog.run("genres", "--by", dimension.rawValue, "--json").status == 0)
  }

  @Test func `a heat map joins sparse decades and marks gaps`() throws {
    for year in [-701, 1813, 1925, 1948] { try add(.book, genres: ["Fantasy"], year: year) }
    for number in 0..<12 {
      try add(genres: ["Jazz"], year: 1955)
      try add(.book, genres: number < 6 ? ["Fantasy"] : ["Drama"], year: number < 6 ? 1961 : 1999)
    }
    atTerminal()
    #expect(
      catalog.run("genres", "--by", "decade").output.split(separator: "\n").prefix(5).joined(separator: "\n") == """
        Items by genre and decade
                 before 1950   1950  1960  …  1990
        Jazz               ·  ░░ 12     ·        ·
        Fantasy         ░░ 4      ·  ░░ 6        ·
        Drama              ·      ·     ·     ██ 6
        """)
    // Programs get every decade.
    #expect(catalog.run("genres", "--by", "decade", "--csv").output.contains("\r\nFantasy,Fiction,-710,1\r\n"))
  }

  @Test func `only significant numbers are coloured`() throws {
    // Six items of each side have no trend; sixty have.
    for number in 0..<6 {
      try add(genres: ["Jazz"], rating: "3", daysAgo: 5 + 50 * number)
      try add(genres: ["Rock"], rating: "3", daysAgo: 500 + 45 * number)
    }
    for number in 0..<20 { try add(genres: ["Soul"], daysAgo: 500 + 15 * number) }
    atTerminal()
    #expect(!catalog.run("genres", "--all").output.contains("▲"))
    #expect(!catalog.run("genres", "--all").output.contains("▼"))
    for number in 0..<5 { try add(genres: ["Blues"], rating: "3", daysAgo: 20 + 60 * number) }
    let run = catalog.run("genres", "--all").output
    #expect(run.contains("Blues"))
    #expect(run.contains("▲ 45.5"))
    #expect(!run.contains("Loved"))
    catalog.terminal.usesColor = true
    // A grey number for what may be chance, green for what is not.
    let colored = catalog.run("genres", "--all").output
    #expect(colored.contains("\u{1B}[32m▲ 45.5") || colored.contains("\u{1B}[32m ▲ 45.5"))
    for _ in 0..<14 { try add(genres: ["Funk"], rating: "5", daysAgo: 5) }
    #expect(catalog.run("genres", "--all").output.contains("Loved"))
  }

  @Test func `genres --by prints the matrix as JSON`() throws {
    try add(genres: ["Jazz"], year: 1959)
    try add(genres: ["Jazz", "Rock"], year: 1961)
    try add(genres: ["Rock"])
    #expect(
      catalog.run("genres", "--by", "decade", "--json", "genre:jazz").output == """
        {"by":"decade","items":2,"items_with_genre":2,"items_without_genre":0,"items_without_decade":0,"buckets":[\
        {"decade":1950,"items":1,"items_with_genre":1},{"decade":1960,"items":1,"items_with_genre":1}],"cells":[\
        {"genre":"Jazz","ancestors":["Music"],"decade":1950,"items":1},\
        {"genre":"Jazz","ancestors":["Music"],"decade":1960,"items":1},\
        {"genre":"Music","ancestors":[],"decade":1950,"items":1},{"genre":"Music","ancestors":[],"decade":1960,"items":1},\
        {"genre":"Rock","ancestors":["Music"],"decade":1960,"items":1}]}

        """)
    #expect(
      catalog.run("genres", "--by", "year-added", "--csv", "--top", "1").output
        == "genre,ancestors,year_added,items\r\nMusic,,2026,3\r\n")
    #expect(catalog.run("genres", "--by", "kind").output.hasPrefix("Music\t\tvinyl\t3\n"))
    #expect(catalog.run("genres", "--by", "mood").status == 2)
    #expect(catalog.run("genres", "--by", "kind", "--table", "pairs").status == 2)
    #expect(catalog.run("genres", "--by", "kind", "kind:book").status == 1)
  }

  @Test func `genres --table prints the chosen table`() throws {
    try fillWell()
    #expect(
      catalog.run("genres", "--table", "summary", "--csv").output
        == "items,items_with_genre,items_without_genre,enough_items,rated,mean_rating,top_genre,effective_branches,"
        + "gini_simpson,judged,loved,recent_items_with_genre,earlier_items_with_genre,pairs_compared\r\n"
        + "36,36,0,true,4,90.0,Thriller,7.973522133710617,0.8580246913580247,4,4,12,24,12\r\n")
    #expect(
      catalog.run("genres", "--table", "pairs", "--csv").output
        == "genre,other,together,expected,lift,p\r\n"
        + "Comedy,Drama,7,4.083333333333333,1.7142857142857144,0.0021045078055615682\r\n"
        + "Romance,Thriller,5,2.0833333333333335,2.4,0.0021045078055615682\r\n"
        + "Blues,Jazz,9,6.75,1.3333333333333333,0.004545454545454546\r\n"
        + "Rock,Soul,3,0.75,4.0,0.004545454545454546\r\n")
    let drift = catalog.run("genres", "--table", "drift", "--tsv").output
    // Movies and books, then records: there is no kind to compare.
    #expect(drift.hasPrefix("2025\t24\t24\t\t\t\tfalse\tfalse\t\t\n2026\t12\t12\t2025\t\t\tfalse\tfalse\t\t"))
    #expect(drift.hasSuffix("\tBlues; Jazz; Rock; Soul\n"))
    #expect(
      catalog.run("genres", "--table", "coverage", "--csv").output
        == "kind,items,items_with_genre,items_without_genre\r\nmovie,12,12,0\r\nbook,12,12,0\r\nvinyl,12,12,0\r\n")
    #expect(catalog.run("genres", "--table", "kinds", "--tsv").output.hasPrefix("book\tmovie\t0."))
    #expect(catalog.run("genres", "--table", "kinds", "--tsv").output.contains("\nbook\tvinyl\t0.0\ttrue\t\t\t\t\n"))
    #expect(catalog.run("genres", "--table", "mood").status == 2)
    atTerminal()
    #expect(
      catalog.run("genres", "--table", "pairs").output.hasPrefix(
        "genre    other     together  expected  lift      p\n")
    )
  }

  @Test func `with books without genres only, genres prints the coverage`() throws {
    for _ in 0..<7 { try add(.book, "소년이 온다", genres: []) }
    atTerminal()
    #expect(
      catalog.run("genres", "--all").output
        == """
        Genres  7 books on the shelf since 2026

        Coverage   0 of 7 with a genre; the rest: catalog list genre:none

        Without genres there is nothing to analyse. Some come with
        catalog edit REF genre+=Jazz

        """)
    #expect(
      catalog.run("genres", "--by", "kind").output == "None of the 7 items has a genre yet: catalog list genre:none\n")
  }

  @Test(arguments: [60, 61, 72, 80, 100, 120, 200], [true, false])
  func `no line of genres is wider than the terminal`(_ width: Int, _ usesUnicode: Bool) throws {
    try fill()
    try add(genres: ["A genre with a very long name that nobody would ever shorten by hand"])
    atTerminal(width: width)
    catalog.terminal.usesUnicode = usesUnicode
    let run = catalog.run("genres", "--all")
    #expect(run.status == 0)
    for line in run.output.split(separator: "\n") {
      // The headline's command is to be copied whole.
      #expect(line.cellWidth <= width || line.hasPrefix("Coverage"), "\(line)")
      if !usesUnicode { #expect(!line.contains("▲") && !line.contains("█") && !line.contains("★")) }
    }
  }

  @Test func `genres uses colour only if the terminal has it`() throws {
    try fill()
    atTerminal()
    #expect(!catalog.run("genres", "--all").output.contains("\u{1B}"))
    catalog.terminal.usesColor = true
    #expect(catalog.run("genres", "--all").output.contains("\u{1B}["))
  }

  @Test(arguments: [0, 1, 2, 7, 40], [[], ["Jazz"], ["Rock", "Jazz", "Fantasy"]])
  func `genres works with any number of items`(_ count: Int, _ genres: [String]) throws {
    for number in 0..<count { try add(genres: genres, rating: number == 3 ? "4" : nil) }
    atTerminal()
    let run = catalog.run("genres", "--all")
    #expect(run.status == 0)
    #expect(run.errors == "")
    for word in ["nan", "inf", "-0.0"] { #expect(!run.output.contains(word)) }
    #expect(run.output.contains("The catalog is empty") == (count == 0))
    #expect(run.output.contains("Top genre") == (count > 0 && !genres.isEmpty))
    #expect(run.output.contains("catalog list genre:none") == (count > 0 && genres.isEmpty))
    let hasEnoughItems = count == 40 && !genres.isEmpty
    for statistic in ["Diversity", "Share", " %"] { #expect(run.output.contains(statistic) == hasEnoughItems) }
    #expect(run.output.contains("Come back with 30 items") == (!hasEnoughItems && count > 0 && !genres.isEmpty))
    #expect(run.output.contains("Too little to tell: 0 of 10 items with a genre before") == hasEnoughItems)
    #expect(run.output.contains("Often together") == hasEnoughItems)
    #expect(run.output.contains("\n\nNo clear change.\n") == hasEnoughItems)
    let json = catalog.run("genres", "--json")
    #expect(json.status == 0)
    #expect(json.output.hasPrefix("{"))
    for word in ["nan", "inf"] { #expect(!json.output.contains(word)) }
  }

  @Test func `genres --json has every number`() throws {
    for _ in 0..<2 { try add(genres: ["Jazz"], rating: "4") }
    try add(.book, genres: [])
    #expect(
      catalog.run("genres", "--json").output == """
        {"items":3,"items_with_genre":2,"items_without_genre":1,"enough_items":false,"rated":2,"mean_rating":80.0,"top_genre":"Jazz",\
        "effective_branches":null,"gini_simpson":null,"judged":2,"loved":2,"recent_items_with_genre":2,\
        "earlier_items_with_genre":0,"pairs_compared":0,"of":[{"kind":"book","basis":"added","items":1,"dated":1,"since":2026,\
        "runs":null,"count_as":null},\
        {"kind":"vinyl","basis":"added","items":2,"dated":2,"since":2026,"runs":null,"count_as":2}],"findings":[],"genres":[\
        {"genre":"Jazz","ancestors":["Music"],"items":2,"own_items":2,"share":1.0,"weight":1.0,"rated":2,\
        "mean_rating":80.0,"shrunk_rating":80.0,"affinity":null,"momentum":null,"judged":2,"loved":2,"affinity_p":null,\
        "affinity_beyond_chance":false,"recent_items":0,"recent_expected":null,"momentum_p":null,"momentum_beyond_chance":false},\
        {"genre":"Music","ancestors":[],"items":2,"own_items":0,"share":1.0,"weight":0.0,"rated":2,\
        "mean_rating":80.0,"shrunk_rating":80.0,"affinity":null,"momentum":null,"judged":2,"loved":2,"affinity_p":null,\
        "affinity_beyond_chance":false,"recent_items":0,"recent_expected":null,"momentum_p":null,"momentum_beyond_chance":false}],\
        "pairs":[],"drift":[{"year":2026,"items":3,"items_with_genre":2,"compared_with":null,"drift":null,"p":null,"enough_items":false,"beyond_chance":false,"moved":[],"new_genres":null}],"kinds":[],"coverage":[\
        {"kind":"book","items":1,"items_with_genre":0,"items_without_genre":1},\
        {"kind":"vinyl","items":2,"items_with_genre":2,"items_without_genre":0}]}

        """)
    #expect(
      catalog.run("genres", "--csv", "--top", "1").output
        == "genre,ancestors,items,own_items,share,weight,rated,mean_rating,shrunk_rating,affinity,momentum,judged,loved,"
        + "affinity_p,affinity_beyond_chance,recent_items,recent_expected,momentum_p,momentum_beyond_chance\r\n"
        + "Jazz,Music,2,2,1.0,1.0,2,80.0,80.0,,,2,2,,false,0,,,false\r\n")
    #expect(
      catalog.run("genres", "--all", "--top=1").output
        == "Jazz\tMusic\t2\t2\t1.0\t1.0\t2\t80.0\t80.0\t\t\t2\t2\t\tfalse\t0\t\t\tfalse\n")
    // --json=FIELDS are members of the document, also of one of several shapes.
    #expect(catalog.run("genres", "--json=top_genre,items").output == #"{"top_genre":"Jazz","items":3}"# + "\n")
    #expect(catalog.run("genres", "--by", "kind", "--json=by,items").output == #"{"by":"kind","items":3}"# + "\n")
    #expect(catalog.run("genres", "--json=genre").status == 2)
  }

  @Test func `a query limits genres to its items`() throws {
    try fill()
    #expect(catalog.run("genres", "kind:book", "--tsv").output.hasPrefix("Historical Fiction\tFiction\t2\t"))
    let none = catalog.run("genres", "kind:movie")
    #expect(none.status == 1)
    #expect(none.output == "")
    #expect(none.errors.contains("no item matches kind:movie"))
    #expect(catalog.run("genres", "year:x").status == 2)
    #expect(catalog.run("genres", "--top", "0").status == 2)
    atTerminal()
    #expect(
      catalog.run("genres", "--all", "kind:book").output.contains("the rest: catalog list genre:none kind:book\n"))
    #expect(catalog.run("genres", "--all", "genre:historical fiction").output.contains("2 of 2 with a genre"))
  }

  @Test(arguments: [false, true]) func `genres fits a screen without --all`(_ isFull: Bool) throws {
    try isFull ? fillWell() : fill()
    atTerminal(width: 80)
    let lines = catalog.run("genres").output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 20 && lines.allSatisfy { $0.cellWidth <= 80 }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("catalog genres --all") }, "\(lines)")
  }

  @Test func `the commands that genres proposes are about the same items`() throws {
    try fill()
    atTerminal()
    let run = catalog.run("genres", "--of", "owned", "kind:vinyl")
    #expect(run.output.contains("catalog genres --all --of owned kind:vinyl\n"), "\(run)")
    let missing = catalog.run("genres", "--of", "watched", "kind:vinyl")
    #expect(missing.errors.contains("nothing that '--of watched' counts matches kind:vinyl"), "\(missing)")
    #expect(GenreQuestion(words: ["genre:none"]).listing("genre:none") == "catalog list genre:none")
    #expect(
      GenreQuestion(words: ["a", "or", "b"], population: .watched).listing("genre:none")
        == "catalog list genre:none '(' a or b ')' seen:any")
  }

  @Test func `genres --top says how many are left out, and keeps the ancestors`() throws {
    try fill()
    atTerminal()
    let run = catalog.run("genres", "--all", "--top", "2")
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
  func `fixed rounds a number to its decimals`(_ number: Double, _ decimals: Int, _ text: String) {
    #expect(number.fixed(decimals) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_960, "1.0 MB"), (12_345_678, "12.3 MB"),
    (Int.max, "9223372.0 TB"),
  ])
  func `size prints bytes with a unit`(_ bytes: Int, _ text: String) { #expect(bytes.size == text) }

  @Test(arguments: [
    ("kind:vinyl", "kind:vinyl"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("가요", "가요"),
    ("$(x)", "'$(x)'"),
  ])
  func `shellWord quotes a text for the shell`(_ text: String, _ word: String) { #expect(text.shellWord == word) }
}
