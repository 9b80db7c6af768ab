import CatalogModel
import Foundation
import Processes
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import Exchange

struct ExportCommandTests {
  private let catalog: TestCatalog
  private let folder: URL

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
    folder = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }
  private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// The cells of CSV as a simple parser reads them (RFC 4180).
  private func cells(_ text: String) -> [[String]] {
    var (rows, row, cell, isQuoted) = ([[String]](), [String](), "", false)
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "\"" where isQuoted && rest.first == "\"": cell.append(rest.removeFirst())
      case "\"": isQuoted.toggle()
      case _ where isQuoted: cell.append(character)
      case ",":
        row.append(cell)
        cell = ""
      case "\r\n", "\n":
        rows.append(row + [cell])
        (row, cell) = ([], "")
      default: cell.append(character)
      }
    }
    return rows
  }

  @Test(arguments: [
    "jsonl", "json", "csv", "html", "bibtex", "ris", "goodreads", "storygraph", "imdb", "letterboxd", "discogs",
    "markdown",
  ])
  func `no format writes a control character of a title`(format: String) throws {
    let bad = "Good\u{1B}]0;PWNED\u{7}one\u{9B}2J\u{7F} \u{202E}X"
    // As another program would write it: this one does not.
    for column in ["title", "original_title", "url", "description"] {
      try catalog.store.db.run("UPDATE item SET \(identifier: column) = \(bad)")
    }
    try catalog.store.db.run("UPDATE person SET name = \(bad) || id")
    try catalog.store.db.run("UPDATE track SET title = \(bad)")
    for isRaw in [false, true] where !isRaw || ["bibtex", "ris", "csv"].contains(format) {
      let run = catalog.run(["export", format, "-o", path("out")] + (isRaw ? ["--raw"] : []))
      try #require(run.status == 0, "\(run)")
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0 != "out" || format != "markdown" }
      #expect(!files.isEmpty)
      for file in files {
        let scalars = Array((file + (try text(file))).unicodeScalars)
        let isControl = scalars.contains { [0x1B, 7, 0x9B, 0x7F].contains($0.value) }
        #expect(isControl == isRaw, "\(file)")
        // A sign that turns the direction ends with its line.
        let lines = scalars.split { $0 == "\n" }.filter { $0.contains("\u{202E}") }
        #expect(isRaw || lines.allSatisfy { $0.contains("\u{202C}") })
        try FileManager.default.removeItem(atPath: path(file))
      }
    }
  }

  // MARK: Ours

  @Test func `a JSONL export can be read back row for row, covers included`() throws {
    let now = catalog.clock
    try catalog.store.setCover(Cover(bytes: Array(0...255), mediaType: "image/png"), of: ItemID(rawValue: 1))
    _ = try catalog.store.addCard(
      to: ItemID(rawValue: 1), rating: nil, comment: "\"=1+1\"\n\t\u{202E}é\u{85}\u{0}", now: now)
    let run = catalog.run("export", "jsonl")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == catalog.run("export", "jsonl").output)
    #expect(run.output.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    let other = try TestCatalog()
    var rest = Array(run.output.utf8)[...]
    var reader = DocumentReader {
      defer { rest = rest.dropFirst(1000) }
      return Array(rest.prefix(1000))
    }
    try other.store.restore { try reader.next() }
    for table in RecordedTable.all.map(\.name) {
      func rows(_ store: Store) throws -> [[Value]] {
        try store.db.all("SELECT * FROM \(identifier: table)") { $0.all }
      }
      #expect(try rows(other.store) == rows(catalog.store), "\(table)")
    }
    #expect(other.run("export", "jsonl").output == run.output)
    #expect(!catalog.run("export", "jsonl", "--no-covers").output.contains("\"cover\""))
    // An empty catalog is one, too.
    #expect(try TestCatalog().run("export", "jsonl").status == 0)
  }

  @Test func `an empty catalog exports an empty list, or the CSV header`() throws {
    let empty = try TestCatalog()
    let csv = empty.run("export", "csv")
    #expect(csv.output.hasPrefix("id,item,kind,title,"))
    #expect(csv.output.split(separator: "\r\n").count == 1)
    #expect(csv.status == 0)
    #expect(empty.run("export", "json") == .init(output: "[]\n", errors: "", status: 0))
    #expect(empty.run("export", "csv", "year:1900").status == 1)
    #expect(empty.run("export", "letterboxd").status == 1)
  }

  @Test func `amounts of money in a JSON listing are imported`() throws {
    catalog.run("copy", "add", "3", "--price", "12.50EUR")
    let fields = "id,kind,title,rating_scale,added_at,has_cover,prices"
    let listing = catalog.run("list", "kind:vinyl", "--json=\(fields)").output
    #expect(listing.contains(#""prices":[{"amount":12.50,"currency":"EUR"}]"#))
    try Data(listing.utf8).write(to: URL(filePath: path("listing.json")))
    let other = try TestCatalog()
    #expect(other.run("import", path("listing.json"), "--yes").status == 0)
    #expect(other.run("copies", "--json=price").output == #"[{"price":{"amount":12.50,"currency":"EUR"}}]"# + "\n")
  }

  @Test func `export json and csv print the same as list`() throws {
    let members = try #require(
      try JSONSerialization.jsonObject(with: Data(catalog.run("export", "json").output.utf8)) as? [[String: Any]])
    let names = Field.all.map(\.name).filter { members.first?.keys.contains($0) ?? false }
    #expect(Set(names).isSuperset(of: ["external_ids", "seen_on", "tags", "piles", "wished_at", "media_grades"]))
    #expect(
      catalog.run("export", "json").output
        == catalog.run("list", "--sort", "id", "--json=\(names.joined(separator: ","))").output)
    let rows = cells(catalog.run("export", "csv").output)
    #expect(rows.dropFirst().map { $0[3] } == ["기생충", "소년이 온다", "Kind of Blue"])
  }

  @Test func `export writes a file atomically and replaces one only with --yes`() throws {
    #expect(
      catalog.run("export", "goodreads", "-o", path("b.csv"))
        == TestCatalog.Run(output: "wrote \(path("b.csv")) (533 B)\n", errors: "", status: 0))
    #expect(try cells(text("b.csv"))[1][1] == "소년이 온다")
    let refused = catalog.run("export", "goodreads", "-o", path("b.csv"))
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--yes"))
    #expect(catalog.run("export", "goodreads", "-o", path("b.csv"), "--yes").status == 0)
    #expect(
      catalog.run("export", "html", "-o", path("c.html"), "--dry-run").output == "would write '\(path("c.html"))'\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["b.csv"])
    let nowhere = catalog.run("export", "csv", "-o", path("no/b.csv"))
    #expect(nowhere.status == 1)
    #expect(nowhere.errors.contains("does not exist"))
  }

  @Test func `an impossible export is reported`() throws {
    #expect(
      catalog.run("export", "markdown").errors.hasPrefix(
        "catalog: markdown cannot go to standard output\nhint: name the file to write: "))
    #expect(catalog.run("export", "markdown", "-o", "-").status == 2)
    #expect(catalog.run("export", "letterbox").errors.contains("did you mean 'letterboxd'"))
    #expect(
      catalog.run("export", "bibtex", "year:1066").errors
        == "catalog: no book matches year:1066\nhint: see what there is: catalog list; how to ask: catalog help query\n"
    )
    #expect(try TestCatalog().run("export", "ris").errors.contains("there are no books yet"))
    #expect(try TestCatalog().run("export", "html").status == 1)
  }

  // MARK: Services

  @Test func `each CSV export for another service has a full header and rows of equal length`() throws {
    let now = catalog.clock
    let film = ItemID(rawValue: 1)
    _ = try catalog.store.log(
      Occasion(endedOn: PartialDate("2026-01-02"), comment: "=HYPERLINK(\"x\")\nsecond line"), of: film, now: now)
    _ = try catalog.store.log(Occasion(endedOn: PartialDate("2026-03-02"), isAnother: true), of: film, now: now)
    let run = catalog.run("export", "letterboxd")
    let rows = cells(run.output)
    #expect(rows.count == 3 && rows.allSatisfy { $0.count == rows[0].count })
    #expect(rows[1].last == "=HYPERLINK(\"x\")\nsecond line" && rows[2][7] == "true")
    let safe = cells(catalog.run("export", "letterboxd", "--safe-for-spreadsheets").output)
    #expect(safe[1].last == "'=HYPERLINK(\"x\")\nsecond line")
    for table in OutgoingTable.all where table.id != "letterboxd-watchlist" {
      let rows = cells(catalog.run("export", table.id).output)
      #expect(rows.first == table.header, "\(table.id)")
      #expect(rows.count > 1, "\(table.id)")
      #expect(rows.allSatisfy { $0.count == table.header.count }, "\(table.id)")
    }
    #expect(
      catalog.run("export", "letterboxd-watchlist").errors
        == "catalog: left out, since Letterboxd cannot hold them: 1 item\n")
  }

  @Test func `a Letterboxd export above the size limit is split into several files`() throws {
    let text = String(repeating: "가", count: 3000)
    for number in 0..<150 {
      let id = try catalog.add(.movie, "Film \(number)")
      _ = try catalog.store.addCard(to: id, rating: nil, comment: text, now: catalog.clock)
    }
    #expect(catalog.run("export", "letterboxd", "-o", path("films.csv")).status == 0)
    let parts = try (1...2).map { try self.text("films-\($0).csv") }
    #expect(parts.allSatisfy { $0.utf8.count <= 1_000_000 && $0.hasPrefix("tmdbID,") })
    #expect(parts.reduce(0) { $0 + cells($1).count - 1 } == 150)
    #expect(!FileManager.default.fileExists(atPath: path("films.csv")))
    #expect(cells(catalog.run("export", "letterboxd").output).count == 151)
  }

  @Test func `an HTML export has one table per kind`() throws {
    let page = catalog.run("export", "html").output
    #expect(page.contains("<caption>movies</caption>"))
    #expect(page.contains("소년이 온다"))
    #expect(page.contains("<caption>records</caption>"))
  }

  // MARK: Notes

  @Test func `a repeated Markdown export updates its own notes and keeps other files and text`() throws {
    try catalog.add(.movie, "기생충", by: "장준환", year: 2019)
    try Data("mine".utf8).write(to: folder.appending(path: "kind of blue (1959).md"))
    let first = catalog.run("export", "markdown", "-o", folder.path)
    #expect(first == TestCatalog.Run(output: "wrote 4 notes to \(folder.path)\n", errors: "", status: 0))
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    #expect(
      names == [
        "kind of blue (1959).md", "Kind of Blue (1959) 3.md", "기생충 (2019).md", "기생충 (2019) 4.md", "소년이 온다 (2014).md",
      ])
    #expect(try text("kind of blue (1959).md") == "mine")
    // A person writes below, and renames the file.
    try Data((text("기생충 (2019).md") + "my words\n").utf8).write(to: folder.appending(path: "Parasite.md"))
    try FileManager.default.removeItem(at: folder.appending(path: "기생충 (2019).md"))
    try Data("---\ncatalog: 2\n---\n".utf8).write(to: folder.appending(path: "소년이 온다 (2014).md"))
    try catalog.store.addTag("winter", to: [ItemID(rawValue: 1)])
    #expect(catalog.run("export", "markdown", "-o", folder.path).status == 2)
    let again = catalog.run("export", "markdown", "-o", folder.path, "--yes")
    #expect(again.output == "wrote 1 note to \(folder.path)\n")
    #expect(
      again.errors == """
        already up to date: 2 notes
        catalog: left unchanged, since their end was edited or their names are taken: 1 note

        """)
    let note = try text("Parasite.md")
    #expect(note.hasSuffix("is yours %%\nmy words\n"))
    #expect(note.contains("- \"winter\""))
    #expect(try text("소년이 온다 (2014).md") == "---\ncatalog: 2\n---\n")
  }

  // MARK: A catalog of its own

  @Test func `an export to sqlite makes a catalog of the selected items`() throws {
    let owner = try TestCatalog(path: path("whole.db"))
    try owner.addThree()
    try owner.store.addTag("winter", to: [ItemID(rawValue: 1)])
    try owner.store.addToPile("next", [ItemID(rawValue: 1), ItemID(rawValue: 3)])
    _ = try owner.store.wish(for: .words("a lamp", nil), now: owner.clock)
    owner.run("favorite", "2")
    let run = owner.run("export", "sqlite", "kind:vinyl,book", "-o", path("part.db"))
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("copied 2 items to"))
    let part = try TestCatalog(path: path("part.db"))
    #expect(try part.store.ids(Query()).map(\.rawValue) == [3, 2])
    #expect(try part.store.tags().isEmpty)
    #expect(try part.store.wishes().isEmpty)
    #expect(try part.store.operations().isEmpty)
    #expect(try part.store.db.value("SELECT position FROM pile_item", as: Int.self) == 1)
    #expect(try part.store.search("parasite").isEmpty)
    #expect(try part.store.search("한강").count == 1)
    #expect(try part.store.examine(now: part.now).allSatisfy { $0.state != .wrong })
    #expect(try owner.store.operations().count == 1)
    #expect(try owner.store.count(Query()) == 3)
    #expect(owner.run("export", "sqlite", "-o", path("part.db")).status == 2)
    #expect(owner.run("export", "sqlite", "-o", path("whole.db"), "--yes").errors.contains("is the catalog itself"))
    #expect(owner.run("export", "sqlite", "-o", path("part.db"), "--yes").output.hasPrefix("copied 3 items to"))
  }

  // MARK: The manual

  @Test func `docs/export.md has every format, table and column`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/export.md"), encoding: .utf8)
    for name in ExportFormat.names { #expect(page.contains("`\(name)`"), "\(name)") }
    for table in OutgoingTable.all {
      #expect(
        page.contains("`\(table.id)`: " + table.header.map { "`\($0)`" }.joined(separator: " ") + "\n"), "\(table.id)")
    }
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.drop { !$0.hasPrefix("| `item`") }
    let tables = rows.flatMap { row in
      let cells = row.split(separator: "|")
      return cells[0].split(separator: "`").filter { $0 != " " }.map {
        (name: String($0), isSingle: cells[1].contains("object"))
      }
    }
    let known = try DocumentTable.ofItems(in: catalog.store.db)
    #expect(tables.map(\.name).sorted() == known.map(\.name).sorted())
    for table in known { #expect(tables.first { $0.name == table.name }?.isSingle == table.isSingle, "\(table.name)") }
    for table in RecordedTable.all { #expect(page.contains("`\(table.name)`"), "\(table.name)") }
  }
}
