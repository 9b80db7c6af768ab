import CatalogModel
import CatalogStore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import CatalogCommands

struct ImportCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
  }

  /// Writes a file with the columns of Goodreads.
  private func books(_ rows: String...) throws -> String {
    try folder.write(
      ([
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
          + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
          + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies"
      ] + rows)
      .joined(separator: "\n") + "\n", to: "books.csv")
  }

  private static let hobbit =
    #"5907,The Hobbit,J.R.R. Tolkien,"Tolkien, J.R.R.",,"=""""","=""""",5,4.28,,Paperback,310,2012,1937,2020/05/01,2019/01/02,fantasy,,read,Again!,,,1,1"#
  private static let unknown = #"77,A Book Nobody Knows,Some One,,,"=""""","=""""",0,,,,,,,,,to-read,,to-read,,,,0,0"#

  @Test func `import -n prints the outcome of rows and the use of columns`() throws {
    let path = try books(Self.hobbit, Self.unknown, "78,,,,,,,,,,,,,,,,,,,,,,,")
    let run = catalog.run("import", path, "-n")
    #expect(run.status == 5)
    #expect(run.errors == "catalog: 1 of 3 rows was left out\n")
    for line in [
      "books.csv: Goodreads, 3 rows", "        1  certain: in the built-in pack", "        1  new",
      "        1  rejected",
      "  My Rating → rating of 5",
    ] { #expect(run.output.contains(line + "\n"), "\(run.output)") }
    #expect(run.output.contains("line 4: "))
    #expect(try catalog.store.count(catalog.store.query([], now: catalog.now)) == 0)
    // Without a terminal there is no question.
    #expect(catalog.run("import", path).errors.contains("--yes answers yes"))
  }

  @Test func `values moved to the note are listed in the plan, after the import and per row`() throws {
    let path = try folder.write(
      "Title,Author,Date Read,Plays\nA,X Y,2031-01-01,\nB,X Y,03/04/2020,800\nC,X Y,05/06/2020,\n", to: "log.csv")
    let told = [
      "a date in the future goes into the note: 1 row, the first: line 2",
      "'Date Read' goes into the note instead: 2 rows, the first: line 3",
      "'Plays' goes into the note instead: 1 row, the first: line 3", "--dates dmy",
    ]
    let plan = catalog.run("import", path, "--kind", "book", "-n").output
    for line in told { #expect(plan.contains(line), "\(plan)") }
    let run = catalog.run("import", path, "--kind", "book", "--yes")
    for line in told { #expect(run.errors.contains(line), "\(run.errors)") }
    #expect(catalog.run("import", "show", "1").output.contains("'Plays' goes into the note instead"))
    #expect(
      catalog.run("list", "--tsv", "--sort", "id", "--columns", "note").output
        == "Finished: 2031-01-01\nDate Read: 03/04/2020; Plays: 800\nDate Read: 05/06/2020\n")
    #expect(catalog.run("undo", "--yes").status == 0)
    #expect(catalog.run("import", path, "--kind", "book", "--dates", "mdy", "--yes").status == 0)
    #expect(catalog.run("list", "title:B", "--tsv", "--columns", "seen").output == "2020-03-04\n")
    #expect(catalog.run("import", path, "--dates", "soon").errors.contains("dmy, mdy, ymd"))
  }

  @Test func `a file is imported once, and one undo takes the whole import back`() throws {
    let path = try books(Self.hobbit, Self.unknown)
    let run = catalog.run("import", path, "--yes")
    #expect(run.output == "2 new items, 0 joined to existing items\n", "\(run.errors)")
    #expect(
      catalog.run("list", "--sort", "id", "--tsv", "--columns", "title,rating,seen,tag,copies,wished").output
        .contains("The Hobbit\t100\t2020-05-01\tfantasy\t1\t"))
    #expect(
      catalog.run("list", "import:1", "status:planned", "--tsv", "--columns", "title").output == "A Book Nobody Knows\n"
    )
    // The facts of the pack are filled in.
    #expect(catalog.run("list", "hobbit", "--tsv", "--columns", "year").output == "1937\n")
    #expect(catalog.run("import", path, "--yes").output == "nothing new in books.csv: 2 rows\n")
    #expect(
      catalog.run("import", "list", "--tsv").output == "1\t2026-11-21T09:30:00Z\tgoodreads\tbooks.csv\t2\t2\t0\t0\t0\n")
    #expect(catalog.run("import", "show", "1", "--tsv").output.hasPrefix("2\tThe Hobbit"))
    #expect(catalog.run("undo", "--yes").status == 0)
    #expect(catalog.run("import", "list").errors.contains("nothing was imported yet"))
    #expect(catalog.run("import", path, "--yes").output == "2 new items, 0 joined to existing items\n")
  }

  @Test func `an ambiguous row becomes a new item unless --review decides, and the decision is kept`() throws {
    let films =
      "Date,Name,Year,Letterboxd URI,Rating\n2020-01-01,Heat,1994,https://boxd.it/1,4\n2020-01-01,Nobody's Film,1999,https://boxd.it/2,3\n"
    let path = try folder.write(films, to: "ratings.csv")
    let first = catalog.run("import", path, "--yes")
    #expect(first.output == "2 new items, 0 joined to existing items\n")
    #expect(first.errors.contains("line 2: Heat (1994): perhaps the same as pack:movie/"), "\(first.errors)")
    #expect(first.errors.contains("1 new item may be a known work: catalog import show 1 lists them"))
    #expect(catalog.run("import", "show", "1", "--tsv").output.contains("\tadded\t1\tperhaps the same as pack:movie/"))
    catalog.run("undo", "--yes")
    let review = "\(folder.path)/rows.tsv"
    #expect(catalog.run("import", path, "--review", review, "--yes").status == 0)
    var text = try String(contentsOfFile: review, encoding: .utf8)
    #expect(text.contains("\tHeat (1994)\t?\tpack:movie/heat-1995 "), "\(text)")
    text = text.replacing("\t?\t", with: "\tpack:movie/heat-1995\t")
    try Data(text.utf8).write(to: URL(filePath: review))
    #expect(
      catalog.run("import", path, "--apply", review, "--yes").output == "2 new items, 0 joined to existing items\n")
    #expect(
      catalog.run("list", "heat", "--tsv", "--columns", "year,external_ids").output.contains(
        "1994\tletterboxd:1; pack:"))
    // No question is asked again.
    #expect(catalog.run("import", path, "--yes").output == "nothing new in ratings.csv: 2 rows\n")
    let third = try folder.write(films.replacing("Nobody's Film", with: "Somebody's Film"), to: "films.csv")
    for (decision, words) in [
      ("99", "the chosen item does not exist"), ("pack:movie/none", "does not exist"),
      ("pack:book/1q84-2009", "a movie was matched to a book"),
    ] {
      try Data("2\tsomebody's film|1999\tSomebody's Film (1999)\t\(decision)\n".utf8).write(to: URL(filePath: review))
      let refused = catalog.run("import", third, "--apply", review, "--yes")
      #expect(refused.status == 1, "\(refused)")
      #expect(refused.errors.contains(words), "\(refused)")
    }
    try Data("line\tkey\trow\tdecision\n2\tx\tHeat\tperhaps\n".utf8).write(to: URL(filePath: review))
    let wrong = catalog.run("import", path, "--apply", review, "--yes")
    #expect(wrong.errors.contains("line 2 of the review: 'perhaps' is not a decision"))
    #expect(wrong.status == 1)
  }

  @Test func `importing a changed file restores no removed item and overwrites no edit`() throws {
    let path = try books(Self.hobbit, Self.unknown)
    catalog.run("import", path, "--yes")
    catalog.run("remove", "2", "--yes")
    catalog.run("edit", "1", "year=1938")
    let changed = try books(Self.hobbit.replacing(",5,", with: ",3,"), Self.unknown)
    let run = catalog.run("import", changed, "--yes")
    #expect(run.output == "0 new items, 1 joined to existing items\n", "\(run)")
    #expect(run.errors.contains("left out: it was removed here"))
    // It is said once.
    #expect(catalog.run("import", changed, "--yes").output == "nothing new in books.csv: 2 rows\n")
    #expect(catalog.run("list", "--tsv", "--columns", "id,year").output == "1\t1938\n")
  }

  @Test(arguments: [
    (["--map", "Jahr"], "'Jahr' is not a column mapping", 2),
    (["--format", "nothing"], "hint: one of: letterboxd, ", 2),
    (["--review", "a", "b.csv"], "--review takes one file at a time", 2),
  ])
  func `import rejects invalid arguments`(misuse: (words: [String], errors: String, status: Int32)) throws {
    let path = try books(Self.hobbit)
    let run = catalog.run(["import", path] + misuse.words)
    #expect(run.errors.contains(misuse.errors), "\(run)")
    #expect(run.status == misuse.status, "\(run)")
  }

  @Test func `a JSONL export restores an empty catalog and merges into another`() throws {
    catalog.run("import", try books(Self.hobbit, Self.unknown), "--yes")
    let path = "\(folder.path)/mine.jsonl"
    #expect(catalog.run("export", "jsonl", "-o", path).status == 0)
    let other = try TestCatalog()
    #expect(other.run("import", path, "-n").output == "would restore mine.jsonl\n")
    #expect(other.run("import", path, "--yes").output == "restored 2 items\n")
    #expect(other.run("export", "jsonl").output == catalog.run("export", "jsonl").output)
    // The file that the first one came from is known there, too.
    #expect(
      other.run("import", try books(Self.hobbit, Self.unknown), "--yes").output == "nothing new in books.csv: 2 rows\n")
    let third = try TestCatalog()
    third.run("add", "book", "--title", "The Hobbit", "--creator", "J. R. R. Tolkien", "--yes")
    #expect(third.run("import", path, "--yes").output == "1 new item, 1 joined to existing items\n")
    #expect(third.run("import", path, "--yes").output == "nothing new in mine.jsonl: 2 rows\n")
    #expect(third.run("list", "hobbit", "--tsv", "--columns", "rating,seen").output == "100\t2020-05-01\n")
  }

  @Test func `a note that is too long is cut and its row is imported`() throws {
    let long = String(repeating: "a", count: 6_000)
    let path = try folder.write("Title,Author,One,Two\nA,B,\(long),\(long)\nC,D,,\n", to: "table.csv")
    let told = "the note is longer than 10000 characters, and its end is left out: 1 row, the first: line 2"
    #expect(catalog.run("import", path, "--kind", "book", "-n").output.contains(told))
    let run = catalog.run("import", path, "--kind", "book", "--yes")
    #expect(run.output == "2 new items, 0 joined to existing items\n")
    #expect(run.errors.contains(told), "\(run.errors)")
  }

  @Test func `a review that is too long is cut, with a warning in the plan and after the import`() throws {
    let review = String(repeating: "long ", count: 2_500)
    let path = try folder.write("Title,Year,Review\nHeat,1995,\(review)\nRan,1985,Short.\n", to: "films.csv")
    let plan = catalog.run("import", path, "-n", "--kind", "movie").output
    let told = "the review is longer than 10000 characters, and its end is left out"
    #expect(plan.contains("  \(told): 1 row, the first: line 2\n"), "\(plan)")
    let run = catalog.run("import", path, "--kind", "movie", "--yes")
    #expect(run.errors.contains("\(told): 1 row, the first: line 2\n"), "\(run.errors)")
    #expect(!run.errors.contains("different in the file"))
    #expect(catalog.run("import", "show", "1", "--csv").output.contains(told))
    #expect(try catalog.store.cards(of: ItemID(rawValue: 1)).first?.comment?.count == 10_000)
  }

  @Test func `exports of two catalogs with the same item numbers are imported as different items`() throws {
    let third = try TestCatalog()
    for title in ["One", "Other"] {
      let catalog = try TestCatalog()
      catalog.now += title == "One" ? 0 : 3_600
      catalog.run("add", "movie", "--title", title, "--yes")
      let path = "\(folder.path)/\(title).jsonl"
      catalog.run("export", "jsonl", "-o", path)
      third.run("add", "movie", "--title", "Mine", "--yes")
      #expect(third.run("import", path, "--yes").output == "1 new item, 0 joined to existing items\n")
    }
  }

  @Test func `import - reads standard input`() throws {
    catalog.bytes = Array("Title,Author,Year\nDune,Frank Herbert,1965\n".utf8)
    let path = catalog.environment["TMPDIR"] ?? "/tmp"
    catalog.environment["TMPDIR"] = folder.path
    defer { catalog.environment["TMPDIR"] = path }
    #expect(catalog.run("import", "-", "--kind", "book").errors.contains("--yes answers yes"))
    #expect(catalog.run("import", "-", "--kind", "book", "-n").output.hasPrefix("standard input: "))
    #expect(
      catalog.run("import", "-", "--kind", "book", "--yes").output == "1 new item, 0 joined to existing items\n")
    #expect(catalog.run("import", "list", "--json=file").output == #"[{"file":"standard input"}]"# + "\n")
    catalog.bytes = []
    #expect(catalog.run("import", "-", "--yes").errors == "catalog: 'standard input' is empty\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `import reads a pipe that the shell names by a file descriptor`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let text = Array("Heat (1995)\nAlien (1979)\n".utf8)
    try #require(write(ends[1], text, text.count) == text.count)
    close(ends[1])
    defer { close(ends[0]) }
    #expect(catalog.run("import", "/dev/fd/\(ends[0])", "--kind", "movie", "--yes").output.hasPrefix("2 new items"))
  }

  @Test func `a JSONL export with a byte order mark is restored through a pipe`() throws {
    try catalog.addThree()
    let export = catalog.run("export", "jsonl").output
    let second = try TestCatalog()
    second.bytes = Array(("\u{FEFF}" + export).utf8)
    #expect(second.run("import", "-", "--yes").output == "restored 3 items\n")
    #expect(second.run("list", "--json").output == catalog.run("list", "--json").output)
    // In a catalog that has something, it is rows.
    let third = try TestCatalog()
    third.run("add", "movie", "--title", "Mine")
    third.bytes = second.bytes
    #expect(third.run("import", "-", "--yes").output == "3 new items, 0 joined to existing items\n")
  }

  @Test func `completion offers import formats`() {
    #expect(
      catalog.run("completion", "--candidates", "--", "import", "--format", "goodr").output == "goodreads\tGoodreads\n")
  }

  @Test func `import reports missing files, unknown formats and unknown imports`() throws {
    #expect(catalog.run("import", "/nonexistent/a.csv").status == 1)
    let garbage = "\(folder.path)/garbage.zip"
    try Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }).write(to: URL(filePath: garbage))
    let run = catalog.run("import", garbage, "--yes")
    #expect(run.status == 1, "\(run)")
    #expect(run.errors.hasPrefix("catalog: "), "\(run)")
    #expect(catalog.run("import", "show", "7").errors.contains("there is no import 7"))
  }

  @Test func `no transaction of an import lasts as long as other writers wait`() throws {
    #expect(BusyTimeout.longestTransaction * 3 < .milliseconds(try BusyTimeout([:]).milliseconds))
  }
}
