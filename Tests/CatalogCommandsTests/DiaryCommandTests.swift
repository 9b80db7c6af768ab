import CatalogModel
import CommandLineKit
import FoundationEssentials
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// `log`, `diary` and `rate`.
struct DiaryCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
    catalog.run("edit", "2", "pages=216")
  }

  private static let book = "book 2: 소년이 온다 — 한강 (2014)"

  // MARK: Writing

  @Test func `log writes a diary entry of today, another date or no date`() {
    #expect(
      catalog.run("log", "1")
        == .init(output: "entry 1 of movie 1: 기생충 — 봉준호 (2019): watched, 2026-11-21\n", errors: "", status: 0))
    let lines: [([String], String)] = [
      (["--on", "yesterday"], "watched, 2026-11-20"), (["--on=-2w"], "watched, 2026-11-07"),
      (["--on", "2019-06"], "watched, 2019-06"), (["--undated"], "watched, undated"),
      (["--started", "2026-11-01"], "watched, 2026-11-01 to 2026-11-21"),
      (["--dropped", "--on", "2020"], "dropped, 2020"), (["--started", "2019", "--undated"], "watched, since 2019"),
    ]
    for (number, (words, what)) in zip(2..., lines) {
      #expect(
        catalog.run(["log", "1"] + words).output == "entry \(number) of movie 1: 기생충 — 봉준호 (2019): \(what)\n")
    }
    #expect(catalog.run("list", "times:7").output.hasPrefix("1\t"))
  }

  @Test func `log with stars and words writes a card, too`() {
    #expect(
      catalog.run("log", "kind of blue", "so what", "--stars", "4.5", "--on", "2026-11")
        == .init(
          output: """
            entry 1 of vinyl 3: Kind of Blue — Miles Davis (1959): played, 2026-11
            card 2 ★★★★½ of vinyl 3: Kind of Blue — Miles Davis (1959): 'so what'

            """, errors: "", status: 0))
    catalog.input = ["from", "a pipe"]
    #expect(catalog.run("log", "3", "-").output.contains("card 3 of vinyl 3"))
    #expect(catalog.run("card", "list", "3", "--json=comment").output.contains("from\\na pipe"))
  }

  @Test func `log --page moves a book in progress on, and log finishes it`() {
    #expect(
      catalog.run("log", "2", "--page", "120").output == "entry 1 of \(Self.book): page 120 of 216, since 2026-11-21\n")
    catalog.now += 86_400
    #expect(
      catalog.run("log", "2", "--page", "216")
        == .init(
          output: "entry 1 of \(Self.book): page 216 of 216, since 2026-11-21\n",
          errors: "hint: that is its last page: 'catalog log 2' finishes it\n", status: 0))
    #expect(catalog.run("log", "2", "--ongoing").errors == "catalog: nothing changed\n")
    #expect(
      catalog.run("log", "2", "--on", "2025")
        == .init(
          output: "",
          errors: """
            catalog: it ends on 2025, before it starts on 2026-11-21
            hint: for a new entry beside the one in progress: --again

            """, status: 2))
    #expect(
      catalog.run("log", "2", "--on", "2025", "--again").output == "entry 2 of \(Self.book): read, 2025\n")
    #expect(
      catalog.run("log", "2").output
        == "finished the entry in progress: entry 1 of \(Self.book): read, 2026-11-21 to 2026-11-22\n")
    catalog.run("log", "2", "--page", "30")
    #expect(
      catalog.run("log", "2", "--dropped").output
        == "gave up the entry in progress: entry 3 of \(Self.book): dropped, page 30 of 216, 2026-11-22\n")
  }

  @Test func `log with a result adds the item in one operation, and a dry run writes nothing`() throws {
    catalog.addResult()
    #expect(
      catalog.run("log", "r1", "-n").output
        == "would write into the diary: vinyl: Blue Train — John Coltrane (1958), 2026-11-21\n")
    #expect(catalog.run("rate", "r1", "4", "-n").output.hasPrefix("would rate ★★★★: vinyl: Blue Train"))
    #expect(try catalog.store.shelfCounts().total == 3)
    #expect(
      catalog.run("log", "r1").output == """
        added vinyl 4: Blue Train — John Coltrane (1958)
        entry 1 of vinyl 4: Blue Train — John Coltrane (1958): played, 2026-11-21

        """)
    #expect(catalog.run("diary", "edit", "1", "--on", "2020", "-n").output.hasSuffix("played, 2020\n"))
    #expect(catalog.run("diary", "remove", "1", "-n").output.hasPrefix("would remove entry 1 of vinyl 4"))
    #expect(try catalog.store.entry(LogEntryID(rawValue: 1)).endedOn == PartialDate("2026-11-21"))
  }

  @Test func `diary edit changes an entry, and diary remove removes it`() throws {
    catalog.run("log", "2", "--page", "120", "--comment", "slow")
    #expect(
      catalog.run("diary", "edit", "1", "--done", "--started", "2026-10", "--stars", "5").output == """
        changed entry 1 of \(Self.book): read, 2026-10 to 2026-11-21
        card 2 ★★★★★ of \(Self.book): 'slow'

        """)
    #expect(catalog.run("diary", "edit", "1", "good").output.contains("card 2 ★★★★★"))
    #expect(try catalog.store.card(CardID(rawValue: 2)).comment == "good")
    #expect(catalog.run("diary", "edit", "1", "--note", "on the bus").status == 0)
    #expect(
      catalog.run("diary", "edit", "1", "--note", "none", "--on", "none").output.hasSuffix("read, since 2026-10\n"))
    #expect(try catalog.store.entry(LogEntryID(rawValue: 1)).note == nil)
    #expect(catalog.run("diary", "edit", "1", "--done").errors == "catalog: nothing changed\n")
    catalog.atTerminal()
    catalog.input = ["y"]
    let run = catalog.run("diary", "remove", "1")
    #expect(run.errors.contains("Remove this entry? [y/N]"))
    #expect(run.output.hasPrefix("removed entry 1 of book 2"))
    // The cards stay.
    #expect(try catalog.store.cards(of: ItemID(rawValue: 2)).count == 2)
  }

  @Test func `an entry changed while the question is open is not removed`() throws {
    catalog.run("log", "1")
    catalog.atTerminal()
    catalog.input = ["y"]
    catalog.beforeLine = { [store = catalog.store, now = catalog.clock] in
      _ = try? store.changeEntry(LogEntryID(rawValue: 1), now: now) { entry, _ in entry.note = "theirs" }
    }
    let run = catalog.run("diary", "remove", "1")
    #expect(run.errors.contains("not removed, since it was changed meanwhile: entry 1 of movie 1"))
    #expect(run.status == 1)
    #expect(try catalog.store.entry(LogEntryID(rawValue: 1)).note == "theirs")
  }

  @Test func `rate writes a card without words and no diary entry`() throws {
    #expect(
      catalog.run("rate", "kind of blue", "9/10")
        == .init(output: "card 2 9/10 of vinyl 3: Kind of Blue — Miles Davis (1959)\n", errors: "", status: 0))
    #expect(
      catalog.run("rate", "3", "4.5").output == "changed card 2 ★★★★½ of vinyl 3: Kind of Blue — Miles Davis (1959)\n")
    #expect(catalog.run("diary").status == 1)
    let review = catalog.run("report", "year", "--json=figures").output
    #expect(review.contains("\"times\":0,"))
    #expect(review.contains("\"rated\":{\"items\":2,"))
  }

  // MARK: Bad input

  @Test(arguments: [
    BadInput("log", "r1", "--on", "2026-13", errors: "invalid date '2026-13'\nhint: write 2026, 2026-11"),
    BadInput("log", "r1", "--started", "soon", errors: "invalid date 'soon'"),
    BadInput(
      "log", "r1", "--on", "2027", errors: "2027 is in the future: the diary is for what has happened\nhint: give a"),
    BadInput("log", "r1", "--on", "2026-11-23", errors: "2026-11-23 is in the future"),
    BadInput("log", "r1", "--on", "2025", "--started", "2026", errors: "it ends on 2025, before it starts on 2026\n"),
    BadInput(
      "log", "r1", "--on", "2025", "--undated", errors: "'--on' gives a date, and '--undated' says that it is unknown"),
    BadInput(
      "log", "r1", "--ongoing", "--on", "2025", errors: "an entry in progress has no end date\nhint: for the start"),
    BadInput("log", "r1", "--page", "3", "--on", "2025", errors: "an entry in progress has no end date"),
    BadInput("log", "r1", "--ongoing", "--started", "2025", "--undated", errors: "'--started' gives a date"),
    BadInput("log", "r1", "--ongoing", "--dropped", errors: "'--ongoing' and '--dropped' cannot be combined"),
    BadInput("log", "r1", "--page", "3", errors: "records have no pages: only books do\nhint: leave out --page"),
    BadInput("log", "1", "--page", "3", errors: "movies have no pages"),
    BadInput("log", "2", "--page", "0", errors: "invalid page '0'"),
    BadInput("log", "2", "--page", "217", errors: "there is no page 217: the book has 216 pages\nhint: if that is"),
    BadInput(
      "log", "r1", "--comment", String(repeating: "가", count: 10_001), errors: "the comment has 10001 characters"),
    BadInput("log", "r1", "--note", String(repeating: "가", count: 10_001), errors: "the text has 10001 characters"),
    BadInput("log", "r1", "", errors: "a card needs a rating or words"),
    BadInput("log", "r1", "--stars", "6", errors: "'6' is out of range"),
    BadInput("log", "r1", "4.5", errors: "catalog log r1 --stars 4.5\n"),
    BadInput("log", "99", errors: "there is no item 99", status: 1),
    BadInput("log", errors: "missing REF"),
    BadInput("rate", "r1", "6", errors: "'6' is out of range"), BadInput("rate", "r1", errors: "missing RATING"),
    BadInput("rate", "99", "4", errors: "there is no item 99", status: 1),
    BadInput(
      "diary", "edit", "9", "--on", "today",
      errors: "catalog: there is no entry 9 in the diary\nhint: find its number with 'catalog diary'\n", status: 1),
    BadInput("diary", "edit", "x", "--on", "today", errors: "'x' is not the number of a diary entry"),
    BadInput("diary", "edit", "9", errors: "no change was given\nhint: for example: catalog diary edit 9"),
    BadInput("diary", "remove", "9", "--yes", errors: "there is no entry 9 in the diary", status: 1),
    BadInput("diary", "remove", errors: "missing ENTRY"),
    BadInput("diary", errors: "catalog: the diary is empty\nhint: add an entry", status: 1),
    BadInput("diary", "2019", errors: "catalog: the diary has no entries for 2019\n", status: 1),
    BadInput("diary", "kind:movie", errors: "no entry of the diary matches kind:movie", status: 1),
    BadInput("diary", "year:x", errors: "invalid year 'x'"),
    BadInput("list", "status:gone", errors: "invalid status 'gone': use planned, ongoing, done or dropped"),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    catalog.addResult()
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.diary().isEmpty)
    #expect(try catalog.store.cards().count == 1)
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test func `an item has one entry in progress, and a card of an entry takes the entry's date`() {
    catalog.run("log", "2", "--page", "3", "--comment", "words")
    catalog.run("log", "2", "--again")
    #expect(catalog.run("diary", "edit", "2", "--ongoing").errors.contains("entry 1 is in progress already\nhint: one"))
    #expect(catalog.run("diary", "edit", "1", "--on", "today").errors.contains("an entry in progress has no end date"))
    #expect(
      catalog.run("card", "edit", "2", "--seen", "2020").errors == """
        catalog: card 2 belongs to entry 1 of the diary, and the entry has the date
        hint: catalog diary edit 1 --on DATE

        """)
  }

  // MARK: Reading

  private func fill() {
    catalog.run("log", "1", "--on", "2026-11-20", "--stars", "4.5", "--comment", "again")
    catalog.run("log", "1", "--on", "2019-06")
    catalog.run("log", "2", "--page", "120", "--started", "2026-10")
    catalog.run("card", "add", "3", "--stars", "4", "--seen", "2025-03", "so what")
    catalog.run("log", "3", "--undated")
    catalog.run("log", "3", "--dropped", "--on", "2024")
  }

  @Test func `diary on a terminal is grouped by month`() {
    fill()
    catalog.atTerminal()
    #expect(
      catalog.run("diary")
        == .init(
          output: """
            Date        Entry   Kind   Title         By           Rating  What
            November 2026
            2026-11-20  1       movie  기생충        봉준호       ★★★★½   re-watched

            October 2026
            2026-10     3       book   소년이 온다   한강                 page 120 of 216

            March 2025
            2025-03     card 3  vinyl  Kind of Blue  Miles Davis  ★★★★    played again

            Some time in 2024
            2024        5       vinyl  Kind of Blue  Miles Davis          dropped

            June 2019
            2019-06     2       movie  기생충        봉준호

            Undated
                        4       vinyl  Kind of Blue  Miles Davis

            """, errors: "", status: 0))
  }

  @Test(arguments: [40, 60, 80, 120]) func `no line is wider than the terminal`(_ width: Int) {
    fill()
    catalog.atTerminal(width: width)
    #expect(catalog.run("diary").output.split(separator: "\n").allSatisfy { $0.cellWidth <= width })
  }

  @Test func `diary into a pipe prints every column and all fields as JSON`() {
    fill()
    #expect(
      catalog.run("diary", "2019..2025").status == 1,
      "a range is a title: years are asked for one at a time")
    #expect(
      catalog.run("diary", "--limit", "2").output == """
        2026-11-20\t1\tmovie\t기생충\t봉준호\t90\tdone
        2026-10\t3\tbook\t소년이 온다\t한강\t\tongoing

        """)
    #expect(
      catalog.run("diary", "2026", "kind:movie", "--json").output == """
        [{"logged_on":"2026-11-20","started_on":null,"ended_on":"2026-11-20","id":1,"entry":1,"card":2,"item":1,"kind":"movie",\
        "title":"기생충","creators":["봉준호"],"rating":90,"rating_scale":"half","outcome":"done","again":true,"page":null,\
        "pages":null,"note":null,"comment":"again","added_at":"2026-11-21T09:30:05Z"}]

        """)
    #expect(catalog.run("diary", "2025-03", "--csv").output.contains("\r\n2025-03,,2025-03,,,3,3,vinyl,Kind of Blue,"))
    #expect(catalog.run("diary", "seen:2019", "--json=entry").output == "[{\"entry\":1},{\"entry\":2}]\n")
    #expect(catalog.run("diary", "list", "2024", "--jsonl").output.contains("\"outcome\":\"dropped\""))
    #expect(catalog.run("diary", "1999", "--json").output == "[]\n")
  }

  @Test func `the page of an item shows when it was watched, read or played`() {
    fill()
    func line(_ name: String, _ item: String) -> Substring? {
      catalog.run("show", item).output.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
        .drop { $0 == " " }
    }
    #expect(line("Watched", "1") == "2 times, last 2026-11-20")
    #expect(line("Status", "2") == "page 120 of 216, since 2026-10")
    #expect(line("Read", "2") == nil)
    #expect(line("Played", "3") == "2 times, last 2025-03")
    #expect(line("Status", "3") == nil)
    let json = catalog.run("show", "3", "--json").output
    #expect(
      json.contains(
        "\"status\":\"done\",\"times\":2,\"seen_on\":[\"2025-03\"],\"diary\":[{\"id\":null,\"entry\":null,\"card\":3,"))
    #expect(catalog.run("show", "2", "--json").output.contains("\"status\":\"ongoing\",\"times\":0,\"seen_on\":[],"))
  }

  @Test func `completion offers entries, statuses and options of diary and log`() {
    fill()
    func offered(_ words: String...) -> [Substring] {
      catalog.run(["completion", "--candidates", "--"] + words).output.split(separator: "\n")
        .map { $0.prefix { $0 != "\t" } }
    }
    #expect(offered("diary", "edit", "") == ["1", "3", "5", "2", "4"])
    #expect(offered("diary", "re").contains("remove"))
    #expect(offered("diary", "read").contains("read:") == false)
    #expect(offered("diary", "status:o") == ["status:ongoing"])
    #expect(offered("log", "--und") == ["--undated"])
  }
}
