import CatalogModel
import Foundation
import Testing

@testable import Exchange

/// Tests the meaning of columns by their headings, their cells and their neighbours.
struct HeadingTests {
  @Test func `each heading of the file has one meaning`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Data/headings.tsv")
    var seen: [String: String] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: "\t")
      try #require(parts.count == 4, "\(line)")
      for name in parts[3].split(separator: ";").map(\.trimmed) {
        let key = Cells.key(String(name))
        #expect(seen.updateValue(String(line), forKey: key) == nil, "\(name) stands twice")
        let heading = try #require(Heading.named(key), "\(name)")
        #expect(heading.meanings.count == parts[0].split(separator: "/").count, "\(line)")
      }
    }
    #expect(seen.count > 2_000)
  }

  @Test func `each field of the columns of formats is known`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Data/formats.tsv")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.split(separator: "\t").count == 3, "\(line)")
    }
    let tables = Formats.all.compactMap { ($0 as? TableFormat) ?? ($0 as? Letterboxd)?.table }
    for table in tables { #expect(table.unknown.isEmpty, "\(table.id)") }
    #expect(Set(FormatColumns.all.keys).subtracting(tables.map(\.id)).isEmpty)
  }

  @Test(arguments: [
    ("Film Name,Year,IMDB ID\nThing,2001,tt9999901\n", "Thing"), ("書名,著者\n本,山田\n", "本"),
    ("Tytuł;Autor\nRzecz;Jan Kowalski\n", "Rzecz"), ("상품명,저자\n흰,한강\n", "흰"),
    // The more exact name, wherever it stands.
    ("Name,Title,Author\nList,Book,Roe\n", "Book"),
  ])
  func `the title is known by its heading`(text: String, title: String) throws {
    #expect(try rows(text, kind: .book).map { $0.entry?.record.title } == [title])
  }

  @Test(arguments: [
    ("ISBN,Artikel,Autor\n9780306406157,Abcdef,Ghi\n", "Artikel"), ("Produkt,Verfasser\nAbc,Def\n", nil),
    ("ISBN,Where,What\n9780306406157,shop,An Invented Book\n9780306406158,shop,Another\n", "What"),
  ])
  func `a code is no title beside a column of texts`(text: String, column: String?) throws {
    let problem = #expect(throws: ImportProblem.self) { try rows(text, kind: .book) }
    if let column { #expect(problem?.hint == "say which one does: --map '\(column)=title'") }
  }

  @Test func `codes alone need no title`() throws {
    #expect(try rows("ISBN,Rating\n9780306406157,5\n", kind: .book).first?.entry != nil)
  }

  @Test(arguments: [
    ("Title,Media\nA,Book\nB,Vinyl\n", [Kind.book, .vinyl]), ("Title,Watched Date\nA,2020-01-02\n", [.movie]),
    ("Name,URL\nA,https://boxd.it/aaa1\n", [.movie]), ("Title,Grade\nA,VG+\n", [nil]),
    ("Title,Artist\nA,B\n", [.vinyl]),
  ])
  func `columns show the kind`(text: String, kinds: [Kind?]) throws {
    #expect(try rows(text).map { $0.entry?.record.kind } == kinds)
  }

  @Test(arguments: [
    // One's own stars before those of others, wherever they stand.
    ("Title,Author,Rating,Star\nA,B,7.3,2\nC,D,8.5,\n", ["2", nil], [[], []]),
    ("Title,Author,My Rating,Average Rating\nA,B,4,3.9\n", ["4"], [[]]),
    // A 0 of 10 is no lack of a rating; a 0 of 5 is.
    ("Title,Author,Score\nA,B,10\nC,D,0\nE,F,8\n", ["10/10", nil, "8/10"], [[], ["Score: 0"], []]),
    ("Title,Author,Score\nA,B,5\nC,D,0\n", ["5", nil], [[], []]),
  ])
  func `ratings are one's own`(text: String, ratings: [String?], notes: [[String]]) throws {
    let entries = try rows(text, kind: .book).compactMap(\.entry)
    #expect(entries.map { $0.times.first?.opinion?.rating?.description } == ratings)
    #expect(entries.map(\.notes) == notes)
  }

  @Test(arguments: [
    ("Title,Author,Year,Year\nA,B,1999,2000\n", ["Year: 2000"]), ("Title,Author,Year,Year\nA,B,1999,1999\n", []),
    ("Title,Title,Author\nFirst,Second,B\n", ["Title: Second"]),
    ("Title,Author,상태\nA,B,읽음\n", []), ("Title,Author,상태\nA,B,VG+\n", []),
  ])
  func `a second value of one meaning is kept`(text: String, notes: [String]) throws {
    let entry = try #require(try rows(text, kind: .book).first?.entry)
    #expect(entry.record.title != "Second" && entry.notes == notes)
  }

  @Test func `rows of nothing and repeated headings are passed over, and episodes rejected`() throws {
    let text = "Title,Author,Year\nA,B,1999\n,,\nTitle,Author,Year\n , ,\nC,D,2000\n"
    #expect(try rows(text).map { $0.entry?.record.title } == ["A", "C"])
    let episodes = try rows("Title,Year,Season,Episode\nA,2001,,\nB,2002,2,5\n", kind: .movie)
    #expect(episodes.map { $0.entry?.record.title } == ["A", nil])
  }

  @Test func `a page's address holds an id`() throws {
    let text =
      "Album,Artist,discogs_url\nA,B,https://api.discogs.com/releases/99990001\nA,B,99990002\n"
      + "C,D,https://www.discogs.com/release/249504-Rick-Astley-Whenever\n"
    let ids = try rows(text).compactMap { $0.entry?.record.externalIDs.map(\.value) }
    #expect(ids == [["99990001"], ["99990002"], ["249504"]])
  }

  @Test(arguments: [
    "* An Invented Book\n:PROPERTIES:\n:END:\n", "[[book]]\ntitle = \"An Invented Book\"\nauthor = \"Jane Roe\"\n",
  ])
  func `text of another structure is no list of titles`(text: String) throws {
    #expect(throws: ImportProblem.self) { try rows(text, kind: .book) }
  }

  @Test(arguments: [
    "Mission: Impossible\nRogue One: A Star Wars Story\n", "- Heat\n- [x] Alien\n", "* Heat\n* Alien\n",
  ])
  func `a list of titles stays one`(text: String) throws {
    #expect(try rows(text, kind: .movie).count == 2)
  }

  @Test func `a table of Markdown is a table`() throws {
    let text = "| Title | Author |\n|---|:--|\n| An Invented Book | Jane Roe |\n"
    #expect(try rows(text).map { $0.entry?.record.title } == ["An Invented Book"])
  }

  @Test func `lists and objects in JSON are read by their names`() throws {
    let titled = #"{"title":"Search","count":2,"results":[{"title":"A","author":"X"},{"title":"B","author":"Y"}]}"#
    #expect(try rows(titled, kind: .book).map { $0.entry?.record.title } == ["A", "B"])
    let album = #"{"title":"A","artist":"X","year":1999,"tracks":[{"title":"One"},{"title":"Two"}]}"#
    #expect(try rows(album, kind: .vinyl).map { $0.entry?.record.title } == ["A"])
    let people = #"[{"title":"A","authors":[{"name":"Jane Roe"},{"name":"Joe Bloggs"}]}]"#
    #expect(try rows(people, kind: .book).first?.entry?.record.creators == ["Jane Roe", "Joe Bloggs"])
    let library = #"{"albums":[{"artist":"X","album":"A"}],"shows":[{"name":"P","publisher":"Q"}]}"#
    #expect(try rows(library).map { $0.entry?.record.kind } == [.vinyl, nil])
  }

  @Test func `a part of a book is no finished reading`() throws {
    let times = try entries("Title,Author,Date,Progress\nA,X,2019-03-01,38%\nB,Y,2019-03-02,Finished\n").map(\.times)
    #expect(times.map { $0.first?.endedOn?.description } == [nil, "2019-03-02"])
  }

  @Test func `the shelves of Goodreads are tags, whatever they are called`() throws {
    let books = try entries(
      "Book Id,Title,Author,Author l-f,Bookshelves,Exclusive Shelf\n1,A,X,X,\"read, owned, dnf\",read\n"
        + "2,B,Y,Y,\"to-read, listened\",to-read\n")
    #expect(books.map(\.tags) == [["owned", "dnf"], ["listened"]])
  }

  @Test func `a file of wishes has them, and an archive its folder`() throws {
    #expect(try rows("Title,Author\nA,X\n", name: "my-wishlist.csv").first?.entry?.wish != nil)
    #expect(try rows("Title,Author,Rating\nA,X,4\n", name: "my-wishlist.csv").first?.entry?.wish == nil)
    let watched = "Date,Name,Year,Letterboxd URI\n2021-01-06,A,2001,https://boxd.it/aaa1\n"
    let archive = try SmallFile(zip: ["me/watched.csv": watched, "me/ratings.csv": watched, "me/diary.csv": ""])
    #expect(try Import(path: archive.path).formatID == "letterboxd")
    let semicolons = "Date;Name;Year;Letterboxd URI;Rating\n2024-02-11;A;2016;https://boxd.it/aaa1;3.5\n"
    #expect(try rows(semicolons).first?.entry?.record.title == "A")
  }
}
