import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import Exchange
@testable import fuzz_answers

/// Tests damaged exports, the same in each run, with the fuzzer in `Tools/fuzz-answers`; `make fuzz` runs many more.
/// Each file is read or rejected with an `ImportProblem`, and each entry keeps the guarantees of its type.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct ExportFuzzTests {
  /// Small exports in the formats of the programs.
  private static let exports: [(name: String, text: String)] = [
    (
      "diary",
      "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\r\n2020-02-02,Heat,1995,https://boxd.it/a,4,Yes,\"a, b\",2020-02-01\r\n"
    ),
    (
      "list",
      "Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2020-01-01,Best,,https://boxd.it/l,x\n\nPosition,Name,Year,URL,Description\n1,Alien,1979,https://boxd.it/2,q\n"
    ),
    (
      "goodreads",
      "Book Id,Title,Author,Author l-f,ISBN,ISBN13,My Rating,Exclusive Shelf,Date Read,Read Count,Owned Copies,My Review,Bookshelves\n1,\"T (S, #2)\",J. T.,\"T, J.\",\"=\"\"0261102362\"\"\",\"=\"\"9780261102361\"\"\",5,read,2020/03/04,2,1,<b>Yes</b>,\"a, b\"\n"
    ),
    (
      "storygraph",
      "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Dates Read,Read Count,Star Rating,Owned?\nEmma,Jane Austen,\"S (Translator)\",9780141439587,paperback,read,\"2020/01/01-2020/01/20, 2022/06/15\",3,4.25,Yes\n"
    ),
    (
      "discogs",
      "Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,CollectionFolder,Date Added,Collection Media Condition,Collection Sleeve Condition,Collection Notes\nA 4,Au Pairs (2),Diet,\"021 Records, Human (2)\",\"7\"\", EP\",4,1980,434828,Punk,2020-11-12 12:26:02,Very Good Plus (VG+),Generic,worn\n"
    ),
    (
      "imdb",
      "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\ntt0113277,9,2024-03-15,Heat,Heat,https://www.imdb.com/title/tt0113277/,Movie,8.3,170,1995,\"Crime, Drama\",1,1995-12-15,M. M.\n"
    ),
    (
      "trakt",
      #"[{"rated_at":"2020-01-02T10:00:00.000Z","rating":8,"movie":{"title":"Heat","year":1995,"ids":{"trakt":5,"imdb":"tt0113277"}}}]"#
    ),
    (
      "librarything",
      #"{"11": {"books_id": "11", "title": "Emma", "authors": [{"fl": "Jane Austen", "role": "Author"}], "collections": ["Your library", "To read"], "isbn": {"2": "9780141439587"}, "lcc": []}}"#
    ),
    (
      "rym",
      "RYM Album, First Name,Last Name,Title,Release_Date,Rating,Ownership,Media Type, Review, Review Title\n\"10\",\"The\",\"Band\",\"Are You?\",\"1967\",\"10\",\"o\",\"CD\",\"[b]x[/b]\",\"T\"\n"
    ),
    (
      "openreads",
      "title,author,status,readings,book_format,rating,deleted,tags\nEmma,J. A.,finished,2023-10-27T00:00:00.000|2023-11-28T00:00:00.000|,hardcover,4.5,false,a|||||b\n"
    ),
    (
      "tellico",
      "<tellico><collection type=\"2\"><entry id=\"0\"><id>0</id><title>Emma</title><authors><author>J</author></authors><isbn>0-14-143958-0</isbn><pur_price>12,50 EUR</pur_price><rating>3</rating></entry></collection><borrowers><borrower name=\"R\"><loan entryRef=\"0\" loanDate=\"2023-10-18\" dueDate=\"\"/></borrower></borrowers></tellico>"
    ),
    (
      "delicious",
      "<library version=\"1\"><items><book asin=\"0141439580\" author=\"J&#10;O\" created=\"176690736\" published=\"17-08-2003\" title=\"Emma\" uuid=\"U1\"><description>{\\rtf1\\mac One.}</description></book></items><shelves><shelf name=\"B\"><linkto uuid=\"U1\"/></shelf></shelves></library>"
    ),
    (
      "plist",
      "<?xml version=\"1.0\"?><plist><array><dict><key>title</key><string>Sin</string><key>type</key><string>Music</string><key>publishDate</key><date>1987-06-29T07:00:00Z</date></dict></array></plist>"
    ),
    (
      "griffith",
      "<root><movie><number>1</number><o_title>Heat</o_title><year>1995</year><rating>6</rating><seen>1</seen><cast>A as B\nC</cast></movie></root>"
    ),
    (
      "collectorz",
      "<movieinfo><movielist><movie><id>9</id><title>Heat</title><imdbnum>113277</imdbnum><myrating>8</myrating><viewingdate><date>3/23/2012</date></viewingdate></movie></movielist></movieinfo>"
    ),
    (
      "any",
      "Titel;Regie;Bewertung;Gesehen am;Preis;Zustand\nHeat;M. M.;9;02.01.2020;12,50 €;VG+\n헤어질 결심;박찬욱;8;2022. 7. 3.;₩9,900;\n"
    ),
    (
      "jsonl",
      "{\"title\":\"Heat\",\"director\":\"M\",\"rating\":4.5,\"tags\":[\"a\",\"b\"]}\n{\"title\":\"Alien\",\"year\":-5,\"watched_date\":\"2020\"}\n"
    ),
    (
      "page",
      "<html><meta charset=windows-1251><table border=1><tr><th>Film<th>Year<tr><td colspan=1>Heat &amp; Co<td>1995</tr></table>"
    ),
    (
      "excel 2003",
      "<Workbook xmlns:ss=\"s\"><Worksheet ss:Name=\"A\"><Table><Row><Cell><Data ss:Type=\"String\">Title</Data></Cell><Cell><Data>Year</Data></Cell></Row><Row ss:Index=\"3\"><Cell ss:MergeAcross=\"1\"><Data>Heat</Data></Cell><Cell ss:Index=\"2\"><Data ss:Type=\"Number\">1995</Data></Cell></Row></Table></Worksheet></Workbook>"
    ),
    (
      "bibtex",
      "@string{p = {P}}\n@book{k, title = {A {B} \\\"{u} \\ss}, author = \"Roe, Jane and {S S}\", publisher = p # \", L\", year = 2020, isbn = {9780306406157}}\n"
    ),
    ("ris", "TY  - BOOK\r\nTI  - A\r\nAU  - Roe, Jane\r\nPY  - 2020/05/03/\r\nSN  - 9780306406157\r\nER  - \r\n"),
    (
      "yaml",
      "books:\n- title: &t \"An: A\"\n  author: [J R, 'B']\n  isbn: 0306406152\n  review: >-\n    a\n    b\n- {title: *t, year: 1999}\n"
    ),
    ("markdown", "# F\n\n| Film | Rating |\n|:--|-:|\n| [Heat](https://x.y/z) | ★★★★ |\n| A \\| B | 3 |\n"),
    ("plain", "# mine\nHeat (1995)\n- Alien, 1979\n9780141439587\n"),
  ]

  /// Archives of sheets.
  private static let sheets: [(name: String, members: [(name: String, bytes: [UInt8])])] = [
    (
      "workbook",
      ContainerTests.workbook(
        [
          (
            "책", "",
            ContainerTests.row(1, "Title", "Date Read", "ISBN")
              + "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>0</v></c><c r=\"B2\" s=\"1\"><v>45415</v></c><c><v>9.780306406157E+12</v></c></row>"
          )
        ], strings: ["<si><r><t>An Invented </t></r><rPh><t>x</t></rPh></si>"])
    ),
    (
      "open sheet",
      [
        ("mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8)),
        (
          "content.xml",
          Array(
            "<d><table name=\"A\"><table-row><table-cell><p>Title</p></table-cell><table-cell><p>Year</p></table-cell></table-row><table-row number-rows-repeated=\"2\"><table-cell><p>A<s c=\"2\"/>B</p></table-cell><table-cell value-type=\"float\" value=\"1995\"/></table-row></table></d>"
              .utf8)
        ),
      ]
    ),
  ]

  /// An archive whose members are damaged, and not the archive itself: its sums would not be right.
  @Test func `damaged sheets are read or rejected without a crash`() throws {
    let file = try SmallFile([])
    var random = SplitMix(seed: 7)
    var (kept, refused) = (0, 0)
    for round in 0..<120 {
      var members = Self.sheets[round % Self.sheets.count].members
      let place = Int.random(in: 0..<members.count, using: &random)
      members[place].bytes =
        round % 3 == 0
        ? Array(members[place].bytes.prefix(Int.random(in: 0...members[place].bytes.count, using: &random)))
        : ExportFuzzer.damaged(members[place].bytes, using: &random)
      try ZipFile.write(members, to: file.path)
      do {
        kept += try Import(path: file.path, choices: ImportChoices(kind: .book)).all().count
      } catch is ImportProblem {
        refused += 1
      }
    }
    #expect(kept > 5 && refused > 20, "\(kept) \(refused)")
  }

  @Test func `damaged exports are read or rejected without a crash`() throws {
    var exports = Self.exports.map { ExportFuzzer.Export(name: $0.name, bytes: Array($0.text.utf8)) }
    let archive = try SmallFile(zip: [
      "diary.csv": Self.exports[0].text,
      "ratings.csv": "Date,Name,Year,Letterboxd URI,Rating\n2020-01-01,Heat,1995,u,4\n",
    ])
    for (name, members) in Self.sheets {
      let file = try SmallFile([])
      try ZipFile.write(members, to: file.path)
      exports.append(ExportFuzzer.Export(name: name, bytes: Array(try Data(contentsOf: URL(filePath: file.path)))))
    }
    exports.append(ExportFuzzer.Export(name: "zip", bytes: Array(try Data(contentsOf: URL(filePath: archive.path)))))
    let whole = try ExportFuzzer(exports: exports, seed: 1).run(0..<exports.count)
    #expect(whole.findings == [])
    #expect(whole.refused == 0)
    let report = try ExportFuzzer(exports: exports, seed: 42).run(exports.count..<1_400)
    #expect(report.findings == [])
    #expect(report.rows > 900)
    #expect(report.refused > 60)
    #expect(report.formats.count >= 16)
  }
}

/// Tests the memory that a file needs, whatever its length. A separate process reads each file.
struct MemoryTests {
  @Test(arguments: [
    ("a table without a line end", "Title,Director\n", "x", false), ("a list without an end", "Title\n", "\n", true),
    ("an element without an end", "<movieinfo><movielist><movie><plot>", "p", false),
    ("elements without an end", "<movieinfo><movielist>", "<movie/>", false),
    ("a text of JSON without an end", "[{\"title\":\"", "p", false),
    ("a member without an end", "{\"movies\":[", "[", false),
    ("a quotation mark without its partner", "Title,Director\n\"", "a,b\n", false),
  ])
  func `no file takes more than 64 MiB to read`(words: String, start: String, again: String, isReadable: Bool) throws {
    let count = (again == "<movie/>" ? 200_000 : 5 << 20) / again.utf8.count
    let bytes = Array((start + String(repeating: again, count: count)).utf8)
    let file = try SmallFile(bytes)
    let program = Process()
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    program.executableURL = URL(filePath: bundle).deletingLastPathComponent().appending(path: "fuzz-answers")
    program.arguments = ["--read", file.path]
    let output = Pipe()
    program.standardOutput = output
    try program.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    #expect(program.terminationStatus == 0, "\(words): \(text)")
    #expect(text.contains("refused") != isReadable, "\(words): \(text)")
  }
}

/// Tests that the manual describes every format, and no other.
struct FormatDocumentationTests {
  @Test func `the page formats.md lists every format`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/formats.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
    let ids = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(ids == Import.formats.map(\.id))
  }
}
