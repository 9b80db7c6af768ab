import CatalogModel
import Foundation
import Lookup
import SQLite
import TestSupport
import Testing

@testable import SourceCopies

struct OpenLibraryDumpTests {
  private static func line(_ type: String, _ key: String, _ document: String) -> String {
    "/type/\(type)\t\(key)\t1\t2020-01-01T00:00:00.0\t\(document)\n"
  }

  static let files = [
    "ol_dump_works.txt": line(
      "work", "/works/OL45804W",
      #"""
      {"title": "Fantastic Mr Fox", "subjects": ["Foxes", "Fiction", "Children's Fiction"], "covers": [-1, 6498519], "authors": [{"type": {"key": "/type/author_role"}, "author": {"key": "/authors/OL34184A"}}], "subtitle": "A \"tale\""}
      """#)
      + line("work", "/works/OL1W", #"{"title": "소년이 온다", "authors": [{"author": {"key": "/authors/OL2A"}}]}"#)
      + line("work", "/works/OL2W", #"{"title": "Tab\tand \u00e9 \ud83e\udd8a fox"}"#)
      + line("work", "/works/OL3W", #"{"title": "cut"#)
      + line("work", "/works/OL4W", #"{"authors": []}"#),
    "ol_dump_authors.txt": line("author", "/authors/OL34184A", #"{"name": "Roald Dahl"}"#)
      + line("author", "/authors/OL2A", #"{"name": "한강", "key": "/authors/OL2A"}"#),
    "ol_dump_editions.txt": line(
      "edition", "/books/OL7353617M",
      #"{"works": [{"key": "/works/OL45804W"}], "isbn_10": ["0140328726"], "isbn_13": ["978-0-14-032872-1"], "publish_date": "October 1, 1988", "languages": [{"key": "/languages/eng"}], "number_of_pages": 96}"#
    )
      + line("edition", "/books/OL8M", #"{"works": [{"key": "/works/OL9W"}], "isbn_13": ["9788936434120"]}"#)
      + line("edition", "/books/OL9M", #"{"title": "Without a work", "authors": [{"key": "/authors/OL2A"}]}"#),
    "ol_dump_reading-log.txt":
      "/works/OL1W\t\\N\tWant to Read\t2020-01-01\n/works/OL1W\t\\N\tAlready Read\t2020-01-01\n",
    "ol_dump_ratings.txt": "/works/OL9W\t\\N\t5\t2020-01-01\n",
    "ol_dump_redirects.txt": line(
      "redirect", "/works/OL9W", #"{"location": "/works/OL1W", "type": {"key": "/type/redirect"}}"#),
  ]

  @Test func `works are found by author, and editions by both forms of the ISBN`() throws {
    let copy = try MadeDump(.openLibrary, Self.files).copy()
    #expect(copy.about.titles == 4)
    #expect(try copy.search(Search(words: "dahl fox", kind: .book)).titles == ["Fantastic Mr Fox"])
    for isbn in ["0140328726", "9780140328721"] {
      let found = try #require(try copy.lookUp(.isbn(try ISBN(isbn))).first)
      #expect(found.id == ExternalID(source: "openlibrary", value: "OL7353617M"))
      #expect(found.record.externalIDs.last == ExternalID(source: "openlibrary", value: "OL45804W"))
      #expect(found.record.creators == ["Roald Dahl"])
      #expect(found.record.book.pages == 96)
      #expect(found.record.book.language == "en")
      #expect(found.record.book.isbn?.digits13 == "9780140328721")
    }
    let work = try #require(try copy.record(ExternalID(source: "openlibrary", value: "OL45804W")))
    #expect(work.year == 1988)
    #expect(work.labels == ["Fiction", "Children's Fiction"])
    #expect(work.otherTitles == ["Fantastic Mr Fox: A \"tale\""])
    #expect(work.artworkURL == "https://covers.openlibrary.org/b/id/6498519-L.jpg")
    #expect(try copy.record(ExternalID(source: "openlibrary", value: "OL2W"))?.title == "Tab and é 🦊 fox")
  }

  @Test func `readers and redirected ratings decide the order, and redirected editions are kept`() throws {
    let copy = try MadeDump(.openLibrary, Self.files).copy()
    #expect(try copy.record(at: 1)?.title == "소년이 온다")
    let found = try copy.lookUp(.isbn(try ISBN("9788936434120")))
    #expect(found.map(\.record.title) == ["소년이 온다"])
    #expect(try copy.suggest(Search(words: "ㅅㄴㅇ", kind: .book)).titles == ["소년이 온다"])
  }

  @Test func `works in other languages are left out, except those with readers or of unknown language`() throws {
    func edition(_ number: Int, _ language: String?) -> String {
      let language = language.map { #", "languages": [{"key": "/languages/\#($0)"}]"# } ?? ""
      return Self.line(
        "edition", "/books/OL\(number)M", #"{"works": [{"key": "/works/OL\#(number)W"}]\#(language)}"#)
    }
    let files = [
      "works.txt": (1...6).map { Self.line("work", "/works/OL\($0)W", #"{"title": "Book \#($0)"}"#) }.joined(),
      // 1 in German, 2 in German with a reader, 3 in German and English, 4 of unknown language, 5 without an edition,
      // 6 in German, to which a work with a rating was redirected.
      "editions.txt": edition(1, "ger") + edition(2, "ger") + edition(3, "ger") + edition(3, "eng") + edition(4, nil)
        + edition(6, "ger")
        + Self.line(
          "edition", "/books/OL7M", #"{"title": "Alone", "languages": [{"key": "/languages/fre"}]}"#),
      "reading-log.txt": "/works/OL2W\t\\N\tWant to Read\t2020-01-01\n",
      "ratings.txt": "/works/OL9W\t\\N\t5\t2020-01-01\n",
      "redirects.txt": Self.line("redirect", "/works/OL9W", #"{"location": "/works/OL6W"}"#),
    ]
    let made = try MadeDump(.openLibrary, files)
    let copy = try made.copy()
    let titles = try (1...copy.about.titles).compactMap { try copy.record(at: $0)?.title }
    #expect(titles.sorted() == ["Book 2", "Book 3", "Book 4", "Book 5", "Book 6"])
    #expect(copy.about.leftOut[.otherLanguage] == 2)
    let german = try made.copy(SourceCopyOptions(languages: ["de", "fr"]))
    #expect(german.about.titles == 7)
    #expect(german.about.leftOut[.otherLanguage] == nil)
  }

  @Test func `an edition without a work is a title of its own, and damaged lines are counted`() throws {
    let copy = try MadeDump(.openLibrary, Self.files).copy()
    let record = try #require(try copy.record(ExternalID(source: "openlibrary", value: "OL9M")))
    #expect(record.title == "Without a work")
    #expect(record.creators == ["한강"])
    #expect(copy.about.leftOut[.damaged] == 1)
    #expect(copy.about.leftOut[.untitled] == 1)
  }

  @Test(arguments: [
    ("February 27, 1995", 1995), ("1995", 1995), ("c1912", 1912), ("19950227", nil), ("", nil), ("5/1/03", nil),
    ("1923 (reprinted 1999)", 1999),
  ])
  func `the year of a date in words is its last number of four digits`(_ date: String, _ year: Int?) throws {
    var text = #"{"title": "a", "first_publish_date": "\#(date)"}"#
    text = Self.line("work", "/works/OL1W", text)
    let copy = try MadeDump(.openLibrary, ["works.txt": text]).copy()
    #expect(try copy.record(at: 1)?.year == year)
  }
}

struct NLKDumpTests {
  static let files = [
    "books.csv": """
    "SEQ_NO","ISBN_THIRTEEN_NO","VLM_NM","TITLE_NM","AUTHR_NM","PUBLISHER_NM","PBLICTE_DE","BOOK_INTRCN_CN","KDC_NM","ISBN_NO"
    "1","9788936434120","","소년이 온다","한강 지음","창비","20140519","Lines
    and ""quotes"", commas","813.7",""
    "2","","","인공지능과 흙","김동훈 지음 ;이름 그림","민음사","2021-03-19","","",8937444313
    "3","1234","","no number","","","","","",""

    """,
    "loans.csv": """
    번호,도서명,저자,출판사,발행년도,ISBN,세트 ISBN,부가기호,권,주제분류번호,도서권수,대출건수,등록일자,
    "1","인공지능과 흙","김동훈 지음","민음사","2021","9788937444319","","","","","1","12","2021-03-19",

    """,
  ]

  @Test func `books are ranked by loans and found by words, initials and both forms of the ISBN`() throws {
    let copy = try MadeDump(.nlk, Self.files).copy()
    #expect(copy.about.titles == 2)
    #expect(copy.about.leftOut[.untitled] == 1)
    #expect(try copy.record(at: 1)?.title == "인공지능과 흙")
    let record = try #require(try copy.record(ExternalID(source: "nlk", value: "9788936434120")))
    #expect(record.creators == ["한강"])
    #expect(record.labels == ["문학"])
    #expect(record.year == 2014)
    #expect(record.book.publisher == "창비")
    #expect(record.book.isbn?.digits13 == "9788936434120")
    #expect(try copy.suggest(Search(words: "소년", kind: .book)).titles == ["소년이 온다"])
    #expect(try copy.suggest(Search(words: "ㅇㄱㅈㄴ", kind: .book)).titles == ["인공지능과 흙"])
    #expect(try copy.lookUp(.isbn(try ISBN("9788937444319"))).map(\.record.title) == ["인공지능과 흙"])
  }

  @Test(arguments: [
    ("소년이 온다 :한강 장편소설", "소년이 온다"), ("A : B : C", "A"), ("2001: 우주", "2001: 우주"), (":x", ":x"), (" :x", ":x"),
  ])
  func `a title ends where a library puts more behind a colon`(_ line: String, _ title: String) throws {
    let books = "ISBN_THIRTEEN_NO,TITLE_NM,AUTHR_NM\n9788936434120,\"\(line)\",한강\n"
    #expect(try MadeDump(.nlk, ["books.csv": books]).copy().record(at: 1)?.title == title)
  }

  @Test func `loans in the old encoding of Korean are read`() throws {
    let made = try MadeDump(.nlk, Self.files)
    let path = made.folder.path("dump/loans.csv")
    let iconv = Process()
    iconv.executableURL = URL(filePath: "/usr/bin/env")
    iconv.arguments = ["iconv", "-f", "UTF-8", "-t", "CP949", "-o", path + ".euc", path]
    try iconv.run()
    iconv.waitUntilExit()
    try FileManager.default.removeItem(atPath: path)
    #expect(try made.copy().record(at: 1)?.title == "인공지능과 흙")
    // A byte that is not Korean text is left out, and told.
    var bytes = try Data(contentsOf: URL(filePath: path + ".euc"))
    bytes.append(contentsOf: [0xFF, 0x0A])
    try bytes.write(to: URL(filePath: path + ".euc"))
    let copy = try made.copy()
    #expect(try copy.record(at: 1)?.title == "인공지능과 흙")
    #expect(copy.about.leftOut[.strayBytes] == 1)
  }

  @Test func `a damaged byte in UTF-8 does not make a file Korean of the old encoding`() throws {
    let made = try MadeDump(.nlk, Self.files)
    let path = URL(filePath: made.folder.path("dump/books.csv"))
    var bytes = try Data(contentsOf: path)
    bytes.append(contentsOf: [0xEC, 0x0A])
    try bytes.write(to: path)
    let copy = try made.copy()
    #expect(try copy.record(ExternalID(source: "nlk", value: "9788936434120"))?.creators == ["한강"])
  }

  @Test(arguments: [
    ("한강 지음", "한강"), ("고희정 글;조승연 그림", "고희정"), ("지은이: 한강", "한강"), ("J.K. 롤링 지음 ; 강동혁 옮김", "J.K. 롤링"),
    ("[김훈] 지음", "김훈"), ("지음", "지음"), ("", ""),
  ])
  func `the author of a line of roles is its first name`(_ line: String, _ author: String) throws {
    let books = "ISBN_THIRTEEN_NO,TITLE_NM,AUTHR_NM\n9788936434120,a,\"\(line)\"\n"
    #expect(try MadeDump(.nlk, ["books.csv": books]).copy().record(at: 1)?.creators.first ?? "" == author)
  }
}
