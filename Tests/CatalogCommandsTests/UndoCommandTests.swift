import CatalogModel
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import torture

struct UndoCommandTests {
  private let catalog: TestCatalog
  private var db: Connection { catalog.store.db }

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  private func rows() throws -> [String: [String]] { try Undoing.rows(of: db) }

  @Test(
    arguments: [["3", "1", "2", "4"], ["4", "2", "3", "1"], ["2", "4", "1", "3"]],
    [["4", "3"], ["1", "2"], ["3", "2"]])
  func `a merge among editions is undone whole`(_ order: [String], _ merged: [String]) throws {
    let catalog = try TestCatalog()
    for title in ["A", "B", "C", "D"] { catalog.run("add", "book", "--title", title, "--creator", title) }
    for other in order.dropFirst() { #expect(catalog.run("edition", "add", order[0], other).status == 0) }
    let before = catalog.run("export", "jsonl", "-o", "-").output
    #expect(catalog.run("merge", merged[0], merged[1], "--yes").status == 0)
    let undone = catalog.run("undo")
    #expect(undone.status == 0, "\(undone)")
    #expect(!undone.errors.contains("left alone"), "\(undone)")
    #expect(catalog.run("export", "jsonl", "-o", "-").output == before)
  }

  @Test func `undo prints prices and dates of changes as people write them`() {
    catalog.run("copy", "edit", "c1", "--price", "12.99 USD")
    catalog.run("copy", "edit", "c1", "--price", "25.50 EUR")
    #expect(
      catalog.run("undo").output.contains("changed copy c1 of book 2: 소년이 온다 (price: 25.50 EUR → 12.99 USD)"))
    catalog.run("copy", "edit", "c1", "--price", "14 USD")
    #expect(catalog.run("undo").output.contains("(price: 14.00 USD → 12.99 USD)"))
    catalog.run("wish", "1")
    catalog.run("log", "1")
    let undone = catalog.run("undo").output
    #expect(undone.contains("changed wish w1 of movie 1: 기생충 (fulfilled: 2026-11-21 → –)"), "\(undone)")
    #expect(!undone.contains("_id"), "\(undone)")
  }

  @Test func `undo reverses the last command and prints the changes`() throws {
    let before = try rows()
    catalog.run("edit", "1", "year=2020", "title=Parasite")
    #expect(
      catalog.run("undo")
        == .init(
          output: """
            undone: edit 1 year=2020 title=Parasite
              changed movie 1: 기생충 (title: Parasite → 기생충, year: 2020 → 2019)

            """, errors: "", status: 0))
    #expect(try rows() == before)
    #expect(
      catalog.run("redo").output == """
        redone: edit 1 year=2020 title=Parasite
          changed movie 1: Parasite (title: 기생충 → Parasite, year: 2019 → 2020)

        """)
  }

  @Test func `undo of nothing or of too many operations is an error`() throws {
    #expect(catalog.run("undo") == .init(output: "", errors: "catalog: there is nothing to undo\n", status: 1))
    #expect(
      catalog.run("redo")
        == .init(
          output: "",
          errors: """
            catalog: there is nothing to redo
            hint: 'redo' works after 'undo', until something else is changed

            """, status: 1))
    catalog.run("favorite", "1")
    #expect(
      catalog.run("undo", "2", "--yes")
        == .init(
          output: "", errors: "catalog: only 1 operation can be undone\nhint: see them all: catalog history\n",
          status: 1))
    for words in [["undo", "0"], ["undo", "x"], ["undo", "1", "2"], ["redo", "-1"]] {
      #expect(catalog.run(words).status == 2, "\(words)")
    }
    #expect(try catalog.store.favorites().count == 2)
  }

  @Test func `undo of remove restores items with cards, views and covers`() throws {
    catalog.run("show", "2")
    try catalog.store.setCover(Cover(bytes: [1, 2, 3], mediaType: "image/png"), of: ItemID(rawValue: 2))
    let before = try rows()
    catalog.run("remove", "2", "3", "--yes")
    #expect(
      catalog.run("undo").output == """
        undone: remove 2 3 --yes
          added vinyl 3: Kind of Blue
          added book 2: 소년이 온다

        """)
    #expect(try rows() == before)
    catalog.run("redo")
    #expect(try catalog.store.shelfCounts().total == 1)
    catalog.run("undo")
    #expect(try rows() == before)
  }

  @Test func `a dry run lists the changes of undo, and undoing several asks first`() throws {
    let before = try rows()
    catalog.run("favorite", "1")
    catalog.run("card", "add", "3", "--stars", "4")
    let after = try rows()
    #expect(
      catalog.run("undo", "2", "--dry-run").output == """
        would undo: card add 3 --stars 4
          removed card 2 of vinyl 3: Kind of Blue
        would undo: favorite 1
          removed favorite mark of movie 1: 기생충

        """)
    #expect(
      catalog.run("undo", "2")
        == .init(
          output: "",
          errors: "catalog: cannot ask without a terminal: Undo these 2 operations?\nhint: --yes answers yes\n",
          status: 2)
    )
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run("undo", "2").errors.hasSuffix("Undo these 2 operations? [y/N] catalog: nothing was changed\n"))
    #expect(try rows() == after)
    catalog.input = ["y"]
    #expect(catalog.run("undo", "2").status == 0)
    #expect(try rows() == before)
    #expect(catalog.run("redo", "2", "--yes").status == 0)
    #expect(try rows() == after)
  }

  @Test func `a change after undo clears the redo list`() throws {
    catalog.run("favorite", "1")
    catalog.run("undo")
    catalog.run("favorite", "2")
    #expect(catalog.run("redo").errors.hasPrefix("catalog: there is nothing to redo"))
    #expect(catalog.run("history", "--json=typed").output == #"[{"typed":"favorite 2"}]"# + "\n")
  }

  @Test func `reading, dry runs and edits without effect are not recorded for undo`() throws {
    catalog.run("show", "1")
    catalog.run("list")
    catalog.run("favorite", "1", "--dry-run")
    catalog.run("edit", "1", "year=2019")
    #expect(try catalog.store.operations().isEmpty)
  }

  // MARK: What changed since

  @Test func `a row that another program changed is named and left alone, the rest is undone`() throws {
    catalog.run("edit", "1", "year=2020", "genre+=Jazz")
    try db.run("UPDATE item SET year = 2021 WHERE id = 1")
    #expect(
      catalog.run("undo")
        == .init(
          output: "undone: edit 1 year=2020 genre+=Jazz\n  changed genres of movie 1: 기생충\n",
          errors: "catalog: movie 1: 기생충 was left alone: its year was changed since\n", status: 0))
    #expect(try catalog.store.item(ItemID(rawValue: 1)).record.year == 2021)
    #expect(try catalog.store.genres(of: ItemID(rawValue: 1)) == ["Thriller", "Drama"])
  }

  @Test func `undo works when only the time of change differs`() throws {
    let before = try rows()
    catalog.run("edit", "1", "year=2020")
    try db.run("UPDATE item SET updated_at = '2026-12-01T00:00:00Z' WHERE id = 1")
    #expect(catalog.run("undo").errors == "")
    #expect(try rows() == before)
  }

  @Test func `undo skips rows that are already as before or gone`() throws {
    let before = try rows()
    catalog.run("card", "add", "1", "--stars", "2")
    try db.run("DELETE FROM card WHERE id = 2")
    #expect(catalog.run("undo").errors == "")
    #expect(try rows() == before)
    catalog.run("edit", "1", "year=2020")
    try db.run("UPDATE item SET year = 2019 WHERE id = 1")
    #expect(catalog.run("undo").errors == "")
    catalog.run("favorite", "2")
    try db.run("DELETE FROM item WHERE id = 2")
    #expect(catalog.run("undo").errors == "")
  }

  @Test func `undo keeps an added item that has a newer card`() throws {
    catalog.run("add", "movie", "--title", "One", "--creator", "Anna", "--genre", "Mine", "--yes")
    catalog.run("undo")
    catalog.run("redo")
    try db.run(
      """
      INSERT INTO card (item_id, comment, created_at, updated_at)
      SELECT max(id), 'mine', '2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z' FROM item
      """)
    try catalog.store.refreshIndex()
    let before = try rows()
    #expect(
      catalog.run("undo")
        == .init(
          output: "undone: add movie --title One --creator Anna --genre Mine --yes\n",
          errors: "catalog: movie 4: One was left alone: this was added to it since: card\n", status: 1))
    #expect(try rows() == before)
  }

  @Test func `undo keeps an added item that was changed since whole, and removes the others`() throws {
    catalog.run("add", "--offline", "pack:book/1q84-2009", "pack:book/2666-2004")
    try db.run("UPDATE book SET pages = 7 WHERE item_id = 4")
    let run = catalog.run("undo")
    #expect(run.errors == "catalog: book 4: 1Q84 was left alone: it was changed since\n")
    let item = try catalog.store.item(ItemID(rawValue: 4))
    #expect(item.record.title == "1Q84")
    #expect(!item.genres.isEmpty)
    #expect(!item.record.credits.isEmpty)
    #expect(!item.record.labels.isEmpty)
    #expect(try catalog.store.shelfCounts().total == 4)
    #expect(try catalog.store.examine(now: catalog.now).allSatisfy { $0.state != .wrong })
    #expect(catalog.run("redo").errors == "")
    #expect(try catalog.store.shelfCounts().total == 5)
  }

  @Test func `undo of add removes views, covers and genres of the item, too`() throws {
    let before = try rows()
    catalog.run("add", "movie", "--title", "One")
    catalog.run("show", "4")
    try catalog.store.setCover(Cover(bytes: [1], mediaType: "image/png"), of: ItemID(rawValue: 4))
    try db.run("INSERT INTO item_genre SELECT 4, 1, min(id) FROM genre")
    #expect(
      catalog.run("undo")
        == .init(output: "undone: add movie --title One\n  removed movie 4: One\n", errors: "", status: 0))
    #expect(try rows() == before)
  }

  @Test func `undo of add keeps people and genres that other items use by now`() throws {
    catalog.run("add", "movie", "--title", "One", "--creator", "Anna", "--genre", "Mine", "--yes")
    try db.run("INSERT INTO credit SELECT 1, 2, id, 'cast', NULL FROM person WHERE name = 'Anna'")
    try db.run("INSERT INTO item_genre SELECT 3, 2, id FROM genre WHERE name = 'Mine'")
    #expect(catalog.run("undo").errors == "")
    #expect(try catalog.store.genres(of: ItemID(rawValue: 3)) == ["Jazz", "Mine"])
    #expect(try catalog.store.item(ItemID(rawValue: 1)).record.credits.map(\.name) == ["봉준호", "Anna"])
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test func `undo changes nothing when rows would belong to another genre`() throws {
    catalog.run("genre", "merge", "Drama", "Thriller", "--yes")
    let merged = try #require(try OperationReader.deleted("genre", in: db))
    try db.run("INSERT INTO genre (id, name, key) VALUES (\(merged), 'Of Theirs', 'oftheirs')")
    let before = try rows()
    #expect(
      catalog.run("undo")
        == .init(
          output: "",
          errors: """
            catalog: operation 1 cannot be undone: another program has put something else in the place of genre; nothing was changed

            """, status: 1))
    #expect(try rows() == before)
  }

  @Test func `undo changes nothing when the owner of a restored row is gone`() throws {
    catalog.run("card", "remove", "1", "--yes")
    try db.run("DELETE FROM item WHERE id = 2")
    try catalog.store.refreshIndex()
    let before = try rows()
    let run = catalog.run("undo")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("catalog: that cannot be undone: what it would restore belongs"))
    #expect(try rows() == before)
  }

  @Test func `undo keeps a row of another program in the place of a removed row`() throws {
    catalog.run("card", "remove", "1", "--yes")
    try db.run(
      """
      INSERT INTO card (id, item_id, comment, created_at, updated_at)
      VALUES (1, 3, 'mine', '2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z')
      """)
    #expect(
      catalog.run("undo").errors == "catalog: card 1 of book 2: 소년이 온다 was left alone: something else is in its place\n"
    )
  }

  @Test func `undo confirmed after newer operations changes nothing`() throws {
    catalog.run("favorite", "1")
    catalog.run("favorite", "2")
    catalog.atTerminal()
    catalog.input = ["y"]
    catalog.beforeLine = { [store = catalog.store] in
      let recording = OperationRecorder(command: "other", line: "other") { Timestamp(rawValue: "2026-12-01T00:00:00Z") }
      _ = try? store.recording(recording).unfavorite([ItemID(rawValue: 3)])
    }
    #expect(catalog.run("undo", "2").errors.contains("the catalog was changed by another program meanwhile"))
    #expect(try catalog.store.favorites().count == 2)
  }

  @Test(arguments: ["2026-12-02T00:00:00Z", "2026-01-01T00:00:00Z"])
  func `undo of a copy removal does not fulfil a wish made since`(made: String) throws {
    try catalog.forgetCopies()
    try db.run("INSERT INTO copy (item_id, created_at) VALUES (3, '2026-01-01T00:00:00Z')")
    let removal = OperationRecorder(command: "copy remove", line: "copy remove 1") {
      Timestamp(rawValue: "2026-12-01T00:00:00Z")
    }
    try catalog.store.recording(removal).write { try db.run("DELETE FROM copy") }
    try db.run("INSERT INTO wish (item_id, created_at) VALUES (3, \(made))")
    #expect(catalog.run("undo").errors == "")
    #expect(try db.value("SELECT count(*) FROM wish WHERE fulfilled_at IS NULL") == 1)
    #expect(try db.value("SELECT count(*) FROM copy") == 1)
  }

  @Test func `undo and redo of a merge restore the order of piles`() throws {
    let doubled = try catalog.add(.vinyl, "Kind of Blue (Mono)", by: "Miles Davis")
    for item in [2, doubled.rawValue, 1] as [Int64] { catalog.run("pile", "add", "next", "\(item)") }
    func places() throws -> [String] {
      try db.values("SELECT item_id || ' ' || position FROM pile_item ORDER BY position")
    }
    let before = try places()
    #expect(catalog.run("merge", "3", "\(doubled)", "--yes").status == 0)
    #expect(try places() == ["2 1", "3 2", "1 3"])
    catalog.run("undo")
    #expect(try places() == before)
    catalog.run("redo")
    #expect(try places() == ["2 1", "3 2", "1 3"])
  }

  @Test func `undo and redo work when a command uses a freed row number again`() throws {
    catalog.run("genre", "rename", "Drama", "Mine", "--yes")
    let before = try rows()
    // The word that was its name goes, and the one that was its name until now gets its number.
    catalog.run("genre", "rename", "Mine", "Drama", "--yes")
    let after = try rows()
    for _ in 1...2 {
      #expect(catalog.run("undo").status == 0)
      #expect(try rows() == before)
      #expect(catalog.run("redo").status == 0)
      #expect(try rows() == after)
    }
  }

  @Test func `undo and redo keep the order of a pile when entries are added and removed`() throws {
    try db.run("INSERT INTO pile (name, key) VALUES ('next', 'next')")
    try db.run("INSERT INTO pile_item VALUES (1, 1, 1), (1, 2, 2)")
    func operation(_ body: () throws -> Void) throws {
      let recording = OperationRecorder(command: "pile", line: "pile") { Timestamp(rawValue: "2026-12-01T00:00:00Z") }
      try catalog.store.recording(recording).write(body)
    }
    let before = try rows()
    try operation {
      try db.run("UPDATE pile_item SET position = position + 1")
      try db.run("INSERT INTO pile_item VALUES (1, 3, 1)")
    }
    let after = try rows()
    try operation { try db.run("DELETE FROM pile_item WHERE item_id = 1") }
    try operation { try db.run("DELETE FROM pile") }
    try operation { try db.run("DELETE FROM item WHERE id = 2") }
    #expect(catalog.run("undo", "3", "--yes").errors == "")
    #expect(try rows() == after)
    #expect(catalog.run("undo").errors == "")
    #expect(try rows() == before)
    #expect(catalog.run("redo", "4", "--yes").errors == "")
    #expect(catalog.run("undo", "4", "--yes").errors == "")
    #expect(try rows() == before)
  }
}

extension OperationReader {
  /// The number of the row of a table that the only operation removed.
  fileprivate static func deleted(_ table: String, in db: Connection) throws -> Int64? {
    for bytes in try db.values("SELECT changes FROM step_change", as: [UInt8].self) {
      for change in try RowChange.all(in: bytes) where change.table == table {
        if case .deleted = change.act, case .integer(let id) = change.key[0] { return id }
      }
    }
    return nil
  }
}
