import CatalogModel
import CatalogStore
import FoundationEssentials
import TestSupport
import Testing

@testable import CatalogCommands

/// Tests complete imports: all data in the files of other programs is imported, once, and under the same names.
struct WholeImportTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
  }

  /// Imports a file, and checks that a second import adds nothing.
  private func take(_ text: String, _ words: String...) throws -> TestCatalog.Run {
    let run = catalog.run(["import", try folder.write(text, to: "file.csv"), "--yes", "--no-lookup"] + words)
    #expect(run.status == 0, "\(run.errors)")
    // The same file again adds nothing.
    let again = catalog.run(["import", try folder.write(text, to: "file.csv"), "--yes", "--no-lookup"] + words)
    #expect(again.output.hasPrefix("nothing new in file.csv"), "\(again.output)")
    return run
  }

  private func list(_ columns: String) -> String {
    catalog.run("list", "--sort", "id", "--tsv", "--columns", columns).output
  }

  // MARK: Identity

  @Test func `rows with the same ISBN and different titles become separate items with a warning`() throws {
    let run = try take(
      """
      Title,Author,ISBN,Year,Summary
      An Invented Diary,Jane Roe,9780306406157,2022,First summary
      A Quite Different Novel,Jane Roe,9780306406157,2022,Second summary
      A Third Book By Someone Else,Joe Bloggs,9780306406157,2022,Third summary

      """)
    #expect(run.output == "3 new items, 0 joined to existing items\n")
    #expect(
      run.errors.contains(
        "line 3: A Quite Different Novel (2022), Jane Roe: perhaps the same as line 2 (the same code, another title)"))
    #expect(list("title") == "An Invented Diary\nA Quite Different Novel\nA Third Book By Someone Else\n")
    #expect(catalog.run("import", "show", "1", "--tsv").output.contains("perhaps the same as 1"))
  }

  @Test func `the export of a catalog brings nothing into it`() throws {
    for words in [
      ["add", "book", "--title", "Nameless", "--stars", "4", "--comment", "Good one"],
      ["add", "vinyl", "--title", "X"],
      ["add", "movie", "--title", "Ran", "--year", "1985", "-c", "A. K."],
      ["log", "1", "--undated"], ["tag", "add", "old", "1"], ["lend", "c1", "to", "Ann"], ["wish", "3"],
    ] { #expect(catalog.run(words).status == 0, "\(words)") }
    func content() -> [String] {
      catalog.run("export", "jsonl").output.split(separator: "\n").filter { $0.hasPrefix(#"{"item""#) }.map(String.init)
    }
    let before = content()
    let file = try folder.write(catalog.run("export", "jsonl").output, to: "own.jsonl")
    for _ in 0..<2 { #expect(catalog.run("import", file, "--yes").status == 0) }
    #expect(content().count == before.count)
    for table in ["item", "card", "copy", "log_entry", "loan", "wish"] {
      let rows = before.joined().split(separator: "\"\(table)\":").count
      #expect(content().joined().split(separator: "\"\(table)\":").count == rows, "\(table)")
    }
    // In another catalog, an item of that number and that second is another one.
    let other = try TestCatalog()
    other.run("add", "book", "--title", "Other")
    other.run("import", file, "--yes")
    #expect(try other.store.count(Query()) == before.count + 1)
  }

  @Test(arguments: ["Volume", "Vol"])
  func `a volume column becomes the number in a series of that title`(word: String) throws {
    let run = try take("Title,Author,\(word)\nA Manga,Jane Roe,1\nA Manga,Jane Roe,2\nA Manga,Jane Roe,3\n")
    #expect(run.output.hasPrefix("3 new items"))
    #expect(list("title,series") == "A Manga\tA Manga #1\nA Manga\tA Manga #2\nA Manga\tA Manga #3\n")
    // A newer table of all of them.
    #expect(try take("Title,Author,\(word),Year\nA Manga,Jane Roe,2,2001\n").output.hasPrefix("0 new items, 1 joined"))
  }

  @Test func `two movies of the same title and year stay two by their URLs and ids`() throws {
    let first = try take(
      "Date,Name,Year,Letterboxd URI,Rating\n2021-01-06,Enemy,2013,https://boxd.it/5pk8,4\n2021-01-07,Enemy,2013,https://boxd.it/yyy8,1\n"
    )
    #expect(first.output.hasPrefix("2 new items"))
    #expect(list("title,rating") == "Enemy\t80\nEnemy\t20\n")
    // In whichever order they come later, and with another rating.
    let later = try take(
      "Date,Name,Year,Letterboxd URI,Rating\n2021-01-07,Enemy,2013,https://boxd.it/yyy8,2\n2021-01-06,Enemy,2013,https://boxd.it/5pk8,4\n"
    )
    #expect(later.output.hasPrefix("0 new items"))
    #expect(list("title,rating") == "Enemy\t80\nEnemy\t40\n")
    let table = try take(
      "tmdbID,imdbID,Title,Year,Directors,Rating,WatchedDate\n310131,tt4263482,The Wytch,2015,Robert Eggers,4,2021-01-06\n999999,tt9999999,The Wytch,2015,Jane Doe,2,2021-01-07\n"
    )
    #expect(table.output.hasPrefix("2 new items"))
  }

  @Test func `two pressings in one file become two items that are editions of one work`() throws {
    _ = try take(
      """
      Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,CollectionFolder,Date Added,Collection Media Condition,Collection Sleeve Condition,Collection Notes
      SHVL 804,Pink Floyd,The Dark Side Of The Moon,Harvest,"LP, Album, RE",5,1973,1000001,Uncategorized,2020-01-01 10:00:00,Near Mint (NM or M-),Very Good Plus (VG+),first
      PFRLP8,Pink Floyd,The Dark Side Of The Moon,Pink Floyd Records,"LP, Album, RE, 180",4,2016,1000002,Uncategorized,2021-01-01 10:00:00,Mint (M),Mint (M),second
      ABC 1,Nobody At All,An Unknown Record,Tiny,"LP, Album",,1980,1000003,Uncategorized,2020-01-01 10:00:00,,,
      ABC 2,Nobody At All,An Unknown Record,Tiny Again,"LP, Album, RE",,1999,1000004,Uncategorized,2020-01-01 10:00:00,,,

      """)
    #expect(
      list("catalog_number,label,year,rating")
        == "SHVL 804\tHarvest\t1973\t100\nPFRLP8\tPink Floyd Records\t2016\t80\nABC 1\tTiny\t1980\t\nABC 2\tTiny Again\t1999\t\n"
    )
    #expect(try catalog.store.editions(of: ItemID(rawValue: 1)) == [ItemID(rawValue: 2)])
    #expect(try catalog.store.editions(of: ItemID(rawValue: 3)) == [ItemID(rawValue: 4)])
  }

  // MARK: What the file says

  @Test func `values in the file come before those of the pack, which fill the gaps`() throws {
    _ = try take(
      "Title,Director,Year,Runtime,Genre,Country\nShaun of the Dead,Edgar Wright,2004,100,Zombie Romcom; Thriller,France\n",
      "--kind", "movie")
    #expect(
      list("title,minutes,countries,genres").hasPrefix("Shaun of the Dead\t100\tFR\t"), "\(list("minutes,countries"))")
    #expect(!list("genres").contains("Comedy"))
    _ = try take("제목,감독,연도\n기생충,봉준호,2019\n", "--kind", "movie")
    #expect(list("title,creator").contains("기생충\t봉준호\n"))
    #expect(catalog.run("list", "parasite", "--tsv", "--columns", "title,minutes").output.hasPrefix("기생충\t1"))
    _ = try take(
      "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\n"
        + "tt0116282,9,2019-01-02,Fargo,Fargo,https://www.imdb.com/title/tt0116282/,Movie,8.1,98,1996,\"Crime, Thriller\",1572,1996-04-05,\"Joel Coen, Ethan Coen\"\n"
    )
    #expect(
      list("title,creator,released,genres").contains("Fargo\tJoel Coen; Ethan Coen\t1996-04-05\tCrime; Thriller\n"))
  }

  @Test func `a pressing unknown to the pack takes no label and no country from it`() throws {
    _ = try take(
      "Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,CollectionFolder\n"
        + "SMAS-2653,The Beatles,Sgt. Pepper's Lonely Hearts Club Band,,\"LP, Album, RE\",,1971,3000001,Uncategorized\n"
    )
    #expect(list("label,year,catalog_number,countries") == "\t1971\tSMAS-2653\t\n")
    #expect(list("genres").contains("Rock"))
  }

  // MARK: Days

  @Test func `cards, favorites and wishes have the days of the file`() throws {
    _ = try take(
      "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\n"
        + "tt0000031,9,2019-02-08,Some Film,Some Film,https://www.imdb.com/title/tt0000031/,Movie,8.6,107,2012,Drama,1,2012-09-22,Jo Doe\n"
    )
    #expect(try catalog.store.cards().map(\.createdAt.rawValue) == ["2019-02-08T00:00:00Z"])
    _ = try take(
      "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n2001-01-02,A,2000,https://boxd.it/e1,3,,,2001-01-01\n"
    )
    let path = try folder.write(
      "Date,Name,Year,Letterboxd URI\n2021-03-04,An Invented Film,2019,https://boxd.it/aaaa\n", to: "watchlist.csv")
    #expect(catalog.run("import", path, "--yes", "--no-lookup").status == 0)
    #expect(try catalog.store.wishes().map(\.createdAt.rawValue) == ["2021-03-04T00:00:00Z"])
  }

  // MARK: A life goes on

  private static let goodreads =
    "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,"
    + "Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,"
    + "Read Count,Owned Copies\n500,Alpha Beta,A B,,,,,"

  @Test(
    arguments: [
      // A book that was being read is read.
      (
        "0,,,,,,,,2024/01/05,currently-reading,,currently-reading,,,,0,0",
        "4,,,,,,,2024/05/05,2024/01/05,,,read,good,,,1,0", ["done 2024-05-05 80 good"]
      ),
      // It was read again, and the review is one.
      (
        "4,,,,,,,2024/05/05,2024/01/05,,,read,good,,,1,0", "4,,,,,,,2025/06/06,2024/01/05,,,read,good,,,2,0",
        ["done 2025-06-06", "done 2024-05-05 80 good"]
      ),
      // The day was corrected, and the review came.
      (
        "4,,,,,,,2024/05/05,2024/01/05,,,read,,,,1,0", "5,,,,,,,2024/05/07,2024/01/05,,,read,good,,,1,0",
        ["done 2024-05-07 100 good"]
      ),
      // A book that was wished for is read.
      (
        "0,,,,,,,,2024/01/05,to-read,,to-read,,,,0,0", "0,,,,,,,2024/05/05,2024/01/05,,,read,,,,1,0",
        ["done 2024-05-05"]
      ),
    ])
  func `importing a newer export updates the diary entry`(
    rows: (before: String, after: String, diary: [String])
  ) throws {
    _ = try take(Self.goodreads + rows.before + "\n")
    #expect(try take(Self.goodreads + rows.after + "\n").output == "0 new items, 1 joined to existing items\n")
    let diary = try catalog.store.diary().map { event in
      [event.outcome.rawValue, event.endedOn?.description, event.rating.map { "\($0.value)" }, event.comment]
        .compactMap(\.self).joined(separator: " ")
    }
    #expect(diary == rows.diary)
    #expect(try catalog.store.wishes().isEmpty)
    #expect(try catalog.store.cards().count == diary.count { $0.split(separator: " ").count > 2 })
  }

  @Test func `a diary entry finished or corrected by hand is not changed by an import`() throws {
    _ = try take(Self.goodreads + "0,,,,,,,,2024/01/05,currently-reading,,currently-reading,,,,0,0\n")
    #expect(catalog.run("log", "1", "--on", "2024-02-02").status == 0)
    _ = try take(Self.goodreads + "4,,,,,,,,2024/01/05,currently-reading,,currently-reading,fine,,,0,0\n")
    #expect(
      try catalog.store.diary().map { "\($0.outcome.rawValue) \($0.endedOn?.description ?? "-")" } == [
        "done 2024-02-02"
      ])
    #expect(try catalog.store.cards().map(\.comment) == ["fine"])
    _ = try take(Self.goodreads + "4,,,,,,,2024/03/03,2024/01/05,,,read,fine,,,1,0\n")
    #expect(try catalog.store.diary().map { $0.endedOn?.description } == ["2024-02-02"])
  }

  @Test func `a Letterboxd diary entry is recognized by its URL`() throws {
    let head = "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
    _ = try take("Date,Name,Year,Letterboxd URI\n2024-05-05,Zed,1990,https://boxd.it/f1\n")
    #expect(list("times") == "1\n")
    _ = try take(head + "2024-05-06,Zed,1990,https://boxd.it/h2,4,,,2024-05-05\n")
    #expect(list("times,seen") == "1\t2024-05-05\n")
    _ = try take(
      head
        + "2024-05-06,Zed,1990,https://boxd.it/h2,4.5,,,2024-05-04\n2024-06-06,Zed,1990,https://boxd.it/h3,4,Yes,,2024-06-05\n"
    )
    #expect(list("times,seen,cards,rating") == "2\t2024-05-04; 2024-06-05\t2\t80\n")
  }

  // MARK: Words

  @Test func `a file without a usable row is imported without a question`() throws {
    let path = try folder.write("Title,Author\n,Jane Roe\n,Joe Bloggs\n", to: "file.csv")
    let run = catalog.run("import", path, "--kind", "book")
    #expect(run.status == 1)
    #expect(run.output == "", "\(run)")
    #expect(run.errors.contains("line 2: "))
    #expect(!run.errors.contains("Import"))
  }

  @Test func `undo of an import counts all rows that it removes`() throws {
    let films = (1...1_100).map { "Film \($0),\(1900 + $0 % 100),Jo Doe \($0)" }
    let bare = try folder.write("Title,Year,Director\n" + films.joined(separator: "\n"), to: "bare.csv")
    #expect(catalog.run("import", bare, "--yes", "--no-lookup").output.hasPrefix("1100 new items"))
    let listed = try folder.write(
      "Title,Year,Director,Lists\n" + films.map { $0 + ",best" }.joined(separator: "\n"), to: "listed.csv")
    #expect(catalog.run("import", listed, "--yes", "--no-lookup").output.hasPrefix("0 new items, 1100 joined"))
    #expect(catalog.run("undo", "--yes").output.contains("removed place in a pile × 1100\n"))
    // The rows of an item go with it.
    let undone = catalog.run("undo", "--yes").output
    #expect(undone.contains("removed 1100 items\n"), "\(undone)")
    #expect(!undone.contains("×"), "\(undone)")
  }

  /// The counts of a plan, and those of its result.
  static func counts(plan: String, _ result: String) -> (planned: [Int], came: [Int]) {
    func planned(_ headings: String...) -> Int {
      plan.split(separator: "\n").reduce(0) { sum, line in
        let words = line.drop { $0 == " " }
        guard line.hasPrefix("  "), let blank = words.firstIndex(of: " "), let count = Int(words[..<blank]) else {
          return sum
        }
        let heading = words[blank...].drop { $0 == " " }
        return headings.contains { heading.hasPrefix($0) } ? sum + count : sum
      }
    }
    let numbers = result.split { !$0.isNumber }.compactMap { Int($0) }
    return (
      [
        planned("new", "certain: in the built-in pack", "unsure"), planned("certain: on your shelves"),
        planned("the same as a row above"),
      ], result.hasPrefix("nothing new") ? [0, 0, 0] : (numbers + [0, 0, 0]).prefix(3).map(\.self)
    )
  }
}

/// Tests files of other people, which are no part of the project.
@Suite(.enabled(if: RecordedFiles.folder != nil, "set CATALOG_FIXTURES to the folder with recorded exports"))
struct RecordedFileTests {
  @Test(arguments: RecordedFiles.all)
  func `a recorded file is imported as planned, and adds nothing the second time`(path: String) throws {
    let catalog = try TestCatalog()
    var words = ["import", path, "--no-lookup"]
    var plan = catalog.run(words + ["-n"])
    // Some files do not say what kind they have, and some have none of it.
    if plan.output.contains("Choose with --kind") {
      words += ["--kind", "book"]
      plan = catalog.run(words + ["-n"])
    }
    // Some are nothing that is known, and some have no row.
    guard plan.status == 0, !plan.output.contains(", 0 rows\n") else { return }
    let result = catalog.run(words + ["--yes"])
    #expect(result.status == 0)
    let (planned, came) = WholeImportTests.counts(plan: plan.output, result.output)
    #expect(planned == came, "\(result.output)")
    #expect(catalog.run(words + ["--yes"]).output.hasPrefix("nothing new"))
    #expect(catalog.run("undo", "--yes").status == 0)
    #expect(try catalog.store.count(Query()) == 0)
  }
}

private enum RecordedFiles {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"]

  /// The files that are small enough for a test.
  static let all: [String] = {
    guard let folder else { return [] }
    return ["made", "exports"].flatMap { part -> [String] in
      let below = "\(folder)/\(part)"
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: below)) ?? []
      return names.sorted().map { "\(below)/\($0)" }.filter { path in
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path) else { return false }
        return facts[.type] as? FileAttributeType == .typeRegular && (facts[.size] as? UInt64 ?? 0) < 300_000
      }
    }
  }()
}
