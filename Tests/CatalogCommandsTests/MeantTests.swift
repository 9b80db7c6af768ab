import CatalogModel
import CommandLineKit
import FoundationEssentials
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that commands follow the person's intention, and that numbers count diary entries.
struct MeantTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  private func add(_ kind: String, _ title: String, _ maker: String, _ others: String...) {
    let run = catalog.run(["add", kind, "--title", title, "--creator", maker] + others)
    #expect(run.status == 0, "\(run.errors)")
  }

  // MARK: Copies

  @Test func `copy edit changes several copies by number or query, or none`() throws {
    for title in ["Abraxas", "Blue", "Caravanserai"] { add("vinyl", title, "Santana") }
    #expect(catalog.run("copy", "edit", "c1", "c2", "c3", "--place", "K1").output.split(separator: "\n").count == 3)
    #expect(catalog.run("copy", "edit", "--where", "place:K1 title:Blue", "--place", "K9", "--yes").status == 0)
    #expect(catalog.run("list", "place:K9", "--json=title").output == "[{\"title\":\"Blue\"}]\n")
    // All or none.
    #expect(catalog.run("copy", "edit", "c1", "c99", "--place", "K5").status == 1)
    #expect(catalog.run("list", "place:K5", "--json=title").output == "[]\n")
    let run = catalog.run("edit", "--where", "place:K1", "place=K2")
    #expect(run.errors.contains("place belongs to a copy\nhint: for example: catalog copy edit --where "))
    #expect(catalog.run("undo").status == 0)
    #expect(catalog.run("list", "place:K9", "--json=title").output == "[]\n")
  }

  @Test func `several copies are lent together or not at all, and return lists the copies of a borrower`() throws {
    for title in ["Abraxas", "Blue"] { add("vinyl", title, "Santana") }
    #expect(catalog.run("lend", "c1", "c9", "to", "Anna").status == 1)
    #expect(catalog.run("loans", "--json").output == "[]\n")
    #expect(catalog.run("lend", "c1", "c2", "to", "Anna").output.split(separator: "\n").count == 2)
    let run = catalog.run("return", "anna")
    #expect(run.status == 1)
    #expect(run.errors.contains("Anna has 2 copies:\n  c1  Abraxas — Santana\n  c2  Blue — Santana\n"))
    #expect(run.errors.contains("hint: when a copy is back: catalog return c1\n"))
    #expect(catalog.run("return", "blue").status == 0)
  }

  // MARK: In the shop

  @Test(arguments: ["ok computr", "OKComputer", "ok comp"])
  func `own names the item for a nearly right title`(_ words: String) {
    add("vinyl", "OK Computer", "Radiohead")
    catalog.atTerminal()
    let run = catalog.run("own", words)
    #expect(run.output.contains("OK Computer — Radiohead"), "\(run.output)")
  }

  @Test func `own prints no alone where no title is similar`() {
    add("vinyl", "OK Computer", "Radiohead")
    catalog.atTerminal()
    #expect(catalog.run("own", "zanzibar").output == "no\n")
    #expect(catalog.run("own", "ok computr").output.hasPrefix("no\nsimilar:\nyes  vinyl 1: OK Computer"))
  }

  // MARK: Prices

  @Test func `a copy without a price has an empty price list`() {
    add("vinyl", "Abraxas", "Santana")
    add("vinyl", "Blue", "Joni Mitchell")
    catalog.run("copy", "edit", "c2", "--price", "12,000원")
    #expect(
      catalog.run("list", "--sort", "title", "--json=title,prices").output
        == "[{\"title\":\"Abraxas\",\"prices\":[]},{\"title\":\"Blue\",\"prices\":[{\"amount\":12000,\"currency\":\"KRW\"}]}]\n"
    )
    #expect(catalog.run("list", "price:₩10,000..", "--json=title").output == "[{\"title\":\"Blue\"}]\n")
  }

  // MARK: Wishes

  @Test func `an item that is only wished for is left out of shelves and counts`() throws {
    add("vinyl", "Abraxas", "Santana")
    catalog.addResult()
    #expect(catalog.run("wish", "r1").status == 0)
    #expect(catalog.run().output.hasPrefix("1 record\n"))
    #expect(try catalog.store.shelfPage(Query(.kind(.vinyl)), number: 1).items.count == 1)
    #expect(catalog.run("report", "labels", "--json=items").output == "{\"items\":1}\n")
    #expect(catalog.run("report", "years", "wished:any", "--json=items").output == "{\"items\":1}\n")
    // A copy fulfils it.
    #expect(catalog.run("copy", "add", "2").status == 0)
    #expect(catalog.run().output.hasPrefix("2 records\n"))
  }

  // MARK: The year

  @Test func `the year report counts titles watched in that year, whenever they were added`() throws {
    catalog.now = Date(timeIntervalSince1970: 1_735_732_800)  // 2025-01-01
    for (title, genre) in [("Summer Wars", "Family"), ("Alien", "Horror"), ("Ran", "War")] {
      add("movie", title, "Somebody", "--genre", genre)
    }
    catalog.now = Date(timeIntervalSince1970: 1_795_253_400)  // 2026-11-21
    add("movie", "Never Seen", "Nobody", "--genre", "Western")
    for (title, day) in [("Summer Wars", "2026-08-13"), ("Alien", "2026-03-01")] {
      #expect(catalog.run("log", title, "--on", day).status == 0)
    }
    let run = catalog.run("report", "year", "2026", "--json=genres,creators")
    #expect(run.output.contains("\"genre\":\"Family\""))
    #expect(run.output.contains("\"genre\":\"Horror\""))
    #expect(!run.output.contains("Western"))
    #expect(run.output.contains("\"creator\":\"Somebody\",\"items\":2"))
    // Hours are of the lengths that are known.
    catalog.run("edit", "alien", "minutes=117")
    catalog.atTerminal()
    #expect(
      catalog.run("report", "year", "--no-pager").output.contains(
        "At least 1 h 57 min of film (1 of 2 movies have a known length).\n"))
  }

  @Test func `report year accepts this and last, and rejects a mistyped year`() {
    catalog.now = Date(timeIntervalSince1970: 1_735_732_800)  // 2025-01-01
    add("movie", "The Last Emperor", "Bernardo Bertolucci")
    catalog.now = Date(timeIntervalSince1970: 1_795_253_400)  // 2026-11-21
    add("movie", "The Sheltering Sky", "Bernardo Bertolucci")
    #expect(catalog.run("report", "year", "last", "--json=year").output == "{\"year\":2025}\n")
    #expect(catalog.run("report", "year", "this", "--json=year").output == "{\"year\":2026}\n")
    let run = catalog.run("report", "year", "lsat")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("catalog: option 'year'") || run.errors.contains("invalid year 'lsat'"))
    #expect(catalog.run("report", "year", "2026", "sky", "--json=year").status == 0)
  }

  // MARK: Cards

  @Test func `show --back prints the words of every card`() {
    add("movie", "Thirst", "Park Chan-wook")
    catalog.run("card", "add", "thirst", "first words")
    catalog.run("card", "add", "thirst", "second words", "--stars", "4")
    let turned = catalog.run("show", "thirst", "--back").output
    #expect(turned.contains("first words"))
    #expect(turned.contains("second words"))
    #expect(catalog.run("show", "thirst").output.ranges(of: "--back").count == 2)
  }

  // MARK: Letters and signs

  @Test(arguments: [
    ("Solaris", "Stanisław Lem", ["stanislaw", "creator:stanislaw", "Stanisław"]),
    ("Łódź", "Søren Æbelø", ["lodz", "soren", "aebelo"]),
    ("Straße", "Þór Ðað", ["strasse", "thor", "dad"]), ("Işık", "Œuvre", ["isik", "oeuvre"]),
    ("★", "David Bowie", ["★", "bowie ★"]),
    ("÷", "Ed Sheeran", ["÷", "sheeran ÷"]), ("!!!", "!!!", ["!!!"]),
  ]) func `letters are found without accents, and titles of symbols by their symbols`(
    _ title: String, _ maker: String, _ words: [String]
  ) {
    add("vinyl", title, maker)
    add("vinyl", "Something else", "Nobody")
    for words in words {
      #expect(
        catalog.run(["list"] + words.split(separator: " ").map(String.init) + ["--json=id"]).output == "[{\"id\":1}]\n",
        "\(words)")
    }
    #expect(catalog.run("own", words[0].replacing("creator:", with: "")).output.hasPrefix("true\t1\t"))
  }

  // MARK: Words of other programs

  @Test(arguments: [
    ("stats", "report"), ("watchlist", "wishes"), ("like", "favorite"), ("watched", "log"), ("deck", "card deck"),
  ])
  func `an unknown command known from another program suggests the command here`(_ word: String, _ command: String) {
    #expect(catalog.run(word).errors.hasPrefix("catalog: unknown command '\(word)'; did you mean '\(command)'?\n"))
  }

  // MARK: What was meant

  @Test func `a misspelt creator or genre in a query gets a suggestion`() throws {
    try catalog.addThree()
    #expect(catalog.run("pick", "vinyl", "blue").errors == "'vinyl blue' taken for 'kind:vinyl blue'\n")
    let run = catalog.run("list", "creator:davos")
    #expect(run.errors.contains("did you mean 'creator:Miles Davis'?") || run.errors.contains("no item matches"))
    catalog.run("edit", "3", "genre=Jazz")
    #expect(
      catalog.run("list", "genre:jaz").output != "" || catalog.run("list", "genre:jazy").errors.contains("genre:Jazz"))
  }

  @Test func `genres separated by commas are set one by one`() throws {
    try catalog.addThree()
    #expect(catalog.run("edit", "3", "genre=Jazz, Soul & R&B").status == 0)
    #expect(catalog.run("list", "id:3", "--json=genres").output == "[{\"genres\":[\"Jazz\",\"Soul & R&B\"]}]\n")
    #expect(catalog.run("edit", "3", "genre=Jazz, Nothing of the Kind").errors.contains("there is no genre"))
  }

  @Test func `help with an unknown word searches all help pages`() {
    let run = catalog.run("help", "watchlist")
    #expect(run.output.hasPrefix("List wishes"), "the synonym of a command: \(run)")
    let pages = catalog.run("help", "sleeve")
    #expect(pages.output.contains("catalog help copy edit"), "\(pages)")
    #expect(catalog.run("help", "zanzibar").errors.contains("there is no help about 'zanzibar'"))
  }

  @Test func `recent, diary and card deck have --sort and --limit`() throws {
    try catalog.addThree()
    for id in ["1", "2", "3"] { catalog.run("show", id) }
    #expect(catalog.run("recent", "--sort", "title", "--limit", "1", "--json=title").output.contains("Kind of Blue"))
    catalog.run("log", "1", "--on", "2026-11-01", "--stars", "2")
    catalog.run("log", "2", "--on", "2026-11-02", "--stars", "5")
    #expect(catalog.run("diary", "--sort", "-rating", "--limit", "1", "--json=title").output.contains("소년이 온다"))
    #expect(catalog.run("card", "deck", "--sort", "rating", "--limit", "1", "--json=title").output.contains("기생충"))
  }

  @Test func `list marks items that are only wished for`() throws {
    try catalog.addThree()
    catalog.run("wish", "1")
    catalog.atTerminal()
    #expect(catalog.run("list").output.contains("기생충 (wished)"))
    catalog.run("log", "1")
    #expect(!catalog.run("list").output.contains("(wished)"))
  }

  @Test func `a URL is never broken across lines`() {
    let address = "https://musicbrainz.org/release/f77eeaef-2a1a-4b49-b7f1-0d0d7cd929f1"
    #expect("See \(address) for more.".wrapped(to: 30) == ["See", address, "for more."])
  }

  @Test(arguments: HelpTopic.all.map(\.name)) func `a topic of help fits a terminal of eighty columns`(_ name: String) {
    catalog.atTerminal(width: 80)
    for line in catalog.run("help", name).output.split(separator: "\n") { #expect(line.cellWidth <= 80, "\(line)") }
  }
}
