import CatalogModel
import CommandLineKit
import FoundationEssentials
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct CardCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `a card takes a rating, words and a date`() throws {
    #expect(
      catalog.run("card", "add", "3", "--stars", "4.5", "--seen", "2026-11", "so what")
        == .init(
          output: "card 2 ★★★★½ of vinyl 3: Kind of Blue — Miles Davis (1959): 'so what'\n", errors: "", status: 0))
    #expect(
      catalog.run("card", "add", "kind of blue", "--comment", "again").output
        == "card 3 of vinyl 3: Kind of Blue — Miles Davis (1959): 'again'\n")
    #expect(
      catalog.run("card", "list", "3").output == """
        3\t3\tKind of Blue\t\tagain\t\t2026-11-21T09:30:06Z
        2\t3\tKind of Blue\t90\tso what\t2026-11\t2026-11-21T09:30:05Z

        """)
    // The newest rating is the item's; a card without one does not hide it.
    #expect(catalog.run("vinyl", "-c", "rating").output == "90\n")
  }

  @Test func `a second card is added beside the first, and editing keeps the creation time`() throws {
    catalog.now += 86_400
    catalog.run("card", "add", "2", "--rating", "3", "less this time")
    catalog.now += 86_400
    #expect(
      catalog.run("card", "edit", "1", "--stars", "5", "--seen", "2026")
        == .init(output: "changed card 1 ★★★★★ of book 2: 소년이 온다 — 한강 (2014): '잊을 수 없다'\n", errors: "", status: 0))
    #expect(
      catalog.run("card", "list", "--json=id,rating,comment,seen_on,added_at,updated_at").output == """
        [{"id":2,"rating":60,"comment":"less this time","seen_on":null,"added_at":"2026-11-22T09:30:05Z",\
        "updated_at":"2026-11-22T09:30:05Z"},{"id":1,"rating":100,"comment":"잊을 수 없다","seen_on":"2026",\
        "added_at":"2026-11-21T09:30:03Z","updated_at":"2026-11-23T09:30:05Z"}]

        """)
    #expect(catalog.run("books", "-c", "rating").output == "60\n")
  }

  @Test func `card lists the cards of an item without a subcommand, with sort and limit`() throws {
    catalog.run("card", "add", "1", "--stars", "3")
    let cards = try catalog.store.cards(of: ItemID(rawValue: 1)).count
    #expect(catalog.run("card", "1").output.split(separator: "\n").count == cards)
    #expect(catalog.run("card", "1").output == catalog.run("card", "list", "1").output)
    #expect(catalog.run("cards", "--sort=-rating", "--limit", "1").output.split(separator: "\n").count == 1)
    #expect(catalog.run("card", "nothing").errors.hasPrefix("catalog: no card matches nothing"))
    #expect(catalog.run("card", "kind:movie").output == catalog.run("card", "1").output)
    #expect(catalog.run("card", "kind:vinyl").errors.hasPrefix("catalog: no card matches kind:vinyl"))
  }

  @Test func `card edit clears a field with none, and reports when nothing changed`() throws {
    #expect(catalog.run("card", "edit", "1", "--stars", "none").output.hasPrefix("changed card 1 of book 2"))
    #expect(
      catalog.run("card", "edit", "1", "잊을 수 없다") == .init(output: "", errors: "catalog: nothing changed\n", status: 0))
    let run = catalog.run("card", "edit", "1", "")
    #expect(run.errors.hasPrefix("catalog: a card needs a rating or words\n"))
    #expect(run.status == 2)
    #expect(catalog.run("card", "edit", "1", "--stars", "3", "-n").output.hasPrefix("would change card 1 ★★★"))
    #expect(try catalog.store.card(CardID(rawValue: 1)).rating == nil)
  }

  @Test(arguments: [
    ("4.5", 90, "half", "★★★★½"), ("0.5", 10, "half", "½"), ("3.25", 65, "quarter", "★★★¼"),
    ("9/10", 90, "ten", "9/10"),
    ("8.5/10", 85, "ten", "8.5/10"), ("87%", 87, "percent", "87%"), ("★★★☆☆", 60, "half", "★★★"), ("0", 0, "half", "☆"),
  ])
  func `ratings round-trip on their scale`(typed: String, value: Int, scale: String, shown: String) throws {
    catalog.run("card", "add", "1", "--stars", typed)
    #expect(
      catalog.run("list", "id:1", "--json=rating,rating_scale").output
        == "[{\"rating\":\(value),\"rating_scale\":\"\(scale)\"}]\n")
    #expect(catalog.run("list", "id:1", "--template", "$rating").output == shown + "\n")
    #expect(catalog.run("card", "list", "1", "--json=rating,rating_scale").output.contains("\"\(scale)\""))
  }

  @Test func `card add with a result adds the item and the card in one operation`() throws {
    catalog.addResult()
    #expect(
      catalog.run("card", "add", "r1", "--stars", "4", "--comment", "deep")
        == .init(
          output: """
            added vinyl 4: Blue Train — John Coltrane (1958)
            card 2 ★★★★ of vinyl 4: Blue Train — John Coltrane (1958): 'deep'

            """, errors: "", status: 0))
  }

  @Test(arguments: [
    BadInput("card", "add", "r1", errors: "catalog: a card needs a rating or words\n"),
    BadInput("card", "add", "r1", " \n", errors: "a card needs a rating or words"),
    BadInput(
      "card", "add", "r1", "--stars", "6", errors: "'6' is out of range: stars go from 0 to 5; 6 of 10 is '6/10'\n"),
    BadInput("card", "add", "r1", "--stars", "-1", errors: "'-1' is out of range"),
    BadInput("card", "add", "r1", "--stars", "2.3", errors: "'2.3' is not a valid rating"),
    BadInput("card", "add", "r1", "--stars", "many", errors: "'many' is not a rating"),
    BadInput("card", "add", "r1", "--seen", "2026-13", errors: "invalid date '2026-13'"),
    BadInput("card", "add", "r1", "--seen", "19x9", errors: "invalid date '19x9'"),
    BadInput(
      "card", "add", "r1", "two", "words", errors: "with the comment 'two words': catalog card add r1 'two words'\n"),
    BadInput(
      "card", "add", "kind of blue", "4.5",
      errors: """
        catalog: nothing in the catalog is called 'kind of blue 4.5'
        hint: if you mean vinyl 3: Kind of Blue — Miles Davis (1959), with the rating ★★★★½: catalog card add 3 --stars 4.5

        """),
    BadInput("card", "add", "r1", "9/10", errors: "with the rating 9/10: catalog card add r1 --stars 9/10\n"),
    BadInput("card", "edit", "1", "5", errors: "hint: if it is the rating: catalog card edit 1 --stars 5\n"),
    BadInput(
      "card", "add", "r1", "--comment", String(repeating: "가", count: 10_001),
      errors: "the comment has 10001 characters; at most 10000 fit"),
    BadInput("card", "add", "99", "--comment", "x", errors: "there is no item 99", status: 1),
    BadInput("card", "add", "x", "--edit", errors: "nothing in the catalog matches 'x'", status: 1),
    BadInput("card", "add", "1", "--edit", errors: "the editor needs a terminal"),
    BadInput(
      "card", "show", "9", errors: "catalog: there is no card 9\nhint: find its number with 'catalog card list'\n",
      status: 1),
    BadInput("card", "show", "x", errors: "'x' is not a card number"),
    BadInput("card", "edit", "9", "x", errors: "there is no card 9", status: 1),
    BadInput("card", "remove", "1", "9", "--yes", errors: "there is no card 9", status: 1),
    BadInput(
      "card", "remove", "1",
      errors: "catalog: cannot ask without a terminal: Remove this card?\nhint: --yes answers yes\n"),
    BadInput("card", "remove", errors: "no card to remove was named"),
    BadInput("card", "remove", "1", "--all", errors: "name cards, give --where or give --all: only one of them"),
    BadInput("card", "remove", "--all", "-w", "x", errors: "only one of them"),
    BadInput(
      "card", "remove", "--all", errors: "cannot ask without a terminal: Remove this card?\nhint: --yes answers yes\n"),
    BadInput("card", "remove", "--where", "kind:movie", "-y", errors: "no card matches kind:movie", status: 1),
    BadInput("card", "remove", "--where", " ", "-y", errors: "the query is empty"),
    BadInput("card", "list", "1", errors: "catalog: there is no card of movie 1: 기생충 — 봉준호 (2019)\n", status: 1),
    BadInput("card", "deck", "kind:movie", errors: "no card matches kind:movie", status: 1),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    catalog.addResult()
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.cards().count == 1)
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test func `a card takes ten thousand characters and drops control characters`() throws {
    #expect(catalog.run("card", "add", "1", "--comment", String(repeating: "가", count: 10_000)).status == 0)
    #expect(catalog.run("card", "add", "1", "--comment", "a\u{0}b\u{1B}[2J\u{7F}\nsecond line").status == 0)
    #expect(try catalog.store.card(CardID(rawValue: 3)).comment == "ab[2J\nsecond line")
  }

  @Test func `the words of a card come from standard input or from the editor`() throws {
    catalog.input = ["first", "", "second"]
    catalog.run("card", "add", "1", "-")
    #expect(try catalog.store.card(CardID(rawValue: 2)).comment == "first\n\nsecond")
    catalog.atTerminal()
    catalog.environment["EDITOR"] = "sed -i s/second/last/"
    catalog.run("card", "edit", "2")
    #expect(try catalog.store.card(CardID(rawValue: 2)).comment == "first\n\nlast")
    catalog.environment["EDITOR"] = "false"
    let run = catalog.run("card", "add", "1", "--edit")
    #expect(
      run.errors.hasPrefix(
        """
        catalog: the editor failed; nothing was changed
        hint: your text is kept:
        catalog card add 1 - < /
        """))
    #expect(run.status == 1)
    try FileManager.default.removeItem(atPath: try #require(run.errors.split(separator: " ").last).trimmingBlanks)
    // A text that is too long is not lost.
    catalog.environment["EDITOR"] = "sed -i s/text/\(String(repeating: "a", count: 10_001))/"
    catalog.input = ["n"]
    let long = catalog.run("card", "add", "1", "--edit", "--comment", "text")
    #expect(long.errors.hasPrefix("catalog: the comment has 10001 characters; at most 10000 fit\nOpen it again? [y/N]"))
    let path = try #require(long.errors.split(separator: " ").last).trimmingBlanks
    #expect(FileManager.default.contents(atPath: path)?.count == 10_001)
    try FileManager.default.removeItem(atPath: path)
    #expect(long.status == 1)
  }

  @Test func `card show prints the front of a card, and --back its words`() throws {
    #expect(catalog.run("card", "show", "1").output == "1\t2\t소년이 온다\t90\t잊을 수 없다\t\t2026-11-21T09:30:03Z\n")
    #expect(catalog.run("card", "show", "1", "--back").output == "잊을 수 없다\n")
    #expect(
      catalog.run("card", "show", "1", "--json").output == """
        {"id":1,"card":1,"item":2,"rating":90,"rating_scale":"half","comment":"잊을 수 없다","seen_on":null,\
        "added_at":"2026-11-21T09:30:03Z","updated_at":"2026-11-21T09:30:03Z"}

        """)
    catalog.atTerminal(width: 40)
    #expect(
      catalog.run("card", "show", "1").output == """
        ╭─ card 1 · 2026-11-21 ────────────────╮
        │ 소년이 온다                          │
        │ 한강                                 │
        │ 2014                                 │
        │                                      │
        │ ★★★★½                                │
        ╰──────────────────────────────────────╯

        """)
    #expect(
      catalog.run("card", "show", "1", "--back").output == """
        ╭─ card 1 · 2026-11-21 ────────────────╮
        │ 잊을 수 없다                         │
        ╰──────────────────────────────────────╯

        """)
  }

  @Test func `removing a card asks, and leaves its item`() throws {
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(
      catalog.run("card", "remove", "1")
        == .init(
          output: "",
          errors: """
            card 1 ★★★★½ of book 2: 소년이 온다 — 한강 (2014): '잊을 수 없다'
            'catalog undo' brings it back.
            Remove this card? [y/N] catalog: nothing was changed

            """, status: 1))
    #expect(
      catalog.run("card", "remove", "1", "--yes").output
        == "removed card 1 ★★★★½ of book 2: 소년이 온다 — 한강 (2014): '잊을 수 없다'\n")
    #expect(try catalog.store.shelfCounts().total == 3)
    #expect(catalog.run("card").errors.hasPrefix("catalog: there is no card yet\n"))
  }

  @Test func `a deck without a terminal lists the cards and does not wait`() throws {
    #expect(catalog.run("card", "deck").output == "1\t2\t소년이 온다\t90\t잊을 수 없다\t\t2026-11-21T09:30:03Z\n")
    catalog.atTerminal()
    catalog.terminal.isInputTerminal = false
    #expect(catalog.run("card", "deck", "kind:book").output.contains("소년이 온다"))
  }

  @Test func `keys move through a deck, turn cards over and end it`() throws {
    catalog.run("card", "add", "3", "--stars", "4", String(repeating: "words ", count: 40))
    let faces = try catalog.store.cards().map { try CardFace($0, in: catalog.store) }
    var deck = Deck(faces, on: Terminal(width: 34, height: 9))
    #expect(
      deck.lines == [
        "╭─ card 2 · 2026-11-21 ──────────╮",
        "│ Kind of Blue                   │",
        "│ Miles Davis                    │",
        "│ 1959                           │",
        "│                                │",
        "│ ★★★★                           │",
        "╰────────────────────────────────╯", "", "1/2 · ←/→ move · space turns · q …",
      ])
    /// Returns a line of the box after a key; nil when it ended the deck.
    func line(_ number: Int, after key: Key) -> String? { deck.press(key) ? deck.lines[number] : nil }
    #expect(line(1, after: .character(" ")) == "│ words words words words words  │")
    #expect(line(5, after: .down) == "│ …                              │")
    for _ in 0..<9 { _ = deck.press(.down) }
    #expect(line(5, after: .down) == "│ words words words words words  │")
    #expect(line(1, after: .right) == "│ 소년이 온다                    │")
    #expect(line(1, after: .right) == "│ 소년이 온다                    │")
    #expect(line(1, after: .enter) == "│ 잊을 수 없다                   │")
    // Each side keeps its position.
    #expect(line(1, after: .left) == "│ words words words words words  │")
    #expect(line(1, after: .right) == "│ 잊을 수 없다                   │")
    #expect(line(1, after: .home) == "│ words words words words words  │")
    #expect(line(1, after: .character(" ")) == "│ Kind of Blue                   │")
    #expect(line(1, after: .end) == "│ 잊을 수 없다                   │")
    #expect(line(1, after: .character("ㅔ")) == "│ Kind of Blue                   │")
    deck.size = Screen.Size(columns: 40, lines: 10)
    #expect(deck.lines.map(\.cellWidth).max() == 40)
    #expect(deck.lines.count == 10)
    #expect(deck.lines[1] == "│ Kind of Blue                         │")
    #expect(deck.lines[9] == "1/2 · ←/→ move · space turns · q quits")
    let goesOn = [ScreenEvent.resized, .key(.up), .ended].map { deck.goesOn(after: $0) }
    #expect(goesOn == [true, true, false])
    #expect(line(1, after: .character("q")) == nil)
    #expect(line(1, after: .character("ㅂ")) == nil)
    #expect(line(1, after: .escape) == nil)
  }

  @Test func `card remove lists several cards, asks once and removes them together`() throws {
    for item in ["1", "3", "3"] { catalog.run("card", "add", item, "--stars", "3") }
    #expect(
      catalog.run("card", "remove", "--where", "kind:vinyl", "-n").output == """
        would remove card 4 ★★★ of vinyl 3: Kind of Blue — Miles Davis (1959)
        would remove card 3 ★★★ of vinyl 3: Kind of Blue — Miles Davis (1959)

        """)
    catalog.atTerminal()
    catalog.input = ["n"]
    let no = catalog.run("card", "remove", "2", "4", "2")
    #expect(no.status == 1)
    #expect(no.output == "")
    #expect(
      no.errors == """
        card 2 ★★★ of movie 1: 기생충 — 봉준호 (2019)
        card 4 ★★★ of vinyl 3: Kind of Blue — Miles Davis (1959)
        'catalog undo' brings it back.
        Remove these 2 cards? [y/N] catalog: nothing was changed

        """)
    catalog.input = ["y"]
    #expect(catalog.run("card", "remove", "--where", "kind:vinyl").output.split(separator: "\n").count == 2)
    #expect(try catalog.store.cards().map(\.id.rawValue) == [2, 1])
    catalog.input = ["y"]
    #expect(catalog.run("card", "remove", "--all").errors.hasSuffix("Remove these 2 cards? [y/N] "))
    #expect(try catalog.store.cards() == [])
    #expect(try catalog.store.shelfCounts().total == 3)
    #expect(catalog.run("card", "remove", "--all", "-y").errors == "catalog: there is no card yet\n")
  }

  @Test func `a card that another process changes while the question is open is not removed`() throws {
    for words in ["two", "three"] { catalog.run("card", "add", "3", "--comment", words) }
    catalog.atTerminal()
    catalog.input = ["y"]
    catalog.beforeLine = { [store = catalog.store, clock = catalog.clock] in
      _ = try? store.changeCard(CardID(rawValue: 1), now: clock) { $0.comment = "work of hours" }
      _ = try? store.removeCards([store.card(CardID(rawValue: 3))])
    }
    let run = catalog.run("card", "remove", "--all")
    #expect(run.output == "removed card 2 of vinyl 3: Kind of Blue — Miles Davis (1959): 'two'\n")
    #expect(run.errors.contains("\ncatalog: not removed, since it was changed meanwhile: card 1 ★★★★½ of book 2"))
    #expect(run.status == 1)
    #expect(try catalog.store.cards().map(\.comment) == ["work of hours"])
  }
}
