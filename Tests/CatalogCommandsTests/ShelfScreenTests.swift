import CatalogModel
import CommandLineKit
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests `shelf` on the whole screen, with a person who presses keys.
struct ShelfScreenTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    catalog.atTerminal()
  }

  /// Runs `shelf` with these steps of a person, followed by Ctrl-C.
  @discardableResult
  private func shelf(_ words: String..., doing steps: TestScreen.Step...) -> TestCatalog.Run {
    catalog.screen = TestScreen(steps)
    let run = catalog.run(["shelf"] + words)
    #expect(run.status == 0, "\(run)")
    #expect(run.output == "", "\(run)")
    return run
  }

  private func addRecords(_ count: Int) throws {
    let records = (1...count).map { (record: Record(kind: .vinyl, title: "Record \($0)"), genres: [String]?.none) }
    _ = try catalog.store.addAll(records, now: catalog.clock)
  }

  private func addKindOfBlue(tracks: Int = 5) throws {
    let id = try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1959, genres: ["Jazz"]) { record in
      (record.vinyl.label, record.vinyl.catalogNumber, record.vinyl.format) = ("Columbia", "CL 1355", "LP")
      record.vinyl.tracks = (1...tracks).map { Track(position: "A\($0)", title: "Track \($0)", seconds: 500 + $0) }
    }
    _ = try catalog.store.addCard(to: id, rating: try Rating("4.5"), comment: "So what.", now: catalog.clock)
  }

  // MARK: Pages

  @Test func `nine covers stand on a page, each with its number and the key that chooses it`() throws {
    try addRecords(12)
    shelf("vinyl", doing: .press(.right), .press(.character("q")))
    #expect(
      catalog.screen?.frames.first?.lines.prefix(6) == [
        "╭─ 12 ───────────── [1] ─╮ ╭─ 11 ───────────── [2] ─╮ ╭─ 10 ───────────── [3] ─╮",
        "│ Record 12              │ │ Record 11              │ │ Record 10              │",
        "│                        │ │                        │ │                        │",
        "│                        │ │                        │ │                        │",
        "│                        │ │                        │ │                        │",
        "╰────────────────────────╯ ╰────────────────────────╯ ╰────────────────────────╯",
      ])
    #expect(
      catalog.screen?.frames.first?.lines.last
        == "page 1/2 · ←/→ pages · 1-9 or ↓ chooses · Enter turns over · r random · q quits")
    #expect(catalog.screen?.text.contains("│ Record 1               │") == true)
    #expect(
      catalog.screen?.text.hasSuffix("page 2/2 · ←/→ pages · 1-9 or ↓ chooses · Enter turns over · r random · q quits")
        == true)
  }

  @Test func `arrows and other keys turn pages and stop at the first and last page`() throws {
    try addRecords(502)
    shelf(
      "vinyl", doing: .see("page 1/56", "╭─ 502 "), .press(.left), .see("page 1/56"), .press(.right),
      .see("page 2/56", "╭─ 493 ", "╭─ 485 "), .press(.pageDown, .character(" "), .character("n")), .see("page 5/56"),
      .press(.pageUp, .character("p"), .left), .see("page 2/56"), .press(.end),
      .see("page 56/56", "╭─ 7 ", "╭─ 1 "), .miss("[8]"), .press(.right), .see("page 56/56"), .press(.home),
      .see("page 1/56"))
  }

  @Test(arguments: [("movies", "기생충", "봉준호"), ("books", "소년이 온다", "잊을 수 없다"), ("vinyl", "Kind of Blue", "Miles Davis")])
  func `every kind has a shelf screen`(_ shelf: String, _ title: String, _ words: String) throws {
    try catalog.addThree()
    self.shelf(
      shelf, doing: .see("page 1/1", title), .press(.character("1"), .enter), .see(title + "  ", words, "Added"),
      .press(.enter), .miss("Added"), .press(.character("q")))
  }

  // MARK: Choosing

  @Test func `numbers and arrows select covers across pages, and Esc clears the selection`() throws {
    try addRecords(20)
    shelf(
      "vinyl", doing: .press(.character("5")), .see("┏━ 16 ", "arrows move"), .press(.right), .see("┏━ 15 "),
      .press(.down), .see("┏━ 12 "), .press(.right), .see("page 2/3", "┏━ 11 "), .press(.left),
      .see("page 1/3", "┏━ 12 "), .press(.down), .see("page 2/3", "┏━ 9 "), .press(.up), .see("page 1/3", "┏━ 12 "),
      .press(.tab, .tab, .backTab), .see("page 2/3", "┏━ 11 "), .press(.up), .see("page 1/3", "┏━ 14 "),
      .press(.down), .see("page 2/3", "┏━ 11 "), .press(.pageDown), .see("page 3/3", "┏━ 2 "),
      .press(.right, .right, .down), .see("┏━ 1 "), .press(.character("9")), .see("┏━ 1 "), .press(.escape),
      .miss("┏"), .see("←/→ pages"), .press(.character(" "), .left), .see("page 2/3"), .miss("┏"), .press(.up),
      .see("┏━ 3 "),
      .press(.escape, .down), .see("┏━ 11 "), .press(.escape, .escape, .character("1")))
    #expect(catalog.screen?.text.contains("┏") == false, "the second Esc quits")
  }

  @Test func `Enter selects the first cover when none is selected`() throws {
    try addRecords(2)
    shelf("vinyl", doing: .press(.enter), .see("┏━ 2 "), .press(.enter), .see("Record 2  vinyl 2"))
  }

  @Test func `the keys of the shelf screen work on a Korean keyboard`() throws {
    try addRecords(20)
    shelf(
      "vinyl", doing: .press(.character("ㅜ")), .see("page 2/3"), .press(.character("ㅔ")), .see("page 1/3"),
      .press(.character("ㅓ")), .see("┏━ 20 "), .press(.character("ㅣ")), .see("┏━ 19 "), .press(.character("ㄱ")),
      .see("┏━ 20 "), .press(.character("ㅂ"), .character("3")))
    #expect(catalog.screen?.text.contains("┏━ 18 ") == false)
  }

  // MARK: The back

  @Test func `Enter turns a record over to its facts, tracks and card`() throws {
    try addKindOfBlue()
    shelf(
      "vinyl", doing: .press(.character("1"), .enter),
      .see(
        "Kind of Blue  vinyl 1", "Miles Davis", "Year 1959", "Label Columbia", "Catalog no. CL 1355", "Format LP",
        "A1 Track 1 8:21", "A5 Track 5 8:25", "★★★★½ card 1", "So what.", "Enter turns back"),
      .press(.enter), .see("┏━ 1 "), .press(.character(" "), .escape), .see("┏━ 1 "), .press(.enter, .character(" ")),
      .see("┏━ 1 "), .press(.enter, .character("q"), .enter))
    #expect(catalog.screen?.text.contains("Track 1") == true, "q quits here too")
    #expect(try catalog.store.recents().map(\.item?.rawValue) == [1])
  }

  @Test func `a track with a long title keeps its length`() throws {
    try catalog.add(.vinyl, "Long") { record in
      let title = Array(repeating: "long words", count: 9).joined(separator: " ")
      record.vinyl.tracks = [Track(position: "A1", title: title, seconds: 61), Track(position: "A2", title: "Short")]
    }
    shelf(
      "vinyl", doing: .press(.character("1"), .enter),
      .see("  A1  long words ", "\n      long words long words long words  1:01\n  A2  Short\n"))
  }

  @Test func `a long back scrolls, and arrows turn to the back of the next record`() throws {
    try addRecords(10)
    try addKindOfBlue(tracks: 60)
    shelf(
      "vinyl", doing: .press(.character("1"), .enter), .see("Kind of Blue  vinyl 11", "↑/↓ scroll"), .miss("So what."),
      .press(.up, .down), .miss("vinyl 11"), .press(.pageDown), .see("Track 33"), .press(.end), .see("So what."),
      .press(.down), .see("So what."), .resize(columns: 80, lines: 90), .see("Kind of Blue", "So what."),
      .resize(columns: 80, lines: 24), .press(.home), .see("vinyl 11"), .press(.left), .see("vinyl 11"), .press(.right),
      .see("Record 10  vinyl 10"), .miss("↑/↓"), .press(.enter), .see("┏━ 10 "), .press(.character("9"), .enter),
      .see("vinyl 3"), .press(.right), .see("Record 2  vinyl 2", "page 2/2"))
    #expect(try catalog.store.recents().map(\.item?.rawValue) == [2, 3, 10, 11])
  }

  // MARK: Any one

  @Test func `r selects a random record of the shelf other than the selected one`() throws {
    try addRecords(20)
    var bounds: [Int] = []
    catalog.random = { bound in
      bounds.append(bound)
      return 10
    }
    shelf(
      "vinyl", doing: .press(.character("r")), .see("page 2/3", "┏━ 10 "), .press(.character("r")),
      .see("page 2/3", "┏━ 9 "), .press(.enter), .see("Record 9  "), .press(.character("r")), .see("┏━ 10 "))
    #expect(bounds == [20, 19, 19])
    try catalog.store.remove((2...20).map(ItemID.init))
    catalog.random = { _ in
      Issue.record("there is only one")
      return 0
    }
    shelf("vinyl", doing: .press(.character("r"), .character("r")), .see("┏━ 1 "))
  }

  // MARK: Sizes

  @Test(arguments: [(40, 10), (20, 60), (200, 50), (120, 40), (60, 12), (13, 40), (8, 3), (2, 30), (1, 1), (0, 0)])
  func `the shelf screen fits every window size`(columns: Int, lines: Int) throws {
    try addRecords(20)
    try addKindOfBlue(tracks: 30)
    // The screen of the test looks that nothing is too wide or too much.
    shelf(
      "vinyl", doing: .resize(columns: columns, lines: lines), .press(.right, .character("5")),
      .press(.down, .down, .enter, .down, .end, .enter), .resize(columns: 80, lines: 24), .see("┏━ "))
  }

  @Test func `a small window shows a line per cover and keeps the selected one visible`() throws {
    try addRecords(9)
    shelf(
      "vinyl", doing: .resize(columns: 30, lines: 9), .see(" 1 Record 9", " 8 Record 2"), .miss("Record 1"),
      .press(.up), .see("▸9 Record 1"), .resize(columns: 30, lines: 4), .see(" 7 Record 3\n 8 Record 2\n▸9 Record 1"),
      .press(.character("1")), .see("▸1 Record 9\n 2 Record 8\n 3 Record 7"))
  }

  @Test func `a terminal without Unicode gets frames of ASCII`() throws {
    try addRecords(1)
    catalog.terminal.usesUnicode = false
    shelf(
      "vinyl", doing: .see("+- 1 -------------- [1] -+"), .press(.character("1")), .see("#= 1 ============== [1] =#"))
  }

  // MARK: Others write

  @Test func `items removed and added by other processes appear when a page is turned`() throws {
    try addRecords(20)
    let store = catalog.store
    shelf(
      "vinyl", doing: .press(.end), .see("page 3/3"), .then { try? store.remove((3...20).map(ItemID.init)) },
      .press(.left), .see("page 1/1", "╭─ 2 ", "╭─ 1 "), .miss("╭─ 3 "))
    try addRecords(20)
    let all = try store.ids(Query())
    shelf(
      "vinyl", doing: .press(.character("1")), .then { try? store.remove([all[0]]) }, .press(.enter),
      .see("there is no item \(all[0])"), .press(.down), .see("┏━ \(all[4]) "),
      .then { try? store.remove(Array(all.dropFirst())) }, .press(.pageDown), .see("The shelf is empty now."),
      .press(.character("1"), .down, .enter, .tab, .right), .press(.character("r")), .see("The shelf is empty now."))
  }

  @Test func `control characters in titles and tracks do not reach the shelf screen`() throws {
    try addKindOfBlue()
    try catalog.store.db.run("UPDATE item SET title = \("a\u{1B}]0;evil\u{7}b\u{9B}2J")")
    try catalog.store.db.run("UPDATE track SET title = \("\u{1B}[2J")")
    shelf("vinyl", doing: .press(.character("1"), .enter), .resize(columns: 30, lines: 5), .press(.enter))
    for line in catalog.screen?.frames.flatMap(\.lines) ?? [] {
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }, "\(line)")
    }
  }

  @Test func `a page that cannot be read leaves the shelf screen as it is and usable`() throws {
    try addRecords(10)
    let db = catalog.store.db
    shelf(
      "vinyl", doing: .then { try? db.execute(script: "ALTER TABLE item RENAME TO gone") }, .press(.right),
      .see("╭─ 10 "), .miss("page 1/2"), .then { try? db.execute(script: "ALTER TABLE gone RENAME TO item") },
      .press(.right), .see("page 2/2", "╭─ 1 "))
  }

  // MARK: Covers

  /// A shelf with its covers, as a value.
  private func openShelf(covers: Int, columns: Int, lines: Int) throws -> OpenShelf {
    try addRecords(9)
    for id in 1...covers {
      try catalog.store.setCover(Cover(bytes: [1], mediaType: "image/png"), of: ItemID(rawValue: Int64(id)))
    }
    let items = try catalog.store.shelfPage(Query(.kind(.vinyl)), number: 1).items.map(catalog.store.item)
    var shelf = OpenShelf(.init(number: 1, count: 1, items: items), on: catalog.terminal)
    (shelf.size, shelf.drawsCovers) = (.init(columns: columns, lines: lines), true)
    return shelf
  }

  @Test func `covers stand above the text on a large screen and beside it on a small one`() throws {
    var shelf = try openShelf(covers: 2, columns: 120, lines: 40)
    let picture = try #require(shelf.missing)
    #expect(picture == .init(item: ItemID(rawValue: 2), width: 14, height: 7))
    shelf.keep(.lines(["▄▄▄▄▄▄▄▄▄▄▄▄▄▄"]), of: picture)
    #expect(shelf.missing?.item == ItemID(rawValue: 1))
    shelf.keep(.pixels([7]), of: try #require(shelf.missing))
    #expect(shelf.missing == nil)
    #expect(shelf.lines[27].contains("│           ▄▄▄▄▄▄▄▄▄▄▄▄▄▄            │"))
    #expect(shelf.lines[34].contains("│ Record 2 "))
    #expect(shelf.pixels == [.init([7], at: .init(column: 92, line: 27), height: 7)])
    #expect(shelf.lines.count == 40)
    shelf.size = .init(columns: 80, lines: 24)
    #expect(shelf.missing == .init(item: ItemID(rawValue: 2), width: 8, height: 4))
    shelf.keep(.pixels([8]), of: try #require(shelf.missing))
    #expect(
      shelf.lines[13].hasPrefix("│ Record 3               │ │           Record 2     │ │           Record 1     │"))
    #expect(shelf.pixels == [.init([8], at: .init(column: 29, line: 13), height: 4)])
    _ = shelf.press(.character("1"))
    _ = shelf.press(.enter)
    #expect(shelf.pixels == [])
    #expect(shelf.missing == nil)
    // No room.
    shelf.turnBack()
    shelf.size = .init(columns: 60, lines: 12)
    #expect(shelf.missing == nil)
    #expect(shelf.pixels == [])
  }

  @Test func `a cover that cannot be drawn is not requested again`() throws {
    var shelf = try openShelf(covers: 1, columns: 120, lines: 40)
    shelf.keep(.lines([]), of: try #require(shelf.missing))
    #expect(shelf.missing == nil)
  }

  @Test func `shelf --covers explains why no covers are drawn`() throws {
    try addRecords(1)
    shelf(
      "vinyl", "--covers", doing: .see("this terminal shows no pictures: TERM says so"), .press(.left), .see("page 1/1")
    )
    catalog.environment = ["TERM": "xterm", "PATH": "/nonexistent"]
    shelf("vinyl", "--covers", doing: .see("covers are drawn by the program chafa, which is not installed"))
    shelf("vinyl", doing: .see("page 1/1"))
  }
}
