import CatalogModel
import Processes
import Testing

@testable import Exchange

/// Tests files that are damaged or carelessly written: all readable data is read, and guesses are reported.
struct DamageTests {
  private func opened<Value>(_ bytes: [UInt8], kind: Kind? = .book, _ body: (Import) throws -> Value) throws -> Value {
    let file = try SmallFile(bytes)
    return try withExtendedLifetime(file) {
      try body(Import(path: file.path, choices: ImportChoices(kind: kind)))
    }
  }

  // MARK: Bytes

  @Test func `one invalid byte is read as Latin-1 and reported with its row`() throws {
    let rows = try opened(Array("Title,Author\n채식주의자,한강\nCaf".utf8) + [0xE9] + Array(" Noir,B C\n".utf8)) {
      try $0.all()
    }
    #expect(rows.map { $0.entry?.record.title } == ["채식주의자", "Café Noir"])
    #expect(rows.map(\.remarks) == [[], ["bytes that are not UTF-8 were read as Latin-1"]] && rows[1].line == 3)
    let mixed = Array("Title,Author\nCafé Noir,Zoë M".utf8) + [0xFC] + Array("ller\n".utf8)
    #expect(try opened(mixed) { try $0.all() }[0].entry?.record.creators == ["Zoë Müller"])
  }

  @Test func `the encoding is also decided by bytes far into the file`() throws {
    let ascii = "Title,Author\n" + String(repeating: "An Invented Novel,Jane Roe\n", count: 60_000)
    // 한강 as Windows writes it in Korea.
    let rows = try opened(Array(ascii.utf8) + [0xC7, 0xD1, 0xB0, 0xAD] + Array(",x\n".utf8)) { try $0.all() }
    #expect(rows.last?.entry?.record.title == "한강")
  }

  @Test func `a byte that is no Korean text is left out and reported with its line`() throws {
    let korean: [UInt8] = [0xC1, 0xA6, 0xB8, 0xF1, 0x2C, 0xC0, 0xFA, 0xC0, 0xDA, 0x0A]
    let text = korean + [0xC7, 0xD1, 0xB0, 0xAD, 0x2C, 0xC7, 0xD1, 0xB0, 0xAD, 0x0A, 0x41, 0xFF, 0x2C, 0x42, 0x0A]
    try opened(text) { file in
      #expect(
        file.remarks.map { $0.message.text(in: nil) }
          == ["read as CP949: 제목,저자", "bytes that are not CP949 are left out, the first in line 3"])
      let titles = try file.all().map { $0.entry?.record.title }
      #expect(titles == ["한강", "A"])
    }
  }

  @Test func `JSON and XML with an invalid byte are read`() throws {
    let json =
      Array(#"[{"title":"채식주의자","author":"한강"},{"title":"Caf"#.utf8) + [0xE9] + Array(#"","author":"B"}]"#.utf8)
    let books = try opened(json) { try $0.all() }
    #expect(books.map { $0.entry?.record.title } == ["채식주의자", "Café"] && books[1].remarks.count == 1)
    let xml =
      Array(
        "<tellico><collection type=\"2\"><entry id=\"1\"><title>채식 Caf".utf8) + [0xE9]
      + Array("</title></entry></collection></tellico>".utf8)
    let rows = try opened(xml, kind: nil) { try $0.all() }
    #expect(rows.map { $0.entry?.record.title } == ["채식 Café"] && rows[0].remarks.count == 1)
  }

  @Test func `XML with control characters and impossible names is read`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?><tellico><collection type="2"><entry id="1"><title>A\u{C}B</title>
      <comments>one &#12;two</comments><mein-wunsch-€:>3</mein-wunsch-€:><test-😭>4</test-😭><größe>5</größe></entry>
      <entry id="2"><title>Later</title></entry></collection></tellico>
      """
    let rows = try opened(Array(text.utf8), kind: nil) { try $0.all() }
    #expect(rows.map { $0.entry?.record.title } == ["A B", "Later"])
    #expect(rows[0].entry?.notes.contains("test-_: 4") == true && rows[0].entry?.notes.contains("größe: 5") == true)
  }

  // MARK: Quotes

  @Test func `an unclosed quotation mark is reported with its line`() throws {
    let text = "Title,Author,Year\nLow,David Bowie,1977\n\"Heroes,David Bowie,1977\nLodger,David Bowie,1979\n"
    #expect(throws: ImportProblem.self) { try opened(Array(text.utf8)) { try $0.all() } }
    var reader = DelimitedReader(ByteSource(bytes: Array(text.utf8)), delimiter: UInt8(ascii: ","))
    let problem = #expect(throws: ImportProblem.self) { while try reader.next() != nil {} }
    #expect(problem?.description.contains("line 3") == true)
  }

  @Test func `a quotation mark closed on a later line is reported`() throws {
    let text = "Title,Author\n\"Heroes,Bowie\nLodger,Bowie\n\"Low\" again,Bowie\nScary,Bowie\n"
    let rows = try opened(Array(text.utf8)) { try $0.all() }
    #expect(rows[0].remarks.count == 1)
    #expect(rows.last?.entry?.record.title == "Scary")
    // Text behind quotes within a line is text, and no damage.
    #expect(try opened(Array("Title,Author\n\"Heroes\" live,Bowie\n".utf8)) { try $0.all() }[0].remarks == [])
  }

  @Test func `blanks around quotes are not part of a cell`() throws {
    var reader = DelimitedReader(
      ByteSource(bytes: Array("\"a\",  \"b, \"\"c\"\"\" , \"\",d\" e\n".utf8)), delimiter: UInt8(ascii: ","))
    #expect(try reader.next()?.cells == ["a", "b, \"c\"", "", "d\" e"])
  }

  // MARK: What is no table

  @Test func `text that is no table is rejected as a table`() throws {
    func problem(_ text: String) throws -> ImportProblem? {
      let file = try SmallFile(text)
      do throws(ImportProblem) {
        _ = try Import(path: file.path, choices: ImportChoices(kind: .book))
        return nil
      } catch { return error }
    }
    let noHeader = "1,\"A Novel\",Jane Roe,2016\n2,\"Another\",Jane Roe,2017\n"
    #expect(try problem(noHeader)?.description.contains("names no columns") == true)
    #expect(try problem("<<<<<<< Updated\nTitle,Author\nA,B\n=======\n")?.description.contains("merge") == true)
    #expect(
      try problem(#"[{"name":"Films","description":"","item_count":1,"user":{"director":false}}]"#)?.reason == .unknown)
    #expect(try problem(#"{"type":"Person","name":"Jane","icon":{"url":"http://x.y/z"}}"#)?.reason == .unknown)
    #expect(try problem("Alien, 1979\nHeat, 1995\n") == nil)
    #expect(try problem(#"[{"name":"Heat","year":1995}]"#) == nil)
  }

  @Test func `members that appear late or are null in JSON are known columns`() throws {
    let many = (0..<40).map { #"{"title":"T\#($0)","author":"A","rating":null}"# }
    let text = "[" + (many + [#"{"title":"Z","author":"B","rating":4,"review":"good"}"#]).joined(separator: ",") + "]"
    let last = try entries(text, kind: .book).last
    #expect(last?.times.first?.opinion?.rating?.value == 80)
    #expect(last?.times.first?.opinion?.comment == "good")
    #expect(try entries(text, mapping: ["review": "note"], kind: .book).last?.notes == ["review: good"])
    #expect(throws: ImportProblem.self) { try rows(text, mapping: ["nothing": "note"], kind: .book) }
  }

  @Test func `a column of numbers that fit no rating scale is no rating`() throws {
    let text = "title,artist,labels,rating,country\nA,B,\"Tiny, Other\",4.45,GBR\nC,B,Tiny,4.5,USA\nD,B,Tiny,4.62,DEU\n"
    let records = try entries(text)
    #expect(records.allSatisfy { $0.opinions.isEmpty && $0.times.isEmpty } && records[1].notes == ["rating: 4.5"])
    #expect(records.map(\.record.vinyl.country) == ["GB", "US", "DE"])
    #expect(records[0].record.recordLabels == ["Tiny", "Other"])
  }

  @Test func `leading zeros lost in a spreadsheet are restored when the check digit matches`() throws {
    let rows = try rows("Title,Author,ISBN\nA,X,306406152\nB,X,9780306406157.0\nC,X,'0306406152\nD,X,306406153\n")
    #expect(rows.prefix(3).allSatisfy { $0.entry?.record.book.isbn?.digits13 == "9780306406157" })
    #expect(rows[0].remarks.count == 1 && rows[2].remarks == [] && rows[3].entry?.notes == ["ISBN: 306406153"])
    let record = try entries("Album,Artist,UPC\nA,X,36000291452\n")[0]
    #expect(record.record.vinyl.barcode == "036000291452")
  }

  @Test func `a volume number becomes the place in the series named by the title`() throws {
    let books = try entries("Title,Author,Vol\nAn Invented Manga,Jane Roe,1\nAn Invented Manga,Jane Roe,2\n")
    #expect(books.map(\.record.book.series) == ["An Invented Manga #1", "An Invented Manga #2"])
  }
}
