import CatalogModel
import CatalogStore
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands

/// Tests that an export to a service's format, imported and exported again, gives the same file.
struct RoundTripTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A catalog with all the data that services support, and with characters that break their files.
  private func everything() throws -> TestCatalog {
    let catalog = try TestCatalog()
    let lines = [
      ["add", "movie", "--title", "Some \"Quoted\", Film", "--year", "1995", "--creator", "Ann Other", "--yes"],
      ["log", "1", "--on", "2020-05-01", "--stars", "4.5", "Good,\nand \"long\"."],
      ["log", "1", "--on", "2024-01-02", "--stars", "5"],
      ["add", "movie", "--title", "모르는 영화", "--year", "1999", "--creator", "이창동", "--yes"],
      ["rate", "2", "3.5"],
      ["add", "book", "--title", "A Book, of Sorts", "--year", "2001", "--creator", "Some One", "--yes"],
      ["log", "3", "--started", "2023-02-01", "--on", "2023-03-04", "--stars", "4", "Read on the train."],
      ["tag", "add", "trains", "3"],
      ["add", "book", "--title", "Not Yet", "--creator", "Some One", "--no-copy", "--yes"], ["wish", "4"],
      [
        "add", "vinyl", "--title", "Kind of Nothing", "--creator", "Nobody Quartet", "--year", "1959", "--no-copy",
        "--yes",
      ],
      ["copy", "add", "5", "--media", "VG+", "--sleeve", "VG", "--note", "signed; \"worn\""],
      ["tag", "add", "Jazz", "5"],
    ]
    for line in lines {
      let run = catalog.run(line)
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
    try catalog.store.db.run("INSERT INTO external_id VALUES ('discogs', '1148033', 5)")
    try catalog.store.db.run("INSERT INTO external_id VALUES ('imdb', 'tt0113277', 1), ('imdb', 'tt0247613', 2)")
    return catalog
  }

  // A list of IMDb has words and dates of its own, which are no reviews and no times: it is not among them.
  @Test(arguments: ["letterboxd", "goodreads", "storygraph", "discogs"])
  func `an exported file imported into another catalog is exported the same`(format: String) throws {
    let first = try everything().run("export", format)
    #expect(first.status == 0, "\(first)")
    #expect(first.output.split(whereSeparator: \.isNewline).count >= 2, "\(first)")
    let path = "\(folder.path)/\(format).csv"
    try Data(first.output.utf8).write(to: URL(filePath: path))
    let other = try TestCatalog()
    let run = other.run("import", path, "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("rejected"), "\(run.errors)")
    #expect(other.run("export", format).output == first.output)
  }

  @Test func `exported notes are imported with the diary, cards and copies`() throws {
    let catalog = try everything()
    for line in [
      ["card", "add", "1", "--stars", "0", "A * in _it_ and\n\na line. · Really"], ["wish", "2"],
      ["log", "3", "--dropped", "--on", "2024-05", "--note", "on *paper*"],
      ["log", "4", "--ongoing", "--started", "2026-01-02"],
      ["copy", "add", "5", "--sleeve", "Generic", "--place", "K1/3", "--price", "25 EUR", "--on", "2020-02-03"],
      ["lend", "c1", "to", "Ada", "--on", "2026-02-03"], ["pile", "add", "next", "5"], ["favorite", "2"],
    ] {
      let run = catalog.run(line)
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
    let notes = folder.path("notes")
    #expect(catalog.run("export", "markdown", "-o", notes).status == 0)
    try Data("# No properties\n".utf8).write(to: URL(filePath: notes + "/index.md"))
    let other = try TestCatalog()
    let run = other.run("import", notes, "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("notes without properties are left out: 1"), "\(run.errors)")
    for words in [
      [
        "list", "--tsv", "--sort", "title", "--columns",
        "kind,title,creator,year,rating,rating_scale,copies,tags,piles,wished,favorite_since",
      ],
      ["diary", "--jsonl"], ["card", "list", "--jsonl"], ["copy", "list", "--jsonl"], ["loans", "--jsonl"],
    ] {
      func lines(_ catalog: TestCatalog) -> [String] {
        catalog.run(words).output.split(separator: "\n").map { line in
          String(line).replacing(/"(id|entry|card|copy|item)":("c[0-9]+"|[0-9]+),?/, with: "")
            .replacing(/"[a-z_]+_at":"[^"]*",?/, with: "").replacing(/T[0-9:]{8}Z/, with: "")
        }.sorted()
      }
      #expect(lines(other) == lines(catalog), "\(words)")
    }
    #expect(other.run("import", notes, "--yes").output.hasPrefix("nothing new"))
  }

  /// Tests that a file with numbers gives back as many items, once, however alike they are.
  @Test(arguments: ["csv", "json", "markdown", "jsonl"])
  func `two items of one title come back as two`(format: String) throws {
    let catalog = try TestCatalog()
    for (title, year) in [("One", 1980), ("Two", 1980), ("Three", 1990), ("Four", 1990)] {
      let id = try catalog.add(.vinyl, title, by: "Ann Band", year: year)
      #expect(catalog.run("edit", "\(id)", "title=X", "--yes").status == 0)
    }
    // A film of the pack twice.
    for title in ["Heat", "Heat of Another"] { try catalog.add(.movie, title, by: "Michael Mann", year: 1995) }
    #expect(catalog.run("edit", "6", "title=Heat", "--yes").status == 0)
    _ = try catalog.store.joinEditions([ItemID(rawValue: 1), ItemID(rawValue: 3)])
    _ = try catalog.store.joinEditions([ItemID(rawValue: 2), ItemID(rawValue: 4)])
    #expect(try catalog.store.shelfCounts().total == 6)
    let path = folder.path(format == "markdown" ? "notes" : "out.\(format)")
    #expect(catalog.run("export", format, "-o", path).status == 0)
    let other = try TestCatalog()
    // JSONL into an empty catalog is a copy.
    try other.add(.book, "Another")
    for _ in 0..<2 {
      let run = other.run("import", path, "--yes")
      #expect(run.status == 0, "\(run.errors)")
      #expect(try other.store.shelfCounts().total == 7)
    }
    guard !["csv", "json"].contains(format) else { return }
    for id in try other.store.ids(Query(.kind(.vinyl))) {
      let years = try other.store.editions(of: id).map { try other.store.item($0).record.year }
      #expect(try years == [other.store.item(id).record.year == 1980 ? 1990 : 1980])
    }
  }

  @Test func `fields of one's own at Discogs come back as columns`() throws {
    let header =
      "Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,CollectionFolder,Date Added,"
      + "Collection Media Condition,Collection Sleeve Condition,Collection Notes"
    let path = folder.path("own.csv")
    let rows = [
      "A 1,Ann Band,First,Some Label,LP,4,1999,11,Jazz,2020-01-01 00:00:00,Mint (M),,a note,Corner shop; back room,7",
      "A 2,Ann Band,Second,Some Label,LP,,1999,12,Jazz,2020-01-01 00:00:00,,,,,8",
      "A 2,Ann Band,Second,Some Label,LP,,1999,12,Rock,2020-01-02 00:00:00,,,,,9",
    ]
    let text = ([header + ",Collection Purchased At,Collection Shelf (left)"] + rows).joined(separator: "\r\n") + "\r\n"
    try Data(text.utf8).write(to: URL(filePath: path))
    let catalog = try TestCatalog()
    #expect(catalog.run("import", path, "--yes").status == 0)
    let out = catalog.run("export", "discogs").output.split(separator: "\r\n").map(String.init)
    #expect(out[0] == header + ",Collection Purchased At,Collection Shelf (left)", "\(out)")
    #expect(out[1].hasSuffix(",a note,Corner shop; back room,7"), "\(out)")
    #expect(out[2].hasSuffix(",8") && out[3].hasSuffix(",9"), "\(out)")
    #expect(catalog.run("export", "discogs", "-n", "-o", path + "2").status == 0)
  }

  @Test func `a watchlist for Letterboxd comes back as wishes under any name`() throws {
    let catalog = try TestCatalog()
    try catalog.add(.movie, "An Invented Film", by: "Jane Roe", year: 2007)
    catalog.run("wish", "1")
    let path = folder.path("films.csv")
    #expect(catalog.run("export", "letterboxd-watchlist", "-o", path).status == 0)
    let other = try TestCatalog()
    #expect(other.run("import", path, "--yes").status == 0)
    #expect(
      other.run("list", "--tsv", "--columns", "title,creator,year,times", "wished:yes").output
        == "An Invented Film\tJane Roe\t2007\t0\n")
  }

  @Test func `notes written by hand are imported by their properties`() throws {
    let notes = folder.path("vault")
    try FileManager.default.createDirectory(atPath: notes + "/Films/.trash", withIntermediateDirectories: true)
    for (name, text) in [
      "Films/Heat (1995).md": """
      ---
      # a comment
      director: "[[People/Michael Mann|Michael Mann]]"
      rating: 4.5
      tags: [heist, "los angeles"]
      genres:
      - Crime
      - Thriller
      watched: 2020-05-01
      plot: >
        One robs,
        one hunts.
      ---
      Seen with *Anna*.
      """,
      "Films/.trash/Gone (1999).md": "---\ndirector: Nobody\n---\n", "Films/Index.md": "no properties\n",
    ] {
      try Data(text.utf8).write(to: URL(filePath: "\(notes)/\(name)"))
    }
    let catalog = try TestCatalog()
    let none = folder.path("none")
    try FileManager.default.createDirectory(atPath: none, withIntermediateDirectories: true)
    try Data("no properties\n".utf8).write(to: URL(filePath: none + "/Index.md"))
    #expect(catalog.run("import", none, "--kind", "movie", "--yes").errors.contains("'\(none)' is a folder"))
    let run = catalog.run("import", notes, "--kind", "movie", "--yes")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.hasPrefix("1 new item"), "\(run)")
    let item = try catalog.store.item(ItemID(rawValue: 1))
    #expect(item.record.title == "Heat")
    #expect(item.record.year == 1995)
    #expect(item.record.creators == ["Michael Mann"])
    #expect(item.tags == ["heist", "los angeles"])
    #expect(try item.rating == Rating("4.5"))
    #expect(item.record.note?.contains("text: Seen with *Anna*.") == true, "\(item.record.note ?? "")")
    #expect(item.record.summary == "One robs, one hunts.")
    #expect(try catalog.store.diary(of: item.id).map { $0.endedOn?.description } == ["2020-05-01"])
  }

  /// Tests that a listing, which has less data than an export, is imported without mistaken fields.
  @Test(arguments: ["csv", "json"])
  func `an exported listing is imported with its fields and without its numbers`(format: String) throws {
    let catalog = try everything()
    for line in [["rate", "2", "0.5"], ["favorite", "2"]] {
      #expect(catalog.run(line).status == 0)
    }
    let path = "\(folder.path)/list.\(format)"
    try Data(catalog.run("export", format).output.utf8).write(to: URL(filePath: path))
    let other = try TestCatalog()
    let run = other.run("import", path, "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("rejected"), "\(run.errors)")
    let columns = "kind,title,creator,year,rating,rating_scale,copies,note,seen,tags,piles,status,grades,copy_notes"
    func listed(_ catalog: TestCatalog) -> [String] {
      catalog.run("list", "--tsv", "--sort", "id", "--columns", columns).output.split(separator: "\n").map(String.init)
        .sorted()
    }
    #expect(listed(other) == listed(catalog))
    #expect(
      other.run("list", "--tsv", "--columns", "title", "favorite:yes").output
        == catalog.run("list", "--tsv", "--columns", "title", "favorite:yes").output)
  }
}
